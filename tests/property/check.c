/* Steps a scene and holds every tick against what must always be true. */
#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sim/world_internal.h"

#define CHECK_TICKS_MIN_S   5.0f   /* at least so long: what is at rest must stay sound */
#define CHECK_SECONDS_MAX   200.0f /* longer than the longest bound of an end */
#define CHECK_PENETRATION_M 1e-3f
#define CHECK_OVERLAP       0.01f /* of the sum of radii */
/*
 * Where there is no room: 2 cm, or 2.5 % of the sum of radii where that is more, which are the 2 cm of two
 * people. People go 5 cm in a tick. Where somebody goes farther nothing is claimed: see README.md.
 */
#define CHECK_PRESS_M       0.02f
#define CHECK_PRESS         0.025f
#define CHECK_PRESS_WAY_M   0.05f
#define CHECK_TOUCH_M       0.01f /* rims this near may have touched within the tick */
#define CHECK_ROUNDING      1e-5f /* of a speed */
#define CHECK_WINDOW_S      5.0f  /* simulation.md, section 4: who is blocked */
#define CHECK_NEARER_M      0.5f
#define CHECK_NEARER_S      1.25f
#define CHECK_WINDOWS_SPARE 2.0f

struct check {
    const struct scene *scene;
    struct world *world;
    float dt_s;
    bool is_driven; /* somebody goes farther in a tick than people do */
    struct vec2 velocity_before[SCENE_AGENTS_MAX];
    struct vec2 position_before[SCENE_AGENTS_MAX];
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

__attribute__((format(printf, 3, 4))) static void check_fail(struct check *check, enum property property,
                                                             const char *format, ...)
{
    if (check->failure.property != PROPERTY_NONE) {
        return;
    }
    va_list arguments;
    check->failure.property = property;
    check->failure.tick = world_tick(check->world);
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
        wall_m = fminf(wall_m, shape_distance(&scene->shapes[i], place));
    }
    return wall_m;
}

static bool check_touches_agent(const struct agent_columns *agents, uint32_t row)
{
    for (uint32_t i = 0; i < agents->count; i++) {
        float x_m = agents->x_m[i] - agents->x_m[row];
        float y_m = agents->y_m[i] - agents->y_m[row];
        if (i != row && hypotf(x_m, y_m) < agents->radius_m[i] + agents->radius_m[row] + CHECK_TOUCH_M) {
            return true;
        }
    }
    return false;
}

/* Whether the change of velocity of this tick can be the work of something that was touched, not of steering.
 */
static bool check_has_touched(const struct check *check, const struct agent_columns *agents, uint32_t row)
{
    float way_m = vec2_length(check->velocity_before[row]) * check->dt_s;
    float reach_m = agents->radius_m[row] + way_m + CHECK_TOUCH_M;
    return check_wall_m(check->scene, check->position_before[row]) < reach_m ||
           check_touches_agent(agents, row);
}

static void check_motion(struct check *check, const struct agent_columns *agents, uint32_t row)
{
    const struct agent_store *store = &check->world->agents;
    struct vec2 velocity = vec2(agents->vx_mps[row], agents->vy_mps[row]);
    float rotation_deg_s = agents->rotation_deg_s[row];
    if (!vec2_is_finite(velocity) || !isfinite(agents->x_m[row]) || !isfinite(agents->y_m[row]) ||
        !isfinite(rotation_deg_s) ||
        !(agents->orientation_deg[row] >= 0.0f && agents->orientation_deg[row] < 360.0f)) {
        check_fail(check, PROPERTY_FINITE, "agent %u", row + 1);
        return;
    }
    float max_mps = store->max_speed[row];
    const struct profile *profile = world_profile(check->world, agents->profile[row]);
    if (vec2_length(velocity) > max_mps * (1.0f + CHECK_ROUNDING) ||
        fabsf(rotation_deg_s) > profile->limits.max_rotation * (1.0f + CHECK_ROUNDING)) {
        check_fail(check, PROPERTY_SPEED, "agent %u goes %.6g m/s, turns %.6g deg/s", row + 1,
                   (double)vec2_length(velocity), (double)rotation_deg_s);
    }
    float change_mps = vec2_length(vec2_sub(velocity, check->velocity_before[row]));
    float most_mps = store->max_accel[row] * check->dt_s + max_mps * CHECK_ROUNDING;
    bool stops = profile->rest == REST_STOP && velocity.x == 0.0f && velocity.y == 0.0f;
    if (change_mps > most_mps && !stops && !check_has_touched(check, agents, row)) {
        check_fail(check, PROPERTY_ACCEL, "agent %u: %.6g m/s of %.6g", row + 1, (double)change_mps,
                   (double)most_mps);
    }
}

