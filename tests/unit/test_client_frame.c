#include <string.h>

#include "steerd_address.h"
#include "steerd_frame.h"
#include "suites.h"

/* Puts bytes in as if they had been received. */
static void inbox_feed(struct steerd_inbox *inbox, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (size > 0) {
        size_t room;
        uint8_t *to = steerd_inbox_reserve(inbox, &room);
        ck_assert_ptr_nonnull(to);
        size_t step = room < size ? room : size;
        memcpy(to, from, step);
        steerd_inbox_commit(inbox, step);
        from += step;
        size -= step;
    }
}

START_TEST(test_a_frame_split_into_single_bytes_comes_out_whole)
{
    struct steerd_inbox inbox = {.frame_bytes_max = 100};
    const uint8_t stream[] = {3, 'a', 'b', 'c', 0, 2, 'd', 'e'};
    const uint8_t *payload;
    size_t size;
    size_t frames = 0;
    for (size_t i = 0; i < sizeof stream; i++) {
        inbox_feed(&inbox, &stream[i], 1);
        enum steerd_frame frame = steerd_inbox_next(&inbox, &payload, &size);
        bool due = i == 3 || i == 4 || i == 7;
        ck_assert_int_eq(frame, due ? STEERD_FRAME_READY : STEERD_FRAME_MORE);
        frames += due;
        if (i == 3) {
            ck_assert_uint_eq(size, 3);
            ck_assert_mem_eq(payload, "abc", 3);
        }
        if (i == 4) {
            ck_assert_uint_eq(size, 0);
        }
    }
    ck_assert_uint_eq(frames, 3);
    steerd_inbox_deinit(&inbox);
}
END_TEST

START_TEST(test_a_length_over_the_limit_is_refused_before_its_bytes_come)
{
    struct steerd_inbox inbox = {.frame_bytes_max = 100};
    const uint8_t *payload;
    size_t size;
    inbox_feed(&inbox, "\x64", 1); /* 100: the limit itself is legal */
    ck_assert_int_eq(steerd_inbox_next(&inbox, &payload, &size), STEERD_FRAME_MORE);
    steerd_inbox_deinit(&inbox);
    inbox_feed(&inbox, "\x65", 1);
    ck_assert_int_eq(steerd_inbox_next(&inbox, &payload, &size), STEERD_FRAME_BAD);
    steerd_inbox_deinit(&inbox);
}
END_TEST

START_TEST(test_a_length_of_more_than_five_bytes_is_refused)
{
    struct steerd_inbox inbox = {.frame_bytes_max = (size_t)1 << 40};
    const uint8_t *payload;
    size_t size;
    inbox_feed(&inbox, "\xff\xff\xff\xff", 4);
    ck_assert_int_eq(steerd_inbox_next(&inbox, &payload, &size), STEERD_FRAME_MORE);
    inbox_feed(&inbox, "\xff", 1);
    ck_assert_int_eq(steerd_inbox_next(&inbox, &payload, &size), STEERD_FRAME_BAD);
    steerd_inbox_deinit(&inbox);
}
END_TEST

START_TEST(test_memory_follows_what_came_and_not_what_a_length_promises)
{
    struct steerd_inbox inbox = {.frame_bytes_max = 4u << 20};
    const uint8_t header[] = {0x80, 0x80, 0x80, 0x02}; /* 4 MiB */
    static uint8_t block[4096];
    size_t room;
    inbox_feed(&inbox, header, sizeof header);
    ck_assert_ptr_nonnull(steerd_inbox_reserve(&inbox, &room));
    ck_assert_uint_le(inbox.capacity, 2 * STEERD_INBOX_READ_BYTES);
    size_t received = sizeof header;
    while (received < (4u << 20) + sizeof header) {
        size_t left = (4u << 20) + sizeof header - received;
        size_t step = left < sizeof block ? left : sizeof block;
        inbox_feed(&inbox, block, step);
        received += step;
        ck_assert_uint_le(inbox.capacity, 2 * received + STEERD_INBOX_READ_BYTES);
    }
    const uint8_t *payload;
    size_t size;
    ck_assert_int_eq(steerd_inbox_next(&inbox, &payload, &size), STEERD_FRAME_READY);
    ck_assert_uint_eq(size, 4u << 20);
    steerd_inbox_compact(&inbox);
    ck_assert_uint_eq(inbox.capacity, 0);
    steerd_inbox_deinit(&inbox);
}
END_TEST

