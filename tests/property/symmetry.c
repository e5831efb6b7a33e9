/*
 * One tick's steering in a scene that is somewhere else, turned or mirrored (simulation.md, section 5).
 * Everything lies on a grid of 1/1024 m and moves by whole steps of it in a tick, so that changing the scene
 * loses no bit: differences are the steering's own. The worlds are the same square of 2 km: what depends on
 * the world's size is not what is compared. Agents that touch something are left out: touching is not
 * steering.
 *
 * A mirrored scene is one with the sides of passing mirrored, too: the parameter, and the side that an
 * obstacle's id gives to who comes upon its very middle (odd: right). So the ids of the mirrored scene are
 * higher by one, and that tie must come out mirrored as everything else: nothing is excused.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "sim/steer.h"
#include "sim/world_internal.h"

#define SYMMETRY_GRID           1024.0f
#define SYMMETRY_RATE_HZ        32
#define SYMMETRY_WORLD_M        2048.0f
#define SYMMETRY_SHIFT_M        1000.0f
#define SYMMETRY_APART_M        0.02f
#define SYMMETRY_DIFFERENCE     1e-4f /* m/s^2 */
#define SYMMETRY_DIFFERENCE_DEG 0.01f /* deg/s^2 */
#define SYMMETRY_HEADING_DEG    1e-4f /* rounding of two headings, which are floats up to 360 */
#define SYMMETRY_APART_PER_DEG  128.0f

/* Parameters by which a behaviour prefers a side: their sign says which. */
static const char *const symmetry_sides[] = {"passing_side", "offset_x"};

static struct vec2 symmetry_snap(struct vec2 point, float per_unit)
{
    return vec2(rintf(point.x * per_unit) / per_unit, rintf(point.y * per_unit) / per_unit);
}

/* Steering of one tick, by agent. */
struct symmetry_steering {
    struct vec2 linear[SCENE_AGENTS_MAX];
    float angular[SCENE_AGENTS_MAX];
    uint8_t asks[SCENE_AGENTS_MAX];
};

static void symmetry_steer(const struct scene *scene, struct symmetry_steering *out)
{
    struct steer_world *world = scene_create_world(scene, 1);
    struct job_pool *pool = job_pool_create(1);
    steer_world_step(world, pool);
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        bool moves = (world->scratch_d[i] & STEER_ASKS_LINEAR) != 0;
        bool turns = (world->scratch_d[i] & STEER_ASKS_ANGULAR) != 0;
        out->linear[i] = moves ? vec2(world->scratch_a[i], world->scratch_b[i]) : vec2(0.0f, 0.0f);
        out->angular[i] = turns ? world->scratch_c[i] : 0.0f;
        out->asks[i] = world->scratch_d[i];
    }
    job_pool_destroy(pool);
    steer_world_destroy(world);
}

/* Whether an agent touches something before or after its move. */
static bool symmetry_touches(const struct scene *scene, uint32_t index)
{
    const float dt_s = 1.0f / SYMMETRY_RATE_HZ;
    const struct scene_agent *agent = &scene->agents[index];
    float way_m = vec2_length(agent->velocity_mps) * dt_s;
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        if (steer_shape_distance(&scene->shapes[i], agent->position_m) <
            agent->radius_m + way_m + SYMMETRY_APART_M) {
            return true;
        }
    }
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        const struct scene_agent *other = &scene->agents[i];
        struct vec2 before = vec2_sub(agent->position_m, other->position_m);
        struct vec2 after = vec2_mad(before, vec2_sub(agent->velocity_mps, other->velocity_mps), dt_s);
        float apart_m = fminf(vec2_length(before), vec2_length(after));
        if (i != index && apart_m < agent->radius_m + other->radius_m + SYMMETRY_APART_M) {
            return true;
        }
    }
    return false;
}

