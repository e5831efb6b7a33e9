#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suites.h"
#include "wire_world.h"

/* Contract of every row of the command table, and each refusal with code and words. */

static struct wire_world wire;

static void setup(void)
{
    wire_world_init(&wire, 1);
}

static void teardown(void)
{
    wire_world_deinit(&wire);
}

/* A message that is done, or UNIMPLEMENTED: at least one per row that has a handler, with every number it
 * knows. */
static const char *const examples[] = {
    "spawn_agents { agents { position { x: -5 y: -5 } orientation_deg: 90 velocity { x: 0.5 y: 0.5 } "
    "profile: 'walker' tag: 7 "
    "flock: 1 layers: 1 mask: 1 radius: 0.5 max_speed: 2 max_accel: 3 point { x: -9 y: -9 } } owned: true }",
    "spawn_agents { agents { position { x: -5 y: -5 } agent_id: 3 } }",
    "spawn_agents { agents { position { x: -5 y: -5 } path { points { x: 1 y: 1 } points { x: 2 y: 2 } } } }",
    "spawn_crowd { count: 3 area { min { x: -30 y: -30 } max { x: -20 y: -20 } } seed: 1 goal_area { min { "
    "x: 20 y: 20 } max "
    "{ x: 30 y: 30 } } retarget: true flock: 5 }",
    "spawn_crowd { count: 3 area { min { x: -30 y: -30 } max { x: -20 y: -20 } } point { x: 1 y: 1 } }",
    "spawn_crowd { count: 3 area { min { x: -30 y: -30 } max { x: -20 y: -20 } } path { points { x: 1 y: 1 } "
    "} }",
    "remove_agents { ids: 1 ids: 2 }",
    "remove_agents { all: true }",
    "set_targets { targets { ids: 1 point { x: 3 y: 3 } } targets { ids: 2 ids: 3 path { points { x: 1 y: 1 "
    "} } } }",
    "set_targets { targets { ids: 1 agent_id: 2 } targets { all: true none { } } }",
    "drive { id: 1 velocity { x: 1 y: 0.5 } }",
    "teleport { id: 1 position { x: -20 y: 5 } orientation_deg: 45 }",
    "define_profile { name: 'p' limits { radius: 0.5 max_speed: 2 max_accel: 3 max_rotation: 90 "
    "max_angular_accel: 90 } "
    "behaviours { name: 'arrive' weight: 1 group: 0 } behaviours { name: 'avoid_agents' weight: 2 group: 1 } "
    "combination: "
    "STEER_COMBINATION_PRIORITY rest: STEER_REST_STOP }",
    "set_profile { ids: 1 profile: 'walker' }",
    "set_profile { all: true profile: 'walker' }",
    "place_obstacles { obstacles { name: 'a' circle { center { x: 20 y: 20 } radius: 1 } } obstacles { box { "
    "center { x: 25 y: "
    "25 } size { x: 1 y: 1 } orientation_deg: 30 } } obstacles { segment { a { x: 30 y: 1 } b { x: 31 y: 1 } "
    "} } obstacles { "
    "polygon { points { x: 30 y: 30 } points { x: 31 y: 30 } points { x: 31 y: 31 } } } }",
    "remove_obstacles { ids: 1 }",
    "remove_obstacles { all: true }",
    "subscribe { whole { } events: true }",
    "subscribe { rectangle { min { x: 1 y: 1 } max { x: 2 y: 2 } } format: FORMAT_FULL "
    "snapshot_interval_ticks: 4 }",
    "subscribe { around { agent_id: 1 radius: 5 } }",
    "unsubscribe { }",
    "query { agents { ids: 1 area { min { x: 1 y: 1 } max { x: 2 y: 2 } } } obstacles: true profiles: true "
    "stats: true digest: "
    "true }",
    "set_clock { paused: true step_ticks: 3 speed: 2 }",
    "save { }",
    "reset { }",
};

#define EXAMPLE_COUNT ((int)(sizeof examples / sizeof examples[0]))

/* ---- walking through a decoded message ---- */

typedef void (*field_fn)(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field, void *value,
                         void *context);

static void walk_field(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field, uint8_t *value,
                       field_fn visit, void *context);

static void walk(const ProtobufCMessage *message, field_fn visit, void *context)
{
    uint8_t *base = (uint8_t *)(uintptr_t)message;
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        bool is_oneof = (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
        if (is_oneof && *(uint32_t *)(base + field->quantifier_offset) != field->id) {
            continue;
        }
        if (field->label != PROTOBUF_C_LABEL_REPEATED) {
            walk_field(message, field, base + field->offset, visit, context);
            continue;
        }
        size_t count = *(size_t *)(base + field->quantifier_offset);
        uint8_t *items = *(uint8_t **)(base + field->offset);
        size_t size = field->type == PROTOBUF_C_TYPE_MESSAGE ? sizeof(void *) : sizeof(uint32_t);
        for (size_t k = 0; k < count; k++) {
            walk_field(message, field, items + k * size, visit, context);
        }
    }
}

