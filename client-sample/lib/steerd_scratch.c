/*
 * The allocator under protobuf-c's decoder: a chain of blocks that is filled front to back. Between the
 * frame (steerd_frame.c) and the decoded message (steerd_client.c).
 */
#include "steerd_scratch.h"

#include <stdalign.h>
#include <stdlib.h>

#include "base/assert.h"

#define STEERD_SCRATCH_BLOCK_BYTES 32768      /* a snapshot of some 150 agents decodes into one block */
#define STEERD_SCRATCH_KEEP_BYTES  (8u << 20) /* the last block is kept up to this size */

struct steerd_scratch_block {
    struct steerd_scratch_block *before;
    size_t size; /* bytes that follow this head */
    size_t used;
    max_align_t bytes[];
};

struct steerd_scratch {
    ProtobufCAllocator allocator;
    struct steerd_scratch_block *block; /* the one being filled; the full ones hang behind it */
    size_t budget;                      /* bytes this message may still take */
};

static void *steerd_scratch_alloc(void *data, size_t size)
{
    struct steerd_scratch *scratch = data;
    if (size > scratch->budget) {
        return NULL;
    }
    size_t taken = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct steerd_scratch_block *block = scratch->block;
    if (block == NULL || block->size - block->used < taken) {
        /* Each block twice the last, so that a large message settles in one block after a few of its kind. */
        size_t block_size = block == NULL ? STEERD_SCRATCH_BLOCK_BYTES : block->size * 2;
        block_size = block_size < taken ? taken : block_size;
        struct steerd_scratch_block *fresh = malloc(sizeof *fresh + block_size);
        if (fresh == NULL) {
            return NULL;
        }
        *fresh = (struct steerd_scratch_block){.before = block, .size = block_size};
        scratch->block = fresh;
        block = fresh;
    }
    void *bytes = (unsigned char *)block->bytes + block->used;
    block->used += taken;
    scratch->budget -= size;
    return bytes;
}

static void steerd_scratch_free(void *data, void *pointer)
{
    (void)data;
    (void)pointer;
}

struct steerd_scratch *steerd_scratch_create(void)
{
    struct steerd_scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch != NULL) {
        scratch->allocator = (ProtobufCAllocator){steerd_scratch_alloc, steerd_scratch_free, scratch};
    }
    return scratch;
}

static void steerd_scratch_free_chain(struct steerd_scratch_block *block)
{
    while (block != NULL) {
        struct steerd_scratch_block *before = block->before;
        free(block);
        block = before;
    }
}

void steerd_scratch_destroy(struct steerd_scratch *scratch)
{
    if (scratch != NULL) {
        steerd_scratch_free_chain(scratch->block);
        free(scratch);
    }
}

ProtobufCAllocator *steerd_scratch_begin(struct steerd_scratch *scratch, size_t size)
{
    struct steerd_scratch_block *block = scratch->block;
    if (block != NULL && block->size > STEERD_SCRATCH_KEEP_BYTES) {
        steerd_scratch_free_chain(block);
        scratch->block = NULL;
    } else if (block != NULL) {
        steerd_scratch_free_chain(block->before);
        block->before = NULL;
        block->used = 0;
    }
    scratch->budget = size * STEERD_SCRATCH_FACTOR + STEERD_SCRATCH_BLOCK_BYTES;
    return &scratch->allocator;
}
