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

/* Whether a disc that touches the obstacle in row 0 at a point of it gets round it, and how far that is. */
static bool opens(struct vec2 point, struct vec2 normal, enum way_hand hand, float *length_out)
{
    struct steer_view view;
    world_set_view(world, &view);
    const struct way_touch touch = {
        .center_m = vec2_mad(point, normal, RADIUS), .radius_m = RADIUS, .normal = normal, .index = 0};
    return way_round_is_open(&view, &touch, hand, length_out);
}

/* Whether a disc that comes from the left and touches it at (x, y) does. */
static bool is_open(float x, float y, enum way_hand hand)
{
    float length;
    return opens(vec2(x, y), vec2(-1, 0), hand, &length);
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

START_TEST(test_the_way_along_all_parts_of_a_wall_counts)
{
    /* To the south 3 m and the radius, and twice the skin of 0.1 mm; to the north 5.4002 m and, of the next,
     * the rest of 9.4 m. */
    (void)sim_fixture_segment(world, vec2(0, -3), vec2(0, 5));
    (void)sim_fixture_segment(world, vec2(0, 5), vec2(0, 9));
    float length;
    ck_assert(opens(vec2(0, 0), vec2(-1, 0), WAY_HAND_LEFT, &length));
    ck_assert_float_eq_tol(length, 3.4002f, 5e-5f);
    ck_assert(opens(vec2(0, 0), vec2(-1, 0), WAY_HAND_RIGHT, &length));
    ck_assert_float_eq_tol(length, 9.4002f, 5e-4f);
}
END_TEST

START_TEST(test_an_end_needs_room_for_the_body_before_each_edge_of_the_world)
{
    /* 0.8 m for it: a wall towards the edge ends 0.75 m or 0.85 m from it. */
    static const struct vec2 edges[] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
    struct vec2 along = edges[_i / 2];
    float end_m = _i % 2 == 0 ? 99.25f : 99.15f;
    (void)sim_fixture_segment(world, vec2_scale(along, 90), vec2_scale(along, end_m));
    float length;
    ck_assert(opens(vec2_scale(along, 95), vec2_scale(vec2_right(along), -1), WAY_HAND_RIGHT, &length) ==
              (_i % 2 == 1));
}
END_TEST

START_TEST(test_there_has_to_be_room_beside_the_end_and_past_it)
{
    /*
     * Aslant towards the edge. Beyond the end it stands 0.4 sqrt(2) m farther towards the edge on that side
     * of the wall than on the other: on its way from here to there, or past the end from there to here. With
     * 0.7 m from the end to the edge there is no room for it, with 1 m there is.
     */
    const float part = 0.70710678f;
    float end_m = _i == 0 ? 99.3f : 99.0f;
    (void)sim_fixture_segment(world, vec2(end_m - 5, 0), vec2(end_m, 5));
    float length;
    ck_assert(opens(vec2(end_m - 3, 2), vec2(part, -part), WAY_HAND_LEFT, &length) == (_i == 1));
    ck_assert(opens(vec2(end_m - 3, 2), vec2(-part, part), WAY_HAND_RIGHT, &length) == (_i == 1));
}
END_TEST

START_TEST(test_a_wall_of_eight_parts_is_looked_along_and_no_longer_one)
{
    int parts = _i == 0 ? 8 : 9;
    for (int i = 0; i < parts; i++) {
        (void)sim_fixture_segment(world, vec2(0, 2 * (float)i), vec2(0, 2 * (float)i + 2));
    }
    ck_assert(is_open(0, 1, WAY_HAND_RIGHT) == (_i == 0));
}
END_TEST

START_TEST(test_what_leans_against_the_way_by_more_than_45_degrees_shuts_it)
{
    /* From the wall's end on to the left of the way: by 40 degrees the way goes on, by 50 it does not. */
    (void)sim_fixture_segment(world, vec2(0, -3), vec2(0, 5));
    struct vec2 on = vec2_scale(_i == 0 ? vec2(-0.6427876f, 0.7660444f) : vec2(-0.7660444f, 0.6427876f), 5);
    (void)sim_fixture_segment(world, vec2(0, 5), vec2_add(vec2(0, 5), on));
    ck_assert(is_open(0, 0, WAY_HAND_RIGHT) == (_i == 0));
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
    tcase_add_test(ways, test_the_way_along_all_parts_of_a_wall_counts);
    tcase_add_loop_test(ways, test_an_end_needs_room_for_the_body_before_each_edge_of_the_world, 0, 8);
    tcase_add_loop_test(ways, test_there_has_to_be_room_beside_the_end_and_past_it, 0, 2);
    tcase_add_loop_test(ways, test_a_wall_of_eight_parts_is_looked_along_and_no_longer_one, 0, 2);
    tcase_add_loop_test(ways, test_what_leans_against_the_way_by_more_than_45_degrees_shuts_it, 0, 2);
    suite_add_tcase(suite, ways);
    return suite;
}
