/*
 * The framing of net/frame.c under any bytes: read at once and read in pieces (of a size that the first byte
 * says), a stream must give the same frames and the same end, and every block must come back.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/hash.h"
#include "fuzz.h"
#include "net/frame.h"

#define FUZZ_FRAME_BYTES_MAX 4096

struct fuzz_outcome {
    uint64_t frames;
    uint64_t digest;
    enum frame_result last;
};

static struct fuzz_outcome fuzz_read(struct frame_pool *pool, const uint8_t *bytes, size_t size, size_t step)
{
    struct fuzz_outcome outcome = {0};
    struct frame_reader reader = {0};
    outcome.last = FRAME_PARTIAL;
    for (size_t at = 0; at < size && outcome.last == FRAME_PARTIAL; at += step) {
        struct frame_span input = {bytes + at, size - at < step ? size - at : step};
        struct frame_span frame;
        while ((outcome.last = frame_reader_next(&reader, pool, &input, &frame)) == FRAME_WHOLE) {
            ASSERT(frame.size <= FUZZ_FRAME_BYTES_MAX);
            outcome.frames++;
            outcome.digest = outcome.digest * 31 + hash_bytes(frame.bytes, frame.size);
        }
    }
    frame_reader_reset(&reader, pool);
    ASSERT(frame_pool_blocks_used(pool) == 0);
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct frame_pool *pool;
    if (pool == NULL) {
        pool = frame_pool_create(&(struct frame_pool_config){.readers_max = 1,
                                                             .frame_bytes_max = FUZZ_FRAME_BYTES_MAX,
                                                             .shared_bytes_max = 2 * FUZZ_FRAME_BYTES_MAX});
        ASSERT(pool != NULL);
    }
    if (size == 0) {
        return 0;
    }
    size_t step = (size_t)bytes[0] + 1;
    struct fuzz_outcome at_once = fuzz_read(pool, bytes + 1, size - 1, size);
    struct fuzz_outcome in_pieces = fuzz_read(pool, bytes + 1, size - 1, step);
    ASSERT(at_once.frames == in_pieces.frames);
    ASSERT(at_once.digest == in_pieces.digest);
    ASSERT(at_once.last == in_pieces.last);
    return 0;
}
