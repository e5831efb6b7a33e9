/* Queries about what is solid: to the last bit at corners, ends and grazing, and as right among many as among
 * few. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "sim/obstacles.h"
#include "suites.h"

#define OBSTACLES 3000u

static struct arena arena;
static struct obstacles obstacles;

static void setup(void)
{
    ck_assert(arena_init(&arena, obstacles_bytes(OBSTACLES)));
    obstacles_init(&obstacles, &arena, OBSTACLES);
}

static void teardown(void)
{
    arena_deinit(&arena);
}

static uint32_t add(struct steer_shape shape)
{
    struct steer_obstacle obstacle = {.shape = shape};
    return obstacles_add(&obstacles, &obstacle).value;
}

static uint32_t add_segment(struct vec2 a, struct vec2 b)
{
    return add((struct steer_shape){.kind = STEER_SHAPE_SEGMENT, .points_m = {a, b}, .point_count = 2});
}

static uint32_t add_box(struct vec2 center, struct vec2 size)
{
    return add((struct steer_shape){.kind = STEER_SHAPE_BOX, .center_m = center, .size_m = size});
}

static uint32_t add_circle(struct vec2 center, float radius)
{
    return add((struct steer_shape){.kind = STEER_SHAPE_CIRCLE, .center_m = center, .radius_m = radius});
}

static bool sweep(struct vec2 from, struct vec2 move, float radius, struct obstacle_hit *hit)
{
    struct obstacle_sweep disc = {.center_m = from, .move_m = move, .radius_m = radius};
    return obstacles_sweep(&obstacles, &disc, hit);
}

START_TEST(test_a_wall_stops_a_disc_at_its_rim)
{
    uint32_t id = add_segment(vec2(4, -1), vec2(4, 1));
    struct obstacle_hit hit;
    ck_assert(sweep(vec2(0, 0), vec2(8, 0), 0.5f, &hit));
    ck_assert_float_eq(hit.fraction, 3.5f / 8.0f);
    ck_assert_float_eq(hit.point_m.x, 4.0f);
    ck_assert_float_eq(hit.normal.x, -1.0f);
    ck_assert_uint_eq(hit.id.value, id);
    ck_assert(!sweep(vec2(0, 0), vec2(3.5f, 0), 0.25f, &hit)); /* does not get there */
}
END_TEST

START_TEST(test_a_disc_that_grazes_an_end_passes_and_one_a_bit_wider_touches)
{
    add_segment(vec2(4, -3), vec2(4, 0.5f));
    struct obstacle_hit hit;
    ck_assert(!sweep(vec2(0, 1), vec2(8, 0), 0.5f, &hit));
    ck_assert(sweep(vec2(0, 1), vec2(8, 0), nextafterf(0.5f, 1.0f), &hit));
    ck_assert_float_eq_tol(hit.point_m.x, 4.0f, 1e-6f);
    ck_assert_float_eq_tol(hit.point_m.y, 0.5f, 1e-6f);
    ck_assert(sweep(vec2(0, nextafterf(1.0f, 0.0f)), vec2(8, 0), 0.5f, &hit));
}
END_TEST

START_TEST(test_a_disc_that_grazes_a_corner_passes_and_one_a_bit_wider_touches)
{
    add_box(vec2(5, 0), vec2(2, 2)); /* corner at 4, 1 */
    struct obstacle_hit hit;
    ck_assert(!sweep(vec2(0, 1.5f), vec2(10, 0), 0.5f, &hit));
    ck_assert(sweep(vec2(0, 1.5f), vec2(10, 0), nextafterf(0.5f, 1.0f), &hit));
    /* Past the corner on a diagonal, whose foot is the corner itself. */
    float across = 0.5f * sqrtf(2.0f);
    ck_assert(!sweep(vec2(4 - across - 3, 1 + across - 3), vec2(6, 6), 0.999f, &hit));
    ck_assert(sweep(vec2(4 - across - 3, 1 + across - 3), vec2(6, 6), 1.001f, &hit));
}
END_TEST

