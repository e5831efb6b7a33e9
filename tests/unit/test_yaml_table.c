#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suites.h"
#include "yaml/table.h"

struct inner {
    struct yaml_head head;
    float size;
    const char *name;
};

static const struct yaml_key inner_keys[] = {
    {.name = "size",
     .kind = YAML_KIND_FLOAT,
     .required = true,
     .offset = offsetof(struct inner, size),
     .min = 0.5,
     .max = 2,
     .unit = "m"},
    {.name = "name", .kind = YAML_KIND_TEXT, .offset = offsetof(struct inner, name), .count_max = 4},
};

static const struct yaml_table inner_table = {
    .name = "inner", .keys = inner_keys, .key_count = 2, .size = sizeof(struct inner)};

struct outer {
    struct yaml_head head;
    uint32_t rate;
    uint64_t seed;
    double time;
    bool on;
    uint32_t mode;
    struct vec2 at;
    struct yaml_points path;
    struct inner one;
    struct yaml_list many;
    struct yaml_numbers numbers;
    int custom;
};

static enum status outer_read_custom(struct yaml_reader *reader, const struct yaml_node *node, void *member)
{
    const char *text = yaml_node_text(node);
    if (text == NULL || strcmp(text, "seven") != 0) {
        return yaml_reader_refuse(reader, node, STATUS_INVALID_ARGUMENT, "seven is needed");
    }
    *(int *)member = 7;
    return STATUS_OK;
}

static const struct yaml_key outer_keys[] = {
    {.name = "rate",
     .kind = YAML_KIND_UINT32,
     .offset = offsetof(struct outer, rate),
     .min = 1,
     .max = 240,
     .unit = "Hz",
     .default_text = "30"},
    {.name = "seed",
     .kind = YAML_KIND_UINT64,
     .offset = offsetof(struct outer, seed),
     .min = 0,
     .max = 18446744073709551615.0,
     .default_text = "1"},
    {.name = "time",
     .kind = YAML_KIND_DOUBLE,
     .offset = offsetof(struct outer, time),
     .min = -1,
     .max = 100,
     .unit = "s",
     .default_text = "2.5"},
    {.name = "on", .kind = YAML_KIND_BOOL, .offset = offsetof(struct outer, on), .default_text = "true"},
    {.name = "mode",
     .kind = YAML_KIND_CHOICE,
     .offset = offsetof(struct outer, mode),
     .choices = "slow|fast",
     .default_text = "fast"},
    {.name = "at",
     .kind = YAML_KIND_POINT,
     .offset = offsetof(struct outer, at),
     .min = -10,
     .max = 10,
     .unit = "m"},
    {.name = "path",
     .kind = YAML_KIND_POINTS,
     .offset = offsetof(struct outer, path),
     .min = -10,
     .max = 10,
     .count_min = 1,
     .count_max = 3,
     .unit = "m"},
    {.name = "one", .kind = YAML_KIND_MAP, .offset = offsetof(struct outer, one), .table = &inner_table},
    {.name = "many", .kind = YAML_KIND_MAPS1, .offset = offsetof(struct outer, many), .table = &inner_table},
    {.name = "numbers", .kind = YAML_KIND_NUMBERS, .offset = offsetof(struct outer, numbers)},
    {.name = "custom",
     .kind = YAML_KIND_CUSTOM,
     .offset = offsetof(struct outer, custom),
     .read = outer_read_custom,
     .form = "seven"},
};

static const struct yaml_table outer_table = {.name = "outer",
                                              .keys = outer_keys,
                                              .key_count = sizeof outer_keys / sizeof outer_keys[0],
                                              .size = sizeof(struct outer),
                                              .at_most_one_of = "at|path"};

static struct yaml_tree *tree;
static struct outer outer;

static void tree_teardown(void)
{
    yaml_tree_destroy(tree);
    tree = NULL;
}

