/* The progress bar of `steerd simulate`, for a person at a terminal. */
#include "app/simulate/simulate_progress.h"

#include <stdio.h>

#include "base/clock.h"

#define PROGRESS_WIDTH  40
#define PROGRESS_GAP_NS 100000000u

void simulate_progress_begin(struct simulate_progress *progress, bool drawn, uint64_t ticks)
{
    *progress = (struct simulate_progress){.drawn = drawn, .ticks = ticks};
}

void simulate_progress_show(struct simulate_progress *progress, uint64_t done)
{
    if (!progress->drawn || clock_monotonic_ns() < progress->next_ns) {
        return;
    }
    progress->next_ns = clock_monotonic_ns() + PROGRESS_GAP_NS;
    int filled = (int)(done * PROGRESS_WIDTH / progress->ticks);
    fprintf(stderr, "\r[%.*s%.*s] %3d %%  tick %llu of %llu ", filled,
            "########################################", PROGRESS_WIDTH - filled,
            "........................................", (int)(done * 100 / progress->ticks),
            (unsigned long long)done, (unsigned long long)progress->ticks);
    fflush(stderr);
}

void simulate_progress_end(struct simulate_progress *progress)
{
    if (progress->drawn) {
        fputs("\r\033[K", stderr); /* erase to the end of the line: ECMA-48 EL */
        fflush(stderr);
    }
}
