/*
 * Commands about sessions themselves, which run on the loop after the step that first saw them: what a
 * session sees, what it asks, and the clock of the whole server. The checks of values are in wire/commands/.
 */
#include "app/session_ops.h"

#include "app/parts.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"

/* What the handlers of command_session_ops get as `session`. */
struct session_op {
    struct server *server;
    struct session *session;
};

void session_ops_drop_view(struct server *server, struct session *session)
{
    if (session->view == NULL) {
        return;
    }
    view_release(server->views, session->view);
    session->view = NULL;
    session->wants_events = false;
    server->sessions.viewers--;
}

static enum status session_ops_subscribe(void *context, const struct view_spec *spec, struct fault *fault)
{
    const struct session_op *op = context;
    struct server *server = op->server;
    struct session *session = op->session;
    if (session->view == NULL && server->sessions.viewers == server->config.viewers_max) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%u viewers watch, which is this server's limit",
                         server->config.viewers_max);
    }
    struct view *view = NULL;
    enum status status = view_acquire(server->views, server->world, spec, &view, fault);
    if (status != STATUS_OK) {
        return status;
    }
    session_ops_drop_view(server, session);
    session->view = view;
    session->wants_events = spec->events;
    session->update = (struct update_cursor){0};
    session->change_next = server->changes.next;
    server->sessions.viewers++;
    return STATUS_OK;
}

static enum status session_ops_unsubscribe(void *context, struct fault *fault)
{
    (void)fault;
    const struct session_op *op = context;
    session_ops_drop_view(op->server, op->session);
    return STATUS_OK;
}

static enum status session_ops_query(void *context, const Steerd__V1__Query *query, uint64_t request_id,
                                     struct fault *fault)
{
    const struct session_op *op = context;
    struct query_cursor cursor;
    enum status status = query_start(&cursor, query, request_id, fault);
    if (status != STATUS_OK) {
        return status;
    }
    return session_add_query(&op->server->sessions, op->session, &cursor, op->server->tick.first_to_see,
                             fault);
}

static enum status session_ops_set_clock(void *context, const struct clock_spec *spec, struct fault *fault)
{
    const struct session_op *op = context;
    struct schedule *schedule = &op->server->schedule;
    enum status status = schedule_set_clock(schedule, spec, clock_monotonic_ns(), fault);
    if (status == STATUS_OK) {
        log_line(LOG_LEVEL_INFO, "clock set", LOG_UINT("session", op->session->ref.id),
                 LOG_TEXT("paused", schedule->paused ? "true" : "false"),
                 LOG_UINT("steps", schedule->steps_left), LOG_FLOAT("speed", (double)schedule->speed),
                 LOG_UINT("tick", op->server->tick.last_finished));
    }
    return status;
}

void session_ops_run(struct server *server, struct session *session, struct inbox_entry *entry)
{
    static const struct command_session_ops ops = {
        .subscribe = session_ops_subscribe,
        .unsubscribe = session_ops_unsubscribe,
        .query = session_ops_query,
        .set_clock = session_ops_set_clock,
    };
    ASSERT(tick_world_is_here(server));
    struct session_op op = {.server = server, .session = session};
    struct command_context context = {
        .world = server->world,
        .scratch = &server->scratch,
        .session_id = session->ref.id,
        .snapshot_interval_ticks = server->config.snapshot_interval_ticks,
        .ops = &ops,
        .session = &op,
    };
    command_apply(&context, entry->message, &entry->result);
}
