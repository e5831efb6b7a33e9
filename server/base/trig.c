/*
 * Sine, cosine and arc tangent from Taylor polynomials in double, rounded to float at the end: the same bits
 * everywhere.
 */
#include "base/trig.h"

#include <stdint.h>

#include "base/assert.h"

#define TRIG_QUICK_DEG_MAX 0x1p50 /* up to here whole turns times 360 are exact in a double */

/* The rest of angle / 360, of either sign; |rest| < 360. */
static double trig_rest_deg(double angle_deg)
{
    if (angle_deg > -TRIG_QUICK_DEG_MAX && angle_deg < TRIG_QUICK_DEG_MAX) {
        return angle_deg - (double)(int64_t)(angle_deg / 360.0) * 360.0;
    }
    /* Long division: each step takes off the largest 360 * 2^k that fits, which loses no bit. */
    double rest = angle_deg < 0.0 ? -angle_deg : angle_deg;
    double step = 360.0;
    while (step <= rest / 2.0) {
        step *= 2.0;
    }
    while (step >= 360.0) {
        rest -= rest >= step ? step : 0.0;
        step /= 2.0;
    }
    return angle_deg < 0.0 ? -rest : rest;
}

float trig_wrap_deg(float heading_deg)
{
    double rest = trig_rest_deg(heading_deg);
    float wrapped = (float)(rest < 0.0 ? rest + 360.0 : rest);
    /* What lies closer below 360 than a float can say is 0; + 0 makes 0 of -0. */
    return wrapped >= 360.0f ? 0.0f : wrapped + 0.0f;
}

float trig_turn_deg(float a_deg, float b_deg)
{
    double turn = trig_rest_deg((double)b_deg - (double)a_deg);
    if (turn >= 180.0) {
        turn -= 360.0;
    } else if (turn < -180.0) {
        turn += 360.0;
    }
    return (float)turn + 0.0f;
}

/* Taylor polynomials in double on [-pi/4, pi/4]; what is left out is below 1.76e-9. */
static double trig_sine_small(double a)
{
    double s = a * a;
    return a * (1.0 + s * (-1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880)))));
}

static double trig_cosine_small(double a)
{
    double s = a * a;
    return 1.0 +
           s * (-1.0 / 2 + s * (1.0 / 24 + s * (-1.0 / 720 + s * (1.0 / 40320 + s * (-1.0 / 3628800)))));
}

struct vec2 trig_direction(float heading_deg)
{
    ASSERT(heading_deg >= 0.0f && heading_deg < 360.0f);
    const double radians_per_deg = 0.017453292519943295769;
    int quarter = (int)((double)heading_deg / 90.0 + 0.5);
    double a = ((double)heading_deg - 90.0 * quarter) * radians_per_deg;
    float s = (float)trig_sine_small(a);
    float c = (float)trig_cosine_small(a);
    switch (quarter & 3) {
    case 0:
        return vec2(s, c);
    case 1:
        return vec2(c, -s);
    case 2:
        return vec2(-s, -c);
    default:
        return vec2(-c, s);
    }
}

/* atan(t), degrees, |t| <= tan(pi/8): Taylor to t^17; what is left out is below 2.5e-9 rad. */
static double trig_arctangent_small_deg(double t)
{
    const double degrees_per_radian = 57.295779513082320877;
    double s = t * t;
    double series =
        1.0 +
        s * (-1.0 / 3 +
             s * (1.0 / 5 +
                  s * (-1.0 / 7 +
                       s * (1.0 / 9 + s * (-1.0 / 11 + s * (1.0 / 13 + s * (-1.0 / 15 + s * (1.0 / 17))))))));
    return t * series * degrees_per_radian;
}

float trig_heading_deg(struct vec2 direction)
{
    double x = direction.x;
    double y = direction.y;
    double ax = x < 0.0 ? -x : x;
    double ay = y < 0.0 ? -y : y;
    if (ax == 0.0 && ay == 0.0) {
        return 0.0f;
    }
    /* The angle from the nearer axis, folded at 22.5 degrees: atan(t) = 45 - atan((1 - t) / (1 + t)). */
    double small = ax < ay ? ax : ay;
    double large = ax < ay ? ay : ax;
    const double tan_22_5 = 0.41421356237309504880;
    double angle = small <= tan_22_5 * large
                       ? trig_arctangent_small_deg(small / large)
                       : 45.0 - trig_arctangent_small_deg((large - small) / (large + small));
    double from_north = ax < ay ? angle : 90.0 - angle; /* in the quarter x >= 0, y >= 0 */
    double heading = y < 0.0 ? 180.0 - from_north : from_north;
    heading = x < 0.0 ? 360.0 - heading : heading;
    float rounded = (float)heading;
    return rounded >= 360.0f ? 0.0f : rounded;
}
