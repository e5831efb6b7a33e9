#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Encoded bytes that many connections send: written once, then immutable and counted. Wire fills
 * them (on pool threads), net sends them (on the loop thread); the last user hands them back to their pool.
 */
struct blob {
    uint8_t *bytes; /* capacity bytes, owned by the pool */
    size_t size;    /* bytes that are filled */
    size_t capacity;
    uint32_t references; /* changed on the loop thread only, after blob_pool_take gave it 1 */
    struct blob_pool *pool;
    /* The pool's own, under its lock. */
    bool is_unused;
    struct blob *next;
    struct blob *previous;
};

/* Hands out blobs of power-of-two capacities from memory of its own. Any thread may take or return. */
struct blob_pool;

/*
 * bytes_max  what all blobs together may hold. It is reserved here; the system gives pages as they are used
 *
 * NULL when there is no memory.
 */
struct blob_pool *blob_pool_create(size_t bytes_max);

/* Every blob must have come back. */
void blob_pool_destroy(struct blob_pool *pool);

/* A blob with size 0, at least `capacity` bytes and one reference; NULL when there is no room. */
struct blob *blob_pool_take(struct blob_pool *pool, size_t capacity);

/* Capacity of all blobs in use. */
size_t blob_pool_bytes(struct blob_pool *pool);

/* Reserved by blob_pool_create. */
size_t blob_pool_memory_bytes(const struct blob_pool *pool);

/* One more user. Loop thread only. Returns the blob. */
struct blob *blob_retain(struct blob *blob);

/* One user less; the last one gives it back. Accepts NULL. */
void blob_release(struct blob *blob);
