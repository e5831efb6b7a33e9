/* SetClock: pause, single steps, speed. */
#include <math.h>

#include "wire/commands/handlers.h"

#define SET_CLOCK_STEP_TICKS_MAX 1000000U
#define SET_CLOCK_SPEED_MIN      0.1f
#define SET_CLOCK_SPEED_MAX      8.0f
#define SET_CLOCK_RATE_MAX_HZ    240.0 /* real ticks per second; the world's own limit too */

static enum status set_clock_check_speed(float speed, uint32_t tick_rate_hz, struct fault *fault)
{
    if (isnan(speed) || isinf(speed)) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "speed is %g: a number from %g to %g is needed",
                         (double)speed, (double)SET_CLOCK_SPEED_MIN, (double)SET_CLOCK_SPEED_MAX);
    }
    if (speed < SET_CLOCK_SPEED_MIN || speed > SET_CLOCK_SPEED_MAX) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "speed is %g: %g to %g is legal, 0 leaves it as it is",
                         (double)speed, (double)SET_CLOCK_SPEED_MIN, (double)SET_CLOCK_SPEED_MAX);
    }
    if ((double)speed * tick_rate_hz > SET_CLOCK_RATE_MAX_HZ) {
        return fault_set(
            fault, STATUS_OUT_OF_RANGE,
            "speed is %g: with a tick rate of %u Hz at most %g is possible, which makes %g ticks per second",
            (double)speed, tick_rate_hz, SET_CLOCK_RATE_MAX_HZ / tick_rate_hz, SET_CLOCK_RATE_MAX_HZ);
    }
    return STATUS_OK;
}

enum status command_apply_set_clock(const struct command_context *context, const Steerd__V1__SetClock *body,
                                    uint64_t request_id, struct fault *fault)
{
    (void)request_id;
    struct clock_spec spec = {
        .has_paused = body->pause_case == STEERD__V1__SET_CLOCK__PAUSE_PAUSED,
        .step_ticks = body->step_ticks,
        .speed = body->speed,
    };
    spec.paused = spec.has_paused && body->paused;
    if (!spec.has_paused && spec.step_ticks == 0 && spec.speed == 0.0f) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "nothing is set: paused, step_ticks or speed is needed");
    }
    if (spec.step_ticks > SET_CLOCK_STEP_TICKS_MAX) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "step_ticks is %u: 1 to %u is legal, 0 for none",
                         spec.step_ticks, SET_CLOCK_STEP_TICKS_MAX);
    }
    if (spec.step_ticks > 0 && spec.has_paused && !spec.paused) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "step_ticks is %u and paused is false: steps need a clock that stands still",
                         spec.step_ticks);
    }
    if (spec.speed != 0.0f) {
        enum status status =
            set_clock_check_speed(spec.speed, steer_world_config(context->world)->tick_rate_hz, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return context->ops->set_clock(context->session, &spec, fault);
}
