#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Frames out of a stream of bytes: an unsigned varint length, then that many bytes. No sockets and no clock
 * in here. A frame that comes in one piece is handed on where it lies; one that comes in several is kept in
 * blocks of a bounded pool until it is whole.
 */

#define FRAME_LENGTH_BYTES_MAX 5 /* of the varint; more is refused, whatever its value */
#define FRAME_BLOCK_BYTES      1024

/* Blocks for frames that are not whole yet, and the place where they are put together. */
struct frame_pool;

struct frame_pool_config {
    uint32_t readers_max;    /* each is sure of one block */
    size_t frame_bytes_max;  /* a longer frame is FRAME_TOO_LONG */
    size_t shared_bytes_max; /* blocks beyond the first, all readers together */
};

/* Takes all its memory. NULL when there is none. */
struct frame_pool *frame_pool_create(const struct frame_pool_config *config);

/* Every reader must have been reset. Accepts NULL. */
void frame_pool_destroy(struct frame_pool *pool);
size_t frame_pool_memory_bytes(const struct frame_pool *pool);

/* Blocks that readers hold now. */
uint32_t frame_pool_blocks_used(const struct frame_pool *pool);

struct frame_block;

/* How far one connection's stream has been read. Zeroed: at the beginning of a frame. */
struct frame_reader {
    uint64_t length; /* so far, or whole when in_body */
    uint32_t length_bytes;
    bool in_body;
    size_t have; /* bytes of the body that lie in blocks */
    struct frame_block *first;
    struct frame_block *last;
    uint32_t blocks;
};

/* Bytes that have not been read yet; frame_reader_next moves it forward. */
struct frame_span {
    const uint8_t *bytes;
    size_t size;
};

enum frame_result {
    FRAME_PARTIAL,  /* the input is used up */
    FRAME_WHOLE,    /* *frame_out is a frame, borrowed until the next call and as long as the input */
    FRAME_TOO_LONG, /* over frame_bytes_max, or a length of more than 5 bytes; nothing of the body was kept */
    FRAME_NO_ROOM,  /* the pool's shared blocks are all taken */
};

/*
 * Reads on in *input, to the end of the next frame at most. A length need not be in its shortest form. After
 * FRAME_TOO_LONG and FRAME_NO_ROOM the stream cannot be read any further: frame_reader_reset.
 */
enum frame_result frame_reader_next(struct frame_reader *reader, struct frame_pool *pool,
                                    struct frame_span *input, struct frame_span *frame_out);

/* True between two frames. */
bool frame_reader_is_between(const struct frame_reader *reader);

/* Gives back its blocks; the next byte begins a frame. */
void frame_reader_reset(struct frame_reader *reader, struct frame_pool *pool);

/* The length in its shortest form. Returns how many bytes it took. */
uint32_t frame_write_length(uint8_t out[FRAME_LENGTH_BYTES_MAX], uint32_t length);
