#pragma once

/*
 * libsteer: the crowd simulation of steerd, for programs that hold it themselves. The server reaches its own
 * simulation through this header and nothing else.
 *
 * Make a world and a pool of threads, define profiles, spawn agents, give them goals; then step, and read
 * where they are:
 *
 *     struct steer_world_config config;
 *     struct steer_world *world;
 *     struct steer_world_made made;
 *     steer_world_config_init(&config);
 *     struct steer_pool *pool = steer_pool_create(1);
 *     if (pool == NULL || steer_world_create(&config, 1, &world, NULL) != STEER_STATUS_OK) ...
 *     struct steer_agent_spec walker = {.goal = {.kind = STEER_GOAL_POINT, .point_m = {9, 0}}};
 *     if (steer_world_spawn_agents(world, &walker, 1, &made, NULL) != STEER_STATUS_OK) ...
 *     steer_world_step(world, pool);
 *
 * Units are metres, seconds and degrees. x is east, y north; headings count clockwise from +y. A world is
 * used by one thread at a time, different worlds by different threads as they like; a pool by one step at a
 * time.
 *
 * The state after tick N is a function of the configuration and of the commands with their ticks: never of
 * the number of threads, the compiler, its optimisation or the machine. steer_world_digest says it in 64
 * bits.
 *
 * Pointers that are passed in are borrowed for the call. Structures may be zeroed; where 0 means a default it
 * is said so. A struct steer_world_config and a profile's behaviours have no such default: begin with
 * steer_world_config_init and steer_profile_add_behaviour.
 *
 * Sources of the formulas: steering behaviours: Reynolds 1999, "Steering Behaviors for Autonomous
 * Characters"; Millington 2006, "Artificial Intelligence for Games", 3.3 (align, face, drive, match_velocity,
 * wander, separate, and how speeds and turns are taken up); Buckland 2005, "Programming Game AI by Example"
 * (interpose, hide, offset_pursue). avoid_agents: Millington 2006, "Collision Avoidance", and Karamouzas et
 * al. 2009, "A Predictive Collision Avoidance Model for Pedestrian Simulation". avoid_obstacles: Reynolds
 * 1999, with Buckland's weights. Parting of those who overlap: Macklin et al. 2014, "Unified Particle Physics
 * for Real-Time Applications", 4.2. Combinations: Reynolds 1999, "combining behaviors" (weighted sum,
 * priority), Reynolds 1987, "Flocks, Herds, and Schools", for the budget. The digest: XXH3 of xxHash.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef STEER_INSIDE
/* The program's own words for the same things; tests/install holds the layouts against each other. */
#include "sim/steer_inside.h"
#else

