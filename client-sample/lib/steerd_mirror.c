/*
 * Keeps what the server's snapshots and world updates add up to. Last step on a message's way from the socket
 * to the game; the numbers it lets through are finite and its lists are in id order, whatever came.
 */
#include "steerd_mirror.h"

#include <stdlib.h>
#include <string.h>

#include "steerd_list.h"

struct steerd_mirror {
    uint64_t tick;
    uint64_t server_time_us;
    uint64_t snapshot_count;
    uint32_t agents_max;
    bool collecting; /* parts of pending_tick have come, the last has not */
    uint64_t pending_tick;
    struct steerd_list agents;  /* of struct steerd_agent, ascending by id: what readers see */
    struct steerd_list pending; /* the parts so far of the next snapshot */
    struct steerd_list obstacles;
    struct steerd_list profiles;
};

struct steerd_mirror *steerd_mirror_create(void)
{
    struct steerd_mirror *mirror = calloc(1, sizeof *mirror);
    if (mirror == NULL) {
        return NULL;
    }
    mirror->agents = (struct steerd_list){.item_size = sizeof(struct steerd_agent)};
    mirror->pending = mirror->agents;
    mirror->obstacles = (struct steerd_list){.item_size = sizeof(struct steerd_obstacle),
                                             .key_offset = offsetof(struct steerd_obstacle, id),
                                             .count_max = STEERD_OBSTACLES_MAX};
    mirror->profiles = (struct steerd_list){.item_size = sizeof(struct steerd_profile),
                                            .key_offset = offsetof(struct steerd_profile, index),
                                            .count_max = STEERD_PROFILES_MAX};
    mirror->agents.key_offset = offsetof(struct steerd_agent, id);
    mirror->pending.key_offset = offsetof(struct steerd_agent, id);
    return mirror;
}

void steerd_mirror_destroy(struct steerd_mirror *mirror)
{
    if (mirror != NULL) {
        steerd_list_deinit(&mirror->agents);
        steerd_list_deinit(&mirror->pending);
        steerd_list_deinit(&mirror->obstacles);
        steerd_list_deinit(&mirror->profiles);
        free(mirror);
    }
}

void steerd_mirror_set_agents_max(struct steerd_mirror *mirror, uint32_t agents_max)
{
    mirror->agents_max = agents_max;
    mirror->agents.count_max = agents_max;
    mirror->pending.count_max = agents_max;
}

uint64_t steerd_mirror_tick(const struct steerd_mirror *mirror)
{
    return mirror->tick;
}

uint64_t steerd_mirror_server_time_us(const struct steerd_mirror *mirror)
{
    return mirror->server_time_us;
}

uint64_t steerd_mirror_snapshot_count(const struct steerd_mirror *mirror)
{
    return mirror->snapshot_count;
}

const struct steerd_agent *steerd_mirror_agents(const struct steerd_mirror *mirror, size_t *count)
{
    *count = mirror->agents.count;
    return mirror->agents.items;
}

const struct steerd_agent *steerd_mirror_find_agent(const struct steerd_mirror *mirror, uint32_t id)
{
    return steerd_list_find(&mirror->agents, id);
}

const struct steerd_obstacle *steerd_mirror_obstacles(const struct steerd_mirror *mirror, size_t *count)
{
    *count = mirror->obstacles.count;
    return mirror->obstacles.items;
}

const struct steerd_profile *steerd_mirror_profiles(const struct steerd_mirror *mirror, size_t *count)
{
    *count = mirror->profiles.count;
    return mirror->profiles.items;
}

const struct steerd_profile *steerd_mirror_profile(const struct steerd_mirror *mirror, uint32_t index)
{
    return steerd_list_find(&mirror->profiles, index);
}

void steerd_mirror_forget_obstacles(struct steerd_mirror *mirror)
{
    mirror->obstacles.count = 0;
}

static enum status steerd_mirror_no_memory(struct fault *fault)
{
    return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory for the mirror of the world");
}

