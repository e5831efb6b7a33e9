#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/inbox.h"
#include "base/fault.h"
#include "net/server.h"
#include "wire/command.h"
#include "wire/query.h"
#include "wire/update.h"
#include "wire/view.h"

/*
 * What the server knows about each connection: how far it has come, what it may do, what it sees, what it
 * waits for. The table holds one slot per connection, taken at start. Loop thread only.
 */

#define SESSION_PROTOCOL_VERSION 1
#define SESSION_NAME_BYTES_MAX   64 /* of Hello.client_name */
#define SESSION_QUERIES_MAX      8  /* of one session at one time */

enum session_state {
    SESSION_STATE_GONE,      /* the slot is free */
    SESSION_STATE_CONNECTED, /* nothing said yet: Hello has to come */
    SESSION_STATE_GREETED,   /* commands and pushes flow */
    SESSION_STATE_CLOSING,   /* Goodbye is on its way, nothing else goes either way */
};

/* A query that is being answered, or waits behind those before it. */
struct session_query {
    struct query_cursor cursor;
    bool wants_digest; /* the answer needs the digest of the state */
    uint64_t tick;     /* that first saw it, for its CommandResult */
    struct session_query *next;
};

struct session {
    struct session_ref ref;
    enum session_state state;
    Steerd__V1__Role role;
    struct net_conn *conn;
    uint64_t connected_ns; /* monotonic */
    struct inbox_share inbox_share;
    bool owns; /* may own agents, which leave with it */
    char name[SESSION_NAME_BYTES_MAX + 1];

    struct view *view; /* NULL: does not watch */
    bool wants_events;
    struct update_cursor update; /* how far it has been told obstacles and profiles */
    uint64_t change_next;        /* number of the next entry of the change log to send */

    struct session_query *queries; /* in the order asked */
    uint32_t query_count;
};

struct session_table_config {
    uint32_t sessions_max;
    uint32_t queries_max; /* of all sessions together */
};

struct session_table {
    struct session_table_config config;
    struct session *slots; /* sessions_max of them */
    uint32_t *free_slots;  /* a stack */
    uint32_t free_count;
    struct session_query *queries; /* queries_max of them */
    struct session_query *free_queries;
    uint32_t id_last;
    uint32_t viewers;        /* sessions with a view */
    uint32_t digest_queries; /* waiting queries that want a digest */
};

/* False when there is no memory. A zeroed table may be passed to session_table_deinit. */
bool session_table_init(struct session_table *table, const struct session_table_config *config);
void session_table_deinit(struct session_table *table);
size_t session_table_memory_bytes(const struct session_table *table);

/* A new session in state CONNECTED; NULL when all slots are taken. Ids grow from 1 and are not used again. */
struct session *session_begin(struct session_table *table, struct net_conn *conn, uint64_t now_ns);

/* Frees the slot of a session whose view and queries are gone. */
void session_end(struct session_table *table, struct session *session);

/* The session of that id, unless it is gone; NULL then. */
struct session *session_find(const struct session_table *table, struct session_ref ref);

/* The one way to change a state: asserts that the move is in the table of moves. */
void session_move(struct session *session, enum session_state state);
bool session_move_is_legal(enum session_state from, enum session_state to);

/* "viewer", "controller", "admin" or "no role". */
const char *session_role_name(Steerd__V1__Role role);

/* Fails: PERMISSION_DENIED with command, needed role and the session's own. */
MUST_CHECK enum status session_check_role(Steerd__V1__Role role, const struct command_info *info,
                                          struct fault *fault);

/*
 * Checks all of a Hello but its token.
 * Fails: UNIMPLEMENTED (another protocol version), INVALID_ARGUMENT (a role that is none), OUT_OF_RANGE (name
 * too long).
 */
MUST_CHECK enum status session_check_hello(const Steerd__V1__Hello *hello, struct fault *fault);

/*
 * Appends a query to what the session waits for; *cursor is copied.
 * Fails: RESOURCE_EXHAUSTED (the session's or the server's limit).
 */
MUST_CHECK enum status session_add_query(struct session_table *table, struct session *session,
                                         const struct query_cursor *cursor, uint64_t tick,
                                         struct fault *fault);

/* Removes the oldest query. */
void session_pop_query(struct session_table *table, struct session *session);
