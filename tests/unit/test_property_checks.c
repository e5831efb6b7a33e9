/* The checks of the random scenes: that they find what they are there to find, and nothing else. */
#include <stdlib.h>
#include <string.h>

#include "property/check.h"
#include "property/jobs.h"
#include "suites.h"

/* ---- processes ---- */

#define RUN_SEED   100
#define RUN_SCENES 40
#define RUN_BAD    117 /* the process dies of it */

static uint64_t told[RUN_SCENES];
static enum property told_property[RUN_SCENES];
static uint32_t told_count;

static void scene_that_may_die(uint64_t seed, struct job_result *result)
{
    if (seed == RUN_BAD) {
        abort();
    }
    result->tally.ticks = seed * seed;
}

static bool tell(uint64_t seed, const struct job_result *result, void *context)
{
    ck_assert_uint_lt(told_count, RUN_SCENES);
    ck_assert_uint_eq(result->tally.ticks, seed == RUN_BAD ? 0 : seed * seed);
    told_property[told_count] = result->failure.property;
    told[told_count++] = seed;
    return context == NULL || seed != *(const uint64_t *)context;
}

static void run_with(uint32_t jobs, uint64_t *last)
{
    const struct jobs_run run = {.scenes = RUN_SCENES,
                                 .seed = RUN_SEED,
                                 .jobs = jobs,
                                 .scene = scene_that_may_die,
                                 .result = tell,
                                 .context = last};
    told_count = 0;
    ck_assert_int_eq(jobs_run(&run), STATUS_OK);
}

START_TEST(test_results_come_in_the_order_of_seeds_however_many_processes)
{
    for (uint32_t jobs = 1; jobs <= 5; jobs += 2) {
        run_with(jobs, NULL);
        ck_assert_uint_eq(told_count, RUN_SCENES);
        for (uint32_t i = 0; i < RUN_SCENES; i++) {
            ck_assert_uint_eq(told[i], RUN_SEED + i);
        }
    }
}
END_TEST

START_TEST(test_a_scene_that_its_process_dies_of_has_failed_and_the_others_go_on)
{
    for (uint32_t jobs = 1; jobs <= 3; jobs++) {
        run_with(jobs, NULL);
        ck_assert_uint_eq(told_count, RUN_SCENES);
        for (uint32_t i = 0; i < RUN_SCENES; i++) {
            bool is_bad = told[i] == RUN_BAD;
            ck_assert_int_eq(told_property[i], is_bad ? PROPERTY_PROCESS : PROPERTY_NONE);
        }
    }
}
END_TEST

START_TEST(test_a_run_ends_where_it_is_told_to)
{
    uint64_t last = RUN_SEED + 3;
    run_with(2, &last);
    ck_assert_uint_eq(told_count, 4);
}
END_TEST

/* ---- places ---- */

static struct scene scene;

static void setup(void)
{
    memset(&scene, 0, sizeof scene);
    scene.min_m = vec2(-20, -20);
    scene.max_m = vec2(20, 20);
    scene.tick_rate_hz = 30;
}

static void add_agent(float x, float y)
{
    scene.agents[scene.agent_count++] = (struct scene_agent){
        .position_m = vec2(x, y), .radius_m = 0.5f, .max_speed_mps = 1.5f, .max_accel_mps2 = 5.0f};
}

static void add_wall(float x, float half_m)
{
    scene.shapes[scene.shape_count++] = (struct steer_shape){
        .kind = STEER_SHAPE_SEGMENT, .point_count = 2, .points_m = {vec2(x, -half_m), vec2(x, half_m)}};
}

/* ---- through a wall ---- */

static struct crossing crossing_of(float from_x, float from_y, float to_x, float to_y, float way_m)
{
    return (struct crossing){vec2(from_x, from_y), vec2(to_x, to_y), 0.5f, way_m};
}

