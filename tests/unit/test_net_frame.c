#include <stdlib.h>
#include <string.h>

#include "net/frame.h"
#include "suites.h"

#define FRAME_MAX 65536

static struct frame_pool *pool;

static void setup(void)
{
    pool = frame_pool_create(&(struct frame_pool_config){
        .readers_max = 8, .frame_bytes_max = FRAME_MAX, .shared_bytes_max = 128 * FRAME_BLOCK_BYTES});
    ck_assert_ptr_nonnull(pool);
}

static void teardown(void)
{
    frame_pool_destroy(pool);
}

/* Reads one frame out of `bytes`, given in pieces of `step`; returns the last result. */
static enum frame_result read_stepwise(struct frame_reader *reader, const uint8_t *bytes, size_t size,
                                       size_t step, struct frame_span *frame_out)
{
    enum frame_result result = FRAME_PARTIAL;
    for (size_t at = 0; at < size; at += step) {
        struct frame_span input = {bytes + at, size - at < step ? size - at : step};
        result = frame_reader_next(reader, pool, &input, frame_out);
        if (result != FRAME_PARTIAL) {
            ck_assert_uint_eq(input.size, 0);
            ck_assert_uint_eq(at + step >= size || result != FRAME_WHOLE, 1);
            return result;
        }
    }
    return result;
}

static enum frame_result read_at_once(const uint8_t *bytes, size_t size)
{
    struct frame_reader reader = {0};
    struct frame_span input = {bytes, size};
    struct frame_span frame;
    enum frame_result result = frame_reader_next(&reader, pool, &input, &frame);
    frame_reader_reset(&reader, pool);
    return result;
}

START_TEST(test_a_frame_in_single_bytes_comes_out_whole)
{
    uint8_t bytes[3 + 300] = {0xac, 0x02};
    for (size_t i = 2; i < 302; i++) {
        bytes[i] = (uint8_t)i;
    }
    struct frame_reader reader = {0};
    struct frame_span frame;
    ck_assert_int_eq(read_stepwise(&reader, bytes, 302, 1, &frame), FRAME_WHOLE);
    ck_assert_uint_eq(frame.size, 300);
    ck_assert_mem_eq(frame.bytes, bytes + 2, 300);
    ck_assert(frame_reader_is_between(&reader));
    ck_assert_uint_eq(frame_pool_blocks_used(pool), 0);
}
END_TEST

START_TEST(test_the_largest_frame_comes_out_whole_in_pieces_of_any_size)
{
    static const size_t steps[] = {1, 7, 1015, 1016, 1017, 1024, 32768, FRAME_MAX + 3};
    uint8_t *bytes = malloc(FRAME_MAX + 3);
    uint32_t prefix = frame_write_length(bytes, FRAME_MAX);
    ck_assert_uint_eq(prefix, 3);
    for (size_t i = 0; i < FRAME_MAX; i++) {
        bytes[prefix + i] = (uint8_t)(i * 31 + i / 256);
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct frame_reader reader = {0};
        struct frame_span frame;
        ck_assert_int_eq(read_stepwise(&reader, bytes, FRAME_MAX + 3, steps[i], &frame), FRAME_WHOLE);
        ck_assert_uint_eq(frame.size, FRAME_MAX);
        ck_assert(memcmp(frame.bytes, bytes + prefix, FRAME_MAX) == 0);
    }
    ck_assert_uint_eq(frame_pool_blocks_used(pool), 0);
    free(bytes);
}
END_TEST

START_TEST(test_frames_in_one_write_come_out_in_order)
{
    const uint8_t bytes[] = {1, 'a', 0, 2, 'b', 'c', 0, 3, 'd'};
    static const size_t sizes[] = {1, 0, 2, 0};
    struct frame_reader reader = {0};
    struct frame_span input = {bytes, sizeof bytes};
    struct frame_span frame;
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(frame_reader_next(&reader, pool, &input, &frame), FRAME_WHOLE);
        ck_assert_uint_eq(frame.size, sizes[i]);
    }
    ck_assert_int_eq(frame_reader_next(&reader, pool, &input, &frame), FRAME_PARTIAL);
    ck_assert(!frame_reader_is_between(&reader));
    const uint8_t rest[] = {'e', 'f'};
    input = (struct frame_span){rest, 2};
    ck_assert_int_eq(frame_reader_next(&reader, pool, &input, &frame), FRAME_WHOLE);
    ck_assert_mem_eq(frame.bytes, "def", 3);
}
END_TEST

START_TEST(test_a_length_of_zero_is_a_frame)
{
    ck_assert_int_eq(read_at_once((const uint8_t[]){0}, 1), FRAME_WHOLE);
}
END_TEST

START_TEST(test_a_length_need_not_be_in_its_shortest_form)
{
    ck_assert_int_eq(read_at_once((const uint8_t[]){0x80, 0x80, 0x80, 0x80, 0x00}, 5), FRAME_WHOLE);
    ck_assert_int_eq(read_at_once((const uint8_t[]){0x81, 0x80, 0x00, 'x'}, 4), FRAME_WHOLE);
}
END_TEST

START_TEST(test_a_length_over_the_limit_is_refused_with_its_last_byte)
{
    const uint8_t over[] = {0x81, 0x80, 0x04}; /* 65537 */
    const uint8_t at_limit[] = {0x80, 0x80, 0x04};
    struct frame_reader reader = {0};
    struct frame_span frame;
    ck_assert_int_eq(read_stepwise(&reader, over, 3, 1, &frame), FRAME_TOO_LONG);
    ck_assert_uint_eq(frame_pool_blocks_used(pool), 0);
    ck_assert_int_eq(read_at_once(at_limit, 3), FRAME_PARTIAL);
}
END_TEST

