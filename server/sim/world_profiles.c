/* Profiles of a world: defined by commands, followed by agents at once, planned here for the tick. */
#include <string.h>

#include "base/assert.h"
#include "sim/behaviour_row.h"
#include "sim/steer.h"
#include "sim/world_internal.h"

void world_follow_profile(struct steer_world *world, uint32_t row)
{
    struct agent_store *agents = &world->agents;
    const struct steer_limits *limits = &world->profiles[agents->profile[row]].limits;
    if ((agents->own_limits[row] & AGENT_OWN_RADIUS) == 0) {
        world->solids_are_new = world->solids_are_new || agents->radius[row] < limits->radius;
        agents->radius[row] = limits->radius;
    }
    if ((agents->own_limits[row] & AGENT_OWN_MAX_SPEED) == 0) {
        agents->max_speed[row] = limits->max_speed;
    }
    if ((agents->own_limits[row] & AGENT_OWN_MAX_ACCEL) == 0) {
        agents->max_accel[row] = limits->max_accel;
    }
}

/* Default of a parameter that the world itself needs, or what the profile says. */
static float world_plan_parameter(const struct steer_profile *profile, enum behaviour_row behaviour,
                                  size_t offset, float otherwise)
{
    for (uint32_t i = 0; i < profile->behaviour_count; i++) {
        if (profile->behaviours[i].behaviour == behaviour) {
            return profile->behaviours[i].parameters[offset / sizeof(float)];
        }
    }
    return otherwise;
}

static void world_plan_profile(const struct steer_profile *profile, struct profile_plan *plan)
{
    *plan = (struct profile_plan){0};
    uint32_t ordered = 0;
    uint32_t words = 0;
    for (uint32_t group = 0; group < STEER_PROFILE_GROUPS_MAX; group++) {
        for (uint32_t i = 0; i < profile->behaviour_count; i++) {
            if (profile->behaviours[i].group == group) {
                plan->order[ordered++] = (uint8_t)i;
            }
        }
    }
    ASSERT(ordered == profile->behaviour_count);
    for (uint32_t i = 0; i < profile->behaviour_count; i++) {
        uint32_t behaviour = profile->behaviours[i].behaviour;
        plan->behaviours |= 1u << behaviour;
        plan->slot_first[i] = (uint8_t)words;
        words += behaviour_row_info(behaviour)->state_words;
    }
    ASSERT(words <= AGENT_SLOT_WORDS);
    const float waypoint_radius_m = 0.5f; /* of simulation.md, for profiles without follow_path */
    const float target_radius_m = 0.2f;
    plan->waypoint_radius_m =
        world_plan_parameter(profile, BEHAVIOUR_follow_path,
                             offsetof(struct follow_path_parameters, waypoint_radius), waypoint_radius_m);
    plan->target_radius_m =
        world_plan_parameter(profile, BEHAVIOUR_follow_path,
                             offsetof(struct follow_path_parameters, target_radius), target_radius_m);
    static const struct {
        enum behaviour_row behaviour;
        size_t offset;
    } arriving[] = {
        {BEHAVIOUR_arrive, offsetof(struct arrive_parameters, target_radius)},
        {BEHAVIOUR_offset_pursue, offsetof(struct offset_pursue_parameters, target_radius)},
        {BEHAVIOUR_interpose, offsetof(struct interpose_parameters, target_radius)},
        {BEHAVIOUR_hide, offsetof(struct hide_parameters, target_radius)},
        {BEHAVIOUR_follow_leader, offsetof(struct follow_leader_parameters, target_radius)},
    };
    for (size_t i = 0; i < sizeof arriving / sizeof arriving[0]; i++) {
        plan->target_radius_m =
            world_plan_parameter(profile, arriving[i].behaviour, arriving[i].offset, plan->target_radius_m);
    }
}

void world_init_profiles(struct steer_world *world)
{
    steer_profile_init_walker(&world->profiles[0]);
    world_plan_profile(&world->profiles[0], &world->plans[0]);
    world->profile_count = 1;
}

bool steer_world_find_profile(const struct steer_world *world, const char *name, uint32_t *index_out)
{
    for (uint32_t i = 0; i < world->profile_count; i++) {
        if (strcmp(world->profiles[i].name, name) == 0) {
            *index_out = i;
            return true;
        }
    }
    return false;
}

enum status world_check_profile(const struct steer_world *world, const char *name, uint32_t *index_out,
                                struct fault *fault)
{
    if (name == NULL || name[0] == '\0') {
        *index_out = 0;
        return STATUS_OK;
    }
    if (!steer_world_find_profile(world, name, index_out)) {
        return fault_set(
            fault, STATUS_NOT_FOUND,
            "profile is \"%.40s\": the name of one that is defined is needed, for example walker", name);
    }
    return STATUS_OK;
}

