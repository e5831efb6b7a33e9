#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

#include "base/blob.h"

/*
 * A ServerMessage that is filled entry by entry until it is full: first what goes into its lists, then, when
 * that is known, its single fields, which are put in front.
 */
struct piece {
    struct blob *blob; /* NULL when the pool was full */
    uint8_t *begin;    /* of the entries */
    uint8_t *at;
    uint8_t *end;
};

#define PIECE_BYTES         ((size_t)16 << 10) /* pieces that are made as a socket drains */
#define PIECE_HEAD_SIZE_MAX 48                 /* tag, length, and the single fields that are put in front */

/* A message of `size` bytes at most. False when the pool is full. */
bool piece_start(struct piece *piece, struct blob_pool *pool, size_t size);

/* Where `size` bytes of a next entry go, now part of the piece; NULL when they do not fit. */
uint8_t *piece_take(struct piece *piece, size_t size);

/* Appends an entry of a repeated or single message field, number 1 to 15. False when it does not fit. */
bool piece_add(struct piece *piece, uint32_t number, const ProtobufCMessage *message);

/*
 * The whole ServerMessage with this body; the piece's blob is now the caller's.
 * head  fields that go before the entries, head_size bytes
 */
struct blob *piece_finish(struct piece *piece, uint32_t body_number, const uint8_t *head, size_t head_size);
