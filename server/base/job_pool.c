/*
 * Threads that share loops. A loop is published under the lock; ranges are claimed by an atomic counter, so
 * which thread runs which range is chance, and nothing may depend on it.
 */
#include "base/job_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/assert.h"

struct job_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake;     /* helpers wait for a loop */
    pthread_cond_t job_wake; /* the job thread waits for a job */
    pthread_cond_t finished; /* the caller of a loop waits for the last helper; destroy for the job */
    bool stopping;

    /* The loop that runs now. */
    job_range_fn fn;
    void *context;
    uint32_t count;
    uint32_t grain;
    uint64_t loop_number;     /* grows by one a loop: how a helper knows a new one */
    uint32_t helpers_running; /* helpers that have not left the loop yet */
    atomic_uint_fast64_t
        next_range; /* 64 bits: each thread counts one past the end, which must not wrap to 0 */

    /* The job that runs now, or is about to. */
    void (*job)(void *context);
    void *job_context;

    uint32_t threads;
    uint32_t helpers_started;
    uint32_t next_worker; /* the number the next helper to start takes */
    bool job_thread_started;
    pthread_t job_thread;
    pthread_t helpers[JOB_POOL_THREADS_MAX];
};

uint32_t job_pool_cores(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) {
        return 1; /* more of them than fit the set: whoever has so many says how many to use */
    }
    int count = CPU_COUNT(&cores);
    return count < 1 ? 1 : count > JOB_POOL_THREADS_MAX ? JOB_POOL_THREADS_MAX : (uint32_t)count;
}

/* Runs ranges until none is left. */
static void job_pool_work(struct job_pool *pool, uint32_t worker)
{
    const uint32_t grain = pool->grain;
    const uint32_t ranges = pool->count / grain + (pool->count % grain != 0);
    for (;;) {
        uint64_t range = atomic_fetch_add_explicit(&pool->next_range, 1, memory_order_relaxed);
        if (range >= ranges) {
            return;
        }
        uint32_t begin = (uint32_t)range * grain;
        uint32_t end = pool->count - begin < grain ? pool->count : begin + grain;
        pool->fn(pool->context, begin, end, worker);
    }
}

static void *job_pool_helper(void *argument)
{
    struct job_pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    uint32_t worker = pool->next_worker++;
    uint64_t seen = 0;
    for (;;) {
        while (!pool->stopping && pool->loop_number == seen) {
            pthread_cond_wait(&pool->wake, &pool->lock);
        }
        if (pool->loop_number == seen) {
            break; /* stopping, and no loop waits for this helper */
        }
        seen = pool->loop_number;
        pthread_mutex_unlock(&pool->lock);
        job_pool_work(pool, worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->helpers_running == 0) {
            pthread_cond_broadcast(&pool->finished);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void *job_pool_job_thread(void *argument)
{
    struct job_pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->stopping && pool->job == NULL) {
            pthread_cond_wait(&pool->job_wake, &pool->lock);
        }
        if (pool->job == NULL) {
            break;
        }
        void (*job)(void *) = pool->job;
        void *context = pool->job_context;
        pool->job = NULL;
        pthread_mutex_unlock(&pool->lock);
        job(context);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct job_pool *job_pool_create(uint32_t threads)
{
    if (threads < 1 || threads > JOB_POOL_THREADS_MAX) {
        return NULL;
    }
    struct job_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    pool->threads = threads;
    pool->next_worker = 1; /* 0 is whoever calls job_pool_for */
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->job_wake, NULL);
    pthread_cond_init(&pool->finished, NULL);
    for (; pool->helpers_started < threads - 1; pool->helpers_started++) {
        if (pthread_create(&pool->helpers[pool->helpers_started], NULL, job_pool_helper, pool) != 0) {
            job_pool_destroy(pool);
            return NULL;
        }
    }
    /* Before the first job, so that to submit one cannot fail. */
    pool->job_thread_started = pthread_create(&pool->job_thread, NULL, job_pool_job_thread, pool) == 0;
    if (!pool->job_thread_started) {
        job_pool_destroy(pool);
        return NULL;
    }
    return pool;
}

void job_pool_destroy(struct job_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_cond_broadcast(&pool->job_wake);
    pthread_mutex_unlock(&pool->lock);
    /* The job thread first: its last job may still run loops, which from now on it runs alone. */
    if (pool->job_thread_started) {
        pthread_join(pool->job_thread, NULL);
    }
    for (uint32_t i = 0; i < pool->helpers_started; i++) {
        pthread_join(pool->helpers[i], NULL);
    }
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->job_wake);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

uint32_t job_pool_threads(const struct job_pool *pool)
{
    return pool->threads;
}

void job_pool_for(struct job_pool *pool, uint32_t count, uint32_t grain, job_range_fn fn, void *context)
{
    ASSERT(grain > 0);
    if (count == 0) {
        return;
    }
    if (pool->threads == 1 || count <= grain) {
        for (uint32_t begin = 0; begin < count; begin += grain) {
            fn(context, begin, count - begin < grain ? count : begin + grain, 0);
            if (count - begin <= grain) {
                break; /* begin + grain could pass 2^32 */
            }
        }
        return;
    }
    pthread_mutex_lock(&pool->lock);
    ASSERT(pool->helpers_running == 0);
    pool->fn = fn;
    pool->context = context;
    pool->count = count;
    pool->grain = grain;
    atomic_store_explicit(&pool->next_range, 0, memory_order_relaxed);
    if (!pool->stopping) {
        pool->helpers_running = pool->threads - 1;
        pool->loop_number++;
        pthread_cond_broadcast(&pool->wake);
    }
    pthread_mutex_unlock(&pool->lock);

    job_pool_work(pool, 0);

    pthread_mutex_lock(&pool->lock);
    while (pool->helpers_running > 0) {
        pthread_cond_wait(&pool->finished, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

void job_pool_submit(struct job_pool *pool, void (*fn)(void *context), void *context)
{
    pthread_mutex_lock(&pool->lock);
    ASSERT(pool->job == NULL);
    ASSERT(!pool->stopping);
    pool->job = fn;
    pool->job_context = context;
    pthread_cond_signal(&pool->job_wake);
    pthread_mutex_unlock(&pool->lock);
}
