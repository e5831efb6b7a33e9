/*
 * The whole of the net module as others hold it: takes all memory at start, owns listeners, connections and
 * the one timer for all their deadlines, and closes when no handle of it is on the loop any more.
 */
#include "net/server.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assert.h"
#include "net/parts.h"

#define SERVER_PEER_TIMEOUT_MS_DEFAULT 25000
#define SERVER_ASSEMBLY_FRAMES_DEFAULT 64

/*
 * List entries for messages that wait, all connections together. A connection that is not drained has its
 * unfinished snapshot and a few results; the second number lets some of them have queue_bytes_max full of
 * small ones.
 */
#define SERVER_PIECES_PER_CONNECTION 16
#define SERVER_PIECES_SHARED         32768

#define SERVER_TO(name) (1u << SERVER_STATE_##name)

static const unsigned server_moves[] = {
#define SERVER_STATE(name, moves) [SERVER_STATE_##name] = (moves),
    SERVER_STATES
#undef SERVER_STATE
};

static void server_move(struct net_server *server, enum server_state to)
{
    ASSERT((server_moves[server->state] & (1u << to)) != 0);
    server->state = to;
}

static void server_free(struct net_server *server)
{
    if (server->reserve_descriptor >= 0) {
        close(server->reserve_descriptor);
    }
    send_pool_destroy(server->pieces);
    frame_pool_destroy(server->frames);
    free(server->read_buffer);
    free(server->conns);
    free(server);
}

static bool server_take_memory(struct net_server *server)
{
    const struct net_config *config = &server->config;
    server->conn_count = config->connections_max + NET_REFUSED_MAX;
    server->conns = calloc(server->conn_count, sizeof *server->conns);
    server->read_buffer = malloc(NET_READ_BUFFER_BYTES);
    server->frames = frame_pool_create(&(struct frame_pool_config){
        .readers_max = config->connections_max,
        .frame_bytes_max = config->frame_in_bytes_max,
        .shared_bytes_max = config->assembly_bytes_max,
    });
    server->pieces =
        send_pool_create(config->connections_max * SERVER_PIECES_PER_CONNECTION + SERVER_PIECES_SHARED);
    if (server->conns == NULL || server->read_buffer == NULL || server->frames == NULL ||
        server->pieces == NULL) {
        return false;
    }
    for (uint32_t i = server->conn_count; i-- > 0;) {
        struct net_conn *conn = &server->conns[i];
        conn->server = server;
        conn->next_free = server->conn_free;
        server->conn_free = conn;
    }
    return true;
}

struct net_server *net_server_create(uv_loop_t *loop, const struct net_config *config,
                                     const struct net_handlers *handlers)
{
    ASSERT(config->connections_max > 0);
    ASSERT(config->frame_in_bytes_max > 0);
    struct net_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        return NULL;
    }
    server->loop = loop;
    server->config = *config;
    server->handlers = *handlers;
    server->state = SERVER_STATE_RUNNING;
    server->reserve_descriptor = -1;
    if (config->assembly_bytes_max == 0) {
        server->config.assembly_bytes_max = SERVER_ASSEMBLY_FRAMES_DEFAULT * config->frame_in_bytes_max;
    }
    if (config->peer_timeout_ms == 0) {
        server->config.peer_timeout_ms = SERVER_PEER_TIMEOUT_MS_DEFAULT;
    }
    if (!server_take_memory(server)) {
        server_free(server);
        return NULL;
    }
    server->frame_deadlines.delay_ms = config->frame_timeout_ms;
    server->closing_deadlines.delay_ms = config->close_timeout_ms;
    server->refused_deadlines.delay_ms = config->close_timeout_ms;
    /* Well before TCP_USER_TIMEOUT would end a peer that only does not read. */
    server->stall_deadlines.delay_ms = server->config.peer_timeout_ms / 5;
    server->timer_due_ms = UINT64_MAX;
    uv_timer_init(loop, &server->timer); /* cannot fail */
    server->timer.data = server;
    server->handles = 1;
    net_server_keep_reserve(server);
    return server;
}

