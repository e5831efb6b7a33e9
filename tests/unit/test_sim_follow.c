/* Behaviours that have to do with another agent, at points computed by hand, and what a changed scene leaves
 * alike. */
#include <math.h>
#include <string.h>

#include "property/check.h"
#include "sim/steer.h"
#include "sim/steering.h"
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

static void add(struct vec2 position, struct vec2 velocity, float orientation_deg, struct steer_goal goal)
{
    struct steer_agent_spec spec = {
        .position_m = position, .velocity_mps = velocity, .orientation_deg = orientation_deg, .goal = goal};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
}

static const struct steer_goal nowhere = {.kind = STEER_GOAL_NONE};

static struct steer_goal after(uint32_t id)
{
    return (struct steer_goal){.kind = STEER_GOAL_AGENT, .agent = {id}};
}

static void asks_linear(const struct steering *asked, uint32_t i, float ax, float ay)
{
    ck_assert_int_eq(asked->asks[i], STEER_ASKS_LINEAR);
    ck_assert_float_eq_tol(asked->ax[i], ax, 1e-3f);
    ck_assert_float_eq_tol(asked->ay[i], ay, 1e-3f);
}

START_TEST(test_pursue_goes_to_where_the_other_comes_in_the_time_that_it_is_away)
{
    add(vec2(0, 0), vec2(0, 1), 0, nowhere);
    add(vec2(-1, 0), vec2(0.86066f, 1.16066f), 0, after(1));  /* in 1 s at (0, 1): 1.5 / sqrt(2) both ways */
    add(vec2(3, -4), vec2(-0.67082f, 1.24164f), 0, after(1)); /* 5 s away, 2 s at most: (-3, 6) */
    add(vec2(20, 0), vec2(0, 0), 0, nowhere);
    add(vec2(20, -5), vec2(0, 1.2f), 0, after(4));
    add(vec2(20, 0), vec2(1, 0), 0, after(4));
    add(vec2(30, 0), vec2(1, 0), 0, sim_fixture_to(40, 0));
    struct steering asked = sim_fixture_ask(world, "pursue", 7);
    ck_assert_int_eq(asked.asks[0], 0);
    asks_linear(&asked, 1, 2, -1);
    asks_linear(&asked, 2, 0, 1);
    asks_linear(&asked, 4, 0, 3);
    ck_assert_int_eq(asked.asks[5], 0);
    ck_assert_int_eq(asked.asks[6], 0);
}
END_TEST

START_TEST(test_evade_goes_away_from_there_or_from_one_who_comes_straight_at_it)
{
    add(vec2(0, 0), vec2(0, 1), 0, nowhere);
    add(vec2(-1, 0), vec2(-0.86066f, -1.16066f), 0, after(1));
    add(vec2(10, 0), vec2(1, 0), 0, nowhere);
    add(vec2(12, 0), vec2(1.2f, 0), 0, after(3));              /* he will be just here */
    add(vec2(12, 0.5f), vec2(1.25521f, 0.3638f), 0, after(3)); /* and half on this one */
    add(vec2(30, 0), vec2(0, 0), 0, nowhere);
    add(vec2(30, 0), vec2(0, 0), 90, after(6));
    add(vec2(40, 0), vec2(1, 0), 0, sim_fixture_to(41, 0));
    struct steering asked = sim_fixture_ask(world, "evade", 8);
    asks_linear(&asked, 1, -2, 1);
    asks_linear(&asked, 3, 3, 0);
    asks_linear(&asked, 4, 2, 0);
    asks_linear(&asked, 6, 5, 0);
    ck_assert_int_eq(asked.asks[7], 0);
}
END_TEST

