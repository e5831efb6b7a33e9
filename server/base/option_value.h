#pragma once

#include "base/option.h"

/*
 * For option.c alone: one value from text into a row's slot, held against the row, refused in words.
 */

#define OPTION_WORDS_SIZE     160 /* a label, or a legal range in words */
#define OPTION_SHOWN_SIZE_MAX 64  /* of a refused value: the legal range must still fit behind it */

/* From weak to strong. */
enum option_source {
    OPTION_SOURCE_DEFAULT,
    OPTION_SOURCE_FILE,
    OPTION_SOURCE_ENVIRONMENT,
    OPTION_SOURCE_ARGUMENT,
};

/* What one row has so far. */
struct option_slot {
    enum option_source source;
    uint32_t items_max; /* room in value.items */
    struct option_value value;
};

/* A text the set had to copy; the set frees the list. */
struct option_copy {
    struct option_copy *next;
    char text[];
};

/* A value on its way in: who says it, in words for refusals ("--tick-rate"), and from which source. */
struct option_input {
    const struct option_spec *spec;
    struct option_slot *slot;
    enum option_source source;
    const char *label;
};

/* A row without a range (min and max 0) takes what its kind takes. */
bool option_spec_is_bounded(const struct option_spec *spec);

/* False also for a maximum that no uint64_t passes. */
bool option_spec_has_max(const struct option_spec *spec);

/*
 * Adds one value, or for OPTION_FLOATS one list of numbers. A stronger source than the slot's forgets what is
 * there.
 *
 * text  outlives the slot
 *
 * Fails: INVALID_ARGUMENT, OUT_OF_RANGE, RESOURCE_EXHAUSTED; the slot is as before, but for
 * RESOURCE_EXHAUSTED.
 */
MUST_CHECK enum status option_value_add(const struct option_input *input, const char *text,
                                        struct fault *fault);

/* One text that may hold several values ("1,2,3", "a:1,b:2"), for rows whose values add up. Those before a
 * bad one stay. */
MUST_CHECK enum status option_value_add_list(struct option_copy **copies, const struct option_input *input,
                                             const char *text, struct fault *fault);

/* A copy of text[0..size) in the list; NULL when there is no memory. */
char *option_value_copy(struct option_copy **copies, const char *text, size_t size);

enum status option_value_no_memory(struct fault *fault);
