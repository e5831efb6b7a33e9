/*
 * The life of one connection, from an accepted socket to its closed handle: bytes in become frames for the
 * handlers, messages out go to the kernel at once as far as it takes them. Of what it does not take only the
 * piece it stopped in is lent to libuv; everything behind it stays in the send queue, where a Pong can still
 * overtake it.
 */
#include "net/conn.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/assert.h"
#include "net/parts.h"

/* Buffers of one try at writing; more pieces take more tries. Far below IOV_MAX. */
#define CONN_WRITE_BUFFERS 64

/* Window probes without an answer after which a stalled peer is taken for gone. */
#define CONN_PROBES_MAX 3

#define CONN_TO(name) (1u << CONN_STATE_##name)

static const unsigned conn_moves[] = {
#define CONN_STATE(name, moves) [CONN_STATE_##name] = (moves),
    CONN_STATES
#undef CONN_STATE
};

static void conn_move(struct net_conn *conn, enum conn_state to)
{
    ASSERT((conn_moves[conn->state] & (1u << to)) != 0);
    conn->state = to;
}

static int conn_descriptor(const struct net_conn *conn)
{
    uv_os_fd_t descriptor = -1;
    int error = uv_fileno((const uv_handle_t *)&conn->tcp, &descriptor);
    ASSERT(error == 0);
    return descriptor;
}

static void conn_set_option(int descriptor, int level, int option, int value)
{
    /* None of them fails on a TCP socket of a supported kernel, and a connection without one still works. */
    (void)setsockopt(descriptor, level, option, &value, sizeof value);
}

