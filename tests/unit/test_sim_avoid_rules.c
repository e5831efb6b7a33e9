/* Peer avoidance at points computed by hand: whom it minds, who comes first, and what is asked then. */
#include <math.h>

#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define RADIUS 0.4f
#define MARGIN 0.05f
#define REACH  (2.0f * RADIUS + MARGIN)
#define ACCEL  5.0f

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world();
}

static void teardown(void)
{
    steer_world_destroy(world);
}

static void add(const struct steer_agent_spec *spec)
{
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
}

static void add_moving(float x, float y, float vx, float vy)
{
    add(&(struct steer_agent_spec){.position_m = {x, y}, .velocity_mps = {vx, vy}, .max_speed_mps = 20});
}

static void add_going(float x, float y, float vx, float vy, struct steer_goal goal)
{
    add(&(struct steer_agent_spec){
        .position_m = {x, y}, .velocity_mps = {vx, vy}, .max_speed_mps = 20, .goal = goal});
}

/* What avoid_agents asks of one, by the order of adding; and an empty world again when that was all. */
static bool asks(uint32_t row, struct vec2 *accel)
{
    struct steering asked = sim_fixture_ask(world, "avoid_agents", row + 1);
    *accel = vec2(0, 0);
    if (asked.asks[row] == 0) {
        return false;
    }
    ck_assert_int_eq(asked.asks[row] & STEER_ASKS_LINEAR, STEER_ASKS_LINEAR);
    *accel = vec2(asked.ax[row], asked.ay[row]);
    return true;
}

static void expect_nothing(uint32_t row)
{
    struct vec2 accel;
    ck_assert(!asks(row, &accel));
}

static struct vec2 expect_something(uint32_t row)
{
    struct vec2 accel;
    ck_assert(asks(row, &accel));
    return accel;
}

static void expect(uint32_t row, float x, float y)
{
    struct vec2 accel = expect_something(row);
    ck_assert_float_eq_tol(accel.x, x, 1e-4f);
    ck_assert_float_eq_tol(accel.y, y, 1e-4f);
}

static void clear(void)
{
    struct steer_agent_selection all = {.all = true};
    ck_assert_int_eq(steer_world_remove_agents(world, &all, NULL), STATUS_OK);
    sim_fixture_run(world, 1); /* which sweeps them out of the rows */
}

/* ---- whom it minds ---- */

START_TEST(test_only_those_whose_layers_meet_the_mask_are_minded)
{
    static const struct {
        uint32_t mask;
        uint32_t layers;
        bool is_minded;
    } rows[] = {{2, 1, false}, {2, 2, true}, {1, 2, false}, {3, 2, true}, {4, 3, false}};
    add(&(struct steer_agent_spec){.velocity_mps = {1, 0}, .layers = 1, .mask = rows[_i].mask});
    add(&(struct steer_agent_spec){.position_m = {3, 0}, .velocity_mps = {-1, 0}, .layers = rows[_i].layers});
    struct vec2 accel;
    ck_assert(asks(0, &accel) == rows[_i].is_minded);
    ck_assert(asks(1, &accel)); /* whose mask is everybody, whatever the other minds */
}
END_TEST

START_TEST(test_who_is_farther_than_the_neighbour_distance_is_not_seen_however_fast)
{
    add_moving(0, 0, 4, 0);
    add_moving(5.125f, 0.25f, -4, 0);
    expect_nothing(0);
    clear();
    add_moving(0, 0, 4, 0);
    add_moving(4.75f, 0.25f, -4, 0);
    (void)expect_something(0);
}
END_TEST

START_TEST(test_the_first_contact_has_to_be_within_the_horizon_not_the_closest_approach)
{
    /* They touch after (4.75 - 0.85) / 2.25 = 1.73 s and would be nearest after 2.11 s. */
    add_moving(0, 0, 1.125f, 0);
    add_moving(4.75f, 0, -1.125f, 0);
    (void)expect_something(0);
    clear();
    /* (4.75 - 0.85) / 1.875 = 2.08 s. */
    add_moving(0, 0, 0.875f, 0);
    add_moving(4.75f, 0, -1, 0);
    expect_nothing(0);
}
END_TEST

