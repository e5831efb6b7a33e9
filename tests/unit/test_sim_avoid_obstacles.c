/*
 * Obstacle avoidance: its two curves, what one tick asks for, and the ways round. The recipe's two rays, as
 * written, stand here too, and each test of one of their defects shows first that they have it.
 */
#include <math.h>

#include "sim/behaviours/avoid_obstacles.h"
#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define RATE_HZ 32 /* a tick moves velocities of 1/32 m/s by 1/1024 m: exact in floats */
#define ACCEL   5.0f
#define RADIUS  0.4f

static struct steer_world *world;

static void setup(void)
{
    struct steer_world_config config = sim_fixture_config();
    config.tick_rate_hz = RATE_HZ;
    ck_assert_int_eq(steer_world_create(&config, 1, &world, NULL), STATUS_OK);
    sim_fixture_profile(world, "avoider", "avoid_obstacles", STEER_REST_COAST);
}

static void teardown(void)
{
    steer_world_destroy(world);
}

/* What two bare rays along the sides of the body ask for, as the recipe has it. */
struct rays {
    float part[2]; /* hits of left and right, of `length`; HUGE_VALF: none */
    struct vec2 accel;
};

/* Distance along +x from (x, y) to a circle; HUGE_VALF: none. A ray that starts inside leaves it unseen. */
static float ray_to_circle(float x, float y, struct vec2 center, float radius)
{
    float across = center.y - y;
    float half_squared = radius * radius - across * across;
    float distance = half_squared < 0.0f ? HUGE_VALF : center.x - sqrtf(half_squared) - x;
    return distance < 0.0f ? HUGE_VALF : distance;
}

static struct rays recipe(struct vec2 position, float speed, struct vec2 center, float radius)
{
    float length = speed * 1.0f;
    struct rays rays;
    for (uint32_t i = 0; i < 2; i++) {
        float y = position.y + (i == 0 ? RADIUS : -RADIUS);
        float distance = ray_to_circle(position.x, y, center, radius);
        rays.part[i] = length > 0.0f && distance <= length ? distance / length : HUGE_VALF;
    }
    rays.accel = vec2(0, 0);
    float first = fminf(rays.part[0], rays.part[1]);
    if (first <= 1.0f) {
        float side = rays.part[0] < rays.part[1] ? -1.0f : rays.part[1] < rays.part[0] ? 1.0f : 0.0f;
        float weight = 1.0f - first;
        rays.accel = vec2(-weight * weight * ACCEL, side * weight * ACCEL);
    }
    return rays;
}

static struct steer_agent_id spawn(struct vec2 position, struct vec2 velocity, const char *profile,
                                   struct steer_goal goal)
{
    struct steer_agent_spec spec = {.position_m = vec2_mad(position, velocity, -1.0f / RATE_HZ),
                                    .velocity_mps = velocity,
                                    .profile = profile,
                                    .max_speed_mps = 100,
                                    .goal = goal};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
    return (struct steer_agent_id){made.first_id};
}

/* What one asks for who is there, that fast, after the move. */
static struct vec2 asked(struct vec2 position, struct vec2 velocity)
{
    struct steer_agent_id id =
        spawn(position, velocity, "avoider", (struct steer_goal){.kind = STEER_GOAL_NONE});
    sim_fixture_run(world, 1);
    struct vec2 change = vec2_sub(sim_fixture_velocity(world, id), velocity);
    ck_assert_int_eq(
        steer_world_remove_agents(world, &(struct steer_agent_selection){.ids = &id.value, .count = 1}, NULL),
        STATUS_OK);
    return vec2_scale(change, RATE_HZ);
}

static bool is_nothing(struct vec2 a)
{
    return a.x == 0.0f && a.y == 0.0f;
}

/* Whether a walker gets there in time without ever being in something solid. */
static bool walks(struct vec2 from, struct vec2 to, uint32_t seconds)
{
    struct steer_agent_id id = sim_fixture_agent(world, from, sim_fixture_to(to.x, to.y), "walker");
    for (uint32_t tick = 0; tick < seconds * RATE_HZ; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_ge(sim_fixture_obstacle_gap(world), -1e-4f);
    }
    return sim_fixture_state(world, id) == STEER_AGENT_STATE_ARRIVED;
}

