#pragma once

#include "yaml/table.h"

/*
 * A profile as people write it, in scenario files and for `steerctl profile define FILE.yaml`. Only the
 * syntax: names of limits, behaviours and parameters are checked by whoever knows their tables (the server).
 *
 *     name: runner
 *     max_speed: 3.0
 *     combine: budget
 *     behaviours:
 *       - {name: avoid_agents, group: 0, time_horizon: 2.0}
 */

/* The words of `combine` and `rest` in the order of the simulation's enums (blend and brake are 0); the
 * wire's numbers are one higher. */
#define PROFILE_DOC_COMBINE_CHOICES "blend|priority|budget"
#define PROFILE_DOC_REST_CHOICES    "brake|stop|coast"

/* One entry of `behaviours`. */
struct profile_doc_behaviour {
    struct yaml_head head;
    const char *name;
    uint32_t group; /* 0 to 7 */
    float weight;
    struct yaml_numbers parameters; /* by their names */
};

struct profile_doc {
    struct yaml_head head;
    const char *name;
    uint32_t combine;            /* index into PROFILE_DOC_COMBINE_CHOICES */
    uint32_t rest;               /* index into PROFILE_DOC_REST_CHOICES */
    struct yaml_list behaviours; /* of struct profile_doc_behaviour */
    struct yaml_numbers limits;  /* by their names */
};

extern const struct yaml_table profile_doc_table;
extern const struct yaml_table profile_doc_behaviour_table;

/*
 * Reads a file that holds one profile. All that *out points to lives in *tree_out, which the caller destroys.
 * Fails as yaml_tree_load and yaml_table_read.
 */
MUST_CHECK enum status profile_doc_load(const char *path, struct yaml_tree **tree_out,
                                        struct profile_doc *out, struct fault *fault);
