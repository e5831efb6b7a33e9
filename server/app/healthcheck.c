/*
 * steerd healthcheck: is there a server that answers and whose tick advances? One blocking connection, every
 * wait with a deadline; meant for containers and service managers.
 */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/endpoint.h"
#include "app/program.h"
#include "app/session.h"
#include "app/tokens.h"
#include "base/clock.h"
#include "base/option.h"

#define HEALTH_NS_PER_MS 1000000u

/* For connecting and for each answer. */
#define HEALTH_ANSWER_MS 2000

/* Ticks that a healthy server may take for the answer to a query and for one more tick. */
#define HEALTH_TICKS_WAITED 3

/* Answers to what is asked here are a few hundred bytes. */
#define HEALTH_FRAME_BYTES_MAX 65536

static const struct option_spec health_options[] = {
    {.name = "server",
     .kind = OPTION_TEXT,
     .value_name = "HOST:PORT",
     .default_text = "127.0.0.1:7400",
     .help = "Server to ask."},
    {.name = "token-file",
     .kind = OPTION_TEXT,
     .value_name = "FILE",
     .help = "File whose first word is a token that the server knows."},
};

#define HEALTH_OPTION_COUNT (sizeof health_options / sizeof health_options[0])

struct health {
    int descriptor;
    uint64_t deadline_ns; /* monotonic, of what is being waited for */
    uint8_t frame[HEALTH_FRAME_BYTES_MAX];
    Steerd__V1__ServerMessage *answer; /* the last one, NULL: none */
};

static enum status health_io_fault(struct fault *fault, const char *doing)
{
    return fault_set(fault, STATUS_UNAVAILABLE, "%s: %s", doing, strerror(errno));
}

/* Waits until the socket can be read or written. */
static enum status health_wait(struct health *health, short events, struct fault *fault)
{
    uint64_t now_ns = clock_monotonic_ns();
    struct pollfd poll_fd = {.fd = health->descriptor, .events = events};
    int wait_ms =
        now_ns >= health->deadline_ns ? 0 : (int)((health->deadline_ns - now_ns) / HEALTH_NS_PER_MS) + 1;
    int ready = poll(&poll_fd, 1, wait_ms);
    if (ready < 0 && errno != EINTR) {
        return health_io_fault(fault, "the connection cannot be waited for");
    }
    if (ready <= 0 && clock_monotonic_ns() >= health->deadline_ns) {
        return fault_set(fault, STATUS_DEADLINE_EXCEEDED, "no answer in time");
    }
    return STATUS_OK;
}

static void health_await(struct health *health, uint32_t timeout_ms)
{
    health->deadline_ns = clock_monotonic_ns() + (uint64_t)timeout_ms * HEALTH_NS_PER_MS;
}

