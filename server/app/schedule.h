#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"
#include "wire/command.h"

/*
 * When to tick: by deadline, never by repetition. Deadline n is start + n * period on the monotonic clock, so
 * a late tick does not make the next one late. Pure: the caller owns the clock and the timer.
 */

/* Ticks that may run back to back after a delay; deadlines before those are skipped and counted. */
#define SCHEDULE_CATCH_UP_MAX 3

#define SCHEDULE_TICKS_PER_SECOND_MAX 240

/* What schedule_next_ns says while time stands still. */
#define SCHEDULE_NEVER_NS UINT64_MAX

struct schedule {
    uint64_t start_ns;         /* monotonic; deadline 0 of this stretch */
    uint64_t count;            /* deadlines used up since then */
    uint32_t tick_rate_hz;     /* at speed 1 */
    uint32_t ticks_per_1000_s; /* tick rate times speed: speed is kept to a thousandth of a hertz */
    float speed;               /* 0.1 to 8 */
    bool paused;               /* time stands still, but for steps_left */
    uint32_t steps_left;       /* ticks to run although paused */
    uint64_t skipped;          /* deadlines skipped since the start */
};

/* What is to be done now. */
struct schedule_turn {
    bool tick;            /* run one tick now; else wait for schedule_next_ns */
    uint64_t lateness_ns; /* of that tick: now minus the oldest deadline that was due */
    uint64_t skipped;     /* deadlines given up in this turn */
};

/* The first tick is due one period after now_ns. tick_rate_hz: 1 to 240. */
void schedule_init(struct schedule *schedule, uint32_t tick_rate_hz, uint64_t now_ns);

/* Paused and no step left: nothing is due, ever. */
bool schedule_stands(const struct schedule *schedule);

/* Deadline of the next tick, or SCHEDULE_NEVER_NS. */
uint64_t schedule_next_ns(const struct schedule *schedule);

/* Takes the tick that is due at now_ns, if there is one; to be asked again when that tick is done. */
struct schedule_turn schedule_take(struct schedule *schedule, uint64_t now_ns);

/*
 * Pause, step, speed: all that the specification gives, or nothing. Pausing gives up the steps that were
 * left. The speed is in its range (wire/commands/set_clock.c checked it). Fails: FAILED_PRECONDITION (steps
 * on a running clock).
 */
MUST_CHECK enum status schedule_set_clock(struct schedule *schedule, const struct clock_spec *spec,
                                          uint64_t now_ns, struct fault *fault);