START_TEST(test_offset_pursue_keeps_a_place_in_the_leaders_frame)
{
    add(vec2(0, 0), vec2(1, 0), 90, nowhere);                /* its place: (-1.5, -1.5) */
    add(vec2(-1.8f, -1.5f), vec2(1.25f, 0.1f), 0, after(1)); /* 0.3 m: 1 + 0.45 */
    add(vec2(-1.5f, -1.4f), vec2(0.9f, 0), 0, after(1));     /* there: 1, at once */
    add(vec2(20, 0), vec2(0, 0), 180, nowhere);
    add(vec2(18.5f, 1.5f), vec2(0, 0), 0, after(4));
    add(vec2(40, 0), vec2(1, 0), 0, sim_fixture_to(41, 0));
    struct steering asked = sim_fixture_ask(world, "offset_pursue", 6);
    asks_linear(&asked, 1, 2, -1);
    asks_linear(&asked, 2, 3, 0);
    ck_assert_int_eq(asked.asks[4], 0);
    ck_assert_int_eq(asked.asks[5], 0);
}
END_TEST

START_TEST(test_interpose_arrives_in_the_middle_of_where_both_will_be)
{
    add(vec2(10, 0), vec2(0, 1), 0, nowhere);
    add(vec2(0, 0), vec2(0, 0), 0, after(1));
    add(vec2(5, -1.5f), vec2(0, 1.2f), 0, after(2));       /* in 1 s the middle is at (5, 0.5) */
    add(vec2(-1, 0), vec2(1.2796f, 0.2466f), 0, after(2)); /* 4 s away, 2 s at most: (6, 1) */
    add(vec2(20, 0), vec2(0, 0), 0, sim_fixture_to(30, 0));
    add(vec2(25.5f, 0), vec2(-0.65f, 0), 0, after(5)); /* half a metre: 0.75 */
    add(vec2(40, 0), vec2(1, 0), 0, after(1));         /* that one goes nowhere */
    const struct vec2 points[] = {{60, 0}, {60, 60}};
    add(vec2(50, 0), vec2(0, 0), 0, (struct steer_goal){STEER_GOAL_PATH, .path_m = points, .path_count = 2});
    add(vec2(55, 0.5f), vec2(0, -0.65f), 0, after(8));
    struct steering asked = sim_fixture_ask(world, "interpose", 9);
    asks_linear(&asked, 2, 0, 3);
    asks_linear(&asked, 3, 2, 0);
    asks_linear(&asked, 5, -1, 0);
    ck_assert_int_eq(asked.asks[6], 0);
    asks_linear(&asked, 8, 0, -1);
    ck_assert_int_eq(asked.asks[0] | asked.asks[4], 0);
}
END_TEST

START_TEST(test_hide_goes_behind_the_obstacle_with_the_nearest_place)
{
    sim_fixture_circle(world, vec2(5, 0), 1);
    sim_fixture_segment(world, vec2(-5, -3), vec2(-5, 3));
    sim_fixture_box(world, vec2(0, 50), vec2(2, 2));
    add(vec2(0, 0), vec2(0, 0), 0, nowhere);
    add(vec2(8.4f, 0), vec2(-1.2f, 0), 0, after(1)); /* 5 + 1 + 0.4 + 0.5 */
    add(vec2(-7.4f, 0), vec2(1.2f, 0), 0, after(1)); /* -5 - 0.9: not behind the circle round the wall */
    add(vec2(6.9f, 0.1f), vec2(0, 0), 0, after(1));  /* there */
    add(vec2(0, 53.4f), vec2(0, -1.2f), 0, after(1));
    add(vec2(0, -90), vec2(0, -1.2f), 0, after(1)); /* nothing within 20 m: away */
    add(vec2(0, -50), vec2(0, -1.2f), 0, sim_fixture_to(0, 0));
    struct steering asked = sim_fixture_ask(world, "hide", 7);
    asks_linear(&asked, 1, -3, 0);
    asks_linear(&asked, 2, 3, 0);
    ck_assert_int_eq(asked.asks[3], 0);
    asks_linear(&asked, 4, 0, -3);
    asks_linear(&asked, 5, 0, -3);
    ck_assert_int_eq(asked.asks[6], 0);
}
END_TEST

