/* Commands on agents and obstacles: what they do, and each refusal by code and words, with nothing changed.
 */
#include <math.h>
#include <string.h>

#include "sim_fixture.h"
#include "suites.h"

static struct steer_world *world;
static struct steer_world_made made;
static struct fault fault;
static uint64_t digest; /* before the command that is tested */

static void setup(void)
{
    world = sim_fixture_world();
    fault = (struct fault){0};
    sim_fixture_agent(world, vec2(0, 0), (struct steer_goal){0}, "");  /* 1 */
    sim_fixture_agent(world, vec2(10, 0), (struct steer_goal){0}, ""); /* 2 */
    sim_fixture_circle(world, vec2(50, 50), 2);                        /* obstacle 1 */
    digest = steer_world_digest(world);
}

static void teardown(void)
{
    steer_world_destroy(world);
}

/* The command was refused so, in these words, and has changed nothing. */
static void refused(enum status got, enum status status, const char *words)
{
    ck_assert_msg(got == status && strcmp(fault.text, words) == 0, "%s '%s' instead of %s '%s'",
                  status_name(got), fault.text, status_name(status), words);
    ck_assert_int_eq(fault.status, status);
    ck_assert_uint_eq(steer_world_digest(world), digest);
}

static void spawn_refused(struct steer_agent_spec spec, enum status status, const char *words)
{
    /* Behind a good one: all or nothing. */
    struct steer_agent_spec specs[2] = {{.position_m = {-20, -20}}, spec};
    refused(steer_world_spawn_agents(world, specs, 2, &made, &fault), status, words);
    ck_assert_uint_eq(steer_world_agents(world).count, 2);
}

START_TEST(test_spawn_refuses_places_outside_the_world)
{
    spawn_refused((struct steer_agent_spec){.position_m = {NAN, 0}}, STATUS_INVALID_ARGUMENT,
                  "agents[1].position.x is nan: a number from -99.6 to 99.6 m is needed");
    spawn_refused((struct steer_agent_spec){.position_m = {0, INFINITY}}, STATUS_INVALID_ARGUMENT,
                  "agents[1].position.y is inf: a number from -99.6 to 99.6 m is needed");
    spawn_refused((struct steer_agent_spec){.position_m = {99.7f, 0}}, STATUS_OUT_OF_RANGE,
                  "agents[1].position.x is 99.7 m: -99.6 to 99.6 m is legal");
    spawn_refused((struct steer_agent_spec){.position_m = {92, 0}, .radius_m = 9}, STATUS_OUT_OF_RANGE,
                  "agents[1].position.x is 92 m: -91 to 91 m is legal");
}
END_TEST

START_TEST(test_spawn_refuses_places_in_obstacles)
{
    spawn_refused(
        (struct steer_agent_spec){.position_m = {52.2f, 50}}, STATUS_FAILED_PRECONDITION,
        "agents[1].position is 52.2, 50, 0.199999 m deep in obstacle 1 fixture: 0.4 m or more from its "
        "outline is legal");
}
END_TEST

START_TEST(test_spawn_refuses_limits_out_of_range)
{
    spawn_refused((struct steer_agent_spec){.radius_m = 0.01f}, STATUS_OUT_OF_RANGE,
                  "agents[1].radius is 0.01 m: 0.05 to 10 m is legal");
    spawn_refused((struct steer_agent_spec){.max_speed_mps = -1}, STATUS_OUT_OF_RANGE,
                  "agents[1].max_speed is -1 m/s: 0.01 to 100 m/s is legal");
    spawn_refused((struct steer_agent_spec){.max_accel_mps2 = NAN}, STATUS_INVALID_ARGUMENT,
                  "agents[1].max_accel is nan: a number from 0.01 to 1000 m/s^2 is needed");
}
END_TEST

START_TEST(test_spawn_refuses_velocities_and_orientations)
{
    spawn_refused((struct steer_agent_spec){.velocity_mps = {3, 4}}, STATUS_OUT_OF_RANGE,
                  "agents[1].velocity is 5 m/s fast: 0 to 1.5 m/s is legal");
    spawn_refused((struct steer_agent_spec){.velocity_mps = {0, NAN}}, STATUS_INVALID_ARGUMENT,
                  "agents[1].velocity.y is nan: a finite number of m/s is needed");
    spawn_refused((struct steer_agent_spec){.orientation_deg = -INFINITY}, STATUS_INVALID_ARGUMENT,
                  "agents[1].orientation_deg is -inf: a finite number of degrees is needed");
}
END_TEST

