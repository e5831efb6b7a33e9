#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "app/change_log.h"
#include "app/inbox.h"
#include "app/schedule.h"
#include "app/server.h"
#include "app/session.h"
#include "app/stats.h"
#include "app/tick.h"
#include "app/tick_timer.h"
#include "app/tokens.h"

/*
 * What is behind server.h, for the files that together are the server: server.c (start and end), receive.c
 * (bytes to inbox), tick.c (inbox to world and back), session_ops.c (commands about sessions), deliver.c
 * (world to sockets). All of it belongs to the loop thread, but for world and views, which a running tick has
 * to itself.
 */

#define SERVER_CLOSE_TIMEOUT_MS 1000  /* for a closing connection to take its last bytes */
#define SERVER_FRAME_TIMEOUT_MS 10000 /* from the first to the last byte of a frame (protocol.md) */

/* SERVER_LIFE(name, those it may go on to). */
#define SERVER_LIVES                                                                                         \
    SERVER_LIFE(CREATED, SERVER_LIFE_TO(RUNNING) | SERVER_LIFE_TO(CLOSING))                                  \
    SERVER_LIFE(RUNNING, SERVER_LIFE_TO(DRAINING) | SERVER_LIFE_TO(CLOSING))                                 \
    SERVER_LIFE(DRAINING, SERVER_LIFE_TO(CLOSING))                                                           \
    SERVER_LIFE(CLOSING, SERVER_LIFE_TO(CLOSED))                                                             \
    SERVER_LIFE(CLOSED, 0)

/*
 * CREATED   all memory is there, nothing listens
 * RUNNING   ticks, and takes connections
 * DRAINING  Goodbye is on its way to everybody, no tick begins
 * CLOSING   handles are being closed
 * CLOSED    nothing of it is on the loop
 */
enum server_life {
#define SERVER_LIFE(name, moves) SERVER_LIFE_##name,
    SERVER_LIVES
#undef SERVER_LIFE
};

/* Bytes reserved at start, by part. */
struct server_memory {
    size_t sum;
    size_t world;
    size_t views;
    size_t connections;
    size_t inbox;
    size_t sessions;
    size_t snapshots;
    size_t messages;
};

struct server {
    struct server_config config;
    enum server_life life;
    uint64_t started_ns; /* monotonic */

    uv_loop_t loop;
    uv_signal_t sigterm;
    uv_signal_t sigint;
    uv_timer_t greet_timer; /* looks for connections that said no Hello */
    uv_timer_t drain_timer; /* ends DRAINING */

    struct token_set *tokens; /* NULL: roles are granted as asked */
    struct job_pool *pool;
    struct steer_world *world;
    server_script_fn script; /* NULL: none */
    void *script_context;
    struct blob_pool
        *snapshot_blobs; /* of views; apart, so that slow viewers cannot use up what answers need */
    struct blob_pool *message_blobs; /* of everything else */
    struct view_table *views;
    struct net_server *net;
    struct server_memory memory;

    struct session_table sessions;
    struct inbox inbox;
    struct arena loose;   /* one message that does not go into the inbox */
    struct arena scratch; /* of command_apply */

    struct schedule schedule;
    struct tick tick;

    struct change_log changes;

    struct stats stats;
};

/* The one way to change it: asserts that the move is in the table. */
void server_move(struct server *server, enum server_life life);

/* Puts signals, timers and the tick on the loop. False when there is no descriptor. */
bool server_open_handles(struct server *server);

/* Takes everything off the loop, which has to turn until it is empty. No tick is running. */
void server_close(struct server *server);

/* Goes on with the end when DRAINING has nothing left to wait for. */
void server_consider_end(struct server *server);
