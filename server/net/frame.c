/*
 * The framing of TCP, byte by byte: what conn.c reads goes through here and comes out as whole frames for the
 * handlers. A length is judged before any byte of its body is kept, and blocks are taken as bytes arrive, not
 * as lengths announce them: a thousand peers that announce 64 KiB and send one byte hold a thousand blocks.
 */
#include "net/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#define FRAME_BLOCK_PAYLOAD (FRAME_BLOCK_BYTES - sizeof(struct frame_block *))

struct frame_block {
    struct frame_block *next;
    uint8_t bytes[FRAME_BLOCK_PAYLOAD];
};

_Static_assert(sizeof(struct frame_block) == FRAME_BLOCK_BYTES, "a block has no padding");

struct frame_pool {
    size_t frame_bytes_max;
    uint32_t block_count;
    uint32_t blocks_used;
    uint32_t shared_max; /* blocks beyond each reader's first */
    uint32_t shared_used;
    struct frame_block *blocks;
    struct frame_block *free;
    uint8_t *whole; /* frame_bytes_max bytes: where a frame of several blocks is put together */
};

struct frame_pool *frame_pool_create(const struct frame_pool_config *config)
{
    ASSERT(config->frame_bytes_max > 0 && config->frame_bytes_max <= UINT32_MAX);
    struct frame_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    pool->frame_bytes_max = config->frame_bytes_max;
    pool->shared_max = (uint32_t)(config->shared_bytes_max / FRAME_BLOCK_BYTES);
    pool->block_count = config->readers_max + pool->shared_max;
    pool->blocks = calloc(pool->block_count, sizeof *pool->blocks);
    pool->whole = malloc(pool->frame_bytes_max);
    if (pool->blocks == NULL || pool->whole == NULL) {
        frame_pool_destroy(pool);
        return NULL;
    }
    for (uint32_t i = 0; i < pool->block_count; i++) {
        pool->blocks[i].next = pool->free;
        pool->free = &pool->blocks[i];
    }
    return pool;
}

void frame_pool_destroy(struct frame_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    ASSERT(pool->blocks_used == 0);
    free(pool->blocks);
    free(pool->whole);
    free(pool);
}

size_t frame_pool_memory_bytes(const struct frame_pool *pool)
{
    return sizeof *pool + (size_t)pool->block_count * sizeof *pool->blocks + pool->frame_bytes_max;
}

uint32_t frame_pool_blocks_used(const struct frame_pool *pool)
{
    return pool->blocks_used;
}

/* One more block at the reader's end. Its first is always there; false when the shared ones are all taken. */
static bool frame_reader_grow(struct frame_reader *reader, struct frame_pool *pool)
{
    bool shared = reader->blocks > 0;
    if (shared && pool->shared_used == pool->shared_max) {
        return false;
    }
    struct frame_block *block = pool->free;
    ASSERT(block != NULL); /* more readers than readers_max */
    pool->free = block->next;
    pool->blocks_used++;
    pool->shared_used += shared;
    block->next = NULL;
    if (reader->last == NULL) {
        reader->first = block;
    } else {
        reader->last->next = block;
    }
    reader->last = block;
    reader->blocks++;
    return true;
}

void frame_reader_reset(struct frame_reader *reader, struct frame_pool *pool)
{
    if (reader->blocks > 0) {
        reader->last->next = pool->free;
        pool->free = reader->first;
        pool->blocks_used -= reader->blocks;
        pool->shared_used -= reader->blocks - 1;
    }
    *reader = (struct frame_reader){0};
}

bool frame_reader_is_between(const struct frame_reader *reader)
{
    return reader->length_bytes == 0;
}

/* Takes bytes of the length until it is whole (in_body), the input is used up, or it is too long. */
static enum frame_result frame_reader_take_length(struct frame_reader *reader, const struct frame_pool *pool,
                                                  struct frame_span *input)
{
    while (input->size > 0) {
        uint8_t byte = input->bytes[0];
        input->bytes++;
        input->size--;
        reader->length |= (uint64_t)(byte & 0x7f) << (7 * reader->length_bytes);
        reader->length_bytes++;
        bool more = (byte & 0x80) != 0;
        if ((more && reader->length_bytes == FRAME_LENGTH_BYTES_MAX) ||
            reader->length > pool->frame_bytes_max) {
            return FRAME_TOO_LONG;
        }
        if (!more) {
            reader->in_body = true;
            return FRAME_PARTIAL;
        }
    }
    return FRAME_PARTIAL;
}

/* Keeps up to `wanted` bytes of the input in blocks. False: no room. */
static bool frame_reader_keep(struct frame_reader *reader, struct frame_pool *pool, struct frame_span *input,
                              size_t wanted)
{
    size_t left = wanted < input->size ? wanted : input->size;
    while (left > 0) {
        size_t at = reader->have % FRAME_BLOCK_PAYLOAD;
        if (at == 0 && !frame_reader_grow(reader, pool)) {
            return false;
        }
        size_t room = FRAME_BLOCK_PAYLOAD - at;
        size_t size = left < room ? left : room;
        memcpy(reader->last->bytes + at, input->bytes, size);
        input->bytes += size;
        input->size -= size;
        reader->have += size;
        left -= size;
    }
    return true;
}

/* The whole body out of its blocks. */
static struct frame_span frame_reader_gather(const struct frame_reader *reader, struct frame_pool *pool)
{
    ASSERT(reader->have == reader->length);
    ASSERT(reader->have <= pool->frame_bytes_max);
    size_t at = 0;
    for (const struct frame_block *block = reader->first; block != NULL; block = block->next) {
        size_t left = reader->have - at;
        size_t size = left < FRAME_BLOCK_PAYLOAD ? left : FRAME_BLOCK_PAYLOAD;
        memcpy(pool->whole + at, block->bytes, size);
        at += size;
    }
    ASSERT(at == reader->have);
    return (struct frame_span){pool->whole, at};
}

enum frame_result frame_reader_next(struct frame_reader *reader, struct frame_pool *pool,
                                    struct frame_span *input, struct frame_span *frame_out)
{
    if (!reader->in_body) {
        enum frame_result result = frame_reader_take_length(reader, pool, input);
        if (result != FRAME_PARTIAL || !reader->in_body) {
            return result;
        }
    }
    size_t wanted = (size_t)reader->length - reader->have;
    if (reader->have == 0 && input->size >= wanted) {
        *frame_out = (struct frame_span){input->bytes, wanted};
        input->bytes += wanted;
        input->size -= wanted;
        frame_reader_reset(reader, pool);
        return FRAME_WHOLE;
    }
    if (!frame_reader_keep(reader, pool, input, wanted)) {
        return FRAME_NO_ROOM;
    }
    if (reader->have < reader->length) {
        return FRAME_PARTIAL;
    }
    *frame_out = frame_reader_gather(reader, pool);
    frame_reader_reset(reader, pool);
    return FRAME_WHOLE;
}

uint32_t frame_write_length(uint8_t out[FRAME_LENGTH_BYTES_MAX], uint32_t length)
{
    uint32_t count = 0;
    while (length >= 0x80) {
        out[count++] = (uint8_t)(length | 0x80);
        length >>= 7;
    }
    out[count++] = (uint8_t)length;
    return count;
}
