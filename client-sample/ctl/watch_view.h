#pragma once

#include "fit.h"
#include "map.h"
#include "steerd_client.h"
#include "terminal.h"

/* What `watch` prints of each snapshot. */
enum watch_form {
    WATCH_FORM_JSON,  /* one object a line */
    WATCH_FORM_LINES, /* one sentence a line: for files and pipes */
    WATCH_FORM_TABLE, /* figures and the first agents, redrawn in place */
    WATCH_FORM_MAP,   /* the crowd as characters; redrawn on a terminal, one after the other in a pipe */
};

#define WATCH_RATE_SAMPLES 32 /* about two seconds at the usual 15 snapshots a second */

/* When the last snapshots came and how large they were. */
struct watch_rate {
    uint64_t time_ns[WATCH_RATE_SAMPLES];
    size_t size[WATCH_RATE_SAMPLES];
    uint64_t count; /* ever */
};

struct watch_view {
    FILE *out; /* borrowed */
    enum watch_form form;
    struct terminal terminal;
    const char *server;                 /* borrowed; for the title */
    const struct steerd_client *client; /* borrowed */
    bool has_area;
    struct map_area area; /* with has_area: what the map shows */
    uint32_t around_id;   /* or it shows a disc round this agent, radius_m; 0: neither */
    float around_radius_m;
    struct fit fit;
    struct watch_rate rate;
    struct map *map; /* owned; NULL without WATCH_FORM_MAP */
};

/* Snapshot of `size` bytes has come at time_ns (monotonic clock). */
void watch_rate_add(struct watch_rate *rate, uint64_t time_ns, size_t size);

/* Over the samples there are; both 0 with fewer than two. */
void watch_rate_read(const struct watch_rate *rate, double *snapshots_per_s, double *bytes_per_s);

/* On a terminal: says that nothing has come, and why that may be. Else does nothing. */
void watch_view_print_waiting(const struct watch_view *view);

/* Prints the mirror as it is now, in the view's form. size: bytes of the snapshot. */
void watch_view_print(struct watch_view *view, size_t size);
