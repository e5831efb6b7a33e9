/* Memory handed out front to back: how a message is decoded without a malloc, then all of it is forgotten at
 * once. */
#include "base/arena.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/assert.h"

bool arena_init(struct arena *arena, size_t size)
{
    ASSERT(size > 0);
    *arena = (struct arena){.bytes = malloc(size), .size = size};
    if (arena->bytes == NULL) {
        arena->size = 0;
        return false;
    }
    return true;
}

void arena_deinit(struct arena *arena)
{
    free(arena->bytes);
    *arena = (struct arena){0};
}

void *arena_take(struct arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    size_t start = (arena->used + align - 1) / align * align;
    if (arena->bytes == NULL || start > arena->size || size > arena->size - start) {
        return NULL;
    }
    arena->used = start + size;
    if (arena->used > arena->used_peak) {
        arena->used_peak = arena->used;
    }
    return arena->bytes + start;
}

size_t arena_mark(const struct arena *arena)
{
    return arena->used;
}

void arena_reset_to(struct arena *arena, size_t mark)
{
    ASSERT(mark <= arena->used);
    arena->used = mark;
}