START_TEST(test_curves_of_aside_and_brake)
{
    static const float rows[][3] = {{0.0f, 1.0f, 1.0f},
                                    {0.25f, 0.75f, 0.5625f},
                                    {0.5f, 0.5f, 0.25f},
                                    {0.75f, 0.25f, 0.0625f},
                                    {1.0f, 0.0f, 0.0f}};
    ck_assert_float_eq(avoid_obstacles_aside_weight(rows[_i][0]), rows[_i][1]);
    ck_assert_float_eq(avoid_obstacles_brake_weight(rows[_i][0]), rows[_i][2]);
}
END_TEST

START_TEST(test_curves_are_what_a_wall_ahead_makes_of_it)
{
    /* A wall across the way, its nearer end to the right; 2 m/s look 2 m ahead. Stopping needs less than b.
     */
    float part = 0.25f * (float)(_i + 2);
    (void)sim_fixture_segment(world, vec2(0, -1), vec2(0, 5));
    struct vec2 asks = asked(vec2(-2.0f * part, 0), vec2(2, 0));
    float needed = 4.0f / (2.0f * (2.0f * part - RADIUS));
    float brake = (1 - part) * (1 - part) * ACCEL;
    ck_assert_float_eq_tol(asks.y, -(1 - part) * ACCEL, 5e-3f);
    ck_assert_float_eq_tol(asks.x, -fmaxf(brake, part < 1.0f ? fminf(needed, ACCEL) : needed), 5e-3f);
}
END_TEST

START_TEST(test_the_whisker_that_hits_first_decides_the_side)
{
    (void)sim_fixture_circle(world, vec2(2, 0.5f), 0.75f);
    ck_assert_float_lt(asked(vec2(0, 0), vec2(2, 0)).y, -0.1f);
    ck_assert_float_gt(asked(vec2(0, 1), vec2(2, 0)).y, 0.1f);
}
END_TEST

START_TEST(test_a_post_between_the_whiskers_is_seen)
{
    struct vec2 post = vec2(1.25f, 0.125f);
    ck_assert(is_nothing(recipe(vec2(0, 0), 1.5f, post, 0.1f).accel)); /* the defect */
    (void)sim_fixture_circle(world, post, 0.1f);
    struct vec2 asks = asked(vec2(0, 0), vec2(1.5f, 0));
    ck_assert_float_lt(asks.x, 0.0f);
    ck_assert_float_lt(asks.y, 0.0f); /* away from it */
}
END_TEST

START_TEST(test_a_side_is_chosen_where_both_whiskers_hit_alike)
{
    struct vec2 post = vec2(2.5f, 0);
    struct rays rays = recipe(vec2(0, 0), 2, post, 1);
    ck_assert_float_eq(rays.part[0], rays.part[1]);
    ck_assert_float_eq(rays.accel.y, 0.0f); /* the defect */
    ck_assert_float_lt(rays.accel.x, 0.0f);
    (void)sim_fixture_circle(world, post, 1);
    ck_assert_float_gt(fabsf(asked(vec2(0, 0), vec2(2, 0)).y), 0.1f);
}
END_TEST

START_TEST(test_the_nearer_end_of_a_wall_is_taken)
{
    (void)sim_fixture_segment(world, vec2(1, -2), vec2(1, 1));
    ck_assert_float_gt(asked(vec2(0, 0), vec2(2, 0)).y, 0.1f);
    (void)sim_fixture_segment(world, vec2(-1, -1), vec2(-1, 2));
    ck_assert_float_lt(asked(vec2(0, 0), vec2(-2, 0)).y, -0.1f);
}
END_TEST

START_TEST(test_a_chosen_side_is_kept)
{
    /* The wall's nearer end changes under way; the side does not. */
    struct steer_agent_id id =
        spawn(vec2(-1, 0), vec2(1, 0), "avoider", (struct steer_goal){.kind = STEER_GOAL_NONE});
    struct steer_obstacle_id wall = sim_fixture_segment(world, vec2(0.25f, -1), vec2(0.25f, 1.0625f));
    sim_fixture_run(world, 1);
    float first = sim_fixture_velocity(world, id).y;
    ck_assert_float_lt(first, 0.0f);
    for (uint32_t tick = 0; tick < RATE_HZ / 2; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_lt(sim_fixture_velocity(world, id).y, 0.0f);
    }
    ck_assert_uint_gt(wall.value, 0);
}
END_TEST

