/* Who is wedged in and stands: opposing ones, walls, corners; and who must not: those in a queue, those who
 * can slide. */
#include <math.h>

#include "sim/wedged.h"
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

/* A walker of 0.4 m who has been blocked for long and presses on towards its goal at full speed. */
static void presses(float x, float y, float goal_x, float goal_y)
{
    (void)sim_fixture_agent(world, vec2(x, y), sim_fixture_to(goal_x, goal_y), "walker");
    struct agent_store *agents = &world->agents;
    uint32_t row = agents->count - 1;
    struct vec2 way = vec2(goal_x - x, goal_y - y);
    struct vec2 velocity = vec2_scale(way, 1.5f / vec2_length(way));
    agents->vx[row] = velocity.x;
    agents->vy[row] = velocity.y;
    agents->state[row] = STEER_AGENT_STATE_BLOCKED;
    agents->rest_ticks[row] = 30; /* a second */
}

static bool stands(uint32_t row)
{
    grid_build(&world->grid, &world->agents);
    struct steer_view view;
    world_set_view(world, &view);
    for (uint32_t place = 0; place < world->grid.count; place++) {
        struct vec2 accel = vec2(NAN, NAN);
        if (world->grid.row[place] == row && wedged_stands(&view, row, place, &accel)) {
            /* Against 1.5 m/s with no more than 5 m/s^2. */
            ck_assert_float_eq_tol(vec2_length(accel), 5.0f, 1e-4f);
            ck_assert(vec2_dot(accel, steer_velocity(&view, row)) < 0.0f);
            return true;
        }
    }
    return false;
}

START_TEST(test_two_face_to_face_stand_and_slide_when_they_are_aslant)
{
    presses(-0.4f, 0, 10, 0);
    presses(0.4f, 0, -10, 0);
    /* Alone in the open: between straight on and straight back there is nothing but straight aside. */
    ck_assert(stands(0));
    ck_assert(stands(1));
    /* 0.8 m apart, half of it aside: tan 60 degrees to the free side leads on. */
    world->agents.x[1] = -0.4f + 0.69282f;
    world->agents.y[1] = 0.4f;
    ck_assert(!stands(0));
    /* Unless a wall is there, as in a corridor for one. */
    (void)sim_fixture_segment(world, vec2(-15, -0.4001f), vec2(15, -0.4001f));
    ck_assert(stands(0));
}
END_TEST

START_TEST(test_who_is_not_blocked_or_not_at_rest_goes_on)
{
    presses(-0.4f, 0, 10, 0);
    presses(0.4f, 0, -10, 0);
    world->agents.rest_ticks[0] = 29;
    ck_assert(!stands(0));
    world->agents.rest_ticks[0] = 30;
    world->agents.state[0] = STEER_AGENT_STATE_MOVING;
    ck_assert(!stands(0));
}
END_TEST

START_TEST(test_the_one_in_front_counts_when_it_stands_or_comes_the_other_way)
{
    presses(-0.4f, 0, 10, 0);
    presses(0.4f, 0, 12, 0); /* presses on the same way: a queue, an arch at a door */
    ck_assert(!stands(0));
    world->agents.vx[1] =
        0.09f; /* what is left of one who is about to stand, in a corridor with a closed end */
    ck_assert(stands(0));
    world->agents.rest_ticks[1] = 29; /* but of one who is on his way it is a pace */
    ck_assert(!stands(0));
    world->agents.vx[1] = 0;
    ck_assert(stands(0));
    world->agents.x[1] = 0.402f; /* 2 mm away is no touch */
    ck_assert(!stands(0));
}
END_TEST

START_TEST(test_a_wall_and_one_who_stands_hold_but_not_the_wall_alone)
{
    presses(-0.4001f, 0, 10, 5);
    (void)sim_fixture_segment(world, vec2(0, -3), vec2(0, 3));
    ck_assert(!stands(0)); /* along it */
    presses(-0.4001f, 0.8f, 10, 0);
    world->agents.vx[1] = 0;
    world->agents.vy[1] = 0;
    ck_assert(stands(0));
    world->agents.goal_y[0] = 0; /* straight into it: whether there is a way round is not asked here */
    ck_assert(!stands(0));
}
END_TEST

START_TEST(test_the_edge_of_the_world_and_one_who_stands_hold)
{
    presses(99.5999f, 0, 100, 40);
    ck_assert(!stands(0));
    presses(99.5999f, 0.8f, 100, 50);
    world->agents.vx[1] = 0;
    world->agents.vy[1] = 0;
    ck_assert(stands(0));
}
END_TEST

Suite *suite_sim_wedged(void)
{
    Suite *suite = suite_create("sim_wedged");
    TCase *places = tcase_create("places");
    tcase_add_checked_fixture(places, setup, teardown);
    tcase_add_test(places, test_two_face_to_face_stand_and_slide_when_they_are_aslant);
    tcase_add_test(places, test_who_is_not_blocked_or_not_at_rest_goes_on);
    tcase_add_test(places, test_the_one_in_front_counts_when_it_stands_or_comes_the_other_way);
    tcase_add_test(places, test_a_wall_and_one_who_stands_hold_but_not_the_wall_alone);
    tcase_add_test(places, test_the_edge_of_the_world_and_one_who_stands_hold);
    suite_add_tcase(suite, places);
    return suite;
}
