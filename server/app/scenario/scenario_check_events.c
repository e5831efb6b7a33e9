/*
 * Events and expectations of a scenario refer to what is there: played through in the order of their times,
 * without a world. Part of scenario_load.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/scenario/scenario_check.h"
#include "app/scenario/scenario_keys.h"

/* What is there after the events so far. */
struct scenario_presence {
    bool *agent_gone;     /* by index of agents */
    bool *obstacle_there; /* by index of obstacle_names */
};

static enum status scenario_check_present(const struct scenario *scenario,
                                          const struct scenario_presence *presence, uint32_t line,
                                          const char *where, const char *key, const char *name,
                                          uint32_t *index_out, struct fault *fault)
{
    enum status status = scenario_check_name(scenario, line, where, key, name, index_out, fault);
    if (status == STATUS_OK && presence->agent_gone[*index_out]) {
        return yaml_tree_refuse(scenario->tree, line, fault, STATUS_NOT_FOUND,
                                "%s.%s: %s has been removed by then", where, key, name);
    }
    return status;
}

static enum status scenario_check_set_target(const struct scenario *scenario,
                                             const struct scenario_presence *presence, const char *where,
                                             const struct scenario_set_target *change, struct fault *fault)
{
    uint32_t agent;
    uint32_t other;
    uint32_t line = change->head.line;
    char place[48];
    snprintf(place, sizeof place, "%s.set_target", where);
    enum status status =
        scenario_check_present(scenario, presence, line, place, "agent", change->agent, &agent, fault);
    if (status == STATUS_OK && yaml_table_given(&scenario_set_target_table, &change->head, "target")) {
        status = scenario_check_point(scenario, line, place, "target", change->target, fault);
    }
    if (status == STATUS_OK) {
        status = scenario_check_path(scenario, line, place, change->path, fault);
    }
    if (status == STATUS_OK && change->target_agent != NULL) {
        status = scenario_check_present(scenario, presence, line, place, "target_agent", change->target_agent,
                                        &other, fault);
        if (status == STATUS_OK && other == agent) {
            return yaml_tree_refuse(scenario->tree, line, fault, STATUS_INVALID_ARGUMENT,
                                    "%s.target_agent: %s is itself: another agent is needed", place,
                                    change->agent);
        }
    }
    return status;
}

static enum status scenario_check_remove_obstacle(const struct scenario *scenario,
                                                  struct scenario_presence *presence, const char *where,
                                                  const struct scenario_event *event, struct fault *fault)
{
    uint32_t index;
    if (!scenario_names_find(&scenario->obstacle_names, event->remove_obstacle, &index) ||
        !presence->obstacle_there[index]) {
        return yaml_tree_refuse(scenario->tree, event->head.line, fault, STATUS_NOT_FOUND,
                                "%s.remove_obstacle: no obstacle of the name %s is there at %.9g s", where,
                                event->remove_obstacle, event->at);
    }
    presence->obstacle_there[index] = false;
    return STATUS_OK;
}

static enum status scenario_check_event(const struct scenario *scenario, struct scenario_presence *presence,
                                        uint32_t number, struct fault *fault)
{
    const struct scenario_event *event = scenario_event(scenario, number);
    uint32_t line = event->head.line;
    uint32_t agent;
    char where[32];
    snprintf(where, sizeof where, "events[%u]", number);
    if (event->remove_obstacle != NULL) {
        return scenario_check_remove_obstacle(scenario, presence, where, event, fault);
    }
    if (event->place_obstacle.head.line != 0) {
        presence->obstacle_there[scenario->obstacles.count + number] = true;
        char place[64];
        snprintf(place, sizeof place, "%s.place_obstacle", where);
        return scenario_check_obstacle(scenario, place, &event->place_obstacle, fault);
    }
    if (event->set_target.head.line != 0) {
        return scenario_check_set_target(scenario, presence, where, &event->set_target, fault);
    }
    if (event->remove_agent != NULL) {
        enum status status = scenario_check_present(scenario, presence, line, where, "remove_agent",
                                                    event->remove_agent, &agent, fault);
        if (status == STATUS_OK) {
            presence->agent_gone[agent] = true;
        }
        return status;
    }
    if (event->drive.head.line != 0) {
        return scenario_check_present(scenario, presence, line, where, "drive.agent", event->drive.agent,
                                      &agent, fault);
    }
    enum status status = scenario_check_present(scenario, presence, line, where, "teleport.agent",
                                                event->teleport.agent, &agent, fault);
    return status != STATUS_OK ? status
                               : scenario_check_point(scenario, line, where, "teleport.position",
                                                      event->teleport.position, fault);
}

enum status scenario_check_events(const struct scenario *scenario, struct fault *fault)
{
    struct scenario_presence presence = {
        .agent_gone = calloc(scenario->agents.count + 1, sizeof(bool)),
        .obstacle_there = calloc(scenario->obstacles.count + scenario->events.count + 1, sizeof(bool)),
    };
    enum status status = STATUS_OK;
    if (presence.agent_gone == NULL || presence.obstacle_there == NULL) {
        status = fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", scenario->path);
    } else {
        memset(presence.obstacle_there, true, scenario->obstacles.count * sizeof(bool));
    }
    for (uint32_t i = 0; i < scenario->events.count && status == STATUS_OK; i++) {
        status = scenario_check_event(scenario, &presence, scenario->event_order[i], fault);
    }
    free(presence.agent_gone);
    free(presence.obstacle_there);
    return status;
}