START_TEST(test_at_rest_the_way_to_the_goal_is_probed)
{
    struct vec2 post = vec2(0.75f, 0);
    ck_assert(is_nothing(recipe(vec2(0, 0), 0, post, 0.25f).accel)); /* the defect: no length, no direction */
    (void)sim_fixture_circle(world, post, 0.25f);
    struct steer_agent_id id = spawn(vec2(0, 0), vec2(0, 0), "avoider", sim_fixture_to(5, 0));
    sim_fixture_run(world, 1);
    ck_assert_float_gt(fabsf(sim_fixture_velocity(world, id).y), 0.01f);
}
END_TEST

START_TEST(test_at_rest_without_a_goal_nothing_is_asked)
{
    (void)sim_fixture_circle(world, vec2(0.75f, 0), 0.25f);
    ck_assert(is_nothing(asked(vec2(0, 0), vec2(0, 0))));
}
END_TEST

START_TEST(test_who_is_inside_a_shape_leaves_it_by_the_shortest_way)
{
    ck_assert(is_nothing(
        recipe(vec2(0.25f, 0), 1, vec2(0, 0), 1).accel)); /* the defect: rays from inside see nothing */
    struct steer_agent_id id =
        spawn(vec2(0.25f, 0), vec2(0, 0), "avoider", (struct steer_goal){.kind = STEER_GOAL_NONE});
    (void)sim_fixture_circle(world, vec2(0, 0), 1);
    sim_fixture_run(world, 1);
    ck_assert_float_ge(sim_fixture_obstacle_gap(world), -1e-4f);
    ck_assert_float_eq_tol(sim_fixture_position(world, id).x, 1.0f + RADIUS, 0.01f);
    ck_assert_float_eq_tol(sim_fixture_position(world, id).y, 0.0f, 0.01f);
}
END_TEST

START_TEST(test_braking_never_reverses)
{
    /* The defect: at 1/16 m/s the rays' full brake of 5 m/s^2 turns it back within the tick. */
    ck_assert_float_lt(1.0f / 16 - ACCEL / RATE_HZ, 0.0f);
    (void)sim_fixture_segment(world, vec2(0, -1), vec2(0, 5));
    struct steer_agent_id id = spawn(vec2(-0.40625f, 0), vec2(1.0f / 16, 0), "avoider",
                                     (struct steer_goal){.kind = STEER_GOAL_NONE});
    struct vec2 before = vec2(1.0f / 16, 0);
    for (uint32_t tick = 0; tick < RATE_HZ; tick++) {
        sim_fixture_run(world, 1);
        struct vec2 now = sim_fixture_velocity(world, id);
        ck_assert_float_ge(vec2_dot(now, before), -1e-6f);
        before = now;
    }
}
END_TEST

START_TEST(test_it_stops_in_time_though_it_wants_on)
{
    /* The defect: (1 - d)^2 alone takes less off than seeking adds, and it runs into the wall. */
    float x = -6.0f;
    float speed = 1.5f;
    while (speed > 0.01f && x < -RADIUS) {
        float part = fminf(-x / fmaxf(speed, 2.0f * RADIUS), 1.0f);
        speed = fminf(speed + (ACCEL - (1 - part) * (1 - part) * ACCEL) / RATE_HZ, 1.5f);
        x += speed / RATE_HZ;
    }
    ck_assert_float_gt(speed, 0.5f);

    (void)sim_fixture_segment(world, vec2(0, -20), vec2(0, 20));
    struct steer_agent_id id = sim_fixture_agent(world, vec2(-6, 0), sim_fixture_to(6, 0), "walker");
    float before = 0.0f;
    for (uint32_t tick = 0; tick < 6 * RATE_HZ; tick++) {
        sim_fixture_run(world, 1);
        float now = sim_fixture_velocity(world, id).x;
        ck_assert_float_ge(now, before - 2.0f * ACCEL / RATE_HZ); /* no crash takes its speed away at once */
        before = now;
    }
    ck_assert_float_ge(sim_fixture_obstacle_gap(world), -1e-4f);
}
END_TEST