static enum status outer_read(const char *text, struct fault *fault)
{
    tree_teardown();
    enum status status = yaml_tree_parse("x.yaml", text, strlen(text), &tree, fault);
    if (status != STATUS_OK) {
        return status;
    }
    return yaml_table_read(tree, yaml_tree_root(tree), &outer_table, "", &outer, fault);
}

START_TEST(test_every_kind_is_read)
{
    struct fault fault = {0};
    ck_assert_msg(
        outer_read("rate: 60\nseed: 18446744073709551615\ntime: -0.5\non: false\nmode: slow\n"
                   "path: [[1, 2], [-3, 4.5]]\none: {size: 1, name: abcd}\n"
                   "many:\n  - {size: 0.5}\n  - {size: 2}\nnumbers: {a: 1, b: -2e1}\ncustom: seven\n",
                   &fault) == STATUS_OK,
        "%s", fault.text);
    ck_assert_uint_eq(outer.rate, 60);
    ck_assert_uint_eq(outer.seed, UINT64_MAX);
    ck_assert_double_eq(outer.time, -0.5);
    ck_assert(!outer.on);
    ck_assert_uint_eq(outer.mode, 0);
    ck_assert_uint_eq(outer.path.count, 2);
    ck_assert_float_eq(outer.path.points[1].y, 4.5f);
    ck_assert_str_eq(outer.one.name, "abcd");
    ck_assert_uint_eq(outer.many.count, 2);
    ck_assert_float_eq(((struct inner *)outer.many.items)[1].size, 2);
    ck_assert_uint_eq(((struct inner *)outer.many.items)[1].head.line, 10);
    ck_assert_uint_eq(outer.numbers.count, 2);
    ck_assert_str_eq(outer.numbers.items[1].name, "b");
    ck_assert_double_eq(outer.numbers.items[1].value, -20);
    ck_assert_int_eq(outer.custom, 7);
    ck_assert(yaml_table_given(&outer_table, &outer.head, "path"));
    ck_assert(!yaml_table_given(&outer_table, &outer.head, "at"));
}
END_TEST

START_TEST(test_missing_keys_take_their_defaults)
{
    ck_assert_int_eq(outer_read("at: [3, 4]", NULL), STATUS_OK);
    ck_assert_uint_eq(outer.rate, 30);
    ck_assert_uint_eq(outer.seed, 1);
    ck_assert_double_eq(outer.time, 2.5);
    ck_assert(outer.on);
    ck_assert_uint_eq(outer.mode, 1);
    ck_assert_float_eq(outer.at.y, 4);
    ck_assert_uint_eq(outer.many.count, 0);
    ck_assert(!yaml_table_given(&outer_table, &outer.head, "rate"));
}
END_TEST

START_TEST(test_one_map_stands_for_a_list_of_one)
{
    ck_assert_int_eq(outer_read("many: {size: 1.5}", NULL), STATUS_OK);
    ck_assert_uint_eq(outer.many.count, 1);
    ck_assert_float_eq(((struct inner *)outer.many.items)[0].size, 1.5f);
}
END_TEST