/* The scene on the grid, everybody on his way. */
static void symmetry_prepare(const struct scene *scene, struct scene *out)
{
    struct scene_random random = {.seed = ~scene->seed};
    *out = *scene;
    out->tick_rate_hz = SYMMETRY_RATE_HZ;
    out->min_m = vec2(-SYMMETRY_WORLD_M, -SYMMETRY_WORLD_M);
    out->max_m = vec2(SYMMETRY_WORLD_M, SYMMETRY_WORLD_M);
    for (uint32_t i = 0; i < out->shape_count; i++) {
        struct steer_shape *shape = &out->shapes[i];
        shape->center_m = symmetry_snap(shape->center_m, SYMMETRY_GRID);
        shape->orientation_deg = rintf(shape->orientation_deg);
        for (uint32_t k = 0; k < shape->point_count; k++) {
            shape->points_m[k] = symmetry_snap(shape->points_m[k], SYMMETRY_GRID);
        }
    }
    for (uint32_t i = 0; i < out->agent_count; i++) {
        struct scene_agent *agent = &out->agents[i];
        float x = scene_draw(&random, -0.7f, 0.7f);
        struct vec2 velocity = vec2_scale(vec2(x, scene_draw(&random, -0.7f, 0.7f)), agent->max_speed_mps);
        agent->velocity_mps = symmetry_snap(velocity, SYMMETRY_GRID / SYMMETRY_RATE_HZ);
        agent->position_m = symmetry_snap(agent->position_m, SYMMETRY_GRID);
        /* No two exactly opposite: who is to turn by half a turn always does it to the left. */
        agent->orientation_deg =
            0.375f + (float)scene_draw_index(&random, 359) + (float)i / SYMMETRY_APART_PER_DEG;
        for (uint32_t k = 0; k < agent->point_count; k++) {
            agent->points_m[k] = symmetry_snap(agent->points_m[k], SYMMETRY_GRID);
        }
    }
    for (uint32_t i = 0; i < out->agent_count;) {
        const struct scene_agent *agent = &out->agents[i];
        bool legal = vec2_length(agent->velocity_mps) <= agent->max_speed_mps;
        if (legal && !symmetry_touches(out, i)) {
            i++;
        } else {
            scene_remove_agent(out, i);
        }
    }
}

/* A change of the plane: a linear part that is exact in float, then a shift. */
struct symmetry {
    float xx, xy, yx, yy;
    struct vec2 shift_m;
    float turn_deg; /* clockwise, before mirroring */
    bool mirrors;   /* x -> -x */
};

static struct vec2 symmetry_way(const struct symmetry *change, struct vec2 way)
{
    return vec2(change->xx * way.x + change->xy * way.y, change->yx * way.x + change->yy * way.y);
}

static struct vec2 symmetry_place(const struct symmetry *change, struct vec2 place)
{
    return vec2_add(symmetry_way(change, place), change->shift_m);
}

static float symmetry_heading(const struct symmetry *change, float heading_deg)
{
    return change->mirrors ? 360.0f - heading_deg : heading_deg + change->turn_deg;
}

static void symmetry_mirror_sides(struct steer_profile *profile)
{
    for (uint32_t i = 0; i < profile->behaviour_count; i++) {
        const struct steer_behaviour_info *info = steer_behaviour_info(profile->behaviours[i].behaviour);
        for (uint32_t k = 0; k < info->parameter_count; k++) {
            for (size_t side = 0; side < sizeof symmetry_sides / sizeof symmetry_sides[0]; side++) {
                if (strcmp(info->parameters[k].name, symmetry_sides[side]) == 0) {
                    profile->behaviours[i].parameters[k] *= -1.0f;
                }
            }
        }
    }
}

static void symmetry_change(const struct scene *scene, const struct symmetry *change, struct scene *out)
{
    *out = *scene;
    for (uint32_t i = 0; i < out->shape_count; i++) {
        struct steer_shape *shape = &out->shapes[i];
        shape->center_m = symmetry_place(change, shape->center_m);
        shape->orientation_deg = fmodf(symmetry_heading(change, shape->orientation_deg), 360.0f);
        for (uint32_t k = 0; k < shape->point_count; k++) {
            shape->points_m[k] = symmetry_place(change, shape->points_m[k]);
        }
    }
    for (uint32_t i = 0; i < out->agent_count; i++) {
        struct scene_agent *agent = &out->agents[i];
        agent->position_m = symmetry_place(change, agent->position_m);
        agent->velocity_mps = symmetry_way(change, agent->velocity_mps);
        agent->orientation_deg = symmetry_heading(change, agent->orientation_deg);
        for (uint32_t k = 0; k < agent->point_count; k++) {
            agent->points_m[k] = symmetry_place(change, agent->points_m[k]);
        }
    }
    if (change->mirrors) {
        for (uint32_t i = 0; i < out->profile_count; i++) {
            symmetry_mirror_sides(&out->profiles[i]);
        }
        out->shapes_gone = 1 - scene->shapes_gone; /* ids are even for odd: ties fall to the other side */
    }
}

/*
 * By how much rounding of headings may change an agent's angular steering: turning wants max_rotation times
 * the angle over slow_angle, within time_to_target.
 */
