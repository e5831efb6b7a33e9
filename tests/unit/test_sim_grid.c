/* Neighbours of a disc: all of them, in the same order everywhere. */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "sim/grid.h"
#include "suites.h"

#define AGENTS 600u

static struct arena arena;
static struct agent_store store;
static struct grid grid;

static void setup(void)
{
    ck_assert(arena_init(&arena, agent_store_bytes(AGENTS) + grid_bytes(AGENTS)));
    agent_store_init(&store, &arena, AGENTS);
    grid_init(&grid, &arena, AGENTS);
}

static void teardown(void)
{
    arena_deinit(&arena);
}

/* AGENTS agents somewhere in a square. */
static void scatter(float size_m, float offset_m)
{
    while (store.count < AGENTS) {
        uint32_t row = agent_store_add(&store);
        store.x[row] = offset_m + size_m * hash_unit_f32(hash_random(1, 0, row, 0));
        store.y[row] = offset_m + size_m * hash_unit_f32(hash_random(1, 0, row, 1));
        store.vx[row] = (float)row;
        store.radius[row] = row == 17 ? 3.0f : 0.4f;
        store.layers[row] = row;
        store.mask[row] = ~row;
    }
}

/* Whether every agent within the radius of a centre lies in its runs. */
static bool finds_all(struct vec2 center, float radius)
{
    uint32_t found = 0;
    uint32_t there = 0;
    for (uint32_t row = 0; row < store.count; row++) {
        there += vec2_length(vec2(store.x[row] - center.x, store.y[row] - center.y)) <= radius ? 1 : 0;
    }
    struct grid_span span = grid_span(&grid, center, radius);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(&grid, &span, line);
        for (uint32_t place = run.begin; place < run.end; place++) {
            uint32_t row = grid.row[place];
            found += vec2_length(vec2(store.x[row] - center.x, store.y[row] - center.y)) <= radius ? 1 : 0;
        }
    }
    return found == there;
}

START_TEST(test_an_empty_world_has_no_neighbours)
{
    grid_build(&grid, &store);
    struct grid_span span = grid_span(&grid, vec2(3, 4), 100.0f);
    ck_assert_uint_gt(span.row_first, span.row_last);
}
END_TEST

START_TEST(test_every_neighbour_of_any_disc_is_in_its_runs)
{
    scatter(40.0f, -20.0f);
    grid_build(&grid, &store);
    ck_assert_float_eq(grid.radius_max_m, 3.0f);
    for (uint32_t row = 0; row < AGENTS; row++) {
        ck_assert(finds_all(vec2(store.x[row], store.y[row]), 5.0f));
        ck_assert(finds_all(vec2(store.x[row] + 30.0f, store.y[row]), 9.0f)); /* centre outside the cells */
    }
}
END_TEST

START_TEST(test_copies_are_of_their_rows_and_rows_ascend_in_a_cell)
{
    scatter(40.0f, -20.0f);
    grid_build(&grid, &store);
    for (uint32_t place = 0; place < grid.count; place++) {
        uint32_t row = grid.row[place];
        ck_assert_float_eq(grid.x[place], store.x[row]);
        ck_assert_float_eq(grid.vx[place], store.vx[row]);
        ck_assert_float_eq(grid.radius[place], store.radius[row]);
        ck_assert_uint_eq(grid.layers[place], row);
        ck_assert_uint_eq(grid.mask[place], ~row);
    }
    for (uint32_t cell = 0; cell < grid.columns * grid.rows; cell++) {
        for (uint32_t place = grid.cell_start[cell] + 1; place < grid.cell_start[cell + 1]; place++) {
            ck_assert_uint_lt(grid.row[place - 1], grid.row[place]);
        }
    }
}
END_TEST

START_TEST(test_a_world_of_twenty_kilometres_takes_larger_cells)
{
    scatter(20000.0f, -10000.0f);
    grid_build(&grid, &store);
    ck_assert_uint_le(grid.columns * grid.rows, grid.cells_max);
    for (uint32_t row = 0; row < AGENTS; row++) {
        ck_assert(finds_all(vec2(store.x[row], store.y[row]), 100.0f));
    }
}
END_TEST

START_TEST(test_who_has_left_his_cell_is_found_within_the_slack)
{
    scatter(40.0f, -20.0f);
    grid_build(&grid, &store);
    grid.slack_m = 1.5f;
    for (uint32_t row = 0; row < AGENTS; row++) {
        store.x[row] += row % 2 == 0 ? 1.4f : -1.4f;
    }
    for (uint32_t row = 0; row < AGENTS; row++) {
        ck_assert(finds_all(vec2(store.x[row], store.y[row]), 2.0f));
    }
}
END_TEST

Suite *suite_sim_grid(void)
{
    Suite *suite = suite_create("sim_grid");
    TCase *neighbours = tcase_create("neighbours");
    tcase_add_checked_fixture(neighbours, setup, teardown);
    tcase_add_test(neighbours, test_an_empty_world_has_no_neighbours);
    tcase_add_test(neighbours, test_every_neighbour_of_any_disc_is_in_its_runs);
    tcase_add_test(neighbours, test_copies_are_of_their_rows_and_rows_ascend_in_a_cell);
    tcase_add_test(neighbours, test_a_world_of_twenty_kilometres_takes_larger_cells);
    tcase_add_test(neighbours, test_who_has_left_his_cell_is_found_within_the_slack);
    suite_add_tcase(suite, neighbours);
    return suite;
}
