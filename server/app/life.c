/*
 * From listening to exit 0: the loop's run, signals, and the orderly end. server.c has memory and threads.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "app/parts.h"
#include "app/receive.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"

/* How often silent connections are looked for: a Hello is awaited for 5 s, give or take this. */
#define LIFE_GREET_CHECK_MS 100

/* Time for Goodbye to be taken; closing connections give up before that (SERVER_CLOSE_TIMEOUT_MS). */
#define LIFE_DRAIN_MS 1500

/* What clients are told to wait before they come back. */
#define LIFE_RETRY_AFTER_MS 1000

#define SERVER_LIFE_TO(name) (1u << SERVER_LIFE_##name)

static const uint32_t server_moves[] = {
#define SERVER_LIFE(name, moves) [SERVER_LIFE_##name] = (moves),
    SERVER_LIVES
#undef SERVER_LIFE
};

void server_move(struct server *server, enum server_life life)
{
    ASSERT((server_moves[server->life] & (1u << life)) != 0);
    server->life = life;
}

/* ---- the end ---- */

static void life_on_net_closed(void *context)
{
    server_move(context, SERVER_LIFE_CLOSED);
}

static void life_close_handle(uv_handle_t *handle)
{
    if (handle->type != UV_UNKNOWN_HANDLE) {
        uv_close(handle, NULL);
    }
}

void server_close(struct server *server)
{
    ASSERT(atomic_load(&server->tick.phase) == TICK_PHASE_IDLE);
    server_move(server, SERVER_LIFE_CLOSING);
    tick_close(server);
    life_close_handle((uv_handle_t *)&server->sigterm);
    life_close_handle((uv_handle_t *)&server->sigint);
    life_close_handle((uv_handle_t *)&server->greet_timer);
    life_close_handle((uv_handle_t *)&server->drain_timer);
    if (server->net != NULL) {
        net_server_close(server->net, life_on_net_closed, server);
    } else {
        server_move(server, SERVER_LIFE_CLOSED);
    }
}

void server_consider_end(struct server *server)
{
    if (server->life == SERVER_LIFE_DRAINING && atomic_load(&server->tick.phase) == TICK_PHASE_IDLE &&
        net_server_counters(server->net).connections == 0) {
        server_close(server);
    }
}

static void life_on_drain_timeout(uv_timer_t *timer)
{
    struct server *server = timer->data;
    if (server->life != SERVER_LIFE_DRAINING) {
        return;
    }
    if (atomic_load(&server->tick.phase) != TICK_PHASE_IDLE) {
        /* The threads of the pool cannot be stopped, and everybody has been told. */
        log_line(LOG_LEVEL_WARN, "stopped in the middle of a tick that takes too long");
        log_stop();
        _exit(0);
    }
    server_close(server);
}

static void life_drain(struct server *server)
{
    server_move(server, SERVER_LIFE_DRAINING);
    net_server_stop_listening(server->net);
    tick_timer_arm(&server->tick.timer, SCHEDULE_NEVER_NS);
    for (uint32_t i = 0; i < server->sessions.config.sessions_max; i++) {
        struct session *session = &server->sessions.slots[i];
        if (session->state != SESSION_STATE_GONE) {
            receive_end_session(server, session, STATUS_UNAVAILABLE, "the server is stopping",
                                LIFE_RETRY_AFTER_MS);
        }
    }
    uv_timer_start(&server->drain_timer, life_on_drain_timeout, LIFE_DRAIN_MS, 0);
    server_consider_end(server);
}

static void life_on_signal(uv_signal_t *handle, int number)
{
    struct server *server = handle->data;
    if (server->life != SERVER_LIFE_RUNNING) {
        _exit(1); /* the second one: at once */
    }
    log_line(LOG_LEVEL_INFO, "stopping", LOG_TEXT("signal", number == SIGINT ? "SIGINT" : "SIGTERM"),
             LOG_UINT("connections", net_server_counters(server->net).connections));
    life_drain(server);
}

/* ---- the beginning ---- */

