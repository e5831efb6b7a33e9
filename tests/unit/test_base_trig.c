#include "base/trig.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "suites.h"

#define DEG_PER_RAD 57.295779513082320877

/* The bounds that trig.h states. libm's own errors are far below them. */
#define DIRECTION_ERROR_MAX   3.16e-8
#define HEADING_ERROR_MAX_DEG 1.54e-5

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double direction_error(float heading)
{
    struct vec2 direction = trig_direction(heading);
    double x_error = fabs((double)direction.x - sin((double)heading / DEG_PER_RAD));
    double y_error = fabs((double)direction.y - cos((double)heading / DEG_PER_RAD));
    return fmax(x_error, y_error);
}

/* A float in every 4001 of the least ones, where nothing bends, and in every 53 from 2^-8 on: 3 million. */
START_TEST(test_direction_is_within_its_bound_of_libm_on_all_headings)
{
    double worst = 0.0;
    const uint32_t end = bits_of(360.0f);
    for (uint32_t bits = 0; bits < end; bits += bits < bits_of(0x1p-8f) ? 4001 : 53) {
        worst = fmax(worst, direction_error(float_of(bits)));
    }
    ck_assert_double_le(worst, DIRECTION_ERROR_MAX);
    ck_assert_double_ge(worst, 0.9 * DIRECTION_ERROR_MAX); /* the bound is no looser than it must be */
}
END_TEST

/* 2000 floats to either side of the ends of binades, of eighths of the circle, where the polynomials change,
 * and of 0. */
START_TEST(test_direction_is_within_its_bound_at_every_edge)
{
    double worst = direction_error(-0.0f);
    const uint32_t end = bits_of(360.0f);
    for (uint32_t edge = 0; edge < 16 + end / 0x800000u; edge++) {
        uint32_t middle = edge < 16 ? bits_of(22.5f * (float)edge) : (edge - 15) * 0x800000u;
        for (uint32_t i = 0; i < 4000; i++) {
            uint32_t bits = middle + i - 2000;
            if (bits < end) {
                worst = fmax(worst, direction_error(float_of(bits)));
            }
        }
    }
    ck_assert_double_le(worst, DIRECTION_ERROR_MAX);
}
END_TEST

START_TEST(test_direction_of_the_quarters_is_exact)
{
    static const struct {
        float heading_deg;
        float x;
        float y;
    } quarters[] = {{0, 0, 1}, {90, 1, 0}, {180, 0, -1}, {270, -1, 0}};
    for (size_t i = 0; i < sizeof quarters / sizeof quarters[0]; i++) {
        struct vec2 direction = trig_direction(quarters[i].heading_deg);
        ck_assert_float_eq(direction.x, quarters[i].x);
        ck_assert_float_eq(direction.y, quarters[i].y);
    }
}
END_TEST

/* A float of any magnitude between 2^-60 and 2^60. */
static float random_float(uint32_t id, uint32_t stream)
{
    uint64_t random = hash_random(1, 2, id, stream);
    float unit = hash_unit_f32(random) * 2.0f - 1.0f;
    return ldexpf(unit, (int)(random & 127) % 121 - 60);
}

static double heading_libm(struct vec2 v)
{
    double heading = atan2((double)v.x, (double)v.y) * DEG_PER_RAD;
    return heading < 0.0 ? heading + 360.0 : heading;
}

/* Distance between two headings on the circle. */
static double heading_error(double a, double b)
{
    double error = fabs(a - b);
    return error > 180.0 ? 360.0 - error : error;
}

START_TEST(test_heading_of_random_vectors_is_within_its_bound_of_libm)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < 500000; i++) {
        struct vec2 v = i % 2 == 0 ? vec2(random_float(i, 0), random_float(i, 1))
                                   : vec2(hash_unit_f32(hash_random(3, 0, i, 0)) - 0.5f,
                                          hash_unit_f32(hash_random(3, 0, i, 1)) - 0.5f);
        float heading = trig_heading_deg(v);
        ck_assert(heading >= 0.0f && heading < 360.0f);
        worst = fmax(worst, heading_error(heading, heading_libm(v)));
    }
    ck_assert_double_le(worst, HEADING_ERROR_MAX_DEG);
}
END_TEST

