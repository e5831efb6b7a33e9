/*
 * One that a client drives by hand through those who avoid him. He is no steered agent, so the others do all
 * of it (sybrenstuvel/Python-RVO2 issue 4: agents that follow a given animation;
 * isaac-mason/recast-navigation-js issue 391: a crowd that divides for one who goes through it).
 */
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

static void drive(struct steer_agent_id id, struct vec2 velocity)
{
    struct fault fault = {0};
    ck_assert_msg(steer_world_drive(world, id, velocity, &fault) == STATUS_OK, "%s", fault.text);
}

START_TEST(test_idle_agents_make_way_for_one_who_is_driven)
{
    struct steer_agent_id idle[25];
    for (uint32_t i = 0; i < 25; i++) {
        idle[i] = sim_fixture_agent(world, vec2(-3 + 1.5f * (float)(i / 5), -3 + 1.5f * (float)(i % 5)),
                                    (struct steer_goal){0}, "");
    }
    struct steer_agent_id driven = sim_fixture_agent(world, vec2(-8, 0), (struct steer_goal){0}, "");
    drive(driven, vec2(1.5f, 0));
    for (uint32_t tick = 0; tick < 330; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_ge(sim_fixture_gap(world), -0.008f); /* 1 % of two radii */
    }
    struct vec2 position = sim_fixture_position(world, driven);
    ck_assert_float_gt(position.x, 8.0f); /* of 16.4 m at full speed */
    ck_assert_float_lt(fabsf(position.y), 0.2f);
    for (uint32_t i = 0; i < 25; i++) {
        struct vec2 place = vec2(-3 + 1.5f * (float)(i / 5), -3 + 1.5f * (float)(i % 5));
        ck_assert_float_lt(vec2_length(vec2_sub(sim_fixture_position(world, idle[i]), place)), 1.5f);
    }
}
END_TEST

START_TEST(test_walkers_go_round_one_who_is_driven_against_them)
{
    struct steer_agent_id driven = sim_fixture_agent(world, vec2(-8, 0), (struct steer_goal){0}, "");
    struct steer_agent_id walkers[12];
    for (uint32_t i = 0; i < 12; i++) {
        float x = 4 + 1.5f * (float)(i / 3);
        float y = 1.5f * ((float)(i % 3) - 1);
        walkers[i] = sim_fixture_agent(world, vec2(x, y), sim_fixture_to(x - 20, y), "");
    }
    drive(driven, vec2(1.5f, 0));
    for (uint32_t tick = 0; tick < 900; tick++) {
        if (tick == 400) {
            drive(driven, vec2(0, 0));
        }
        sim_fixture_run(world, 1);
        ck_assert_float_ge(sim_fixture_gap(world), -0.008f);
    }
    ck_assert_float_lt(fabsf(sim_fixture_position(world, driven).y), 0.1f);
    for (uint32_t i = 0; i < 12; i++) {
        ck_assert_int_eq(sim_fixture_state(world, walkers[i]), STEER_AGENT_STATE_ARRIVED);
    }
}
END_TEST

START_TEST(test_one_who_is_driven_into_a_wall_stays_out_of_it_and_those_behind_him_too)
{
    sim_fixture_segment(world, vec2(3, -5), vec2(3, 5));
    struct steer_agent_id driven = sim_fixture_agent(world, vec2(-3, 0), (struct steer_goal){0}, "");
    sim_fixture_agent(world, vec2(1, 0), (struct steer_goal){0}, "");
    drive(driven, vec2(1.5f, 0));
    for (uint32_t tick = 0; tick < 600; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_ge(sim_fixture_obstacle_gap(world), 0.0f);
    }
}
END_TEST

Suite *suite_sim_driven(void)
{
    Suite *suite = suite_create("sim_driven");
    TCase *tcase = tcase_create("driven");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_idle_agents_make_way_for_one_who_is_driven);
    tcase_add_test(tcase, test_walkers_go_round_one_who_is_driven_against_them);
    tcase_add_test(tcase, test_one_who_is_driven_into_a_wall_stays_out_of_it_and_those_behind_him_too);
    suite_add_tcase(suite, tcase);
    return suite;
}
