#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/endpoint.h"
#include "base/fault.h"
#include "sim/steer.h"

/*
 * The server as a whole: one loop, one world, and everything between. Its parts are in parts.h.
 */
struct server;

#define SERVER_LISTEN_MAX 16

struct server_config {
    struct endpoint listen[SERVER_LISTEN_MAX];
    uint32_t listen_count;
    const char *tokens_path; /* NULL: roles are granted as asked */

    struct steer_world_config world;
    uint32_t snapshot_interval_ticks; /* 1, 2, 4 or 8 */
    uint32_t threads;                 /* 1 to 256 */

    uint32_t connections_max;
    uint32_t viewers_max;
    uint32_t queries_max;          /* being answered at one time */
    uint32_t inbox_entries_max;    /* commands of one tick */
    size_t inbox_bytes;            /* decoded commands of one tick */
    size_t client_frame_bytes_max; /* after the length */
    size_t server_frame_bytes_max;
    size_t queue_bytes_max;         /* of results and events that one connection has not taken */
    size_t send_buffer_bytes;       /* the kernel's, of one connection */
    size_t snapshot_pool_bytes_max; /* encoded snapshots and events, all together */
    size_t message_pool_bytes_max;  /* all other messages, all together */
};

/*
 * Takes all memory and starts the threads; nothing listens yet. The config is copied.
 * Fails: as steer_world_create and token_set_load, RESOURCE_EXHAUSTED (memory, threads, descriptors).
 */
MUST_CHECK enum status server_create(const struct server_config *config, struct server **out,
                                     struct fault *fault);

/* Before server_run: the world at its start state, for whoever fills it. */
struct steer_world *server_world(struct server *server);

/*
 * Before server_run: what else changes the world, after the commands of a tick and before its step. fn runs
 * on a thread of the pool and has the world to itself.
 */
typedef void (*server_script_fn)(void *context, struct steer_world *world);
void server_set_script(struct server *server, server_script_fn fn, void *context);

/*
 * Listens, prints a line `listening tcp HOST:PORT` for each address, and ticks until SIGTERM or SIGINT; then
 * says Goodbye to all and comes back within 2 s. A second signal ends the process at once. Fails: UNAVAILABLE
 * (an address cannot be listened on).
 */
MUST_CHECK enum status server_run(struct server *server, struct fault *fault);

/* Accepts NULL. */
void server_destroy(struct server *server);