/* Adds one agent to the snapshot being collected. */
static enum status steerd_mirror_collect(struct steerd_mirror *mirror, const Steerd__V1__AgentState *state,
                                         struct fault *fault)
{
    struct steerd_agent agent;
    enum status status = steerd_agent_read(state, &agent, fault);
    if (status != STATUS_OK) {
        return status;
    }
    struct steerd_list *pending = &mirror->pending;
    const struct steerd_agent *agents = pending->items;
    if (pending->count > 0 && agents[pending->count - 1].id >= agent.id) {
        return fault_set(fault, STATUS_DATA_LOSS, "agent %u comes after agent %u: ids must ascend", agent.id,
                         agents[pending->count - 1].id);
    }
    if (pending->count == mirror->agents_max) {
        return fault_set(fault, STATUS_DATA_LOSS,
                         "a snapshot of more agents than the %u of Welcome.agents_max", mirror->agents_max);
    }
    return steerd_list_append(pending, &agent) ? STATUS_OK : steerd_mirror_no_memory(fault);
}

enum status steerd_mirror_apply_snapshot(struct steerd_mirror *mirror, const Steerd__V1__Snapshot *snapshot,
                                         bool *whole, struct fault *fault)
{
    *whole = false;
    if (!mirror->collecting || snapshot->tick != mirror->pending_tick) {
        mirror->collecting = true;
        mirror->pending_tick = snapshot->tick;
        mirror->pending.count = 0;
    }
    for (size_t i = 0; i < snapshot->n_agents; i++) {
        enum status status = steerd_mirror_collect(mirror, snapshot->agents[i], fault);
        if (status != STATUS_OK) {
            mirror->collecting = false;
            return status;
        }
    }
    if (!snapshot->last) {
        return STATUS_OK;
    }
    struct steerd_list shown = mirror->pending;
    mirror->pending = mirror->agents;
    mirror->agents = shown;
    mirror->collecting = false;
    mirror->tick = snapshot->tick;
    mirror->server_time_us = snapshot->server_time_us;
    mirror->snapshot_count++;
    *whole = true;
    return STATUS_OK;
}

/* Copies a name that the contract bounds. False: it is longer. */
static bool steerd_mirror_copy_name(const char *name, char out[STEERD_NAME_SIZE])
{
    size_t size = strlen(name);
    if (size >= STEERD_NAME_SIZE) {
        return false;
    }
    memcpy(out, name, size + 1);
    return true;
}

static enum status steerd_mirror_put_profile(struct steerd_mirror *mirror, const Steerd__V1__Profile *profile,
                                             struct fault *fault)
{
    struct steerd_profile entry = {.index = profile->index};
    if (!steerd_mirror_copy_name(profile->name, entry.name)) {
        return fault_set(fault, STATUS_DATA_LOSS, "profile %u has a name of more than %d bytes",
                         profile->index, STEERD_NAME_SIZE - 1);
    }
    if (profile->limits != NULL) {
        entry.radius_m = profile->limits->radius;
        entry.max_speed_mps = profile->limits->max_speed;
        entry.max_accel_mps2 = profile->limits->max_accel;
        entry.max_rotation_deg_s = profile->limits->max_rotation;
        entry.max_angular_accel_deg_s2 = profile->limits->max_angular_accel;
    }
    return steerd_list_put(&mirror->profiles, &entry) ? STATUS_OK : steerd_mirror_no_memory(fault);
}