static void life_on_greet_check(uv_timer_t *timer)
{
    receive_end_silent_sessions(timer->data);
}

bool server_open_handles(struct server *server)
{
    server->sigterm.data = server;
    server->sigint.data = server;
    server->greet_timer.data = server;
    server->drain_timer.data = server;
    uv_timer_init(&server->loop, &server->greet_timer); /* cannot fail */
    uv_timer_init(&server->loop, &server->drain_timer);
    return uv_signal_init(&server->loop, &server->sigterm) == 0 &&
           uv_signal_init(&server->loop, &server->sigint) == 0 && tick_open(server);
}

static enum status life_listen(struct server *server, struct fault *fault)
{
    ASSERT(server->config.listen_count > 0);
    for (uint32_t i = 0; i < server->config.listen_count; i++) {
        const struct endpoint *endpoint = &server->config.listen[i];
        char bound[ENDPOINT_HOST_SIZE + 16];
        enum status status =
            net_server_listen_tcp(server->net, endpoint->host, endpoint->port, bound, sizeof bound, fault);
        if (status != STATUS_OK) {
            return status;
        }
        printf("listening tcp %s\n", bound);
        log_line(LOG_LEVEL_INFO, "listening", LOG_TEXT("tcp", bound));
    }
    fflush(stdout);
    return STATUS_OK;
}

/* Once it is certain that the server runs, so that a failed start says one sentence and no more. */
static void life_tell_start(const struct server *server)
{
    const struct server_config *config = &server->config;
    const struct server_memory *memory = &server->memory;
    log_line(LOG_LEVEL_INFO, "steerd runs", LOG_TEXT("version", STEERD_VERSION),
             LOG_UINT("tick_rate_hz", config->world.tick_rate_hz), LOG_UINT("threads", config->threads),
             LOG_UINT("agents", server->tick.agents), LOG_UINT("agents_max", config->world.agents_max),
             LOG_UINT("connections_max", config->connections_max),
             LOG_UINT("viewers_max", config->viewers_max),
             LOG_TEXT("roles", server->tokens != NULL ? "by token" : "as asked"));
    log_line(LOG_LEVEL_INFO, "memory reserved", LOG_UINT("bytes", memory->sum),
             LOG_UINT("world", memory->world), LOG_UINT("views", memory->views),
             LOG_UINT("connections", memory->connections), LOG_UINT("inbox", memory->inbox),
             LOG_UINT("sessions", memory->sessions), LOG_UINT("snapshots", memory->snapshots),
             LOG_UINT("messages", memory->messages));
}

enum status server_run(struct server *server, struct fault *fault)
{
    signal(SIGPIPE, SIG_IGN);
    if (uv_signal_start(&server->sigterm, life_on_signal, SIGTERM) != 0 ||
        uv_signal_start(&server->sigint, life_on_signal, SIGINT) != 0) {
        return fault_set(fault, STATUS_UNAVAILABLE, "signals cannot be caught");
    }
    server_move(server, SERVER_LIFE_RUNNING);
    server->started_ns = clock_monotonic_ns();
    server->tick.last_finished = steer_world_tick(server->world);
    server->tick.agents = steer_world_agents(server->world).count;
    enum status status = life_listen(server, fault);
    if (status != STATUS_OK) {
        return status;
    }
    life_tell_start(server);
    uv_timer_start(&server->greet_timer, life_on_greet_check, LIFE_GREET_CHECK_MS, LIFE_GREET_CHECK_MS);
    schedule_init(&server->schedule, server->config.world.tick_rate_hz, clock_monotonic_ns());
    tick_consider(server);
    uv_run(&server->loop, UV_RUN_DEFAULT);
    ASSERT(server->life == SERVER_LIFE_CLOSED);
    log_line(LOG_LEVEL_INFO, "stopped", LOG_UINT("ticks", server->tick.last_finished),
             LOG_UINT("ticks_skipped", server->schedule.skipped),
             LOG_FLOAT("uptime_s", (double)(clock_monotonic_ns() - server->started_ns) * 1e-9));
    return STATUS_OK;
}
