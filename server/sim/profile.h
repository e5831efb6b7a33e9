#pragma once

#include <stdint.h>

#include "base/fault.h"

#define PROFILE_NAME_SIZE        32 /* with its terminating zero */
#define PROFILE_BEHAVIOURS_MAX   16
#define PROFILE_GROUPS_MAX       8
#define BEHAVIOUR_PARAMETERS_MAX 8

/* Limits of an agent. In a specification 0 means the default (of the profile, or of limits.def). */
struct limits {
#define LIMIT(name, unit, min, max, default_value, summary) float name;
#include "sim/limits.def"
#undef LIMIT
};

enum combination {
    COMBINATION_BLEND,    /* weighted sum, clamped to the limits */
    COMBINATION_PRIORITY, /* the first group that asks for something */
    COMBINATION_BUDGET,   /* groups in order spend what is left of max_accel; nothing asked against what is
                             spent */
};

enum rest {
    REST_BRAKE, /* comes to rest with max_accel */
    REST_STOP,  /* stands at once */
    REST_COAST, /* rolls on */
};

/* One behaviour of a profile, all parameters filled in. */
struct profile_behaviour {
    uint32_t behaviour;                         /* row of the behaviour table: behaviour_find */
    uint32_t group;                             /* 0 .. PROFILE_GROUPS_MAX - 1, 0 first */
    float weight;                               /* > 0, at most 100 */
    float parameters[BEHAVIOUR_PARAMETERS_MAX]; /* in the row's order */
};

/* A named set of limits and behaviours. */
struct profile {
    char name[PROFILE_NAME_SIZE]; /* 1 to 31 of a-z 0-9 _ - */
    struct limits limits;
    enum combination combination;
    enum rest rest;
    struct profile_behaviour behaviours[PROFILE_BEHAVIOURS_MAX];
    uint32_t behaviour_count; /* 1 .. PROFILE_BEHAVIOURS_MAX */
};

/*
 * Appends a behaviour by name, with its default parameters, weight 1, group 0. *out may be changed
 * afterwards. Fails: NOT_FOUND (the words list the known names), RESOURCE_EXHAUSTED.
 */
MUST_CHECK enum status profile_add_behaviour(struct profile *profile, const char *name,
                                             struct profile_behaviour **out, struct fault *fault);

/* Sets one parameter by name. Fails: NOT_FOUND (the words list the known ones), OUT_OF_RANGE. */
MUST_CHECK enum status profile_set_parameter(struct profile_behaviour *behaviour, const char *name,
                                             float value, struct fault *fault);

/* Puts defaults where limits are 0 and refuses what is out of range. Fails: INVALID_ARGUMENT, OUT_OF_RANGE.
 */
MUST_CHECK enum status profile_check(struct profile *profile, struct fault *fault);

/* The profile that always exists: `walker`. */
void profile_init_walker(struct profile *profile);
