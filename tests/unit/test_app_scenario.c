/* Reading scenario files: every key, and what is refused with which words. */
#include <stdio.h>
#include <string.h>

#include "app/scenario/scenario.h"
#include "app/scenario/scenario_check.h"
#include "sim/steer.h"
#include "suites.h"

#define WORLD "world: {min: [-50, -40], max: [50, 40]}\n"

static struct scenario *scenario;

static void teardown(void)
{
    scenario_destroy(scenario);
    scenario = NULL;
}

static enum status parse(const char *text, struct fault *fault)
{
    teardown();
    return scenario_parse("x.yaml", text, strlen(text), &scenario, fault);
}

static void parse_good(const char *text)
{
    struct fault fault = {0};
    ck_assert_msg(parse(text, &fault) == STATUS_OK, "%s", fault.text);
}

START_TEST(test_world_and_duration_are_read)
{
    parse_good("world:\n  min: [-50, -40.5]\n  max: [50, 40]\n  tick_rate: 60\n  seed: 18446744073709551615\n"
               "duration: 12.5\n");
    ck_assert_float_eq(scenario->world.min.y, -40.5f);
    ck_assert_float_eq(scenario->world.max.x, 50);
    ck_assert_uint_eq(scenario->world.tick_rate, 60);
    ck_assert_uint_eq(scenario->world.seed, UINT64_MAX);
    ck_assert_double_eq(scenario->duration, 12.5);
    parse_good(WORLD);
    ck_assert_uint_eq(scenario->world.tick_rate, 30);
    ck_assert_uint_eq(scenario->world.seed, 1);
    ck_assert_double_eq(scenario->duration, 60);
    ck_assert_uint_eq(scenario->agent_count, 0);
}
END_TEST

START_TEST(test_profiles_become_profiles_of_the_simulation)
{
    parse_good(
        WORLD
        "profiles:\n  - name: runner\n    max_speed: 3.0\n    radius: 0.05\n    combine: priority\n    "
        "rest: "
        "stop\n    behaviours:\n      - {name: avoid_agents, group: 2, weight: 0.5, time_horizon: 1.25}\n"
        "      - {name: arrive}\n");
    const struct steer_profile *profile = &scenario->made_profiles[0];
    ck_assert_str_eq(profile->name, "runner");
    ck_assert_float_eq(profile->limits.max_speed, 3);
    ck_assert_float_eq(profile->limits.radius, 0.05f);
    ck_assert_float_eq(profile->limits.max_accel, 5);
    ck_assert_int_eq(profile->combination, STEER_COMBINATION_PRIORITY);
    ck_assert_int_eq(profile->rest, STEER_REST_STOP);
    ck_assert_uint_eq(profile->behaviour_count, 2);
    ck_assert_uint_eq(profile->behaviours[0].behaviour, steer_behaviour_find("avoid_agents"));
    ck_assert_uint_eq(profile->behaviours[0].group, 2);
    ck_assert_float_eq(profile->behaviours[0].weight, 0.5f);
    const struct steer_behaviour_info *info = steer_behaviour_info(profile->behaviours[0].behaviour);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        float expected =
            strcmp(info->parameters[i].name, "time_horizon") == 0 ? 1.25f : info->parameters[i].default_value;
        ck_assert_float_eq(profile->behaviours[0].parameters[i], expected);
    }
}
END_TEST

