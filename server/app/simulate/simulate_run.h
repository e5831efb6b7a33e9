#pragma once

#include <stdio.h>

#include "app/scenario/scenario_expect.h"
#include "app/scenario/scenario_free.h"

/* One scenario run as fast as it goes, measured and judged: the inside of `steerd simulate`. */

struct simulate_options {
    uint64_t ticks;   /* 0: as long as the scenario's duration */
    uint32_t threads; /* 1 to 256 */
    FILE *trace;      /* gets every agent of every tick; NULL: no trace */
    bool progress;    /* draws a bar on stderr */
};

#define SIMULATE_TICKS_MAX 10000000u

struct simulate_result {
    char title[128];
    uint32_t threads;
    struct scenario_figures figures;
    struct scenario_time_factor time_factor;
    struct {
        double p50, p99, min; /* NAN without agents */
    } ns_per_agent_tick;
    struct {
        double p50, p99, max;
    } tick_us;
    struct steer_world_phases phases; /* ns, mean of a tick */
    size_t memory_bytes;              /* reserved by the world */
    uint64_t state_digest;            /* after the last tick */
    struct scenario_outcome *outcomes;
    uint32_t outcome_count;
};

/*
 * Only the steps are timed; commands, measuring and the trace come between them. *out is the caller's to
 * simulate_result_deinit.
 * Fails: as scenario_run_start and scenario_run_tick; INTERNAL (something not finite); RESOURCE_EXHAUSTED;
 * UNAVAILABLE (the trace cannot be written).
 */
MUST_CHECK enum status simulate_run(const struct scenario *scenario, const struct simulate_options *options,
                                    struct simulate_result *out, struct fault *fault);

/* Accepts a zeroed result. */
void simulate_result_deinit(struct simulate_result *result);

/* True when every expectation held. */
bool simulate_result_held(const struct simulate_result *result);

/* The value below which `percent` of the values lie (nearest rank); NAN for none. Sorts them. */
double simulate_percentile(double *values, size_t count, double percent);
