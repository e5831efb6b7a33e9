/*
 * What a scenario's tables cannot know: that places lie in the world, that names are there, that keys go
 * together. Part of scenario_load; events and expectations are in scenario_check_events.c.
 */
#include "app/scenario/scenario_check.h"

#include <stdio.h>
#include <string.h>

#include "app/scenario/scenario_keys.h"

void scenario_shape(const struct scenario_obstacle *obstacle, struct steer_shape *out)
{
    *out = (struct steer_shape){0};
    if (obstacle->circle.head.line != 0) {
        out->kind = STEER_SHAPE_CIRCLE;
        out->center_m = obstacle->circle.center;
        out->radius_m = obstacle->circle.radius;
    } else if (obstacle->box.head.line != 0) {
        out->kind = STEER_SHAPE_BOX;
        out->center_m = obstacle->box.center;
        out->size_m = obstacle->box.size;
        out->orientation_deg = obstacle->box.orientation;
    } else if (obstacle->segment.head.line != 0) {
        out->kind = STEER_SHAPE_SEGMENT;
        out->points_m[0] = obstacle->segment.a;
        out->points_m[1] = obstacle->segment.b;
        out->point_count = 2;
    } else {
        out->kind = STEER_SHAPE_POLYGON;
        memcpy(out->points_m, obstacle->polygon.points.points,
               obstacle->polygon.points.count * sizeof out->points_m[0]);
        out->point_count = obstacle->polygon.points.count;
    }
}

enum status scenario_check_obstacle(const struct scenario *scenario, const char *where,
                                    const struct scenario_obstacle *obstacle, struct fault *fault)
{
    struct steer_shape shape;
    scenario_shape(obstacle, &shape);
    if (steer_shape_check(&shape, fault) == STATUS_OK) {
        return STATUS_OK;
    }
    char prefix[80];
    snprintf(prefix, sizeof prefix, "%s.", where);
    return scenario_reword(scenario, obstacle->head.line, prefix, 0, fault);
}

enum status scenario_check_point(const struct scenario *scenario, uint32_t line, const char *where,
                                 const char *key, struct vec2 point, struct fault *fault)
{
    struct vec2 min = scenario->world.min;
    struct vec2 max = scenario->world.max;
    if (point.x >= min.x && point.x <= max.x && point.y >= min.y && point.y <= max.y) {
        return STATUS_OK;
    }
    return yaml_tree_refuse(
        scenario->tree, line, fault, STATUS_OUT_OF_RANGE,
        "%s.%s: %.7g,%.7g is outside the world: a point from %.7g,%.7g to %.7g,%.7g m is needed", where, key,
        (double)point.x, (double)point.y, (double)min.x, (double)min.y, (double)max.x, (double)max.y);
}

