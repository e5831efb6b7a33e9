#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * A fixed set of threads that share loops. Thread count never changes what a loop computes: ranges
 * are cut by `grain` alone, each range is run exactly once, by anyone, in any order.
 */
struct job_pool;

/*
 * One range of a loop: [begin, end) of the count given to job_pool_for. `worker` is in
 * [0, job_pool_threads) and unique among the ranges that run at one moment: an index into per-worker
 * scratch memory.
 */
typedef void (*job_range_fn)(void *context, uint32_t begin, uint32_t end, uint32_t worker);

#define JOB_POOL_THREADS_MAX 256

/* Cores that this process may use, 1 to JOB_POOL_THREADS_MAX: how many threads to take when nobody says. */
uint32_t job_pool_cores(void);

/* threads  1 to 256, the caller of job_pool_for counting as one. NULL when threads or memory cannot be had.
 */
struct job_pool *job_pool_create(uint32_t threads);

/* Waits for a submitted job, ends the threads. */
void job_pool_destroy(struct job_pool *pool);

uint32_t job_pool_threads(const struct job_pool *pool);

/*
 * Runs fn over [0, count) in ranges of `grain` (the last may be shorter), on all threads, and returns
 * when all are done. Ranges begin at multiples of grain. May be called from any one thread at a time, also
 * from inside a submitted job; not from inside a range. Nothing is allocated.
 */
void job_pool_for(struct job_pool *pool, uint32_t count, uint32_t grain, job_range_fn fn, void *context);

/*
 * Runs fn(context) once on a thread of the pool and returns at once. One job at a time: the next may be
 * submitted when the one before has called whatever `fn` calls last. The job thread is worker 0 of the loops
 * the job runs, so a pool of one thread has one thread that works, beside the caller that does not. Never
 * fails.
 */
void job_pool_submit(struct job_pool *pool, void (*fn)(void *context), void *context);