START_TEST(test_the_four_shapes_are_read)
{
    parse_good(WORLD "obstacles:\n"
                     "  - {name: post, circle: {center: [1, 2], radius: 1.5}}\n"
                     "  - {box: {center: [5, 0], size: [2, 1], orientation: 30}}\n"
                     "  - {segment: {a: [0, -3], b: [0, 3]}}\n"
                     "  - {polygon: {points: [[8, 8], [9, 8], [9, 9]]}}\n");
    const struct scenario_obstacle *obstacles = scenario->obstacles.items;
    struct steer_shape shape;
    scenario_shape(&obstacles[0], &shape);
    ck_assert_str_eq(obstacles[0].name, "post");
    ck_assert_int_eq(shape.kind, STEER_SHAPE_CIRCLE);
    ck_assert_float_eq(shape.center_m.y, 2);
    ck_assert_float_eq(shape.radius_m, 1.5f);
    scenario_shape(&obstacles[1], &shape);
    ck_assert_ptr_null(obstacles[1].name);
    ck_assert_int_eq(shape.kind, STEER_SHAPE_BOX);
    ck_assert_float_eq(shape.size_m.x, 2);
    ck_assert_float_eq(shape.orientation_deg, 30);
    scenario_shape(&obstacles[2], &shape);
    ck_assert_int_eq(shape.kind, STEER_SHAPE_SEGMENT);
    ck_assert_uint_eq(shape.point_count, 2);
    ck_assert_float_eq(shape.points_m[1].y, 3);
    scenario_shape(&obstacles[3], &shape);
    ck_assert_int_eq(shape.kind, STEER_SHAPE_POLYGON);
    ck_assert_uint_eq(shape.point_count, 3);
    ck_assert_float_eq(shape.points_m[2].x, 9);
}
END_TEST

START_TEST(test_agents_are_read)
{
    parse_good(WORLD "agents:\n"
                     "  - {name: a, position: [-5, 1], velocity: [1, 0.5], orientation: 90, target: [5, 0], "
                     "start_at: 2.5,\n"
                     "     radius: 0.3, max_speed: 2, max_accel: 4, layers: 3, mask: 5, flock: 7, tag: 9}\n"
                     "  - {name: b, position: [5, 0], target_agent: a}\n"
                     "  - {position: [0, 9], path: [[0, 0], [9, 0]]}\n");
    const struct scenario_agent *a = scenario_agent(scenario, 0);
    ck_assert_uint_eq(scenario->agent_count, 3);
    ck_assert_str_eq(a->name, "a");
    ck_assert_float_eq(a->position.x, -5);
    ck_assert_float_eq(a->velocity.y, 0.5f);
    ck_assert_float_eq(a->orientation, 90);
    ck_assert_float_eq(a->target.x, 5);
    ck_assert_double_eq(a->start_at, 2.5);
    ck_assert_str_eq(a->profile, "walker");
    ck_assert_float_eq(a->radius, 0.3f);
    ck_assert_float_eq(a->max_speed, 2);
    ck_assert_float_eq(a->max_accel, 4);
    ck_assert_uint_eq(a->layers, 3);
    ck_assert_uint_eq(a->mask, 5);
    ck_assert_uint_eq(a->flock, 7);
    ck_assert_uint_eq(a->tag, 9);
    ck_assert_str_eq(scenario_agent(scenario, 1)->target_agent, "a");
    ck_assert_float_eq(scenario_agent(scenario, 1)->radius, 0);
    ck_assert_uint_eq(scenario_agent(scenario, 2)->path.count, 2);
    uint32_t index;
    ck_assert(scenario_find_agent(scenario, "b", &index));
    ck_assert_uint_eq(index, 1);
    ck_assert(!scenario_find_agent(scenario, "c", &index));
}
END_TEST

START_TEST(test_crowds_and_circles_are_read)
{
    parse_good(WORLD "crowds:\n"
                     "  - {count: 100, min: [-40, -40], max: [40, 40], seed: 7, target_min: [-30, -30], "
                     "target_max: [30, "
                     "30], retarget: true, flock: 6, tag: 4}\n"
                     "  - {count: 5, min: [0, 0], max: [9, 9], target: [1, 1]}\n"
                     "  - {count: 5, min: [0, 0], max: [9, 9], path: [[1, 1]]}\n"
                     "circles:\n"
                     "  - {count: 8, center: [1, 2], radius: 5, flock: 8, target: antipodal}\n"
                     "  - {count: 3, center: [0, 0], radius: 5, target: [1, 2]}\n"
                     "  - {count: 2, center: [0, 0], radius: 5}\n");
    const struct scenario_crowd *crowds = scenario->crowds.items;
    const struct scenario_circle *circles = scenario->circles.items;
    ck_assert_uint_eq(scenario->agent_count, 123);
    ck_assert_uint_eq(crowds[0].seed, 7);
    ck_assert_float_eq(crowds[0].target_max.y, 30);
    ck_assert(crowds[0].retarget);
    ck_assert_uint_eq(crowds[0].tag, 4);
    ck_assert_uint_eq(crowds[0].flock, 6);
    ck_assert_uint_eq(crowds[1].flock, 0);
    ck_assert(!crowds[1].retarget);
    ck_assert_uint_eq(crowds[2].path.count, 1);
    ck_assert(circles[0].target.antipodal);
    ck_assert_uint_eq(circles[0].flock, 8);
    ck_assert_float_eq(circles[1].target.point.y, 2);
    ck_assert(!circles[2].target.antipodal);
}
END_TEST

