#pragma once

#include "base/arena.h"
#include "base/option.h"
#include "steerd/v1/steerd.pb-c.h"

/* Values of options as pieces of messages. All memory comes from the arena, which holds them all
 * (CTL_ARENA_BYTES). */

/* Metres: far beyond any world, so that the server says what its own is. */
#define VALUES_COORDINATE_MAX 1e6
#define VALUES_ID_MAX         4294967295.0
#define VALUES_PATH_MAX       128 /* numbers: 64 points */

/* The rows that several commands have. */
#define VALUES_OPTION_IDS(help_)                                                                             \
    {                                                                                                        \
        .name = "id", .kind = OPTION_UINTS, .value_name = "N", .min = 1, .max = VALUES_ID_MAX,               \
        .help = (help_)                                                                                      \
    }
#define VALUES_OPTION_ID(name_, help_)                                                                       \
    {                                                                                                        \
        .name = (name_), .kind = OPTION_UINT, .value_name = "ID", .min = 1, .max = VALUES_ID_MAX,            \
        .help = (help_)                                                                                      \
    }
#define VALUES_OPTION_NUMBERS(name_, value_name_, least_, most_, help_)                                      \
    {                                                                                                        \
        .name = (name_), .kind = OPTION_FLOATS, .value_name = (value_name_), .min = -VALUES_COORDINATE_MAX,  \
        .max = VALUES_COORDINATE_MAX, .count_min = (least_), .count_max = (most_), .help = (help_)           \
    }

/* The first two numbers, or NULL when the option was not given. */
Steerd__V1__Vec2 *values_point(struct arena *arena, const struct option_value *value);

/* Two numbers from `index` on. */
Steerd__V1__Vec2 *values_point_at(struct arena *arena, const struct option_value *value, uint32_t index);

/* Number `index` of OPTION_FLOATS. */
float values_number(const struct option_value *value, uint32_t index);

/* X1,Y1,X2,Y2, whichever corners they are; NULL when the option was not given. */
Steerd__V1__Rectangle *values_rectangle(struct arena *arena, const struct option_value *value);

/* All numbers as points; NULL when the option was not given. Fails INVALID_ARGUMENT when one number is left
 * over. */
MUST_CHECK enum status values_points(struct arena *arena, const char *name, const struct option_value *value,
                                     Steerd__V1__Vec2 ***points_out, size_t *count_out, struct fault *fault);
MUST_CHECK enum status values_path(struct arena *arena, const char *name, const struct option_value *value,
                                   Steerd__V1__Path **out, struct fault *fault);

/* The numbers of --id, and their count; NULL and 0 when it was not given. */
uint32_t *values_ids(struct arena *arena, const struct option_set *options, size_t *count_out);

/* Refuses when not exactly one of --id and --all is given. */
MUST_CHECK enum status values_check_ids(const struct option_set *options, struct fault *fault);

/*
 * Refuses when more than one of the named options is given, or none though one is required.
 *
 * names  ends with NULL; at most 8
 */
MUST_CHECK enum status values_check_one_of(const struct option_set *options, const char *const *names,
                                           bool required, struct fault *fault);

/* Refuses when the option is not given. */
MUST_CHECK enum status values_check_given(const struct option_set *options, const char *name,
                                          struct fault *fault);

/* Cleared memory of the arena; asserts that it fits. */
void *values_take(struct arena *arena, size_t size);

/* A list of `count` pointers to messages, all NULL; count may be 0. */
void *values_take_list(struct arena *arena, size_t count);

/* A text of an option in the form that protobuf-c wants; "" when it was not given. */
char *values_text(const struct option_set *options, const char *name);
