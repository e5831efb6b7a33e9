#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec2.h"
#include "sim/agent_store.h"

/*
 * Where everybody is: the columns that neighbours read, copied in the order of the cells of a uniform grid,
 * so that the neighbours of a disc are a few contiguous runs. Built anew every tick by a counting sort;
 * within a cell agents stand ascending by row, which is ascending by id, so every walk over it is the same on
 * any machine.
 *
 * The cells cover the rectangle in which the agents are. x, y follow the agents while they part; who has left
 * his cell by then is at most slack_m from it, and grid_span reaches out for him.
 */
#define GRID_PAD 3u /* floats that may be read beyond the last place: see lanes.h */

struct grid {
    uint32_t count;
    float origin_x; /* south-west corner of the cells, m */
    float origin_y;
    float cell_m;
    double per_cell_m; /* 1 / cell_m */
    uint32_t columns;
    uint32_t rows;
    float slack_m;
    float radius_max_m; /* of all agents */

    /* Per place: count of each, sorted by cell, then row. */
    float *x; /* m */
    float *y;
    float *vx; /* m/s */
    float *vy;
    float *radius; /* m */
    uint32_t *layers;
    uint32_t *mask;
    uint32_t *row; /* in the agent store */

    uint32_t *cell_start; /* columns * rows + 1: first place of each cell */
    uint32_t *cell_of;    /* per row, scratch of the build */
    uint32_t cells_max;
};

size_t grid_bytes(uint32_t agents_max);
void grid_init(struct grid *grid, struct arena *arena, uint32_t agents_max);

/* Sorts the agents. Cost: O(agents + cells), cells at most 2 per agent that fits. */
void grid_build(struct grid *grid, const struct agent_store *agents);

/* A block of cells, inclusive at both ends; empty when row_first > row_last. */
struct grid_span {
    uint32_t column_first;
    uint32_t column_last;
    uint32_t row_first;
    uint32_t row_last;
};

/* The cells in which centres within `radius_m` of `center` can be. */
struct grid_span grid_span(const struct grid *grid, struct vec2 center, float radius_m);

/* Half-open range of places. */
struct grid_run {
    uint32_t begin;
    uint32_t end;
};

/* The agents of one row of cells of a span:
 *
 *     struct grid_span span = grid_span(grid, center, radius);
 *     for (uint32_t row = span.row_first; row <= span.row_last; row++) {
 *         struct grid_run run = grid_run(grid, &span, row);
 *         for (uint32_t place = run.begin; place < run.end; place++) { ... grid->x[place] ... }
 *     }
 */
static inline struct grid_run grid_run(const struct grid *grid, const struct grid_span *span, uint32_t row)
{
    size_t base = (size_t)row * grid->columns;
    return (struct grid_run){grid->cell_start[base + span->column_first],
                             grid->cell_start[base + span->column_last + 1]};
}
