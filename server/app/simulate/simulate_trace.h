#pragma once

#include <stdio.h>

#include "sim/steer.h"

/*
 * trace.csv: `tick,id,x,y,vx,vy,orientation`, a line per agent and tick, from the first tick after the start,
 * agents ascending by id. Nine significant digits: each float reads back bit-equal.
 */

/* The line of column names. Fails: UNAVAILABLE. */
MUST_CHECK enum status simulate_trace_begin(FILE *file, struct fault *fault);

/* Fails: UNAVAILABLE. */
MUST_CHECK enum status simulate_trace_tick(FILE *file, uint64_t tick,
                                           const struct steer_agent_columns *agents, struct fault *fault);
