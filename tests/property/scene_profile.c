/*
 * Random profiles: what a user may write, sensible or not. The limits of radius, speed and acceleration are
 * left to the agents.
 */
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "sim/steer.h"

/* Parameters between an eighth and four times their default, within what is legal. */
static void scene_draw_parameters(struct scene_random *random, struct steer_profile_behaviour *behaviour)
{
    const struct steer_behaviour_info *info = steer_behaviour_info(behaviour->behaviour);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const struct steer_behaviour_parameter *parameter = &info->parameters[i];
        if (parameter->default_value <= 0.0f || scene_draw_chance(random, 0.6f)) {
            continue;
        }
        float value = parameter->default_value * scene_draw_log(random, 0.125f, 4.0f);
        value = value < parameter->min ? parameter->min : value;
        behaviour->parameters[i] = value > parameter->max ? parameter->max : value;
    }
}

/* What a random profile may have. */
struct scene_choice {
    const char *name;
    float chance;
    uint32_t group; /* usual one */
};

static const struct scene_choice choices[] = {
    {"avoid_obstacles", 0.8f, 0},  {"avoid_agents", 0.85f, 0}, {"arrive", 0.8f, 1},
    {"follow_path", 0.4f, 1},      {"seek", 0.15f, 1},         {"flee", 0.05f, 1},
    {"look_where_going", 0.7f, 2}, {"face", 0.15f, 2},         {"align", 0.1f, 2},
};

static void scene_add(struct scene_random *random, const struct scene_choice *choice,
                      struct steer_profile *profile)
{
    struct fault fault = {0};
    struct steer_profile_behaviour *behaviour;
    if (steer_profile_add_behaviour(profile, choice->name, &behaviour, &fault) != STATUS_OK) {
        fprintf(stderr, "property: %s\n", fault.text);
        exit(EXIT_FAILURE);
    }
    behaviour->group =
        scene_draw_chance(random, 0.8f) ? choice->group : scene_draw_index(random, STEER_PROFILE_GROUPS_MAX);
    behaviour->weight = scene_draw_chance(random, 0.5f) ? 1.0f : scene_draw_log(random, 0.1f, 10.0f);
    scene_draw_parameters(random, behaviour);
}

void scene_make_profile(struct scene_random *random, uint32_t index, struct steer_profile *profile)
{
    static const enum steer_combination combinations[] = {STEER_COMBINATION_BUDGET, STEER_COMBINATION_BLEND,
                                                          STEER_COMBINATION_PRIORITY};
    static const enum steer_rest rests[] = {STEER_REST_BRAKE, STEER_REST_BRAKE, STEER_REST_BRAKE,
                                            STEER_REST_STOP, STEER_REST_COAST};
    memset(profile, 0, sizeof *profile);
    snprintf(profile->name, sizeof profile->name, "kind-%u", index + 1);
    profile->combination =
        combinations[scene_draw_index(random, sizeof combinations / sizeof combinations[0])];
    profile->rest = rests[scene_draw_index(random, sizeof rests / sizeof rests[0])];
    profile->limits.max_rotation = scene_draw_log(random, 20.0f, 2000.0f);
    profile->limits.max_angular_accel = profile->limits.max_rotation * scene_draw_log(random, 0.5f, 10.0f);
    while (profile->behaviour_count == 0) {
        for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
            if (scene_draw_chance(random, choices[i].chance)) {
                scene_add(random, &choices[i], profile);
            }
        }
    }
    struct fault fault = {0};
    if (steer_profile_check(profile, &fault) != STATUS_OK) {
        fprintf(stderr, "property: %s\n", fault.text);
        exit(EXIT_FAILURE);
    }
}