START_TEST(test_events_are_read_and_ordered_by_time)
{
    parse_good(WORLD "obstacles: [{name: wall, segment: {a: [0, -3], b: [0, 3]}}]\n"
                     "agents: [{name: a, position: [9, 9]}, {name: b, position: [5, 5]}]\n"
                     "events:\n"
                     "  - {at: 6, teleport: {agent: a, position: [3, 3], orientation: 45}}\n"
                     "  - {at: 2, remove_obstacle: wall}\n"
                     "  - {at: 3, place_obstacle: {name: late, box: {center: [0, 0], size: [1, 1]}}}\n"
                     "  - {at: 4, set_target: {agent: a, target: [0, 0]}}\n"
                     "  - {at: 4, set_target: {agent: a, target_agent: b}}\n"
                     "  - {at: 5, remove_agent: b}\n"
                     "  - {at: 4, remove_obstacle: late}\n");
    static const uint32_t order[] = {1, 2, 3, 4, 6, 5, 0};
    for (uint32_t i = 0; i < 7; i++) {
        ck_assert_uint_eq(scenario->event_order[i], order[i]);
    }
    ck_assert_float_eq(scenario_event(scenario, 0)->teleport.orientation, 45);
    ck_assert_str_eq(scenario_event(scenario, 2)->place_obstacle.name, "late");
    ck_assert_str_eq(scenario_event(scenario, 4)->set_target.target_agent, "b");
}
END_TEST

START_TEST(test_expectations_are_read)
{
    parse_good(
        WORLD "agents: [{name: a, position: [-5, 0], target: [5, 0]}]\n"
              "expect:\n  arrived_all_by: 9.75\n  arrived_by: {a: 9.0}\n  gap_min: -0.5\n  obstacle_gap_min: "
              "0.25\n"
              "  time_factor_max: 1.5\n  blocked_min: 2\n  blocked_max: 3\n  speed_rms_after: {at: 10, max: "
              "0.02}\n  end_gap_min: 0.125\n"
              "  end_near: [{agent: a, point: [5, 0], radius: 0.2}, {agent: a, point: [4, 0], radius: 2}]\n"
              "  settled_max: {point: [5, 0], radius: 1.25}\n"
              "  deviation_max: {agent: a, axis: y, max: 2.0}\n"
              "  mean_speed: {from: 5, to: 20, min: 1.0, max: 1.4}\n"
              "  passes: {line: {a: [0, -1], b: [0, 1]}, from: 10, to: 40, min: 20}\n");
    const struct scenario_expect *expect = &scenario->expect;
    ck_assert_double_eq(expect->arrived_all_by, 9.75);
    ck_assert_double_eq(expect->arrived_by.items[0].value, 9);
    ck_assert_double_eq(expect->gap_min, -0.5);
    ck_assert_double_eq(expect->obstacle_gap_min, 0.25);
    ck_assert_double_eq(expect->time_factor_max, 1.5);
    ck_assert_uint_eq(expect->blocked_min, 2);
    ck_assert_uint_eq(expect->blocked_max, 3);
    ck_assert_double_eq(((struct scenario_speed_rms *)expect->speed_rms_after.items)->max, 0.02);
    ck_assert_double_eq(expect->end_gap_min, 0.125);
    ck_assert_uint_eq(expect->end_near.count, 2);
    ck_assert_double_eq(((struct scenario_end_near *)expect->end_near.items)[1].radius, 2);
    ck_assert_float_eq(((struct scenario_settled *)expect->settled_max.items)->point.x, 5);
    ck_assert_double_eq(((struct scenario_settled *)expect->settled_max.items)->radius, 1.25);
    ck_assert_uint_eq(((struct scenario_deviation *)expect->deviation_max.items)->axis, 1);
    ck_assert_double_eq(((struct scenario_mean_speed *)expect->mean_speed.items)->to, 20);
    ck_assert_float_eq(((struct scenario_passes *)expect->passes.items)->line.b.y, 1);
    ck_assert_uint_eq(((struct scenario_passes *)expect->passes.items)->min, 20);
}
END_TEST

