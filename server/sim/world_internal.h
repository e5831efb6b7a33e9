#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "sim/agent_store.h"
#include "sim/crowds.h"
#include "sim/grid.h"
#include "sim/obstacles.h"
#include "sim/paths.h"
#include "sim/steer.h"
#include "sim/steering.h"

/* The inside of a world, for the files that make it up: world*.c commands and reading, step*.c the tick. */

#define WORLD_THREADS_MAX 256

/*
 * The mover keeps discs this far from walls, so that rounding a position to float never puts a rim inside:
 * the spacing of floats at the world's far corner is at most a quarter of it.
 */
#define WORLD_SKIN_MIN_M 1e-4f

/* Overlap of two agents that parting leaves alone, so that a pack comes to exact rest. */
#define WORLD_SLOP_MIN_M 5e-4f

/* Once someone can be this far from where the grid sorted him, sorting anew costs less than searching wider.
 */
#define WORLD_SLACK_MAX_M 1.0f

/* Steps between two searches for a way out of a solid, while nothing changes. */
#define WORLD_SEARCH_TICKS 64

#define WORLD_GRAIN 512u /* agents of one range of a loop */

/* What a profile comes to in a tick. */
struct profile_plan {
    uint32_t behaviours;                              /* bit per table row */
    uint8_t order[STEER_PROFILE_BEHAVIOURS_MAX];      /* behaviours by group, in a group as given */
    uint8_t slot_first[STEER_PROFILE_BEHAVIOURS_MAX]; /* of each in the order given */
    float waypoint_radius_m;
    float target_radius_m;
};

/* Agents of one profile, or the driven ones of it, that are steered in one go. */
struct step_batch {
    uint32_t begin; /* in step_places */
    uint32_t count;
    uint32_t key; /* profile, twice; + 1 for the driven */
};

struct steer_world {
    struct steer_world_config config;
    uint32_t threads;
    struct arena arena; /* all memory but this struct and the hash stream */
    struct hash_stream *hash;

    uint64_t tick;
    float dt_s;
    float skin_m;
    float slop_m;

    struct agent_store agents;
    uint64_t work;       /* of commands, see steer_world_take_work */
    uint32_t gone_count; /* rows of agents that are gone, to be swept */
    struct obstacles obstacles;
    struct paths paths;
    struct crowds crowds;
    struct steer_profile *profiles;
    struct profile_plan *plans;
    uint32_t profile_count;

    struct grid grid;
    bool solids_are_new;  /* since the last step obstacles or radii have changed */
    bool grid_is_current; /* no command has moved, added or removed agents since it was built */

    /* Scratch of a tick, per agent. */
    float *before_x; /* by row: where it stood before it moved */
    float *before_y;
    float *scratch_a;    /* by place: push of parting; by row: linear x of steering */
    float *scratch_b;    /* push; linear y */
    float *scratch_c;    /* deepest overlap; angular */
    uint8_t *scratch_d;  /* by place: marks of parting; by row: asks of steering; in commands: removed rows */
    uint8_t *state_next; /* by row */
    uint32_t *step_places; /* places of the grid: of those who are parted; by profile */
    uint32_t *key_starts;  /* 2 * profiles_max + 1 */
    struct step_batch *batches;
    uint32_t batch_count;
    float worker_moved_m[WORLD_THREADS_MAX]; /* by worker: longest way of a pass of parting */

    struct steer_world_event *events;
    uint32_t event_count;
    uint64_t events_dropped;
    bool events_are_sorted;

    uint8_t *removed_flags; /* by obstacle row, scratch of a command */
    uint32_t obstacle_told; /* last obstacle id at the last steer_world_clear_changes */
    uint32_t *placed_ids;
    uint32_t *removed_ids;
    uint32_t removed_count;
    uint16_t *changed_profiles;
    uint32_t changed_profile_count;

    struct steer_world_phases phases;
};

/* ---- world.c ---- */

struct obstacle_bounds world_bounds(const struct steer_world *world);

/*
 * Whether an agent that is in a solid may search for a way out in this step: at once when something has
 * changed, and now and then afterwards. Those for whom there is no room would search in vain for ever.
 */
bool world_may_search(const struct steer_world *world, uint32_t id);
void world_set_view(const struct steer_world *world, struct steer_view *view);

