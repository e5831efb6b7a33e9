/*
 * Leaves the path of the obstacle that stands in its way. Two whiskers along the sides of the body are
 * replaced by the sweep of the whole disc, which also finds a post between them; the hit's normal says which
 * side it is on. Source: Reynolds 1999, "obstacle avoidance"; Buckland 2005 for the weights.
 */
#include "sim/steering.h"

/* Words it remembers: the side chosen against a wall straight ahead, and the tick until which it is kept. */
enum { AVOID_OBSTACLES_SIDE, AVOID_OBSTACLES_UNTIL };

/* 1: right, -1: left. What the normal says, else what was chosen lately, else right. */
static float avoid_obstacles_side(const struct steer_batch *batch, uint32_t row, float lean)
{
    const struct avoid_obstacles_parameters *parameters = batch->parameters;
    uint32_t *words = steer_words(batch, row);
    uint32_t tick = (uint32_t)batch->view->tick;
    uint32_t keep = (uint32_t)(parameters->side_keep_time * (float)batch->view->tick_rate_hz);
    bool kept = words[AVOID_OBSTACLES_SIDE] != 0 && words[AVOID_OBSTACLES_UNTIL] - tick <= keep;
    float side = kept ? steer_word_to_float(words[AVOID_OBSTACLES_SIDE]) : lean < 0.0f ? -1.0f : 1.0f;
    words[AVOID_OBSTACLES_SIDE] = steer_word_from_float(side);
    words[AVOID_OBSTACLES_UNTIL] = tick + keep;
    return side;
}

/* The direction it goes in, at rest the one it would go in. False: neither. */
static bool avoid_obstacles_ahead(const struct steer_view *view, uint32_t row, struct vec2 *ahead_out)
{
    struct vec2 way = steer_velocity(view, row);
    struct steer_waypoint to;
    if (vec2_length_squared(way) == 0.0f && view->agents->state[row] != AGENT_STATE_ARRIVED &&
        steer_next_waypoint(view, row, &to)) {
        way = vec2_sub(to.point_m, steer_position(view, row));
    }
    float length = vec2_length(way);
    if (length == 0.0f) {
        return false;
    }
    *ahead_out = vec2_scale(way, 1.0f / length);
    return true;
}

static void avoid_obstacles_steer(const struct steer_batch *batch, uint32_t index, struct steering *out)
{
    const struct avoid_obstacles_parameters *parameters = batch->parameters;
    const struct steer_view *view = batch->view;
    const struct agent_store *agents = view->agents;
    uint32_t row = batch->rows[index];
    float speed = vec2_length(steer_velocity(view, row));
    struct vec2 ahead;
    if (!avoid_obstacles_ahead(view, row, &ahead)) {
        return;
    }
    float length = speed * parameters->look_ahead_time;
    float length_min = parameters->length_min_radii * agents->radius[row];
    length = length > length_min ? length : length_min;
    struct obstacle_hit hit;
    struct obstacle_sweep sweep = {steer_position(view, row), vec2_scale(ahead, length), agents->radius[row]};
    if (!obstacles_sweep(view->obstacles, &sweep, &hit)) {
        return;
    }
    struct vec2 right = vec2_right(ahead);
    float side = avoid_obstacles_side(batch, row, vec2_dot(hit.normal, right));
    float weight = 1.0f - hit.fraction;
    float brake = weight * weight * agents->max_accel[row];
    float stop = speed / view->dt_s; /* more would turn it back */
    struct vec2 accel = vec2_scale(right, side * weight * agents->max_accel[row]);
    steering_ask(out, index, vec2_mad(accel, ahead, -(brake < stop ? brake : stop)));
}

void behaviour_avoid_obstacles(const struct steer_batch *batch, struct steering *out)
{
    if (batch->view->obstacles->count == 0) {
        return;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        avoid_obstacles_steer(batch, i, out);
    }
}
