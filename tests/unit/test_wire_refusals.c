#include <stdio.h>
#include <string.h>

#include "sim/steer.h"
#include "suites.h"
#include "wire_world.h"

/* Each refusal of the command table: its code and its words, and that nothing has changed. */

static struct wire_world wire;

static void setup(void)
{
    wire_world_init(&wire, 1);
}

static void teardown(void)
{
    wire_world_deinit(&wire);
}

static const struct {
    const char *command;
    enum status status;
    const char *words;
} refusals[] = {
    {"spawn_agents { }", STATUS_INVALID_ARGUMENT, "agents is empty: 1 or more are needed"},
    {"spawn_agents { agents { } }", STATUS_INVALID_ARGUMENT,
     "agents[0].position is missing: x and y in metres are needed"},
    {"spawn_agents { agents { position { x: 1 y: 1 } } agents { position { x: nan } } }",
     STATUS_INVALID_ARGUMENT, "agents[1].position.x is nan: a number from -49.6 to 49.6 m is needed"},
    {"spawn_agents { agents { position { x: 1 y: 900 } } }", STATUS_OUT_OF_RANGE,
     "agents[0].position.y is 900 m: -49.6 to 49.6 m is legal"},
    {"spawn_agents { agents { position { x: 40 y: 40 } } }", STATUS_FAILED_PRECONDITION,
     "agents[0].position is 40, 40, 1.4 m deep in obstacle 1 post: 0.4 m or more from its outline is legal"},
    {"spawn_agents { agents { position { x: 1 y: 1 } radius: 11 } }", STATUS_OUT_OF_RANGE,
     "agents[0].radius is 11 m: 0.05 to 10 m is legal"},
    {"spawn_agents { agents { position { x: 1 y: 1 } max_speed: 0.001 } }", STATUS_OUT_OF_RANGE,
     "agents[0].max_speed is 0.001 m/s: 0.01 to 100 m/s is legal"},
    {"spawn_agents { agents { position { x: 1 y: 1 } max_accel: 2000 } }", STATUS_OUT_OF_RANGE,
     "agents[0].max_accel is 2000 m/s^2: 0.01 to 1000 m/s^2 is legal"},
    {"spawn_agents { agents { position { x: 1 y: 1 } velocity { x: 99 } } }", STATUS_OUT_OF_RANGE,
     "agents[0].velocity is 99 m/s fast: 0 to 1.5 m/s is legal"},
    {"spawn_agents { agents { position { x: 1 y: 1 } profile: 'nobody' } }", STATUS_NOT_FOUND,
     "agents[0].profile is \"nobody\": the name of one that is defined is needed, for example walker"},
    {"spawn_agents { agents { position { x: 1 y: 1 } agent_id: 99 } }", STATUS_NOT_FOUND,
     "agents[0].agent_id is 99: the id of an agent that exists is needed"},
    {"spawn_agents { agents { position { x: 1 y: 1 } point { x: 99 y: 0 } } }", STATUS_OUT_OF_RANGE,
     "agents[0].point.x is 99 m: -50 to 50 m is legal"},
    {"spawn_agents { agents { position { x: 1 y: 1 } path { } } }", STATUS_INVALID_ARGUMENT,
     "agents[0].path.points is empty: 1 or more are needed"},
    {"spawn_crowd { count: 1 }", STATUS_INVALID_ARGUMENT,
     "area is missing: a rectangle with min and max is needed"},
    {"spawn_crowd { count: 1 area { min { x: 1 y: 1 } } }", STATUS_INVALID_ARGUMENT,
     "area.max is missing: x and y in metres are needed"},
    {"spawn_crowd { count: 0 area { min { x: 1 y: 1 } max { x: 9 y: 9 } } }", STATUS_OUT_OF_RANGE,
     "count is 0: 1 to 2000 is legal"},
    {"spawn_crowd { count: 2000 area { min { x: 1 y: 1 } max { x: 9 y: 9 } } }", STATUS_RESOURCE_EXHAUSTED,
     "count is 2000: 1992 of at most 2000 agents are free"},
    {"spawn_crowd { count: 500 area { min { x: -20 y: -20 } max { x: -15 y: -15 } } }",
     STATUS_FAILED_PRECONDITION,
     "count is 500: only 28 found room in the area, 10000 tries for the next one failed"},
    {"spawn_crowd { count: 1 area { min { x: 9 y: 1 } max { x: 1 y: 9 } } }", STATUS_INVALID_ARGUMENT,
     "area runs from 9, 1 to 1, 9: a min that is nowhere greater than max is needed"},
    {"spawn_crowd { count: 1 area { min { x: 1 y: 1 } max { x: 9 y: 9 } } profile: 'nobody' }",
     STATUS_NOT_FOUND,
     "profile is \"nobody\": the name of one that is defined is needed, for example walker"},
    {"spawn_crowd { count: 1 area { min { x: 1 y: 1 } max { x: 9 y: 9 } } retarget: true }",
     STATUS_INVALID_ARGUMENT, "retarget is true without goal_area: one to draw from is needed"},
    {"spawn_crowd { count: 1 area { min { x: 1 y: 1 } max { x: 9 y: nan } } }", STATUS_INVALID_ARGUMENT,
     "area.max.y is nan: a finite number of m is needed"},
    {"spawn_crowd { count: 1 area { min { x: 1 y: 1 } max { x: 1.5 y: 9 } } }", STATUS_FAILED_PRECONDITION,
     "area has no room for a disc of 0.4 m radius inside the world: a larger one is needed"},
    {"spawn_crowd { count: 1 area { min { x: 1 y: 1 } max { x: 9 y: 9 } } goal_area { min { x: 60 y: 60 } "
     "max { x: 70 "
     "y: 70 } } }",
     STATUS_FAILED_PRECONDITION,
     "goal_area has no room for a disc of 0.4 m radius inside the world: a larger one is needed"},
    {"spawn_crowd { count: 1 area { min { x: 1 y: 1 } max { x: 9 y: 9 } } point { x: 60 } }",
     STATUS_OUT_OF_RANGE, "point.x is 60 m: -50 to 50 m is legal"},
    {"remove_agents { }", STATUS_INVALID_ARGUMENT, "ids is empty and all is false: one of the two is needed"},
    {"remove_agents { ids: 1 ids: 99 }", STATUS_NOT_FOUND,
     "ids[1] is 99: the id of an agent that exists is needed"},
    {"remove_agents { ids: 1 all: true }", STATUS_INVALID_ARGUMENT,
     "all is true and ids has 1: one of the two is needed"},
    {"set_targets { }", STATUS_INVALID_ARGUMENT, "targets is empty: 1 or more are needed"},
    {"set_targets { targets { ids: 1 } }", STATUS_INVALID_ARGUMENT,
     "targets[0].goal is missing: one of point, agent_id, path and none is needed"},
    {"set_targets { targets { point { x: 1 y: 1 } } }", STATUS_INVALID_ARGUMENT,
     "targets[0].ids is empty and all is false: one of the two is needed"},
    {"set_targets { targets { ids: 1 point { x: 1 y: 1 } } targets { ids: 99 point { x: 1 y: 1 } } }",
     STATUS_NOT_FOUND, "targets[1].ids[0] is 99: the id of an agent that exists is needed"},
    {"set_targets { targets { ids: 1 agent_id: 1 } }", STATUS_INVALID_ARGUMENT,
     "targets[0].agent_id is 1, the agent itself: another one is needed"},
    {"set_targets { targets { ids: 1 agent_id: 99 } }", STATUS_NOT_FOUND,
     "targets[0].agent_id is 99: the id of an agent that exists is needed"},
    {"set_targets { targets { ids: 1 point { x: 1 y: 99 } } }", STATUS_OUT_OF_RANGE,
     "targets[0].point.y is 99 m: -50 to 50 m is legal"},
    {"drive { id: 1 }", STATUS_INVALID_ARGUMENT, "velocity is missing: x and y in m/s are needed"},
    {"drive { id: 1 velocity { x: nan } }", STATUS_INVALID_ARGUMENT,
     "velocity.x is nan: a finite number of m/s is needed"},
    {"drive { id: 99 velocity { x: 1 } }", STATUS_NOT_FOUND,
     "id is 99: the id of an agent that exists is needed"},
    {"drive { id: 1 velocity { x: 99 } }", STATUS_OUT_OF_RANGE,
     "velocity is 99 m/s fast: 0 to 1.5 m/s is legal"},
    {"teleport { id: 1 }", STATUS_INVALID_ARGUMENT, "position is missing: x and y in metres are needed"},
    {"teleport { id: 1 position { x: inf } }", STATUS_INVALID_ARGUMENT,
     "position.x is inf: a number from -49.6 to 49.6 m is needed"},
    {"teleport { id: 1 position { x: 1 } orientation_deg: nan }", STATUS_INVALID_ARGUMENT,
     "orientation_deg is nan: a finite number of degrees is needed"},
    {"teleport { id: 99 position { x: 1 y: 1 } }", STATUS_NOT_FOUND,
     "id is 99: the id of an agent that exists is needed"},
    {"teleport { id: 1 position { x: 40 y: 40 } }", STATUS_FAILED_PRECONDITION,
     "position is 40, 40, 1.4 m deep in obstacle 1 post: 0.4 m or more from its outline is legal"},
    {"teleport { id: 1 position { x: 99 y: 40 } }", STATUS_OUT_OF_RANGE,
     "position.x is 99 m: -49.6 to 49.6 m is legal"},
    {"define_profile { name: 'p' }", STATUS_INVALID_ARGUMENT, "behaviours has 0 entries: 1 to 16 are legal"},
    {"define_profile { name: 'P!' behaviours { name: 'seek' } }", STATUS_INVALID_ARGUMENT,
     "name is \"P!\": 1 to 31 of a-z, 0-9, _ and - are needed"},
    {"define_profile { behaviours { name: 'seek' } }", STATUS_INVALID_ARGUMENT,
     "name is \"\": 1 to 31 of a-z, 0-9, _ and - are needed"},
    {"define_profile { name: 'a-name-of-more-than-thirty-one-bytes' behaviours { name: 'seek' } }",
     STATUS_INVALID_ARGUMENT, "name has 36 characters: 1 to 31 of a-z, 0-9, _ and - are needed"},
    {"define_profile { name: 'p' behaviours { name: 'arrive' parameters { name: 'height' value: 1 } } }",
     STATUS_NOT_FOUND,
     "behaviours[0].parameters[0].arrive.height is not known: slow_radius, target_radius, time_to_target"},
    {"define_profile { name: 'p' behaviours { name: 'arrive' parameters { name: 'slow_radius' value: -1 } } "
     "}",
     STATUS_OUT_OF_RANGE, "behaviours[0].parameters[0].arrive.slow_radius is -1 m: 0.01 to 1000 m is legal"},
    {"define_profile { name: 'p' behaviours { name: 'arrive' weight: 101 } }", STATUS_OUT_OF_RANGE,
     "behaviours[0].arrive.weight is 101: 0 to 100 is legal"},
    {"define_profile { name: 'p' behaviours { name: 'arrive' group: 8 } }", STATUS_OUT_OF_RANGE,
     "behaviours[0].arrive.group is 8: 0 to 7 is legal"},
    {"define_profile { name: 'p' behaviours { name: 'arrive' } limits { radius: 99 } }", STATUS_OUT_OF_RANGE,
     "limits.radius is 99 m: 0.05 to 10 m is legal"},
    {"define_profile { name: 'p' behaviours { name: 'arrive' } combination: 9 }", STATUS_INVALID_ARGUMENT,
     "combination is 9: STEER_COMBINATION_BLEND, STEER_COMBINATION_PRIORITY or STEER_COMBINATION_BUDGET is "
     "needed"},
    {"define_profile { name: 'p' behaviours { name: 'arrive' } rest: 9 }", STATUS_INVALID_ARGUMENT,
     "rest is 9: STEER_REST_BRAKE, STEER_REST_STOP or STEER_REST_COAST is needed"},
    {"set_profile { ids: 1 }", STATUS_INVALID_ARGUMENT, "profile is empty: the name of a profile is needed"},
    {"set_profile { ids: 1 profile: 'nobody' }", STATUS_NOT_FOUND,
     "profile is \"nobody\": the name of one that is defined is needed, for example walker"},
    {"set_profile { ids: 99 profile: 'walker' }", STATUS_NOT_FOUND,
     "ids[0] is 99: the id of an agent that exists is needed"},
    {"place_obstacles { obstacles { circle { center { x: 5 } radius: 1 } } obstacles { circle { center { x: "
     "400 y: 2 } radius: 1 } } }",
     STATUS_OUT_OF_RANGE,
     "obstacles[1].shape lies in (399, 1) to (401, 3) m: some of it must be in the world, (-50, -50) to (50, "
     "50) m"},
    {"place_obstacles { }", STATUS_INVALID_ARGUMENT, "obstacles is empty: 1 or more are needed"},
    {"place_obstacles { obstacles { name: 'x' } }", STATUS_INVALID_ARGUMENT,
     "obstacles[0].shape is missing: one of circle, box, segment and polygon is needed"},
    {"place_obstacles { obstacles { name: 'a name of more than thirty-one bytes' circle { center { } radius: "
     "1 } } }",
     STATUS_INVALID_ARGUMENT, "obstacles[0].name has 36 bytes: at most 31 are legal"},
    {"place_obstacles { obstacles { circle { radius: 1 } } }", STATUS_INVALID_ARGUMENT,
     "obstacles[0].circle.center is missing: x and y in metres are needed"},
    {"place_obstacles { obstacles { circle { center { } radius: 1 } } obstacles { circle { center { } } } }",
     STATUS_OUT_OF_RANGE, "obstacles[1].circle.radius is 0 m: 0.01 to 1000 m is legal"},
    {"place_obstacles { obstacles { circle { center { x: inf } radius: 1 } } }", STATUS_INVALID_ARGUMENT,
     "obstacles[0].circle.center.x is inf: a number from -10000 to 10000 m is needed"},
    {"place_obstacles { obstacles { box { center { } size { x: 0 y: 1 } } } }", STATUS_OUT_OF_RANGE,
     "obstacles[0].box.size.x is 0 m: 0.01 to 10000 m is legal"},
    {"place_obstacles { obstacles { segment { a { } b { } } } }", STATUS_INVALID_ARGUMENT,
     "obstacles[0].segment is 0 m long: 0.01 m or more is needed"},
    {"place_obstacles { obstacles { polygon { points { } points { x: 1 } } } }", STATUS_INVALID_ARGUMENT,
     "obstacles[0].polygon.points has 2 corners: 3 to 16 are legal"},
    {"place_obstacles { obstacles { polygon { points { } points { x: 1 } points { x: 2 } } } }",
     STATUS_INVALID_ARGUMENT, "obstacles[0].polygon.points enclose 0 m2: 0.0001 m2 or more are needed"},
    {"place_obstacles { obstacles { polygon { points { } points { x: 2 } points { x: 0.5 y: 0.5 } points { "
     "y: 2 } } } }",
     STATUS_INVALID_ARGUMENT,
     "obstacles[0].polygon.points are not convex or cross each other at points[2]: the corners of a convex "
     "outline, in order, are needed"},
    {"place_obstacles { obstacles { polygon { points { } points { x: 2 y: 2 } points { x: 2 } points { y: 2 "
     "} } } }",
     STATUS_INVALID_ARGUMENT,
     "obstacles[0].polygon.points are not convex or cross each other at points[1]: the corners of a convex "
     "outline, in order, are needed"},
    {"remove_obstacles { ids: 1 ids: 99 }", STATUS_NOT_FOUND,
     "ids[1] is 99: the id of an obstacle that exists is needed"},
    {"remove_obstacles { }", STATUS_INVALID_ARGUMENT,
     "ids is empty and all is false: one of the two is needed"},
    {"subscribe { snapshot_interval_ticks: 3 }", STATUS_OUT_OF_RANGE,
     "snapshot_interval_ticks is 3: 1, 2, 4, 8, or 0 for the server's own (2) is legal"},
    {"subscribe { format: FORMAT_DELTA }", STATUS_UNIMPLEMENTED,
     "format is FORMAT_DELTA, which this server does not send yet: use FORMAT_FULL"},
    {"subscribe { format: 7 }", STATUS_INVALID_ARGUMENT, "format is 7: FORMAT_FULL is needed"},
    {"subscribe { rectangle { min { x: 1 y: 1 } } }", STATUS_INVALID_ARGUMENT,
     "rectangle.max is missing: x and y in metres are needed"},
    {"subscribe { rectangle { min { x: 2 y: 1 } max { x: 1 y: 2 } } }", STATUS_INVALID_ARGUMENT,
     "rectangle.min.x is 2: at most rectangle.max.x, which is 1, is needed"},
    {"subscribe { rectangle { min { x: 1 y: 1 } max { x: 2 y: nan } } }", STATUS_INVALID_ARGUMENT,
     "rectangle.max.y is nan: a finite number of metres is needed"},
    {"subscribe { around { agent_id: 1 } }", STATUS_OUT_OF_RANGE,
     "around.radius is 0 m: 0.1 to 10000 m is legal"},
    {"subscribe { around { agent_id: 1 radius: 10001 } }", STATUS_OUT_OF_RANGE,
     "around.radius is 10001 m: 0.1 to 10000 m is legal"},
    {"subscribe { around { radius: 5 } }", STATUS_INVALID_ARGUMENT,
     "around.agent_id is 0: the id of an agent is needed"},
    {"query { }", STATUS_INVALID_ARGUMENT,
     "the query asks for nothing: agents, obstacles, profiles, stats or digest is needed"},
    {"query { agents { area { min { x: 2 y: 1 } max { x: 1 y: 2 } } } }", STATUS_INVALID_ARGUMENT,
     "agents.area.min.x is 2: at most agents.area.max.x, which is 1, is needed"},
    {"set_clock { }", STATUS_INVALID_ARGUMENT, "nothing is set: paused, step_ticks or speed is needed"},
    {"set_clock { paused: true step_ticks: 1000001 }", STATUS_OUT_OF_RANGE,
     "step_ticks is 1000001: 1 to 1000000 is legal, 0 for none"},
    {"set_clock { paused: false step_ticks: 5 }", STATUS_INVALID_ARGUMENT,
     "step_ticks is 5 and paused is false: steps need a clock that stands still"},
    {"set_clock { speed: 0.05 }", STATUS_OUT_OF_RANGE,
     "speed is 0.05: 0.1 to 8 is legal, 0 leaves it as it is"},
    {"set_clock { speed: 9 }", STATUS_OUT_OF_RANGE, "speed is 9: 0.1 to 8 is legal, 0 leaves it as it is"},
    {"set_clock { speed: nan }", STATUS_INVALID_ARGUMENT, "speed is nan: a number from 0.1 to 8 is needed"},
    {"save { }", STATUS_UNIMPLEMENTED,
     "save is not in this version: the world lives as long as the server runs"},
    {"reset { }", STATUS_UNIMPLEMENTED,
     "reset is not in this version: remove all agents and all obstacles, or start the server anew"},
};

