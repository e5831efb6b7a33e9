/*
 * Settling round a goal that is taken, at places computed by hand. Everybody has a radius of 0.4 m: a disc
 * that goes round another keeps 0.82 m from its centre, and stops at 0.81 m from the next.
 */
#include <math.h>

#include "base/trig.h"
#include "sim/settle.h"
#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define MARGIN 0.05f /* of 0.06 m: nearer than that is a touch */
#define REACH  0.82f

static struct steer_world *world;
static struct steer_goal goal;
static struct settle_way found;

static void setup(void)
{
    world = sim_fixture_world(); /* to +-100 m */
}

static void teardown(void)
{
    steer_world_destroy(world);
}

/* The first one added is the one that settles. Answers its row. */
static uint32_t add(float x, float y)
{
    (void)sim_fixture_agent(world, vec2(x, y), goal, "");
    return world->agents.count - 1;
}

static uint32_t add_arrived(float x, float y)
{
    uint32_t row = add(x, y);
    world->agents.state[row] = STEER_AGENT_STATE_ARRIVED;
    return row;
}

/* One without a goal: it stands in the way, and is never gone round first. */
static uint32_t add_standing(float x, float y)
{
    (void)sim_fixture_agent(world, vec2(x, y), (struct steer_goal){0}, "");
    return world->agents.count - 1;
}

/* That far from the origin, `angle_deg` clockwise from +x. */
static struct vec2 at_angle(float angle_deg, float distance_m)
{
    float heading_deg = 90 + angle_deg;
    return vec2_scale(trig_direction(heading_deg < 360 ? heading_deg : heading_deg - 360), distance_m);
}

static bool finds(void)
{
    grid_build(&world->grid, &world->agents);
    struct steer_view view;
    world_set_view(world, &view);
    struct steer_waypoint way;
    ck_assert(steer_next_waypoint(&view, 0, &way));
    return settle_find(&view, 0, &way, MARGIN, &found);
}

static void expect_direction(float x, float y)
{
    ck_assert_msg(fabsf(found.direction.x - x) < 2e-3f && fabsf(found.direction.y - y) < 2e-3f,
                  "(%g, %g) instead of (%g, %g)", (double)found.direction.x, (double)found.direction.y,
                  (double)x, (double)y);
}

static bool stays(uint32_t row)
{
    grid_build(&world->grid, &world->agents);
    struct steer_view view;
    world_set_view(world, &view);
    uint32_t place = 0;
    while (world->grid.row[place] != row) {
        place++;
    }
    return settle_stays(&view, place);
}

START_TEST(test_who_has_arrived_or_is_slow_or_rests_for_half_a_second_stays)
{
    static const struct {
        float speed_mps;
        uint32_t rest_ticks; /* 30 a second */
        bool has_arrived;
        bool stays;
    } cases[] = {{0.09f, 0, false, true},
                 {0.11f, 0, false, false},
                 {0.11f, 14, false, false},
                 {0.11f, 16, false, true},
                 {0.11f, 0, true, true}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t row = cases[i].has_arrived ? add_arrived(2 * (float)i, 0) : add(2 * (float)i, 0);
        world->agents.vy[row] = cases[i].speed_mps;
        world->agents.rest_ticks[row] = cases[i].rest_ticks;
        ck_assert_msg(stays(row) == cases[i].stays, "case %u", i);
    }
}
END_TEST

START_TEST(test_round_one_who_has_arrived_leads_to_his_far_side)
{
    /*
     * 0.85 m from his centre it has 0.03 m to go up to him. Beyond him, 1.67 m from where it is, it is 0.02 m
     * from the goal; of the way there a twentieth counts, 0.0835 m.
     */
    goal = sim_fixture_to(0, 0);
    (void)add(1.65f, 0);
    (void)add_arrived(0.8f, 0);
    ck_assert(finds());
    expect_direction(0, -1); /* both ways round are alike: the first, clockwise */
    ck_assert_float_eq_tol(found.lift_m.x, -0.03f, 1e-4f);
    ck_assert_float_eq_tol(found.lift_m.y, 0, 1e-4f);
    ck_assert_float_eq_tol(found.length_m, 1.67f, 1e-4f);
    ck_assert_float_eq_tol(found.gain_m, 1.65f - 0.02f - 0.0835f, 1e-4f);
    ck_assert_float_eq_tol(found.straight_m, 2 * REACH, 1e-4f); /* round nobody but him */
    world->agents.vy[0] = 1;                                    /* it goes the other way round already */
    ck_assert(finds());
    expect_direction(0, 1);
}
END_TEST

