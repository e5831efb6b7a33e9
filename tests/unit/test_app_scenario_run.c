/* Scenarios in a world: what starts where, what happens when, and whose words come back when the world
 * refuses. */
#include <math.h>
#include <string.h>

#include "app/scenario/scenario_run.h"
#include "suites.h"

#define WORLD "world: {min: [-50, -40], max: [50, 40]}\n"

static struct scenario *scenario;
static struct scenario_run *run;
static struct steer_world *world;
static struct job_pool *pool;

static void teardown(void)
{
    scenario_run_destroy(run);
    steer_world_destroy(world);
    scenario_destroy(scenario);
    if (pool != NULL) {
        job_pool_destroy(pool);
    }
    scenario = NULL;
    run = NULL;
    world = NULL;
    pool = NULL;
}

static enum status start(const char *text, struct fault *fault)
{
    struct steer_world_config config = {0};
    enum status status = scenario_parse("x.yaml", text, strlen(text), &scenario, fault);
    ck_assert_msg(status == STATUS_OK, "%s", fault->text);
    scenario_configure(scenario, &config);
    ck_assert_int_eq(steer_world_create(&config, 1, &world, fault), STATUS_OK);
    pool = job_pool_create(1);
    ck_assert_int_eq(scenario_run_create(scenario, &run, fault), STATUS_OK);
    return scenario_run_start(run, world, fault);
}

static void start_good(const char *text)
{
    struct fault fault = {0};
    ck_assert_msg(start(text, &fault) == STATUS_OK, "%s", fault.text);
}

/* Steps until `tick` ticks are done. */
static void step_to(uint64_t tick)
{
    struct fault fault = {0};
    while (steer_world_tick(world) < tick) {
        ck_assert_msg(scenario_run_tick(run, world, &fault) == STATUS_OK, "%s", fault.text);
        steer_world_step(world, pool);
        steer_world_clear_changes(world);
    }
}

static struct vec2 place(uint32_t id)
{
    uint32_t row;
    ck_assert(steer_world_find_agent(world, (struct steer_agent_id){id}, &row));
    struct steer_agent_columns agents = steer_world_agents(world);
    return vec2(agents.x_m[row], agents.y_m[row]);
}

START_TEST(test_ids_run_in_the_order_of_the_file)
{
    start_good(WORLD "agents: [{name: a, position: [1, 2]}, {name: b, position: [3, 4], velocity: [0, 1], "
                     "tag: 5, flock: 6}]\n"
                     "crowds: [{count: 3, min: [10, 10], max: [20, 20], seed: 2, flock: 7}]\n"
                     "circles: [{count: 4, center: [-20, 0], radius: 5, flock: 8, target: antipodal}]\n"
                     "obstacles: [{name: post, circle: {center: [30, 30], radius: 1}}]\n");
    struct steer_agent_columns agents = steer_world_agents(world);
    ck_assert_uint_eq(agents.count, 9);
    for (uint32_t i = 0; i < 9; i++) {
        ck_assert_uint_eq(agents.id[i], i + 1);
    }
    ck_assert_uint_eq(scenario_run_agent(run, 1).value, 2);
    ck_assert_float_eq(agents.x_m[1], 3);
    ck_assert_float_eq(agents.vy_mps[1], 1);
    ck_assert_uint_eq(agents.tag[1], 5);
    static const uint32_t flocks[9] = {0, 6, 7, 7, 7, 8, 8, 8, 8};
    ck_assert_mem_eq(agents.flock, flocks, sizeof flocks);
    for (uint32_t i = 2; i < 5; i++) {
        ck_assert(agents.x_m[i] >= 10.4f && agents.x_m[i] <= 19.6f);
    }
    static const float circle[4][2] = {{-15, 0}, {-20, 5}, {-25, 0}, {-20, -5}};
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_float_eq_tol(agents.x_m[5 + i], circle[i][0], 1e-5);
        ck_assert_float_eq_tol(agents.y_m[5 + i], circle[i][1], 1e-5);
        struct steer_goal goal = steer_world_agent_goal(world, 5 + i);
        ck_assert_int_eq(goal.kind, STEER_GOAL_POINT);
        ck_assert_float_eq_tol(goal.point_m.x, circle[(i + 2) % 4][0], 1e-5);
        ck_assert_float_eq_tol(goal.point_m.y, circle[(i + 2) % 4][1], 1e-5);
    }
    ck_assert_uint_eq(steer_world_obstacle_count(world), 1);
    ck_assert_str_eq(steer_world_obstacle(world, 0)->name, "post");
}
END_TEST

