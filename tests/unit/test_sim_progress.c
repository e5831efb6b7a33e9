/* Arrived, blocked, way-points passed, and what is told of them. */
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

/* Steps and counts events of one kind on the way. */
static uint32_t run_counting(uint32_t ticks, enum steer_world_event_kind kind)
{
    uint32_t found = 0;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        sim_fixture_run(world, 1);
        uint32_t count;
        const struct steer_world_event *events = steer_world_events(world, &count);
        for (uint32_t i = 0; i < count; i++) {
            found += events[i].kind == kind ? 1 : 0;
        }
        steer_world_clear_changes(world);
    }
    return found;
}

START_TEST(test_arrival_is_told_once_when_it_is_near_and_slow)
{
    struct steer_agent_id id = sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(3, 0), "");
    ck_assert_uint_eq(run_counting(60, STEER_WORLD_EVENT_ARRIVED), 0);
    ck_assert_uint_eq(run_counting(600, STEER_WORLD_EVENT_ARRIVED), 1);
    ck_assert_int_eq(sim_fixture_state(world, id), STEER_AGENT_STATE_ARRIVED);
}
END_TEST

START_TEST(test_an_agent_on_its_goal_has_arrived)
{
    struct steer_agent_id id = sim_fixture_agent(world, vec2(3, 0), sim_fixture_to(3, 0), "");
    ck_assert_uint_eq(run_counting(1, STEER_WORLD_EVENT_ARRIVED), 1);
    ck_assert_float_eq(sim_fixture_position(world, id).x, 3.0f);
}
END_TEST

START_TEST(test_one_who_was_taken_away_goes_back_and_arrives_again)
{
    struct steer_agent_id id = sim_fixture_agent(world, vec2(3, 0), sim_fixture_to(3, 0), "");
    ck_assert_uint_eq(run_counting(1, STEER_WORLD_EVENT_ARRIVED), 1);
    ck_assert_int_eq(steer_world_teleport(world, id, vec2(6, 0), 0, NULL), STATUS_OK);
    ck_assert_int_eq(sim_fixture_state(world, id), STEER_AGENT_STATE_MOVING);
    ck_assert_uint_eq(run_counting(300, STEER_WORLD_EVENT_ARRIVED), 1);
}
END_TEST

START_TEST(test_those_who_share_a_goal_arrive_as_near_as_the_crowd_allows)
{
    sim_fixture_profile(world, "arriver", "arrive",
                        STEER_REST_BRAKE); /* whom only parting keeps from the others */
    for (uint32_t i = 0; i < 12; i++) {
        sim_fixture_agent(world, vec2(-6 + (float)i, i % 2 == 0 ? 5 : 6), sim_fixture_to(0, 0), "arriver");
    }
    ck_assert_uint_ge(run_counting(1800, STEER_WORLD_EVENT_ARRIVED), 12);
    ck_assert_uint_eq(run_counting(300, STEER_WORLD_EVENT_ARRIVED), 0); /* and that is that */
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t i = 0; i < agents.count; i++) {
        ck_assert_int_eq(agents.state[i], STEER_AGENT_STATE_ARRIVED);
        ck_assert_float_lt(vec2_length(vec2(agents.x_m[i], agents.y_m[i])), 3.0f);
    }
}
END_TEST

/* As many walkers as a square of `half_m` takes go to its middle. Returns the speed of the fastest at the
 * end. */
static float run_to_one_point(uint32_t count, float half_m, uint32_t ticks)
{
    const struct steer_crowd_spec crowd = {.count = count,
                                           .min_m = {-half_m, -half_m},
                                           .max_m = {half_m, half_m},
                                           .seed = 3,
                                           .goal_kind = STEER_CROWD_GOAL_POINT,
                                           .goal_point_m = {1, 2}};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_crowd(world, &crowd, &made, NULL), STATUS_OK);
    sim_fixture_run(world, ticks);
    struct steer_agent_columns agents = steer_world_agents(world);
    float fastest = 0.0f;
    for (uint32_t i = 0; i < agents.count; i++) {
        ck_assert_int_eq(agents.state[i], STEER_AGENT_STATE_ARRIVED);
        fastest = fmaxf(fastest, vec2_length(vec2(agents.vx_mps[i], agents.vy_mps[i])));
    }
    return fastest;
}

