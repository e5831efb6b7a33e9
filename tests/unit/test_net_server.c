#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net_rig.h"
#include "suites.h"

static struct rig rig;

static void setup(void)
{
    struct net_config config = rig_config();
    rig_start(&rig, &config);
    rig_listen(&rig);
}

static void teardown(void)
{
    rig_stop(&rig);
}

START_TEST(test_a_frame_goes_there_and_back)
{
    int peer = rig_connect_opened(&rig);
    rig_write(peer, "\5hello", 6);
    char answer[6];
    ck_assert_int_eq(rig_read(&rig, peer, answer, 6), 6);
    ck_assert_mem_eq(answer, "\5hello", 6);
    ck_assert_mem_eq(rig.peer_address, "127.0.0.1:", 10);
    struct net_counters counters = net_server_counters(rig.server);
    ck_assert_uint_eq(counters.bytes_received, 6);
    ck_assert_uint_eq(counters.bytes_sent, 6);
    ck_assert_uint_eq(counters.accepted, 1);
    ck_assert_uint_eq(counters.connections, 1);
    close(peer);
}
END_TEST

START_TEST(test_single_bytes_make_a_frame)
{
    int peer = rig_connect_opened(&rig);
    for (int i = 0; i < 6; i++) {
        rig_write(peer, &"\5hello"[i], 1);
        rig_run_for(&rig, 2);
    }
    rig_run_until(&rig, &rig.frames, 1);
    ck_assert_uint_eq(rig.frame_size_last, 5);
    close(peer);
}
END_TEST

START_TEST(test_frames_of_one_write_are_answered_in_order)
{
    int peer = rig_connect_opened(&rig);
    rig_write(peer, "\1a\0\2bc", 6);
    char answer[6];
    ck_assert_int_eq(rig_read(&rig, peer, answer, 6), 6);
    ck_assert_mem_eq(answer, "\1a\0\2bc", 6);
    ck_assert_uint_eq(rig.frames, 3);
    close(peer);
}
END_TEST

START_TEST(test_one_who_sends_much_leaves_others_their_turn)
{
    rig.mode = RIG_LISTEN;
    int busy = rig_connect_opened(&rig);
    int other = rig_connect_opened(&rig);
    static uint8_t
        flood[60 * 1024]; /* two turns; more would not wait in a receive buffer as it is at first */
    for (size_t i = 0; i < sizeof flood; i += 2) {
        memcpy(flood + i, "\1a", 2);
    }
    rig_write(busy, flood, sizeof flood);
    rig_write(other, "\5hello", 6);
    rig_run_until(&rig, &rig.frames, sizeof flood / 2 + 1);
    ck_assert_uint_eq(rig.frame_size_last, 1); /* hello was not the last */
    close(busy);
    close(other);
}
END_TEST

START_TEST(test_the_largest_frame_is_taken)
{
    rig.mode = RIG_LISTEN;
    int peer = rig_connect_opened(&rig);
    uint8_t *bytes = calloc(1, 65536 + 3);
    memcpy(bytes, "\x80\x80\x04", 3);
    rig_write(peer, bytes, 65536 + 3);
    free(bytes);
    rig_run_until(&rig, &rig.frames, 1);
    ck_assert_uint_eq(rig.frame_size_last, 65536);
    close(peer);
}
END_TEST

START_TEST(test_a_length_over_the_limit_gets_an_answer_and_the_end)
{
    static const struct {
        const char *bytes;
        size_t size;
    } lengths[] = {
        {"\x81\x80\x04more", 7},
        {"\x80\x80\x80\x80\x08", 5},
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10},
    };
    for (uint32_t i = 0; i < 3; i++) {
        int peer = rig_connect_opened(&rig);
        rig_write(peer, lengths[i].bytes, lengths[i].size);
        char answer[5];
        ck_assert_int_eq(rig_read(&rig, peer, answer, 5), 4);
        ck_assert_mem_eq(answer, "\3bye", 4);
        ck_assert_uint_eq(rig.faults, i + 1);
        ck_assert_int_eq(rig.fault_last, NET_FAULT_FRAME_TOO_LONG);
        close(peer);
        rig_run_until(&rig, &rig.closed, i + 1);
        ck_assert_int_eq(rig.end_last, NET_END_SELF);
    }
    ck_assert_uint_eq(rig.frames, 0);
    ck_assert_uint_eq(net_server_counters(rig.server).faulted, 3);
}
END_TEST

