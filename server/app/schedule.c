/*
 * The tick schedule: which deadlines are due, which are skipped, and how pause, step and speed change them.
 * tick.c asks it after each wake-up of the timer and after each tick.
 */
#include "app/schedule.h"

#include <math.h>

#include "base/assert.h"

/* A stretch of 1000 s holds a whole number of ticks, so restarting the count there loses nothing. */
#define SCHEDULE_STRETCH_NS 1000000000000u

static uint32_t schedule_ticks_per_1000_s(uint32_t tick_rate_hz, float speed)
{
    return (uint32_t)lround((double)tick_rate_hz * (double)speed * 1000.0);
}

static uint64_t schedule_deadline(const struct schedule *schedule, uint64_t number)
{
    /* number stays below one stretch and a few skipped hours: 240,000 * 1e12 is far from overflow, and the
       whole stretches are taken out first. */
    uint64_t stretches = number / schedule->ticks_per_1000_s;
    uint64_t rest = number % schedule->ticks_per_1000_s;
    return schedule->start_ns + stretches * SCHEDULE_STRETCH_NS +
           rest * SCHEDULE_STRETCH_NS / schedule->ticks_per_1000_s;
}

static uint64_t schedule_period_ns(const struct schedule *schedule)
{
    return SCHEDULE_STRETCH_NS / schedule->ticks_per_1000_s;
}

void schedule_init(struct schedule *schedule, uint32_t tick_rate_hz, uint64_t now_ns)
{
    ASSERT(tick_rate_hz >= 1 && tick_rate_hz <= SCHEDULE_TICKS_PER_SECOND_MAX);
    *schedule = (struct schedule){
        .start_ns = now_ns,
        .count = 1,
        .tick_rate_hz = tick_rate_hz,
        .ticks_per_1000_s = schedule_ticks_per_1000_s(tick_rate_hz, 1.0f),
        .speed = 1.0f,
    };
}

bool schedule_stands(const struct schedule *schedule)
{
    return schedule->paused && schedule->steps_left == 0;
}

uint64_t schedule_next_ns(const struct schedule *schedule)
{
    return schedule_stands(schedule) ? SCHEDULE_NEVER_NS : schedule_deadline(schedule, schedule->count);
}

struct schedule_turn schedule_take(struct schedule *schedule, uint64_t now_ns)
{
    struct schedule_turn turn = {0};
    uint64_t deadline_ns = schedule_next_ns(schedule);
    if (now_ns < deadline_ns) {
        return turn;
    }
    turn.tick = true;
    turn.lateness_ns = now_ns - deadline_ns;
    uint64_t due = 1 + turn.lateness_ns / schedule_period_ns(schedule);
    if (due > SCHEDULE_CATCH_UP_MAX) {
        turn.skipped = due - SCHEDULE_CATCH_UP_MAX;
        schedule->skipped += turn.skipped;
        schedule->count += turn.skipped;
    }
    schedule->count++;
    if (schedule->paused) {
        schedule->steps_left--;
    }
    return turn;
}

enum status schedule_set_clock(struct schedule *schedule, const struct clock_spec *spec, uint64_t now_ns,
                               struct fault *fault)
{
    ASSERT(spec->speed == 0.0f ||
           (double)spec->speed * schedule->tick_rate_hz <= SCHEDULE_TICKS_PER_SECOND_MAX);
    bool paused = spec->has_paused ? spec->paused : schedule->paused;
    if (spec->step_ticks > 0 && !paused) {
        return fault_set(fault, STATUS_FAILED_PRECONDITION,
                         "step_ticks is %u: the clock runs, and only a paused one can be stepped",
                         spec->step_ticks);
    }
    bool stood = schedule_stands(schedule);
    if (spec->has_paused) {
        schedule->paused = spec->paused;
        schedule->steps_left = 0;
    }
    if (spec->step_ticks > 0) {
        schedule->steps_left = spec->step_ticks;
    }
    uint64_t next_ns = schedule_deadline(schedule, schedule->count);
    if (stood && next_ns < now_ns) {
        next_ns = now_ns; /* what would have been due while time stood still is not made up for */
    }
    if (spec->speed != 0.0f) {
        schedule->speed = spec->speed;
        schedule->ticks_per_1000_s = schedule_ticks_per_1000_s(schedule->tick_rate_hz, spec->speed);
        uint64_t period_ns = schedule_period_ns(schedule);
        next_ns = next_ns > now_ns + period_ns ? now_ns + period_ns : next_ns; /* slow motion ends at once */
    }
    schedule->start_ns = next_ns;
    schedule->count = 0;
    return STATUS_OK;
}
