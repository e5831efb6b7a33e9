#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec2.h"
#include "sim/steer.h"

/* A point of the plane in double: differences of float coordinates are exact in it. */
struct point {
    double x;
    double y;
};

/*
 * What every shape is in here: the convex hull of some points (1 circle, 2 segment, 4 box, n polygon), grown
 * by a rounding radius. Corners run counter-clockwise.
 */
struct core {
    double rounding_m;
    uint32_t count;
    struct point points[STEER_SHAPE_POINTS_MAX];
    struct vec2 min_m; /* box round it all, rounded outwards */
    struct vec2 max_m;
};

/* Of a checked shape. */
void core_init(struct core *core, const struct steer_shape *shape);

/* How a point lies to a core. */
struct core_nearest {
    double distance_m;   /* to the solid; negative inside: depth by the shortest way out */
    struct point normal; /* unit, the way out (away from the solid) */
};

/*
 * On the very middle of a circle the way out is +y, on a segment the right of its direction; where several
 * edges are equally near, the first of them.
 */
struct core_nearest core_nearest(const struct core *core, struct point point);

/*
 * First touch of a disc of radius `radius_m` that moves from `from` by `move` with the solid.
 *
 * A disc that touches or overlaps at the start and goes deeper touches at 0; one that goes out or along does
 * not touch at all: the distance to a convex solid is a convex function of the way, so it cannot come back to
 * it. True: *fraction_out in [0, 1] is the part of the move before the touch, *normal_out the solid's normal
 * there.
 */
bool core_sweep(const struct core *core, struct point from, struct point move, double radius_m,
                double *fraction_out, struct point *normal_out);