START_TEST(test_walkers_who_share_a_goal_all_arrive_and_come_to_rest)
{
    static const uint32_t counts[] = {12, 50, 200};
    ck_assert_float_le(run_to_one_point(counts[_i], 2.0f + 1.3f * sqrtf((float)counts[_i]), 1800), 1e-3f);
}
END_TEST

START_TEST(test_those_who_come_to_one_point_by_ways_of_their_own_share_it)
{
    for (uint32_t i = 0; i < 12; i++) {
        const struct vec2 place = vec2(-12 + (float)i, i % 2 == 0 ? 8 : 9);
        const struct vec2 path[] = {{place.x, 4.0f + (float)i * 0.25f}, {0, 0}};
        const struct steer_goal by_path = {.kind = STEER_GOAL_PATH, .path_m = path, .path_count = 2};
        sim_fixture_agent(world, place, i % 3 == 0 ? sim_fixture_to(0, 0) : by_path, "");
    }
    sim_fixture_run(world, 1800);
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t i = 0; i < agents.count; i++) {
        ck_assert_int_eq(agents.state[i], STEER_AGENT_STATE_ARRIVED);
    }
}
END_TEST

START_TEST(test_two_hundred_who_share_a_goal_stand_closely_round_it)
{
    run_to_one_point(200, 20, 1800);
    /* No discs lie closer than a hexagonal lattice, pi / sqrt(12) of the ground: their circle is at least so
     * wide. */
    float tightest_m = 0.4f * sqrtf(200.0f * sqrtf(12.0f) / 3.14159265f);
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t i = 0; i < agents.count; i++) {
        float rim_m = vec2_length(vec2(agents.x_m[i] - 1, agents.y_m[i] - 2)) + 0.4f;
        ck_assert_float_le(rim_m, 1.4f * tightest_m);
    }
}
END_TEST

/* No discs lie closer than a hexagonal lattice, pi / sqrt(12) of the ground: so much of it they need. */
static float tightest_area_m2(uint32_t count, float radius_m)
{
    return (float)count * radius_m * radius_m * sqrtf(12.0f);
}

static void check_settled(struct vec2 goal_m, float rim_max_m)
{
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t i = 0; i < agents.count; i++) {
        ck_assert_int_eq(agents.state[i], STEER_AGENT_STATE_ARRIVED);
        ck_assert_float_lt(vec2_length(vec2(agents.vx_mps[i], agents.vy_mps[i])), 0.05f);
        struct vec2 offset = vec2(agents.x_m[i] - goal_m.x, agents.y_m[i] - goal_m.y);
        ck_assert_float_le(vec2_length(offset) + 0.4f, rim_max_m);
    }
}

static void spawn_block(uint32_t count, float back_m, struct vec2 goal_m)
{
    for (uint32_t i = 0; i < count; i++) {
        sim_fixture_agent(world, vec2(-back_m - (float)(i / 10), (float)(i % 10) - 4.5f),
                          sim_fixture_to(goal_m.x, goal_m.y), "");
    }
}

START_TEST(test_a_column_from_one_side_settles_all_round_its_goal)
{
    spawn_block(100, 10, vec2(0, 0));
    sim_fixture_run(world, 90 * 30);
    check_settled(vec2(0, 0), 1.4f * sqrtf(tightest_area_m2(100, 0.4f) / 3.14159265f));
    run_counting(1, STEER_WORLD_EVENT_ARRIVED); /* forgets those so far */
    ck_assert_uint_eq(run_counting(600, STEER_WORLD_EVENT_ARRIVED), 0);
}
END_TEST

START_TEST(test_a_file_settles_all_round_its_goal)
{
    for (uint32_t i = 0; i < 30; i++) {
        sim_fixture_agent(world, vec2(-4 - 1.2f * (float)i, 0), sim_fixture_to(0, 0), "");
    }
    sim_fixture_run(world, 90 * 30);
    check_settled(vec2(0, 0), 1.4f * sqrtf(tightest_area_m2(30, 0.4f) / 3.14159265f));
}
END_TEST

START_TEST(test_a_crowd_settles_along_a_wall_beside_its_goal)
{
    /* More than half of a disc round the goal lies before the wall. */
    sim_fixture_segment(world, vec2(0.5f, -30), vec2(0.5f, 30));
    spawn_block(30, 8, vec2(0, 0));
    sim_fixture_run(world, 90 * 30);
    check_settled(vec2(0, 0), 1.4f * sqrtf(2.0f * tightest_area_m2(30, 0.4f) / 3.14159265f));
}
END_TEST

