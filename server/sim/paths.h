#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec2.h"
#include "sim/steer.h"

#define PATH_NONE UINT32_MAX

/* Way-points that agents share. */
struct path {
    uint32_t references; /* agents that go along it; 0: free */
    uint32_t count;
    uint64_t digest; /* of the points: what an agent's goal is, whichever slot holds it */
    struct vec2 points_m[STEER_PATH_POINTS_MAX];
    float to_end_m[STEER_PATH_POINTS_MAX]; /* from each point along the others to the last */
    uint32_t next_free;
};

struct paths {
    uint32_t count_max;
    uint32_t free_count;
    uint32_t free_first;
    struct path *items;
};

size_t paths_bytes(uint32_t count_max);
void paths_init(struct paths *paths, struct arena *arena, uint32_t count_max);

/* A path with no references yet: give it one, or it is lost. There must be a free one. */
uint32_t paths_add(struct paths *paths, const struct vec2 *points_m, uint32_t count);

void paths_retain(struct paths *paths, uint32_t path);

/* The last reference frees it. */
void paths_release(struct paths *paths, uint32_t index);
