/*
 * Sessions: their slots, their lifecycle as a table of moves, their roles and the queries they wait for.
 * receive.c opens and closes them, deliver.c reads from them whom to send what.
 */
#include "app/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

bool session_table_init(struct session_table *table, const struct session_table_config *config)
{
    *table = (struct session_table){.config = *config};
    table->slots = calloc(config->sessions_max, sizeof *table->slots);
    table->free_slots = calloc(config->sessions_max, sizeof *table->free_slots);
    table->queries = calloc(config->queries_max, sizeof *table->queries);
    if (table->slots == NULL || table->free_slots == NULL || table->queries == NULL) {
        session_table_deinit(table);
        return false;
    }
    for (uint32_t i = 0; i < config->sessions_max; i++) {
        table->free_slots[i] = config->sessions_max - 1 - i; /* the first to be taken is slot 0 */
    }
    table->free_count = config->sessions_max;
    for (uint32_t i = 0; i < config->queries_max; i++) {
        table->queries[i].next = table->free_queries;
        table->free_queries = &table->queries[i];
    }
    return true;
}

void session_table_deinit(struct session_table *table)
{
    free(table->slots);
    free(table->free_slots);
    free(table->queries);
    *table = (struct session_table){0};
}

size_t session_table_memory_bytes(const struct session_table *table)
{
    return table->config.sessions_max * (sizeof *table->slots + sizeof *table->free_slots) +
           table->config.queries_max * sizeof *table->queries;
}

struct session *session_begin(struct session_table *table, struct net_conn *conn, uint64_t now_ns)
{
    if (table->free_count == 0) {
        return NULL;
    }
    uint32_t slot = table->free_slots[--table->free_count];
    struct session *session = &table->slots[slot];
    ASSERT(session->state == SESSION_STATE_GONE);
    *session = (struct session){
        .ref = {.slot = slot, .id = ++table->id_last},
        .conn = conn,
        .connected_ns = now_ns,
    };
    session_move(session, SESSION_STATE_CONNECTED);
    return session;
}

void session_end(struct session_table *table, struct session *session)
{
    ASSERT(session->view == NULL);
    ASSERT(session->queries == NULL);
    session_move(session, SESSION_STATE_GONE);
    session->ref.id = 0;
    session->conn = NULL;
    table->free_slots[table->free_count++] = session->ref.slot;
    ASSERT(table->free_count <= table->config.sessions_max);
}

struct session *session_find(const struct session_table *table, struct session_ref ref)
{
    ASSERT(ref.slot < table->config.sessions_max);
    struct session *session = &table->slots[ref.slot];
    return session->ref.id == ref.id && ref.id != 0 ? session : NULL;
}

bool session_move_is_legal(enum session_state from, enum session_state to)
{
#define SESSION_MOVE(to) (1u << SESSION_STATE_##to)
    static const uint32_t moves[] = {
        [SESSION_STATE_GONE] = SESSION_MOVE(CONNECTED),
        [SESSION_STATE_CONNECTED] = SESSION_MOVE(GREETED) | SESSION_MOVE(CLOSING) | SESSION_MOVE(GONE),
        [SESSION_STATE_GREETED] = SESSION_MOVE(CLOSING) | SESSION_MOVE(GONE),
        [SESSION_STATE_CLOSING] = SESSION_MOVE(GONE),
    };
#undef SESSION_MOVE
    return (moves[from] >> to & 1) != 0;
}

void session_move(struct session *session, enum session_state state)
{
    ASSERT(session_move_is_legal(session->state, state));
    session->state = state;
}

const char *session_role_name(Steerd__V1__Role role)
{
    switch (role) {
    case STEERD__V1__ROLE__ROLE_VIEWER:
        return "viewer";
    case STEERD__V1__ROLE__ROLE_CONTROLLER:
        return "controller";
    case STEERD__V1__ROLE__ROLE_ADMIN:
        return "admin";
    default:
        return "no role";
    }
}

enum status session_check_role(Steerd__V1__Role role, const struct command_info *info, struct fault *fault)
{
    if (role < info->role_min) {
        return fault_set(fault, STATUS_PERMISSION_DENIED, "%s needs the role %s, and this session has %s",
                         info->name, session_role_name(info->role_min), session_role_name(role));
    }
    return STATUS_OK;
}

enum status session_check_hello(const Steerd__V1__Hello *hello, struct fault *fault)
{
    if (hello->protocol_version != SESSION_PROTOCOL_VERSION) {
        return fault_set(fault, STATUS_UNIMPLEMENTED,
                         "hello.protocol_version is %u: this server speaks version %d",
                         hello->protocol_version, SESSION_PROTOCOL_VERSION);
    }
    if ((int)hello->role < STEERD__V1__ROLE__ROLE_UNSPECIFIED || hello->role > STEERD__V1__ROLE__ROLE_ADMIN) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "hello.role is %d: 1 (viewer), 2 (controller) or 3 (admin) is needed",
                         (int)hello->role);
    }
    size_t size = strlen(hello->client_name);
    if (size > SESSION_NAME_BYTES_MAX) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "hello.client_name has %zu bytes: at most %d are legal",
                         size, SESSION_NAME_BYTES_MAX);
    }
    return STATUS_OK;
}

enum status session_add_query(struct session_table *table, struct session *session,
                              const struct query_cursor *cursor, uint64_t tick, struct fault *fault)
{
    if (session->query_count == SESSION_QUERIES_MAX) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                         "%d queries of this session are being answered: send the next when one is done",
                         SESSION_QUERIES_MAX);
    }
    struct session_query *query = table->free_queries;
    if (query == NULL) {
        return fault_set(
            fault, STATUS_RESOURCE_EXHAUSTED,
            "%u queries of all sessions are being answered, which is the limit: send this one again",
            table->config.queries_max);
    }
    table->free_queries = query->next;
    *query = (struct session_query){
        .cursor = *cursor,
        .wants_digest = cursor->wants_stats || cursor->wants_digest,
        .tick = tick,
    };
    struct session_query **last = &session->queries;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = query;
    session->query_count++;
    table->digest_queries += query->wants_digest;
    return STATUS_OK;
}

void session_pop_query(struct session_table *table, struct session *session)
{
    struct session_query *query = session->queries;
    ASSERT(query != NULL);
    session->queries = query->next;
    session->query_count--;
    table->digest_queries -= query->wants_digest;
    query->next = table->free_queries;
    table->free_queries = query;
}
