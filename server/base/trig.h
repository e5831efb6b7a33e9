#pragma once

#include "base/vec2.h"

/*
 * Sine, cosine and arc tangent that give the same bits on every machine, compiler and optimisation
 * level: libm promises no such thing. Only +, -, *, /, comparisons and conversions. All angles are headings:
 * degrees, 0 is +y, growing clockwise.
 */

/* heading wrapped into [0, 360), never -0. Any finite number; exact but for the last rounding. */
float trig_wrap_deg(float heading_deg);

/*
 * Difference b - a wrapped into [-180, 180]: by how much to turn clockwise from a to face b. Any finite
 * numbers; exact but for the last rounding.
 */
float trig_turn_deg(float a_deg, float b_deg);

/* Unit vector of a heading in [0, 360). Absolute error of each part at most 3.16e-8, of which 2^-25 are the
 * rounding. */
struct vec2 trig_direction(float heading_deg);

/* Heading in [0, 360) of a vector; 0 for the null vector. Any finite parts. Absolute error at most 1.54e-5
 * degrees, of which 2^-16 are the rounding. */
float trig_heading_deg(struct vec2 direction);
