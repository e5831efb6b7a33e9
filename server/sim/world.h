#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "base/job_pool.h"
#include "base/vec2.h"
#include "sim/area.h"
#include "sim/goal.h"
#include "sim/ids.h"
#include "sim/profile.h"
#include "sim/shape.h"

/*
 * The world: everything the simulation knows. It changes by the commands below, which take effect at once and
 * are called between steps only, and by world_step. One thread at a time; steps share their work over a pool,
 * which never changes what they compute.
 *
 * Commands refuse with a status and words that name field, value and legal range; a refused command has
 * changed nothing. Commands that take many things are applied whole or not at all.
 */
struct world;

struct world_config {
    struct vec2 min_m; /* within +-10 km, at least 1 m less than max_m */
    struct vec2 max_m;
    uint32_t tick_rate_hz; /* 1 to 240 */
    uint64_t seed;
    uint32_t agents_max;    /* 1 to 2,000,000 */
    uint32_t obstacles_max; /* 1 to 1,000,000 */
    uint32_t profiles_max;  /* 1 to 256 */
    uint32_t paths_max;     /* paths in use at one time; agents of one command share theirs */
    uint32_t crowds_max;    /* retargeting crowds */
    uint32_t events_max;    /* per tick */
};

/* Limits that suit a server: 100,000 agents, 16,384 obstacles, 256 profiles; world -100,-100 to 100,100 at 30
 * Hz. */
void world_config_init(struct world_config *config);

/* Takes all memory a world will ever use. Fails: INVALID_ARGUMENT, OUT_OF_RANGE, RESOURCE_EXHAUSTED (no
 * memory). */
MUST_CHECK enum status world_create(const struct world_config *config, uint32_t threads, struct world **out,
                                    struct fault *fault);
void world_destroy(struct world *world);

const struct world_config *world_config(const struct world *world);
size_t world_memory_bytes(const struct world *world); /* reserved by world_create */
uint64_t world_tick(const struct world *world); /* number of the last finished tick, 0 before the first */

/* One tick of 1 / tick_rate_hz seconds: move, part, steer, speed. Threads of the pool <= `threads` of
 * world_create. */
void world_step(struct world *world, struct job_pool *pool);

/* XXH3-64 over all that decides the future, in id order. */
uint64_t world_digest(const struct world *world);

/* ---- commands ---- */

/*
 * What the commands since the last call have cost, in agents that were given something new; a place that a
 * crowd tried counts as 16. The same commands on the same world cost the same.
 */
uint64_t world_take_work(struct world *world);

/* The most that targets of one command may name, all together; `all` names all there are. */
#define WORLD_TARGETS_MAX 4000000u

/* What a command made: ids first .. first + count - 1. */
struct world_made {
    uint32_t first_id;
    uint32_t count;
};

/* What many agents are named by: a list of ids, or all. */
struct agent_selection {
    const uint32_t *ids; /* count of them, borrowed */
    uint32_t count;
    bool all; /* then count is 0 */
};

struct agent_spec {
    struct vec2 position_m;
    float orientation_deg; /* any finite number */
    struct vec2 velocity_mps;
    const char *profile; /* "" or NULL: walker */
    uint64_t tag;
    uint32_t flock;       /* 0: none */
    uint32_t layers;      /* 0: 1 */
    uint32_t mask;        /* 0: all bits */
    float radius_m;       /* 0: the profile's */
    float max_speed_mps;  /* 0: the profile's */
    float max_accel_mps2; /* 0: the profile's */
    struct goal goal;
    uint32_t owner; /* 0: nobody; else world_remove_owned takes it away */
};

/*
 * Adds agents, in order. Fails: INVALID_ARGUMENT (not finite), OUT_OF_RANGE (outside the world or a limit),
 * FAILED_PRECONDITION (inside an obstacle), NOT_FOUND (profile, goal agent), RESOURCE_EXHAUSTED (agents_max,
 * paths_max). Words begin with "agents[i].".
 */
MUST_CHECK enum status world_spawn_agents(struct world *world, const struct agent_spec *specs, uint32_t count,
                                          struct world_made *made, struct fault *fault);

enum crowd_goal_kind {
    CROWD_GOAL_NONE,
    CROWD_GOAL_POINT,
    CROWD_GOAL_AREA, /* a random point each: disc inside it, the world, and outside obstacles where it can be
                        had */
    CROWD_GOAL_PATH,
};

struct crowd_spec {
    uint32_t count;
    struct vec2 min_m; /* whole discs inside */
    struct vec2 max_m;
    uint64_t seed;
    const char *profile;
    uint64_t tag;
    uint32_t flock; /* of all of them; 0: none */
    enum crowd_goal_kind goal_kind;
    struct vec2 goal_point_m;
    struct vec2 goal_min_m;
    struct vec2 goal_max_m;
    const struct vec2 *goal_path_m;
    uint32_t goal_path_count;
    bool retarget; /* CROWD_GOAL_AREA: a new point on each arrival */
    uint32_t owner;
};

/* Fails as world_spawn_agents, and FAILED_PRECONDITION when one finds no room in 10,000 tries, or
 * all of them together in 100,000 and 16 a head. */
MUST_CHECK enum status world_spawn_crowd(struct world *world, const struct crowd_spec *spec,
                                         struct world_made *made, struct fault *fault);

/* Fails: NOT_FOUND. */
MUST_CHECK enum status world_remove_agents(struct world *world, const struct agent_selection *selection,
                                           struct fault *fault);

/*
 * As world_remove_agents, but the rows stay until world_sweep closes them all at once: for many removals in a
 * row. Commands may follow, nothing else: they do not find those who are gone.
 */
MUST_CHECK enum status world_remove_agents_unswept(struct world *world,
                                                   const struct agent_selection *selection,
                                                   struct fault *fault);