#define AGENT_A "agents: [{name: a, position: [0, 0], target: [5, 0]}]\n"
#define WALL    "obstacles: [{name: wall, segment: {a: [0, -3], b: [0, 3]}}]\n"

static const struct {
    const char *text;
    enum status status;
    const char *words;
} refusals[] = {
    {"duration: 3\n", STATUS_INVALID_ARGUMENT, "x.yaml:1: world is missing: a map is needed"},
    {"world: {min: [0, 0], max: [9, 0.5]}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:1: world.max: 9,0.5 must lie at least 1 m right of and above min, 0,0"},
    {"world: {min: [0, 0], max: [9, 9], tick_rate: 300}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:1: world.tick_rate: 300 is out of range: a whole number in [1, 240] Hz is needed"},
    {WORLD "duration: 0\n", STATUS_OUT_OF_RANGE,
     "x.yaml:2: duration: 0 is out of range: a number in [0.001, 1000000] s is needed"},
    {WORLD "agents:\n  - {position: [left, 0]}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: agents[0].position: \"left\" is not allowed: a point [x, y], each in [-10000, 10000] m, is "
     "needed"},
    {WORLD "agents:\n  - {position: [0, 41]}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: agents[0].position: 0,41 is outside the world: a point from -50,-40 to 50,40 m is needed"},
    {WORLD "agents:\n  - {position: [0, 0], target: [51, 0]}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: agents[0].target: 51,0 is outside the world: a point from -50,-40 to 50,40 m is needed"},
    {WORLD "agents:\n  - {position: [0, 0], path: [[0, 1], [51, 0]]}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: agents[0].path[1]: 51,0 is outside the world: a point from -50,-40 to 50,40 m is needed"},
    {WORLD "agents:\n  - {position: [0, 0], target: [1, 0], path: [[0, 1]]}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: agents[0]: target and path exclude each other: one of target|target_agent|path is needed"},
    {WORLD "agents:\n  - {position: [0, 0], radius: 0.04}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: agents[0].radius: 0.04 is out of range: a number in [0.05, 10] m is needed"},
    {WORLD "agents:\n  - {position: [0, 0], profile: runner}\n", STATUS_NOT_FOUND,
     "x.yaml:3: agents[0].profile: runner is neither walker nor one of the list `profiles`"},
    {WORLD "agents:\n  - {position: [0, 0], target_agent: b}\n", STATUS_NOT_FOUND,
     "x.yaml:3: agents[0].target_agent: no agent of the list `agents` has the name b"},
    {WORLD "agents:\n  - {name: a, position: [0, 0], target_agent: a}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: agents[0].target_agent: a is itself: another agent is needed"},
    {WORLD "agents:\n  - {position: [0, 0], start_at: 1}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: agents[0].start_at: one of target|target_agent|path is needed with it"},
    {WORLD "agents:\n  - {name: a, position: [0, 0]}\n  - {name: a, position: [3, 0]}\n",
     STATUS_ALREADY_EXISTS, "x.yaml:4: name: a is the name of another agent, on line 3: each needs its own"},
    {WORLD "profiles:\n  - {name: p, behaviours: [{name: arrive}], max_speed: 101}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: profiles[0].max_speed: 101 is out of range: a number in [0.01, 100] m/s is needed"},
    {WORLD "profiles:\n  - {name: p, behaviours: [{name: arrive}], speed: 1}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: profiles[0]: unknown key speed; known here: name, combine, rest, behaviours, radius, "
     "max_speed, "
     "max_accel, max_rotation, max_angular_accel"},
    {WORLD
     "profiles:\n  - {name: p, behaviours: [{name: arrive}]}\n  - {name: p, behaviours: [{name: arrive}]}\n",
     STATUS_ALREADY_EXISTS,
     "x.yaml:4: profiles[1].name: p is the name of another profile, on line 3: each needs its own"},
    {WORLD "obstacles:\n  - {name: post}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: obstacles[0]: one of circle|box|segment|polygon is needed"},
    {WORLD "obstacles:\n  - {circle: {center: [0, 0], radius: 1}, segment: {a: [0, 0], b: [1, 1]}}\n",
     STATUS_INVALID_ARGUMENT,
     "x.yaml:3: obstacles[0]: circle and segment exclude each other: one of circle|box|segment|polygon is "
     "needed"},
    {WORLD "obstacles:\n  - {circle: {center: [0, 0], radius: 0}}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: obstacles[0].circle.radius: 0 is out of range: a number in [0.01, 1000] m is needed"},
    {WORLD WALL "events:\n  - {at: 1, place_obstacle: {name: wall, circle: {center: [9, 9], radius: 1}}}\n",
     STATUS_ALREADY_EXISTS,
     "x.yaml:4: name: wall is the name of another obstacle, on line 2: each needs its own"},
    {WORLD "crowds:\n  - {count: 0, min: [0, 0], max: [1, 1]}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: crowds[0].count: 0 is out of range: a whole number in [1, 1000000] agents is needed"},
    {WORLD "crowds:\n  - {count: 1, min: [2, 0], max: [1, 1]}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: crowds[0].max: 1,1 must lie right of and above min, 2,0"},
    {WORLD "crowds:\n  - {count: 1, min: [0, 0], max: [1, 1], target_min: [0, 0]}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: crowds[0].target_min: target_min and target_max are needed together"},
    {WORLD "crowds:\n  - {count: 1, min: [0, 0], max: [1, 1], retarget: true}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: crowds[0].retarget: target_min and target_max are needed together with it"},
    {WORLD "crowds:\n  - {count: 1, min: [0, 0], max: [1, 1], target: [99, 0]}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: crowds[0].target: 99,0 is outside the world: a point from -50,-40 to 50,40 m is needed"},
    {WORLD "circles:\n  - {count: 2, center: [0, 0], radius: 5, target: opposite}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: circles[0].target: \"opposite\" is not allowed: antipodal or a point [x, y] is needed"},
    {WORLD "circles:\n  - {count: 2, center: [0, 0], radius: 5, target: [1]}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: circles[0].target: a list of 1 is not allowed: a point [x, y], each in [-10000, 10000] m, is "
     "needed"},
    {WORLD "events:\n  - {at: 1}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: events[0]: one of remove_obstacle|place_obstacle|set_target|remove_agent|teleport|drive is "
     "needed"},
    {WORLD WALL "events:\n  - {at: 1, remove_obstacle: fence}\n", STATUS_NOT_FOUND,
     "x.yaml:4: events[0].remove_obstacle: no obstacle of the name fence is there at 1 s"},
    {WORLD WALL "events:\n  - {at: 1, remove_obstacle: wall}\n  - {at: 2, remove_obstacle: wall}\n",
     STATUS_NOT_FOUND, "x.yaml:5: events[1].remove_obstacle: no obstacle of the name wall is there at 2 s"},
    {WORLD "events:\n  - {at: 2, place_obstacle: {name: w, circle: {center: [9, 9], radius: 1}}}\n"
           "  - {at: 1, remove_obstacle: w}\n",
     STATUS_NOT_FOUND, "x.yaml:4: events[1].remove_obstacle: no obstacle of the name w is there at 1 s"},
    {WORLD AGENT_A
     "events:\n  - {at: 2, set_target: {agent: a, target: [0, 0]}}\n  - {at: 1, remove_agent: a}\n",
     STATUS_NOT_FOUND, "x.yaml:4: events[0].set_target.agent: a has been removed by then"},
    {WORLD AGENT_A "events:\n  - {at: 2, set_target: {agent: a, target: [0, 99]}}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:4: events[0].set_target.target: 0,99 is outside the world: a point from -50,-40 to 50,40 m is "
     "needed"},
    {WORLD AGENT_A "events:\n  - {at: 2, set_target: {agent: a, target_agent: a}}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:4: events[0].set_target.target_agent: a is itself: another agent is needed"},
    {WORLD AGENT_A "events:\n  - {at: 2, teleport: {agent: a, position: [0, 99]}}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:4: events[0].teleport.position: 0,99 is outside the world: a point from -50,-40 to 50,40 m is "
     "needed"},
    {WORLD AGENT_A "events:\n  - {at: -1, remove_agent: a}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:4: events[0].at: -1 is out of range: a number in [0, 1000000] s is needed"},
    {WORLD AGENT_A "expect: {arrived_by: {b: 3}}\n", STATUS_NOT_FOUND,
     "x.yaml:3: expect.arrived_by.b: no agent of the list `agents` has that name"},
    {WORLD AGENT_A "expect: {arrived_by: {a: -3}}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:3: expect.arrived_by.a: -3 is out of range: a number in [0, 1000000] s is needed"},
    {WORLD AGENT_A "events:\n  - {at: 2, drive: {agent: b, velocity: [1, 0]}}\n", STATUS_NOT_FOUND,
     "x.yaml:4: events[0].drive.agent: no agent of the list `agents` has the name b"},
    {WORLD AGENT_A "expect: {end_heading: {agent: b, heading: 0, max: 1}}\n", STATUS_NOT_FOUND,
     "x.yaml:3: expect.end_heading.agent: no agent of the list `agents` has the name b"},
    {WORLD AGENT_A "expect: {end_near: {agent: b, point: [0, 0], radius: 1}}\n", STATUS_NOT_FOUND,
     "x.yaml:3: expect.end_near.agent: no agent of the list `agents` has the name b"},
    {WORLD AGENT_A "expect: {deviation_max: {agent: a, axis: x, max: 1}}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: expect.deviation_max.axis: the way of a runs along it: the other axis is needed"},
    {WORLD "agents: [{name: a, position: [0, 0]}]\nexpect: {deviation_max: {agent: a, axis: y, max: 1}}\n",
     STATUS_INVALID_ARGUMENT,
     "x.yaml:3: expect.deviation_max.agent: a has no `target`: the line from start to target is needed"},
    {WORLD "expect: {mean_speed: {from: 3, to: 2, min: 1}}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:2: expect.mean_speed.to: 2 is before from, 3 s"},
    {WORLD "expect: {mean_speed: {from: 3}}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:2: expect.mean_speed: min or max is needed"},
    {WORLD "expect: {passes: {line: {a: [0, 0], b: [1, 1]}, min: 5, max: 4}}\n", STATUS_OUT_OF_RANGE,
     "x.yaml:2: expect.passes.max: 4 is below min, 5"},
    {WORLD "expect: {speed: 3}\n", STATUS_INVALID_ARGUMENT,
     "x.yaml:2: expect: unknown key speed; known here: arrived_all_by, arrived_by, time_factor_max, "
     "gap_min, obstacle_gap_min, "
     "end_gap_min, blocked_min, blocked_max, speed_rms_after, end_near, end_heading, settled_max, "
     "flock_radius_max, "
     "deviation_max, mean_speed, passes"},
};