START_TEST(test_twelve_from_all_round_do_not_shove_each_other_off_their_goal)
{
    for (uint32_t i = 0; i < 12; i++) {
        struct vec2 from = vec2_scale(trig_direction(30.0f * (float)i), 4.0f);
        sim_fixture_agent(world, from, sim_fixture_to(0, 0), "");
    }
    sim_fixture_run(world, 30 * 30);
    check_settled(vec2(0, 0), 1.4f * 4.03f * 0.4f);
}
END_TEST

START_TEST(test_one_whose_crowd_has_gone_walks_on_to_the_goal)
{
    struct steer_agent_id first = sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(0, 0), "");
    struct steer_agent_id second = sim_fixture_agent(world, vec2(3, 0), sim_fixture_to(0, 0), "");
    ck_assert_uint_eq(run_counting(300, STEER_WORLD_EVENT_ARRIVED), 2);
    ck_assert_int_eq(sim_fixture_state(world, second), STEER_AGENT_STATE_ARRIVED);
    ck_assert_float_gt(sim_fixture_position(world, second).x, 0.75f);
    const struct steer_agent_selection gone = {.ids = &first.value, .count = 1};
    ck_assert_int_eq(steer_world_remove_agents(world, &gone, NULL), STATUS_OK);
    ck_assert_uint_eq(run_counting(150, STEER_WORLD_EVENT_ARRIVED), 1);
    ck_assert_float_le(vec2_length(sim_fixture_position(world, second)), 0.2f);
}
END_TEST

START_TEST(test_arriving_brakes_on_the_goal_and_does_not_leave_it_to_rest)
{
    /* One rolls over his goal, 0.05 m from it, and by his profile he would roll on. */
    struct steer_profile profile = {.name = "busy", .rest = STEER_REST_COAST};
    struct steer_profile_behaviour *added;
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, "arrive", &added, NULL), STATUS_OK);
    ck_assert_int_eq(steer_world_define_profile(world, &profile, NULL), STATUS_OK);
    struct steer_agent_spec spec = {
        .velocity_mps = {1, 0}, .profile = "busy", .goal = sim_fixture_to(0.05f, 0)};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_agents(world, &spec, 1, &made, NULL), STATUS_OK);
    sim_fixture_run(world, 1);
    ck_assert_float_eq_tol(steer_world_agents(world).vx_mps[0], 1.0f - 5.0f / 30.0f, 1e-5f);
}
END_TEST

START_TEST(test_one_behind_a_wall_is_blocked_after_five_seconds_and_told_once)
{
    sim_fixture_profile(world, "seeker", "seek", STEER_REST_BRAKE);
    sim_fixture_segment(world, vec2(2, -30), vec2(2, 30));
    struct steer_agent_id id = sim_fixture_agent(world, vec2(1.5f, 0), sim_fixture_to(10, 0), "seeker");
    ck_assert_uint_eq(run_counting(149, STEER_WORLD_EVENT_BLOCKED), 0);
    ck_assert_uint_eq(run_counting(2, STEER_WORLD_EVENT_BLOCKED), 1);
    ck_assert_int_eq(sim_fixture_state(world, id), STEER_AGENT_STATE_BLOCKED);
    ck_assert_uint_eq(run_counting(600, STEER_WORLD_EVENT_BLOCKED), 0);
    /* The wall goes: it moves on, and could be told again. */
    const uint32_t wall = 1;
    ck_assert_int_eq(steer_world_remove_obstacles(world, &wall, 1, false, NULL), STATUS_OK);
    sim_fixture_run(world, 60);
    ck_assert_int_eq(sim_fixture_state(world, id), STEER_AGENT_STATE_MOVING);
}
END_TEST

/* One that stays where it is, or rolls on as it was, so that only what is set here decides. */
static uint32_t statue(struct vec2 position, struct steer_goal goal, struct vec2 velocity)
{
    uint32_t index;
    if (!steer_world_find_profile(world, "statue", &index)) {
        sim_fixture_profile(world, "statue", "face", STEER_REST_COAST);
    }
    (void)sim_fixture_agent(world, position, goal, "statue");
    uint32_t row = world->agents.count - 1;
    world->agents.vx[row] = velocity.x;
    world->agents.vy[row] = velocity.y;
    return row;
}

