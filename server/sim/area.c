/* Parts of the plane. */
#include "sim/area.h"

bool area_contains(const struct area *area, struct vec2 point)
{
    switch (area->kind) {
    case AREA_RECTANGLE:
        return point.x >= area->min_m.x && point.x <= area->max_m.x && point.y >= area->min_m.y &&
               point.y <= area->max_m.y;
    case AREA_DISC: {
        /* In double, where the squares of float differences are exact enough for an exact outline. */
        double x = (double)point.x - area->center_m.x;
        double y = (double)point.y - area->center_m.y;
        return x * x + y * y <= (double)area->radius_m * area->radius_m;
    }
    case AREA_WHOLE:
        break;
    }
    return true;
}
