/* Full speed away from the goal. Source: Reynolds 1999, "flee": seek with the desired velocity turned round.
 */
#include "base/trig.h"
#include "sim/steering.h"

#define FLEE_TIME_S 0.1f /* in which the desired velocity is taken up */

void behaviour_flee(const struct steer_batch *batch, struct steering *out)
{
    const struct steer_view *view = batch->view;
    float time_s = FLEE_TIME_S > view->dt_s ? FLEE_TIME_S : view->dt_s;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct steer_waypoint from;
        if (!steer_goal(view, row, &from)) {
            continue;
        }
        struct vec2 way = vec2_sub(steer_position(view, row), from.point_m);
        float distance = vec2_length(way);
        /* On the very spot every way leads away from it: straight ahead. */
        struct vec2 away = distance > 0.0f ? vec2_scale(way, 1.0f / distance)
                                           : trig_direction(view->agents->orientation_deg[row]);
        struct vec2 desired = vec2_scale(away, view->agents->max_speed[row]);
        struct vec2 accel = vec2_scale(vec2_sub(desired, steer_velocity(view, row)), 1.0f / time_s);
        steering_ask(out, i, vec2_clamp_length(accel, view->agents->max_accel[row]));
    }
}
