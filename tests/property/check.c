/* Steps a scene and holds every tick against what must always be true. */
#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sim/world_internal.h"

#define CHECK_TICKS_MIN_S   5.0f  /* at least so long: what is at rest must stay sound */
#define CHECK_PENETRATION_M 2e-5f /* rounding: in a world of 120 m floats lie 4e-6 m apart */
#define CHECK_OVERLAP       0.01f /* of the sum of radii */
#define CHECK_TOUCH_M       1e-3f /* beyond his way of the tick: what is nearer may have been touched */
#define CHECK_ROUNDING      1e-5f /* of a speed */
#define CHECK_WINDOW_S      5.0f  /* simulation.md, section 4: who is blocked */
#define CHECK_NEARER_M      0.5f
#define CHECK_NEARER_S      1.25f
#define CHECK_WINDOWS_SPARE 2.0f

struct check {
    const struct scene *scene;
    struct steer_world *world;
    float dt_s;
    struct vec2 velocity_before[SCENE_AGENTS_MAX];
    struct vec2 position_before[SCENE_AGENTS_MAX];
    float rotation_before_deg_s[SCENE_AGENTS_MAX];
    bool has_end[SCENE_AGENTS_MAX]; /* arrived, blocked, or has no such goal */
    float end_by_s[SCENE_AGENTS_MAX];
    struct tally *tally;
    struct failure failure;
};

const char *property_word(enum property property)
{
    static const char *const words[PROPERTIES] = {
        "none",
#define PROPERTY(name, word, claim) word,
#include "property.def"
#undef PROPERTY
    };
    return words[property];
}

const char *property_claim(enum property property)
{
    static const char *const claims[PROPERTIES] = {
        "all held",
#define PROPERTY(name, word, claim) claim,
#include "property.def"
#undef PROPERTY
    };
    return claims[property];
}

void tally_add(struct tally *sum, const struct tally *more)
{
    sum->agents += more->agents;
    sum->ticks += more->ticks;
    sum->agent_ticks += more->agent_ticks;
    sum->with_goal += more->with_goal;
    sum->arrived += more->arrived;
    sum->blocked += more->blocked;
    sum->symmetric += more->symmetric;
}

__attribute__((format(printf, 3, 4))) static void check_fail(struct check *check, enum property property,
                                                             const char *format, ...)
{
    if (check->failure.property != PROPERTY_NONE) {
        return;
    }
    va_list arguments;
    check->failure.property = property;
    check->failure.tick = steer_world_tick(check->world);
    va_start(arguments, format);
    vsnprintf(check->failure.text, sizeof check->failure.text, format, arguments);
    va_end(arguments);
}

/* Smallest distance of a place to anything solid but agents: obstacles and edges of the world. */
static float check_wall_m(const struct scene *scene, struct vec2 place)
{
    float x_m = fminf(place.x - scene->min_m.x, scene->max_m.x - place.x);
    float wall_m = fminf(x_m, fminf(place.y - scene->min_m.y, scene->max_m.y - place.y));
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        wall_m = fminf(wall_m, steer_shape_distance(&scene->shapes[i], place));
    }
    return wall_m;
}

/* Whether a wall can have been touched on the way of this tick. Agents that touch push, and stop nobody. */
static bool check_has_touched(const struct check *check, const struct steer_agent_columns *agents,
                              uint32_t row)
{
    float way_m = vec2_length(check->velocity_before[row]) * check->dt_s;
    float reach_m = agents->radius_m[row] + way_m + CHECK_TOUCH_M;
    return check_wall_m(check->scene, check->position_before[row]) < reach_m;
}

static void check_numbers(struct check *check, const struct steer_agent_columns *agents, uint32_t row)
{
    float max_mps = check->world->agents.max_speed[row];
    const struct steer_profile *profile = steer_world_profile(check->world, agents->profile[row]);
    struct vec2 velocity = vec2(agents->vx_mps[row], agents->vy_mps[row]);
    float rotation_deg_s = agents->rotation_deg_s[row];
    if (!vec2_is_finite(velocity) || !isfinite(agents->x_m[row]) || !isfinite(agents->y_m[row]) ||
        !isfinite(rotation_deg_s) ||
        !(agents->orientation_deg[row] >= 0.0f && agents->orientation_deg[row] < 360.0f)) {
        check_fail(check, PROPERTY_FINITE, "agent %u", row + 1);
    } else if (vec2_length(velocity) > max_mps * (1.0f + CHECK_ROUNDING) ||
               fabsf(rotation_deg_s) > profile->limits.max_rotation * (1.0f + CHECK_ROUNDING)) {
        check_fail(check, PROPERTY_SPEED, "agent %u goes %.6g m/s, turns %.6g deg/s", row + 1,
                   (double)vec2_length(velocity), (double)rotation_deg_s);
    }
}

