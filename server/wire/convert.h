#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/vec2.h"
#include "sim/steer.h"
#include "steerd/v1/steerd.pb-c.h"

/*
 * Values of messages become values of the sim. `field` is the field's name for the words of a refusal.
 * Numbers are passed on as they are: the sim refuses what is not finite or out of range, unless a comment
 * here says otherwise.
 */

/* Fails: INVALID_ARGUMENT (missing). */
MUST_CHECK enum status convert_point(const Steerd__V1__Vec2 *in, const char *field, struct vec2 *out,
                                     struct fault *fault);

/* A value that may be missing: then 0, 0. */
struct vec2 convert_vector(const Steerd__V1__Vec2 *in);

/* Both corners. Fails: INVALID_ARGUMENT (missing). */
MUST_CHECK enum status convert_corners(const Steerd__V1__Rectangle *in, const char *field,
                                       struct vec2 *min_out, struct vec2 *max_out, struct fault *fault);

/* A rectangle to look at, which the sim never checks. Fails: INVALID_ARGUMENT (missing, not finite, min over
 * max). */
MUST_CHECK enum status convert_rectangle(const Steerd__V1__Rectangle *in, const char *field,
                                         struct steer_area *out, struct fault *fault);

/* Points in memory of the scratch arena. Fails: INVALID_ARGUMENT (none, or over STEER_PATH_POINTS_MAX),
 * RESOURCE_EXHAUSTED. */
MUST_CHECK enum status convert_path(const Steerd__V1__Path *in, struct arena *scratch,
                                    const struct vec2 **points_out, uint32_t *count_out, struct fault *fault);

/*
 * Either ids or all.
 * Fails: INVALID_ARGUMENT (both, or neither).
 */
MUST_CHECK enum status convert_selection(const uint32_t *ids, size_t count, bool all,
                                         struct steer_agent_selection *out, struct fault *fault);

/* `count` elements of `size` bytes for a translated list, zeroed. Fails: INVALID_ARGUMENT (count is 0),
 * RESOURCE_EXHAUSTED. */
MUST_CHECK enum status convert_list(struct arena *scratch, size_t count, size_t size, const char *field,
                                    void **out, struct fault *fault);
