/*
 * Peer avoidance: what one tick asks for. The recipe's uncorrected rule stands here too, and each test of one
 * of its defects shows first that the rule has it.
 */
#include <math.h>

#include "sim_fixture.h"
#include "suites.h"

#define RATE_HZ 32 /* a tick moves velocities of 1/32 m/s by 1/1024 m: exact in floats */
#define ACCEL   5.0f

static struct steer_world *world;

static void setup(void)
{
    struct steer_world_config config = sim_fixture_config();
    config.min_m = vec2(-1100, -1100);
    config.max_m = vec2(1100, 1100);
    config.tick_rate_hz = RATE_HZ;
    ck_assert_int_eq(steer_world_create(&config, 1, &world, NULL), STATUS_OK);
    sim_fixture_profile(world, "avoider", "avoid_agents", STEER_REST_COAST);
}

static void teardown(void)
{
    steer_world_destroy(world);
}

/* A body as the rules see it. */
struct body {
    struct vec2 position;
    struct vec2 velocity;
};

/* The recipe as written (AvoidAgent): closest in time, separation as distance - speed * time, flees a
 * position. */
static struct vec2 recipe(const struct body *self, const struct body *others, uint32_t count, float radius)
{
    float shortest = HUGE_VALF;
    const struct body *first = NULL;
    float first_separation = 0.0f;
    float first_distance = 0.0f; /* never set: the recipe's slip */
    struct vec2 first_offset = vec2(0, 0);
    struct vec2 first_velocity = vec2(0, 0);
    for (uint32_t i = 0; i < count; i++) {
        struct vec2 offset = vec2_sub(others[i].position, self->position);
        struct vec2 velocity = vec2_sub(others[i].velocity, self->velocity);
        float speed = vec2_length(velocity);
        float time = -vec2_dot(offset, velocity) / (speed * speed);
        float separation = vec2_length(offset) - speed * time;
        if (separation > 2.0f * radius) {
            continue;
        }
        if (!(time <= 0.0f) && !(time >= shortest)) {
            shortest = time;
            first = &others[i];
            first_separation = separation;
            first_offset = offset;
            first_velocity = velocity;
        }
    }
    if (first == NULL) {
        return vec2(0, 0);
    }
    struct vec2 from = first_separation <= 0.0f || first_distance < 2.0f * radius
                           ? first->position
                           : vec2_mad(first_offset, first_velocity, shortest);
    return vec2_scale(from, -ACCEL / vec2_length(from));
}

/* The recipe's rule with the offset put right: away from where they are nearest. */
static struct vec2 recipe_relative(const struct body *self, const struct body *other)
{
    struct vec2 offset = vec2_sub(other->position, self->position);
    struct vec2 velocity = vec2_sub(other->velocity, self->velocity);
    float time = -vec2_dot(offset, velocity) / vec2_length_squared(velocity);
    struct vec2 q = vec2_mad(offset, velocity, time);
    float length = vec2_length(q);
    return length > 0.0f ? vec2_scale(q, -ACCEL / length) : q;
}

static struct steer_agent_id spawn_to(const struct body *body, struct steer_goal goal, const char *profile)
{
    struct vec2 before = vec2_mad(body->position, body->velocity, -1.0f / RATE_HZ);
    struct steer_agent_spec spec = {.position_m = before,
                                    .velocity_mps = body->velocity,
                                    .goal = goal,
                                    .profile = profile,
                                    .max_speed_mps = 100};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
    return (struct steer_agent_id){made.first_id};
}

static struct steer_agent_id spawn(const struct body *body, const char *profile)
{
    return spawn_to(body, (struct steer_goal){.kind = STEER_GOAL_NONE}, profile);
}

