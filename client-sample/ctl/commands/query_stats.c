/* query stats and query digest: the server's figures. */
#include "json.h"
#include "query.h"
#include "text.h"

static void query_stats_percentiles_json(FILE *out, const char *key, const Steerd__V1__Percentiles *figures)
{
    static const Steerd__V1__Percentiles none = STEERD__V1__PERCENTILES__INIT;
    figures = figures == NULL ? &none : figures;
    fprintf(out, ", \"%s\": {\"p50\": ", key);
    json_double(out, figures->p50);
    fputs(", \"p99\": ", out);
    json_double(out, figures->p99);
    fputs(", \"max\": ", out);
    json_double(out, figures->max);
    fputc('}', out);
}

static void query_stats_count_json(FILE *out, const char *key, uint64_t value)
{
    fprintf(out, ", \"%s\": %llu", key, (unsigned long long)value);
}

static void query_stats_json(FILE *out, const Steerd__V1__Stats *stats)
{
    fprintf(out, "{\"tick\": %llu", (unsigned long long)stats->tick);
    query_stats_count_json(out, "tick_rate_hz", stats->tick_rate_hz);
    query_stats_count_json(out, "agents", stats->agents);
    query_stats_count_json(out, "obstacles", stats->obstacles);
    query_stats_count_json(out, "viewers", stats->viewers);
    query_stats_count_json(out, "connections", stats->connections);
    query_stats_count_json(out, "ticks_skipped", stats->ticks_skipped);
    query_stats_percentiles_json(out, "tick_us", stats->tick_us);
    query_stats_percentiles_json(out, "tick_lateness_us", stats->tick_lateness_us);
    query_stats_count_json(out, "snapshot_bytes", stats->snapshot_bytes);
    query_stats_count_json(out, "snapshots_sent", stats->snapshots_sent);
    query_stats_count_json(out, "snapshots_skipped", stats->snapshots_skipped);
    query_stats_count_json(out, "memory_bytes", stats->memory_bytes);
    fprintf(out, ", \"state_digest\": \"%016llx\"", (unsigned long long)stats->state_digest);
    query_stats_count_json(out, "commands_ok", stats->commands_ok);
    query_stats_count_json(out, "commands_failed", stats->commands_failed);
    query_stats_count_json(out, "connections_accepted", stats->connections_accepted);
    query_stats_count_json(out, "connections_refused", stats->connections_refused);
    query_stats_count_json(out, "connections_faulted", stats->connections_faulted);
    query_stats_count_json(out, "bytes_received", stats->bytes_received);
    query_stats_count_json(out, "bytes_sent", stats->bytes_sent);
    query_stats_count_json(out, "events_dropped", stats->events_dropped);
    query_stats_count_json(out, "log_lines_dropped", stats->log_lines_dropped);
    query_stats_count_json(out, "uptime_us", stats->uptime_us);
    query_stats_count_json(out, "threads", stats->threads);
    fprintf(out, ", \"paused\": %s, \"speed\": ", stats->paused ? "true" : "false");
    json_float(out, stats->speed);
    fputs("}\n", out);
}

static void query_stats_row(FILE *out, const char *name, uint64_t value, const char *note)
{
    fprintf(out, "%-20s %12llu%s%s\n", name, (unsigned long long)value, note[0] == '\0' ? "" : "  ", note);
}

static void query_stats_row_bytes(FILE *out, const char *name, uint64_t bytes)
{
    char text[24];
    fprintf(out, "%-20s %12s\n", name, text_bytes((double)bytes, text, sizeof text));
}

static void query_stats_row_percentiles(FILE *out, const char *name, const Steerd__V1__Percentiles *figures)
{
    if (figures != NULL) {
        fprintf(out, "%-20s %9.2f ms  median; 99%% within %.2f ms, worst %.2f ms\n", name,
                figures->p50 / 1000.0, figures->p99 / 1000.0, figures->max / 1000.0);
    }
}

