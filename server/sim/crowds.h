#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec2.h"

#define CROWD_NONE UINT16_MAX

/* Where the agents of a retargeting crowd draw their targets from. */
struct crowd {
    uint32_t references; /* agents of it; 0: free */
    uint64_t seed;
    struct vec2 min_m;
    struct vec2 max_m;
};

struct crowds {
    uint32_t count_max;
    struct crowd *items;
};

size_t crowds_bytes(uint32_t count_max);
void crowds_init(struct crowds *crowds, struct arena *arena, uint32_t count_max);

/* The first free one, or CROWD_NONE when all are in use. */
uint16_t crowds_find_free(const struct crowds *crowds);

void crowds_release(struct crowds *crowds, uint16_t crowd);