START_TEST(test_only_one_who_touches_it_and_has_arrived_at_its_goal_is_gone_round)
{
    goal = sim_fixture_to(0, 0);
    (void)add(1.6575f, 0); /* 0.0575 m from rim to rim */
    uint32_t other = add_arrived(0.8f, 0);
    ck_assert(finds());
    world->agents.x[0] = 1.6625f; /* 0.0625 m */
    ck_assert(!finds());
    world->agents.x[0] = 1.65f;
    world->agents.state[other] = STEER_AGENT_STATE_BLOCKED;
    ck_assert(!finds());
    world->agents.state[other] = STEER_AGENT_STATE_ARRIVED;
    ck_assert(finds());
    (void)add_arrived(1.65f, 0); /* one on the same spot has no side to go round */
    ck_assert(finds());
    world->agents.goal_x[other] = 0.01f;
    ck_assert(!finds());
}
END_TEST

START_TEST(test_the_nearest_of_those_it_touches_is_gone_round_first)
{
    /* One is 0.05 m and one 0.02 m away, to the left and below or the other way round. */
    goal = sim_fixture_to(-5, -5);
    (void)add(0, 0);
    (void)add_arrived(_i == 0 ? -0.85f : -0.82f, 0);
    (void)add_arrived(0, _i == 0 ? -0.82f : -0.85f);
    ck_assert(finds());
    ck_assert_float_eq_tol(fabsf(found.direction.x), _i == 0 ? 1 : 0, 1e-4f);
    ck_assert_float_eq_tol(fabsf(found.direction.y), _i == 0 ? 0 : 1, 1e-4f);
}
END_TEST

START_TEST(test_a_place_that_is_nearer_by_less_than_a_fifth_of_its_radius_is_not_worth_the_way)
{
    /*
     * Round one 10 m from the goal: the best place is 9.18 m from it. From 27 degrees aside, 9.27685 m from
     * the goal, the way is 0.38285 m: a gain of 0.0777 m after its twentieth; from 28 degrees 9.28397 m and
     * 0.39675 m, 0.0841 m. It takes 0.08 m.
     */
    goal = sim_fixture_to(-10, 0);
    struct vec2 from = at_angle(_i == 0 ? 180 - 27 : 180 - 28, REACH);
    (void)add(from.x, from.y);
    (void)add_arrived(0, 0);
    world->agents.vy[0] = -1; /* that way already: worth it or not does not depend on that */
    ck_assert(finds() == (_i == 1));
    ck_assert(_i == 0 || fabsf(found.gain_m - 0.0841f) < 1e-3f);
}
END_TEST

START_TEST(
    test_the_side_to_which_it_goes_already_is_kept_unless_the_other_is_nearer_by_a_quarter_of_its_radius)
{
    /*
     * Between two, one above and one below it. Beyond them the places are 9.2837 m and 9.3687 m from a goal
     * that is 1.1 m up, with what the ways count; 9.3199 m and 9.4352 m when it is 1.5 m up. 0.1 m is kept.
     */
    goal = sim_fixture_to(-10, _i == 0 ? 1.1f : 1.5f);
    (void)add(0.7f, 0);
    (void)add_arrived(0, 0.4f);
    (void)add_arrived(0, -0.4f);
    ck_assert(finds());
    ck_assert_float_gt(found.direction.y, 0.5f); /* the upper one is nearer to the goal */
    world->agents.vy[0] = -1;
    ck_assert(finds());
    ck_assert_float_lt(found.direction.y * (_i == 0 ? 1.0f : -1.0f), -0.5f);
}
END_TEST

START_TEST(test_it_rolls_until_it_comes_to_the_next_who_stands)
{
    /*
     * 1.2 m below the first: there the discs of 0.82 and 0.81 m meet 42.26 degrees aside, so it turns by
     * 47.74, a way of 1.64 sin 23.87. The others are later on the way.
     */
    goal = sim_fixture_to(0, -10);
    (void)add(REACH, 0);
    (void)add_arrived(0, 0);
    uint32_t next = add_standing(0, -1.2f);
    (void)add_standing(-1.3f, 0);
    ck_assert(finds());
    expect_direction(0, -1);
    ck_assert_float_eq_tol(found.straight_m, 0.6637f, 1e-3f);
    world->agents.x[3] = 50;
    world->agents.vx[next] = 1; /* not who goes on */
    ck_assert(finds());
    expect_direction(0, -1);
    ck_assert_float_eq_tol(found.straight_m, 2 * REACH, 1e-4f);
}
END_TEST

