/* steerd simulate: verdicts, report, trace, exit codes. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/program.h"
#include "app/simulate/simulate_report.h"
#include "app/simulate/simulate_trace.h"
#include "base/hash.h"
#include "suites.h"

/* a walks 10 m, b stands by, a post and a wall stand apart. */
#define SCENE                                                                                                \
    "world: {min: [-20, -20], max: [20, 20]}\n"                                                              \
    "obstacles: [{circle: {center: [0, -5], radius: 1}}]\n"                                                  \
    "agents: [{name: a, position: [-5, 0], target: [5, 0], flock: 3}, {name: b, position: [0, 8], flock: "   \
    "3}, {name: gone, "                                                                                      \
    "position: [9, "                                                                                         \
    "9]}]\n"                                                                                                 \
    "events: [{at: 1, remove_agent: gone}]\n"                                                                \
    "duration: 12\n"

static struct scenario *scenario;
static struct simulate_result result;

static void teardown(void)
{
    simulate_result_deinit(&result);
    scenario_destroy(scenario);
    scenario = NULL;
}

static void simulate(const char *text, uint64_t ticks, uint32_t threads, FILE *trace)
{
    struct fault fault = {0};
    const struct simulate_options options = {.ticks = ticks, .threads = threads, .trace = trace};
    teardown();
    enum status status = scenario_parse("dir/x.yaml", text, strlen(text), &scenario, &fault);
    ck_assert_msg(status == STATUS_OK, "%s", fault.text);
    ck_assert_msg(simulate_run(scenario, &options, &result, &fault) == STATUS_OK, "%s", fault.text);
}

static const struct {
    const char *expect;
    const char *name;
    bool held;
} verdicts[] = {
    {"arrived_all_by: 9", "arrived_all_by", true},
    {"arrived_all_by: 5", "arrived_all_by", false},
    {"arrived_by: {a: 9}", "arrived_by.a", true},
    {"arrived_by: {a: 5}", "arrived_by.a", false},
    {"arrived_by: {b: 9}", "arrived_by.b", false},
    {"time_factor_max: 1.001", "time_factor_max", true},
    {"time_factor_max: 0.999", "time_factor_max", false},
    {"gap_min: 6", "gap_min", true},
    {"gap_min: 8", "gap_min", false},
    {"obstacle_gap_min: 3", "obstacle_gap_min", true},
    {"obstacle_gap_min: 4", "obstacle_gap_min", false},
    {"end_gap_min: 8", "end_gap_min", true},
    {"end_gap_min: 9", "end_gap_min", false},
    {"blocked_min: 0", "blocked_min", true},
    {"blocked_min: 1", "blocked_min", false},
    {"blocked_max: 0", "blocked_max", true},
    {"speed_rms_after: {at: 10, max: 0.01}", "speed_rms_after", true},
    {"speed_rms_after: {at: 3, max: 0.01}", "speed_rms_after", false},
    {"speed_rms_after: {at: 13, max: 0.01}", "speed_rms_after", false},
    {"end_near: {agent: a, point: [5, 0], radius: 0.3}", "end_near", true},
    {"end_near: {agent: a, point: [-5, 0], radius: 0.3}", "end_near", false},
    {"end_heading: {agent: a, heading: 90, max: 2}", "end_heading", true},
    {"end_heading: {agent: a, heading: -90, max: 2}", "end_heading", false},
    {"end_heading: {agent: gone, heading: 90, max: 180}", "end_heading", false},
    {"end_near: {agent: gone, point: [9, 9], radius: 99}", "end_near", false},
    {"settled_max: {point: [5, 0], radius: 0.7}", "settled_max", true},
    {"settled_max: {point: [5, 0], radius: 0.39}", "settled_max", false},
    {"settled_max: {point: [0, 8], radius: 99}", "settled_max", false},
    {"flock_radius_max: {flock: 3, max: 4.75}", "flock_radius_max", true},
    {"flock_radius_max: {flock: 3, max: 4.7}", "flock_radius_max", false},
    {"flock_radius_max: {flock: 3, from: 11, max: 4.7}", "flock_radius_max", true},
    {"flock_radius_max: {flock: 3, from: 20, max: 99}", "flock_radius_max", false},
    {"flock_radius_max: {flock: 4, max: 99}", "flock_radius_max", false},
    {"deviation_max: {agent: a, axis: y, max: 0.01}", "deviation_max", true},
    {"mean_speed: {from: 1, to: 5, min: 0.5, max: 1}", "mean_speed", true},
    {"mean_speed: {from: 1, to: 5, min: 1}", "mean_speed", false},
    {"mean_speed: {from: 1, to: 5, max: 0.5}", "mean_speed", false},
    {"mean_speed: {from: 20, min: 0}", "mean_speed", false},
    {"passes: {line: {a: [0, -1], b: [0, 1]}, min: 1, max: 1}", "passes", true},
    {"passes: {line: {a: [0, 1], b: [0, -1]}, min: 1, max: 1}", "passes", true},
    {"passes: {line: {a: [0, -1], b: [0, 1]}, min: 2}", "passes", false},
    {"passes: {line: {a: [0, 1], b: [0, 2]}, min: 1}", "passes", false},
    {"passes: {line: {a: [0, -1], b: [0, 1]}, from: 5, to: 9, min: 1}", "passes", false},
    {"passes: {line: {a: [0, -1], b: [0, 1]}, to: 2, min: 1}", "passes", false},
};

