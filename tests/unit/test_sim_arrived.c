/*
 * Arriving short of a goal that is taken, and being on the way again, at places computed by hand. Those here
 * stay where they are: only what is set decides. Each case has its own line along x; radii are 0.4 m.
 */
#include <math.h>

#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))
#define LINE(i)      (5.0f * (float)(i)) /* m */

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world(); /* 30 Hz */
    sim_fixture_profile(world, "statue", "face", STEER_REST_BRAKE);
}

static void teardown(void)
{
    steer_world_destroy(world);
}

/* One at rest, for that long already. Answers its row. */
static uint32_t add(const char *profile, struct vec2 position, struct steer_goal goal, uint32_t rest_ticks)
{
    (void)sim_fixture_agent(world, position, goal, profile);
    uint32_t row = world->agents.count - 1;
    world->agents.rest_ticks[row] = rest_ticks;
    return row;
}

/* One who arrived when it was `held_m` from its goal. */
static uint32_t add_arrived(const char *profile, struct vec2 position, struct steer_goal goal, float held_m)
{
    uint32_t row = add(profile, position, goal, 0);
    world->agents.state[row] = STEER_AGENT_STATE_ARRIVED;
    world->agents.progress[row].remaining_m[0] = held_m;
    return row;
}

static bool is_arrived(uint32_t row)
{
    return world->agents.state[row] == STEER_AGENT_STATE_ARRIVED;
}

START_TEST(test_on_its_way_again_is_who_is_half_a_metre_and_its_radius_farther_than_where_it_arrived)
{
    static const struct {
        float radius_m;
        float held_m;
        float away_m;
        bool stays;
    } cases[] = {{0.4f, 0.3f, 1.15f, true},  {0.4f, 0.3f, 1.25f, false}, {0.2f, 0.3f, 0.95f, true},
                 {0.2f, 0.3f, 1.05f, false}, {0.4f, 0, 0.85f, true},     {0.4f, 0, 0.95f, false}};
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        uint32_t row = add_arrived("statue", vec2(cases[i].away_m, LINE(i)), sim_fixture_to(0, LINE(i)),
                                   cases[i].held_m);
        world->agents.radius[row] = cases[i].radius_m;
    }
    sim_fixture_run(world, 1);
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        ck_assert_msg(is_arrived(i) == cases[i].stays, "case %u", i);
    }
    /* And it has the five seconds of everybody before it is blocked. */
    ck_assert(isinf(world->agents.progress[1].remaining_m[0]));
}
END_TEST

START_TEST(test_where_it_arrived_is_noted)
{
    (void)add("statue", vec2(0.15f, 0), sim_fixture_to(0, 0), 0);
    sim_fixture_run(world, 1);
    ck_assert(is_arrived(0));
    ck_assert_float_eq_tol(world->agents.progress[0].remaining_m[0], 0.15f, 1e-6f);
}
END_TEST

START_TEST(test_beside_whom_nobody_stands_goes_on_to_the_goal_within_a_second)
{
    /* When the tick and its id add up to a second; where it is farther than the target radius and its own,
     * 0.6 m. */
    (void)add_arrived("walker", vec2(0.65f, 0), sim_fixture_to(0, 0), 1);
    (void)add_arrived("walker", vec2(0.55f, 5), sim_fixture_to(0, 5), 1);
    (void)add_arrived("statue", vec2(0.65f, 10), sim_fixture_to(0, 10),
                      1); /* it would not go round anybody */
    sim_fixture_run(world, 28);
    ck_assert(is_arrived(0));
    sim_fixture_run(world, 1);
    ck_assert(!is_arrived(0));
    for (uint32_t tick = 0; tick < 30; tick++) {
        ck_assert(is_arrived(1));
        ck_assert(is_arrived(2));
        sim_fixture_run(world, 1);
    }
}
END_TEST

/*
 * Beside one who has arrived 10 m from their goal, which lies to -x: seen from his centre `angle_deg` from
 * the way there, and so far from his rim. 0.02 m from it places are taken. At 55, 62 and 90 degrees that
 * gains 0.335 m, 0.420 m and 0.796 m.
 */
