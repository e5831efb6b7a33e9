/* The server's side of the client tests. */
#include "fake_server.h"

#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void fake_server_open(struct fake_server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    server->peer = -1;
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(server->listener, 0);
    ck_assert_int_eq(bind(server->listener, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(server->listener, 8), 0);
    ck_assert_int_eq(getsockname(server->listener, (struct sockaddr *)&address, &size), 0);
    snprintf(server->address, sizeof server->address, "127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
}

void fake_server_close(struct fake_server *server)
{
    if (server->peer >= 0) {
        close(server->peer);
    }
    close(server->listener);
}

void fake_server_accept(struct fake_server *server)
{
    struct timeval limit = {.tv_sec = 5};
    server->peer = accept(server->listener, NULL, NULL);
    ck_assert_int_ge(server->peer, 0);
    ck_assert_int_eq(setsockopt(server->peer, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
}

void fake_server_hang_up(struct fake_server *server)
{
    close(server->peer);
    server->peer = -1;
}

void fake_server_reset(struct fake_server *server)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    ck_assert_int_eq(setsockopt(server->peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
    fake_server_hang_up(server);
}

void fake_server_send_bytes(struct fake_server *server, const void *bytes, size_t size)
{
    ck_assert_int_eq(send(server->peer, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
}

uint8_t *fake_server_frame(const Steerd__V1__ServerMessage *message, size_t *size)
{
    size_t payload = steerd__v1__server_message__get_packed_size(message);
    uint8_t *bytes = malloc(payload + 5);
    size_t header = 0;
    size_t rest = payload;
    ck_assert_ptr_nonnull(bytes);
    for (; rest > 0x7f; rest >>= 7) {
        bytes[header++] = (uint8_t)(rest | 0x80);
    }
    bytes[header++] = (uint8_t)rest;
    *size = header + steerd__v1__server_message__pack(message, bytes + header);
    return bytes;
}

void fake_server_send(struct fake_server *server, const Steerd__V1__ServerMessage *message)
{
    size_t size;
    uint8_t *bytes = fake_server_frame(message, &size);
    fake_server_send_bytes(server, bytes, size);
    free(bytes);
}

Steerd__V1__ClientMessage *fake_server_receive(struct fake_server *server)
{
    size_t size = 0;
    uint8_t byte;
    int shift = 0;
    do {
        ck_assert_int_eq(recv(server->peer, &byte, 1, MSG_WAITALL), 1);
        size |= (size_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) != 0 && shift < 35);
    uint8_t *bytes = malloc(size + 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_int_eq(recv(server->peer, bytes, size, MSG_WAITALL), (ssize_t)size);
    Steerd__V1__ClientMessage *message = steerd__v1__client_message__unpack(NULL, size, bytes);
    ck_assert_ptr_nonnull(message);
    free(bytes);
    return message;
}

void fake_server_send_welcome(struct fake_server *server)
{
    Steerd__V1__Vec2 min = STEERD__V1__VEC2__INIT;
    Steerd__V1__Vec2 max = STEERD__V1__VEC2__INIT;
    min.x = min.y = -50.0f;
    max.x = max.y = 50.0f;
    Steerd__V1__Welcome welcome = STEERD__V1__WELCOME__INIT;
    welcome.protocol_version = 1;
    welcome.server_version = (char *)"0.1.0";
    welcome.session_id = 7;
    welcome.role = STEERD__V1__ROLE__ROLE_CONTROLLER;
    welcome.tick_rate_hz = 30;
    welcome.snapshot_interval_ticks = 2;
    welcome.world_min = &min;
    welcome.world_max = &max;
    welcome.client_frame_bytes_max = FAKE_SERVER_FRAME_BYTES_MAX;
    welcome.server_frame_bytes_max = FAKE_SERVER_FRAME_BYTES_MAX;
    welcome.agents_max = FAKE_SERVER_AGENTS_MAX;
    Steerd__V1__ServerMessage message = STEERD__V1__SERVER_MESSAGE__INIT;
    message.body_case = STEERD__V1__SERVER_MESSAGE__BODY_WELCOME;
    message.welcome = &welcome;
    fake_server_send(server, &message);
}

void fake_server_send_goodbye(struct fake_server *server, Steerd__V1__Code code, const char *reason)
{
    Steerd__V1__Goodbye goodbye = STEERD__V1__GOODBYE__INIT;
    goodbye.code = code;
    goodbye.reason = (char *)reason;
    goodbye.retry_after_ms = 1500;
    Steerd__V1__ServerMessage message = STEERD__V1__SERVER_MESSAGE__INIT;
    message.body_case = STEERD__V1__SERVER_MESSAGE__BODY_GOODBYE;
    message.goodbye = &goodbye;
    fake_server_send(server, &message);
}

void fake_server_send_result(struct fake_server *server, uint64_t request_id, Steerd__V1__Code code,
                             const char *text)
{
    Steerd__V1__CommandResult result = STEERD__V1__COMMAND_RESULT__INIT;
    result.request_id = request_id;
    result.code = code;
    result.message = (char *)text;
    result.tick = 42;
    result.first_id = 3;
    result.id_count = 2;
    Steerd__V1__ServerMessage message = STEERD__V1__SERVER_MESSAGE__INIT;
    message.body_case = STEERD__V1__SERVER_MESSAGE__BODY_RESULT;
    message.result = &result;
    fake_server_send(server, &message);
}

void fake_server_send_snapshot(struct fake_server *server, uint64_t tick, bool last, const uint32_t *ids,
                               size_t count)
{
    Steerd__V1__AgentState agents[16];
    Steerd__V1__AgentState *pointers[16];
    Steerd__V1__Vec2 positions[16];
    ck_assert_uint_le(count, 16);
    for (size_t i = 0; i < count; i++) {
        steerd__v1__vec2__init(&positions[i]);
        positions[i].x = (float)ids[i];
        positions[i].y = -(float)ids[i];
        steerd__v1__agent_state__init(&agents[i]);
        agents[i].id = ids[i];
        agents[i].tag = ids[i] * 10u;
        agents[i].radius = 0.4f;
        agents[i].state = STEERD__V1__AGENT_STATE__STATE__MOVING;
        agents[i].position = &positions[i];
        pointers[i] = &agents[i];
    }
    Steerd__V1__Snapshot snapshot = STEERD__V1__SNAPSHOT__INIT;
    snapshot.tick = tick;
    snapshot.server_time_us = tick * 1000;
    snapshot.last = last;
    snapshot.n_agents = count;
    snapshot.agents = pointers;
    Steerd__V1__ServerMessage message = STEERD__V1__SERVER_MESSAGE__INIT;
    message.body_case = STEERD__V1__SERVER_MESSAGE__BODY_SNAPSHOT;
    message.snapshot = &snapshot;
    fake_server_send(server, &message);
}

void fake_server_poll_until(struct steerd_client *client, enum steerd_client_state state)
{
    struct fault fault = {0};
    for (int i = 0; i < 20 && steerd_client_state(client) != state; i++) {
        ck_assert_msg(steerd_client_poll(client, 100, &fault) == STATUS_OK, "%s", fault.text);
    }
    ck_assert_int_eq(steerd_client_state(client), state);
}

enum status fake_server_poll_until_failed(struct steerd_client *client, struct fault *fault)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < 20 && status == STATUS_OK; i++) {
        status = steerd_client_poll(client, 100, fault);
    }
    ck_assert_int_eq(steerd_client_state(client), STEERD_CLIENT_STATE_CLOSED);
    return status;
}

struct steerd_client *fake_server_open_client(struct fake_server *server,
                                              const struct steerd_client_options *options)
{
    struct fault fault = {0};
    struct steerd_client *client = steerd_client_create(options);
    ck_assert_ptr_nonnull(client);
    ck_assert_msg(steerd_client_start(client, server->address, &fault) == STATUS_OK, "%s", fault.text);
    fake_server_poll_until(client, STEERD_CLIENT_STATE_GREETING);
    fake_server_accept(server);
    Steerd__V1__ClientMessage *hello = fake_server_receive(server);
    ck_assert_int_eq(hello->body_case, STEERD__V1__CLIENT_MESSAGE__BODY_HELLO);
    steerd__v1__client_message__free_unpacked(hello, NULL);
    fake_server_send_welcome(server);
    fake_server_poll_until(client, STEERD_CLIENT_STATE_OPEN);
    return client;
}