#define REFUSAL_COUNT ((int)(sizeof refusals / sizeof refusals[0]))

START_TEST(test_a_refusal_names_field_value_and_range)
{
    uint64_t before = steer_world_digest(wire.world);
    ck_assert_int_eq(wire_world_apply(&wire, refusals[_i].command), refusals[_i].status);
    ck_assert_str_eq(wire.result.fault.text, refusals[_i].words);
    ck_assert_uint_eq(wire.result.made.count, 0);
    ck_assert_uint_eq(steer_world_digest(wire.world), before);
}
END_TEST

START_TEST(test_an_unknown_behaviour_is_refused_with_all_that_are_known)
{
    char words[1024] = "behaviours[0].behaviour \"fly\" is not known: ";
    size_t used = strlen(words);
    for (uint32_t i = 0; i < steer_behaviour_count(); i++) {
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i == 0 ? "" : ", ",
                                 steer_behaviour_info(i)->name);
    }
    enum status status = wire_world_apply(&wire, "define_profile { name: 'p' behaviours { name: 'fly' } }");
    ck_assert_int_eq(status, STATUS_NOT_FOUND);
    ck_assert_str_eq(wire.result.fault.text, words);
}
END_TEST

START_TEST(test_owned_agents_leave_with_their_session_and_others_stay)
{
    wire_world_do(&wire, "spawn_agents { agents { position { x: -5 y: -5 } } agents { position { x: -8 "
                         "y: -5 } } owned: true }");
    ck_assert_uint_eq(wire.result.made.first_id, WIRE_WORLD_AGENTS + 1);
    ck_assert_uint_eq(wire.result.made.count, 2);
    wire_world_do(
        &wire, "spawn_crowd { count: 3 area { min { x: -30 y: -30 } max { x: -20 y: -20 } } owned: true }");
    ck_assert_uint_eq(steer_world_agents(wire.world).count, WIRE_WORLD_AGENTS + 5);
    steer_world_remove_owned(wire.world, &wire.context.session_id, 1);
    ck_assert_uint_eq(steer_world_agents(wire.world).count, WIRE_WORLD_AGENTS);
}
END_TEST

