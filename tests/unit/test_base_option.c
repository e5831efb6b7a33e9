#include "base/option.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suites.h"

static const struct option_spec specs[] = {
    {.name = "open", .kind = OPTION_FLAG, .help = "Anyone may come in."},
    {.name = "listen",
     .kind = OPTION_TEXT,
     .value_name = "HOST:PORT",
     .repeats = true,
     .default_text = "127.0.0.1:7400",
     .help = "Where to listen."},
    {.name = "tick-rate",
     .kind = OPTION_UINT,
     .value_name = "HZ",
     .min = 1,
     .max = 240,
     .default_text = "30",
     .help = "Ticks per second."},
    {.name = "tick-rate-max",
     .kind = OPTION_UINT,
     .value_name = "HZ",
     .help = "For the test of whole names."},
    {.name = "radius", .kind = OPTION_FLOAT, .value_name = "M", .min = 0, .max = 10, .help = "How wide."},
    {.name = "position",
     .kind = OPTION_FLOATS,
     .value_name = "X,Y",
     .min = -100,
     .max = 100,
     .count_min = 2,
     .count_max = 2,
     .help = "Where."},
    {.name = "path",
     .kind = OPTION_FLOATS,
     .value_name = "X,Y,...",
     .min = -100,
     .max = 100,
     .count_min = 2,
     .count_max = 8,
     .help = "Along where."},
    {.name = "id", .kind = OPTION_UINTS, .value_name = "N", .min = 1, .max = 4294967295.0, .help = "Whom."},
    {.name = "format",
     .kind = OPTION_CHOICE,
     .choices = "full|delta",
     .default_text = "full",
     .help = "What form."},
    {.name = "seed",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = INFINITY,
     .help = "Where chance begins."},
};

#define SPEC_COUNT (sizeof specs / sizeof specs[0])

static struct option_set *set;
static struct fault fault;

static void set_up(void)
{
    set = option_set_create(specs, SPEC_COUNT);
    ck_assert_ptr_nonnull(set);
    memset(&fault, 0, sizeof fault);
}

static void tear_down(void)
{
    option_set_destroy(set);
}

/* Parses words given with blanks between. */
static enum status parse(const char *line)
{
    static char copy[512];
    char *words[64];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    return option_set_parse_arguments(set, count, words, &fault);
}

START_TEST(test_without_sources_the_defaults_hold)
{
    ck_assert_int_eq(parse(""), STATUS_OK);
    ck_assert_uint_eq(option_set_uint(set, "tick-rate"), 30);
    ck_assert_str_eq(option_set_text(set, "listen"), "127.0.0.1:7400");
    ck_assert_str_eq(option_set_text(set, "format"), "full");
    ck_assert(!option_set_flag(set, "open"));
    ck_assert(!option_set_get(set, "tick-rate")->given);
    ck_assert_uint_eq(option_set_get(set, "position")->count, 0);
}
END_TEST

START_TEST(test_values_follow_as_word_or_after_equals)
{
    ck_assert_int_eq(parse("--tick-rate 60 --radius=2.5 --open --format=delta"), STATUS_OK);
    ck_assert_uint_eq(option_set_uint(set, "tick-rate"), 60);
    ck_assert_double_eq(option_set_float(set, "radius"), 2.5);
    ck_assert(option_set_flag(set, "open"));
    ck_assert_str_eq(option_set_text(set, "format"), "delta");
    ck_assert(option_set_get(set, "tick-rate")->given);
}
END_TEST

START_TEST(test_values_may_begin_with_a_dash)
{
    ck_assert_int_eq(parse("--position -6,-0.5 --listen --open"), STATUS_OK);
    const struct option_value *position = option_set_get(set, "position");
    ck_assert_uint_eq(position->count, 2);
    ck_assert_double_eq(position->items[0].number, -6.0);
    ck_assert_double_eq(position->items[1].number, -0.5);
    ck_assert_str_eq(option_set_text(set, "listen"), "--open");
    ck_assert(!option_set_flag(set, "open"));
}
END_TEST

START_TEST(test_lists_of_ids_end_at_the_first_word_that_is_no_number)
{
    ck_assert_int_eq(parse("set --id 1 2,3 4294967295 runner --id 7"), STATUS_OK);
    const struct option_value *ids = option_set_get(set, "id");
    ck_assert_uint_eq(ids->count, 5);
    ck_assert_uint_eq(ids->items[0].uint, 1);
    ck_assert_uint_eq(ids->items[2].uint, 3);
    ck_assert_uint_eq(ids->items[3].uint, 4294967295u);
    ck_assert_uint_eq(ids->items[4].uint, 7);
    ck_assert_uint_eq(option_set_positional_count(set), 2);
    ck_assert_str_eq(option_set_positional(set, 0), "set");
    ck_assert_str_eq(option_set_positional(set, 1), "runner");
}
END_TEST

