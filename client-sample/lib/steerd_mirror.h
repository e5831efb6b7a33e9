#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "base/vec2.h"
#include "steerd/v1/steerd.pb-c.h"

/*
 * What the server's pushes add up to: the agents of the view at the last whole snapshot, and the
 * obstacles and profiles in force. A game reads it between two polls; nothing in it moves meanwhile.
 */
struct steerd_mirror;

/* What an agent is about; the numbers are AgentState.State of the contract. */
enum steerd_agent_state {
    STEERD_AGENT_STATE_IDLE,    /* has no goal */
    STEERD_AGENT_STATE_MOVING,  /* goes to its goal */
    STEERD_AGENT_STATE_ARRIVED, /* holds its place */
    STEERD_AGENT_STATE_BLOCKED, /* has a goal and does not come nearer */
    STEERD_AGENT_STATE_DRIVEN,  /* driven by hand */
};

/* One agent. All numbers are finite. */
struct steerd_agent {
    uint64_t tag; /* of whoever spawned it */
    uint32_t id;  /* from 1, never reused */
    struct vec2 position_m;
    struct vec2 velocity_mps;
    float orientation_deg; /* heading, [0, 360), 0 is +y, clockwise */
    float rotation_deg_s;  /* clockwise positive */
    float radius_m;
    uint32_t profile; /* Profile.index: see steerd_mirror_profile */
    enum steerd_agent_state state;
};

enum steerd_shape {
    STEERD_SHAPE_CIRCLE,
    STEERD_SHAPE_BOX,
    STEERD_SHAPE_SEGMENT,
    STEERD_SHAPE_POLYGON,
};

#define STEERD_SHAPE_POINTS_MAX 16
#define STEERD_NAME_SIZE        32 /* of obstacles and profiles, with the terminating zero */

/* One obstacle. All numbers are finite. */
struct steerd_obstacle {
    uint32_t id;
    enum steerd_shape shape;
    char name[STEERD_NAME_SIZE]; /* may be empty */
    struct vec2 center_m;        /* circle, box */
    float radius_m;              /* circle */
    struct vec2 size_m;          /* box, along x and y before turning */
    float orientation_deg;       /* box, clockwise */
    uint32_t point_count;        /* segment: 2; polygon: 3 to STEERD_SHAPE_POINTS_MAX */
    struct vec2 points_m[STEERD_SHAPE_POINTS_MAX];
};

/* What a client needs to know about a profile: its name and what it allows. */
struct steerd_profile {
    uint32_t index;
    char name[STEERD_NAME_SIZE];
    float radius_m;
    float max_speed_mps;
    float max_accel_mps2;
    float max_rotation_deg_s;
    float max_angular_accel_deg_s2;
};

/* The tick of the last whole snapshot; 0 before the first. */
uint64_t steerd_mirror_tick(const struct steerd_mirror *mirror);

/* The server's wall clock when that tick was done, microseconds since 1970. */
uint64_t steerd_mirror_server_time_us(const struct steerd_mirror *mirror);

/* Whole snapshots so far. */
uint64_t steerd_mirror_snapshot_count(const struct steerd_mirror *mirror);

/* *count agents, ascending by id, borrowed until the next poll. NULL when there are none. */
const struct steerd_agent *steerd_mirror_agents(const struct steerd_mirror *mirror, size_t *count);

/* One of them by id, borrowed until the next poll; NULL when it is not in the view. Cost: O(log agents). */
const struct steerd_agent *steerd_mirror_find_agent(const struct steerd_mirror *mirror, uint32_t id);

/* *count obstacles, ascending by id, borrowed until the next poll. NULL when there are none. */
const struct steerd_obstacle *steerd_mirror_obstacles(const struct steerd_mirror *mirror, size_t *count);

/* *count profiles, ascending by index, borrowed until the next poll. NULL when there are none. */
const struct steerd_profile *steerd_mirror_profiles(const struct steerd_mirror *mirror, size_t *count);

/* One of them by its index, borrowed until the next poll; NULL when the server has not told of it. */
const struct steerd_profile *steerd_mirror_profile(const struct steerd_mirror *mirror, uint32_t index);

/* --- What the client itself calls ---------------------------------------------------------------- */

#define STEERD_OBSTACLES_MAX 65536 /* a server that tells of more is not believed: 14 MB of mirror */
#define STEERD_PROFILES_MAX  4096

/* NULL when there is no memory. Takes next to none until something arrives. */
struct steerd_mirror *steerd_mirror_create(void);
void steerd_mirror_destroy(struct steerd_mirror *mirror);

/* Welcome.agents_max: no view can hold more. */
void steerd_mirror_set_agents_max(struct steerd_mirror *mirror, uint32_t agents_max);

/* Forgets obstacles: the server is about to tell all of them anew. */
void steerd_mirror_forget_obstacles(struct steerd_mirror *mirror);

/*
 * Takes one message of a snapshot; the agents show when the last one of its tick has come, all at once. Parts
 * whose last one never comes (the view was replaced meanwhile) are forgotten when another tick begins.
 *
 * whole  true when this was the last one
 *
 * Fails: DATA_LOSS when it breaks the contract (ids not ascending, numbers not finite, more than
 * agents_max), RESOURCE_EXHAUSTED when there is no memory. The mirror then
 * still shows the snapshot before.
 */
MUST_CHECK enum status steerd_mirror_apply_snapshot(struct steerd_mirror *mirror,
                                                    const Steerd__V1__Snapshot *snapshot, bool *whole,
                                                    struct fault *fault);

/* Obstacles and profiles that came, changed or went. Fails as steerd_mirror_apply_snapshot; what came before
 * the fault is kept. */
MUST_CHECK enum status steerd_mirror_apply_update(struct steerd_mirror *mirror,
                                                  const Steerd__V1__WorldUpdate *update, struct fault *fault);

/* One agent or obstacle out of a message (also of a QueryResult). Fails: DATA_LOSS; *out is then undefined.
 */
MUST_CHECK enum status steerd_agent_read(const Steerd__V1__AgentState *state, struct steerd_agent *out,
                                         struct fault *fault);
MUST_CHECK enum status steerd_obstacle_read(const Steerd__V1__Obstacle *obstacle, struct steerd_obstacle *out,
                                            struct fault *fault);
