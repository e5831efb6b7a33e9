/* Behaviours that go by others' velocities and places, at points computed by hand. */
#include <math.h>

#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world();
}

static void teardown(void)
{
    steer_world_destroy(world);
}

static struct steer_agent_id add(struct steer_agent_spec spec)
{
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
    return (struct steer_agent_id){made.first_id};
}

/* One of flock 1, at rest, facing north. */
static void add_member(float x, float y)
{
    add((struct steer_agent_spec){.position_m = {x, y}, .flock = 1});
}

/* One of flock 1 at some place beside the origin. */
static void add_moving(float x, float vx, float vy)
{
    add((struct steer_agent_spec){.position_m = {x, 0.5f}, .velocity_mps = {vx, vy}, .flock = 1});
}

static struct steering ask_with(const char *name, const char *parameter, float value)
{
    struct steer_profile profile = sim_fixture_with(name, parameter, value);
    return sim_fixture_ask_profile(world, &profile, world->agents.count);
}

static struct steering ask(const char *name)
{
    return ask_with(name, NULL, 0);
}

START_TEST(test_match_velocity_takes_that_of_the_agent_followed)
{
    struct steer_agent_id other =
        add((struct steer_agent_spec){.position_m = {0, 0}, .velocity_mps = {1, 0.5f}});
    const struct steer_goal follows = {STEER_GOAL_AGENT, .agent = other};
    add((struct steer_agent_spec){.position_m = {9, 0}, .velocity_mps = {1.1f, 0.5f}, .goal = follows});
    add((struct steer_agent_spec){.position_m = {9, 9}, .velocity_mps = {-0.3f, -0.4f}, .goal = follows});
    add((struct steer_agent_spec){
        .position_m = {5, 9}, .velocity_mps = {1, 0}, .goal = sim_fixture_to(9, 9)});
    struct steering asked = ask("match_velocity");
    ck_assert_int_eq(asked.asks[0], 0);
    sim_fixture_asks_linear(&asked, 1, -1, 0); /* -0.1 / 0.1 */
    float length = sqrtf(1.3f * 1.3f + 0.9f * 0.9f);
    sim_fixture_asks_linear(&asked, 2, 5 * 1.3f / length, 5 * 0.9f / length);
    ck_assert_int_eq(asked.asks[3], 0);
    asked = ask_with("match_velocity", "time_to_target", 0.4f);
    sim_fixture_asks_linear(&asked, 1, -0.25f, 0);
    asked = ask_with("match_velocity", "time_to_target", 0.01f); /* shorter than the tick: 1/30 */
    sim_fixture_asks_linear(&asked, 1, -3, 0);
    const struct steer_agent_selection gone = {.ids = &other.value, .count = 1};
    ck_assert_int_eq(steer_world_remove_agents(world, &gone, NULL), STATUS_OK);
    asked = ask("match_velocity");
    ck_assert_int_eq(asked.asks[0], 0);
}
END_TEST

START_TEST(test_separate_adds_up_what_falls_evenly_to_nothing_at_the_radius)
{
    add_member(0, 0);
    add_member(0, 1);    /* half of the radius of 2 m: half of 5 m/s^2 */
    add_member(1.2f, 0); /* 1 - 1.2 / 2 = 0.4 of it */
    struct steering asked = ask("separate");
    sim_fixture_asks_linear(&asked, 0, -2, -2.5f);
    add_member(-0.5f, 0.01f);
    add_member(-0.5f, -0.01f);
    asked = ask("separate"); /* (-2 + 2 * 3.75, -2.5) is longer than max_accel */
    ck_assert_float_eq_tol(vec2_length(vec2(asked.ax[0], asked.ay[0])), 5, 1e-4f);
    ck_assert_float_gt(asked.ax[0], 4.5f);
}
END_TEST

START_TEST(test_separate_asks_for_nothing_when_nobody_is_nearer_than_the_radius)
{
    add_member(0, 0);
    add_member(0, 2);
    struct steering asked = ask("separate");
    ck_assert_int_eq(asked.asks[0], 0);
    asked = ask_with("separate", "radius", 2.5f);
    sim_fixture_asks_linear(&asked, 0, 0, -1); /* 1 - 2 / 2.5 of 5 */
}
END_TEST

START_TEST(test_separate_parts_those_on_one_spot_in_opposite_directions)
{
    add_member(3, 4);
    add_member(3, 4);
    struct steering asked = ask("separate");
    ck_assert_float_eq_tol(vec2_length(vec2(asked.ax[0], asked.ay[0])), 5, 1e-4f);
    sim_fixture_asks_linear(&asked, 1, -asked.ax[0], -asked.ay[0]);
}
END_TEST

