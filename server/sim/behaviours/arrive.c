/*
 * To the goal and to rest there. Way-points are follow_path's; in a profile that does not have it this goes
 * along them, too. Source: Reynolds 1999, "arrival"; Millington 2006, "Arrive".
 */
#include "sim/steering.h"

void behaviour_arrive(const struct steer_batch *batch, struct steering *out)
{
    const struct arrive_parameters *parameters = batch->parameters;
    const struct arrival arrival = {.slow_radius_m = parameters->slow_radius,
                                    .target_radius_m = parameters->target_radius,
                                    .time_to_target_s = parameters->time_to_target};
    bool paths_are_followed = steer_profile_has(batch, BEHAVIOUR_follow_path);
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        if (paths_are_followed && batch->view->agents->goal_kind[row] == STEER_GOAL_PATH) {
            continue;
        }
        struct steer_waypoint to;
        struct vec2 accel;
        if (steer_next_waypoint(batch->view, row, &to) &&
            steer_arrive(batch->view, row, &to, &arrival, &accel)) {
            steering_ask(out, i, accel);
        }
    }
}
