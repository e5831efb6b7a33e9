/*
 * From sockets to the inbox: connections become sessions; whole frames become messages, those become commands
 * that wait for the next tick. Hello and Ping are answered here and now; so is everything that is refused.
 */
#include "app/receive.h"

#include <stdio.h>
#include <string.h>

#include "app/deliver.h"
#include "app/parts.h"
#include "app/session_ops.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "wire/message.h"

/* Time for a Hello (protocol.md). */
#define RECEIVE_HELLO_TIMEOUT_NS 5000000000u

/* When a client that found the server full should try again. */
#define RECEIVE_RETRY_FULL_MS 1000

/* What the delta stream will use; announced from the start so that clients can size their tables. */
#define RECEIVE_CELL_SIZE_M       16.0f
#define RECEIVE_POSITION_STEP_M   0.01f
#define RECEIVE_ORIENTATION_STEPS 256

/* ---- endings ---- */

static void receive_say_goodbye(struct server *server, struct net_conn *conn, enum status code,
                                const char *reason, uint32_t retry_after_ms)
{
    struct blob *blob = message_encode_goodbye(server->message_blobs, code, reason, retry_after_ms);
    if (blob != NULL) { /* else it ends without a word: there is no room for one */
        net_conn_send(conn, &blob, 1, true);
        blob_release(blob);
    }
    net_conn_close(conn);
}

/* What a session holds of others' is given up; its slot stays until the connection is gone. */
static void receive_let_go(struct server *server, struct session *session)
{
    session_ops_drop_view(server, session);
    while (session->queries != NULL) {
        session_pop_query(&server->sessions, session);
    }
    if (session->owns) {
        inbox_add_departure(&server->inbox, session->ref.id);
        session->owns = false;
    }
}

void receive_end_session(struct server *server, struct session *session, enum status code, const char *reason,
                         uint32_t retry_after_ms)
{
    if (session->state == SESSION_STATE_CLOSING) {
        return;
    }
    session_move(session, SESSION_STATE_CLOSING);
    receive_let_go(server, session);
    receive_say_goodbye(server, session->conn, code, reason, retry_after_ms);
}

/* Ends a session for what it did, or did not do. */
static void receive_end_faulty(struct server *server, struct session *session, enum status code,
                               const char *reason)
{
    log_line(LOG_LEVEL_INFO, "client refused", LOG_UINT("session", session->ref.id),
             LOG_TEXT("address", net_conn_address(session->conn)), LOG_TEXT("code", status_name(code)),
             LOG_TEXT("reason", reason));
    receive_end_session(server, session, code, reason, 0);
}

void receive_end_silent_sessions(struct server *server)
{
    uint64_t now_ns = clock_monotonic_ns();
    for (uint32_t i = 0; i < server->sessions.config.sessions_max; i++) {
        struct session *session = &server->sessions.slots[i];
        if (session->state == SESSION_STATE_CONNECTED &&
            now_ns - session->connected_ns >= RECEIVE_HELLO_TIMEOUT_NS) {
            server->stats.sessions_faulted++;
            receive_end_faulty(server, session, STATUS_DEADLINE_EXCEEDED, "no Hello came within 5 s");
        }
    }
}

/* ---- Hello and Ping ---- */

static void receive_welcome(struct server *server, struct session *session)
{
    const struct server_config *config = &server->config;
    Steerd__V1__Vec2 world_min = STEERD__V1__VEC2__INIT;
    Steerd__V1__Vec2 world_max = STEERD__V1__VEC2__INIT;
    world_min.x = config->world.min_m.x;
    world_min.y = config->world.min_m.y;
    world_max.x = config->world.max_m.x;
    world_max.y = config->world.max_m.y;
    Steerd__V1__Welcome welcome = STEERD__V1__WELCOME__INIT;
    welcome.protocol_version = SESSION_PROTOCOL_VERSION;
    welcome.server_version = (char *)STEERD_VERSION;
    welcome.session_id = session->ref.id;
    welcome.role = session->role;
    welcome.tick_rate_hz = config->world.tick_rate_hz;
    welcome.snapshot_interval_ticks = config->snapshot_interval_ticks;
    welcome.tick = server->tick.last_finished;
    welcome.world_min = &world_min;
    welcome.world_max = &world_max;
    welcome.cell_size_m = RECEIVE_CELL_SIZE_M;
    welcome.position_step_m = RECEIVE_POSITION_STEP_M;
    welcome.orientation_steps = RECEIVE_ORIENTATION_STEPS;
    welcome.client_frame_bytes_max = (uint32_t)config->client_frame_bytes_max;
    welcome.server_frame_bytes_max = (uint32_t)config->server_frame_bytes_max;
    welcome.agents_max = config->world.agents_max;
    welcome.state_digest_algorithm = (char *)"XXH3-64";
    Steerd__V1__ServerMessage message = STEERD__V1__SERVER_MESSAGE__INIT;
    message.body_case = STEERD__V1__SERVER_MESSAGE__BODY_WELCOME;
    message.welcome = &welcome;
    deliver_message(server, session, &message);
}

