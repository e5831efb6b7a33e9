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
#include <string.h>

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

#define STEP_PART_UNIT                                                                                       \
    0x1p32 /* pushes are summed in integers of 2^-32 m: exact, so their order cannot matter */

/*
 * Who sees another more than 60 degrees from where they touched first in the tick has gone deep into him, or
 * through: he goes back to that side, in the first passes. Where a wall is in the way of that the later ones
 * part them by where they are, which always comes to an end.
 */
#define STEP_PART_ASTRAY_COS  0.5f
#define STEP_PART_BACK_PASSES 32

/* Marks of a pass, by place. */
enum step_part_mark {
    STEP_PART_IDLE,    /* nobody whom it touches has moved, nor has it */
    STEP_PART_LISTED,  /* moved in the pass before */
    STEP_PART_TOUCHED, /* by one of those */
};

/* What the contacts of one agent come to. */
struct step_contacts {
    int64_t x; /* in STEP_PART_UNIT */
    int64_t y;
    uint32_t count;
    float overlap_m; /* the deepest */
};

/*
 * Where one was seen from another, as a unit vector, when they first touched on the way between two offsets:
 * the smaller root of |before + t way| = reach, or before the tick where they overlapped already then.
 */
static struct vec2 step_part_first_touch(struct vec2 before, struct vec2 offset, float reach_m)
{
    struct vec2 way = vec2_sub(offset, before);
    float a = vec2_length_squared(way);
    float b = vec2_dot(before, way);
    float c = vec2_length_squared(before) - reach_m * reach_m;
    float discriminant = b * b - a * c;
    float t = c > 0.0f && a > 0.0f && discriminant > 0.0f ? (-b - sqrtf(discriminant)) / a : 0.0f;
    struct vec2 touch = vec2_mad(before, way, t);
    float length = vec2_length(touch);
    return length > 0.0f ? vec2_scale(touch, 1.0f / length) : touch;
}

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
    contact.away = distance > 0.0f ? vec2_scale(offset, 1.0f / distance)
                                   : steer_way_apart(world->agents.id[row], world->agents.id[other_row]);
    if (step->parts_back) {
        struct vec2 before = vec2(world->before_x[row] - world->before_x[other_row],
                                  world->before_y[row] - world->before_y[other_row]);
        struct vec2 touch = step_part_first_touch(before, offset, reach);
        float along = vec2_dot(offset, touch);
        if (along < STEP_PART_ASTRAY_COS * distance) {
            contact.away = touch;
            contact.overlap_m = reach - along;
        }
    }
    return contact;
}

/* One that overlaps by more than the slop. Ranges of other threads may mark it in the same moment: alike. */
static inline void step_part_contact(const struct step *step, uint32_t place, uint32_t other,
                                     struct vec2 offset, struct step_contacts *contacts)
{
    uint8_t *mark = &step->world->scratch_d[other];
    if (__atomic_load_n(mark, __ATOMIC_RELAXED) == STEP_PART_IDLE) {
        __atomic_store_n(mark, STEP_PART_TOUCHED, __ATOMIC_RELAXED);
    }
    struct step_contact contact = step_contact(step, place, other, offset, vec2_length(offset));
    double push_m = 0.5 * (double)contact.overlap_m;
    contacts->x += (int64_t)((double)contact.away.x * push_m * STEP_PART_UNIT);
    contacts->y += (int64_t)((double)contact.away.y * push_m * STEP_PART_UNIT);
    contacts->count++;
    contacts->overlap_m = contact.overlap_m > contacts->overlap_m ? contact.overlap_m : contacts->overlap_m;
}

