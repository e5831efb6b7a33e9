/* A scene as a scenario file. Nine digits give every float back to the bit. */
#include "scene.h"

#include "sim/steer.h"

static void scene_print_point(FILE *file, const char *key, struct vec2 point)
{
    fprintf(file, "%s: [%.9g, %.9g]", key, (double)point.x, (double)point.y);
}

static void scene_print_points(FILE *file, const struct vec2 *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        fprintf(file, "%s[%.9g, %.9g]", i == 0 ? "[" : ", ", (double)points[i].x, (double)points[i].y);
    }
    fprintf(file, "]");
}

static void scene_print_profile(FILE *file, const struct steer_profile *profile)
{
    static const char *const combinations[] = {"blend", "priority", "budget"};
    static const char *const rests[] = {"brake", "stop", "coast"};
    fprintf(file, "  - name: %s\n    max_rotation: %.9g\n    max_angular_accel: %.9g\n", profile->name,
            (double)profile->limits.max_rotation, (double)profile->limits.max_angular_accel);
    fprintf(file, "    combine: %s\n    rest: %s\n    behaviours:\n", combinations[profile->combination],
            rests[profile->rest]);
    for (uint32_t i = 0; i < profile->behaviour_count; i++) {
        const struct steer_profile_behaviour *behaviour = &profile->behaviours[i];
        const struct steer_behaviour_info *info = steer_behaviour_info(behaviour->behaviour);
        fprintf(file, "      - {name: %s, group: %u, weight: %.9g", info->name, behaviour->group,
                (double)behaviour->weight);
        for (uint32_t k = 0; k < info->parameter_count; k++) {
            if (behaviour->parameters[k] != info->parameters[k].default_value) {
                fprintf(file, ", %s: %.9g", info->parameters[k].name, (double)behaviour->parameters[k]);
            }
        }
        fprintf(file, "}\n");
    }
}

static void scene_print_shape(FILE *file, const struct steer_shape *shape)
{
    switch (shape->kind) {
    case STEER_SHAPE_CIRCLE:
        scene_print_point(file, "  - {circle: {center", shape->center_m);
        fprintf(file, ", radius: %.9g}}\n", (double)shape->radius_m);
        break;
    case STEER_SHAPE_BOX:
        scene_print_point(file, "  - {box: {center", shape->center_m);
        scene_print_point(file, ", size", shape->size_m);
        fprintf(file, ", orientation: %.9g}}\n", (double)shape->orientation_deg);
        break;
    case STEER_SHAPE_SEGMENT:
        scene_print_point(file, "  - {segment: {a", shape->points_m[0]);
        scene_print_point(file, ", b", shape->points_m[1]);
        fprintf(file, "}}\n");
        break;
    case STEER_SHAPE_POLYGON:
        fprintf(file, "  - {polygon: {points: ");
        scene_print_points(file, shape->points_m, shape->point_count);
        fprintf(file, "}}\n");
        break;
    }
}

static void scene_print_agent(FILE *file, const struct scene *scene, uint32_t index)
{
    const struct scene_agent *agent = &scene->agents[index];
    fprintf(file, "  - {name: a%u", index + 1);
    scene_print_point(file, ", position", agent->position_m);
    if (agent->velocity_mps.x != 0.0f || agent->velocity_mps.y != 0.0f) {
        scene_print_point(file, ", velocity", agent->velocity_mps);
    }
    fprintf(file, ", orientation: %.9g, radius: %.9g, max_speed: %.9g, max_accel: %.9g",
            (double)agent->orientation_deg, (double)agent->radius_m, (double)agent->max_speed_mps,
            (double)agent->max_accel_mps2);
    if (agent->profile > 0) {
        fprintf(file, ", profile: %s", scene->profiles[agent->profile - 1].name);
    }
    if (agent->goal == STEER_GOAL_POINT) {
        scene_print_point(file, ", target", agent->points_m[0]);
    } else if (agent->goal == STEER_GOAL_AGENT) {
        fprintf(file, ", target_agent: a%u", agent->other + 1);
    } else if (agent->goal == STEER_GOAL_PATH) {
        fprintf(file, ", path: ");
        scene_print_points(file, agent->points_m, agent->point_count);
    }
    fprintf(file, "}\n");
}

void scene_print(const struct scene *scene, double duration_s, const char *expect, FILE *file)
{
    scene_print_point(file, "world: {min", scene->min_m);
    scene_print_point(file, ", max", scene->max_m);
    fprintf(file, ", tick_rate: %u, seed: 1}\n", scene->tick_rate_hz);
    if (scene->profile_count > 0) {
        fprintf(file, "profiles:\n");
    }
    for (uint32_t i = 0; i < scene->profile_count; i++) {
        scene_print_profile(file, &scene->profiles[i]);
    }
    if (scene->shape_count > 0) {
        fprintf(file, "obstacles:\n");
    }
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        scene_print_shape(file, &scene->shapes[i]);
    }
    fprintf(file, "agents:\n");
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        scene_print_agent(file, scene, i);
    }
    fprintf(file, "duration: %.9g\n%s", duration_s, expect);
}