START_TEST(test_a_length_that_does_not_fit_32_bits_is_refused)
{
    ck_assert_int_eq(read_at_once((const uint8_t[]){0x80, 0x80, 0x80, 0x80, 0x08}, 5), FRAME_TOO_LONG);
    ck_assert_int_eq(read_at_once((const uint8_t[]){0x80, 0x80, 0x80, 0x80, 0x10}, 5), FRAME_TOO_LONG);
    ck_assert_int_eq(read_at_once((const uint8_t[]){0xff, 0xff, 0xff, 0xff, 0x7f}, 5), FRAME_TOO_LONG);
}
END_TEST

START_TEST(test_a_length_of_more_than_5_bytes_is_refused_at_the_fifth)
{
    const uint8_t ten[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    ck_assert_int_eq(read_at_once(ten, sizeof ten), FRAME_TOO_LONG);
    const uint8_t zero[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
    ck_assert_int_eq(read_at_once(zero, 4), FRAME_PARTIAL);
    ck_assert_int_eq(read_at_once(zero, 5), FRAME_TOO_LONG);
}
END_TEST

START_TEST(test_blocks_follow_bytes_that_came_and_not_lengths_that_were_said)
{
    const uint8_t begun[] = {0x80, 0x80, 0x04, 'x'};
    struct frame_reader readers[8] = {0};
    struct frame_span frame;
    for (size_t i = 0; i < 8; i++) {
        ck_assert_int_eq(read_stepwise(&readers[i], begun, 4, 4, &frame), FRAME_PARTIAL);
    }
    ck_assert_uint_eq(frame_pool_blocks_used(pool), 8);
    for (size_t i = 0; i < 8; i++) {
        frame_reader_reset(&readers[i], pool);
    }
    ck_assert_uint_eq(frame_pool_blocks_used(pool), 0);
}
END_TEST

START_TEST(test_full_blocks_refuse_the_greedy_and_leave_each_reader_its_first)
{
    uint8_t *bytes = calloc(1, FRAME_MAX + 3);
    frame_write_length(bytes, FRAME_MAX);
    struct frame_reader greedy[3] = {0};
    struct frame_span frame;
    /* 65 blocks are a frame: 128 shared ones hold nearly two. */
    ck_assert_int_eq(read_stepwise(&greedy[0], bytes, FRAME_MAX + 2, FRAME_MAX, &frame), FRAME_PARTIAL);
    ck_assert_int_eq(read_stepwise(&greedy[1], bytes, FRAME_MAX + 2, FRAME_MAX, &frame), FRAME_PARTIAL);
    struct frame_span input = {bytes, FRAME_MAX};
    ck_assert_int_eq(frame_reader_next(&greedy[2], pool, &input, &frame), FRAME_NO_ROOM);
    frame_reader_reset(&greedy[2], pool);

    struct frame_reader modest = {0};
    ck_assert_int_eq(read_stepwise(&modest, (const uint8_t[]){2, 'h'}, 2, 1, &frame), FRAME_PARTIAL);
    ck_assert_int_eq(read_stepwise(&modest, (const uint8_t *)"i", 1, 1, &frame), FRAME_WHOLE);
    ck_assert_mem_eq(frame.bytes, "hi", 2);
    frame_reader_reset(&greedy[0], pool);
    frame_reader_reset(&greedy[1], pool);
    ck_assert_uint_eq(frame_pool_blocks_used(pool), 0);
    free(bytes);
}
END_TEST

START_TEST(test_lengths_are_written_in_their_shortest_form)
{
    uint8_t out[FRAME_LENGTH_BYTES_MAX];
    ck_assert_uint_eq(frame_write_length(out, 0), 1);
    ck_assert_uint_eq(frame_write_length(out, 127), 1);
    ck_assert_uint_eq(frame_write_length(out, 300), 2);
    ck_assert_mem_eq(out, "\xac\x02", 2);
    ck_assert_uint_eq(frame_write_length(out, UINT32_MAX), 5);
    ck_assert_mem_eq(out, "\xff\xff\xff\xff\x0f", 5);
}
END_TEST

Suite *suite_net_frame(void)
{
    Suite *suite = suite_create("net_frame");
    TCase *frames = tcase_create("frames");
    tcase_add_checked_fixture(frames, setup, teardown);
    tcase_add_test(frames, test_a_frame_in_single_bytes_comes_out_whole);
    tcase_add_test(frames, test_the_largest_frame_comes_out_whole_in_pieces_of_any_size);
    tcase_add_test(frames, test_frames_in_one_write_come_out_in_order);
    tcase_add_test(frames, test_a_length_of_zero_is_a_frame);
    tcase_add_test(frames, test_a_length_need_not_be_in_its_shortest_form);
    tcase_add_test(frames, test_a_length_over_the_limit_is_refused_with_its_last_byte);
    tcase_add_test(frames, test_a_length_that_does_not_fit_32_bits_is_refused);
    tcase_add_test(frames, test_a_length_of_more_than_5_bytes_is_refused_at_the_fifth);
    tcase_add_test(frames, test_blocks_follow_bytes_that_came_and_not_lengths_that_were_said);
    tcase_add_test(frames, test_full_blocks_refuse_the_greedy_and_leave_each_reader_its_first);
    tcase_add_test(frames, test_lengths_are_written_in_their_shortest_form);
    suite_add_tcase(suite, frames);
    return suite;
}