START_TEST(test_a_disc_cannot_slip_in_where_side_and_corner_meet)
{
    add_box(vec2(5, 0), vec2(2, 2));
    for (int i = -400; i <= 400; i++) {
        /* Towards the joint of the left side and the round of its corner, from a fan of directions. */
        float angle = (float)i * 0.003f;
        struct vec2 joint = vec2(3.5f, 1.0f);
        struct vec2 way = vec2(sqrtf(1.0f - angle * angle * 0.25f), angle * 0.5f);
        struct obstacle_hit hit;
        ck_assert(sweep(vec2_mad(joint, way, -3.0f), vec2_scale(way, 6.0f), 0.5f, &hit));
        ck_assert_float_eq_tol(hit.fraction, 0.5f, 1e-5f);
    }
}
END_TEST

START_TEST(test_a_disc_that_starts_inside_is_stopped_going_deeper_and_free_going_out)
{
    add_box(vec2(0, 0), vec2(4, 4));
    struct obstacle_hit hit;
    ck_assert(sweep(vec2(1.5f, 0), vec2(-1, 0), 0.25f, &hit));
    ck_assert_float_eq(hit.fraction, 0.0f);
    ck_assert_float_eq(hit.normal.x, 1.0f);
    ck_assert(!sweep(vec2(1.5f, 0), vec2(1, 0), 0.25f, &hit));
    ck_assert(!sweep(vec2(1.5f, 0), vec2(0, 1), 0.25f, &hit)); /* along */
    ck_assert(!sweep(vec2(1.5f, 0), vec2(0, 0), 0.25f, &hit)); /* not at all */
}
END_TEST

START_TEST(test_a_disc_that_touches_slides_along_and_does_not_go_in)
{
    add_segment(vec2(0, -9), vec2(0, 9));
    struct obstacle_hit hit;
    ck_assert(!sweep(vec2(0.5f, 0), vec2(0, 5), 0.5f, &hit));
    ck_assert(!sweep(vec2(0.5f, 0), vec2(1, 5), 0.5f, &hit));
    ck_assert(sweep(vec2(0.5f, 0), vec2(-1e-6f, 5), 0.5f, &hit));
    ck_assert_float_eq(hit.fraction, 0.0f);
}
END_TEST

START_TEST(test_a_thin_wall_stops_any_speed)
{
    add_segment(vec2(0, -20), vec2(0, 20));
    struct obstacle_hit hit;
    ck_assert(sweep(vec2(-50, 0.3f), vec2(10000, 0), 0.4f, &hit));
    ck_assert_float_eq_tol(hit.point_m.x, 0.0f, 1e-3f);
    ck_assert(sweep(vec2(-50, 0.3f), vec2(10000, 0), 0.0f, &hit)); /* a ray, too */
}
END_TEST

START_TEST(test_of_two_touched_at_once_the_lower_id_is_told)
{
    uint32_t first = add_segment(vec2(4, -1), vec2(4, 1));
    add_segment(vec2(4, -1), vec2(4, 1));
    struct obstacle_hit hit;
    struct obstacle_near near;
    ck_assert(sweep(vec2(0, 0), vec2(8, 0), 0.5f, &hit));
    ck_assert_uint_eq(hit.id.value, first);
    ck_assert(obstacles_nearest(&obstacles, vec2(3, 0), 2.0f, &near));
    ck_assert_uint_eq(near.id.value, first);
    ck_assert_float_eq(near.distance_m, 1.0f);
    ck_assert_float_eq(near.normal.x, -1.0f);
    ck_assert(!obstacles_nearest(&obstacles, vec2(3, 0), 1.0f, &near)); /* nearer than, not as near as */
}
END_TEST

START_TEST(test_sight_is_blocked_by_what_is_between_and_by_nothing_else)
{
    add_box(vec2(0, 0), vec2(2, 2));
    ck_assert(obstacles_block_sight(&obstacles, vec2(-5, 0), vec2(5, 0)));
    ck_assert(obstacles_block_sight(&obstacles, vec2(-5, -5), vec2(5, 5))); /* through two corners */
    ck_assert(!obstacles_block_sight(&obstacles, vec2(-5, 0), vec2(-2, 0)));
    ck_assert(!obstacles_block_sight(&obstacles, vec2(-5, 1.001f), vec2(5, 1.001f)));
    ck_assert(obstacles_block_sight(&obstacles, vec2(0, 0), vec2(5, 0))); /* from inside */
}
END_TEST

