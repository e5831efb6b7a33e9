/*
 * The agents sorted by place. Built after they have moved; parting and steering read it.
 */
#include "sim/grid.h"

#include "base/assert.h"
#include "base/exact.h"

#define GRID_CELL_M                                                                                          \
    2.0f /* a search of 5 m looks at twice the area it needs, one of 1 m at 9 cells or fewer */
#define GRID_CELLS_MIN       4096u
#define GRID_CELLS_PER_AGENT 2u
#define GRID_ALIGN           64u

static uint32_t grid_cells_max(uint32_t agents_max)
{
    uint32_t wanted = agents_max * GRID_CELLS_PER_AGENT;
    return wanted < GRID_CELLS_MIN ? GRID_CELLS_MIN : wanted;
}

size_t grid_bytes(uint32_t agents_max)
{
    size_t columns = 5 * sizeof(float) + 4 * sizeof(uint32_t);
    return (agents_max + GRID_PAD) * columns + ((size_t)grid_cells_max(agents_max) + 1) * sizeof(uint32_t) +
           10 * GRID_ALIGN;
}

void grid_init(struct grid *grid, struct arena *arena, uint32_t agents_max)
{
    *grid = (struct grid){
        .cells_max = grid_cells_max(agents_max), .cell_m = GRID_CELL_M, .columns = 1, .rows = 1};
    size_t floats = ((size_t)agents_max + GRID_PAD) * sizeof(float);
    grid->x = arena_take(arena, floats);
    grid->y = arena_take(arena, floats);
    grid->vx = arena_take(arena, floats);
    grid->vy = arena_take(arena, floats);
    grid->radius = arena_take(arena, floats);
    grid->layers = arena_take(arena, agents_max * sizeof *grid->layers);
    grid->mask = arena_take(arena, agents_max * sizeof *grid->mask);
    grid->row = arena_take(arena, agents_max * sizeof *grid->row);
    grid->cell_of = arena_take(arena, agents_max * sizeof *grid->cell_of);
    grid->cell_start = arena_take(arena, ((size_t)grid->cells_max + 1) * sizeof *grid->cell_start);
    ASSERT(grid->cell_start != NULL);
    grid->cell_start[0] = 0;
    grid->cell_start[1] = 0;
}

/* Cells of 2 m over the agents, or larger ones where there would be too many. */
static void grid_lay_out(struct grid *grid, const struct agent_store *agents)
{
    float min_x = agents->x[0];
    float max_x = min_x;
    float min_y = agents->y[0];
    float max_y = min_y;
    float radius_max = 0.0f;
    for (uint32_t row = 0; row < agents->count; row++) {
        min_x = agents->x[row] < min_x ? agents->x[row] : min_x;
        max_x = agents->x[row] > max_x ? agents->x[row] : max_x;
        min_y = agents->y[row] < min_y ? agents->y[row] : min_y;
        max_y = agents->y[row] > max_y ? agents->y[row] : max_y;
        radius_max = agents->radius[row] > radius_max ? agents->radius[row] : radius_max;
    }
    grid->origin_x = min_x;
    grid->origin_y = min_y;
    grid->radius_max_m = radius_max;
    grid->cell_m = GRID_CELL_M;
    for (;;) {
        double columns = exact_floor(((double)max_x - min_x) / grid->cell_m) + 1.0;
        double rows = exact_floor(((double)max_y - min_y) / grid->cell_m) + 1.0;
        if (columns * rows <= grid->cells_max) {
            grid->columns = (uint32_t)columns;
            grid->rows = (uint32_t)rows;
            grid->per_cell_m = 1.0 / grid->cell_m;
            return;
        }
        grid->cell_m *= 1.25f;
    }
}

/*
 * Column or row of a coordinate, cut to the cells there are. It grows with the coordinate, rounded or not, so
 * that whoever is within a span's bounds is in a cell of it.
 */
static inline uint32_t grid_index(double coordinate, double origin, double per_cell_m, uint32_t count)
{
    double index = (coordinate - origin) * per_cell_m;
    if (!(index > 0.0)) {
        return 0;
    }
    return index >= count ? count - 1 : (uint32_t)index;
}

void grid_build(struct grid *grid, const struct agent_store *agents)
{
    grid->count = agents->count;
    grid->slack_m = 0.0f;
    if (agents->count == 0) {
        grid->columns = 1;
        grid->rows = 1;
        grid->radius_max_m = 0.0f;
        grid->cell_start[0] = 0;
        grid->cell_start[1] = 0;
        return;
    }
    grid_lay_out(grid, agents);
    uint32_t cells = grid->columns * grid->rows;
    for (uint32_t cell = 0; cell <= cells; cell++) {
        grid->cell_start[cell] = 0;
    }
    for (uint32_t row = 0; row < agents->count; row++) {
        uint32_t column = grid_index(agents->x[row], grid->origin_x, grid->per_cell_m, grid->columns);
        uint32_t line = grid_index(agents->y[row], grid->origin_y, grid->per_cell_m, grid->rows);
        grid->cell_of[row] = line * grid->columns + column;
        grid->cell_start[grid->cell_of[row]]++;
    }
    /* Counts become ends; filling from the last row on turns them into starts and keeps rows ascending. */
    for (uint32_t cell = 1; cell <= cells; cell++) {
        grid->cell_start[cell] += grid->cell_start[cell - 1];
    }
    for (uint32_t row = agents->count; row-- > 0;) {
        uint32_t place = --grid->cell_start[grid->cell_of[row]];
        grid->x[place] = agents->x[row];
        grid->y[place] = agents->y[row];
        grid->vx[place] = agents->vx[row];
        grid->vy[place] = agents->vy[row];
        grid->radius[place] = agents->radius[row];
        grid->layers[place] = agents->layers[row];
        grid->mask[place] = agents->mask[row];
        grid->row[place] = row;
    }
}

struct grid_span grid_span(const struct grid *grid, struct vec2 center, float radius_m)
{
    if (grid->count == 0) {
        return (struct grid_span){.row_first = 1, .row_last = 0};
    }
    double reach = (double)radius_m + grid->slack_m;
    return (struct grid_span){
        .column_first = grid_index(center.x - reach, grid->origin_x, grid->per_cell_m, grid->columns),
        .column_last = grid_index(center.x + reach, grid->origin_x, grid->per_cell_m, grid->columns),
        .row_first = grid_index(center.y - reach, grid->origin_y, grid->per_cell_m, grid->rows),
        .row_last = grid_index(center.y + reach, grid->origin_y, grid->per_cell_m, grid->rows),
    };
}
