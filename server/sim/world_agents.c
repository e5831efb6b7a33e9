/* Agents come, go and are put elsewhere. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/trig.h"
#include "sim/check.h"
#include "sim/world_internal.h"

/* Ranges of STEER_LIMITS, for limits of an agent's own. */
enum {
#define LIMIT(name, unit, min, max, default_value, summary) WORLD_LIMIT_##name,
    STEER_LIMITS(LIMIT)
#undef LIMIT
};

static const struct {
    const char *unit;
    float min;
    float max;
} world_limits[] = {
#define LIMIT(name, unit, min, max, default_value, summary) {unit, min, max},
    STEER_LIMITS(LIMIT)
#undef LIMIT
};

enum status world_check_selection(const struct steer_world *world,
                                  const struct steer_agent_selection *selection, struct fault *fault)
{
    if (selection->all && selection->count > 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "ids has %u entries and all is true: one of them is needed", selection->count);
    }
    for (uint32_t i = 0; i < selection->count; i++) {
        uint32_t row;
        if (!agent_store_find(&world->agents, (struct steer_agent_id){selection->ids[i]}, &row)) {
            return fault_set(fault, STATUS_NOT_FOUND,
                             "ids[%u] is %u: the id of an agent that exists is needed", i, selection->ids[i]);
        }
    }
    return STATUS_OK;
}

uint32_t world_selection_row(const struct steer_world *world, const struct steer_agent_selection *selection,
                             uint32_t index)
{
    uint32_t row = index;
    if (!selection->all) {
        bool found = agent_store_find(&world->agents, (struct steer_agent_id){selection->ids[index]}, &row);
        ASSERT(found);
    }
    return row;
}