/* One of each kind, in turn, somewhere in a square. */
static struct steer_shape random_shape(uint32_t i, float size_m)
{
    struct vec2 at = vec2(size_m * (hash_unit_f32(hash_random(2, 0, i, 0)) - 0.5f),
                          size_m * (hash_unit_f32(hash_random(2, 0, i, 1)) - 0.5f));
    float u = hash_unit_f32(hash_random(2, 0, i, 2));
    float v = hash_unit_f32(hash_random(2, 0, i, 3));
    switch (i % 4) {
    case 0:
        return (struct steer_shape){.kind = STEER_SHAPE_CIRCLE, .center_m = at, .radius_m = 0.1f + u};
    case 1:
        return (struct steer_shape){.kind = STEER_SHAPE_BOX,
                                    .center_m = at,
                                    .size_m = {0.1f + 3 * u, 0.1f + v},
                                    .orientation_deg = 360 * v};
    case 2:
        return (struct steer_shape){
            .kind = STEER_SHAPE_SEGMENT,
            .points_m = {at, {at.x + (i % 40 == 2 ? 60.0f : 4.0f) * u, at.y + 1.0f + v}},
            .point_count = 2};
    default:
        return (struct steer_shape){
            .kind = STEER_SHAPE_POLYGON,
            .points_m = {at, {at.x + 0.2f + u, at.y}, {at.x + u * 0.5f, at.y - 0.3f - v}},
            .point_count = 3};
    }
}

START_TEST(test_the_index_finds_what_looking_at_all_of_them_finds)
{
    for (uint32_t i = 0; i < OBSTACLES; i++) {
        struct steer_shape shape = random_shape(i, 300.0f);
        struct fault fault = {0};
        ck_assert_msg(steer_shape_check(&shape, &fault) == STATUS_OK, "%s", fault.text);
        add(shape);
    }
    for (uint32_t i = 0; i < 400; i++) {
        struct point from = {300.0 * (double)hash_unit_f32(hash_random(3, 0, i, 0)) - 150.0,
                             300.0 * (double)hash_unit_f32(hash_random(3, 0, i, 1)) - 150.0};
        double length = i % 10 == 0 ? 200.0 : 6.0;
        struct point move = {length * ((double)hash_unit_f32(hash_random(3, 0, i, 2)) - 0.5),
                             length * ((double)hash_unit_f32(hash_random(3, 0, i, 3)) - 0.5)};
        double first = 2.0;
        double nearest = 4.0;
        for (uint32_t j = 0; j < OBSTACLES; j++) {
            double fraction;
            struct point normal;
            if (core_sweep(&obstacles.cores[j], from, move, 0.4, &fraction, &normal)) {
                first = fmin(first, fraction);
            }
            nearest = fmin(nearest, core_nearest(&obstacles.cores[j], from).distance_m);
        }
        double fraction = 2.0;
        struct point normal;
        struct obstacle_near near = {.distance_m = 4.0f};
        obstacles_sweep_exact(&obstacles, from, move, 0.4, &fraction, &normal);
        ck_assert_double_eq(fraction, first);
        obstacles_nearest(&obstacles, vec2((float)from.x, (float)from.y), 4.0f, &near);
        ck_assert_double_eq_tol(near.distance_m, nearest, 1e-4);
    }
}
END_TEST

START_TEST(test_removed_obstacles_are_gone_and_the_others_found)
{
    uint32_t first = add_circle(vec2(0, 0), 1);
    uint32_t second = add_circle(vec2(10, 0), 1);
    uint32_t third = add_circle(vec2(20, 0), 1);
    const uint8_t removed[3] = {0, 1, 0};
    obstacles_compact(&obstacles, removed);
    uint32_t index;
    ck_assert(obstacles_find(&obstacles, (struct steer_obstacle_id){first}, &index));
    ck_assert(!obstacles_find(&obstacles, (struct steer_obstacle_id){second}, &index));
    ck_assert(obstacles_find(&obstacles, (struct steer_obstacle_id){third}, &index));
    ck_assert_uint_eq(index, 1);
    ck_assert(obstacles_leave_room(&obstacles, vec2(10, 0), 1.0f));
    ck_assert(!obstacles_leave_room(&obstacles, vec2(20, 0), 1.0f));
    ck_assert_uint_gt(add_circle(vec2(0, 0), 1), third);
}
END_TEST