static void walk_field(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field, uint8_t *value,
                       field_fn visit, void *context)
{
    if (field->type != PROTOBUF_C_TYPE_MESSAGE) {
        visit(message, field, value, context);
        return;
    }
    const ProtobufCMessage *inner = *(ProtobufCMessage **)value;
    if (inner != NULL) {
        walk(inner, visit, context);
    }
}

/* Applies `message`, expects a refusal in words, and that the world is as it was. */
static void expect_refused(const Steerd__V1__ClientMessage *message, const char *what)
{
    uint64_t before = steer_world_digest(wire.world);
    command_apply(&wire.context, message, &wire.result);
    steer_world_sweep(wire.world);
    ck_assert_msg(wire.result.fault.status != STATUS_OK, "%s was taken", what);
    ck_assert_msg(wire.result.fault.text[0] != '\0', "%s was refused without words", what);
    ck_assert_uint_eq(wire.result.made.count, 0);
    ck_assert_msg(steer_world_digest(wire.world) == before, "%s was refused and has changed the world", what);
    ck_assert_uint_eq(wire.scratch.used, 0);
}

/* ---- the contract ---- */

START_TEST(test_every_row_with_a_handler_has_an_example)
{
    for (uint32_t row = 0; row < command_count(); row++) {
        const struct command_info *info = command_row(row);
        ck_assert_ptr_eq(command_find(info->body), info);
        if (info->scope == COMMAND_SCOPE_CONNECTION) {
            continue;
        }
        bool found = false;
        for (int i = 0; i < EXAMPLE_COUNT; i++) {
            found = found || wire_world_decode(&wire, examples[i])->body_case == info->body;
        }
        ck_assert_msg(found, "%s has no example", info->name);
    }
    ck_assert_ptr_null(command_find(STEERD__V1__CLIENT_MESSAGE__BODY__NOT_SET));
    ck_assert_ptr_null(command_find((Steerd__V1__ClientMessage__BodyCase)999));
}
END_TEST

START_TEST(test_every_body_of_the_proto_has_a_row_with_its_name)
{
    const ProtobufCMessageDescriptor *type = &steerd__v1__client_message__descriptor;
    uint32_t bodies = 0;
    for (unsigned i = 0; i < type->n_fields; i++) {
        if (type->fields[i].type == PROTOBUF_C_TYPE_MESSAGE) {
            const struct command_info *info =
                command_find((Steerd__V1__ClientMessage__BodyCase)type->fields[i].id);
            ck_assert_ptr_nonnull(info);
            ck_assert_str_eq(info->name, type->fields[i].name);
            bodies++;
        }
    }
    ck_assert_uint_eq(bodies, command_count());
}
END_TEST

START_TEST(test_an_example_is_done)
{
    enum status status = wire_world_apply(&wire, examples[_i]);
    enum status wanted =
        strstr(examples[_i], "save") == examples[_i] || strstr(examples[_i], "reset") == examples[_i]
            ? STATUS_UNIMPLEMENTED
            : STATUS_OK;
    ck_assert_msg(status == wanted, "%s: %s", examples[_i], wire.result.fault.text);
    ck_assert_uint_eq(wire.scratch.used, 0);
}
END_TEST

START_TEST(test_agents_and_crowds_are_of_the_flock_given)
{
    wire_world_do(&wire, "spawn_agents { agents { position { x: -5 y: -5 } flock: 4294967295 } }");
    wire_world_do(&wire,
                  "spawn_crowd { count: 2 area { min { x: -30 y: -30 } max { x: -20 y: -20 } } flock: 5 }");
    struct steer_agent_columns agents = steer_world_agents(wire.world);
    static const uint32_t flocks[3] = {UINT32_MAX, 5, 5};
    ck_assert_mem_eq(&agents.flock[agents.count - 3], flocks, sizeof flocks);
}
END_TEST

START_TEST(test_an_empty_body_is_taken_or_refused_in_words)
{
    const struct command_info *info = command_row((uint32_t)_i);
    if (info->scope == COMMAND_SCOPE_CONNECTION) {
        return;
    }
    char text[64];
    snprintf(text, sizeof text, "%s { }", info->name);
    Steerd__V1__ClientMessage *message = wire_world_decode(&wire, text);
    ck_assert_ptr_nonnull(message);
    if (info->body == STEERD__V1__CLIENT_MESSAGE__BODY_SUBSCRIBE ||
        info->body == STEERD__V1__CLIENT_MESSAGE__BODY_UNSUBSCRIBE) {
        wire_world_do(&wire, text);
        return;
    }
    expect_refused(message, text);
}
END_TEST