START_TEST(test_each_expectation_can_hold_and_fail)
{
    char text[1024];
    snprintf(text, sizeof text, SCENE "expect: {%s}\n", verdicts[_i].expect);
    simulate(text, 0, 1, NULL);
    ck_assert_uint_eq(result.figures.ticks, 360);
    ck_assert_uint_eq(result.outcome_count, 1);
    ck_assert_str_eq(result.outcomes[0].name, verdicts[_i].name);
    ck_assert_msg(result.outcomes[0].held == verdicts[_i].held, "figure %g", result.outcomes[0].figure);
    ck_assert_int_eq(simulate_result_held(&result), verdicts[_i].held);
}
END_TEST

START_TEST(test_blocked_and_strayed_agents_fail_their_expectations)
{
    simulate("world: {min: [-20, -20], max: [20, 20]}\n"
             "obstacles: [{segment: {a: [0, -20], b: [0, 20]}}]\n"
             "agents: [{name: a, position: [-5, 0], target: [5, 0]}, {name: b, position: [-5, 9], "
             "target: [-5, 19]}]\n"
             "events: [{at: 1, teleport: {agent: a, position: [-5, 3]}}, {at: 2, teleport: {agent: b, "
             "position: [-9, 9]}}]\n"
             "duration: 30\n"
             "expect: {blocked_max: 0, deviation_max: [{agent: a, axis: y, max: 2}, {agent: b, axis: x, "
             "max: 3.5}]}\n",
             0, 1, NULL);
    ck_assert_uint_eq(result.outcome_count, 3);
    ck_assert(!result.outcomes[0].held);
    ck_assert_double_eq(result.outcomes[0].figure, 1);
    ck_assert_str_eq(result.outcomes[1].name, "deviation_max[0]");
    ck_assert(!result.outcomes[1].held);
    ck_assert_double_ge(result.outcomes[1].figure, 2.9);
    ck_assert(!result.outcomes[2].held);
    ck_assert_double_ge(result.outcomes[2].figure, 3.9);
}
END_TEST

