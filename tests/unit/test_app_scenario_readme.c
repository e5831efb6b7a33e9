/* tests/scenarios/README.md documents every key of the tables, word for word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/scenario/scenario.h"
#include "app/scenario/scenario_keys.h"
#include "suites.h"

static char *readme;

static void setup(void)
{
    FILE *file = fopen(STEERD_SOURCE_DIR "/tests/scenarios/README.md", "r");
    ck_assert_ptr_nonnull(file);
    size_t size = 0;
    ck_assert_int_ge(getdelim(&readme, &size, '\0', file), 0);
    fclose(file);
}

static void teardown(void)
{
    free(readme);
    readme = NULL;
}

/* "| `radius` | a number in [0.05, 10] m | 0.4 | half the width |" */
static void key_line(const struct yaml_key *key, char *line, size_t size)
{
    char form[160];
    yaml_key_describe(key, form, sizeof form);
    size_t length = strlen(form);
    if (length > 0 && form[length - 1] == ',') {
        form[length - 1] = '\0';
    }
    const char *otherwise = key->required ? "needed" : key->default_text == NULL ? "-" : key->default_text;
    /* A bar would end a cell of a Markdown table. */
    for (char *bar = strchr(form, '|'); bar != NULL; bar = strchr(bar, '|')) {
        *bar = '/';
    }
    snprintf(line, size, "| `%s` | %s | %s | %s |", key->name, form, otherwise, key->summary);
}

/* The part of the README under "### name", which ends where the next heading begins; NULL when there is none.
 */
static char *section(const char *name)
{
    char heading[64];
    snprintf(heading, sizeof heading, "\n### %s\n", name);
    const char *begin = strstr(readme, heading);
    if (begin == NULL) {
        return NULL;
    }
    begin += strlen(heading);
    const char *end = strstr(begin, "\n#");
    return end == NULL ? strdup(begin) : strndup(begin, (size_t)(end - begin));
}

/* Whether a section has that line; says so when not. */
static uint32_t is_missing(const char *name, const char *line)
{
    char *text = section(name);
    bool missing = text == NULL || strstr(text, line) == NULL;
    if (missing) {
        fprintf(stderr, "%s: %s\n", name, line);
    }
    free(text);
    return missing;
}

static uint32_t count_missing(const struct yaml_table *table)
{
    uint32_t missing = 0;
    for (size_t i = 0; i < table->key_count; i++) {
        char line[512];
        key_line(&table->keys[i], line, sizeof line);
        missing += is_missing(table->name, line);
        if (table->keys[i].table != NULL) {
            missing += count_missing(table->keys[i].table);
        }
    }
    return missing;
}

START_TEST(test_every_limit_is_documented_as_the_table_has_it)
{
    static const struct {
        const char *name;
        const char *unit;
        double min, max, value;
        const char *summary;
    } limits[] = {
#define LIMIT(name, unit, min, max, value, summary) {#name, unit, min, max, value, summary},
        STEER_LIMITS(LIMIT)
#undef LIMIT
    };
    uint32_t missing = 0;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        char line[512];
        snprintf(line, sizeof line, "| `%s` | a number in [%.7g, %.7g] %s | %.7g | %s |", limits[i].name,
                 limits[i].min, limits[i].max, limits[i].unit, limits[i].value, limits[i].summary);
        missing += is_missing("profiles", line);
    }
    ck_assert_msg(missing == 0, "lines of tests/scenarios/README.md are missing, see above");
}
END_TEST

START_TEST(test_every_key_is_documented_as_the_tables_have_it)
{
    ck_assert_msg(count_missing(&scenario_table) == 0,
                  "lines of tests/scenarios/README.md are missing, see above");
}
END_TEST

START_TEST(test_the_example_is_a_scene)
{
    static const char fence[] = "```yaml\n";
    const char *begin = strstr(readme, fence);
    ck_assert_ptr_nonnull(begin);
    begin += strlen(fence);
    const char *end = strstr(begin, "```");
    ck_assert_ptr_nonnull(end);
    struct scenario *scenario;
    struct fault fault = {0};
    ck_assert_msg(scenario_parse("README", begin, (size_t)(end - begin), &scenario, &fault) == STATUS_OK,
                  "%s", fault.text);
    scenario_destroy(scenario);
}
END_TEST

Suite *suite_app_scenario_readme(void)
{
    Suite *suite = suite_create("app_scenario_readme");
    TCase *keys = tcase_create("keys");
    tcase_add_checked_fixture(keys, setup, teardown);
    tcase_add_test(keys, test_every_key_is_documented_as_the_tables_have_it);
    tcase_add_test(keys, test_every_limit_is_documented_as_the_table_has_it);
    tcase_add_test(keys, test_the_example_is_a_scene);
    suite_add_tcase(suite, keys);
    return suite;
}
