#include <string.h>

#include "app/endpoint.h"
#include "suites.h"

START_TEST(test_hosts_and_ports_are_read)
{
    static const struct {
        const char *text;
        const char *host;
        uint16_t port;
    } rows[] = {
        {"127.0.0.1:7400", "127.0.0.1", 7400},
        {"localhost:0", "localhost", 0},
        {"[::1]:65535", "::1", 65535},
        {"[::]:7400", "::", 7400},
        {":7400", "", 7400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct endpoint endpoint = {0};
        ck_assert_int_eq(endpoint_parse(rows[i].text, &endpoint, NULL), STATUS_OK);
        ck_assert_str_eq(endpoint.host, rows[i].host);
        ck_assert_uint_eq(endpoint.port, rows[i].port);
    }
}
END_TEST

START_TEST(test_anything_else_is_refused_with_the_form)
{
    static const char *const texts[] = {"",           "7400",       "host",     "host:",     "host:x",
                                        "host:65536", "::1:740",    "[::1]",    "[::1:7400", "[]:7400",
                                        "host:-1",    "host:7400 ", "[::1]x:1", "host:0x10"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct endpoint endpoint = {0};
        struct fault fault = {0};
        ck_assert_msg(endpoint_parse(texts[i], &endpoint, &fault) == STATUS_INVALID_ARGUMENT, "%s", texts[i]);
        ck_assert_ptr_nonnull(strstr(fault.text, "is not HOST:PORT"));
    }
}
END_TEST

START_TEST(test_loopback_is_told_from_the_rest)
{
    static const char *const loopback[] = {"127.0.0.1:1", "127.8.9.10:1", "[::1]:1"};
    static const char *const elsewhere[] = {":1", "0.0.0.0:1", "[::]:1", "192.0.2.1:1", "[2001:db8::1]:1"};
    struct endpoint endpoint;
    for (size_t i = 0; i < sizeof loopback / sizeof loopback[0]; i++) {
        ck_assert_int_eq(endpoint_parse(loopback[i], &endpoint, NULL), STATUS_OK);
        ck_assert_msg(endpoint_is_loopback(&endpoint), "%s", loopback[i]);
    }
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++) {
        ck_assert_int_eq(endpoint_parse(elsewhere[i], &endpoint, NULL), STATUS_OK);
        ck_assert_msg(!endpoint_is_loopback(&endpoint), "%s", elsewhere[i]);
    }
}
END_TEST

Suite *suite_app_endpoint(void)
{
    Suite *suite = suite_create("app_endpoint");
    TCase *parse = tcase_create("parse");
    tcase_add_test(parse, test_hosts_and_ports_are_read);
    tcase_add_test(parse, test_anything_else_is_refused_with_the_form);
    suite_add_tcase(suite, parse);
    TCase *loopback = tcase_create("loopback");
    tcase_add_test(loopback, test_loopback_is_told_from_the_rest);
    suite_add_tcase(suite, loopback);
    return suite;
}
