/*
 * The tables of keys of scenario files. server/yaml reads by them into the structs of scenario.h; what no
 * table can know (names, order in time, what lies inside the world) is checked in scenario_check.c.
 */
#include "app/scenario/scenario_keys.h"

#include <string.h>

#include "app/scenario/scenario.h"
#include "sim/steer.h"

#define KEY(struct_, member, kind_, ...)                                                                     \
    {                                                                                                        \
        .name = #member, .kind = YAML_KIND_##kind_, .offset = offsetof(struct struct_, member), __VA_ARGS__  \
    }
#define TABLE(struct_, keys_, ...)                                                                           \
    {                                                                                                        \
        .keys = keys_, .key_count = sizeof(keys_) / sizeof(keys_)[0], .size = sizeof(struct struct_),        \
        __VA_ARGS__                                                                                          \
    }

#define REQUIRED   .required = true
#define COORDINATE .min = -SCENARIO_COORDINATE_MAX_M, .max = SCENARIO_COORDINATE_MAX_M, .unit = "m"
#define VELOCITY   .min = -100, .max = 100, .unit = "m/s"
#define TIME       .min = 0, .max = 1e6, .unit = "s"
#define SEED       .min = 0, .max = 0x1p64, .unit = ""
#define WORD32     .min = 0, .max = 4294967295.0, .unit = ""
#define NAME       .count_max = 31
#define SUM(text)  .summary = (text)

static const struct yaml_key scenario_world_keys[] = {
    KEY(scenario_world, min, POINT, REQUIRED, COORDINATE, SUM("left lower corner")),
    KEY(scenario_world, max, POINT, REQUIRED, COORDINATE, SUM("right upper corner")),
    KEY(scenario_world, tick_rate, UINT32, .min = 1, .max = 240, .unit = "Hz", .default_text = "30",
        SUM("steps per second")),
    KEY(scenario_world, seed, UINT64, SEED, .default_text = "1",
        SUM("of all that is random in the simulation")),
};
static const struct yaml_table scenario_world_table =
    TABLE(scenario_world, scenario_world_keys, .name = "world");

static const struct yaml_key scenario_circle_shape_keys[] = {
    KEY(scenario_circle_shape, center, POINT, REQUIRED, COORDINATE, SUM("its middle")),
    KEY(scenario_circle_shape, radius, FLOAT, REQUIRED, .min = 0.01, .max = 1000, .unit = "m",
        SUM("half its width")),
};
static const struct yaml_table scenario_circle_shape_table =
    TABLE(scenario_circle_shape, scenario_circle_shape_keys, .name = "circle");

static const struct yaml_key scenario_box_shape_keys[] = {
    KEY(scenario_box_shape, center, POINT, REQUIRED, COORDINATE, SUM("its middle")),
    KEY(scenario_box_shape, size, POINT, REQUIRED, .min = 0.01, .max = 10000, .unit = "m",
        SUM("along x and y before turning")),
    KEY(scenario_box_shape, orientation, FLOAT, .min = -360, .max = 360, .unit = "deg", .default_text = "0",
        SUM("turn, clockwise")),
};
static const struct yaml_table scenario_box_shape_table =
    TABLE(scenario_box_shape, scenario_box_shape_keys, .name = "box");

static const struct yaml_key scenario_line_keys[] = {
    KEY(scenario_line, a, POINT, REQUIRED, COORDINATE, SUM("one end")),
    KEY(scenario_line, b, POINT, REQUIRED, COORDINATE, SUM("the other end")),
};
static const struct yaml_table scenario_line_table =
    TABLE(scenario_line, scenario_line_keys, .name = "segment");

static const struct yaml_key scenario_polygon_shape_keys[] = {
    KEY(scenario_polygon_shape, points, POINTS, REQUIRED, COORDINATE, .count_min = 3,
        .count_max = STEER_SHAPE_POINTS_MAX, SUM("corners of a convex outline, in either sense")),
};
static const struct yaml_table scenario_polygon_shape_table =
    TABLE(scenario_polygon_shape, scenario_polygon_shape_keys, .name = "polygon");