START_TEST(test_who_touches_the_next_already_goes_round_that_one)
{
    /*
     * With 0.7996 m between those two the discs meet 60 degrees aside. Short of that by 0.702 degrees the
     * turn, 1 - cos, is 0.75e-4 and none; by 0.992 degrees it is 1.5e-4.
     */
    goal = sim_fixture_to(0, -10);
    (void)add(REACH, 0);
    (void)add_arrived(0, 0);
    struct vec2 next = at_angle(_i == 0 ? 60.702f : 60.992f, 0.7996f);
    (void)add_standing(next.x, next.y);
    ck_assert(finds());
    if (_i == 0) { /* from its centre, (0.3913, -0.6973), a quarter to the right */
        expect_direction(0.852f, -0.524f);
    } else {
        expect_direction(0, -1);
    }
}
END_TEST

START_TEST(test_a_gap_that_is_too_narrow_by_a_hair_is_shut)
{
    /*
     * The next is straight ahead, 1.6299 m from the first: all but room between them. Where the cosine of the
     * angle between them is within 1e-3 of where the discs meet, 1 - 6e-5, it touches: up to 2.64 degrees.
     * 2.3 degrees aside it goes up round the next, 3.15 degrees aside it goes down to it first.
     */
    goal = sim_fixture_to(10, 0);
    (void)add(REACH, 0);
    (void)add_arrived(0, 0);
    struct vec2 next = at_angle(_i == 0 ? 2.3f : 3.15f, 1.6299f);
    (void)add_standing(next.x, next.y);
    ck_assert(finds());
    if (_i == 0) {
        expect_direction(0.0808f, 0.9967f);
    } else {
        expect_direction(0, -1);
    }
}
END_TEST

START_TEST(test_one_whom_it_rolls_away_from_does_not_stop_it)
{
    /* Both touch it, the second on the upper side: it goes down round the first. */
    goal = sim_fixture_to(0, -10);
    (void)add(REACH, 0);
    (void)add_arrived(0, 0);
    (void)add_standing(0.41f, 0.71f);
    ck_assert(finds());
    expect_direction(0, -1);
}
END_TEST

START_TEST(test_out_of_a_pocket_of_four_it_finds_the_way)
{
    /*
     * All four touch it, so that it turns round none of the first three: a smaller one below, 59 degrees on
     * from that the next, then 60.5 and 60 degrees. Past the last it goes a quarter to the left of him and to
     * his far side, 0.8 + 0.82 m.
     */
    struct vec2 last = at_angle(300.5f, 1);
    goal = sim_fixture_to(10 * last.x, 10 * last.y);
    (void)add(0, 0);
    struct vec2 first = at_angle(120, 0.7f);
    world->agents.radius[add_arrived(first.x, first.y)] = 0.3f;
    static const float angles_deg[] = {61, 0.5f, 300.5f};
    for (uint32_t i = 0; i < 3; i++) {
        struct vec2 place = at_angle(angles_deg[i], 0.8f);
        (void)add_standing(place.x, place.y);
    }
    ck_assert(finds());
    ck_assert_float_eq_tol(found.length_m, 1.62f, 1e-2f);
    expect_direction(-last.y, last.x);
}
END_TEST

START_TEST(test_along_a_row_it_looks_as_far_as_forty_eight_of_them)
{
    /*
     * The row leads to the goal, and where it stands between two it is 0.8 m farther than between the two
     * before; the first step is 0.4 m along and 0.104 m down.
     */
    goal = sim_fixture_to(95, 0);
    (void)add(0, REACH);
    for (uint32_t i = 0; i < 60; i++) {
        (void)add_arrived(0.8f * (float)i, 0);
    }
    ck_assert(finds());
    expect_direction(1, 0);
    ck_assert_float_eq_tol(found.length_m, 0.4116f + 47 * 0.8f, 0.05f);
}
END_TEST

START_TEST(test_places_beyond_the_edge_of_the_world_are_none)
{
    /* Its disc would be 0.02 m across the edge, or 0.02 m short of it. */
    static const struct vec2 edges[] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
    struct vec2 out = edges[_i];
    struct vec2 end = vec2_scale(out, 99.6f);
    goal = sim_fixture_to(end.x, end.y);
    struct vec2 other = vec2_scale(out, 99.6f + 0.02f - REACH);
    struct vec2 from = vec2_mad(other, out, -REACH);
    (void)add(from.x, from.y);
    uint32_t row = add_arrived(other.x, other.y);
    ck_assert(!finds());
    for (uint32_t i = 0; i < 2; i++) {
        world->agents.x[i == 0 ? 0 : row] -= 0.04f * out.x;
        world->agents.y[i == 0 ? 0 : row] -= 0.04f * out.y;
    }
    ck_assert(finds());
}
END_TEST

