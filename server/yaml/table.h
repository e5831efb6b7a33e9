#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec2.h"
#include "yaml/tree.h"

/*
 * Maps of a YAML file become structs by tables: a row says the key's name, type, unit, range, default and
 * meaning, and reading, refusals and documentation come from it. An unknown key, a key given twice, a wrong
 * type and a value out of range are refused with file, line, key and legal range:
 *
 *     scene.yaml:12: agents[3].position: "left" is not a point: [x, y], each in [-10000, 10000] m, is needed
 */

enum yaml_kind {
    YAML_KIND_FLOAT,   /* float */
    YAML_KIND_DOUBLE,  /* double */
    YAML_KIND_UINT32,  /* uint32_t */
    YAML_KIND_UINT64,  /* uint64_t */
    YAML_KIND_BOOL,    /* bool; true or false */
    YAML_KIND_TEXT,    /* const char *; at most `max` bytes, not empty */
    YAML_KIND_CHOICE,  /* uint32_t: which word of `choices` */
    YAML_KIND_POINT,   /* struct vec2; [x, y] */
    YAML_KIND_POINTS,  /* struct yaml_points; count_min .. count_max of [x, y] */
    YAML_KIND_MAP,     /* the struct that `table` describes */
    YAML_KIND_MAPS,    /* struct yaml_list of such structs: a list of maps */
    YAML_KIND_MAPS1,   /* the same, and a single map stands for a list of one */
    YAML_KIND_NUMBERS, /* struct yaml_numbers; a map of names of the writer's choice to numbers */
    YAML_KIND_CUSTOM,  /* whatever `read` makes of it */
};

/* First member of every struct that a table describes. */
struct yaml_head {
    uint32_t line;  /* where its map began */
    uint64_t given; /* bit i: row i of the table was in the file */
};

struct yaml_points {
    const struct vec2 *points;
    uint32_t count;
};

struct yaml_list {
    void *items; /* count structs of the row's table */
    uint32_t count;
};

/* A number under a name that no table knows beforehand: a behaviour's parameter, a profile's limit. */
struct yaml_number {
    const char *name;
    double value;
    uint32_t line;
};

struct yaml_numbers {
    const struct yaml_number *items; /* in the file's order, no name twice */
    uint32_t count;
};

#define YAML_NUMBERS_MAX 4096 /* of one map */

struct yaml_reader;
struct yaml_table;

struct yaml_key {
    const char *name;
    enum yaml_kind kind;
    bool required;
    size_t offset; /* of the member */
    double min;    /* numbers, and each coordinate of points; text: unused */
    double max;
    uint32_t count_min; /* YAML_KIND_POINTS, YAML_KIND_MAPS */
    uint32_t count_max;
    const char *unit;         /* "" when it has none */
    const char *default_text; /* scalars: what the member gets when the key is missing; others: words for
                                 documentation */
    const char *choices;      /* YAML_KIND_CHOICE: "blend|priority|budget" */
    const struct yaml_table *table;
    enum status (*read)(struct yaml_reader *reader, const struct yaml_node *node, void *member);
    const char *form;    /* YAML_KIND_CUSTOM: what is needed, in words */
    const char *summary; /* for documentation */
};

struct yaml_table {
    const char *name; /* for documentation */
    const struct yaml_key *keys;
    size_t key_count;           /* at most 64 */
    size_t size;                /* of the struct */
    const char *exactly_one_of; /* "circle|box": one of these keys must be there; NULL: no such rule */
    const char *at_most_one_of;
    size_t others_offset; /* struct yaml_numbers for keys that are in no row; 0: they are refused */
};

/*
 * Reads a map into a struct.
 *
 * where  put before keys in refusals: "" for the file's own map
 * out    table->size bytes, overwritten whole; half-filled on failure. What it points to lives in the tree
 *
 * Fails: INVALID_ARGUMENT, OUT_OF_RANGE, RESOURCE_EXHAUSTED.
 */
MUST_CHECK enum status yaml_table_read(struct yaml_tree *tree, const struct yaml_node *node,
                                       const struct yaml_table *table, const char *where, void *out,
                                       struct fault *fault);

/* Whether the file gave that key of the struct that begins with `head`. The name must be in the table
 * (asserted). */
bool yaml_table_given(const struct yaml_table *table, const struct yaml_head *head, const char *name);

/* What a row wants, as refusals say it: "a number in [1, 240] Hz". */
void yaml_key_describe(const struct yaml_key *key, char *text, size_t size);

/* ---- for the `read` functions of custom rows ---- */

struct yaml_tree *yaml_reader_tree(const struct yaml_reader *reader);

/* Refuses the value the reader is at: "path:line: key: " and the words. Returns status. */
enum status yaml_reader_refuse(struct yaml_reader *reader, const struct yaml_node *node, enum status status,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reads a value that stands for `key` in another form, for example a point. */
enum status yaml_reader_value(struct yaml_reader *reader, const struct yaml_key *key,
                              const struct yaml_node *node, void *member);