/* A wall takes velocity away, at once; nothing gives it at once. */
static void check_accel(struct check *check, const struct steer_agent_columns *agents, uint32_t row)
{
    const struct agent_store *store = &check->world->agents;
    const struct steer_profile *profile = steer_world_profile(check->world, agents->profile[row]);
    struct vec2 velocity = vec2(agents->vx_mps[row], agents->vy_mps[row]);
    struct vec2 before = check->velocity_before[row];
    float most_mps = store->max_accel[row] * check->dt_s + store->max_speed[row] * CHECK_ROUNDING;
    bool stops = profile->rest == STEER_REST_STOP && velocity.x == 0.0f && velocity.y == 0.0f;
    float change_mps = check_has_touched(check, agents, row) ? vec2_length(velocity) - vec2_length(before)
                                                             : vec2_length(vec2_sub(velocity, before));
    if (change_mps > most_mps && !stops) {
        check_fail(check, PROPERTY_ACCEL, "agent %u: %.6g m/s of %.6g", row + 1, (double)change_mps,
                   (double)most_mps);
    }
    float rotation_deg_s = agents->rotation_deg_s[row];
    float most_deg_s =
        profile->limits.max_angular_accel * check->dt_s + profile->limits.max_rotation * CHECK_ROUNDING;
    float change_deg_s = fabsf(rotation_deg_s - check->rotation_before_deg_s[row]);
    if (change_deg_s > most_deg_s && !(profile->rest == STEER_REST_STOP && rotation_deg_s == 0.0f)) {
        check_fail(check, PROPERTY_ACCEL, "agent %u: %.6g deg/s of %.6g", row + 1, (double)change_deg_s,
                   (double)most_deg_s);
    }
}

/* How far others may have pushed him in this tick: as fast as the fastest who came near enough, and out of
 * himself. */
static float check_push_m(const struct check *check, const struct steer_agent_columns *agents, uint32_t row)
{
    float own_m = vec2_length(check->velocity_before[row]) * check->dt_s;
    float push_m = 0.0f;
    for (uint32_t other = 0; other < agents->count; other++) {
        float way_m = vec2_length(check->velocity_before[other]) * check->dt_s;
        float reach_m = agents->radius_m[row] + agents->radius_m[other] + own_m + way_m;
        struct vec2 apart = vec2_sub(check->position_before[other], check->position_before[row]);
        if (other != row && vec2_length(apart) < reach_m) {
            push_m = fmaxf(push_m, way_m);
        }
    }
    return push_m + agents->radius_m[row];
}

static void check_walls(struct check *check, const struct steer_agent_columns *agents, uint32_t row)
{
    const struct scene *scene = check->scene;
    struct vec2 place = vec2(agents->x_m[row], agents->y_m[row]);
    float way_m = vec2_length(check->velocity_before[row]) * check->dt_s;
    const struct crossing crossing = {
        .from_m = check->position_before[row],
        .to_m = place,
        .radius_m = agents->radius_m[row],
        .way_max_m = way_m + check_push_m(check, agents, row),
    };
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        float gap_m = steer_shape_distance(&scene->shapes[i], place) - agents->radius_m[row];
        if (gap_m < -CHECK_PENETRATION_M) {
            check_fail(check, PROPERTY_OBSTACLE, "agent %u in obstacle %u by %.6g m", row + 1, i + 1,
                       (double)-gap_m);
        }
        if (crossing_is_through(&scene->shapes[i], &crossing)) {
            check_fail(check, PROPERTY_OBSTACLE, "agent %u went through obstacle %u", row + 1, i + 1);
        }
    }
    float edge_m = fminf(fminf(place.x - scene->min_m.x, scene->max_m.x - place.x),
                         fminf(place.y - scene->min_m.y, scene->max_m.y - place.y));
    if (edge_m < agents->radius_m[row] - CHECK_PENETRATION_M) {
        check_fail(check, PROPERTY_EDGE, "agent %u by %.6g m", row + 1,
                   (double)(agents->radius_m[row] - edge_m));
    }
}

