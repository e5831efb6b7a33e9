#pragma once

#include "sim/steering.h"

/* Which way along an obstacle: with it on the left or on the right hand. */
enum way_hand {
    WAY_HAND_LEFT,
    WAY_HAND_RIGHT,
};

/* A disc that touches an obstacle. */
struct way_touch {
    struct vec2 center_m;
    float radius_m;
    struct vec2 normal; /* unit, away from the obstacle */
    uint32_t index;     /* row of the obstacle */
};

/*
 * Whether the disc comes round the end of what it touches, going along it straight on: over seams and gaps
 * that are too narrow for it, as far as the next corner that shuts it in or the world's edge. Agents do not
 * count. *length_out: how far it goes along, when it does.
 */
bool way_round_is_open(const struct steer_view *view, const struct way_touch *touch, enum way_hand hand,
                       float *length_out);
