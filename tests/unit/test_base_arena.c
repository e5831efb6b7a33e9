#include "base/arena.h"

#include <signal.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "suites.h"

START_TEST(test_pieces_are_aligned_and_do_not_overlap)
{
    struct arena arena;
    ck_assert(arena_init(&arena, 4096));
    unsigned char *last_end = NULL;
    for (size_t size = 0; size < 60; size++) {
        unsigned char *piece = arena_take(&arena, size);
        ck_assert_ptr_nonnull(piece);
        ck_assert_uint_eq((uintptr_t)piece % alignof(max_align_t), 0);
        ck_assert(last_end == NULL || piece >= last_end);
        memset(piece, 0xAA, size);
        last_end = piece + size;
    }
    arena_deinit(&arena);
}
END_TEST

START_TEST(test_full_is_an_answer_and_changes_nothing)
{
    struct arena arena;
    ck_assert(arena_init(&arena, 64));
    ck_assert_ptr_nonnull(arena_take(&arena, 33));
    size_t used = arena.used;
    ck_assert_ptr_null(arena_take(&arena, 17));
    ck_assert_ptr_null(arena_take(&arena, SIZE_MAX));
    ck_assert_uint_eq(arena.used, used);
    ck_assert_ptr_nonnull(arena_take(&arena, 16));
    ck_assert_ptr_null(arena_take(&arena, 1));
    arena_deinit(&arena);
}
END_TEST

START_TEST(test_reset_gives_back_what_was_taken_since_the_mark)
{
    struct arena arena;
    ck_assert(arena_init(&arena, 1024));
    void *kept = arena_take(&arena, 100);
    size_t mark = arena_mark(&arena);
    void *lost = arena_take(&arena, 800);
    ck_assert_ptr_nonnull(lost);
    arena_reset_to(&arena, mark);
    ck_assert_ptr_eq(arena_take(&arena, 10), lost);
    ck_assert_ptr_ne(kept, lost);
    ck_assert_uint_ge(arena.used_peak, 900);
    arena_reset_to(&arena, 0);
    ck_assert_ptr_eq(arena_take(&arena, 1), kept);
    arena_deinit(&arena);
}
END_TEST

START_TEST(test_a_zeroed_arena_is_full_and_may_be_ended)
{
    struct arena arena = {0};
    ck_assert_ptr_null(arena_take(&arena, 0));
    ck_assert_ptr_null(arena_take(&arena, 1));
    arena_deinit(&arena);
    arena_deinit(&arena);
}
END_TEST

START_TEST(test_a_mark_ahead_of_the_fill_level_is_our_bug)
{
    struct arena arena = {0};
    arena_reset_to(&arena, 1);
}
END_TEST

Suite *suite_base_arena(void)
{
    Suite *suite = suite_create("base_arena");
    TCase *take = tcase_create("take");
    tcase_add_test(take, test_pieces_are_aligned_and_do_not_overlap);
    tcase_add_test(take, test_full_is_an_answer_and_changes_nothing);
    tcase_add_test(take, test_reset_gives_back_what_was_taken_since_the_mark);
    tcase_add_test(take, test_a_zeroed_arena_is_full_and_may_be_ended);
    tcase_add_test_raise_signal(take, test_a_mark_ahead_of_the_fill_level_is_our_bug, SIGABRT);
    suite_add_tcase(suite, take);
    return suite;
}