static enum status scenario_check_deviation(const struct scenario *scenario, const char *where,
                                            const struct scenario_deviation *item, struct fault *fault)
{
    uint32_t index;
    enum status status =
        scenario_check_name(scenario, item->head.line, where, "agent", item->agent, &index, fault);
    if (status != STATUS_OK) {
        return status;
    }
    const struct scenario_agent *agent = scenario_agent(scenario, index);
    if (!yaml_table_given(&scenario_agent_table, &agent->head, "target")) {
        return yaml_tree_refuse(scenario->tree, item->head.line, fault, STATUS_INVALID_ARGUMENT,
                                "%s.agent: %s has no `target`: the line from start to target is needed",
                                where, item->agent);
    }
    /* The distance along an axis to a line that runs along it is nothing or infinite. */
    float along = item->axis == 0 ? agent->target.y - agent->position.y : agent->target.x - agent->position.x;
    if (along == 0) {
        return yaml_tree_refuse(scenario->tree, item->head.line, fault, STATUS_INVALID_ARGUMENT,
                                "%s.axis: the way of %s runs along it: the other axis is needed", where,
                                item->agent);
    }
    return STATUS_OK;
}

/* A time span, and at least one end of what is allowed. */
static enum status scenario_check_span(const struct scenario *scenario, const char *where,
                                       const struct yaml_table *table, const struct yaml_head *head,
                                       double from, double to, double min, double max, struct fault *fault)
{
    if (to < from) {
        return yaml_tree_refuse(scenario->tree, head->line, fault, STATUS_OUT_OF_RANGE,
                                "%s.to: %.9g is before from, %.9g s", where, to, from);
    }
    if (!yaml_table_given(table, head, "min") && !yaml_table_given(table, head, "max")) {
        return yaml_tree_refuse(scenario->tree, head->line, fault, STATUS_INVALID_ARGUMENT,
                                "%s: min or max is needed", where);
    }
    if (max < min) {
        return yaml_tree_refuse(scenario->tree, head->line, fault, STATUS_OUT_OF_RANGE,
                                "%s.max: %.10g is below min, %.10g", where, max, min);
    }
    return STATUS_OK;
}

static enum status scenario_check_arrived_by(const struct scenario *scenario, struct fault *fault)
{
    const struct yaml_numbers *times = &scenario->expect.arrived_by;
    for (uint32_t i = 0; i < times->count; i++) {
        const struct yaml_number *time = &times->items[i];
        uint32_t index;
        if (!scenario_find_agent(scenario, time->name, &index)) {
            return yaml_tree_refuse(scenario->tree, time->line, fault, STATUS_NOT_FOUND,
                                    "expect.arrived_by.%s: no agent of the list `agents` has that name",
                                    time->name);
        }
        if (time->value < 0 || time->value > 1e6) {
            return yaml_tree_refuse(
                scenario->tree, time->line, fault, STATUS_OUT_OF_RANGE,
                "expect.arrived_by.%s: %.9g is out of range: a number in [0, 1000000] s is needed",
                time->name, time->value);
        }
    }
    return STATUS_OK;
}

enum status scenario_check_expect(const struct scenario *scenario, struct fault *fault)
{
    const struct scenario_expect *expect = &scenario->expect;
    const struct scenario_end_near *near = expect->end_near.items;
    const struct scenario_deviation *deviations = expect->deviation_max.items;
    const struct scenario_mean_speed *speeds = expect->mean_speed.items;
    const struct scenario_passes *passes = expect->passes.items;
    uint32_t index;
    enum status status = scenario_check_arrived_by(scenario, fault);
    for (uint32_t i = 0; i < expect->end_near.count && status == STATUS_OK; i++) {
        status = scenario_check_name(scenario, near[i].head.line, "expect.end_near", "agent", near[i].agent,
                                     &index, fault);
    }
    const struct scenario_end_heading *headings = expect->end_heading.items;
    for (uint32_t i = 0; i < expect->end_heading.count && status == STATUS_OK; i++) {
        status = scenario_check_name(scenario, headings[i].head.line, "expect.end_heading", "agent",
                                     headings[i].agent, &index, fault);
    }
    for (uint32_t i = 0; i < expect->deviation_max.count && status == STATUS_OK; i++) {
        status = scenario_check_deviation(scenario, "expect.deviation_max", &deviations[i], fault);
    }
    for (uint32_t i = 0; i < expect->mean_speed.count && status == STATUS_OK; i++) {
        status =
            scenario_check_span(scenario, "expect.mean_speed", &scenario_mean_speed_table, &speeds[i].head,
                                speeds[i].from, speeds[i].to, speeds[i].min, speeds[i].max, fault);
    }
    for (uint32_t i = 0; i < expect->passes.count && status == STATUS_OK; i++) {
        status = scenario_check_span(scenario, "expect.passes", &scenario_passes_table, &passes[i].head,
                                     passes[i].from, passes[i].to, passes[i].min, passes[i].max, fault);
    }
    return status;
}
