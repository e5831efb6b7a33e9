#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "base/vec2.h"
#include "steerd/v1/steerd.pb-c.h"
#include "steerd_mirror.h"
#include "steerd_scratch.h"

/*
 * A client of steerd for a program that has its own main loop: one socket, no thread, no global state.
 * Connect, send commands, and once a frame poll, which reads what has come, calls back and brings the mirror
 * up to date.
 *
 *     struct fault fault = {0};
 *     struct steerd_client *client = steerd_client_create(
 *         &(struct steerd_client_options){.name = "my-game", .role = STEERD__V1__ROLE__ROLE_CONTROLLER});
 *     if (steerd_client_connect(client, "127.0.0.1:7400", 2000, &fault) != STATUS_OK) { puts(fault.text); ...
 * } steerd_client_subscribe_whole(client, &fault);              (steerd_commands.h) while (game_runs()) { if
 * (steerd_client_poll(client, 0, &fault) != STATUS_OK) { puts(fault.text); break; } const struct steerd_agent
 * *agents = steerd_mirror_agents(steerd_client_mirror(client), &count);
 *         ...
 *     }
 *     steerd_client_destroy(client);
 *
 * Every failure is a status and one sentence that names the server. A client belongs to one thread at a time;
 * many clients may live in one process, on one thread or several. Connected it takes some 1 KiB, a read
 * buffer of 4 KiB and more while a longer frame comes, twice its view (48 bytes an agent), and 32 KiB to
 * decode with unless it shares that (steerd_client_options.scratch).
 */
struct steerd_client;

/* Where a connection stands. It only moves down this list; steerd_client_start begins anew. */
enum steerd_client_state {
    STEERD_CLIENT_STATE_CLOSED,     /* never started, or ended */
    STEERD_CLIENT_STATE_CONNECTING, /* TCP is on its way */
    STEERD_CLIENT_STATE_GREETING,   /* Hello is on its way, Welcome has not come */
    STEERD_CLIENT_STATE_OPEN,       /* commands may be sent */
};

/*
 * What the client tells its owner, from inside steerd_client_poll, _process, _request and _connect. Each may
 * be NULL. Messages and the mirror are borrowed for the call. A handler may send; it must not poll, close or
 * destroy.
 */
struct steerd_client_handlers {
    void *context; /* borrowed, handed to each */
    void (*on_result)(void *context, const Steerd__V1__CommandResult *result);
    void (*on_query_result)(void *context, const Steerd__V1__QueryResult *piece);
    /* A whole snapshot is in the mirror; `size` bytes of frames, lengths included, brought it. */
    void (*on_snapshot)(void *context, const struct steerd_mirror *mirror, size_t size);
    void (*on_events)(void *context, const Steerd__V1__Events *events);
    void (*on_pong)(void *context, const Steerd__V1__Pong *pong);
};

struct steerd_client_options {
    const char *name;      /* for the server's log, at most 64 bytes; copied; NULL is empty */
    const char *token;     /* the secret that grants a role; copied; NULL where none is asked for */
    Steerd__V1__Role role; /* what to ask for; 0: viewer. The one granted: steerd_client_welcome */
    struct steerd_client_handlers handlers;
    struct steerd_scratch
        *scratch;          /* decoding memory shared by clients of one thread, borrowed; NULL: its own */
    size_t send_bytes_max; /* what may wait to be sent; 0: 1 MiB */
};

/* What the server said of itself: every rate and limit. All zero before STEERD_CLIENT_STATE_OPEN. */
struct steerd_welcome {
    char server_version[32];
    uint32_t session_id;
    Steerd__V1__Role role; /* granted; may be lower than asked for */
    uint32_t tick_rate_hz;
    uint32_t snapshot_interval_ticks;
    uint64_t tick;
    struct vec2 world_min_m;
    struct vec2 world_max_m;
    uint32_t client_frame_bytes_max;
    uint32_t server_frame_bytes_max;
    uint32_t agents_max;
};

/* What came of a command. */
struct steerd_result {
    enum status code;              /* the server's; the numbers are the same */
    char message[FAULT_TEXT_SIZE]; /* empty with STATUS_OK; cut when longer */
    uint64_t tick;                 /* the tick whose step first saw it */
    uint32_t first_id;             /* of what it made; 0: nothing */
    uint32_t id_count;             /* consecutive ids */
};

/* NULL when there is no memory. */
struct steerd_client *steerd_client_create(const struct steerd_client_options *options);

/* Closes and frees. Accepts NULL. */
void steerd_client_destroy(struct steerd_client *client);