START_TEST(test_spawn_refuses_profiles_and_goals_that_are_not_there)
{
    spawn_refused(
        (struct steer_agent_spec){.profile = "ghost"}, STATUS_NOT_FOUND,
        "agents[1].profile is \"ghost\": the name of one that is defined is needed, for example walker");
    spawn_refused((struct steer_agent_spec){.goal = {.kind = STEER_GOAL_AGENT, .agent = {3}}},
                  STATUS_NOT_FOUND, "agents[1].agent_id is 3: the id of an agent that exists is needed");
    spawn_refused((struct steer_agent_spec){.goal = {.kind = STEER_GOAL_AGENT}}, STATUS_NOT_FOUND,
                  "agents[1].agent_id is 0: the id of an agent that exists is needed");
    spawn_refused((struct steer_agent_spec){.goal = sim_fixture_to(0, -101)}, STATUS_OUT_OF_RANGE,
                  "agents[1].point.y is -101 m: -100 to 100 m is legal");
}
END_TEST

START_TEST(test_spawn_refuses_paths)
{
    struct vec2 points[65] = {{1, 1}, {2, NAN}};
    spawn_refused(
        (struct steer_agent_spec){.goal = {.kind = STEER_GOAL_PATH, .path_m = points, .path_count = 65}},
        STATUS_INVALID_ARGUMENT, "agents[1].path.points has 65 points: 1 to 64 are legal");
    spawn_refused((struct steer_agent_spec){.goal = {.kind = STEER_GOAL_PATH}}, STATUS_INVALID_ARGUMENT,
                  "agents[1].path.points has 0 points: 1 to 64 are legal");
    spawn_refused(
        (struct steer_agent_spec){.goal = {.kind = STEER_GOAL_PATH, .path_m = points, .path_count = 2}},
        STATUS_INVALID_ARGUMENT, "agents[1].path.points[1].y is nan: a number from -100 to 100 m is needed");
}
END_TEST

START_TEST(test_spawn_refuses_more_agents_than_there_is_room_for)
{
    static struct steer_agent_spec specs[4095];
    refused(steer_world_spawn_agents(world, specs, 4095, &made, &fault), STATUS_RESOURCE_EXHAUSTED,
            "agents has 4095 entries: 4094 of at most 4096 agents are free");
}
END_TEST

START_TEST(test_paths_are_shared_counted_and_refused_when_all_are_in_use)
{
    struct vec2 points[2] = {{1, 1}, {2, 2}};
    struct vec2 others[2] = {{1, 1}, {3, 2}};
    const struct steer_goal goal = {.kind = STEER_GOAL_PATH, .path_m = points, .path_count = 2};
    const struct steer_goal other = {.kind = STEER_GOAL_PATH, .path_m = others, .path_count = 2};
    static struct steer_agent_spec specs[65];
    for (uint32_t i = 0; i < 65; i++) {
        specs[i].goal = i % 2 == 0 ? goal : other;
    }
    digest = steer_world_digest(world);
    refused(steer_world_spawn_agents(world, specs, 65, &made, &fault), STATUS_RESOURCE_EXHAUSTED,
            "agents[64].path is one too many: 64 are the most in use at one time, 64 are free and 65 needed");
    for (uint32_t i = 0; i < 65; i++) {
        specs[i].goal = goal;
    }
    for (uint32_t i = 0; i < 62; i++) {
        ck_assert_int_eq(steer_world_spawn_agents(world, specs, 65, &made, NULL),
                         STATUS_OK); /* one path for all 65 */
    }
    struct steer_agent_selection all = {.all = true};
    ck_assert_int_eq(steer_world_remove_agents(world, &all, NULL), STATUS_OK);
    for (uint32_t i = 0; i < 64; i++) { /* all are free again */
        specs[i].goal = i % 2 == 0 ? goal : other;
    }
    ck_assert_int_eq(steer_world_spawn_agents(world, specs, 64, &made, NULL), STATUS_OK);
}
END_TEST

