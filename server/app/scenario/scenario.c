/*
 * Scenario files in memory: from the YAML tree through the tables of scenario_keys.c and the checks of
 * scenario_check.c to a struct scenario that scenario_run.c brings into a world.
 */
#include "app/scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/scenario/scenario_check.h"
#include "app/scenario/scenario_keys.h"
#include "base/assert.h"

const struct scenario_agent *scenario_agent(const struct scenario *scenario, uint32_t index)
{
    ASSERT(index < scenario->agents.count);
    return (const struct scenario_agent *)scenario->agents.items + index;
}

const struct scenario_event *scenario_event(const struct scenario *scenario, uint32_t index)
{
    ASSERT(index < scenario->events.count);
    return (const struct scenario_event *)scenario->events.items + index;
}

bool scenario_find_agent(const struct scenario *scenario, const char *name, uint32_t *index_out)
{
    return scenario_names_find(&scenario->agent_names, name, index_out);
}

uint64_t scenario_tick_at(double time_s, uint32_t tick_rate_hz)
{
    /* 4.8 s at 30 Hz is tick 144, though 4.8 * 30 may come out a hair above it. */
    return (uint64_t)ceil(time_s * tick_rate_hz - 1e-6);
}

/* Everybody there will be; ids are given to agents, then crowds, then circles, in the file's order. */
static uint32_t scenario_count_agents(const struct scenario *scenario)
{
    uint64_t count = scenario->agents.count;
    const struct scenario_crowd *crowds = scenario->crowds.items;
    const struct scenario_circle *circles = scenario->circles.items;
    for (uint32_t i = 0; i < scenario->crowds.count; i++) {
        count += crowds[i].count;
    }
    for (uint32_t i = 0; i < scenario->circles.count; i++) {
        count += circles[i].count;
    }
    return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

/* Takes over the tree on success. */
static enum status scenario_read(struct yaml_tree *tree, struct scenario **out, struct fault *fault)
{
    struct scenario *scenario = yaml_tree_take(tree, sizeof *scenario);
    if (scenario == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", yaml_tree_path(tree));
    }
    enum status status = yaml_table_read(tree, yaml_tree_root(tree), &scenario_table, "", scenario, fault);
    if (status != STATUS_OK) {
        return status;
    }
    scenario->tree = tree;
    scenario->path = yaml_tree_path(tree);
    scenario->agent_count = scenario_count_agents(scenario);
    enum status (*const parts[])(struct scenario *, struct fault *) = {
        scenario_make_profiles, scenario_collect_names, scenario_order_events};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == STATUS_OK; i++) {
        status = parts[i](scenario, fault);
    }
    enum status (*const checks[])(const struct scenario *, struct fault *) = {
        scenario_check, scenario_check_events, scenario_check_expect};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == STATUS_OK; i++) {
        status = checks[i](scenario, fault);
    }
    if (status == STATUS_OK) {
        *out = scenario;
    }
    return status;
}

/* Reads the tree, or destroys it. */
static enum status scenario_read_or_drop(struct yaml_tree *tree, struct scenario **out, struct fault *fault)
{
    enum status status = scenario_read(tree, out, fault);
    if (status != STATUS_OK) {
        yaml_tree_destroy(tree);
    }
    return status;
}

enum status scenario_load(const char *path, struct scenario **out, struct fault *fault)
{
    struct fault unheard;
    fault = fault == NULL ? &unheard : fault;
    struct yaml_tree *tree;
    enum status status = yaml_tree_load(path, &tree, fault);
    return status != STATUS_OK ? status : scenario_read_or_drop(tree, out, fault);
}

enum status scenario_parse(const char *name, const char *text, size_t size, struct scenario **out,
                           struct fault *fault)
{
    struct fault unheard;
    fault = fault == NULL ? &unheard : fault;
    struct yaml_tree *tree;
    enum status status = yaml_tree_parse(name, text, size, &tree, fault);
    return status != STATUS_OK ? status : scenario_read_or_drop(tree, out, fault);
}

void scenario_destroy(struct scenario *scenario)
{
    if (scenario != NULL) {
        yaml_tree_destroy(scenario->tree);
    }
}

static void scenario_raise(uint32_t *limit, uint32_t needed)
{
    if (*limit < needed) {
        *limit = needed;
    }
}

void scenario_configure(const struct scenario *scenario, struct steer_world_config *config)
{
    uint32_t paths = 0;
    uint32_t obstacles = scenario->obstacles.count;
    const struct scenario_crowd *crowds = scenario->crowds.items;
    for (uint32_t i = 0; i < scenario->agents.count; i++) {
        paths += scenario_agent(scenario, i)->path.count > 0;
    }
    for (uint32_t i = 0; i < scenario->crowds.count; i++) {
        paths += crowds[i].path.count > 0;
    }
    for (uint32_t i = 0; i < scenario->events.count; i++) {
        const struct scenario_event *event = scenario_event(scenario, i);
        paths += event->set_target.path.count > 0;
        obstacles += event->place_obstacle.head.line != 0;
    }
    config->min_m = scenario->world.min;
    config->max_m = scenario->world.max;
    config->tick_rate_hz = scenario->world.tick_rate;
    config->seed = scenario->world.seed;
    /* One more than needed keeps every limit legal, which begin at 1. */
    scenario_raise(&config->agents_max, scenario->agent_count == 0 ? 1 : scenario->agent_count);
    scenario_raise(&config->obstacles_max, obstacles + 1);
    scenario_raise(&config->profiles_max, scenario->profiles.count + 1);
    scenario_raise(&config->paths_max, paths + 1);
    scenario_raise(&config->crowds_max, scenario->crowds.count + 1);
    /* In one tick an agent may arrive, be blocked and be removed. */
    uint64_t events = 3 * (uint64_t)scenario->agent_count + 16;
    scenario_raise(&config->events_max, events > UINT32_MAX ? UINT32_MAX : (uint32_t)events);
}

void scenario_title(const struct scenario *scenario, char *text, size_t size)
{
    const char *slash = strrchr(scenario->path, '/');
    const char *name = slash == NULL ? scenario->path : slash + 1;
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0) {
        length -= 5;
    }
    snprintf(text, size, "%.*s", (int)length, name);
}