#ifdef __cplusplus
extern "C" {
#endif

/* A point in metres or a velocity in m/s on the ground plane: x east, y north. */
struct steer_vec2 {
    float x;
    float y;
};

/* What a function that can fail answers: the gRPC canonical codes. */
enum steer_status {
    STEER_STATUS_OK = 0,
    STEER_STATUS_INVALID_ARGUMENT = 3, /* malformed: not finite, empty, degenerate */
    STEER_STATUS_NOT_FOUND = 5,
    STEER_STATUS_RESOURCE_EXHAUSTED = 8, /* full, or no memory: nothing has changed */
    STEER_STATUS_FAILED_PRECONDITION = 9,
    STEER_STATUS_OUT_OF_RANGE = 11, /* well formed, but beyond what is legal */
};

#define STEER_FAULT_TEXT_SIZE 480

/*
 * A refusal in words: what was wrong, where, and what would have been legal, for example
 * "agents[3].position.x is nan: a finite number of metres in [-100, 100] is needed". Wherever one is asked
 * for it may be NULL: nobody wants the words.
 */
struct steer_fault {
    enum steer_status status;
    char text[STEER_FAULT_TEXT_SIZE]; /* UTF-8, always terminated, cut when longer */
};

#define STEER_MUST_CHECK __attribute__((warn_unused_result))

#endif

#pragma GCC visibility push(default) /* what follows is all that the libraries let out */

/* ---- threads ---- */

/* Threads that share the work of a step. */
struct steer_pool;

/* threads  1 to 256, the caller of steer_world_step counting as one. NULL when threads or memory cannot be
 * had. */
struct steer_pool *steer_pool_create(uint32_t threads);

/* NULL is allowed. */
void steer_pool_destroy(struct steer_pool *pool);

/* ---- ids ---- */

/* From 1, growing, never reused during the life of a world; 0 is nobody. Kinds do not mix. */
struct steer_agent_id {
    uint32_t value;
};

struct steer_obstacle_id {
    uint32_t value;
};

/* ---- goals ---- */

#define STEER_PATH_POINTS_MAX 64 /* way-points of one path; a longer way is given in pieces */

/* Where an agent is to go. Points lie in the world; a velocity is not faster than the agent's max_speed. */
enum steer_goal_kind {
    STEER_GOAL_NONE,     /* stays, and yields */
    STEER_GOAL_POINT,    /* to `point_m` */
    STEER_GOAL_AGENT,    /* to wherever `agent` is */
    STEER_GOAL_PATH,     /* along `path_m`, arriving at its last point */
    STEER_GOAL_VELOCITY, /* driven: takes `velocity_mps`, yields to nobody */
};

struct steer_goal {
    enum steer_goal_kind kind;
    struct steer_vec2 point_m;
    struct steer_agent_id agent;
    struct steer_vec2 velocity_mps;
    const struct steer_vec2 *path_m; /* borrowed for the call; path_count points */
    uint32_t path_count;             /* 1 to STEER_PATH_POINTS_MAX */
};

/* ---- areas ---- */

/* A part of the ground plane with an exact outline: points on it are inside. */
enum steer_area_kind {
    STEER_AREA_WHOLE,     /* everything */
    STEER_AREA_RECTANGLE, /* min to max */
    STEER_AREA_DISC,      /* center and radius */
};

struct steer_area {
    enum steer_area_kind kind;
    struct steer_vec2 min_m; /* STEER_AREA_RECTANGLE */
    struct steer_vec2 max_m;
    struct steer_vec2 center_m; /* STEER_AREA_DISC */
    float radius_m;             /* 0 or more */
};

/* Whether a point is in it: any finite one, also outside of the world. */
bool steer_area_contains(const struct steer_area *area, struct steer_vec2 point);

/* ---- shapes ---- */

#define STEER_SHAPE_POINTS_MAX 16

enum steer_shape_kind {
    STEER_SHAPE_CIRCLE,
    STEER_SHAPE_BOX,
    STEER_SHAPE_SEGMENT,
    STEER_SHAPE_POLYGON,
};

/*
 * An obstacle's outline as a user gives it. The whole outline lies within 10 km of the
 * origin on both axes. A segment is 0.01 m long or longer,
 * a polygon is convex and encloses 1e-4 m^2 or more.
 */
struct steer_shape {
    enum steer_shape_kind kind;
    struct steer_vec2 center_m; /* circle, box */
    float radius_m;             /* circle: 0.01 to 1000 */
    struct steer_vec2 size_m;   /* box: along x and y before turning, each 0.01 to 10,000 */
    float orientation_deg;      /* box: turn, clockwise; any finite number */
    /* segment: 2; polygon: 3 to STEER_SHAPE_POINTS_MAX, in order, either way round */
    struct steer_vec2 points_m[STEER_SHAPE_POINTS_MAX];
    uint32_t point_count;
};

/*
 * Refuses what is not finite, out of range or degenerate: zero area, fewer than 3 corners, not convex,
 * crossing itself. The words begin with the field's name ("polygon.points ...").
 * Fails: INVALID_ARGUMENT, OUT_OF_RANGE.
 */
STEER_MUST_CHECK enum steer_status steer_shape_check(const struct steer_shape *shape,
                                                     struct steer_fault *fault);

/* Distance from a point to the solid, metres; negative inside (depth by the shortest way out). A checked
 * shape. */
float steer_shape_distance(const struct steer_shape *shape, struct steer_vec2 point);

/* ---- behaviours ---- */

/* The behaviour table: what exists, and with which parameters. */
struct steer_behaviour_parameter {
    const char *name;
    const char *unit; /* "" for a bare number */
    float min;
    float max;
    float default_value;
    const char *summary;
};

struct steer_behaviour_info {
    uint32_t number; /* never reused */
    const char *name;
    const char *summary;
    const struct steer_behaviour_parameter *parameters;
    uint32_t parameter_count;
};

/* Rows of the table; `behaviour` indexes are 0 .. steer_behaviour_count() - 1. */
uint32_t steer_behaviour_count(void);
const struct steer_behaviour_info *steer_behaviour_info(uint32_t behaviour);

/* Index of the row of that name, or steer_behaviour_count() when there is none. */
uint32_t steer_behaviour_find(const char *name);

/* ---- profiles ---- */

#define STEER_PROFILE_NAME_SIZE        32 /* with its terminating zero */
#define STEER_PROFILE_BEHAVIOURS_MAX   16
#define STEER_PROFILE_GROUPS_MAX       8
#define STEER_BEHAVIOUR_PARAMETERS_MAX 8

/* LIMIT(name, unit, min, max, default, summary): what bounds an agent's body and movement. */
#define STEER_LIMITS(LIMIT)                                                                                  \
    LIMIT(radius, "m", 0.05f, 10.0f, 0.4f, "half the width of the body")                                     \
    LIMIT(max_speed, "m/s", 0.01f, 100.0f, 1.5f, "fastest walk")                                             \
    LIMIT(max_accel, "m/s^2", 0.01f, 1000.0f, 5.0f, "strongest change of velocity")                          \
    LIMIT(max_rotation, "deg/s", 1.0f, 3600.0f, 360.0f, "fastest turn")                                      \
    LIMIT(max_angular_accel, "deg/s^2", 1.0f, 36000.0f, 1440.0f, "strongest change of turn")

/* In a specification 0 means the default: of the profile, or of STEER_LIMITS. */
struct steer_limits {
#define STEER_LIMIT_FIELD(name, unit, min, max, default_value, summary) float name;
    STEER_LIMITS(STEER_LIMIT_FIELD)
#undef STEER_LIMIT_FIELD
};

enum steer_combination {
    STEER_COMBINATION_BLEND,    /* weighted sum, clamped to the limits */
    STEER_COMBINATION_PRIORITY, /* the first group that asks for something */
    /* groups in order spend what is left of max_accel; nothing asked against what is spent */
    STEER_COMBINATION_BUDGET,
};

/* What becomes of an agent whose behaviours all ask for nothing. */
enum steer_rest {
    STEER_REST_BRAKE, /* comes to rest with max_accel */
    STEER_REST_STOP,  /* stands at once */
    STEER_REST_COAST, /* rolls on */
};

/* One behaviour of a profile, all parameters filled in. */
struct steer_profile_behaviour {
    uint32_t behaviour;                               /* row of the behaviour table: steer_behaviour_find */
    uint32_t group;                                   /* 0 .. STEER_PROFILE_GROUPS_MAX - 1, 0 first */
    float weight;                                     /* > 0, at most 100 */
    float parameters[STEER_BEHAVIOUR_PARAMETERS_MAX]; /* in the row's order */
};

/* A named set of limits and behaviours. */
struct steer_profile {
    char name[STEER_PROFILE_NAME_SIZE]; /* 1 to 31 of a-z 0-9 _ - */
    struct steer_limits limits;
    enum steer_combination combination;
    enum steer_rest rest;
    struct steer_profile_behaviour behaviours[STEER_PROFILE_BEHAVIOURS_MAX];
    uint32_t behaviour_count; /* 1 .. STEER_PROFILE_BEHAVIOURS_MAX */
};

/*
 * Appends a behaviour by name, with its default parameters, weight 1, group 0. *out, which belongs to the
 * profile, may be changed afterwards. Fails: NOT_FOUND (the words list the known names), RESOURCE_EXHAUSTED.
 */
STEER_MUST_CHECK enum steer_status steer_profile_add_behaviour(struct steer_profile *profile,
                                                               const char *name,
                                                               struct steer_profile_behaviour **out,
                                                               struct steer_fault *fault);

/* Sets one parameter by name. Fails: NOT_FOUND (the words list the known ones), OUT_OF_RANGE. */
STEER_MUST_CHECK enum steer_status steer_profile_set_parameter(struct steer_profile_behaviour *behaviour,
                                                               const char *name, float value,
                                                               struct steer_fault *fault);

/* Puts defaults where limits are 0 and refuses what is out of range. Fails: INVALID_ARGUMENT, OUT_OF_RANGE.
 */
STEER_MUST_CHECK enum steer_status steer_profile_check(struct steer_profile *profile,
                                                       struct steer_fault *fault);

/* The profile that always exists: `walker`. */
void steer_profile_init_walker(struct steer_profile *profile);

/* ---- the world ---- */

/*
 * The world: everything the simulation knows. It changes by the commands below, which take effect at once and
 * are called between steps only, and by steer_world_step. One thread at a time; steps share their work over a
 * pool, which never changes what they compute.
 *
 * Commands refuse with a status and words that name field, value and legal range; a refused command has
 * changed nothing. Commands that take many things are applied whole or not at all.
 */
struct steer_world;

struct steer_world_config {
    struct steer_vec2 min_m; /* within +-10 km, at least 1 m less than max_m */
    struct steer_vec2 max_m;
    uint32_t tick_rate_hz; /* 1 to 240 */
    uint64_t seed;
    uint32_t agents_max;    /* 1 to 2,000,000 */
    uint32_t obstacles_max; /* 1 to 1,000,000 */
    uint32_t profiles_max;  /* 1 to 256 */
    uint32_t paths_max;     /* in use at one time, 1 to 1,000,000; agents of one command share theirs */
    uint32_t crowds_max;    /* that retarget, 1 to 65,534 */
    uint32_t events_max;    /* per tick, 1 to 16,000,000; what is beyond it is counted and dropped */
};

/* Limits that suit a server: 100,000 agents, 16,384 obstacles, 256 profiles; world -100,-100 to 100,100 at 30
 * Hz. */
void steer_world_config_init(struct steer_world_config *config);

/*
 * Takes all memory a world will ever use.
 * config   every field is needed.
 * threads  the most that a pool of steer_world_step may have, 1 to 256.
 * Fails: INVALID_ARGUMENT, OUT_OF_RANGE, RESOURCE_EXHAUSTED (no memory).
 */
STEER_MUST_CHECK enum steer_status steer_world_create(const struct steer_world_config *config,
                                                      uint32_t threads, struct steer_world **out,
                                                      struct steer_fault *fault);
void steer_world_destroy(struct steer_world *world);

const struct steer_world_config *steer_world_config(const struct steer_world *world);
size_t steer_world_memory_bytes(const struct steer_world *world); /* reserved by steer_world_create */
uint64_t
steer_world_tick(const struct steer_world *world); /* number of the last finished tick, 0 before the first */

/* One tick of 1 / tick_rate_hz seconds: move, part, steer, speed. Threads of the pool <= `threads` of
 * steer_world_create. */
void steer_world_step(struct steer_world *world, struct steer_pool *pool);

/* XXH3-64 over all that decides the future, in id order. */
uint64_t steer_world_digest(const struct steer_world *world);

/* ---- commands ---- */

/*
 * What the commands since the last call have cost, in agents that were given something new; a place that a
 * crowd tried counts as 16. The same commands on the same world cost the same.
 */
uint64_t steer_world_take_work(struct steer_world *world);

/* The most that targets of one command may name, all together; `all` names all there are. */
#define STEER_WORLD_TARGETS_MAX 4000000u

/* What a command made: ids first .. first + count - 1. Wherever one is asked for it may be NULL. */
struct steer_world_made {
    uint32_t first_id;
    uint32_t count;
};

/* What many agents are named by: a list of ids, or all. */
struct steer_agent_selection {
    const uint32_t *ids; /* count of them, borrowed */
    uint32_t count;
    bool all; /* then count is 0 */
};

struct steer_agent_spec {
    struct steer_vec2 position_m;   /* the whole disc in the world and outside of obstacles */
    float orientation_deg;          /* any finite number */
    struct steer_vec2 velocity_mps; /* not faster than its max_speed */
    const char *profile;            /* "" or NULL: walker */
    uint64_t tag;                   /* yours: nothing here looks at it */
    uint32_t flock;                 /* 0: none */
    uint32_t layers;                /* bits of what it is; 0: 1 */
    uint32_t mask;                  /* bits of whom it avoids; 0: all */
    float radius_m;                 /* STEER_LIMITS; 0: the profile's */
    float max_speed_mps;            /* likewise */
    float max_accel_mps2;           /* likewise */
    struct steer_goal goal;
    uint32_t owner; /* 0: nobody; else steer_world_remove_owned takes it away */
};

/*
 * Adds agents, in order. Fails: INVALID_ARGUMENT (not finite), OUT_OF_RANGE (outside the world or a limit),
 * FAILED_PRECONDITION (inside an obstacle), NOT_FOUND (profile, goal agent), RESOURCE_EXHAUSTED (agents_max,
 * paths_max). Words begin with "agents[i].".
 */
STEER_MUST_CHECK enum steer_status steer_world_spawn_agents(struct steer_world *world,
                                                            const struct steer_agent_spec *specs,
                                                            uint32_t count, struct steer_world_made *made,
                                                            struct steer_fault *fault);

enum steer_crowd_goal_kind {
    STEER_CROWD_GOAL_NONE,
    STEER_CROWD_GOAL_POINT,
    STEER_CROWD_GOAL_AREA, /* a random point each: disc inside it, the world, and outside obstacles where it
                        can be had */
    STEER_CROWD_GOAL_PATH,
};

struct steer_crowd_spec {
    uint32_t count;          /* 1 to agents_max */
    struct steer_vec2 min_m; /* whole discs inside, placed at random without overlaps */
    struct steer_vec2 max_m;
    uint64_t seed;       /* of the places and targets */
    const char *profile; /* "" or NULL: walker */
    uint64_t tag;
    uint32_t flock; /* of all of them; 0: none */
    enum steer_crowd_goal_kind goal_kind;
    struct steer_vec2 goal_point_m; /* STEER_CROWD_GOAL_POINT: in the world */
    struct steer_vec2 goal_min_m;   /* STEER_CROWD_GOAL_AREA */
    struct steer_vec2 goal_max_m;
    const struct steer_vec2 *goal_path_m; /* STEER_CROWD_GOAL_PATH */
    uint32_t goal_path_count;             /* 1 to STEER_PATH_POINTS_MAX */
    bool retarget;                        /* STEER_CROWD_GOAL_AREA: a new point on each arrival */
    uint32_t owner;
};

/* Fails as steer_world_spawn_agents, and FAILED_PRECONDITION when one finds no room in 10,000 tries, or
 * all of them together in 100,000 and 16 a head. */
STEER_MUST_CHECK enum steer_status steer_world_spawn_crowd(struct steer_world *world,
                                                           const struct steer_crowd_spec *spec,
                                                           struct steer_world_made *made,
                                                           struct steer_fault *fault);

/* Fails: NOT_FOUND. */
STEER_MUST_CHECK enum steer_status steer_world_remove_agents(struct steer_world *world,
                                                             const struct steer_agent_selection *selection,
                                                             struct steer_fault *fault);

/*
 * As steer_world_remove_agents, but the rows stay until steer_world_sweep closes them all at once: for many
 * removals in a row. Commands may follow, nothing else: they do not find those who are gone.
 */
STEER_MUST_CHECK enum steer_status
steer_world_remove_agents_unswept(struct steer_world *world, const struct steer_agent_selection *selection,
                                  struct steer_fault *fault);
void steer_world_sweep(struct steer_world *world);

/* Removes every agent of these owners; owner 0 is nobody. Sweeps. */
void steer_world_remove_owned(struct steer_world *world, const uint32_t *owners, uint32_t count);

struct steer_target_spec {
    struct steer_agent_selection agents;
    struct steer_goal goal; /* not STEER_GOAL_VELOCITY */
};

/* Fails: NOT_FOUND, INVALID_ARGUMENT (an agent targeting itself, not finite), OUT_OF_RANGE,
 * RESOURCE_EXHAUSTED. Words begin with "targets[i].". */
STEER_MUST_CHECK enum steer_status steer_world_set_targets(struct steer_world *world,
                                                           const struct steer_target_spec *targets,
                                                           uint32_t count, struct steer_fault *fault);

/* Fails: NOT_FOUND, INVALID_ARGUMENT, OUT_OF_RANGE (faster than the agent's max_speed). */
STEER_MUST_CHECK enum steer_status steer_world_drive(struct steer_world *world, struct steer_agent_id id,
                                                     struct steer_vec2 velocity_mps,
                                                     struct steer_fault *fault);

/* Velocity and rotation become zero, the target stays. Fails: NOT_FOUND, INVALID_ARGUMENT, OUT_OF_RANGE,
 * FAILED_PRECONDITION. */
STEER_MUST_CHECK enum steer_status steer_world_teleport(struct steer_world *world, struct steer_agent_id id,
                                                        struct steer_vec2 position_m, float orientation_deg,
                                                        struct steer_fault *fault);

/* Adds or replaces the profile of that name. Fails: as steer_profile_check, RESOURCE_EXHAUSTED. */
STEER_MUST_CHECK enum steer_status steer_world_define_profile(struct steer_world *world,
                                                              const struct steer_profile *profile,
                                                              struct steer_fault *fault);

/* profile: "" is no name here. Fails: NOT_FOUND (agent, profile). */
STEER_MUST_CHECK enum steer_status steer_world_set_profile(struct steer_world *world,
                                                           const struct steer_agent_selection *selection,
                                                           const char *profile, struct steer_fault *fault);

#define STEER_OBSTACLE_NAME_SIZE 32

struct steer_obstacle {
    struct steer_obstacle_id id;         /* 0 in a specification */
    char name[STEER_OBSTACLE_NAME_SIZE]; /* UTF-8, may be empty, need not be unique */
    struct steer_shape shape;
};

/* Fails: as steer_shape_check, OUT_OF_RANGE (nothing of it in the world), RESOURCE_EXHAUSTED. Words begin
 * with "obstacles[i].". */
STEER_MUST_CHECK enum steer_status steer_world_place_obstacles(struct steer_world *world,
                                                               const struct steer_obstacle *obstacles,
                                                               uint32_t count, struct steer_world_made *made,
                                                               struct steer_fault *fault);

/* ids: count of them, or all. Fails: NOT_FOUND. */
STEER_MUST_CHECK enum steer_status steer_world_remove_obstacles(struct steer_world *world,
                                                                const uint32_t *ids, uint32_t count, bool all,
                                                                struct steer_fault *fault);

/* ---- reading, between steps or inside a range of a job that only reads ---- */

enum steer_agent_state {
    STEER_AGENT_STATE_IDLE,
    STEER_AGENT_STATE_MOVING,
    STEER_AGENT_STATE_ARRIVED,
    STEER_AGENT_STATE_BLOCKED,
    STEER_AGENT_STATE_DRIVEN,
};

/* Columns of all agents, ascending by id; borrowed until the next command or step. */
struct steer_agent_columns {
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
    const uint16_t *profile; /* index for steer_world_profile */
    const uint8_t *state;    /* enum steer_agent_state */
};

struct steer_agent_columns steer_world_agents(const struct steer_world *world);

/* Row of an agent in the columns. */
bool steer_world_find_agent(const struct steer_world *world, struct steer_agent_id id, uint32_t *index_out);

/* Goal of the agent in that row; a path is borrowed until the next command or step. */
struct steer_goal steer_world_agent_goal(const struct steer_world *world, uint32_t index);

/*
 * Rows of the agents whose centre is in the area, ascending.
 * index_out  room for index_max rows. Returns how many there are, which may be more than index_max; then what
 * was written is not all and not in order.
 */
uint32_t steer_world_find_agents(const struct steer_world *world, const struct steer_area *area,
                                 uint32_t *index_out, uint32_t index_max);

/* Obstacles ascending by id. */
uint32_t steer_world_obstacle_count(const struct steer_world *world);
const struct steer_obstacle *steer_world_obstacle(const struct steer_world *world, uint32_t index);

/* Profiles in the order they were first defined; they are never removed. */
uint32_t steer_world_profile_count(const struct steer_world *world);
const struct steer_profile *steer_world_profile(const struct steer_world *world, uint32_t index);
bool steer_world_find_profile(const struct steer_world *world, const char *name, uint32_t *index_out);

/* What has changed about obstacles and profiles since the last steer_world_clear_changes, for those who
 * mirror them. */
struct steer_world_changes {
    const uint32_t *placed_ids; /* still there, ascending */
    uint32_t placed_count;
    const uint32_t *removed_ids; /* were there before, ascending */
    uint32_t removed_count;
    const uint16_t *profiles; /* indexes, ascending */
    uint32_t profile_count;
};

struct steer_world_changes steer_world_changes(const struct steer_world *world);

enum steer_world_event_kind {
    STEER_WORLD_EVENT_ARRIVED,
    STEER_WORLD_EVENT_BLOCKED,
    STEER_WORLD_EVENT_REMOVED,
};

struct steer_world_event {
    enum steer_world_event_kind kind;
    struct steer_agent_id agent;
    struct steer_vec2 position_m; /* where it was, for areas of interest */
};

/* Events of the commands and steps since the last steer_world_clear_changes, by kind and then id. */
const struct steer_world_event *steer_world_events(const struct steer_world *world, uint32_t *count_out);
uint64_t
steer_world_events_dropped(const struct steer_world *world); /* since the start: events_max was too small */

/* Forgets changes and events that have been told. */
void steer_world_clear_changes(struct steer_world *world);

/* PHASE(name): the parts of a step, in their order. */
#define STEER_PHASES(PHASE) PHASE(move) PHASE(grid) PHASE(part) PHASE(steer) PHASE(speed)

/* Wall time of the last step by phase, nanoseconds. */
struct steer_world_phases {
#define STEER_PHASE_FIELD(name) uint64_t name##_ns;
    STEER_PHASES(STEER_PHASE_FIELD)
#undef STEER_PHASE_FIELD
};

struct steer_world_phases steer_world_phases(const struct steer_world *world);

#pragma GCC visibility pop

#if defined(__cplusplus) && !defined(STEER_INSIDE)
}
#endif