static void conn_set_options(const struct net_conn *conn, int descriptor)
{
    const struct net_config *config = &conn->server->config;
    int peer_timeout_s = (int)(config->peer_timeout_ms / 1000);
    int probe_s = peer_timeout_s / 5 > 0 ? peer_timeout_s / 5 : 1;
    conn_set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
    /* socket(7): the kernel doubles the value to make room for its own book-keeping. */
    conn_set_option(descriptor, SOL_SOCKET, SO_SNDBUF, (int)(config->send_buffer_bytes / 2));
    /* An idle peer that is gone: first probe after two fifths of the time, then TCP_USER_TIMEOUT ends it
     * (tcp(7)). */
    conn_set_option(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
    conn_set_option(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, 2 * probe_s);
    conn_set_option(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, probe_s);
    conn_set_option(descriptor, IPPROTO_TCP, TCP_KEEPCNT, CONN_PROBES_MAX);
    /* One that does not acknowledge what we sent. */
    conn_set_option(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, (int)config->peer_timeout_ms);
}

/* The handle is closed: tells the handlers and gives the slot back. */
static void conn_on_closed(uv_handle_t *handle)
{
    struct net_conn *conn = handle->data;
    struct net_server *server = conn->server;
    ASSERT(conn->write_bytes == 0);
    send_queue_clear(&conn->queue, server->pieces);
    if (conn->is_refused) {
        server->refused--;
    } else {
        server->served--;
    }
    net_server_keep_reserve(server);
    server->handlers.closed(server->handlers.context, conn, conn->end);
    conn_move(conn, CONN_STATE_FREE);
    conn->next_free = server->conn_free;
    server->conn_free = conn;
    net_server_handle_closed(server);
}

/* No frame of it is read any more. */
static void conn_stop_frames(struct net_conn *conn)
{
    deadline_list_remove(&conn->server->frame_deadlines, &conn->frame_deadline);
    frame_reader_reset(&conn->reader, conn->server->frames);
}

static struct deadline_list *conn_closing_list(const struct net_conn *conn)
{
    return conn->is_refused ? &conn->server->refused_deadlines : &conn->server->closing_deadlines;
}

void net_conn_drop(struct net_conn *conn, enum net_end end)
{
    if (conn->state == CONN_STATE_CLOSED) {
        return;
    }
    conn_move(conn, CONN_STATE_CLOSED);
    conn->end = end;
    conn_stop_frames(conn);
    deadline_list_remove(conn_closing_list(conn), &conn->closing_deadline);
    deadline_list_remove(&conn->server->stall_deadlines, &conn->stall_deadline);
    /* What a peer did not take in time would stay in the kernel for minutes after a plain close: a reset
     * frees it. */
    bool reset =
        end == NET_END_QUEUE_FULL || end == NET_END_TIMEOUT || (end == NET_END_PEER && conn->write_bytes > 0);
    if (!reset || uv_tcp_close_reset(&conn->tcp, conn_on_closed) != 0) {
        uv_close((uv_handle_t *)&conn->tcp, conn_on_closed);
    }
}

/* All is written: our FIN, and then the peer's. */
static void conn_linger(struct net_conn *conn)
{
    if (conn->peer_has_finished || shutdown(conn_descriptor(conn), SHUT_WR) != 0) {
        net_conn_drop(conn, conn->end);
        return;
    }
    conn_move(conn, CONN_STATE_LINGERING);
}

static void conn_flush_and_close(struct net_conn *conn, enum net_end end)
{
    conn_move(conn, CONN_STATE_FLUSHING);
    conn->end = end;
    conn_stop_frames(conn);
    net_server_add_deadline(conn->server, conn_closing_list(conn), &conn->closing_deadline, conn);
    if (send_queue_is_empty(&conn->queue)) {
        conn_linger(conn);
    }
}

/* ---- out ---- */

static void conn_write_out(struct net_conn *conn);

/* Nothing waits any more. */
static void conn_on_drained(struct net_conn *conn)
{
    struct net_server *server = conn->server;
    deadline_list_remove(&server->stall_deadlines, &conn->stall_deadline);
    if (conn->is_patient) {
        conn->is_patient = false;
        conn_set_option(conn_descriptor(conn), IPPROTO_TCP, TCP_USER_TIMEOUT,
                        (int)server->config.peer_timeout_ms);
    }
    if (conn->state == CONN_STATE_FLUSHING) {
        conn_linger(conn);
    } else {
        ASSERT(conn->state == CONN_STATE_OPEN);
        server->handlers.drained(server->handlers.context, conn);
    }
}

static void conn_on_written(uv_write_t *write, int status)
{
    struct net_conn *conn = write->data;
    size_t size = conn->write_bytes;
    conn->write_bytes = 0;
    conn->queue.first_is_lent = false;
    if (conn->state == CONN_STATE_CLOSED) {
        return;
    }
    if (status != 0) {
        net_conn_drop(conn, NET_END_PEER);
        return;
    }
    conn->server->counters.bytes_sent += size;
    send_queue_advance(&conn->queue, conn->server->pieces, size);
    conn_write_out(conn);
    if (conn->state != CONN_STATE_CLOSED && send_queue_is_empty(&conn->queue)) {
        conn_on_drained(conn);
    }
}

/* The kernel's buffer is full: lends the piece it stopped in to libuv, which waits for room. */
static void conn_wait_for_room(struct net_conn *conn)
{
    uv_buf_t buffers[2]; /* the rest of the length and the rest of the piece: libuv keeps up to four without
                            malloc */
    uint32_t count = send_queue_peek(&conn->queue, 1, buffers, 2);
    ASSERT(count > 0);
    conn->write.data = conn;
    int error = uv_write(&conn->write, (uv_stream_t *)&conn->tcp, buffers, count, conn_on_written);
    if (error != 0) {
        net_conn_drop(conn, NET_END_PEER);
        return;
    }
    conn->queue.first_is_lent = true;
    for (uint32_t i = 0; i < count; i++) {
        conn->write_bytes += buffers[i].len;
    }
    if (!conn->stall_deadline.listed) {
        net_server_add_deadline(conn->server, &conn->server->stall_deadlines, &conn->stall_deadline, conn);
    }
}

/* Hands the kernel what it takes. */
static void conn_write_out(struct net_conn *conn)
{
    if (conn->write_bytes > 0) {
        return;
    }
    while (!send_queue_is_empty(&conn->queue)) {
        uv_buf_t buffers[CONN_WRITE_BUFFERS];
        uint32_t count = send_queue_peek(&conn->queue, CONN_WRITE_BUFFERS, buffers, CONN_WRITE_BUFFERS);
        int written = uv_try_write((uv_stream_t *)&conn->tcp, buffers, count);
        if (written == UV_EAGAIN) {
            conn_wait_for_room(conn);
            return;
        }
        if (written < 0) {
            net_conn_drop(conn, NET_END_PEER);
            return;
        }
        conn->server->counters.bytes_sent += (size_t)written;
        send_queue_advance(&conn->queue, conn->server->pieces, (size_t)written);
    }
}

static void conn_send(struct net_conn *conn, struct blob *const *pieces, uint32_t count,
                      enum send_place place, bool must_deliver)
{
    if (conn->state != CONN_STATE_OPEN && conn->state != CONN_STATE_REFUSED) {
        return;
    }
    if (!send_queue_add(&conn->queue, conn->server->pieces, pieces, count, place, must_deliver)) {
        net_conn_drop(conn, NET_END_QUEUE_FULL);
        return;
    }
    conn_write_out(conn);
    if (conn->queue.counted_bytes > conn->server->config.queue_bytes_max) {
        net_conn_drop(conn, NET_END_QUEUE_FULL);
    }
}

void net_conn_send(struct net_conn *conn, struct blob *const *pieces, uint32_t count, bool must_deliver)
{
    conn_send(conn, pieces, count, SEND_LAST, must_deliver);
}

void net_conn_send_first(struct net_conn *conn, struct blob *piece)
{
    conn_send(conn, &piece, 1, SEND_FIRST, true);
}

bool net_conn_is_drained(const struct net_conn *conn)
{
    return send_queue_is_empty(&conn->queue);
}

void net_conn_close(struct net_conn *conn)
{
    if (conn->state == CONN_STATE_OPEN || conn->state == CONN_STATE_REFUSED) {
        conn_flush_and_close(conn, NET_END_SELF);
    }
}

/* ---- in ---- */

static void conn_fault(struct net_conn *conn, enum net_fault fault)
{
    struct net_server *server = conn->server;
    server->counters.faulted++;
    conn_stop_frames(conn);
    server->handlers.fault(server->handlers.context, conn, fault);
    net_conn_close(conn);
}

/* Bytes of an open connection: calls `frame` for each frame that they make whole. */
static void conn_take_bytes(struct net_conn *conn, struct frame_span input)
{
    struct net_server *server = conn->server;
    bool begun_earlier = !frame_reader_is_between(&conn->reader);
    struct frame_span frame;
    enum frame_result result;
    while ((result = frame_reader_next(&conn->reader, server->frames, &input, &frame)) == FRAME_WHOLE) {
        begun_earlier = false;
        server->handlers.frame(server->handlers.context, conn, frame.bytes, frame.size);
        if (conn->state != CONN_STATE_OPEN) {
            return;
        }
    }
    if (result == FRAME_TOO_LONG) {
        conn_fault(conn, NET_FAULT_FRAME_TOO_LONG);
        return;
    }
    if (result == FRAME_NO_ROOM) {
        conn_fault(conn, NET_FAULT_FRAME_NO_ROOM);
        return;
    }
    if (begun_earlier) {
        return; /* its time runs from its first byte */
    }
    deadline_list_remove(&server->frame_deadlines, &conn->frame_deadline);
    if (!frame_reader_is_between(&conn->reader)) {
        net_server_add_deadline(server, &server->frame_deadlines, &conn->frame_deadline, conn);
    }
}

/* The peer's FIN: it will send no more. What is queued for it still goes out; what it asked for a moment ago
 * is done without an answer, for the session ends here. */
static void conn_on_peer_finished(struct net_conn *conn)
{
    conn->peer_has_finished = true;
    if (conn->state == CONN_STATE_OPEN) {
        conn_flush_and_close(conn, NET_END_PEER);
    } else if (conn->state == CONN_STATE_LINGERING) {
        net_conn_drop(conn, conn->end);
    }
}

static void conn_on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    struct net_conn *conn = stream->data;
    if (conn->state == CONN_STATE_CLOSED || size == 0 || size == UV_ENOBUFS) {
        return;
    }
    if (size == UV_EOF) {
        conn_on_peer_finished(conn);
        return;
    }
    if (size < 0) {
        net_conn_drop(conn, conn->state == CONN_STATE_LINGERING ? conn->end : NET_END_PEER);
        return;
    }
    conn->server->counters.bytes_received += (size_t)size;
    conn->has_had_its_turn = (size_t)size == NET_READ_BUFFER_BYTES;
    if (conn->state == CONN_STATE_OPEN) {
        conn_take_bytes(conn, (struct frame_span){(const uint8_t *)buffer->base, (size_t)size});
    }
}

