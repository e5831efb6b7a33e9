#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/blob.h"
#include "sim/steer.h"

/*
 * One snapshot in FORMAT_FULL, made in three steps so that many threads can share it: measure chunks of rows,
 * cut the chunks into messages below the frame limit, write each chunk at its place. The bytes depend on
 * nothing but the rows.
 */

/* Rows that are measured and written together. */
struct snapshot_chunk {
    uint32_t size;
    uint32_t part;
    size_t offset; /* in the part's blob */
};

/* What bounds the tables of a snapshot, from the limits of the server. */
struct snapshot_limits {
    size_t frame_bytes_max; /* of one message, at least SNAPSHOT_FRAME_BYTES_MIN */
    uint32_t chunk_rows;
    uint32_t chunks_max;
    uint32_t parts_max;
};

#define SNAPSHOT_FRAME_BYTES_MIN 128

struct snapshot_limits snapshot_limits(size_t frame_bytes_max, uint32_t agents_max);

struct snapshot_full {
    struct steer_agent_columns columns;
    const uint32_t *rows; /* row_count of them, ascending; NULL: rows 0 to row_count - 1 */
    uint32_t row_count;
    uint64_t tick;
    uint64_t server_time_us;
    struct snapshot_chunk *chunks; /* room for chunks_max, borrowed */
    struct blob **parts;           /* room for parts_max, borrowed */
    uint32_t part_count;           /* set by snapshot_full_cut */
};

uint32_t snapshot_full_chunks(const struct snapshot_full *snapshot, const struct snapshot_limits *limits);

/* Chunks [begin, end); any thread, on disjoint ranges. */
void snapshot_full_measure(struct snapshot_full *snapshot, const struct snapshot_limits *limits,
                           uint32_t begin, uint32_t end);

/* Takes the blobs and writes their heads. False when the pool is full: then there are no parts. */
bool snapshot_full_cut(struct snapshot_full *snapshot, const struct snapshot_limits *limits,
                       struct blob_pool *pool);

/* Chunks [begin, end); any thread, on disjoint ranges. */
void snapshot_full_write(struct snapshot_full *snapshot, const struct snapshot_limits *limits, uint32_t begin,
                         uint32_t end);
