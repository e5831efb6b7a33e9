#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/blob.h"
#include "sim/steer.h"
#include "steerd/v1/steerd.pb-c.h"

/*
 * Answers a Query piece by piece as the socket drains. Agents and obstacles come ascending by id over all
 * pieces; a piece shows the state of the tick at which it is made.
 */

#define QUERY_IDS_MAX 1024 /* ids one query may name */

struct query_cursor {
    uint64_t request_id;
    bool wants_agents; /* still: false when all are told */
    bool wants_obstacles;
    bool wants_profiles;
    bool wants_behaviours;
    bool wants_stats;
    bool wants_digest;
    bool has_area;
    struct steer_area area;
    uint32_t id_count;           /* 0: all */
    uint32_t ids[QUERY_IDS_MAX]; /* ascending, no doubles */
    uint32_t agent_id_last;      /* told up to this one */
    uint32_t obstacle_id_last;
    uint32_t profiles_told;
    uint32_t behaviours_told;
    bool done;
};

/*
 * Fails: INVALID_ARGUMENT (asks for nothing, a rectangle that is none), RESOURCE_EXHAUSTED (over
 * QUERY_IDS_MAX ids).
 */
MUST_CHECK enum status query_start(struct query_cursor *cursor, const Steerd__V1__Query *query,
                                   uint64_t request_id, struct fault *fault);

/*
 * The next QueryResult, some 16 KiB at most; sets cursor->done with the last, which is marked.
 *
 * stats  the server's figures with the digest; NULL when the cursor wants neither
 *
 * Returns NULL when the pool is full: try again later, the cursor has not moved.
 */
struct blob *query_encode_next(struct blob_pool *pool, const struct steer_world *world,
                               const Steerd__V1__Stats *stats, struct query_cursor *cursor);