static void step_part_push(const struct step *step, uint32_t place)
{
    struct steer_world *world = step->world;
    const struct grid *grid = &world->grid;
    struct vec2 position = vec2(grid->x[place], grid->y[place]);
    float touch_m = grid->radius[place] - world->slop_m;
    struct step_contacts contacts = {.count = 0};
    struct grid_span span = grid_span(grid, position, touch_m + grid->radius_max_m);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t other = run.begin; other < run.end; other++) {
            struct vec2 offset = vec2(position.x - grid->x[other], position.y - grid->y[other]);
            float reach = touch_m + grid->radius[other];
            if (vec2_length_squared(offset) < reach * reach && other != place) {
                step_part_contact(step, place, other, offset, &contacts);
            }
        }
    }
    double relaxed = contacts.count > 1 ? 1.5 : 1.0;
    double share = contacts.count > 0 ? relaxed / (STEP_PART_UNIT * contacts.count) : 0.0;
    world->scratch_a[place] = (float)((double)contacts.x * share);
    world->scratch_b[place] = (float)((double)contacts.y * share);
    world->scratch_c[place] = contacts.overlap_m;
}

/* The listed from `first` on. */
struct step_part_slice {
    const struct step *step;
    uint32_t first;
};

static void step_part_push_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const struct step_part_slice *slice = context;
    for (uint32_t i = slice->first + begin; i < slice->first + end; i++) {
        step_part_push(slice->step, slice->step->world->step_places[i]);
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

/* Lists everybody: they have been sorted anew, and nothing is known of them. */
static void step_part_list_all(struct step *step)
{
    struct steer_world *world = step->world;
    for (uint32_t place = 0; place < world->grid.count; place++) {
        world->step_places[place] = place;
    }
    memset(world->scratch_d, STEP_PART_LISTED, world->grid.count);
    step->part_count = world->grid.count;
}

/* Lists those whom one of the listed has touched who was not. */
static void step_part_list_touched(struct step *step)
{
    struct steer_world *world = step->world;
    const uint8_t *marks = world->scratch_d;
    const uint8_t *end = marks + world->grid.count;
    for (const uint8_t *mark = marks; (mark = memchr(mark, STEP_PART_TOUCHED, (size_t)(end - mark))) != NULL;
         mark++) {
        world->step_places[step->part_count++] = (uint32_t)(mark - marks);
    }
}

/* Lists for the next pass who has moved in this one: who has not, has nobody to part from until he is
 * touched. */
static void step_part_list_moved(struct step *step)
{
    struct steer_world *world = step->world;
    uint32_t count = 0;
    for (uint32_t i = 0; i < step->part_count; i++) {
        uint32_t place = world->step_places[i];
        bool moved = world->scratch_a[place] != 0.0f || world->scratch_b[place] != 0.0f;
        world->scratch_d[place] = moved ? STEP_PART_LISTED : STEP_PART_IDLE;
        if (moved) {
            world->step_places[count++] = place;
        }
    }
    step->part_count = count;
}

static void step_part_push_from(struct step *step, uint32_t first)
{
    struct step_part_slice slice = {.step = step, .first = first};
    job_pool_for(step->pool, step->part_count - first, WORLD_GRAIN, step_part_push_range, &slice);
}

/* One pass. Returns the longest way that anybody went in it. */
static float step_part_pass(struct step *step)
{
    struct steer_world *world = step->world;
    for (uint32_t worker = 0; worker < world->threads; worker++) {
        world->worker_moved_m[worker] = 0.0f;
    }
    uint32_t listed = step->part_count;
    step_part_push_from(step, 0);
    step_part_list_touched(step);
    step_part_push_from(step, listed);
    job_pool_for(step->pool, step->part_count, WORLD_GRAIN, step_part_apply_range, step);
    step_part_list_moved(step);
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
        step->parts_back = pass < STEP_PART_BACK_PASSES;
        float moved_m = step_part_pass(step);
        world->grid.slack_m += moved_m;
        if (moved_m <= STEP_PART_STILL * world->slop_m) {
            break;
        }
        if (world->grid.slack_m > WORLD_SLACK_MAX_M) {
            step_part_store(step);
            grid_build(&world->grid, &world->agents);
            step_part_list_all(step);
        }
    }
    step->parts_back = false;
    step_press(step);
    step_part_store(step);
    if (world->grid.slack_m > WORLD_SLACK_MAX_M) {
        grid_build(&world->grid, &world->agents);
    }
}
