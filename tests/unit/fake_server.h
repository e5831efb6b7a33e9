#pragma once

#include <stddef.h>
#include <stdint.h>

#include "steerd/v1/steerd.pb-c.h"
#include "steerd_client.h"

/*
 * The other end of a client under test, on a loopback socket and in the same thread: it does only what a test
 * tells it to. Everything that goes wrong in it fails the test.
 */
struct fake_server {
    int listener;
    int peer;         /* the accepted client, or -1 */
    char address[32]; /* for steerd_client_start */
};

void fake_server_open(struct fake_server *server);
void fake_server_close(struct fake_server *server);

/* Takes the client that has connected. */
void fake_server_accept(struct fake_server *server);

/* Ends the peer: orderly, or with a reset. */
void fake_server_hang_up(struct fake_server *server);
void fake_server_reset(struct fake_server *server);

void fake_server_send_bytes(struct fake_server *server, const void *bytes, size_t size);
void fake_server_send(struct fake_server *server, const Steerd__V1__ServerMessage *message);

/* A frame with its length, from malloc. */
uint8_t *fake_server_frame(const Steerd__V1__ServerMessage *message, size_t *size);

/* The next message of the client, which must have been sent; free it with ..._free_unpacked. */
Steerd__V1__ClientMessage *fake_server_receive(struct fake_server *server);

void fake_server_send_welcome(struct fake_server *server);
void fake_server_send_goodbye(struct fake_server *server, Steerd__V1__Code code, const char *reason);
void fake_server_send_result(struct fake_server *server, uint64_t request_id, Steerd__V1__Code code,
                             const char *text);

#define FAKE_SERVER_FRAME_BYTES_MAX 1000 /* of the Welcome, both ways */
#define FAKE_SERVER_AGENTS_MAX      5

/* One snapshot message with agents of these ids, agent i at (id, -id). */
void fake_server_send_snapshot(struct fake_server *server, uint64_t tick, bool last, const uint32_t *ids,
                               size_t count);

/* A client that is connected, welcomed and open. */
struct steerd_client *fake_server_open_client(struct fake_server *server,
                                              const struct steerd_client_options *options);

/* Polls until the state is reached; the test fails when it is not, within two seconds. */
void fake_server_poll_until(struct steerd_client *client, enum steerd_client_state state);

/* Polls until the client fails, within two seconds; returns the status. */
enum status fake_server_poll_until_failed(struct steerd_client *client, struct fault *fault);