START_TEST(test_repeating_texts_add_up_and_replace_the_default)
{
    ck_assert_int_eq(parse("--listen a:1 --listen b:2"), STATUS_OK);
    const struct option_value *listen = option_set_get(set, "listen");
    ck_assert_uint_eq(listen->count, 2);
    ck_assert_str_eq(listen->items[0].text, "a:1");
    ck_assert_str_eq(listen->items[1].text, "b:2");
}
END_TEST

START_TEST(test_two_dashes_end_the_options)
{
    ck_assert_int_eq(parse("one - -- --open --"), STATUS_OK);
    ck_assert(!option_set_flag(set, "open"));
    ck_assert_uint_eq(option_set_positional_count(set), 4);
    ck_assert_str_eq(option_set_positional(set, 1), "-");
    ck_assert_str_eq(option_set_positional(set, 2), "--open");
    ck_assert_str_eq(option_set_positional(set, 3), "--");
}
END_TEST

START_TEST(test_a_longer_name_with_the_same_beginning_is_another_option)
{
    ck_assert_int_eq(parse("--tick-rate-max 5"), STATUS_OK);
    ck_assert_uint_eq(option_set_uint(set, "tick-rate"), 30);
    ck_assert_uint_eq(option_set_uint(set, "tick-rate-max"), 5);
}
END_TEST