static void receive_hello(struct server *server, struct session *session, const Steerd__V1__Hello *hello)
{
    struct fault fault = {0};
    if (session->state != SESSION_STATE_CONNECTED) {
        server->stats.sessions_faulted++;
        receive_end_faulty(server, session, STATUS_FAILED_PRECONDITION,
                           "a second Hello: one opens the session");
        return;
    }
    if (session_check_hello(hello, &fault) != STATUS_OK) {
        server->stats.sessions_faulted++;
        receive_end_faulty(server, session, fault.status, fault.text);
        return;
    }
    Steerd__V1__Role granted = STEERD__V1__ROLE__ROLE_ADMIN;
    if (server->tokens != NULL) {
        granted = token_set_role(server->tokens, hello->token);
    }
    if (granted == STEERD__V1__ROLE__ROLE_UNSPECIFIED) {
        server->stats.sessions_refused++;
        receive_end_faulty(server, session, STATUS_UNAUTHENTICATED,
                           hello->token[0] == '\0' ? "this server asks for a token"
                                                   : "the token is not known");
        return;
    }
    session->role = token_lower_role(hello->role, granted);
    memcpy(session->name, hello->client_name, strlen(hello->client_name) + 1);
    session_move(session, SESSION_STATE_GREETED);
    log_line(LOG_LEVEL_INFO, "client greeted", LOG_UINT("session", session->ref.id),
             LOG_TEXT("address", net_conn_address(session->conn)), LOG_TEXT("name", session->name),
             LOG_TEXT("role", session_role_name(session->role)));
    receive_welcome(server, session);
}

static void receive_ping(struct server *server, struct session *session, const Steerd__V1__Ping *ping)
{
    struct blob *blob = message_encode_pong(server->message_blobs, ping->client_time_us, clock_wall_us(),
                                            server->tick.last_finished);
    if (blob != NULL) {
        net_conn_send_first(session->conn, blob);
        blob_release(blob);
    }
}

/* ---- commands ---- */

/* True when what the command makes is to leave with the session. */
static bool receive_makes_owned(const Steerd__V1__ClientMessage *message)
{
    return (message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_SPAWN_AGENTS &&
            message->spawn_agents->owned) ||
           (message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_SPAWN_CROWD &&
            message->spawn_crowd->owned);
}

static void receive_refuse(struct server *server, struct session *session, uint64_t request_id,
                           const struct fault *fault)
{
    server->stats.commands_failed++;
    struct delivery delivery = {.request_id = request_id, .tick = server->tick.last_finished};
    deliver_result(server, session, &delivery, fault);
}

/*
 * A message of a greeted session. bytes: of its memory in the inbox's arena; 0: it is elsewhere and cannot
 * wait there. Returns whether it does.
 */
static bool receive_message(struct server *server, struct session *session,
                            const Steerd__V1__ClientMessage *message, size_t bytes)
{
    const struct command_info *info = command_find(message->body_case);
    ASSERT(info != NULL); /* message_decode knows the same bodies */
    struct fault fault = {0};
    if (session_check_role(session->role, info, &fault) != STATUS_OK) {
        receive_refuse(server, session, message->request_id, &fault);
        return false;
    }
    if (message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_HELLO) {
        receive_hello(server, session, message->hello);
        return false;
    }
    if (message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_PING) {
        receive_ping(server, session, message->ping);
        return false;
    }
    struct inbox_entry entry = {
        .session = session->ref,
        .request_id = message->request_id,
        .info = info,
        .message = message,
    };
    enum status status = bytes > 0 ? inbox_add(&server->inbox, &entry, bytes, &session->inbox_share, &fault)
                                   : inbox_refuse(&server->inbox, &fault);
    if (status != STATUS_OK) {
        receive_refuse(server, session, message->request_id, &fault);
        return false;
    }
    session->owns = session->owns || receive_makes_owned(message);
    return true;
}

/* The first message of a connection. */
static void receive_first_message(struct server *server, struct session *session,
                                  const Steerd__V1__ClientMessage *message)
{
    if (message != NULL && message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_HELLO) {
        receive_hello(server, session, message->hello);
        return;
    }
    server->stats.sessions_faulted++;
    receive_end_faulty(server, session, STATUS_UNAUTHENTICATED, "the first message has to be Hello");
}