/* b's path ends at the other's target, c's only leads past it. */
START_TEST(test_settled_is_the_farthest_rim_of_those_whose_way_ends_there)
{
    simulate(
        "world: {min: [-20, -20], max: [20, 20]}\n"
        "agents: [{position: [0, 0], target: [0, 0]}, {name: b, position: [4, 0], radius: 0.5, path: "
        "[[9, 0], [0, 0]]}, {name: c, position: [-9, 0], path: [[0, 0], [-9, 1]]}]\n"
        "duration: 0.1\n"
        "expect: {settled_max: [{point: [0, 0], radius: 4.6}, {point: [0, 0], radius: 4.4}, {point: [-9, "
        "1], radius: 1.5}, {point: [9, 0], radius: 99}]}\n",
        0, 1, NULL);
    ck_assert_uint_eq(result.outcome_count, 4);
    ck_assert_str_eq(result.outcomes[0].name, "settled_max[0]");
    ck_assert_double_eq_tol(result.outcomes[0].figure, 4.5, 0.05);
    ck_assert(result.outcomes[0].held);
    ck_assert(!result.outcomes[1].held);
    ck_assert_double_eq_tol(result.outcomes[2].figure, 1.4, 0.05);
    ck_assert(!result.outcomes[3].held);
}
END_TEST

START_TEST(test_a_teleport_is_no_crossing)
{
    simulate("world: {min: [-20, -20], max: [20, 20]}\nagents: [{name: a, position: [-5, 0]}]\n"
             "events: [{at: 1, teleport: {agent: a, position: [5, 0]}}]\nduration: 3\n"
             "expect: {passes: {line: {a: [0, -1], b: [0, 1]}, max: 0}}\n",
             0, 1, NULL);
    ck_assert(result.outcomes[0].held);
}
END_TEST

START_TEST(test_no_obstacle_and_no_neighbour_break_no_gap)
{
    simulate("world: {min: [-20, -20], max: [20, 20]}\nagents: [{position: [-5, 0]}]\nduration: 1\n"
             "expect: {gap_min: 0, obstacle_gap_min: 0, end_gap_min: 0}\n",
             0, 1, NULL);
    ck_assert(simulate_result_held(&result));
    ck_assert(isnan(result.outcomes[0].figure));
}
END_TEST

START_TEST(test_alone_an_agent_takes_its_free_time)
{
    simulate("world: {min: [-20, -20], max: [20, 20]}\n"
             "agents: [{position: [-5, 0], target: [5, 0], start_at: 2, max_speed: 1.2}, {position: [-5, "
             "9], path: [[0, 9], [5, "
             "12]]}]\ncrowds: [{count: 3, min: [-19, -19], max: [19, -12], target_min: [-19, -19], "
             "target_max: [19, -12], "
             "seed: 3}]\nduration: 40\n",
             0, 1, NULL);
    ck_assert_uint_eq(result.time_factor.walked, result.figures.arrived);
    ck_assert_uint_ge(result.time_factor.walked, 2);
    ck_assert_double_ge(result.time_factor.worst, result.time_factor.mean);
    simulate("world: {min: [-20, -20], max: [20, 20]}\nagents: [{position: [-5, 0], target: [5, 0], "
             "start_at: 2}]\n",
             0, 1, NULL);
    ck_assert_double_eq_tol(result.time_factor.mean, 1, 1e-12);
    ck_assert_double_eq_tol(result.time_factor.worst, 1, 1e-12);
    simulate("world: {min: [-20, -20], max: [20, 20]}\nobstacles: [{circle: {center: [0, 0], radius: 2}}]\n"
             "agents: [{position: [-9, 0], target: [9, 0.1]}]\n",
             0, 1, NULL);
    ck_assert_double_gt(result.time_factor.mean, 1.01);
    simulate("world: {min: [-20, -20], max: [20, 20]}\n"
             "agents: [{name: a, position: [-5, 0], target: [5, 0]}, {position: [0, 9], target_agent: a}]\n"
             "events: [{at: 1, teleport: {agent: a, position: [4, 0]}}]\n",
             0, 1, NULL);
    ck_assert(isnan(result.time_factor.mean));
}
END_TEST

