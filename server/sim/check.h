#pragma once

#include "base/fault.h"
#include "base/vec2.h"

/*
 * Refusals of numbers in the words of protocol.md: field, value, unit and legal range. `field` is what the
 * caller's prefix is put before, for example "position" under "agents[3].".
 */

/* Fails: INVALID_ARGUMENT (not finite), OUT_OF_RANGE (outside [min, max]). */
MUST_CHECK enum status check_range(const char *field, const char *unit, float value, float min, float max,
                                   struct fault *fault);

/* Any finite number. Fails: INVALID_ARGUMENT. */
MUST_CHECK enum status check_finite(const char *field, const char *unit, float value, struct fault *fault);

/* Both coordinates, field.x and field.y. Fails: as check_range. */
MUST_CHECK enum status check_point(const char *field, struct vec2 value, struct vec2 min, struct vec2 max,
                                   struct fault *fault);
