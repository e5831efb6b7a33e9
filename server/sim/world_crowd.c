/*
 * Crowds: many agents at random places without overlap, and random targets. Everything is drawn from hashes
 * of the crowd's seed, so the same command on the same world makes the same crowd.
 */
#include "base/assert.h"
#include "base/exact.h"
#include "base/hash.h"
#include "sim/check.h"
#include "sim/world_internal.h"

#define WORLD_CROWD_TRIES 10000u
/* For all of a crowd: a large one that is too dense would try for seconds before one fails. */
#define WORLD_CROWD_TRIES_ALL(count) (100000u + 16u * (uint64_t)(count))
#define WORLD_CROWD_TRY_WORK         16u
#define WORLD_TARGET_TRIES           64u /* for a target outside obstacles; the last one is taken as it is */
#define WORLD_CROWD_END              UINT32_MAX

/* What a random number is for: numbers of different use never meet. */
enum {
    WORLD_STREAM_PLACE_X,
    WORLD_STREAM_PLACE_Y,
    WORLD_STREAM_TARGET_X,
    WORLD_STREAM_TARGET_Y,
};

/* Centres of whole discs in an area and in the world. */
struct world_room {
    struct vec2 min_m;
    struct vec2 max_m;
};

static struct world_room world_room(const struct steer_world *world, struct vec2 min_m, struct vec2 max_m,
                                    float radius_m)
{
    const struct steer_world_config *config = &world->config;
    return (struct world_room){
        .min_m = {exact_max_f32(min_m.x, config->min_m.x) + radius_m,
                  exact_max_f32(min_m.y, config->min_m.y) + radius_m},
        .max_m = {exact_min_f32(max_m.x, config->max_m.x) - radius_m,
                  exact_min_f32(max_m.y, config->max_m.y) - radius_m},
    };
}

static float world_room_pick(float min, float max, uint64_t random)
{
    float value = min + (max - min) * hash_unit_f32(random);
    return value < max ? value : max; /* rounding could pass it */
}

struct vec2 world_draw_target(const struct steer_world *world, const struct crowd *crowd, uint32_t draw,
                              uint32_t index, float radius_m)
{
    struct world_room room = world_room(world, crowd->min_m, crowd->max_m, radius_m);
    struct vec2 target = vec2(0.0f, 0.0f);
    for (uint32_t i = 0; i < WORLD_TARGET_TRIES; i++) {
        uint64_t number = (uint64_t)draw * WORLD_TARGET_TRIES + i;
        target.x = world_room_pick(room.min_m.x, room.max_m.x,
                                   hash_random(crowd->seed, number, index, WORLD_STREAM_TARGET_X));
        target.y = world_room_pick(room.min_m.y, room.max_m.y,
                                   hash_random(crowd->seed, number, index, WORLD_STREAM_TARGET_Y));
        if (obstacles_leave_room(&world->obstacles, target, radius_m)) {
            break;
        }
    }
    return target;
}

/*
 * Discs that are placed already, in chains by cell of a grid over the room. It borrows the scratch of the
 * tick: before_x and before_y hold all centres by row, cell_start the chains' heads, cell_of their links.
 */
struct world_placing {
    struct steer_world *world;
    struct world_room room;
    float radius_m;
    double cell_m; /* at least the farthest that two discs can touch */
    double origin_x;
    double origin_y;
    uint32_t columns;
    uint32_t rows;
};

static float world_placing_radius(const struct world_placing *placing, uint32_t row)
{
    return row < placing->world->agents.count ? placing->world->agents.radius[row] : placing->radius_m;
}

static uint32_t world_placing_index(double coordinate, double origin, double cell_m, uint32_t count)
{
    double index = exact_floor((coordinate - origin) / cell_m);
    return index <= 0.0 ? 0 : index >= count ? count - 1 : (uint32_t)index;
}

static void world_placing_add(struct world_placing *placing, uint32_t row)
{
    struct steer_world *world = placing->world;
    uint32_t column =
        world_placing_index(world->before_x[row], placing->origin_x, placing->cell_m, placing->columns);
    uint32_t line =
        world_placing_index(world->before_y[row], placing->origin_y, placing->cell_m, placing->rows);
    uint32_t *head = &world->grid.cell_start[line * placing->columns + column];
    world->grid.cell_of[row] = *head;
    *head = row;
}