static void check_overlaps(struct check *check, const struct steer_agent_columns *agents)
{
    for (uint32_t i = 0; i < agents->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            float reach_m = agents->radius_m[i] + agents->radius_m[j];
            float x_m = agents->x_m[i] - agents->x_m[j];
            float y_m = agents->y_m[i] - agents->y_m[j];
            float near_m = (1.0f - CHECK_OVERLAP) * reach_m;
            if (x_m * x_m + y_m * y_m >= near_m * near_m) {
                continue;
            }
            check_fail(check, PROPERTY_OVERLAP, "agents %u and %u by %.6g m of %.6g", j + 1, i + 1,
                       (double)(reach_m - hypotf(x_m, y_m)), (double)reach_m);
        }
    }
}

/*
 * When an agent has come to an end at the latest. In every window in which it is not blocked it comes nearer
 * by so much, so there are only so many of them before there is nothing left to come nearer to.
 */
static float check_bound_s(const struct scene_agent *agent)
{
    float way_m = 0.0f;
    struct vec2 from = agent->position_m;
    for (uint32_t i = 0; i < agent->point_count; i++) {
        way_m += vec2_length(vec2_sub(agent->points_m[i], from));
        from = agent->points_m[i];
    }
    float nearer_m = fminf(CHECK_NEARER_M, CHECK_NEARER_S * agent->max_speed_mps);
    return CHECK_WINDOW_S * (way_m / nearer_m + CHECK_WINDOWS_SPARE);
}

static void check_begin_ends(struct check *check)
{
    for (uint32_t i = 0; i < check->scene->agent_count; i++) {
        const struct scene_agent *agent = &check->scene->agents[i];
        /* Who follows somebody ends when that one does, which may be never. */
        check->has_end[i] = agent->goal != STEER_GOAL_POINT && agent->goal != STEER_GOAL_PATH;
        check->end_by_s[i] = check_bound_s(agent);
        check->tally->with_goal += check->has_end[i] ? 0 : 1;
    }
}

static bool check_ends(struct check *check)
{
    uint32_t count;
    const struct steer_world_event *events = steer_world_events(check->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = events[i].agent.value - 1;
        if (!check->has_end[index]) {
            check->has_end[index] = true;
            check->tally->arrived += events[i].kind == STEER_WORLD_EVENT_ARRIVED ? 1 : 0;
            check->tally->blocked += events[i].kind == STEER_WORLD_EVENT_BLOCKED ? 1 : 0;
        }
    }
    steer_world_clear_changes(check->world);
    bool all = true;
    float now_s = (float)steer_world_tick(check->world) * check->dt_s;
    for (uint32_t i = 0; i < check->scene->agent_count; i++) {
        all = all && check->has_end[i];
        if (!check->has_end[i] && now_s > check->end_by_s[i]) {
            check_fail(check, PROPERTY_END, "agent %u by %.6g s", i + 1, (double)check->end_by_s[i]);
        }
    }
    return all;
}

static void check_remember(struct check *check)
{
    struct steer_agent_columns agents = steer_world_agents(check->world);
    for (uint32_t i = 0; i < agents.count; i++) {
        check->position_before[i] = vec2(agents.x_m[i], agents.y_m[i]);
        check->rotation_before_deg_s[i] = agents.rotation_deg_s[i];
        check->velocity_before[i] = vec2(agents.vx_mps[i], agents.vy_mps[i]);
    }
}

static void check_tick(struct check *check)
{
    struct steer_agent_columns agents = steer_world_agents(check->world);
    for (uint32_t i = 0; i < agents.count; i++) {
        check_numbers(check, &agents, i);
        check_accel(check, &agents, i);
        check_walls(check, &agents, i);
    }
    check_overlaps(check, &agents);
    check->tally->ticks++;
    check->tally->agent_ticks += agents.count;
}

struct failure check_scene(const struct scene *scene, struct tally *tally)
{
    struct job_pool *pool = job_pool_create(1);
    struct check check = {
        .scene = scene,
        .world = scene_create_world(scene, 1),
        .dt_s = 1.0f / (float)scene->tick_rate_hz,
        .tally = tally,
    };
    tally->agents += scene->agent_count;
    check_begin_ends(&check);
    bool ended = false;
    for (uint32_t tick = 0; check.failure.property == PROPERTY_NONE; tick++) {
        if (ended && (float)tick * check.dt_s > CHECK_TICKS_MIN_S) {
            break;
        }
        check_remember(&check);
        steer_world_step(check.world, pool);
        check_tick(&check);
        ended = check_ends(&check);
    }
    steer_world_destroy(check.world);
    job_pool_destroy(pool);
    return check.failure;
}
