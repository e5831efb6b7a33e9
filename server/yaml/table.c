/*
 * Maps become structs by tables. Between tree.c (nodes with lines) and whoever owns the tables: scenarios,
 * profiles. The reader walks a map's keys once, looks each up in the table and stores the value through the
 * row's kind; the path of keys it went down stands in every refusal.
 */
#include "yaml/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/number.h"
#include "yaml/value.h"

struct yaml_tree *yaml_reader_tree(const struct yaml_reader *reader)
{
    return reader->tree;
}

enum status yaml_reader_refuse(struct yaml_reader *reader, const struct yaml_node *node, enum status status,
                               const char *format, ...)
{
    char words[FAULT_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    const char *separator = reader->path_length == 0 ? "" : ": ";
    return yaml_tree_refuse(reader->tree, yaml_node_line(node), reader->fault, status, "%s%s%s", reader->path,
                            separator, words);
}

enum status yaml_reader_no_memory(struct yaml_reader *reader, const struct yaml_node *node)
{
    return yaml_reader_refuse(reader, node, STATUS_RESOURCE_EXHAUSTED, "no memory for it");
}

/* Adds a piece to the path of keys; returns the length to go back to. What does not fit is cut: it is for
 * people only. */
static size_t yaml_reader_enter(struct yaml_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static size_t yaml_reader_enter(struct yaml_reader *reader, const char *format, ...)
{
    size_t before = reader->path_length;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(reader->path + before, sizeof reader->path - before, format, arguments);
    va_end(arguments);
    size_t room = sizeof reader->path - 1 - before;
    reader->path_length = before + ((size_t)length > room ? room : (size_t)length);
    return before;
}

static void yaml_reader_leave(struct yaml_reader *reader, size_t length)
{
    reader->path_length = length;
    reader->path[length] = '\0';
}

/* Row of that name, or key_count. */
static size_t yaml_table_find(const struct yaml_table *table, const char *name, size_t length)
{
    for (size_t i = 0; i < table->key_count; i++) {
        if (strncmp(table->keys[i].name, name, length) == 0 && table->keys[i].name[length] == '\0') {
            return i;
        }
    }
    return table->key_count;
}

bool yaml_table_given(const struct yaml_table *table, const struct yaml_head *head, const char *name)
{
    size_t row = yaml_table_find(table, name, strlen(name));
    ASSERT(row < table->key_count);
    return (head->given >> row & 1u) != 0;
}

static enum status yaml_reader_refuse_unknown(struct yaml_reader *reader, const struct yaml_table *table,
                                              const struct yaml_node *key, const char *name)
{
    char known[FAULT_TEXT_SIZE] = "";
    size_t used = 0;
    for (size_t i = 0; i < table->key_count && used < sizeof known - 1; i++) {
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : ", ",
                                 table->keys[i].name);
    }
    return yaml_reader_refuse(reader, key, STATUS_INVALID_ARGUMENT, "unknown key %.40s; known here: %s", name,
                              known);
}

/* How many of the words of "a|b|c" were given; the first two in order of the rule go to *first and *second.
 */
static uint32_t yaml_table_count_given(const struct yaml_table *table, const struct yaml_head *head,
                                       const char *words, const char **first, const char **second)
{
    uint32_t count = 0;
    while (words != NULL && *words != '\0') {
        size_t length = strcspn(words, "|");
        size_t row = yaml_table_find(table, words, length);
        ASSERT(row < table->key_count);
        if ((head->given >> row & 1u) != 0) {
            *(count == 0 ? first : second) = table->keys[row].name;
            count++;
        }
        words += length + (words[length] == '|');
    }
    return count;
}

/* Required keys, the rules of one-of-several, and defaults for what is missing. */
static enum status yaml_reader_finish_map(struct yaml_reader *reader, const struct yaml_table *table,
                                          const struct yaml_node *node, unsigned char *out)
{
    const struct yaml_head *head = (const struct yaml_head *)(const void *)out;
    for (size_t i = 0; i < table->key_count; i++) {
        const struct yaml_key *key = &table->keys[i];
        if ((head->given >> i & 1u) != 0) {
            continue;
        }
        if (key->required) {
            char form[FAULT_TEXT_SIZE];
            yaml_key_describe(key, form, sizeof form);
            return yaml_reader_refuse(reader, node, STATUS_INVALID_ARGUMENT, "%s is missing: %s is needed",
                                      key->name, form);
        }
        yaml_value_set_default(key, out + key->offset);
    }
    const char *first = NULL;
    const char *second = NULL;
    const char *one_of = table->exactly_one_of;
    if (one_of != NULL && yaml_table_count_given(table, head, one_of, &first, &second) == 0) {
        return yaml_reader_refuse(reader, node, STATUS_INVALID_ARGUMENT, "one of %s is needed", one_of);
    }
    if (second == NULL) {
        yaml_table_count_given(table, head, table->at_most_one_of, &first, &second);
    }
    if (second != NULL) {
        return yaml_reader_refuse(reader, node, STATUS_INVALID_ARGUMENT,
                                  "%s and %s exclude each other: one of %s is needed", first, second,
                                  one_of != NULL ? one_of : table->at_most_one_of);
    }
    return STATUS_OK;
}

/* The name of a map's index-th key, or NULL after a refusal. */
static const char *yaml_reader_key_name(struct yaml_reader *reader, const struct yaml_node *map, size_t index,
                                        enum status *status)
{
    const struct yaml_node *key = yaml_node_key(reader->tree, map, index);
    const char *name = yaml_node_text(key);
    if (name == NULL) {
        *status = yaml_reader_refuse(reader, key, STATUS_INVALID_ARGUMENT,
                                     "a key is a list or map: a name is needed");
    }
    return name;
}

static enum status yaml_reader_refuse_twice(struct yaml_reader *reader, const struct yaml_node *map,
                                            size_t index)
{
    const struct yaml_node *key = yaml_node_key(reader->tree, map, index);
    uint32_t first_line = 0;
    for (size_t i = index; i-- > 0;) {
        const struct yaml_node *other = yaml_node_key(reader->tree, map, i);
        if (strcmp(yaml_node_text(other), yaml_node_text(key)) == 0) {
            first_line = yaml_node_line(other);
        }
    }
    return yaml_reader_refuse(reader, key, STATUS_INVALID_ARGUMENT, "%.40s is given twice, first on line %u",
                              yaml_node_text(key), first_line);
}

/* A key that is in no row, where the table collects such: a number under that name. */
static enum status yaml_reader_add_number(struct yaml_reader *reader, const struct yaml_node *map,
                                          size_t index, struct yaml_numbers *numbers,
                                          struct yaml_number *room)
{
    const struct yaml_node *key = yaml_node_key(reader->tree, map, index);
    const struct yaml_node *value = yaml_node_item(reader->tree, map, index);
    const char *name = yaml_node_text(key);
    for (uint32_t i = 0; i < numbers->count; i++) {
        if (strcmp(numbers->items[i].name, name) == 0) {
            return yaml_reader_refuse_twice(reader, map, index);
        }
    }
    if (numbers->count == YAML_NUMBERS_MAX) {
        return yaml_reader_refuse(reader, key, STATUS_RESOURCE_EXHAUSTED, "more than the %d names allowed",
                                  YAML_NUMBERS_MAX);
    }
    size_t length = yaml_reader_enter(reader, "%s%.40s", reader->path_length == 0 ? "" : ".", name);
    double number;
    if (yaml_node_text(value) == NULL || yaml_node_is_quoted(value) ||
        !number_parse_f64(yaml_node_text(value), &number)) {
        return yaml_reader_refuse(reader, value, STATUS_INVALID_ARGUMENT, "%s is not a finite number",
                                  yaml_value_quote(value, (struct yaml_quote){0}.text));
    }
    yaml_reader_leave(reader, length);
    room[numbers->count] = (struct yaml_number){name, number, yaml_node_line(key)};
    numbers->items = room;
    numbers->count++;
    return STATUS_OK;
}

enum status yaml_reader_numbers(struct yaml_reader *reader, const struct yaml_node *map,
                                struct yaml_numbers *out)
{
    struct yaml_number *room = yaml_tree_take(reader->tree, yaml_node_count(map) * sizeof *room);
    enum status status = room == NULL ? yaml_reader_no_memory(reader, map) : STATUS_OK;
    *out = (struct yaml_numbers){0};
    for (size_t i = 0; i < yaml_node_count(map) && status == STATUS_OK; i++) {
        if (yaml_reader_key_name(reader, map, i, &status) != NULL) {
            status = yaml_reader_add_number(reader, map, i, out, room);
        }
    }
    return status;
}

/* One key and its value. */
static enum status yaml_reader_entry(struct yaml_reader *reader, const struct yaml_table *table,
                                     const struct yaml_node *map, size_t index, unsigned char *out,
                                     struct yaml_number *room)
{
    enum status status = STATUS_OK;
    const char *name = yaml_reader_key_name(reader, map, index, &status);
    if (name == NULL) {
        return status;
    }
    size_t row = yaml_table_find(table, name, strlen(name));
    if (row == table->key_count && table->others_offset != 0) {
        return yaml_reader_add_number(reader, map, index,
                                      (struct yaml_numbers *)(void *)(out + table->others_offset), room);
    }
    if (row == table->key_count) {
        return yaml_reader_refuse_unknown(reader, table, yaml_node_key(reader->tree, map, index), name);
    }
    struct yaml_head *head = (struct yaml_head *)(void *)out;
    if ((head->given >> row & 1u) != 0) {
        return yaml_reader_refuse_twice(reader, map, index);
    }
    head->given |= UINT64_C(1) << row;
    size_t length = yaml_reader_enter(reader, "%s%s", reader->path_length == 0 ? "" : ".", name);
    status = yaml_reader_value(reader, &table->keys[row], yaml_node_item(reader->tree, map, index),
                               out + table->keys[row].offset);
    if (status == STATUS_OK) {
        yaml_reader_leave(reader, length);
    }
    return status;
}

enum status yaml_reader_map(struct yaml_reader *reader, const struct yaml_table *table,
                            const struct yaml_node *node, unsigned char *out)
{
    ASSERT(table->key_count <= 64);
    if (yaml_node_kind(node) != YAML_NODE_KIND_MAP) {
        return yaml_reader_refuse(reader, node, STATUS_INVALID_ARGUMENT, "%s is not a map of keys and values",
                                  yaml_value_quote(node, (struct yaml_quote){0}.text));
    }
    memset(out, 0, table->size);
    ((struct yaml_head *)(void *)out)->line = yaml_node_line(node);
    struct yaml_number *room = NULL;
    if (table->others_offset != 0) {
        room = yaml_tree_take(reader->tree, yaml_node_count(node) * sizeof *room);
        if (room == NULL) {
            return yaml_reader_no_memory(reader, node);
        }
    }
    for (size_t i = 0; i < yaml_node_count(node); i++) {
        enum status status = yaml_reader_entry(reader, table, node, i, out, room);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return yaml_reader_finish_map(reader, table, node, out);
}

enum status yaml_reader_maps(struct yaml_reader *reader, const struct yaml_key *key,
                             const struct yaml_node *node, struct yaml_list *out)
{
    size_t count = yaml_node_kind(node) == YAML_NODE_KIND_LIST ? yaml_node_count(node) : 1;
    unsigned char *items = yaml_tree_take(reader->tree, count * key->table->size);
    if (items == NULL) {
        return yaml_reader_no_memory(reader, node);
    }
    if (key->kind == YAML_KIND_MAPS1 && yaml_node_kind(node) == YAML_NODE_KIND_MAP) {
        *out = (struct yaml_list){items, 1};
        return yaml_reader_map(reader, key->table, node, items);
    }
    if (yaml_node_kind(node) != YAML_NODE_KIND_LIST || count < key->count_min ||
        (key->count_max != 0 && count > key->count_max)) {
        return yaml_value_refuse_form(reader, key, node);
    }
    for (size_t i = 0; i < count; i++) {
        size_t length = yaml_reader_enter(reader, "[%zu]", i);
        enum status status = yaml_reader_map(reader, key->table, yaml_node_item(reader->tree, node, i),
                                             items + i * key->table->size);
        if (status != STATUS_OK) {
            return status;
        }
        yaml_reader_leave(reader, length);
    }
    *out = (struct yaml_list){items, (uint32_t)count};
    return STATUS_OK;
}

enum status yaml_table_read(struct yaml_tree *tree, const struct yaml_node *node,
                            const struct yaml_table *table, const char *where, void *out, struct fault *fault)
{
    struct yaml_reader reader = {.tree = tree, .fault = fault};
    yaml_reader_enter(&reader, "%s", where);
    return yaml_reader_map(&reader, table, node, out);
}
