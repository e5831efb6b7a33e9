#pragma once

#include <stdbool.h>

#include "base/vec2.h"

/* A part of the ground plane with an exact outline: points on it are inside. */

enum area_kind {
    AREA_WHOLE,     /* everything */
    AREA_RECTANGLE, /* min to max */
    AREA_DISC,      /* center and radius */
};

struct area {
    enum area_kind kind;
    struct vec2 min_m; /* AREA_RECTANGLE */
    struct vec2 max_m;
    struct vec2 center_m; /* AREA_DISC */
    float radius_m;
};

bool area_contains(const struct area *area, struct vec2 point);