START_TEST(test_session_commands_hand_over_what_they_checked)
{
    wire_world_do(&wire, "subscribe { around { agent_id: 2 radius: 5 } events: true }");
    ck_assert_int_eq(wire.view.area.kind, STEER_AREA_DISC);
    ck_assert_float_eq(wire.view.area.radius_m, 5.0f);
    ck_assert_uint_eq(wire.view.around.value, 2);
    ck_assert_uint_eq(wire.view.interval_ticks, wire.context.snapshot_interval_ticks);
    ck_assert(wire.view.events);
    wire_world_do(
        &wire, "subscribe { rectangle { min { x: 1 y: 2 } max { x: 3 y: 4 } } snapshot_interval_ticks: 8 }");
    ck_assert_int_eq(wire.view.area.kind, STEER_AREA_RECTANGLE);
    ck_assert_float_eq(wire.view.area.max_m.y, 4.0f);
    ck_assert_uint_eq(wire.view.around.value, 0);
    ck_assert_uint_eq(wire.view.interval_ticks, 8);
    wire_world_do(&wire, "set_clock { paused: true step_ticks: 7 speed: 0.5 }");
    ck_assert(wire.clock.has_paused && wire.clock.paused);
    ck_assert_uint_eq(wire.clock.step_ticks, 7);
    ck_assert_float_eq(wire.clock.speed, 0.5f);
    wire_world_do(&wire, "set_clock { step_ticks: 1000000 }");
    ck_assert(!wire.clock.has_paused);
    wire_world_do(&wire, "request_id: 9 query { stats: true }");
    ck_assert_uint_eq(wire.request_id, 9);
    ck_assert_uint_eq(wire.calls, 5);
}
END_TEST