START_TEST(test_who_goes_away_or_passes_just_clear_is_not_minded)
{
    add_moving(0, 0, -1, 0); /* they met, and part */
    add_moving(3, 0, 1, 0);
    expect_nothing(0);
    expect_nothing(1);
    clear();
    add_moving(0, 0, 1, 0);
    add_moving(3, 0.859375f, -1, 0); /* a centimetre beyond the reach of 0.85 m */
    expect_nothing(0);
    clear();
    add_moving(0, 0, 1, 0);
    add_moving(3, 0.84375f, -1, 0); /* and within */
    (void)expect_something(0);
}
END_TEST

START_TEST(test_a_wall_hides_only_what_is_behind_it)
{
    /* Far from the origin, where a direction is no place. */
    add_moving(50, 20, 1, 0);
    add_moving(53, 20, -1, 0);
    (void)sim_fixture_segment(world, vec2(55, 10), vec2(55, 30));
    (void)sim_fixture_segment(world, vec2(45, 10), vec2(45, 30));
    (void)sim_fixture_segment(world, vec2(1.5f, 1), vec2(10, 30));
    (void)expect_something(0);
    (void)sim_fixture_circle(world, vec2(51.5f, 20), 0.5f);
    expect_nothing(0);
}
END_TEST

/* ---- how strong ---- */

START_TEST(test_radii_of_both_count)
{
    /* Nearest in 2 s, 0.25 m to the left, reach 0.4 + 0.8 + 0.05: share 2 (1.25 - 0.25) / 4. */
    add_moving(0, 0, 1, 0);
    add(&(struct steer_agent_spec){.position_m = {4, 0.25f}, .velocity_mps = {-1, 0}, .radius_m = 0.8f});
    expect(0, 0, -0.25f);
    expect(1, 0, 0.25f);
}
END_TEST

START_TEST(test_one_who_is_driven_does_not_yield_so_the_whole_is_done)
{
    add_moving(0, 0, 1, 0);
    add_going(4, 0.25f, -1, 0, (struct steer_goal){.kind = STEER_GOAL_VELOCITY, .velocity_mps = {-1, 0}});
    expect(0, 0, -2.0f * (REACH - 0.25f) / 4.0f);
}
END_TEST

START_TEST(test_the_preferred_side_is_given_up_where_the_other_is_clearly_nearer)
{
    /* 0.2 of the reach is 0.17 m: so far on its right it still passes on its right, farther not. */
    add_moving(0, 0, 1, 0);
    add_moving(4, -0.125f, -1, 0);
    expect(0, 0, -(REACH + 0.125f) / 4.0f);
    clear();
    add_moving(0, 0, 1, 0);
    add_moving(4, -0.25f, -1, 0);
    expect(0, 0, (REACH - 0.25f) / 4.0f);
}
END_TEST

START_TEST(test_what_would_slow_it_is_made_up_for_sideways)
{
    /*
     * Crossing from the right, both at the middle in 2 s. The relative course is (1, -1), its right
     * (-1, -1) / sqrt 2; the way out takes the reach in 2 s. Against the heading that asks a component as
     * large as the one sideways, which is added once more at a right angle to the way out: nothing is left
     * against the heading.
     */
    add_moving(0, 0, 1, 0);
    add_moving(2, -2, 0, 1);
    float strength = REACH / 4.0f;
    expect(0, 0, -strength * sqrtf(2.0f));
}
END_TEST

