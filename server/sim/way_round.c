/*
 * The way round an obstacle, seen from where a disc touches it: along the tangent until the obstacle ends,
 * then past its end. What stands in the way of that belongs to the same wall, and the way goes on along it,
 * unless it stands across: then this is a pocket. It tells who walks along a wall to its end from who is shut
 * in; to find ways out of pockets is not for steering.
 */
#include "sim/way_round.h"

#define WAY_ROUND_PARTS_MAX 8u   /* obstacles in a row that make one wall */
#define WAY_ROUND_ACROSS    0.7f /* what leans against the way by more than 45 degrees stands across it */
#define WAY_ROUND_SKINS     2.0f /* beside what it goes along: more than movement keeps */

/* Farthest point of an obstacle along a unit direction. */
static struct vec2 way_round_end(const struct core *core, struct vec2 along)
{
    const struct point *end = &core->points[0];
    double most = end->x * (double)along.x + end->y * (double)along.y;
    for (uint32_t i = 1; i < core->count; i++) {
        double reach = core->points[i].x * (double)along.x + core->points[i].y * (double)along.y;
        if (reach > most) {
            most = reach;
            end = &core->points[i];
        }
    }
    return vec2_mad(vec2((float)end->x, (float)end->y), along, (float)core->rounding_m);
}

static bool way_round_is_in_world(const struct steer_view *view, struct vec2 center, float radius_m)
{
    return center.x - radius_m >= view->world_min_m.x && center.y - radius_m >= view->world_min_m.y &&
           center.x + radius_m <= view->world_max_m.x && center.y + radius_m <= view->world_max_m.y;
}

bool way_round_is_open(const struct steer_view *view, const struct way_touch *touch, enum way_hand hand,
                       float *length_out)
{
    const struct obstacles *obstacles = view->obstacles;
    float margin = WAY_ROUND_SKINS * view->skin_m;
    struct way_touch at = *touch;
    *length_out = 0.0f;
    for (uint32_t part = 0; part < WAY_ROUND_PARTS_MAX; part++) {
        struct vec2 right = vec2_right(at.normal);
        struct vec2 along = hand == WAY_HAND_LEFT ? vec2_scale(right, -1.0f) : right;
        struct vec2 end = way_round_end(&obstacles->cores[at.index], along);
        struct obstacle_sweep sweep = {.center_m = vec2_mad(at.center_m, at.normal, margin),
                                       .radius_m = at.radius_m};
        float ahead = vec2_dot(vec2_sub(end, sweep.center_m), along) + at.radius_m + margin;
        struct obstacle_hit hit;
        sweep.move_m = vec2_scale(along, ahead);
        *length_out += ahead;
        bool is_hit = obstacles_sweep(obstacles, &sweep, &hit);
        if (is_hit && vec2_dot(hit.normal, along) < -WAY_ROUND_ACROSS) {
            return false;
        }
        if (!is_hit) {
            sweep.center_m = vec2_add(sweep.center_m, sweep.move_m);
            float past = vec2_dot(vec2_sub(sweep.center_m, end), at.normal) + at.radius_m;
            sweep.move_m = vec2_scale(at.normal, -past);
            is_hit = obstacles_sweep(obstacles, &sweep, &hit);
        }
        if (!is_hit) {
            return way_round_is_in_world(view, sweep.center_m, at.radius_m) &&
                   way_round_is_in_world(view, vec2_add(sweep.center_m, sweep.move_m), at.radius_m);
        }
        at.center_m = vec2_mad(sweep.center_m, sweep.move_m, hit.fraction);
        at.normal = hit.normal;
        at.index = hit.index;
    }
    return false;
}
