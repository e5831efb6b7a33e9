/*
 * The server's memory and threads: all of it is taken here, from limits, and given back here. life.c runs it.
 */
#include "app/server.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "app/parts.h"
#include "app/receive.h"
#include "base/assert.h"
#include "base/log.h"
#include "wire/command.h"
#include "wire/message.h"

/* One decoded message, whatever its frame: the largest decoding budget of wire/message.h. */
#define SERVER_LOOSE_BYTES MESSAGE_BUDGET_MAX

/* Descriptors beside connections: those that net keeps for refusing, listeners, the loop, logs, files. */
#define SERVER_DESCRIPTORS_OTHER 128

/*
 * Raises the soft limit of descriptors (the hard one too, where we may) to what connections_max needs, and
 * lowers connections_max to what is left otherwise.
 */
static enum status server_limit_descriptors(struct server_config *config, struct fault *fault)
{
    struct rlimit limit;
    rlim_t needed = (rlim_t)config->connections_max + SERVER_DESCRIPTORS_OTHER;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) {
        return STATUS_OK;
    }
    struct rlimit raised = {.rlim_cur = needed,
                            .rlim_max = limit.rlim_max > needed ? limit.rlim_max : needed};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) {
        return STATUS_OK;
    }
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= SERVER_DESCRIPTORS_OTHER) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                         "this process may have %llu open files, and needs %d and one for each connection",
                         (unsigned long long)limit.rlim_cur, SERVER_DESCRIPTORS_OTHER);
    }
    config->connections_max = (uint32_t)(limit.rlim_cur - SERVER_DESCRIPTORS_OTHER);
    log_line(LOG_LEVEL_WARN, "connections-max is lowered: the system's limit of open files is too small",
             LOG_UINT("connections_max", config->connections_max), LOG_UINT("open_files", limit.rlim_cur));
    return STATUS_OK;
}

static enum status server_refuse_memory(const char *part, struct fault *fault)
{
    return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                     "there is no memory for the %s that the limits ask for", part);
}

/* Everything between the world and the sockets. */
static enum status server_take_session_memory(struct server *server, struct fault *fault)
{
    const struct server_config *config = &server->config;
    struct inbox_config inbox = {
        .entries_max = config->inbox_entries_max,
        .sessions_max = config->connections_max,
        .arena_bytes = config->inbox_bytes,
    };
    struct session_table_config sessions = {
        .sessions_max = config->connections_max,
        .queries_max = config->queries_max,
    };
    if (!inbox_init(&server->inbox, &inbox) || !arena_init(&server->loose, SERVER_LOOSE_BYTES) ||
        !arena_init(&server->scratch, COMMAND_SCRATCH_BYTES)) {
        return server_refuse_memory("inbox", fault);
    }
    if (!session_table_init(&server->sessions, &sessions)) {
        return server_refuse_memory("sessions", fault);
    }
    return STATUS_OK;
}

static enum status server_take_world(struct server *server, struct fault *fault)
{
    const struct server_config *config = &server->config;
    server->pool = job_pool_create(config->threads);
    if (server->pool == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%u threads cannot be started", config->threads);
    }
    enum status status = steer_world_create(&config->world, config->threads, &server->world, fault);
    if (status != STATUS_OK) {
        return status;
    }
    server->snapshot_blobs = blob_pool_create(config->snapshot_pool_bytes_max);
    server->message_blobs = blob_pool_create(config->message_pool_bytes_max);
    if (server->snapshot_blobs == NULL || server->message_blobs == NULL) {
        return server_refuse_memory("messages", fault);
    }
    server->views = view_table_create(&(struct view_table_config){
        .views_max = config->viewers_max + 1, /* who replaces a view holds two for a moment */
        .frame_bytes_max = config->server_frame_bytes_max,
        .agents_max = config->world.agents_max,
        .threads = config->threads,
        .blobs = server->snapshot_blobs,
    });
    return server->views != NULL ? STATUS_OK : server_refuse_memory("views", fault);
}

