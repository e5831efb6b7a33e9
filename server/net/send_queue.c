/*
 * The way out of a connection: net_conn_send puts messages here, conn.c hands them to the kernel as far as it
 * takes them. Pieces are borrowed from their pools by reference, so a snapshot that a thousand viewers get
 * lies in memory once.
 */
#include "net/send_queue.h"

#include <stdlib.h>

#include "base/assert.h"
#include "net/frame.h"

struct send_piece {
    struct send_piece *next;
    struct blob *blob;
    size_t taken;  /* bytes of prefix and blob that are done with */
    uint32_t cost; /* what goes from counted_bytes with this piece */
    bool begins;   /* first piece of a message: has the length before it */
    uint8_t prefix_size;
    uint8_t prefix[FRAME_LENGTH_BYTES_MAX];
};

struct send_pool {
    struct send_piece *pieces;
    struct send_piece *free;
    uint32_t count;
    uint32_t free_count;
};

struct send_pool *send_pool_create(uint32_t pieces_max)
{
    struct send_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    pool->pieces = calloc(pieces_max, sizeof *pool->pieces);
    if (pool->pieces == NULL) {
        free(pool);
        return NULL;
    }
    pool->count = pieces_max;
    pool->free_count = pieces_max;
    for (uint32_t i = 0; i < pieces_max; i++) {
        pool->pieces[i].next = pool->free;
        pool->free = &pool->pieces[i];
    }
    return pool;
}

void send_pool_destroy(struct send_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    ASSERT(pool->free_count == pool->count);
    free(pool->pieces);
    free(pool);
}

size_t send_pool_memory_bytes(const struct send_pool *pool)
{
    return sizeof *pool + (size_t)pool->count * sizeof *pool->pieces;
}

static struct send_piece *send_pool_take(struct send_pool *pool, struct blob *blob)
{
    struct send_piece *piece = pool->free;
    ASSERT(piece != NULL);
    pool->free = piece->next;
    pool->free_count--;
    *piece = (struct send_piece){.blob = blob_retain(blob)};
    return piece;
}

static void send_pool_give(struct send_pool *pool, struct send_piece *piece)
{
    blob_release(piece->blob);
    piece->blob = NULL;
    piece->next = pool->free;
    pool->free = piece;
    pool->free_count++;
}

bool send_queue_is_empty(const struct send_queue *queue)
{
    return queue->first == NULL;
}

/* The last piece of the message that is being written; NULL when none is. */
static struct send_piece *send_queue_begun(const struct send_queue *queue)
{
    struct send_piece *piece = queue->first;
    if (piece == NULL || (piece->begins && piece->taken == 0 && !queue->first_is_lent)) {
        return NULL;
    }
    while (piece->next != NULL && !piece->next->begins) {
        piece = piece->next;
    }
    return piece;
}

/* Puts a chain behind `after`, or in front of everything when that is NULL. */
static void send_queue_insert(struct send_queue *queue, struct send_piece *after, struct send_piece *first,
                              struct send_piece *last)
{
    if (after == NULL) {
        last->next = queue->first;
        queue->first = first;
    } else {
        last->next = after->next;
        after->next = first;
    }
    if (last->next == NULL) {
        queue->last = last;
    }
}

static uint32_t send_message_size(struct blob *const *pieces, uint32_t count)
{
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += pieces[i]->size;
    }
    ASSERT(size <= UINT32_MAX);
    return (uint32_t)size;
}

bool send_queue_add(struct send_queue *queue, struct send_pool *pool, struct blob *const *pieces,
                    uint32_t count, enum send_place place, bool counted)
{
    ASSERT(count > 0);
    if (count > pool->free_count) {
        return false;
    }
    uint32_t size = send_message_size(pieces, count);
    struct send_piece *first = send_pool_take(pool, pieces[0]);
    first->begins = true;
    first->prefix_size = (uint8_t)frame_write_length(first->prefix, size);
    struct send_piece *last = first;
    for (uint32_t i = 1; i < count; i++) {
        last->next = send_pool_take(pool, pieces[i]);
        last = last->next;
    }
    if (counted) {
        /* It goes with the last piece: a message counts until all of it is taken. */
        last->cost = size < SEND_MESSAGE_COST_MIN ? SEND_MESSAGE_COST_MIN : size;
        queue->counted_bytes += last->cost;
    }
    send_queue_insert(queue, place == SEND_FIRST ? send_queue_begun(queue) : queue->last, first, last);
    return true;
}

uint32_t send_queue_peek(const struct send_queue *queue, uint32_t pieces_max, uv_buf_t *out, uint32_t out_max)
{
    ASSERT(out_max >= 2);
    uint32_t count = 0;
    const struct send_piece *piece = queue->first;
    for (uint32_t i = 0; piece != NULL && i < pieces_max && count + 2 <= out_max; i++, piece = piece->next) {
        size_t taken = piece->taken;
        if (taken < piece->prefix_size) {
            out[count++] = uv_buf_init((char *)piece->prefix + taken, (unsigned)(piece->prefix_size - taken));
            taken = piece->prefix_size;
        }
        size_t at = taken - piece->prefix_size;
        if (at < piece->blob->size) {
            out[count++] = uv_buf_init((char *)piece->blob->bytes + at, (unsigned)(piece->blob->size - at));
        }
    }
    return count;
}

void send_queue_advance(struct send_queue *queue, struct send_pool *pool, size_t size)
{
    struct send_piece *piece = queue->first;
    while (piece != NULL) {
        size_t left = piece->prefix_size + piece->blob->size - piece->taken;
        if (left > size) {
            piece->taken += size;
            return;
        }
        size -= left;
        ASSERT(queue->counted_bytes >= piece->cost);
        queue->counted_bytes -= piece->cost;
        queue->first = piece->next;
        send_pool_give(pool, piece);
        piece = queue->first;
    }
    queue->last = NULL;
    ASSERT(size == 0);
}

void send_queue_clear(struct send_queue *queue, struct send_pool *pool)
{
    while (queue->first != NULL) {
        struct send_piece *piece = queue->first;
        queue->first = piece->next;
        send_pool_give(pool, piece);
    }
    *queue = (struct send_queue){0};
}
