/*
 * Exact geometry of one obstacle: distance to it and first touch of a moving disc. Coordinates are floats,
 * whose differences are exact in double; the results are right to some 1e-12 m, far below what a float
 * coordinate can say.
 *
 * A disc of radius R touches a core grown by r where its centre is R + r from the core: on the sides moved
 * outwards by that, or on circles of that radius round the corners. The circles are whole, so that nothing
 * slips through where a side and a circle meet, whatever the rounding.
 */
#include "sim/core.h"

#include <math.h>

#include "base/assert.h"
#include "base/exact.h"
#include "base/trig.h"

/* Two ways to compute one distance differ by less; who is outside by the one must not be inside by the other.
 */
#define CORE_ROUNDING_M 1e-9

static inline struct point core_point(double x, double y)
{
    return (struct point){x, y};
}

static inline double core_dot(struct point a, struct point b)
{
    return a.x * b.x + a.y * b.y;
}

static inline struct point core_sub(struct point a, struct point b)
{
    return core_point(a.x - b.x, a.y - b.y);
}

/* The right of a direction, unit: outwards of a side when corners run counter-clockwise. */
static inline struct point core_right(struct point direction)
{
    double length = sqrt(core_dot(direction, direction));
    return core_point(direction.y / length, -direction.x / length);
}

static struct point core_from(struct vec2 point)
{
    return core_point(point.x, point.y);
}

static void core_init_box(struct core *core, const struct steer_shape *shape)
{
    struct vec2 north = trig_direction(trig_wrap_deg(shape->orientation_deg));
    struct point up = core_point(north.x * 0.5 * shape->size_m.y, north.y * 0.5 * shape->size_m.y);
    struct point right = core_point(north.y * 0.5 * shape->size_m.x, -north.x * 0.5 * shape->size_m.x);
    struct point center = core_from(shape->center_m);
    core->count = 4;
    core->points[0] = core_point(center.x - right.x - up.x, center.y - right.y - up.y);
    core->points[1] = core_point(center.x + right.x - up.x, center.y + right.y - up.y);
    core->points[2] = core_point(center.x + right.x + up.x, center.y + right.y + up.y);
    core->points[3] = core_point(center.x - right.x + up.x, center.y - right.y + up.y);
}

/* Corners as given, or the other way round when they run clockwise. */
static void core_init_polygon(struct core *core, const struct steer_shape *shape)
{
    uint32_t count = shape->point_count;
    double area = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        struct point a = core_sub(core_from(shape->points_m[i]), core_from(shape->points_m[0]));
        struct point b = core_sub(core_from(shape->points_m[(i + 1) % count]), core_from(shape->points_m[0]));
        area += a.x * b.y - a.y * b.x;
    }
    core->count = count;
    for (uint32_t i = 0; i < count; i++) {
        core->points[i] = core_from(shape->points_m[area >= 0.0 ? i : count - 1 - i]);
    }
}

void core_init(struct core *core, const struct steer_shape *shape)
{
    *core = (struct core){0};
    switch (shape->kind) {
    case STEER_SHAPE_CIRCLE:
        core->rounding_m = shape->radius_m;
        core->count = 1;
        core->points[0] = core_from(shape->center_m);
        break;
    case STEER_SHAPE_BOX:
        core_init_box(core, shape);
        break;
    case STEER_SHAPE_SEGMENT:
        core->count = 2;
        core->points[0] = core_from(shape->points_m[0]);
        core->points[1] = core_from(shape->points_m[1]);
        break;
    case STEER_SHAPE_POLYGON:
        core_init_polygon(core, shape);
        break;
    }
    ASSERT(core->count >= 1);
    struct point min = core->points[0];
    struct point max = min;
    for (uint32_t i = 1; i < core->count; i++) {
        min = core_point(exact_min(min.x, core->points[i].x), exact_min(min.y, core->points[i].y));
        max = core_point(exact_max(max.x, core->points[i].x), exact_max(max.y, core->points[i].y));
    }
    core->min_m = vec2(exact_next_down((float)(min.x - core->rounding_m)),
                       exact_next_down((float)(min.y - core->rounding_m)));
    core->max_m = vec2(exact_next_up((float)(max.x + core->rounding_m)),
                       exact_next_up((float)(max.y + core->rounding_m)));
}

/*
 * Distance from a point to a side, and the way from it. Over the side itself both come from the side's own
 * normal, as in core_sweep_side: a point that has come to rest on a wall is not a hair nearer to it by
 * another computation.
 */
static struct core_nearest core_nearest_of_side(struct point a, struct point b, struct point point)
{
    struct point side = core_sub(b, a);
    struct point offset = core_sub(point, a);
    double along = core_dot(offset, side);
    if (along > 0.0 && along < core_dot(side, side)) {
        struct point normal = core_right(side);
        double height = core_dot(offset, normal);
        return height >= 0.0 ? (struct core_nearest){height, normal}
                             : (struct core_nearest){-height, core_point(-normal.x, -normal.y)};
    }
    struct point away = along > 0.0 ? core_sub(point, b) : offset;
    double distance = sqrt(core_dot(away, away));
    struct core_nearest nearest = {.distance_m = distance};
    if (distance > 0.0) {
        nearest.normal = core_point(away.x / distance, away.y / distance);
    }
    return nearest;
}

