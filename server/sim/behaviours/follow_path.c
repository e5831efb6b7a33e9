/*
 * Along way-points and to rest at the last. Which one is next is kept by the world, which sees the whole move
 * of a tick and so misses none at any speed (progress.c). In a profile without arrive this goes to points and
 * agents, too. Source: Reynolds 1999, "path following", with way-points for the path's spine.
 */
#include "sim/steering.h"

void behaviour_follow_path(const struct steer_batch *batch, struct steering *out)
{
    const struct follow_path_parameters *parameters = batch->parameters;
    const struct arrival arrival = {.slow_radius_m = parameters->slow_radius,
                                    .target_radius_m = parameters->target_radius,
                                    .time_to_target_s = parameters->time_to_target};
    bool points_are_arrived_at = steer_profile_has(batch, BEHAVIOUR_arrive);
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        if (points_are_arrived_at && batch->view->agents->goal_kind[row] != STEER_GOAL_PATH) {
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