static const struct yaml_key scenario_obstacle_keys[] = {
    KEY(scenario_obstacle, name, TEXT, NAME, SUM("what events call it; no two alike")),
    KEY(scenario_obstacle, circle, MAP, .table = &scenario_circle_shape_table, SUM("a post")),
    KEY(scenario_obstacle, box, MAP, .table = &scenario_box_shape_table, SUM("a block")),
    KEY(scenario_obstacle, segment, MAP, .table = &scenario_line_table, SUM("a wall without thickness")),
    KEY(scenario_obstacle, polygon, MAP, .table = &scenario_polygon_shape_table, SUM("any convex outline")),
};
const struct yaml_table scenario_obstacle_table =
    TABLE(scenario_obstacle, scenario_obstacle_keys, .name = "obstacles",
          .exactly_one_of = "circle|box|segment|polygon");

static const struct yaml_key scenario_agent_keys[] = {
    KEY(scenario_agent, name, TEXT, NAME, SUM("what events and expectations call it; no two alike")),
    KEY(scenario_agent, position, POINT, REQUIRED, COORDINATE,
        SUM("where it starts, whole disc inside the world")),
    KEY(scenario_agent, velocity, POINT, VELOCITY, SUM("at the start")),
    KEY(scenario_agent, orientation, FLOAT, .min = -360, .max = 360, .unit = "deg", .default_text = "0",
        SUM("heading at the start: 0 is +y, growing clockwise")),
    KEY(scenario_agent, target, POINT, COORDINATE, SUM("goes to this point")),
    KEY(scenario_agent, target_agent, TEXT, NAME, SUM("follows the agent of this name")),
    KEY(scenario_agent, path, POINTS, COORDINATE, .count_min = 1, .count_max = STEER_PATH_POINTS_MAX,
        SUM("goes along these way-points")),
    KEY(scenario_agent, start_at, DOUBLE, TIME, .default_text = "0",
        SUM("stands idle, and yields, until then; needs a goal")),
    KEY(scenario_agent, profile, TEXT, NAME, .default_text = "walker", SUM("name of its profile")),
#define LIMIT(name_, unit_, min_, max_, default_, summary_) LIMIT_##name_(unit_, min_, max_, summary_)
#define LIMIT_KEY(member_, unit_, min_, max_, summary_)                                                      \
    KEY(scenario_agent, member_, FLOAT, .min = (min_), .max = (max_), .unit = (unit_),                       \
        SUM(summary_ "; the profile's when it is missing")),
#define LIMIT_radius(...)            LIMIT_KEY(radius, __VA_ARGS__)
#define LIMIT_max_speed(...)         LIMIT_KEY(max_speed, __VA_ARGS__)
#define LIMIT_max_accel(...)         LIMIT_KEY(max_accel, __VA_ARGS__)
#define LIMIT_max_rotation(...)      /* a profile's only: the wire has no such field in AgentSpec */
#define LIMIT_max_angular_accel(...) /* likewise */
    STEER_LIMITS(LIMIT)
#undef LIMIT
        KEY(scenario_agent, layers, UINT32, WORD32, .default_text = "0",
            SUM("bits: what it is; 0 means bit 0")),
    KEY(scenario_agent, mask, UINT32, WORD32, .default_text = "0",
        SUM("bits: whom it avoids; 0 means everybody")),
    KEY(scenario_agent, flock, UINT32, WORD32, .default_text = "0", SUM("number of its flock; 0: none")),
    KEY(scenario_agent, tag, UINT64, SEED, .default_text = "0", SUM("carried through to viewers")),
};
const struct yaml_table scenario_agent_table = TABLE(scenario_agent, scenario_agent_keys, .name = "agents",
                                                     .at_most_one_of = "target|target_agent|path");

