/* Rows of agents: ids only grow, rows stay ascending. */
#include <stdlib.h>

#include "sim/agent_store.h"
#include "suites.h"

static struct arena arena;
static struct agent_store store;

static void setup(void)
{
    ck_assert(arena_init(&arena, agent_store_bytes(8)));
    agent_store_init(&store, &arena, 8);
}

static void teardown(void)
{
    arena_deinit(&arena);
}

START_TEST(test_ids_grow_from_one_and_are_found)
{
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(agent_store_add(&store), i);
    }
    for (uint32_t id = 1; id <= 8; id++) {
        uint32_t row;
        ck_assert(agent_store_find(&store, (struct steer_agent_id){id}, &row));
        ck_assert_uint_eq(row, id - 1);
    }
}
END_TEST

START_TEST(test_what_is_not_there_is_not_found)
{
    uint32_t row = 77;
    ck_assert(!agent_store_find(&store, (struct steer_agent_id){1}, &row));
    agent_store_add(&store);
    ck_assert(!agent_store_find(&store, (struct steer_agent_id){0}, &row));
    ck_assert(!agent_store_find(&store, (struct steer_agent_id){2}, &row));
    ck_assert(!agent_store_find(&store, (struct steer_agent_id){UINT32_MAX}, &row));
    ck_assert_uint_eq(row, 77);
}
END_TEST

START_TEST(test_removal_closes_gaps_in_order_with_every_column)
{
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t row = agent_store_add(&store);
        store.x[row] = (float)i;
        store.tag[row] = 100 + i;
        store.slots[row].words[7] = i;
        store.progress[row].remaining_m[4] = (float)i;
    }
    store.gone[0] = 1;
    store.gone[2] = 1;
    agent_store_compact(&store);
    ck_assert_uint_eq(store.count, 3);
    const uint32_t left[3] = {2, 4, 5};
    for (uint32_t row = 0; row < 3; row++) {
        ck_assert_uint_eq(store.id[row], left[row]);
        ck_assert_float_eq(store.x[row], (float)(left[row] - 1));
        ck_assert_uint_eq(store.tag[row], 99 + left[row]);
        ck_assert_uint_eq(store.slots[row].words[7], left[row] - 1);
        ck_assert_float_eq(store.progress[row].remaining_m[4], (float)(left[row] - 1));
    }
}
END_TEST

START_TEST(test_an_id_is_never_given_again_and_a_new_row_is_clean)
{
    uint32_t row = agent_store_add(&store);
    store.vx[row] = 3.0f;
    store.slots[row].words[0] = 9;
    store.gone[row] = 1;
    ck_assert(!agent_store_find(&store, (struct steer_agent_id){1}, &row));
    agent_store_compact(&store);
    row = agent_store_add(&store);
    ck_assert_uint_eq(row, 0);
    ck_assert_uint_eq(store.gone[row], 0);
    ck_assert_uint_eq(store.id[row], 2);
    ck_assert_float_eq(store.vx[row], 0.0f);
    ck_assert_uint_eq(store.slots[row].words[0], 0);
}
END_TEST

Suite *suite_sim_store(void)
{
    Suite *suite = suite_create("sim_store");
    TCase *rows = tcase_create("rows");
    tcase_add_checked_fixture(rows, setup, teardown);
    tcase_add_test(rows, test_ids_grow_from_one_and_are_found);
    tcase_add_test(rows, test_what_is_not_there_is_not_found);
    tcase_add_test(rows, test_removal_closes_gaps_in_order_with_every_column);
    tcase_add_test(rows, test_an_id_is_never_given_again_and_a_new_row_is_clean);
    suite_add_tcase(suite, rows);
    return suite;
}
