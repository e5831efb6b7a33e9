#pragma once

#include "map.h"

/*
 * Which part of the world a map shows when nobody said: where agents and obstacles are. It grows when they
 * leave it and does not shrink, so that the picture stands still.
 */
struct fit {
    bool begun;
    struct map_area area; /* with begun */
};

/*
 * Takes what is there now into account and returns the area to show: inside `world`, not empty; the whole
 * world while there is nothing to see.
 */
struct map_area fit_update(struct fit *fit, const struct map_area *world, const struct steerd_mirror *mirror);

/* The box round an obstacle. */
struct map_area fit_obstacle_box(const struct steerd_obstacle *obstacle);
