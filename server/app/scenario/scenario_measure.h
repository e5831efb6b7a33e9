#pragma once

#include "app/scenario/scenario_run.h"

/*
 * What comes out of a run, measured from the world's columns and events after each step. The meanings are
 * those of tests/scenarios/README.md. Times are simulated seconds since the start.
 */
struct scenario_measure;

/* Figures of a whole run; NAN where there is nothing to measure. */
struct scenario_figures {
    uint64_t ticks;
    uint32_t agents;    /* at the start */
    uint32_t with_goal; /* who had a goal at any time and was not removed before arriving */
    uint32_t arrived;   /* of these, who has arrived at least once */
    uint32_t blocked;   /* agents that were blocked at any time */
    double gap_min_m;
    double obstacle_gap_min_m;
    double end_gap_min_m;
    double time_all_arrived_s;
    double mean_speed_mps; /* over all agents and ticks */
    double overlaps_per_1k;
};

/*
 * After scenario_run_start, before the first step. scenario, run and world are borrowed for the measure's
 * life. Fails: RESOURCE_EXHAUSTED.
 */
MUST_CHECK enum status scenario_measure_create(const struct scenario *scenario,
                                               const struct scenario_run *run,
                                               const struct steer_world *world, struct scenario_measure **out,
                                               struct fault *fault);
void scenario_measure_destroy(struct scenario_measure *measure);

/* After each step, before steer_world_clear_changes. Fails: INTERNAL, naming an agent whose position or
 * velocity is not finite. */
MUST_CHECK enum status scenario_measure_step(struct scenario_measure *measure, struct fault *fault);

/* After the last step. */
struct scenario_figures scenario_measure_figures(struct scenario_measure *measure);

/* First arrival, NAN when there was none. The id is one of the start's. */
double scenario_measure_arrival_s(const struct scenario_measure *measure, struct steer_agent_id id);
