#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_server.h"
#include "steerd_commands.h"
#include "suites.h"

static struct fake_server server;
static struct fault fault;

/* What the handlers saw. */
static struct {
    uint32_t snapshots;
    size_t snapshot_size;
    uint32_t results;
    uint64_t request_id;
} seen;

static void see_snapshot(void *context, const struct steerd_mirror *mirror, size_t size)
{
    (void)context;
    ck_assert_ptr_nonnull(mirror);
    seen.snapshots++;
    seen.snapshot_size = size;
}

static void see_result(void *context, const Steerd__V1__CommandResult *result)
{
    (void)context;
    seen.results++;
    seen.request_id = result->request_id;
}

static const struct steerd_client_options options = {
    .name = "test",
    .token = "secret",
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .handlers = {.on_snapshot = see_snapshot, .on_result = see_result},
};

static void setup(void)
{
    fault = (struct fault){0};
    memset(&seen, 0, sizeof seen);
    fake_server_open(&server);
}

static void teardown(void)
{
    fake_server_close(&server);
}

START_TEST(test_hello_says_name_role_and_token_and_welcome_opens)
{
    struct steerd_client *client = steerd_client_create(&options);
    ck_assert_int_eq(steerd_client_start(client, server.address, &fault), STATUS_OK);
    fake_server_poll_until(client, STEERD_CLIENT_STATE_GREETING);
    fake_server_accept(&server);
    Steerd__V1__ClientMessage *message = fake_server_receive(&server);
    ck_assert_int_eq(message->body_case, STEERD__V1__CLIENT_MESSAGE__BODY_HELLO);
    ck_assert_uint_eq(message->hello->protocol_version, 1);
    ck_assert_str_eq(message->hello->client_name, "test");
    ck_assert_str_eq(message->hello->token, "secret");
    ck_assert_int_eq(message->hello->role, STEERD__V1__ROLE__ROLE_CONTROLLER);
    steerd__v1__client_message__free_unpacked(message, NULL);
    fake_server_send_welcome(&server);
    fake_server_poll_until(client, STEERD_CLIENT_STATE_OPEN);
    const struct steerd_welcome *welcome = steerd_client_welcome(client);
    ck_assert_uint_eq(welcome->tick_rate_hz, 30);
    ck_assert_uint_eq(welcome->agents_max, FAKE_SERVER_AGENTS_MAX);
    ck_assert_float_eq(welcome->world_max_m.x, 50.0f);
    ck_assert_str_eq(welcome->server_version, "0.1.0");
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_nobody_there_is_one_sentence_that_names_the_address)
{
    struct steerd_client *client = steerd_client_create(&options);
    struct fake_server gone;
    fake_server_open(&gone);
    fake_server_close(&gone);
    ck_assert_int_eq(steerd_client_connect(client, gone.address, 2000, &fault), STATUS_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(fault.text, gone.address));
    ck_assert_ptr_nonnull(strstr(fault.text, "refused"));
    ck_assert_int_eq(steerd_client_descriptor(client), -1);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_server_that_says_nothing_ends_in_a_timeout)
{
    struct steerd_client *client = steerd_client_create(&options);
    ck_assert_int_eq(steerd_client_connect(client, server.address, 30, &fault), STATUS_DEADLINE_EXCEEDED);
    ck_assert_ptr_nonnull(strstr(fault.text, server.address));
    ck_assert_int_eq(steerd_client_state(client), STEERD_CLIENT_STATE_CLOSED);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_client_can_start_again_after_a_failure)
{
    struct steerd_client *client = fake_server_open_client(&server, &options);
    fake_server_hang_up(&server);
    ck_assert_int_eq(fake_server_poll_until_failed(client, &fault), STATUS_UNAVAILABLE);
    ck_assert_int_eq(steerd_client_poll(client, 0, &fault), STATUS_FAILED_PRECONDITION);
    ck_assert_int_eq(steerd_client_start(client, server.address, &fault), STATUS_OK);
    fake_server_accept(&server);
    fake_server_send_welcome(&server);
    fake_server_poll_until(client, STEERD_CLIENT_STATE_OPEN);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_everything_split_into_single_bytes_arrives)
{
    struct steerd_client *client = fake_server_open_client(&server, &options);
    Steerd__V1__Snapshot snapshot = STEERD__V1__SNAPSHOT__INIT;
    snapshot.tick = 300;
    snapshot.last = true;
    Steerd__V1__ServerMessage message = STEERD__V1__SERVER_MESSAGE__INIT;
    message.body_case = STEERD__V1__SERVER_MESSAGE__BODY_SNAPSHOT;
    message.snapshot = &snapshot;
    size_t size;
    uint8_t *frame = fake_server_frame(&message, &size);
    for (size_t i = 0; i < size; i++) {
        ck_assert_uint_eq(seen.snapshots, 0);
        fake_server_send_bytes(&server, frame + i, 1);
        ck_assert_int_eq(steerd_client_poll(client, 1000, &fault), STATUS_OK);
    }
    ck_assert_uint_eq(seen.snapshots, 1);
    ck_assert_uint_eq(seen.snapshot_size, size);
    ck_assert_uint_eq(steerd_mirror_tick(steerd_client_mirror(client)), 300);
    free(frame);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_snapshot_in_parts_shows_when_it_is_whole)
{
    struct steerd_client *client = fake_server_open_client(&server, &options);
    const struct steerd_mirror *mirror = steerd_client_mirror(client);
    size_t count;
    fake_server_send_snapshot(&server, 2, false, (uint32_t[]){1, 2}, 2);
    ck_assert_int_eq(steerd_client_poll(client, 1000, &fault), STATUS_OK);
    steerd_mirror_agents(mirror, &count);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(seen.snapshots, 0);
    fake_server_send_snapshot(&server, 2, true, (uint32_t[]){5}, 1);
    ck_assert_int_eq(steerd_client_poll(client, 1000, &fault), STATUS_OK);
    const struct steerd_agent *agents = steerd_mirror_agents(mirror, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(agents[2].id, 5);
    ck_assert_uint_eq(seen.snapshots, 1);
    const struct steerd_agent *agent = steerd_mirror_find_agent(mirror, 5);
    ck_assert_ptr_eq(agent, &agents[2]);
    ck_assert_float_eq(agent->position_m.x, 5.0f);
    ck_assert_float_eq(agent->position_m.y, -5.0f);
    ck_assert_uint_eq(agent->tag, 50);
    ck_assert_int_eq(agent->state, STEERD_AGENT_STATE_MOVING);
    ck_assert_ptr_null(steerd_mirror_find_agent(mirror, 4));
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_command_is_sent_with_a_fresh_id_and_its_result_comes_back)
{
    struct steerd_client *client = fake_server_open_client(&server, &options);
    uint64_t request_id;
    struct steerd_spawn spawn = {
        .position_m = {1.0f, 2.0f}, .tag = 9, .has_target = true, .target_m = {3.0f, 4.0f}};
    ck_assert_int_eq(steerd_client_spawn(client, &spawn, &request_id, &fault), STATUS_OK);
    Steerd__V1__ClientMessage *message = fake_server_receive(&server);
    ck_assert_int_eq(message->body_case, STEERD__V1__CLIENT_MESSAGE__BODY_SPAWN_AGENTS);
    ck_assert_uint_eq(message->request_id, request_id);
    ck_assert_float_eq(message->spawn_agents->agents[0]->point->y, 4.0f);
    steerd__v1__client_message__free_unpacked(message, NULL);
    fake_server_send_result(&server, request_id, STEERD__V1__CODE__OK, "");
    ck_assert_int_eq(steerd_client_poll(client, 1000, &fault), STATUS_OK);
    ck_assert_uint_eq(seen.results, 1);
    ck_assert_uint_eq(seen.request_id, request_id);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_request_returns_the_servers_code_and_words)
{
    struct steerd_client *client = fake_server_open_client(&server, &options);
    Steerd__V1__Query query = STEERD__V1__QUERY__INIT;
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    struct steerd_result result;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_QUERY;
    message.query = &query;
    fake_server_send_result(&server, 99, STEERD__V1__CODE__OK, ""); /* another's: not taken for it */
    fake_server_send_result(&server, 1, STEERD__V1__CODE__NOT_FOUND, "id 4 is not an agent");
    ck_assert_int_eq(steerd_client_request(client, &message, 2000, &result, &fault), STATUS_NOT_FOUND);
    ck_assert_str_eq(fault.text, "id 4 is not an agent");
    ck_assert_uint_eq(result.tick, 42);
    ck_assert_uint_eq(result.id_count, 2);
    ck_assert_int_eq(steerd_client_state(client), STEERD_CLIENT_STATE_OPEN);
    ck_assert_int_eq(steerd_client_request(client, &message, 30, &result, &fault), STATUS_DEADLINE_EXCEEDED);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_goodbye_is_told_with_code_reason_and_address)
{
    struct steerd_client *client = steerd_client_create(&options);
    ck_assert_int_eq(steerd_client_start(client, server.address, &fault), STATUS_OK);
    fake_server_accept(&server);
    fake_server_send_goodbye(&server, STEERD__V1__CODE__UNAUTHENTICATED, "the token is not known");
    fake_server_hang_up(&server);
    ck_assert_int_eq(fake_server_poll_until_failed(client, &fault), STATUS_UNAUTHENTICATED);
    ck_assert_ptr_nonnull(strstr(fault.text, server.address));
    ck_assert_ptr_nonnull(strstr(fault.text, "the token is not known"));
    ck_assert_uint_eq(steerd_client_retry_after_ms(client), 1500);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_broken_connection_is_no_signal_but_a_status)
{
    struct steerd_client *client = fake_server_open_client(&server, &options);
    fake_server_reset(&server);
    for (int i = 0; i < 3; i++) {
        /* SIGPIPE would end the test; the break shows in the next poll. */
        ck_assert_int_eq(steerd_client_drive(client, 1, vec2(1.0f, 0.0f), &fault), STATUS_OK);
    }
    ck_assert_int_eq(fake_server_poll_until_failed(client, &fault), STATUS_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(fault.text, server.address));
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_command_longer_than_the_server_reads_is_not_sent)
{
    struct steerd_client *client = fake_server_open_client(&server, &options);
    char profile[FAKE_SERVER_FRAME_BYTES_MAX + 1];
    memset(profile, 'p', sizeof profile);
    profile[sizeof profile - 1] = '\0';
    uint64_t sent = steerd_client_bytes_sent(client);
    struct steerd_spawn spawn = {.profile = profile};
    ck_assert_int_eq(steerd_client_spawn(client, &spawn, NULL, &fault), STATUS_RESOURCE_EXHAUSTED);
    ck_assert_ptr_nonnull(strstr(fault.text, "1000"));
    ck_assert_uint_eq(steerd_client_bytes_sent(client), sent);
    ck_assert(!steerd_client_wants_write(client));
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_server_that_does_not_read_fills_the_queue_and_no_more)
{
    struct steerd_client_options bounded = options;
    bounded.send_bytes_max = 2000;
    struct steerd_client *client = fake_server_open_client(&server, &bounded);
    enum status status = STATUS_OK;
    for (int i = 0; i < 10000000 && status == STATUS_OK; i++) {
        status = steerd_client_drive(client, 1, vec2(1.0f, 0.0f), &fault);
    }
    ck_assert_int_eq(status, STATUS_RESOURCE_EXHAUSTED);
    ck_assert_ptr_nonnull(strstr(fault.text, server.address));
    ck_assert(steerd_client_wants_write(client));
    ck_assert_int_eq(steerd_client_poll(client, 0, &fault), STATUS_OK);
    steerd_client_destroy(client);
}
END_TEST

/* Bytes from a server that is none, or is broken; each must end the connection with words and nothing worse.
 */
static const struct {
    const char *bytes;
    size_t size;
} garbage[] = {
    {"HTTP/1.1 400 Bad Request\r\n\r\n0123456789012345678901234567890123456789012345678901234567890123", 88},
    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10}, /* a length of ten bytes */
    {"\x80\x80\x80\x80\x08", 5},                      /* 2 GiB */
    {"\x02\x0a\x7f", 3},                              /* a Welcome cut off inside */
    {"\x04\xff\xff\xff\xff", 5},                      /* a tag that is none */
    {"\x02\x0a\x00", 3},                              /* an empty Welcome, and the second one */
    {"\x06\x32\x04\x18\x01\x2a\x00", 7},              /* a snapshot of an agent without an id */
    {"\x0a\x42\x08\x0a\x06\x0a\x04....", 11},         /* a shape cut short */
    {"\x08\x42\x06\x0a\x04\x08\x01\x1a\x00", 9},      /* a circle without a centre: legal, and then garbage */
};

