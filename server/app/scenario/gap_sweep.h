#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"
#include "sim/steer.h"

/*
 * Smallest distance between two agents' rims, and how many pairs overlap: measured by sorting along x and
 * sweeping, a method of its own that shares no code with the simulation's grid, so that it can prove it
 * wrong.
 */
struct gap_sweep;

/* agents_max  the most rows a sweep will see. Fails: RESOURCE_EXHAUSTED. */
MUST_CHECK enum status gap_sweep_create(uint32_t agents_max, struct gap_sweep **out, struct fault *fault);
void gap_sweep_destroy(struct gap_sweep *sweep);

struct gap_figures {
    double gap_m;      /* the smallest that is below bound_m, or bound_m; negative: depth of the overlap */
    uint64_t overlaps; /* pairs deeper than overlap_m */
};

/*
 * agents     all positions finite
 * skip       one per row: pairs with such an agent do not count for the gap (for overlaps they do); NULL:
 * none bound_m    gaps from here up are of no interest, which keeps the sweep short; INFINITY when all are
 * overlap_m  >= 0
 *
 * Cost: O(agents * agents that overlap in x). Sums nothing: the result does not depend on the order of pairs.
 */
struct gap_figures gap_sweep_run(struct gap_sweep *sweep, const struct steer_agent_columns *agents,
                                 const bool *skip, double bound_m, double overlap_m);

/* Sets marks[row] of every agent whose disc overlaps another's by more than overlap_m; leaves the others
 * alone. */
void gap_sweep_mark(struct gap_sweep *sweep, const struct steer_agent_columns *agents, double overlap_m,
                    bool *marks);
