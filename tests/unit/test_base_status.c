#include "base/status.h"
#include "suites.h"

START_TEST(test_names_are_the_grpc_names)
{
    ck_assert_str_eq(status_name(STATUS_OK), "OK");
    ck_assert_str_eq(status_name(STATUS_UNAUTHENTICATED), "UNAUTHENTICATED");
    ck_assert_int_eq(STATUS_UNAUTHENTICATED, 16);
}
END_TEST

START_TEST(test_a_number_that_is_no_status_has_a_name_too)
{
    ck_assert_str_eq(status_name((enum status)99), "?");
}
END_TEST

Suite *suite_base_status(void)
{
    Suite *suite = suite_create("base_status");
    TCase *names = tcase_create("names");
    tcase_add_test(names, test_names_are_the_grpc_names);
    tcase_add_test(names, test_a_number_that_is_no_status_has_a_name_too);
    suite_add_tcase(suite, names);
    return suite;
}
