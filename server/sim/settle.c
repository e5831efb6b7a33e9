/*
 * Settling round a goal that is taken. The agent looks along the rims of those who have arrived beside it,
 * both ways round, as far as there is room, for the place nearest to the goal. It may lead over a hump:
 * without that a crowd that comes from one side would be heaped up on that side.
 *
 * Every tick decides anew, from the same standing neighbours, so it needs no memory; a place has to be nearer
 * by more than a threshold, so that it comes to rest and cannot go round for ever.
 */
#include "sim/settle.h"

#define SETTLE_STEPS     18u /* of 10 degrees between the places that are looked at: half way round */
#define SETTLE_STEP_RAD  0.17453293f
#define SETTLE_STEP_COS  0.98480775f
#define SETTLE_STEP_SIN  0.17364818f
#define SETTLE_GAIN_PART 0.2f /* of its radius: a place that is nearer by less is not worth it */
#define SETTLE_KEEP_PART                                                                                     \
    0.25f /* of its radius: so much nearer is a place on the side to which it goes already */
#define SETTLE_NEAR_M     0.01f /* beyond the margin: nearer than this they touch */
#define SETTLE_CLEAR_M    0.01f /* a place with less room than this is taken */
#define SETTLE_STANDS_MPS 0.1f  /* slower than this one does not make room */
#define SETTLE_NEIGHBOURS 64u

/* One who may be in the way. */
struct settle_neighbour {
    struct vec2 offset_m; /* from the agent */
    float touch_m;        /* both radii */
    bool is_pivot;        /* it can be gone round */
};

struct settle_search {
    struct vec2 goal_m; /* from the agent */
    struct vec2 velocity_mps;
    float keep_m;
    float worth_m; /* to the goal: from places that are nearer than this */
    float best_m;  /* of the best place so far */
    float margin_m;
    uint32_t count;
    struct settle_neighbour neighbours[SETTLE_NEIGHBOURS];
};

static bool settle_same_goal(const struct agent_store *agents, uint32_t a, uint32_t b)
{
    if (agents->goal_kind[a] != agents->goal_kind[b]) {
        return false;
    }
    return agents->goal_kind[a] == GOAL_POINT
               ? agents->goal_x[a] == agents->goal_x[b] && agents->goal_y[a] == agents->goal_y[b]
               : agents->goal_ref[a] == agents->goal_ref[b];
}

/* Everybody who stands as near as a place beside a neighbour can be, in the grid's order. */
static void settle_gather(const struct steer_view *view, uint32_t own, struct settle_search *search)
{
    const struct grid *grid = view->grid;
    const struct agent_store *agents = view->agents;
    struct vec2 position = steer_position(view, own);
    float radius = agents->radius[own];
    float goal_squared = vec2_length_squared(search->goal_m);
    struct grid_span span =
        grid_span(grid, position, 3.0f * (radius + grid->radius_max_m) + 2.0f * search->margin_m);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t other = run.begin; other < run.end && search->count < SETTLE_NEIGHBOURS; other++) {
            uint32_t row = grid->row[other];
            if (row == own) {
                continue;
            }
            struct vec2 offset = vec2(grid->x[other] - position.x, grid->y[other] - position.y);
            struct vec2 velocity = vec2(grid->vx[other], grid->vy[other]);
            float touch_m = radius + grid->radius[other];
            float near_m = touch_m + search->margin_m + SETTLE_NEAR_M;
            bool is_same = settle_same_goal(agents, own, row);
            bool has_arrived = agents->state[row] == AGENT_STATE_ARRIVED;
            bool stands =
                has_arrived || vec2_length_squared(velocity) < SETTLE_STANDS_MPS * SETTLE_STANDS_MPS;
            bool is_ahead = is_same && vec2_length_squared(vec2_sub(search->goal_m, offset)) < goal_squared;
            if (stands || is_ahead) {
                search->neighbours[search->count++] = (struct settle_neighbour){
                    .offset_m = offset,
                    .touch_m = touch_m,
                    .is_pivot = is_same && has_arrived && vec2_length_squared(offset) < near_m * near_m,
                };
            }
        }
    }
}

static bool settle_is_free(const struct settle_search *search, const struct settle_neighbour *pivot,
                           struct vec2 at)
{
    for (uint32_t i = 0; i < search->count; i++) {
        const struct settle_neighbour *other = &search->neighbours[i];
        float clear_m = other->touch_m + SETTLE_CLEAR_M;
        if (other != pivot && vec2_length_squared(vec2_sub(at, other->offset_m)) < clear_m * clear_m) {
            return false;
        }
    }
    return true;
}

/* Round one, one way: `side` is 1 clockwise, else -1. Whether that leads to a better place than the best so
 * far. */
static bool settle_go_round(struct settle_search *search, const struct settle_neighbour *pivot, float side,
                            struct settle_way *out)
{
    float distance = vec2_length(pivot->offset_m);
    if (distance == 0.0f) {
        return false;
    }
    struct vec2 back = vec2_scale(pivot->offset_m, -1.0f / distance); /* from the pivot to the agent */
    struct vec2 right = vec2_right(back);
    float reach_m = pivot->touch_m + search->margin_m;
    float bonus_m = vec2_dot(right, search->velocity_mps) * side > 0.0f ? search->keep_m : 0.0f;
    bool is_better = false;
    struct vec2 arm = back;
    for (uint32_t i = 1; i <= SETTLE_STEPS; i++) {
        arm = vec2_mad(vec2_scale(arm, SETTLE_STEP_COS), vec2_right(arm), side * SETTLE_STEP_SIN);
        struct vec2 at = vec2_mad(pivot->offset_m, arm, reach_m);
        if (!settle_is_free(search, pivot, at)) {
            break;
        }
        float remaining_m = vec2_length(vec2_sub(search->goal_m, at));
        if (remaining_m < search->worth_m && remaining_m - bonus_m < search->best_m) {
            search->best_m = remaining_m - bonus_m;
            out->direction = vec2_scale(right, side);
            out->lift_m = vec2_scale(back, reach_m - distance);
            out->length_m = reach_m * SETTLE_STEP_RAD * (float)i;
            is_better = true;
        }
    }
    return is_better;
}

bool settle_find(const struct steer_view *view, uint32_t row, const struct steer_waypoint *way,
                 float margin_m, struct settle_way *out)
{
    if (!way->is_last || view->agents->goal_kind[row] == GOAL_AGENT) {
        return false;
    }
    struct settle_search search;
    search.goal_m = vec2_sub(way->point_m, steer_position(view, row));
    search.worth_m = vec2_length(search.goal_m) - SETTLE_GAIN_PART * view->agents->radius[row];
    search.velocity_mps = steer_velocity(view, row);
    search.keep_m = SETTLE_KEEP_PART * view->agents->radius[row];
    search.best_m = search.worth_m;
    search.margin_m = margin_m;
    search.count = 0;
    settle_gather(view, row, &search);
    bool is_found = false;
    for (uint32_t i = 0; i < search.count; i++) {
        const struct settle_neighbour *pivot = &search.neighbours[i];
        if (pivot->is_pivot) {
            is_found |= settle_go_round(&search, pivot, 1.0f, out);
            is_found |= settle_go_round(&search, pivot, -1.0f, out);
        }
    }
    return is_found;
}
