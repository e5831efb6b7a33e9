/*
 * Profiles as users put them together: names into rows of the behaviour table, defaults, legal ranges.
 */
#include "sim/steer.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "sim/behaviour_row.h"
#include "sim/check.h"

#define PROFILE_WEIGHT_MAX 100.0f

/* A row of STEER_LIMITS. */
struct profile_limit {
    const char *name;
    const char *unit;
    float min;
    float max;
    float default_value;
    size_t offset;
};

static const struct profile_limit profile_limits[] = {
#define LIMIT(name, unit, min, max, default_value, summary)                                                  \
    {#name, unit, min, max, default_value, offsetof(struct steer_limits, name)},
    STEER_LIMITS(LIMIT)
#undef LIMIT
};

#define PROFILE_LIMITS (sizeof profile_limits / sizeof profile_limits[0])

static float *profile_limit_of(struct steer_limits *limits, const struct profile_limit *limit)
{
    return (float *)((char *)limits + limit->offset);
}

/* Names of a table as one list, as many as fit, for people. */
static void profile_list_behaviours(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < steer_behaviour_count() && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ",
                                 steer_behaviour_info(i)->name);
    }
}

static void profile_list_parameters(const struct steer_behaviour_info *info, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < info->parameter_count && used < size; i++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", info->parameters[i].name);
    }
}

enum status steer_profile_add_behaviour(struct steer_profile *profile, const char *name,
                                        struct steer_profile_behaviour **out, struct fault *fault)
{
    uint32_t behaviour = steer_behaviour_find(name);
    if (behaviour == steer_behaviour_count()) {
        char known[FAULT_TEXT_SIZE];
        profile_list_behaviours(known, sizeof known);
        return fault_set(fault, STATUS_NOT_FOUND, "behaviour \"%.40s\" is not known: %s", name, known);
    }
    if (profile->behaviour_count == STEER_PROFILE_BEHAVIOURS_MAX) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "behaviours has %u already: 1 to %d are legal",
                         profile->behaviour_count, STEER_PROFILE_BEHAVIOURS_MAX);
    }
    const struct steer_behaviour_info *info = steer_behaviour_info(behaviour);
    struct steer_profile_behaviour *added = &profile->behaviours[profile->behaviour_count++];
    *added = (struct steer_profile_behaviour){.behaviour = behaviour, .weight = 1.0f};
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        added->parameters[i] = info->parameters[i].default_value;
    }
    *out = added;
    return STATUS_OK;
}

/* Refuses a value that its row does not allow. */
static enum status profile_check_parameter(const struct steer_behaviour_info *info, uint32_t parameter,
                                           float value, struct fault *fault)
{
    const struct steer_behaviour_parameter *row = &info->parameters[parameter];
    char field[96];
    snprintf(field, sizeof field, "%s.%s", info->name, row->name);
    return check_range(field, row->unit, value, row->min, row->max, fault);
}

enum status steer_profile_set_parameter(struct steer_profile_behaviour *behaviour, const char *name,
                                        float value, struct fault *fault)
{
    const struct steer_behaviour_info *info = steer_behaviour_info(behaviour->behaviour);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        if (strcmp(info->parameters[i].name, name) == 0) {
            enum status status = profile_check_parameter(info, i, value, fault);
            if (status == STATUS_OK) {
                behaviour->parameters[i] = value;
            }
            return status;
        }
    }
    if (info->parameter_count == 0) {
        return fault_set(fault, STATUS_NOT_FOUND, "%s.%.40s is not known: %s has no parameters", info->name,
                         name, info->name);
    }
    char known[FAULT_TEXT_SIZE];
    profile_list_parameters(info, known, sizeof known);
    return fault_set(fault, STATUS_NOT_FOUND, "%s.%.40s is not known: %s", info->name, name, known);
}

static enum status profile_check_name(const char *name, struct fault *fault)
{
    size_t length = strnlen(name, STEER_PROFILE_NAME_SIZE);
    bool legal = length >= 1 && length < STEER_PROFILE_NAME_SIZE;
    for (size_t i = 0; legal && i < length; i++) {
        char c = name[i];
        legal = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }
    if (!legal) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "name is \"%.32s\": 1 to %d of a-z, 0-9, _ and - are needed", name,
                         STEER_PROFILE_NAME_SIZE - 1);
    }
    return STATUS_OK;
}