START_TEST(test_a_walker_gets_round_what_stands_in_his_way)
{
    switch (_i) {
    case 0:
        (void)sim_fixture_segment(world, vec2(0, -2), vec2(0, 2));
        break;
    case 1:
        (void)sim_fixture_segment(world, vec2(0, -3), vec2(0, 1));
        break;
    case 2:
        (void)sim_fixture_box(world, vec2(0, 0), vec2(2, 3));
        break;
    case 3:
        (void)sim_fixture_circle(world, vec2(0, 0), 2);
        break;
    case 4:
        (void)sim_fixture_circle(world, vec2(0, 0), 0.05f);
        break;
    default:
        (void)sim_fixture_segment(world, vec2(-0.05f, 0.41f), vec2(0, 9));
        (void)sim_fixture_segment(world, vec2(0, -0.41f), vec2(0.05f, -9));
        break;
    }
    ck_assert(walks(vec2(-7, 0), vec2(7, 0), 18));
}
END_TEST

/* Fails unless an agent is blocked after 15 s and has no speed at all in the 5 s after that. */
static void expect_standing(struct steer_agent_id id)
{
    sim_fixture_run(world, 15 * RATE_HZ);
    ck_assert_int_eq(sim_fixture_state(world, id), STEER_AGENT_STATE_BLOCKED);
    for (uint32_t tick = 0; tick < 5 * RATE_HZ; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_eq(vec2_length(sim_fixture_velocity(world, id)), 0.0f);
    }
}

START_TEST(test_who_is_blocked_and_shut_in_stands_until_the_way_is_free)
{
    struct steer_obstacle_id last = {0};
    if (_i == 0) { /* a gap of 0.7 m in a wall to the world's edge */
        (void)sim_fixture_box(world, vec2(0, -49.85f), vec2(0.5f, 99));
        last = sim_fixture_box(world, vec2(0, 49.85f), vec2(0.5f, 99));
    } else { /* a pocket */
        (void)sim_fixture_segment(world, vec2(-4, 3), vec2(0, 3));
        (void)sim_fixture_segment(world, vec2(-4, -3), vec2(0, -3));
        last = sim_fixture_segment(world, vec2(0, -3), vec2(0, 3));
    }
    struct steer_agent_id id = sim_fixture_agent(world, vec2(-6, 0.5f), sim_fixture_to(6, 0), "walker");
    expect_standing(id);
    ck_assert_int_eq(steer_world_remove_obstacles(world, &last.value, 1, false, NULL), STATUS_OK);
    sim_fixture_run(world, 7 * RATE_HZ);
    ck_assert_int_eq(sim_fixture_state(world, id), STEER_AGENT_STATE_ARRIVED);
}
END_TEST

START_TEST(test_who_is_blocked_by_what_his_goal_is_in_stands_before_it)
{
    (void)sim_fixture_box(world, vec2(0, 0), vec2(2, 2));
    struct steer_agent_id id = sim_fixture_agent(world, vec2(-6, 2), sim_fixture_to(-0.25f, 0), "walker");
    expect_standing(id);
    ck_assert_float_lt(vec2_length(vec2_sub(sim_fixture_position(world, id), vec2(-1.4f, 0))), 0.5f);
}
END_TEST

START_TEST(test_who_is_blocked_goes_round_two_walls_with_a_gap_too_narrow)
{
    (void)sim_fixture_box(world, vec2(0, 2.85f), vec2(0.5f, 5));
    (void)sim_fixture_box(world, vec2(0, -2.85f), vec2(0.5f, 5));
    ck_assert(walks(vec2(-6, 0.25f * (float)_i), vec2(6, 0), 25));
}
END_TEST

START_TEST(test_a_goal_at_the_far_side_of_a_wall_is_come_to)
{
    /* Nearer to the wall than the body can stand, but within the target radius. */
    (void)sim_fixture_box(world, vec2(0, 0), vec2(0.4f, 6));
    ck_assert(walks(vec2(-6, 0), vec2(0.5f, 0), 25));
}
END_TEST

