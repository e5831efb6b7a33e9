/* Obstacles come and go. */
#include <string.h>

#include "base/assert.h"
#include "sim/world_internal.h"

/* A name may end the array only with its zero. */
static enum status world_check_obstacle(const struct steer_world *world,
                                        const struct steer_obstacle *obstacle, struct fault *fault)
{
    const struct vec2 min = world->config.min_m;
    const struct vec2 max = world->config.max_m;
    if (memchr(obstacle->name, '\0', sizeof obstacle->name) == NULL) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "name is longer than %d bytes: at most %d are legal",
                         STEER_OBSTACLE_NAME_SIZE - 1, STEER_OBSTACLE_NAME_SIZE - 1);
    }
    enum status status = steer_shape_check(&obstacle->shape, fault);
    if (status != STATUS_OK) {
        return status;
    }
    struct core core;
    core_init(&core, &obstacle->shape);
    if (core.max_m.x < min.x || core.max_m.y < min.y || core.min_m.x > max.x || core.min_m.y > max.y) {
        return fault_set(
            fault, STATUS_OUT_OF_RANGE,
            "shape lies in (%g, %g) to (%g, %g) m: some of it must be in the world, (%g, %g) to (%g, %g) m",
            (double)core.min_m.x, (double)core.min_m.y, (double)core.max_m.x, (double)core.max_m.y,
            (double)min.x, (double)min.y, (double)max.x, (double)max.y);
    }
    return STATUS_OK;
}

enum status steer_world_place_obstacles(struct steer_world *world, const struct steer_obstacle *obstacles,
                                        uint32_t count, struct steer_world_made *made, struct fault *fault)
{
    struct obstacles *store = &world->obstacles;
    if (count > store->count_max - store->count) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                         "obstacles has %u entries: %u of at most %u obstacles are free", count,
                         store->count_max - store->count, store->count_max);
    }
    for (uint32_t i = 0; i < count; i++) {
        enum status status = world_check_obstacle(world, &obstacles[i], fault);
        if (status != STATUS_OK) {
            fault_prefix(fault, "obstacles[%u].", i);
            return status;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        obstacles_add(store, &obstacles[i]);
    }
    world->solids_are_new = true;
    if (made != NULL) {
        *made =
            (struct steer_world_made){.first_id = count > 0 ? store->id_last - count + 1 : 0, .count = count};
    }
    return STATUS_OK;
}

/* Merges the ids of the flagged rows, ascending, into removed_ids; those that nobody was told of are left
 * out. */
static void world_note_removed(struct steer_world *world, uint32_t flagged)
{
    const struct steer_obstacle *items = world->obstacles.items;
    uint32_t row = world->obstacles.count;
    uint32_t old = world->removed_count;
    uint32_t at = old + flagged;
    world->removed_count = at;
    while (at > old) {
        do {
            row--;
        } while (!world->removed_flags[row] || items[row].id.value > world->obstacle_told);
        while (old > 0 && world->removed_ids[old - 1] > items[row].id.value) {
            world->removed_ids[--at] = world->removed_ids[--old];
        }
        world->removed_ids[--at] = items[row].id.value;
    }
}

enum status steer_world_remove_obstacles(struct steer_world *world, const uint32_t *ids, uint32_t count,
                                         bool all, struct fault *fault)
{
    struct obstacles *store = &world->obstacles;
    if (all && count > 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "ids has %u entries and all is true: one of them is needed", count);
    }
    memset(world->removed_flags, all ? 1 : 0, store->count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row;
        if (!obstacles_find(store, (struct steer_obstacle_id){ids[i]}, &row)) {
            return fault_set(fault, STATUS_NOT_FOUND,
                             "ids[%u] is %u: the id of an obstacle that exists is needed", i, ids[i]);
        }
        world->removed_flags[row] = 1;
    }
    uint32_t told = 0;
    for (uint32_t row = 0; row < store->count; row++) {
        told += world->removed_flags[row] && store->items[row].id.value <= world->obstacle_told ? 1 : 0;
    }
    ASSERT(world->removed_count + told <= store->count_max);
    world_note_removed(world, told);
    obstacles_compact(store, world->removed_flags);
    world->solids_are_new = true;
    return STATUS_OK;
}
