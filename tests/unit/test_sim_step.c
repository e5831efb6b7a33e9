/* The tick: its order, movement against walls, parting, and that threads do not matter. */
#include <math.h>
#include <string.h>

#include "base/trig.h"
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

/* A moving agent of a profile. */
static struct steer_agent_id moving(struct vec2 position, struct vec2 velocity, const char *profile)
{
    struct steer_agent_spec spec = {
        .position_m = position, .velocity_mps = velocity, .profile = profile, .max_speed_mps = 100};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
    return (struct steer_agent_id){made.first_id};
}

/* A profile that asks for nothing of an agent without a goal, and rolls on. */
static void define_rolling(void)
{
    sim_fixture_profile(world, "rolling", "seek", STEER_REST_COAST);
}

START_TEST(test_position_moves_by_the_velocity_before_the_tick_and_then_velocity_changes)
{
    sim_fixture_profile(world, "seeker", "seek", STEER_REST_BRAKE);
    struct steer_agent_id id = sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(10, 0), "seeker");
    sim_fixture_run(world, 1);
    ck_assert_float_eq(sim_fixture_position(world, id).x, 0.0f); /* it stood, so it has not moved */
    ck_assert_float_eq_tol(sim_fixture_velocity(world, id).x, 5.0f / 30.0f, 1e-6f);
    sim_fixture_run(world, 1);
    ck_assert_float_eq_tol(sim_fixture_position(world, id).x, 5.0f / 900.0f, 1e-6f);
    ck_assert_uint_eq(steer_world_tick(world), 2);
}
END_TEST

START_TEST(test_rest_brakes_stops_or_coasts)
{
    define_rolling();
    sim_fixture_profile(world, "braking", "seek", STEER_REST_BRAKE);
    sim_fixture_profile(world, "stopping", "seek", STEER_REST_STOP);
    struct steer_agent_id rolls = moving(vec2(0, 0), vec2(1, 0), "rolling");
    struct steer_agent_id brakes = moving(vec2(0, 10), vec2(1, 0), "braking");
    struct steer_agent_id stops = moving(vec2(0, 20), vec2(1, 0), "stopping");
    sim_fixture_run(world, 1);
    ck_assert_float_eq(sim_fixture_velocity(world, rolls).x, 1.0f);
    ck_assert_float_eq_tol(sim_fixture_velocity(world, brakes).x, 1.0f - 5.0f / 30.0f, 1e-6f);
    ck_assert_float_eq(sim_fixture_velocity(world, stops).x, 0.0f);
    ck_assert_float_eq_tol(sim_fixture_position(world, stops).x, 1.0f / 30.0f, 1e-6f); /* moved first */
    sim_fixture_run(world, 10);
    ck_assert_float_eq(sim_fixture_velocity(world, brakes).x, 0.0f); /* and not back */
}
END_TEST

/* One who rolls past others who stand: each is something to mind, and making room for it is no reason to roll
 * on. */
START_TEST(test_who_only_makes_room_comes_to_rest_beside_others)
{
    for (int i = 0; i < 12; i++) {
        sim_fixture_agent(world, vec2(0.5f + 0.9f * (float)i, i % 2 == 0 ? 0.85f : -0.85f),
                          (struct steer_goal){0}, "");
    }
    struct steer_agent_spec spec = {.position_m = {-1, 0.02f}, .velocity_mps = {1.5f, 0}};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_agents(world, &spec, 1, &made, NULL), STATUS_OK);
    struct steer_agent_id id = {made.first_id};
    float slowest = 0;
    for (uint32_t tick = 0; tick < 60; tick++) {
        sim_fixture_run(world, 1);
        slowest = fminf(slowest, sim_fixture_velocity(world, id).x);
    }
    ck_assert_float_ge(slowest, -0.01f); /* and is not thrown back either */
    ck_assert_float_lt(vec2_length(sim_fixture_velocity(world, id)), 0.01f);
    ck_assert_float_lt(sim_fixture_position(world, id).x, 0.5f);
}
END_TEST

