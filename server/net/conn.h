#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "net/deadline.h"
#include "net/frame.h"
#include "net/send_queue.h"
#include "net/server.h"

#define NET_ADDRESS_SIZE 64

/* CONN_STATE(name, those it may go on to): the life of a connection's slot. conn.c asserts every move. */
#define CONN_STATES                                                                                          \
    CONN_STATE(FREE, CONN_TO(OPEN) | CONN_TO(REFUSED))                                                       \
    CONN_STATE(OPEN, CONN_TO(FLUSHING) | CONN_TO(CLOSED))                                                    \
    CONN_STATE(REFUSED, CONN_TO(FLUSHING) | CONN_TO(CLOSED))                                                 \
    CONN_STATE(FLUSHING, CONN_TO(LINGERING) | CONN_TO(CLOSED))                                               \
    CONN_STATE(LINGERING, CONN_TO(CLOSED))                                                                   \
    CONN_STATE(CLOSED, CONN_TO(FREE))

/*
 * OPEN       frames come in, messages go out
 * REFUSED    during the `refuse` handler
 * FLUSHING   what waits goes out, what comes in is thrown away
 * LINGERING  our FIN is out and the peer's is awaited: closing with unread bytes would send a reset, and some
 *            systems then throw away what they have not read yet, Goodbye among it
 * CLOSED     the handle's close callback is awaited
 */
enum conn_state {
#define CONN_STATE(name, moves) CONN_STATE_##name,
    CONN_STATES
#undef CONN_STATE
};

struct net_conn {
    uv_tcp_t tcp;
    uv_write_t write;
    size_t write_bytes; /* of the write under way; 0: none is */
    struct net_server *server;
    struct net_conn *next_free;
    void *user;
    enum conn_state state;
    enum net_end end;
    bool is_refused;        /* counts among the refused ones, not the served ones */
    bool peer_has_finished; /* its FIN came */
    bool has_had_its_turn;  /* a full buffer was read in this round of the loop */
    bool is_patient;        /* TCP_USER_TIMEOUT is off: the peer answers but does not read */
    struct frame_reader reader;
    struct send_queue queue;
    struct deadline frame_deadline;   /* while a frame is not whole */
    struct deadline closing_deadline; /* while FLUSHING or LINGERING */
    struct deadline stall_deadline;   /* while something waits for the kernel */
    char address[NET_ADDRESS_SIZE];
};

/*
 * Takes over an accepted, non-blocking socket and calls `open`, or `refuse` when it is over the limit. The
 * slot is FREE and has been taken out of the server's list; address is filled.
 */
void net_conn_start(struct net_conn *conn, int descriptor, bool refused);

/* Closes without waiting for anything. The slot comes back when its handle is closed. */
void net_conn_drop(struct net_conn *conn, enum net_end end);

/* What the deadlines do. */
void net_conn_on_frame_timeout(struct net_conn *conn);
void net_conn_on_closing_timeout(struct net_conn *conn);
void net_conn_on_stall_check(struct net_conn *conn);
