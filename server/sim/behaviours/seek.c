/* Full speed towards the goal, and through it. Source: Reynolds 1999, "seek": desired velocity minus
 * velocity. */
#include "sim/steering.h"

#define SEEK_TIME_S 0.1f /* in which the desired velocity is taken up */

void behaviour_seek(const struct steer_batch *batch, struct steering *out)
{
    const struct steer_view *view = batch->view;
    float time_s = SEEK_TIME_S > view->dt_s ? SEEK_TIME_S : view->dt_s;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct steer_waypoint to;
        if (!steer_next_waypoint(view, row, &to)) {
            continue;
        }
        struct vec2 way = to.way_m;
        float distance = vec2_length(way);
        if (distance == 0.0f) {
            continue; /* on the goal there is no direction to it */
        }
        struct vec2 desired = vec2_scale(way, view->agents->max_speed[row] / distance);
        struct vec2 accel = vec2_scale(vec2_sub(desired, steer_velocity(view, row)), 1.0f / time_s);
        steering_ask(out, i, vec2_clamp_length(accel, view->agents->max_accel[row]));
    }
}
