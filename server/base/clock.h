#pragma once

#include <stdint.h>

/* Nanoseconds of a clock that never goes back and does not know the date (CLOCK_MONOTONIC). */
uint64_t clock_monotonic_ns(void);

/* Microseconds since 1970 (CLOCK_REALTIME): may jump; for stamps that people and clients read. */
uint64_t clock_wall_us(void);
