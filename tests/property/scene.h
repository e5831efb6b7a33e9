#pragma once

#include <stdio.h>

#include "sim/steer.h"

/*
 * A random scene: profiles, shapes and agents with their goals, all that a scenario file could say. It is
 * made from one number, put into a world by the same commands that a scenario gives, and printed as a
 * scenario.
 */

#define SCENE_AGENTS_MAX   40
#define SCENE_SHAPES_MAX   10
#define SCENE_PROFILES_MAX 4 /* of which scene_make leaves one free */
#define SCENE_PATH_MAX     4

struct scene_agent {
    struct vec2 position_m;
    struct vec2 velocity_mps;
    float orientation_deg;
    float radius_m;
    float max_speed_mps;
    float max_accel_mps2;
    uint32_t profile;                     /* 0: walker, else 1 + index into the scene's profiles */
    enum steer_goal_kind goal;            /* not STEER_GOAL_VELOCITY */
    uint32_t other;                       /* STEER_GOAL_AGENT: index into the scene's agents */
    struct vec2 points_m[SCENE_PATH_MAX]; /* STEER_GOAL_POINT: 1, STEER_GOAL_PATH: point_count */
    uint32_t point_count;
};

struct scene {
    uint64_t seed;
    struct vec2 min_m;
    struct vec2 max_m;
    uint32_t tick_rate_hz;
    struct steer_profile profiles[SCENE_PROFILES_MAX];
    uint32_t profile_count;
    struct steer_shape shapes[SCENE_SHAPES_MAX];
    uint32_t shape_count;
    uint32_t shapes_gone; /* obstacles that were there before these, 0 or 1: the ids begin after theirs */
    struct scene_agent agents[SCENE_AGENTS_MAX];
    uint32_t agent_count; /* at least 1 */
};

/* Random numbers in order, for scenes: the same seed gives the same. */
struct scene_random {
    uint64_t seed;
    uint64_t drawn;
};

float scene_draw(struct scene_random *random, float min, float max); /* [min, max) */
float scene_draw_log(struct scene_random *random, float min,
                     float max);                                        /* as often in each octave; 0 < min */
uint32_t scene_draw_index(struct scene_random *random, uint32_t count); /* 0 .. count - 1 */
bool scene_draw_chance(struct scene_random *random, float chance);

/* Fills *scene: 2 to 40 agents that do not touch each other or a shape, 0 to 10 shapes. */
void scene_make(uint64_t seed, struct scene *scene);

/* A combination of behaviours, weights, groups, parameters and rules that steer_profile_check accepts. */
void scene_make_profile(struct scene_random *random, uint32_t index, struct steer_profile *profile);

/* Takes an agent out; those who follow it stay where they are. */
void scene_remove_agent(struct scene *scene, uint32_t index);
void scene_remove_shape(struct scene *scene, uint32_t index);

/* A world with the scene in it: agent i has id i + 1. Its owner destroys it. Refusals end the program: scenes
 * are legal. */
struct steer_world *scene_create_world(const struct scene *scene, uint32_t threads);

/* Writes it as a scenario file that gives the same world, with `expect` lines as they are. */
void scene_print(const struct scene *scene, double duration_s, const char *expect, FILE *file);
