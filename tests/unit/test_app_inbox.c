#include "app/inbox.h"
#include "suites.h"

#define ENTRIES_MAX  8u
#define SESSIONS_MAX 2u
#define ARENA_BYTES  4096u

static struct inbox inbox;

static void inbox_setup(void)
{
    struct inbox_config config = {
        .entries_max = ENTRIES_MAX, .sessions_max = SESSIONS_MAX, .arena_bytes = ARENA_BYTES};
    ck_assert(inbox_init(&inbox, &config));
}

static void inbox_teardown(void)
{
    inbox_deinit(&inbox);
}

static enum status inbox_add_request(uint64_t request_id, struct fault *fault)
{
    struct inbox_entry entry = {.request_id = request_id};
    struct inbox_share share = {0}; /* each from another session */
    return inbox_add(&inbox, &entry, 16, &share, fault);
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
    ck_assert_str_eq(fault.text,
                     "the inbox is full: 8 commands wait for the next tick, send this one again after it");
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

START_TEST(test_one_session_takes_its_share_and_others_still_have_room)
{
    struct inbox_share share = {0};
    struct inbox_entry entry = {.request_id = 1};
    struct fault fault = {0};
    for (uint32_t i = 0; i < ENTRIES_MAX / INBOX_SHARE; i++) {
        ck_assert_int_eq(inbox_add(&inbox, &entry, 16, &share, &fault), STATUS_OK);
    }
    ck_assert_int_eq(inbox_add(&inbox, &entry, 16, &share, &fault), STATUS_RESOURCE_EXHAUSTED);
    ck_assert_str_eq(fault.text,
                     "2 commands of this session wait for the next tick, which is its share of the inbox: "
                     "send this one again after it");
    ck_assert_int_eq(inbox_add_request(2, NULL), STATUS_OK);
    inbox_release(&inbox, inbox_freeze(&inbox));
    ck_assert_int_eq(inbox_add(&inbox, &entry, 16, &share, &fault), STATUS_OK);
}
END_TEST

START_TEST(test_the_share_counts_bytes_too_but_one_command_always_fits)
{
    struct inbox_share share = {0};
    struct inbox_entry entry = {.request_id = 1};
    ck_assert_int_eq(inbox_add(&inbox, &entry, ARENA_BYTES / 2, &share, NULL), STATUS_OK);
    ck_assert_int_eq(inbox_add(&inbox, &entry, 1, &share, NULL), STATUS_RESOURCE_EXHAUSTED);
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
    tcase_add_test(bounds, test_one_session_takes_its_share_and_others_still_have_room);
    tcase_add_test(bounds, test_the_share_counts_bytes_too_but_one_command_always_fits);
    tcase_add_test(bounds, test_release_frees_messages_of_that_batch_only);
    tcase_add_test(bounds, test_departures_have_room_when_the_inbox_is_full);
    tcase_add_test(bounds, test_a_departure_alone_is_work);
    suite_add_tcase(suite, bounds);
    return suite;
}