START_TEST(test_hide_leaves_places_that_are_taken_by_an_obstacle_or_the_worlds_edge)
{
    sim_fixture_circle(world, vec2(5, 0), 1);
    sim_fixture_circle(world, vec2(6.9f, 0), 0.5f); /* where the first would hide it; behind this: 8.3 */
    sim_fixture_circle(world, vec2(0, 98.5f), 1);   /* behind this the world ends */
    add(vec2(0, 0), vec2(0, 0), 0, nowhere);
    add(vec2(9.8f, 0), vec2(-1.2f, 0), 0, after(1));
    add(vec2(2, 98.5f), vec2(0, 0), 0, after(1));
    struct steering asked = sim_fixture_ask(world, "hide", 3);
    asks_linear(&asked, 1, -3, 0);
    asks_linear(&asked, 2, 5 * 0.0203f, 5 * 0.9998f);
}
END_TEST

START_TEST(test_follow_leader_keeps_behind_and_gets_out_of_the_way)
{
    add(vec2(0, 0), vec2(1, 0), 0, nowhere);
    add(vec2(-1.6f, 0), vec2(1.25f, 0), 0, after(1));            /* 0.3 m: 1 + 0.45 */
    add(vec2(2, 0.3f), vec2(0, 1.2f), 0, after(1));              /* before him: to the nearer side */
    add(vec2(2, 1.2f), vec2(-0.69725f, -0.09074f), 0, after(1)); /* beside: to (-1.3, 1) */
    add(vec2(3, 0.3f), vec2(0, 0), 0, after(1));                 /* far before him: arrives, from there */
    add(vec2(20, 0), vec2(0, 0), 0, nowhere);
    add(vec2(20, -1.8f), vec2(0, 0.65f), 0, after(6)); /* he stands: behind his heading */
    add(vec2(40, 0), vec2(1, 0), 0, sim_fixture_to(41, 0));
    struct steering asked = sim_fixture_ask(world, "follow_leader", 8);
    asks_linear(&asked, 1, 2, 0);
    asks_linear(&asked, 2, 0, 3);
    asks_linear(&asked, 3, 2, 0);
    ck_assert_float_lt(asked.ax[4], -3.0f);
    asks_linear(&asked, 6, 0, 1);
    ck_assert_int_eq(asked.asks[7], 0);
}
END_TEST

START_TEST(test_queue_comes_down_to_the_speed_of_who_is_ahead)
{
    const struct vec2 others[] = {{0, 2},      {10, 1.3f}, {20, 1.25f}, {30.95f, 1.3f},
                                  {40, -1.3f}, {50, 1.3f}, {60, 1.4f}};
    const float speeds[] = {0, 0, 0.5f, 0, 0, -0.5f, 0};
    for (uint32_t i = 0; i < 7; i++) {
        add(others[i], vec2(0, speeds[i]), 0, nowhere);
    }
    for (uint32_t i = 0; i < 7; i++) {
        add(vec2(10.0f * (float)i, 0), vec2(0, 1.1f), 0, nowhere);
    }
    struct steering asked = sim_fixture_ask(world, "queue", 14);
    ck_assert_int_eq(asked.asks[7], 0);  /* 0.9 m of room: sqrt(2 * 2.5 * 0.9) is more */
    asks_linear(&asked, 8, 0, -3);       /* 0.2 m: sqrt(2 * 2.5 * 0.2) = 1 */
    asks_linear(&asked, 9, 0, -3);       /* 0.15 m and 0.5 m/s: sqrt(0.25 + 0.75) = 1 */
    ck_assert_int_eq(asked.asks[10], 0); /* beside the box */
    ck_assert_int_eq(asked.asks[11], 0); /* behind */
    asks_linear(&asked, 13, 0, -0.001f); /* 0.3 m: 1.22, and 1.1 and a tick of 5 m/s^2 is more: no faster */
    ck_assert_float_gt(fabsf(asked.ay[13]), 0);
    ck_assert_int_eq(asked.asks[12], 0); /* comes towards it: nobody queues behind him */
}
END_TEST

