/* The two documents that are read without the simulation: profiles and flat option files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suites.h"
#include "yaml/flat.h"
#include "yaml/profile_doc.h"

static char path[] = "/tmp/steerd-doc-XXXXXX";

static void file_setup(void)
{
    strcpy(path + strlen(path) - 6, "XXXXXX");
    close(mkstemp(path));
}

static void file_teardown(void)
{
    unlink(path);
}

static void file_write(const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

START_TEST(test_a_profile_keeps_limits_and_parameters_by_name)
{
    file_write("name: runner\nmax_speed: 3.0\nradius: 0.3\ncombine: blend\nrest: coast\nbehaviours:\n"
               "  - {name: avoid_agents, group: 1, weight: 2, time_horizon: 2.5, margin: 0.1}\n  - "
               "{name: arrive}\n");
    struct yaml_tree *tree = NULL;
    struct profile_doc doc;
    struct fault fault = {0};
    ck_assert_msg(profile_doc_load(path, &tree, &doc, &fault) == STATUS_OK, "%s", fault.text);
    ck_assert_str_eq(doc.name, "runner");
    ck_assert_uint_eq(doc.combine, 0);
    ck_assert_uint_eq(doc.rest, 2);
    ck_assert_uint_eq(doc.limits.count, 2);
    ck_assert_str_eq(doc.limits.items[0].name, "max_speed");
    ck_assert_double_eq(doc.limits.items[0].value, 3);
    ck_assert_uint_eq(doc.behaviours.count, 2);
    const struct profile_doc_behaviour *behaviours = doc.behaviours.items;
    ck_assert_str_eq(behaviours[0].name, "avoid_agents");
    ck_assert_uint_eq(behaviours[0].group, 1);
    ck_assert_float_eq(behaviours[0].weight, 2);
    ck_assert_uint_eq(behaviours[0].parameters.count, 2);
    ck_assert_str_eq(behaviours[0].parameters.items[1].name, "margin");
    ck_assert_uint_eq(behaviours[0].parameters.items[1].line, 7);
    ck_assert_uint_eq(behaviours[1].parameters.count, 0);
    ck_assert_float_eq(behaviours[1].weight, 1);
    yaml_tree_destroy(tree);
}
END_TEST

START_TEST(test_a_profile_without_behaviours_is_refused)
{
    struct yaml_tree *tree = NULL;
    struct profile_doc doc;
    struct fault fault = {0};
    file_write("name: runner\n");
    ck_assert_int_eq(profile_doc_load(path, &tree, &doc, &fault), STATUS_INVALID_ARGUMENT);
    ck_assert_msg(strstr(fault.text, ":1: behaviours is missing: a list of 1 to 16 maps is needed") != NULL,
                  "%s", fault.text);
    file_write("name: runner\nbehaviours:\n  - {name: arrive, group: 8}\n");
    ck_assert_int_eq(profile_doc_load(path, &tree, &doc, &fault), STATUS_OUT_OF_RANGE);
    ck_assert_msg(
        strstr(fault.text, ":3: behaviours[0].group: 8 is out of range: a whole number in [0, 7]") != NULL,
        "%s", fault.text);
}
END_TEST

/* What yaml_flat_read told, as "name=text;" each. */
static enum status flat_note(void *context, const char *name, const char *text, struct fault *fault)
{
    char *told = context;
    if (strcmp(name, "bad") == 0) {
        return fault_set(fault, STATUS_NOT_FOUND, "%s is no option", name);
    }
    sprintf(told + strlen(told), "%s=%s;", name, text);
    return STATUS_OK;
}

START_TEST(test_flat_values_are_told_as_a_command_line_has_them)
{
    char told[512] = "";
    file_write(
        "tick-rate: 60\nopen: true\nworld-min: [-50, -50.5]\nlisten: [\"[::1]:7400\", 127.0.0.1:7400]\n");
    struct fault fault = {0};
    ck_assert_msg(yaml_flat_read(path, flat_note, told, &fault) == STATUS_OK, "%s", fault.text);
    ck_assert_str_eq(told,
                     "tick-rate=60;open=true;world-min=-50,-50.5;listen=[::1]:7400;listen=127.0.0.1:7400;");
}
END_TEST

START_TEST(test_flat_refusals_name_the_line)
{
    static const struct {
        const char *text;
        const char *words;
    } rows[] = {
        {"a: 1\nbad: 2\n", ":2: bad is no option"},
        {"a: 1\na: 2\n", ":2: a is given twice, first on line 1"},
        {"a: {b: 1}\n", ":1: a: a plain value or a list of plain values is needed"},
        {"a: [x, [1]]\n", ":1: a: a plain value or a list of plain values is needed"},
        {"- a\n", ":1: a map of option names to values is needed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char told[512] = "";
        struct fault fault = {0};
        file_write(rows[i].text);
        ck_assert_int_ne(yaml_flat_read(path, flat_note, told, &fault), STATUS_OK);
        ck_assert_str_eq(fault.text + strlen(path), rows[i].words);
    }
}
END_TEST

Suite *suite_yaml_documents(void)
{
    Suite *suite = suite_create("yaml_documents");
    TCase *profiles = tcase_create("profiles");
    tcase_add_checked_fixture(profiles, file_setup, file_teardown);
    tcase_add_test(profiles, test_a_profile_keeps_limits_and_parameters_by_name);
    tcase_add_test(profiles, test_a_profile_without_behaviours_is_refused);
    suite_add_tcase(suite, profiles);
    TCase *flat = tcase_create("flat");
    tcase_add_checked_fixture(flat, file_setup, file_teardown);
    tcase_add_test(flat, test_flat_values_are_told_as_a_command_line_has_them);
    tcase_add_test(flat, test_flat_refusals_name_the_line);
    suite_add_tcase(suite, flat);
    return suite;
}
