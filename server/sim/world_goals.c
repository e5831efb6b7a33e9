/* Where agents are to go: targets and driving by hand. */
#include <math.h>
#include <stdio.h>

#include "base/assert.h"
#include "sim/check.h"
#include "sim/world_internal.h"

/* A speed a hair over the limit is rounding: the length of a vector of floats is not exact. */
#define WORLD_SPEED_TOLERANCE 1.0001f

static enum status world_check_path(const struct steer_world *world, const struct steer_goal *goal,
                                    struct fault *fault)
{
    if (goal->path_count < 1 || goal->path_count > STEER_PATH_POINTS_MAX) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "path.points has %u points: 1 to %d are legal",
                         goal->path_count, STEER_PATH_POINTS_MAX);
    }
    for (uint32_t i = 0; i < goal->path_count; i++) {
        char field[32];
        snprintf(field, sizeof field, "path.points[%u]", i);
        enum status status =
            check_point(field, goal->path_m[i], world->config.min_m, world->config.max_m, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

static enum status world_check_velocity(struct vec2 velocity, float max_speed, struct fault *fault)
{
    enum status status = check_finite("velocity.x", "m/s", velocity.x, fault);
    if (status == STATUS_OK) {
        status = check_finite("velocity.y", "m/s", velocity.y, fault);
    }
    double speed = sqrt((double)velocity.x * velocity.x + (double)velocity.y * velocity.y);
    if (status == STATUS_OK && speed > (double)(max_speed * WORLD_SPEED_TOLERANCE)) {
        status = fault_set(fault, STATUS_OUT_OF_RANGE, "velocity is %.6g m/s fast: 0 to %g m/s is legal",
                           speed, (double)max_speed);
    }
    return status;
}

enum status world_check_goal(const struct steer_world *world, const struct steer_goal *goal,
                             const struct goal_owner *owner, struct fault *fault)
{
    uint32_t row;
    switch (goal->kind) {
    case STEER_GOAL_NONE:
        return STATUS_OK;
    case STEER_GOAL_POINT:
        return check_point("point", goal->point_m, world->config.min_m, world->config.max_m, fault);
    case STEER_GOAL_AGENT:
        if (owner->id.value != 0 && goal->agent.value == owner->id.value) {
            return fault_set(fault, STATUS_INVALID_ARGUMENT,
                             "agent_id is %u, the agent itself: another one is needed", goal->agent.value);
        }
        if (!agent_store_find(&world->agents, goal->agent, &row)) {
            return fault_set(fault, STATUS_NOT_FOUND,
                             "agent_id is %u: the id of an agent that exists is needed", goal->agent.value);
        }
        return STATUS_OK;
    case STEER_GOAL_PATH:
        return world_check_path(world, goal, fault);
    case STEER_GOAL_VELOCITY:
        return world_check_velocity(goal->velocity_mps, owner->max_speed_mps, fault);
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT,
                     "goal is %d: a point, an agent, a path or none is needed", (int)goal->kind);
}

enum status world_check_paths(const struct steer_world *world, uint32_t needed, struct fault *fault)
{
    if (needed > world->paths.free_count) {
        return fault_set(
            fault, STATUS_RESOURCE_EXHAUSTED,
            "path is one too many: %u are the most in use at one time, %u are free and %u needed",
            world->paths.count_max, world->paths.free_count, needed);
    }
    return STATUS_OK;
}

void world_release_goal(struct steer_world *world, uint32_t row)
{
    struct agent_store *agents = &world->agents;
    if (agents->goal_kind[row] == STEER_GOAL_PATH) {
        paths_release(&world->paths, agents->goal_ref[row]);
    }
    if (agents->crowd[row] != CROWD_NONE) {
        crowds_release(&world->crowds, agents->crowd[row]);
        agents->crowd[row] = CROWD_NONE;
        agents->draws[row] = 0;
    }
    agents->goal_kind[row] = STEER_GOAL_NONE;
    agents->goal_ref[row] = 0;
}

void world_restart_progress(struct steer_world *world, uint32_t row)
{
    struct agent_store *agents = &world->agents;
    agents->goal_ticks[row] = 0;
    agents->rest_ticks[row] = 0;
    agents->rest_x[row] = agents->x[row];
    agents->rest_y[row] = agents->y[row];
    for (uint32_t i = 0; i < AGENT_PROGRESS_SAMPLES; i++) {
        agents->progress[row].remaining_m[i] = HUGE_VALF;
    }
}

void world_apply_goal(struct steer_world *world, uint32_t row, const struct steer_goal *goal, uint32_t path)
{
    struct agent_store *agents = &world->agents;
    world_release_goal(world, row);
    struct vec2 place = vec2(0.0f, 0.0f);
    uint32_t reference = 0;
    enum steer_agent_state state = STEER_AGENT_STATE_MOVING;
    switch (goal->kind) {
    case STEER_GOAL_NONE:
        state = STEER_AGENT_STATE_IDLE;
        break;
    case STEER_GOAL_POINT:
        place = goal->point_m;
        break;
    case STEER_GOAL_AGENT:
        reference = goal->agent.value;
        break;
    case STEER_GOAL_PATH:
        place = vec2(agents->x[row], agents->y[row]);
        reference = path;
        paths_retain(&world->paths, path);
        break;
    case STEER_GOAL_VELOCITY:
        place = goal->velocity_mps;
        state = STEER_AGENT_STATE_DRIVEN;
        break;
    }
    agents->goal_kind[row] = (uint8_t)goal->kind;
    agents->goal_x[row] = place.x;
    agents->goal_y[row] = place.y;
    agents->goal_ref[row] = reference;
    agents->waypoint[row] = 0;
    agents->state[row] = (uint8_t)state;
    world_restart_progress(world, row);
}

/* Fails as steer_world_set_targets, without the prefix. */
static enum status world_check_target(const struct steer_world *world, const struct steer_target_spec *target,
                                      struct fault *fault)
{
    if (target->goal.kind == STEER_GOAL_VELOCITY) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "goal is a velocity: a point, an agent, a path or none is needed");
    }
    enum status status = world_check_selection(world, &target->agents, fault);
    const struct agent_store *agents = &world->agents;
    uint32_t count = WORLD_SELECTION_COUNT(world, &target->agents);
    if (status == STATUS_OK) {
        struct goal_owner nobody = {.id = {0}};
        status = world_check_goal(world, &target->goal, &nobody, fault);
    }
    for (uint32_t i = 0; status == STATUS_OK && target->goal.kind == STEER_GOAL_AGENT && i < count; i++) {
        struct goal_owner owner = {.id = {agents->id[world_selection_row(world, &target->agents, i)]}};
        status = world_check_goal(world, &target->goal, &owner, fault);
    }
    return status;
}

