/*
 * A frame of any bytes: decoded, applied to a small world, and now and then stepped. Whatever comes, decoding
 * stays within its budget, a refusal has words, and what was refused has changed nothing.
 */
#include <stdlib.h>

#include "base/assert.h"
#include "fuzz.h"
#include "wire/command.h"
#include "wire/message.h"
#include "wire/query.h"

#define FUZZ_MESSAGE_FACTOR     32
#define FUZZ_MESSAGE_BUDGET_MIN ((size_t)1024)
#define FUZZ_MESSAGE_INPUTS_MAX                                                                              \
    256 /* then the world is made anew, so that an input's effect does not depend on too many */
#define FUZZ_MESSAGE_SESSION_ID 1

static struct {
    struct steer_world *world;
    struct job_pool *pool;
    struct arena decoded;
    struct arena scratch;
    struct command_context context;
    uint32_t inputs;
} fuzz;

static enum status fuzz_subscribe(void *session, const struct view_spec *spec, struct fault *fault)
{
    (void)session;
    (void)fault;
    ASSERT(spec->interval_ticks == 1 || spec->interval_ticks == 2 || spec->interval_ticks == 4 ||
           spec->interval_ticks == 8);
    return STATUS_OK;
}

static enum status fuzz_unsubscribe(void *session, struct fault *fault)
{
    (void)session;
    (void)fault;
    return STATUS_OK;
}

static enum status fuzz_query(void *session, const Steerd__V1__Query *query, uint64_t request_id,
                              struct fault *fault)
{
    static struct query_cursor cursor;
    (void)session;
    return query_start(&cursor, query, request_id, fault);
}

static enum status fuzz_set_clock(void *session, const struct clock_spec *spec, struct fault *fault)
{
    (void)session;
    (void)fault;
    ASSERT(spec->speed == 0.0f || (spec->speed >= 0.1f && spec->speed <= 8.0f));
    return STATUS_OK;
}

static const struct command_session_ops fuzz_ops = {
    .subscribe = fuzz_subscribe,
    .unsubscribe = fuzz_unsubscribe,
    .query = fuzz_query,
    .set_clock = fuzz_set_clock,
};

static void fuzz_message_make_world(void)
{
    struct steer_world_config config;
    steer_world_config_init(&config);
    config.agents_max = 64;
    config.obstacles_max = 16;
    config.profiles_max = 4;
    config.paths_max = 8;
    config.crowds_max = 4;
    config.events_max = 64;
    steer_world_destroy(fuzz.world);
    struct fault fault = {0};
    enum status status = steer_world_create(&config, 1, &fuzz.world, &fault);
    ASSERT(status == STATUS_OK);
    fuzz.context.world = fuzz.world;
}

static void fuzz_message_start(void)
{
    fuzz.pool = job_pool_create(1);
    ASSERT(fuzz.pool != NULL);
    ASSERT(arena_init(&fuzz.decoded, (size_t)4 << 20));
    ASSERT(arena_init(&fuzz.scratch, COMMAND_SCRATCH_BYTES));
    fuzz.context = (struct command_context){
        .scratch = &fuzz.scratch,
        .session_id = FUZZ_MESSAGE_SESSION_ID,
        .snapshot_interval_ticks = 2,
        .ops = &fuzz_ops,
    };
}

static void fuzz_message_apply(const Steerd__V1__ClientMessage *message)
{
    if (command_find(message->body_case)->scope == COMMAND_SCOPE_CONNECTION) {
        return;
    }
    uint64_t before = steer_world_digest(fuzz.world);
    struct command_result result;
    command_apply(&fuzz.context, message, &result);
    steer_world_sweep(fuzz.context.world);
    if (result.fault.status != STATUS_OK) {
        ASSERT(result.fault.text[0] != '\0');
        ASSERT(steer_world_digest(fuzz.world) == before);
    }
    steer_world_step(fuzz.world, fuzz.pool);
    steer_world_clear_changes(fuzz.world);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (fuzz.pool == NULL) {
        fuzz_message_start();
    }
    if (fuzz.inputs++ % FUZZ_MESSAGE_INPUTS_MAX == 0) {
        fuzz_message_make_world();
    }
    const Steerd__V1__ClientMessage *message = NULL;
    uint64_t request_id = 0;
    struct fault fault = {0};
    fuzz.decoded.used_peak = 0;
    enum status status = message_decode(&fuzz.decoded, bytes, size, &message, &request_id, &fault);
    size_t budget = size * FUZZ_MESSAGE_FACTOR;
    ASSERT(fuzz.decoded.used_peak <= (budget > FUZZ_MESSAGE_BUDGET_MIN ? budget : FUZZ_MESSAGE_BUDGET_MIN));
    if (status == STATUS_OK) {
        ASSERT(message->request_id == request_id);
        fuzz_message_apply(message);
    } else {
        ASSERT(fault.status == status && fault.text[0] != '\0');
        ASSERT(fuzz.decoded.used == 0);
    }
    arena_reset_to(&fuzz.decoded, 0);
    return 0;
}