START_TEST(test_refusals_name_file_line_key_and_range)
{
    struct fault fault = {0};
    ck_assert_int_eq(parse(refusals[_i].text, &fault), refusals[_i].status);
    ck_assert_str_eq(fault.text, refusals[_i].words);
    ck_assert_int_eq(parse(refusals[_i].text, NULL), refusals[_i].status);
}
END_TEST

/* Words of other modules, of which only the beginning and the subject are this module's business. */
static const struct {
    const char *text;
    const char *begin;
} worded_by_others[] = {
    {WORLD "profiles:\n  - name: p\n    behaviours:\n      - {name: fly}\n",
     "x.yaml:5: profiles[0].behaviours[0].name: "},
    {WORLD "profiles:\n  - name: p\n    behaviours:\n      - {name: arrive, wings: 2}\n",
     "x.yaml:5: profiles[0].behaviours[0].wings: "},
    {WORLD "profiles:\n  - name: p\n    behaviours:\n      - {name: avoid_agents, time_horizon: -1}\n",
     "x.yaml:5: profiles[0].behaviours[0].time_horizon: "},
    {WORLD "profiles:\n  - {name: P!, behaviours: [{name: arrive}]}\n", "x.yaml:3: profiles[0]: "},
    {WORLD "obstacles:\n  - {segment: {a: [1, 1], b: [1, 1]}}\n", "x.yaml:3: obstacles[0]."},
    {WORLD "obstacles:\n  - {polygon: {points: [[0, 0], [1, 1], [2, 2]]}}\n", "x.yaml:3: obstacles[0]."},
    {WORLD "events:\n  - {at: 1, place_obstacle: {polygon: {points: [[0, 0], [1, 1], [2, 2]]}}}\n",
     "x.yaml:3: events[0].place_obstacle."},
};

