/* Solid things met to the last bit: starts with the rim on a wall, ways that graze corners and end points. */
#include <math.h>

#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define INSIDE_M 1e-5f /* deeper than rounding */

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world();
}

static void teardown(void)
{
    steer_world_destroy(world);
}

/* The nearest float to a number written with two decimals. */
static float decimals(int hundredths)
{
    return (float)((double)hundredths / 100.0);
}

static struct steer_agent_id spawn(struct vec2 position, float radius_m, struct steer_goal goal,
                                   const char *profile)
{
    struct steer_agent_spec spec = {
        .position_m = position, .radius_m = radius_m, .goal = goal, .profile = profile};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
    return (struct steer_agent_id){made.first_id};
}

/* Wall at w, radius r, place w - r: as floats that is too near by some in a third of all cases. */
START_TEST(test_a_place_that_touches_in_decimals_is_legal)
{
    sim_fixture_segment(world, vec2(decimals(5330), -90), vec2(decimals(5330), 90));
    for (int radius = 5; radius < 300; radius++) {
        struct steer_agent_id id =
            spawn(vec2(decimals(5330 - radius), 0), decimals(radius), (struct steer_goal){0}, "");
        struct steer_agent_id edge =
            spawn(vec2(-50, decimals(10000 - radius)), decimals(radius), (struct steer_goal){0}, "");
        sim_fixture_run(world, 1);
        ck_assert_float_ge(sim_fixture_obstacle_gap(world), 0.0f);
        ck_assert_float_le(sim_fixture_position(world, edge).y + decimals(radius), 100.0f);
        const struct steer_agent_selection selection = {.ids = (uint32_t[]){id.value, edge.value},
                                                        .count = 2};
        ck_assert_int_eq(steer_world_remove_agents(world, &selection, NULL), STATUS_OK);
    }
}
END_TEST

/* A tenth of a millimetre in is no rounding. */
START_TEST(test_a_place_that_is_in_a_wall_by_a_little_is_refused)
{
    sim_fixture_segment(world, vec2(10, -90), vec2(10, 90));
    struct steer_agent_spec spec = {.position_m = {9.6001f, 0}};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_int_eq(steer_world_spawn_agents(world, &spec, 1, &made, &fault), STATUS_FAILED_PRECONDITION);
    spec.position_m = vec2(0, 99.6001f);
    ck_assert_int_eq(steer_world_spawn_agents(world, &spec, 1, &made, &fault), STATUS_OUT_OF_RANGE);
}
END_TEST

/* What is grazed, each with the point or face at (0, -radius). */
static void place_grazed(int kind, float radius_m)
{
    switch (kind) {
    case 0:
        sim_fixture_segment(world, vec2(0, -radius_m), vec2(0, -radius_m - 3));
        break;
    case 1:
        sim_fixture_segment(world, vec2(-2, -radius_m), vec2(2, -radius_m));
        break;
    case 2:
        sim_fixture_box(world, vec2(0, -radius_m - 1), vec2(3, 2));
        break;
    case 3:
        sim_fixture_circle(world, vec2(0, -radius_m - 1), 1);
        break;
    default:
        break;
    }
}

/* Ways along y = 0 and the floats next to it: no rim is ever inside, nobody is thrown aside, everybody gets
 * past. */
START_TEST(test_ways_that_graze_go_past_and_never_in)
{
    static const float radii[] = {0.05f, 0.1f, 0.3f, 0.4f, 0.7f, 1.3f};
    for (uint32_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
        teardown();
        setup();
        sim_fixture_profile(world, "seeker", "seek", STEER_REST_BRAKE); /* whom only the mover keeps out */
        place_grazed(_i, radii[i]);
        for (int bits = -2; bits <= 2; bits++) {
            float y = (float)bits * 0x1p-24f * 4.0f;
            struct steer_agent_id id = spawn(vec2(-4, y), radii[i], sim_fixture_to(60, y), "seeker");
            float gap_m = HUGE_VALF;
            for (uint32_t tick = 0; tick < 240; tick++) {
                sim_fixture_run(world, 1);
                gap_m = fminf(gap_m, sim_fixture_obstacle_gap(world));
            }
            ck_assert_float_ge(gap_m, -INSIDE_M);
            ck_assert_float_gt(sim_fixture_position(world, id).x, 4.0f);
            ck_assert_float_lt(fabsf(sim_fixture_position(world, id).y), 0.02f);
            const struct steer_agent_selection selection = {.ids = &id.value, .count = 1};
            ck_assert_int_eq(steer_world_remove_agents(world, &selection, NULL), STATUS_OK);
        }
    }
}
END_TEST

Suite *suite_sim_grazing(void)
{
    Suite *suite = suite_create("sim_grazing");
    TCase *tcase = tcase_create("grazing");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_a_place_that_touches_in_decimals_is_legal);
    tcase_add_test(tcase, test_a_place_that_is_in_a_wall_by_a_little_is_refused);
    tcase_add_loop_test(tcase, test_ways_that_graze_go_past_and_never_in, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}
