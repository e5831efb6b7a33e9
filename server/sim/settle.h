#pragma once

#include "sim/steering.h"

/*
 * Where an agent goes that stands before those who have arrived at its goal: along their outside, to a free
 * place that is nearer to the goal.
 */

struct settle_way {
    struct vec2 direction; /* unit, at a right angle to the one it goes round first */
    struct vec2 lift_m;    /* to where it keeps the margin to that one */
    float straight_m;      /* round that one, until it has to turn round the next */
    float gain_m;          /* by which the place is nearer, less what the way there counts */
    float length_m;        /* along the arcs to the free place */
};

/*
 * Whether one stays where it is: it has arrived, or is slow, or has not got anywhere for a while, whatever
 * its velocity says: who presses on somebody moves by less than that. `place`: in the grid.
 */
bool settle_stays(const struct steer_view *view, uint32_t place);

/*
 * False: there is no place worth going to, the way does not end here, or the goal moves. `way` is the
 * agent's, `margin_m` what it keeps to others' rims.
 */
bool settle_find(const struct steer_view *view, uint32_t row, const struct steer_waypoint *way,
                 float margin_m, struct settle_way *out);