static const struct yaml_key scenario_crowd_keys[] = {
    KEY(scenario_crowd, count, UINT32, REQUIRED, .min = 1, .max = 1000000, .unit = "agents", SUM("how many")),
    KEY(scenario_crowd, min, POINT, REQUIRED, COORDINATE,
        SUM("corner of where they start, whole discs inside")),
    KEY(scenario_crowd, max, POINT, REQUIRED, COORDINATE, SUM("the other corner")),
    KEY(scenario_crowd, seed, UINT64, SEED, .default_text = "1", SUM("of places and targets")),
    KEY(scenario_crowd, profile, TEXT, NAME, .default_text = "walker", SUM("name of their profile")),
    KEY(scenario_crowd, target, POINT, COORDINATE, SUM("all go to this point")),
    KEY(scenario_crowd, target_min, POINT, COORDINATE,
        SUM("corner of where each draws a random target; needs target_max")),
    KEY(scenario_crowd, target_max, POINT, COORDINATE, SUM("the other corner")),
    KEY(scenario_crowd, path, POINTS, COORDINATE, .count_min = 1, .count_max = STEER_PATH_POINTS_MAX,
        SUM("all go along these way-points")),
    KEY(scenario_crowd, retarget, BOOL, .default_text = "false",
        SUM("each draws a new target when it arrives; needs target_min and target_max")),
    KEY(scenario_crowd, flock, UINT32, WORD32, .default_text = "0", SUM("number of their flock; 0: none")),
    KEY(scenario_crowd, tag, UINT64, SEED, .default_text = "0", SUM("carried through to viewers")),
};
const struct yaml_table scenario_crowd_table =
    TABLE(scenario_crowd, scenario_crowd_keys, .name = "crowds", .at_most_one_of = "target|target_min|path");

/* `antipodal`, or a point. */
static enum status scenario_read_circle_target(struct yaml_reader *reader, const struct yaml_node *node,
                                               void *member)
{
    static const struct yaml_key point = {.kind = YAML_KIND_POINT, COORDINATE};
    struct scenario_circle_target *target = member;
    const char *text = yaml_node_text(node);
    if (text != NULL && strcmp(text, "antipodal") == 0) {
        target->antipodal = true;
        return STATUS_OK;
    }
    if (text != NULL) {
        return yaml_reader_refuse(reader, node, STATUS_INVALID_ARGUMENT,
                                  "\"%.40s\" is not allowed: antipodal or a point [x, y] is needed", text);
    }
    return yaml_reader_value(reader, &point, node, &target->point);
}

static const struct yaml_key scenario_circle_keys[] = {
    KEY(scenario_circle, count, UINT32, REQUIRED, .min = 1, .max = 100000, .unit = "agents",
        SUM("evenly spaced, the first at +x, then counter-clockwise")),
    KEY(scenario_circle, center, POINT, REQUIRED, COORDINATE, SUM("middle of the circle")),
    KEY(scenario_circle, radius, FLOAT, REQUIRED, .min = 0.01, .max = 10000, .unit = "m",
        SUM("of the circle")),
    KEY(scenario_circle, profile, TEXT, NAME, .default_text = "walker", SUM("name of their profile")),
    KEY(scenario_circle, target, CUSTOM, .read = scenario_read_circle_target,
        .form = "antipodal or a point [x, y]",
        SUM("antipodal: each to the opposite place; a point: all go there")),
    KEY(scenario_circle, flock, UINT32, WORD32, .default_text = "0", SUM("number of their flock; 0: none")),
    KEY(scenario_circle, tag, UINT64, SEED, .default_text = "0", SUM("carried through to viewers")),
};
const struct yaml_table scenario_circle_table =
    TABLE(scenario_circle, scenario_circle_keys, .name = "circles");

