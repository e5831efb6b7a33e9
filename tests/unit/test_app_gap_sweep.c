#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/scenario/gap_sweep.h"
#include "base/hash.h"
#include "suites.h"

#define DISCS 200

static float x[DISCS];
static float y[DISCS];
static float radius[DISCS];
static struct gap_sweep *sweep;

static struct steer_agent_columns columns(uint32_t count)
{
    return (struct steer_agent_columns){.count = count, .x_m = x, .y_m = y, .radius_m = radius};
}

static void setup(void)
{
    ck_assert_int_eq(gap_sweep_create(DISCS, &sweep, NULL), STATUS_OK);
}

static void teardown(void)
{
    gap_sweep_destroy(sweep);
}

static float draw(uint64_t seed, uint32_t id, uint32_t stream, float min, float max)
{
    return min + (max - min) * hash_unit_f32(hash_random(seed, 0, id, stream));
}

static void scatter(uint64_t seed, float side_m)
{
    for (uint32_t i = 0; i < DISCS; i++) {
        x[i] = draw(seed, i, 0, -side_m, side_m);
        y[i] = draw(seed, i, 1, -side_m, side_m);
        radius[i] = draw(seed, i, 2, 0.1f, 1.5f);
    }
}

/* All pairs, one by one. */
static struct gap_figures brute_force(uint32_t count, const bool *skip, double overlap_m)
{
    struct gap_figures figures = {.gap_m = INFINITY};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            double dx = (double)x[i] - x[j];
            double dy = (double)y[i] - y[j];
            double gap_m = sqrt(dx * dx + dy * dy) - ((double)radius[i] + radius[j]);
            figures.overlaps += gap_m < -overlap_m;
            if (skip == NULL || (!skip[i] && !skip[j])) {
                figures.gap_m = fmin(figures.gap_m, gap_m);
            }
        }
    }
    return figures;
}

START_TEST(test_sweep_finds_what_all_pairs_find)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        scatter(seed, seed % 3 == 0 ? 8 : 200);
        struct steer_agent_columns agents = columns(DISCS);
        bool skip[DISCS];
        for (uint32_t i = 0; i < DISCS; i++) {
            skip[i] = hash_random(seed, 0, i, 3) % 4 == 0;
        }
        const bool *skips[] = {NULL, skip};
        for (int which = 0; which < 2; which++) {
            struct gap_figures expected = brute_force(DISCS, skips[which], 0.01);
            struct gap_figures found = gap_sweep_run(sweep, &agents, skips[which], INFINITY, 0.01);
            ck_assert_double_eq_tol(found.gap_m, expected.gap_m, 1e-12);
            ck_assert_uint_eq(found.overlaps, expected.overlaps);
        }
    }
}
END_TEST

START_TEST(test_order_survives_movement_and_removal)
{
    scatter(7, 40);
    for (uint32_t step = 0; step < 50; step++) {
        uint32_t count = DISCS - step / 10; /* every tenth step the last one is gone */
        for (uint32_t i = 0; i < count; i++) {
            x[i] += draw(8, i, step, -3, 3);
            y[i] += draw(9, i, step, -3, 3);
        }
        struct steer_agent_columns agents = columns(count);
        struct gap_figures expected = brute_force(count, NULL, 0);
        struct gap_figures found = gap_sweep_run(sweep, &agents, NULL, INFINITY, 0);
        ck_assert_double_eq_tol(found.gap_m, expected.gap_m, 1e-12);
        ck_assert_uint_eq(found.overlaps, expected.overlaps);
    }
}
END_TEST

START_TEST(test_gaps_above_the_bound_are_not_told_but_overlaps_are)
{
    x[0] = 0;
    x[1] = 0.5f;
    x[2] = 30;
    memset(y, 0, sizeof y);
    radius[0] = radius[1] = radius[2] = 0.4f;
    struct steer_agent_columns agents = columns(3);
    struct gap_figures figures = gap_sweep_run(sweep, &agents, NULL, -0.5, 0.01);
    ck_assert_double_eq(figures.gap_m, -0.5);
    ck_assert_uint_eq(figures.overlaps, 1);
    const bool skip[] = {true, false, false};
    figures = gap_sweep_run(sweep, &agents, skip, INFINITY, 0.01);
    ck_assert_double_eq_tol(figures.gap_m, 28.7, 1e-5);
    ck_assert_uint_eq(figures.overlaps, 1);
}
END_TEST

START_TEST(test_nobody_and_one_have_no_gap)
{
    struct steer_agent_columns agents = columns(0);
    ck_assert(isinf(gap_sweep_run(sweep, &agents, NULL, INFINITY, 0).gap_m));
    agents.count = 1;
    ck_assert(isinf(gap_sweep_run(sweep, &agents, NULL, INFINITY, 0).gap_m));
}
END_TEST

START_TEST(test_marks_are_those_in_each_other)
{
    scatter(11, 15);
    struct steer_agent_columns agents = columns(DISCS);
    bool marks[DISCS] = {false};
    gap_sweep_mark(sweep, &agents, 0.05, marks);
    for (uint32_t i = 0; i < DISCS; i++) {
        bool expected = false;
        for (uint32_t j = 0; j < DISCS; j++) {
            double distance_m = hypot((double)x[i] - x[j], (double)y[i] - y[j]);
            expected |= i != j && distance_m - radius[i] - radius[j] < -0.05;
        }
        ck_assert_int_eq(marks[i], expected);
    }
}
END_TEST

Suite *suite_app_gap_sweep(void)
{
    Suite *suite = suite_create("app_gap_sweep");
    TCase *gaps = tcase_create("gaps");
    tcase_add_checked_fixture(gaps, setup, teardown);
    tcase_add_test(gaps, test_sweep_finds_what_all_pairs_find);
    tcase_add_test(gaps, test_order_survives_movement_and_removal);
    tcase_add_test(gaps, test_gaps_above_the_bound_are_not_told_but_overlaps_are);
    tcase_add_test(gaps, test_nobody_and_one_have_no_gap);
    tcase_add_test(gaps, test_marks_are_those_in_each_other);
    suite_add_tcase(suite, gaps);
    return suite;
}
