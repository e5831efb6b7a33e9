#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "net/conn.h"
#include "net/deadline.h"
#include "net/frame.h"
#include "net/listen.h"
#include "net/send_queue.h"
#include "net/server.h"

/* What is behind server.h, for conn.c, listen.c and server.c only. */

/*
 * Slots for connections over the limit: each keeps its slot until it has read its Goodbye; when all are taken
 * the one that was refused first is cut.
 */
#define NET_REFUSED_MAX 64

#define NET_READ_BUFFER_BYTES (32 * 1024)

/* SERVER_STATE(name, those it may go on to). */
#define SERVER_STATES                                                                                        \
    SERVER_STATE(RUNNING, SERVER_TO(CLOSING))                                                                \
    SERVER_STATE(CLOSING, SERVER_TO(CLOSED))                                                                 \
    SERVER_STATE(CLOSED, 0)

enum server_state {
#define SERVER_STATE(name, moves) SERVER_STATE_##name,
    SERVER_STATES
#undef SERVER_STATE
};

struct net_server {
    uv_loop_t *loop;
    struct net_config config;
    struct net_handlers handlers;
    struct net_counters counters;
    enum server_state state;
    uint32_t handles; /* on the loop */
    void (*done)(void *context);
    void *done_context;

    struct net_listener listeners[NET_LISTENERS_MAX];
    uint32_t listener_count;
    int reserve_descriptor;    /* given up to accept and refuse when no other is left; -1: given up */
    uint64_t accept_resume_ms; /* 0: not paused */

    struct net_conn *conns; /* connections_max + NET_REFUSED_MAX slots */
    uint32_t conn_count;
    struct net_conn *conn_free;
    uint32_t served;  /* slots that count against connections_max */
    uint32_t refused; /* slots that do not */

    uint8_t *read_buffer; /* one for all: libuv asks for it and reads into it at once */
    struct frame_pool *frames;
    struct send_pool *pieces;

    uv_timer_t timer;      /* armed for the first of all deadlines */
    uint64_t timer_due_ms; /* UINT64_MAX: not armed */
    struct deadline_list frame_deadlines;
    struct deadline_list closing_deadlines;
    struct deadline_list refused_deadlines; /* closing ones that are refused: the one to cut is the first */
    struct deadline_list stall_deadlines;
};

/* Adds and arms the timer. */
void net_server_add_deadline(struct net_server *server, struct deadline_list *list, struct deadline *deadline,
                             struct net_conn *conn);

/* Sees to it that the timer runs no later than at due_ms. */
void net_server_wake_at(struct net_server *server, uint64_t due_ms);

/* A handle of the server has been closed. */
void net_server_handle_closed(struct net_server *server);

/* Takes a descriptor into reserve again, if it was given up. */
void net_server_keep_reserve(struct net_server *server);
