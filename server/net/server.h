#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "base/blob.h"
#include "base/fault.h"

/*
 * Sockets become whole frames and frames become socket writes, with bounded queues. Knows nothing of what the
 * frames mean. Everything happens on the loop thread.
 */
struct net_server;
struct net_conn;

struct net_config {
    uint32_t connections_max;
    size_t frame_in_bytes_max; /* a longer one is refused before any byte of it is buffered */
    size_t queue_bytes_max;    /* what must not be skipped may wait here: results, events */
    size_t send_buffer_bytes;  /* bound of the kernel's own buffer */
    uint32_t frame_timeout_ms; /* a frame that is not whole by then ends the connection */
    uint32_t close_timeout_ms; /* how long a closing connection may take to take its last bytes */
    size_t assembly_bytes_max; /* parts of frames that are not whole, all connections together, beyond 1 KiB
                                  for each; 0: 64 frames */
    uint32_t peer_timeout_ms;  /* a peer of which nothing is heard for so long is gone; 0: 25,000 */
};

/* Why a connection is at its end. */
enum net_end {
    NET_END_PEER,       /* closed or reset by the other side */
    NET_END_SELF,       /* net_conn_close */
    NET_END_QUEUE_FULL, /* more than queue_bytes_max waited */
    NET_END_TIMEOUT,    /* the last bytes were not taken in time */
};

/* What a peer did wrong; the handler says Goodbye and closes. */
enum net_fault {
    NET_FAULT_FRAME_TOO_LONG, /* length over the limit, or a length varint of more than 5 bytes */
    NET_FAULT_FRAME_TIMEOUT,  /* frame_timeout_ms */
    NET_FAULT_FRAME_NO_ROOM,  /* assembly_bytes_max is taken by frames that nobody finishes */
};

struct net_handlers {
    /* A connection within the limit. The user pointer set here (or NULL) comes back with every call. */
    void (*open)(void *context, struct net_conn *conn);
    /* One over the limit: may send one message and must close it. `frame`, `drained` and `fault` are never
     * called for it. */
    void (*refuse)(void *context, struct net_conn *conn);
    /* A whole frame; bytes are borrowed for the call. May be empty. */
    void (*frame)(void *context, struct net_conn *conn, const uint8_t *bytes, size_t size);
    /* Everything queued has been handed to the kernel. Called after a write that could not be done at once.
     */
    void (*drained)(void *context, struct net_conn *conn);
    /* No frame follows. */
    void (*fault)(void *context, struct net_conn *conn, enum net_fault fault);
    /* The connection is gone; conn is invalid afterwards. */
    void (*closed)(void *context, struct net_conn *conn, enum net_end end);
    void *context;
};

/* Takes all memory for connections_max. NULL when there is none. The loop is borrowed. */
struct net_server *net_server_create(uv_loop_t *loop, const struct net_config *config,
                                     const struct net_handlers *handlers);
size_t net_server_memory_bytes(const struct net_server *server);

/*
 * Listens on host:port; may be called several times.
 *
 * host       a name or number, "" for all addresses of IPv6 and IPv4
 * port       0 takes a free one
 * bound_out  bound_size bytes, for what came out: "127.0.0.1:7400" or "[::]:7400"
 *
 * Fails: UNAVAILABLE with one sentence (port in use, no permission, no such address).
 */
MUST_CHECK enum status net_server_listen_tcp(struct net_server *server, const char *host, uint16_t port,
                                             char *bound_out, size_t bound_size, struct fault *fault);

/* No new connections. */
void net_server_stop_listening(struct net_server *server);

/* Closes what is left at once, and calls `done` when no handle of the server is on the loop any more. */
void net_server_close(struct net_server *server, void (*done)(void *context), void *context);

/* After `done`. */
void net_server_destroy(struct net_server *server);

struct net_counters {
    uint64_t accepted;
    uint64_t refused; /* over the limit, or no descriptor left */
    uint64_t faulted;
    uint64_t bytes_received;
    uint64_t bytes_sent;
    uint32_t connections; /* now, those being closed included */
};

struct net_counters net_server_counters(const struct net_server *server);

void net_conn_set_user(struct net_conn *conn, void *user);
void *net_conn_user(const struct net_conn *conn);

/* "127.0.0.1:4711", valid until closed. */
const char *net_conn_address(const struct net_conn *conn);

/*
 * Sends one message, in order after what was sent before. Tried at once; what the kernel does not take waits.
 *
 * pieces        count of them, their sizes add up to the frame; each is retained until the kernel has it, the
 *               caller keeps its own reference
 * must_deliver  it counts against queue_bytes_max: over it the connection ends with NET_END_QUEUE_FULL.
 *               Otherwise (snapshots, pieces made as the socket drains) the caller asks net_conn_is_drained
 *               first
 *
 * Does nothing to a connection that is closing.
 */
void net_conn_send(struct net_conn *conn, struct blob *const *pieces, uint32_t count, bool must_deliver);

/* Puts one message ahead of all that has not begun to be written: for Pong. Otherwise as net_conn_send with
 * must_deliver. */
void net_conn_send_first(struct net_conn *conn, struct blob *piece);

/* Nothing waits: what is sent now goes to the kernel at once, as far as its buffer has room. */
bool net_conn_is_drained(const struct net_conn *conn);

/* Reads no more, writes out what waits (for close_timeout_ms at most), then closes. May be called again. */
void net_conn_close(struct net_conn *conn);