/* Defaults for what is 0, then ranges. */
static enum status profile_check_limits(struct steer_limits *limits, struct fault *fault)
{
    for (size_t i = 0; i < PROFILE_LIMITS; i++) {
        const struct profile_limit *limit = &profile_limits[i];
        float *value = profile_limit_of(limits, limit);
        if (*value == 0.0f) {
            *value = limit->default_value;
        }
        char field[64];
        snprintf(field, sizeof field, "limits.%s", limit->name);
        enum status status = check_range(field, limit->unit, *value, limit->min, limit->max, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

static enum status profile_check_behaviour(const struct steer_profile_behaviour *behaviour,
                                           struct fault *fault)
{
    if (behaviour->behaviour >= steer_behaviour_count()) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "behaviour is row %u: 0 to %u is legal",
                         behaviour->behaviour, steer_behaviour_count() - 1);
    }
    const struct steer_behaviour_info *info = steer_behaviour_info(behaviour->behaviour);
    if (behaviour->group >= STEER_PROFILE_GROUPS_MAX) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "%s.group is %u: 0 to %d is legal", info->name,
                         behaviour->group, STEER_PROFILE_GROUPS_MAX - 1);
    }
    char field[64];
    snprintf(field, sizeof field, "%s.weight", info->name);
    enum status status = check_range(field, "", behaviour->weight, 0.0f, PROFILE_WEIGHT_MAX, fault);
    if (status == STATUS_OK && behaviour->weight == 0.0f) {
        status =
            fault_set(fault, STATUS_OUT_OF_RANGE, "%s is 0: more than 0 and at most 100 is legal", field);
    }
    for (uint32_t i = 0; status == STATUS_OK && i < info->parameter_count; i++) {
        status = profile_check_parameter(info, i, behaviour->parameters[i], fault);
    }
    return status;
}

static enum status profile_check_behaviours(const struct steer_profile *profile, struct fault *fault)
{
    if (profile->behaviour_count < 1 || profile->behaviour_count > STEER_PROFILE_BEHAVIOURS_MAX) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "behaviours has %u entries: 1 to %d are legal",
                         profile->behaviour_count, STEER_PROFILE_BEHAVIOURS_MAX);
    }
    uint32_t words = 0;
    for (uint32_t i = 0; i < profile->behaviour_count; i++) {
        enum status status = profile_check_behaviour(&profile->behaviours[i], fault);
        if (status != STATUS_OK) {
            fault_prefix(fault, "behaviours[%u].", i);
            return status;
        }
        words += behaviour_row_info(profile->behaviours[i].behaviour)->state_words;
    }
    if (words > AGENT_SLOT_WORDS) {
        return fault_set(
            fault, STATUS_INVALID_ARGUMENT,
            "behaviours remember %u words of each agent: at most %d are legal, name fewer of them", words,
            AGENT_SLOT_WORDS);
    }
    return STATUS_OK;
}

enum status steer_profile_check(struct steer_profile *profile, struct fault *fault)
{
    enum status status = profile_check_name(profile->name, fault);
    if (status != STATUS_OK) {
        return status;
    }
    if ((unsigned)profile->combination > STEER_COMBINATION_BUDGET) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "combination is %d: blend, priority or budget is needed", (int)profile->combination);
    }
    if ((unsigned)profile->rest > STEER_REST_COAST) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "rest is %d: brake, stop or coast is needed",
                         (int)profile->rest);
    }
    struct steer_limits limits = profile->limits;
    status = profile_check_limits(&limits, fault);
    if (status == STATUS_OK) {
        status = profile_check_behaviours(profile, fault);
    }
    if (status == STATUS_OK) {
        profile->limits = limits;
    }
    return status;
}

void steer_profile_init_walker(struct steer_profile *profile)
{
    static const struct {
        const char *name;
        uint32_t group;
    } rows[] = {
        {"avoid_obstacles", 0}, {"avoid_agents", 0},     {"arrive", 1},
        {"follow_path", 1},     {"look_where_going", 1},
    };
    *profile = (struct steer_profile){
        .name = "walker", .combination = STEER_COMBINATION_BUDGET, .rest = STEER_REST_BRAKE};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct steer_profile_behaviour *behaviour;
        enum status status = steer_profile_add_behaviour(profile, rows[i].name, &behaviour, NULL);
        ASSERT(status == STATUS_OK);
        behaviour->group = rows[i].group;
    }
    enum status status = steer_profile_check(profile, NULL);
    ASSERT(status == STATUS_OK);
}
