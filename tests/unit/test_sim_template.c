/*
 * The template: when what moves, what nothing means, rest, limits, and why a budget projects. Where the
 * recipe's rule is wrong it stands here too, and the test shows first what it does.
 */
#include <math.h>

#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define RATE_HZ 30.0f

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world();
}

static void teardown(void)
{
    steer_world_destroy(world);
}

/* One more agent, in a row of its own. */
static uint32_t add(const struct steer_agent_spec *spec)
{
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
    return world->agents.count - 1;
}

/* The recipe's LateUpdate: what sums up to zero stops. */
static float recipe_late_update(float velocity, float linear)
{
    return linear == 0.0f ? 0.0f : velocity + linear / RATE_HZ;
}

START_TEST(test_to_ask_for_zero_is_not_to_ask_for_nothing)
{
    ck_assert_float_eq(recipe_late_update(1.5f, 0.0f), 0.0f); /* the defect */
    sim_fixture_profile(world, "stops", "seek", STEER_REST_STOP);
    /* It goes where it wants to as fast as it can: what it asks for is zero. */
    uint32_t row = add(&(struct steer_agent_spec){
        .velocity_mps = {1.5f, 0}, .profile = "stops", .goal = sim_fixture_to(50, 0)});
    struct steering asked = sim_fixture_ask(world, "seek", 1);
    ck_assert_int_eq(asked.asks[row], STEER_ASKS_LINEAR);
    ck_assert_float_eq(asked.ax[row], 0.0f);
    sim_fixture_run(world, 1);
    ck_assert_float_eq(world->agents.vx[row], 1.5f);
    /* And one who asks for nothing stops. */
    uint32_t idle =
        add(&(struct steer_agent_spec){.position_m = {0, 9}, .velocity_mps = {1.5f, 0}, .profile = "stops"});
    sim_fixture_run(world, 1);
    ck_assert_float_eq(world->agents.vx[idle], 0.0f);
}
END_TEST

START_TEST(test_rotation_brakes_stops_or_coasts_too_and_never_turns_back)
{
    static const enum steer_rest rests[] = {STEER_REST_BRAKE, STEER_REST_STOP, STEER_REST_COAST};
    /* 1440 deg/s^2 take 48 of the rotation in a tick. */
    static const float after[][3] = {{100.0f, 52.0f, 4.0f}, {100.0f, 0.0f, 0.0f}, {100.0f, 100.0f, 100.0f}};
    sim_fixture_profile(world, "rests", "seek", rests[_i]);
    uint32_t right = add(&(struct steer_agent_spec){.profile = "rests"});
    uint32_t left = add(&(struct steer_agent_spec){.position_m = {3, 0}, .profile = "rests"});
    world->agents.rotation_deg_s[right] = 100.0f;
    world->agents.rotation_deg_s[left] = -100.0f;
    for (uint32_t tick = 1; tick < 3; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_eq_tol(world->agents.rotation_deg_s[right], after[_i][tick], 1e-3f);
        ck_assert_float_eq_tol(world->agents.rotation_deg_s[left], -after[_i][tick], 1e-3f);
    }
    sim_fixture_run(world, 1);
    ck_assert_float_eq(world->agents.rotation_deg_s[right], rests[_i] == STEER_REST_COAST ? 100.0f : 0.0f);
}
END_TEST

START_TEST(test_orientation_turns_by_the_rotation_before_the_tick_and_wraps_both_ways)
{
    sim_fixture_profile(world, "rests", "seek", STEER_REST_COAST);
    uint32_t right = add(&(struct steer_agent_spec){.orientation_deg = 355, .profile = "rests"});
    uint32_t left =
        add(&(struct steer_agent_spec){.position_m = {3, 0}, .orientation_deg = 5, .profile = "rests"});
    uint32_t edge =
        add(&(struct steer_agent_spec){.position_m = {6, 0}, .orientation_deg = 348, .profile = "rests"});
    world->agents.rotation_deg_s[right] = 360.0f;
    world->agents.rotation_deg_s[left] = -360.0f;
    world->agents.rotation_deg_s[edge] = 360.0f;
    sim_fixture_run(world, 1);
    ck_assert_float_eq_tol(world->agents.orientation_deg[right], 7.0f, 1e-3f);
    ck_assert_float_eq_tol(world->agents.orientation_deg[left], 353.0f, 1e-3f);
    ck_assert_float_lt(world->agents.orientation_deg[edge], 360.0f);
    ck_assert_float_eq_tol(fmodf(world->agents.orientation_deg[edge] + 1.0f, 360.0f), 1.0f, 1e-3f);
}
END_TEST