START_TEST(test_blocked_is_who_came_less_than_half_a_metre_nearer_or_than_he_goes_in_a_second_and_a_quarter)
{
    static const struct {
        float max_speed_mps;
        float nearer_m; /* in the last five seconds */
        enum steer_agent_state state;
    } cases[] = {
        {1.5f, 0.49f, STEER_AGENT_STATE_BLOCKED}, {1.5f, 0.51f, STEER_AGENT_STATE_MOVING},
        {0.2f, 0.24f, STEER_AGENT_STATE_BLOCKED}, {0.2f, 0.26f, STEER_AGENT_STATE_MOVING},
        {0.2f, -3.0f, STEER_AGENT_STATE_BLOCKED},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t row = statue(vec2(0, 5 * (float)i), sim_fixture_to(10, 5 * (float)i), vec2(0, 0));
        world->agents.max_speed[row] = cases[i].max_speed_mps;
        world->agents.progress[row].remaining_m[0] = 10 + cases[i].nearer_m;
        world->agents.goal_ticks[row] = 30; /* once a second */
    }
    sim_fixture_run(world, 1);
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(world->agents.state[i] == cases[i].state, "case %u", i);
    }
}
END_TEST

START_TEST(test_arrived_is_who_is_within_his_target_radius_and_slower_than_five_centimetres_a_second)
{
    static const struct {
        float away_m;
        float speed_mps;
        bool has_arrived;
    } cases[] = {{0.19f, 0.049f, true}, {0.19f, 0.051f, false}, {0.21f, 0, false}, {0, 0, true}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float y = 5 * (float)i;
        (void)statue(vec2(0, y + cases[i].away_m), sim_fixture_to(0, y), vec2(cases[i].speed_mps, 0));
    }
    sim_fixture_run(world, 1);
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg((world->agents.state[i] == STEER_AGENT_STATE_ARRIVED) == cases[i].has_arrived,
                      "case %u", i);
    }
}
END_TEST

START_TEST(test_arrived_is_who_rests_a_second_within_ten_centimetres_of_one_of_the_same_goal)
{
    static const struct {
        float gap_m;
        uint32_t rest_ticks;
        float aside_m; /* of its goal from the other's */
        bool has_arrived;
    } cases[] = {
        {0.09f, 30, 0, true}, {0.11f, 30, 0, false}, {0.09f, 28, 0, false}, {0.09f, 30, 0.01f, false}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float y = 5 * (float)i;
        uint32_t there = statue(vec2(0, y), sim_fixture_to(0, y), vec2(0, 0));
        world->agents.state[there] = STEER_AGENT_STATE_ARRIVED;
        uint32_t row =
            statue(vec2(0.8f + cases[i].gap_m, y), sim_fixture_to(0, y + cases[i].aside_m), vec2(0, 0));
        world->agents.rest_x[row] = world->agents.x[row];
        world->agents.rest_y[row] = world->agents.y[row];
        world->agents.rest_ticks[row] = cases[i].rest_ticks;
    }
    sim_fixture_run(world, 1);
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool has_arrived = world->agents.state[2 * i + 1] == STEER_AGENT_STATE_ARRIVED;
        ck_assert_msg(has_arrived == cases[i].has_arrived, "case %u", i);
    }
}
END_TEST

START_TEST(test_a_slow_walker_is_not_blocked)
{
    struct steer_agent_spec spec = {.goal = sim_fixture_to(50, 0), .max_speed_mps = 0.3f};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_agents(world, &spec, 1, &made, NULL), STATUS_OK);
    ck_assert_uint_eq(run_counting(900, STEER_WORLD_EVENT_BLOCKED), 0);
}
END_TEST

START_TEST(test_one_who_follows_a_runaway_is_not_blocked)
{
    struct steer_agent_id first = sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(90, 0), "");
    struct steer_agent_id second =
        sim_fixture_agent(world, vec2(-5, 0), (struct steer_goal){STEER_GOAL_AGENT, .agent = first}, "");
    ck_assert_uint_eq(run_counting(900, STEER_WORLD_EVENT_BLOCKED), 0);
    sim_fixture_run(world, 1800);
    float gap =
        vec2_length(vec2_sub(sim_fixture_position(world, first), sim_fixture_position(world, second)));
    ck_assert_float_ge(gap, 0.8f);
    ck_assert_float_le(gap, 1.05f);
    ck_assert_int_eq(sim_fixture_state(world, second), STEER_AGENT_STATE_ARRIVED);
}
END_TEST