static const struct yaml_key scenario_set_target_keys[] = {
    KEY(scenario_set_target, agent, TEXT, REQUIRED, NAME, SUM("whose target changes")),
    KEY(scenario_set_target, target, POINT, COORDINATE, SUM("goes to this point")),
    KEY(scenario_set_target, target_agent, TEXT, NAME, SUM("follows this agent")),
    KEY(scenario_set_target, path, POINTS, COORDINATE, .count_min = 1, .count_max = STEER_PATH_POINTS_MAX,
        SUM("goes along these; with none of the three it stops")),
};
const struct yaml_table scenario_set_target_table =
    TABLE(scenario_set_target, scenario_set_target_keys, .name = "set_target",
          .at_most_one_of = "target|target_agent|path");

static const struct yaml_key scenario_teleport_keys[] = {
    KEY(scenario_teleport, agent, TEXT, REQUIRED, NAME, SUM("who")),
    KEY(scenario_teleport, position, POINT, REQUIRED, COORDINATE, SUM("to where; its target stays")),
    KEY(scenario_teleport, orientation, FLOAT, .min = -360, .max = 360, .unit = "deg", .default_text = "0",
        SUM("its heading there")),
};
static const struct yaml_table scenario_teleport_table =
    TABLE(scenario_teleport, scenario_teleport_keys, .name = "teleport");

static const struct yaml_key scenario_drive_keys[] = {
    KEY(scenario_drive, agent, TEXT, REQUIRED, NAME, SUM("who")),
    KEY(scenario_drive, velocity, POINT, REQUIRED, VELOCITY,
        SUM("it takes, as from a client, until it gets a target; its max_speed at most")),
};
static const struct yaml_table scenario_drive_table =
    TABLE(scenario_drive, scenario_drive_keys, .name = "drive");

static const struct yaml_key scenario_event_keys[] = {
    KEY(scenario_event, at, DOUBLE, REQUIRED, TIME,
        SUM("when: before the first step that begins then or later")),
    KEY(scenario_event, remove_obstacle, TEXT, NAME, SUM("name of an obstacle")),
    KEY(scenario_event, place_obstacle, MAP, .table = &scenario_obstacle_table, SUM("as in obstacles")),
    KEY(scenario_event, set_target, MAP, .table = &scenario_set_target_table,
        SUM("gives an agent another goal")),
    KEY(scenario_event, remove_agent, TEXT, NAME, SUM("name of an agent")),
    KEY(scenario_event, teleport, MAP, .table = &scenario_teleport_table, SUM("moves an agent at once")),
    KEY(scenario_event, drive, MAP, .table = &scenario_drive_table, SUM("drives an agent by hand")),
};
const struct yaml_table scenario_event_table =
    TABLE(scenario_event, scenario_event_keys, .name = "events",
          .exactly_one_of = "remove_obstacle|place_obstacle|set_target|remove_agent|teleport|drive");

#define GAP    .min = -100, .max = 1000, .unit = "m"
#define FACTOR .min = 0, .max = 1000, .unit = ""
#define SPEED  .min = 0, .max = 100, .unit = "m/s"
#define LENGTH .min = 0, .max = 10000, .unit = "m"

static const struct yaml_key scenario_speed_rms_keys[] = {
    KEY(scenario_speed_rms, at, DOUBLE, REQUIRED, TIME, SUM("from then to the end")),
    KEY(scenario_speed_rms, max, DOUBLE, REQUIRED, SPEED, SUM("root mean square over all agents and ticks")),
};
static const struct yaml_table scenario_speed_rms_table =
    TABLE(scenario_speed_rms, scenario_speed_rms_keys, .name = "speed_rms_after");

