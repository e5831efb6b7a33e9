/*
 * What behaviours share: where an agent goes next, and how it comes to rest at a place or a heading.
 */
#include "sim/steering.h"

#include "base/hash.h"
#include "base/trig.h"
#include "sim/paths.h"
#include "sim/steering_follow.h"

#define STEERING_HOLD_M                                                                                      \
    0.1f /* by which one who arrived short of his goal may be pushed back before he minds */

struct vec2 steer_ahead(const struct steer_view *view, uint32_t row)
{
    struct vec2 velocity = steer_velocity(view, row);
    float speed = vec2_length(velocity);
    return speed > 0.0f ? vec2_scale(velocity, 1.0f / speed)
                        : trig_direction(view->agents->orientation_deg[row]);
}

struct vec2 steer_way_apart(uint32_t id, uint32_t other)
{
    uint32_t low = id < other ? id : other;
    uint32_t high = id < other ? other : id;
    struct vec2 direction = trig_direction(360.0f * hash_unit_f32(hash_random(0, low, high, 0)));
    return id < other ? direction : vec2_scale(direction, -1.0f);
}

bool steer_goal(const struct steer_view *view, uint32_t row, struct steer_waypoint *out)
{
    const struct agent_store *agents = view->agents;
    struct vec2 position = steer_position(view, row);
    switch ((enum steer_goal_kind)agents->goal_kind[row]) {
    case STEER_GOAL_POINT:
        out->point_m = vec2(agents->goal_x[row], agents->goal_y[row]);
        out->way_m = vec2_sub(out->point_m, position);
        out->remaining_m = vec2_length(out->way_m);
        out->is_last = true;
        return true;
    case STEER_GOAL_AGENT: {
        uint32_t other;
        if (!agent_store_find(agents, (struct steer_agent_id){agents->goal_ref[row]}, &other)) {
            return false;
        }
        out->point_m = steer_position(view, other);
        out->way_m = vec2_sub(out->point_m, position);
        float between = vec2_length(out->way_m) - agents->radius[row] - agents->radius[other];
        out->remaining_m = between > 0.0f ? between : 0.0f;
        out->is_last = true;
        return true;
    }
    case STEER_GOAL_PATH: {
        const struct path *path = &view->paths->items[agents->goal_ref[row]];
        uint32_t waypoint = agents->waypoint[row];
        out->point_m = path->points_m[waypoint];
        out->way_m = vec2_sub(out->point_m, position);
        out->remaining_m = vec2_length(out->way_m) + path->to_end_m[waypoint];
        out->is_last = waypoint + 1 == path->count;
        return true;
    }
    case STEER_GOAL_NONE:
    case STEER_GOAL_VELOCITY:
        break;
    }
    return false;
}

bool steer_next_waypoint(const struct steer_view *view, uint32_t row, struct steer_waypoint *out)
{
    uint32_t other;
    struct steer_place place;
    if (!steer_followed(view, row, &other)) {
        return steer_goal(view, row, out);
    }
    switch (steer_follows(view, row, other, &place)) {
    case STEER_FOLLOWS:
        return steer_goal(view, row, out);
    case STEER_KEEPS_A_PLACE:
        out->point_m = vec2_add(steer_position(view, row), place.way_m);
        out->way_m = place.way_m;
        out->remaining_m = vec2_length(place.way_m);
        out->is_last = true;
        return true;
    case STEER_KEEPS_AWAY:
        break;
    }
    return false;
}

/* Where an agent ends up that passes nothing on the way any more. */
static bool steering_end(const struct steer_view *view, uint32_t row, struct vec2 *end)
{
    struct steer_waypoint way;
    if (view->agents->goal_kind[row] == STEER_GOAL_AGENT || !steer_next_waypoint(view, row, &way) ||
        !way.is_last) {
        return false;
    }
    *end = way.point_m;
    return true;
}