START_TEST(test_queue_stands_behind_who_stands_and_one_of_two_abreast_goes)
{
    add(vec2(0, 1), vec2(0, 0), 0, nowhere);
    add(vec2(0, 0), vec2(0, 0.1f), 0, nowhere);
    add(vec2(5, 0), vec2(0, 0), 0, sim_fixture_to(5, 10));
    add(vec2(9.5f, 0), vec2(0, 0), 0, sim_fixture_to(11, 1.6f)); /* both before each other, alike */
    add(vec2(10.5f, 0), vec2(0, 0), 0, sim_fixture_to(9, 1.6f));
    add(vec2(20, 0), vec2(0, 0), 0, nowhere);
    add(vec2(20, 2), vec2(0, 0), 0, nowhere);
    sim_fixture_segment(world, vec2(29, 0.5f), vec2(31, 0.5f));
    add(vec2(30, 1), vec2(0, 0), 0, nowhere);
    add(vec2(30, 0), vec2(0, 1), 0, nowhere);
    add(vec2(5, 1), vec2(0, 0), 0, nowhere);
    add(vec2(49.6f, 0), vec2(0, 0), 0, sim_fixture_to(50, 5)); /* to one point: the nearer one goes */
    add(vec2(50.4f, 0.2f), vec2(0, 0), 0, sim_fixture_to(50, 5));
    struct steering asked = sim_fixture_ask(world, "queue", 12);
    ck_assert_int_eq(asked.asks[10], STEER_ASKS_LINEAR | STEER_ASKS_ALL);
    ck_assert_int_eq(asked.asks[11], 0);
    ck_assert_int_eq(asked.asks[1], STEER_ASKS_LINEAR | STEER_ASKS_ALL);
    ck_assert_float_eq_tol(asked.ay[1], -3, 1e-3f);
    ck_assert_int_eq(asked.asks[2], STEER_ASKS_LINEAR | STEER_ASKS_ALL);
    ck_assert_float_eq(asked.ay[2], 0);
    ck_assert_int_eq(asked.asks[3], 0);
    ck_assert_int_eq(asked.asks[4], STEER_ASKS_LINEAR | STEER_ASKS_ALL);
    ck_assert_int_eq(asked.asks[5], 0); /* stands and goes nowhere: no way, no queue */
    ck_assert_int_eq(asked.asks[8], 0); /* behind a wall */
}
END_TEST

START_TEST(test_nothing_is_asked_when_the_one_it_followed_is_gone)
{
    add(vec2(0, 0), vec2(0, 1), 0, sim_fixture_to(0, 50));
    add(vec2(3, 0), vec2(0, 1), 0, after(1));
    add(vec2(-3, 0), vec2(0, 1), 0, sim_fixture_to(0, 50));
    struct steer_agent_id first = {1};
    struct steer_agent_selection selection = {.ids = &first.value, .count = 1};
    ck_assert_int_eq(sim_fixture_ask(world, steer_behaviour_info((uint32_t)_i)->name, 3).asks[1],
                     STEER_ASKS_LINEAR);
    ck_assert_int_eq(steer_world_remove_agents(world, &selection, NULL), STATUS_OK);
    sim_fixture_run(world, 1);
    struct steering asked = sim_fixture_ask(world, steer_behaviour_info((uint32_t)_i)->name, 2);
    ck_assert_int_eq(asked.asks[0], 0);
    ck_assert_int_eq(asked.asks[1], 0);
}
END_TEST

/* Who keeps a place has arrived there, not at the one it follows, and is not blocked because it stays away.
 */
START_TEST(test_who_keeps_a_place_arrives_at_it)
{
    const char *names[] = {"offset_pursue", "interpose", "hide", "follow_leader"};
    sim_fixture_profile(world, "stands", "align", STEER_REST_STOP);
    const struct vec2 places[] = {{1.5f, -1.5f}, {0, -5}, {0, 6.9f}, {0, -1.3f}};
    sim_fixture_circle(world, vec2(40, 5), 1);
    for (uint32_t i = 0; i < 4; i++) {
        float x = 20.0f * (float)i;
        sim_fixture_profile(world, names[i], names[i], STEER_REST_BRAKE);
        struct steer_agent_id other = sim_fixture_agent(world, vec2(x, -10), nowhere, "walker");
        struct steer_agent_id leader = sim_fixture_agent(world, vec2(x, 0), after(other.value), "stands");
        struct steer_agent_id id = sim_fixture_agent(world, vec2(x + 6, 8), after(leader.value), names[i]);
        sim_fixture_run(world, 360);
        ck_assert_msg(sim_fixture_state(world, id) == STEER_AGENT_STATE_ARRIVED, "%s: %d", names[i],
                      (int)sim_fixture_state(world, id));
        ck_assert_float_eq_tol(sim_fixture_position(world, id).x, x + places[i].x, 0.21f);
        ck_assert_float_eq_tol(sim_fixture_position(world, id).y, places[i].y, 0.21f);
    }
}
END_TEST