START_TEST(test_what_max_accel_cannot_clear_is_braked_for)
{
    /* Nearest in 0.5 s: 0.85 / 0.25 s^2 = 3.4 of 2 m/s^2. 1 / 1.7 of it goes aside and the rest against it.
     */
    add(&(struct steer_agent_spec){
        .velocity_mps = {2, 0}, .max_speed_mps = 20, .max_accel_mps2 = 2, .position_m = {0, 0}});
    add_moving(1, 0, 0, 0);
    float part = 2.0f / 3.4f;
    float length = sqrtf(part * part + (1.0f - part) * (1.0f - part));
    expect(0, -2.0f * (1.0f - part) / length, -2.0f * part / length);
}
END_TEST

START_TEST(test_never_more_than_takes_the_course_away_within_the_tick)
{
    /*
     * At 1/32 m/s past one who stands within the margin, nearest at once: 0.022 m within a tick would be 20
     * m/s^2, the course times the tick rate is 0.94.
     */
    add_moving(0, 0, 0.03125f, 0);
    add_moving(0.0009765625f, 0.828125f, 0, 0);
    ck_assert_float_eq_tol(vec2_length(expect_something(0)), 0.03125f * 30.0f, 1e-3f);
}
END_TEST

START_TEST(test_within_the_margin_contact_is_now)
{
    /* No overlap, but less than the margin: the time of contact is past, and it still is the most urgent. */
    add_moving(0, 0, 0.5f, 0);
    add_moving(0.828125f, 0, 0, 0);
    expect(0, 0, -REACH / (1.65625f * 1.65625f));
}
END_TEST

/* ---- overlap ---- */

START_TEST(test_who_overlaps_pushes_away_from_the_deepest_before_anything_else)
{
    add_moving(0, 0, 0, 0);
    add_moving(0.75f, 0, 0, 0);
    add_moving(0, 0.5f, 0, 0);
    add_moving(-0.625f, 0, 0, 0);
    add_moving(0, -3, 0, 3); /* comes fast, and has to wait */
    expect(0, 0, -ACCEL);
}
END_TEST

START_TEST(test_who_overlaps_brakes_half_as_hard_as_it_pushes)
{
    add_moving(0, 0, 0, 1.5f);
    add_moving(0.5f, 0, 0, 0);
    expect(0, -ACCEL * sqrtf(0.8f), -ACCEL * sqrtf(0.2f)); /* 1 : 1/2, clamped */
}
END_TEST

START_TEST(test_who_touches_at_rest_asks_for_nothing)
{
    add_moving(0, 0, 0, 0);
    add_moving(0.8f - 0.25f * world->slop_m, 0, 0, 0);
    expect_nothing(0);
    expect_nothing(1);
}
END_TEST

/* ---- who comes first ---- */

START_TEST(test_the_soonest_decides_not_the_nearest)
{
    /* The slow one is nearer and alone would send it to the left, the fast one comes first. */
    add_moving(0, 0, 1, 0);
    add_moving(3, -0.25f, -1, 0);
    expect(0, 0, (REACH - 0.25f) / 2.25f);
    add_moving(4, 0.25f, -3, 0);
    ck_assert_float_lt(expect_something(0).y, -(REACH - 0.25f));
}
END_TEST

START_TEST(test_of_two_at_the_same_time_the_lower_id_decides)
{
    float sign = _i == 0 ? 1.0f : -1.0f;
    add_moving(0, 0, 1, 0);
    add_moving(3, sign * 0.5f, -1, 0);
    add_moving(3, sign * -0.5f, -1, 0);
    ck_assert_float_lt(sign * expect_something(0).y, -0.1f);
}
END_TEST

START_TEST(test_who_is_cleared_by_the_evasion_of_another_adds_nothing)
{
    /* In file. Out of the path of the first, who does not yield, is out of the path of the second, too. */
    add_moving(0, 0, 1, 0);
    add_going(3, 0.25f, -1, 0, (struct steer_goal){.kind = STEER_GOAL_VELOCITY, .velocity_mps = {-1, 0}});
    float alone = -2.0f * (REACH - 0.25f) / 2.25f;
    expect(0, 0, alone);
    add_moving(4.5f, 0.25f, -1, 0);
    expect(0, 0, alone);
}
END_TEST