static const struct {
    float x;
    float y;
} beside[] = {{-0.57358f, 0.81915f}, {-0.46947f, 0.88295f}, {0, 1}};

enum beside_at { AT_55, AT_62, AT_90 };

static struct vec2 beside_at(enum beside_at at, float gap_m, float line)
{
    return vec2((0.8f + gap_m) * beside[at].x, line + (0.8f + gap_m) * beside[at].y);
}

START_TEST(test_who_has_arrived_goes_on_to_a_place_that_is_nearer_by_its_radius)
{
    static const struct {
        enum beside_at at;
        float gap_m;
        bool stays;
    } cases[] = {
        {AT_55, 0.02f, true},
        {AT_62, 0.02f, false},
        {AT_90, 0.055f, false},
        {AT_90, 0.08f, true}, /* farther than the margin of 0.05 m and 0.01 m: it does not touch */
    };
    uint32_t rows[COUNT(cases)];
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        struct steer_goal goal = sim_fixture_to(-10, LINE(i));
        (void)add_arrived("statue", vec2(0, LINE(i)), goal, 20);
        rows[i] = add_arrived("walker", beside_at(cases[i].at, cases[i].gap_m, LINE(i)), goal, 20);
    }
    bool has_left[COUNT(cases)] = {false};
    for (uint32_t tick = 0; tick < 30; tick++) {
        sim_fixture_run(world, 1);
        for (uint32_t i = 0; i < COUNT(cases); i++) {
            has_left[i] |= !is_arrived(rows[i]);
        }
    }
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        ck_assert_msg(has_left[i] != cases[i].stays, "case %u", i);
    }
}
END_TEST

START_TEST(test_who_has_a_nearer_place_arrives_only_when_it_has_not_come_there_for_three_seconds)
{
    static const struct {
        float gap_m;
        uint32_t rest_ticks; /* and one more */
        bool arrives;
    } cases[] = {{0.02f, 45, false},
                 {0.02f, 87, false},
                 {0.02f, 91, true},
                 {0.055f, 45, false},
                 {0.08f, 45, true}}; /* it does not touch: there is none to go to */
    uint32_t rows[COUNT(cases)];
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        struct steer_goal goal = sim_fixture_to(-10, LINE(i));
        (void)add_arrived("statue", vec2(0, LINE(i)), goal, 20);
        rows[i] = add("statue", beside_at(AT_90, cases[i].gap_m, LINE(i)), goal, cases[i].rest_ticks);
    }
    sim_fixture_run(world, 1);
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        ck_assert_msg(is_arrived(rows[i]) == cases[i].arrives, "case %u", i);
    }
}
END_TEST

START_TEST(test_on_the_goal_anybody_of_the_same_goal_will_do)
{
    /* Nobody has arrived; within a radius of the goal, but not within 0.2 m, it rests beside another. */
    static const struct {
        float away_m;
        bool arrives;
    } cases[] = {{0.35f, true}, {0.45f, false}};
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        (void)add("statue", vec2(cases[i].away_m, LINE(i)), sim_fixture_to(0, LINE(i)), 30);
        (void)add("statue", vec2(cases[i].away_m + 0.85f, LINE(i)), sim_fixture_to(0, LINE(i)), 0);
    }
    sim_fixture_run(world, 1);
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        ck_assert_msg(is_arrived(2 * i) == cases[i].arrives, "case %u", i);
        ck_assert(!is_arrived(2 * i + 1));
    }
}
END_TEST

START_TEST(test_on_the_way_to_another_waypoint_nobody_arrives)
{
    /* Beside one who has arrived at the end of the same path; and with 0.15 m to go, round a corner. */
    const struct vec2 far[] = {{5, 0}, {9, 0}};
    const struct vec2 near[] = {{0.1f, 5}, {0.1f, 5.05f}};
    const struct steer_goal far_path = {.kind = STEER_GOAL_PATH, .path_m = far, .path_count = 2};
    const struct steer_goal near_path = {.kind = STEER_GOAL_PATH, .path_m = near, .path_count = 2};
    uint32_t other = add_arrived("statue", vec2(0.9f, 0), far_path, 20);
    world->agents.waypoint[other] = 1;
    (void)add("statue", vec2(0, 0), far_path, 30);
    uint32_t corner = add("statue", vec2(0, 5), near_path, 0);
    world->plans[world->agents.profile[corner]].waypoint_radius_m = 0.01f;
    sim_fixture_run(world, 1);
    ck_assert(is_arrived(other));
    ck_assert(!is_arrived(1));
    ck_assert(!is_arrived(corner));
    world->agents.waypoint[1] = 1; /* that was all that kept them */
    world->agents.waypoint[corner] = 1;
    sim_fixture_run(world, 1);
    ck_assert(is_arrived(1));
    ck_assert(is_arrived(corner));
}
END_TEST