static const struct yaml_key scenario_end_near_keys[] = {
    KEY(scenario_end_near, agent, TEXT, REQUIRED, NAME, SUM("whose centre")),
    KEY(scenario_end_near, point, POINT, REQUIRED, COORDINATE, SUM("must be near this point at the end")),
    KEY(scenario_end_near, radius, DOUBLE, REQUIRED, LENGTH, SUM("at most so far from it")),
};
static const struct yaml_table scenario_end_near_table =
    TABLE(scenario_end_near, scenario_end_near_keys, .name = "end_near");

static const struct yaml_key scenario_end_heading_keys[] = {
    KEY(scenario_end_heading, agent, TEXT, REQUIRED, NAME, SUM("whose heading at the end")),
    KEY(scenario_end_heading, heading, DOUBLE, REQUIRED, .min = -360, .max = 360, .unit = "deg",
        SUM("must be near this one, clockwise from +y")),
    KEY(scenario_end_heading, max, DOUBLE, REQUIRED, .min = 0, .max = 180, .unit = "deg",
        SUM("at most so far from it, either way")),
};
static const struct yaml_table scenario_end_heading_table =
    TABLE(scenario_end_heading, scenario_end_heading_keys, .name = "end_heading");

static const struct yaml_key scenario_settled_keys[] = {
    KEY(scenario_settled, point, POINT, REQUIRED, COORDINATE,
        SUM("of everyone whose way ends at this point")),
    KEY(scenario_settled, radius, DOUBLE, REQUIRED, LENGTH,
        SUM("the farthest rim is at most so far from it at the end")),
};
static const struct yaml_table scenario_settled_table =
    TABLE(scenario_settled, scenario_settled_keys, .name = "settled_max");

static const struct yaml_key scenario_flock_radius_keys[] = {
    KEY(scenario_flock_radius, flock, UINT32, REQUIRED, .min = 1, .max = 4294967295.0, .unit = "",
        SUM("of all members of this flock")),
    KEY(scenario_flock_radius, from, DOUBLE, TIME, .default_text = "0", SUM("from then to the end")),
    KEY(scenario_flock_radius, max, DOUBLE, REQUIRED, LENGTH,
        SUM("the farthest centre is never farther from the mean of the centres")),
};
static const struct yaml_table scenario_flock_radius_table =
    TABLE(scenario_flock_radius, scenario_flock_radius_keys, .name = "flock_radius_max");

static const struct yaml_key scenario_deviation_keys[] = {
    KEY(scenario_deviation, agent, TEXT, REQUIRED, NAME, SUM("who; it must have a target point")),
    KEY(scenario_deviation, axis, CHOICE, REQUIRED, .choices = "x|y", SUM("along which the distance counts")),
    KEY(scenario_deviation, max, DOUBLE, REQUIRED, LENGTH,
        SUM("from the straight line between start and target")),
};
static const struct yaml_table scenario_deviation_table =
    TABLE(scenario_deviation, scenario_deviation_keys, .name = "deviation_max");

static const struct yaml_key scenario_mean_speed_keys[] = {
    KEY(scenario_mean_speed, from, DOUBLE, TIME, .default_text = "0", SUM("first moment that counts")),
    KEY(scenario_mean_speed, to, DOUBLE, TIME, .default_text = "1e6", SUM("last moment that counts")),
    KEY(scenario_mean_speed, min, DOUBLE, SPEED, .default_text = "0",
        SUM("mean over all agents and ticks at least")),
    KEY(scenario_mean_speed, max, DOUBLE, SPEED, .default_text = "100", SUM("at most")),
};
const struct yaml_table scenario_mean_speed_table =
    TABLE(scenario_mean_speed, scenario_mean_speed_keys, .name = "mean_speed");

static const struct yaml_key scenario_passes_keys[] = {
    KEY(scenario_passes, line, MAP, REQUIRED, .table = &scenario_line_table,
        SUM("which centres cross, either way")),
    KEY(scenario_passes, from, DOUBLE, TIME, .default_text = "0", SUM("first moment that counts")),
    KEY(scenario_passes, to, DOUBLE, TIME, .default_text = "1e6", SUM("last moment that counts")),
    KEY(scenario_passes, min, UINT32, WORD32, .default_text = "0", SUM("crossings at least")),
    KEY(scenario_passes, max, UINT32, WORD32, .default_text = "4294967295", SUM("crossings at most")),
};
const struct yaml_table scenario_passes_table =
    TABLE(scenario_passes, scenario_passes_keys, .name = "passes");

