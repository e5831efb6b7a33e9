/*
 * Values of table rows: numbers with their ranges, words, points, lists of points; and what a row wants in
 * words. Called by table.c for each key it has found.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/number.h"
#include "yaml/value.h"

const char *yaml_value_quote(const struct yaml_node *node, char *text)
{
    const size_t size = sizeof(struct yaml_quote);
    switch (yaml_node_kind(node)) {
    case YAML_NODE_KIND_LIST:
        snprintf(text, size, "a list of %zu", yaml_node_count(node));
        break;
    case YAML_NODE_KIND_MAP:
        snprintf(text, size, "a map");
        break;
    case YAML_NODE_KIND_SCALAR:
        snprintf(text, size, "\"%.40s\"", yaml_node_text(node));
        break;
    }
    return text;
}

static bool yaml_kind_is_float(enum yaml_kind kind)
{
    return kind == YAML_KIND_FLOAT || kind == YAML_KIND_POINT || kind == YAML_KIND_POINTS;
}

/* "in [1, 240] Hz". Ends of float ranges may be written as float constants: 0.05f is 0.0500000007 as double.
 */
static void yaml_key_describe_range(const struct yaml_key *key, char *text, size_t size)
{
    int digits = yaml_kind_is_float(key->kind) ? 7 : 10;
    const char *unit = key->unit == NULL ? "" : key->unit;
    snprintf(text, size, "in [%.*g, %.*g]%s%s", digits, key->min, digits, key->max, *unit == '\0' ? "" : " ",
             unit);
}

void yaml_key_describe(const struct yaml_key *key, char *text, size_t size)
{
    char range[96];
    yaml_key_describe_range(key, range, sizeof range);
    switch (key->kind) {
    case YAML_KIND_FLOAT:
    case YAML_KIND_DOUBLE:
        snprintf(text, size, "a number %s", range);
        break;
    case YAML_KIND_UINT64:
        if (key->max >= 0x1p64) { /* a double cannot hold the last of them */
            snprintf(text, size, "a whole number in [%.10g, %" PRIu64 "]", key->min, UINT64_MAX);
            break;
        }
        snprintf(text, size, "a whole number %s", range);
        break;
    case YAML_KIND_UINT32:
        snprintf(text, size, "a whole number %s", range);
        break;
    case YAML_KIND_BOOL:
        snprintf(text, size, "true or false");
        break;
    case YAML_KIND_TEXT:
        snprintf(text, size, "a text of 1 to %u bytes", key->count_max);
        break;
    case YAML_KIND_CHOICE:
        snprintf(text, size, "one of %s", key->choices);
        break;
    case YAML_KIND_POINT:
        snprintf(text, size, "a point [x, y], each %s,", range);
        break;
    case YAML_KIND_POINTS:
        snprintf(text, size, "a list of %u to %u points [x, y], each %s,", key->count_min, key->count_max,
                 range);
        break;
    case YAML_KIND_MAP:
        snprintf(text, size, "a map");
        break;
    case YAML_KIND_MAPS1:
        snprintf(text, size, "a map or a list of maps");
        break;
    case YAML_KIND_MAPS:
        if (key->count_max == 0) {
            snprintf(text, size, "a list of maps");
        } else {
            snprintf(text, size, "a list of %u to %u maps", key->count_min, key->count_max);
        }
        break;
    case YAML_KIND_NUMBERS:
        snprintf(text, size, "a map of names to numbers");
        break;
    case YAML_KIND_CUSTOM:
        snprintf(text, size, "%s", key->form);
        break;
    }
}

enum status yaml_value_refuse_form(struct yaml_reader *reader, const struct yaml_key *key,
                                   const struct yaml_node *node)
{
    char form[FAULT_TEXT_SIZE];
    yaml_key_describe(key, form, sizeof form);
    return yaml_reader_refuse(reader, node, STATUS_INVALID_ARGUMENT, "%s is not allowed: %s is needed",
                              yaml_value_quote(node, (struct yaml_quote){0}.text), form);
}

static enum status yaml_value_refuse_range(struct yaml_reader *reader, const struct yaml_key *key,
                                           const struct yaml_node *node)
{
    char form[FAULT_TEXT_SIZE];
    yaml_key_describe(key, form, sizeof form);
    return yaml_reader_refuse(reader, node, STATUS_OUT_OF_RANGE, "%s is out of range: %s is needed",
                              yaml_node_text(node), form);
}

/* Index of a word among "a|b|c"; false when it is none of them. */
static bool yaml_choice_find(const char *choices, const char *word, uint32_t *out)
{
    size_t word_length = strlen(word);
    for (uint32_t index = 0;; index++) {
        size_t length = strcspn(choices, "|");
        if (length == word_length && memcmp(choices, word, length) == 0) {
            *out = index;
            return true;
        }
        if (choices[length] == '\0') {
            return false;
        }
        choices += length + 1;
    }
}

/* Stores a number through the row's kind. The row's range fits the member. */
static void yaml_value_store(const struct yaml_key *key, double number, uint64_t whole, void *member)
{
    switch (key->kind) {
    case YAML_KIND_FLOAT:
        *(float *)member = (float)number;
        break;
    case YAML_KIND_DOUBLE:
        *(double *)member = number;
        break;
    case YAML_KIND_UINT32:
        *(uint32_t *)member = (uint32_t)whole;
        break;
    default:
        *(uint64_t *)member = whole;
        break;
    }
}

static bool yaml_kind_is_whole(enum yaml_kind kind)
{
    return kind == YAML_KIND_UINT32 || kind == YAML_KIND_UINT64;
}

