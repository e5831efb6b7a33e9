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

/* Unit vector of a heading in [0, 360). Absolute error of each part at most 2^-22. */
struct vec2 trig_direction(float heading_deg);

/* Heading in [0, 360) of a vector; 0 for the null vector. Absolute error at most 0.0001 degrees. */
float trig_heading_deg(struct vec2 direction);