size_t net_server_memory_bytes(const struct net_server *server)
{
    return sizeof *server + server->conn_count * sizeof *server->conns + NET_READ_BUFFER_BYTES +
           frame_pool_memory_bytes(server->frames) + send_pool_memory_bytes(server->pieces);
}

void net_server_keep_reserve(struct net_server *server)
{
    if (server->reserve_descriptor < 0) {
        server->reserve_descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
}

struct net_counters net_server_counters(const struct net_server *server)
{
    struct net_counters counters = server->counters;
    counters.connections = server->served + server->refused;
    return counters;
}

/* ---- time ---- */

static void server_on_timer(uv_timer_t *timer)
{
    struct net_server *server = timer->data;
    uint64_t now_ms = uv_now(server->loop);
    struct net_conn *conn;
    server->timer_due_ms = UINT64_MAX;
    while ((conn = deadline_list_take_due(&server->frame_deadlines, now_ms)) != NULL) {
        net_conn_on_frame_timeout(conn);
    }
    while ((conn = deadline_list_take_due(&server->closing_deadlines, now_ms)) != NULL) {
        net_conn_on_closing_timeout(conn);
    }
    while ((conn = deadline_list_take_due(&server->refused_deadlines, now_ms)) != NULL) {
        net_conn_on_closing_timeout(conn);
    }
    while ((conn = deadline_list_take_due(&server->stall_deadlines, now_ms)) != NULL) {
        net_conn_on_stall_check(conn);
    }
    if (server->accept_resume_ms != 0 && server->accept_resume_ms <= now_ms) {
        net_listeners_resume(server);
    }
    net_server_wake_at(server, deadline_list_next_ms(&server->frame_deadlines));
    net_server_wake_at(server, deadline_list_next_ms(&server->closing_deadlines));
    net_server_wake_at(server, deadline_list_next_ms(&server->refused_deadlines));
    net_server_wake_at(server, deadline_list_next_ms(&server->stall_deadlines));
    net_server_wake_at(server, server->accept_resume_ms != 0 ? server->accept_resume_ms : UINT64_MAX);
}

void net_server_wake_at(struct net_server *server, uint64_t due_ms)
{
    if (due_ms >= server->timer_due_ms || server->state != SERVER_STATE_RUNNING) {
        return;
    }
    uint64_t now_ms = uv_now(server->loop);
    server->timer_due_ms = due_ms;
    uv_timer_start(&server->timer, server_on_timer, due_ms > now_ms ? due_ms - now_ms : 0, 0);
}

void net_server_add_deadline(struct net_server *server, struct deadline_list *list, struct deadline *deadline,
                             struct net_conn *conn)
{
    deadline_list_add(list, deadline, conn, uv_now(server->loop));
    net_server_wake_at(server, deadline->due_ms);
}

/* ---- the end ---- */

void net_server_handle_closed(struct net_server *server)
{
    ASSERT(server->handles > 0);
    server->handles--;
    if (server->handles == 0) {
        server_move(server, SERVER_STATE_CLOSED);
        server->done(server->done_context);
    }
}

static void server_on_timer_closed(uv_handle_t *handle)
{
    net_server_handle_closed(handle->data);
}

void net_server_close(struct net_server *server, void (*done)(void *context), void *context)
{
    server_move(server, SERVER_STATE_CLOSING);
    server->done = done;
    server->done_context = context;
    net_listeners_close(server);
    for (uint32_t i = 0; i < server->conn_count; i++) {
        if (server->conns[i].state != CONN_STATE_FREE) {
            net_conn_drop(&server->conns[i], NET_END_SELF);
        }
    }
    uv_close((uv_handle_t *)&server->timer, server_on_timer_closed);
}

void net_server_destroy(struct net_server *server)
{
    if (server == NULL) {
        return;
    }
    ASSERT(server->state == SERVER_STATE_CLOSED);
    server_free(server);
}
