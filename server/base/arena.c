/* Memory handed out front to back. */
#include "base/arena.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/assert.h"

_Bool arena_init(struct arena *arena, size_t size)
{
    *arena = (struct arena){.bytes = malloc(size), .size = size};
    if (arena->bytes == NULL) {
        arena->size = 0;
        return 0;
    }
    return 1;
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
    if (start > arena->size || size > arena->size - start) {
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
