/* Turns to the direction of the own velocity. Source: Millington 2006, "Looking Where You're Going". */
#include "base/trig.h"
#include "sim/steering.h"

void behaviour_look_where_going(const struct steer_batch *batch, struct steering *out)
{
    const struct look_where_going_parameters *parameters = batch->parameters;
    const struct turning turning = {.slow_angle_deg = parameters->slow_angle,
                                    .target_angle_deg = parameters->target_angle,
                                    .time_to_target_s = parameters->time_to_target};
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct vec2 velocity = steer_velocity(batch->view, row);
        float speed_squared = vec2_length_squared(velocity);
        float angular;
        if (speed_squared > 0.0f && speed_squared >= parameters->speed_min * parameters->speed_min &&
            steer_turn_to(batch, row, trig_heading_deg(velocity), &turning, &angular)) {
            steering_ask_angular(out, i, angular);
        }
    }
}
