/*
 * Part: agents that overlap are pushed apart, in passes. In a pass everybody first computes his push from
 * where all stand, then all go. Works on the grid's copies; the store follows at the end.
 *
 * An agent takes the average of its contacts, and each contact pushes it by half the overlap, so two of them
 * part in one pass and a pack settles in some. In a pack the average is taken one and a half
 * times: alone it needs many more passes. Twice would not come to rest in a row of even length.
 * Source: Macklin et al. 2014, "Unified Particle Physics for Real-Time Applications", 4.2: averaged
 * constraints and over-relaxation by a factor of 1 to 2. Overlaps below the slop are left, so that it comes
 * to exact rest.
 */
#include <math.h>

#include "sim/world_internal.h"

/*
 * Measured with random scenes (tests/property), 400 of them: with 4 passes agents that had room overlapped by
 * more than 1 % of their radii in 63, with 8 in 30, with 16 in 6, with 32 in 2, with 48 in none. Where a ring
 * of 200 to 260 walkers closes, 48 leave up to 11.5 mm, 128 at most 5.5 mm. In narrow bays 128 still left up
 * to 2 % in one scene of 2,000 where there was room, 256 do not. Only those who touch somebody take part in
 * the later ones, and it ends when nobody goes on.
 */
#define STEP_PART_PASSES 256
#define STEP_PART_STILL                                                                                      \
    0.125f /* of the slop: when nobody goes farther in a pass, the rest is for the next tick */

/*
 * How far beyond touch is looked, the first time and later: whoever has a wider gap to everybody is left out
 * of later passes until the pushes add up to it.
 */
#define STEP_PART_LOOK_M       0.25f
#define STEP_PART_LOOK_AGAIN_M 0.02f
#define STEP_PART_UNIT                                                                                       \
    0x1p32 /* pushes are summed in integers of 2^-32 m: exact, so their order cannot matter */

/* Who sees another more than 60 degrees from where he was before the tick has gone deep into him. */
#define STEP_PART_ASTRAY_COS 0.5f

/* What the contacts of one agent come to. */
struct step_contacts {
    int64_t x; /* in STEP_PART_UNIT */
    int64_t y;
    uint32_t count;
    float gap_m; /* to the nearest rim */
};

struct step_contact step_contact(const struct step *step, uint32_t place, uint32_t other, struct vec2 offset,
                                 float distance)
{
    const struct steer_world *world = step->world;
    const struct grid *grid = &world->grid;
    float reach = grid->radius[place] + grid->radius[other];
    struct step_contact contact = {.overlap_m = reach - distance};
    if (contact.overlap_m <= 0.0f) {
        return contact;
    }
    uint32_t row = grid->row[place];
    uint32_t other_row = grid->row[other];
    struct vec2 before = vec2(world->before_x[row] - world->before_x[other_row],
                              world->before_y[row] - world->before_y[other_row]);
    float length = vec2_length(before);
    float along = vec2_dot(offset, before);
    if (length > 0.0f && along <= STEP_PART_ASTRAY_COS * distance * length) {
        /* They went into each other within the tick, or past the middle: back to where they came from. */
        contact.away = vec2_scale(before, 1.0f / length);
        contact.overlap_m = reach - along / length;
    } else if (distance > 0.0f) {
        contact.away = vec2_scale(offset, 1.0f / distance);
    } else {
        contact.away = steer_way_apart(world->agents.id[row], world->agents.id[other_row]);
    }
    return contact;
}

/* One neighbour nearer than touch and look. */
static inline void step_part_contact(const struct step *step, uint32_t place, uint32_t other,
                                     struct vec2 offset, float distance, struct step_contacts *contacts)
{
    const struct grid *grid = &step->world->grid;
    float gap = distance - (grid->radius[place] + grid->radius[other]);
    contacts->gap_m = gap < contacts->gap_m ? gap : contacts->gap_m;
    if (gap >= -step->world->slop_m) {
        return;
    }
    struct step_contact contact = step_contact(step, place, other, offset, distance);
    double push_m = 0.5 * (double)contact.overlap_m;
    contacts->x += (int64_t)((double)contact.away.x * push_m * STEP_PART_UNIT);
    contacts->y += (int64_t)((double)contact.away.y * push_m * STEP_PART_UNIT);
    contacts->count++;
}

static void step_part_push(const struct step *step, uint32_t place)
{
    struct steer_world *world = step->world;
    const struct grid *grid = &world->grid;
    struct vec2 position = vec2(grid->x[place], grid->y[place]);
    float look_m = step->looks_ahead ? STEP_PART_LOOK_M : STEP_PART_LOOK_AGAIN_M;
    struct step_contacts contacts = {.gap_m = look_m};
    struct grid_span span = grid_span(grid, position, grid->radius[place] + grid->radius_max_m + look_m);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t other = run.begin; other < run.end; other++) {
            struct vec2 offset = vec2(position.x - grid->x[other], position.y - grid->y[other]);
            float reach = grid->radius[place] + grid->radius[other] + look_m;
            float distance_squared = vec2_length_squared(offset);
            if (distance_squared < reach * reach && other != place) {
                step_part_contact(step, place, other, offset, sqrtf(distance_squared), &contacts);
            }
        }
    }
    /* Both come nearer, each by as much as anybody has moved. */
    world->scratch_c[place] = grid->slack_m + 0.5f * contacts.gap_m;
    double relaxed = contacts.count > 1 ? 1.5 : 1.0;
    double share = contacts.count > 0 ? relaxed / (STEP_PART_UNIT * contacts.count) : 0.0;
    world->scratch_a[place] = (float)((double)contacts.x * share);
    world->scratch_b[place] = (float)((double)contacts.y * share);
}