START_TEST(test_speed_and_rotation_stay_within_the_limits)
{
    define_rolling();
    struct steer_agent_id id = moving(vec2(0, 0), vec2(60, 0), "rolling");
    struct steer_profile slower = *steer_world_profile(world, 1);
    sim_fixture_run(world, 1);
    ck_assert_float_eq(sim_fixture_velocity(world, id).x, 60.0f);
    struct steer_agent_id other = sim_fixture_agent(world, vec2(0, 50), sim_fixture_to(90, 50), "rolling");
    slower.limits.max_speed = 0.5f;
    ck_assert_int_eq(steer_world_define_profile(world, &slower, NULL), STATUS_OK);
    sim_fixture_run(world, 60);
    ck_assert_float_eq_tol(vec2_length(sim_fixture_velocity(world, other)), 0.5f, 1e-5f);
}
END_TEST

START_TEST(test_a_lone_walker_does_ten_metres_in_about_seven_seconds)
{
    struct steer_agent_id id = sim_fixture_agent(world, vec2(-5, 0), sim_fixture_to(5, 0), "");
    uint32_t ticks = 0;
    while (sim_fixture_state(world, id) != STEER_AGENT_STATE_ARRIVED && ticks < 300) {
        sim_fixture_run(world, 1);
        ticks++;
    }
    ck_assert_uint_ge(ticks, 207); /* 6.9 s */
    ck_assert_uint_le(ticks, 219); /* 7.3 s */
    ck_assert_float_le(vec2_length(vec2_sub(sim_fixture_position(world, id), vec2(5, 0))), 0.2f);
}
END_TEST

START_TEST(test_driven_agents_take_their_velocity_until_a_target_is_set)
{
    struct steer_agent_id id = sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(-50, 0), "");
    ck_assert_int_eq(steer_world_drive(world, id, vec2(1, 0.5f), NULL), STATUS_OK);
    sim_fixture_run(world, 60);
    ck_assert_int_eq(sim_fixture_state(world, id), STEER_AGENT_STATE_DRIVEN);
    ck_assert_float_eq_tol(sim_fixture_velocity(world, id).x, 1.0f, 1e-3f);
    ck_assert_float_eq_tol(sim_fixture_velocity(world, id).y, 0.5f, 1e-3f);
    ck_assert_float_eq_tol(steer_world_agents(world).orientation_deg[0], 63.43f,
                           2.0f); /* looks where it goes */
    struct steer_target_spec target = {.agents = {.all = true}, .goal = {.kind = STEER_GOAL_NONE}};
    ck_assert_int_eq(steer_world_set_targets(world, &target, 1, NULL), STATUS_OK);
    sim_fixture_run(world, 30);
    ck_assert_float_eq(sim_fixture_velocity(world, id).x, 0.0f);
}
END_TEST

START_TEST(test_a_wall_without_thickness_stops_any_speed_and_takes_the_velocity_into_it)
{
    define_rolling();
    sim_fixture_segment(world, vec2(0, -90), vec2(0, 90));
    struct steer_agent_id fast = moving(vec2(-1, 0), vec2(60, 3), "rolling");
    sim_fixture_run(world, 1);
    struct vec2 position = sim_fixture_position(world, fast);
    ck_assert_float_lt(position.x, -0.4f);
    ck_assert_float_gt(position.x, -0.401f);
    ck_assert_float_eq_tol(position.y, 0.1f, 1e-4f); /* slides along all of its way */
    ck_assert_float_eq(sim_fixture_velocity(world, fast).x, 0.0f);
    ck_assert_float_eq(sim_fixture_velocity(world, fast).y, 3.0f);
    sim_fixture_run(world, 100);
    ck_assert_float_ge(sim_fixture_obstacle_gap(world), 0.0f);
}
END_TEST

START_TEST(test_a_corner_of_two_walls_holds_an_agent)
{
    define_rolling();
    sim_fixture_segment(world, vec2(5, -20), vec2(5, 20));
    sim_fixture_segment(world, vec2(-20, 4), vec2(20, 6));
    struct steer_agent_id id = moving(vec2(0, 0), vec2(70, 60), "rolling");
    for (uint32_t tick = 0; tick < 30; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_ge(sim_fixture_obstacle_gap(world), 0.0f);
    }
    ck_assert_float_lt(sim_fixture_position(world, id).x, 4.6f);
    ck_assert_float_eq(vec2_length(sim_fixture_velocity(world, id)), 0.0f);
}
END_TEST

