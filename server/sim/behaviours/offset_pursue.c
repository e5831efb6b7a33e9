/*
 * Keeps a place in the frame of the agent it follows: x to the right of that one's heading, y along it. What
 * moves the place along is that one's velocity, which is added to the velocity with which it is approached,
 * so that nobody lags behind in a formation; its turning is not.
 *
 * Source: Reynolds 1999, "offset pursuit"; Buckland 2005, "Offset Pursuit", which arrives; Millington 2006,
 * "Velocity Matching", for the place's velocity.
 */
#include "base/trig.h"
#include "sim/steering_follow.h"

bool offset_pursue_place(const struct steer_view *view, uint32_t row, uint32_t other,
                         const struct offset_pursue_parameters *parameters, struct steer_place *out)
{
    struct vec2 ahead = trig_direction(view->agents->orientation_deg[other]);
    struct vec2 way = vec2_sub(steer_position(view, other), steer_position(view, row));
    way = vec2_mad(way, vec2_right(ahead), parameters->offset_x);
    out->way_m = vec2_mad(way, ahead, parameters->offset_y);
    out->velocity_mps = steer_velocity(view, other);
    out->is_moving = steer_moves(view, other);
    return true;
}

void behaviour_offset_pursue(const struct steer_batch *batch, struct steering *out)
{
    const struct offset_pursue_parameters *parameters = batch->parameters;
    const struct arrival arrival = {.slow_radius_m = parameters->slow_radius,
                                    .target_radius_m = parameters->target_radius,
                                    .time_to_target_s = parameters->time_to_target};
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        uint32_t other;
        struct steer_place place;
        struct vec2 accel;
        if (steer_followed(batch->view, row, &other) &&
            offset_pursue_place(batch->view, row, other, parameters, &place) &&
            steer_arrive_at_place(batch->view, row, &place, &arrival, &accel)) {
            steering_ask(out, i, accel);
        }
    }
}