static const struct obstacle_bounds bounds = {{-100, -100}, {100, 100}, 1e-4f};

/* Pushes out and says how deep the disc is in what is nearest afterwards. */
static float depth_after_push(struct vec2 *center, float radius)
{
    struct obstacle_near near = {.distance_m = radius};
    obstacles_push_out(&obstacles, &bounds, radius, true, center);
    obstacles_nearest(&obstacles, *center, radius, &near);
    return radius - near.distance_m;
}

START_TEST(test_a_disc_in_a_box_leaves_by_the_shortest_way)
{
    add_box(vec2(0, 0), vec2(4, 2));
    struct vec2 center = vec2(1, 0.5f);
    ck_assert_float_le(depth_after_push(&center, 0.4f), 0.0f);
    ck_assert_float_eq(center.x, 1.0f);
    ck_assert_float_eq_tol(center.y, 1.4f, 1e-3f);
}
END_TEST

START_TEST(test_a_disc_in_several_obstacles_gets_out_of_all)
{
    add_box(vec2(0, 0), vec2(4, 4));
    add_box(vec2(3, 0), vec2(4, 4));
    add_circle(vec2(0, 3), 2);
    for (float x = -3; x < 6; x += 0.37f) {
        for (float y = -3; y < 6; y += 0.41f) {
            struct vec2 center = vec2(x, y);
            ck_assert_float_le(depth_after_push(&center, 0.4f), 0.0f);
        }
    }
}
END_TEST

START_TEST(test_a_disc_between_walls_too_narrow_for_it_goes_where_there_is_room)
{
    add_segment(vec2(-5, 0), vec2(5, 0));
    add_segment(vec2(-5, 0.6f), vec2(5, 0.6f));
    struct vec2 center = vec2(0, 0.3f);
    ck_assert(!obstacles_push_out(&obstacles, &bounds, 0.4f, false, &center)); /* no shortest way leads out */
    ck_assert_float_le(depth_after_push(&center, 0.4f), 0.0f);
}
END_TEST

START_TEST(test_a_disc_is_not_pushed_through_a_wall)
{
    /* The shortest way out of the circle leads through what stands 0.45 m to the right: nothing, or a box. */
    static const float thickness_m[] = {0.0f, 0.01f, 0.2f};
    if (_i == 0) {
        add_segment(vec2(0, -5), vec2(0, 5));
    } else {
        add_box(vec2(0.5f * thickness_m[_i], 0), vec2(thickness_m[_i], 10));
    }
    add_circle(vec2(-0.6f, 0), 0.5f);
    struct vec2 center = vec2(-0.45f, 0);
    ck_assert_float_le(depth_after_push(&center, 0.4f), 0.0f);
    ck_assert_float_le(center.x, -0.4f);
    ck_assert_float_le(vec2_length(vec2_sub(center, vec2(-0.45f, 0))), 1.6f);
}
END_TEST

START_TEST(test_a_disc_shut_in_a_cell_too_small_for_it_leaves_it_through_its_wall)
{
    add_segment(vec2(-0.5f, -0.5f), vec2(0.5f, -0.5f));
    add_segment(vec2(0.5f, -0.5f), vec2(0.5f, 0.5f));
    add_segment(vec2(0.5f, 0.5f), vec2(-0.5f, 0.5f));
    add_segment(vec2(-0.5f, 0.5f), vec2(-0.5f, -0.5f));
    struct vec2 center = vec2(0.1f, 0);
    ck_assert_float_le(depth_after_push(&center, 0.6f), 0.0f);
}
END_TEST

