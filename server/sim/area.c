/* Parts of the plane. */
#include "sim/steer.h"

bool steer_area_contains(const struct steer_area *area, struct vec2 point)
{
    switch (area->kind) {
    case STEER_AREA_RECTANGLE:
        return point.x >= area->min_m.x && point.x <= area->max_m.x && point.y >= area->min_m.y &&
               point.y <= area->max_m.y;
    case STEER_AREA_DISC: {
        /* In double, where the squares of float differences are exact enough for an exact outline. */
        double x = (double)point.x - area->center_m.x;
        double y = (double)point.y - area->center_m.y;
        return x * x + y * y <= (double)area->radius_m * area->radius_m;
    }
    case STEER_AREA_WHOLE:
        break;
    }
    return true;
}
