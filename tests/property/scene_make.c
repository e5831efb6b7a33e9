/*
 * Random scenes. How likely what is was chosen so that most scenes are crowded in some place at some time,
 * and so that some of everything that users are told is legal comes up in a thousand of them.
 */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/trig.h"
#include "scene.h"

#define SCENE_PLACE_TRIES 200
#define SCENE_HALF_MIN_M  3.0f
#define SCENE_HALF_MAX_M  60.0f
#define SCENE_WALK_S      12.0f /* farthest goal, in seconds of free walk: what takes longer shows nothing new */
#define SCENE_CLEARANCE_M 0.01f /* between rims at the start */
#define SCENE_POLYGON_MAX 6

static uint64_t scene_random_next(struct scene_random *random)
{
    return hash_random(random->seed, random->drawn++, 0, 0);
}

float scene_draw(struct scene_random *random, float min, float max)
{
    return min + (max - min) * hash_unit_f32(scene_random_next(random));
}

float scene_draw_log(struct scene_random *random, float min, float max)
{
    return min * powf(max / min, scene_draw(random, 0.0f, 1.0f));
}

uint32_t scene_draw_index(struct scene_random *random, uint32_t count)
{
    return (uint32_t)(scene_random_next(random) % count);
}

bool scene_draw_chance(struct scene_random *random, float chance)
{
    return scene_draw(random, 0.0f, 1.0f) < chance;
}

static struct vec2 scene_draw_point(struct scene_random *random, float half_m)
{
    float x = scene_draw(random, -half_m, half_m);
    return vec2(x, scene_draw(random, -half_m, half_m));
}

/* Corners on a circle are convex; the angles between them are at least a third of even. */
static void scene_make_polygon(struct scene_random *random, struct vec2 center, float size_m,
                               struct steer_shape *shape)
{
    shape->kind = STEER_SHAPE_POLYGON;
    shape->point_count = 3 + scene_draw_index(random, SCENE_POLYGON_MAX - 2);
    float step_deg = 360.0f / (float)shape->point_count;
    for (uint32_t i = 0; i < shape->point_count; i++) {
        float heading_deg = step_deg * ((float)i + scene_draw(random, 0.0f, 0.66f));
        shape->points_m[i] = vec2_mad(center, trig_direction(trig_wrap_deg(heading_deg)), size_m);
    }
}

static void scene_make_shape(struct scene_random *random, float half_m, struct steer_shape *shape)
{
    memset(shape, 0, sizeof *shape);
    struct vec2 center = scene_draw_point(random, half_m * 0.8f);
    float size_m = scene_draw_log(random, 0.1f, half_m * 0.4f);
    struct vec2 along = trig_direction(scene_draw(random, 0.0f, 360.0f));
    switch (scene_draw_index(random, 4)) {
    case 0:
        shape->kind = STEER_SHAPE_CIRCLE;
        shape->center_m = center;
        shape->radius_m = size_m;
        break;
    case 1:
        shape->kind = STEER_SHAPE_BOX;
        shape->center_m = center;
        shape->size_m = vec2(size_m * 2.0f, size_m * scene_draw(random, 0.2f, 2.0f));
        shape->orientation_deg = scene_draw_chance(random, 0.3f) ? 0.0f : scene_draw(random, 0.0f, 360.0f);
        break;
    case 2:
        shape->kind = STEER_SHAPE_SEGMENT;
        shape->point_count = 2;
        shape->points_m[0] = vec2_mad(center, along, size_m);
        shape->points_m[1] = vec2_mad(center, along, -size_m);
        break;
    default:
        scene_make_polygon(random, center, size_m, shape);
        break;
    }
}

/* What scenes are about. */
enum scene_plot {
    SCENE_PLOT_ANYWHERE,  /* each to a place of its own */
    SCENE_PLOT_ONE_POINT, /* all to one */
    SCENE_PLOT_EXCHANGE,  /* each to where another stands */
    SCENE_PLOT_THROUGH,   /* each to the opposite side */
    SCENE_PLOTS,
};

/* Ranges of a scene: its agents are alike or very unlike. */
struct scene_ranges {
    enum scene_plot plot;
    float half_m;
    float radius_min_m;
    float radius_max_m;
    float speed_min_mps;
    float speed_max_mps;
    float share_walkers; /* of the plain profile */
    float share_moving;  /* at the start */
    struct vec2 meeting_m;
};