static const struct yaml_key scenario_expect_keys[] = {
    KEY(scenario_expect, arrived_all_by, DOUBLE, TIME, SUM("everyone with a goal has arrived once")),
    KEY(scenario_expect, arrived_by, NUMBERS, .unit = "s",
        SUM("names of agents and when each has arrived once")),
    KEY(scenario_expect, time_factor_max, DOUBLE, FACTOR,
        SUM("first arrival over free time, of the worst of those who arrived")),
    KEY(scenario_expect, gap_min, DOUBLE, GAP, SUM("between two agents' rims, over the whole run")),
    KEY(scenario_expect, obstacle_gap_min, DOUBLE, GAP, SUM("between an agent's rim and an obstacle")),
    KEY(scenario_expect, end_gap_min, DOUBLE, GAP, SUM("as gap_min, at the end only")),
    KEY(scenario_expect, blocked_min, UINT32, WORD32, SUM("agents that were blocked at any time, at least")),
    KEY(scenario_expect, blocked_max, UINT32, WORD32, SUM("the same, at most")),
    KEY(scenario_expect, speed_rms_after, MAPS1, .table = &scenario_speed_rms_table,
        SUM("who is at rest stays so")),
    KEY(scenario_expect, end_near, MAPS1, .table = &scenario_end_near_table, SUM("where an agent ends")),
    KEY(scenario_expect, end_heading, MAPS1, .table = &scenario_end_heading_table,
        SUM("where an agent looks at the end")),
    KEY(scenario_expect, settled_max, MAPS1, .table = &scenario_settled_table,
        SUM("how closely those who share a goal stand round it")),
    KEY(scenario_expect, flock_radius_max, MAPS1, .table = &scenario_flock_radius_table,
        SUM("how well a flock keeps together")),
    KEY(scenario_expect, deviation_max, MAPS1, .table = &scenario_deviation_table,
        SUM("how far an agent strays")),
    KEY(scenario_expect, mean_speed, MAPS1, .table = &scenario_mean_speed_table,
        SUM("of everybody in a time span")),
    KEY(scenario_expect, passes, MAPS1, .table = &scenario_passes_table,
        SUM("crossings of a line in a time span")),
};
const struct yaml_table scenario_expect_table =
    TABLE(scenario_expect, scenario_expect_keys, .name = "expect");

static const struct yaml_key scenario_keys[] = {
    KEY(scenario, world, MAP, REQUIRED, .table = &scenario_world_table, SUM("where it happens")),
    KEY(scenario, profiles, MAPS, .table = &profile_doc_table, SUM("who there is beside `walker`")),
    KEY(scenario, obstacles, MAPS, .table = &scenario_obstacle_table, SUM("what stands there")),
    KEY(scenario, agents, MAPS, .table = &scenario_agent_table, SUM("agents one by one")),
    KEY(scenario, crowds, MAPS, .table = &scenario_crowd_table, SUM("many at random places")),
    KEY(scenario, circles, MAPS, .table = &scenario_circle_table, SUM("many on a circle")),
    KEY(scenario, events, MAPS, .table = &scenario_event_table, SUM("what happens when")),
    KEY(scenario, duration, DOUBLE, .min = 0.001, .max = 1e6, .unit = "s", .default_text = "60",
        SUM("how long `steerd simulate` runs")),
    KEY(scenario, expect, MAP, .table = &scenario_expect_table, SUM("what must come out")),
};
const struct yaml_table scenario_table = TABLE(scenario, scenario_keys, .name = "scenario");