START_TEST(test_cohere_asks_towards_the_centre_of_the_others_as_hard_as_it_is_far)
{
    add_member(0, 0);
    add_member(1, 0);
    add_member(0, 3); /* centre (0.5, 1.5), itself left out */
    struct steering asked = ask("cohere");
    sim_fixture_asks_linear(&asked, 0, 0.5f, 1.5f); /* times 5 m/s^2 / 5 m */
    asked = ask_with("cohere", "radius", 4);
    sim_fixture_asks_linear(&asked, 0, 0.625f, 1.875f);
    asked = ask_with("cohere", "radius", 2);
    sim_fixture_asks_linear(&asked, 0, 2.5f, 0); /* the one 3 m away is not seen */
}
END_TEST

START_TEST(test_cohere_asks_for_nothing_in_the_centre_and_on_one_spot)
{
    add_member(0, 0);
    add_member(1, 0);
    add_member(-1, 0);
    add_member(0, 0);
    struct steering asked = ask("cohere");
    ck_assert_int_eq(asked.asks[0], 0);
}
END_TEST

START_TEST(test_align_with_flock_takes_the_mean_velocity)
{
    add_moving(0, 0, 1);
    add_moving(1, 1, 0);
    add_moving(-1, 0, 0.5f); /* mean of the others (0.5, 0.25) */
    struct steering asked = ask_with("align_with_flock", "view_angle", 360);
    sim_fixture_asks_linear(&asked, 0, 1, -1.5f); /* (0.5, -0.75) / 0.5 */
    struct steer_profile profile = sim_fixture_with("align_with_flock", "time_to_target", 1);
    asked = sim_fixture_ask_profile(world, &profile, 1);
    sim_fixture_asks_linear(&asked, 0, 0.5f, -0.75f);
    world->agents.vx[0] = 0.45f;
    world->agents.vy[0] = 0.25f;
    profile = sim_fixture_with("align_with_flock", "time_to_target", 0.01f); /* shorter than the tick */
    ck_assert_int_eq(steer_profile_set_parameter(&profile.behaviours[0], "view_angle", 360, NULL), STATUS_OK);
    asked = sim_fixture_ask_profile(world, &profile, 1);
    sim_fixture_asks_linear(&asked, 0, 1.5f, 0); /* 0.05 * 30 */
}
END_TEST

START_TEST(test_align_with_flock_stands_between_opposite_velocities)
{
    add_moving(0, 0, 1);
    add_moving(1, 1.5f, 0);
    add_moving(-1, -1.5f, 0);
    struct steering asked = ask("align_with_flock");
    sim_fixture_asks_linear(&asked, 0, 0, -2);
}
END_TEST

/* Whether the agent of row 0 sees anybody. */
static bool sees(const char *name, float view_angle_deg)
{
    return ask_with(name, "view_angle", view_angle_deg).asks[0] != 0;
}

static const char *const flocking[] = {"separate", "cohere", "align_with_flock"};

START_TEST(test_nobody_is_seen_of_another_flock_of_none_or_oneself)
{
    add((struct steer_agent_spec){.position_m = {0, 0}, .flock = 1});
    add((struct steer_agent_spec){.position_m = {0, 1}, .flock = 2});
    add((struct steer_agent_spec){.position_m = {1, 0}, .flock = 0});
    add((struct steer_agent_spec){.position_m = {1, 0}, .flock = 0});
    struct steering asked = ask_with(flocking[_i], "view_angle", 360);
    for (uint32_t row = 0; row < 4; row++) {
        ck_assert_int_eq(asked.asks[row], 0); /* flock 0 is none: its agents do not see each other */
    }
}
END_TEST

START_TEST(test_the_view_is_an_angle_round_where_one_goes)
{
    /* Goes east and faces north; the other is 132 degrees to the right of east, then 138. */
    struct steer_agent_spec self = {.position_m = {0, 0}, .velocity_mps = {1, 0}, .flock = 1};
    add(self);
    add_member(-0.9f, -1);
    ck_assert(sees(flocking[_i], 270));
    world->agents.x[1] = -1.1f;
    ck_assert(!sees(flocking[_i], 270));
    ck_assert(sees(flocking[_i], 360));
    world->agents.vx[0] =
        0; /* at rest it looks where it faces: he is at 228 or, the other way, 132 degrees */
    world->agents.vy[1] = 1;
    ck_assert(sees(flocking[_i], 270));
    ck_assert(!sees(flocking[_i], 90));
    world->agents.x[1] = -0.9f;
    ck_assert(!sees(flocking[_i], 270));
    world->agents.x[1] = 0; /* straight behind */
    ck_assert(!sees(flocking[_i], 359));
    ck_assert(sees(flocking[_i], 360));
    world->agents.y[1] = 1; /* straight before */
    ck_assert(sees(flocking[_i], 1));
}
END_TEST

