#pragma once

#include "app/scenario/scenario.h"

/* The parts of scenario_load, in their order. Each refuses with file, line and key; fault is never NULL here.
 */

/* Makes struct steer_profile of every entry of `profiles`. */
MUST_CHECK enum status scenario_make_profiles(struct scenario *scenario, struct fault *fault);

/* Collects the names of agents and obstacles; no two alike. */
MUST_CHECK enum status scenario_collect_names(struct scenario *scenario, struct fault *fault);

/* Orders events by time. */
MUST_CHECK enum status scenario_order_events(struct scenario *scenario, struct fault *fault);

/* World, places within it, profiles and targets that are there. */
MUST_CHECK enum status scenario_check(const struct scenario *scenario, struct fault *fault);

/* Events in their order: each refers to what is there at its time. */
MUST_CHECK enum status scenario_check_events(const struct scenario *scenario, struct fault *fault);

MUST_CHECK enum status scenario_check_expect(const struct scenario *scenario, struct fault *fault);

/* Index of a name; false when it is not among them. */
bool scenario_names_find(const struct scenario_names *names, const char *name, uint32_t *index_out);

/* "path:line: where" and the words of a fault that another module filled, without its first `skip`
 * characters. Returns its status. */
enum status scenario_reword(const struct scenario *scenario, uint32_t line, const char *where, size_t skip,
                            struct fault *fault);

/* The shape of an obstacle, whichever of the four it has. */
void scenario_shape(const struct scenario_obstacle *obstacle, struct steer_shape *out);

/* One obstacle, point, path, name. where: "events[2].teleport", key: "position". */
MUST_CHECK enum status scenario_check_obstacle(const struct scenario *scenario, const char *where,
                                               const struct scenario_obstacle *obstacle, struct fault *fault);
MUST_CHECK enum status scenario_check_point(const struct scenario *scenario, uint32_t line, const char *where,
                                            const char *key, struct vec2 point, struct fault *fault);
MUST_CHECK enum status scenario_check_path(const struct scenario *scenario, uint32_t line, const char *where,
                                           struct yaml_points path, struct fault *fault);
MUST_CHECK enum status scenario_check_name(const struct scenario *scenario, uint32_t line, const char *where,
                                           const char *key, const char *name, uint32_t *index_out,
                                           struct fault *fault);
