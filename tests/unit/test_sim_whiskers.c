/* Obstacle avoidance at points computed by hand, asked of the behaviour as the agent stands. */
#include <math.h>

#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define RADIUS   0.4f
#define ACCEL    5.0f
#define KEEPS    15 /* ticks: 0.5 s at 30 Hz */
#define STOP_MPS 30.0f

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world();
}

static void teardown(void)
{
    steer_world_destroy(world);
}

static void add(struct vec2 position, struct vec2 velocity, struct steer_goal goal)
{
    struct steer_agent_spec spec = {
        .position_m = position, .velocity_mps = velocity, .max_speed_mps = 20, .goal = goal};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
}

/* One at the origin that goes to +x. */
static void add_moving(float speed)
{
    add(vec2(0, 0), vec2(speed, 0), (struct steer_goal){0});
}

static struct vec2 asked(void)
{
    struct steering asked = sim_fixture_ask(world, "avoid_obstacles", 1);
    ck_assert_int_ne(asked.asks[0], 0);
    return vec2(asked.ax[0], asked.ay[0]);
}

static void expect(float x, float y)
{
    struct vec2 accel = asked();
    ck_assert_float_eq_tol(accel.x, x, 2e-3f);
    ck_assert_float_eq_tol(accel.y, y, 2e-3f);
}

static void expect_nothing(void)
{
    ck_assert_int_eq(sim_fixture_ask(world, "avoid_obstacles", 1).asks[0], 0);
}

START_TEST(test_from_inside_it_asks_for_the_shortest_way_out)
{
    add(vec2(0.5f, 0.75f), vec2(1, 0), (struct steer_goal){0});
    (void)sim_fixture_box(world, vec2(0, 0), vec2(4, 2)); /* a quarter of a metre to the north */
    expect(0, ACCEL);
    world->agents.x[0] = -1.875f; /* an eighth to the west */
    expect(-ACCEL, 0);
    world->agents.x[0] = 0.0f; /* out of it, though the rim is not yet: at rest there is nothing ahead */
    world->agents.y[0] = 1.25f;
    world->agents.vx[0] = 0.0f;
    expect_nothing();
}
END_TEST

START_TEST(test_both_whiskers_start_on_the_rim_and_the_nearer_hit_counts)
{
    /*
     * Left, at y = 0.4: 2 - sqrt(0.75^2 - 0.15^2) = 1.2652 of 2 m; right, at -0.4: 1.6260. With d = 0.6326 it
     * is 1.8371 aside and 0.6750 back. The disc touches after 0.8775 m, where the normal is (-0.9761,
     * -0.2174): 2.2247 into it are needed, 0.6589 are there, the rest is 1.5658 along the normal.
     */
    add_moving(2);
    (void)sim_fixture_circle(world, vec2(2, 0.25f), 0.75f);
    expect(-2.2034f, -2.1775f);
    world->agents.y[0] = 0.5f; /* the same from the other side */
    world->tick += 2 * KEEPS;
    expect(-2.2034f, 2.1775f);
}
END_TEST

START_TEST(test_of_a_slanting_wall_only_what_goes_into_it_is_braked)
{
    /*
     * y = x - 2: the right whisker hits at 1.6 of 2 m, d = 0.8: 1 aside, to the left, and 0.2 back. The disc
     * touches after 2 - 0.4 sqrt 2 = 1.4343 m, which is 1.0142 m along the normal, at 1.4142 m/s: 0.986 is
     * needed, 0.1414 is there, 0.8446 more along (-1, 1) / sqrt 2.
     */
    add_moving(2);
    (void)sim_fixture_segment(world, vec2(-3, -5), vec2(7, 5));
    expect(-0.2f - 0.5972f, 1.0f + 0.5972f);
}
END_TEST

START_TEST(test_braking_comes_before_the_step_aside_and_both_stay_within_max_accel)
{
    add_moving(2); /* 4 / (2 * 0.1) = 20 are needed */
    (void)sim_fixture_segment(world, vec2(0.5f, -1), vec2(0.5f, 5));
    expect(-ACCEL, 0);
    world->agents.x[0] = 0.125f; /* it touches: no room is left at all */
    expect(-ACCEL, 0);
}
END_TEST

START_TEST(test_hardly_moving_and_nearly_there_it_asks_for_a_stand_and_no_more)
{
    /* 0.03 m/s and a tenth of a millimetre: v^2 / 2s is 4.5 m/s^2, a stand within the tick is 0.9. */
    add_moving(0.03f);
    (void)sim_fixture_segment(world, vec2(0.4001f, -1), vec2(0.4001f, 5));
    ck_assert_float_eq_tol(asked().x, -0.03f * STOP_MPS, 2e-3f);
}
END_TEST

