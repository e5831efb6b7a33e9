/*
 * Whether a disc went through an obstacle within a tick: it stands on this side, then on that, and the way
 * round is longer than it can have gone. Who goes at 20 m/s passes a thin wall between two ticks, where no
 * look at the places alone would find him in it.
 */
#include <math.h>

#include "base/trig.h"
#include "check.h"

#define CROSSING_ROUNDS 80
#define CROSSING_NONE_M 1e-4f /* nearest that a line comes to a solid that it does not meet */

/* Nearest that the line from a to b comes to the solid. Along a line that distance falls, then rises. */
static float crossing_nearest_m(const struct steer_shape *shape, struct vec2 a, struct vec2 b)
{
    float low = 0.0f;
    float high = 1.0f;
    struct vec2 way = vec2_sub(b, a);
    for (uint32_t round = 0; round < CROSSING_ROUNDS; round++) {
        float third = (high - low) / 3.0f;
        float left_m = steer_shape_distance(shape, vec2_mad(a, way, low + third));
        float right_m = steer_shape_distance(shape, vec2_mad(a, way, high - third));
        low = left_m > right_m ? low + third : low;
        high = left_m > right_m ? high : high - third;
    }
    return steer_shape_distance(shape, vec2_mad(a, way, 0.5f * (low + high)));
}

/* Farthest point of a shape along a unit direction. */
static struct vec2 crossing_extreme(const struct steer_shape *shape, struct vec2 along)
{
    struct vec2 points[4];
    const struct vec2 *corners = shape->points_m;
    uint32_t count = shape->point_count;
    if (shape->kind == STEER_SHAPE_CIRCLE) {
        return vec2_mad(shape->center_m, along, shape->radius_m);
    }
    if (shape->kind == STEER_SHAPE_BOX) {
        struct vec2 y = trig_direction(shape->orientation_deg);
        struct vec2 x = vec2_right(y);
        for (count = 0; count < 4; count++) {
            float right = (count & 1) != 0 ? 0.5f : -0.5f;
            float ahead = (count & 2) != 0 ? 0.5f : -0.5f;
            points[count] =
                vec2_mad(vec2_mad(shape->center_m, x, right * shape->size_m.x), y, ahead * shape->size_m.y);
        }
        corners = points;
    }
    struct vec2 best = corners[0];
    for (uint32_t i = 1; i < count; i++) {
        best = vec2_dot(corners[i], along) > vec2_dot(best, along) ? corners[i] : best;
    }
    return best;
}

bool crossing_is_through(const struct steer_shape *shape, const struct crossing *crossing)
{
    struct vec2 way = vec2_sub(crossing->to_m, crossing->from_m);
    float way_m = vec2_length(way);
    /* Who was clear of it before and is now has crossed it only if he went farther than he is wide. */
    if (way_m < 1.9f * crossing->radius_m ||
        crossing_nearest_m(shape, crossing->from_m, crossing->to_m) > CROSSING_NONE_M) {
        return false;
    }
    struct vec2 aside = vec2_right(vec2_scale(way, 1.0f / way_m));
    float shortest_m = HUGE_VALF;
    for (uint32_t side = 0; side < 2; side++) {
        struct vec2 along = vec2_scale(aside, side == 0 ? 1.0f : -1.0f);
        /* On this side every way round goes about the solid grown by the disc, and so about this point. */
        struct vec2 round = vec2_mad(crossing_extreme(shape, along), along, crossing->radius_m);
        float round_m =
            vec2_length(vec2_sub(round, crossing->from_m)) + vec2_length(vec2_sub(crossing->to_m, round));
        shortest_m = fminf(shortest_m, round_m);
    }
    return shortest_m > crossing->way_max_m;
}