/* A runner at 30 m/s along way-points of 0.2 m. */
static void run_path(const struct vec2 *points, uint32_t count, const char *behaviour)
{
    struct steer_profile profile = {.name = "fast", .limits = {.max_speed = 30, .max_accel = 300}};
    struct steer_profile_behaviour *added;
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, behaviour, &added, NULL), STATUS_OK);
    if (strcmp(behaviour, "follow_path") == 0) {
        ck_assert_int_eq(steer_profile_set_parameter(added, "waypoint_radius", 0.2f, NULL), STATUS_OK);
    }
    ck_assert_int_eq(steer_world_define_profile(world, &profile, NULL), STATUS_OK);
    sim_fixture_agent(world, vec2(0, 0),
                      (struct steer_goal){STEER_GOAL_PATH, .path_m = points, .path_count = count}, "fast");
}

START_TEST(test_waypoints_are_passed_at_a_metre_a_tick_and_none_is_turned_back_for)
{
    const struct vec2 points[] = {{10.5f, 0}, {20.3f, 0}, {30, 0}, {30, 20}};
    run_path(points, 4, "follow_path");
    float x = 0.0f;
    for (uint32_t tick = 0; tick < 40; tick++) {
        sim_fixture_run(world, 1);
        float at = steer_world_agents(world).x_m[0];
        ck_assert(at >= x || at > 29.0f); /* never back along the first leg */
        x = at;
    }
    ck_assert_uint_eq(run_counting(80, STEER_WORLD_EVENT_ARRIVED), 1);
    struct steer_agent_columns agents = steer_world_agents(world);
    ck_assert_float_le(vec2_length(vec2(agents.x_m[0] - 30, agents.y_m[0] - 20)), 0.2f);
}
END_TEST

START_TEST(test_a_waypoint_is_passed_where_the_line_through_it_is_crossed)
{
    /* Too fast to turn: it goes by 0.9 m beside a way-point of 0.5 m. */
    const struct vec2 points[] = {{3, 1}, {60, 0}};
    struct steer_agent_spec spec = {.velocity_mps = {15, 0},
                                    .max_speed_mps = 15,
                                    .max_accel_mps2 = 0.1f,
                                    .goal = {.kind = STEER_GOAL_PATH, .path_m = points, .path_count = 2}};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_agents(world, &spec, 1, &made, NULL), STATUS_OK);
    sim_fixture_run(world, 6); /* x is 3: the line is crossed at 3.33 */
    ck_assert_uint_eq(world->agents.waypoint[0], 0);
    sim_fixture_run(world, 2);
    ck_assert_uint_eq(world->agents.waypoint[0], 1);
}
END_TEST

START_TEST(test_several_waypoints_in_one_move_are_all_passed)
{
    struct vec2 points[64];
    for (uint32_t i = 0; i < 64; i++) {
        points[i] = vec2(0.25f * (float)(i + 1), 0);
    }
    run_path(points, 64, "follow_path");
    ck_assert_uint_eq(run_counting(60, STEER_WORLD_EVENT_ARRIVED), 1);
    ck_assert_float_eq_tol(steer_world_agents(world).x_m[0], 16.0f, 0.2f);
}
END_TEST

START_TEST(test_a_profile_with_arrive_alone_goes_along_paths_too)
{
    const struct vec2 points[] = {{5, 0}, {5, 5}};
    run_path(points, 2, "arrive");
    ck_assert_uint_eq(run_counting(300, STEER_WORLD_EVENT_ARRIVED), 1);
    ck_assert_float_eq_tol(steer_world_agents(world).y_m[0], 5.0f, 0.2f);
}
END_TEST

START_TEST(test_a_profile_with_follow_path_alone_goes_to_points_too)
{
    sim_fixture_profile(world, "path", "follow_path", STEER_REST_BRAKE);
    struct steer_agent_id id = sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(4, 0), "path");
    ck_assert_uint_eq(run_counting(300, STEER_WORLD_EVENT_ARRIVED), 1);
    ck_assert_float_eq_tol(sim_fixture_position(world, id).x, 4.0f, 0.2f);
}
END_TEST

