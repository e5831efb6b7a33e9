#pragma once

#include "sim/steering.h"

/*
 * Where an agent goes that stands before those who have arrived at its goal: round one of them, to a free
 * place that is nearer to the goal.
 */

struct settle_way {
    struct vec2 direction; /* unit, at a right angle to the one it goes round */
    struct vec2 lift_m;    /* to where it keeps the margin to that one */
    float length_m;        /* along the arc to the free place */
};

/*
 * False: there is no place worth going to, the way does not end here, or the goal moves. `way` is the
 * agent's, `margin_m` what it keeps to others' rims.
 */
bool settle_find(const struct steer_view *view, uint32_t row, const struct steer_waypoint *way,
                 float margin_m, struct settle_way *out);