START_TEST(test_garbage_ends_the_connection_with_words)
{
    struct steerd_client *client = fake_server_open_client(&server, &options);
    fake_server_send_bytes(&server, garbage[_i].bytes, garbage[_i].size);
    if (_i == 8) {
        ck_assert_int_eq(steerd_client_poll(client, 1000, &fault), STATUS_OK);
        fake_server_send_bytes(&server, "\x01\x07", 2);
    }
    ck_assert_int_eq(fake_server_poll_until_failed(client, &fault), STATUS_DATA_LOSS);
    ck_assert_ptr_nonnull(strstr(fault.text, server.address));
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_an_empty_frame_and_a_body_of_a_later_version_are_passed_over)
{
    struct steerd_client *client = fake_server_open_client(&server, &options);
    fake_server_send_bytes(&server, "\x00", 1);
    fake_server_send_bytes(&server, "\x04\xa2\x06\x01x", 5); /* field 100 */
    fake_server_send_snapshot(&server, 4, true, (uint32_t[]){1}, 1);
    for (int i = 0; i < 10 && seen.snapshots == 0; i++) {
        ck_assert_int_eq(steerd_client_poll(client, 100, &fault), STATUS_OK);
    }
    ck_assert_uint_eq(seen.snapshots, 1);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_a_push_before_welcome_is_refused)
{
    struct steerd_client *client = steerd_client_create(&options);
    ck_assert_int_eq(steerd_client_start(client, server.address, &fault), STATUS_OK);
    fake_server_accept(&server);
    fake_server_send_snapshot(&server, 4, true, (uint32_t[]){1}, 1);
    ck_assert_int_eq(fake_server_poll_until_failed(client, &fault), STATUS_DATA_LOSS);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_commands_before_welcome_are_not_sent)
{
    struct steerd_client *client = steerd_client_create(&options);
    ck_assert_int_eq(steerd_client_subscribe_whole(client, &fault), STATUS_FAILED_PRECONDITION);
    ck_assert_int_eq(steerd_client_start(client, server.address, &fault), STATUS_OK);
    ck_assert_int_eq(steerd_client_subscribe_whole(client, &fault), STATUS_FAILED_PRECONDITION);
    steerd_client_destroy(client);
}
END_TEST