enum status world_check_place(const struct steer_world *world, struct vec2 position, float radius_m,
                              struct fault *fault)
{
    struct vec2 inset = vec2(radius_m, radius_m);
    struct vec2 min = vec2_add(world->config.min_m, inset);
    struct vec2 max = vec2_sub(world->config.max_m, inset);
    if (min.x > max.x || min.y > max.y) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "radius is %g m: the world is too small for it",
                         (double)radius_m);
    }
    /*
     * 9.6 m before a wall at 10 m is right for a radius of 0.4 m, but as floats the three do not fit: what
     * rounding adds is not meant. The next step puts such an agent clear of the solid, as it keeps everybody.
     */
    float rounding_m = 0.25f * world->skin_m;
    bool touches_edge = position.x >= min.x - rounding_m && position.x <= max.x + rounding_m &&
                        position.y >= min.y - rounding_m && position.y <= max.y + rounding_m;
    if (!touches_edge) {
        enum status status = check_point("position", position, min, max, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    struct obstacle_near near;
    if (obstacles_nearest(&world->obstacles, position, radius_m - rounding_m, &near)) {
        const char *name = world->obstacles.items[near.index].name;
        const char *space = name[0] == '\0' ? "" : " ";
        return fault_set(
            fault, STATUS_FAILED_PRECONDITION,
            "position is %g, %g, %g m deep in obstacle %u%s%s: %g m or more from its outline is legal",
            (double)position.x, (double)position.y, (double)(radius_m - near.distance_m), near.id.value,
            space, name, (double)radius_m);
    }
    return STATUS_OK;
}

/* A limit of the agent's own: 0, or in the range of its row. */
static enum status world_check_own_limit(const char *field, uint32_t limit, float value, struct fault *fault)
{
    if (value == 0.0f) {
        return STATUS_OK;
    }
    return check_range(field, world_limits[limit].unit, value, world_limits[limit].min,
                       world_limits[limit].max, fault);
}

static enum status world_check_own_limits(const struct steer_agent_spec *spec, struct fault *fault)
{
    enum status status = world_check_own_limit("radius", WORLD_LIMIT_radius, spec->radius_m, fault);
    if (status == STATUS_OK) {
        status = world_check_own_limit("max_speed", WORLD_LIMIT_max_speed, spec->max_speed_mps, fault);
    }
    if (status == STATUS_OK) {
        status = world_check_own_limit("max_accel", WORLD_LIMIT_max_accel, spec->max_accel_mps2, fault);
    }
    return status;
}

/* Fails as steer_world_spawn_agents, without the prefix. */
static enum status world_check_spec(const struct steer_world *world, const struct steer_agent_spec *spec,
                                    struct fault *fault)
{
    uint32_t profile;
    enum status status = world_check_profile(world, spec->profile, &profile, fault);
    if (status == STATUS_OK) {
        status = world_check_own_limits(spec, fault);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const struct steer_limits *limits = &world->profiles[profile].limits;
    float radius_m = spec->radius_m != 0.0f ? spec->radius_m : limits->radius;
    float max_speed_mps = spec->max_speed_mps != 0.0f ? spec->max_speed_mps : limits->max_speed;
    status = world_check_place(world, spec->position_m, radius_m, fault);
    if (status == STATUS_OK) {
        status = check_finite("orientation_deg", "degrees", spec->orientation_deg, fault);
    }
    struct goal_owner owner = {.max_speed_mps = max_speed_mps};
    if (status == STATUS_OK) {
        struct steer_goal velocity = {.kind = STEER_GOAL_VELOCITY, .velocity_mps = spec->velocity_mps};
        status = world_check_goal(world, &velocity, &owner, fault);
    }
    return status == STATUS_OK ? world_check_goal(world, &spec->goal, &owner, fault) : status;
}

/* Whether an agent goes the way of the one before it in the same command, and so shares its path. */
static bool world_shares_path(const struct steer_agent_spec *specs, uint32_t index)
{
    if (index == 0 || specs[index].goal.kind != STEER_GOAL_PATH ||
        specs[index - 1].goal.kind != STEER_GOAL_PATH) {
        return false;
    }
    const struct steer_goal *a = &specs[index - 1].goal;
    const struct steer_goal *b = &specs[index].goal;
    return a->path_count == b->path_count &&
           memcmp(a->path_m, b->path_m, a->path_count * sizeof a->path_m[0]) == 0;
}

static void world_spawn_one(struct steer_world *world, const struct steer_agent_spec *spec, uint32_t path)
{
    struct agent_store *agents = &world->agents;
    uint32_t profile;
    enum status status = world_check_profile(world, spec->profile, &profile, NULL);
    ASSERT(status == STATUS_OK);
    uint32_t row = agent_store_add(agents);
    agents->tag[row] = spec->tag;
    agents->x[row] = spec->position_m.x;
    agents->y[row] = spec->position_m.y;
    agents->vx[row] = spec->velocity_mps.x;
    agents->vy[row] = spec->velocity_mps.y;
    agents->orientation_deg[row] = trig_wrap_deg(spec->orientation_deg);
    agents->radius[row] = spec->radius_m;
    agents->max_speed[row] = spec->max_speed_mps;
    agents->max_accel[row] = spec->max_accel_mps2;
    agents->own_limits[row] = (uint8_t)((spec->radius_m != 0.0f ? AGENT_OWN_RADIUS : 0) |
                                        (spec->max_speed_mps != 0.0f ? AGENT_OWN_MAX_SPEED : 0) |
                                        (spec->max_accel_mps2 != 0.0f ? AGENT_OWN_MAX_ACCEL : 0));
    agents->layers[row] = spec->layers != 0 ? spec->layers : 1;
    agents->mask[row] = spec->mask != 0 ? spec->mask : UINT32_MAX;
    agents->flock[row] = spec->flock;
    agents->profile[row] = (uint16_t)profile;
    agents->crowd[row] = CROWD_NONE;
    agents->owner[row] = spec->owner;
    world_follow_profile(world, row);
    world_apply_goal(world, row, &spec->goal, path);
}

enum status steer_world_spawn_agents(struct steer_world *world, const struct steer_agent_spec *specs,
                                     uint32_t count, struct steer_world_made *made, struct fault *fault)
{
    if (count > world->config.agents_max - world->agents.count) {
        steer_world_sweep(world);
    }
    if (count > world->config.agents_max - world->agents.count) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                         "agents has %u entries: %u of at most %u agents are free", count,
                         world->config.agents_max - world->agents.count, world->config.agents_max);
    }
    uint32_t paths = 0;
    for (uint32_t i = 0; i < count; i++) {
        enum status status = world_check_spec(world, &specs[i], fault);
        if (status == STATUS_OK && specs[i].goal.kind == STEER_GOAL_PATH && !world_shares_path(specs, i)) {
            status = world_check_paths(world, ++paths, fault);
        }
        if (status != STATUS_OK) {
            fault_prefix(fault, "agents[%u].", i);
            return status;
        }
    }
    uint32_t path = PATH_NONE;
    for (uint32_t i = 0; i < count; i++) {
        if (specs[i].goal.kind == STEER_GOAL_PATH && !world_shares_path(specs, i)) {
            path = paths_add(&world->paths, specs[i].goal.path_m, specs[i].goal.path_count);
        }
        world_spawn_one(world, &specs[i], path);
    }
    world->grid_is_current = world->grid_is_current && count == 0;
    if (made != NULL) {
        *made = (struct steer_world_made){.first_id = count > 0 ? world->agents.id_last - count + 1 : 0,
                                          .count = count};
    }
    return STATUS_OK;
}

