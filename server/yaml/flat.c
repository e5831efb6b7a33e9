/*
 * Flat maps of option names to values: from a --config file to base/option.h, which knows names and ranges.
 */
#include "yaml/flat.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

#define YAML_FLAT_TEXT_SIZE 1024 /* of a list of numbers */

/* True when the list holds nothing but numbers: then it is one value, "1,2,3". */
static _Bool yaml_flat_join(const struct yaml_tree *tree, const struct yaml_node *list, char *text,
                            size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < yaml_node_count(list); i++) {
        const struct yaml_node *item = yaml_node_item(tree, list, i);
        double number;
        if (yaml_node_text(item) == NULL || yaml_node_is_quoted(item) ||
            !number_parse_f64(yaml_node_text(item), &number)) {
            return 0;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ",", yaml_node_text(item));
        if (used >= size) {
            return 0;
        }
    }
    return yaml_node_count(list) > 0;
}

static enum status yaml_flat_tell(const struct yaml_tree *tree, const struct yaml_node *node,
                                  const char *name, const char *text, yaml_flat_fn tell, void *context,
                                  struct fault *fault)
{
    if (text == NULL) {
        return yaml_tree_refuse(tree, yaml_node_line(node), fault, STATUS_INVALID_ARGUMENT,
                                "%.40s: a plain value or a list of plain values is needed", name);
    }
    enum status status = tell(context, name, text, fault);
    if (status != STATUS_OK) {
        fault_prefix(fault, "%s:%u: ", yaml_tree_path(tree), yaml_node_line(node));
    }
    return status;
}

static enum status yaml_flat_entry(const struct yaml_tree *tree, size_t index, yaml_flat_fn tell,
                                   void *context, struct fault *fault)
{
    const struct yaml_node *root = yaml_tree_root(tree);
    const struct yaml_node *key = yaml_node_key(tree, root, index);
    const struct yaml_node *value = yaml_node_item(tree, root, index);
    const char *name = yaml_node_text(key);
    if (name == NULL) {
        return yaml_tree_refuse(tree, yaml_node_line(key), fault, STATUS_INVALID_ARGUMENT,
                                "a key is a list or map: the name of an option is needed");
    }
    for (size_t i = 0; i < index; i++) {
        const struct yaml_node *other = yaml_node_key(tree, root, i);
        if (strcmp(yaml_node_text(other), name) == 0) {
            return yaml_tree_refuse(tree, yaml_node_line(key), fault, STATUS_INVALID_ARGUMENT,
                                    "%.40s is given twice, first on line %u", name, yaml_node_line(other));
        }
    }
    char joined[YAML_FLAT_TEXT_SIZE];
    if (yaml_node_kind(value) != YAML_NODE_KIND_LIST || yaml_node_count(value) == 0) {
        return yaml_flat_tell(tree, value, name, yaml_node_text(value), tell, context, fault);
    }
    if (yaml_flat_join(tree, value, joined, sizeof joined)) {
        return yaml_flat_tell(tree, value, name, joined, tell, context, fault);
    }
    for (size_t i = 0; i < yaml_node_count(value); i++) {
        const struct yaml_node *item = yaml_node_item(tree, value, i);
        enum status status = yaml_flat_tell(tree, item, name, yaml_node_text(item), tell, context, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

enum status yaml_flat_read(const char *path, yaml_flat_fn tell, void *context, struct fault *fault)
{
    struct yaml_tree *tree;
    enum status status = yaml_tree_load(path, &tree, fault);
    if (status != STATUS_OK) {
        return status;
    }
    const struct yaml_node *root = yaml_tree_root(tree);
    if (yaml_node_kind(root) != YAML_NODE_KIND_MAP) {
        status = yaml_tree_refuse(tree, yaml_node_line(root), fault, STATUS_INVALID_ARGUMENT,
                                  "a map of option names to values is needed");
    }
    for (size_t i = 0; status == STATUS_OK && i < yaml_node_count(root); i++) {
        status = yaml_flat_entry(tree, i, tell, context, fault);
    }
    yaml_tree_destroy(tree);
    return status;
}
