/*
 * Profiles of a scenario: names of limits, behaviours and parameters become struct steer_profile through the
 * tables of server/sim. Part of scenario_load.
 */
#include <stdio.h>
#include <string.h>

#include "app/scenario/scenario_check.h"

struct profile_limit {
    const char *name;
    const char *unit;
    double min;
    double max;
    size_t offset;
};

static const struct profile_limit profile_limits[] = {
#define LIMIT(name_, unit_, min_, max_, default_, summary_)                                                  \
    {#name_, unit_, min_, max_, offsetof(struct steer_limits, name_)},
    STEER_LIMITS(LIMIT)
#undef LIMIT
};

#define PROFILE_LIMITS (sizeof profile_limits / sizeof profile_limits[0])

enum status scenario_reword(const struct scenario *scenario, uint32_t line, const char *where, size_t skip,
                            struct fault *fault)
{
    size_t length = strlen(fault->text);
    skip = skip > length ? length : skip;
    memmove(fault->text, fault->text + skip, length + 1 - skip);
    fault_prefix(fault, "%s:%u: %s", scenario->path, line, where);
    return fault->status;
}

static enum status profile_set_limit(const struct scenario *scenario, const char *where,
                                     const struct yaml_number *number, struct steer_limits *limits,
                                     struct fault *fault)
{
    for (size_t i = 0; i < PROFILE_LIMITS; i++) {
        const struct profile_limit *row = &profile_limits[i];
        if (strcmp(row->name, number->name) != 0) {
            continue;
        }
        float value = (float)number->value;
        if (value < (float)row->min || value > (float)row->max) {
            return yaml_tree_refuse(scenario->tree, number->line, fault, STATUS_OUT_OF_RANGE,
                                    "%s.%s: %.7g is out of range: a number in [%.7g, %.7g] %s is needed",
                                    where, row->name, number->value, row->min, row->max, row->unit);
        }
        *(float *)(void *)((char *)limits + row->offset) = value;
        return STATUS_OK;
    }
    char known[128] = "";
    for (size_t i = 0; i < PROFILE_LIMITS; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, ", %s", profile_limits[i].name);
    }
    return yaml_tree_refuse(scenario->tree, number->line, fault, STATUS_INVALID_ARGUMENT,
                            "%s: unknown key %.40s; known here: name, combine, rest, behaviours%s", where,
                            number->name, known);
}

static enum status profile_add_doc(const struct scenario *scenario, const char *where,
                                   const struct profile_doc_behaviour *doc, struct steer_profile *profile,
                                   struct fault *fault)
{
    struct steer_profile_behaviour *behaviour;
    char place[128];
    snprintf(place, sizeof place, "%s.name: ", where);
    if (steer_profile_add_behaviour(profile, doc->name, &behaviour, fault) != STATUS_OK) {
        return scenario_reword(scenario, doc->head.line, place, 0, fault);
    }
    behaviour->group = doc->group;
    behaviour->weight = doc->weight;
    for (uint32_t i = 0; i < doc->parameters.count; i++) {
        const struct yaml_number *number = &doc->parameters.items[i];
        if (steer_profile_set_parameter(behaviour, number->name, (float)number->value, fault) != STATUS_OK) {
            snprintf(place, sizeof place, "%s.%.40s: ", where, number->name);
            return scenario_reword(scenario, number->line, place, 0, fault);
        }
    }
    return STATUS_OK;
}

static enum status profile_from_doc(const struct scenario *scenario, const char *where,
                                    const struct profile_doc *doc, struct steer_profile *profile,
                                    struct fault *fault)
{
    *profile = (struct steer_profile){.combination = (enum steer_combination)doc->combine,
                                      .rest = (enum steer_rest)doc->rest};
    snprintf(profile->name, sizeof profile->name, "%s", doc->name);
    for (uint32_t i = 0; i < doc->limits.count; i++) {
        enum status status =
            profile_set_limit(scenario, where, &doc->limits.items[i], &profile->limits, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    const struct profile_doc_behaviour *behaviours = doc->behaviours.items;
    for (uint32_t i = 0; i < doc->behaviours.count; i++) {
        char place[64];
        snprintf(place, sizeof place, "%s.behaviours[%u]", where, i);
        enum status status = profile_add_doc(scenario, place, &behaviours[i], profile, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    if (steer_profile_check(profile, fault) != STATUS_OK) {
        char place[64];
        snprintf(place, sizeof place, "%s: ", where);
        return scenario_reword(scenario, doc->head.line, place, 0, fault);
    }
    return STATUS_OK;
}

enum status scenario_make_profiles(struct scenario *scenario, struct fault *fault)
{
    const struct profile_doc *docs = scenario->profiles.items;
    scenario->made_profiles =
        yaml_tree_take(scenario->tree, scenario->profiles.count * sizeof scenario->made_profiles[0]);
    if (scenario->made_profiles == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", scenario->path);
    }
    for (uint32_t i = 0; i < scenario->profiles.count; i++) {
        char where[32];
        snprintf(where, sizeof where, "profiles[%u]", i);
        enum status status = profile_from_doc(scenario, where, &docs[i], &scenario->made_profiles[i], fault);
        if (status != STATUS_OK) {
            return status;
        }
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(docs[j].name, docs[i].name) == 0) {
                return yaml_tree_refuse(
                    scenario->tree, docs[i].head.line, fault, STATUS_ALREADY_EXISTS,
                    "%s.name: %s is the name of another profile, on line %u: each needs its own", where,
                    docs[i].name, docs[j].head.line);
            }
        }
    }
    return STATUS_OK;
}
