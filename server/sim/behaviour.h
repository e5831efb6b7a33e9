#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * The behaviour table as the rest of the program sees it: what exists, and with which parameters. The wire,
 * scenario files, --help and documentation come from it. How behaviours are written is in
 * behaviours/README.md.
 */

struct behaviour_parameter {
    const char *name;
    const char *unit; /* "" for a bare number */
    float min;
    float max;
    float default_value;
    const char *summary;
};

struct behaviour_info {
    uint32_t number; /* of its row: wire and journal format, never reused */
    const char *name;
    const char *summary;
    const struct behaviour_parameter *parameters;
    uint32_t parameter_count;
};

/* Rows of the table; `behaviour` indexes are 0 .. behaviour_count() - 1. */
uint32_t behaviour_count(void);
const struct behaviour_info *behaviour_info(uint32_t behaviour);

/* Index of the row of that name, or behaviour_count() when there is none. */
uint32_t behaviour_find(const char *name);