void world_sweep(struct world *world);

/* Removes every agent of these owners; owner 0 is nobody. Sweeps. */
void world_remove_owned(struct world *world, const uint32_t *owners, uint32_t count);

struct target_spec {
    struct agent_selection agents;
    struct goal goal; /* not GOAL_VELOCITY */
};

/* Fails: NOT_FOUND, INVALID_ARGUMENT (an agent targeting itself, not finite), OUT_OF_RANGE,
 * RESOURCE_EXHAUSTED. Words begin with "targets[i].". */
MUST_CHECK enum status world_set_targets(struct world *world, const struct target_spec *targets,
                                         uint32_t count, struct fault *fault);

/* Fails: NOT_FOUND, INVALID_ARGUMENT, OUT_OF_RANGE (faster than the agent's max_speed). */
MUST_CHECK enum status world_drive(struct world *world, struct agent_id id, struct vec2 velocity_mps,
                                   struct fault *fault);

/* Velocity and rotation become zero, the target stays. Fails: NOT_FOUND, INVALID_ARGUMENT, OUT_OF_RANGE,
 * FAILED_PRECONDITION. */
MUST_CHECK enum status world_teleport(struct world *world, struct agent_id id, struct vec2 position_m,
                                      float orientation_deg, struct fault *fault);

/* Adds or replaces the profile of that name. Fails: as profile_check, RESOURCE_EXHAUSTED. */
MUST_CHECK enum status world_define_profile(struct world *world, const struct profile *profile,
                                            struct fault *fault);

/* Fails: NOT_FOUND (agent, profile). */
MUST_CHECK enum status world_set_profile(struct world *world, const struct agent_selection *selection,
                                         const char *profile, struct fault *fault);

#define OBSTACLE_NAME_SIZE 32

struct obstacle {
    struct obstacle_id id;         /* 0 in a specification */
    char name[OBSTACLE_NAME_SIZE]; /* UTF-8, may be empty, need not be unique */
    struct shape shape;
};

/* Fails: as shape_check, RESOURCE_EXHAUSTED. Words begin with "obstacles[i].". */
MUST_CHECK enum status world_place_obstacles(struct world *world, const struct obstacle *obstacles,
                                             uint32_t count, struct world_made *made, struct fault *fault);

/* ids: count of them, or all. Fails: NOT_FOUND. */
MUST_CHECK enum status world_remove_obstacles(struct world *world, const uint32_t *ids, uint32_t count,
                                              bool all, struct fault *fault);

/* ---- reading, between steps or inside a range of a job that only reads ---- */

enum agent_state {
    AGENT_STATE_IDLE,
    AGENT_STATE_MOVING,
    AGENT_STATE_ARRIVED,
    AGENT_STATE_BLOCKED,
    AGENT_STATE_DRIVEN,
};

/* Columns of all agents, ascending by id; borrowed until the next command or step. */
struct agent_columns {
    uint32_t count;
    const uint32_t *id;
    const uint64_t *tag;
    const uint32_t *flock; /* 0: none */
    const float *x_m;
    const float *y_m;
    const float *vx_mps;
    const float *vy_mps;
    const float *orientation_deg;
    const float *rotation_deg_s;
    const float *radius_m;
    const uint16_t *profile; /* index for world_profile */
    const uint8_t *state;    /* enum agent_state */
};

struct agent_columns world_agents(const struct world *world);

/* Row of an agent in the columns. */
bool world_find_agent(const struct world *world, struct agent_id id, uint32_t *index_out);

/* Goal of the agent in that row; a path is borrowed until the next command or step. */
struct goal world_agent_goal(const struct world *world, uint32_t index);

/*
 * Rows of the agents whose centre is in the area, ascending.
 * index_out  room for index_max rows. Returns how many there are, which may be more than index_max; then what
 * was written is not all and not in order.
 */
uint32_t world_find_agents(const struct world *world, const struct area *area, uint32_t *index_out,
                           uint32_t index_max);

/* Obstacles ascending by id. */
uint32_t world_obstacle_count(const struct world *world);
const struct obstacle *world_obstacle(const struct world *world, uint32_t index);

/* Profiles in the order they were first defined; they are never removed. */
uint32_t world_profile_count(const struct world *world);
const struct profile *world_profile(const struct world *world, uint32_t index);
bool world_find_profile(const struct world *world, const char *name, uint32_t *index_out);

/* What has changed about obstacles and profiles since the last world_clear_changes, for those who mirror
 * them. */
struct world_changes {
    const uint32_t *placed_ids; /* still there, ascending */
    uint32_t placed_count;
    const uint32_t *removed_ids; /* were there before, ascending */
    uint32_t removed_count;
    const uint16_t *profiles; /* indexes, ascending */
    uint32_t profile_count;
};

struct world_changes world_changes(const struct world *world);

enum world_event_kind {
    WORLD_EVENT_ARRIVED,
    WORLD_EVENT_BLOCKED,
    WORLD_EVENT_REMOVED,
};

struct world_event {
    enum world_event_kind kind;
    struct agent_id agent;
    struct vec2 position_m; /* where it was, for areas of interest */
};

/* Events of the commands and steps since the last world_clear_changes, by kind and then id. */
const struct world_event *world_events(const struct world *world, uint32_t *count_out);
uint64_t world_events_dropped(const struct world *world); /* since the start: events_max was too small */

/* Forgets changes and events that have been told. */
void world_clear_changes(struct world *world);

/* Wall time of the last step by phase, nanoseconds. */
struct world_phases {
#define PHASE(name) uint64_t name##_ns;
#include "sim/phases.def"
#undef PHASE
};

struct world_phases world_phases(const struct world *world);