START_TEST(test_thousands_of_ids_are_too_many)
{
    ck_assert_int_eq(parse("--id 1"), STATUS_OK);
    char name[] = "--id";
    char number[] = "1";
    char *words[] = {name, number};
    for (int i = 1; i < OPTION_VALUES_MAX; i++) {
        ck_assert_int_eq(option_set_parse_arguments(set, 2, words, &fault), STATUS_OK);
    }
    ck_assert_uint_eq(option_set_get(set, "id")->count, OPTION_VALUES_MAX);
    ck_assert_int_eq(option_set_parse_arguments(set, 2, words, &fault), STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(fault.text, "--id has more than 4096 values");
}
END_TEST

static const struct {
    const char *line;
    enum status status;
    const char *text;
} refusals[] = {
    {"--tick-rate 0", STATUS_OUT_OF_RANGE, "--tick-rate is \"0\": a whole number in [1, 240] is needed"},
    {"--tick-rate 241", STATUS_OUT_OF_RANGE, "--tick-rate is \"241\": a whole number in [1, 240] is needed"},
    {"--tick-rate 3x", STATUS_INVALID_ARGUMENT,
     "--tick-rate is \"3x\": a whole number in [1, 240] is needed"},
    {"--tick-rate -1", STATUS_INVALID_ARGUMENT,
     "--tick-rate is \"-1\": a whole number in [1, 240] is needed"},
    {"--tick-rate=", STATUS_INVALID_ARGUMENT, "--tick-rate is \"\": a whole number in [1, 240] is needed"},
    {"--tick-rate", STATUS_INVALID_ARGUMENT, "--tick-rate needs a value"},
    {"--tick-rat 30", STATUS_INVALID_ARGUMENT, "--tick-rat is no option here; --help lists them"},
    {"--tick-rate 30 --tick-rate 31", STATUS_INVALID_ARGUMENT, "--tick-rate is given twice"},
    {"--radius nan", STATUS_INVALID_ARGUMENT, "--radius is \"nan\": a number in [0, 10] is needed"},
    {"--radius 10.5", STATUS_OUT_OF_RANGE, "--radius is \"10.5\": a number in [0, 10] is needed"},
    {"--radius 1,2", STATUS_INVALID_ARGUMENT, "--radius is \"1,2\": a number in [0, 10] is needed"},
    {"--position 1", STATUS_INVALID_ARGUMENT,
     "--position is \"1\": 2 numbers with commas between, each in [-100, 100] is needed"},
    {"--position 1,2,3", STATUS_INVALID_ARGUMENT,
     "--position is \"1,2,3\": 2 numbers with commas between, each in [-100, 100] is needed"},
    {"--path 1,2,101", STATUS_OUT_OF_RANGE,
     "--path is \"1,2,101\": 2 to 8 numbers with commas between, each in [-100, 100] is needed"},
    {"--id 0", STATUS_OUT_OF_RANGE, "--id is \"0\": one or more whole numbers in [1, 4294967295] is needed"},
    {"--id 1 2,", STATUS_INVALID_ARGUMENT,
     "--id is \"\": one or more whole numbers in [1, 4294967295] is needed"},
    {"--id walker", STATUS_INVALID_ARGUMENT,
     "--id is \"walker\": one or more whole numbers in [1, 4294967295] is needed"},
    {"--format ful", STATUS_INVALID_ARGUMENT, "--format is \"ful\": one of full|delta is needed"},
    {"--format delta|full", STATUS_INVALID_ARGUMENT,
     "--format is \"delta|full\": one of full|delta is needed"},
    {"--seed 0", STATUS_OUT_OF_RANGE, "--seed is \"0\": a whole number of at least 1 is needed"},
    {"--open=true", STATUS_INVALID_ARGUMENT, "--open takes no value"},
    {"--nothing", STATUS_INVALID_ARGUMENT, "--nothing is no option here; --help lists them"},
    {"--nothing=5", STATUS_INVALID_ARGUMENT, "--nothing is no option here; --help lists them"},
    {"-6,0", STATUS_INVALID_ARGUMENT, "-6,0 is no option here; --help lists them"},
};

START_TEST(test_refusals_name_option_value_and_range)
{
    ck_assert_int_eq(parse(refusals[_i].line), refusals[_i].status);
    ck_assert_str_eq(fault.text, refusals[_i].text);
}
END_TEST

START_TEST(test_a_flag_beats_the_environment_beats_a_file_beats_the_default)
{
    setenv("T_TICK_RATE", "50", 1);
    setenv("T_RADIUS", "3", 1);
    setenv("T_FORMAT", "", 1);
    setenv("T_OPEN", "true", 1);
    setenv("T_LISTEN", "a:1,b:2", 1);
    ck_assert_int_eq(parse("--tick-rate 60"), STATUS_OK);
    ck_assert_int_eq(option_set_add_file_value(set, "radius", "4", &fault), STATUS_OK);
    ck_assert_int_eq(option_set_parse_environment(set, "T_", &fault), STATUS_OK);
    ck_assert_int_eq(option_set_add_file_value(set, "tick_rate", "40", &fault), STATUS_OK);
    ck_assert_int_eq(option_set_add_file_value(set, "listen", "c:3", &fault), STATUS_OK);
    ck_assert_int_eq(option_set_add_file_value(set, "tick-rate-max", "70", &fault), STATUS_OK);
    ck_assert_uint_eq(option_set_uint(set, "tick-rate"), 60);
    ck_assert_double_eq(option_set_float(set, "radius"), 3.0);
    ck_assert_str_eq(option_set_text(set, "format"), "full");
    ck_assert(option_set_flag(set, "open"));
    ck_assert_uint_eq(option_set_get(set, "listen")->count, 2);
    ck_assert_str_eq(option_set_get(set, "listen")->items[1].text, "b:2");
    ck_assert_uint_eq(option_set_uint(set, "tick-rate-max"), 70);
}
END_TEST

START_TEST(test_the_environment_is_as_strict_as_the_command_line)
{
    setenv("T_OPEN", "yes", 1);
    ck_assert_int_eq(option_set_parse_environment(set, "T_", &fault), STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text, "T_OPEN is \"yes\": true or false is needed");
    unsetenv("T_OPEN");
    setenv("T_TICK_RATE", "1000", 1);
    ck_assert_int_eq(option_set_parse_environment(set, "T_", &fault), STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(fault.text, "T_TICK_RATE is \"1000\": a whole number in [1, 240] is needed");
}
END_TEST

START_TEST(test_file_values_are_copied_add_up_and_need_a_known_key)
{
    char text[] = "a:1";
    ck_assert_int_eq(option_set_add_file_value(set, "listen", text, &fault), STATUS_OK);
    memset(text, 'x', 3);
    ck_assert_int_eq(option_set_add_file_value(set, "listen", "b:2", &fault), STATUS_OK);
    ck_assert_uint_eq(option_set_get(set, "listen")->count, 2);
    ck_assert_str_eq(option_set_get(set, "listen")->items[0].text, "a:1");
    ck_assert_int_eq(option_set_add_file_value(set, "tickrate", "5", &fault), STATUS_NOT_FOUND);
    ck_assert_str_eq(fault.text, "there is no key \"tickrate\"");
    ck_assert_int_eq(option_set_add_file_value(set, "tick_rate", "5", &fault), STATUS_OK);
    ck_assert_int_eq(option_set_add_file_value(set, "tick-rate", "6", &fault), STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text, "tick-rate is given twice");
}
END_TEST

START_TEST(test_long_refused_values_are_cut_between_characters)
{
    char value[400] = "x";
    for (int i = 0; i < 150; i++) {
        strcat(value, "\xC3\xA4");
    }
    char name[] = "--tick-rate";
    char *words[] = {name, value};
    ck_assert_int_eq(option_set_parse_arguments(set, 2, words, &fault), STATUS_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(fault.text, "\xC3\xA4\": a whole number in [1, 240] is needed"));
}
END_TEST

/* What `print` writes to stdout, in a static buffer. */
static const char *help_text(const char *env_prefix)
{
    static char text[4096];
    FILE *file = tmpfile();
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    option_print_help(specs, SPEC_COUNT, env_prefix);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

START_TEST(test_help_says_range_default_and_variable)
{
    const char *text = help_text("STEERD_");
    ck_assert_ptr_nonnull(strstr(text, "  --open  "));
    ck_assert_ptr_nonnull(strstr(text, "Ticks per second. 1 to 240, default 30. (STEERD_TICK_RATE)\n"));
    ck_assert_ptr_nonnull(strstr(text, "  --listen HOST:PORT...  "));
    ck_assert_ptr_nonnull(strstr(text, "Where to listen. Default 127.0.0.1:7400. (STEERD_LISTEN)\n"));
    ck_assert_ptr_nonnull(strstr(text, "  --format full|delta  "));
    ck_assert_ptr_nonnull(strstr(text, "At least 1. (STEERD_SEED)\n"));
    ck_assert_ptr_null(strstr(help_text(NULL), "STEERD"));
}
END_TEST

START_TEST(test_help_lines_are_at_most_100_wide)
{
    static const struct option_spec wide[] = {
        {.name = "a-name-that-is-much-too-long-for-the-left-column",
         .kind = OPTION_TEXT,
         .value_name = "TEXT",
         .help = "A sentence that goes on and on and on and on and on and on and on and on and on and on "
                 "and on "
                 "and on and on and on and on and on and on and on and on until it ends."},
        {.name = "short", .kind = OPTION_FLAG, .help = "Short."},
    };
    FILE *file = tmpfile();
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    option_print_help(wide, 2, NULL);
    fflush(stdout);
    rewind(file);
    char line[256];
    int lines = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        ck_assert_uint_le(strlen(line), 101);
        lines++;
    }
    ck_assert_int_ge(lines, 4);
    fclose(file);
}
END_TEST

Suite *suite_base_option(void)
{
    Suite *suite = suite_create("base_option");
    TCase *arguments = tcase_create("arguments");
    tcase_add_checked_fixture(arguments, set_up, tear_down);
    tcase_add_test(arguments, test_without_sources_the_defaults_hold);
    tcase_add_test(arguments, test_values_follow_as_word_or_after_equals);
    tcase_add_test(arguments, test_values_may_begin_with_a_dash);
    tcase_add_test(arguments, test_lists_of_ids_end_at_the_first_word_that_is_no_number);
    tcase_add_test(arguments, test_repeating_texts_add_up_and_replace_the_default);
    tcase_add_test(arguments, test_two_dashes_end_the_options);
    tcase_add_test(arguments, test_a_longer_name_with_the_same_beginning_is_another_option);
    tcase_add_test(arguments, test_thousands_of_ids_are_too_many);
    tcase_add_loop_test(arguments, test_refusals_name_option_value_and_range, 0,
                        (int)(sizeof refusals / sizeof refusals[0]));
    tcase_add_test(arguments, test_long_refused_values_are_cut_between_characters);
    suite_add_tcase(suite, arguments);
    TCase *sources = tcase_create("sources");
    tcase_add_checked_fixture(sources, set_up, tear_down);
    tcase_add_test(sources, test_a_flag_beats_the_environment_beats_a_file_beats_the_default);
    tcase_add_test(sources, test_the_environment_is_as_strict_as_the_command_line);
    tcase_add_test(sources, test_file_values_are_copied_add_up_and_need_a_known_key);
    suite_add_tcase(suite, sources);
    TCase *help = tcase_create("help");
    tcase_add_test(help, test_help_says_range_default_and_variable);
    tcase_add_test(help, test_help_lines_are_at_most_100_wide);
    suite_add_tcase(suite, help);
    return suite;
}
