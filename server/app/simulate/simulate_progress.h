#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A bar on stderr that fills while a run goes on. */
struct simulate_progress {
    bool drawn; /* false: nothing is ever written */
    uint64_t ticks;
    uint64_t next_ns; /* monotonic: when to draw again */
};

void simulate_progress_begin(struct simulate_progress *progress, bool drawn, uint64_t ticks);

/* Draws at most ten times a second. */
void simulate_progress_show(struct simulate_progress *progress, uint64_t done);

/* Takes the bar away. */
void simulate_progress_end(struct simulate_progress *progress);