static float symmetry_angular_limit(const struct scene *scene, const struct scene_agent *agent)
{
    const struct steer_profile *profile = &scene->profiles[agent->profile - 1];
    float gain = 0.0f;
    for (uint32_t i = 0; i < profile->behaviour_count; i++) {
        const struct steer_profile_behaviour *behaviour = &profile->behaviours[i];
        const struct steer_behaviour_info *info = steer_behaviour_info(behaviour->behaviour);
        float slow_deg = 0.0f;
        float time_s = 0.0f;
        for (uint32_t k = 0; k < info->parameter_count; k++) {
            bool is_slow = strcmp(info->parameters[k].name, "slow_angle") == 0;
            bool is_time = strcmp(info->parameters[k].name, "time_to_target") == 0;
            slow_deg = is_slow ? behaviour->parameters[k] : slow_deg;
            time_s = is_time ? behaviour->parameters[k] : time_s;
        }
        if (slow_deg > 0.0f && time_s > 0.0f) {
            gain += behaviour->weight * profile->limits.max_rotation / (slow_deg * time_s);
        }
    }
    return SYMMETRY_DIFFERENCE_DEG + SYMMETRY_HEADING_DEG * gain;
}

/* plain  steering of the unchanged scene */
static bool symmetry_holds(const struct scene *scene, const struct symmetry_steering *plain,
                           const struct symmetry *change, struct failure *failure)
{
    struct symmetry_steering changed;
    struct scene other;
    symmetry_change(scene, change, &other);
    symmetry_steer(&other, &changed);
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        struct vec2 expected = symmetry_way(change, plain->linear[i]);
        float difference = vec2_length(vec2_sub(changed.linear[i], expected));
        float angular = change->mirrors ? -plain->angular[i] : plain->angular[i];
        float turned = fabsf(changed.angular[i] - angular);
        if (difference > SYMMETRY_DIFFERENCE || turned > symmetry_angular_limit(scene, &scene->agents[i]) ||
            changed.asks[i] != plain->asks[i]) {
            snprintf(failure->text, sizeof failure->text,
                     "agent %u: (%.7g, %.7g) m/s^2, %.6g deg/s^2; should be (%.7g, %.7g), %.6g", i + 1,
                     (double)changed.linear[i].x, (double)changed.linear[i].y, (double)changed.angular[i],
                     (double)expected.x, (double)expected.y, (double)angular);
            return false;
        }
    }
    return true;
}

/* `walker` under another name, so that mirroring can turn its passing side round. */
static void symmetry_name_walker(struct scene *scene)
{
    struct steer_profile *walker = &scene->profiles[scene->profile_count++];
    steer_profile_init_walker(walker);
    snprintf(walker->name, sizeof walker->name, "kind-walker");
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        if (scene->agents[i].profile == 0) {
            scene->agents[i].profile = scene->profile_count;
        }
    }
}

struct failure check_symmetry(const struct scene *scene, struct tally *tally)
{
    struct scene_random random = {.seed = ~scene->seed, .drawn = UINT32_MAX};
    float x = scene_draw(&random, -SYMMETRY_SHIFT_M, SYMMETRY_SHIFT_M);
    struct vec2 shift_m = vec2(x, scene_draw(&random, -SYMMETRY_SHIFT_M, SYMMETRY_SHIFT_M));
    const struct symmetry shift = {1, 0, 0, 1, .shift_m = symmetry_snap(shift_m, SYMMETRY_GRID)};
    const struct symmetry turn = {0, 1, -1, 0, .turn_deg = 90.0f};
    const struct symmetry mirror = {-1, 0, 0, 1, .mirrors = true};
    struct failure failure = {.tick = 1};
    struct scene prepared;
    symmetry_prepare(scene, &prepared);
    symmetry_name_walker(&prepared);
    tally->symmetric += prepared.agent_count;
    if (prepared.agent_count == 0) {
        return failure;
    }
    struct symmetry_steering plain;
    symmetry_steer(&prepared, &plain);
    if (!symmetry_holds(&prepared, &plain, &shift, &failure)) {
        failure.property = PROPERTY_SHIFT;
    } else if (!symmetry_holds(&prepared, &plain, &turn, &failure)) {
        failure.property = PROPERTY_TURN;
    } else if (!symmetry_holds(&prepared, &plain, &mirror, &failure)) {
        failure.property = PROPERTY_MIRROR;
    }
    return failure;
}