/* One who is blocked and stands there. Answers its row. */
static uint32_t add_blocked(struct vec2 position, struct steer_goal goal)
{
    (void)sim_fixture_agent(world, position, goal, "walker");
    uint32_t row = world->agents.count - 1;
    world->agents.state[row] = STEER_AGENT_STATE_BLOCKED;
    return row;
}

/* What the one in row 0 is asked, where it stands; `all`: and nothing besides. */
static void expect_asked(float ax, float ay, bool all)
{
    struct steering asked = sim_fixture_ask(world, "avoid_obstacles", 1);
    ck_assert_int_eq(asked.asks[0], STEER_ASKS_LINEAR | (all ? STEER_ASKS_ALL : 0));
    ck_assert_float_eq_tol(asked.ax[0], ax, 2e-3f);
    ck_assert_float_eq_tol(asked.ay[0], ay, 2e-3f);
}

START_TEST(test_who_is_blocked_goes_round_what_stands_between_and_is_not_far)
{
    /*
     * The wall's north end is the nearer one. Who goes round it asks for all it has along it; else it follows
     * the wall as ever, the weaker the farther the touch, of whiskers of 0.8 m.
     */
    static const struct {
        struct vec2 from;
        struct vec2 to;
        float asks;
    } cases[] = {
        {{-0.75f, 0}, {5, 0}, ACCEL},                      /* touches after 0.35 m */
        {{-0.85f, 0}, {5, 0}, (1 - 0.45f / 0.8f) * ACCEL}, /* farther than its radius */
        {{-0.45f, 0}, {0.05f, 2}, ACCEL},                  /* touches after 0.206 m, the goal is beyond */
        {{-0.45f, 0}, {-0.05f, 2}, (1 - 0.255f / 0.8f) * ACCEL}, /* after 0.255 m, and it is not */
    };
    (void)sim_fixture_segment(world, vec2(0, -6), vec2(0, 5));
    (void)add_blocked(cases[_i].from, sim_fixture_to(cases[_i].to.x, cases[_i].to.y));
    expect_asked(0, cases[_i].asks, false);
}
END_TEST

START_TEST(test_before_what_the_goal_is_in_it_stands_where_it_is_nearest)
{
    /* The side of the box is at x = -1, the goal 0.92 m on; of the way there a fifth along the side is
     * allowed. */
    (void)sim_fixture_box(world, vec2(0, 0), vec2(2, 2));
    const float aside_m[] = {0.13959f, 0.23754f}; /* 0.92 tan(asin(0.15)) and of 0.25 */
    uint32_t row = add_blocked(vec2(-1.42f, 0), sim_fixture_to(-0.5f, aside_m[_i]));
    world->agents.vy[row] = 0.1f;
    if (_i == 0) {
        expect_asked(0, -0.1f * RATE_HZ, true);
    } else {
        ck_assert_int_eq(sim_fixture_ask(world, "avoid_obstacles", 1).asks[0] & STEER_ASKS_ALL, 0);
    }
}
END_TEST

START_TEST(test_a_waypoint_inside_of_something_is_gone_round)
{
    (void)sim_fixture_box(world, vec2(0, 0), vec2(2, 2));
    const struct vec2 path[] = {{-0.5f, 0.1f}, {5, 5}};
    (void)add_blocked(vec2(-1.42f, 0),
                      (struct steer_goal){.kind = STEER_GOAL_PATH, .path_m = path, .path_count = 2});
    expect_asked(0, ACCEL, false);
}
END_TEST

/* One beside a wall from -3 to 3, blocked on the way to straight behind it. */
static void move_along(float y)
{
    world->agents.y[0] = y;
    world->agents.goal_y[0] = y;
}

