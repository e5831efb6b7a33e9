/* The machine's clocks. */
#include "base/clock.h"

#include <time.h>

#include "base/assert.h"

static uint64_t clock_read_ns(clockid_t id)
{
    struct timespec now;
    int result = clock_gettime(id, &now);
    ASSERT(result == 0);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
    return clock_read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_wall_us(void)
{
    return clock_read_ns(CLOCK_REALTIME) / 1000u;
}
