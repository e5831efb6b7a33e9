/*
 * YAML files in memory. libyaml turns bytes into a document of nodes with line marks; this file wraps it, so
 * that nobody else meets libyaml, and keeps the memory of all that is read out of the document. Next in the
 * flow: table.c.
 */
#include "yaml/tree.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/assert.h"

/* One piece of memory taken from a tree. */
struct yaml_chunk {
    struct yaml_chunk *next;
    _Alignas(max_align_t) unsigned char bytes[];
};

struct yaml_tree {
    yaml_document_t document;
    _Bool has_document;
    char *path;
    struct yaml_chunk *chunks;
};

static const yaml_node_t *yaml_node_inner(const struct yaml_node *node)
{
    return (const yaml_node_t *)(const void *)node;
}

static const struct yaml_node *yaml_tree_node(const struct yaml_tree *tree, int number)
{
    /* libyaml's document is not const-correct; reading a node changes nothing. */
    yaml_document_t *document = (yaml_document_t *)(uintptr_t)&tree->document;
    return (const struct yaml_node *)(const void *)yaml_document_get_node(document, number);
}

static enum status yaml_tree_refuse_parser(const struct yaml_tree *tree, const yaml_parser_t *parser,
                                           struct fault *fault)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", tree->path);
    }
    const char *problem = parser->problem == NULL ? "unknown problem" : parser->problem;
    /* The reader (bad UTF-8) has no mark of its own, only how many lines came before. */
    size_t line = parser->error == YAML_READER_ERROR ? parser->mark.line : parser->problem_mark.line;
    return yaml_tree_refuse(tree, (uint32_t)line + 1, fault, STATUS_INVALID_ARGUMENT,
                            "this is not YAML: %s%s%s", problem, parser->context == NULL ? "" : " ",
                            parser->context == NULL ? "" : parser->context);
}

/* True when every scalar is text without a zero byte: from here on texts are C strings. */
static enum status yaml_tree_check_scalars(const struct yaml_tree *tree, struct fault *fault)
{
    for (const yaml_node_t *node = tree->document.nodes.start; node < tree->document.nodes.top; node++) {
        if (node->type == YAML_SCALAR_NODE &&
            memchr(node->data.scalar.value, '\0', node->data.scalar.length) != NULL) {
            return yaml_tree_refuse(tree, (uint32_t)node->start_mark.line + 1, fault, STATUS_INVALID_ARGUMENT,
                                    "a text holds a zero byte");
        }
    }
    return STATUS_OK;
}

/* Refuses text that is nested too deeply, before libyaml builds a document of it. What is no YAML is left to
 * the loader. */
static enum status yaml_tree_check_depth(const struct yaml_tree *tree, const char *text, size_t size,
                                         struct fault *fault)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", tree->path);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    enum status status = STATUS_OK;
    uint32_t depth = 0;
    yaml_event_t event;
    for (bool more = true; more && status == STATUS_OK && yaml_parser_parse(&parser, &event);) {
        bool opens = event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
        bool closes = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        depth += opens;
        depth -= closes;
        more = event.type != YAML_STREAM_END_EVENT;
        if (depth > YAML_DEPTH_MAX) {
            status =
                yaml_tree_refuse(tree, (uint32_t)event.start_mark.line + 1, fault, STATUS_INVALID_ARGUMENT,
                                 "lists and maps are nested deeper than the %d allowed", YAML_DEPTH_MAX);
        }
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}

/* One document, and nothing after it. */
static enum status yaml_tree_read_document(struct yaml_tree *tree, yaml_parser_t *parser, struct fault *fault)
{
    if (!yaml_parser_load(parser, &tree->document)) {
        return yaml_tree_refuse_parser(tree, parser, fault);
    }
    tree->has_document = 1;
    if (yaml_document_get_root_node(&tree->document) == NULL) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s: the file is empty", tree->path);
    }
    yaml_document_t second;
    if (!yaml_parser_load(parser, &second)) {
        return yaml_tree_refuse_parser(tree, parser, fault);
    }
    const yaml_node_t *root = yaml_document_get_root_node(&second);
    uint32_t line = root == NULL ? 0 : (uint32_t)root->start_mark.line + 1;
    yaml_document_delete(&second);
    if (line != 0) {
        return yaml_tree_refuse(tree, line, fault, STATUS_INVALID_ARGUMENT,
                                "a second document begins: one is needed");
    }
    return yaml_tree_check_scalars(tree, fault);
}

