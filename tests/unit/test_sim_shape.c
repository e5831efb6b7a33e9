/* Which outlines are legal, in which words the others are refused, and distances to them. */
#include <math.h>
#include <string.h>

#include "sim/steer.h"
#include "suites.h"

static struct steer_shape polygon(uint32_t count, const struct vec2 *points)
{
    struct steer_shape shape = {.kind = STEER_SHAPE_POLYGON, .point_count = count};
    memcpy(shape.points_m, points, count * sizeof points[0]);
    return shape;
}

#define POLYGON(...)                                                                                         \
    polygon(sizeof((struct vec2[]){__VA_ARGS__}) / sizeof(struct vec2), (struct vec2[]){__VA_ARGS__})

static void refused(struct steer_shape shape, enum status status, const char *words)
{
    struct fault fault = {0};
    enum status got = steer_shape_check(&shape, &fault);
    ck_assert_msg(got == status, "%s instead of %s: %s", status_name(got), status_name(status), fault.text);
    ck_assert_msg(strcmp(fault.text, words) == 0, "'%s' instead of '%s'", fault.text, words);
}

static void accepted(struct steer_shape shape)
{
    struct fault fault = {0};
    ck_assert_msg(steer_shape_check(&shape, &fault) == STATUS_OK, "%s", fault.text);
}

START_TEST(test_circles_out_of_range_are_refused)
{
    struct steer_shape circle = {.kind = STEER_SHAPE_CIRCLE, .center_m = {1, 2}, .radius_m = 0.005f};
    refused(circle, STATUS_OUT_OF_RANGE, "circle.radius is 0.005 m: 0.01 to 1000 m is legal");
    circle.radius_m = NAN;
    refused(circle, STATUS_INVALID_ARGUMENT, "circle.radius is nan: a number from 0.01 to 1000 m is needed");
    circle.radius_m = 1.0f;
    circle.center_m.x = -INFINITY;
    refused(circle, STATUS_INVALID_ARGUMENT,
            "circle.center.x is -inf: a number from -10000 to 10000 m is needed");
    circle.center_m.x = 9999.5f;
    refused(circle, STATUS_OUT_OF_RANGE,
            "circle reaches 10000.5 m from the origin: outlines lie within 10000 m of it on both axes");
    circle.center_m.x = 9999.0f;
    accepted(circle);
}
END_TEST

START_TEST(test_boxes_out_of_range_are_refused)
{
    struct steer_shape box = {.kind = STEER_SHAPE_BOX, .size_m = {2, 0}};
    refused(box, STATUS_OUT_OF_RANGE, "box.size.y is 0 m: 0.01 to 10000 m is legal");
    box.size_m = vec2(20000, 1);
    refused(box, STATUS_OUT_OF_RANGE, "box.size.x is 20000 m: 0.01 to 10000 m is legal");
    box.size_m = vec2(1, 1);
    box.orientation_deg = INFINITY;
    refused(box, STATUS_INVALID_ARGUMENT, "box.orientation_deg is inf: a finite number of degrees is needed");
    box.orientation_deg = -1e6f;
    accepted(box);
    box.center_m.y = NAN;
    refused(box, STATUS_INVALID_ARGUMENT, "box.center.y is nan: a number from -10000 to 10000 m is needed");
}
END_TEST

START_TEST(test_segments_without_length_are_refused)
{
    struct steer_shape segment = {
        .kind = STEER_SHAPE_SEGMENT, .points_m = {{1, 1}, {1, 1}}, .point_count = 2};
    refused(segment, STATUS_INVALID_ARGUMENT, "segment is 0 m long: 0.01 m or more is needed");
    segment.points_m[1].x = 1.01f;
    accepted(segment);
    segment.points_m[1].x = 10001.0f;
    refused(segment, STATUS_OUT_OF_RANGE, "segment.b.x is 10001 m: -10000 to 10000 m is legal");
    segment.point_count = 3;
    refused(segment, STATUS_INVALID_ARGUMENT, "segment has 3 ends: 2 are needed");
}
END_TEST

START_TEST(test_degenerate_polygons_are_refused)
{
    refused(POLYGON({0, 0}, {1, 0}), STATUS_INVALID_ARGUMENT,
            "polygon.points has 2 corners: 3 to 16 are legal");
    refused(POLYGON({0, 0}, {1, 0}, {2, 0}), STATUS_INVALID_ARGUMENT,
            "polygon.points enclose 0 m2: 0.0001 m2 or more are needed");
    refused(POLYGON({0, 0}, {1, 0}, {1, 1}, {1, 0}), STATUS_INVALID_ARGUMENT,
            "polygon.points[3] is points[1] again: different corners are needed");
    refused(POLYGON({0, 0}, {NAN, 0}, {1, 1}), STATUS_INVALID_ARGUMENT,
            "polygon.points[1].x is nan: a number from -10000 to 10000 m is needed");
}
END_TEST

