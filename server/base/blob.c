/*
 * Counted buffers of encoded bytes: from wire, through the tick, to the sockets, and back here. All memory is
 * taken when the pool is made and cut up by halves as it is needed (Knuth, The Art of Computer Programming,
 * volume 1, section 2.5, "the buddy system"), so nothing is taken from the heap within a tick.
 */
#include "base/blob.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/assert.h"

#define BLOB_CLASS_MIN 8  /* 256 bytes: most results and pongs fit */
#define BLOB_CLASS_MAX 26 /* 64 MiB: more than any frame */

struct blob_pool {
    pthread_mutex_t lock;
    uint8_t *memory;
    size_t size;         /* of memory: whole smallest blocks */
    struct blob *blocks; /* one for each smallest block; in use is that of a block's beginning */
    size_t bytes;        /* of blobs in use */
    size_t in_use;       /* blobs that have not come back */
    struct blob *unused[BLOB_CLASS_MAX + 1]; /* by class: capacity is 2^class */
};

/* Smallest class that holds so many bytes; more than BLOB_CLASS_MAX when none does. */
static int blob_class(size_t capacity)
{
    int class = BLOB_CLASS_MIN;
    while (class <= BLOB_CLASS_MAX && ((size_t)1 << class) < capacity) {
        class ++;
    }
    return class;
}

static size_t blob_offset(const struct blob *blob)
{
    return (size_t)(blob->bytes - blob->pool->memory);
}

/* The block that begins at `offset`, from now on of that class. */
static struct blob *blob_pool_block(struct blob_pool *pool, size_t offset, int class)
{
    struct blob *blob = &pool->blocks[offset >> BLOB_CLASS_MIN];
    blob->bytes = pool->memory + offset;
    blob->capacity = (size_t)1 << class;
    blob->pool = pool;
    return blob;
}

static void blob_pool_put(struct blob_pool *pool, struct blob *blob)
{
    struct blob **list = &pool->unused[blob_class(blob->capacity)];
    blob->is_unused = true;
    blob->previous = NULL;
    blob->next = *list;
    if (blob->next != NULL) {
        blob->next->previous = blob;
    }
    *list = blob;
}

static void blob_pool_pull(struct blob_pool *pool, struct blob *blob)
{
    if (blob->previous != NULL) {
        blob->previous->next = blob->next;
    } else {
        pool->unused[blob_class(blob->capacity)] = blob->next;
    }
    if (blob->next != NULL) {
        blob->next->previous = blob->previous;
    }
    blob->is_unused = false;
}

/* All of the memory as blocks, as large as their places allow. */
static void blob_pool_cut(struct blob_pool *pool)
{
    size_t offset = 0;
    while (offset < pool->size) {
        int class = BLOB_CLASS_MAX;
        while ((offset & (((size_t)1 << class) - 1)) != 0 || ((size_t)1 << class) > pool->size - offset) {
            class --;
        }
        blob_pool_put(pool, blob_pool_block(pool, offset, class));
        offset += (size_t)1 << class;
    }
}

struct blob_pool *blob_pool_create(size_t bytes_max)
{
    struct blob_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    size_t count = bytes_max >> BLOB_CLASS_MIN;
    pool->size = count << BLOB_CLASS_MIN;
    pool->memory = malloc(pool->size > 0 ? pool->size : 1);
    pool->blocks = calloc(count > 0 ? count : 1, sizeof *pool->blocks);
    if (pool->memory == NULL || pool->blocks == NULL) {
        free(pool->memory);
        free(pool->blocks);
        free(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    blob_pool_cut(pool);
    return pool;
}

void blob_pool_destroy(struct blob_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    ASSERT(pool->in_use == 0);
    pthread_mutex_destroy(&pool->lock);
    free(pool->memory);
    free(pool->blocks);
    free(pool);
}

/* The smallest unused block of at least that class, cut down to it; NULL when there is none. */
static struct blob *blob_pool_take_locked(struct blob_pool *pool, int class)
{
    int found = class;
    while (found <= BLOB_CLASS_MAX && pool->unused[found] == NULL) {
        found++;
    }
    if (found > BLOB_CLASS_MAX) {
        return NULL;
    }
    struct blob *blob = pool->unused[found];
    blob_pool_pull(pool, blob);
    while (found > class) {
        found--;
        blob_pool_put(pool, blob_pool_block(pool, blob_offset(blob) + ((size_t)1 << found), found));
    }
    return blob_pool_block(pool, blob_offset(blob), class);
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
        pool->bytes += blob->capacity;
        pool->in_use++;
        blob->size = 0;
        blob->references = 1;
    }
    pthread_mutex_unlock(&pool->lock);
    return blob;
}

/* Joins a block with its other half as long as that is unused and whole. */
static void blob_pool_give_locked(struct blob_pool *pool, struct blob *blob)
{
    ASSERT(pool->bytes >= blob->capacity);
    pool->bytes -= blob->capacity;
    pool->in_use--;
    int class = blob_class(blob->capacity);
    for (; class < BLOB_CLASS_MAX; class ++) {
        size_t offset = blob_offset(blob);
        size_t other_offset = offset ^ ((size_t)1 << class);
        if (other_offset >= pool->size) {
            break;
        }
        struct blob *other = &pool->blocks[other_offset >> BLOB_CLASS_MIN];
        if (!other->is_unused || other->capacity != blob->capacity) {
            break;
        }
        blob_pool_pull(pool, other);
        blob = blob_pool_block(pool, offset < other_offset ? offset : other_offset, class + 1);
    }
    blob_pool_put(pool, blob);
}

size_t blob_pool_bytes(struct blob_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    size_t bytes = pool->bytes;
    pthread_mutex_unlock(&pool->lock);
    return bytes;
}

size_t blob_pool_memory_bytes(const struct blob_pool *pool)
{
    return sizeof *pool + pool->size + (pool->size >> BLOB_CLASS_MIN) * sizeof *pool->blocks;
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
    pthread_mutex_lock(&pool->lock);
    blob_pool_give_locked(pool, blob);
    pthread_mutex_unlock(&pool->lock);
}