START_TEST(test_events_come_by_kind_and_then_id_and_beyond_the_limit_are_counted)
{
    struct steer_world_config config = sim_fixture_config();
    config.events_max = 3;
    steer_world_destroy(world);
    ck_assert_int_eq(steer_world_create(&config, 1, &world, NULL), STATUS_OK);
    for (uint32_t i = 0; i < 4; i++) {
        sim_fixture_agent(world, vec2((float)i * 3, 0), (struct steer_goal){0}, "");
    }
    sim_fixture_agent(world, vec2(50, 0), sim_fixture_to(50, 0), ""); /* arrives at once */
    const uint32_t ids[] = {3, 1};
    struct steer_agent_selection selection = {.ids = ids, .count = 2};
    ck_assert_int_eq(steer_world_remove_agents(world, &selection, NULL), STATUS_OK);
    sim_fixture_run(world, 1);
    uint32_t count;
    const struct steer_world_event *events = steer_world_events(world, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(events[0].kind, STEER_WORLD_EVENT_ARRIVED);
    ck_assert_uint_eq(events[1].agent.value, 1);
    ck_assert_uint_eq(events[2].agent.value, 3);
    selection = (struct steer_agent_selection){.all = true};
    ck_assert_int_eq(steer_world_remove_agents(world, &selection, NULL), STATUS_OK);
    ck_assert_uint_eq(steer_world_events_dropped(world), 3);
}
END_TEST

Suite *suite_sim_progress(void)
{
    Suite *suite = suite_create("sim_progress");
    TCase *goals = tcase_create("goals");
    tcase_add_checked_fixture(goals, setup, teardown);
    tcase_add_test(goals, test_arrival_is_told_once_when_it_is_near_and_slow);
    tcase_add_test(goals, test_an_agent_on_its_goal_has_arrived);
    tcase_add_test(goals, test_one_who_was_taken_away_goes_back_and_arrives_again);
    tcase_add_test(goals, test_those_who_share_a_goal_arrive_as_near_as_the_crowd_allows);
    tcase_add_loop_test(goals, test_walkers_who_share_a_goal_all_arrive_and_come_to_rest, 0, 3);
    tcase_add_test(goals, test_those_who_come_to_one_point_by_ways_of_their_own_share_it);
    tcase_add_test(goals, test_two_hundred_who_share_a_goal_stand_closely_round_it);
    tcase_add_test(goals, test_a_column_from_one_side_settles_all_round_its_goal);
    tcase_add_test(goals, test_a_file_settles_all_round_its_goal);
    tcase_add_test(goals, test_a_crowd_settles_along_a_wall_beside_its_goal);
    tcase_add_test(goals, test_twelve_from_all_round_do_not_shove_each_other_off_their_goal);
    tcase_add_test(goals, test_one_whose_crowd_has_gone_walks_on_to_the_goal);
    tcase_add_test(goals, test_arriving_brakes_on_the_goal_and_does_not_leave_it_to_rest);
    tcase_add_test(goals, test_one_behind_a_wall_is_blocked_after_five_seconds_and_told_once);
    tcase_add_test(
        goals,
        test_blocked_is_who_came_less_than_half_a_metre_nearer_or_than_he_goes_in_a_second_and_a_quarter);
    tcase_add_test(goals,
                   test_arrived_is_who_is_within_his_target_radius_and_slower_than_five_centimetres_a_second);
    tcase_add_test(goals, test_arrived_is_who_rests_a_second_within_ten_centimetres_of_one_of_the_same_goal);
    tcase_add_test(goals, test_a_slow_walker_is_not_blocked);
    tcase_add_test(goals, test_one_who_follows_a_runaway_is_not_blocked);
    suite_add_tcase(suite, goals);
    TCase *paths = tcase_create("paths");
    tcase_add_checked_fixture(paths, setup, teardown);
    tcase_add_test(paths, test_waypoints_are_passed_at_a_metre_a_tick_and_none_is_turned_back_for);
    tcase_add_test(paths, test_a_waypoint_is_passed_where_the_line_through_it_is_crossed);
    tcase_add_test(paths, test_several_waypoints_in_one_move_are_all_passed);
    tcase_add_test(paths, test_a_profile_with_arrive_alone_goes_along_paths_too);
    tcase_add_test(paths, test_a_profile_with_follow_path_alone_goes_to_points_too);
    tcase_add_test(paths, test_events_come_by_kind_and_then_id_and_beyond_the_limit_are_counted);
    suite_add_tcase(suite, paths);
    return suite;
}
