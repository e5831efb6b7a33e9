/* Turns towards the goal. Source: Millington 2006, "Face". */
#include "base/trig.h"
#include "sim/steering.h"

void behaviour_face(const struct steer_batch *batch, struct steering *out)
{
    const struct face_parameters *parameters = batch->parameters;
    const struct turning turning = {.slow_angle_deg = parameters->slow_angle,
                                    .target_angle_deg = parameters->target_angle,
                                    .time_to_target_s = parameters->time_to_target};
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct steer_waypoint to;
        if (!steer_goal(batch->view, row, &to)) {
            continue;
        }
        struct vec2 way = to.way_m;
        float angular;
        if ((way.x != 0.0f || way.y != 0.0f) &&
            steer_turn_to(batch, row, trig_heading_deg(way), &turning, &angular)) {
            steering_ask_angular(out, i, angular);
        }
    }
}
