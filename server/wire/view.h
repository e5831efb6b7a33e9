#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/blob.h"
#include "base/job_pool.h"
#include "sim/steer.h"
#include "wire/command.h"

/*
 * The distinct views of all viewers: those who see the same area in the same format and interval share one
 * view, which is encoded once a snapshot. Whole-world views due at one tick share one encoding, split over
 * all threads; other views are shared out to the threads one by one.
 *
 * Loop thread, except view_table_encode, which runs in the tick job. Of the others only view_release may be
 * called while it runs.
 */
struct view_table;
struct view;

struct view_table_config {
    uint32_t views_max;
    size_t frame_bytes_max; /* of one message, at least 128 */
    uint32_t agents_max;    /* of the world */
    uint32_t threads;       /* of the pool, for scratch memory */
    struct blob_pool *blobs;
};

/* NULL when there is no memory. */
struct view_table *view_table_create(const struct view_table_config *config);
/* Releases what is encoded; pointers to views end here too. Accepts NULL. */
void view_table_destroy(struct view_table *table);
size_t view_table_memory_bytes(const struct view_table *table);

/*
 * One more viewer of such a view, made when nobody has it. When one viewer of a view wants events, the view
 * makes them for as long as it lives; who did not ask does not send them. Fails: NOT_FOUND (around an unknown
 * agent), RESOURCE_EXHAUSTED (views_max).
 */
MUST_CHECK enum status view_acquire(struct view_table *table, const struct steer_world *world,
                                    const struct view_spec *spec, struct view **out, struct fault *fault);

/* One viewer less. What is encoded for the view stays until view_table_release_encoded. */
void view_release(struct view_table *table, struct view *view);

/*
 * Tick job, after the step: moves views that follow agents, encodes the snapshots of those that are due at
 * the world's tick and the events of those that want them. view_table_release_encoded must have been called
 * since the last time: blobs are counted on the loop thread only.
 */
void view_table_encode(struct view_table *table, const struct steer_world *world, struct job_pool *pool,
                       uint64_t server_time_us);

/* Releases what the last view_table_encode made and was not taken further, and forgets views without viewers.
 */
void view_table_release_encoded(struct view_table *table);

/* Events that were not told because a frame or the pool was full; since the start. */
uint64_t view_table_events_dropped(const struct view_table *table);

/* The exact outline now. */
struct steer_area view_area(const struct view *view);

/*
 * The messages of this tick, each a whole ServerMessage, borrowed until view_table_release_encoded. A view
 * that is due has at least one; 0 says that the pool was full and this snapshot is lost.
 */
uint32_t view_snapshot(const struct view *view, struct blob *const **parts_out);
bool view_snapshot_due(const struct view *view);

/* The Events message of this tick, or NULL when nothing happened or nobody asked. */
struct blob *view_events(const struct view *view);
