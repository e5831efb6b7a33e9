#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Memory handed out front to back and taken back all at once. It never grows: full is an answer.
 */
struct arena {
    unsigned char *bytes; /* owned by whoever set it up; NULL in a zeroed arena, which is full */
    size_t size;
    size_t used;
    size_t used_peak;
};

/* Takes storage of `size` > 0 bytes from the heap. False when there is none; then the arena is a full one. */
bool arena_init(struct arena *arena, size_t size);

/* Gives the storage back. Accepts a zeroed arena. */
void arena_deinit(struct arena *arena);

/* `size` bytes aligned for any type, not cleared; NULL when they do not fit. */
void *arena_take(struct arena *arena, size_t size);

/* The fill level, to roll back to with arena_reset_to: all taken since is free again. */
size_t arena_mark(const struct arena *arena);
void arena_reset_to(struct arena *arena, size_t mark);