/* What the first of the bodies asks for when they are where they are said to be. Leaves an empty world. */
static struct vec2 asked_by(const char *profile, const struct body *bodies, uint32_t count)
{
    struct steer_agent_id first = spawn(&bodies[0], profile);
    for (uint32_t i = 1; i < count; i++) {
        (void)spawn(&bodies[i], profile);
    }
    sim_fixture_run(world, 1);
    struct vec2 change = vec2_sub(sim_fixture_velocity(world, first), bodies[0].velocity);
    struct steer_agent_selection all = {.all = true};
    ck_assert_int_eq(steer_world_remove_agents(world, &all, NULL), STATUS_OK);
    return vec2_scale(change, RATE_HZ);
}

static struct vec2 asked(const struct body *bodies, uint32_t count)
{
    return asked_by("avoider", bodies, count);
}

static void assert_near(struct vec2 a, struct vec2 b)
{
    ck_assert_float_eq_tol(a.x, b.x, 1e-4f);
    ck_assert_float_eq_tol(a.y, b.y, 1e-4f);
}

static bool is_nothing(struct vec2 a)
{
    return a.x == 0.0f && a.y == 0.0f;
}

/* Several that have to be minded, on a grid of 1/1024 m. */
static const struct body knot[] = {{{0.0f, 0.0f}, {1.0f, 0.25f}},
                                   {{3.0f, 0.5f}, {-1.0f, 0.0f}},
                                   {{1.5f, -2.0f}, {0.0f, 1.0f}},
                                   {{2.5f, 2.25f}, {-0.25f, -0.75f}},
                                   {{-1.0f, 1.25f}, {1.25f, -0.5f}}};
enum { KNOT = sizeof knot / sizeof knot[0] };

START_TEST(test_a_shifted_scene_asks_the_same)
{
    const struct body pair[] = {{{0, 0}, {1, 0}}, {{3, 0.25f}, {-1, 0}}};
    const struct body far[] = {{{1000, 1000}, {1, 0}}, {{1003, 1000.25f}, {-1, 0}}};
    struct vec2 near_asks = recipe(&pair[0], &pair[1], 1, 0.4f);
    struct vec2 far_asks = recipe(&far[0], &far[1], 1, 0.4f);
    ck_assert_float_gt(fabsf(near_asks.y - far_asks.y), 1.0f); /* the defect */

    struct body shifted[KNOT];
    for (uint32_t i = 0; i < KNOT; i++) {
        shifted[i].position = vec2_add(knot[i].position, vec2(1000.0f - 1.0f / 1024, -1000.0f + 5.0f / 1024));
        shifted[i].velocity = knot[i].velocity;
    }
    struct vec2 here = asked(knot, KNOT);
    ck_assert(!is_nothing(here));
    assert_near(here, asked(shifted, KNOT));
}
END_TEST

START_TEST(test_a_turned_scene_asks_the_same_turned)
{
    struct body turned[KNOT];
    for (uint32_t i = 0; i < KNOT; i++) {
        turned[i] = (struct body){vec2_right(knot[i].position), vec2_right(knot[i].velocity)};
    }
    assert_near(vec2_right(asked(knot, KNOT)), asked(turned, KNOT));
}
END_TEST

START_TEST(test_a_mirrored_scene_with_its_passing_side_asks_the_same_mirrored)
{
    struct steer_profile profile = {
        .name = "left", .combination = STEER_COMBINATION_BUDGET, .rest = STEER_REST_COAST};
    struct steer_profile_behaviour *behaviour;
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, "avoid_agents", &behaviour, NULL), STATUS_OK);
    ck_assert_int_eq(steer_profile_set_parameter(behaviour, "passing_side", -0.2f, NULL), STATUS_OK);
    ck_assert_int_eq(steer_world_define_profile(world, &profile, NULL), STATUS_OK);
    struct body mirrored[KNOT];
    for (uint32_t i = 0; i < KNOT; i++) {
        mirrored[i] = (struct body){vec2(knot[i].position.x, -knot[i].position.y),
                                    vec2(knot[i].velocity.x, -knot[i].velocity.y)};
    }
    struct vec2 plain = asked(knot, KNOT);
    assert_near(vec2(plain.x, -plain.y), asked_by("left", mirrored, KNOT));
}
END_TEST

