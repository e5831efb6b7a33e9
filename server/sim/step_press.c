/*
 * Press: those whom the passes of parting left in each other. In a pass all push at once, and where one is
 * held between two others, or between a wall and another, the pushes can cancel for ever though there is room
 * beside them. Here one pair parts after the other, each from where the one before has left it, which has no
 * such rest. It is too slow for a crowd, so it is for the few that are left, with a budget.
 *
 * Who is in another even then goes back to where he was before the tick, and whoever has come there since
 * likewise: where all were there was room for all.
 *
 * Pairs come in the order of rows, never of cells, so that the order does not depend on where the crowd is.
 */
#include <math.h>
#include <string.h>

#include "sim/world_internal.h"

#define PRESS_ROUNDS       300
#define PRESS_MEMBERS_MAX  256    /* who is looked after in a tick; others wait for a later one */
#define PRESS_NEIGHBOURS   16     /* of one, in a round */
#define PRESS_PARTINGS_MAX 4096   /* of a tick */
#define PRESS_DEEP         0.01f  /* of its radius: who overlaps by more takes part */
#define PRESS_UNDO         0.008f /* of the sum of radii: who is deeper in another goes back */
#define PRESS_LEFT         0.002f /* of the sum of radii: nobody deeper, and it ends */

/* Marks, by place. */
enum press_mark {
    PRESS_OUTSIDE,
    PRESS_MEMBER,
    PRESS_STAYS, /* has gone back, or cannot */
};

struct press {
    struct step *step;
    uint32_t count;
    uint32_t partings_left;
    float worst;                         /* overlap of a round, part of the sum of radii */
    uint64_t members[PRESS_MEMBERS_MAX]; /* row << 32 | place: sorts by row */
};

/* By insertion: they are few, mostly in order already, and the library's sort may allocate. */
static void press_sort(uint64_t *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
    }
}

static uint64_t press_key(const struct step *step, uint32_t place)
{
    return (uint64_t)step->world->grid.row[place] << 32 | place;
}

static void press_join(struct press *press, uint32_t place)
{
    uint8_t *joined = press->step->world->scratch_d;
    if (joined[place] == PRESS_OUTSIDE && press->count < PRESS_MEMBERS_MAX) {
        joined[place] = PRESS_MEMBER;
        press->members[press->count++] = press_key(press->step, place);
    }
}

/* Who was left deep in another when he was looked at last. */
static void press_gather(struct press *press)
{
    const struct steer_world *world = press->step->world;
    bool is_clear = true;
    for (uint32_t place = 0; place < world->grid.count; place++) {
        if (world->scratch_c[place] > PRESS_DEEP * world->grid.radius[place]) {
            if (is_clear) {
                memset(world->scratch_d, 0, world->grid.count);
                is_clear = false;
            }
            press_join(press, place);
        }
    }
}

/* The grid reaches as far as one is from where it sorted him. */
static void press_put(struct press *press, uint32_t place, struct vec2 to)
{
    struct steer_world *world = press->step->world;
    struct grid *grid = &world->grid;
    uint32_t row = grid->row[place];
    grid->x[place] = to.x;
    grid->y[place] = to.y;
    float way_m = vec2_length(vec2_sub(to, vec2(world->agents.x[row], world->agents.y[row])));
    grid->slack_m = way_m > grid->slack_m ? way_m : grid->slack_m;
}

static void press_move(struct press *press, uint32_t place, struct vec2 push)
{
    struct steer_world *world = press->step->world;
    const struct grid *grid = &world->grid;
    const struct obstacle_bounds bounds = world_bounds(world);
    struct vec2 to = step_slide(world, vec2(grid->x[place], grid->y[place]), push, grid->radius[place], NULL);
    obstacles_push_out(&world->obstacles, &bounds, grid->radius[place], false, &to);
    press_put(press, place, to);
}

static void press_pair(struct press *press, uint32_t place, uint32_t other)
{
    const struct step *step = press->step;
    const struct grid *grid = &step->world->grid;
    struct vec2 offset = vec2(grid->x[place] - grid->x[other], grid->y[place] - grid->y[other]);
    struct step_contact contact = step_contact(step, place, other, offset, vec2_length(offset));
    if (contact.overlap_m <= step->world->slop_m || press->partings_left == 0) {
        return;
    }
    press->partings_left--;
    float part = contact.overlap_m / (grid->radius[place] + grid->radius[other]);
    press->worst = part > press->worst ? part : press->worst;
    press_move(press, place, vec2_scale(contact.away, 0.5f * contact.overlap_m));
    press_move(press, other, vec2_scale(contact.away, -0.5f * contact.overlap_m));
    press_join(press, other);
}