/* Lays out the cells and puts in those who are there already and near enough to matter. */
static void world_placing_start(struct world_placing *placing)
{
    struct steer_world *world = placing->world;
    const struct agent_store *agents = &world->agents;
    double radius_max = placing->radius_m;
    for (uint32_t row = 0; row < agents->count; row++) {
        radius_max = agents->radius[row] > radius_max ? agents->radius[row] : radius_max;
    }
    double reach = placing->radius_m + radius_max;
    double width = (double)placing->room.max_m.x - placing->room.min_m.x + 2.0 * reach;
    double height = (double)placing->room.max_m.y - placing->room.min_m.y + 2.0 * reach;
    placing->cell_m = reach;
    while ((exact_floor(width / placing->cell_m) + 1.0) * (exact_floor(height / placing->cell_m) + 1.0) >
           world->grid.cells_max) {
        placing->cell_m *= 1.25;
    }
    placing->origin_x = placing->room.min_m.x - reach;
    placing->origin_y = placing->room.min_m.y - reach;
    placing->columns = (uint32_t)(width / placing->cell_m) + 1;
    placing->rows = (uint32_t)(height / placing->cell_m) + 1;
    for (uint32_t cell = 0; cell < placing->columns * placing->rows; cell++) {
        world->grid.cell_start[cell] = WORLD_CROWD_END;
    }
    for (uint32_t row = 0; row < agents->count; row++) {
        world->before_x[row] = agents->x[row];
        world->before_y[row] = agents->y[row];
        double x = agents->x[row] - placing->origin_x;
        double y = agents->y[row] - placing->origin_y;
        if (x >= 0.0 && y >= 0.0 && x <= width && y <= height) {
            world_placing_add(placing, row);
        }
    }
}

