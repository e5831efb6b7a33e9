#include "base/job_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"

#define COUNT_MAX   5000
#define THREADS_MAX 8

/* What a loop did: how often each index was visited, and who was at work. */
struct tally {
    unsigned char visits[COUNT_MAX]; /* written by whoever has the range: tsan sees two visitors */
    atomic_int busy[THREADS_MAX];
    uint32_t count;
    uint32_t grain;
    uint32_t threads;
    atomic_uint ranges;
    atomic_bool wrong;
};

static struct tally tally;

static void tally_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    struct tally *t = context;
    bool right = begin < end && end <= t->count && begin % t->grain == 0 && worker < t->threads &&
                 (end - begin == t->grain || end == t->count);
    if (!right || atomic_fetch_add(&t->busy[worker], 1) != 0) {
        atomic_store(&t->wrong, true);
        return;
    }
    for (uint32_t i = begin; i < end; i++) {
        t->visits[i]++;
    }
    atomic_fetch_add(&t->ranges, 1);
    atomic_fetch_sub(&t->busy[worker], 1);
}

static void tally_check(struct job_pool *pool, uint32_t count, uint32_t grain)
{
    memset(&tally, 0, sizeof tally);
    tally.count = count;
    tally.grain = grain;
    tally.threads = job_pool_threads(pool);
    job_pool_for(pool, count, grain, tally_range, &tally);
    ck_assert(!atomic_load(&tally.wrong));
    ck_assert_uint_eq(atomic_load(&tally.ranges), count / grain + (count % grain != 0));
    uint32_t right = 0;
    for (uint32_t i = 0; i < COUNT_MAX; i++) {
        right += tally.visits[i] == (i < count);
    }
    ck_assert_uint_eq(right, COUNT_MAX);
}

START_TEST(test_each_range_is_run_exactly_once)
{
    static const uint32_t counts[] = {0, 1, 2, 7, 64, 65, 1000, COUNT_MAX};
    static const uint32_t grains[] = {1, 2, 3, 64, 999, 1000, COUNT_MAX, UINT32_MAX};
    struct job_pool *pool = job_pool_create((uint32_t)_i);
    ck_assert_ptr_nonnull(pool);
    ck_assert_uint_eq(job_pool_threads(pool), (uint32_t)_i);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (size_t k = 0; k < sizeof grains / sizeof grains[0]; k++) {
            tally_check(pool, counts[i], grains[k]);
        }
    }
    job_pool_destroy(pool);
}
END_TEST

START_TEST(test_many_short_loops_follow_each_other)
{
    struct job_pool *pool = job_pool_create(4);
    for (uint32_t i = 0; i < 500; i++) {
        tally_check(pool, i % 37, 1 + i % 5);
    }
    job_pool_destroy(pool);
}
END_TEST

static void add_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    atomic_fetch_add((atomic_uint_fast64_t *)context, (uint64_t)end - begin);
}

START_TEST(test_the_largest_counts_do_not_wrap)
{
    struct job_pool *pool = job_pool_create((uint32_t)_i);
    static const uint32_t grains[] = {UINT32_MAX - 1, UINT32_MAX, 0x80000001u, 0x10000000u};
    for (size_t i = 0; i < sizeof grains / sizeof grains[0]; i++) {
        atomic_uint_fast64_t sum = 0;
        job_pool_for(pool, UINT32_MAX, grains[i], add_range, &sum);
        ck_assert(atomic_load(&sum) == UINT32_MAX);
    }
    job_pool_destroy(pool);
}
END_TEST

START_TEST(test_thread_counts_outside_1_to_256_are_refused)
{
    ck_assert_ptr_null(job_pool_create(0));
    ck_assert_ptr_null(job_pool_create(257));
    job_pool_destroy(NULL);
}
END_TEST

