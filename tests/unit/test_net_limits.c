#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net_rig.h"
#include "suites.h"

static struct rig rig;

/* A rig with one or the other setting changed. */
static void start(struct net_config config)
{
    rig_start(&rig, &config);
    rig_listen(&rig);
}

/* The peer gets `text` with its length and then the end. */
static void expect_last_words(int peer, const char *text)
{
    char answer[16];
    size_t size = strlen(text);
    ck_assert_int_eq(rig_read(&rig, peer, answer, sizeof answer), (long)size + 1);
    ck_assert_int_eq(answer[0], (char)size);
    ck_assert_mem_eq(answer + 1, text, size);
}

START_TEST(test_an_unfinished_frame_ends_in_time)
{
    struct net_config config = rig_config();
    config.frame_timeout_ms = 50;
    start(config);
    int idle = rig_connect_opened(&rig);
    int peer = rig_connect_opened(&rig);
    rig_write(peer, "\1a\5h", 4);
    rig_run_until(&rig, &rig.faults, 1);
    ck_assert_int_eq(rig.fault_last, NET_FAULT_FRAME_TIMEOUT);
    char answer[7];
    ck_assert_int_eq(rig_read(&rig, peer, answer, 7), 6);
    ck_assert_mem_eq(answer, "\1a\3bye", 6);
    close(peer);
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_uint_eq(net_server_counters(rig.server).connections, 1); /* the idle one has begun no frame */
    close(idle);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_frames_that_follow_each_other_closely_never_time_out)
{
    struct net_config config = rig_config();
    config.frame_timeout_ms = 100;
    start(config);
    int peer = rig_connect_opened(&rig);
    rig_write(peer, "\1", 1);
    for (uint32_t i = 0; i < 20; i++) {
        rig_run_for(&rig, 10);
        rig_write(peer, "a\1", 2); /* ends one frame and begins the next */
        rig_run_until(&rig, &rig.frames, i + 1);
    }
    ck_assert_uint_eq(rig.faults, 0);
    close(peer);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_unfinished_frames_of_many_stay_within_their_bound)
{
    struct net_config config = rig_config();
    config.assembly_bytes_max = 70000;
    start(config);
    uint8_t *half = calloc(1, 40000);
    memcpy(half, "\x80\x80\x04", 3);
    int first = rig_connect_opened(&rig);
    rig_write(first, half, 40000);
    rig_run_for(&rig, 10);
    int second = rig_connect_opened(&rig);
    rig_write(second, half, 40000);
    rig_run_until(&rig, &rig.faults, 1);
    ck_assert_int_eq(rig.fault_last, NET_FAULT_FRAME_NO_ROOM);
    expect_last_words(second, "bye");
    /* What it held is free again. */
    int third = rig_connect_opened(&rig);
    rig_write(third, half, 20000);
    rig_run_for(&rig, 10);
    ck_assert_uint_eq(rig.faults, 1);
    free(half);
    close(first);
    close(second);
    close(third);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_a_reader_too_slow_for_its_results_is_cut)
{
    start(rig_config());
    int peer = rig_connect(&rig, 4096);
    rig_run_until(&rig, &rig.opened, 1);
    rig_send_bytes(&rig, 1000000, false);
    for (int i = 0; i < 16384 / 64; i++) {
        rig_send_text(&rig, "result");
    }
    rig_run_for(&rig, 5);
    ck_assert_uint_eq(rig.closed, 0);
    rig_send_text(&rig, "one too many");
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_int_eq(rig.end_last, NET_END_QUEUE_FULL);
    close(peer);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_the_kernel_keeps_no_more_than_its_bound)
{
    struct net_config config = rig_config();
    start(config);
    int peer = rig_connect(&rig, 4096);
    rig_run_until(&rig, &rig.opened, 1);
    rig_send_bytes(&rig, 4000000, false);
    rig_run_for(&rig, 50);
    int room = 0;
    socklen_t size = sizeof room;
    getsockopt(peer, SOL_SOCKET, SO_RCVBUF, &room, &size);
    ck_assert_uint_le(net_server_counters(rig.server).bytes_sent, config.send_buffer_bytes + (uint64_t)room);
    close(peer);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_one_that_does_not_take_its_last_bytes_is_cut_in_time)
{
    struct net_config config = rig_config();
    config.close_timeout_ms = 50;
    start(config);
    int peer = rig_connect(&rig, 4096);
    rig_run_until(&rig, &rig.opened, 1);
    rig_send_bytes(&rig, 1000000, false);
    net_conn_close(rig.conn);
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_int_eq(rig.end_last, NET_END_TIMEOUT);
    close(peer);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_one_that_does_not_close_its_side_is_cut_in_time)
{
    struct net_config config = rig_config();
    config.close_timeout_ms = 50;
    start(config);
    int peer = rig_connect_opened(&rig);
    rig_send_text(&rig, "bye");
    net_conn_close(rig.conn);
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_int_eq(rig.end_last, NET_END_SELF);
    expect_last_words(peer, "bye");
    close(peer);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_one_that_reads_nothing_but_answers_is_kept)
{
    struct net_config config = rig_config();
    config.peer_timeout_ms = 1000;
    start(config);
    int peer = rig_connect(&rig, 4096);
    rig_run_until(&rig, &rig.opened, 1);
    rig_send_bytes(&rig, 1000000, false);
    rig_run_for(&rig, 3000);
    ck_assert_uint_eq(rig.closed, 0);
    char *all = malloc(1000003);
    ck_assert_int_eq(rig_read(&rig, peer, all, 1000003), 1000003);
    free(all);
    close(peer);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_over_the_limit_there_is_an_answer)
{
    struct net_config config = rig_config();
    config.connections_max = 1;
    start(config);
    int inside = rig_connect_opened(&rig);
    int outside = rig_connect(&rig, 0);
    rig_write(outside, "\2hi", 3);
    expect_last_words(outside, "full");
    close(outside);
    rig_run_until(&rig, &rig.closed, 1);
    ck_assert_uint_eq(rig.opened, 1);
    ck_assert_uint_eq(rig.frames, 0);
    ck_assert_uint_eq(net_server_counters(rig.server).refused, 1);
    close(inside);
    rig_run_until(&rig, &rig.closed, 2);
    close(rig_connect_opened(&rig));
    rig_stop(&rig);
}
END_TEST