/* Whether a disc there would overlap nobody. */
static bool world_placing_is_free(const struct world_placing *placing, struct vec2 center)
{
    const struct steer_world *world = placing->world;
    double reach = placing->cell_m;
    uint32_t first =
        world_placing_index(center.x - reach, placing->origin_x, placing->cell_m, placing->columns);
    uint32_t last =
        world_placing_index(center.x + reach, placing->origin_x, placing->cell_m, placing->columns);
    uint32_t line = world_placing_index(center.y - reach, placing->origin_y, placing->cell_m, placing->rows);
    uint32_t line_last =
        world_placing_index(center.y + reach, placing->origin_y, placing->cell_m, placing->rows);
    for (; line <= line_last; line++) {
        for (uint32_t column = first; column <= last; column++) {
            uint32_t row = world->grid.cell_start[line * placing->columns + column];
            for (; row != WORLD_CROWD_END; row = world->grid.cell_of[row]) {
                double x = (double)world->before_x[row] - center.x;
                double y = (double)world->before_y[row] - center.y;
                double touch = (double)placing->radius_m + world_placing_radius(placing, row);
                if (x * x + y * y < touch * touch) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Finds places for all; the new ones stand in before_x and before_y from row agents.count on. */
static enum status world_place_crowd(struct world_placing *placing, const struct steer_crowd_spec *spec,
                                     struct fault *fault)
{
    struct steer_world *world = placing->world;
    if (placing->room.min_m.x > placing->room.max_m.x || placing->room.min_m.y > placing->room.max_m.y) {
        return fault_set(
            fault, STATUS_FAILED_PRECONDITION,
            "area has no room for a disc of %g m radius inside the world: a larger one is needed",
            (double)placing->radius_m);
    }
    world_placing_start(placing);
    uint64_t tries_left = WORLD_CROWD_TRIES_ALL(spec->count);
    for (uint32_t i = 0; i < spec->count; i++) {
        uint32_t row = world->agents.count + i;
        uint32_t try = 0;
        uint32_t tries_max = tries_left < WORLD_CROWD_TRIES ? (uint32_t)tries_left + 1 : WORLD_CROWD_TRIES;
        for (; try < tries_max; try++) {
            struct vec2 center = vec2(world_room_pick(placing->room.min_m.x, placing->room.max_m.x,
                                                      hash_random(spec->seed, try, i, WORLD_STREAM_PLACE_X)),
                                      world_room_pick(placing->room.min_m.y, placing->room.max_m.y,
                                                      hash_random(spec->seed, try, i, WORLD_STREAM_PLACE_Y)));
            if (world_placing_is_free(placing, center) &&
                obstacles_leave_room(&world->obstacles, center, placing->radius_m)) {
                world->before_x[row] = center.x;
                world->before_y[row] = center.y;
                world_placing_add(placing, row);
                break;
            }
        }
        tries_left -= try < tries_left ?
        try : tries_left
            ;
        world->work += (uint64_t)WORLD_CROWD_TRY_WORK * (try + 1);
        if (try == tries_max) {
            return fault_set(fault, STATUS_FAILED_PRECONDITION,
                             "count is %u: only %u found room in the area, %u tries for the next one failed",
                             spec->count, i, tries_max);
        }
    }
    return STATUS_OK;
}

/* A rectangle of finite numbers, min <= max. */
static enum status world_check_rectangle(const char *field, struct vec2 min, struct vec2 max,
                                         struct fault *fault)
{
    const struct {
        const char *name;
        float value;
    } numbers[] = {{"min.x", min.x}, {"min.y", min.y}, {"max.x", max.x}, {"max.y", max.y}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        enum status status = check_finite(numbers[i].name, "m", numbers[i].value, fault);
        if (status != STATUS_OK) {
            fault_prefix(fault, "%s.", field);
            return status;
        }
    }
    if (min.x > max.x || min.y > max.y) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "%s runs from %g, %g to %g, %g: a min that is nowhere greater than max is needed",
                         field, (double)min.x, (double)min.y, (double)max.x, (double)max.y);
    }
    return STATUS_OK;
}

/* The goal that all of a crowd share; for a goal area the random points are drawn later. */
static struct steer_goal world_crowd_goal(const struct steer_crowd_spec *spec)
{
    switch (spec->goal_kind) {
    case STEER_CROWD_GOAL_POINT:
        return (struct steer_goal){.kind = STEER_GOAL_POINT, .point_m = spec->goal_point_m};
    case STEER_CROWD_GOAL_PATH:
        return (struct steer_goal){
            .kind = STEER_GOAL_PATH, .path_m = spec->goal_path_m, .path_count = spec->goal_path_count};
    case STEER_CROWD_GOAL_NONE:
    case STEER_CROWD_GOAL_AREA:
        break;
    }
    return (struct steer_goal){.kind = STEER_GOAL_NONE};
}

static enum status world_check_crowd_goal(const struct steer_world *world,
                                          const struct steer_crowd_spec *spec, float radius_m,
                                          struct fault *fault)
{
    if (spec->retarget && spec->goal_kind != STEER_CROWD_GOAL_AREA) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "retarget is true without goal_area: one to draw from is needed");
    }
    if (spec->goal_kind != STEER_CROWD_GOAL_AREA) {
        struct steer_goal goal = world_crowd_goal(spec);
        struct goal_owner owner = {.id = {0}};
        enum status status = world_check_goal(world, &goal, &owner, fault);
        return status == STATUS_OK && goal.kind == STEER_GOAL_PATH ? world_check_paths(world, 1, fault)
                                                                   : status;
    }
    enum status status = world_check_rectangle("goal_area", spec->goal_min_m, spec->goal_max_m, fault);
    if (status != STATUS_OK) {
        return status;
    }
    struct world_room room = world_room(world, spec->goal_min_m, spec->goal_max_m, radius_m);
    if (room.min_m.x > room.max_m.x || room.min_m.y > room.max_m.y) {
        return fault_set(
            fault, STATUS_FAILED_PRECONDITION,
            "goal_area has no room for a disc of %g m radius inside the world: a larger one is needed",
            (double)radius_m);
    }
    if (spec->retarget && crowds_find_free(&world->crowds) == CROWD_NONE) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                         "retarget is true for one crowd too many: %u are the most at one time",
                         world->crowds.count_max);
    }
    return STATUS_OK;
}