/*
 * libuv reads on for as long as buffers come out full, up to 32 of them, and nobody else has a turn
 * meanwhile. One is enough: without another it lets the socket wait for the next round (UV_ENOBUFS in
 * conn_on_read).
 */
static void conn_on_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    (void)suggested;
    struct net_conn *conn = handle->data;
    if (conn->has_had_its_turn) {
        conn->has_had_its_turn = false;
        *buffer = uv_buf_init(NULL, 0);
        return;
    }
    *buffer = uv_buf_init((char *)conn->server->read_buffer, NET_READ_BUFFER_BYTES);
}

void net_conn_start(struct net_conn *conn, int descriptor, bool refused)
{
    struct net_server *server = conn->server;
    ASSERT(conn->state == CONN_STATE_FREE);
    conn_set_options(conn, descriptor);
    int error = uv_tcp_init(server->loop, &conn->tcp);
    ASSERT(error == 0);
    server->handles++;
    conn->tcp.data = conn;
    error = uv_tcp_open(&conn->tcp, descriptor);
    ASSERT(error == 0); /* an accepted socket that is on no loop */
    conn->user = NULL;
    conn->end = NET_END_SELF;
    conn->is_refused = refused;
    conn->peer_has_finished = false;
    conn->is_patient = false;
    conn->has_had_its_turn = false;
    conn_move(conn, refused ? CONN_STATE_REFUSED : CONN_STATE_OPEN);
    error = uv_read_start((uv_stream_t *)&conn->tcp, conn_on_buffer, conn_on_read);
    ASSERT(error == 0);
    if (!refused) {
        server->served++;
        server->counters.accepted++;
        server->handlers.open(server->handlers.context, conn);
        return;
    }
    server->refused++;
    server->counters.refused++;
    server->handlers.refuse(server->handlers.context, conn);
    ASSERT(conn->state != CONN_STATE_REFUSED); /* the handler must close it */
}

