#include "app/change_log.h"
#include "suites.h"

static struct change_log changes;
static struct blob_pool *blobs;

static void changes_setup(void)
{
    changes = (struct change_log){0};
    blobs = blob_pool_create(1 << 20);
    ck_assert_ptr_nonnull(blobs);
}

static void changes_teardown(void)
{
    change_log_clear(&changes);
    blob_pool_destroy(blobs); /* asserts that every blob came back */
}

static struct blob *changes_add(void)
{
    struct blob *blob = blob_pool_take(blobs, 16);
    ck_assert_ptr_nonnull(blob);
    change_log_add(&changes, blob);
    return blob;
}

START_TEST(test_entries_are_found_by_their_numbers)
{
    struct blob *first = changes_add();
    struct blob *second = changes_add();
    ck_assert_uint_eq(changes.next, 2);
    ck_assert_ptr_eq(change_log_get(&changes, 0), first);
    ck_assert_ptr_eq(change_log_get(&changes, 1), second);
}
END_TEST

START_TEST(test_the_oldest_goes_when_the_log_is_full)
{
    changes_add();
    struct blob *second = changes_add();
    for (uint32_t i = 2; i <= CHANGE_LOG_ENTRIES; i++) {
        changes_add();
    }
    ck_assert_ptr_null(change_log_get(&changes, 0));
    ck_assert_ptr_eq(change_log_get(&changes, 1), second);
}
END_TEST

START_TEST(test_after_a_loss_no_old_number_is_found_and_new_ones_are)
{
    changes_add();
    change_log_lose(&changes);
    ck_assert_ptr_null(change_log_get(&changes, 0));
    ck_assert_ptr_null(change_log_get(&changes, 1)); /* who waited for the lost one */
    uint64_t number = changes.next;
    struct blob *blob = changes_add();
    ck_assert_ptr_eq(change_log_get(&changes, number), blob);
}
END_TEST

Suite *suite_app_change_log(void)
{
    Suite *suite = suite_create("app_change_log");
    TCase *ring = tcase_create("ring");
    tcase_add_checked_fixture(ring, changes_setup, changes_teardown);
    tcase_add_test(ring, test_entries_are_found_by_their_numbers);
    tcase_add_test(ring, test_the_oldest_goes_when_the_log_is_full);
    tcase_add_test(ring, test_after_a_loss_no_old_number_is_found_and_new_ones_are);
    suite_add_tcase(suite, ring);
    return suite;
}