START_TEST(test_an_end_of_a_wall_is_slid_round)
{
    define_rolling();
    sim_fixture_segment(world, vec2(5, 0), vec2(5, 20));
    struct steer_agent_id id = moving(vec2(0, -0.2f), vec2(3, 0), "rolling");
    for (uint32_t tick = 0; tick < 300; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_ge(sim_fixture_obstacle_gap(world), 0.0f);
    }
    ck_assert_float_gt(sim_fixture_position(world, id).x, 5.0f);
}
END_TEST

START_TEST(test_a_wall_is_slid_along_in_any_direction_and_never_holds)
{
    /* Rounding leaves what slides along a wall going into it by a hair: a second touch, but no corner. */
    for (uint32_t i = 0; i < 2000; i++) {
        struct vec2 normal = trig_direction((float)i * 0.18f);
        struct vec2 along = vec2_right(normal);
        sim_fixture_segment(world, vec2_scale(along, 5), vec2_scale(along, -5));
        struct vec2 from = vec2_scale(normal, 0.4f + 0.95f * world->skin_m);
        struct vec2 move = vec2_add(vec2_scale(along, 0.02f), vec2_scale(normal, -0.0123f));
        struct vec2 velocity = vec2_scale(move, 30);
        struct vec2 way = vec2_sub(step_slide(world, from, move, 0.4f, &velocity), from);
        ck_assert_float_eq_tol(vec2_dot(way, along), 0.02f, 1e-5f);
        ck_assert_float_eq_tol(vec2_dot(velocity, along), 0.6f, 1e-4f);
        ck_assert_int_eq(steer_world_remove_obstacles(world, NULL, 0, true, NULL), STATUS_OK);
    }
}
END_TEST

START_TEST(test_the_edge_of_the_world_is_a_wall)
{
    define_rolling();
    struct steer_agent_id id = moving(vec2(90, 90), vec2(60, 40), "rolling");
    sim_fixture_run(world, 60);
    struct vec2 position = sim_fixture_position(world, id);
    ck_assert_float_le(position.x, 99.6f);
    ck_assert_float_ge(position.x, 99.59f);
    ck_assert_float_le(position.y, 99.6f);
    ck_assert_float_ge(position.y, 99.59f);
    ck_assert_float_eq(vec2_length(sim_fixture_velocity(world, id)), 0.0f);
}
END_TEST

START_TEST(test_rims_stay_out_of_oblique_walls_ten_kilometres_away)
{
    struct steer_world_config config = sim_fixture_config();
    config.min_m = vec2(-10000, -10000);
    config.max_m = vec2(10000, 10000);
    steer_world_destroy(world);
    ck_assert_int_eq(steer_world_create(&config, 1, &world, NULL), STATUS_OK);
    define_rolling();
    sim_fixture_segment(world, vec2(9900, 9900), vec2(9990, 9977));
    for (uint32_t i = 0; i < 20; i++) {
        moving(vec2(9900 + 4 * (float)i, 9940 + 3 * (float)i), vec2(2, -20 - (float)i), "rolling");
    }
    for (uint32_t tick = 0; tick < 300; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_ge(sim_fixture_obstacle_gap(world), -0.001f);
    }
}
END_TEST

START_TEST(test_an_agent_under_a_new_obstacle_is_out_of_it_in_the_same_tick)
{
    struct steer_agent_id id = sim_fixture_agent(world, vec2(0.2f, 0), (struct steer_goal){0}, "");
    sim_fixture_box(world, vec2(0, 0), vec2(4, 2));
    sim_fixture_run(world, 1);
    ck_assert_float_ge(sim_fixture_obstacle_gap(world), 0.0f);
    ck_assert_float_le(vec2_length(sim_fixture_position(world, id)), 1.5f); /* by the shortest way */
}
END_TEST

