#include "app/inbox.h"
#include "suites.h"

#define ENTRIES_MAX  4u
#define SESSIONS_MAX 2u

static struct inbox inbox;

static void inbox_setup(void)
{
    struct inbox_config config = {
        .entries_max = ENTRIES_MAX, .sessions_max = SESSIONS_MAX, .arena_bytes = 4096};
    ck_assert(inbox_init(&inbox, &config));
}

static void inbox_teardown(void)
{
    inbox_deinit(&inbox);
}

static enum status inbox_add_request(uint64_t request_id, struct fault *fault)
{
    struct inbox_entry entry = {.request_id = request_id};
    return inbox_add(&inbox, &entry, fault);
}

START_TEST(test_commands_come_out_in_arrival_order)
    {
        for (uint64_t i = 1; i <= 3; i++) {
            ck_assert_int_eq(inbox_add_request(i, NULL), STATUS_OK);
        }
        struct inbox_batch *batch = inbox_freeze(&inbox);
        ck_assert_uint_eq(batch->count, 3);
        for (uint64_t i = 0; i < 3; i++) {
            ck_assert_uint_eq(batch->entries[i].request_id, i + 1);
        }
        inbox_release(&inbox, batch);
    }
END_TEST

START_TEST(test_a_full_inbox_refuses_with_the_limit)
    {
        for (uint64_t i = 0; i < ENTRIES_MAX; i++) {
            ck_assert_int_eq(inbox_add_request(i, NULL), STATUS_OK);
        }
        struct fault fault = {0};
        ck_assert_int_eq(inbox_add_request(99, &fault), STATUS_RESOURCE_EXHAUSTED);
        ck_assert_str_eq(
            fault.text, "the inbox is full: 4 commands wait for the next tick, send this one again after it");
        struct inbox_batch *batch = inbox_freeze(&inbox);
        ck_assert_uint_eq(batch->count, ENTRIES_MAX);
        ck_assert_int_eq(inbox_add_request(99, &fault), STATUS_OK);
        inbox_release(&inbox, batch);
    }
END_TEST

START_TEST(test_what_arrives_during_a_tick_waits_for_the_next)
    {
        ck_assert_int_eq(inbox_add_request(1, NULL), STATUS_OK);
        struct inbox_batch *first = inbox_freeze(&inbox);
        ck_assert(inbox_is_empty(&inbox));
        ck_assert_int_eq(inbox_add_request(2, NULL), STATUS_OK);
        ck_assert_uint_eq(first->count, 1);
        inbox_release(&inbox, first);
        struct inbox_batch *second = inbox_freeze(&inbox);
        ck_assert_uint_eq(second->count, 1);
        ck_assert_uint_eq(second->entries[0].request_id, 2);
        inbox_release(&inbox, second);
    }
END_TEST

START_TEST(test_release_frees_messages_of_that_batch_only)
    {
        ck_assert_ptr_nonnull(arena_take(inbox_arena(&inbox), 4000));
        struct inbox_batch *batch = inbox_freeze(&inbox);
        ck_assert_ptr_nonnull(arena_take(inbox_arena(&inbox), 4000));
        inbox_release(&inbox, batch);
        ck_assert_ptr_null(arena_take(inbox_arena(&inbox), 4000));
        batch = inbox_freeze(&inbox);
        ck_assert_ptr_nonnull(arena_take(inbox_arena(&inbox), 4000));
        inbox_release(&inbox, batch);
    }
END_TEST

START_TEST(test_departures_have_room_when_the_inbox_is_full)
    {
        for (uint64_t i = 0; i < ENTRIES_MAX; i++) {
            ck_assert_int_eq(inbox_add_request(i, NULL), STATUS_OK);
        }
        for (uint32_t i = 0; i < ENTRIES_MAX + SESSIONS_MAX; i++) {
            inbox_add_departure(&inbox, i + 1);
        }
        struct inbox_batch *batch = inbox_freeze(&inbox);
        ck_assert_uint_eq(batch->departed_count, ENTRIES_MAX + SESSIONS_MAX);
        ck_assert_uint_eq(batch->departed[0], 1);
        inbox_release(&inbox, batch);
    }
END_TEST

START_TEST(test_a_departure_alone_is_work)
    {
        ck_assert(inbox_is_empty(&inbox));
        inbox_add_departure(&inbox, 1);
        ck_assert(!inbox_is_empty(&inbox));
    }
END_TEST

Suite *suite_app_inbox(void)
{
    Suite *suite = suite_create("app_inbox");
    TCase *order = tcase_create("order");
    tcase_add_checked_fixture(order, inbox_setup, inbox_teardown);
    tcase_add_test(order, test_commands_come_out_in_arrival_order);
    tcase_add_test(order, test_what_arrives_during_a_tick_waits_for_the_next);
    suite_add_tcase(suite, order);
    TCase *bounds = tcase_create("bounds");
    tcase_add_checked_fixture(bounds, inbox_setup, inbox_teardown);
    tcase_add_test(bounds, test_a_full_inbox_refuses_with_the_limit);
    tcase_add_test(bounds, test_release_frees_messages_of_that_batch_only);
    tcase_add_test(bounds, test_departures_have_room_when_the_inbox_is_full);
    tcase_add_test(bounds, test_a_departure_alone_is_work);
    suite_add_tcase(suite, bounds);
    return suite;
}