START_TEST(test_a_crowd_over_the_limit_is_answered_to_the_last)
{
    struct net_config config = rig_config();
    config.connections_max = 1;
    start(config);
    int inside = rig_connect_opened(&rig);
    int outside[200];
    for (int i = 0; i < 200; i++) {
        outside[i] = rig_connect(&rig, 0);
    }
    for (int i = 0; i < 200; i++) { /* none of them closes its side */
        expect_last_words(outside[i], "full");
    }
    for (int i = 0; i < 200; i++) {
        close(outside[i]);
    }
    ck_assert_uint_eq(rig.refused, 200);
    close(inside);
    rig_stop(&rig);
}
END_TEST

/* All descriptors below the limit taken but `left`; returns the limit that was. */
static struct rlimit leave_descriptors(int left)
{
    struct rlimit before;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    int next = open("/dev/null", O_RDONLY);
    close(next);
    struct rlimit limit = before;
    limit.rlim_cur = (rlim_t)(next + left);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

START_TEST(test_without_descriptors_there_is_an_answer_too)
{
    struct net_config config = rig_config();
    config.connections_max = 100;
    start(config);
    /* With its first stream libuv takes a descriptor into a reserve of its own. */
    close(rig_connect_opened(&rig));
    rig_run_until(&rig, &rig.closed, 1);
    int peers[20];
    for (int i = 0; i < 20; i++) {
        peers[i] = rig_connect(&rig, 0);
    }
    struct rlimit before = leave_descriptors(3);
    rig_run_until(&rig, &rig.opened, 4);
    for (int i = 3; i < 20; i++) {
        expect_last_words(peers[i], "full");
    }
    ck_assert_uint_eq(rig.opened, 4);
    ck_assert_uint_eq(rig.refused, 17);
    rig_write(peers[0], "\2hi", 3);
    char answer[3];
    ck_assert_int_eq(rig_read(&rig, peers[0], answer, 3), 3);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    for (int i = 0; i < 20; i++) {
        close(peers[i]);
    }
    rig_run_until(&rig, &rig.closed, 21);
    close(rig_connect_opened(&rig));
    rig_stop(&rig);
}
END_TEST

START_TEST(test_a_port_in_use_is_said_in_words)
{
    start(rig_config());
    char bound[64];
    struct fault fault = {0};
    ck_assert_int_eq(net_server_listen_tcp(rig.server, "127.0.0.1", rig.port, bound, sizeof bound, &fault),
                     STATUS_UNAVAILABLE);
    char wanted[128];
    snprintf(wanted, sizeof wanted, "cannot listen on 127.0.0.1:%u: the port is in use", rig.port);
    ck_assert_str_eq(fault.text, wanted);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_a_foreign_address_and_an_unknown_name_are_said_in_words)
{
    start(rig_config());
    char bound[64];
    struct fault fault = {0};
    ck_assert_int_eq(net_server_listen_tcp(rig.server, "192.0.2.1", 0, bound, sizeof bound, &fault),
                     STATUS_UNAVAILABLE);
    ck_assert_str_eq(fault.text, "cannot listen on 192.0.2.1:0: this machine has no such address");
    ck_assert_int_eq(
        net_server_listen_tcp(rig.server, "no-such-host.invalid", 0, bound, sizeof bound, &fault),
        STATUS_UNAVAILABLE);
    ck_assert_mem_eq(fault.text, "cannot listen on no-such-host.invalid: ", 39);
    rig_stop(&rig);
}
END_TEST

START_TEST(test_all_addresses_take_ipv4_peers_under_their_ipv4_address)
{
    struct net_config config = rig_config();
    rig_start(&rig, &config);
    struct fault fault = {0};
    ck_assert_int_eq(net_server_listen_tcp(rig.server, "", 0, rig.address, sizeof rig.address, &fault),
                     STATUS_OK);
    rig.port = (uint16_t)atoi(strrchr(rig.address, ':') + 1);
    ck_assert_uint_ne(rig.port, 0);
    int peer = rig_connect_opened(&rig);
    ck_assert_mem_eq(rig.peer_address, "127.0.0.1:", 10);
    close(peer);
    rig_stop(&rig);
}
END_TEST

/* A root without /etc/hosts, as debootstrap leaves one, knows no names at all. */
static bool localhost_is_known(void)
{
    struct addrinfo *found = NULL;
    bool known = getaddrinfo("localhost", NULL, NULL, &found) == 0;
    if (known) {
        freeaddrinfo(found);
    }
    return known;
}

START_TEST(test_a_name_is_listened_on_at_its_ipv4_address_too)
{
    if (!localhost_is_known()) {
        return;
    }
    struct net_config config = rig_config();
    rig_start(&rig, &config);
    struct fault fault = {0};
    enum status status =
        net_server_listen_tcp(rig.server, "localhost", 0, rig.address, sizeof rig.address, &fault);
    ck_assert_msg(status == STATUS_OK, "%s", fault.text);
    rig.port = (uint16_t)atoi(strrchr(rig.address, ':') + 1);
    close(rig_connect_opened(&rig));
    rig_stop(&rig);
}
END_TEST

START_TEST(test_memory_follows_the_limits)
{
    struct net_config config = rig_config();
    rig_start(&rig, &config);
    size_t small = net_server_memory_bytes(rig.server);
    rig_stop(&rig);
    config.connections_max = 5000;
    rig_start(&rig, &config);
    ck_assert_uint_gt(net_server_memory_bytes(rig.server), small + 5000 * 1024);
    ck_assert_uint_lt(net_server_memory_bytes(rig.server), 32 << 20);
    rig_stop(&rig);
}
END_TEST

Suite *suite_net_limits(void)
{
    Suite *suite = suite_create("net_limits");
    TCase *times = tcase_create("times");
    tcase_set_timeout(times, 120);
    tcase_add_test(times, test_an_unfinished_frame_ends_in_time);
    tcase_add_test(times, test_frames_that_follow_each_other_closely_never_time_out);
    tcase_add_test(times, test_one_that_does_not_take_its_last_bytes_is_cut_in_time);
    tcase_add_test(times, test_one_that_does_not_close_its_side_is_cut_in_time);
    tcase_add_test(times, test_one_that_reads_nothing_but_answers_is_kept);
    suite_add_tcase(suite, times);
    TCase *bytes = tcase_create("bytes");
    tcase_set_timeout(bytes, 120);
    tcase_add_test(bytes, test_unfinished_frames_of_many_stay_within_their_bound);
    tcase_add_test(bytes, test_a_reader_too_slow_for_its_results_is_cut);
    tcase_add_test(bytes, test_the_kernel_keeps_no_more_than_its_bound);
    tcase_add_test(bytes, test_memory_follows_the_limits);
    suite_add_tcase(suite, bytes);
    TCase *places = tcase_create("places");
    tcase_set_timeout(places, 120);
    tcase_add_test(places, test_over_the_limit_there_is_an_answer);
    tcase_add_test(places, test_a_crowd_over_the_limit_is_answered_to_the_last);
    tcase_add_test(places, test_without_descriptors_there_is_an_answer_too);
    suite_add_tcase(suite, places);
    TCase *addresses = tcase_create("addresses");
    tcase_set_timeout(addresses, 120);
    tcase_add_test(addresses, test_a_port_in_use_is_said_in_words);
    tcase_add_test(addresses, test_a_foreign_address_and_an_unknown_name_are_said_in_words);
    tcase_add_test(addresses, test_all_addresses_take_ipv4_peers_under_their_ipv4_address);
    tcase_add_test(addresses, test_a_name_is_listened_on_at_its_ipv4_address_too);
    suite_add_tcase(suite, addresses);
    return suite;
}