START_TEST(test_spawned_agents_are_as_specified)
{
    struct steer_agent_spec spec = {.position_m = {1, 2},
                                    .orientation_deg = -90,
                                    .velocity_mps = {0.5f, 0},
                                    .tag = 1234567890123u,
                                    .radius_m = 0.5f};
    ck_assert_int_eq(steer_world_spawn_agents(world, &spec, 1, &made, &fault), STATUS_OK);
    ck_assert_uint_eq(made.first_id, 3);
    ck_assert_uint_eq(made.count, 1);
    struct steer_agent_columns agents = steer_world_agents(world);
    ck_assert_uint_eq(agents.count, 3);
    ck_assert_uint_eq(agents.tag[2], 1234567890123u);
    ck_assert_float_eq(agents.y_m[2], 2.0f);
    ck_assert_float_eq(agents.orientation_deg[2], 270.0f);
    ck_assert_float_eq(agents.vx_mps[2], 0.5f);
    ck_assert_float_eq(agents.radius_m[2], 0.5f);
    ck_assert_int_eq(agents.state[2], STEER_AGENT_STATE_IDLE);
}
END_TEST

START_TEST(test_remove_refuses_unknown_ids_and_removes_none)
{
    const uint32_t ids[2] = {1, 9};
    struct steer_agent_selection selection = {.ids = ids, .count = 2};
    refused(steer_world_remove_agents(world, &selection, &fault), STATUS_NOT_FOUND,
            "ids[1] is 9: the id of an agent that exists is needed");
    selection.all = true;
    refused(steer_world_remove_agents(world, &selection, &fault), STATUS_INVALID_ARGUMENT,
            "ids has 2 entries and all is true: one of them is needed");
}
END_TEST

