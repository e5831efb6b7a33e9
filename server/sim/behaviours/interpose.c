/*
 * Between the agent it follows and what that one goes to: another agent, a point, or the next way-point of
 * its path. Both are looked at as they will be when it could have come to the middle of where they are now.
 * Who goes nowhere has nothing to be kept from: then it asks for nothing.
 *
 * Source: Buckland 2005, "Interpose": arrives at the middle of the two predicted places.
 */
#include "sim/paths.h"
#include "sim/steering_follow.h"

/* Where one goes by its goal alone. Its profile is not asked: it may go between others, too, and so on. */
static bool interpose_goal(const struct steer_view *view, uint32_t row, struct vec2 *point_m,
                           struct vec2 *velocity_mps)
{
    const struct agent_store *agents = view->agents;
    uint32_t other;
    *velocity_mps = vec2(0.0f, 0.0f);
    switch ((enum steer_goal_kind)agents->goal_kind[row]) {
    case STEER_GOAL_POINT:
        *point_m = vec2(agents->goal_x[row], agents->goal_y[row]);
        return true;
    case STEER_GOAL_AGENT:
        if (!steer_followed(view, row, &other)) {
            return false;
        }
        *point_m = steer_position(view, other);
        *velocity_mps = steer_velocity(view, other);
        return true;
    case STEER_GOAL_PATH:
        *point_m = view->paths->items[agents->goal_ref[row]].points_m[agents->waypoint[row]];
        return true;
    case STEER_GOAL_NONE:
    case STEER_GOAL_VELOCITY:
        break;
    }
    return false;
}

bool interpose_place(const struct steer_view *view, uint32_t row, uint32_t other,
                     const struct interpose_parameters *parameters, struct steer_place *out)
{
    struct vec2 goal;
    struct vec2 goal_velocity;
    if (!interpose_goal(view, other, &goal, &goal_velocity)) {
        return false;
    }
    struct vec2 position = steer_position(view, row);
    struct vec2 sum = vec2_add(vec2_sub(steer_position(view, other), position), vec2_sub(goal, position));
    struct vec2 middle = vec2_scale(sum, 0.5f);
    struct vec2 velocity = vec2_scale(vec2_add(steer_velocity(view, other), goal_velocity), 0.5f);
    float time_s = vec2_length(middle) / view->agents->max_speed[row];
    time_s = time_s < parameters->max_prediction ? time_s : parameters->max_prediction;
    out->way_m = vec2_mad(middle, velocity, time_s);
    out->velocity_mps = vec2(0.0f, 0.0f); /* the prediction stands for it */
    out->is_moving = vec2_length_squared(velocity) >= STEER_MOVES_MPS * STEER_MOVES_MPS;
    return true;
}

void behaviour_interpose(const struct steer_batch *batch, struct steering *out)
{
    const struct interpose_parameters *parameters = batch->parameters;
    const struct arrival arrival = {.slow_radius_m = parameters->slow_radius,
                                    .target_radius_m = parameters->target_radius,
                                    .time_to_target_s = parameters->time_to_target};
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        uint32_t other;
        struct steer_place place;
        struct vec2 accel;
        if (steer_followed(batch->view, row, &other) &&
            interpose_place(batch->view, row, other, parameters, &place) &&
            steer_arrive_at_place(batch->view, row, &place, &arrival, &accel)) {
            steering_ask(out, i, accel);
        }
    }
}
