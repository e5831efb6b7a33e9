#pragma once

#include "sim/steering.h"

/*
 * Whom the flock behaviours see. Members of a flock are the agents of one flock number; number 0 is no flock:
 * who has it sees nobody, and nobody sees him. Distances are from centre to centre, so that a member counts
 * or does not however large he, or anybody, is.
 *
 * Source: Reynolds 1999, "Separation", "Cohesion", "Alignment": a local neighbourhood is a distance and an
 * angle, measured from the direction in which the agent goes.
 */

struct flock_sight {
    float radius_m;
    float view_angle_deg; /* whole width, (0, 360]; half of it to each side of where the agent goes */
};

struct flock_member {
    struct vec2 offset_m; /* from the agent to him; 0, 0 on the same spot, and then he is seen at any angle */
    float distance_m;
    struct vec2 velocity_mps;
    uint32_t id;
};

/* What a behaviour adds of one member to its sum. */
typedef void (*flock_add_fn)(const struct flock_member *member, void *sum);

/*
 * Calls `add` for every member that the index-th agent of the batch sees, never for the agent himself, in the
 * order of the grid's cells and in a cell by id.
 */
void flock_for_each(const struct steer_batch *batch, uint32_t index, const struct flock_sight *sight,
                    flock_add_fn add, void *sum);
