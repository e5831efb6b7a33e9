/*
 * Every row of the table steers alike in a scene that is somewhere else, turned or mirrored (simulation.md,
 * section 5). Everything lies on a grid of 1/1024 m, so that the change loses no bit.
 */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "sim/steer.h"
#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define AGENTS     40
#define PER_METRE  1024.0f
#define WORLD_M    64.0f
#define APART_M    0.9f
#define DIFFERENCE 1e-4f /* m/s^2 */
#define TURN       0.5f  /* deg/s^2 */

/* A change of the plane: a linear part that is exact in float, then a shift. */
struct change {
    const char *name;
    float xx, xy, yx, yy;
    struct vec2 shift_m;
    float turn_deg; /* clockwise */
    bool mirrors;   /* x -> -x */
};

static const struct change changes[] = {
    {"shift", 1, 0, 0, 1, .shift_m = {897.0f + 331.0f / PER_METRE, -512.0f - 7.0f / PER_METRE}},
    {"turn", 0, 1, -1, 0, .turn_deg = 90},
    {"mirror", -1, 0, 0, 1, .mirrors = true},
};

static const struct change plain = {"plain", 1, 0, 0, 1};

static struct vec2 changed_way(const struct change *change, struct vec2 way)
{
    return vec2(change->xx * way.x + change->xy * way.y, change->yx * way.x + change->yy * way.y);
}

static struct vec2 changed_place(const struct change *change, struct vec2 place)
{
    return vec2_add(changed_way(change, place), change->shift_m);
}

static float changed_heading(const struct change *change, float heading_deg)
{
    return change->mirrors ? 360 - heading_deg : heading_deg + change->turn_deg;
}

/* Of [-half, half], on the grid. */
static float draw(uint32_t index, uint32_t stream, float half)
{
    float drawn = half * (2 * hash_unit_f32(hash_random(11, 0, index, stream)) - 1);
    return rintf(drawn * PER_METRE) / PER_METRE;
}

/* What stands there. */
static const struct steer_shape shapes[] = {
    {.kind = STEER_SHAPE_CIRCLE, .center_m = {2, 1}, .radius_m = 1},
    {.kind = STEER_SHAPE_SEGMENT, .points_m = {{-5, -3}, {1, -4}}, .point_count = 2},
};

/* Nobody on another's spot or in touch with him: then ids decide, which do not turn. */
static struct vec2 place_of(uint32_t index, const struct vec2 *taken)
{
    for (uint32_t try = 0;; try += 2) {
        struct vec2 place = vec2(draw(index, 10 + try, 6), draw(index, 11 + try, 6));
        bool is_free =
            steer_shape_distance(&shapes[0], place) > 0.5f && steer_shape_distance(&shapes[1], place) > 0.5f;
        for (uint32_t i = 0; i < index && is_free; i++) {
            is_free = vec2_length(vec2_sub(place, taken[i])) > APART_M;
        }
        if (is_free) {
            return place;
        }
    }
}

static struct steer_goal goal_of(uint32_t index, const struct change *change, struct vec2 *path)
{
    struct vec2 point = changed_place(change, vec2(draw(index, 1, 30), draw(index, 2, 30)));
    path[0] = point;
    path[1] = changed_place(change, vec2(draw(index, 3, 30), draw(index, 4, 30)));
    struct vec2 velocity = changed_way(change, vec2(draw(index, 5, 1), draw(index, 6, 1)));
    switch (index % 5) {
    case 0: /* the one before it, who goes to a point; the first has nobody before it */
        return index == 0 ? (struct steer_goal){0} : (struct steer_goal){STEER_GOAL_AGENT, .agent = {index}};
    case 1:
        return (struct steer_goal){0};
    case 2:
        return (struct steer_goal){STEER_GOAL_PATH, .path_m = path, .path_count = 2};
    case 3:
        return (struct steer_goal){STEER_GOAL_VELOCITY, .velocity_mps = velocity};
    default:
        return (struct steer_goal){STEER_GOAL_POINT, .point_m = point};
    }
}

static struct steer_world *create_world(const struct change *change)
{
    struct steer_world_config config = sim_fixture_config();
    config.min_m = vec2_add(vec2(-WORLD_M, -WORLD_M), change->shift_m);
    config.max_m = vec2_add(vec2(WORLD_M, WORLD_M), change->shift_m);
    struct steer_world *world;
    struct fault fault = {0};
    ck_assert_msg(steer_world_create(&config, 8, &world, &fault) == STATUS_OK, "%s", fault.text);
    return world;
}