START_TEST(test_a_reset_ends_the_connection)
{
    int peer = rig_connect_opened(&rig);
    rig_write(peer, "\5he", 3);
    rig_run_for(&rig, 5);
    struct linger reset = {.l_onoff = 1, .l_linger = 0};
    setsockopt(peer, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(peer);
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_int_eq(rig.end_last, NET_END_PEER);
    ck_assert_uint_eq(net_server_counters(rig.server).connections, 0);
}
END_TEST

START_TEST(test_a_peer_that_has_finished_still_gets_what_was_sent)
{
    int peer = rig_connect_opened(&rig);
    rig_write(peer, "\2hi", 3);
    shutdown(peer, SHUT_WR);
    char answer[4];
    ck_assert_int_eq(rig_read(&rig, peer, answer, 4), 3);
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_int_eq(rig.end_last, NET_END_PEER);
    close(peer);
}
END_TEST

START_TEST(test_a_peer_that_finishes_within_a_frame_is_closed)
{
    int peer = rig_connect_opened(&rig);
    rig_write(peer, "\5he", 3);
    shutdown(peer, SHUT_WR);
    char answer;
    ck_assert_int_eq(rig_read(&rig, peer, &answer, 1), 0);
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_uint_eq(rig.frames, 0);
    close(peer);
}
END_TEST

START_TEST(test_close_sends_all_that_was_sent_before)
{
    int peer = rig_connect(&rig, 4096);
    rig_run_until(&rig, &rig.opened, 1);
    rig_send_bytes(&rig, 1000000, false);
    rig_send_text(&rig, "last");
    ck_assert(!net_conn_is_drained(rig.conn));
    net_conn_close(rig.conn);
    net_conn_close(rig.conn);
    rig_send_text(&rig, "after the end");
    char *all = malloc(2000000);
    ck_assert_int_eq(rig_read(&rig, peer, all, 2000000), 3 + 1000000 + 1 + 4);
    ck_assert_mem_eq(all + 3 + 1000000, "\4last", 5);
    free(all);
    close(peer);
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_int_eq(rig.end_last, NET_END_SELF);
    ck_assert_uint_eq(rig.drained, 0);
}
END_TEST

START_TEST(test_what_comes_after_close_is_not_read)
{
    int peer = rig_connect_opened(&rig);
    net_conn_close(rig.conn);
    rig_write(peer, "\2hi", 3);
    rig_run_for(&rig, 10);
    close(peer);
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_uint_eq(rig.frames, 0);
}
END_TEST

START_TEST(test_drained_is_told_when_the_kernel_has_it_all)
{
    int peer = rig_connect(&rig, 4096);
    rig_run_until(&rig, &rig.opened, 1);
    ck_assert(net_conn_is_drained(rig.conn));
    rig_send_bytes(&rig, 1000000, false);
    ck_assert(!net_conn_is_drained(rig.conn));
    char *all = malloc(1000003);
    ck_assert_int_eq(rig_read(&rig, peer, all, 1000003), 1000003);
    free(all);
    rig_run_until(&rig, &rig.drained, 1);
    ck_assert_ptr_nonnull(rig.conn);
    ck_assert(net_conn_is_drained(rig.conn));
    close(peer);
}
END_TEST

START_TEST(test_first_overtakes_what_waits_but_not_what_has_begun)
{
    int peer = rig_connect(&rig, 4096);
    rig_run_until(&rig, &rig.opened, 1);
    rig_send_bytes(&rig, 1000000, false);
    rig_send_text(&rig, "waits");
    struct blob *pong = blob_pool_take(rig.blobs, 4);
    memcpy(pong->bytes, "pong", 4);
    pong->size = 4;
    net_conn_send_first(rig.conn, pong);
    blob_release(pong);
    char *all = malloc(1000014);
    ck_assert_int_eq(rig_read(&rig, peer, all, 1000014), 1000014);
    ck_assert_mem_eq(all + 1000003, "\4pong\5waits", 11);
    free(all);
    close(peer);
}
END_TEST

START_TEST(test_no_one_comes_in_after_stop_listening_and_those_inside_stay)
{
    int inside = rig_connect_opened(&rig);
    net_server_stop_listening(rig.server);
    rig_run_for(&rig, 5);
    int outside = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    ck_assert_int_eq(getpeername(inside, (struct sockaddr *)&address, &size), 0);
    ck_assert_int_ne(connect(outside, (struct sockaddr *)&address, size), 0);
    rig_write(inside, "\2hi", 3);
    char answer[3];
    ck_assert_int_eq(rig_read(&rig, inside, answer, 3), 3);
    close(inside);
    close(outside);
}
END_TEST

START_TEST(test_closing_the_server_ends_every_connection)
{
    int peers[3];
    for (int i = 0; i < 3; i++) {
        peers[i] = rig_connect_opened(&rig);
    }
    rig_send_bytes(&rig, 1000000, false); /* a write is under way */
    teardown();
    ck_assert_uint_eq(rig.closed, 3);
    for (int i = 0; i < 3; i++) {
        close(peers[i]);
    }
    setup();
}
END_TEST

Suite *suite_net_server(void)
{
    Suite *suite = suite_create("net_server");
    TCase *frames = tcase_create("frames");
    tcase_add_checked_fixture(frames, setup, teardown);
    tcase_add_test(frames, test_a_frame_goes_there_and_back);
    tcase_add_test(frames, test_single_bytes_make_a_frame);
    tcase_add_test(frames, test_frames_of_one_write_are_answered_in_order);
    tcase_add_test(frames, test_one_who_sends_much_leaves_others_their_turn);
    tcase_add_test(frames, test_the_largest_frame_is_taken);
    tcase_add_test(frames, test_a_length_over_the_limit_gets_an_answer_and_the_end);
    suite_add_tcase(suite, frames);
    TCase *ends = tcase_create("ends");
    tcase_add_checked_fixture(ends, setup, teardown);
    tcase_add_test(ends, test_a_reset_ends_the_connection);
    tcase_add_test(ends, test_a_peer_that_has_finished_still_gets_what_was_sent);
    tcase_add_test(ends, test_a_peer_that_finishes_within_a_frame_is_closed);
    tcase_add_test(ends, test_close_sends_all_that_was_sent_before);
    tcase_add_test(ends, test_what_comes_after_close_is_not_read);
    tcase_add_test(ends, test_no_one_comes_in_after_stop_listening_and_those_inside_stay);
    tcase_add_test(ends, test_closing_the_server_ends_every_connection);
    suite_add_tcase(suite, ends);
    TCase *order = tcase_create("order");
    tcase_add_checked_fixture(order, setup, teardown);
    tcase_add_test(order, test_drained_is_told_when_the_kernel_has_it_all);
    tcase_add_test(order, test_first_overtakes_what_waits_but_not_what_has_begun);
    suite_add_tcase(suite, order);
    return suite;
}
