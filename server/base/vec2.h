#pragma once

#include <math.h>
#include <stdbool.h>

/* A point in metres or a velocity in m/s on the ground plane: x east, y north. */
struct vec2 {
    float x;
    float y;
};

static inline struct vec2 vec2(float x, float y)
{
    return (struct vec2){x, y};
}

static inline struct vec2 vec2_add(struct vec2 a, struct vec2 b)
{
    return vec2(a.x + b.x, a.y + b.y);
}

static inline struct vec2 vec2_sub(struct vec2 a, struct vec2 b)
{
    return vec2(a.x - b.x, a.y - b.y);
}

static inline struct vec2 vec2_scale(struct vec2 a, float s)
{
    return vec2(a.x * s, a.y * s);
}

/* a + b * s */
static inline struct vec2 vec2_mad(struct vec2 a, struct vec2 b, float s)
{
    return vec2(a.x + b.x * s, a.y + b.y * s);
}

static inline float vec2_dot(struct vec2 a, struct vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

/* z of the cross product: positive when b lies to the left of a. */
static inline float vec2_cross(struct vec2 a, struct vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static inline float vec2_length_squared(struct vec2 a)
{
    return vec2_dot(a, a);
}

static inline float vec2_length(struct vec2 a)
{
    return sqrtf(vec2_dot(a, a));
}

/* a turned by 90 degrees clockwise: what is to one's right when facing a. */
static inline struct vec2 vec2_right(struct vec2 a)
{
    return vec2(a.y, -a.x);
}

static inline bool vec2_is_finite(struct vec2 a)
{
    return isfinite(a.x) && isfinite(a.y);
}

/* a with its length cut to max. max >= 0. */
static inline struct vec2 vec2_clamp_length(struct vec2 a, float max)
{
    float length_squared = vec2_length_squared(a);
    return length_squared <= max * max ? a : vec2_scale(a, max / sqrtf(length_squared));
}