START_TEST(test_who_passes_clear_is_no_alarm)
{
    /* |p|(1 - cos) of an angle of 14 degrees at 5 m is 0.15 m, where they pass 1.2 m apart. */
    const struct body pair[] = {{{0, 0}, {1.5f, 0}}, {{4.75f, 1.25f}, {-1.5f, 0}}};
    ck_assert(!is_nothing(recipe(&pair[0], &pair[1], 1, 0.4f))); /* the defect */
    ck_assert(is_nothing(asked(pair, 2)));
}
END_TEST

START_TEST(test_equal_velocities_never_meet)
{
    const struct body pair[] = {{{0, 0}, {1, 0}}, {{0, 1}, {1, 0}}};
    /* The defect: 0 / 0 is taken for the soonest of all, and one that is nowhere near is fled from. */
    ck_assert(!is_nothing(recipe(&pair[0], &pair[1], 1, 0.4f)));
    ck_assert(is_nothing(asked(pair, 2)));
}
END_TEST

START_TEST(test_nobody_avoids_himself)
{
    const struct body alone = {{3, 4}, {1, 0}};
    ck_assert(!is_nothing(recipe(&alone, &alone, 1, 0.4f))); /* the defect: it is in its own list */
    ck_assert(is_nothing(asked(&alone, 1)));
}
END_TEST

START_TEST(test_exactly_head_on_both_go_to_their_own_right)
{
    const struct body pair[] = {{{0, 0}, {1, 0}}, {{3, 0}, {-1, 0}}};
    struct vec2 wrong = recipe_relative(&pair[0], &pair[1]);
    ck_assert_float_eq(wrong.x, 0.0f); /* the defect: no sideways in it */
    ck_assert_float_eq(wrong.y, 0.0f);
    const struct body other[] = {pair[1], pair[0]};
    ck_assert_float_lt(asked(pair, 2).y, -0.1f);
    ck_assert_float_gt(asked(other, 2).y, 0.1f);
}
END_TEST

START_TEST(test_what_is_beyond_the_horizon_does_not_matter)
{
    const struct body pair[] = {{{0, 0}, {0.5f, 0}}, {{4.75f, 0.125f}, {-0.5f, 0}}};
    ck_assert(!is_nothing(recipe(&pair[0], &pair[1], 1, 0.4f))); /* the defect: 4 s away */
    ck_assert(is_nothing(asked(pair, 2)));
}
END_TEST

START_TEST(test_an_early_evasion_is_gentle)
{
    const struct body pair[] = {{{0, 0}, {1, 0}}, {{4, 0.25f}, {-1, 0}}};
    ck_assert_float_eq_tol(vec2_length(recipe(&pair[0], &pair[1], 1, 0.4f)), ACCEL, 1e-3f); /* the defect */
    float asks = vec2_length(asked(pair, 2));
    ck_assert_float_gt(asks, 0.05f);
    ck_assert_float_lt(asks, 0.5f);
}
END_TEST

START_TEST(test_strength_is_what_moves_the_closest_approach_out_of_reach_in_time)
{
    /* Nearest in 2 s, 0.25 m to the left: share 2 (0.85 - 0.25) / 4, to the right. */
    const struct body pair[] = {{{0, 0}, {1, 0}}, {{4, 0.25f}, {-1, 0}}};
    assert_near(asked(pair, 2), vec2(0.0f, -0.5f * 2.0f * 0.6f / 4.0f));
}
END_TEST

/* What the first of two asks for on its way to a goal. Leaves an empty world. */
static struct vec2 asked_on_the_way(const struct body *pair, struct steer_goal goal)
{
    struct steer_agent_id first = spawn_to(&pair[0], goal, "avoider");
    (void)spawn(&pair[1], "avoider");
    sim_fixture_run(world, 1);
    struct vec2 change = vec2_sub(sim_fixture_velocity(world, first), pair[0].velocity);
    struct steer_agent_selection all = {.all = true};
    ck_assert_int_eq(steer_world_remove_agents(world, &all, NULL), STATUS_OK);
    return vec2_scale(change, RATE_HZ);
}