START_TEST(test_polygons_that_are_not_convex_or_cross_themselves_are_refused)
{
    const struct steer_shape dented = POLYGON({0, 0}, {4, 0}, {1, 1}, {0, 4});
    const struct steer_shape bow_tie = POLYGON({0, 0}, {2, 2}, {2, 0}, {0, 2});
    const struct steer_shape star = POLYGON({0, 10}, {6, -8}, {-9.5f, 3}, {9.5f, 3}, {-6, -8});
    const struct steer_shape *shapes[] = {&dented, &bow_tie, &star};
    for (size_t i = 0; i < 3; i++) {
        struct fault fault = {0};
        ck_assert_int_eq(steer_shape_check(shapes[i], &fault), STATUS_INVALID_ARGUMENT);
        ck_assert_ptr_nonnull(
            strstr(fault.text, "polygon.points are not convex or cross each other at points["));
    }
}
END_TEST

START_TEST(test_convex_polygons_in_either_sense_are_accepted)
{
    accepted(POLYGON({0, 0}, {4, 0}, {4, 4}, {0, 4}));
    accepted(POLYGON({0, 0}, {0, 4}, {4, 4}, {4, 0}));
    accepted(POLYGON({0, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4})); /* a corner on a side is still convex */
}
END_TEST

START_TEST(test_distances_are_exact_at_sides_corners_and_inside)
{
    struct steer_shape box = {.kind = STEER_SHAPE_BOX, .center_m = {10, 0}, .size_m = {4, 2}};
    ck_assert_float_eq(steer_shape_distance(&box, vec2(15, 0)), 3.0f);
    ck_assert_float_eq(steer_shape_distance(&box, vec2(15, 5)), 5.0f); /* 3, 4, 5 from the corner */
    ck_assert_float_eq(steer_shape_distance(&box, vec2(12, 1)), 0.0f);
    ck_assert_float_eq(steer_shape_distance(&box, vec2(10, 0.25f)), -0.75f);
    struct steer_shape segment = {
        .kind = STEER_SHAPE_SEGMENT, .points_m = {{0, -1}, {0, 1}}, .point_count = 2};
    ck_assert_float_eq(steer_shape_distance(&segment, vec2(0.5f, 0)), 0.5f);
    ck_assert_float_eq(steer_shape_distance(&segment, vec2(3, 5)), 5.0f);
    ck_assert_float_eq(steer_shape_distance(&segment, vec2(0, 0.5f)), 0.0f);
    struct steer_shape circle = {.kind = STEER_SHAPE_CIRCLE, .center_m = {1, 1}, .radius_m = 2};
    ck_assert_float_eq(steer_shape_distance(&circle, vec2(1, 1)), -2.0f);
    ck_assert_float_eq(steer_shape_distance(&circle, vec2(4, 5)), 3.0f);
    const struct steer_shape square = POLYGON({0, 0}, {0, 4}, {4, 4}, {4, 0});
    ck_assert_float_eq(steer_shape_distance(&square, vec2(3, 2)), -1.0f);
}
END_TEST

START_TEST(test_a_box_turns_clockwise)
{
    struct steer_shape box = {.kind = STEER_SHAPE_BOX, .size_m = {8, 2}, .orientation_deg = 45};
    /* Its long axis, east before, points south-east. */
    ck_assert_float_lt(steer_shape_distance(&box, vec2(2, -2)), 0.0f);
    ck_assert_float_gt(steer_shape_distance(&box, vec2(2, 2)), 0.0f);
    box.orientation_deg = -270;
    ck_assert_float_eq(steer_shape_distance(&box, vec2(0, 6)), 2.0f);
}
END_TEST

Suite *suite_sim_shape(void)
{
    Suite *suite = suite_create("sim_shape");
    TCase *check = tcase_create("check");
    tcase_add_test(check, test_circles_out_of_range_are_refused);
    tcase_add_test(check, test_boxes_out_of_range_are_refused);
    tcase_add_test(check, test_segments_without_length_are_refused);
    tcase_add_test(check, test_degenerate_polygons_are_refused);
    tcase_add_test(check, test_polygons_that_are_not_convex_or_cross_themselves_are_refused);
    tcase_add_test(check, test_convex_polygons_in_either_sense_are_accepted);
    suite_add_tcase(suite, check);
    TCase *distance = tcase_create("distance");
    tcase_add_test(distance, test_distances_are_exact_at_sides_corners_and_inside);
    tcase_add_test(distance, test_a_box_turns_clockwise);
    suite_add_tcase(suite, distance);
    return suite;
}
