#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * What the simulation takes instead of libm's functions: the same bits from every compiler and C library,
 * with -0 and NaN defined. Only comparisons and conversions.
 */

/* The lesser; a when neither is less, so of 0 and -0 the first, and a when one is NaN. */
static inline double exact_min(double a, double b)
{
    return b < a ? b : a;
}

/* The greater; a when neither is greater, as above. */
static inline double exact_max(double a, double b)
{
    return b > a ? b : a;
}

static inline float exact_min_f32(float a, float b)
{
    return b < a ? b : a;
}

static inline float exact_max_f32(float a, float b)
{
    return b > a ? b : a;
}

/* The greatest whole number that is not above x; never -0 for a small x. Infinite and NaN stay what they are.
 */
static inline double exact_floor(double x)
{
    if (!(x > -0x1p52 && x < 0x1p52)) {
        return x; /* from here on every double is whole; and a conversion of NaN would not be defined */
    }
    double whole = (double)(int64_t)x; /* towards 0 */
    return whole > x ? whole - 1.0 : whole;
}

/* The least float above x. Infinity and NaN stay what they are. */
static inline float exact_next_up(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (!(x < INFINITY)) {
        return x;
    }
    if (x == 0.0f) {
        bits = 1; /* of -0, too */
    } else if (x > 0.0f) {
        bits++;
    } else {
        bits--;
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The greatest float below x. Minus infinity and NaN stay what they are. */
static inline float exact_next_down(float x)
{
    return -exact_next_up(-x);
}
