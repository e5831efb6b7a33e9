#pragma once

#include <stdint.h>

#include "sim/steering.h"

/* The behaviour table as the simulation sees it: what to call. */

/*
 * Writes what a behaviour asks of each agent of the batch.
 *
 * batch  what it reads: the state, its parameters; and the words it remembers, its own agents' only
 * out    batch->count entries; asks is 0 before
 *
 * Never allocates, never writes anything else, gives finite numbers for any finite state. Threads: any, at
 * once.
 */
typedef void (*behaviour_fn)(const struct steer_batch *batch, struct steering *out);

struct behaviour_row_info {
    behaviour_fn steer;
    uint32_t state_words;
};

const struct behaviour_row_info *behaviour_row_info(uint32_t behaviour);
