#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"

/*
 * Command lines out of tables: one row an option, which says its unit, range, default and meaning, and
 * from which flag, environment variable, file key and the lines of --help all come.
 */

enum option_kind {
    OPTION_FLAG,   /* --open                no value; in files and environment: true, false, 1, 0 */
    OPTION_TEXT,   /* --scenario FILE */
    OPTION_UINT,   /* --tick-rate 30        min and max bind */
    OPTION_FLOAT,  /* --radius 2.5          min and max bind, finite */
    OPTION_FLOATS, /* --position -6,0       comma-separated, min and max bind each, count_min..count_max of
                      them */
    OPTION_UINTS,  /* --id 1 2 3, --id 1,2  one or more, here or in several --id; min and max bind each */
    OPTION_CHOICE, /* --format full|delta   `choices` are its words, separated by | */
};

struct option_spec {
    const char *name; /* without dashes: "tick-rate" */
    enum option_kind kind;
    const char *value_name; /* what --help calls the value: "HZ"; NULL for a flag */
    double min;             /* both 0: no range but the kind's own (64 bits, finite) */
    double max;             /* INFINITY: only min binds */
    uint32_t count_min;     /* OPTION_FLOATS: how many numbers; else 0 */
    uint32_t count_max;
    const char *choices;      /* OPTION_CHOICE, else NULL */
    bool repeats;             /* OPTION_TEXT: may be given several times, values add up */
    const char *default_text; /* as a user would type it; NULL when there is none */
    const char *help;         /* one sentence; unit, range and default are added to it */
};

#define OPTION_VALUES_MAX 4096 /* numbers of one option */

/* One value: which member holds it depends on the row's kind. */
union option_item {
    const char *text; /* borrowed from argv, environment, the set's copy of a file's text, or the table */
    uint64_t uint;    /* OPTION_FLAG: 0 or 1 */
    double number;
};

/* The values of one option, from the strongest source that gave any: flag, environment, file, default. */
struct option_value {
    bool given; /* false: the default, or nothing */
    uint32_t count;
    union option_item *items; /* count of them, owned by the set */
};

/* A parsed set: one value per row of its table, in the table's order. */
struct option_set;

/* specs  count rows; borrowed for the life of the set. NULL when there is no memory. */
struct option_set *option_set_create(const struct option_spec *specs, size_t count);
void option_set_destroy(struct option_set *set);

/*
 * Reads argv[0..argc) (without the program's and command's name). A value is the next word or follows '=';
 * it may begin with '-'. OPTION_UINTS goes on to read words as long as they consist of digits and commas.
 * Words that are neither options nor values become positionals, in order; "--" ends options. Names are given
 * whole. Fails INVALID_ARGUMENT (also an option given twice that does not add up) / OUT_OF_RANGE with option,
 * value and legal range in words. Not for two threads at once (getopt).
 */
MUST_CHECK enum status option_set_parse_arguments(struct option_set *set, int argc, char *const *argv,
                                                  struct fault *fault);

/* For every row without a value yet: the variable PREFIX + NAME ("STEERD_TICK_RATE" for prefix "STEERD_"). */
MUST_CHECK enum status option_set_parse_environment(struct option_set *set, const char *prefix,
                                                    struct fault *fault);

/*
 * One value that a file gave, under the row's name with '_' or '-' ("tick_rate"); ignored when a stronger
 * source spoke before. `text` is copied. Fails NOT_FOUND when no row has that name, else as
 * option_set_parse_arguments. The caller puts file and line before the words.
 */
MUST_CHECK enum status option_set_add_file_value(struct option_set *set, const char *name, const char *text,
                                                 struct fault *fault);

/* By name, which must be in the table (asserted). With no source and no default: count is 0. */
const struct option_value *option_set_get(const struct option_set *set, const char *name);
bool option_set_flag(const struct option_set *set, const char *name);
const char *option_set_text(const struct option_set *set, const char *name); /* first value, or NULL */
uint64_t option_set_uint(const struct option_set *set, const char *name);
double option_set_float(const struct option_set *set, const char *name);

size_t option_set_positional_count(const struct option_set *set);
const char *option_set_positional(const struct option_set *set, size_t index);

/*
 * The table as lines for --help, two columns, wrapped at 100 characters:
 *       --tick-rate HZ   Ticks per second. 1 to 240, default 30. (STEERD_TICK_RATE)
 * env_prefix NULL: no variables. Prints to stdout.
 */
void option_print_help(const struct option_spec *specs, size_t count, const char *env_prefix);