enum status steer_world_set_targets(struct steer_world *world, const struct steer_target_spec *targets,
                                    uint32_t count, struct fault *fault)
{
    uint32_t paths = 0;
    uint64_t named = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (targets[i].agents.all) {
            steer_world_sweep(world);
        }
        named += WORLD_SELECTION_COUNT(world, &targets[i].agents);
        if (named > STEER_WORLD_TARGETS_MAX) {
            return fault_set(
                fault, STATUS_RESOURCE_EXHAUSTED,
                "targets name more than %u agents, one of them counted each time: send fewer at once",
                STEER_WORLD_TARGETS_MAX);
        }
        bool needs_path =
            targets[i].goal.kind == STEER_GOAL_PATH && WORLD_SELECTION_COUNT(world, &targets[i].agents) > 0;
        enum status status = world_check_target(world, &targets[i], fault);
        paths += needs_path ? 1 : 0;
        if (status == STATUS_OK && needs_path) {
            status = world_check_paths(world, paths, fault);
        }
        if (status != STATUS_OK) {
            fault_prefix(fault, "targets[%u].", i);
            return status;
        }
    }
    world->work += named;
    for (uint32_t i = 0; i < count; i++) {
        const struct steer_target_spec *target = &targets[i];
        uint32_t agents = WORLD_SELECTION_COUNT(world, &target->agents);
        uint32_t path = PATH_NONE;
        if (target->goal.kind == STEER_GOAL_PATH && agents > 0) {
            path = paths_add(&world->paths, target->goal.path_m, target->goal.path_count);
            paths_retain(&world->paths, path); /* held while its agents take it */
        }
        for (uint32_t j = 0; j < agents; j++) {
            world_apply_goal(world, world_selection_row(world, &target->agents, j), &target->goal, path);
        }
        if (path != PATH_NONE) {
            paths_release(&world->paths, path);
        }
    }
    return STATUS_OK;
}

enum status steer_world_drive(struct steer_world *world, struct steer_agent_id id, struct vec2 velocity_mps,
                              struct fault *fault)
{
    uint32_t row;
    if (!agent_store_find(&world->agents, id, &row)) {
        return fault_set(fault, STATUS_NOT_FOUND, "id is %u: the id of an agent that exists is needed",
                         id.value);
    }
    struct steer_goal goal = {.kind = STEER_GOAL_VELOCITY, .velocity_mps = velocity_mps};
    struct goal_owner owner = {.id = id, .max_speed_mps = world->agents.max_speed[row]};
    enum status status = world_check_goal(world, &goal, &owner, fault);
    if (status == STATUS_OK) {
        world_apply_goal(world, row, &goal, PATH_NONE);
    }
    return status;
}
