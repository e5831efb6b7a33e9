#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/*
 * Bytes from the server on their way to become frames: an unsigned varint length of at most 5 bytes,
 * then that many bytes. Zeroed is empty. Memory follows what has arrived (at most twice that), never what a
 * length promises, and goes back to the heap when it was more than STEERD_INBOX_KEEP_BYTES.
 */
struct steerd_inbox {
    uint8_t *bytes;         /* owned; NULL while empty and small */
    size_t capacity;        /* bytes */
    size_t begin;           /* first byte not yet consumed */
    size_t end;             /* one past the last byte received */
    size_t frame_bytes_max; /* a longer frame is refused by its length alone */
};

#define STEERD_INBOX_READ_BYTES                                                                              \
    4096 /* least room offered to a read; small, for thousands of clients in a process */
#define STEERD_INBOX_KEEP_BYTES 65536 /* an empty inbox that is larger is given back */

enum steerd_frame {
    STEERD_FRAME_MORE,  /* not all of it is there yet */
    STEERD_FRAME_READY, /* one frame is taken out */
    STEERD_FRAME_BAD,   /* the length is no varint of 5 bytes or is over frame_bytes_max */
};

void steerd_inbox_deinit(struct steerd_inbox *inbox);

/* Room to receive into, *room bytes (never 0); NULL when there is no memory. */
uint8_t *steerd_inbox_reserve(struct steerd_inbox *inbox, size_t *room);

/* `size` bytes of that room are filled. */
void steerd_inbox_commit(struct steerd_inbox *inbox, size_t size);

/* Takes the next frame out; *payload stays valid until the next reserve or deinit. Bytes left: see begin and
 * end. */
enum steerd_frame steerd_inbox_next(struct steerd_inbox *inbox, const uint8_t **payload, size_t *size);

/* Call when no payload is in use any more: moves the rest to the front or gives memory back. */
void steerd_inbox_compact(struct steerd_inbox *inbox);

/*
 * Frames on their way to the server. Zeroed is empty; grows up to bytes_max and not beyond.
 */
struct steerd_outbox {
    uint8_t *bytes; /* owned; NULL while empty */
    size_t capacity;
    size_t begin;
    size_t end;
    size_t bytes_max; /* frames and their lengths together */
};

#define STEERD_FRAME_HEADER_SIZE 5 /* the longest length varint */

void steerd_outbox_deinit(struct steerd_outbox *outbox);

/*
 * Room for one more frame of exactly `size` bytes, its length already written; the caller fills it at once.
 * NULL when bytes_max would be passed or there is no memory; then nothing is added.
 */
uint8_t *steerd_outbox_add(struct steerd_outbox *outbox, size_t size);

static inline bool steerd_outbox_is_empty(const struct steerd_outbox *outbox)
{
    return outbox->begin == outbox->end;
}

/* `size` bytes from the front have been sent. An empty outbox gives its memory back. */
void steerd_outbox_consume(struct steerd_outbox *outbox, size_t size);
