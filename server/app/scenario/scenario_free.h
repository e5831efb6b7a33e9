#pragma once

#include "app/scenario/scenario_measure.h"

/*
 * Free times: what agents would take alone in the same scene without obstacles. They are walked, not
 * computed: each agent in a world of one, with the same edges, profiles, start and goal.
 */
struct scenario_free;

#define SCENARIO_FREE_WALKS_MAX                                                                              \
    500 /* a circle of 250 is walked whole in about a second; a big crowd gives an even sample */

/*
 * Remembers starts and goals; after scenario_run_start, before the first step. Left out are those whose own
 * way is not known beforehand: who follows another agent, has no goal, or is teleported, removed or given
 * another target by an event. Fails: RESOURCE_EXHAUSTED.
 */
MUST_CHECK enum status scenario_free_create(const struct scenario *scenario, const struct scenario_run *run,
                                            const struct steer_world *world, struct scenario_free **out,
                                            struct fault *fault);
void scenario_free_destroy(struct scenario_free *walks);

struct scenario_time_factor {
    double mean; /* NAN when nobody arrived */
    double worst;
    uint32_t walked; /* agents it was taken from */
};

/*
 * Walks those who have arrived, SCENARIO_FREE_WALKS_MAX of them at most, evenly by id, and compares: first
 * arrival (since start_at) over free time. Fails: as the world does.
 */
MUST_CHECK enum status scenario_free_factor(const struct scenario_free *walks,
                                            const struct scenario_measure *measure,
                                            struct scenario_time_factor *out, struct fault *fault);
