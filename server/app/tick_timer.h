#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

/*
 * A timer of the loop that goes by absolute nanoseconds of the monotonic clock: a timerfd that the loop
 * polls. libuv's own timers count milliseconds and drift by what the loop is late.
 */
struct tick_timer {
    int descriptor; /* -1: none */
    uv_poll_t poll;
    void (*fn)(void *context);
    void *context;
};

/* False when there is no descriptor. */
bool tick_timer_open(struct tick_timer *timer, uv_loop_t *loop, void (*fn)(void *context), void *context);

/* Calls fn once at deadline_ns, or soon when that has passed; replaces what was armed. UINT64_MAX: never. */
void tick_timer_arm(struct tick_timer *timer, uint64_t deadline_ns);

/* Takes it off the loop, which has to turn once more. Accepts one that was never opened (descriptor -1). */
void tick_timer_close(struct tick_timer *timer);
