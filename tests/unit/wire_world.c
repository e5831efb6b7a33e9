/* A world behind the wire, for the test_wire_ suites. */
#include "wire_world.h"

#include <check.h>
#include <stdio.h>

#define WIRE_WORLD_FRAME_BYTES ((size_t)64 << 10)
#define WIRE_WORLD_SESSION_ID  5

static enum status wire_world_subscribe(void *session, const struct view_spec *spec, struct fault *fault)
{
    struct wire_world *wire = session;
    (void)fault;
    wire->calls++;
    wire->view = *spec;
    return STATUS_OK;
}

static enum status wire_world_unsubscribe(void *session, struct fault *fault)
{
    struct wire_world *wire = session;
    (void)fault;
    wire->calls++;
    return STATUS_OK;
}

static enum status wire_world_set_clock(void *session, const struct clock_spec *spec, struct fault *fault)
{
    struct wire_world *wire = session;
    (void)fault;
    wire->calls++;
    wire->clock = *spec;
    return STATUS_OK;
}

/* Checks the question, as a server does. */
static enum status wire_world_query(void *session, const Steerd__V1__Query *query, uint64_t request_id,
                                    struct fault *fault)
{
    static struct query_cursor cursor;
    struct wire_world *wire = session;
    wire->calls++;
    wire->request_id = request_id;
    return query_start(&cursor, query, request_id, fault);
}

static const struct command_session_ops wire_world_ops = {
    .subscribe = wire_world_subscribe,
    .unsubscribe = wire_world_unsubscribe,
    .query = wire_world_query,
    .set_clock = wire_world_set_clock,
};

void wire_world_init(struct wire_world *wire, uint32_t threads)
{
    *wire = (struct wire_world){0};
    struct steer_world_config config;
    steer_world_config_init(&config);
    config.min_m = vec2(-50.0f, -50.0f);
    config.max_m = vec2(50.0f, 50.0f);
    config.tick_rate_hz = 30;
    config.agents_max = WIRE_WORLD_AGENTS_MAX;
    config.obstacles_max = 1000;
    struct fault fault = {0};
    ck_assert_msg(steer_world_create(&config, WIRE_WORLD_THREADS, &wire->world, &fault) == STATUS_OK, "%s",
                  fault.text);
    wire->pool = job_pool_create(threads);
    ck_assert_ptr_nonnull(wire->pool);
    ck_assert(arena_init(&wire->decoded, (size_t)4 << 20));
    ck_assert(arena_init(&wire->scratch, COMMAND_SCRATCH_BYTES));
    wire->context = (struct command_context){
        .world = wire->world,
        .scratch = &wire->scratch,
        .session_id = WIRE_WORLD_SESSION_ID,
        .snapshot_interval_ticks = 2,
        .ops = &wire_world_ops,
        .session = wire,
    };
    for (uint32_t i = 0; i < WIRE_WORLD_AGENTS; i++) {
        char text[128];
        snprintf(text, sizeof text, "spawn_agents { agents { position { x: %u y: 0 } tag: %u } }",
                 2 * (i + 1), 100 + i);
        wire_world_do(wire, text);
    }
    wire_world_do(wire,
                  "place_obstacles { obstacles { name: 'post' circle { center { x: 40 y: 40 } radius: 1 } } "
                  "obstacles { box { center { x: -40 y: 40 } size { x: 1 y: 2 } } } }");
    steer_world_clear_changes(wire->world);
}

void wire_world_deinit(struct wire_world *wire)
{
    steer_world_destroy(wire->world);
    job_pool_destroy(wire->pool);
    arena_deinit(&wire->decoded);
    arena_deinit(&wire->scratch);
}

Steerd__V1__ClientMessage *wire_world_decode(struct wire_world *wire, const char *text)
{
    static uint8_t bytes[WIRE_WORLD_FRAME_BYTES];
    size_t size = wire_text_encode(text, bytes, sizeof bytes);
    const Steerd__V1__ClientMessage *message = NULL;
    uint64_t request_id = 0;
    arena_reset_to(&wire->decoded, 0);
    wire->decode_fault = (struct fault){0};
    enum status status =
        message_decode(&wire->decoded, bytes, size, &message, &request_id, &wire->decode_fault);
    /* Tests change what they decoded; the memory is theirs. */
    return status == STATUS_OK ? (Steerd__V1__ClientMessage *)(uintptr_t)message : NULL;
}

enum status wire_world_apply(struct wire_world *wire, const char *text)
{
    const Steerd__V1__ClientMessage *message = wire_world_decode(wire, text);
    ck_assert_msg(message != NULL, "%s: %s", text, wire->decode_fault.text);
    command_apply(&wire->context, message, &wire->result);
    steer_world_sweep(wire->world);
    return wire->result.fault.status;
}

void wire_world_do(struct wire_world *wire, const char *text)
{
    enum status status = wire_world_apply(wire, text);
    ck_assert_msg(status == STATUS_OK, "%s: %s", text, wire->result.fault.text);
}

void wire_world_step(struct wire_world *wire, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        steer_world_clear_changes(wire->world);
        steer_world_step(wire->world, wire->pool);
    }
}