START_TEST(test_removed_agents_are_gone_are_told_and_their_followers_stop)
{
    struct steer_agent_id follower =
        sim_fixture_agent(world, vec2(5, 5), (struct steer_goal){STEER_GOAL_AGENT, .agent = {2}}, "");
    ck_assert_int_eq(sim_fixture_state(world, follower), STEER_AGENT_STATE_MOVING);
    const uint32_t ids[3] = {2, 2, 1}; /* one twice */
    struct steer_agent_selection selection = {.ids = ids, .count = 3};
    ck_assert_int_eq(steer_world_remove_agents(world, &selection, &fault), STATUS_OK);
    ck_assert_uint_eq(steer_world_agents(world).count, 1);
    ck_assert_int_eq(sim_fixture_state(world, follower), STEER_AGENT_STATE_IDLE);
    uint32_t count;
    const struct steer_world_event *events = steer_world_events(world, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(events[1].kind, STEER_WORLD_EVENT_REMOVED);
    ck_assert_uint_eq(events[1].agent.value, 2);
    ck_assert_float_eq(events[1].position_m.x, 10.0f);
}
END_TEST

START_TEST(test_commands_after_an_unswept_removal_do_not_find_those_who_are_gone)
{
    struct steer_agent_selection gone = {.ids = &(uint32_t){1}, .count = 1};
    struct steer_agent_selection everybody = {.all = true};
    struct steer_agent_spec follows = {.goal = {STEER_GOAL_AGENT, .agent = {1}}};
    struct steer_target_spec target = {.agents = everybody, .goal = {STEER_GOAL_POINT, .point_m = {3, 3}}};
    ck_assert_int_eq(steer_world_remove_agents_unswept(world, &gone, &fault), STATUS_OK);
    ck_assert_int_eq(steer_world_remove_agents_unswept(world, &gone, &fault), STATUS_NOT_FOUND);
    ck_assert_int_eq(steer_world_spawn_agents(world, &follows, 1, &made, &fault), STATUS_NOT_FOUND);
    follows.goal.agent.value = 2;
    ck_assert_int_eq(steer_world_spawn_agents(world, &follows, 1, &made, &fault), STATUS_OK);
    gone.ids = &(uint32_t){2};
    ck_assert_int_eq(steer_world_remove_agents_unswept(world, &gone, &fault), STATUS_OK);
    steer_world_sweep(world);
    ck_assert_uint_eq(steer_world_agents(world).count, 1);
    ck_assert_int_eq(sim_fixture_state(world, (struct steer_agent_id){made.first_id}),
                     STEER_AGENT_STATE_IDLE);
    ck_assert_int_eq(steer_world_set_targets(world, &target, 1, &fault), STATUS_OK);
}
END_TEST

START_TEST(test_what_an_owner_has_goes_with_him)
{
    struct steer_agent_spec spec = {.owner = 7};
    ck_assert_int_eq(steer_world_spawn_agents(world, &spec, 1, &made, &fault), STATUS_OK);
    steer_world_remove_owned(world, &(uint32_t){0}, 1);
    steer_world_remove_owned(world, &(uint32_t){8}, 1);
    ck_assert_uint_eq(steer_world_agents(world).count, 3);
    steer_world_remove_owned(world, (uint32_t[]){9, 7}, 2);
    ck_assert_uint_eq(steer_world_agents(world).count, 2);
}
END_TEST

static void targets_refused(struct steer_target_spec target, enum status status, const char *words)
{
    const uint32_t first = 1;
    struct steer_target_spec targets[2] = {
        {.agents = {.ids = &first, .count = 1}, .goal = sim_fixture_to(3, 3)}, target};
    refused(steer_world_set_targets(world, targets, 2, &fault), status, words);
}

START_TEST(test_targets_are_refused_whole)
{
    const uint32_t ids[2] = {1, 5};
    struct steer_target_spec target = {.agents = {.ids = ids, .count = 2}, .goal = sim_fixture_to(1, 1)};
    targets_refused(target, STATUS_NOT_FOUND,
                    "targets[1].ids[1] is 5: the id of an agent that exists is needed");
    target.agents.count = 1;
    target.goal = (struct steer_goal){.kind = STEER_GOAL_AGENT, .agent = {1}};
    targets_refused(target, STATUS_INVALID_ARGUMENT,
                    "targets[1].agent_id is 1, the agent itself: another one is needed");
    target.goal.agent.value = 6;
    targets_refused(target, STATUS_NOT_FOUND,
                    "targets[1].agent_id is 6: the id of an agent that exists is needed");
    target.agents = (struct steer_agent_selection){.all = true};
    target.goal.agent.value = 2;
    targets_refused(target, STATUS_INVALID_ARGUMENT,
                    "targets[1].agent_id is 2, the agent itself: another one is needed");
    target.goal = sim_fixture_to(NAN, 0);
    targets_refused(target, STATUS_INVALID_ARGUMENT,
                    "targets[1].point.x is nan: a number from -100 to 100 m is needed");
    target.goal = (struct steer_goal){.kind = STEER_GOAL_VELOCITY};
    targets_refused(target, STATUS_INVALID_ARGUMENT,
                    "targets[1].goal is a velocity: a point, an agent, a path or none is needed");
}
END_TEST

START_TEST(test_a_later_target_wins_and_none_stops)
{
    const uint32_t id = 2;
    struct steer_target_spec targets[2] = {
        {.agents = {.all = true}, .goal = sim_fixture_to(3, 3)},
        {.agents = {.ids = &id, .count = 1}, .goal = {.kind = STEER_GOAL_NONE}}};
    ck_assert_int_eq(steer_world_set_targets(world, targets, 2, &fault), STATUS_OK);
    ck_assert_int_eq(sim_fixture_state(world, (struct steer_agent_id){1}), STEER_AGENT_STATE_MOVING);
    ck_assert_int_eq(sim_fixture_state(world, (struct steer_agent_id){2}), STEER_AGENT_STATE_IDLE);
}
END_TEST

START_TEST(test_drive_is_refused_for_nobody_and_too_fast)
{
    refused(steer_world_drive(world, (struct steer_agent_id){9}, vec2(1, 0), &fault), STATUS_NOT_FOUND,
            "id is 9: the id of an agent that exists is needed");
    refused(steer_world_drive(world, (struct steer_agent_id){1}, vec2(1.6f, 0), &fault), STATUS_OUT_OF_RANGE,
            "velocity is 1.6 m/s fast: 0 to 1.5 m/s is legal");
    refused(steer_world_drive(world, (struct steer_agent_id){1}, vec2(NAN, 0), &fault),
            STATUS_INVALID_ARGUMENT, "velocity.x is nan: a finite number of m/s is needed");
}
END_TEST

START_TEST(test_teleport_is_refused_outside_and_in_obstacles)
{
    refused(steer_world_teleport(world, (struct steer_agent_id){9}, vec2(0, 0), 0, &fault), STATUS_NOT_FOUND,
            "id is 9: the id of an agent that exists is needed");
    refused(steer_world_teleport(world, (struct steer_agent_id){1}, vec2(100, 0), 0, &fault),
            STATUS_OUT_OF_RANGE, "position.x is 100 m: -99.6 to 99.6 m is legal");
    refused(steer_world_teleport(world, (struct steer_agent_id){1}, vec2(50, 50), 0, &fault),
            STATUS_FAILED_PRECONDITION,
            "position is 50, 50, 2.4 m deep in obstacle 1 fixture: 0.4 m or more from its outline is legal");
    refused(steer_world_teleport(world, (struct steer_agent_id){1}, vec2(0, 0), NAN, &fault),
            STATUS_INVALID_ARGUMENT, "orientation_deg is nan: a finite number of degrees is needed");
}
END_TEST

START_TEST(test_teleport_stops_an_agent_and_leaves_its_target)
{
    struct steer_agent_id id = sim_fixture_agent(world, vec2(20, 0), sim_fixture_to(30, 0), "");
    sim_fixture_run(world, 30);
    ck_assert_float_gt(sim_fixture_velocity(world, id).x, 1.0f);
    ck_assert_int_eq(steer_world_teleport(world, id, vec2(20, 20), 400, &fault), STATUS_OK);
    ck_assert_float_eq(sim_fixture_velocity(world, id).x, 0.0f);
    ck_assert_float_eq(sim_fixture_position(world, id).y, 20.0f);
    ck_assert_float_eq(steer_world_agents(world).orientation_deg[2], 40.0f);
    sim_fixture_run(world, 1000);
    ck_assert_int_eq(sim_fixture_state(world, id), STEER_AGENT_STATE_ARRIVED);
}
END_TEST

START_TEST(test_set_profile_is_refused_for_unknown_names_and_ids)
{
    struct steer_agent_selection all = {.all = true};
    refused(steer_world_set_profile(world, &all, "ghost", &fault), STATUS_NOT_FOUND,
            "profile is \"ghost\": the name of one that is defined is needed, for example walker");
    const uint32_t id = 3;
    struct steer_agent_selection one = {.ids = &id, .count = 1};
    refused(steer_world_set_profile(world, &one, "walker", &fault), STATUS_NOT_FOUND,
            "ids[0] is 3: the id of an agent that exists is needed");
}
END_TEST

START_TEST(test_obstacles_are_refused_whole)
{
    struct steer_obstacle obstacles[2] = {{.shape = {.kind = STEER_SHAPE_CIRCLE, .radius_m = 1}},
                                          {.shape = {.kind = STEER_SHAPE_CIRCLE, .radius_m = 0}}};
    refused(steer_world_place_obstacles(world, obstacles, 2, &made, &fault), STATUS_OUT_OF_RANGE,
            "obstacles[1].circle.radius is 0 m: 0.01 to 1000 m is legal");
    const uint32_t ids[2] = {1, 2};
    refused(steer_world_remove_obstacles(world, ids, 2, false, &fault), STATUS_NOT_FOUND,
            "ids[1] is 2: the id of an obstacle that exists is needed");
    refused(steer_world_remove_obstacles(world, ids, 1, true, &fault), STATUS_INVALID_ARGUMENT,
            "ids has 1 entries and all is true: one of them is needed");
    static struct steer_obstacle many[2048];
    refused(steer_world_place_obstacles(world, many, 2048, &made, &fault), STATUS_RESOURCE_EXHAUSTED,
            "obstacles has 2048 entries: 2047 of at most 2048 obstacles are free");
}
END_TEST

START_TEST(test_changes_tell_what_came_and_went_since_the_last_time)
{
    steer_world_clear_changes(world);
    uint32_t kept = sim_fixture_circle(world, vec2(-50, 0), 1).value;
    uint32_t fleeting = sim_fixture_circle(world, vec2(-60, 0), 1).value;
    const uint32_t first[] = {fleeting};
    ck_assert_int_eq(steer_world_remove_obstacles(world, first, 1, false, NULL), STATUS_OK);
    const uint32_t second[] = {1};
    ck_assert_int_eq(steer_world_remove_obstacles(world, second, 1, false, NULL), STATUS_OK);
    sim_fixture_profile(world, "b", "seek", STEER_REST_BRAKE);
    struct steer_world_changes changes = steer_world_changes(world);
    ck_assert_uint_eq(changes.placed_count, 1);
    ck_assert_uint_eq(changes.placed_ids[0], kept);
    ck_assert_uint_eq(changes.removed_count, 1);
    ck_assert_uint_eq(changes.removed_ids[0], 1);
    ck_assert_uint_eq(changes.profile_count, 1);
    ck_assert_uint_eq(changes.profiles[0], 1);
    steer_world_clear_changes(world);
    changes = steer_world_changes(world);
    ck_assert_uint_eq(changes.placed_count + changes.removed_count + changes.profile_count, 0);
}
END_TEST

START_TEST(test_removed_ids_of_several_commands_come_ascending)
{
    for (uint32_t i = 0; i < 6; i++) {
        sim_fixture_circle(world, vec2(-50 + 4 * (float)i, 0), 1); /* 2 to 7 */
    }
    steer_world_clear_changes(world);
    const uint32_t orders[3][2] = {{5, 3}, {7, 1}, {4, 6}};
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(steer_world_remove_obstacles(world, orders[i], 2, false, NULL), STATUS_OK);
    }
    struct steer_world_changes changes = steer_world_changes(world);
    const uint32_t expected[6] = {1, 3, 4, 5, 6, 7};
    ck_assert_uint_eq(changes.removed_count, 6);
    ck_assert_mem_eq(changes.removed_ids, expected, sizeof expected);
}
END_TEST