START_TEST(test_speed_is_bounded_by_the_tick_rate)
{
    struct steer_world_config config;
    steer_world_config_init(&config);
    config.tick_rate_hz = 60;
    config.agents_max = 10;
    steer_world_destroy(wire.world);
    struct fault fault = {0};
    ck_assert_int_eq(steer_world_create(&config, 1, &wire.world, &fault), STATUS_OK);
    wire.context.world = wire.world;
    wire_world_do(&wire, "set_clock { speed: 4 }");
    ck_assert_int_eq(wire_world_apply(&wire, "set_clock { speed: 5 }"), STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(wire.result.fault.text,
                     "speed is 5: with a tick rate of 60 Hz at most 4 is possible, which makes 240 ticks "
                     "per second");
}
END_TEST

Suite *suite_wire_refusals(void)
{
    Suite *suite = suite_create("wire_refusals");
    TCase *refused = tcase_create("refused");
    tcase_add_checked_fixture(refused, setup, teardown);
    tcase_add_test(refused, test_an_unknown_behaviour_is_refused_with_all_that_are_known);
    tcase_add_loop_test(refused, test_a_refusal_names_field_value_and_range, 0, REFUSAL_COUNT);
    tcase_add_test(refused, test_speed_is_bounded_by_the_tick_rate);
    suite_add_tcase(suite, refused);
    TCase *done = tcase_create("done");
    tcase_add_checked_fixture(done, setup, teardown);
    tcase_add_test(done, test_owned_agents_leave_with_their_session_and_others_stay);
    tcase_add_test(done, test_session_commands_hand_over_what_they_checked);
    suite_add_tcase(suite, done);
    return suite;
}