START_TEST(test_at_rest_is_who_stays_within_five_centimetres)
{
    static const struct {
        float drift_m;
        uint32_t rest_ticks; /* 10 so far */
    } cases[] = {{0, 11}, {0.045f, 11}, {0.055f, 0}};
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        uint32_t row = add("statue", vec2(0, LINE(i)), (struct steer_goal){0}, 10);
        world->agents.rest_x[row] = -cases[i].drift_m;
    }
    sim_fixture_run(world, 1);
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        ck_assert_uint_eq(world->agents.rest_ticks[i], cases[i].rest_ticks);
    }
    ck_assert_float_eq(world->agents.rest_x[2], 0); /* from there it counts anew */
}
END_TEST

START_TEST(test_who_follows_another_is_blocked_only_when_it_has_been_at_rest_for_a_second)
{
    /* Its leader is as far as five seconds ago. */
    static const struct {
        uint32_t rest_ticks; /* and one more */
        enum steer_agent_state state;
    } cases[] = {{20, STEER_AGENT_STATE_MOVING},
                 {28, STEER_AGENT_STATE_MOVING},
                 {30, STEER_AGENT_STATE_BLOCKED},
                 {45, STEER_AGENT_STATE_BLOCKED}};
    uint32_t leader = add("statue", vec2(50, 50), (struct steer_goal){0}, 0);
    const struct steer_goal goal = {.kind = STEER_GOAL_AGENT, .agent = {world->agents.id[leader]}};
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        uint32_t row = add("statue", vec2(0, LINE(i)), goal, cases[i].rest_ticks);
        world->agents.progress[row].remaining_m[0] = hypotf(50, 50 - LINE(i)) - 0.8f;
        world->agents.goal_ticks[row] = 30; /* asked once a second */
    }
    sim_fixture_run(world, 1);
    for (uint32_t i = 0; i < COUNT(cases); i++) {
        ck_assert_msg(world->agents.state[leader + 1 + i] == cases[i].state, "case %u", i);
    }
}
END_TEST

Suite *suite_sim_arrived(void)
{
    Suite *suite = suite_create("sim_arrived");
    TCase *arrives = tcase_create("arrives");
    tcase_add_checked_fixture(arrives, setup, teardown);
    tcase_add_test(arrives, test_where_it_arrived_is_noted);
    tcase_add_test(arrives,
                   test_who_has_a_nearer_place_arrives_only_when_it_has_not_come_there_for_three_seconds);
    tcase_add_test(arrives, test_on_the_goal_anybody_of_the_same_goal_will_do);
    tcase_add_test(arrives, test_on_the_way_to_another_waypoint_nobody_arrives);
    suite_add_tcase(suite, arrives);
    TCase *leaves = tcase_create("leaves");
    tcase_add_checked_fixture(leaves, setup, teardown);
    tcase_add_test(leaves,
                   test_on_its_way_again_is_who_is_half_a_metre_and_its_radius_farther_than_where_it_arrived);
    tcase_add_test(leaves, test_beside_whom_nobody_stands_goes_on_to_the_goal_within_a_second);
    tcase_add_test(leaves, test_who_has_arrived_goes_on_to_a_place_that_is_nearer_by_its_radius);
    suite_add_tcase(suite, leaves);
    TCase *rests = tcase_create("rests");
    tcase_add_checked_fixture(rests, setup, teardown);
    tcase_add_test(rests, test_at_rest_is_who_stays_within_five_centimetres);
    tcase_add_test(rests, test_who_follows_another_is_blocked_only_when_it_has_been_at_rest_for_a_second);
    suite_add_tcase(suite, rests);
    return suite;
}