/* Both parts any finite floats at all: denormal, huge, zero of either sign. */
START_TEST(test_heading_of_any_two_floats_is_within_its_bound_of_libm)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < 500000; i++) {
        struct vec2 v =
            vec2(float_of((uint32_t)hash_random(7, 0, i, 0)), float_of((uint32_t)hash_random(7, 0, i, 1)));
        if (i % 5 == 0) {
            v = vec2(float_of((uint32_t)i & 0x80001FFFu),
                     float_of((uint32_t)hash_random(7, 1, i, 0) & 0x8000FFFFu));
        }
        if (isfinite(v.x) && isfinite(v.y) && (v.x != 0.0f || v.y != 0.0f)) {
            float heading = trig_heading_deg(v);
            ck_assert(heading >= 0.0f && heading < 360.0f);
            worst = fmax(worst, heading_error(heading, heading_libm(v)));
        }
    }
    ck_assert_double_le(worst, HEADING_ERROR_MAX_DEG);
}
END_TEST

/* Slopes up to 1, as above, in all eight octants. */
START_TEST(test_heading_is_within_its_bound_of_libm_on_all_slopes)
{
    double worst = 0.0;
    for (uint32_t bits = 1; bits <= bits_of(1.0f); bits += bits < bits_of(0x1p-12f) ? 40009 : 509) {
        float slope = float_of(bits);
        for (uint32_t octant = 0; octant < 8; octant++) {
            struct vec2 v = (octant & 1) != 0 ? vec2(slope, 1.0f) : vec2(1.0f, slope);
            v = vec2((octant & 2) != 0 ? -v.x : v.x, (octant & 4) != 0 ? -v.y : v.y);
            worst = fmax(worst, heading_error(trig_heading_deg(v), heading_libm(v)));
        }
    }
    ck_assert_double_le(worst, HEADING_ERROR_MAX_DEG);
    ck_assert_double_ge(worst, 0.9 * HEADING_ERROR_MAX_DEG);
}
END_TEST

START_TEST(test_heading_undoes_direction_on_all_headings)
{
    for (uint32_t i = 0; i < 360 * 64; i++) {
        float heading = (float)i / 64.0f;
        ck_assert_double_le(heading_error(trig_heading_deg(trig_direction(heading)), heading), 0.0001);
    }
}
END_TEST

START_TEST(test_heading_on_the_axes_is_exact)
{
    ck_assert_float_eq(trig_heading_deg(vec2(0, 1)), 0.0f);
    ck_assert_float_eq(trig_heading_deg(vec2(-0.0f, 1)), 0.0f);
    ck_assert_float_eq(trig_heading_deg(vec2(1, 1)), 45.0f);
    ck_assert_float_eq(trig_heading_deg(vec2(1, 0)), 90.0f);
    ck_assert_float_eq(trig_heading_deg(vec2(1, -0.0f)), 90.0f);
    ck_assert_float_eq(trig_heading_deg(vec2(0, -1)), 180.0f);
    ck_assert_float_eq(trig_heading_deg(vec2(-1, 0)), 270.0f);
    ck_assert_float_eq(trig_heading_deg(vec2(-1, 1)), 315.0f);
}
END_TEST

START_TEST(test_heading_of_no_direction_is_north)
{
    ck_assert_float_eq(trig_heading_deg(vec2(0, 0)), 0.0f);
    ck_assert_float_eq(trig_heading_deg(vec2(-0.0f, -0.0f)), 0.0f);
    ck_assert_float_eq(trig_heading_deg(vec2(-1e-30f, 1)),
                       0.0f); /* 360 less than a float can say is 0, never 360 */
}
END_TEST