START_TEST(test_places_without_room_before_a_wall_are_none)
{
    /* The place is 0.82 m beyond the centre, and its rim 0.4 m farther. */
    goal = sim_fixture_to(-2, 0);
    (void)add(REACH, 0);
    (void)add_arrived(0, 0);
    float wall = _i == 0 ? -1.21f : -1.23f;
    (void)sim_fixture_segment(world, vec2(wall, -5), vec2(wall, 5));
    ck_assert(finds() == (_i == 1));
}
END_TEST

START_TEST(test_where_a_wall_stands_across_the_way_round_ends)
{
    /*
     * Clockwise it would come between the two, at (0.8, 0.154), and on to the far one's side; a wall that
     * ends at (0.64, 0.77) is 0.37 m from the way there. It goes round the other way.
     */
    goal = sim_fixture_to(10, 0);
    (void)add(0, REACH);
    (void)add_arrived(0, 0);
    (void)add_standing(1.6f, 0);
    ck_assert(finds());
    expect_direction(1, 0);
    (void)sim_fixture_segment(world, vec2(0.64f, 0.77f), vec2(0.64f, 5));
    ck_assert(finds());
    expect_direction(-1, 0);
}
END_TEST

START_TEST(test_there_is_nothing_to_settle_at_on_the_way_or_round_one_who_is_followed)
{
    goal = sim_fixture_to(0, 0);
    (void)add(1.65f, 0);
    (void)add_arrived(0.8f, 0);
    grid_build(&world->grid, &world->agents);
    struct steer_view view;
    world_set_view(world, &view);
    struct steer_waypoint way;
    ck_assert(steer_next_waypoint(&view, 0, &way));
    ck_assert(settle_find(&view, 0, &way, MARGIN, &found));
    way.is_last = false;
    ck_assert(!settle_find(&view, 0, &way, MARGIN, &found));
    way.is_last = true;
    uint32_t leader = add_standing(0, 0);
    for (uint32_t row = 0; row < 2; row++) {
        world->agents.goal_kind[row] = STEER_GOAL_AGENT;
        world->agents.goal_ref[row] = world->agents.id[leader];
    }
    world->agents.x[leader] = -50; /* not in the way */
    grid_build(&world->grid, &world->agents);
    world_set_view(world, &view);
    ck_assert(!settle_find(&view, 0, &way, MARGIN, &found));
}
END_TEST

Suite *suite_sim_settle(void)
{
    Suite *suite = suite_create("sim_settle");
    TCase *others = tcase_create("others");
    tcase_add_checked_fixture(others, setup, teardown);
    tcase_add_test(others, test_who_has_arrived_or_is_slow_or_rests_for_half_a_second_stays);
    tcase_add_test(others, test_only_one_who_touches_it_and_has_arrived_at_its_goal_is_gone_round);
    tcase_add_loop_test(others, test_the_nearest_of_those_it_touches_is_gone_round_first, 0, 2);
    tcase_add_test(others, test_there_is_nothing_to_settle_at_on_the_way_or_round_one_who_is_followed);
    suite_add_tcase(suite, others);
    TCase *places = tcase_create("places");
    tcase_add_checked_fixture(places, setup, teardown);
    tcase_add_test(places, test_round_one_who_has_arrived_leads_to_his_far_side);
    tcase_add_loop_test(
        places, test_a_place_that_is_nearer_by_less_than_a_fifth_of_its_radius_is_not_worth_the_way, 0, 2);
    tcase_add_loop_test(
        places,
        test_the_side_to_which_it_goes_already_is_kept_unless_the_other_is_nearer_by_a_quarter_of_its_radius,
        0, 2);
    tcase_add_loop_test(places, test_places_beyond_the_edge_of_the_world_are_none, 0, 4);
    tcase_add_loop_test(places, test_places_without_room_before_a_wall_are_none, 0, 2);
    suite_add_tcase(suite, places);
    TCase *rolling = tcase_create("rolling");
    tcase_add_checked_fixture(rolling, setup, teardown);
    tcase_add_test(rolling, test_it_rolls_until_it_comes_to_the_next_who_stands);
    tcase_add_loop_test(rolling, test_who_touches_the_next_already_goes_round_that_one, 0, 2);
    tcase_add_loop_test(rolling, test_a_gap_that_is_too_narrow_by_a_hair_is_shut, 0, 2);
    tcase_add_test(rolling, test_one_whom_it_rolls_away_from_does_not_stop_it);
    tcase_add_test(rolling, test_out_of_a_pocket_of_four_it_finds_the_way);
    tcase_add_test(rolling, test_along_a_row_it_looks_as_far_as_forty_eight_of_them);
    tcase_add_test(rolling, test_where_a_wall_stands_across_the_way_round_ends);
    suite_add_tcase(suite, rolling);
    return suite;
}