/* A whole frame: the step from bytes to a message, and on. */
static void receive_on_frame(void *context, struct net_conn *conn, const uint8_t *bytes, size_t size)
{
    struct server *server = context;
    struct session *session = net_conn_user(conn);
    if (session == NULL || session->state == SESSION_STATE_CLOSING) {
        return;
    }
    bool in_inbox = true;
    struct arena *arena = inbox_arena(&server->inbox);
    size_t mark = arena_mark(arena);
    const Steerd__V1__ClientMessage *message = NULL;
    uint64_t request_id = 0;
    struct fault fault = {0};
    enum status status = message_decode(arena, bytes, size, &message, &request_id, &fault);
    if (status == STATUS_RESOURCE_EXHAUSTED && arena->size - mark < MESSAGE_BUDGET_MAX) {
        /* There may be no room in the inbox: a Ping is to be answered all the same, and a command with its
         * id. */
        in_inbox = false;
        arena = &server->loose;
        mark = arena_mark(arena);
        status = message_decode(arena, bytes, size, &message, &request_id, &fault);
    }
    bool waits = false;
    if (session->state == SESSION_STATE_CONNECTED) {
        receive_first_message(server, session, status == STATUS_OK ? message : NULL);
    } else if (status != STATUS_OK) {
        receive_refuse(server, session, request_id, &fault);
    } else {
        waits = receive_message(server, session, message, in_inbox ? arena_mark(arena) - mark : 0);
    }
    if (!waits) {
        arena_reset_to(arena, mark);
    } else if (schedule_stands(&server->schedule)) {
        tick_consider(server); /* no deadline will come by itself */
    }
    tick_keep_time(server);
}

/* ---- connections ---- */

static void receive_on_refuse(void *context, struct net_conn *conn)
{
    struct server *server = context;
    log_line(LOG_LEVEL_DEBUG, "connection refused: the limit is reached",
             LOG_TEXT("address", net_conn_address(conn)));
    char reason[FAULT_TEXT_SIZE];
    snprintf(reason, sizeof reason, "%u connections are open, which is this server's limit",
             server->config.connections_max);
    receive_say_goodbye(server, conn, STATUS_RESOURCE_EXHAUSTED, reason, RECEIVE_RETRY_FULL_MS);
}

static void receive_on_open(void *context, struct net_conn *conn)
{
    struct server *server = context;
    struct session *session = session_begin(&server->sessions, conn, clock_monotonic_ns());
    ASSERT(session != NULL); /* net keeps to the same limit */
    net_conn_set_user(conn, session);
    log_line(LOG_LEVEL_DEBUG, "client connected", LOG_UINT("session", session->ref.id),
             LOG_TEXT("address", net_conn_address(conn)));
}

static void receive_on_drained(void *context, struct net_conn *conn)
{
    struct server *server = context;
    struct session *session = net_conn_user(conn);
    if (session != NULL && tick_world_is_here(server)) {
        deliver_waiting_to(server, session);
    } /* else at the end of the tick */
}

static void receive_on_fault(void *context, struct net_conn *conn, enum net_fault fault)
{
    struct server *server = context;
    struct session *session = net_conn_user(conn);
    struct fault words = {0};
    if (session == NULL || session->state == SESSION_STATE_CLOSING) {
        return;
    }
    enum status code = STATUS_INTERNAL;
    switch (fault) {
    case NET_FAULT_FRAME_TOO_LONG:
        code = fault_set(&words, STATUS_RESOURCE_EXHAUSTED,
                         "a frame is longer than client_frame_bytes_max, which is %zu",
                         server->config.client_frame_bytes_max);
        break;
    case NET_FAULT_FRAME_TIMEOUT:
        code = fault_set(&words, STATUS_DEADLINE_EXCEEDED, "a frame was not whole within %u s",
                         SERVER_FRAME_TIMEOUT_MS / 1000);
        break;
    case NET_FAULT_FRAME_NO_ROOM:
        code = fault_set(&words, STATUS_RESOURCE_EXHAUSTED, "too many frames of all clients are not whole");
        break;
    }
    receive_end_faulty(server, session, code, words.text);
}

static const char *receive_end_name(enum net_end end)
{
    switch (end) {
    case NET_END_PEER:
        return "closed by the client";
    case NET_END_SELF:
        return "closed by the server";
    case NET_END_QUEUE_FULL:
        return "the client did not take its messages";
    case NET_END_TIMEOUT:
        return "the client did not take its last messages in time";
    }
    return "?";
}

static void receive_on_closed(void *context, struct net_conn *conn, enum net_end end)
{
    struct server *server = context;
    struct session *session = net_conn_user(conn);
    if (session == NULL) {
        return; /* one over the limit */
    }
    log_line(LOG_LEVEL_INFO, "client gone", LOG_UINT("session", session->ref.id),
             LOG_TEXT("address", net_conn_address(conn)), LOG_TEXT("why", receive_end_name(end)));
    receive_let_go(server, session);
    session_end(&server->sessions, session);
    if (schedule_stands(&server->schedule)) {
        tick_consider(server); /* its agents leave although time stands still */
    }
    server_consider_end(server);
}

struct net_handlers receive_handlers(struct server *server)
{
    return (struct net_handlers){
        .open = receive_on_open,
        .refuse = receive_on_refuse,
        .frame = receive_on_frame,
        .drained = receive_on_drained,
        .fault = receive_on_fault,
        .closed = receive_on_closed,
        .context = server,
    };
}
