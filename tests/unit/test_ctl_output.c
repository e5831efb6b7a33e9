#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "session.h"
#include "show.h"
#include "suites.h"
#include "text.h"
#include "watch_view.h"

/* What a print function prints, as a string of its own. */
static char *printed;
static size_t printed_size;
static FILE *out;

static void setup(void)
{
    out = open_memstream(&printed, &printed_size);
}

static void teardown(void)
{
    fclose(out);
    free(printed);
}

static void check_printed(const char *expected)
{
    fflush(out);
    ck_assert_str_eq(printed, expected);
}

START_TEST(test_json_text_escapes_what_json_needs)
{
    json_text(out, "a \"b\" \\ \n\t\x01 \xc3\xa9");
    check_printed("\"a \\\"b\\\" \\\\ \\u000a\\u0009\\u0001 \xc3\xa9\"");
}
END_TEST

START_TEST(test_json_text_replaces_what_is_no_utf8)
{
    json_text(out, "a\xff\xc3");
    check_printed("\"a\xef\xbf\xbd\xef\xbf\xbd\"");
}
END_TEST

START_TEST(test_json_floats_read_back_bit_equal)
{
    static const float values[] = {0.0f,   -0.0f,         0.1f,      1.0f / 3.0f, 16777216.0f,
                                   1e-45f, 3.4028235e38f, -123.456f, 0.3f};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[64] = "";
        FILE *memory = fmemopen(text, sizeof text, "w");
        json_float(memory, values[i]);
        fclose(memory);
        float back = strtof(text, NULL);
        ck_assert_mem_eq(&back, &values[i], sizeof back);
    }
}
END_TEST

START_TEST(test_json_floats_are_short_when_they_can_be)
{
    json_float(out, 0.1f);
    fputc(' ', out);
    json_float(out, 42.0f);
    fputc(' ', out);
    json_float(out, NAN);
    fputc(' ', out);
    json_double(out, 0.1);
    check_printed("0.1 42 null 0.1");
}
END_TEST

START_TEST(test_a_commands_answer_has_the_keys_that_scripts_read)
{
    const struct steerd_result result = {.code = STATUS_OK, .tick = 123, .first_id = 1, .id_count = 1};
    session_print_json(out, &result);
    check_printed("{\"code\": \"OK\", \"message\": \"\", \"tick\": 123, \"first_id\": 1, \"count\": 1}\n");
}
END_TEST

START_TEST(test_an_agent_of_watch_has_the_keys_that_scripts_read)
{
    const struct steerd_agent agent = {.id = 7,
                                       .position_m = {-1.5f, 2.0f},
                                       .velocity_mps = {0.25f, 0.0f},
                                       .orientation_deg = 90.0f,
                                       .state = STEERD_AGENT_STATE_MOVING};
    show_agent_json(out, &agent);
    check_printed("{\"id\": 7, \"x\": -1.5, \"y\": 2, \"vx\": 0.25, \"vy\": 0, \"orientation_deg\": 90}");
}
END_TEST

START_TEST(test_obstacles_are_told_as_scenario_files_write_them)
{
    struct steerd_obstacle obstacle = {
        .id = 3, .shape = STEERD_SHAPE_CIRCLE, .name = "post", .radius_m = 1.0f};
    show_obstacle_json(out, &obstacle);
    check_printed("{\"id\": 3, \"name\": \"post\", \"circle\": {\"center\": [0, 0], \"radius\": 1}}");
}
END_TEST

START_TEST(test_foreign_text_moves_no_cursor)
{
    text_print(out, "wall\x1b[2J\x07\x7f caf\xc3\xa9 \xc2\x9b!\xff");
    check_printed("wall?[2J?? caf\xc3\xa9 ?!?");
}
END_TEST

START_TEST(test_bytes_are_told_in_powers_of_a_thousand)
{
    char text[24];
    ck_assert_str_eq(text_bytes(0.0, text, sizeof text), "0 B");
    ck_assert_str_eq(text_bytes(999.0, text, sizeof text), "999 B");
    ck_assert_str_eq(text_bytes(12345.0, text, sizeof text), "12.3 kB");
    ck_assert_str_eq(text_bytes(4.5e6, text, sizeof text), "4.5 MB");
    ck_assert_str_eq(text_bytes(123.4e9, text, sizeof text), "123 GB");
}
END_TEST

START_TEST(test_rates_are_those_of_the_last_snapshots)
{
    struct watch_rate rate = {0};
    double snapshots_per_s;
    double bytes_per_s;
    watch_rate_read(&rate, &snapshots_per_s, &bytes_per_s);
    ck_assert_double_eq(snapshots_per_s, 0.0);
    for (uint64_t i = 0; i < 100; i++) {
        /* Slow and large at first; only the last WATCH_RATE_SAMPLES count. */
        uint64_t step_ns = i < 50 ? 1000000000 : 100000000;
        uint64_t last = i == 0 ? 0 : rate.time_ns[(i - 1) % WATCH_RATE_SAMPLES];
        watch_rate_add(&rate, last + step_ns, i < 50 ? 100000 : 200);
    }
    watch_rate_read(&rate, &snapshots_per_s, &bytes_per_s);
    ck_assert_double_eq_tol(snapshots_per_s, 10.0, 1e-9);
    ck_assert_double_eq_tol(bytes_per_s, 2000.0, 1e-6);
}
END_TEST

Suite *suite_ctl_output(void)
{
    Suite *suite = suite_create("ctl_output");
    TCase *print = tcase_create("print");
    tcase_add_checked_fixture(print, setup, teardown);
    tcase_add_test(print, test_json_text_escapes_what_json_needs);
    tcase_add_test(print, test_json_text_replaces_what_is_no_utf8);
    tcase_add_test(print, test_json_floats_read_back_bit_equal);
    tcase_add_test(print, test_json_floats_are_short_when_they_can_be);
    tcase_add_test(print, test_a_commands_answer_has_the_keys_that_scripts_read);
    tcase_add_test(print, test_an_agent_of_watch_has_the_keys_that_scripts_read);
    tcase_add_test(print, test_obstacles_are_told_as_scenario_files_write_them);
    tcase_add_test(print, test_foreign_text_moves_no_cursor);
    suite_add_tcase(suite, print);
    TCase *figures = tcase_create("figures");
    tcase_add_test(figures, test_bytes_are_told_in_powers_of_a_thousand);
    tcase_add_test(figures, test_rates_are_those_of_the_last_snapshots);
    suite_add_tcase(suite, figures);
    return suite;
}