START_TEST(test_who_is_met_only_after_it_has_stopped_at_its_goal_is_not_evaded)
{
    /* They touch after (4 - sqrt(0.85^2 - 0.25^2)) / 2 = 1.59 s. To stop it takes 0.2 m, and within 0.2 m of
     * its goal it is there: at 1.99 m it begins to brake when they touch. */
    const struct body pair[] = {{{0, 0}, {1, 0}}, {{4, 0.25f}, {-1, 0}}};
    ck_assert(is_nothing(asked_on_the_way(pair, sim_fixture_to(1.9375f, 0))));
    assert_near(asked_on_the_way(pair, sim_fixture_to(2.0625f, 0)), vec2(0.0f, -0.15f));
}
END_TEST

START_TEST(test_who_stands_on_its_goal_arrives_before_it_makes_room)
{
    const struct body pair[] = {{{0, 0}, {0, 0}}, {{2, 0.25f}, {-1, 0}}};
    ck_assert(is_nothing(asked_on_the_way(pair, sim_fixture_to(0.125f, 0))));
    struct steer_agent_id arrived = spawn_to(&pair[0], sim_fixture_to(0.125f, 0), "avoider");
    sim_fixture_run(world, 1);
    ck_assert_int_eq(sim_fixture_state(world, arrived), STEER_AGENT_STATE_ARRIVED);
    (void)spawn(&pair[1], "avoider");
    sim_fixture_run(world, 1);
    ck_assert_float_lt(sim_fixture_velocity(world, arrived).y, -1e-3f);
}
END_TEST

START_TEST(test_coincident_agents_ask_for_finite_things)
{
    struct body pile[8];
    for (uint32_t i = 0; i < 8; i++) {
        pile[i] = (struct body){vec2(1, 1), vec2(i % 2 == 0 ? 1.0f : -1.0f, 0)};
    }
    struct vec2 asks = asked(pile, 8);
    ck_assert(vec2_is_finite(asks));
    ck_assert_float_le(vec2_length(asks), ACCEL + 1e-3f);
}
END_TEST

START_TEST(test_who_stands_behind_a_wall_is_not_seen)
{
    const struct body pair[] = {{{0, 0.421875f}, {1, 0}}, {{3, -0.421875f}, {-1, 0}}};
    ck_assert(!is_nothing(asked(pair, 2)));
    (void)sim_fixture_segment(world, vec2(-5, 0), vec2(5, 0));
    ck_assert(is_nothing(asked(pair, 2)));
}
END_TEST

START_TEST(test_order_of_spawning_does_not_matter)
{
    const struct body reordered[] = {knot[0], knot[3], knot[4], knot[1], knot[2]};
    assert_near(asked(knot, KNOT), asked(reordered, KNOT));
}
END_TEST

START_TEST(test_one_nearer_to_the_same_goal_is_followed_not_passed)
{
    struct steer_agent_id first = sim_fixture_agent(world, vec2(-3, 0), sim_fixture_to(0, 0), "walker");
    struct steer_agent_id second = sim_fixture_agent(world, vec2(-6, 0.1f), sim_fixture_to(0, 0), "walker");
    sim_fixture_run(world, 20 * RATE_HZ);
    ck_assert_int_eq(sim_fixture_state(world, first), STEER_AGENT_STATE_ARRIVED);
    ck_assert_int_eq(sim_fixture_state(world, second), STEER_AGENT_STATE_ARRIVED);
    ck_assert_float_ge(sim_fixture_gap(world), -1e-3f);
    ck_assert_float_lt(vec2_length(sim_fixture_position(world, second)), 1.2f);
}
END_TEST