enum status yaml_tree_parse(const char *name, const char *text, size_t size, struct yaml_tree **out,
                            struct fault *fault)
{
    struct yaml_tree *tree = calloc(1, sizeof *tree);
    yaml_parser_t parser;
    if (tree == NULL || (tree->path = strdup(name)) == NULL || !yaml_parser_initialize(&parser)) {
        yaml_tree_destroy(tree);
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", name);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    enum status status = yaml_tree_check_depth(tree, text, size, fault);
    if (status == STATUS_OK) {
        status = yaml_tree_read_document(tree, &parser, fault);
    }
    yaml_parser_delete(&parser);
    if (status != STATUS_OK) {
        yaml_tree_destroy(tree);
        return status;
    }
    *out = tree;
    return STATUS_OK;
}

static enum status yaml_tree_refuse_errno(const char *path, int error, struct fault *fault)
{
    enum status status = error == ENOENT   ? STATUS_NOT_FOUND
                         : error == EACCES ? STATUS_PERMISSION_DENIED
                                           : STATUS_UNAVAILABLE;
    return fault_set(fault, status, "%s: cannot be read: %s", path, strerror(error));
}

enum status yaml_tree_load(const char *path, struct yaml_tree **out, struct fault *fault)
{
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return yaml_tree_refuse_errno(path, errno, fault);
    }
    enum status status = STATUS_OK;
    char *text = NULL;
    size_t size = 0;
    size_t capacity = 0;
    for (;;) {
        if (size == capacity) {
            capacity = capacity == 0 ? 65536 : 2 * capacity;
            char *bigger = capacity > 2 * (size_t)YAML_FILE_SIZE_MAX ? NULL : realloc(text, capacity);
            if (bigger == NULL) {
                status = fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: larger than the %u bytes allowed",
                                   path, YAML_FILE_SIZE_MAX);
                break;
            }
            text = bigger;
        }
        size_t got = fread(text + size, 1, capacity - size, file);
        size += got;
        if (got == 0) {
            break;
        }
    }
    if (status == STATUS_OK && ferror(file)) {
        status = yaml_tree_refuse_errno(path, errno, fault);
    } else if (status == STATUS_OK && size > YAML_FILE_SIZE_MAX) {
        status = fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: larger than the %u bytes allowed", path,
                           YAML_FILE_SIZE_MAX);
    } else if (status == STATUS_OK) {
        status = yaml_tree_parse(path, text, size, out, fault);
    }
    free(text);
    fclose(file);
    return status;
}

void yaml_tree_destroy(struct yaml_tree *tree)
{
    if (tree == NULL) {
        return;
    }
    if (tree->has_document) {
        yaml_document_delete(&tree->document);
    }
    while (tree->chunks != NULL) {
        struct yaml_chunk *next = tree->chunks->next;
        free(tree->chunks);
        tree->chunks = next;
    }
    free(tree->path);
    free(tree);
}

const char *yaml_tree_path(const struct yaml_tree *tree)
{
    return tree->path;
}

const struct yaml_node *yaml_tree_root(const struct yaml_tree *tree)
{
    return yaml_tree_node(tree, 1);
}

void *yaml_tree_take(struct yaml_tree *tree, size_t size)
{
    struct yaml_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (chunk == NULL) {
        return NULL;
    }
    chunk->next = tree->chunks;
    tree->chunks = chunk;
    return chunk->bytes;
}

enum status yaml_tree_refuse(const struct yaml_tree *tree, uint32_t line, struct fault *fault,
                             enum status status, const char *format, ...)
{
    char words[FAULT_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return fault_set(fault, status, "%s:%u: %s", tree->path, line, words);
}

enum yaml_node_kind yaml_node_kind(const struct yaml_node *node)
{
    switch (yaml_node_inner(node)->type) {
    case YAML_SEQUENCE_NODE:
        return YAML_NODE_KIND_LIST;
    case YAML_MAPPING_NODE:
        return YAML_NODE_KIND_MAP;
    default:
        return YAML_NODE_KIND_SCALAR;
    }
}

uint32_t yaml_node_line(const struct yaml_node *node)
{
    return (uint32_t)yaml_node_inner(node)->start_mark.line + 1;
}

const char *yaml_node_text(const struct yaml_node *node)
{
    const yaml_node_t *inner = yaml_node_inner(node);
    return inner->type == YAML_SCALAR_NODE ? (const char *)inner->data.scalar.value : NULL;
}

_Bool yaml_node_is_quoted(const struct yaml_node *node)
{
    const yaml_node_t *inner = yaml_node_inner(node);
    return inner->type == YAML_SCALAR_NODE && inner->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
}

size_t yaml_node_count(const struct yaml_node *node)
{
    const yaml_node_t *inner = yaml_node_inner(node);
    if (inner->type == YAML_SEQUENCE_NODE) {
        return (size_t)(inner->data.sequence.items.top - inner->data.sequence.items.start);
    }
    if (inner->type == YAML_MAPPING_NODE) {
        return (size_t)(inner->data.mapping.pairs.top - inner->data.mapping.pairs.start);
    }
    return 0;
}

const struct yaml_node *yaml_node_item(const struct yaml_tree *tree, const struct yaml_node *node,
                                       size_t index)
{
    const yaml_node_t *inner = yaml_node_inner(node);
    ASSERT(index < yaml_node_count(node));
    return yaml_tree_node(tree, inner->type == YAML_SEQUENCE_NODE
                                    ? inner->data.sequence.items.start[index]
                                    : inner->data.mapping.pairs.start[index].value);
}

const struct yaml_node *yaml_node_key(const struct yaml_tree *tree, const struct yaml_node *node,
                                      size_t index)
{
    const yaml_node_t *inner = yaml_node_inner(node);
    ASSERT(inner->type == YAML_MAPPING_NODE);
    ASSERT(index < yaml_node_count(node));
    return yaml_tree_node(tree, inner->data.mapping.pairs.start[index].key);
}
