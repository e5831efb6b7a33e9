/*
 * From the world to sockets: what a tick made, and what sessions wait for, as far as each socket takes it.
 * Nothing is encoded per viewer: views and changes are shared bytes. Called by tick.c at the end of a tick,
 * and when a socket has drained.
 */
#include "app/deliver.h"

#include "app/parts.h"
#include "app/receive.h"
#include "app/stats_message.h"
#include "base/assert.h"
#include "base/log.h"
#include "wire/message.h"

/* Pieces of one session sent in a row, some 16 KiB each: then other sockets have their turn. */
#define DELIVER_PIECES_IN_A_ROW 32

/* One change message is at most this long, so that no viewer is sent more at once; a tick makes few. */
#define DELIVER_CHANGE_BYTES_MAX (64 * 1024)
#define DELIVER_CHANGES_MAX      64

static void deliver_blob(struct session *session, struct blob *blob, bool must_deliver)
{
    net_conn_send(session->conn, &blob, 1, must_deliver);
}

void deliver_message(struct server *server, struct session *session, const Steerd__V1__ServerMessage *message)
{
    struct blob *blob = message_encode(server->message_blobs, message);
    if (blob == NULL) {
        log_line(LOG_LEVEL_ERROR, "no memory for an answer: the session is ended",
                 LOG_UINT("session", session->ref.id));
        receive_end_session(server, session, STATUS_RESOURCE_EXHAUSTED, "no memory for an answer", 0);
        return;
    }
    deliver_blob(session, blob, true);
    blob_release(blob);
}

void deliver_result(struct server *server, struct session *session, const struct delivery *delivery,
                    const struct fault *fault)
{
    if (session->state != SESSION_STATE_GREETED ||
        (fault->status == STATUS_OK && delivery->request_id == 0)) {
        return;
    }
    Steerd__V1__CommandResult result = STEERD__V1__COMMAND_RESULT__INIT;
    result.request_id = delivery->request_id;
    result.code = (Steerd__V1__Code)fault->status;
    result.message = (char *)fault->text;
    result.tick = delivery->tick;
    result.first_id = delivery->made.first_id;
    result.id_count = delivery->made.count;
    Steerd__V1__ServerMessage message = STEERD__V1__SERVER_MESSAGE__INIT;
    message.body_case = STEERD__V1__SERVER_MESSAGE__BODY_RESULT;
    message.result = &result;
    deliver_message(server, session, &message);
}

void deliver_changes(struct server *server)
{
    if (server->sessions.viewers == 0) {
        return; /* whoever subscribes later is told all that is in force */
    }
    struct blob *blobs[DELIVER_CHANGES_MAX];
    uint32_t count = update_encode_changes(server->message_blobs, server->world, DELIVER_CHANGE_BYTES_MAX,
                                           blobs, DELIVER_CHANGES_MAX);
    if (count == UPDATE_CHANGES_LOST) {
        change_log_lose(&server->changes);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        change_log_add(&server->changes, blobs[i]);
    }
}

/* ---- what viewers are told ---- */

/*
 * The next piece of what a viewer has to know about obstacles and profiles: first all that is in force, then
 * each change. False when it knows everything, or no piece can be made now.
 */
static bool deliver_update_piece(struct server *server, struct session *session)
{
    if (session->view == NULL) {
        return false;
    }
    if (!session->update.done) {
        struct blob *blob = update_encode_all(server->message_blobs, server->world, &session->update);
        if (blob == NULL) {
            return false;
        }
        deliver_blob(session, blob, false);
        blob_release(blob);
        return true;
    }
    if (session->change_next == server->changes.next) {
        return false;
    }
    struct blob *blob = change_log_get(&server->changes, session->change_next);
    if (blob == NULL) {
        receive_end_session(
            server, session, STATUS_RESOURCE_EXHAUSTED,
            "too slow: changes of obstacles and profiles that were not taken are not kept any longer", 0);
        return false;
    }
    session->change_next++;
    deliver_blob(session, blob, false);
    return true;
}

static bool deliver_knows_all(const struct server *server, const struct session *session)
{
    return session->update.done && session->change_next == server->changes.next;
}

/* The whole snapshot of this tick or nothing of it. */
static void deliver_snapshot(struct server *server, struct session *session, bool ready)
{
    if (!view_snapshot_due(session->view)) {
        return;
    }
    struct blob *const *parts = NULL;
    uint32_t count = view_snapshot(session->view, &parts);
    if (!ready || count == 0) { /* 0: the pool of snapshots was full */
        server->stats.snapshots_skipped++;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        deliver_blob(session, parts[i], false);
        server->stats.snapshot_bytes += parts[i]->size;
    }
    server->stats.snapshots_sent++;
}

static void deliver_view(struct server *server, struct session *session)
{
    /* A change that a tick saw goes before the snapshot of that tick. */
    uint32_t pieces = 0;
    while (pieces < DELIVER_PIECES_IN_A_ROW && net_conn_is_drained(session->conn) &&
           deliver_update_piece(server, session)) {
        pieces++;
    }
    if (session->state != SESSION_STATE_GREETED) {
        return;
    }
    bool ready = net_conn_is_drained(session->conn) && deliver_knows_all(server, session);
    struct blob *events = view_events(session->view);
    if (session->wants_events && events != NULL) {
        deliver_blob(session, events, true);
    }
    deliver_snapshot(server, session, ready);
}

void deliver_views(struct server *server)
{
    for (uint32_t i = 0; i < server->sessions.config.sessions_max; i++) {
        struct session *session = &server->sessions.slots[i];
        if (session->state == SESSION_STATE_GREETED && session->view != NULL) {
            deliver_view(server, session);
        }
    }
}

/* ---- what is made as the socket drains ---- */

/* The next piece of the oldest query. False when there is none, or it cannot be made now. */
static bool deliver_query_piece(struct server *server, struct session *session)
{
    struct session_query *query = session->queries;
    if (query == NULL || (query->wants_digest && !server->tick.has_digest)) {
        return false; /* the next tick makes a digest, because this query waits */
    }
    struct stats_message stats;
    if (query->wants_digest) {
        stats_message_fill(server, &stats);
    }
    struct blob *blob = query_encode_next(server->message_blobs, server->world,
                                          query->wants_digest ? &stats.stats : NULL, &query->cursor);
    if (blob == NULL) {
        return false;
    }
    deliver_blob(session, blob, false);
    blob_release(blob);
    if (query->cursor.done) {
        struct delivery delivery = {.request_id = query->cursor.request_id, .tick = query->tick};
        session_pop_query(&server->sessions, session);
        deliver_result(server, session, &delivery, &(struct fault){.status = STATUS_OK});
    }
    return true;
}

void deliver_waiting_to(struct server *server, struct session *session)
{
    for (uint32_t pieces = 0; session->state == SESSION_STATE_GREETED && net_conn_is_drained(session->conn);
         pieces++) {
        if (pieces == DELIVER_PIECES_IN_A_ROW) {
            uv_async_send(&server->tick.again);
            return;
        }
        if (!deliver_update_piece(server, session) && !deliver_query_piece(server, session)) {
            return;
        }
    }
}

void deliver_waiting(struct server *server)
{
    for (uint32_t i = 0; i < server->sessions.config.sessions_max; i++) {
        struct session *session = &server->sessions.slots[i];
        if (session->state == SESSION_STATE_GREETED && (session->queries != NULL || session->view != NULL)) {
            deliver_waiting_to(server, session);
        }
    }
}
