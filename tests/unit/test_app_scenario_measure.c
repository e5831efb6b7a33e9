/* Figures of runs against figures found the long way: all pairs, all obstacles, all ticks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/scenario/scenario_measure.h"
#include "suites.h"

static struct scenario *scenario;
static struct scenario_run *run;
static struct steer_world *world;
static struct job_pool *pool;
static struct scenario_measure *measure;

static void teardown(void)
{
    scenario_measure_destroy(measure);
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
    measure = NULL;
}

static void start(const char *text)
{
    struct fault fault = {0};
    struct steer_world_config config = {0};
    teardown();
    enum status status = scenario_parse("x.yaml", text, strlen(text), &scenario, &fault);
    ck_assert_msg(status == STATUS_OK, "%s", fault.text);
    scenario_configure(scenario, &config);
    ck_assert_int_eq(steer_world_create(&config, 1, &world, &fault), STATUS_OK);
    pool = job_pool_create(1);
    ck_assert_int_eq(scenario_run_create(scenario, &run, &fault), STATUS_OK);
    ck_assert_msg(scenario_run_start(run, world, &fault) == STATUS_OK, "%s", fault.text);
    ck_assert_int_eq(scenario_measure_create(scenario, run, world, &measure, &fault), STATUS_OK);
}

static void step(void)
{
    struct fault fault = {0};
    ck_assert_msg(scenario_run_tick(run, world, &fault) == STATUS_OK, "%s", fault.text);
    steer_world_step(world, pool);
    ck_assert_msg(scenario_measure_step(measure, &fault) == STATUS_OK, "%s", fault.text);
    steer_world_clear_changes(world);
}

/* The same figures by brute force. */
struct sums {
    double gap_min_m;
    double obstacle_gap_min_m;
    double speed_sum_mps;
    uint64_t overlaps;
    uint64_t agent_ticks;
};

static void sum_up(struct sums *sums)
{
    struct steer_agent_columns agents = steer_world_agents(world);
    sums->agent_ticks += agents.count;
    for (uint32_t i = 0; i < agents.count; i++) {
        sums->speed_sum_mps += hypot(agents.vx_mps[i], agents.vy_mps[i]);
        for (uint32_t j = 0; j < i; j++) {
            double gap_m =
                hypot((double)agents.x_m[i] - agents.x_m[j], (double)agents.y_m[i] - agents.y_m[j]) -
                agents.radius_m[i] - agents.radius_m[j];
            sums->gap_min_m = fmin(sums->gap_min_m, gap_m);
            sums->overlaps += gap_m < -0.01;
        }
        for (uint32_t j = 0; j < steer_world_obstacle_count(world); j++) {
            double distance_m = steer_shape_distance(&steer_world_obstacle(world, j)->shape,
                                                     vec2(agents.x_m[i], agents.y_m[i]));
            sums->obstacle_gap_min_m = fmin(sums->obstacle_gap_min_m, distance_m - agents.radius_m[i]);
        }
    }
}

START_TEST(test_figures_are_those_of_all_pairs_and_ticks)
{
    char text[2048];
    /* Without avoidance they run into each other, so that overlaps and negative gaps come out. */
    const char *behaviours = _i % 2 == 0 ? "{name: seek}" : "{name: avoid_agents}, {name: arrive, group: 1}";
    snprintf(
        text, sizeof text,
        "world: {min: [-15, -15], max: [15, 15], seed: %d}\n"
        "profiles: [{name: p, radius: 0.5, max_accel: 100, behaviours: [%s]}]\n"
        "obstacles:\n  - {circle: {center: [14, 14], radius: 0.5}}\n"
        "  - {box: {center: [-5, 0], size: [3, 1], orientation: 30}}\n"
        "  - {segment: {a: [-13, -3], b: [-12, 3]}}\n  - {polygon: {points: [[8, -8], [9, -8], [9, "
        "-7]]}}\n"
        "crowds:\n  - {count: 40, min: [-12, -12], max: [12, 12], seed: %d, profile: p, target: [0, 3]}\n"
        "  - {count: 15, min: [-12, -12], max: [12, 12], seed: %d, target_min: [-9, -9], target_max: [9, "
        "9]}\n"
        "events:\n  - {at: 2, place_obstacle: {name: late, circle: {center: [0, 3], radius: 1}}}\n"
        "  - {at: 4, remove_obstacle: late}\n",
        _i, behaviours, _i, _i + 100);
    start(text);
    struct sums sums = {.gap_min_m = INFINITY, .obstacle_gap_min_m = INFINITY};
    for (int tick = 0; tick < 200; tick++) {
        step();
        sum_up(&sums);
    }
    struct scenario_figures figures = scenario_measure_figures(measure);
    ck_assert_uint_eq(figures.ticks, 200);
    ck_assert_uint_eq(figures.agents, 55);
    ck_assert_uint_eq(figures.with_goal, 55);
    ck_assert_double_eq_tol(figures.gap_min_m, sums.gap_min_m, 1e-9);
    ck_assert_double_eq_tol(figures.obstacle_gap_min_m, sums.obstacle_gap_min_m, 1e-9);
    ck_assert_double_eq_tol(figures.mean_speed_mps, sums.speed_sum_mps / (double)sums.agent_ticks, 1e-9);
    ck_assert_double_eq_tol(figures.overlaps_per_1k,
                            1000.0 * (double)sums.overlaps / (double)sums.agent_ticks, 1e-9);
    struct sums end = {.gap_min_m = INFINITY, .obstacle_gap_min_m = INFINITY};
    sum_up(&end);
    ck_assert_double_eq_tol(figures.end_gap_min_m, end.gap_min_m, 1e-9);
}
END_TEST

