/*
 * The middle of the arrow: frozen inbox -> world -> tick -> encoded views -> sockets. Begin with tick_pass.
 * Below it is when a tick begins; what comes before the inbox is in receive.c, what goes out to sockets in
 * deliver.c.
 */
#include "app/tick.h"

#include "app/deliver.h"
#include "app/parts.h"
#include "app/session_ops.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"

#define TICK_NS_PER_US 1000.0

/*
 * Work of commands (steer_world_take_work) after which those that follow wait for another tick, some 0.3 s of
 * it: a few bytes like `targets {all, ...}` cost as much as there are agents.
 */
#define TICK_WORK_MAX 4000000u

/* Skipped ticks are told at most this often. */
#define TICK_SKIPS_TOLD_EVERY_NS 1000000000u

static void tick_move(struct tick *tick, enum tick_phase phase)
{
    static const enum tick_phase next[] = {
        [TICK_PHASE_IDLE] = TICK_PHASE_RUNNING,
        [TICK_PHASE_RUNNING] = TICK_PHASE_DONE,
        [TICK_PHASE_DONE] = TICK_PHASE_IDLE,
    };
    ASSERT(next[atomic_load(&tick->phase)] == phase);
    atomic_store(&tick->phase, phase); /* hands world, views and batch over to the other thread */
}

static void tick_pass_on_pool(void *context);
static bool tick_batch_wants_digest(const struct inbox_batch *batch);
static void tick_apply_commands(struct server *server, struct inbox_batch *batch);
static void tick_answer_commands(struct server *server, struct inbox_batch *batch);
static void tick_measure(struct server *server);

/*
 * One tick, from top to bottom. Called three times for each: on the loop thread, on a thread of the pool, and
 * on the loop thread again, so that the loop never waits for the simulation nor the simulation for a socket.
 *
 *     socket bytes -> frame -> message -> command -> inbox      before: net/, receive.c, wire/message.h
 *     inbox -> world -> tick -> encoded views                   here
 *     views -> frame -> sockets                                 here, deliver.c, net/
 */
static void tick_pass(struct server *server)
{
    struct tick *tick = &server->tick;
    switch (atomic_load(&tick->phase)) {

    case TICK_PHASE_IDLE: /* Loop thread. What arrives from now on waits for the next tick. */
        tick->batch = inbox_freeze(&server->inbox);
        tick->wants_digest = server->sessions.digest_queries > 0 || tick_batch_wants_digest(tick->batch);
        tick->first_to_see = steer_world_tick(server->world) + 1;
        tick_move(tick, TICK_PHASE_RUNNING);
        job_pool_submit(server->pool, tick_pass_on_pool, server);
        return;

    case TICK_PHASE_RUNNING: /* A thread of the pool, with world, views and batch to itself. */
        tick_apply_commands(server, tick->batch);
        if (tick->steps) {
            if (server->script != NULL) {
                server->script(server->script_context, server->world);
            }
            steer_world_step(server->world, server->pool);
            view_table_encode(server->views, server->world, server->pool, clock_wall_us());
        }
        tick->has_digest = tick->wants_digest;
        tick->digest = tick->wants_digest ? steer_world_digest(server->world) : 0;
        tick_move(tick, TICK_PHASE_DONE);
        uv_async_send(&tick->done);
        return;

    case TICK_PHASE_DONE: /* Loop thread again. The world lies still until the next tick begins. */
        tick->last_finished = steer_world_tick(server->world);
        tick->agents = steer_world_agents(server->world).count;
        if (tick->steps) {
            deliver_changes(server);
        }
        tick_answer_commands(server, tick->batch);
        inbox_release(&server->inbox, tick->batch);
        if (tick->steps) {
            deliver_views(server);
            view_table_release_encoded(server->views);
            steer_world_clear_changes(server->world);
        }
        deliver_waiting(server);
        tick_move(tick, TICK_PHASE_IDLE);
        tick_measure(server);
        return;
    }
}

static void tick_pass_on_pool(void *context)
{
    tick_pass(context);
}

/* The digest costs a walk over the whole state: only for those who ask. */
static bool tick_batch_wants_digest(const struct inbox_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const Steerd__V1__ClientMessage *message = batch->entries[i].message;
        if (message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_QUERY &&
            (message->query->stats || message->query->digest)) {
            return true;
        }
    }
    return false;
}

/* In arrival order; then those who left take what they owned with them. */
static void tick_apply_commands(struct server *server, struct inbox_batch *batch)
{
    uint64_t work = 0;
    (void)steer_world_take_work(server->world); /* a script's */
    for (uint32_t i = 0; i < batch->count; i++) {
        struct inbox_entry *entry = &batch->entries[i];
        if (entry->info->scope == COMMAND_SCOPE_WORLD && work > TICK_WORK_MAX) {
            fault_set(
                &entry->result.fault, STATUS_RESOURCE_EXHAUSTED,
                "the commands before this one are all the work that one tick takes: send it again after it");
        } else if (entry->info->scope == COMMAND_SCOPE_WORLD) {
            struct command_context context = {
                .world = server->world,
                .scratch = &server->scratch,
                .session_id = entry->session.id,
                .snapshot_interval_ticks = server->config.snapshot_interval_ticks,
            };
            command_apply(&context, entry->message, &entry->result);
            work += steer_world_take_work(server->world);
        }
    }
    steer_world_remove_owned(server->world, batch->departed, batch->departed_count); /* and sweeps */
}

