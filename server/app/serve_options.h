#pragma once

#include <stddef.h>

#include "app/server.h"
#include "base/fault.h"
#include "base/option.h"

/*
 * The options of `steerd serve`: one table for flags, environment (STEERD_ and the name in capitals) and the
 * --config file. A flag beats the environment, that beats the file, that beats the default.
 */

#define SERVE_ENVIRONMENT_PREFIX "STEERD_"

/* The table, for --help. */
const struct option_spec *serve_options_table(size_t *count_out);

/* NULL when there is no memory. */
struct option_set *serve_options_create(void);

/*
 * Reads all three sources.
 * usage_out  true when the fault is in flags or environment (exit 2), false when it is in the file (exit 1).
 */
MUST_CHECK enum status serve_options_read(struct option_set *options, int argc, char **argv, bool *usage_out,
                                          struct fault *fault);

/*
 * Everything but the world of a scenario. Fails: INVALID_ARGUMENT (options that do not go together, an
 * address that is none or not allowed).
 */
MUST_CHECK enum status serve_options_config(const struct option_set *options, struct server_config *config,
                                            struct fault *fault);

/* Puts those of the world's settings that somebody gave over what a scenario says. */
void serve_options_override_world(const struct option_set *options, struct steer_world_config *world);