START_TEST(test_threads_change_nothing_but_time)
{
    const char *text = "world: {min: [-30, -30], max: [30, 30]}\n"
                       "crowds: [{count: 600, min: [-29, -29], max: [29, 29], target_min: [-29, -29], "
                       "target_max: [29, 29], "
                       "retarget: true}]\n";
    simulate(text, 60, 1, NULL);
    uint64_t digest = result.state_digest;
    double gap_min_m = result.figures.gap_min_m;
    simulate(text, 60, 3, NULL);
    ck_assert_uint_eq(result.threads, 3);
    ck_assert_uint_eq(result.state_digest, digest);
    ck_assert_double_eq(result.figures.gap_min_m, gap_min_m);
    simulate(text, 61, 3, NULL);
    ck_assert_uint_ne(result.state_digest, digest);
}
END_TEST

START_TEST(test_times_are_ordered)
{
    simulate(SCENE, 50, 1, NULL);
    ck_assert_double_gt(result.ns_per_agent_tick.min, 0);
    ck_assert_double_le(result.ns_per_agent_tick.min, result.ns_per_agent_tick.p50);
    ck_assert_double_le(result.ns_per_agent_tick.p50, result.ns_per_agent_tick.p99);
    ck_assert_double_le(result.tick_us.p50, result.tick_us.p99);
    ck_assert_double_le(result.tick_us.p99, result.tick_us.max);
    ck_assert_uint_gt(result.memory_bytes, 1000);
}
END_TEST

START_TEST(test_percentiles_are_nearest_ranks)
{
    double values[] = {5, 1, 4, 2, 3};
    ck_assert_double_eq(simulate_percentile(values, 5, 0), 1);
    ck_assert_double_eq(simulate_percentile(values, 5, 50), 3);
    ck_assert_double_eq(simulate_percentile(values, 5, 99), 5);
    ck_assert_double_eq(simulate_percentile(values, 5, 100), 5);
    ck_assert(isnan(simulate_percentile(values, 0, 50)));
}
END_TEST

START_TEST(test_report_is_the_json_that_is_promised)
{
    struct scenario_outcome outcomes[] = {
        {.name = "gap_min", .held = true, .figure = 0.25, .min = -0.5, .max = NAN, .unit = "m"},
        {.name = "arrived_by.\"x\"\n\xff", .held = false, .figure = NAN, .min = NAN, .max = 9, .unit = "s"},
    };
    const struct simulate_result filled = {
        .title = "head-on",
        .threads = 2,
        .figures = {.ticks = 600,
                    .agents = 3,
                    .arrived = 1,
                    .blocked = 2,
                    .gap_min_m = 0.25,
                    .obstacle_gap_min_m = NAN,
                    .time_all_arrived_s = INFINITY,
                    .mean_speed_mps = 1.5,
                    .overlaps_per_1k = 0},
        .time_factor = {.mean = 1.25, .worst = NAN},
        .ns_per_agent_tick = {100.5, 200, 50},
        .tick_us = {1, 2, 3},
        .phases = {.move_ns = 1, .grid_ns = 2, .part_ns = 3, .steer_ns = 4, .speed_ns = 5},
        .memory_bytes = 4096,
        .state_digest = 0xabc,
        .outcomes = outcomes,
        .outcome_count = 2,
    };
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    simulate_report_write(file, &filled);
    fclose(file);
    ck_assert_str_eq(
        text,
        "{\"scenario\": \"head-on\", \"ticks\": 600, \"agents\": 3, \"threads\": 2, \"arrived\": 1, "
        "\"blocked\": 2, "
        "\"gap_min\": 0.25, \"obstacle_gap_min\": null, \"time_all_arrived\": null, \"time_factor\": "
        "{\"mean\": 1.25, "
        "\"worst\": null}, \"mean_speed\": 1.5, \"overlaps_per_1k\": 0, \"ns_per_agent_tick\": {\"p50\": "
        "100.5, "
        "\"p99\": 200, \"min\": 50}, \"tick_us\": {\"p50\": 1, \"p99\": 2, \"max\": 3}, \"phases_ns\": "
        "{\"move\": 1, "
        "\"grid\": 2, \"part\": 3, \"steer\": 4, \"speed\": 5, \"encode\": 0}, \"memory_bytes\": 4096, "
        "\"state_digest\": \"0000000000000abc\", \"expectations\": [{\"name\": \"gap_min\", \"held\": "
        "true, "
        "\"figure\": 0.25, \"min\": -0.5, \"max\": null}, {\"name\": \"arrived_by.\\\"x\\\"\\u000a?\", "
        "\"held\": false, "
        "\"figure\": null, \"min\": null, \"max\": 9}]}\n");
    free(text);
}
END_TEST