START_TEST(test_clients_share_scratch_memory)
{
    struct steerd_client_options shared = options;
    shared.scratch = steerd_scratch_create();
    struct steerd_client *first = fake_server_open_client(&server, &shared);
    struct fake_server other;
    fake_server_open(&other);
    struct steerd_client *second = fake_server_open_client(&other, &shared);
    fake_server_send_snapshot(&server, 2, true, (uint32_t[]){1}, 1);
    fake_server_send_snapshot(&other, 2, true, (uint32_t[]){2}, 1);
    ck_assert_int_eq(steerd_client_poll(first, 1000, &fault), STATUS_OK);
    ck_assert_int_eq(steerd_client_poll(second, 1000, &fault), STATUS_OK);
    ck_assert_ptr_nonnull(steerd_mirror_find_agent(steerd_client_mirror(first), 1));
    ck_assert_ptr_nonnull(steerd_mirror_find_agent(steerd_client_mirror(second), 2));
    steerd_client_destroy(first);
    steerd_client_destroy(second);
    steerd_scratch_destroy(shared.scratch);
    fake_server_close(&other);
}
END_TEST

Suite *suite_client_connection(void)
{
    Suite *suite = suite_create("client_connection");
    TCase *greeting = tcase_create("greeting");
    tcase_add_checked_fixture(greeting, setup, teardown);
    tcase_add_test(greeting, test_hello_says_name_role_and_token_and_welcome_opens);
    tcase_add_test(greeting, test_nobody_there_is_one_sentence_that_names_the_address);
    tcase_add_test(greeting, test_a_server_that_says_nothing_ends_in_a_timeout);
    tcase_add_test(greeting, test_a_client_can_start_again_after_a_failure);
    tcase_add_test(greeting, test_a_push_before_welcome_is_refused);
    tcase_add_test(greeting, test_commands_before_welcome_are_not_sent);
    suite_add_tcase(suite, greeting);
    TCase *pushes = tcase_create("pushes");
    tcase_add_checked_fixture(pushes, setup, teardown);
    tcase_add_test(pushes, test_everything_split_into_single_bytes_arrives);
    tcase_add_test(pushes, test_a_snapshot_in_parts_shows_when_it_is_whole);
    tcase_add_test(pushes, test_an_empty_frame_and_a_body_of_a_later_version_are_passed_over);
    tcase_add_test(pushes, test_clients_share_scratch_memory);
    tcase_add_loop_test(pushes, test_garbage_ends_the_connection_with_words, 0,
                        sizeof garbage / sizeof garbage[0]);
    suite_add_tcase(suite, pushes);
    TCase *commands = tcase_create("commands");
    tcase_add_checked_fixture(commands, setup, teardown);
    tcase_add_test(commands, test_a_command_is_sent_with_a_fresh_id_and_its_result_comes_back);
    tcase_add_test(commands, test_a_request_returns_the_servers_code_and_words);
    tcase_add_test(commands, test_a_goodbye_is_told_with_code_reason_and_address);
    tcase_add_test(commands, test_a_broken_connection_is_no_signal_but_a_status);
    tcase_add_test(commands, test_a_command_longer_than_the_server_reads_is_not_sent);
    tcase_add_test(commands, test_a_server_that_does_not_read_fills_the_queue_and_no_more);
    suite_add_tcase(suite, commands);
    return suite;
}