START_TEST(test_arrivals_are_first_arrivals_in_seconds)
{
    start("world: {min: [-50, -40], max: [50, 40]}\n"
          "agents:\n  - {name: a, position: [0, 0], target: [3, 0]}\n  - {name: b, position: [0, 9], "
          "target: [9, 9]}\n"
          "  - {name: idle, position: [0, 20]}\n"
          "events: [{at: 6, set_target: {agent: a, target: [0, 0]}}]\n");
    double first_s = NAN;
    for (int tick = 1; tick <= 450; tick++) {
        step();
        if (isnan(first_s) && steer_world_agents(world).state[0] == STEER_AGENT_STATE_ARRIVED) {
            first_s = tick / 30.0;
        }
    }
    struct scenario_figures figures = scenario_measure_figures(measure);
    ck_assert_double_eq(scenario_measure_arrival_s(measure, (struct steer_agent_id){1}), first_s);
    ck_assert(first_s < 6);
    ck_assert_uint_eq(figures.with_goal, 2);
    ck_assert_uint_eq(figures.arrived, 2);
    ck_assert_double_eq(figures.time_all_arrived_s,
                        scenario_measure_arrival_s(measure, (struct steer_agent_id){2}));
    ck_assert(isnan(scenario_measure_arrival_s(measure, (struct steer_agent_id){3})));
}
END_TEST

START_TEST(test_who_is_removed_before_arriving_does_not_count)
{
    start("world: {min: [-50, -40], max: [50, 40]}\n"
          "agents:\n  - {name: a, position: [0, 0], target: [3, 0]}\n  - {name: b, position: [0, 9], "
          "target: [40, 9]}\n"
          "events: [{at: 1, remove_agent: b}]\n");
    for (int tick = 0; tick < 150; tick++) {
        step();
    }
    struct scenario_figures figures = scenario_measure_figures(measure);
    ck_assert_uint_eq(figures.with_goal, 1);
    ck_assert_uint_eq(figures.arrived, 1);
    ck_assert(!isnan(figures.time_all_arrived_s));
}
END_TEST

START_TEST(test_nothing_to_measure_is_nan)
{
    start("world: {min: [-50, -40], max: [50, 40]}\nagents: [{position: [0, 0], target: [40, 0]}]\n");
    step();
    struct scenario_figures figures = scenario_measure_figures(measure);
    ck_assert(isnan(figures.gap_min_m));
    ck_assert(isnan(figures.obstacle_gap_min_m));
    ck_assert(isnan(figures.end_gap_min_m));
    ck_assert(isnan(figures.time_all_arrived_s));
}
END_TEST

START_TEST(test_who_starts_in_another_does_not_count_for_five_seconds)
{
    start("world: {min: [-50, -40], max: [50, 40]}\n"
          "agents: [{position: [0, 0]}, {position: [0.1, 0]}, {position: [9, 0]}, {position: [9, 3]}]\n");
    for (int tick = 0; tick < 149; tick++) {
        step();
    }
    struct scenario_figures figures = scenario_measure_figures(measure);
    ck_assert_double_eq_tol(figures.gap_min_m, 2.2, 1e-3);
    step();
    figures = scenario_measure_figures(measure);
    ck_assert_double_lt(figures.gap_min_m, 1);
}
END_TEST

START_TEST(test_blocked_agents_are_counted_once)
{
    start("world: {min: [-50, -40], max: [50, 40]}\n"
          "obstacles: [{segment: {a: [3, -39], b: [3, 39]}}]\n"
          "agents: [{position: [0, 0], target: [9, 0]}, {position: [0, 20], target: [-9, 20]}]\n");
    for (int tick = 0; tick < 900; tick++) {
        step();
    }
    ck_assert_uint_eq(scenario_measure_figures(measure).blocked, 1);
}
END_TEST

Suite *suite_app_scenario_measure(void)
{
    Suite *suite = suite_create("app_scenario_measure");
    TCase *figures = tcase_create("figures");
    tcase_add_checked_fixture(figures, NULL, teardown);
    tcase_add_loop_test(figures, test_figures_are_those_of_all_pairs_and_ticks, 0, 6);
    tcase_add_test(figures, test_arrivals_are_first_arrivals_in_seconds);
    tcase_add_test(figures, test_who_is_removed_before_arriving_does_not_count);
    tcase_add_test(figures, test_nothing_to_measure_is_nan);
    tcase_add_test(figures, test_who_starts_in_another_does_not_count_for_five_seconds);
    tcase_add_test(figures, test_blocked_agents_are_counted_once);
    suite_add_tcase(suite, figures);
    return suite;
}
