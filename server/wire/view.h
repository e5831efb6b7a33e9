#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/blob.h"
#include "base/job_pool.h"
#include "sim/world.h"
#include "wire/command.h"

/*
 * The distinct views of all viewers: those who see the same area in the same format and interval share one
 * view, which is encoded once a snapshot. Loop thread, except view_table_encode, which runs in the tick job.
 */
struct view_table;
struct view;

struct view_table_config {
    uint32_t views_max;
    size_t frame_bytes_max; /* of one message */
    uint32_t agents_max;
    uint32_t threads; /* of the pool, for scratch memory */
    struct blob_pool *blobs;
};

/* NULL when there is no memory. */
struct view_table *view_table_create(const struct view_table_config *config);
void view_table_destroy(struct view_table *table);
size_t view_table_memory_bytes(const struct view_table *table);

/* One more viewer of such a view, made when nobody has it. Fails: NOT_FOUND (around an unknown agent),
 * RESOURCE_EXHAUSTED. */
MUST_CHECK enum status view_acquire(struct view_table *table, const struct world *world,
                                    const struct view_spec *spec, struct view **out, struct fault *fault);

/* One viewer less. */
void view_release(struct view_table *table, struct view *view);

/*
 * Tick job, after the step: moves views that follow agents, encodes the snapshots of those that are due at
 * the world's tick and the events of those that want them. What the tick before encoded is released.
 */
void view_table_encode(struct view_table *table, const struct world *world, struct job_pool *pool,
                       uint64_t server_time_us);

/* Releases what the last view_table_encode made and was not taken further. Loop thread. */
void view_table_release_encoded(struct view_table *table);

/* The exact outline now. */
struct area view_area(const struct view *view);

/*
 * The messages of this tick, each a whole ServerMessage, borrowed until view_table_release_encoded; 0 when
 * the view is not due or the pool was full (view_snapshot_lost tells).
 */
uint32_t view_snapshot(const struct view *view, struct blob *const **parts_out);
bool view_snapshot_due(const struct view *view);

/* The Events message of this tick, or NULL when nothing happened or nobody asked. */
struct blob *view_events(const struct view *view);