static enum status server_take_net(struct server *server, struct fault *fault)
{
    const struct server_config *config = &server->config;
    struct net_config net = {
        .connections_max = config->connections_max,
        .frame_in_bytes_max = config->client_frame_bytes_max,
        .queue_bytes_max = config->queue_bytes_max,
        .send_buffer_bytes = config->send_buffer_bytes,
        .frame_timeout_ms = SERVER_FRAME_TIMEOUT_MS,
        .close_timeout_ms = SERVER_CLOSE_TIMEOUT_MS,
    };
    struct net_handlers handlers = receive_handlers(server);
    server->net = net_server_create(&server->loop, &net, &handlers);
    if (server->net == NULL) {
        return server_refuse_memory("connections", fault);
    }
    return server_open_handles(server) ? STATUS_OK
                                       : fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                                                   "there are no descriptors for timer and signals");
}

/* What the limits ask for. */
static struct server_memory server_add_memory(const struct server *server)
{
    struct server_memory memory = {
        .world = steer_world_memory_bytes(server->world),
        .views = view_table_memory_bytes(server->views),
        .connections = net_server_memory_bytes(server->net),
        .inbox = inbox_memory_bytes(&server->inbox) + SERVER_LOOSE_BYTES + COMMAND_SCRATCH_BYTES,
        .sessions = session_table_memory_bytes(&server->sessions) + sizeof *server,
        .snapshots = blob_pool_memory_bytes(server->snapshot_blobs),
        .messages = blob_pool_memory_bytes(server->message_blobs),
    };
    memory.sum = memory.world + memory.views + memory.connections + memory.inbox + memory.sessions +
                 memory.snapshots + memory.messages;
    return memory;
}

enum status server_create(const struct server_config *config, struct server **out, struct fault *fault)
{
    struct server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        return server_refuse_memory("server", fault);
    }
    if (uv_loop_init(&server->loop) != 0) {
        free(server);
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "there are no descriptors for an event loop");
    }
    server->config = *config;
    server->tick.timer.descriptor = -1;
    stats_init(&server->stats, config->world.tick_rate_hz);
    enum status status = server_limit_descriptors(&server->config, fault);
    if (status == STATUS_OK && config->tokens_path != NULL) {
        status = token_set_load(config->tokens_path, &server->tokens, fault);
    }
    if (status == STATUS_OK) {
        status = server_take_world(server, fault);
    }
    if (status == STATUS_OK) {
        status = server_take_session_memory(server, fault);
    }
    if (status == STATUS_OK) {
        status = server_take_net(server, fault);
    }
    if (status != STATUS_OK) {
        server_destroy(server);
        return status;
    }
    server->memory = server_add_memory(server);
    *out = server;
    return STATUS_OK;
}

struct steer_world *server_world(struct server *server)
{
    return server->world;
}

void server_set_script(struct server *server, server_script_fn fn, void *context)
{
    ASSERT(server->life == SERVER_LIFE_CREATED);
    server->script = fn;
    server->script_context = context;
}

void server_destroy(struct server *server)
{
    if (server == NULL) {
        return;
    }
    if (server->life != SERVER_LIFE_CLOSED) {
        server_close(server);
        uv_run(&server->loop, UV_RUN_DEFAULT);
        ASSERT(server->life == SERVER_LIFE_CLOSED);
    }
    net_server_destroy(server->net);
    int error = uv_loop_close(&server->loop);
    ASSERT(error == 0);
    job_pool_destroy(server->pool); /* before what its threads work on */
    change_log_clear(&server->changes);
    view_table_destroy(server->views);
    blob_pool_destroy(server->snapshot_blobs);
    blob_pool_destroy(server->message_blobs);
    steer_world_destroy(server->world);
    session_table_deinit(&server->sessions);
    inbox_deinit(&server->inbox);
    arena_deinit(&server->loose);
    arena_deinit(&server->scratch);
    token_set_destroy(server->tokens);
    free(server);
}
