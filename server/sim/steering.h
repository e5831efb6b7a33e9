#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec2.h"
#include "sim/agent_store.h"
#include "sim/grid.h"
#include "sim/obstacles.h"
#include "sim/steer.h"

/*
 * What a behaviour is: a function that reads one state of the world and writes, for a batch of agents of one
 * profile, what it asks of each. behaviours/README.md says how to add one.
 */

#define STEER_BATCH_MAX 128 /* agents of one call */

struct paths;

/* The state that every behaviour of a tick reads. Nobody writes it while they do. */
struct steer_view {
    const struct agent_store *agents; /* rows ascending by id */
    const struct grid *grid;          /* the same agents by place: neighbours */
    const struct obstacles *obstacles;
    const struct paths *paths;
    const struct steer_profile *profiles; /* by the agents' profile index */
    struct vec2 world_min_m;
    struct vec2 world_max_m;
    float skin_m; /* gap that movement keeps to obstacles */
    float slop_m; /* overlap of two agents that parting leaves alone: less than this is a touch */
    float dt_s;
    uint32_t tick_rate_hz;
    uint64_t tick; /* the one being made */
    uint64_t seed;
};

/* What a behaviour asks for, or that it asks for nothing: a flag, never a comparison with 0. */
enum steer_asks {
    STEER_ASKS_LINEAR = 1,
    STEER_ASKS_ANGULAR = 2,
    STEER_ASKS_ALL = 4, /* of the linear budget: later groups of the profile get nothing of it */
};

/* Per agent of the batch. `asks` is 0 before the call; what is not asked for need not be written. */
struct steering {
    float ax[STEER_BATCH_MAX]; /* m/s^2 */
    float ay[STEER_BATCH_MAX];
    float angular[STEER_BATCH_MAX]; /* deg/s^2, clockwise positive */
    uint8_t asks[STEER_BATCH_MAX];  /* bits of enum steer_asks */
};

struct steer_batch {
    const struct steer_view *view;
    const uint32_t *rows;   /* count of them, in the agent store; neighbours in space are near in the batch */
    const uint32_t *places; /* of the same agents in the grid */
    uint32_t count;         /* 1 to STEER_BATCH_MAX */
    const void *parameters; /* struct <behaviour>_parameters of the profile */
    const struct steer_profile *profile;
    uint32_t behaviours;       /* bit per row of the table: those the profile has */
    float target_radius_m;     /* within it an agent of the profile has come to its goal */
    struct agent_slots *slots; /* by row */
    uint32_t slot_first;       /* first word of this behaviour in them */
};

/*
 * What this behaviour remembers of an agent: as many words as its table row says. Only the agent's own may be
 * touched; they are digested, so write nothing that does not decide the future.
 */
static inline uint32_t *steer_words(const struct steer_batch *batch, uint32_t row)
{
    return &batch->slots[row].words[batch->slot_first];
}

/* A word as a float and back, by its bits. */
static inline float steer_word_to_float(uint32_t word)
{
    union {
        uint32_t word;
        float number;
    } bits = {.word = word};
    return bits.number;
}

static inline uint32_t steer_word_from_float(float number)
{
    union {
        float number;
        uint32_t word;
    } bits = {.number = number};
    return bits.word;
}

static inline void steering_ask(struct steering *out, uint32_t index, struct vec2 accel_mps2)
{
    out->ax[index] = accel_mps2.x;
    out->ay[index] = accel_mps2.y;
    out->asks[index] |= STEER_ASKS_LINEAR;
}

/* Nothing of the budget is left to later groups, however little this is: a zero makes it stand. */
static inline void steering_ask_all(struct steering *out, uint32_t index, struct vec2 accel_mps2)
{
    steering_ask(out, index, accel_mps2);
    out->asks[index] |= STEER_ASKS_ALL;
}

static inline void steering_ask_angular(struct steering *out, uint32_t index, float angular_deg_s2)
{
    out->angular[index] = angular_deg_s2;
    out->asks[index] |= STEER_ASKS_ANGULAR;
}