static void step_part_push_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const struct step *step = context;
    struct steer_world *world = step->world;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t place = world->step_places[i];
        if (!step->looks_ahead && world->scratch_c[place] > world->grid.slack_m) {
            world->scratch_a[place] = 0.0f;
            world->scratch_b[place] = 0.0f;
            continue;
        }
        step_part_push(step, place);
    }
}

static void step_part_apply_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const struct step *step = context;
    struct steer_world *world = step->world;
    struct grid *grid = &world->grid;
    const struct obstacle_bounds bounds = world_bounds(world);
    float moved_m = world->worker_moved_m[worker];
    for (uint32_t i = begin; i < end; i++) {
        uint32_t place = world->step_places[i];
        struct vec2 push = vec2(world->scratch_a[place], world->scratch_b[place]);
        if (push.x == 0.0f && push.y == 0.0f) {
            continue;
        }
        struct vec2 from = vec2(grid->x[place], grid->y[place]);
        struct vec2 to = step_slide(world, from, push, grid->radius[place], NULL);
        obstacles_push_out(&world->obstacles, &bounds, grid->radius[place],
                           world_may_search(world, world->agents.id[grid->row[place]]), &to);
        float way_m = vec2_length(vec2_sub(to, from));
        moved_m = way_m > moved_m ? way_m : moved_m;
        grid->x[place] = to.x;
        grid->y[place] = to.y;
    }
    world->worker_moved_m[worker] = moved_m;
}

static void step_part_store_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const struct step *step = context;
    struct steer_world *world = step->world;
    for (uint32_t place = begin; place < end; place++) {
        world->agents.x[world->grid.row[place]] = world->grid.x[place];
        world->agents.y[world->grid.row[place]] = world->grid.y[place];
    }
}

/* The store follows the grid's copies. */
static void step_part_store(struct step *step)
{
    if (step->world->grid.slack_m > 0.0f) {
        job_pool_for(step->pool, step->world->grid.count, WORLD_GRAIN, step_part_store_range, step);
    }
}

/* Lists everybody for a pass that looks round. */
static void step_part_list_all(struct step *step)
{
    struct steer_world *world = step->world;
    for (uint32_t place = 0; place < world->grid.count; place++) {
        world->step_places[place] = place;
    }
    step->part_count = world->grid.count;
    step->looks_ahead = true;
}

/* Lists those who may touch somebody before everybody has gone another STEP_PART_LOOK_AGAIN_M. */
static void step_part_list_near(struct step *step)
{
    struct steer_world *world = step->world;
    step->part_until_m = world->grid.slack_m + STEP_PART_LOOK_AGAIN_M;
    step->part_count = 0;
    for (uint32_t place = 0; place < world->grid.count; place++) {
        if (world->scratch_c[place] <= step->part_until_m) {
            world->step_places[step->part_count++] = place;
        }
    }
    step->looks_ahead = false;
}

/* One pass. Returns the longest way that anybody went in it. */
static float step_part_pass(struct step *step)
{
    struct steer_world *world = step->world;
    for (uint32_t worker = 0; worker < world->threads; worker++) {
        world->worker_moved_m[worker] = 0.0f;
    }
    job_pool_for(step->pool, step->part_count, WORLD_GRAIN, step_part_push_range, step);
    job_pool_for(step->pool, step->part_count, WORLD_GRAIN, step_part_apply_range, step);
    /* The largest of them is the same whoever did what. */
    float moved_m = 0.0f;
    for (uint32_t worker = 0; worker < world->threads; worker++) {
        moved_m = world->worker_moved_m[worker] > moved_m ? world->worker_moved_m[worker] : moved_m;
    }
    return moved_m;
}

void step_part(struct step *step)
{
    struct steer_world *world = step->world;
    step_part_list_all(step);
    for (uint32_t pass = 0; pass < STEP_PART_PASSES; pass++) {
        step->part_slack_m = world->grid.slack_m;
        float moved_m = step_part_pass(step);
        world->grid.slack_m += moved_m;
        if (moved_m <= STEP_PART_STILL * world->slop_m) {
            break;
        }
        if (world->grid.slack_m > WORLD_SLACK_MAX_M) {
            step_part_store(step);
            grid_build(&world->grid, &world->agents);
            step_part_list_all(step);
        } else if (step->looks_ahead || world->grid.slack_m > step->part_until_m) {
            step_part_list_near(step);
        }
    }
    step_press(step);
    step_part_store(step);
}