static const struct {
    const char *text;
    enum status status;
    const char *words;
} refusals[] = {
    {"rate: 30\nspeed: 1", STATUS_INVALID_ARGUMENT,
     "x.yaml:2: unknown key speed; known here: rate, seed, time, on, mode, at, path, one, many, numbers, "
     "custom"},
    {"rate: 30\n\nrate: 31", STATUS_INVALID_ARGUMENT, "x.yaml:3: rate is given twice, first on line 1"},
    {"rate: 0", STATUS_OUT_OF_RANGE,
     "x.yaml:1: rate: 0 is out of range: a whole number in [1, 240] Hz is needed"},
    {"rate: 241", STATUS_OUT_OF_RANGE,
     "x.yaml:1: rate: 241 is out of range: a whole number in [1, 240] Hz is needed"},
    {"rate: -1", STATUS_OUT_OF_RANGE,
     "x.yaml:1: rate: -1 is out of range: a whole number in [1, 240] Hz is needed"},
    {"rate: 1.5", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: rate: \"1.5\" is not allowed: a whole number in [1, 240] Hz is needed"},
    {"rate: \"30\"", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: rate: \"30\" is not allowed: a whole number in [1, 240] Hz is needed"},
    {"rate: [30]", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: rate: a list of 1 is not allowed: a whole number in [1, 240] Hz is needed"},
    {"rate:", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: rate: \"\" is not allowed: a whole number in [1, 240] Hz is needed"},
    {"time: .nan", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: time: \".nan\" is not allowed: a number in [-1, 100] s is needed"},
    {"time: 1e999", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: time: \"1e999\" is not allowed: a number in [-1, 100] s is needed"},
    {"time: 101", STATUS_OUT_OF_RANGE,
     "x.yaml:1: time: 101 is out of range: a number in [-1, 100] s is needed"},
    {"on: yes", STATUS_INVALID_ARGUMENT, "x.yaml:1: on: \"yes\" is not allowed: true or false is needed"},
    {"mode: quick", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: mode: \"quick\" is not allowed: one of slow|fast is needed"},
    {"at: left", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: at: \"left\" is not allowed: a point [x, y], each in [-10, 10] m, is needed"},
    {"at: [1, 2, 3]", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: at: a list of 3 is not allowed: a point [x, y], each in [-10, 10] m, is needed"},
    {"at:\n - 1\n - 11", STATUS_OUT_OF_RANGE,
     "x.yaml:3: at: 11 is out of range: a point [x, y], each in [-10, 10] m, is needed"},
    {"path: []", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: path: a list of 0 is not allowed: a list of 1 to 3 points [x, y], each in [-10, 10] m, is "
     "needed"},
    {"path: [[1, 2], [3]]", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: path: a list of 1 is not allowed: a point [x, y], each in [-10, 10] m, is needed"},
    {"at: [1, 2]\npath: [[1, 2]]", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: at and path exclude each other: one of at|path is needed"},
    {"one: {size: 3}", STATUS_OUT_OF_RANGE,
     "x.yaml:1: one.size: 3 is out of range: a number in [0.5, 2] m is needed"},
    {"one: 3", STATUS_INVALID_ARGUMENT, "x.yaml:1: one: \"3\" is not a map of keys and values"},
    {"one: {name: x}", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: one: size is missing: a number in [0.5, 2] m is needed"},
    {"one: {size: 1, name: abcde}", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: one.name: \"abcde\" is not allowed: a text of 1 to 4 bytes is needed"},
    {"many:\n  - {size: 1}\n  - {size: 1, length: 2}", STATUS_INVALID_ARGUMENT,
     "x.yaml:3: many[1]: unknown key length; known here: size, name"},
    {"many: 3", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: many: \"3\" is not allowed: a map or a list of maps is needed"},
    {"numbers: {a: b}", STATUS_INVALID_ARGUMENT, "x.yaml:1: numbers.a: \"b\" is not a finite number"},
    {"numbers: {a: 1,\n a: 2}", STATUS_INVALID_ARGUMENT,
     "x.yaml:2: numbers: a is given twice, first on line 1"},
    {"numbers: [1]", STATUS_INVALID_ARGUMENT,
     "x.yaml:1: numbers: a list of 1 is not allowed: a map of names to numbers is needed"},
    {"custom: eight", STATUS_INVALID_ARGUMENT, "x.yaml:1: custom: seven is needed"},
    {"? [a]\n: 1", STATUS_INVALID_ARGUMENT, "x.yaml:1: a key is a list or map: a name is needed"},
    {"- 1", STATUS_INVALID_ARGUMENT, "x.yaml:1: a list of 1 is not a map of keys and values"},
    {"", STATUS_INVALID_ARGUMENT, "x.yaml: the file is empty"},
    {"rate: 30\n---\nrate: 31", STATUS_INVALID_ARGUMENT, "x.yaml:3: a second document begins: one is needed"},
    {"one: {size: \"a\\0b\"}", STATUS_INVALID_ARGUMENT, "x.yaml:1: a text holds a zero byte"},
};

START_TEST(test_refusals_name_file_line_key_and_range)
{
    struct fault fault = {0};
    ck_assert_int_eq(outer_read(refusals[_i].text, &fault), refusals[_i].status);
    ck_assert_str_eq(fault.text, refusals[_i].words);
    ck_assert_int_eq(outer_read(refusals[_i].text, NULL), refusals[_i].status);
}
END_TEST

START_TEST(test_what_is_not_yaml_is_refused_with_its_line)
{
    static const char *const texts[] = {"rate: 30\nat: [1, 2", "rate: 30\n\tat: 1", "rate: *nobody", "a: \"b",
                                        "rate: 30\nseed: \xff\xfe"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct fault fault = {0};
        ck_assert_int_eq(outer_read(texts[i], &fault), STATUS_INVALID_ARGUMENT);
        ck_assert_msg(strncmp(fault.text, "x.yaml:", 7) == 0, "%s", fault.text);
        ck_assert_msg(strstr(fault.text, ": this is not YAML: ") != NULL, "%s", fault.text);
    }
}
END_TEST

START_TEST(test_deep_nesting_is_refused_at_once)
{
    enum { DEPTH = 300000 };
    char *text = malloc(DEPTH + 3);
    strcpy(text, "\n\n");
    memset(text + 2, '[', DEPTH);
    text[DEPTH + 2] = '\0';
    struct fault fault = {0};
    ck_assert_int_eq(outer_read(text, &fault), STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text, "x.yaml:3: lists and maps are nested deeper than the 64 allowed");
    free(text);
}
END_TEST

START_TEST(test_files_that_cannot_be_read_are_named)
{
    struct fault fault = {0};
    ck_assert_int_eq(yaml_tree_load("/nowhere/scene.yaml", &tree, &fault), STATUS_NOT_FOUND);
    ck_assert_str_eq(fault.text, "/nowhere/scene.yaml: cannot be read: No such file or directory");
    ck_assert_int_eq(yaml_tree_load("/", &tree, &fault), STATUS_UNAVAILABLE);
    ck_assert_str_eq(fault.text, "/: cannot be read: Is a directory");
}
END_TEST

START_TEST(test_a_file_is_read_whole)
{
    char path[] = "/tmp/steerd-yaml-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    for (int i = 0; i < 20000; i++) {
        fprintf(file, "# a line that makes the file longer than one block\n");
    }
    fprintf(file, "rate: 77\n");
    fclose(file);
    struct fault fault = {0};
    ck_assert_int_eq(yaml_tree_load(path, &tree, &fault), STATUS_OK);
    ck_assert_int_eq(yaml_table_read(tree, yaml_tree_root(tree), &outer_table, "", &outer, &fault),
                     STATUS_OK);
    ck_assert_uint_eq(outer.rate, 77);
    ck_assert_uint_eq(outer.head.line, 20001);
    unlink(path);
}
END_TEST

Suite *suite_yaml_table(void)
{
    Suite *suite = suite_create("yaml_table");
    TCase *reading = tcase_create("reading");
    tcase_add_checked_fixture(reading, NULL, tree_teardown);
    tcase_add_test(reading, test_every_kind_is_read);
    tcase_add_test(reading, test_missing_keys_take_their_defaults);
    tcase_add_test(reading, test_one_map_stands_for_a_list_of_one);
    tcase_add_test(reading, test_a_file_is_read_whole);
    suite_add_tcase(suite, reading);
    TCase *refusing = tcase_create("refusing");
    tcase_add_checked_fixture(refusing, NULL, tree_teardown);
    tcase_add_loop_test(refusing, test_refusals_name_file_line_key_and_range, 0,
                        (int)(sizeof refusals / sizeof refusals[0]));
    tcase_add_test(refusing, test_what_is_not_yaml_is_refused_with_its_line);
    tcase_add_test(refusing, test_deep_nesting_is_refused_at_once);
    tcase_add_test(refusing, test_files_that_cannot_be_read_are_named);
    suite_add_tcase(suite, refusing);
    return suite;
}
