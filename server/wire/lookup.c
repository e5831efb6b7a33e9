/* Binary search by id, for answers that are given bit by bit while the world goes on. */
#include "wire/lookup.h"

uint32_t lookup_agent_after(const struct steer_agent_columns *agents, uint32_t id)
{
    uint32_t low = 0;
    uint32_t high = agents->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (agents->id[middle] > id) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

uint32_t lookup_obstacle_after(const struct steer_world *world, uint32_t id)
{
    uint32_t low = 0;
    uint32_t high = steer_world_obstacle_count(world);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (steer_world_obstacle(world, middle)->id.value > id) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}