static enum status world_check_crowd(const struct steer_world *world, const struct steer_crowd_spec *spec,
                                     uint32_t *profile_out, struct fault *fault)
{
    if (spec->count < 1 || spec->count > world->config.agents_max) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "count is %u: 1 to %u is legal", spec->count,
                         world->config.agents_max);
    }
    if (spec->count > world->config.agents_max - world->agents.count) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "count is %u: %u of at most %u agents are free",
                         spec->count, world->config.agents_max - world->agents.count,
                         world->config.agents_max);
    }
    enum status status = world_check_rectangle("area", spec->min_m, spec->max_m, fault);
    if (status == STATUS_OK) {
        status = world_check_profile(world, spec->profile, profile_out, fault);
    }
    return status == STATUS_OK
               ? world_check_crowd_goal(world, spec, world->profiles[*profile_out].limits.radius, fault)
               : status;
}

/* Makes agents of the places that were found. */
static void world_add_crowd(struct steer_world *world, const struct steer_crowd_spec *spec, uint32_t profile,
                            uint32_t path, uint16_t crowd)
{
    struct agent_store *agents = &world->agents;
    const struct crowd draws = {.seed = spec->seed, .min_m = spec->goal_min_m, .max_m = spec->goal_max_m};
    struct steer_goal goal = world_crowd_goal(spec);
    for (uint32_t i = 0; i < spec->count; i++) {
        uint32_t row = agent_store_add(agents);
        agents->tag[row] = spec->tag;
        agents->flock[row] = spec->flock;
        agents->x[row] = world->before_x[row];
        agents->y[row] = world->before_y[row];
        agents->layers[row] = 1;
        agents->mask[row] = UINT32_MAX;
        agents->profile[row] = (uint16_t)profile;
        agents->owner[row] = spec->owner;
        agents->crowd[row] = CROWD_NONE;
        world_follow_profile(world, row);
        if (spec->goal_kind == STEER_CROWD_GOAL_AREA) {
            goal.kind = STEER_GOAL_POINT;
            goal.point_m = world_draw_target(world, &draws, 0, agents->id[row], agents->radius[row]);
        }
        world_apply_goal(world, row, &goal, path);
        if (crowd != CROWD_NONE) {
            world->crowds.items[crowd].references++;
            agents->crowd[row] = crowd;
            agents->draws[row] = 1;
        }
    }
}

enum status steer_world_spawn_crowd(struct steer_world *world, const struct steer_crowd_spec *spec,
                                    struct steer_world_made *made, struct fault *fault)
{
    uint32_t profile;
    steer_world_sweep(world);
    enum status status = world_check_crowd(world, spec, &profile, fault);
    if (status != STATUS_OK) {
        return status;
    }
    float radius_m = world->profiles[profile].limits.radius;
    struct world_placing placing = {
        .world = world,
        .room = world_room(world, spec->min_m, spec->max_m, radius_m),
        .radius_m = radius_m,
    };
    world->grid_is_current = false; /* placing borrows it */
    status = world_place_crowd(&placing, spec, fault);
    if (status != STATUS_OK) {
        return status;
    }
    uint32_t path = PATH_NONE;
    uint16_t crowd = CROWD_NONE;
    if (spec->goal_kind == STEER_CROWD_GOAL_PATH) {
        path = paths_add(&world->paths, spec->goal_path_m, spec->goal_path_count);
    }
    if (spec->retarget) {
        crowd = crowds_find_free(&world->crowds);
        ASSERT(crowd != CROWD_NONE);
        world->crowds.items[crowd] =
            (struct crowd){.seed = spec->seed, .min_m = spec->goal_min_m, .max_m = spec->goal_max_m};
    }
    world_add_crowd(world, spec, profile, path, crowd);
    if (made != NULL) {
        *made = (struct steer_world_made){.first_id = world->agents.id_last - spec->count + 1,
                                          .count = spec->count};
    }
    return STATUS_OK;
}
