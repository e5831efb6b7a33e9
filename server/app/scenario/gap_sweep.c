/*
 * Gaps between agents by sort and sweep. Agents stand in order of x; for each, those that follow are looked
 * at until they are too far to the right to matter. From tick to tick the order hardly changes, so it is
 * mended by insertion.
 */
#include "app/scenario/gap_sweep.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"

/* What the sweep needs of an agent, in the order of x. */
struct gap_disc {
    double x_m;
    double y_m;
    double radius_m;
    uint32_t row; /* in the columns */
};

struct gap_sweep {
    struct gap_disc *discs;
    uint32_t count; /* of the last run: the order holds as long as nobody comes or goes */
    uint32_t count_max;
};

enum status gap_sweep_create(uint32_t agents_max, struct gap_sweep **out, struct fault *fault)
{
    struct gap_sweep *sweep = calloc(1, sizeof *sweep);
    if (sweep != NULL) {
        sweep->count_max = agents_max;
        sweep->discs = calloc((size_t)agents_max + 1, sizeof *sweep->discs);
    }
    if (sweep == NULL || sweep->discs == NULL) {
        gap_sweep_destroy(sweep);
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory to measure gaps of %u agents",
                         agents_max);
    }
    *out = sweep;
    return STATUS_OK;
}

void gap_sweep_destroy(struct gap_sweep *sweep)
{
    if (sweep != NULL) {
        free(sweep->discs);
        free(sweep);
    }
}

static int gap_disc_compare(const void *a, const void *b)
{
    double left = ((const struct gap_disc *)a)->x_m;
    double right = ((const struct gap_disc *)b)->x_m;
    return (left > right) - (left < right);
}

static void gap_sweep_sort(struct gap_sweep *sweep, const struct steer_agent_columns *agents)
{
    bool fresh = sweep->count != agents->count;
    sweep->count = agents->count;
    for (uint32_t i = 0; i < sweep->count; i++) {
        uint32_t row = fresh ? i : sweep->discs[i].row;
        sweep->discs[i] = (struct gap_disc){agents->x_m[row], agents->y_m[row], agents->radius_m[row], row};
    }
    if (fresh) {
        if (sweep->count > 0) {
            qsort(sweep->discs, sweep->count, sizeof *sweep->discs, gap_disc_compare);
        }
        return;
    }
    for (uint32_t i = 1; i < sweep->count; i++) {
        struct gap_disc disc = sweep->discs[i];
        uint32_t place = i;
        for (; place > 0 && sweep->discs[place - 1].x_m > disc.x_m; place--) {
            sweep->discs[place] = sweep->discs[place - 1];
        }
        sweep->discs[place] = disc;
    }
}

static double gap_sweep_radius_max(const struct gap_sweep *sweep)
{
    double radius_max_m = 0;
    for (uint32_t i = 0; i < sweep->count; i++) {
        radius_max_m = fmax(radius_max_m, sweep->discs[i].radius_m);
    }
    return radius_max_m;
}

struct gap_figures gap_sweep_run(struct gap_sweep *sweep, const struct steer_agent_columns *agents,
                                 const bool *skip, double bound_m, double overlap_m)
{
    ASSERT(agents->count <= sweep->count_max);
    ASSERT(overlap_m >= 0);
    struct gap_figures figures = {.gap_m = bound_m};
    gap_sweep_sort(sweep, agents);
    double radius_max_m = gap_sweep_radius_max(sweep);
    double interest_m = bound_m > 0 ? bound_m : 0; /* overlaps matter whatever the bound is */
    for (uint32_t i = 0; i < sweep->count; i++) {
        const struct gap_disc *a = &sweep->discs[i];
        bool a_skipped = skip != NULL && skip[a->row];
        for (uint32_t j = i + 1; j < sweep->count; j++) {
            const struct gap_disc *b = &sweep->discs[j];
            double dx = b->x_m - a->x_m;
            double dy = b->y_m - a->y_m;
            if (dx >= a->radius_m + radius_max_m + interest_m) {
                break;
            }
            double reach_m = a->radius_m + b->radius_m;
            double near_m = reach_m + interest_m;
            if (dx * dx + dy * dy >= near_m * near_m) {
                continue;
            }
            double gap_m = sqrt(dx * dx + dy * dy) - reach_m;
            figures.overlaps += gap_m < -overlap_m;
            if (gap_m < figures.gap_m && !a_skipped && !(skip != NULL && skip[b->row])) {
                figures.gap_m = gap_m;
                interest_m = gap_m > 0 ? gap_m : 0;
            }
        }
    }
    return figures;
}

void gap_sweep_mark(struct gap_sweep *sweep, const struct steer_agent_columns *agents, double overlap_m,
                    bool *marks)
{
    ASSERT(agents->count <= sweep->count_max);
    gap_sweep_sort(sweep, agents);
    double radius_max_m = gap_sweep_radius_max(sweep);
    for (uint32_t i = 0; i < sweep->count; i++) {
        const struct gap_disc *a = &sweep->discs[i];
        for (uint32_t j = i + 1; j < sweep->count; j++) {
            const struct gap_disc *b = &sweep->discs[j];
            double dx = b->x_m - a->x_m;
            if (dx >= a->radius_m + radius_max_m) {
                break;
            }
            if (hypot(dx, b->y_m - a->y_m) - a->radius_m - b->radius_m < -overlap_m) {
                marks[a->row] = true;
                marks[b->row] = true;
            }
        }
    }
}