START_TEST(test_who_was_before_a_wall_and_is_behind_it_went_through)
{
    const struct steer_shape circle = {.kind = STEER_SHAPE_CIRCLE, .radius_m = 3.0f};
    const struct steer_shape box = {.kind = STEER_SHAPE_BOX, .size_m = {0.1f, 6.0f}};
    add_wall(0, 3);
    const struct steer_shape *shapes[] = {&scene.shapes[0], &box};
    for (uint32_t i = 0; i < 2; i++) {
        struct crossing through = crossing_of(-0.6f, 0, 0.6f, 0.1f, 1.3f);
        struct crossing past = crossing_of(-0.6f, 3.7f, 0.6f, 3.7f, 1.3f);
        struct crossing along = crossing_of(-0.6f, -2, -0.6f, 2, 4.1f);
        struct crossing short_of = crossing_of(-3.6f, 0, -0.6f, 0, 3.1f);
        ck_assert(crossing_is_through(shapes[i], &through));
        ck_assert(!crossing_is_through(shapes[i], &past));
        ck_assert(!crossing_is_through(shapes[i], &along));
        ck_assert(!crossing_is_through(shapes[i], &short_of));
    }
    struct crossing round = crossing_of(-0.6f, 2.8f, 0.6f, 2.8f, 2.5f); /* about the end */
    struct crossing through = crossing_of(-3.6f, 0, 3.6f, 0, 8.0f);
    ck_assert(!crossing_is_through(&scene.shapes[0], &round));
    ck_assert(crossing_is_through(&circle, &through));
}
END_TEST

/* ---- symmetry ---- */

/* His goal is behind the very middle of a circle, neither side is nearer: its id says which way he goes. */
START_TEST(test_a_tie_by_an_obstacles_id_is_mirrored_with_the_side)
{
    scene.shapes[scene.shape_count++] =
        (struct steer_shape){.kind = STEER_SHAPE_CIRCLE, .center_m = vec2(0, 1.8f), .radius_m = 1.0f};
    add_agent(0, 0);
    scene.agents[0].goal = STEER_GOAL_POINT;
    scene.agents[0].point_count = 1;
    scene.agents[0].points_m[0] = vec2(0, 9);
    uint64_t compared = 0;
    for (scene.seed = 0; scene.seed < 64; scene.seed++) {
        struct tally tally = {0};
        struct failure failure = check_symmetry(&scene, &tally);
        ck_assert_msg(failure.property == PROPERTY_NONE, "%s", failure.text);
        compared += tally.symmetric;
    }
    ck_assert_uint_ge(compared, 32);
}
END_TEST

START_TEST(test_a_scene_that_was_no_mirror_of_itself_is_one)
{
    struct tally tally = {0};
    scene_make(502650, &scene);
    struct failure failure = check_symmetry(&scene, &tally);
    ck_assert_msg(failure.property == PROPERTY_NONE, "%s", failure.text);
}
END_TEST

Suite *suite_property_checks(void)
{
    Suite *suite = suite_create("property_checks");
    TCase *processes = tcase_create("processes");
    tcase_add_test(processes, test_results_come_in_the_order_of_seeds_however_many_processes);
    tcase_add_test(processes, test_a_scene_that_its_process_dies_of_has_failed_and_the_others_go_on);
    tcase_add_test(processes, test_a_run_ends_where_it_is_told_to);
    suite_add_tcase(suite, processes);
    TCase *places = tcase_create("places");
    tcase_add_checked_fixture(places, setup, NULL);
    tcase_add_test(places, test_who_was_before_a_wall_and_is_behind_it_went_through);
    suite_add_tcase(suite, places);
    TCase *symmetry = tcase_create("symmetry");
    tcase_add_checked_fixture(symmetry, setup, NULL);
    tcase_add_test(symmetry, test_a_tie_by_an_obstacles_id_is_mirrored_with_the_side);
    tcase_add_test(symmetry, test_a_scene_that_was_no_mirror_of_itself_is_one);
    suite_add_tcase(suite, symmetry);
    return suite;
}