START_TEST(test_the_whole_view_has_no_gap_behind)
{
    add((struct steer_agent_spec){.flock = 1});
    add((struct steer_agent_spec){.velocity_mps = {0, 0.1f}, .flock = 1});
    for (uint32_t i = 1; i < 300; i++) {
        struct vec2 way = vec2(cosf(0.1f * (float)i), sinf(0.1f * (float)i));
        world->agents.vx[0] = way.x;
        world->agents.vy[0] = way.y;
        world->agents.x[1] = -1.3f * way.x;
        world->agents.y[1] = -1.3f * way.y;
        ck_assert(sees(flocking[_i], 360));
    }
}
END_TEST

START_TEST(test_who_is_seen_does_not_depend_on_how_large_anybody_is)
{
    add_member(0, 0);
    add((struct steer_agent_spec){
        .position_m = {0, 5.1f}, .flock = 1, .radius_m = 10, .velocity_mps = {1, 0}});
    struct steering asked = ask_with(flocking[_i], "radius", 5);
    ck_assert_int_eq(asked.asks[0], 0); /* in the middle of him, and still farther than 5 m from his centre */
    asked = ask_with(flocking[_i], "radius", 6);
    ck_assert_int_eq(asked.asks[0], STEER_ASKS_LINEAR);
}
END_TEST

/* 100 of a flock on a spiral, with velocities of all directions; every second one added first when asked. */
static void add_spiral(bool backwards)
{
    add_member(0.05f, 0.02f);
    for (uint32_t k = 0; k < 100; k++) {
        float i = (float)(backwards ? 99 - k : k);
        struct vec2 way = vec2(cosf(i * 2.4f), sinf(i * 2.4f));
        add((struct steer_agent_spec){.position_m = vec2_scale(way, 0.2f + 0.018f * i),
                                      .velocity_mps = vec2(way.y, 0.3f * way.x * way.y),
                                      .flock = 1});
    }
}

START_TEST(test_the_order_of_the_members_does_not_matter)
{
    add_spiral(false);
    struct steering forwards = ask(flocking[_i]);
    add((struct steer_agent_spec){.position_m = {-90.3f, -77.7f}}); /* moves the cells of the grid */
    struct steering moved = ask(flocking[_i]);
    steer_world_destroy(world);
    world = sim_fixture_world();
    add_spiral(true);
    struct steering backwards = ask(flocking[_i]);
    ck_assert_int_eq(forwards.asks[0], STEER_ASKS_LINEAR);
    sim_fixture_asks_linear(&moved, 0, forwards.ax[0], forwards.ay[0]);
    sim_fixture_asks_linear(&backwards, 0, forwards.ax[0], forwards.ay[0]);
}
END_TEST

Suite *suite_sim_flock(void)
{
    Suite *suite = suite_create("sim_flock");
    TCase *formulas = tcase_create("formulas");
    tcase_add_checked_fixture(formulas, setup, teardown);
    tcase_add_test(formulas, test_match_velocity_takes_that_of_the_agent_followed);
    tcase_add_test(formulas, test_separate_adds_up_what_falls_evenly_to_nothing_at_the_radius);
    tcase_add_test(formulas, test_separate_asks_for_nothing_when_nobody_is_nearer_than_the_radius);
    tcase_add_test(formulas, test_separate_parts_those_on_one_spot_in_opposite_directions);
    tcase_add_test(formulas, test_cohere_asks_towards_the_centre_of_the_others_as_hard_as_it_is_far);
    tcase_add_test(formulas, test_cohere_asks_for_nothing_in_the_centre_and_on_one_spot);
    tcase_add_test(formulas, test_align_with_flock_takes_the_mean_velocity);
    tcase_add_test(formulas, test_align_with_flock_stands_between_opposite_velocities);
    suite_add_tcase(suite, formulas);
    TCase *members = tcase_create("members");
    tcase_add_checked_fixture(members, setup, teardown);
    tcase_add_loop_test(members, test_nobody_is_seen_of_another_flock_of_none_or_oneself, 0, 3);
    tcase_add_loop_test(members, test_the_view_is_an_angle_round_where_one_goes, 0, 3);
    tcase_add_loop_test(members, test_the_whole_view_has_no_gap_behind, 0, 3);
    tcase_add_loop_test(members, test_who_is_seen_does_not_depend_on_how_large_anybody_is, 0, 3);
    tcase_add_loop_test(members, test_the_order_of_the_members_does_not_matter, 0, 3);
    suite_add_tcase(suite, members);
    return suite;
}