START_TEST(test_a_full_outbox_takes_nothing_of_a_frame)
{
    struct steerd_outbox outbox = {.bytes_max = 12};
    uint8_t *payload = steerd_outbox_add(&outbox, 8);
    ck_assert_ptr_nonnull(payload);
    memset(payload, 'x', 8);
    ck_assert_ptr_null(steerd_outbox_add(&outbox, 3));
    ck_assert_uint_eq(outbox.end - outbox.begin, 9);
    payload = steerd_outbox_add(&outbox, 2);
    ck_assert_ptr_nonnull(payload);
    memset(payload, 'y', 2);
    ck_assert_mem_eq(outbox.bytes + outbox.begin, "\x08xxxxxxxx\x02yy", 12);
    steerd_outbox_consume(&outbox, 9);
    ck_assert_mem_eq(outbox.bytes + outbox.begin, "\x02yy", 3);
    steerd_outbox_consume(&outbox, 3);
    ck_assert(steerd_outbox_is_empty(&outbox));
    ck_assert_uint_eq(outbox.capacity, 0);
    steerd_outbox_deinit(&outbox);
}
END_TEST

START_TEST(test_a_frame_of_128_bytes_has_a_length_of_two)
{
    struct steerd_outbox outbox = {.bytes_max = 1000};
    memset(steerd_outbox_add(&outbox, 128), 0, 128);
    ck_assert_uint_eq(outbox.end, 130);
    ck_assert_mem_eq(outbox.bytes, "\x80\x01", 2);
    steerd_outbox_deinit(&outbox);
}
END_TEST

START_TEST(test_addresses_are_read_in_each_form)
{
    struct steerd_address address;
    struct fault fault = {0};
    ck_assert_int_eq(steerd_address_parse("localhost:7400", &address, &fault), STATUS_OK);
    ck_assert_str_eq(address.host, "localhost");
    ck_assert_str_eq(address.port, "7400");
    ck_assert_int_eq(steerd_address_parse("[::1]:65535", &address, &fault), STATUS_OK);
    ck_assert_str_eq(address.host, "::1");
    ck_assert_str_eq(address.port, "65535");
}
END_TEST

START_TEST(test_what_is_no_address_is_refused_with_the_form_that_is)
{
    static const char *const wrong[] = {"",        "localhost", ":7400",    "a:0",
                                        "a:65536", "a:70a",     "::1:7400", "[::1]",
                                        "[::1:70", "[]:7400",   "a:",       "a:000007400"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct steerd_address address;
        struct fault fault = {0};
        ck_assert_msg(steerd_address_parse(wrong[i], &address, &fault) == STATUS_INVALID_ARGUMENT, "%s",
                      wrong[i]);
        ck_assert_ptr_nonnull(strstr(fault.text, "HOST:PORT"));
    }
}
END_TEST

Suite *suite_client_frame(void)
{
    Suite *suite = suite_create("client_frame");
    TCase *in = tcase_create("in");
    tcase_add_test(in, test_a_frame_split_into_single_bytes_comes_out_whole);
    tcase_add_test(in, test_a_length_over_the_limit_is_refused_before_its_bytes_come);
    tcase_add_test(in, test_a_length_of_more_than_five_bytes_is_refused);
    tcase_add_test(in, test_memory_follows_what_came_and_not_what_a_length_promises);
    suite_add_tcase(suite, in);
    TCase *out = tcase_create("out");
    tcase_add_test(out, test_a_full_outbox_takes_nothing_of_a_frame);
    tcase_add_test(out, test_a_frame_of_128_bytes_has_a_length_of_two);
    suite_add_tcase(suite, out);
    TCase *address = tcase_create("address");
    tcase_add_test(address, test_addresses_are_read_in_each_form);
    tcase_add_test(address, test_what_is_no_address_is_refused_with_the_form_that_is);
    suite_add_tcase(suite, address);
    return suite;
}
