/*
 * The digest of all that decides the future. Columns are hashed whole, in id order; what a row refers to
 * enters by what it is, not by the slot that happens to hold it.
 */
#include "base/assert.h"
#include "sim/steer.h"
#include "sim/world_internal.h"

static void world_digest_agents(const struct steer_world *world)
{
    const struct agent_store *agents = &world->agents;
    hash_stream_add_u32(world->hash, agents->count);
    hash_stream_add_u32(world->hash, agents->id_last);
#define COLUMN(type, name, digested, comment)                                                                \
    if (digested) {                                                                                          \
        hash_stream_add(world->hash, agents->name, agents->count * sizeof(type));                            \
    }
#include "sim/agent_columns.def"
#undef COLUMN
    for (uint32_t row = 0; row < agents->count; row++) {
        if (agents->goal_kind[row] == STEER_GOAL_PATH) {
            hash_stream_add_u64(world->hash, world->paths.items[agents->goal_ref[row]].digest);
        } else if (agents->goal_kind[row] == STEER_GOAL_AGENT) {
            hash_stream_add_u32(world->hash, agents->goal_ref[row]);
        }
        if (agents->crowd[row] != CROWD_NONE) {
            const struct crowd *crowd = &world->crowds.items[agents->crowd[row]];
            hash_stream_add_u64(world->hash, crowd->seed);
            hash_stream_add(world->hash, &crowd->min_m, sizeof crowd->min_m);
            hash_stream_add(world->hash, &crowd->max_m, sizeof crowd->max_m);
        }
    }
}

static void world_digest_obstacle(const struct steer_world *world, const struct steer_obstacle *obstacle)
{
    const struct steer_shape *shape = &obstacle->shape;
    hash_stream_add_u32(world->hash, obstacle->id.value);
    hash_stream_add_u32(world->hash, (uint32_t)shape->kind);
    switch (shape->kind) {
    case STEER_SHAPE_CIRCLE:
        hash_stream_add(world->hash, &shape->center_m, sizeof shape->center_m);
        hash_stream_add_f32(world->hash, shape->radius_m);
        break;
    case STEER_SHAPE_BOX:
        hash_stream_add(world->hash, &shape->center_m, sizeof shape->center_m);
        hash_stream_add(world->hash, &shape->size_m, sizeof shape->size_m);
        hash_stream_add_f32(world->hash, shape->orientation_deg);
        break;
    case STEER_SHAPE_SEGMENT:
    case STEER_SHAPE_POLYGON:
        hash_stream_add_u32(world->hash, shape->point_count);
        hash_stream_add(world->hash, shape->points_m, shape->point_count * sizeof shape->points_m[0]);
        break;
    }
}

static void world_digest_profile(const struct steer_world *world, const struct steer_profile *profile)
{
    hash_stream_add(world->hash, profile->name, sizeof profile->name);
    hash_stream_add(world->hash, &profile->limits, sizeof profile->limits);
    hash_stream_add_u32(world->hash, (uint32_t)profile->combination);
    hash_stream_add_u32(world->hash, (uint32_t)profile->rest);
    hash_stream_add_u32(world->hash, profile->behaviour_count);
    for (uint32_t i = 0; i < profile->behaviour_count; i++) {
        const struct steer_profile_behaviour *behaviour = &profile->behaviours[i];
        hash_stream_add_u32(world->hash, steer_behaviour_info(behaviour->behaviour)->number);
        hash_stream_add_u32(world->hash, behaviour->group);
        hash_stream_add_f32(world->hash, behaviour->weight);
        hash_stream_add(world->hash, behaviour->parameters, sizeof behaviour->parameters);
    }
}

uint64_t steer_world_digest(const struct steer_world *world)
{
    ASSERT(world->gone_count == 0);
    hash_stream_reset(world->hash);
    hash_stream_add_u64(world->hash, world->tick);
    hash_stream_add_u64(world->hash, world->config.seed);
    hash_stream_add_u32(world->hash, world->config.tick_rate_hz);
    hash_stream_add(world->hash, &world->config.min_m, sizeof world->config.min_m);
    hash_stream_add(world->hash, &world->config.max_m, sizeof world->config.max_m);
    world_digest_agents(world);
    hash_stream_add_u32(world->hash, world->obstacles.count);
    hash_stream_add_u32(world->hash, world->obstacles.id_last);
    for (uint32_t i = 0; i < world->obstacles.count; i++) {
        world_digest_obstacle(world, &world->obstacles.items[i]);
    }
    hash_stream_add_u32(world->hash, world->profile_count);
    for (uint32_t i = 0; i < world->profile_count; i++) {
        world_digest_profile(world, &world->profiles[i]);
    }
    return hash_stream_digest(world->hash);
}