bool steer_same_goal(const struct steer_view *view, uint32_t row_a, uint32_t row_b)
{
    const struct agent_store *agents = view->agents;
    uint32_t ref_a = agents->goal_ref[row_a];
    uint32_t ref_b = agents->goal_ref[row_b];
    if (agents->goal_kind[row_a] == agents->goal_kind[row_b]) {
        if (agents->goal_kind[row_a] == STEER_GOAL_POINT) {
            return agents->goal_x[row_a] == agents->goal_x[row_b] &&
                   agents->goal_y[row_a] == agents->goal_y[row_b];
        }
        if (agents->goal_kind[row_a] == STEER_GOAL_AGENT) {
            return ref_a == ref_b;
        }
        if (agents->goal_kind[row_a] == STEER_GOAL_PATH &&
            view->paths->items[ref_a].digest == view->paths->items[ref_b].digest) {
            return true;
        }
    }
    struct vec2 end_a;
    struct vec2 end_b;
    return steering_end(view, row_a, &end_a) && steering_end(view, row_b, &end_b) && end_a.x == end_b.x &&
           end_a.y == end_b.y;
}

static float steering_min(float a, float b)
{
    return a < b ? a : b;
}

/*
 * There, but not at rest yet: brakes. To ask for nothing would not do, since others of the profile may ask,
 * and then nobody brakes: in a crowd those who stood on their goals were kept moving over them.
 */
static bool steer_stop(const struct steer_view *view, uint32_t row, struct vec2 *accel_out)
{
    struct vec2 velocity = steer_velocity(view, row);
    if (velocity.x == 0.0f && velocity.y == 0.0f) {
        return false;
    }
    *accel_out = vec2_clamp_length(vec2_scale(velocity, -1.0f / view->dt_s), view->agents->max_accel[row]);
    return true;
}

bool steer_arrive(const struct steer_view *view, uint32_t row, const struct steer_waypoint *to,
                  const struct arrival *arrival, struct vec2 *accel_out)
{
    const struct agent_store *agents = view->agents;
    if (agents->state[row] == STEER_AGENT_STATE_ARRIVED) {
        return false;
    }
    if (to->is_last && to->remaining_m <= arrival->target_radius_m) {
        return steer_stop(view, row, accel_out);
    }
    struct vec2 way = to->way_m;
    float distance = vec2_length(way);
    if (distance == 0.0f) {
        return false;
    }
    float max_accel = agents->max_accel[row];
    float max_speed = agents->max_speed[row];
    float speed = steering_min(max_speed, sqrtf(2.0f * max_accel * to->remaining_m));
    speed = steering_min(speed, max_speed * to->remaining_m / arrival->slow_radius_m);
    /* Sooner than within the tick it cannot be had: a shorter time would overshoot. */
    float time_s = arrival->time_to_target_s > view->dt_s ? arrival->time_to_target_s : view->dt_s;
    struct vec2 change = vec2_sub(vec2_scale(way, speed / distance), steer_velocity(view, row));
    *accel_out = vec2_clamp_length(vec2_scale(change, 1.0f / time_s), max_accel);
    return true;
}

bool steer_turn_to(const struct steer_batch *batch, uint32_t row, float heading_deg,
                   const struct turning *turning, float *angular_out)
{
    const struct agent_store *agents = batch->view->agents;
    const struct steer_limits *limits = &batch->profile->limits;
    float turn = trig_turn_deg(agents->orientation_deg[row], heading_deg);
    float angle = turn < 0.0f ? -turn : turn;
    if (angle <= turning->target_angle_deg) {
        return false;
    }
    float rotation = steering_min(limits->max_rotation, sqrtf(2.0f * limits->max_angular_accel * angle));
    rotation = steering_min(rotation, limits->max_rotation * angle / turning->slow_angle_deg);
    float dt_s = batch->view->dt_s;
    float time_s = turning->time_to_target_s > dt_s ? turning->time_to_target_s : dt_s;
    float angular = ((turn < 0.0f ? -rotation : rotation) - agents->rotation_deg_s[row]) / time_s;
    float max = limits->max_angular_accel;
    *angular_out = angular > max ? max : angular < -max ? -max : angular;
    return true;
}