START_TEST(test_two_that_overlap_part_by_half_each)
{
    struct steer_agent_id a = sim_fixture_agent(world, vec2(0, 0), (struct steer_goal){0}, "");
    struct steer_agent_id b = sim_fixture_agent(world, vec2(0.6f, 0), (struct steer_goal){0}, "");
    sim_fixture_run(world, 1);
    ck_assert_float_eq_tol(sim_fixture_position(world, a).x, -0.1f, 1e-6f);
    ck_assert_float_eq_tol(sim_fixture_position(world, b).x, 0.7f, 1e-6f);
    ck_assert_float_eq(sim_fixture_position(world, a).y, 0.0f);
}
END_TEST

START_TEST(test_coincident_agents_part_the_same_way_every_time_and_come_to_exact_rest)
{
    uint64_t digests[2];
    for (uint32_t run = 0; run < 2; run++) {
        struct steer_world *other = sim_fixture_world();
        for (uint32_t i = 0; i < 12; i++) {
            sim_fixture_agent(other, vec2(3, 3), (struct steer_goal){0}, "");
        }
        sim_fixture_run(other, 300);
        ck_assert_float_ge(sim_fixture_gap(other), -0.001f);
        struct steer_agent_columns agents = steer_world_agents(other);
        float x = agents.x_m[5];
        float y = agents.y_m[5];
        ck_assert_float_le(vec2_length(vec2(x - 3, y - 3)), 3.0f);
        digests[run] = steer_world_digest(other);
        sim_fixture_run(other, 30);
        ck_assert_float_eq(agents.x_m[5], x);
        ck_assert_float_eq(agents.y_m[5], y);
        steer_world_destroy(other);
    }
    ck_assert_uint_eq(digests[0], digests[1]);
}
END_TEST

START_TEST(test_obstacles_have_the_last_word_over_a_crowd_that_pushes)
{
    sim_fixture_segment(world, vec2(-2, -3), vec2(-2, 3));
    sim_fixture_segment(world, vec2(2, -3), vec2(2, 3));
    sim_fixture_segment(world, vec2(-2, -3), vec2(2, -3));
    for (uint32_t i = 0; i < 40; i++) { /* more than the room between the walls holds */
        sim_fixture_agent(world, vec2(-1.5f + 0.1f * (float)(i % 30), -2.5f + 0.05f * (float)i),
                          (struct steer_goal){0}, "");
    }
    for (uint32_t tick = 0; tick < 60; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_ge(sim_fixture_obstacle_gap(world), 0.0f);
    }
}
END_TEST

/* A crowd that goes round among obstacles, with targets, paths and followers; the digest after some ticks. */
static uint64_t busy_digest(uint32_t threads)
{
    struct steer_world *busy = sim_fixture_world();
    struct job_pool *pool = job_pool_create(threads);
    ck_assert_ptr_nonnull(pool);
    for (uint32_t i = 0; i < 40; i++) {
        sim_fixture_box(busy, vec2(-45 + 13 * (float)(i % 8), -30 + 15 * (float)(i / 8)),
                        vec2(3, 1 + (float)(i % 3)));
    }
    struct steer_crowd_spec spec = {.count = 1500,
                                    .min_m = {-50, -40},
                                    .max_m = {50, 40},
                                    .seed = 5,
                                    .goal_kind = STEER_CROWD_GOAL_AREA,
                                    .goal_min_m = {-50, -40},
                                    .goal_max_m = {50, 40},
                                    .retarget = true};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_crowd(busy, &spec, &made, NULL), STATUS_OK);
    const struct vec2 path[3] = {{60, 60}, {-60, 60}, {-60, -60}};
    sim_fixture_agent(busy, vec2(60, -60),
                      (struct steer_goal){STEER_GOAL_PATH, .path_m = path, .path_count = 3}, "");
    sim_fixture_agent(busy, vec2(62, -60), (struct steer_goal){STEER_GOAL_AGENT, .agent = {made.first_id}},
                      "");
    for (uint32_t tick = 0; tick < 60; tick++) {
        steer_world_step(busy, pool);
    }
    uint64_t digest = steer_world_digest(busy);
    job_pool_destroy(pool);
    steer_world_destroy(busy);
    return digest;
}

START_TEST(test_the_number_of_threads_does_not_matter)
{
    uint64_t one = busy_digest(1);
    ck_assert_uint_eq(busy_digest(2), one);
    ck_assert_uint_eq(busy_digest(3), one);
    ck_assert_uint_eq(busy_digest(8), one);
}
END_TEST