START_TEST(test_trace_reads_back_bit_equal)
{
    enum { ROWS = 2000 };
    static uint32_t id[ROWS];
    static float columns[5][ROWS];
    static const float nasty[] = {0.0f,    -0.0f, FLT_MIN,     FLT_TRUE_MIN, -FLT_TRUE_MIN,
                                  FLT_MAX, 0.1f,  1.0f / 3.0f, 16777217.0f};
    for (uint32_t i = 0; i < ROWS; i++) {
        id[i] = i + 1;
        for (uint32_t c = 0; c < 5; c++) {
            uint32_t bits = (uint32_t)hash_random(1, 2, i, c);
            memcpy(&columns[c][i], &bits, sizeof bits);
            if (!isfinite(columns[c][i])) {
                columns[c][i] = nasty[(i + c) % (sizeof nasty / sizeof nasty[0])];
            }
        }
    }
    for (uint32_t i = 0; i < sizeof nasty / sizeof nasty[0]; i++) {
        columns[0][i] = nasty[i];
    }
    const struct steer_agent_columns agents = {.count = ROWS,
                                               .id = id,
                                               .x_m = columns[0],
                                               .y_m = columns[1],
                                               .vx_mps = columns[2],
                                               .vy_mps = columns[3],
                                               .orientation_deg = columns[4]};
    FILE *file = tmpfile();
    char line[256];
    ck_assert_int_eq(simulate_trace_begin(file, NULL), STATUS_OK);
    ck_assert_int_eq(simulate_trace_tick(file, 77, &agents, NULL), STATUS_OK);
    rewind(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_str_eq(line, "tick,id,x,y,vx,vy,orientation\n");
    for (uint32_t i = 0; i < ROWS; i++) {
        ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
        char *next = line;
        ck_assert_uint_eq(strtoul(next, &next, 10), 77);
        ck_assert_uint_eq(strtoul(next + 1, &next, 10), id[i]);
        for (uint32_t c = 0; c < 5; c++) {
            ck_assert_int_eq(*next, ',');
            float value = strtof(next + 1, &next);
            ck_assert_int_eq(memcmp(&value, &columns[c][i], sizeof value), 0);
        }
        ck_assert_int_eq(*next, '\n');
    }
    ck_assert_ptr_null(fgets(line, sizeof line, file));
    fclose(file);
}
END_TEST

START_TEST(test_trace_has_every_agent_of_every_tick)
{
    FILE *file = tmpfile();
    simulate(SCENE, 40, 1, file);
    rewind(file);
    char line[256];
    uint32_t lines = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        lines++;
    }
    fclose(file);
    ck_assert_uint_eq(lines, 1 + 30 * 3 + 10 * 2); /* one is removed after 30 ticks */
}
END_TEST

START_TEST(test_a_trace_that_cannot_be_written_is_an_error)
{
    struct fault fault = {0};
    FILE *full = fopen("/dev/full", "w");
    const struct simulate_options options = {.ticks = 40, .threads = 1, .trace = full};
    ck_assert_int_eq(scenario_parse("x.yaml", SCENE, strlen(SCENE), &scenario, &fault), STATUS_OK);
    ck_assert_int_eq(simulate_run(scenario, &options, &result, &fault), STATUS_UNAVAILABLE);
    ck_assert_str_eq(fault.text, "the trace cannot be written: No space left on device");
    fclose(full);
}
END_TEST