static void add_agents(struct steer_world *world, const struct change *change)
{
    struct vec2 places[AGENTS];
    for (uint32_t i = 0; i < AGENTS; i++) {
        struct vec2 path[2];
        places[i] = place_of(i, places);
        bool is_at_edge = i % 3 == 2; /* within a metre of where contain lets nobody go */
        struct vec2 place = is_at_edge ? vec2(62.5f + 0.125f * places[i].x, places[i].y) : places[i];
        struct steer_agent_spec spec = {
            .position_m = changed_place(change, place),
            .velocity_mps = changed_way(change, vec2(draw(i, 7, 1), draw(i, 8, 1))),
            .orientation_deg = changed_heading(change, 0.375f + (float)(i * 37 % 359)),
            .flock = i % 3,
            .goal = goal_of(i, change, path),
        };
        struct steer_world_made made;
        struct fault fault = {0};
        ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s",
                      fault.text);
    }
}

/* The behaviour with its defaults, its sides swapped where the scene is mirrored and chance left out. */
static struct steer_profile profile_of(uint32_t behaviour, const struct change *change,
                                       bool compares_mirrored)
{
    const struct steer_behaviour_info *info = steer_behaviour_info(behaviour);
    struct steer_profile profile = sim_fixture_with(info->name, NULL, 0);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        float *value = &profile.behaviours[0].parameters[i];
        bool is_side = strcmp(info->parameters[i].name, "passing_side") == 0 ||
                       strcmp(info->parameters[i].name, "offset_x") == 0;
        if (is_side) {
            *value = change->mirrors ? -*value : *value;
        } else if (strcmp(info->parameters[i].name, "jitter") == 0) {
            *value = compares_mirrored ? 0 : *value;
        }
    }
    return profile;
}

static struct steering steer(uint32_t behaviour, const struct change *change, bool compares_mirrored)
{
    struct steer_world *world = create_world(change);
    sim_fixture_circle(world, changed_place(change, shapes[0].center_m), shapes[0].radius_m);
    sim_fixture_segment(world, changed_place(change, shapes[1].points_m[0]),
                        changed_place(change, shapes[1].points_m[1]));
    add_agents(world, change);
    for (uint32_t i = 0; i < AGENTS && behaviour == BEHAVIOUR_wander; i++) {
        float angle_deg = 0.25f + (float)(i * 53 % 359);
        world->agents.slots[i].words[0] =
            steer_word_from_float(change->mirrors ? 360 - angle_deg : angle_deg);
    }
    struct steer_profile profile = profile_of(behaviour, change, compares_mirrored);
    struct steering asked = sim_fixture_ask_profile(world, &profile, AGENTS);
    steer_world_destroy(world);
    return asked;
}

START_TEST(test_a_scene_elsewhere_turned_or_mirrored_steers_alike)
{
    const char *name = steer_behaviour_info((uint32_t)_i)->name;
    uint32_t asking = 0;
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        const struct change *change = &changes[k];
        struct steering before = steer((uint32_t)_i, &plain, change->mirrors);
        struct steering after = steer((uint32_t)_i, change, change->mirrors);
        for (uint32_t i = 0; i < AGENTS; i++) {
            ck_assert_msg(before.asks[i] == after.asks[i], "%s, %s: agent %u", name, change->name, i + 1);
            asking += before.asks[i] != 0;
            struct vec2 wanted = changed_way(change, vec2(before.ax[i], before.ay[i]));
            float apart = vec2_length(vec2_sub(vec2(after.ax[i], after.ay[i]), wanted));
            float turn = change->mirrors ? -before.angular[i] : before.angular[i];
            bool is_alike = apart <= DIFFERENCE && fabsf(after.angular[i] - turn) <= TURN;
            ck_assert_msg(is_alike, "%s, %s: agent %u: (%g, %g) m/s^2, %g deg/s^2; should be (%g, %g), %g",
                          name, change->name, i + 1, (double)after.ax[i], (double)after.ay[i],
                          (double)after.angular[i], (double)wanted.x, (double)wanted.y, (double)turn);
        }
    }
    ck_assert_msg(asking >= 6, "%s: only %u ask for anything", name, asking); /* it is about something */
}
END_TEST

Suite *suite_sim_symmetry(void)
{
    Suite *suite = suite_create("sim_symmetry");
    TCase *rows = tcase_create("rows");
    tcase_add_loop_test(rows, test_a_scene_elsewhere_turned_or_mirrored_steers_alike, 0,
                        (int)steer_behaviour_count());
    suite_add_tcase(suite, rows);
    return suite;
}