START_TEST(test_a_side_is_kept_for_half_a_second_since_it_was_last_needed_and_of_one_obstacle)
{
    add_moving(2);
    struct steer_obstacle_id post = sim_fixture_circle(world, vec2(2, 0.25f), 0.75f);
    world->tick = 100;
    ck_assert_float_lt(asked().y, 0.0f);
    world->agents.y[0] = 0.5f; /* from here the other side is nearer */
    world->tick += KEEPS;
    ck_assert_float_lt(asked().y, 0.0f);
    world->tick += KEEPS;
    ck_assert_float_lt(asked().y, 0.0f);
    world->tick += KEEPS + 1;
    ck_assert_float_gt(asked().y, 0.0f);
    ck_assert_int_eq(steer_world_remove_obstacles(world, &post.value, 1, false, NULL), STATUS_OK);
    (void)sim_fixture_circle(world, vec2(2, 0.75f), 0.75f); /* another one: nothing was chosen for it */
    ck_assert_float_lt(asked().y, 0.0f);
}
END_TEST

START_TEST(test_where_nothing_else_tells_the_id_chooses)
{
    add_moving(2);
    struct steer_obstacle_id odd = sim_fixture_circle(world, vec2(2, 0), 0.75f);
    ck_assert_uint_eq(odd.value % 2, 1);
    ck_assert_float_lt(asked().y, -0.1f);
    ck_assert_int_eq(steer_world_remove_obstacles(world, &odd.value, 1, false, NULL), STATUS_OK);
    (void)sim_fixture_circle(world, vec2(2, 0), 0.75f);
    ck_assert_float_gt(asked().y, 0.1f);
}
END_TEST

START_TEST(test_what_is_behind_the_goal_is_not_in_the_way)
{
    /* It comes to rest a metre ahead, and 1.05 m are free. */
    (void)sim_fixture_segment(world, vec2(1.45f, -3), vec2(1.45f, 5));
    const struct vec2 path[] = {{1, 0}, {1, -9}};
    if (_i == 0) {
        add(vec2(0, 0), vec2(1.5f, 0), sim_fixture_to(1, 0));
        expect_nothing();
    } else { /* but a way-point is passed at full speed */
        add(vec2(0, 0), vec2(1.5f, 0), (struct steer_goal){STEER_GOAL_PATH, .path_m = path, .path_count = 2});
        ck_assert_float_lt(asked().x, 0.0f);
    }
}
END_TEST

START_TEST(test_at_rest_it_looks_as_far_as_the_goal_and_not_when_it_has_arrived)
{
    (void)sim_fixture_segment(world, vec2(1, -1), vec2(1, 5));
    add(vec2(0, 0), vec2(0, 0), sim_fixture_to(0.5f, 0));
    expect_nothing();
    world->agents.goal_x[0] = 5.0f; /* 0.6 of 0.8 m are free, the nearer end is to the right */
    expect(0, -0.25f * ACCEL);
    world->agents.state[0] = STEER_AGENT_STATE_ARRIVED;
    expect_nothing();
}
END_TEST

START_TEST(test_who_is_blocked_takes_the_shorter_way_round_and_only_where_he_is_near)
{
    float sign = _i == 0 ? 1.0f : -1.0f;
    (void)sim_fixture_segment(world, vec2(0, sign * -3), vec2(0, sign * 1.5f));
    add(vec2(-0.5f, 0), vec2(0, 0), sim_fixture_to(6, 0));
    world->agents.state[0] = STEER_AGENT_STATE_BLOCKED;
    expect(0, sign * ACCEL);
    world->agents.x[0] = -0.875f; /* 0.475 of 0.8 m are free: more than a radius, so it steers as ever */
    expect(0, sign * (1.0f - 0.475f / 0.8f) * ACCEL);
}
END_TEST

Suite *suite_sim_whiskers(void)
{
    Suite *suite = suite_create("sim_whiskers");
    TCase *points = tcase_create("points");
    tcase_add_checked_fixture(points, setup, teardown);
    tcase_add_test(points, test_from_inside_it_asks_for_the_shortest_way_out);
    tcase_add_test(points, test_both_whiskers_start_on_the_rim_and_the_nearer_hit_counts);
    tcase_add_test(points, test_of_a_slanting_wall_only_what_goes_into_it_is_braked);
    tcase_add_test(points, test_braking_comes_before_the_step_aside_and_both_stay_within_max_accel);
    tcase_add_test(points, test_hardly_moving_and_nearly_there_it_asks_for_a_stand_and_no_more);
    tcase_add_test(points,
                   test_a_side_is_kept_for_half_a_second_since_it_was_last_needed_and_of_one_obstacle);
    tcase_add_test(points, test_where_nothing_else_tells_the_id_chooses);
    tcase_add_loop_test(points, test_what_is_behind_the_goal_is_not_in_the_way, 0, 2);
    tcase_add_test(points, test_at_rest_it_looks_as_far_as_the_goal_and_not_when_it_has_arrived);
    tcase_add_loop_test(points, test_who_is_blocked_takes_the_shorter_way_round_and_only_where_he_is_near, 0,
                        2);
    suite_add_tcase(suite, points);
    return suite;
}
