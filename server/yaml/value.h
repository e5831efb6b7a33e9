#pragma once

#include "yaml/table.h"

/* What table.c and value.c share: one reading of one map, and what its values are made of. Not for other
 * modules. */

#define YAML_PATH_SIZE 120

struct yaml_reader {
    struct yaml_tree *tree;
    struct fault *fault;       /* may be NULL */
    char path[YAML_PATH_SIZE]; /* "agents[3].position": where the reader is; stays where it was after a
                                  refusal */
    size_t path_length;
};

struct yaml_quote {
    char text[64];
};

/* A value as refusals show it: `"left"`, cut when long, or "a list", "a map". Returns text (64 bytes). */
const char *yaml_value_quote(const struct yaml_node *node, char *text);

/* Refuses a value of the wrong form or range: `"left" is not <what the row wants>`. */
enum status yaml_value_refuse_form(struct yaml_reader *reader, const struct yaml_key *key,
                                   const struct yaml_node *node);

/* Stores the row's default; kinds that are no scalars stay zeroed. */
void yaml_value_set_default(const struct yaml_key *key, void *member);

/* In table.c: maps within values. */
MUST_CHECK enum status yaml_reader_map(struct yaml_reader *reader, const struct yaml_table *table,
                                       const struct yaml_node *node, unsigned char *out);
MUST_CHECK enum status yaml_reader_maps(struct yaml_reader *reader, const struct yaml_key *key,
                                        const struct yaml_node *node, struct yaml_list *out);
MUST_CHECK enum status yaml_reader_numbers(struct yaml_reader *reader, const struct yaml_node *map,
                                           struct yaml_numbers *out);
enum status yaml_reader_no_memory(struct yaml_reader *reader, const struct yaml_node *node);