START_TEST(test_the_way_round_is_kept_while_it_is_blocked_and_forgotten_when_it_is_not)
{
    (void)sim_fixture_segment(world, vec2(0, -3), vec2(0, 3));
    (void)add_blocked(vec2(-0.42f, 1), sim_fixture_to(5, 1));
    expect_asked(0, ACCEL, false); /* the shorter one */
    move_along(-1);
    expect_asked(0, ACCEL, false);
    world->agents.state[0] = STEER_AGENT_STATE_MOVING;
    (void)sim_fixture_ask(world, "avoid_obstacles", 1);
    world->agents.state[0] = STEER_AGENT_STATE_BLOCKED;
    expect_asked(0, -ACCEL, false);
    move_along(1);
    expect_asked(0, -ACCEL, false);
}
END_TEST

START_TEST(test_the_way_round_is_given_up_when_it_is_shut)
{
    float end = _i == 0 ? 3 : -3;
    (void)sim_fixture_segment(world, vec2(0, -3), vec2(0, 3));
    (void)add_blocked(vec2(-0.42f, end / 3), sim_fixture_to(5, end / 3));
    expect_asked(0, _i == 0 ? ACCEL : -ACCEL, false);
    (void)sim_fixture_segment(world, vec2(-4, end), vec2(0, end));
    expect_asked(0, _i == 0 ? -ACCEL : ACCEL, false);
}
END_TEST

Suite *suite_sim_avoid_obstacles(void)
{
    Suite *suite = suite_create("sim_avoid_obstacles");
    TCase *curves = tcase_create("curves");
    tcase_add_checked_fixture(curves, setup, teardown);
    tcase_add_loop_test(curves, test_curves_of_aside_and_brake, 0, 5);
    tcase_add_loop_test(curves, test_curves_are_what_a_wall_ahead_makes_of_it, 0, 2);
    suite_add_tcase(suite, curves);
    TCase *defects = tcase_create("defects of the recipe");
    tcase_add_checked_fixture(defects, setup, teardown);
    tcase_add_test(defects, test_a_post_between_the_whiskers_is_seen);
    tcase_add_test(defects, test_a_side_is_chosen_where_both_whiskers_hit_alike);
    tcase_add_test(defects, test_at_rest_the_way_to_the_goal_is_probed);
    tcase_add_test(defects, test_at_rest_without_a_goal_nothing_is_asked);
    tcase_add_test(defects, test_who_is_inside_a_shape_leaves_it_by_the_shortest_way);
    tcase_add_test(defects, test_braking_never_reverses);
    tcase_add_test(defects, test_it_stops_in_time_though_it_wants_on);
    suite_add_tcase(suite, defects);
    TCase *ways = tcase_create("ways");
    tcase_add_checked_fixture(ways, setup, teardown);
    tcase_add_test(ways, test_the_whisker_that_hits_first_decides_the_side);
    tcase_add_test(ways, test_the_nearer_end_of_a_wall_is_taken);
    tcase_add_test(ways, test_a_chosen_side_is_kept);
    tcase_add_loop_test(ways, test_a_walker_gets_round_what_stands_in_his_way, 0, 6);
    tcase_add_loop_test(ways, test_who_is_blocked_and_shut_in_stands_until_the_way_is_free, 0, 2);
    tcase_add_loop_test(ways, test_who_is_blocked_goes_round_two_walls_with_a_gap_too_narrow, 0, 3);
    tcase_add_test(ways, test_a_goal_at_the_far_side_of_a_wall_is_come_to);
    tcase_add_test(ways, test_who_is_blocked_by_what_his_goal_is_in_stands_before_it);
    suite_add_tcase(suite, ways);
    TCase *blocked = tcase_create("blocked");
    tcase_add_checked_fixture(blocked, setup, teardown);
    tcase_add_loop_test(blocked, test_who_is_blocked_goes_round_what_stands_between_and_is_not_far, 0, 4);
    tcase_add_loop_test(blocked, test_before_what_the_goal_is_in_it_stands_where_it_is_nearest, 0, 2);
    tcase_add_test(blocked, test_a_waypoint_inside_of_something_is_gone_round);
    tcase_add_test(blocked, test_the_way_round_is_kept_while_it_is_blocked_and_forgotten_when_it_is_not);
    tcase_add_loop_test(blocked, test_the_way_round_is_given_up_when_it_is_shut, 0, 2);
    suite_add_tcase(suite, blocked);
    return suite;
}
