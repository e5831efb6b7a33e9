#pragma once

#include "app/scenario/scenario_free.h"

/*
 * The expectations of a scenario, each with the figure it came to. Those that look at single ticks (speeds in
 * a time span, a line crossed, a way strayed from) are fed before and after every step.
 */
struct scenario_expectations;

struct scenario_outcome {
    char name[80]; /* "gap_min", "arrived_by.a", "passes[1]" */
    bool held;
    double figure; /* NAN: there is none, for example nobody arrived */
    double min;    /* what is allowed; NAN: no such end */
    double max;
    const char *unit; /* "" when it has none */
};

/* After scenario_run_start. All are borrowed for the life of the expectations. Fails: RESOURCE_EXHAUSTED. */
MUST_CHECK enum status scenario_expectations_create(const struct scenario *scenario,
                                                    const struct scenario_run *run,
                                                    const struct steer_world *world,
                                                    struct scenario_expectations **out, struct fault *fault);
void scenario_expectations_destroy(struct scenario_expectations *expectations);

/* Between the commands of a tick and its step: a teleport is no crossing. */
void scenario_expectations_before_step(struct scenario_expectations *expectations);
void scenario_expectations_after_step(struct scenario_expectations *expectations);

/* How many outcomes there will be. */
uint32_t scenario_expectations_count(const struct scenario_expectations *expectations);

/*
 * After the last step, scenario_measure_figures and scenario_free_factor. Writes scenario_expectations_count
 * outcomes in the order of the README. A figure that does not exist fails its expectation, but for gaps: with
 * nobody to be near to, none is too small.
 */
void scenario_expectations_judge(const struct scenario_expectations *expectations,
                                 const struct scenario_measure *measure,
                                 const struct scenario_figures *figures,
                                 const struct scenario_time_factor *time_factor,
                                 struct scenario_outcome *outcomes);