START_TEST(test_between_two_it_brakes_and_does_not_turn_back)
{
    /* One on either side: what the second asks against the first is braked with, by a part, to a stand. */
    add_moving(0, 0, 1, 0);
    add_moving(3, 0.5f, -1, 0);
    float aside = expect_something(0).y;
    add_moving(3, -0.5f, -1, 0);
    struct vec2 both = expect_something(0);
    ck_assert_float_eq_tol(both.y, aside, 1e-4f);
    ck_assert_float_lt(both.x, -0.01f);
    clear();
    add_moving(0, 0, 0.0009765625f, 0); /* hardly moves: a stand is 0.001 m/s * 30 Hz away */
    add_moving(1.5f, 0.5f, -3, 0);
    add_moving(1.5f, -0.5f, -3, 0);
    both = expect_something(0);
    ck_assert_float_ge(both.x, -0.0009765625f * 30.0f);
}
END_TEST

/* ---- the same goal ---- */

START_TEST(test_of_two_as_near_to_one_goal_the_lower_id_goes_first_and_the_other_brakes)
{
    add_going(-3, 0.5f, 1, -0.5f, sim_fixture_to(0, 0));
    add_going(-3, -0.5f, 1, 0.5f, sim_fixture_to(0, 0));
    expect_nothing(0);
    /* Gap 0.15 m, closing with 1 m/s; a stop with half of max_accel allows sqrt(5 * 0.15). */
    expect(1, 0, -(1.0f - sqrtf(ACCEL * (1.0f - REACH))) * 30.0f);
}
END_TEST

START_TEST(test_who_follows_asks_for_no_more_than_it_needs_and_at_most_max_accel)
{
    add_going(-1, 0, 1, 0, sim_fixture_to(5, 0));
    add_going(-2, 0, 1.875f, 0, sim_fixture_to(5, 0)); /* as fast as it may close up: 0.866 m/s */
    expect(1, -(0.875f - sqrtf(ACCEL * (1.0f - REACH))) * 30.0f, 0);
    clear();
    add_going(-1, 0, 1, 0, sim_fixture_to(5, 0));
    add_going(-2, 0, 3, 0, sim_fixture_to(5, 0));
    expect(1, -ACCEL, 0);
    clear();
    add_going(-1, 0, 1, 0, sim_fixture_to(5, 0));
    add_going(-2, 0, 1.75f, 0, sim_fixture_to(5, 0));
    expect(1, 0, 0);
}
END_TEST

START_TEST(test_a_path_from_where_it_goes_is_no_goal_of_its_own)
{
    /* One who starts on another's goal and comes towards him by a path has another goal. */
    const struct vec2 path[] = {{-8, 0.25f}};
    add_going(0, 0, 1, 0, sim_fixture_to(3, 0.25f));
    add_going(3, 0.25f, -1, 0, (struct steer_goal){STEER_GOAL_PATH, .path_m = path, .path_count = 1});
    expect(0, 0, -(REACH - 0.25f) / 2.25f);
}
END_TEST

START_TEST(test_another_goal_is_passed)
{
    /* The one ahead goes on to a goal of his own a metre beyond: he is overtaken, not followed. */
    add_going(0, 0, 1.5f, 0, sim_fixture_to(8, 0));
    add_going(2, 0.25f, 0, 0, sim_fixture_to(8, 1));
    struct vec2 accel = expect_something(0);
    ck_assert_float_lt(accel.y, -0.1f);
}
END_TEST

