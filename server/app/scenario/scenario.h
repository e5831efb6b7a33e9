#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"
#include "sim/steer.h"
#include "yaml/profile_doc.h"
#include "yaml/table.h"

/*
 * A scenario file as read: the world, who is in it, what happens and what must come out. The keys, with
 * units, ranges and defaults, are in scenario_keys.c; tests/scenarios/README.md shows them by example.
 */

#define SCENARIO_COORDINATE_MAX_M 10000.0

struct scenario_world {
    struct yaml_head head;
    struct vec2 min;
    struct vec2 max;
    uint32_t tick_rate;
    uint64_t seed;
};

struct scenario_circle_shape {
    struct yaml_head head;
    struct vec2 center;
    float radius;
};

struct scenario_box_shape {
    struct yaml_head head;
    struct vec2 center;
    struct vec2 size;
    float orientation;
};

struct scenario_line {
    struct yaml_head head;
    struct vec2 a;
    struct vec2 b;
};

struct scenario_polygon_shape {
    struct yaml_head head;
    struct yaml_points points;
};

struct scenario_obstacle {
    struct yaml_head head;
    const char *name; /* NULL when it has none */
    struct scenario_circle_shape circle;
    struct scenario_box_shape box;
    struct scenario_line segment;
    struct scenario_polygon_shape polygon;
};

struct scenario_agent {
    struct yaml_head head;
    const char *name; /* NULL when it has none */
    struct vec2 position;
    struct vec2 velocity;
    float orientation;
    struct vec2 target;
    const char *target_agent;
    struct yaml_points path;
    double start_at; /* until then it stands idle and yields */
    const char *profile;
    float radius; /* 0: the profile's; the next two likewise */
    float max_speed;
    float max_accel;
    uint32_t layers;
    uint32_t mask;
    uint32_t flock;
    uint64_t tag;
};

struct scenario_crowd {
    struct yaml_head head;
    uint32_t count;
    struct vec2 min;
    struct vec2 max;
    uint64_t seed;
    const char *profile;
    struct vec2 target;
    struct vec2 target_min;
    struct vec2 target_max;
    struct yaml_points path;
    bool retarget;
    uint32_t flock;
    uint64_t tag;
};

struct scenario_circle_target {
    bool antipodal;
    struct vec2 point;
};

struct scenario_circle {
    struct yaml_head head;
    uint32_t count;
    struct vec2 center;
    float radius;
    const char *profile;
    struct scenario_circle_target target;
    uint32_t flock;
    uint64_t tag;
};

struct scenario_set_target {
    struct yaml_head head;
    const char *agent;
    struct vec2 target;
    const char *target_agent;
    struct yaml_points path;
};

struct scenario_teleport {
    struct yaml_head head;
    const char *agent;
    struct vec2 position;
    float orientation;
};

struct scenario_drive {
    struct yaml_head head;
    const char *agent;
    struct vec2 velocity;
};

struct scenario_event {
    struct yaml_head head;
    double at;
    const char *remove_obstacle;
    struct scenario_obstacle place_obstacle;
    struct scenario_set_target set_target;
    const char *remove_agent;
    struct scenario_teleport teleport;
    struct scenario_drive drive;
};

struct scenario_speed_rms {
    struct yaml_head head;
    double at;
    double max;
};

struct scenario_end_near {
    struct yaml_head head;
    const char *agent;
    struct vec2 point;
    double radius;
};

struct scenario_end_heading {
    struct yaml_head head;
    const char *agent;
    double heading;
    double max;
};

struct scenario_settled {
    struct yaml_head head;
    struct vec2 point;
    double radius;
};

struct scenario_flock_radius {
    struct yaml_head head;
    uint32_t flock;
    double from;
    double max;
};

struct scenario_deviation {
    struct yaml_head head;
    const char *agent;
    uint32_t axis; /* 0: x, 1: y */
    double max;
};

struct scenario_mean_speed {
    struct yaml_head head;
    double from;
    double to;
    double min;
    double max;
};

struct scenario_passes {
    struct yaml_head head;
    struct scenario_line line;
    double from;
    double to;
    uint32_t min;
    uint32_t max;
};

struct scenario_expect {
    struct yaml_head head;
    double arrived_all_by;
    struct yaml_numbers arrived_by;
    double time_factor_max;
    double gap_min;
    double obstacle_gap_min;
    double end_gap_min;
    uint32_t blocked_min;
    uint32_t blocked_max;
    struct yaml_list speed_rms_after;  /* of struct scenario_speed_rms */
    struct yaml_list end_near;         /* of struct scenario_end_near */
    struct yaml_list end_heading;      /* of struct scenario_end_heading */
    struct yaml_list settled_max;      /* of struct scenario_settled */
    struct yaml_list flock_radius_max; /* of struct scenario_flock_radius */
    struct yaml_list deviation_max;    /* of struct scenario_deviation */
    struct yaml_list mean_speed;       /* of struct scenario_mean_speed */
    struct yaml_list passes;           /* of struct scenario_passes */
};

/* A name of the file and where it stands in its list. */
struct scenario_name {
    const char *name;
    uint32_t index;
};

struct scenario_names {
    struct scenario_name *items; /* sorted by name */
    uint32_t count;
};

struct scenario {
    struct yaml_head head; /* the file's own map begins here: scenario_table */
    struct scenario_world world;
    struct yaml_list profiles;  /* of struct profile_doc */
    struct yaml_list obstacles; /* of struct scenario_obstacle */
    struct yaml_list agents;    /* of struct scenario_agent */
    struct yaml_list crowds;    /* of struct scenario_crowd */
    struct yaml_list circles;   /* of struct scenario_circle */
    struct yaml_list events;    /* of struct scenario_event */
    double duration;            /* s */
    struct scenario_expect expect;

    struct yaml_tree *tree; /* owns all the memory, this struct's too */
    const char *path;
    struct steer_profile *made_profiles; /* one per entry of profiles */
    struct scenario_names agent_names;
    struct scenario_names
        obstacle_names;    /* index: obstacles first, then events that place one: obstacles.count + event */
    uint32_t *event_order; /* events by time, then by place in the file */
    uint32_t agent_count;  /* agents, crowds and circles together */
};

/*
 * Reads a file and checks all that can be known without running it: keys, types, ranges, names, and that
 * events refer to what is there at their time. Refusals begin with "file:line: key: ". Fails: as
 * yaml_tree_load, INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND, ALREADY_EXISTS, RESOURCE_EXHAUSTED.
 */
MUST_CHECK enum status scenario_load(const char *path, struct scenario **out, struct fault *fault);

/* The same from text; `name` stands for the path. */
MUST_CHECK enum status scenario_parse(const char *name, const char *text, size_t size, struct scenario **out,
                                      struct fault *fault);

/* Accepts NULL. */
void scenario_destroy(struct scenario *scenario);

/* Sets edges, tick rate and seed, and raises the limits to what the scenario needs. */
void scenario_configure(const struct scenario *scenario, struct steer_world_config *config);

/* The file's name without directory and ".yaml". */
void scenario_title(const struct scenario *scenario, char *text, size_t size);

/* First tick boundary at or after a time: the number of steps that are done by then. */
uint64_t scenario_tick_at(double time_s, uint32_t tick_rate_hz);

/* Index into agents; false when no agent has that name. */
bool scenario_find_agent(const struct scenario *scenario, const char *name, uint32_t *index_out);

const struct scenario_agent *scenario_agent(const struct scenario *scenario, uint32_t index);
const struct scenario_event *scenario_event(const struct scenario *scenario, uint32_t index);