/* Those who follow one that is gone have no goal any more. */
static void world_forget_targets(struct steer_world *world)
{
    const struct agent_store *agents = &world->agents;
    const struct steer_goal none = {.kind = STEER_GOAL_NONE};
    for (uint32_t row = 0; row < agents->count; row++) {
        uint32_t target;
        if (agents->goal_kind[row] == STEER_GOAL_AGENT &&
            !agent_store_find(agents, (struct steer_agent_id){agents->goal_ref[row]}, &target)) {
            world_apply_goal(world, row, &none, PATH_NONE);
        }
    }
}

static void world_mark_gone(struct steer_world *world, uint32_t row)
{
    if (!world->agents.gone[row]) {
        world_release_goal(world, row);
        world_add_event(world, STEER_WORLD_EVENT_REMOVED, row);
        world->agents.gone[row] = 1;
        world->gone_count++;
    }
}

void steer_world_sweep(struct steer_world *world)
{
    if (world->gone_count > 0) {
        agent_store_compact(&world->agents);
        world->gone_count = 0;
        world_forget_targets(world);
        world_settle_events(world);
        world->grid_is_current = false;
    }
}

enum status steer_world_remove_agents_unswept(struct steer_world *world,
                                              const struct steer_agent_selection *selection,
                                              struct fault *fault)
{
    enum status status = world_check_selection(world, selection, fault);
    if (status != STATUS_OK) {
        return status;
    }
    for (uint32_t i = 0; i < selection->count; i++) {
        uint32_t row; /* not found: it is named twice */
        if (agent_store_find(&world->agents, (struct steer_agent_id){selection->ids[i]}, &row)) {
            world_mark_gone(world, row);
        }
    }
    for (uint32_t row = 0; selection->all && row < world->agents.count; row++) {
        world_mark_gone(world, row);
    }
    return STATUS_OK;
}

enum status steer_world_remove_agents(struct steer_world *world,
                                      const struct steer_agent_selection *selection, struct fault *fault)
{
    enum status status = steer_world_remove_agents_unswept(world, selection, fault);
    steer_world_sweep(world);
    return status;
}

void steer_world_remove_owned(struct steer_world *world, const uint32_t *owners, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t row = 0; row < world->agents.count; row++) {
            if (owners[i] != 0 && world->agents.owner[row] == owners[i]) {
                world_mark_gone(world, row);
            }
        }
    }
    steer_world_sweep(world);
}

enum status steer_world_teleport(struct steer_world *world, struct steer_agent_id id, struct vec2 position_m,
                                 float orientation_deg, struct fault *fault)
{
    struct agent_store *agents = &world->agents;
    uint32_t row;
    if (!agent_store_find(agents, id, &row)) {
        return fault_set(fault, STATUS_NOT_FOUND, "id is %u: the id of an agent that exists is needed",
                         id.value);
    }
    enum status status = world_check_place(world, position_m, agents->radius[row], fault);
    if (status == STATUS_OK) {
        status = check_finite("orientation_deg", "degrees", orientation_deg, fault);
    }
    if (status != STATUS_OK) {
        return status;
    }
    agents->x[row] = position_m.x;
    agents->y[row] = position_m.y;
    agents->vx[row] = 0.0f;
    agents->vy[row] = 0.0f;
    agents->orientation_deg[row] = trig_wrap_deg(orientation_deg);
    agents->rotation_deg_s[row] = 0.0f;
    if (agents->goal_kind[row] == STEER_GOAL_PATH && agents->waypoint[row] == 0) {
        agents->goal_x[row] = position_m.x; /* the first leg begins here now */
        agents->goal_y[row] = position_m.y;
    }
    if (agents->state[row] == STEER_AGENT_STATE_ARRIVED || agents->state[row] == STEER_AGENT_STATE_BLOCKED) {
        agents->state[row] = STEER_AGENT_STATE_MOVING;
    }
    world_restart_progress(world, row);
    world->grid_is_current = false;
    return STATUS_OK;
}