static enum status health_connect_to(struct health *health, const struct addrinfo *address,
                                     struct fault *fault)
{
    health->descriptor = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (health->descriptor < 0) {
        return health_io_fault(fault, "no socket");
    }
    if (connect(health->descriptor, address->ai_addr, address->ai_addrlen) == 0) {
        return STATUS_OK;
    }
    if (errno != EINPROGRESS) {
        return health_io_fault(fault, "cannot connect");
    }
    enum status status = health_wait(health, POLLOUT, fault);
    int error = 0;
    socklen_t size = sizeof error;
    if (status == STATUS_OK && getsockopt(health->descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 &&
        error != 0) {
        errno = error;
        return health_io_fault(fault, "cannot connect");
    }
    return status;
}

static enum status health_connect(struct health *health, const struct endpoint *endpoint, struct fault *fault)
{
    char port[8];
    snprintf(port, sizeof port, "%u", endpoint->port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses = NULL;
    int error = getaddrinfo(endpoint->host[0] != '\0' ? endpoint->host : NULL, port, &hints, &addresses);
    if (error != 0) {
        return fault_set(fault, STATUS_UNAVAILABLE, "cannot connect: %s", gai_strerror(error));
    }
    enum status status = STATUS_UNAVAILABLE;
    for (const struct addrinfo *address = addresses; address != NULL && status != STATUS_OK;
         address = address->ai_next) {
        if (health->descriptor >= 0) {
            close(health->descriptor);
        }
        health_await(health, HEALTH_ANSWER_MS);
        status = health_connect_to(health, address, fault);
    }
    freeaddrinfo(addresses);
    return status;
}

static enum status health_send(struct health *health, const Steerd__V1__ClientMessage *message,
                               struct fault *fault)
{
    uint8_t bytes[2 + 1024];
    size_t size = steerd__v1__client_message__get_packed_size(message);
    if (size > sizeof bytes - 2) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "the request is too long");
    }
    bytes[0] =
        (uint8_t)(size & 0x7f) | 0x80; /* the length as a varint of two bytes: legal for short ones too */
    bytes[1] = (uint8_t)(size >> 7);
    size = 2 + steerd__v1__client_message__pack(message, bytes + 2);
    for (size_t sent = 0; sent < size;) {
        ssize_t count = send(health->descriptor, bytes + sent, size - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            return health_io_fault(fault, "the connection broke");
        }
        sent += count > 0 ? (size_t)count : 0;
        enum status status = count < 0 ? health_wait(health, POLLOUT, fault) : STATUS_OK;
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

static enum status health_read(struct health *health, uint8_t *bytes, size_t size, struct fault *fault)
{
    for (size_t got = 0; got < size;) {
        enum status status = health_wait(health, POLLIN, fault);
        if (status != STATUS_OK) {
            return status;
        }
        ssize_t count = recv(health->descriptor, bytes + got, size - got, 0);
        if (count == 0) {
            return fault_set(fault, STATUS_UNAVAILABLE, "the connection was closed");
        }
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            return health_io_fault(fault, "the connection broke");
        }
        got += count > 0 ? (size_t)count : 0;
    }
    return STATUS_OK;
}

/* The next message, into health->answer. */
static enum status health_receive(struct health *health, struct fault *fault)
{
    size_t size = 0;
    uint8_t byte = 0x80;
    for (uint32_t shift = 0; (byte & 0x80) != 0 && shift < 28; shift += 7) {
        enum status status = health_read(health, &byte, 1, fault);
        if (status != STATUS_OK) {
            return status;
        }
        size |= (size_t)(byte & 0x7f) << shift;
    }
    if ((byte & 0x80) != 0 || size > sizeof health->frame) {
        return fault_set(fault, STATUS_UNAVAILABLE, "what answers is no steerd");
    }
    enum status status = health_read(health, health->frame, size, fault);
    if (status != STATUS_OK) {
        return status;
    }
    if (health->answer != NULL) {
        steerd__v1__server_message__free_unpacked(health->answer, NULL);
    }
    health->answer = steerd__v1__server_message__unpack(NULL, size, health->frame);
    if (health->answer == NULL) {
        return fault_set(fault, STATUS_UNAVAILABLE, "what answers is no steerd");
    }
    if (health->answer->body_case == STEERD__V1__SERVER_MESSAGE__BODY_GOODBYE) {
        return fault_set(fault, STATUS_UNAVAILABLE, "it says Goodbye: %s (%s)",
                         health->answer->goodbye->reason,
                         status_name((enum status)health->answer->goodbye->code));
    }
    return STATUS_OK;
}

/* Messages until one of that kind. */
static enum status health_receive_kind(struct health *health, Steerd__V1__ServerMessage__BodyCase kind,
                                       struct fault *fault)
{
    enum status status;
    do {
        status = health_receive(health, fault);
    } while (status == STATUS_OK && health->answer->body_case != kind);
    return status;
}

static enum status health_greet(struct health *health, const char *token, struct fault *fault)
{
    Steerd__V1__Hello hello = STEERD__V1__HELLO__INIT;
    hello.protocol_version = SESSION_PROTOCOL_VERSION;
    hello.client_name = (char *)"steerd healthcheck";
    hello.role = STEERD__V1__ROLE__ROLE_VIEWER;
    hello.token = (char *)token;
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_HELLO;
    message.hello = &hello;
    health_await(health, HEALTH_ANSWER_MS);
    enum status status = health_send(health, &message, fault);
    return status != STATUS_OK ? status
                               : health_receive_kind(health, STEERD__V1__SERVER_MESSAGE__BODY_WELCOME, fault);
}

/* Asks for the tick at which the server answers, and whether time stands still. Only a server that ticks
 * answers. */
static enum status health_query(struct health *health, uint64_t *tick_out, bool *paused_out,
                                float *rate_hz_out, struct fault *fault)
{
    Steerd__V1__Query query = STEERD__V1__QUERY__INIT;
    query.stats = true;
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    message.request_id = 1;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_QUERY;
    message.query = &query;
    enum status status = health_send(health, &message, fault);
    if (status == STATUS_OK) {
        status = health_receive_kind(health, STEERD__V1__SERVER_MESSAGE__BODY_QUERY_RESULT, fault);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const Steerd__V1__Stats *stats = health->answer->query_result->stats;
    if (stats == NULL) {
        return fault_set(fault, STATUS_UNAVAILABLE, "its answer holds no figures");
    }
    *tick_out = stats->tick;
    *paused_out = stats->paused;
    *rate_hz_out = (float)stats->tick_rate_hz * stats->speed;
    return STATUS_OK;
}

/* The server refused this connection because it has as many as it may. */
static bool health_is_full(const struct health *health)
{
    return health->answer != NULL && health->answer->body_case == STEERD__V1__SERVER_MESSAGE__BODY_GOODBYE &&
           health->answer->goodbye->code == STEERD__V1__CODE__RESOURCE_EXHAUSTED;
}

static enum status health_check(struct health *health, const struct endpoint *endpoint, const char *token,
                                struct fault *fault)
{
    enum status status = health_connect(health, endpoint, fault);
    if (status == STATUS_OK) {
        status = health_greet(health, token, fault);
    }
    if (health_is_full(health)) {
        return STATUS_OK; /* a server that has as many clients as it may is not to be restarted for it */
    }
    if (status != STATUS_OK) {
        return status;
    }
    /* A server may tick once in ten seconds: then an answer takes as long. */
    float rate_hz = (float)health->answer->welcome->tick_rate_hz;
    uint64_t first_tick;
    uint64_t second_tick;
    bool paused;
    health_await(health, HEALTH_ANSWER_MS + (uint32_t)(10.0f * 1000.0f * HEALTH_TICKS_WAITED / rate_hz));
    status = health_query(health, &first_tick, &paused, &rate_hz, fault);
    if (status != STATUS_OK || paused) {
        return status;
    }
    health_await(health, HEALTH_ANSWER_MS + (uint32_t)(1000.0f * HEALTH_TICKS_WAITED / rate_hz));
    do {
        status = health_query(health, &second_tick, &paused, &rate_hz, fault);
    } while (status == STATUS_OK && !paused && second_tick == first_tick &&
             clock_monotonic_ns() < health->deadline_ns);
    if (status == STATUS_OK && !paused && second_tick == first_tick) {
        return fault_set(fault, STATUS_UNAVAILABLE, "its tick stands at %llu",
                         (unsigned long long)first_tick);
    }
    return status;
}

/* The first word of a file. */
static enum status health_read_token(const char *path, char *token, struct fault *fault)
{
    token[0] = '\0';
    if (path == NULL) {
        return STATUS_OK;
    }
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return fault_set(fault, STATUS_UNAVAILABLE, "%s cannot be read: %s", path, strerror(errno));
    }
    char format[16];
    snprintf(format, sizeof format, "%%%ds", TOKEN_BYTES_MAX);
    int words = fscanf(file, format, token);
    fclose(file);
    return words == 1 ? STATUS_OK : fault_set(fault, STATUS_INVALID_ARGUMENT, "%s holds no token", path);
}

static int health_run(const struct option_set *options)
{
    struct fault fault = {0};
    struct endpoint endpoint;
    char token[TOKEN_BYTES_MAX + 1];
    const char *server = option_set_text(options, "server");
    if (endpoint_parse(server, &endpoint, &fault) != STATUS_OK) {
        fault_prefix(&fault, "--server ");
        return program_fail(PROGRAM_EXIT_USAGE, &fault);
    }
    if (health_read_token(option_set_text(options, "token-file"), token, &fault) != STATUS_OK) {
        return program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    static struct health health = {.descriptor = -1};
    enum status status = health_check(&health, &endpoint, token, &fault);
    if (health.descriptor >= 0) {
        close(health.descriptor);
    }
    if (health.answer != NULL) {
        steerd__v1__server_message__free_unpacked(health.answer, NULL);
    }
    if (status != STATUS_OK) {
        fault_prefix(&fault, "%.100s is not healthy: ", server);
        return program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    printf("%s is healthy\n", server);
    return PROGRAM_EXIT_DONE;
}

int program_healthcheck(int argc, char **argv)
{
    static const struct program_form form = {
        .name = "healthcheck",
        .usage = "steerd healthcheck [--server HOST:PORT] [--token-file FILE]\n\n"
                 "Exit 0 when a server there answers and ticks (or is paused), 1 when not.",
        .options = health_options,
        .option_count = HEALTH_OPTION_COUNT,
        .run = health_run,
    };
    return program_run(&form, argc, argv);
}