START_TEST(test_goals_are_those_of_the_file)
{
    start_good(WORLD "agents:\n  - {name: a, position: [0, 0], target_agent: c}\n  - {position: [5, 5], "
                     "target: [6, 7]}\n"
                     "  - {name: c, position: [9, 9], path: [[1, 1], [2, 2]]}\n  - {position: [12, 9]}\n");
    ck_assert_int_eq(steer_world_agent_goal(world, 0).kind, STEER_GOAL_AGENT);
    ck_assert_uint_eq(steer_world_agent_goal(world, 0).agent.value, 3);
    ck_assert_float_eq(steer_world_agent_goal(world, 1).point_m.y, 7);
    ck_assert_int_eq(steer_world_agent_goal(world, 2).kind, STEER_GOAL_PATH);
    ck_assert_uint_eq(steer_world_agent_goal(world, 2).path_count, 2);
    ck_assert_float_eq(steer_world_agent_goal(world, 2).path_m[1].x, 2);
    ck_assert_int_eq(steer_world_agent_goal(world, 3).kind, STEER_GOAL_NONE);
}
END_TEST

START_TEST(test_who_starts_later_stands_until_then)
{
    start_good(WORLD "agents:\n  - {position: [0, 0], target: [9, 0], start_at: 2}\n"
                     "  - {position: [0, 20], target: [9, 20], start_at: 1}\n");
    ck_assert_uint_eq(scenario_run_start_tick(run, 0), 60);
    step_to(30);
    ck_assert_float_eq(place(1).x, 0);
    ck_assert_float_eq(place(2).x, 0);
    step_to(60);
    ck_assert_float_eq(place(1).x, 0);
    ck_assert_float_gt(place(2).x, 0.5f);
    step_to(90);
    ck_assert_float_gt(place(1).x, 0.5f);
}
END_TEST

START_TEST(test_obstacles_come_and_go_at_their_times)
{
    start_good(WORLD
               "obstacles: [{name: wall, segment: {a: [0, -3], b: [0, 3]}}]\n"
               "agents: [{name: a, position: [20, 20]}]\n"
               "events:\n  - {at: 1, place_obstacle: {name: late, box: {center: [9, 9], size: [1, 2]}}}\n"
               "  - {at: 2, remove_obstacle: wall}\n  - {at: 3, remove_obstacle: late}\n");
    step_to(30);
    ck_assert_uint_eq(steer_world_obstacle_count(world), 1);
    step_to(31);
    ck_assert_uint_eq(steer_world_obstacle_count(world), 2);
    ck_assert_float_eq(steer_world_obstacle(world, 1)->shape.size_m.y, 2);
    step_to(61);
    ck_assert_uint_eq(steer_world_obstacle_count(world), 1);
    ck_assert_str_eq(steer_world_obstacle(world, 0)->name, "late");
    step_to(91);
    ck_assert_uint_eq(steer_world_obstacle_count(world), 0);
}
END_TEST

START_TEST(test_agents_are_sent_moved_and_removed_at_their_times)
{
    start_good(WORLD
               "agents: [{name: a, position: [0, 0]}, {name: b, position: [20, 20]}]\n"
               "events:\n  - {at: 1, set_target: {agent: a, target: [5, 0]}}\n"
               "  - {at: 2, set_target: {agent: a, path: [[1, 1], [2, 2]]}}\n"
               "  - {at: 3, set_target: {agent: a, target_agent: b}}\n  - {at: 4, set_target: {agent: a}}\n"
               "  - {at: 5, teleport: {agent: a, position: [-30, 3], orientation: 90}}\n"
               "  - {at: 6, remove_agent: b}\n");
    step_to(30);
    ck_assert_int_eq(steer_world_agent_goal(world, 0).kind, STEER_GOAL_NONE);
    step_to(31);
    ck_assert_int_eq(steer_world_agent_goal(world, 0).kind, STEER_GOAL_POINT);
    step_to(61);
    ck_assert_int_eq(steer_world_agent_goal(world, 0).kind, STEER_GOAL_PATH);
    step_to(91);
    ck_assert_int_eq(steer_world_agent_goal(world, 0).kind, STEER_GOAL_AGENT);
    step_to(121);
    ck_assert_int_eq(steer_world_agent_goal(world, 0).kind, STEER_GOAL_NONE);
    step_to(151);
    ck_assert_float_eq_tol(place(1).x, -30, 0.01);
    ck_assert_float_eq(steer_world_agents(world).orientation_deg[0], 90);
    step_to(180);
    ck_assert_uint_eq(steer_world_agents(world).count, 2);
    step_to(181);
    ck_assert_uint_eq(steer_world_agents(world).count, 1);
}
END_TEST