enum status scenario_check_path(const struct scenario *scenario, uint32_t line, const char *where,
                                struct yaml_points path, struct fault *fault)
{
    for (uint32_t i = 0; i < path.count; i++) {
        char key[24];
        snprintf(key, sizeof key, "path[%u]", i);
        enum status status = scenario_check_point(scenario, line, where, key, path.points[i], fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

enum status scenario_check_name(const struct scenario *scenario, uint32_t line, const char *where,
                                const char *key, const char *name, uint32_t *index_out, struct fault *fault)
{
    if (scenario_find_agent(scenario, name, index_out)) {
        return STATUS_OK;
    }
    return yaml_tree_refuse(scenario->tree, line, fault, STATUS_NOT_FOUND,
                            "%s.%s: no agent of the list `agents` has the name %s", where, key, name);
}

static enum status scenario_check_profile(const struct scenario *scenario, uint32_t line, const char *where,
                                          const char *name, struct fault *fault)
{
    if (strcmp(name, "walker") == 0) {
        return STATUS_OK;
    }
    for (uint32_t i = 0; i < scenario->profiles.count; i++) {
        if (strcmp(scenario->made_profiles[i].name, name) == 0) {
            return STATUS_OK;
        }
    }
    return yaml_tree_refuse(scenario->tree, line, fault, STATUS_NOT_FOUND,
                            "%s.profile: %s is neither walker nor one of the list `profiles`", where, name);
}

static enum status scenario_check_world(const struct scenario *scenario, struct fault *fault)
{
    struct vec2 min = scenario->world.min;
    struct vec2 max = scenario->world.max;
    if (max.x - min.x < 1 || max.y - min.y < 1) {
        return yaml_tree_refuse(
            scenario->tree, scenario->world.head.line, fault, STATUS_OUT_OF_RANGE,
            "world.max: %.7g,%.7g must lie at least 1 m right of and above min, %.7g,%.7g", (double)max.x,
            (double)max.y, (double)min.x, (double)min.y);
    }
    return STATUS_OK;
}

static enum status scenario_check_agent(const struct scenario *scenario, uint32_t index, struct fault *fault)
{
    const struct scenario_agent *agent = scenario_agent(scenario, index);
    uint32_t line = agent->head.line;
    bool has_target = yaml_table_given(&scenario_agent_table, &agent->head, "target");
    char where[32];
    snprintf(where, sizeof where, "agents[%u]", index);
    enum status status = scenario_check_point(scenario, line, where, "position", agent->position, fault);
    if (status == STATUS_OK && has_target) {
        status = scenario_check_point(scenario, line, where, "target", agent->target, fault);
    }
    if (status == STATUS_OK) {
        status = scenario_check_path(scenario, line, where, agent->path, fault);
    }
    if (status == STATUS_OK) {
        status = scenario_check_profile(scenario, line, where, agent->profile, fault);
    }
    uint32_t other = index;
    if (status == STATUS_OK && agent->target_agent != NULL) {
        status =
            scenario_check_name(scenario, line, where, "target_agent", agent->target_agent, &other, fault);
        if (status == STATUS_OK && other == index) {
            return yaml_tree_refuse(scenario->tree, line, fault, STATUS_INVALID_ARGUMENT,
                                    "%s.target_agent: %s is itself: another agent is needed", where,
                                    agent->target_agent);
        }
    }
    if (status == STATUS_OK && agent->start_at > 0 && !has_target && agent->target_agent == NULL &&
        agent->path.count == 0) {
        return yaml_tree_refuse(scenario->tree, line, fault, STATUS_INVALID_ARGUMENT,
                                "%s.start_at: one of target|target_agent|path is needed with it", where);
    }
    return status;
}

/* An area's corners, both there or both not. */
static enum status scenario_check_area(const struct scenario *scenario, uint32_t line, const char *where,
                                       const char *min_key, const char *max_key, struct vec2 min,
                                       struct vec2 max, struct fault *fault)
{
    enum status status = scenario_check_point(scenario, line, where, min_key, min, fault);
    if (status == STATUS_OK) {
        status = scenario_check_point(scenario, line, where, max_key, max, fault);
    }
    if (status == STATUS_OK && (max.x <= min.x || max.y <= min.y)) {
        return yaml_tree_refuse(scenario->tree, line, fault, STATUS_OUT_OF_RANGE,
                                "%s.%s: %.7g,%.7g must lie right of and above %s, %.7g,%.7g", where, max_key,
                                (double)max.x, (double)max.y, min_key, (double)min.x, (double)min.y);
    }
    return status;
}

static enum status scenario_check_crowd(const struct scenario *scenario, uint32_t index, struct fault *fault)
{
    const struct scenario_crowd *crowd = (const struct scenario_crowd *)scenario->crowds.items + index;
    uint32_t line = crowd->head.line;
    bool has_min = yaml_table_given(&scenario_crowd_table, &crowd->head, "target_min");
    bool has_max = yaml_table_given(&scenario_crowd_table, &crowd->head, "target_max");
    char where[32];
    snprintf(where, sizeof where, "crowds[%u]", index);
    if (has_min != has_max || (crowd->retarget && !has_min)) {
        return yaml_tree_refuse(scenario->tree, line, fault, STATUS_INVALID_ARGUMENT,
                                "%s.%s: target_min and target_max are needed together%s", where,
                                crowd->retarget && !has_min ? "retarget"
                                : has_min                   ? "target_min"
                                                            : "target_max",
                                crowd->retarget && !has_min ? " with it" : "");
    }
    enum status status =
        scenario_check_area(scenario, line, where, "min", "max", crowd->min, crowd->max, fault);
    if (status == STATUS_OK && has_min) {
        status = scenario_check_area(scenario, line, where, "target_min", "target_max", crowd->target_min,
                                     crowd->target_max, fault);
    }
    if (status == STATUS_OK && yaml_table_given(&scenario_crowd_table, &crowd->head, "target")) {
        status = scenario_check_point(scenario, line, where, "target", crowd->target, fault);
    }
    if (status == STATUS_OK) {
        status = scenario_check_path(scenario, line, where, crowd->path, fault);
    }
    return status == STATUS_OK ? scenario_check_profile(scenario, line, where, crowd->profile, fault)
                               : status;
}

static enum status scenario_check_circle(const struct scenario *scenario, uint32_t index, struct fault *fault)
{
    const struct scenario_circle *circle = (const struct scenario_circle *)scenario->circles.items + index;
    uint32_t line = circle->head.line;
    char where[32];
    snprintf(where, sizeof where, "circles[%u]", index);
    enum status status = scenario_check_point(scenario, line, where, "center", circle->center, fault);
    if (status == STATUS_OK && yaml_table_given(&scenario_circle_table, &circle->head, "target") &&
        !circle->target.antipodal) {
        status = scenario_check_point(scenario, line, where, "target", circle->target.point, fault);
    }
    return status == STATUS_OK ? scenario_check_profile(scenario, line, where, circle->profile, fault)
                               : status;
}

enum status scenario_check(const struct scenario *scenario, struct fault *fault)
{
    enum status status = scenario_check_world(scenario, fault);
    const struct scenario_obstacle *obstacles = scenario->obstacles.items;
    for (uint32_t i = 0; i < scenario->obstacles.count && status == STATUS_OK; i++) {
        char where[32];
        snprintf(where, sizeof where, "obstacles[%u]", i);
        status = scenario_check_obstacle(scenario, where, &obstacles[i], fault);
    }
    for (uint32_t i = 0; i < scenario->agents.count && status == STATUS_OK; i++) {
        status = scenario_check_agent(scenario, i, fault);
    }
    for (uint32_t i = 0; i < scenario->crowds.count && status == STATUS_OK; i++) {
        status = scenario_check_crowd(scenario, i, fault);
    }
    for (uint32_t i = 0; i < scenario->circles.count && status == STATUS_OK; i++) {
        status = scenario_check_circle(scenario, i, fault);
    }
    return status;
}
