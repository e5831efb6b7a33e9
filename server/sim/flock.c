/*
 * The walk over the members of a flock that an agent sees.
 */
#include "sim/flock.h"

#include "base/trig.h"

/* The agent who looks. */
struct flock_viewer {
    uint32_t place;
    uint32_t flock;
    struct vec2 position_m;
    struct vec2 ahead;
    float radius_m;
    bool sees_all_round;
    float cosine; /* of the widest angle to either side */
};

static struct flock_viewer flock_viewer(const struct steer_batch *batch, uint32_t index,
                                        const struct flock_sight *sight)
{
    uint32_t row = batch->rows[index];
    float half_deg = 0.5f * sight->view_angle_deg;
    return (struct flock_viewer){
        .place = batch->places[index],
        .flock = batch->view->agents->flock[row],
        .position_m = steer_position(batch->view, row),
        .ahead = steer_ahead(batch->view, row),
        .radius_m = sight->radius_m,
        .sees_all_round = half_deg >= 180.0f,
        .cosine = trig_direction(half_deg).y,
    };
}

static bool flock_sees(const struct flock_viewer *viewer, const struct steer_view *view, uint32_t place,
                       struct flock_member *out)
{
    const struct grid *grid = view->grid;
    out->offset_m = vec2_sub(vec2(grid->x[place], grid->y[place]), viewer->position_m);
    float squared = vec2_length_squared(out->offset_m);
    if (squared > viewer->radius_m * viewer->radius_m || place == viewer->place ||
        view->agents->flock[grid->row[place]] != viewer->flock) {
        return false;
    }
    out->distance_m = sqrtf(squared);
    return viewer->sees_all_round || squared == 0.0f ||
           vec2_dot(viewer->ahead, out->offset_m) >= viewer->cosine * out->distance_m;
}

void flock_for_each(const struct steer_batch *batch, uint32_t index, const struct flock_sight *sight,
                    flock_add_fn add, void *sum)
{
    const struct steer_view *view = batch->view;
    const struct grid *grid = view->grid;
    struct flock_viewer viewer = flock_viewer(batch, index, sight);
    if (viewer.flock == 0) {
        return;
    }
    struct grid_span span = grid_span(grid, viewer.position_m, viewer.radius_m);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t place = run.begin; place < run.end; place++) {
            struct flock_member member;
            if (flock_sees(&viewer, view, place, &member)) {
                member.velocity_mps = vec2(grid->vx[place], grid->vy[place]);
                member.id = view->agents->id[grid->row[place]];
                add(&member, sum);
            }
        }
    }
}
