/* A scene as commands to a world, in the order in which a scenario gives them. */
#include <stdlib.h>

#include "scene.h"

static void scene_demand(enum status status, const struct scene *scene, const struct fault *fault)
{
    if (status != STATUS_OK) {
        fprintf(stderr, "property: scene %llu is refused: %s\n", (unsigned long long)scene->seed,
                fault->text);
        exit(EXIT_FAILURE);
    }
}

static void scene_spawn(const struct scene *scene, struct steer_world *world)
{
    struct steer_agent_spec specs[SCENE_AGENTS_MAX];
    struct steer_world_made made;
    struct fault fault = {0};
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        const struct scene_agent *agent = &scene->agents[i];
        specs[i] = (struct steer_agent_spec){
            .position_m = agent->position_m,
            .orientation_deg = agent->orientation_deg,
            .velocity_mps = agent->velocity_mps,
            .profile = agent->profile == 0 ? "walker" : scene->profiles[agent->profile - 1].name,
            .radius_m = agent->radius_m,
            .max_speed_mps = agent->max_speed_mps,
            .max_accel_mps2 = agent->max_accel_mps2,
        };
    }
    scene_demand(steer_world_spawn_agents(world, specs, scene->agent_count, &made, &fault), scene, &fault);
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        const struct scene_agent *agent = &scene->agents[i];
        const uint32_t id = made.first_id + i;
        const struct steer_target_spec target = {
            .agents = {.ids = &id, .count = 1},
            .goal = {.kind = agent->goal,
                     .point_m = agent->points_m[0],
                     .agent = {made.first_id + agent->other},
                     .path_m = agent->points_m,
                     .path_count = agent->point_count},
        };
        if (agent->goal != STEER_GOAL_NONE) {
            scene_demand(steer_world_set_targets(world, &target, 1, &fault), scene, &fault);
        }
    }
}

static void scene_place_shapes(const struct scene *scene, struct steer_world *world)
{
    const struct steer_obstacle gone = {.shape = {.kind = STEER_SHAPE_CIRCLE, .radius_m = 1.0f}};
    struct steer_world_made made;
    struct fault fault = {0};
    for (uint32_t i = 0; i < scene->shapes_gone; i++) {
        scene_demand(steer_world_place_obstacles(world, &gone, 1, &made, &fault), scene, &fault);
        scene_demand(steer_world_remove_obstacles(world, NULL, 0, true, &fault), scene, &fault);
    }
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        const struct steer_obstacle obstacle = {.shape = scene->shapes[i]};
        scene_demand(steer_world_place_obstacles(world, &obstacle, 1, &made, &fault), scene, &fault);
    }
}

struct steer_world *scene_create_world(const struct scene *scene, uint32_t threads)
{
    struct fault fault = {0};
    struct steer_world_config config;
    steer_world_config_init(&config);
    config.min_m = scene->min_m;
    config.max_m = scene->max_m;
    config.tick_rate_hz = scene->tick_rate_hz;
    config.seed = 1;
    config.agents_max = SCENE_AGENTS_MAX;
    config.obstacles_max = SCENE_SHAPES_MAX;
    config.profiles_max = SCENE_PROFILES_MAX + 1;
    config.paths_max = SCENE_AGENTS_MAX;
    config.crowds_max = 1;
    config.events_max = 4 * SCENE_AGENTS_MAX;
    struct steer_world *world = NULL;
    scene_demand(steer_world_create(&config, threads, &world, &fault), scene, &fault);
    for (uint32_t i = 0; i < scene->profile_count; i++) {
        scene_demand(steer_world_define_profile(world, &scene->profiles[i], &fault), scene, &fault);
    }
    scene_place_shapes(scene, world);
    scene_spawn(scene, world);
    return world;
}