static void scene_draw_span(struct scene_random *random, float min, float max, float *min_out, float *max_out)
{
    float a = scene_draw_log(random, min, max);
    float b = scene_draw_chance(random, 0.4f) ? a : scene_draw_log(random, min, max);
    *min_out = a < b ? a : b;
    *max_out = a < b ? b : a;
}

static struct scene_ranges scene_draw_ranges(struct scene_random *random, uint32_t agents)
{
    struct scene_ranges ranges = {.plot = scene_draw_index(random, SCENE_PLOTS)};
    scene_draw_span(random, 0.1f, 2.0f, &ranges.radius_min_m, &ranges.radius_max_m);
    scene_draw_span(random, 0.1f, 20.0f, &ranges.speed_min_mps, &ranges.speed_max_mps);
    float cover = scene_draw_log(random, 0.005f, 0.3f); /* of the ground, by bodies of middle size */
    float middle_m = 0.5f * (ranges.radius_min_m + ranges.radius_max_m);
    float half_m = 0.5f * middle_m * sqrtf((float)agents * 3.14159f / cover);
    float least_m = fmaxf(SCENE_HALF_MIN_M, 3.0f * ranges.radius_max_m);
    ranges.half_m = fminf(fmaxf(half_m, least_m), SCENE_HALF_MAX_M);
    ranges.share_walkers = scene_draw_chance(random, 0.5f) ? 1.0f : scene_draw(random, 0.0f, 1.0f);
    ranges.share_moving = scene_draw_chance(random, 0.5f) ? 0.0f : scene_draw(random, 0.0f, 1.0f);
    ranges.meeting_m = scene_draw_point(random, ranges.half_m * 0.5f);
    return ranges;
}

static bool scene_has_room(const struct scene *scene, struct vec2 position, float radius_m)
{
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        if (steer_shape_distance(&scene->shapes[i], position) < radius_m + SCENE_CLEARANCE_M) {
            return false;
        }
    }
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        float apart_m = vec2_length(vec2_sub(scene->agents[i].position_m, position));
        if (apart_m < scene->agents[i].radius_m + radius_m + SCENE_CLEARANCE_M) {
            return false;
        }
    }
    return true;
}

/* Nearer to `from` when it is farther than a walk of SCENE_WALK_S. */
static struct vec2 scene_within_walk(const struct scene_agent *agent, struct vec2 from, struct vec2 to)
{
    struct vec2 way = vec2_sub(to, from);
    return vec2_add(from, vec2_clamp_length(way, agent->max_speed_mps * SCENE_WALK_S));
}

static void scene_make_body(struct scene_random *random, const struct scene_ranges *ranges,
                            struct scene *scene, struct scene_agent *agent)
{
    memset(agent, 0, sizeof *agent);
    agent->radius_m = scene_draw_log(random, ranges->radius_min_m, ranges->radius_max_m);
    agent->max_speed_mps = scene_draw_log(random, ranges->speed_min_mps, ranges->speed_max_mps);
    agent->max_accel_mps2 = agent->max_speed_mps * scene_draw_log(random, 0.7f, 10.0f);
    agent->orientation_deg = scene_draw(random, 0.0f, 360.0f);
    if (scene_draw_chance(random, ranges->share_moving)) {
        float speed_mps = scene_draw(random, 0.0f, agent->max_speed_mps);
        agent->velocity_mps = vec2_scale(trig_direction(scene_draw(random, 0.0f, 360.0f)), speed_mps);
    }
    if (scene->profile_count > 0 && !scene_draw_chance(random, ranges->share_walkers)) {
        agent->profile = 1 + scene_draw_index(random, scene->profile_count);
    }
}

static bool scene_place(struct scene_random *random, const struct scene_ranges *ranges, struct scene *scene)
{
    struct scene_agent *agent = &scene->agents[scene->agent_count];
    scene_make_body(random, ranges, scene, agent);
    for (uint32_t i = 0; i < SCENE_PLACE_TRIES; i++) {
        agent->position_m = scene_draw_point(random, ranges->half_m - agent->radius_m - SCENE_CLEARANCE_M);
        if (scene_has_room(scene, agent->position_m, agent->radius_m)) {
            scene->agent_count++;
            return true;
        }
    }
    return false;
}

