/* wander and contain, at points computed by hand and over many ticks. */
#include <math.h>

#include "base/trig.h"
#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define WANDERERS 100

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world();
}

static void teardown(void)
{
    steer_world_destroy(world);
}

static void add(struct steer_agent_spec spec)
{
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
}

/* What wander without jitter asks of the agent of row 0 whose point on the circle is there. */
static struct steering wander_at(float angle_deg, const char *parameter, float value)
{
    struct steer_profile profile = sim_fixture_with("wander", parameter, value);
    ck_assert_int_eq(steer_profile_set_parameter(&profile.behaviours[0], "jitter", 0, NULL), STATUS_OK);
    world->agents.slots[0].words[0] = steer_word_from_float(angle_deg);
    struct steering asked = sim_fixture_ask_profile(world, &profile, 1);
    ck_assert_float_eq(steer_word_to_float(world->agents.slots[0].words[0]), angle_deg);
    return asked;
}

START_TEST(test_wander_steers_to_a_point_on_a_circle_in_front)
{
    add((struct steer_agent_spec){.position_m = {7, 9}, .velocity_mps = {0, 1.5f}, .orientation_deg = 90});
    struct steering asked = wander_at(0, NULL, 0);
    sim_fixture_asks_linear(&asked, 0, 0, 0); /* goes north, not east where it faces, and goes on */
    asked = wander_at(180, NULL, 0);          /* the nearest point of the circle is still before it */
    sim_fixture_asks_linear(&asked, 0, 0, 0);
    /* 1 m right of 1.5 m ahead: 1.5 m/s of (1, 1.5) / 1.80278 less (0, 1.5), in 0.5 s */
    asked = wander_at(90, NULL, 0);
    sim_fixture_asks_linear(&asked, 0, 1.66410f, -0.50385f);
    asked = wander_at(45, NULL, 0); /* (0.70711, 1.5 + 0.70711), 2.31760 long */
    sim_fixture_asks_linear(&asked, 0, 0.91531f, -0.14304f);
    asked = wander_at(270, NULL, 0);
    sim_fixture_asks_linear(&asked, 0, -1.66410f, -0.50385f);
    asked = wander_at(90, "distance", 0); /* straight to the right */
    sim_fixture_asks_linear(&asked, 0, 3, -3);
    asked = wander_at(90, "radius", 1.5f);
    sim_fixture_asks_linear(&asked, 0, 2.12132f, -0.87868f);
    asked = wander_at(90, "time_to_target", 1);
    sim_fixture_asks_linear(&asked, 0, 0.83205f, -0.25193f);
    world->agents.vy[0] = 1.4f;
    asked = wander_at(0, "time_to_target", 0.01f); /* shorter than the tick: 0.1 * 30 */
    sim_fixture_asks_linear(&asked, 0, 0, 3);
}
END_TEST

START_TEST(test_wander_sets_out_where_it_faces)
{
    add((struct steer_agent_spec){.position_m = {7, 9}, .orientation_deg = 90});
    struct steering asked = wander_at(0, NULL, 0);
    sim_fixture_asks_linear(&asked, 0, 3, 0);
}
END_TEST

START_TEST(test_wander_moves_its_point_by_at_most_jitter_and_evenly)
{
    const float most_deg = 360.0f / 30;
    struct steer_profile profile = sim_fixture_with("wander", NULL, 0);
    for (uint32_t i = 0; i < WANDERERS; i++) {
        add((struct steer_agent_spec){.position_m = {-90 + (float)i, 0}});
    }
    float sum_deg = 0;
    float squares = 0;
    float farthest_deg = 0;
    for (world->tick = 0; world->tick < 100; world->tick++) {
        float before_deg[WANDERERS];
        for (uint32_t i = 0; i < WANDERERS; i++) {
            before_deg[i] = steer_word_to_float(world->agents.slots[i].words[0]);
        }
        sim_fixture_ask_profile(world, &profile, WANDERERS);
        for (uint32_t i = 0; i < WANDERERS; i++) {
            float angle_deg = steer_word_to_float(world->agents.slots[i].words[0]);
            ck_assert(angle_deg >= 0 && angle_deg < 360);
            float step_deg = trig_turn_deg(before_deg[i], angle_deg);
            ck_assert_float_le(fabsf(step_deg), most_deg + 1e-4f);
            farthest_deg = fmaxf(farthest_deg, fabsf(step_deg));
            sum_deg += step_deg;
            squares += step_deg * step_deg;
        }
    }
    const float count = 100.0f * WANDERERS;
    ck_assert_float_gt(farthest_deg, 0.999f * most_deg);
    ck_assert_float_le(fabsf(sum_deg / count), 4 * most_deg / sqrtf(3 * count)); /* 4 sigma */
    ck_assert_float_eq_tol(squares / count, most_deg * most_deg / 3, 0.04f * most_deg * most_deg / 3);
}
END_TEST