/*
 * Starts to connect and returns at once (a host name, unlike digits, is looked up first, which may take a
 * moment). Poll until steerd_client_state is STEERD_CLIENT_STATE_OPEN. The client must be closed.
 *
 * server  HOST:PORT or [IPV6]:PORT, borrowed for the call
 *
 * Fails, and is closed: INVALID_ARGUMENT (no such form), UNAVAILABLE (no such host, refused),
 * RESOURCE_EXHAUSTED (no descriptor, no memory).
 */
MUST_CHECK enum status steerd_client_start(struct steerd_client *client, const char *server,
                                           struct fault *fault);

/*
 * Connects and waits for the Welcome.
 *
 * timeout_ms  for all of it, at least 1
 *
 * Fails, and is closed: as steerd_client_start and steerd_client_process, and DEADLINE_EXCEEDED.
 */
MUST_CHECK enum status steerd_client_connect(struct steerd_client *client, const char *server,
                                             uint32_t timeout_ms, struct fault *fault);

/* Ends the connection at once; what was not sent is lost. The mirror stays readable. */
void steerd_client_close(struct steerd_client *client);

enum steerd_client_state steerd_client_state(const struct steerd_client *client);
const struct steerd_welcome *steerd_client_welcome(const struct steerd_client *client);
const struct steerd_mirror *steerd_client_mirror(const struct steerd_client *client);

/* When the server ended the connection: after how many ms to try again; 0: not by itself. */
uint32_t steerd_client_retry_after_ms(const struct steerd_client *client);

/* Bytes since the start, lengths of frames included. */
uint64_t steerd_client_bytes_received(const struct steerd_client *client);
uint64_t steerd_client_bytes_sent(const struct steerd_client *client);

/*
 * Sends a command. It is copied into the queue and, as far as the socket takes it, sent at once.
 *
 * message         borrowed; its request_id is overwritten when request_id_out is given
 * request_id_out  a fresh number, for on_result to compare with; NULL: message->request_id is sent as it is
 *                 (0: no answer unless it fails)
 *
 * Fails: FAILED_PRECONDITION (not open), RESOURCE_EXHAUSTED (longer than the server reads, or the queue is
 * full: nothing is sent, poll and try again). A connection that broke shows in the next poll.
 */
MUST_CHECK enum status steerd_client_send(struct steerd_client *client, Steerd__V1__ClientMessage *message,
                                          uint64_t *request_id_out, struct fault *fault);

/*
 * Sends a command and polls until its result is there; meanwhile everything else is handled as usual.
 *
 * result_out  may be NULL; filled when the server answered, also with a refusal
 *
 * Fails: as steerd_client_send and steerd_client_process; DEADLINE_EXCEEDED; or, when the server refused, its
 * code and words.
 */
MUST_CHECK enum status steerd_client_request(struct steerd_client *client, Steerd__V1__ClientMessage *message,
                                             uint32_t timeout_ms, struct steerd_result *result_out,
                                             struct fault *fault);

/*
 * Waits until there is something to do, at most timeout_ms (0: not at all, -1: for ever), and does it: sends
 * what waits, reads what is there (STEERD_CLIENT_READ_BYTES_MAX at most), calls back. A signal ends the wait
 * early.
 *
 * Fails, and is closed: as steerd_client_process.
 */
MUST_CHECK enum status steerd_client_poll(struct steerd_client *client, int timeout_ms, struct fault *fault);

#define STEERD_CLIENT_READ_BYTES_MAX                                                                         \
    (8u << 20) /* two of the server's longest frames: one poll ends, whatever comes */

/*
 * For an event loop of your own: wait on the descriptor for what is wanted, then call steerd_client_process.
 * The descriptor is -1 when closed, and may become another one while STEERD_CLIENT_STATE_CONNECTING (a host
 * with several addresses): ask again after each call.
 */
int steerd_client_descriptor(const struct steerd_client *client);
bool steerd_client_wants_read(const struct steerd_client *client);
bool steerd_client_wants_write(const struct steerd_client *client);

/*
 * Does what can be done without waiting; harmless when nothing can be.
 *
 * Fails, and is closed: UNAVAILABLE (refused, broken, ended), DATA_LOSS (what came breaks the contract),
 * RESOURCE_EXHAUSTED (no memory), the code of a Goodbye with its reason, FAILED_PRECONDITION (was closed
 * before).
 */
MUST_CHECK enum status steerd_client_process(struct steerd_client *client, struct fault *fault);
