/* Counted buffers of encoded bytes: from wire, through the tick, to the sockets, and back here. */
#include "base/blob.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/assert.h"

#define BLOB_CLASS_MIN 8  /* 256 bytes: most results and pongs fit */
#define BLOB_CLASS_MAX 26 /* 64 MiB: more than any frame */

struct blob_pool {
    pthread_mutex_t lock;
    size_t bytes_max;
    size_t bytes;                          /* of all blobs, in use and kept */
    size_t in_use;                         /* blobs that have not come back */
    struct blob *kept[BLOB_CLASS_MAX + 1]; /* by class: capacity is 2^class */
};

struct blob_pool *blob_pool_create(size_t bytes_max)
{
    struct blob_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    pool->bytes_max = bytes_max;
    pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

static void blob_free(struct blob *blob)
{
    blob->pool->bytes -= blob->capacity;
    free(blob);
}

/* Frees kept blobs, largest class first, until `needed` more bytes fit. False when they do not. */
static bool blob_pool_make_room(struct blob_pool *pool, size_t needed)
{
    for (int class = BLOB_CLASS_MAX; class >= BLOB_CLASS_MIN; class --) {
        while (pool->bytes + needed > pool->bytes_max && pool->kept[class] != NULL) {
            struct blob *blob = pool->kept[class];
            pool->kept[class] = blob->next;
            blob_free(blob);
        }
    }
    return pool->bytes + needed <= pool->bytes_max;
}

void blob_pool_destroy(struct blob_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    ASSERT(pool->in_use == 0);
    pool->bytes_max = 0;
    blob_pool_make_room(pool, 0);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static int blob_class(size_t capacity)
{
    int class = BLOB_CLASS_MIN;
    while (class <= BLOB_CLASS_MAX && ((size_t)1 << class) < capacity) {
        class ++;
    }
    return class;
}

static struct blob *blob_pool_take_locked(struct blob_pool *pool, int class)
{
    struct blob *blob = pool->kept[class];
    if (blob != NULL) {
        pool->kept[class] = blob->next;
        return blob;
    }
    size_t capacity = (size_t)1 << class;
    if (!blob_pool_make_room(pool, capacity)) {
        return NULL;
    }
    blob = malloc(sizeof *blob + capacity);
    if (blob != NULL) {
        *blob = (struct blob){.bytes = (uint8_t *)(blob + 1), .capacity = capacity, .pool = pool};
        pool->bytes += capacity;
    }
    return blob;
}

struct blob *blob_pool_take(struct blob_pool *pool, size_t capacity)
{
    int class = blob_class(capacity);
    if (class > BLOB_CLASS_MAX) {
        return NULL;
    }
    pthread_mutex_lock(&pool->lock);
    struct blob *blob = blob_pool_take_locked(pool, class);
    if (blob != NULL) {
        pool->in_use++;
        blob->size = 0;
        blob->references = 1;
        blob->next = NULL;
    }
    pthread_mutex_unlock(&pool->lock);
    return blob;
}

size_t blob_pool_bytes(struct blob_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    size_t bytes = pool->bytes;
    pthread_mutex_unlock(&pool->lock);
    return bytes;
}

struct blob *blob_retain(struct blob *blob)
{
    ASSERT(blob->references > 0);
    blob->references++;
    return blob;
}

void blob_release(struct blob *blob)
{
    if (blob == NULL) {
        return;
    }
    ASSERT(blob->references > 0);
    if (--blob->references > 0) {
        return;
    }
    struct blob_pool *pool = blob->pool;
    int class = blob_class(blob->capacity);
    pthread_mutex_lock(&pool->lock);
    pool->in_use--;
    blob->next = pool->kept[class];
    pool->kept[class] = blob;
    pthread_mutex_unlock(&pool->lock);
}