START_TEST(test_rotation_and_its_change_are_clamped_both_ways)
{
    /* Each looks away from where its goal is: a turn of 179 degrees to the right or left. */
    sim_fixture_profile(world, "faces", "face", STEER_REST_BRAKE);
    uint32_t right = add(&(struct steer_agent_spec){
        .orientation_deg = 181, .profile = "faces", .goal = sim_fixture_to(0, 50)});
    uint32_t left = add(&(struct steer_agent_spec){
        .position_m = {3, 0}, .orientation_deg = 179, .profile = "faces", .goal = sim_fixture_to(3, 50)});
    sim_fixture_run(world, 1);
    ck_assert_float_eq_tol(world->agents.rotation_deg_s[right], 48.0f, 1e-3f);
    ck_assert_float_eq_tol(world->agents.rotation_deg_s[left], -48.0f, 1e-3f);
    world->agents.rotation_deg_s[right] = 359.0f;
    world->agents.rotation_deg_s[left] = -359.0f;
    sim_fixture_run(world, 1);
    ck_assert_float_le(world->agents.rotation_deg_s[right], 360.0f);
    ck_assert_float_ge(world->agents.rotation_deg_s[left], -360.0f);
    world->agents.rotation_deg_s[left] = -5000.0f; /* a profile with lower limits came in between */
    sim_fixture_run(world, 1);
    ck_assert_float_ge(world->agents.rotation_deg_s[left], -360.0f);
}
END_TEST

START_TEST(test_steering_reads_the_state_after_move_and_part_of_everybody)
{
    /*
     * At its old place the first would still want on: its goal is 1/32 m ahead. After the move it is there.
     * And the second sees the first where it is after parting, 0.8 m away and not 0.6.
     */
    sim_fixture_profile(world, "seeker", "seek", STEER_REST_STOP);
    uint32_t row = add(&(struct steer_agent_spec){
        .velocity_mps = {1.5f, 0}, .profile = "seeker", .goal = sim_fixture_to(0.049f, 0)});
    sim_fixture_run(world, 1);
    ck_assert_float_eq_tol(world->agents.x[row], 0.05f, 1e-6f);
    ck_assert_float_lt(world->agents.vx[row], 1.5f); /* it is past it, and turns */
    sim_fixture_profile(world, "avoider", "avoid_agents", STEER_REST_COAST);
    uint32_t a = add(&(struct steer_agent_spec){.position_m = {0, 20}, .profile = "avoider"});
    uint32_t b = add(&(struct steer_agent_spec){.position_m = {0.6f, 20}, .profile = "avoider"});
    sim_fixture_run(world, 1);
    ck_assert_float_eq_tol(world->agents.x[b] - world->agents.x[a], 0.8f, 1e-3f);
    ck_assert_float_eq(world->agents.vx[a], 0.0f); /* no overlap any more: nobody pushes */
}
END_TEST

/* What the budget would be without its projection: both in order, as far as it reaches. */
static struct vec2 unprojected(struct vec2 first, struct vec2 second, float max)
{
    return vec2_add(first, vec2_clamp_length(second, max - vec2_length(first)));
}

/* A plain blend of weights 1. */
static struct vec2 blended(struct vec2 first, struct vec2 second, float max)
{
    return vec2_clamp_length(vec2_add(first, second), max);
}

START_TEST(test_arrive_does_not_cancel_an_early_gentle_evasion)
{
    /*
     * Two head-on, 4 m apart, who have just begun to go to their right: avoiding asks for more of it,
     * arriving asks to be straight on course again.
     */
    uint32_t row =
        add(&(struct steer_agent_spec){.velocity_mps = {1.475f, -0.125f}, .goal = sim_fixture_to(20, 0)});
    (void)add(&(struct steer_agent_spec){
        .position_m = {4, 0}, .velocity_mps = {-1.475f, 0.125f}, .goal = sim_fixture_to(-20, 0)});
    struct steering avoid = sim_fixture_ask(world, "avoid_agents", 1);
    struct steering arrive = sim_fixture_ask(world, "arrive", 1);
    struct vec2 first = vec2(avoid.ax[row], avoid.ay[row]);
    struct vec2 second = vec2(arrive.ax[row], arrive.ay[row]);
    ck_assert_float_lt(first.y, -0.1f);
    ck_assert_float_gt(second.y, 0.1f);
    ck_assert_float_ge(unprojected(first, second, 5.0f).y, 0.0f); /* the defect: back into the other's path */
    ck_assert_float_ge(blended(first, second, 5.0f).y, 0.0f);
    sim_fixture_run(world, 1);
    ck_assert_float_lt(world->agents.vy[row], -0.125f); /* farther out of it */
}
END_TEST

Suite *suite_sim_template(void)
{
    Suite *suite = suite_create("sim_template");
    TCase *update = tcase_create("update");
    tcase_add_checked_fixture(update, setup, teardown);
    tcase_add_test(update, test_to_ask_for_zero_is_not_to_ask_for_nothing);
    tcase_add_loop_test(update, test_rotation_brakes_stops_or_coasts_too_and_never_turns_back, 0, 3);
    tcase_add_test(update, test_orientation_turns_by_the_rotation_before_the_tick_and_wraps_both_ways);
    tcase_add_test(update, test_rotation_and_its_change_are_clamped_both_ways);
    tcase_add_test(update, test_steering_reads_the_state_after_move_and_part_of_everybody);
    tcase_add_test(update, test_arrive_does_not_cancel_an_early_gentle_evasion);
    suite_add_tcase(suite, update);
    return suite;
}
