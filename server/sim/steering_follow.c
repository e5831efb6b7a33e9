/*
 * What behaviours share that have to do with the agent they follow. steer_next_waypoint asks here, too, so
 * that who keeps a place has arrived when it is there, and is not called blocked because it does not go to
 * the other one itself.
 */
#include "sim/steering_follow.h"

#include "base/trig.h"

#define STEERING_TAKE_UP_S 0.1f /* in which full speed is taken up, as by seek and flee */

bool steer_followed(const struct steer_view *view, uint32_t row, uint32_t *other_out)
{
    const struct agent_store *agents = view->agents;
    return agents->goal_kind[row] == STEER_GOAL_AGENT &&
           agent_store_find(agents, (struct steer_agent_id){agents->goal_ref[row]}, other_out);
}

bool steer_moves(const struct steer_view *view, uint32_t row)
{
    return vec2_length_squared(steer_velocity(view, row)) >= STEER_MOVES_MPS * STEER_MOVES_MPS;
}

struct vec2 steer_way_to_predicted(const struct steer_view *view, uint32_t row, uint32_t other, float max_s)
{
    struct vec2 way = vec2_sub(steer_position(view, other), steer_position(view, row));
    struct vec2 velocity = steer_velocity(view, other);
    float distance = vec2_length(way);
    float speed = vec2_length(velocity);
    float time_s = distance < speed * max_s ? distance / speed : max_s;
    return vec2_mad(way, velocity, time_s);
}

struct vec2 steer_full_speed(const struct steer_view *view, uint32_t row, struct vec2 way)
{
    float time_s = STEERING_TAKE_UP_S > view->dt_s ? STEERING_TAKE_UP_S : view->dt_s;
    struct vec2 desired = vec2_scale(way, view->agents->max_speed[row] / vec2_length(way));
    struct vec2 change = vec2_sub(desired, steer_velocity(view, row));
    return vec2_clamp_length(vec2_scale(change, 1.0f / time_s), view->agents->max_accel[row]);
}

struct vec2 steer_evade(const struct steer_view *view, uint32_t row, uint32_t other, float max_prediction_s)
{
    const struct agent_store *agents = view->agents;
    struct vec2 way = steer_way_to_predicted(view, row, other, max_prediction_s);
    if (vec2_length(way) < agents->radius[row] + agents->radius[other]) {
        way = vec2_sub(steer_position(view, other), steer_position(view, row));
    }
    bool is_on_it = vec2_length(way) == 0.0f;
    return steer_full_speed(view, row,
                            is_on_it ? trig_direction(agents->orientation_deg[row]) : vec2_scale(way, -1.0f));
}

static float steering_min(float a, float b)
{
    return a < b ? a : b;
}

bool steer_arrive_at_place(const struct steer_view *view, uint32_t row, const struct steer_place *place,
                           const struct arrival *arrival, struct vec2 *accel_out)
{
    const struct agent_store *agents = view->agents;
    if (agents->state[row] == STEER_AGENT_STATE_ARRIVED && !place->is_moving) {
        return false;
    }
    float max_accel = agents->max_accel[row];
    float max_speed = agents->max_speed[row];
    float distance = vec2_length(place->way_m);
    struct vec2 desired = place->velocity_mps;
    float time_s = view->dt_s;
    if (distance > arrival->target_radius_m) {
        float speed = steering_min(max_speed, sqrtf(2.0f * max_accel * distance));
        speed = steering_min(speed, max_speed * distance / arrival->slow_radius_m);
        desired = vec2_mad(desired, place->way_m, speed / distance);
        time_s = arrival->time_to_target_s > view->dt_s ? arrival->time_to_target_s : view->dt_s;
    }
    struct vec2 change = vec2_sub(vec2_clamp_length(desired, max_speed), steer_velocity(view, row));
    if (change.x == 0.0f && change.y == 0.0f && distance <= arrival->target_radius_m) {
        return false;
    }
    *accel_out = vec2_clamp_length(vec2_scale(change, 1.0f / time_s), max_accel);
    return true;
}

enum steer_follows steer_follows(const struct steer_view *view, uint32_t row, uint32_t other,
                                 struct steer_place *out)
{
    const struct steer_profile *profile = &view->profiles[view->agents->profile[row]];
    for (uint32_t i = 0; i < profile->behaviour_count; i++) {
        const void *parameters = profile->behaviours[i].parameters;
        bool has_place;
        switch (profile->behaviours[i].behaviour) {
        case BEHAVIOUR_evade:
            has_place = false;
            break;
        case BEHAVIOUR_offset_pursue:
            has_place = offset_pursue_place(view, row, other, parameters, out);
            break;
        case BEHAVIOUR_interpose:
            has_place = interpose_place(view, row, other, parameters, out);
            break;
        case BEHAVIOUR_hide:
            has_place = hide_place(view, row, other, parameters, out);
            break;
        case BEHAVIOUR_follow_leader:
            has_place = follow_leader_place(view, row, other, parameters, out);
            break;
        default:
            continue;
        }
        return has_place ? STEER_KEEPS_A_PLACE : STEER_KEEPS_AWAY;
    }
    return STEER_FOLLOWS;
}