START_TEST(test_wrap_corner_cases)
{
    static const struct {
        float in_deg;
        float out_deg;
    } cases[] = {
        {0.0f, 0.0f},       {-0.0f, 0.0f},          {360.0f, 0.0f},
        {-360.0f, 0.0f},    {720.0f, 0.0f},         {359.99997f, 359.99997f},
        {-1e-30f, 0.0f},    {-90.0f, 270.0f},       {450.0f, 90.0f},
        {-0x1p-149f, 0.0f}, {0x1p-149f, 0x1p-149f}, {3600000.5f, 0.5f},
        {0x1p50f, 184.0f}, /* 1125899906842624 mod 360 */
        {-0x1p50f, 176.0f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float wrapped = trig_wrap_deg(cases[i].in_deg);
        ck_assert_msg(memcmp(&wrapped, &cases[i].out_deg, sizeof wrapped) == 0, "%.9g becomes %.9g, not %.9g",
                      cases[i].in_deg, wrapped, cases[i].out_deg);
    }
}
END_TEST

/* fmod is exact, so it is a fair judge even of the largest numbers. */
START_TEST(test_wrap_of_any_float_is_exact_and_in_range)
{
    for (uint32_t i = 0; i < 50000; i++) {
        uint32_t bits = (uint32_t)hash_random(9, 0, i, 0);
        float heading;
        memcpy(&heading, &bits, sizeof heading);
        if (!isfinite(heading)) {
            continue;
        }
        float wrapped = trig_wrap_deg(heading);
        ck_assert(wrapped >= 0.0f && wrapped < 360.0f && !signbit(wrapped));
        double rest = fmod(heading, 360.0);
        ck_assert_double_le(heading_error(wrapped, rest < 0.0 ? rest + 360.0 : rest), 2e-5);
    }
}
END_TEST

START_TEST(test_turn_takes_the_short_way)
{
    ck_assert_float_eq(trig_turn_deg(10, 350), -20.0f);
    ck_assert_float_eq(trig_turn_deg(350, 10), 20.0f);
    ck_assert_float_eq(trig_turn_deg(0, 90), 90.0f);
    ck_assert_float_eq(trig_turn_deg(90, 0), -90.0f);
    ck_assert_float_eq(trig_turn_deg(720.5f, -0.25f), -0.75f);
    ck_assert_float_eq(fabsf(trig_turn_deg(0, 180)), 180.0f);
    ck_assert_float_eq(fabsf(trig_turn_deg(180, 0)), 180.0f);
    ck_assert_float_eq(trig_turn_deg(77, 77), 0.0f);
    ck_assert(!signbit(trig_turn_deg(77, 77)));
}
END_TEST

START_TEST(test_turn_between_any_two_floats_is_at_most_half_a_circle)
{
    for (uint32_t i = 0; i < 20000; i++) {
        float turn = trig_turn_deg(ldexpf(random_float(i, 5), 60), random_float(i, 6));
        ck_assert(turn >= -180.0f && turn <= 180.0f);
    }
    float turn = trig_turn_deg(-3.4e38f, 3.4e38f);
    ck_assert(turn >= -180.0f && turn <= 180.0f);
}
END_TEST

Suite *suite_base_trig(void)
{
    Suite *suite = suite_create("base_trig");
    TCase *direction = tcase_create("direction");
    tcase_set_timeout(direction, 60); /* millions of angles, with sanitizers too */
    tcase_add_test(direction, test_direction_is_within_its_bound_of_libm_on_all_headings);
    tcase_add_test(direction, test_direction_is_within_its_bound_at_every_edge);
    tcase_add_test(direction, test_direction_of_the_quarters_is_exact);
    suite_add_tcase(suite, direction);
    TCase *heading = tcase_create("heading");
    tcase_set_timeout(heading, 60);
    tcase_add_test(heading, test_heading_of_random_vectors_is_within_its_bound_of_libm);
    tcase_add_test(heading, test_heading_of_any_two_floats_is_within_its_bound_of_libm);
    tcase_add_test(heading, test_heading_is_within_its_bound_of_libm_on_all_slopes);
    tcase_add_test(heading, test_heading_undoes_direction_on_all_headings);
    tcase_add_test(heading, test_heading_on_the_axes_is_exact);
    tcase_add_test(heading, test_heading_of_no_direction_is_north);
    suite_add_tcase(suite, heading);
    TCase *wrap = tcase_create("wrap");
    tcase_add_test(wrap, test_wrap_corner_cases);
    tcase_add_test(wrap, test_wrap_of_any_float_is_exact_and_in_range);
    tcase_add_test(wrap, test_turn_takes_the_short_way);
    tcase_add_test(wrap, test_turn_between_any_two_floats_is_at_most_half_a_circle);
    suite_add_tcase(suite, wrap);
    return suite;
}