START_TEST(test_an_event_that_fails_is_told_and_the_others_happen)
{
    struct fault fault = {0};
    start_good(WORLD "agents: [{name: a, position: [0, 0]}, {name: b, position: [20, 20]}]\n"
                     "events:\n  - {at: 0, remove_agent: a}\n  - {at: 0, remove_agent: b}\n");
    uint32_t first = 1;
    const struct steer_agent_selection selection = {.ids = &first, .count = 1};
    ck_assert_int_eq(steer_world_remove_agents(world, &selection, NULL),
                     STATUS_OK); /* as a client of a server may */
    ck_assert_int_eq(scenario_run_tick(run, world, &fault), STATUS_NOT_FOUND);
    ck_assert_msg(strncmp(fault.text, "x.yaml:4: events[0]: ", 21) == 0, "%s", fault.text);
    ck_assert_uint_eq(steer_world_agents(world).count, 0);
    ck_assert_int_eq(scenario_run_tick(run, world, &fault), STATUS_OK);
}
END_TEST

static const struct {
    const char *text;
    const char *begin;
} refusals[] = {
    {WORLD "obstacles: [{circle: {center: [0, 0], radius: 2}}]\nagents:\n  - {position: [9, 9]}\n"
           "  - {position: [1, 1]}\n",
     "x.yaml:5: agents[1].position"},
    {WORLD "agents:\n  - {position: [49.9, 0]}\n", "x.yaml:3: agents[0].position"},
    {WORLD "crowds:\n  - {count: 50, min: [0, 0], max: [2, 2]}\n", "x.yaml:3: crowds[0]: "},
    {WORLD "circles:\n  - {count: 5, center: [48, 0], radius: 5}\n", "x.yaml:3: circles[0]: "},
    {WORLD "agents:\n  - {position: [0, 0], velocity: [9, 0]}\n", "x.yaml:3: agents[0].velocity"},
};

START_TEST(test_refusals_of_the_world_get_file_line_and_key)
{
    struct fault fault = {0};
    ck_assert_int_ne(start(refusals[_i].text, &fault), STATUS_OK);
    ck_assert_msg(strncmp(fault.text, refusals[_i].begin, strlen(refusals[_i].begin)) == 0, "%s", fault.text);
}
END_TEST

Suite *suite_app_scenario_run(void)
{
    Suite *suite = suite_create("app_scenario_run");
    TCase *starting = tcase_create("starting");
    tcase_add_checked_fixture(starting, NULL, teardown);
    tcase_add_test(starting, test_ids_run_in_the_order_of_the_file);
    tcase_add_test(starting, test_goals_are_those_of_the_file);
    tcase_add_loop_test(starting, test_refusals_of_the_world_get_file_line_and_key, 0,
                        (int)(sizeof refusals / sizeof refusals[0]));
    suite_add_tcase(suite, starting);
    TCase *events = tcase_create("events");
    tcase_add_checked_fixture(events, NULL, teardown);
    tcase_add_test(events, test_who_starts_later_stands_until_then);
    tcase_add_test(events, test_obstacles_come_and_go_at_their_times);
    tcase_add_test(events, test_agents_are_sent_moved_and_removed_at_their_times);
    tcase_add_test(events, test_an_event_that_fails_is_told_and_the_others_happen);
    suite_add_tcase(suite, events);
    return suite;
}