/* In arrival order: results of what has been applied, and the commands that are about sessions themselves. */
static void tick_answer_commands(struct server *server, struct inbox_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        struct inbox_entry *entry = &batch->entries[i];
        struct session *session = session_find(&server->sessions, entry->session);
        if (entry->info->scope == COMMAND_SCOPE_SESSION && session != NULL &&
            session->state == SESSION_STATE_GREETED) {
            session_ops_run(server, session, entry);
        }
        if (entry->result.fault.status == STATUS_OK) {
            server->stats.commands_ok++;
        } else {
            server->stats.commands_failed++;
        }
        /* A query that was accepted has its result after its last piece (deliver.c). */
        bool goes_on = entry->info->body == STEERD__V1__CLIENT_MESSAGE__BODY_QUERY &&
                       entry->result.fault.status == STATUS_OK;
        if (session != NULL && !goes_on) {
            struct delivery delivery = {
                .request_id = entry->request_id,
                .tick = server->tick.first_to_see,
                .made = entry->result.made,
            };
            deliver_result(server, session, &delivery, &entry->result.fault);
        }
    }
}

static void tick_measure(struct server *server)
{
    if (server->tick.steps) {
        uint64_t taken_ns = clock_monotonic_ns() - server->tick.begun_ns;
        sample_window_add(&server->stats.tick_us, (double)taken_ns / TICK_NS_PER_US);
    }
}

/* ---- when a tick begins ---- */

static void tick_tell_skips(struct server *server, uint64_t now_ns)
{
    struct tick *tick = &server->tick;
    uint64_t skipped = server->schedule.skipped - tick->skips_told;
    if (skipped == 0 ||
        (tick->skips_told_ns != 0 && now_ns - tick->skips_told_ns < TICK_SKIPS_TOLD_EVERY_NS)) {
        return;
    }
    log_line(LOG_LEVEL_WARN, "ticks skipped: the simulation is slower than its rate",
             LOG_UINT("skipped", skipped), LOG_UINT("skipped_total", server->schedule.skipped),
             LOG_UINT("tick", tick->last_finished), LOG_UINT("agents", tick->agents));
    tick->skips_told = server->schedule.skipped;
    tick->skips_told_ns = now_ns;
}

static void tick_begin(struct server *server, uint64_t now_ns, bool steps)
{
    server->tick.begun_ns = now_ns;
    server->tick.steps = steps;
    tick_pass(server);
}

void tick_consider(struct server *server)
{
    if (server->life != SERVER_LIFE_RUNNING || atomic_load(&server->tick.phase) != TICK_PHASE_IDLE) {
        return;
    }
    uint64_t now_ns = clock_monotonic_ns();
    struct schedule_turn turn = schedule_take(&server->schedule, now_ns);
    tick_tell_skips(server, now_ns);
    if (turn.tick) {
        sample_window_add(&server->stats.lateness_us, (double)turn.lateness_ns / TICK_NS_PER_US);
        tick_begin(server, now_ns, true);
        return;
    }
    /* A digest holds as long as nothing happens: a client that is slow to take its answer makes no more work.
     */
    bool digest_is_missing = server->sessions.digest_queries > 0 && !server->tick.has_digest;
    bool waits = !inbox_is_empty(&server->inbox) || digest_is_missing;
    if (schedule_stands(&server->schedule) && waits) {
        tick_begin(server, now_ns, false); /* commands take effect although time stands still */
        return;
    }
    tick_timer_arm(&server->tick.timer, schedule_next_ns(&server->schedule));
}

bool tick_world_is_here(const struct server *server)
{
    return atomic_load(&server->tick.phase) != TICK_PHASE_RUNNING;
}

/* A step that the pool has finished comes back to the loop. */
static void tick_finish(struct server *server)
{
    if (atomic_load(&server->tick.phase) == TICK_PHASE_DONE) {
        tick_pass(server);
    }
    tick_consider(server);
}

void tick_keep_time(struct server *server)
{
    bool is_done = atomic_load(&server->tick.phase) == TICK_PHASE_DONE;
    if (is_done || clock_monotonic_ns() >= schedule_next_ns(&server->schedule)) {
        tick_finish(server);
    }
}

static void tick_on_deadline(void *context)
{
    tick_consider(context);
}

static void tick_on_done(uv_async_t *async)
{
    struct server *server = async->data;
    tick_finish(server);
    server_consider_end(server);
}

static void tick_on_again(uv_async_t *async)
{
    struct server *server = async->data;
    if (tick_world_is_here(server)) {
        deliver_waiting(server);
    } /* else the end of the tick delivers */
}

bool tick_open(struct server *server)
{
    struct tick *tick = &server->tick;
    tick->done.data = server;
    tick->again.data = server;
    if (!tick_timer_open(&tick->timer, &server->loop, tick_on_deadline, server)) {
        return false;
    }
    if (uv_async_init(&server->loop, &tick->done, tick_on_done) != 0) {
        return false;
    }
    return uv_async_init(&server->loop, &tick->again, tick_on_again) == 0;
}

void tick_close(struct server *server)
{
    struct tick *tick = &server->tick;
    ASSERT(atomic_load(&tick->phase) == TICK_PHASE_IDLE);
    tick_timer_close(&tick->timer);
    if (tick->done.type == UV_ASYNC) {
        uv_close((uv_handle_t *)&tick->done, NULL);
    }
    if (tick->again.type == UV_ASYNC) {
        uv_close((uv_handle_t *)&tick->again, NULL);
    }
}
