/*
 * Who is wedged in. Every contact allows half of all directions; what they allow together is an interval of
 * the part to the right that a direction has for each part towards the goal. Its bounds are a largest and a
 * smallest of all contacts, so their order does not matter.
 */
#include "sim/wedged.h"

#define WEDGED_REST_S       1.0f
#define WEDGED_TOUCH_SLOPS  2.0f  /* beside another: nearer than this it touches */
#define WEDGED_TOUCH_SKINS  4.0f  /* beside what is solid: likewise */
#define WEDGED_STANDS_MPS   0.01f /* slower than this one stands, and does not only push in vain */
#define WEDGED_RESTS_MPS    0.1f  /* or slower than this, when it has not come from the spot for so long */
#define WEDGED_SIDEWAYS_MAX 6.0f  /* steeper than 80 degrees off the wish is no way towards it */

/* Directions that are left: wish + s * right, with s in between. */
struct wedged_directions {
    struct vec2 wish;
    struct vec2 right;
    float min;
    float max;
};

/* Takes away what goes against a contact's normal, which points to the agent. */
static void wedged_touch(struct wedged_directions *left, struct vec2 normal)
{
    float along = vec2_dot(normal, left->wish);
    float aside = vec2_dot(normal, left->right);
    if (aside > 0.0f) {
        float min = -along / aside;
        left->min = min > left->min ? min : left->min;
    } else if (aside < 0.0f) {
        float max = -along / aside;
        left->max = max < left->max ? max : left->max;
    } else if (along < 0.0f) {
        left->max = -HUGE_VALF;
    }
}

/* Whether one who is touched stays there. */
static bool wedged_stays(const struct steer_view *view, const struct wedged_directions *left, uint32_t row)
{
    bool rests = (float)view->agents->rest_ticks[row] * view->dt_s >= WEDGED_REST_S;
    float stands_mps = rests ? WEDGED_RESTS_MPS : WEDGED_STANDS_MPS;
    if (vec2_length_squared(steer_velocity(view, row)) < stands_mps * stands_mps) {
        return true;
    }
    struct steer_waypoint to;
    return view->agents->state[row] == STEER_AGENT_STATE_BLOCKED && steer_next_waypoint(view, row, &to) &&
           vec2_dot(vec2_sub(to.point_m, steer_position(view, row)), left->wish) < 0.0f;
}

static void wedged_by_agents(const struct steer_view *view, uint32_t row, uint32_t place,
                             struct wedged_directions *left)
{
    const struct grid *grid = view->grid;
    struct vec2 position = steer_position(view, row);
    float reach_m = grid->radius[place] + WEDGED_TOUCH_SLOPS * view->slop_m;
    struct grid_span span = grid_span(grid, position, reach_m + grid->radius_max_m);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t other = run.begin; other < run.end; other++) {
            struct vec2 offset = vec2(position.x - grid->x[other], position.y - grid->y[other]);
            float touch_m = reach_m + grid->radius[other];
            float distance = vec2_length(offset);
            if (other != place && distance > 0.0f && distance < touch_m &&
                wedged_stays(view, left, grid->row[other])) {
                wedged_touch(left, vec2_scale(offset, 1.0f / distance));
            }
        }
    }
}

/* The nearest of what is solid, also seen from either side, and the edges of the world. */
static void wedged_by_solids(const struct steer_view *view, uint32_t row, struct wedged_directions *left)
{
    struct vec2 position = steer_position(view, row);
    float touch_m = view->agents->radius[row] + WEDGED_TOUCH_SKINS * view->skin_m;
    const float sides[] = {0.0f, -0.5f, 0.5f};
    struct obstacle_near near;
    for (uint32_t i = 0; i < 3; i++) {
        /* From half a radius aside: of two that it touches each side shows its own. */
        float aside_m = sides[i] * view->agents->radius[row];
        struct vec2 from = vec2_mad(position, left->right, aside_m);
        if (obstacles_nearest(view->obstacles, from, touch_m, &near)) {
            struct vec2 center = vec2_mad(from, near.normal, -near.distance_m);
            struct vec2 offset = vec2_sub(position, center);
            float distance = vec2_length(offset);
            if (distance > 0.0f && distance < touch_m) {
                wedged_touch(left, vec2_scale(offset, 1.0f / distance));
            }
        }
    }
    if (position.x - view->world_min_m.x < touch_m) {
        wedged_touch(left, vec2(1.0f, 0.0f));
    }
    if (view->world_max_m.x - position.x < touch_m) {
        wedged_touch(left, vec2(-1.0f, 0.0f));
    }
    if (position.y - view->world_min_m.y < touch_m) {
        wedged_touch(left, vec2(0.0f, 1.0f));
    }
    if (view->world_max_m.y - position.y < touch_m) {
        wedged_touch(left, vec2(0.0f, -1.0f));
    }
}

static bool wedged_is(const struct steer_view *view, uint32_t row, uint32_t place, struct vec2 wish)
{
    struct wedged_directions left = {
        .wish = wish, .right = vec2_right(wish), .min = -WEDGED_SIDEWAYS_MAX, .max = WEDGED_SIDEWAYS_MAX};
    wedged_by_solids(view, row, &left);
    if (left.min > left.max) {
        return false; /* there may be a way round: avoid_obstacles knows */
    }
    wedged_by_agents(view, row, place, &left);
    return left.min > left.max;
}

bool wedged_stands(const struct steer_view *view, uint32_t row, uint32_t place, struct vec2 *accel_out)
{
    const struct agent_store *agents = view->agents;
    struct steer_waypoint to;
    if (agents->state[row] != STEER_AGENT_STATE_BLOCKED ||
        (float)agents->rest_ticks[row] * view->dt_s < WEDGED_REST_S || !steer_next_waypoint(view, row, &to)) {
        return false;
    }
    struct vec2 way = vec2_sub(to.point_m, steer_position(view, row));
    float length = vec2_length(way);
    if (length == 0.0f || !wedged_is(view, row, place, vec2_scale(way, 1.0f / length))) {
        return false;
    }
    struct vec2 brake = vec2_scale(steer_velocity(view, row), -1.0f / view->dt_s);
    *accel_out = vec2_clamp_length(brake, agents->max_accel[row]);
    return true;
}