START_TEST(test_refusals_of_other_modules_get_file_line_and_key)
{
    struct fault fault = {0};
    ck_assert_int_ne(parse(worded_by_others[_i].text, &fault), STATUS_OK);
    ck_assert_msg(strncmp(fault.text, worded_by_others[_i].begin, strlen(worded_by_others[_i].begin)) == 0,
                  "%s", fault.text);
}
END_TEST

START_TEST(test_limits_are_raised_to_what_the_scenario_needs)
{
    struct steer_world_config config = {.agents_max = 2, .obstacles_max = 1000};
    parse_good(WORLD WALL "agents: [{name: a, position: [0, 0], path: [[1, 1]]}]\n"
                          "crowds: [{count: 7, min: [5, 5], max: [30, 30], path: [[1, 1]]}]\n");
    scenario_configure(scenario, &config);
    ck_assert_uint_eq(config.agents_max, 8);
    ck_assert_uint_eq(config.obstacles_max, 1000);
    ck_assert_uint_ge(config.paths_max, 2);
    ck_assert_uint_ge(config.profiles_max, 1);
    ck_assert_float_eq(config.min_m.x, -50);
    ck_assert_uint_eq(config.tick_rate_hz, 30);
}
END_TEST

START_TEST(test_times_are_the_first_tick_at_or_after)
{
    ck_assert_uint_eq(scenario_tick_at(0, 30), 0);
    ck_assert_uint_eq(scenario_tick_at(4.8, 30), 144);
    ck_assert_uint_eq(scenario_tick_at(0.1, 30), 3);
    ck_assert_uint_eq(scenario_tick_at(0.11, 30), 4);
    ck_assert_uint_eq(scenario_tick_at(1e6, 240), 240000000);
}
END_TEST

