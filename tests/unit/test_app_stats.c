#include "app/stats.h"
#include "suites.h"

static struct sample_window window;

START_TEST(test_an_empty_window_says_zero)
{
    sample_window_init(&window, 300);
    struct sample_percentiles is = sample_window_percentiles(&window);
    ck_assert_double_eq(is.p50, 0.0);
    ck_assert_double_eq(is.p99, 0.0);
    ck_assert_double_eq(is.max, 0.0);
}
END_TEST

START_TEST(test_one_sample_is_every_percentile)
{
    sample_window_init(&window, 300);
    sample_window_add(&window, 7.0);
    struct sample_percentiles is = sample_window_percentiles(&window);
    ck_assert_double_eq(is.p50, 7.0);
    ck_assert_double_eq(is.p99, 7.0);
    ck_assert_double_eq(is.max, 7.0);
}
END_TEST

START_TEST(test_percentiles_of_a_shuffled_hundred_are_exact)
{
    sample_window_init(&window, 100);
    for (uint32_t i = 0; i < 100; i++) {
        sample_window_add(&window,
                          1.0 + (i * 37) % 100); /* 37 and 100 share no factor: each of 1..100 once */
    }
    struct sample_percentiles is = sample_window_percentiles(&window);
    ck_assert_double_eq(is.p50, 50.0);
    ck_assert_double_eq(is.p99, 99.0);
    ck_assert_double_eq(is.max, 100.0);
}
END_TEST

START_TEST(test_equal_samples_do_not_upset_the_selection)
{
    sample_window_init(&window, SAMPLE_WINDOW_MAX);
    for (uint32_t i = 0; i < SAMPLE_WINDOW_MAX; i++) {
        sample_window_add(&window, 5.0);
    }
    struct sample_percentiles is = sample_window_percentiles(&window);
    ck_assert_double_eq(is.p50, 5.0);
    ck_assert_double_eq(is.max, 5.0);
}
END_TEST

START_TEST(test_old_samples_leave_the_window)
{
    sample_window_init(&window, 10);
    sample_window_add(&window, 1000.0);
    for (uint32_t i = 0; i < 10; i++) {
        sample_window_add(&window, 1.0);
    }
    ck_assert_double_eq(sample_window_percentiles(&window).max, 1.0);
}
END_TEST

START_TEST(test_reading_does_not_disturb_the_order_of_samples)
{
    sample_window_init(&window, 3);
    sample_window_add(&window, 30.0);
    sample_window_add(&window, 20.0);
    sample_window_add(&window, 10.0);
    ck_assert_double_eq(sample_window_percentiles(&window).max, 30.0);
    sample_window_add(&window, 1.0); /* takes the place of 30 */
    ck_assert_double_eq(sample_window_percentiles(&window).max, 20.0);
}
END_TEST

Suite *suite_app_stats(void)
{
    Suite *suite = suite_create("app_stats");
    TCase *percentiles = tcase_create("percentiles");
    tcase_add_test(percentiles, test_an_empty_window_says_zero);
    tcase_add_test(percentiles, test_one_sample_is_every_percentile);
    tcase_add_test(percentiles, test_percentiles_of_a_shuffled_hundred_are_exact);
    tcase_add_test(percentiles, test_equal_samples_do_not_upset_the_selection);
    suite_add_tcase(suite, percentiles);
    TCase *ring = tcase_create("ring");
    tcase_add_test(ring, test_old_samples_leave_the_window);
    tcase_add_test(ring, test_reading_does_not_disturb_the_order_of_samples);
    suite_add_tcase(suite, ring);
    return suite;
}
