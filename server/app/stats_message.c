/*
 * The server's figures as a message for Query, collected from all its parts.
 */
#include "app/stats_message.h"

#include "app/parts.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"

static void stats_message_fill_percentiles(Steerd__V1__Percentiles *message, struct sample_window *window)
{
    struct sample_percentiles percentiles = sample_window_percentiles(window);
    *message = (Steerd__V1__Percentiles)STEERD__V1__PERCENTILES__INIT;
    message->p50 = percentiles.p50;
    message->p99 = percentiles.p99;
    message->max = percentiles.max;
}

void stats_message_fill(struct server *server, struct stats_message *message)
{
    ASSERT(tick_world_is_here(server));
    ASSERT(server->tick.has_digest);
    stats_message_fill_percentiles(&message->tick_us, &server->stats.tick_us);
    stats_message_fill_percentiles(&message->tick_lateness_us, &server->stats.lateness_us);
    struct net_counters net = net_server_counters(server->net);
    Steerd__V1__Stats *stats = &message->stats;
    *stats = (Steerd__V1__Stats)STEERD__V1__STATS__INIT;
    stats->tick = server->tick.last_finished;
    stats->tick_rate_hz = server->config.world.tick_rate_hz;
    stats->agents = steer_world_agents(server->world).count;
    stats->obstacles = steer_world_obstacle_count(server->world);
    stats->viewers = server->sessions.viewers;
    stats->connections = net.connections;
    stats->ticks_skipped = server->schedule.skipped;
    stats->tick_us = &message->tick_us;
    stats->tick_lateness_us = &message->tick_lateness_us;
    stats->snapshot_bytes = server->stats.snapshot_bytes;
    stats->snapshots_sent = server->stats.snapshots_sent;
    stats->snapshots_skipped = server->stats.snapshots_skipped;
    stats->memory_bytes = server->memory.sum;
    stats->state_digest = server->tick.digest;
    stats->commands_ok = server->stats.commands_ok;
    stats->commands_failed = server->stats.commands_failed;
    stats->connections_accepted = net.accepted;
    stats->connections_refused = net.refused + server->stats.sessions_refused;
    stats->connections_faulted = net.faulted + server->stats.sessions_faulted;
    stats->bytes_received = net.bytes_received;
    stats->bytes_sent = net.bytes_sent;
    stats->uptime_us = (clock_monotonic_ns() - server->started_ns) / 1000;
    stats->threads = server->config.threads;
    stats->paused = server->schedule.paused;
    stats->speed = server->schedule.speed;
    stats->events_dropped =
        steer_world_events_dropped(server->world) + view_table_events_dropped(server->views);
    stats->log_lines_dropped = log_lines_dropped();
}
