#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"

/*
 * A YAML file in memory: one document of scalars, lists and maps, each with the line it began on. Everything
 * that is read out of a tree (texts, lists, structs of yaml/table.h) lives in the tree and dies with it.
 */
struct yaml_tree;

/* A place in a tree; borrowed from it. */
struct yaml_node;

enum yaml_node_kind {
    YAML_NODE_KIND_SCALAR,
    YAML_NODE_KIND_LIST,
    YAML_NODE_KIND_MAP,
};

#define YAML_DEPTH_MAX     64 /* lists and maps in each other; libyaml's time grows with the square of it */
#define YAML_FILE_SIZE_MAX (16u << 20) /* a scene of 100,000 agents one by one has some 6 MB */

/*
 * Reads a whole file. `path` is copied, it stands before the words of every refusal.
 * Fails: NOT_FOUND (no such file), PERMISSION_DENIED, UNAVAILABLE (cannot be read), INVALID_ARGUMENT (not
 * YAML, empty, or more than one document: with the line), RESOURCE_EXHAUSTED (over YAML_FILE_SIZE_MAX, no
 * memory).
 */
MUST_CHECK enum status yaml_tree_load(const char *path, struct yaml_tree **out, struct fault *fault);

/* The same from text in memory; `name` stands where the path would. */
MUST_CHECK enum status yaml_tree_parse(const char *name, const char *text, size_t size,
                                       struct yaml_tree **out, struct fault *fault);

/* Accepts NULL. */
void yaml_tree_destroy(struct yaml_tree *tree);

const char *yaml_tree_path(const struct yaml_tree *tree);
const struct yaml_node *yaml_tree_root(const struct yaml_tree *tree);

/* `size` bytes, cleared, aligned for any type, that live as long as the tree; NULL when there is no memory.
 */
void *yaml_tree_take(struct yaml_tree *tree, size_t size);

/* A refusal that begins with "path:line: ". Returns status. */
enum status yaml_tree_refuse(const struct yaml_tree *tree, uint32_t line, struct fault *fault,
                             enum status status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

enum yaml_node_kind yaml_node_kind(const struct yaml_node *node);
uint32_t yaml_node_line(const struct yaml_node *node); /* from 1 */

/* The text of a scalar, UTF-8 without zeros inside; NULL for a list or map. */
const char *yaml_node_text(const struct yaml_node *node);

/* True for a scalar that stands in quotes or as a block: it is text, whatever it looks like. */
_Bool yaml_node_is_quoted(const struct yaml_node *node);

/* How many items a list or keys a map has; 0 for a scalar. */
size_t yaml_node_count(const struct yaml_node *node);

/* Item of a list, value of a map; index < yaml_node_count. */
const struct yaml_node *yaml_node_item(const struct yaml_tree *tree, const struct yaml_node *node,
                                       size_t index);

/* Key of a map; index < yaml_node_count. */
const struct yaml_node *yaml_node_key(const struct yaml_tree *tree, const struct yaml_node *node,
                                      size_t index);