/* ---- deadlines ---- */

void net_conn_on_frame_timeout(struct net_conn *conn)
{
    ASSERT(conn->state == CONN_STATE_OPEN);
    conn_fault(conn, NET_FAULT_FRAME_TIMEOUT);
}

void net_conn_on_closing_timeout(struct net_conn *conn)
{
    bool unsaid = conn->state == CONN_STATE_FLUSHING && conn->end == NET_END_SELF;
    net_conn_drop(conn, unsaid ? NET_END_TIMEOUT : conn->end);
}

/*
 * Something has waited for a while. TCP_USER_TIMEOUT also ends a peer that answers every probe but reads
 * nothing (Linux, tcp_probe_timer in net/ipv4/tcp_timer.c), and a viewer may stand still as long as it likes:
 * it is switched off while nothing sent is unacknowledged, and unanswered probes take its place.
 */
void net_conn_on_stall_check(struct net_conn *conn)
{
    struct net_server *server = conn->server;
    int descriptor = conn_descriptor(conn);
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0) {
        bool window_is_shut = info.tcpi_unacked == 0;
        if (window_is_shut && info.tcpi_probes >= CONN_PROBES_MAX &&
            info.tcpi_last_ack_recv >= server->config.peer_timeout_ms) {
            net_conn_drop(conn, NET_END_PEER);
            return;
        }
        if (window_is_shut != conn->is_patient) {
            conn->is_patient = window_is_shut;
            conn_set_option(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT,
                            window_is_shut ? 0 : (int)server->config.peer_timeout_ms);
        }
    }
    net_server_add_deadline(server, &server->stall_deadlines, &conn->stall_deadline, conn);
}

/* ---- its owner's things ---- */

void net_conn_set_user(struct net_conn *conn, void *user)
{
    conn->user = user;
}

void *net_conn_user(const struct net_conn *conn)
{
    return conn->user;
}

const char *net_conn_address(const struct net_conn *conn)
{
    return conn->address;
}
