#pragma once

#include <stdint.h>

#include "net/server.h"

/*
 * From sockets to the inbox: what net tells about connections and frames. Loop thread.
 */

struct server;
struct session;

/* The handlers for net_server_create. */
struct net_handlers receive_handlers(struct server *server);

/* Says Goodbye to a session, takes its view and queries and closes it. */
void receive_end_session(struct server *server, struct session *session, enum status code, const char *reason,
                         uint32_t retry_after_ms);

/* Ends sessions that have been connected for too long without a Hello. */
void receive_end_silent_sessions(struct server *server);
