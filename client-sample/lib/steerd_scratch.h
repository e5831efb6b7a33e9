#pragma once

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>

/*
 * Memory for one decoded message at a time: protobuf-c takes from it piece by piece, nothing is freed
 * singly, and the next message starts over. Clients of one thread may share one, so that thousands
 * of connections need no more decoding memory than one does.
 */
struct steerd_scratch;

/* NULL when there is no memory. */
struct steerd_scratch *steerd_scratch_create(void);
void steerd_scratch_destroy(struct steerd_scratch *scratch);

/*
 * Starts over for a message of `size` encoded bytes. What was taken before is invalid. The message may take
 * at most STEERD_SCRATCH_FACTOR times its size (and some for small ones); a hostile one that wants more
 * fails to decode. Returns the allocator for protobuf_c_message_unpack.
 */
ProtobufCAllocator *steerd_scratch_begin(struct steerd_scratch *scratch, size_t size);

/* Decoded over encoded size. The worst of our messages, a list of empty AgentStates, takes 112 / 2 = 56. */
#define STEERD_SCRATCH_FACTOR 64
