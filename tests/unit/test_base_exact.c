#include "base/exact.h"

#include <math.h>
#include <stdbool.h>

#include "base/hash.h"
#include "suites.h"

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

START_TEST(test_lesser_and_greater_of_equal_or_nan_is_the_first)
{
    ck_assert(signbit(exact_min(-0.0, 0.0)) && !signbit(exact_min(0.0, -0.0)));
    ck_assert(signbit(exact_max(-0.0, 0.0)) && !signbit(exact_max(0.0, -0.0)));
    ck_assert(signbit(exact_min_f32(-0.0f, 0.0f)) && !signbit(exact_max_f32(0.0f, -0.0f)));
    ck_assert(isnan(exact_min((double)NAN, 1.0)) && isnan(exact_max((double)NAN, 1.0)));
    ck_assert_double_eq(exact_min(1.0, (double)NAN), 1.0);
    ck_assert_double_eq(exact_max(1.0, (double)NAN), 1.0);
    ck_assert_double_eq(exact_min(2.0, -3.0), -3.0);
    ck_assert_double_eq(exact_max(2.0, -3.0), 2.0);
    ck_assert_float_eq(exact_min_f32(2.0f, -3.0f), -3.0f);
    ck_assert_float_eq(exact_max_f32(-3.0f, 2.0f), 2.0f);
}
END_TEST

START_TEST(test_floor_is_libms_but_for_minus_zero)
{
    static const double edges[] = {0.0,       -0.0,       0.5,     -0.5,     1.0,          -1.0,
                                   0x1p-1074, -0x1p-1074, 0x1p52,  -0x1p52,  0x1p52 - 0.5, -0x1p52 + 0.5,
                                   0x1p53,    0x1p63,     -0x1p63, 0x1p1023, -0x1p1023};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        ck_assert_double_eq(exact_floor(edges[i]), floor(edges[i]));
    }
    for (uint32_t i = 0; i < 200000; i++) {
        uint64_t bits = hash_random(4, 0, i, 0);
        double any;
        memcpy(&any, &bits, sizeof any);
        double near = ldexp((double)(int64_t)bits, -(int)(i % 64));
        if (exact_floor(near) != floor(near) || (!isnan(any) && exact_floor(any) != floor(any))) {
            ck_abort_msg("floor of %a or %a", near, any);
        }
    }
    ck_assert(isnan(exact_floor((double)NAN)));
    ck_assert(isinf(exact_floor((double)INFINITY)) && isinf(exact_floor(-(double)INFINITY)));
    ck_assert(!signbit(exact_floor(-0.0)));
}
END_TEST

static bool is_next(float x)
{
    if (isnan(x)) {
        return isnan(exact_next_up(x)) && isnan(exact_next_down(x));
    }
    return bits_of(exact_next_up(x)) == bits_of(nextafterf(x, INFINITY)) &&
           bits_of(exact_next_down(x)) == bits_of(nextafterf(x, -INFINITY));
}

/* All of the ends of binades, and a float in every 4099 of all. */
START_TEST(test_next_floats_are_libms)
{
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 4099) {
        float edge = float_of((uint32_t)bits & 0xFF800000u);
        float around[] = {float_of((uint32_t)bits), edge, nextafterf(edge, INFINITY),
                          nextafterf(edge, -INFINITY)};
        for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
            float x = around[i];
            if (!is_next(x)) {
                ck_abort_msg("next to %a", (double)x);
            }
        }
    }
}
END_TEST

Suite *suite_base_exact(void)
{
    Suite *suite = suite_create("base_exact");
    TCase *tcase = tcase_create("exact");
    tcase_set_timeout(tcase, 60); /* a million floats, with sanitizers too */
    tcase_add_test(tcase, test_lesser_and_greater_of_equal_or_nan_is_the_first);
    tcase_add_test(tcase, test_floor_is_libms_but_for_minus_zero);
    tcase_add_test(tcase, test_next_floats_are_libms);
    suite_add_tcase(suite, tcase);
    return suite;
}