static struct vec2 scene_draw_target(struct scene_random *random, const struct scene_ranges *ranges,
                                     const struct scene *scene, uint32_t index)
{
    switch (ranges->plot) {
    case SCENE_PLOT_ONE_POINT:
        return ranges->meeting_m;
    case SCENE_PLOT_EXCHANGE:
        return scene->agents[(index + 1) % scene->agent_count].position_m;
    case SCENE_PLOT_THROUGH:
        return vec2_scale(scene->agents[index].position_m, -1.0f);
    case SCENE_PLOT_ANYWHERE:
    case SCENE_PLOTS:
        break;
    }
    return scene_draw_point(random, ranges->half_m);
}

static void scene_make_goal(struct scene_random *random, const struct scene_ranges *ranges,
                            struct scene *scene, uint32_t index)
{
    struct scene_agent *agent = &scene->agents[index];
    float kind = scene_draw(random, 0.0f, 1.0f);
    if (kind < 0.08f) {
        return; /* idle */
    }
    if (kind < 0.14f && index > 0) {
        agent->goal = STEER_GOAL_AGENT; /* an earlier one: a chain, not a ring */
        agent->other = scene_draw_index(random, index);
        return;
    }
    agent->goal = STEER_GOAL_POINT;
    agent->point_count = 1;
    if (kind < 0.24f) {
        agent->goal = STEER_GOAL_PATH;
        agent->point_count += scene_draw_index(random, SCENE_PATH_MAX);
    }
    struct vec2 from = agent->position_m;
    for (uint32_t i = 0; i < agent->point_count; i++) {
        struct vec2 to = i + 1 < agent->point_count ? scene_draw_point(random, ranges->half_m)
                                                    : scene_draw_target(random, ranges, scene, index);
        /* All to one point means to one, however slow they are. */
        from = ranges->plot == SCENE_PLOT_ONE_POINT ? to : scene_within_walk(agent, from, to);
        agent->points_m[i] = from;
    }
}

void scene_make(uint64_t seed, struct scene *scene)
{
    static const uint32_t rates_hz[] = {15, 30, 30, 60};
    struct scene_random random = {.seed = seed};
    uint32_t wanted = 2 + scene_draw_index(&random, SCENE_AGENTS_MAX - 1);
    wanted = scene_draw_chance(&random, 0.5f) ? 2 + wanted / 5 : wanted; /* few show as much, and sooner */
    memset(scene, 0, sizeof *scene);
    scene->seed = seed;
    scene->tick_rate_hz = rates_hz[scene_draw_index(&random, sizeof rates_hz / sizeof rates_hz[0])];
    struct scene_ranges ranges = scene_draw_ranges(&random, wanted);
    if (ranges.share_walkers < 1.0f) {
        scene->profile_count = 1 + scene_draw_index(&random, SCENE_PROFILES_MAX - 1);
        for (uint32_t i = 0; i < scene->profile_count; i++) {
            scene_make_profile(&random, i, &scene->profiles[i]);
        }
    }
    uint32_t shapes = scene_draw_chance(&random, 0.35f) ? 0 : scene_draw_index(&random, SCENE_SHAPES_MAX + 1);
    for (; scene->shape_count < shapes; scene->shape_count++) {
        scene_make_shape(&random, ranges.half_m, &scene->shapes[scene->shape_count]);
    }
    while (scene->agent_count < wanted) {
        if (scene_place(&random, &ranges, scene)) {
            continue;
        }
        if (scene->agent_count >= 2) {
            break; /* full */
        }
        ranges.half_m *= 1.5f;
    }
    scene->min_m = vec2(-ranges.half_m, -ranges.half_m);
    scene->max_m = vec2(ranges.half_m, ranges.half_m);
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        scene_make_goal(&random, &ranges, scene, i);
    }
}

void scene_remove_agent(struct scene *scene, uint32_t index)
{
    scene->agent_count--;
    memmove(&scene->agents[index], &scene->agents[index + 1],
            (scene->agent_count - index) * sizeof scene->agents[0]);
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        struct scene_agent *agent = &scene->agents[i];
        if (agent->goal == STEER_GOAL_AGENT && agent->other == index) {
            agent->goal = STEER_GOAL_NONE;
        } else if (agent->goal == STEER_GOAL_AGENT && agent->other > index) {
            agent->other--;
        }
    }
}

void scene_remove_shape(struct scene *scene, uint32_t index)
{
    scene->shape_count--;
    memmove(&scene->shapes[index], &scene->shapes[index + 1],
            (scene->shape_count - index) * sizeof scene->shapes[0]);
}