static inline struct vec2 steer_position(const struct steer_view *view, uint32_t row)
{
    return vec2(view->agents->x[row], view->agents->y[row]);
}

static inline struct vec2 steer_velocity(const struct steer_view *view, uint32_t row)
{
    return vec2(view->agents->vx[row], view->agents->vy[row]);
}

/* Unit vector of where it goes; of where it faces when it goes nowhere. */
struct vec2 steer_ahead(const struct steer_view *view, uint32_t row);

/* Unit vector in which the first of two that stand on one spot goes; the other goes the other way. */
struct vec2 steer_way_apart(uint32_t id, uint32_t other);

/* The next way-point on an agent's way. */
struct steer_waypoint {
    struct vec2 point_m;
    struct vec2
        way_m; /* to it from the agent: of a place by another agent point_m is but the nearest float */
    float remaining_m; /* along the way-points to the goal; to the rim of an agent that is followed */
    bool is_last;      /* the goal itself: to be arrived at, not passed */
};

/*
 * Where the agent is to go next. The one seam through which behaviours learn it, and where way-finding across
 * obstacles will answer. Who keeps a place with respect to the agent it follows goes there; who keeps away
 * from that one goes nowhere. False: it goes nowhere, has no goal, or is driven.
 */
bool steer_next_waypoint(const struct steer_view *view, uint32_t row, struct steer_waypoint *out);

/* The goal that was given, whatever the profile makes of it: to be looked at, or fled from. */
bool steer_goal(const struct steer_view *view, uint32_t row, struct steer_waypoint *out);

/*
 * Whether two go to one place: by the same way, or, on the last leg of whatever way, to the same point. What
 * counts are the points, never the slot of a path: two who were told of one path one by one share it, too.
 */
bool steer_same_goal(const struct steer_view *view, uint32_t row_a, uint32_t row_b);

/* Parts shared by behaviours that come to a stop somewhere or turn towards something. */
struct arrival {
    float slow_radius_m;
    float target_radius_m;
    float time_to_target_s;
};

/*
 * Acceleration with which an agent comes to rest at a distance of at most target_radius_m from its way's end;
 * false when it is there: it asks for nothing. Source: Reynolds 1999, "arrival"; Millington 2006, "Arrive".
 */
bool steer_arrive(const struct steer_view *view, uint32_t row, const struct steer_waypoint *to,
                  const struct arrival *arrival, struct vec2 *accel_out);

struct turning {
    float slow_angle_deg;
    float target_angle_deg;
    float time_to_target_s;
};

/* Angular acceleration with which an agent comes to rest at a heading; false when it has it. Millington 2006,
 * "Align". */
bool steer_turn_to(const struct steer_batch *batch, uint32_t row, float heading_deg,
                   const struct turning *turning, float *angular_out);

/* ---- generated from behaviours/behaviour_table.def ---- */

/* Row indexes: BEHAVIOUR_seek ... */
enum behaviour_row {
#define BEHAVIOUR(number, name, state_words, summary, ...) BEHAVIOUR_##name,
#include "sim/behaviours/behaviour_table.def"
#undef BEHAVIOUR
    BEHAVIOUR_ROWS,
};

/* struct seek_parameters ...: floats in the row's order. */
#define PARAM(name, unit, min, max, default_value, summary) float name;
#define BEHAVIOUR(number, name, state_words, summary, ...)                                                   \
    struct name##_parameters {                                                                               \
        __VA_ARGS__                                                                                          \
    };
#include "sim/behaviours/behaviour_table.def"
#undef BEHAVIOUR
#undef PARAM

/* The handlers, one file each: behaviours/<name>.c. A row without one does not link. */
#define BEHAVIOUR(number, name, state_words, summary, ...)                                                   \
    void behaviour_##name(const struct steer_batch *batch, struct steering *out);
#include "sim/behaviours/behaviour_table.def"
#undef BEHAVIOUR

static inline bool steer_profile_has(const struct steer_batch *batch, enum behaviour_row behaviour)
{
    return (batch->behaviours >> behaviour & 1) != 0;
}