START_TEST(test_a_world_out_of_range_is_refused)
{
    struct steer_world *other;
    struct steer_world_config config = sim_fixture_config();
    config.tick_rate_hz = 241;
    refused(steer_world_create(&config, 1, &other, &fault), STATUS_OUT_OF_RANGE,
            "tick_rate_hz is 241: 1 to 240 is legal");
    config = sim_fixture_config();
    config.max_m.x = -99.5f;
    refused(steer_world_create(&config, 1, &other, &fault), STATUS_OUT_OF_RANGE,
            "max.x is -99.5 m: min.x is -100 m, at least 1 m more is legal");
    config.max_m.x = NAN;
    refused(steer_world_create(&config, 1, &other, &fault), STATUS_INVALID_ARGUMENT,
            "max.x is nan: a number from -10000 to 10000 m is needed");
    config = sim_fixture_config();
    refused(steer_world_create(&config, 0, &other, &fault), STATUS_OUT_OF_RANGE,
            "threads is 0: 1 to 256 is legal");
    config.agents_max = 0;
    refused(steer_world_create(&config, 1, &other, &fault), STATUS_OUT_OF_RANGE,
            "agents_max is 0: 1 to 2000000 is legal");
}
END_TEST

static void add_agent_tests(Suite *suite)
{
    TCase *agents = tcase_create("agents");
    tcase_add_checked_fixture(agents, setup, teardown);
    tcase_add_test(agents, test_spawn_refuses_places_outside_the_world);
    tcase_add_test(agents, test_spawn_refuses_places_in_obstacles);
    tcase_add_test(agents, test_spawn_refuses_limits_out_of_range);
    tcase_add_test(agents, test_spawn_refuses_velocities_and_orientations);
    tcase_add_test(agents, test_spawn_refuses_profiles_and_goals_that_are_not_there);
    tcase_add_test(agents, test_spawn_refuses_paths);
    tcase_add_test(agents, test_spawn_refuses_more_agents_than_there_is_room_for);
    tcase_add_test(agents, test_paths_are_shared_counted_and_refused_when_all_are_in_use);
    tcase_add_test(agents, test_spawned_agents_are_as_specified);
    tcase_add_test(agents, test_remove_refuses_unknown_ids_and_removes_none);
    tcase_add_test(agents, test_removed_agents_are_gone_are_told_and_their_followers_stop);
    tcase_add_test(agents, test_commands_after_an_unswept_removal_do_not_find_those_who_are_gone);
    tcase_add_test(agents, test_what_an_owner_has_goes_with_him);
    suite_add_tcase(suite, agents);
}

Suite *suite_sim_commands(void)
{
    Suite *suite = suite_create("sim_commands");
    add_agent_tests(suite);
    TCase *others = tcase_create("others");
    tcase_add_checked_fixture(others, setup, teardown);
    tcase_add_test(others, test_targets_are_refused_whole);
    tcase_add_test(others, test_a_later_target_wins_and_none_stops);
    tcase_add_test(others, test_drive_is_refused_for_nobody_and_too_fast);
    tcase_add_test(others, test_teleport_is_refused_outside_and_in_obstacles);
    tcase_add_test(others, test_teleport_stops_an_agent_and_leaves_its_target);
    tcase_add_test(others, test_set_profile_is_refused_for_unknown_names_and_ids);
    tcase_add_test(others, test_obstacles_are_refused_whole);
    tcase_add_test(others, test_changes_tell_what_came_and_went_since_the_last_time);
    tcase_add_test(others, test_removed_ids_of_several_commands_come_ascending);
    tcase_add_test(others, test_a_world_out_of_range_is_refused);
    suite_add_tcase(suite, others);
    return suite;
}