struct float_turn {
    uint32_t wanted; /* this one is changed */
    uint32_t seen;
    float value;
    float *changed;
    const char *name;
};

static void visit_float(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field, void *value,
                        void *context)
{
    struct float_turn *turn = context;
    (void)message;
    if (field->type == PROTOBUF_C_TYPE_FLOAT && turn->seen++ == turn->wanted) {
        turn->changed = value;
        turn->name = field->name;
        *turn->changed = turn->value;
    }
}

START_TEST(test_a_number_that_is_not_finite_is_refused_wherever_it_stands)
{
    const float values[] = {NAN, INFINITY, -INFINITY};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        for (uint32_t wanted = 0;; wanted++) {
            Steerd__V1__ClientMessage *message = wire_world_decode(&wire, examples[_i]);
            struct float_turn turn = {.wanted = wanted, .value = values[k]};
            walk(&message->base, visit_float, &turn);
            if (turn.changed == NULL) {
                break;
            }
            expect_refused(message, turn.name);
            ck_assert_int_eq(wire.result.fault.status, STATUS_INVALID_ARGUMENT);
            ck_assert_msg(strstr(wire.result.fault.text, turn.name) != NULL, "'%s' does not name %s",
                          wire.result.fault.text, turn.name);
        }
    }
}
END_TEST

static void visit_id(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field, void *value,
                     void *context)
{
    (void)message;
    if (strcmp(field->name, "ids") == 0 || strcmp(field->name, "id") == 0 ||
        strcmp(field->name, "agent_id") == 0) {
        *(uint32_t *)value = UINT32_MAX;
        *(uint32_t *)context += 1;
    }
}

START_TEST(test_an_id_that_does_not_exist_is_not_found)
{
    Steerd__V1__ClientMessage *message = wire_world_decode(&wire, examples[_i]);
    uint32_t changed = 0;
    walk(&message->base, visit_id, &changed);
    /* A subscription's agent is looked up with its view, a query leaves unknown ones out, Obstacle.id is
     * ignored. */
    if (changed == 0 || message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_QUERY ||
        message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_SUBSCRIBE ||
        message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_PLACE_OBSTACLES) {
        return;
    }
    expect_refused(message, examples[_i]);
    ck_assert_int_eq(wire.result.fault.status, STATUS_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(wire.result.fault.text, "4294967295"));
}
END_TEST

static void visit_all(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field, void *value,
                      void *context)
{
    (void)message;
    if (strcmp(field->name, "all") == 0) {
        *(protobuf_c_boolean *)value = true;
        *(uint32_t *)context += 1;
    }
}

START_TEST(test_ids_together_with_all_are_refused)
{
    Steerd__V1__ClientMessage *message = wire_world_decode(&wire, examples[_i]);
    uint32_t changed = 0;
    walk(&message->base, visit_all, &changed);
    if (changed == 0 || strstr(examples[_i], "ids:") == NULL) {
        return;
    }
    expect_refused(message, examples[_i]);
    ck_assert_int_eq(wire.result.fault.status, STATUS_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(wire.result.fault.text, "all is true and ids has"));
}
END_TEST

static TCase *contract_case(void)
{
    TCase *contract = tcase_create("contract");
    tcase_add_checked_fixture(contract, setup, teardown);
    tcase_add_test(contract, test_every_row_with_a_handler_has_an_example);
    tcase_add_test(contract, test_every_body_of_the_proto_has_a_row_with_its_name);
    tcase_add_loop_test(contract, test_an_example_is_done, 0, EXAMPLE_COUNT);
    tcase_add_test(contract, test_agents_and_crowds_are_of_the_flock_given);
    tcase_add_loop_test(contract, test_an_empty_body_is_taken_or_refused_in_words, 0, (int)command_count());
    tcase_add_loop_test(contract, test_a_number_that_is_not_finite_is_refused_wherever_it_stands, 0,
                        EXAMPLE_COUNT);
    tcase_add_loop_test(contract, test_an_id_that_does_not_exist_is_not_found, 0, EXAMPLE_COUNT);
    tcase_add_loop_test(contract, test_ids_together_with_all_are_refused, 0, EXAMPLE_COUNT);
    return contract;
}

Suite *suite_wire_command(void)
{
    Suite *suite = suite_create("wire_command");
    suite_add_tcase(suite, contract_case());
    return suite;
}