/* Where a wanderer comes to in 10 s, in a world of a seed with others. */
static struct vec2 wandered_to(uint64_t seed, uint32_t others)
{
    struct steer_world_config config = sim_fixture_config();
    config.seed = seed;
    struct steer_world *other;
    ck_assert_int_eq(steer_world_create(&config, 8, &other, NULL), STATUS_OK);
    sim_fixture_profile(other, "wanderer", "wander", STEER_REST_BRAKE);
    struct steer_agent_id id = sim_fixture_agent(other, vec2(1, 2), (struct steer_goal){0}, "wanderer");
    for (uint32_t i = 0; i < others; i++) {
        sim_fixture_agent(other, vec2(-90 + (float)i, 60), (struct steer_goal){0}, "wanderer");
    }
    sim_fixture_run(other, 300);
    struct vec2 at = sim_fixture_position(other, id);
    steer_world_destroy(other);
    return at;
}

START_TEST(test_wander_is_the_same_from_the_same_seed_however_many_there_are)
{
    struct vec2 alone = wandered_to(5, 0);
    struct vec2 again = wandered_to(5, 0);
    struct vec2 among = wandered_to(5, 150);
    struct vec2 other = wandered_to(6, 0);
    ck_assert_mem_eq(&again, &alone, sizeof alone);
    ck_assert_mem_eq(&among, &alone, sizeof alone);
    ck_assert_float_gt(vec2_length(vec2_sub(other, alone)), 0.5f);
    ck_assert_float_gt(vec2_length(vec2_sub(alone, vec2(1, 2))), 0.5f);
}
END_TEST

/* The world ends at 100, the region of a disc of 0.4 m with a margin of 1 m at 98.6. */
START_TEST(test_contain_lets_nobody_out_faster_than_he_comes_to_rest_before_the_border)
{
    add((struct steer_agent_spec){.position_m = {98.1f, 0},
                                  .velocity_mps = {0.8f, 0.3f}}); /* 0.5 m: 0.5 m/s */
    add((struct steer_agent_spec){.position_m = {98.1f, 5},
                                  .velocity_mps = {0.4f, 0.3f}}); /* is slow enough */
    add((struct steer_agent_spec){.position_m = {0, -98.3f},
                                  .velocity_mps = {1, -0.4f}});                         /* 0.3 m: 0.3 m/s */
    add((struct steer_agent_spec){.position_m = {5, -90}, .velocity_mps = {0, -1.5f}}); /* 8.6 m: far */
    add((struct steer_agent_spec){.position_m = {-98.7f, 0}}); /* outside by 0.1 m: back in 0.4 s */
    add((struct steer_agent_spec){.position_m = {-98.2f, 98.3f},
                                  .velocity_mps = {-0.6f, 0.5f}}); /* a corner */
    /* 50 m: sqrt(5 * 50) = 15.811 m/s is what half of 5 m/s^2 stops */
    add((struct steer_agent_spec){.position_m = {9, 48.6f}, .velocity_mps = {0, 16}, .max_speed_mps = 30});
    add((struct steer_agent_spec){.position_m = {98.1f, 9}, .velocity_mps = {-1.5f, 0}}); /* comes in */
    struct steering asked = sim_fixture_ask(world, "contain", 8);
    sim_fixture_asks_linear(&asked, 0, -3, 0); /* (0.5 - 0.8) / 0.1 */
    ck_assert_int_eq(asked.asks[1], 0);
    sim_fixture_asks_linear(&asked, 2, 0, 1);
    ck_assert_int_eq(asked.asks[3], 0);
    ck_assert_float_eq_tol(asked.ax[4], 2.5f, 1e-3f);
    ck_assert_float_eq_tol(asked.ax[5], 2, 1e-3f);
    ck_assert_float_eq_tol(asked.ay[5], -2, 1e-3f);
    ck_assert_float_eq_tol(asked.ay[6], -1.88612f, 1e-3f);
    ck_assert_int_eq(asked.asks[7], 0);
    struct steer_profile profile = sim_fixture_with("contain", "look_ahead_time", 2);
    asked = sim_fixture_ask_profile(world, &profile, 2);
    ck_assert_float_eq_tol(asked.ax[1], -1.5f, 1e-3f); /* 0.25 m/s */
    profile = sim_fixture_with("contain", "margin", 1.3f);
    asked = sim_fixture_ask_profile(world, &profile, 2);
    ck_assert_float_eq_tol(asked.ax[1], -2, 1e-3f); /* 0.2 m/s */
}
END_TEST

