#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "base/blob.h"

/*
 * Messages that wait for a socket, as counted pieces of shared bytes with their lengths before them. No
 * sockets in here: whoever writes asks what comes next and says how much of it was taken.
 */

/* The least a waiting message counts: an empty one costs its list entry and its blob too. */
#define SEND_MESSAGE_COST_MIN 64

/* List entries for the pieces of all queues. */
struct send_pool;

/* NULL when there is no memory. */
struct send_pool *send_pool_create(uint32_t pieces_max);

/* Every queue must be empty. Accepts NULL. */
void send_pool_destroy(struct send_pool *pool);
size_t send_pool_memory_bytes(const struct send_pool *pool);

struct send_piece;

/* Zeroed: empty. */
struct send_queue {
    struct send_piece *first;
    struct send_piece *last;
    size_t counted_bytes; /* of waiting messages that were added as counted */
    bool first_is_lent;   /* the first piece is in a write under way: it stays where it is */
};

enum send_place {
    SEND_LAST,
    SEND_FIRST, /* ahead of every message of which nothing has been taken */
};

/*
 * Adds one message of `count` pieces (at least 1), each retained. counted: it adds to counted_bytes while it
 * waits. False, and nothing added, when the pool has no entries left.
 */
bool send_queue_add(struct send_queue *queue, struct send_pool *pool, struct blob *const *pieces,
                    uint32_t count, enum send_place place, bool counted);

bool send_queue_is_empty(const struct send_queue *queue);

/* What comes next, in order, as up to `out_max` (at least 2) buffers, of the first `pieces_max` pieces only.
 * Returns how many. */
uint32_t send_queue_peek(const struct send_queue *queue, uint32_t pieces_max, uv_buf_t *out,
                         uint32_t out_max);

/* The next `size` bytes were taken: releases what is done with. */
void send_queue_advance(struct send_queue *queue, struct send_pool *pool, size_t size);

/* Releases everything. */
void send_queue_clear(struct send_queue *queue, struct send_pool *pool);
