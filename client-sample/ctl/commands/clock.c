/* clock: lets simulated time stand, run, step, or run at another speed. */
#include <string.h>

#include "base/number.h"
#include "command.h"
#include "values.h"

#define CLOCK_STEPS_MAX 1000000
#define CLOCK_SPEED_MIN 0.1
#define CLOCK_SPEED_MAX 8.0

static Steerd__V1__SetClock *clock_take(struct arena *arena, Steerd__V1__ClientMessage *message)
{
    Steerd__V1__SetClock *clock = values_take(arena, sizeof *clock);
    steerd__v1__set_clock__init(clock);
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_SET_CLOCK;
    message->set_clock = clock;
    return clock;
}

static enum status clock_pause_build(const struct option_set *options, struct arena *arena,
                                     Steerd__V1__ClientMessage *message, struct fault *fault)
{
    (void)options;
    (void)fault;
    Steerd__V1__SetClock *clock = clock_take(arena, message);
    clock->pause_case = STEERD__V1__SET_CLOCK__PAUSE_PAUSED;
    clock->paused = true;
    return STATUS_OK;
}

static enum status clock_resume_build(const struct option_set *options, struct arena *arena,
                                      Steerd__V1__ClientMessage *message, struct fault *fault)
{
    (void)options;
    (void)fault;
    Steerd__V1__SetClock *clock = clock_take(arena, message);
    clock->pause_case = STEERD__V1__SET_CLOCK__PAUSE_PAUSED;
    clock->paused = false;
    return STATUS_OK;
}

static enum status clock_step_build(const struct option_set *options, struct arena *arena,
                                    Steerd__V1__ClientMessage *message, struct fault *fault)
{
    const char *text = option_set_positional(options, 0);
    uint64_t ticks;
    if (!number_parse_u64(text, &ticks) || ticks < 1 || ticks > CLOCK_STEPS_MAX) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "\"%.40s\" is not a number of ticks in [1, %d]",
                         text, CLOCK_STEPS_MAX);
    }
    Steerd__V1__SetClock *clock = clock_take(arena, message);
    /* A clock that runs is paused with it: a step is a step, whatever was before. */
    clock->pause_case = STEERD__V1__SET_CLOCK__PAUSE_PAUSED;
    clock->paused = true;
    clock->step_ticks = (uint32_t)ticks;
    return STATUS_OK;
}

static enum status clock_speed_build(const struct option_set *options, struct arena *arena,
                                     Steerd__V1__ClientMessage *message, struct fault *fault)
{
    const char *text = option_set_positional(options, 0);
    double speed;
    if (!number_parse_f64(text, &speed) || speed < CLOCK_SPEED_MIN || speed > CLOCK_SPEED_MAX) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "\"%.40s\" is not a speed in [%g, %g]", text,
                         CLOCK_SPEED_MIN, CLOCK_SPEED_MAX);
    }
    clock_take(arena, message)->speed = (float)speed;
    return STATUS_OK;
}

static void clock_pause_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    (void)options;
    fprintf(out, "Paused at tick %llu.\n", (unsigned long long)result->tick);
}

static void clock_resume_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    (void)options;
    fprintf(out, "Runs again from tick %llu on.\n", (unsigned long long)result->tick);
}

static void clock_step_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    const char *ticks = option_set_positional(options, 0);
    fprintf(out, "Steps %s tick%s from tick %llu on, and stands.\n", ticks,
            strcmp(ticks, "1") == 0 ? "" : "s", (unsigned long long)result->tick);
}

static void clock_speed_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    /* Not "runs": a paused clock takes the speed and stays paused. */
    fprintf(out, "The speed is %s times the usual from tick %llu on.\n", option_set_positional(options, 0),
            (unsigned long long)result->tick);
}

const struct ctl_command ctl_command_clock_pause = {
    .usage = "",
    .summary = "Lets simulated time stand still.",
    .role = STEERD__V1__ROLE__ROLE_ADMIN,
    .build = clock_pause_build,
    .say = clock_pause_say,
};

const struct ctl_command ctl_command_clock_resume = {
    .usage = "",
    .summary = "Lets it run again.",
    .role = STEERD__V1__ROLE__ROLE_ADMIN,
    .build = clock_resume_build,
    .say = clock_resume_say,
};

const struct ctl_command ctl_command_clock_step = {
    .usage = "N",
    .summary = "Runs N ticks, 1 to 1000000, and stands still; a running clock is paused first.",
    .operand = "number of ticks",
    .role = STEERD__V1__ROLE__ROLE_ADMIN,
    .build = clock_step_build,
    .say = clock_step_say,
};

const struct ctl_command ctl_command_clock_speed = {
    .usage = "X",
    .summary = "Runs X times as fast as usual, 0.1 to 8.",
    .details = "The tick rate times X may not pass 240 Hz.",
    .operand = "speed",
    .role = STEERD__V1__ROLE__ROLE_ADMIN,
    .build = clock_speed_build,
    .say = clock_speed_say,
};