enum status steerd_mirror_apply_update(struct steerd_mirror *mirror, const Steerd__V1__WorldUpdate *update,
                                       struct fault *fault)
{
    for (size_t i = 0; i < update->n_obstacles; i++) {
        struct steerd_obstacle obstacle;
        enum status status = steerd_obstacle_read(update->obstacles[i], &obstacle, fault);
        if (status != STATUS_OK) {
            return status;
        }
        if (!steerd_list_put(&mirror->obstacles, &obstacle)) {
            return steerd_mirror_no_memory(fault);
        }
    }
    for (size_t i = 0; i < update->n_removed_obstacle_ids; i++) {
        steerd_list_remove(&mirror->obstacles, update->removed_obstacle_ids[i]);
    }
    for (size_t i = 0; i < update->n_profiles; i++) {
        enum status status = steerd_mirror_put_profile(mirror, update->profiles[i], fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

/* A point of a message; a field that is not there means (0, 0). */
static struct vec2 steerd_mirror_point(const Steerd__V1__Vec2 *point)
{
    return point == NULL ? vec2(0.0f, 0.0f) : vec2(point->x, point->y);
}

enum status steerd_agent_read(const Steerd__V1__AgentState *state, struct steerd_agent *out,
                              struct fault *fault)
{
    *out = (struct steerd_agent){
        .id = state->id,
        .tag = state->tag,
        .position_m = steerd_mirror_point(state->position),
        .velocity_mps = steerd_mirror_point(state->velocity),
        .orientation_deg = state->orientation_deg,
        .rotation_deg_s = state->rotation_deg_s,
        .radius_m = state->radius,
        .profile = state->profile,
        .state = (enum steerd_agent_state)state->state,
    };
    if (state->id == 0) {
        return fault_set(fault, STATUS_DATA_LOSS, "an agent without an id");
    }
    if (!vec2_is_finite(out->position_m) || !vec2_is_finite(out->velocity_mps) ||
        !isfinite(out->orientation_deg) || !isfinite(out->rotation_deg_s) || !isfinite(out->radius_m)) {
        return fault_set(fault, STATUS_DATA_LOSS, "agent %u has a number that is not finite", state->id);
    }
    if (out->state > STEERD_AGENT_STATE_DRIVEN) {
        out->state = STEERD_AGENT_STATE_IDLE; /* a later server's word for what this client does not know */
    }
    return STATUS_OK;
}

/* Points of a polygon or segment. */
static enum status steerd_obstacle_read_points(Steerd__V1__Vec2 *const *points, size_t count,
                                               struct steerd_obstacle *out, struct fault *fault)
{
    if (count > STEERD_SHAPE_POINTS_MAX) {
        return fault_set(fault, STATUS_DATA_LOSS, "obstacle %u has %zu corners: at most %d are legal",
                         out->id, count, STEERD_SHAPE_POINTS_MAX);
    }
    out->point_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        out->points_m[i] = steerd_mirror_point(points[i]);
        if (!vec2_is_finite(out->points_m[i])) {
            return fault_set(fault, STATUS_DATA_LOSS, "obstacle %u has a number that is not finite", out->id);
        }
    }
    return STATUS_OK;
}

enum status steerd_obstacle_read(const Steerd__V1__Obstacle *obstacle, struct steerd_obstacle *out,
                                 struct fault *fault)
{
    *out = (struct steerd_obstacle){.id = obstacle->id};
    if (!steerd_mirror_copy_name(obstacle->name, out->name)) {
        return fault_set(fault, STATUS_DATA_LOSS, "obstacle %u has a name of more than %d bytes",
                         obstacle->id, STEERD_NAME_SIZE - 1);
    }
    enum status status = STATUS_OK;
    switch (obstacle->shape_case) {
    case STEERD__V1__OBSTACLE__SHAPE_CIRCLE:
        out->shape = STEERD_SHAPE_CIRCLE;
        out->center_m = steerd_mirror_point(obstacle->circle->center);
        out->radius_m = obstacle->circle->radius;
        break;
    case STEERD__V1__OBSTACLE__SHAPE_BOX:
        out->shape = STEERD_SHAPE_BOX;
        out->center_m = steerd_mirror_point(obstacle->box->center);
        out->size_m = steerd_mirror_point(obstacle->box->size);
        out->orientation_deg = obstacle->box->orientation_deg;
        break;
    case STEERD__V1__OBSTACLE__SHAPE_SEGMENT: {
        Steerd__V1__Vec2 *const ends[2] = {obstacle->segment->a, obstacle->segment->b};
        out->shape = STEERD_SHAPE_SEGMENT;
        status = steerd_obstacle_read_points(ends, 2, out, fault);
        break;
    }
    case STEERD__V1__OBSTACLE__SHAPE_POLYGON:
        out->shape = STEERD_SHAPE_POLYGON;
        status =
            steerd_obstacle_read_points(obstacle->polygon->points, obstacle->polygon->n_points, out, fault);
        break;
    default:
        return fault_set(fault, STATUS_DATA_LOSS, "obstacle %u has no shape that this client knows",
                         obstacle->id);
    }
    if (status == STATUS_OK && (!vec2_is_finite(out->center_m) || !vec2_is_finite(out->size_m) ||
                                !isfinite(out->radius_m) || !isfinite(out->orientation_deg))) {
        return fault_set(fault, STATUS_DATA_LOSS, "obstacle %u has a number that is not finite",
                         obstacle->id);
    }
    return status;
}
