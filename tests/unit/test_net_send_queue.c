#include <string.h>

#include "net/send_queue.h"
#include "suites.h"

#define PIECES_MAX 8

static struct blob_pool *blobs;
static struct send_pool *pool;
static struct send_queue queue;

static void setup(void)
{
    blobs = blob_pool_create(1 << 20);
    pool = send_pool_create(PIECES_MAX);
    queue = (struct send_queue){0};
}

/* The pools assert that everything came back. */
static void teardown(void)
{
    send_queue_clear(&queue, pool);
    send_pool_destroy(pool);
    blob_pool_destroy(blobs);
}

static struct blob *make_blob(const char *text)
{
    struct blob *blob = blob_pool_take(blobs, 256);
    blob->size = strlen(text);
    memcpy(blob->bytes, text, blob->size);
    return blob;
}

static bool add(const char *text, enum send_place place, bool counted)
{
    struct blob *blob = make_blob(text);
    bool added = send_queue_add(&queue, pool, &blob, 1, place, counted);
    blob_release(blob);
    return added;
}

/* All that waits, as one string in which a length is a digit. */
static const char *peek_text(void)
{
    static char text[256];
    uv_buf_t buffers[2 * PIECES_MAX];
    uint32_t count = send_queue_peek(&queue, PIECES_MAX, buffers, 2 * PIECES_MAX);
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_gt(buffers[i].len, 0);
        for (size_t j = 0; j < buffers[i].len; j++) {
            char c = buffers[i].base[j];
            text[at++] = c < 10 ? (char)('0' + c) : c;
        }
    }
    text[at] = '\0';
    return text;
}

START_TEST(test_messages_wait_in_order_each_with_its_length)
{
    add("abc", SEND_LAST, true);
    add("", SEND_LAST, true);
    add("de", SEND_LAST, true);
    ck_assert_str_eq(peek_text(), "3abc02de");
}
END_TEST

START_TEST(test_a_message_of_several_pieces_has_one_length)
{
    struct blob *pieces[3] = {make_blob("ab"), make_blob(""), make_blob("cd")};
    ck_assert(send_queue_add(&queue, pool, pieces, 3, SEND_LAST, true));
    for (int i = 0; i < 3; i++) {
        blob_release(pieces[i]);
    }
    ck_assert_str_eq(peek_text(), "4abcd");
    send_queue_advance(&queue, pool, 5);
    ck_assert(send_queue_is_empty(&queue));
}
END_TEST

START_TEST(test_any_number_of_bytes_may_be_taken)
{
    const char *all = "3abc02de";
    for (size_t first = 0; first <= 8; first++) {
        add("abc", SEND_LAST, true);
        add("", SEND_LAST, true);
        add("de", SEND_LAST, true);
        send_queue_advance(&queue, pool, first);
        ck_assert_str_eq(peek_text(), all + first);
        send_queue_advance(&queue, pool, 8 - first);
        ck_assert(send_queue_is_empty(&queue));
        ck_assert_uint_eq(queue.counted_bytes, 0);
    }
}
END_TEST

START_TEST(test_first_goes_ahead_of_what_has_not_begun)
{
    add("abc", SEND_LAST, true);
    add("P", SEND_FIRST, true);
    ck_assert_str_eq(peek_text(), "1P3abc");
}
END_TEST

START_TEST(test_first_waits_for_all_pieces_of_what_has_begun)
{
    struct blob *pieces[2] = {make_blob("ab"), make_blob("cd")};
    send_queue_add(&queue, pool, pieces, 2, SEND_LAST, false);
    blob_release(pieces[0]);
    blob_release(pieces[1]);
    add("x", SEND_LAST, true);
    send_queue_advance(&queue, pool, 3); /* exactly the first piece */
    add("P", SEND_FIRST, true);
    ck_assert_str_eq(peek_text(), "cd1P1x");
}
END_TEST

START_TEST(test_first_waits_for_what_is_lent)
{
    add("abc", SEND_LAST, true);
    queue.first_is_lent = true;
    add("P", SEND_FIRST, true);
    ck_assert_str_eq(peek_text(), "3abc1P");
    queue.first_is_lent = false;
}
END_TEST

START_TEST(test_what_is_counted_counts_until_all_of_it_is_taken)
{
    char text[201];
    memset(text, 'x', 200);
    text[200] = '\0';
    add("a", SEND_LAST, true);
    add("uncounted", SEND_LAST, false);
    add(text, SEND_LAST, true);
    ck_assert_uint_eq(queue.counted_bytes, SEND_MESSAGE_COST_MIN + 200);
    send_queue_advance(&queue, pool, 2 + 10 + 100);
    ck_assert_uint_eq(queue.counted_bytes, 200);
}
END_TEST

START_TEST(test_a_full_pool_adds_nothing)
{
    for (int i = 0; i < PIECES_MAX - 1; i++) {
        ck_assert(add("m", SEND_LAST, true));
    }
    size_t counted = queue.counted_bytes;
    struct blob *pieces[2] = {make_blob("ab"), make_blob("cd")};
    ck_assert(!send_queue_add(&queue, pool, pieces, 2, SEND_LAST, true));
    ck_assert_uint_eq(pieces[0]->references, 1);
    ck_assert_uint_eq(queue.counted_bytes, counted);
    blob_release(pieces[0]);
    blob_release(pieces[1]);
}
END_TEST

START_TEST(test_few_buffers_hold_whole_pieces)
{
    add("a", SEND_LAST, true);
    add("b", SEND_LAST, true);
    uv_buf_t buffers[4];
    ck_assert_uint_eq(send_queue_peek(&queue, PIECES_MAX, buffers, 3), 2);
    ck_assert_uint_eq(send_queue_peek(&queue, 1, buffers, 4), 2);
    ck_assert_uint_eq(send_queue_peek(&queue, PIECES_MAX, buffers, 4), 4);
}
END_TEST

Suite *suite_net_send_queue(void)
{
    Suite *suite = suite_create("net_send_queue");
    TCase *order = tcase_create("order");
    tcase_add_checked_fixture(order, setup, teardown);
    tcase_add_test(order, test_messages_wait_in_order_each_with_its_length);
    tcase_add_test(order, test_a_message_of_several_pieces_has_one_length);
    tcase_add_test(order, test_any_number_of_bytes_may_be_taken);
    tcase_add_test(order, test_first_goes_ahead_of_what_has_not_begun);
    tcase_add_test(order, test_first_waits_for_all_pieces_of_what_has_begun);
    tcase_add_test(order, test_first_waits_for_what_is_lent);
    suite_add_tcase(suite, order);
    TCase *bounds = tcase_create("bounds");
    tcase_add_checked_fixture(bounds, setup, teardown);
    tcase_add_test(bounds, test_what_is_counted_counts_until_all_of_it_is_taken);
    tcase_add_test(bounds, test_a_full_pool_adds_nothing);
    tcase_add_test(bounds, test_few_buffers_hold_whole_pieces);
    suite_add_tcase(suite, bounds);
    return suite;
}