START_TEST(test_who_stands_in_the_queue_holds_who_comes_behind_him_and_not_who_is_beside)
{
    add_going(3, 0, 0, 0, sim_fixture_to(5, 0));
    add_going(2.171875f, 0, 0, 0, sim_fixture_to(5, 0)); /* 0.03 m behind him */
    struct vec2 accel = expect_something(1);
    ck_assert_float_lt(accel.x, 0.0f); /* next to nothing, and away from the goal */
    ck_assert_float_gt(accel.x, -0.01f);
    ck_assert_float_eq(accel.y, 0.0f);
    clear();
    add_going(3, 0, 0, 0, sim_fixture_to(5, 0));
    add_going(3, 0.828125f, 0, 0, sim_fixture_to(5, 0)); /* beside him, by more than 60 degrees */
    expect_nothing(1);
    clear();
    add_going(3, 0, 0.5f, 0, sim_fixture_to(5, 0)); /* he walks: then there is nothing to wait for */
    add_going(2.171875f, 0, 0, 0, sim_fixture_to(5, 0));
    expect_nothing(1);
}
END_TEST

Suite *suite_sim_avoid_rules(void)
{
    Suite *suite = suite_create("sim_avoid_rules");
    TCase *minds = tcase_create("minds");
    tcase_add_checked_fixture(minds, setup, teardown);
    tcase_add_loop_test(minds, test_only_those_whose_layers_meet_the_mask_are_minded, 0, 5);
    tcase_add_test(minds, test_who_is_farther_than_the_neighbour_distance_is_not_seen_however_fast);
    tcase_add_test(minds, test_the_first_contact_has_to_be_within_the_horizon_not_the_closest_approach);
    tcase_add_test(minds, test_who_goes_away_or_passes_just_clear_is_not_minded);
    tcase_add_test(minds, test_a_wall_hides_only_what_is_behind_it);
    suite_add_tcase(suite, minds);
    TCase *strength = tcase_create("strength");
    tcase_add_checked_fixture(strength, setup, teardown);
    tcase_add_test(strength, test_radii_of_both_count);
    tcase_add_test(strength, test_one_who_is_driven_does_not_yield_so_the_whole_is_done);
    tcase_add_test(strength, test_the_preferred_side_is_given_up_where_the_other_is_clearly_nearer);
    tcase_add_test(strength, test_what_would_slow_it_is_made_up_for_sideways);
    tcase_add_test(strength, test_what_max_accel_cannot_clear_is_braked_for);
    tcase_add_test(strength, test_never_more_than_takes_the_course_away_within_the_tick);
    tcase_add_test(strength, test_within_the_margin_contact_is_now);
    suite_add_tcase(suite, strength);
    TCase *overlap = tcase_create("overlap");
    tcase_add_checked_fixture(overlap, setup, teardown);
    tcase_add_test(overlap, test_who_overlaps_pushes_away_from_the_deepest_before_anything_else);
    tcase_add_test(overlap, test_who_overlaps_brakes_half_as_hard_as_it_pushes);
    tcase_add_test(overlap, test_who_touches_at_rest_asks_for_nothing);
    suite_add_tcase(suite, overlap);
    TCase *first = tcase_create("first");
    tcase_add_checked_fixture(first, setup, teardown);
    tcase_add_test(first, test_the_soonest_decides_not_the_nearest);
    tcase_add_loop_test(first, test_of_two_at_the_same_time_the_lower_id_decides, 0, 2);
    tcase_add_test(first, test_who_is_cleared_by_the_evasion_of_another_adds_nothing);
    tcase_add_test(first, test_between_two_it_brakes_and_does_not_turn_back);
    suite_add_tcase(suite, first);
    TCase *goal = tcase_create("same goal");
    tcase_add_checked_fixture(goal, setup, teardown);
    tcase_add_test(goal, test_of_two_as_near_to_one_goal_the_lower_id_goes_first_and_the_other_brakes);
    tcase_add_test(goal, test_who_follows_asks_for_no_more_than_it_needs_and_at_most_max_accel);
    tcase_add_test(goal, test_a_path_from_where_it_goes_is_no_goal_of_its_own);
    tcase_add_test(goal, test_another_goal_is_passed);
    tcase_add_test(goal, test_who_stands_in_the_queue_holds_who_comes_behind_him_and_not_who_is_beside);
    suite_add_tcase(suite, goal);
    return suite;
}
