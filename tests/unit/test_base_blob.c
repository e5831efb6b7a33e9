#include "base/blob.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/hash.h"
#include "suites.h"

START_TEST(test_a_taken_blob_is_empty_large_enough_and_used_once)
{
    struct blob_pool *pool = blob_pool_create(1 << 20);
    static const size_t capacities[] = {0, 1, 256, 257, 4096, 100000};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; i++) {
        struct blob *blob = blob_pool_take(pool, capacities[i]);
        ck_assert_ptr_nonnull(blob);
        ck_assert_uint_eq(blob->size, 0);
        ck_assert_uint_eq(blob->references, 1);
        ck_assert_uint_ge(blob->capacity, capacities[i]);
        memset(blob->bytes, 0xAA, blob->capacity);
        blob->size = capacities[i];
        blob_release(blob);
    }
    blob_release(NULL);
    blob_pool_destroy(pool);
    blob_pool_destroy(NULL);
}
END_TEST

START_TEST(test_the_last_user_gives_it_back_and_it_is_used_again)
{
    struct blob_pool *pool = blob_pool_create(1 << 20);
    struct blob *first = blob_pool_take(pool, 1000);
    first->size = 1000;
    ck_assert_ptr_eq(blob_retain(first), first);
    blob_release(first);
    struct blob *second = blob_pool_take(pool, 1000);
    ck_assert_ptr_ne(second, first);
    blob_release(first);
    ck_assert_ptr_eq(blob_pool_take(pool, 600), first);
    ck_assert_uint_eq(first->size, 0);
    ck_assert_uint_eq(blob_pool_bytes(pool), 2048);
    blob_release(first);
    blob_release(second);
    blob_pool_destroy(pool);
}
END_TEST

START_TEST(test_bytes_max_is_never_passed)
{
    struct blob_pool *pool = blob_pool_create(4096);
    struct blob *blobs[4];
    for (int i = 0; i < 4; i++) {
        blobs[i] = blob_pool_take(pool, 1024);
        ck_assert_ptr_nonnull(blobs[i]);
    }
    ck_assert_ptr_null(blob_pool_take(pool, 1));
    ck_assert_ptr_null(blob_pool_take(pool, SIZE_MAX));
    ck_assert_uint_eq(blob_pool_bytes(pool), 4096);
    blob_release(blobs[0]);
    blob_release(blobs[1]);
    /* Neighbours that came back make one larger. */
    struct blob *larger = blob_pool_take(pool, 2000);
    ck_assert_ptr_nonnull(larger);
    ck_assert_uint_eq(blob_pool_bytes(pool), 4096);
    ck_assert_ptr_null(blob_pool_take(pool, 1));
    blob_release(larger);
    blob_release(blobs[2]);
    blob_release(blobs[3]);
    blob_pool_destroy(pool);
}
END_TEST

/* Takes and gives back in an order of chance; each holds bytes of its own, so that overlaps are seen. */
START_TEST(test_blobs_never_overlap_and_all_room_comes_back)
{
    enum { SIZE = 300 * 1000, SLOTS = 64 };
    struct blob_pool *pool = blob_pool_create(SIZE);
    struct blob *blobs[SLOTS] = {NULL};
    size_t bytes = 0;
    for (uint32_t turn = 0; turn < 20000; turn++) {
        uint64_t random = hash_random(1, turn, 0, 0);
        uint32_t slot = random % SLOTS;
        struct blob **blob = &blobs[slot];
        if (*blob == NULL) {
            *blob = blob_pool_take(pool, (size_t)1 << (random >> 8) % 17);
            bytes += *blob != NULL ? (*blob)->capacity : 0;
            if (*blob != NULL) {
                memset((*blob)->bytes, (int)slot, (*blob)->capacity);
            }
        } else {
            const uint8_t *held = (*blob)->bytes;
            ck_assert_uint_eq(held[0], slot);
            ck_assert_int_eq(memcmp(held, held + 1, (*blob)->capacity - 1), 0); /* all bytes are alike */
            bytes -= (*blob)->capacity;
            blob_release(*blob);
            *blob = NULL;
        }
        ck_assert_uint_eq(blob_pool_bytes(pool), bytes);
        ck_assert_uint_le(bytes, SIZE);
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        blob_release(blobs[slot]);
    }
    struct blob *largest = blob_pool_take(pool, 1 << 18);
    ck_assert_msg(largest != NULL, "what came back is one piece again");
    blob_release(largest);
    blob_pool_destroy(pool);
}
END_TEST

START_TEST(test_memory_is_that_of_the_limit_and_what_describes_it)
{
    struct blob_pool *pool = blob_pool_create(1 << 20);
    ck_assert_uint_ge(blob_pool_memory_bytes(pool), 1 << 20);
    ck_assert_uint_le(blob_pool_memory_bytes(pool), (1 << 20) + (1 << 19));
    blob_pool_destroy(pool);
}
END_TEST

START_TEST(test_a_pool_with_blobs_out_is_not_destroyed)
{
    struct blob_pool *pool = blob_pool_create(4096);
    ck_assert_ptr_nonnull(blob_pool_take(pool, 1));
    blob_pool_destroy(pool);
}
END_TEST

#define THREADS 4

static void *take_and_release(void *argument)
{
    struct blob_pool *pool = argument;
    for (size_t i = 0; i < 2000; i++) {
        struct blob *blob = blob_pool_take(pool, i * 37 % 3000);
        if (blob != NULL) {
            memset(blob->bytes, (int)i, 64);
            blob_release(blob);
        }
    }
    return NULL;
}

START_TEST(test_any_thread_may_take_and_return)
{
    struct blob_pool *pool = blob_pool_create(10000);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, take_and_release, pool), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    ck_assert_uint_le(blob_pool_bytes(pool), 10000);
    blob_pool_destroy(pool);
}
END_TEST

Suite *suite_base_blob(void)
{
    Suite *suite = suite_create("base_blob");
    TCase *take = tcase_create("take");
    tcase_add_test(take, test_a_taken_blob_is_empty_large_enough_and_used_once);
    tcase_add_test(take, test_the_last_user_gives_it_back_and_it_is_used_again);
    tcase_add_test(take, test_bytes_max_is_never_passed);
    tcase_add_test(take, test_blobs_never_overlap_and_all_room_comes_back);
    tcase_add_test(take, test_memory_is_that_of_the_limit_and_what_describes_it);
    tcase_add_test_raise_signal(take, test_a_pool_with_blobs_out_is_not_destroyed, SIGABRT);
    suite_add_tcase(suite, take);
    TCase *threads = tcase_create("threads");
    tcase_add_test(threads, test_any_thread_may_take_and_return);
    suite_add_tcase(suite, threads);
    return suite;
}