START_TEST(test_title_is_the_bare_file_name)
{
    char title[64];
    ck_assert_int_eq(scenario_parse("a/b.c/head-on.yaml", WORLD, strlen(WORLD), &scenario, NULL), STATUS_OK);
    scenario_title(scenario, title, sizeof title);
    ck_assert_str_eq(title, "head-on");
}
END_TEST

Suite *suite_app_scenario(void)
{
    Suite *suite = suite_create("app_scenario");
    TCase *reading = tcase_create("reading");
    tcase_add_checked_fixture(reading, NULL, teardown);
    tcase_add_test(reading, test_world_and_duration_are_read);
    tcase_add_test(reading, test_profiles_become_profiles_of_the_simulation);
    tcase_add_test(reading, test_the_four_shapes_are_read);
    tcase_add_test(reading, test_agents_are_read);
    tcase_add_test(reading, test_crowds_and_circles_are_read);
    tcase_add_test(reading, test_events_are_read_and_ordered_by_time);
    tcase_add_test(reading, test_expectations_are_read);
    tcase_add_test(reading, test_limits_are_raised_to_what_the_scenario_needs);
    tcase_add_test(reading, test_times_are_the_first_tick_at_or_after);
    tcase_add_test(reading, test_title_is_the_bare_file_name);
    suite_add_tcase(suite, reading);
    TCase *refusing = tcase_create("refusing");
    tcase_add_checked_fixture(refusing, NULL, teardown);
    tcase_add_loop_test(refusing, test_refusals_name_file_line_key_and_range, 0,
                        (int)(sizeof refusals / sizeof refusals[0]));
    tcase_add_loop_test(refusing, test_refusals_of_other_modules_get_file_line_and_key, 0,
                        (int)(sizeof worded_by_others / sizeof worded_by_others[0]));
    suite_add_tcase(suite, refusing);
    return suite;
}