START_TEST(test_one_held_by_who_has_arrived_goes_round_him_to_a_place_beside_the_goal)
{
    struct steer_agent_id first = sim_fixture_agent(world, vec2(-3, 0), sim_fixture_to(0, 0), "walker");
    (void)sim_fixture_agent(world, vec2(-4.2f, 0), sim_fixture_to(0, 0), "walker");
    struct steer_agent_id third = sim_fixture_agent(world, vec2(-5.4f, 0), sim_fixture_to(0, 0), "walker");
    sim_fixture_run(world, 20 * RATE_HZ);
    ck_assert_int_eq(sim_fixture_state(world, third), STEER_AGENT_STATE_ARRIVED);
    /* In line behind the second it would stand at 1.6 m and more. */
    ck_assert_float_lt(vec2_length(sim_fixture_position(world, third)), 1.1f);
    ck_assert_float_lt(vec2_length(sim_fixture_position(world, first)), 0.4f);
    ck_assert_float_ge(sim_fixture_gap(world), -1e-3f);
    struct vec2 rest = sim_fixture_position(world, third);
    sim_fixture_run(world, 20 * RATE_HZ);
    ck_assert_float_lt(vec2_length(vec2_sub(sim_fixture_position(world, third), rest)), 0.01f);
}
END_TEST

START_TEST(test_one_with_nothing_nearer_than_where_it_stands_stays_there)
{
    (void)sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(0, 0), "walker");
    struct steer_agent_id second = sim_fixture_agent(world, vec2(-4, 0.01f), sim_fixture_to(0, 0), "walker");
    sim_fixture_run(world, 10 * RATE_HZ);
    struct vec2 position = sim_fixture_position(world, second);
    ck_assert_float_lt(position.x, -0.7f); /* it does not go round him who stands on the goal */
    ck_assert_float_lt(fabsf(position.y), 0.2f);
    ck_assert_int_eq(sim_fixture_state(world, second), STEER_AGENT_STATE_ARRIVED);
}
END_TEST

Suite *suite_sim_avoid_agents(void)
{
    Suite *suite = suite_create("sim_avoid_agents");
    TCase *defects = tcase_create("defects of the recipe");
    tcase_add_checked_fixture(defects, setup, teardown);
    tcase_add_test(defects, test_a_shifted_scene_asks_the_same);
    tcase_add_test(defects, test_who_passes_clear_is_no_alarm);
    tcase_add_test(defects, test_equal_velocities_never_meet);
    tcase_add_test(defects, test_nobody_avoids_himself);
    tcase_add_test(defects, test_exactly_head_on_both_go_to_their_own_right);
    tcase_add_test(defects, test_what_is_beyond_the_horizon_does_not_matter);
    tcase_add_test(defects, test_an_early_evasion_is_gentle);
    suite_add_tcase(suite, defects);
    TCase *rule = tcase_create("rule");
    tcase_add_checked_fixture(rule, setup, teardown);
    tcase_add_test(rule, test_a_turned_scene_asks_the_same_turned);
    tcase_add_test(rule, test_a_mirrored_scene_with_its_passing_side_asks_the_same_mirrored);
    tcase_add_test(rule, test_strength_is_what_moves_the_closest_approach_out_of_reach_in_time);
    tcase_add_test(rule, test_who_is_met_only_after_it_has_stopped_at_its_goal_is_not_evaded);
    tcase_add_test(rule, test_who_stands_on_its_goal_arrives_before_it_makes_room);
    tcase_add_test(rule, test_coincident_agents_ask_for_finite_things);
    tcase_add_test(rule, test_who_stands_behind_a_wall_is_not_seen);
    tcase_add_test(rule, test_order_of_spawning_does_not_matter);
    tcase_add_test(rule, test_one_nearer_to_the_same_goal_is_followed_not_passed);
    tcase_add_test(rule, test_one_held_by_who_has_arrived_goes_round_him_to_a_place_beside_the_goal);
    tcase_add_test(rule, test_one_with_nothing_nearer_than_where_it_stands_stays_there);
    suite_add_tcase(suite, rule);
    return suite;
}