START_TEST(test_an_empty_world_ticks)
{
    sim_fixture_run(world, 3);
    ck_assert_uint_eq(steer_world_tick(world), 3);
    ck_assert_uint_eq(steer_world_agents(world).count, 0);
}
END_TEST

START_TEST(test_agents_are_found_by_area_before_and_after_a_tick)
{
    struct steer_crowd_spec spec = {.count = 800, .min_m = {-30, -30}, .max_m = {30, 30}, .seed = 3};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, NULL), STATUS_OK);
    const struct steer_area areas[] = {
        {.kind = STEER_AREA_WHOLE},
        {.kind = STEER_AREA_RECTANGLE, .min_m = {-5, -20}, .max_m = {9, 3}},
        {.kind = STEER_AREA_DISC, .center_m = {25, 25}, .radius_m = 12},
    };
    for (uint32_t round = 0; round < 2; round++) {
        struct steer_agent_columns agents = steer_world_agents(world);
        for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
            uint32_t rows[800];
            uint32_t found = steer_world_find_agents(world, &areas[i], rows, 800);
            uint32_t next = 0;
            for (uint32_t row = 0; row < agents.count; row++) {
                if (steer_area_contains(&areas[i], vec2(agents.x_m[row], agents.y_m[row]))) {
                    ck_assert_uint_lt(next, found);
                    ck_assert_uint_eq(rows[next++], row);
                }
            }
            ck_assert_uint_eq(next, found);
            ck_assert_uint_eq(steer_world_find_agents(world, &areas[i], rows, 1), found);
        }
        sim_fixture_run(world, 1);
    }
}
END_TEST

Suite *suite_sim_step(void)
{
    Suite *suite = suite_create("sim_step");
    TCase *order = tcase_create("order");
    tcase_add_checked_fixture(order, setup, teardown);
    tcase_add_test(order, test_position_moves_by_the_velocity_before_the_tick_and_then_velocity_changes);
    tcase_add_test(order, test_rest_brakes_stops_or_coasts);
    tcase_add_test(order, test_who_only_makes_room_comes_to_rest_beside_others);
    tcase_add_test(order, test_speed_and_rotation_stay_within_the_limits);
    tcase_add_test(order, test_a_lone_walker_does_ten_metres_in_about_seven_seconds);
    tcase_add_test(order, test_driven_agents_take_their_velocity_until_a_target_is_set);
    suite_add_tcase(suite, order);
    TCase *move = tcase_create("move");
    tcase_add_checked_fixture(move, setup, teardown);
    tcase_add_test(move, test_a_wall_without_thickness_stops_any_speed_and_takes_the_velocity_into_it);
    tcase_add_test(move, test_a_corner_of_two_walls_holds_an_agent);
    tcase_add_test(move, test_an_end_of_a_wall_is_slid_round);
    tcase_add_test(move, test_a_wall_is_slid_along_in_any_direction_and_never_holds);
    tcase_add_test(move, test_the_edge_of_the_world_is_a_wall);
    tcase_add_test(move, test_rims_stay_out_of_oblique_walls_ten_kilometres_away);
    tcase_add_test(move, test_an_agent_under_a_new_obstacle_is_out_of_it_in_the_same_tick);
    suite_add_tcase(suite, move);
    TCase *part = tcase_create("part");
    tcase_add_checked_fixture(part, setup, teardown);
    tcase_add_test(part, test_two_that_overlap_part_by_half_each);
    tcase_add_test(part, test_coincident_agents_part_the_same_way_every_time_and_come_to_exact_rest);
    tcase_add_test(part, test_obstacles_have_the_last_word_over_a_crowd_that_pushes);
    suite_add_tcase(suite, part);
    TCase *whole = tcase_create("whole");
    tcase_add_checked_fixture(whole, setup, teardown);
    tcase_set_timeout(whole, 60);
    tcase_add_test(whole, test_the_number_of_threads_does_not_matter);
    tcase_add_test(whole, test_an_empty_world_ticks);
    tcase_add_test(whole, test_agents_are_found_by_area_before_and_after_a_tick);
    suite_add_tcase(suite, whole);
    return suite;
}
