#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "sim/steer.h"

#define AGENT_SLOT_WORDS 8 /* for all behaviours of a profile together; steer_profile_check sees to it */
#define AGENT_PROGRESS_SAMPLES                                                                               \
    5 /* one a second: the time without progress after which an agent is blocked                             \
       */

enum agent_own_limit {
    AGENT_OWN_RADIUS = 1,
    AGENT_OWN_MAX_SPEED = 2,
    AGENT_OWN_MAX_ACCEL = 4,
};

struct agent_slots {
    uint32_t words[AGENT_SLOT_WORDS]; /* zeroed at birth and when the profile changes */
};

struct agent_progress {
    float remaining_m[AGENT_PROGRESS_SAMPLES]; /* oldest first; HUGE_VALF: no sample yet */
};

/*
 * The agents as a structure of arrays, rows ascending by id. Ids only grow, so a new agent is a new last row;
 * removal closes the gaps in order, between steps only. Storage is borrowed from an arena.
 */
struct agent_store {
    uint32_t count;
    uint32_t count_max;
    uint32_t id_last; /* the newest id ever given; 0: none */
#define COLUMN(type, name, digested, comment) type *name;
#include "sim/agent_columns.def"
#undef COLUMN
};

/* Bytes that agent_store_init takes from the arena. */
size_t agent_store_bytes(uint32_t count_max);

/* Takes the columns from the arena, which must have room for them. */
void agent_store_init(struct agent_store *store, struct arena *arena, uint32_t count_max);

/* Appends a zeroed row with the next id and returns its index. There must be room. */
uint32_t agent_store_add(struct agent_store *store);

/* Row of an id. False: there is no such agent, or it is gone. Cost: O(log count). */
bool agent_store_find(const struct agent_store *store, struct steer_agent_id id, uint32_t *row_out);

/* Closes the gaps of those who are gone. Order stays. */
void agent_store_compact(struct agent_store *store);