START_TEST(test_contain_is_no_hastier_than_the_tick)
{
    add((struct steer_agent_spec){.position_m = {98.61f, 0}}); /* 1 cm outside */
    struct steer_profile profile = sim_fixture_with("contain", "look_ahead_time", 0.05f);
    struct steering asked = sim_fixture_ask_profile(world, &profile, 1);
    ck_assert_float_eq_tol(asked.ax[0], -2.25f, 0.01f); /* back in 4/30 s, taken up in 1/30 s */
}
END_TEST

START_TEST(test_contain_with_a_margin_that_leaves_nothing_goes_to_the_middle)
{
    add((struct steer_agent_spec){.position_m = {0.1f, 0}});
    add((struct steer_agent_spec){.position_m = {0, -0.04f}});
    struct steer_profile profile = sim_fixture_with("contain", "margin", 10000);
    struct steering asked = sim_fixture_ask_profile(world, &profile, 2);
    sim_fixture_asks_linear(&asked, 0, -2.5f, 0);
    sim_fixture_asks_linear(&asked, 1, 0, 1);
}
END_TEST

/* Runs to the edge from a distance from which it can stop, at any speed and look-ahead. */
START_TEST(test_contain_keeps_inside_whoever_runs_to_the_edge)
{
    static const struct {
        float speed_mps;
        float look_s;
    } cases[] = {{1.5f, 1}, {1.5f, 0.05f}, {10, 1}, {10, 0.1f}, {40, 1}, {40, 5}};
    struct steer_profile profile = {.name = "kept", .combination = STEER_COMBINATION_BUDGET};
    struct steer_profile_behaviour *added;
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, "contain", &added, NULL), STATUS_OK);
    ck_assert_int_eq(steer_profile_set_parameter(added, "look_ahead_time", cases[_i].look_s, NULL),
                     STATUS_OK);
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, "seek", &added, NULL), STATUS_OK);
    added->group = 1;
    profile.limits.max_speed = cases[_i].speed_mps;
    profile.limits.max_accel = 10;
    ck_assert_int_eq(steer_world_define_profile(world, &profile, NULL), STATUS_OK);
    struct job_pool *pool = job_pool_create(1);
    for (uint32_t i = 0; i < 12; i++) { /* one by one: contact is not what is asked about */
        const struct steer_agent_selection all = {.all = true};
        ck_assert_int_eq(steer_world_remove_agents(world, &all, NULL), STATUS_OK);
        struct vec2 way = vec2(cosf(0.52359878f * (float)i + 0.1f), sinf(0.52359878f * (float)i + 0.1f));
        struct vec2 goal = vec2_scale(way, 99.5f / fmaxf(fabsf(way.x), fabsf(way.y)));
        sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(goal.x, goal.y), "kept");
        float farthest = 0;
        for (uint32_t tick = 0; tick < 3600; tick++) {
            steer_world_step(world, pool);
            struct steer_agent_columns agents = steer_world_agents(world);
            farthest = fmaxf(farthest, fmaxf(fabsf(agents.x_m[0]), fabsf(agents.y_m[0])));
        }
        ck_assert_float_gt(farthest, 98.1f);                     /* comes near the border at 98.6 */
        ck_assert_float_le(farthest, 98.6f + 10.0f / 30 * 0.4f); /* max_accel dt for the way back */
    }
    job_pool_destroy(pool);
}
END_TEST

Suite *suite_sim_wander(void)
{
    Suite *suite = suite_create("sim_wander");
    TCase *wander = tcase_create("wander");
    tcase_add_checked_fixture(wander, setup, teardown);
    tcase_add_test(wander, test_wander_steers_to_a_point_on_a_circle_in_front);
    tcase_add_test(wander, test_wander_sets_out_where_it_faces);
    tcase_add_test(wander, test_wander_moves_its_point_by_at_most_jitter_and_evenly);
    tcase_add_test(wander, test_wander_is_the_same_from_the_same_seed_however_many_there_are);
    suite_add_tcase(suite, wander);
    TCase *contain = tcase_create("contain");
    tcase_add_checked_fixture(contain, setup, teardown);
    tcase_add_test(contain, test_contain_lets_nobody_out_faster_than_he_comes_to_rest_before_the_border);
    tcase_add_test(contain, test_contain_is_no_hastier_than_the_tick);
    tcase_add_test(contain, test_contain_with_a_margin_that_leaves_nothing_goes_to_the_middle);
    tcase_add_loop_test(contain, test_contain_keeps_inside_whoever_runs_to_the_edge, 0, 6);
    suite_add_tcase(suite, contain);
    return suite;
}
