#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/blob.h"
#include "sim/steer.h"

/*
 * The Events message of one tick for one outline, a whole ServerMessage of frame_bytes_max at most; NULL when
 * nothing happened there. Events that do not fit the frame, or all of them when the pool is full, are added
 * to *dropped. Any thread that may read the world.
 */
struct blob *events_encode(struct blob_pool *pool, const struct steer_world *world,
                           const struct steer_area *area, size_t frame_bytes_max, uint64_t *dropped);
