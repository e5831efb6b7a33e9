/*
 * Names of a scenario: what agents and obstacles are called, and events in the order of their times. Part of
 * scenario_load; the orders made here are looked up by the checks and by the run.
 */
#include <stdlib.h>
#include <string.h>

#include "app/scenario/scenario_check.h"
#include "base/assert.h"

static int scenario_name_compare(const void *a, const void *b)
{
    const struct scenario_name *left = a;
    const struct scenario_name *right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

bool scenario_names_find(const struct scenario_names *names, const char *name, uint32_t *index_out)
{
    uint32_t begin = 0;
    uint32_t end = names->count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        int order = strcmp(names->items[middle].name, name);
        if (order == 0) {
            *index_out = names->items[middle].index;
            return true;
        }
        if (order < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return false;
}

/* Line and key of an index of obstacle_names. */
static uint32_t scenario_obstacle_line(const struct scenario *scenario, uint32_t index)
{
    const struct scenario_obstacle *obstacles = scenario->obstacles.items;
    return index < scenario->obstacles.count
               ? obstacles[index].head.line
               : scenario_event(scenario, index - scenario->obstacles.count)->place_obstacle.head.line;
}

static uint32_t scenario_agent_line(const struct scenario *scenario, uint32_t index)
{
    return scenario_agent(scenario, index)->head.line;
}

static enum status scenario_sort_names(const struct scenario *scenario, struct scenario_names *names,
                                       const char *what, uint32_t (*line)(const struct scenario *, uint32_t),
                                       struct fault *fault)
{
    if (names->count > 0) {
        qsort(names->items, names->count, sizeof names->items[0], scenario_name_compare);
    }
    for (uint32_t i = 1; i < names->count; i++) {
        const struct scenario_name *first = &names->items[i - 1];
        const struct scenario_name *second = &names->items[i];
        if (strcmp(first->name, second->name) == 0) {
            return yaml_tree_refuse(scenario->tree, line(scenario, second->index), fault,
                                    STATUS_ALREADY_EXISTS,
                                    "name: %s is the name of another %s, on line %u: each needs its own",
                                    second->name, what, line(scenario, first->index));
        }
    }
    return STATUS_OK;
}

static void scenario_names_add(struct scenario_names *names, const char *name, uint32_t index)
{
    if (name != NULL) {
        names->items[names->count++] = (struct scenario_name){name, index};
    }
}

enum status scenario_collect_names(struct scenario *scenario, struct fault *fault)
{
    struct scenario_names *agents = &scenario->agent_names;
    struct scenario_names *obstacles = &scenario->obstacle_names;
    agents->items = yaml_tree_take(scenario->tree, scenario->agents.count * sizeof agents->items[0]);
    obstacles->items = yaml_tree_take(scenario->tree, (scenario->obstacles.count + scenario->events.count) *
                                                          sizeof obstacles->items[0]);
    if (agents->items == NULL || obstacles->items == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", scenario->path);
    }
    for (uint32_t i = 0; i < scenario->agents.count; i++) {
        scenario_names_add(agents, scenario_agent(scenario, i)->name, i);
    }
    const struct scenario_obstacle *items = scenario->obstacles.items;
    for (uint32_t i = 0; i < scenario->obstacles.count; i++) {
        scenario_names_add(obstacles, items[i].name, i);
    }
    for (uint32_t i = 0; i < scenario->events.count; i++) {
        scenario_names_add(obstacles, scenario_event(scenario, i)->place_obstacle.name,
                           scenario->obstacles.count + i);
    }
    enum status status = scenario_sort_names(scenario, agents, "agent", scenario_agent_line, fault);
    return status != STATUS_OK
               ? status
               : scenario_sort_names(scenario, obstacles, "obstacle", scenario_obstacle_line, fault);
}

/* A stable insertion: files hold few events, mostly in order already. */
enum status scenario_order_events(struct scenario *scenario, struct fault *fault)
{
    scenario->event_order =
        yaml_tree_take(scenario->tree, scenario->events.count * sizeof scenario->event_order[0]);
    if (scenario->event_order == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", scenario->path);
    }
    for (uint32_t i = 0; i < scenario->events.count; i++) {
        uint32_t place = i;
        while (place > 0 && scenario_event(scenario, scenario->event_order[place - 1])->at >
                                scenario_event(scenario, i)->at) {
            scenario->event_order[place] = scenario->event_order[place - 1];
            place--;
        }
        scenario->event_order[place] = i;
    }
    return STATUS_OK;
}