/*
 * Makes a value of a scalar's text. Answers INVALID_ARGUMENT (not of this kind) and OUT_OF_RANGE without
 * words: the callers know where they are.
 */
static enum status yaml_value_parse(const struct yaml_key *key, const char *text, bool quoted, void *member)
{
    double number = 0;
    uint64_t whole = 0;
    switch (key->kind) {
    case YAML_KIND_BOOL:
        if (quoted || (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)) {
            return STATUS_INVALID_ARGUMENT;
        }
        *(bool *)member = text[0] == 't';
        return STATUS_OK;
    case YAML_KIND_TEXT:
        if (text[0] == '\0' || strlen(text) > key->count_max) {
            return STATUS_INVALID_ARGUMENT;
        }
        *(const char **)member = text;
        return STATUS_OK;
    case YAML_KIND_CHOICE:
        return yaml_choice_find(key->choices, text, member) ? STATUS_OK : STATUS_INVALID_ARGUMENT;
    default:
        break;
    }
    if (quoted || !number_parse_f64(text, &number)) {
        return STATUS_INVALID_ARGUMENT;
    }
    if (yaml_kind_is_whole(key->kind) && text[0] != '-' && !number_parse_u64(text, &whole)) {
        return STATUS_INVALID_ARGUMENT;
    }
    if (yaml_kind_is_float(key->kind) ? (float)number < (float)key->min || (float)number > (float)key->max
                                      : number < key->min || number > key->max) {
        return STATUS_OUT_OF_RANGE;
    }
    yaml_value_store(key, number, whole, member);
    return STATUS_OK;
}

static enum status yaml_value_scalar(struct yaml_reader *reader, const struct yaml_key *key,
                                     const struct yaml_node *node, void *member)
{
    const char *text = yaml_node_text(node);
    if (text == NULL) {
        return yaml_value_refuse_form(reader, key, node);
    }
    enum status status = yaml_value_parse(key, text, yaml_node_is_quoted(node), member);
    if (status == STATUS_OUT_OF_RANGE) {
        return yaml_value_refuse_range(reader, key, node);
    }
    return status == STATUS_OK ? STATUS_OK : yaml_value_refuse_form(reader, key, node);
}

/* [x, y]; key gives the range of each and the words. */
static enum status yaml_value_point(struct yaml_reader *reader, const struct yaml_key *key,
                                    const struct yaml_node *node, struct vec2 *out)
{
    const struct yaml_key coordinate = {.kind = YAML_KIND_FLOAT, .min = key->min, .max = key->max};
    if (yaml_node_kind(node) != YAML_NODE_KIND_LIST || yaml_node_count(node) != 2) {
        return yaml_value_refuse_form(reader, key, node);
    }
    float xy[2];
    for (size_t i = 0; i < 2; i++) {
        const struct yaml_node *item = yaml_node_item(reader->tree, node, i);
        const char *text = yaml_node_text(item);
        enum status status = text == NULL
                                 ? STATUS_INVALID_ARGUMENT
                                 : yaml_value_parse(&coordinate, text, yaml_node_is_quoted(item), &xy[i]);
        if (status != STATUS_OK) {
            return status == STATUS_OUT_OF_RANGE ? yaml_value_refuse_range(reader, key, item)
                                                 : yaml_value_refuse_form(reader, key, item);
        }
    }
    *out = vec2(xy[0], xy[1]);
    return STATUS_OK;
}

static enum status yaml_value_points(struct yaml_reader *reader, const struct yaml_key *key,
                                     const struct yaml_node *node, struct yaml_points *out)
{
    const struct yaml_key point = {
        .kind = YAML_KIND_POINT, .min = key->min, .max = key->max, .unit = key->unit};
    size_t count = yaml_node_count(node);
    if (yaml_node_kind(node) != YAML_NODE_KIND_LIST || count < key->count_min || count > key->count_max) {
        return yaml_value_refuse_form(reader, key, node);
    }
    struct vec2 *points = yaml_tree_take(reader->tree, count * sizeof *points);
    if (points == NULL) {
        return yaml_reader_no_memory(reader, node);
    }
    for (size_t i = 0; i < count; i++) {
        enum status status =
            yaml_value_point(reader, &point, yaml_node_item(reader->tree, node, i), &points[i]);
        if (status != STATUS_OK) {
            return status;
        }
    }
    *out = (struct yaml_points){points, (uint32_t)count};
    return STATUS_OK;
}

void yaml_value_set_default(const struct yaml_key *key, void *member)
{
    if (key->default_text == NULL || key->kind > YAML_KIND_CHOICE) {
        return;
    }
    enum status status = yaml_value_parse(key, key->default_text, false, member);
    ASSERT(status == STATUS_OK);
}

enum status yaml_reader_value(struct yaml_reader *reader, const struct yaml_key *key,
                              const struct yaml_node *node, void *member)
{
    switch (key->kind) {
    case YAML_KIND_POINT:
        return yaml_value_point(reader, key, node, member);
    case YAML_KIND_POINTS:
        return yaml_value_points(reader, key, node, member);
    case YAML_KIND_MAP:
        return yaml_reader_map(reader, key->table, node, member);
    case YAML_KIND_MAPS:
    case YAML_KIND_MAPS1:
        return yaml_reader_maps(reader, key, node, member);
    case YAML_KIND_NUMBERS:
        return yaml_node_kind(node) == YAML_NODE_KIND_MAP ? yaml_reader_numbers(reader, node, member)
                                                          : yaml_value_refuse_form(reader, key, node);
    case YAML_KIND_CUSTOM:
        return key->read(reader, node, member);
    default:
        return yaml_value_scalar(reader, key, node, member);
    }
}
