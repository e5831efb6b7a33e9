#pragma once

#include "app/inbox.h"

/*
 * Commands about sessions themselves: subscribe, unsubscribe, query, clock. Loop thread, with the world here.
 */

struct server;
struct session;

/* Runs a command of scope SESSION; what came of it is in entry->result. */
void session_ops_run(struct server *server, struct session *session, struct inbox_entry *entry);

/* Gives up the session's view, also while a tick is running. */
void session_ops_drop_view(struct server *server, struct session *session);
