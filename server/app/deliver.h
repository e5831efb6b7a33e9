#pragma once

#include <stdint.h>

#include "app/inbox.h"
#include "base/fault.h"
#include "sim/steer.h"
#include "steerd/v1/steerd.pb-c.h"

/*
 * From the world to sockets: results, changes, events, snapshots, and answers that are made piece by piece.
 * Loop thread.
 */

struct server;
struct session;

/* A message that has to arrive: Welcome, results. A session for which there is no memory is ended. */
void deliver_message(struct server *server, struct session *session,
                     const Steerd__V1__ServerMessage *message);

/* What came of one request. */
struct delivery {
    uint64_t request_id;
    uint64_t tick; /* whose step first saw it */
    struct steer_world_made made;
};

/* The CommandResult, unless it succeeded and has no id. */
void deliver_result(struct server *server, struct session *session, const struct delivery *delivery,
                    const struct fault *fault);

/* Encodes what has changed about obstacles and profiles, for viewers to take. */
void deliver_changes(struct server *server);

/* To every viewer: changes, then the events and the snapshot of this tick; a viewer whose socket is slow
 * skips the snapshot. */
void deliver_views(struct server *server);

/* To every session: as much of what it waits for as its socket takes. */
void deliver_waiting(struct server *server);

/* The same for one session whose socket has room again. The world is here. */
void deliver_waiting_to(struct server *server, struct session *session);