static void query_stats_words(FILE *out, const Steerd__V1__Stats *stats)
{
    char note[64];
    snprintf(note, sizeof note, "%s, %u Hz x %g", stats->paused ? "paused" : "running", stats->tick_rate_hz,
             (double)stats->speed);
    query_stats_row(out, "tick", stats->tick, note);
    query_stats_row(out, "agents", stats->agents, "");
    query_stats_row(out, "obstacles", stats->obstacles, "");
    snprintf(note, sizeof note, "of %u connections", stats->connections);
    query_stats_row(out, "viewers", stats->viewers, note);
    query_stats_row_percentiles(out, "tick takes", stats->tick_us);
    query_stats_row_percentiles(out, "tick is late by", stats->tick_lateness_us);
    query_stats_row(out, "ticks skipped", stats->ticks_skipped, "");
    query_stats_row(out, "snapshots sent", stats->snapshots_sent, "");
    query_stats_row(out, "snapshots skipped", stats->snapshots_skipped, "viewers that were slow");
    query_stats_row_bytes(out, "snapshot bytes", stats->snapshot_bytes);
    query_stats_row_bytes(out, "bytes sent", stats->bytes_sent);
    query_stats_row_bytes(out, "bytes received", stats->bytes_received);
    snprintf(note, sizeof note, "and %llu refused", (unsigned long long)stats->commands_failed);
    query_stats_row(out, "commands done", stats->commands_ok, note);
    snprintf(note, sizeof note, "%llu refused, %llu ended for what they sent",
             (unsigned long long)stats->connections_refused, (unsigned long long)stats->connections_faulted);
    query_stats_row(out, "connections ever", stats->connections_accepted, note);
    query_stats_row_bytes(out, "memory", stats->memory_bytes);
    query_stats_row(out, "threads", stats->threads, "");
    fprintf(out, "%-20s %10.1f s\n", "uptime", (double)stats->uptime_us / 1e6);
    fprintf(out, "%-20s %016llx\n", "state digest", (unsigned long long)stats->state_digest);
}

static void query_stats_on_piece(struct query_answer *answer, const Steerd__V1__QueryResult *piece)
{
    if (piece->stats == NULL) {
        return;
    }
    if (answer->json) {
        query_stats_json(answer->body, piece->stats);
    } else {
        query_stats_words(answer->body, piece->stats);
    }
}

static void query_stats_print(FILE *out, const struct query_answer *answer, const char *body)
{
    (void)answer;
    fputs(body, out);
}

static enum ctl_exit query_stats_run(const struct ctl_call *call)
{
    static const struct query_form form = {query_stats_on_piece, query_stats_print};
    Steerd__V1__Query query = STEERD__V1__QUERY__INIT;
    query.stats = true;
    return query_ask(call, &query, &form);
}

static void query_digest_on_piece(struct query_answer *answer, const Steerd__V1__QueryResult *piece)
{
    unsigned long long tick = piece->tick;
    unsigned long long digest = piece->state_digest;
    if (answer->json) {
        fprintf(answer->body, "{\"tick\": %llu, \"state_digest\": \"%016llx\"}\n", tick, digest);
    } else {
        fprintf(answer->body, "%016llx at tick %llu\n", digest, tick);
    }
}

static enum ctl_exit query_digest_run(const struct ctl_call *call)
{
    static const struct query_form form = {query_digest_on_piece, query_stats_print};
    Steerd__V1__Query query = STEERD__V1__QUERY__INIT;
    query.digest = true;
    return query_ask(call, &query, &form);
}

const struct ctl_command ctl_command_query_stats = {
    .usage = "",
    .summary = "Tells the server's figures: ticks, agents, viewers, bytes, memory.",
    .role = STEERD__V1__ROLE__ROLE_VIEWER,
    .run = query_stats_run,
};

const struct ctl_command ctl_command_query_digest = {
    .usage = "",
    .summary = "Tells the digest of the whole state, XXH3-64.",
    .role = STEERD__V1__ROLE__ROLE_VIEWER,
    .run = query_digest_run,
};