/* A job as the server's tick is one: runs loops, then says that it is done. */
struct tick {
    struct job_pool *pool;
    pthread_mutex_t lock;
    pthread_cond_t done;
    int finished;
    uint64_t sum; /* plain: only the lock orders it */
};

static void tick_job(void *context)
{
    struct tick *tick = context;
    atomic_uint_fast64_t sum = 0;
    for (int i = 0; i < 5; i++) {
        job_pool_for(tick->pool, 1000, 10, add_range, &sum);
    }
    pthread_mutex_lock(&tick->lock);
    tick->sum += atomic_load(&sum);
    tick->finished++;
    pthread_cond_signal(&tick->done);
    pthread_mutex_unlock(&tick->lock);
}

START_TEST(test_submitted_jobs_run_once_each_and_may_run_loops)
{
    struct tick tick = {.pool = job_pool_create((uint32_t)_i),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .done = PTHREAD_COND_INITIALIZER};
    for (int i = 1; i <= 100; i++) {
        job_pool_submit(tick.pool, tick_job, &tick);
        pthread_mutex_lock(&tick.lock);
        while (tick.finished < i) {
            pthread_cond_wait(&tick.done, &tick.lock);
        }
        ck_assert_int_eq(tick.finished, i);
        pthread_mutex_unlock(&tick.lock);
    }
    ck_assert(tick.sum == 100u * 5u * 1000u);
    job_pool_destroy(tick.pool);
}
END_TEST

START_TEST(test_destroy_waits_for_the_submitted_job)
{
    for (int i = 0; i < 50; i++) {
        struct tick tick = {
            .pool = job_pool_create(3), .lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
        job_pool_submit(tick.pool, tick_job, &tick);
        job_pool_destroy(tick.pool);
        ck_assert_int_eq(tick.finished, 1);
        ck_assert(tick.sum == 5000);
    }
}
END_TEST

START_TEST(test_pools_come_and_go)
{
    for (uint32_t i = 0; i < 60; i++) {
        struct job_pool *pool = job_pool_create(1 + i % 6);
        ck_assert_ptr_nonnull(pool);
        if (i % 3 != 0) {
            tally_check(pool, 20, 1 + i % 4);
        }
        job_pool_destroy(pool);
    }
}
END_TEST

START_TEST(test_cores_are_those_that_this_process_may_use)
{
    cpu_set_t all;
    cpu_set_t one;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    ck_assert_uint_eq(job_pool_cores(), (uint32_t)CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; core++) {
        if (CPU_ISSET(core, &all)) {
            CPU_SET(core, &one);
        }
    }
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_uint_eq(job_pool_cores(), 1);
    ck_assert_int_eq(sched_setaffinity(0, sizeof all, &all), 0);
}
END_TEST

Suite *suite_base_job_pool(void)
{
    Suite *suite = suite_create("base_job_pool");
    TCase *loops = tcase_create("loops");
    tcase_set_timeout(loops, 60);
    tcase_add_loop_test(loops, test_each_range_is_run_exactly_once, 1, THREADS_MAX + 1);
    tcase_add_test(loops, test_many_short_loops_follow_each_other);
    tcase_add_loop_test(loops, test_the_largest_counts_do_not_wrap, 1, 4);
    suite_add_tcase(suite, loops);
    TCase *jobs = tcase_create("jobs");
    tcase_set_timeout(jobs, 60);
    tcase_add_loop_test(jobs, test_submitted_jobs_run_once_each_and_may_run_loops, 1, 5);
    suite_add_tcase(suite, jobs);
    TCase *life = tcase_create("life");
    tcase_set_timeout(life, 60);
    tcase_add_test(life, test_thread_counts_outside_1_to_256_are_refused);
    tcase_add_test(life, test_cores_are_those_that_this_process_may_use);
    tcase_add_test(life, test_destroy_waits_for_the_submitted_job);
    tcase_add_test(life, test_pools_come_and_go);
    suite_add_tcase(suite, life);
    return suite;
}