#define FOLLOW_SCENES 150

/* One row with parameters of its own, with and without the others of a walker; everybody follows somebody. */
static void make_scene(uint64_t seed, uint32_t behaviour, struct scene *scene)
{
    struct scene_random random = {.seed = seed ^ 0x5EED};
    scene_make(seed, scene);
    struct steer_profile profile = {.name = "kind-1", .combination = STEER_COMBINATION_BUDGET};
    struct steer_profile_behaviour *added;
    if (scene_draw_chance(&random, 0.5f)) {
        steer_profile_init_walker(&profile);
        strcpy(profile.name, "kind-1");
    }
    const struct steer_behaviour_info *info = steer_behaviour_info(behaviour);
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, info->name, &added, NULL), STATUS_OK);
    added->group = 1;
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        added->parameters[i] *= scene_draw(&random, 0.5f, 2.0f);
    }
    ck_assert_int_eq(steer_profile_check(&profile, NULL), STATUS_OK);
    scene->profiles[0] = profile;
    scene->profile_count = 1;
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        scene->agents[i].profile = 1;
        uint32_t other = scene_draw_index(&random, scene->agent_count);
        if (other != i && scene_draw_chance(&random, 0.7f)) {
            scene->agents[i].goal = STEER_GOAL_AGENT;
            scene->agents[i].other = other;
        }
    }
}

START_TEST(test_a_scene_moved_turned_or_mirrored_steers_alike)
{
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= FOLLOW_SCENES; seed++) {
        struct scene scene;
        make_scene(seed, (uint32_t)_i, &scene);
        struct failure failure = check_symmetry(&scene, &tally);
        ck_assert_msg(failure.text[0] == '\0', "%s, scene %d, property %d: %s",
                      steer_behaviour_info((uint32_t)_i)->name, (int)seed, (int)failure.property,
                      failure.text);
    }
    ck_assert_uint_gt(tally.symmetric, 10 * FOLLOW_SCENES);
}
END_TEST

Suite *suite_sim_follow(void)
{
    Suite *suite = suite_create("sim_follow");
    TCase *formulas = tcase_create("formulas");
    tcase_add_checked_fixture(formulas, setup, teardown);
    tcase_add_test(formulas, test_pursue_goes_to_where_the_other_comes_in_the_time_that_it_is_away);
    tcase_add_test(formulas, test_evade_goes_away_from_there_or_from_one_who_comes_straight_at_it);
    tcase_add_test(formulas, test_offset_pursue_keeps_a_place_in_the_leaders_frame);
    tcase_add_test(formulas, test_interpose_arrives_in_the_middle_of_where_both_will_be);
    tcase_add_test(formulas, test_hide_goes_behind_the_obstacle_with_the_nearest_place);
    tcase_add_test(formulas, test_hide_leaves_places_that_are_taken_by_an_obstacle_or_the_worlds_edge);
    tcase_add_test(formulas, test_follow_leader_keeps_behind_and_gets_out_of_the_way);
    tcase_add_test(formulas, test_queue_comes_down_to_the_speed_of_who_is_ahead);
    tcase_add_test(formulas, test_queue_stands_behind_who_stands_and_one_of_two_abreast_goes);
    tcase_add_test(formulas, test_who_keeps_a_place_arrives_at_it);
    tcase_add_loop_test(formulas, test_nothing_is_asked_when_the_one_it_followed_is_gone, BEHAVIOUR_pursue,
                        BEHAVIOUR_queue);
    suite_add_tcase(suite, formulas);
    TCase *sameness = tcase_create("sameness");
    tcase_set_timeout(sameness, 120);
    tcase_add_loop_test(sameness, test_a_scene_moved_turned_or_mirrored_steers_alike, BEHAVIOUR_pursue,
                        BEHAVIOUR_queue + 1);
    suite_add_tcase(suite, sameness);
    return suite;
}