/* Whom a member overlaps, by row. Returns how many. */
static uint32_t press_neighbours(const struct press *press, uint32_t place, uint64_t *keys)
{
    const struct grid *grid = &press->step->world->grid;
    struct vec2 position = vec2(grid->x[place], grid->y[place]);
    struct grid_span span = grid_span(grid, position, grid->radius[place] + grid->radius_max_m);
    uint32_t count = 0;
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t other = run.begin; other < run.end && count < PRESS_NEIGHBOURS; other++) {
            struct vec2 offset = vec2(position.x - grid->x[other], position.y - grid->y[other]);
            float reach = grid->radius[place] + grid->radius[other] - press->step->world->slop_m;
            if (other != place && vec2_length_squared(offset) < reach * reach) {
                keys[count++] = press_key(press->step, other);
            }
        }
    }
    press_sort(keys, count);
    return count;
}

static void press_round(struct press *press)
{
    uint64_t keys[PRESS_NEIGHBOURS];
    uint32_t members = press->count; /* who joins has his turn in the next round */
    press->worst = 0.0f;
    for (uint32_t i = 0; i < members; i++) {
        uint32_t place = (uint32_t)press->members[i];
        uint32_t count = press_neighbours(press, place, keys);
        for (uint32_t k = 0; k < count; k++) {
            press_pair(press, place, (uint32_t)keys[k]);
        }
    }
    if (press->count > members) {
        press_sort(press->members, press->count);
    }
}

/* Whether a pair is deeper in each other than it is to be, and than it was before the tick. */
static bool press_is_worse(const struct press *press, uint32_t place, uint32_t other)
{
    const struct steer_world *world = press->step->world;
    const struct grid *grid = &world->grid;
    float reach = grid->radius[place] + grid->radius[other];
    float now = vec2_length(vec2(grid->x[place] - grid->x[other], grid->y[place] - grid->y[other]));
    uint32_t row = grid->row[place];
    uint32_t other_row = grid->row[other];
    float before = vec2_length(vec2(world->before_x[row] - world->before_x[other_row],
                                    world->before_y[row] - world->before_y[other_row]));
    return now < reach * (1.0f - PRESS_UNDO) && now < before;
}

/* Back to where it was before the tick, unless something solid has been placed there since. */
static bool press_go_back(struct press *press, uint32_t place)
{
    struct steer_world *world = press->step->world;
    uint32_t row = world->grid.row[place];
    struct vec2 before = vec2(world->before_x[row], world->before_y[row]);
    struct obstacle_near near;
    if (obstacles_nearest(&world->obstacles, before, world->grid.radius[place], &near)) {
        return false;
    }
    press_put(press, place, before);
    return true;
}

/* One round of going back. Whether anybody did. */
static bool press_undo(struct press *press)
{
    uint64_t keys[PRESS_NEIGHBOURS];
    bool any = false;
    for (uint32_t i = 0; i < press->count; i++) {
        uint32_t place = (uint32_t)press->members[i];
        uint32_t count = press_neighbours(press, place, keys);
        bool is_worse = false;
        for (uint32_t k = 0; k < count; k++) {
            is_worse = is_worse || press_is_worse(press, place, (uint32_t)keys[k]);
        }
        uint8_t *mark = &press->step->world->scratch_d[place];
        if (!is_worse || *mark == PRESS_STAYS) {
            continue;
        }
        *mark = PRESS_STAYS;
        if (press_go_back(press, place)) {
            any = true;
            count = press_neighbours(press, place, keys);
            for (uint32_t k = 0; k < count; k++) {
                press_join(press, (uint32_t)keys[k]);
            }
        }
    }
    return any;
}

void step_press(struct step *step)
{
    struct press press = {.step = step, .partings_left = PRESS_PARTINGS_MAX};
    press_gather(&press);
    if (press.count == 0) {
        return;
    }
    press_sort(press.members, press.count);
    press.worst = 1.0f;
    for (uint32_t round = 0; round < PRESS_ROUNDS && press.partings_left > 0 && press.worst > PRESS_LEFT;
         round++) {
        press_round(&press);
    }
    if (press.worst > PRESS_UNDO) {
        while (press_undo(&press)) {
            press_sort(press.members, press.count);
        }
    }
}
