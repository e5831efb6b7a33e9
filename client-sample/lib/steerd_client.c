/*
 * The client's connection: TCP, Hello and Welcome, then commands out and pushes in. Bytes go through
 * steerd_frame.c, messages through steerd_receive.c into the mirror and the owner's handlers.
 */
#include "steerd_client.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/clock.h"
#include "steerd_address.h"
#include "steerd_client_internal.h"

#define STEERD_SEND_BYTES_MAX_DEFAULT (1u << 20)
#define STEERD_FRAME_BYTES_MAX_GREETING                                                                      \
    65536 /* nothing longer than a Welcome or Goodbye is due before Welcome */

struct steerd_client *steerd_client_create(const struct steerd_client_options *options)
{
    struct steerd_client *client = calloc(1, sizeof *client);
    if (client == NULL) {
        return NULL;
    }
    client->descriptor = -1;
    client->role = options->role;
    client->handlers = options->handlers;
    client->outbox.bytes_max =
        options->send_bytes_max == 0 ? STEERD_SEND_BYTES_MAX_DEFAULT : options->send_bytes_max;
    client->name = strdup(options->name == NULL ? "" : options->name);
    client->token = strdup(options->token == NULL ? "" : options->token);
    client->mirror = steerd_mirror_create();
    client->scratch = options->scratch;
    if (client->scratch == NULL) {
        client->scratch_own = steerd_scratch_create();
        client->scratch = client->scratch_own;
    }
    if (client->name == NULL || client->token == NULL || client->mirror == NULL || client->scratch == NULL) {
        steerd_client_destroy(client);
        return NULL;
    }
    return client;
}

void steerd_client_destroy(struct steerd_client *client)
{
    if (client != NULL) {
        steerd_client_close(client);
        steerd_mirror_destroy(client->mirror);
        steerd_scratch_destroy(client->scratch_own);
        free(client->name);
        free(client->token);
        free(client);
    }
}

void steerd_client_close(struct steerd_client *client)
{
    if (client->descriptor >= 0) {
        close(client->descriptor);
        client->descriptor = -1;
    }
    if (client->addresses != NULL) {
        freeaddrinfo(client->addresses);
        client->addresses = NULL;
    }
    steerd_inbox_deinit(&client->inbox);
    steerd_outbox_deinit(&client->outbox);
    client->state = STEERD_CLIENT_STATE_CLOSED;
}

