#pragma once

#include <stdint.h>

#include "base/fault.h"
#include "base/vec2.h"

#define SHAPE_POINTS_MAX 16

enum shape_kind {
    SHAPE_CIRCLE,
    SHAPE_BOX,
    SHAPE_SEGMENT,
    SHAPE_POLYGON,
};

/* An obstacle's outline as a user gives it. */
struct shape {
    enum shape_kind kind;
    struct vec2 center_m;                   /* circle, box */
    float radius_m;                         /* circle */
    struct vec2 size_m;                     /* box: along x and y before turning */
    float orientation_deg;                  /* box: turn, clockwise */
    struct vec2 points_m[SHAPE_POINTS_MAX]; /* segment: 2; polygon: 3 to SHAPE_POINTS_MAX, either sense */
    uint32_t point_count;
};

/*
 * Refuses what is not finite, out of range or degenerate: zero area, fewer than 3 corners, not convex,
 * crossing itself. The words begin with the field's name ("polygon.points ...").
 * Fails: INVALID_ARGUMENT, OUT_OF_RANGE.
 */
MUST_CHECK enum status shape_check(const struct shape *shape, struct fault *fault);

/* Distance from a point to the solid, metres; negative inside (depth by the shortest way out). A checked
 * shape. */
float shape_distance(const struct shape *shape, struct vec2 point);