/* ---- world_profiles.c ---- */

/* Puts the limits that are not the agent's own in force. */
void world_follow_profile(struct steer_world *world, uint32_t row);

/* Index of a named profile; "" and NULL mean walker. Fails: NOT_FOUND. */
MUST_CHECK enum status world_check_profile(const struct steer_world *world, const char *name,
                                           uint32_t *index_out, struct fault *fault);

/* Defines `walker`. */
void world_init_profiles(struct steer_world *world);

/* ---- world_goals.c ---- */

/* Whose goal it is to be. */
struct goal_owner {
    struct steer_agent_id id; /* 0: not born yet */
    float max_speed_mps;
};

/* Fails: INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND. */
MUST_CHECK enum status world_check_goal(const struct steer_world *world, const struct steer_goal *goal,
                                        const struct goal_owner *owner, struct fault *fault);

/* Fails: RESOURCE_EXHAUSTED when `needed` paths are not free. */
MUST_CHECK enum status world_check_paths(const struct steer_world *world, uint32_t needed,
                                         struct fault *fault);

/* Gives an agent a checked goal; path is its slot, PATH_NONE for other goals. */
void world_apply_goal(struct steer_world *world, uint32_t row, const struct steer_goal *goal, uint32_t path);

/* Lets go of what the goal refers to: paths, crowds. */
void world_release_goal(struct steer_world *world, uint32_t row);

/* Starts counting anew: progress, rest. */
void world_restart_progress(struct steer_world *world, uint32_t row);

/* ---- world_agents.c ---- */

/* Fails: NOT_FOUND; INVALID_ARGUMENT (ids and all). */
MUST_CHECK enum status world_check_selection(const struct steer_world *world,
                                             const struct steer_agent_selection *selection,
                                             struct fault *fault);

/* Fails: INVALID_ARGUMENT, OUT_OF_RANGE (the disc leaves the world), FAILED_PRECONDITION (in an obstacle). */
MUST_CHECK enum status world_check_place(const struct steer_world *world, struct vec2 position,
                                         float radius_m, struct fault *fault);

/* Calls for each selected agent, in the order given. */
#define WORLD_SELECTION_COUNT(world, selection)                                                              \
    ((selection)->all ? (world)->agents.count : (selection)->count)
uint32_t world_selection_row(const struct steer_world *world, const struct steer_agent_selection *selection,
                             uint32_t index);

/* ---- world_events.c ---- */

void world_add_event(struct steer_world *world, enum steer_world_event_kind kind, uint32_t row);

/* Sorts them; every command and step that adds events ends with it. */
void world_settle_events(struct steer_world *world);

/* ---- world_crowd.c ---- */

/* Draws the next target of an agent of a retargeting crowd. */
struct vec2 world_draw_target(const struct steer_world *world, const struct crowd *crowd, uint32_t draw,
                              uint32_t index, float radius_m);

/* ---- step_*.c: the parts of a tick; between them the job pool has joined ---- */

struct step {
    struct steer_world *world;
    struct job_pool *pool;
    struct steer_view view;
    uint32_t part_count; /* who takes part in a pass of parting: so many of step_places */
    bool parts_back;     /* who went deep into another parts to the side on which they met */
};

/* How two agents are in each other. */
struct step_contact {
    struct vec2 away; /* unit: the way for the first of them */
    float overlap_m;  /* along it; not above 0: none */
};

void step_move(struct step *step);
void step_part(struct step *step);
void step_press(struct step *step); /* the end of it, for those who are left in each other */

/* At an offset of `place` from `other`, and its length. */
struct step_contact step_contact(const struct step *step, uint32_t place, uint32_t other, struct vec2 offset,
                                 float distance);
void step_steer(struct step *step);
void step_speed(struct step *step);
void step_progress(
    struct step *step); /* arrived, blocked, new targets; begins with waypoints in step_steer */
void step_pass_waypoints(struct step *step);

/*
 * Moves a disc along `move` until it touches, then on along what it touches. The velocity, which may be NULL,
 * loses what goes into the walls. Returns where the centre ends.
 */
struct vec2 step_slide(const struct steer_world *world, struct vec2 from, struct vec2 move, float radius_m,
                       struct vec2 *velocity);