/* Opens a socket to one address. Returns 0, also while it is under way, or an errno. */
static int steerd_client_dial(struct steerd_client *client, const struct addrinfo *address)
{
    int on = 1;
    client->descriptor = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (client->descriptor < 0) {
        return errno;
    }
    /* A command is small and wanted at once; without this a second one waits for the first one's
     * acknowledgement. */
    if (setsockopt(client->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
        (connect(client->descriptor, address->ai_addr, address->ai_addrlen) == 0 || errno == EINPROGRESS)) {
        return 0;
    }
    int error = errno;
    close(client->descriptor);
    client->descriptor = -1;
    return error;
}

/* Tries the addresses that are left; `error` is what became of the one before. Fails, closed, when there are
 * none. */
static enum status steerd_client_dial_next(struct steerd_client *client, int error, struct fault *fault)
{
    while (client->address_next != NULL) {
        const struct addrinfo *address = client->address_next;
        client->address_next = address->ai_next;
        error = steerd_client_dial(client, address);
        if (error == 0) {
            return STATUS_OK;
        }
    }
    enum status status = error == EMFILE || error == ENFILE || error == ENOMEM ? STATUS_RESOURCE_EXHAUSTED
                                                                               : STATUS_UNAVAILABLE;
    steerd_client_close(client);
    return fault_set(fault, status, "cannot connect to %s: %s", client->server, strerror(error));
}

/* Queues the Hello, which leaves as soon as the socket is connected. */
static enum status steerd_client_queue_hello(struct steerd_client *client, struct fault *fault)
{
    Steerd__V1__Hello hello = STEERD__V1__HELLO__INIT;
    hello.protocol_version = 1;
    hello.client_name = client->name;
    hello.role = client->role;
    hello.token = client->token;
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_HELLO;
    message.hello = &hello;
    uint8_t *payload =
        steerd_outbox_add(&client->outbox, steerd__v1__client_message__get_packed_size(&message));
    if (payload == NULL) {
        steerd_client_close(client);
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory to greet %s", client->server);
    }
    steerd__v1__client_message__pack(&message, payload);
    return STATUS_OK;
}

enum status steerd_client_start(struct steerd_client *client, const char *server, struct fault *fault)
{
    ASSERT(client->state == STEERD_CLIENT_STATE_CLOSED);
    struct steerd_address address;
    enum status status = steerd_address_parse(server, &address, fault);
    if (status != STATUS_OK) {
        return status;
    }
    ASSERT(strlen(server) < sizeof client->server);
    strcpy(client->server, server);
    status = steerd_address_resolve(&address, server, &client->addresses, fault);
    if (status != STATUS_OK) {
        return status;
    }
    client->welcome = (struct steerd_welcome){0};
    client->retry_after_ms = 0;
    client->inbox.frame_bytes_max = STEERD_FRAME_BYTES_MAX_GREETING;
    client->address_next = client->addresses;
    client->subscribed = false;
    client->snapshot_bytes = 0;
    status = steerd_client_dial_next(client, 0, fault);
    if (status != STATUS_OK) {
        return status;
    }
    client->state = STEERD_CLIENT_STATE_CONNECTING;
    return steerd_client_queue_hello(client, fault);
}

enum status steerd_client_fail(struct steerd_client *client, enum status status, struct fault *fault)
{
    fault_prefix(fault, "%s: ", client->server);
    steerd_client_close(client);
    return status;
}

/* A socket call failed for good, or the other side closed (errno 0). */
static enum status steerd_client_broken(struct steerd_client *client, int error, struct fault *fault)
{
    const char *when = client->state == STEERD_CLIENT_STATE_OPEN ? "" : " before it said Welcome";
    steerd_client_close(client);
    if (error == 0) {
        return fault_set(fault, STATUS_UNAVAILABLE, "%s closed the connection%s", client->server, when);
    }
    return fault_set(fault, STATUS_UNAVAILABLE, "the connection to %s broke%s: %s", client->server, when,
                     strerror(error));
}

/* Whether TCP has come about; while it has not, nothing else can be done. */
static enum status steerd_client_finish_connecting(struct steerd_client *client, bool *connected,
                                                   struct fault *fault)
{
    struct pollfd ready = {.fd = client->descriptor, .events = POLLOUT};
    *connected = false;
    if (poll(&ready, 1, 0) <= 0) {
        return STATUS_OK;
    }
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(client->descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
        error = errno;
    }
    if (error != 0) {
        close(client->descriptor);
        client->descriptor = -1;
        return steerd_client_dial_next(client, error, fault);
    }
    freeaddrinfo(client->addresses);
    client->addresses = NULL;
    client->state = STEERD_CLIENT_STATE_GREETING;
    *connected = true;
    return STATUS_OK;
}

/* Sends what waits, as far as the socket takes it. Returns 0 or an errno. */
static int steerd_client_flush(struct steerd_client *client)
{
    struct steerd_outbox *outbox = &client->outbox;
    while (!steerd_outbox_is_empty(outbox)) {
        ssize_t sent = send(client->descriptor, outbox->bytes + outbox->begin, outbox->end - outbox->begin,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : errno;
        }
        client->bytes_sent += (uint64_t)sent;
        steerd_outbox_consume(outbox, (size_t)sent);
    }
    return 0;
}

/* Reads once. *size: bytes read, 0 when nothing is there. */
static enum status steerd_client_read(struct steerd_client *client, size_t *size, struct fault *fault)
{
    size_t room;
    *size = 0;
    uint8_t *bytes = steerd_inbox_reserve(&client->inbox, &room);
    if (bytes == NULL) {
        fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory for what it sends");
        return steerd_client_fail(client, STATUS_RESOURCE_EXHAUSTED, fault);
    }
    ssize_t got;
    do {
        got = recv(client->descriptor, bytes, room, MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return errno == EAGAIN || errno == EWOULDBLOCK ? STATUS_OK
                                                       : steerd_client_broken(client, errno, fault);
    }
    if (got == 0) {
        return steerd_client_broken(client, 0, fault);
    }
    steerd_inbox_commit(&client->inbox, (size_t)got);
    client->bytes_received += (uint64_t)got;
    *size = (size_t)got;
    return STATUS_OK;
}

/* Hands on every frame that is whole. */
static enum status steerd_client_receive_frames(struct steerd_client *client, struct fault *fault)
{
    const uint8_t *payload;
    size_t size;
    for (;;) {
        size_t begin = client->inbox.begin;
        switch (steerd_inbox_next(&client->inbox, &payload, &size)) {
        case STEERD_FRAME_MORE:
            return STATUS_OK;
        case STEERD_FRAME_BAD:
            fault_set(fault, STATUS_DATA_LOSS, "sent a frame whose length is no varint of 5 bytes up to %zu",
                      client->inbox.frame_bytes_max);
            return steerd_client_fail(client, STATUS_DATA_LOSS, fault);
        case STEERD_FRAME_READY:
            break;
        }
        enum status status = steerd_client_receive(client, payload, size, client->inbox.begin - begin, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
}

enum status steerd_client_process(struct steerd_client *client, struct fault *fault)
{
    if (client->state == STEERD_CLIENT_STATE_CLOSED) {
        return fault_set(fault, STATUS_FAILED_PRECONDITION, "the connection to %s is closed",
                         client->server[0] == '\0' ? "a server" : client->server);
    }
    if (client->state == STEERD_CLIENT_STATE_CONNECTING) {
        bool connected;
        enum status status = steerd_client_finish_connecting(client, &connected, fault);
        if (status != STATUS_OK || !connected) {
            return status;
        }
    }
    /*
     * A failed write is not the end yet: the server's last words (a Goodbye) may lie in the receive buffer,
     * and say more than "broken pipe".
     */
    int write_error = steerd_client_flush(client);
    size_t total = 0;
    size_t size;
    do {
        enum status status = steerd_client_read(client, &size, fault);
        if (status == STATUS_OK) {
            status = steerd_client_receive_frames(client, fault);
        }
        if (status != STATUS_OK) {
            return status;
        }
        total += size;
    } while (size > 0 && total < STEERD_CLIENT_READ_BYTES_MAX);
    steerd_inbox_compact(&client->inbox);
    return write_error == 0 ? STATUS_OK : steerd_client_broken(client, write_error, fault);
}

enum status steerd_client_poll(struct steerd_client *client, int timeout_ms, struct fault *fault)
{
    if (client->state != STEERD_CLIENT_STATE_CLOSED && timeout_ms != 0) {
        struct pollfd ready = {.fd = client->descriptor,
                               .events = (short)((steerd_client_wants_read(client) ? POLLIN : 0) |
                                                 (steerd_client_wants_write(client) ? POLLOUT : 0))};
        if (poll(&ready, 1, timeout_ms) < 0 && errno != EINTR) {
            return steerd_client_broken(client, errno, fault);
        }
    }
    return steerd_client_process(client, fault);
}

/* Milliseconds until a deadline, rounded up; 0 when it has passed. */
static int steerd_client_remaining_ms(uint64_t deadline_ns)
{
    uint64_t now_ns = clock_monotonic_ns();
    return now_ns >= deadline_ns ? 0 : (int)((deadline_ns - now_ns + 999999) / 1000000);
}

enum status steerd_client_connect(struct steerd_client *client, const char *server, uint32_t timeout_ms,
                                  struct fault *fault)
{
    uint64_t deadline_ns = clock_monotonic_ns() + (uint64_t)timeout_ms * 1000000;
    enum status status = steerd_client_start(client, server, fault);
    while (status == STATUS_OK && client->state != STEERD_CLIENT_STATE_OPEN) {
        int remaining_ms = steerd_client_remaining_ms(deadline_ns);
        if (remaining_ms == 0) {
            const char *what = client->state == STEERD_CLIENT_STATE_GREETING ? "say Welcome" : "answer";
            steerd_client_close(client);
            return fault_set(fault, STATUS_DEADLINE_EXCEEDED, "%s did not %s within %.1f s", client->server,
                             what, timeout_ms / 1000.0);
        }
        status = steerd_client_poll(client, remaining_ms, fault);
    }
    return status;
}

enum status steerd_client_send(struct steerd_client *client, Steerd__V1__ClientMessage *message,
                               uint64_t *request_id_out, struct fault *fault)
{
    if (client->state != STEERD_CLIENT_STATE_OPEN) {
        return fault_set(fault, STATUS_FAILED_PRECONDITION, "the connection to %s is not open",
                         client->server);
    }
    if (request_id_out != NULL) {
        message->request_id = client->request_id_last + 1;
    }
    size_t size = steerd__v1__client_message__get_packed_size(message);
    if (size > client->welcome.client_frame_bytes_max) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "the command has %zu bytes: %s reads at most %u",
                         size, client->server, client->welcome.client_frame_bytes_max);
    }
    uint8_t *payload = steerd_outbox_add(&client->outbox, size);
    if (payload == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s does not keep up: %zu bytes wait to be sent",
                         client->server, client->outbox.end - client->outbox.begin);
    }
    steerd__v1__client_message__pack(message, payload);
    if (request_id_out != NULL) {
        client->request_id_last++;
        *request_id_out = message->request_id;
    }
    steerd_client_note_sent(client, message);
    /* An error shows again in the next poll, which reads the server's last words first. */
    (void)steerd_client_flush(client);
    return STATUS_OK;
}

enum status steerd_client_request(struct steerd_client *client, Steerd__V1__ClientMessage *message,
                                  uint32_t timeout_ms, struct steerd_result *result_out, struct fault *fault)
{
    uint64_t deadline_ns = clock_monotonic_ns() + (uint64_t)timeout_ms * 1000000;
    struct steerd_result result;
    uint64_t request_id;
    enum status status = steerd_client_send(client, message, &request_id, fault);
    if (status != STATUS_OK) {
        return status;
    }
    client->awaited = &result;
    client->awaited_id = request_id;
    while (status == STATUS_OK && client->awaited != NULL) {
        int remaining_ms = steerd_client_remaining_ms(deadline_ns);
        if (remaining_ms == 0) {
            status = fault_set(fault, STATUS_DEADLINE_EXCEEDED, "%s did not answer within %.1f s",
                               client->server, timeout_ms / 1000.0);
            break;
        }
        status = steerd_client_poll(client, remaining_ms, fault);
    }
    bool answered = client->awaited == NULL;
    client->awaited = NULL;
    if (!answered) {
        return status;
    }
    if (result_out != NULL) {
        *result_out = result;
    }
    return result.code == STATUS_OK ? STATUS_OK : fault_set(fault, result.code, "%s", result.message);
}

enum steerd_client_state steerd_client_state(const struct steerd_client *client)
{
    return client->state;
}

const struct steerd_welcome *steerd_client_welcome(const struct steerd_client *client)
{
    return &client->welcome;
}

const struct steerd_mirror *steerd_client_mirror(const struct steerd_client *client)
{
    return client->mirror;
}

uint32_t steerd_client_retry_after_ms(const struct steerd_client *client)
{
    return client->retry_after_ms;
}

uint64_t steerd_client_bytes_received(const struct steerd_client *client)
{
    return client->bytes_received;
}

uint64_t steerd_client_bytes_sent(const struct steerd_client *client)
{
    return client->bytes_sent;
}

int steerd_client_descriptor(const struct steerd_client *client)
{
    return client->descriptor;
}

bool steerd_client_wants_read(const struct steerd_client *client)
{
    return client->state >= STEERD_CLIENT_STATE_GREETING;
}

bool steerd_client_wants_write(const struct steerd_client *client)
{
    return client->state == STEERD_CLIENT_STATE_CONNECTING || !steerd_outbox_is_empty(&client->outbox);
}