/* Inside a polygon: out through the side that is nearest. False: the point is not inside. */
static bool core_nearest_inside(const struct core *core, struct point point, struct core_nearest *nearest)
{
    nearest->distance_m = -INFINITY;
    for (uint32_t i = 0; i < core->count; i++) {
        struct point a = core->points[i];
        struct point normal = core_right(core_sub(core->points[i + 1 == core->count ? 0 : i + 1], a));
        double distance = core_dot(core_sub(point, a), normal);
        if (distance >= 0.0) {
            return false;
        }
        if (distance > nearest->distance_m) {
            nearest->distance_m = distance;
            nearest->normal = normal;
        }
    }
    return true;
}

/* The way out for a point on the outline itself, where no direction leads to it from the nearest point. */
static struct point core_outward(const struct core *core, struct point point)
{
    if (core->count == 1) {
        return core_point(0.0, 1.0);
    }
    struct core_nearest best = {.distance_m = -INFINITY, .normal = core_point(0.0, 1.0)};
    for (uint32_t i = 0; i < (core->count == 2 ? 1 : core->count); i++) {
        struct point a = core->points[i];
        struct point normal = core_right(core_sub(core->points[i + 1 == core->count ? 0 : i + 1], a));
        double distance = core_dot(core_sub(point, a), normal);
        if (distance > best.distance_m) {
            best = (struct core_nearest){distance, normal};
        }
    }
    return best.normal;
}

struct core_nearest core_nearest(const struct core *core, struct point point)
{
    struct core_nearest nearest;
    if (core->count >= 3 && core_nearest_inside(core, point, &nearest)) {
        nearest.distance_m -= core->rounding_m;
        return nearest;
    }
    nearest.distance_m = INFINITY;
    for (uint32_t i = 0; i < (core->count == 2 ? 1 : core->count); i++) {
        struct core_nearest of_side =
            core_nearest_of_side(core->points[i], core->points[i + 1 == core->count ? 0 : i + 1], point);
        if (of_side.distance_m < nearest.distance_m) {
            nearest = of_side;
        }
    }
    if (nearest.distance_m == 0.0) {
        nearest.normal = core_outward(core, point);
    }
    nearest.distance_m -= core->rounding_m;
    return nearest;
}

/* First touch of a point that moves with the circle round a corner. Outside it at the start. */
static bool core_sweep_corner(struct point corner, struct point from, struct point move, double reach_m,
                              double *fraction)
{
    struct point offset = core_sub(from, corner);
    double a = core_dot(move, move);
    double b = core_dot(offset, move);
    double c = core_dot(offset, offset) - reach_m * reach_m;
    double discriminant = b * b - a * c;
    if (b >= 0.0 || discriminant <= 0.0) {
        return false; /* goes away from it, or passes it, touching it at most */
    }
    double t = c / (-b + sqrt(discriminant)); /* the smaller root, without cancellation */
    t = t < 0.0 ? 0.0 : t;
    if (t > *fraction) {
        return false;
    }
    *fraction = t;
    return true;
}

/* First touch with a side moved outwards. */
static bool core_sweep_side(struct point a, struct point b, struct point from, struct point move,
                            double reach_m, double *fraction, struct point *normal_out)
{
    struct point side = core_sub(b, a);
    struct point normal = core_right(side);
    double height = core_dot(core_sub(from, a), normal) - reach_m;
    double approach = core_dot(move, normal);
    if (approach >= 0.0 || height < -CORE_ROUNDING_M || height > -approach * *fraction) {
        return false;
    }
    double t = height > 0.0 ? height / -approach : 0.0;
    struct point at = core_point(from.x + move.x * t - a.x, from.y + move.y * t - a.y);
    double along = core_dot(at, side);
    if (along < 0.0 || along > core_dot(side, side)) {
        return false;
    }
    *fraction = t;
    *normal_out = normal;
    return true;
}

bool core_sweep(const struct core *core, struct point from, struct point move, double radius_m,
                double *fraction_out, struct point *normal_out)
{
    double reach_m = core->rounding_m + radius_m;
    struct core_nearest start = core_nearest(core, from);
    if (start.distance_m <= radius_m) {
        if (core_dot(move, start.normal) >= 0.0) {
            return false;
        }
        *fraction_out = 0.0;
        *normal_out = start.normal;
        return true;
    }
    double fraction = 1.0;
    bool found = false;
    for (uint32_t i = 0; i < core->count; i++) {
        struct point a = core->points[i];
        struct point b = core->points[i + 1 == core->count ? 0 : i + 1];
        if (core->count > 1 && core_sweep_side(a, b, from, move, reach_m, &fraction, normal_out)) {
            found = true;
        }
        if (core_sweep_corner(a, from, move, reach_m, &fraction)) {
            struct point away =
                core_point(from.x + move.x * fraction - a.x, from.y + move.y * fraction - a.y);
            double length = sqrt(core_dot(away, away));
            *normal_out = length > 0.0 ? core_point(away.x / length, away.y / length) : start.normal;
            found = true;
        }
    }
    if (found) {
        *fraction_out = fraction;
    }
    return found;
}