uint32_t steer_world_profile_count(const struct steer_world *world)
{
    return world->profile_count;
}

const struct steer_profile *steer_world_profile(const struct steer_world *world, uint32_t index)
{
    ASSERT(index < world->profile_count);
    return &world->profiles[index];
}

/* Whether agents can go on with what they remember. */
static bool world_profile_remembers_alike(const struct steer_profile *a, const struct steer_profile *b)
{
    if (a->behaviour_count != b->behaviour_count) {
        return false;
    }
    for (uint32_t i = 0; i < a->behaviour_count; i++) {
        if (a->behaviours[i].behaviour != b->behaviours[i].behaviour) {
            return false;
        }
    }
    return true;
}

/* Notes an index for steer_world_changes, ascending, once. */
static void world_note_profile(struct steer_world *world, uint32_t index)
{
    uint32_t at = world->changed_profile_count;
    while (at > 0 && world->changed_profiles[at - 1] >= index) {
        if (world->changed_profiles[--at] == index) {
            return;
        }
    }
    memmove(&world->changed_profiles[at + 1], &world->changed_profiles[at],
            (world->changed_profile_count - at) * sizeof world->changed_profiles[0]);
    world->changed_profiles[at] = (uint16_t)index;
    world->changed_profile_count++;
}

/* Field by field, so that unused parameters and the end of the name are 0 and digests do not see chance. */
static void world_copy_profile(struct steer_profile *to, const struct steer_profile *from)
{
    memset(to, 0, sizeof *to);
    memcpy(to->name, from->name, strlen(from->name));
    to->limits = from->limits;
    to->combination = from->combination;
    to->rest = from->rest;
    to->behaviour_count = from->behaviour_count;
    for (uint32_t i = 0; i < from->behaviour_count; i++) {
        const struct steer_profile_behaviour *behaviour = &from->behaviours[i];
        to->behaviours[i].behaviour = behaviour->behaviour;
        to->behaviours[i].group = behaviour->group;
        to->behaviours[i].weight = behaviour->weight;
        memcpy(to->behaviours[i].parameters, behaviour->parameters,
               steer_behaviour_info(behaviour->behaviour)->parameter_count * sizeof behaviour->parameters[0]);
    }
}

enum status steer_world_define_profile(struct steer_world *world, const struct steer_profile *profile,
                                       struct fault *fault)
{
    struct steer_profile checked = *profile;
    enum status status = steer_profile_check(&checked, fault);
    if (status != STATUS_OK) {
        return status;
    }
    uint32_t index;
    bool exists = steer_world_find_profile(world, checked.name, &index);
    if (!exists && world->profile_count == world->config.profiles_max) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "profile \"%s\" is one too many: %u are the most",
                         checked.name, world->config.profiles_max);
    }
    if (!exists) {
        index = world->profile_count++;
    }
    steer_world_sweep(world);
    world->work += world->agents.count;
    bool remembers = exists && world_profile_remembers_alike(&world->profiles[index], &checked);
    world_copy_profile(&world->profiles[index], &checked);
    world_plan_profile(&world->profiles[index], &world->plans[index]);
    world_note_profile(world, index);
    for (uint32_t row = 0; exists && row < world->agents.count; row++) {
        if (world->agents.profile[row] == index) {
            world_follow_profile(world, row);
            if (!remembers) {
                world->agents.slots[row] = (struct agent_slots){0};
            }
        }
    }
    return STATUS_OK;
}

enum status steer_world_set_profile(struct steer_world *world, const struct steer_agent_selection *selection,
                                    const char *profile, struct fault *fault)
{
    if (selection->all) {
        steer_world_sweep(world);
    }
    enum status status = world_check_selection(world, selection, fault);
    if (status != STATUS_OK) {
        return status;
    }
    uint32_t index;
    if (profile == NULL || !steer_world_find_profile(world, profile, &index)) {
        return fault_set(
            fault, STATUS_NOT_FOUND,
            "profile is \"%.40s\": the name of one that is defined is needed, for example walker",
            profile == NULL ? "" : profile);
    }
    world->work += WORLD_SELECTION_COUNT(world, selection);
    for (uint32_t i = 0; i < WORLD_SELECTION_COUNT(world, selection); i++) {
        uint32_t row = world_selection_row(world, selection, i);
        if (world->agents.profile[row] != index) {
            world->agents.profile[row] = (uint16_t)index;
            world->agents.slots[row] = (struct agent_slots){0};
            world_follow_profile(world, row);
        }
    }
    return STATUS_OK;
}
