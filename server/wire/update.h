#pragma once

#include <stdbool.h>

#include "base/blob.h"
#include "sim/steer.h"

/*
 * WorldUpdate: obstacles and profiles, piece by piece so that a slow reader never makes the server hold many.
 */

/* How far a new viewer has been told; zeroed: nothing yet. */
struct update_cursor {
    uint32_t obstacle_id_last;
    uint32_t profiles_told;
    bool done;
};

/*
 * The next piece of all that is in force, some 16 KiB at most; sets cursor->done with the last. There is
 * always at least one piece. NULL when the pool is full: try again later, the cursor has not moved.
 */
struct blob *update_encode_all(struct blob_pool *pool, const struct steer_world *world,
                               struct update_cursor *cursor);

#define UPDATE_CHANGES_LOST UINT32_MAX

/*
 * The changes since steer_world_clear_changes as messages of frame_bytes_max at most, each with one
 * reference. out  room for out_max; returns how many were made, 0 when nothing changed. UPDATE_CHANGES_LOST
 * when they do not fit into out or the pool: then none is held, and who mirrors the world cannot go on.
 */
uint32_t update_encode_changes(struct blob_pool *pool, const struct steer_world *world,
                               size_t frame_bytes_max, struct blob **out, uint32_t out_max);