static char path[] = "/tmp/steerd-scene-XXXXXX";

static void file_setup(void)
{
    strcpy(path + strlen(path) - 6, "XXXXXX");
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(SCENE "expect: {arrived_all_by: 5}\n", file);
    fclose(file);
}

static void file_teardown(void)
{
    unlink(path);
}

/* Runs the sub-command with its table and sentence out of the way. */
static int run_program(int argc, char **argv)
{
    fflush(NULL);
    int kept_out = dup(STDOUT_FILENO);
    int kept_err = dup(STDERR_FILENO);
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout));
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    int code = program_simulate(argc, argv);
    fflush(NULL);
    dup2(kept_out, STDOUT_FILENO);
    dup2(kept_err, STDERR_FILENO);
    close(kept_out);
    close(kept_err);
    return code;
}

START_TEST(test_exit_codes_are_those_of_the_programs)
{
    char check[] = "--check";
    char ticks[] = "--ticks";
    char none[] = "0";
    char unknown[] = "--speed";
    char missing[] = "/nowhere/scene.yaml";
    char report[] = "--report";
    char trace[] = "--trace";
    char stdout_name[] = "-";
    char help[] = "--help";
    ck_assert_int_eq(run_program(1, (char *[]){path}), 0);
    ck_assert_int_eq(run_program(2, (char *[]){path, check}), 1);
    ck_assert_int_eq(run_program(1, (char *[]){missing}), 1);
    ck_assert_int_eq(run_program(3, (char *[]){path, report, missing}), 1);
    ck_assert_int_eq(run_program(0, NULL), 2);
    ck_assert_int_eq(run_program(2, (char *[]){path, path}), 2);
    ck_assert_int_eq(run_program(2, (char *[]){path, unknown}), 2);
    ck_assert_int_eq(run_program(3, (char *[]){path, ticks, none}), 2);
    ck_assert_int_eq(run_program(5, (char *[]){path, report, stdout_name, trace, stdout_name}), 2);
    ck_assert_int_eq(run_program(1, (char *[]){help}), 0);
}
END_TEST

Suite *suite_app_simulate(void)
{
    Suite *suite = suite_create("app_simulate");
    TCase *judging = tcase_create("verdicts");
    tcase_add_checked_fixture(judging, NULL, teardown);
    tcase_add_loop_test(judging, test_each_expectation_can_hold_and_fail, 0,
                        (int)(sizeof verdicts / sizeof verdicts[0]));
    tcase_add_test(judging, test_blocked_and_strayed_agents_fail_their_expectations);
    tcase_add_test(judging, test_settled_is_the_farthest_rim_of_those_whose_way_ends_there);
    tcase_add_test(judging, test_a_teleport_is_no_crossing);
    tcase_add_test(judging, test_no_obstacle_and_no_neighbour_break_no_gap);
    suite_add_tcase(suite, judging);
    TCase *figures = tcase_create("figures");
    tcase_add_checked_fixture(figures, NULL, teardown);
    tcase_add_test(figures, test_alone_an_agent_takes_its_free_time);
    tcase_add_test(figures, test_threads_change_nothing_but_time);
    tcase_add_test(figures, test_times_are_ordered);
    tcase_add_test(figures, test_percentiles_are_nearest_ranks);
    suite_add_tcase(suite, figures);
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, NULL, teardown);
    tcase_add_test(files, test_report_is_the_json_that_is_promised);
    tcase_add_test(files, test_trace_reads_back_bit_equal);
    tcase_add_test(files, test_trace_has_every_agent_of_every_tick);
    tcase_add_test(files, test_a_trace_that_cannot_be_written_is_an_error);
    suite_add_tcase(suite, files);
    TCase *program = tcase_create("program");
    tcase_add_checked_fixture(program, file_setup, file_teardown);
    tcase_add_test(program, test_exit_codes_are_those_of_the_programs);
    suite_add_tcase(suite, program);
    return suite;
}