START_TEST(test_a_disc_finds_room_beyond_the_rims_of_large_solids)
{
    /* From the middle of each the way out is in the other; the nearest room is beyond their common end. */
    add_circle(vec2(-5, 0), 7);
    add_circle(vec2(5, 0), 7);
    struct vec2 center = vec2(0, 0.01f);
    ck_assert_float_le(depth_after_push(&center, 0.4f), 0.0f);
    ck_assert_float_le(vec2_length(center), 6.0f);
    /* All of the world is solid. */
    add_circle(vec2(0, 0), 900);
    struct vec2 shut_in = vec2(90, 90);
    ck_assert(!obstacles_push_out(&obstacles, &bounds, 0.4f, true, &shut_in));
    ck_assert_float_eq(shut_in.x, 90.0f);
}
END_TEST

START_TEST(test_a_disc_on_the_very_middle_of_an_obstacle_gets_out)
{
    add_circle(vec2(0, 0), 1);
    add_segment(vec2(50, -1), vec2(50, 1));
    struct vec2 on_circle = vec2(0, 0);
    struct vec2 on_segment = vec2(50, 0.5f);
    ck_assert_float_le(depth_after_push(&on_circle, 0.4f), 0.0f);
    ck_assert_float_le(depth_after_push(&on_segment, 0.4f), 0.0f);
}
END_TEST

START_TEST(test_a_disc_outside_the_world_comes_back)
{
    struct vec2 center = vec2(100, -130);
    obstacles_push_out(&obstacles, &bounds, 0.4f, true, &center);
    ck_assert_float_le(center.x, 99.6f);
    ck_assert_float_ge(center.y, -99.6f);
}
END_TEST

Suite *suite_sim_obstacles(void)
{
    Suite *suite = suite_create("sim_obstacles");
    TCase *sweeps = tcase_create("sweeps");
    tcase_add_checked_fixture(sweeps, setup, teardown);
    tcase_add_test(sweeps, test_a_wall_stops_a_disc_at_its_rim);
    tcase_add_test(sweeps, test_a_disc_that_grazes_an_end_passes_and_one_a_bit_wider_touches);
    tcase_add_test(sweeps, test_a_disc_that_grazes_a_corner_passes_and_one_a_bit_wider_touches);
    tcase_add_test(sweeps, test_a_disc_cannot_slip_in_where_side_and_corner_meet);
    tcase_add_test(sweeps, test_a_disc_that_starts_inside_is_stopped_going_deeper_and_free_going_out);
    tcase_add_test(sweeps, test_a_disc_that_touches_slides_along_and_does_not_go_in);
    tcase_add_test(sweeps, test_a_thin_wall_stops_any_speed);
    suite_add_tcase(suite, sweeps);
    TCase *index = tcase_create("index");
    tcase_add_checked_fixture(index, setup, teardown);
    tcase_add_test(index, test_of_two_touched_at_once_the_lower_id_is_told);
    tcase_add_test(index, test_sight_is_blocked_by_what_is_between_and_by_nothing_else);
    tcase_add_test(index, test_the_index_finds_what_looking_at_all_of_them_finds);
    tcase_add_test(index, test_removed_obstacles_are_gone_and_the_others_found);
    suite_add_tcase(suite, index);
    TCase *push = tcase_create("push");
    tcase_add_checked_fixture(push, setup, teardown);
    tcase_add_test(push, test_a_disc_in_a_box_leaves_by_the_shortest_way);
    tcase_add_test(push, test_a_disc_in_several_obstacles_gets_out_of_all);
    tcase_add_test(push, test_a_disc_between_walls_too_narrow_for_it_goes_where_there_is_room);
    tcase_add_loop_test(push, test_a_disc_is_not_pushed_through_a_wall, 0, 3);
    tcase_add_test(push, test_a_disc_shut_in_a_cell_too_small_for_it_leaves_it_through_its_wall);
    tcase_add_test(push, test_a_disc_finds_room_beyond_the_rims_of_large_solids);
    tcase_add_test(push, test_a_disc_on_the_very_middle_of_an_obstacle_gets_out);
    tcase_add_test(push, test_a_disc_outside_the_world_comes_back);
    suite_add_tcase(suite, push);
    return suite;
}
