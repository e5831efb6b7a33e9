#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Four floats at once, as SSE2 and NEON have them: for loops over neighbours of which most are of no
 * interest. Every lane computes what a float would, bit by bit, so results do not depend on it.
 *
 * A load may read up to three floats beyond the end of a run; GRID_PAD of them are there beyond the last.
 */
#define LANES 4u

typedef float lanes __attribute__((vector_size(16)));
typedef int32_t lanes_mask __attribute__((vector_size(16))); /* of a comparison: -1 true, 0 false */

static inline lanes lanes_load(const float *from)
{
    lanes values;
    memcpy(&values, from, sizeof values);
    return values;
}

static inline lanes lanes_of(float value)
{
    return (lanes){value, value, value, value};
}

static inline bool lanes_none(lanes_mask mask)
{
    uint64_t halves[2];
    memcpy(halves, &mask, sizeof halves);
    return (halves[0] | halves[1]) == 0;
}