static void check_walls(struct check *check, const struct agent_columns *agents, uint32_t row)
{
    const struct scene *scene = check->scene;
    struct vec2 place = vec2(agents->x_m[row], agents->y_m[row]);
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        float gap_m = shape_distance(&scene->shapes[i], place) - agents->radius_m[row];
        if (gap_m < -CHECK_PENETRATION_M) {
            check_fail(check, PROPERTY_OBSTACLE, "agent %u in obstacle %u by %.6g m", row + 1, i + 1,
                       (double)-gap_m);
        }
    }
    float edge_m = fminf(fminf(place.x - scene->min_m.x, scene->max_m.x - place.x),
                         fminf(place.y - scene->min_m.y, scene->max_m.y - place.y));
    if (edge_m < agents->radius_m[row] - CHECK_PENETRATION_M) {
        check_fail(check, PROPERTY_EDGE, "agent %u by %.6g m", row + 1,
                   (double)(agents->radius_m[row] - edge_m));
    }
}

static void check_overlaps(struct check *check, const struct agent_columns *agents)
{
    for (uint32_t i = 0; i < agents->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            float reach_m = agents->radius_m[i] + agents->radius_m[j];
            float x_m = agents->x_m[i] - agents->x_m[j];
            float y_m = agents->y_m[i] - agents->y_m[j];
            float depth_m = reach_m - hypotf(x_m, y_m);
            if (depth_m <= CHECK_OVERLAP * reach_m) {
                continue;
            }
            bool is_room = room_is_there(check->world);
            float part = depth_m / reach_m;
            if (!is_room && check->is_driven) {
                check->tally->overlaps_driven++;
                check->tally->driven_worst = fmaxf(check->tally->driven_worst, part);
                continue;
            }
            check->tally->overlaps_deep += is_room ? 0 : 1;
            if (is_room || depth_m > fmaxf(CHECK_PRESS_M, CHECK_PRESS * reach_m)) {
                check_fail(check, PROPERTY_OVERLAP, "agents %u and %u by %.6g m of %.6g, %s", j + 1, i + 1,
                           (double)depth_m, (double)reach_m, is_room ? "where there is room" : "in a press");
            }
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

static bool check_is_driven(const struct scene *scene)
{
    float fastest_mps = 0.0f;
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        fastest_mps = fmaxf(fastest_mps, scene->agents[i].max_speed_mps);
    }
    return fastest_mps > CHECK_PRESS_WAY_M * (float)scene->tick_rate_hz;
}

static void check_begin_ends(struct check *check)
{
    for (uint32_t i = 0; i < check->scene->agent_count; i++) {
        const struct scene_agent *agent = &check->scene->agents[i];
        /* Who follows somebody ends when that one does, which may be never. */
        check->has_end[i] = agent->goal != GOAL_POINT && agent->goal != GOAL_PATH;
        check->end_by_s[i] = check_bound_s(agent);
        check->tally->with_goal += check->has_end[i] ? 0 : 1;
    }
}

static bool check_ends(struct check *check)
{
    uint32_t count;
    const struct world_event *events = world_events(check->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = events[i].agent.value - 1;
        if (!check->has_end[index]) {
            check->has_end[index] = true;
            check->tally->arrived += events[i].kind == WORLD_EVENT_ARRIVED ? 1 : 0;
            check->tally->blocked += events[i].kind == WORLD_EVENT_BLOCKED ? 1 : 0;
        }
    }
    world_clear_changes(check->world);
    bool all = true;
    float now_s = (float)world_tick(check->world) * check->dt_s;
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
    struct agent_columns agents = world_agents(check->world);
    for (uint32_t i = 0; i < agents.count; i++) {
        check->position_before[i] = vec2(agents.x_m[i], agents.y_m[i]);
        check->velocity_before[i] = vec2(agents.vx_mps[i], agents.vy_mps[i]);
    }
}

static void check_tick(struct check *check)
{
    struct agent_columns agents = world_agents(check->world);
    for (uint32_t i = 0; i < agents.count; i++) {
        check_motion(check, &agents, i);
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
        .is_driven = check_is_driven(scene),
        .tally = tally,
    };
    tally->agents += scene->agent_count;
    check_begin_ends(&check);
    bool ended = false;
    for (uint32_t tick = 0; check.failure.property == PROPERTY_NONE; tick++) {
        float now_s = (float)tick * check.dt_s;
        if (now_s > CHECK_SECONDS_MAX || (ended && now_s > CHECK_TICKS_MIN_S)) {
            break;
        }
        check_remember(&check);
        world_step(check.world, pool);
        check_tick(&check);
        ended = check_ends(&check);
    }
    world_destroy(check.world);
    job_pool_destroy(pool);
    return check.failure;
}
