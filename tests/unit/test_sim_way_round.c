/* Ways round obstacles: open ends, seams, gaps too narrow, pockets, the world's edge. */
#include "sim/way_round.h"
#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define RADIUS 0.4f

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world(); /* to +-100 m */
}

static void teardown(void)
{
    steer_world_destroy(world);
}

/* Whether a disc that comes from the left and touches the obstacle in row 0 at (x, y) gets round it. */
static bool is_open(float x, float y, enum way_hand hand)
{
    struct steer_view view;
    world_set_view(world, &view);
    const struct way_touch touch = {
        .center_m = vec2(x - RADIUS, y), .radius_m = RADIUS, .normal = vec2(-1, 0), .index = 0};
    float length;
    return way_round_is_open(&view, &touch, hand, &length);
}

START_TEST(test_an_obstacle_alone_is_open_on_both_hands)
{
    switch (_i) {
    case 0:
        (void)sim_fixture_segment(world, vec2(0, -3), vec2(0, 5));
        break;
    case 1:
        (void)sim_fixture_box(world, vec2(1, 1), vec2(2, 8));
        break;
    default:
        (void)sim_fixture_circle(world, vec2(3, 0), 3);
        break;
    }
    ck_assert(is_open(0, 0, WAY_HAND_LEFT));
    ck_assert(is_open(0, 0, WAY_HAND_RIGHT));
}
END_TEST

START_TEST(test_a_wall_to_the_edge_of_the_world_is_shut_there)
{
    (void)sim_fixture_segment(world, vec2(0, -99.5f), vec2(0, 5));
    /* The wall's end at y = 5 is reached with the wall on the right hand. */
    ck_assert(is_open(0, 0, WAY_HAND_LEFT) != is_open(0, 0, WAY_HAND_RIGHT));
    (void)sim_fixture_segment(world, vec2(0, 5), vec2(0, 99.5f));
    ck_assert(!is_open(0, 0, WAY_HAND_LEFT));
    ck_assert(!is_open(0, 0, WAY_HAND_RIGHT));
}
END_TEST

START_TEST(test_a_seam_or_a_narrow_gap_is_no_end_but_a_door_is)
{
    /* Gaps of 0, 0.7 and 0.85 m for a body of 0.8 m in walls to the world's edge. */
    static const float gaps[] = {0.0f, 0.7f, 0.85f};
    (void)sim_fixture_box(world, vec2(0.25f, -48.9f), vec2(0.5f, 101.8f));
    (void)sim_fixture_box(world, vec2(0.25f, 50.9f + gaps[_i] / 2), vec2(0.5f, 97.8f - gaps[_i]));
    bool is_wide = gaps[_i] > 2 * RADIUS;
    ck_assert(!is_open(0, 0, WAY_HAND_LEFT) || !is_open(0, 0, WAY_HAND_RIGHT));
    ck_assert((is_open(0, 0, WAY_HAND_LEFT) || is_open(0, 0, WAY_HAND_RIGHT)) == is_wide);
}
END_TEST

START_TEST(test_a_row_of_walls_is_open_at_its_end)
{
    for (int i = 0; i < 4; i++) {
        (void)sim_fixture_box(world, vec2(0.25f, 4.0f * (float)i), vec2(0.5f, i == 1 ? 3.5f : 4));
    }
    ck_assert(is_open(0, 0, WAY_HAND_LEFT));
    ck_assert(is_open(0, 0, WAY_HAND_RIGHT));
}
END_TEST

START_TEST(test_a_pocket_is_shut)
{
    (void)sim_fixture_segment(world, vec2(0, -3), vec2(0, 3));
    (void)sim_fixture_segment(world, vec2(-4, 3), vec2(0, 3));
    ck_assert(is_open(0, 0, WAY_HAND_LEFT) != is_open(0, 0, WAY_HAND_RIGHT));
    (void)sim_fixture_segment(world, vec2(-4, -3), vec2(0, -3));
    ck_assert(!is_open(0, 0, WAY_HAND_LEFT));
    ck_assert(!is_open(0, 0, WAY_HAND_RIGHT));
}
END_TEST

Suite *suite_sim_way_round(void)
{
    Suite *suite = suite_create("sim_way_round");
    TCase *ways = tcase_create("ways");
    tcase_add_checked_fixture(ways, setup, teardown);
    tcase_add_loop_test(ways, test_an_obstacle_alone_is_open_on_both_hands, 0, 3);
    tcase_add_test(ways, test_a_wall_to_the_edge_of_the_world_is_shut_there);
    tcase_add_loop_test(ways, test_a_seam_or_a_narrow_gap_is_no_end_but_a_door_is, 0, 3);
    tcase_add_test(ways, test_a_row_of_walls_is_open_at_its_end);
    tcase_add_test(ways, test_a_pocket_is_shut);
    suite_add_tcase(suite, ways);
    return suite;
}
