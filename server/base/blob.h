#pragma once

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
    struct blob *next; /* the pool's free list */
};

/* Hands out blobs of power-of-two capacities and keeps those that come back. Any thread may take or return.
 */
struct blob_pool;

/* bytes_max  what all blobs together may hold, in use and kept. NULL when there is no memory. */
struct blob_pool *blob_pool_create(size_t bytes_max);

/* Every blob must have come back. */
void blob_pool_destroy(struct blob_pool *pool);

/* A blob with size 0, at least `capacity` bytes and one reference; NULL when bytes_max would be passed. */
struct blob *blob_pool_take(struct blob_pool *pool, size_t capacity);

/* Bytes of all blobs, in use and kept. */
size_t blob_pool_bytes(struct blob_pool *pool);

/* One more user. Loop thread only. Returns the blob. */
struct blob *blob_retain(struct blob *blob);

/* One user less; the last one gives it back. Accepts NULL. */
void blob_release(struct blob *blob);
