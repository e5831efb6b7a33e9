/* What is a legal obstacle, and how far from it a point is. */
#include "sim/steer.h"

#include <math.h>
#include <stdio.h>

#include "sim/check.h"
#include "sim/core.h"

#define SHAPE_REACH_M      10000.0f /* outlines lie within this of the origin, on both axes */
#define SHAPE_SIZE_MIN_M   0.01f
#define SHAPE_RADIUS_MAX_M 1000.0f
#define SHAPE_AREA_MIN_M2  1e-4 /* of the smallest legal box */

static const struct vec2 shape_min = {-SHAPE_REACH_M, -SHAPE_REACH_M};
static const struct vec2 shape_max = {SHAPE_REACH_M, SHAPE_REACH_M};

/* Refuses an outline that leaves the legal square. */
static enum status shape_check_reach(const char *field, const struct steer_shape *shape, struct fault *fault)
{
    struct core core;
    core_init(&core, shape);
    for (uint32_t i = 0; i < core.count; i++) {
        double x = fabs(core.points[i].x) + core.rounding_m;
        double y = fabs(core.points[i].y) + core.rounding_m;
        double reach = x > y ? x : y;
        if (reach > (double)SHAPE_REACH_M) {
            return fault_set(
                fault, STATUS_OUT_OF_RANGE,
                "%s reaches %.9g m from the origin: outlines lie within 10000 m of it on both axes", field,
                reach);
        }
    }
    return STATUS_OK;
}

static enum status shape_check_circle(const struct steer_shape *shape, struct fault *fault)
{
    enum status status = check_point("circle.center", shape->center_m, shape_min, shape_max, fault);
    if (status == STATUS_OK) {
        status =
            check_range("circle.radius", "m", shape->radius_m, SHAPE_SIZE_MIN_M, SHAPE_RADIUS_MAX_M, fault);
    }
    return status == STATUS_OK ? shape_check_reach("circle", shape, fault) : status;
}

static enum status shape_check_box(const struct steer_shape *shape, struct fault *fault)
{
    enum status status = check_point("box.center", shape->center_m, shape_min, shape_max, fault);
    if (status == STATUS_OK) {
        status = check_range("box.size.x", "m", shape->size_m.x, SHAPE_SIZE_MIN_M, SHAPE_REACH_M, fault);
    }
    if (status == STATUS_OK) {
        status = check_range("box.size.y", "m", shape->size_m.y, SHAPE_SIZE_MIN_M, SHAPE_REACH_M, fault);
    }
    if (status == STATUS_OK) {
        status = check_finite("box.orientation_deg", "degrees", shape->orientation_deg, fault);
    }
    return status == STATUS_OK ? shape_check_reach("box", shape, fault) : status;
}

static double shape_distance_between(struct vec2 a, struct vec2 b)
{
    double x = (double)b.x - a.x;
    double y = (double)b.y - a.y;
    return sqrt(x * x + y * y);
}

static enum status shape_check_segment(const struct steer_shape *shape, struct fault *fault)
{
    if (shape->point_count != 2) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "segment has %u ends: 2 are needed",
                         shape->point_count);
    }
    enum status status = check_point("segment.a", shape->points_m[0], shape_min, shape_max, fault);
    if (status == STATUS_OK) {
        status = check_point("segment.b", shape->points_m[1], shape_min, shape_max, fault);
    }
    double length = shape_distance_between(shape->points_m[0], shape->points_m[1]);
    /* The ends are floats: what a user writes as 0.01 m apart can be a hair less. */
    if (status == STATUS_OK && length < (double)SHAPE_SIZE_MIN_M * 0.999) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "segment is %g m long: 0.01 m or more is needed",
                         length);
    }
    return status;
}

/* z of the cross product of b - a and c - a. */
static double shape_turn(struct vec2 a, struct vec2 b, struct vec2 c)
{
    return ((double)b.x - a.x) * ((double)c.y - a.y) - ((double)b.y - a.y) * ((double)c.x - a.x);
}

/* Every corner on one side of every edge: convex, and not crossing itself where no two corners are one. */
static enum status shape_check_convex(const struct steer_shape *shape, struct fault *fault)
{
    uint32_t count = shape->point_count;
    const struct vec2 *points = shape->points_m;
    double area = 0.0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        area += 0.5 * shape_turn(points[0], points[i], points[i + 1]);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < count; j++) {
            double turn = shape_turn(points[i], points[(i + 1) % count], points[j]);
            if (area >= 0.0 ? turn < 0.0 : turn > 0.0) {
                return fault_set(fault, STATUS_INVALID_ARGUMENT,
                                 "polygon.points are not convex or cross each other at points[%u]: "
                                 "the corners of a convex outline, in order, are needed",
                                 (i + 1) % count);
            }
        }
    }
    if (fabs(area) < SHAPE_AREA_MIN_M2) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "polygon.points enclose %g m2: 0.0001 m2 or more are needed", fabs(area));
    }
    return STATUS_OK;
}

static enum status shape_check_polygon(const struct steer_shape *shape, struct fault *fault)
{
    if (shape->point_count < 3 || shape->point_count > STEER_SHAPE_POINTS_MAX) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "polygon.points has %u corners: 3 to %d are legal",
                         shape->point_count, STEER_SHAPE_POINTS_MAX);
    }
    for (uint32_t i = 0; i < shape->point_count; i++) {
        char field[32];
        snprintf(field, sizeof field, "polygon.points[%u]", i);
        enum status status = check_point(field, shape->points_m[i], shape_min, shape_max, fault);
        if (status != STATUS_OK) {
            return status;
        }
        for (uint32_t j = 0; j < i; j++) {
            if (shape->points_m[i].x == shape->points_m[j].x &&
                shape->points_m[i].y == shape->points_m[j].y) {
                return fault_set(fault, STATUS_INVALID_ARGUMENT,
                                 "polygon.points[%u] is points[%u] again: different corners are needed", i,
                                 j);
            }
        }
    }
    return shape_check_convex(shape, fault);
}

enum status steer_shape_check(const struct steer_shape *shape, struct fault *fault)
{
    switch (shape->kind) {
    case STEER_SHAPE_CIRCLE:
        return shape_check_circle(shape, fault);
    case STEER_SHAPE_BOX:
        return shape_check_box(shape, fault);
    case STEER_SHAPE_SEGMENT:
        return shape_check_segment(shape, fault);
    case STEER_SHAPE_POLYGON:
        return shape_check_polygon(shape, fault);
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT,
                     "shape is %d: a circle, box, segment or polygon is needed", (int)shape->kind);
}

float steer_shape_distance(const struct steer_shape *shape, struct vec2 point)
{
    struct core core;
    core_init(&core, shape);
    return (float)core_nearest(&core, (struct point){point.x, point.y}).distance_m;
}
