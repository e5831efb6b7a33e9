/*
 * Who is shown what: the table of distinct views, and the turn that encodes those that are due. Stands
 * between the stepped world and the fan-out; the bytes of a snapshot are made in snapshot_full.c, those of
 * events in events.c.
 */
#include "wire/view.h"

#include <stdlib.h>

#include "base/assert.h"
#include "wire/events.h"
#include "wire/snapshot_full.h"

struct view {
    struct view_table *table;
    struct view_spec spec; /* its area is the outline now; spec.events: somebody wants them */
    uint32_t viewers;      /* the loop's own: the only thing that view_release touches */
    bool in_use;
    bool due; /* a snapshot of this tick was to be made */
    uint32_t part_count;
    struct blob **parts; /* parts_max of them, in the table's memory */
    struct blob *events;
    uint64_t events_dropped; /* at this tick */
};

/* What a thread needs to encode one view after the other. */
struct view_scratch {
    uint32_t *rows; /* agents_max */
    struct snapshot_chunk *chunks;
};

struct view_table {
    struct view_table_config config;
    struct snapshot_limits limits;
    struct view *views;           /* views_max */
    uint32_t view_end;            /* views from here on were never used */
    struct blob **parts;          /* of all views, then of the whole world */
    uint32_t *work;               /* indexes of views that are encoded this tick, views_max */
    struct view_scratch *scratch; /* one per thread */
    uint32_t *rows;
    struct snapshot_chunk *chunks; /* of all threads, then of the whole world */
    struct snapshot_full whole;    /* the snapshot that all views of the whole world share */
    bool encoded;                  /* and not yet released */
    uint64_t events_dropped;
    size_t memory_bytes;
};

/* ---- life ---- */

static void *view_table_take(struct view_table *table, size_t count, size_t size)
{
    table->memory_bytes += count * size;
    return calloc(count > 0 ? count : 1, size);
}

struct view_table *view_table_create(const struct view_table_config *config)
{
    struct view_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        return NULL;
    }
    table->config = *config;
    table->memory_bytes = sizeof *table;
    table->limits = snapshot_limits(config->frame_bytes_max, config->agents_max);
    size_t chunks_max = table->limits.chunks_max;
    size_t parts_max = table->limits.parts_max;
    table->views = view_table_take(table, config->views_max, sizeof *table->views);
    table->parts = view_table_take(table, (config->views_max + (size_t)1) * parts_max, sizeof(struct blob *));
    table->work = view_table_take(table, config->views_max, sizeof *table->work);
    table->scratch = view_table_take(table, config->threads, sizeof *table->scratch);
    table->rows = view_table_take(table, (size_t)config->threads * config->agents_max, sizeof *table->rows);
    table->chunks = view_table_take(table, (config->threads + (size_t)1) * chunks_max, sizeof *table->chunks);
    if (table->views == NULL || table->parts == NULL || table->work == NULL || table->scratch == NULL ||
        table->rows == NULL || table->chunks == NULL) {
        view_table_destroy(table);
        return NULL;
    }
    for (uint32_t i = 0; i < config->views_max; i++) {
        table->views[i].table = table;
        table->views[i].parts = table->parts + i * parts_max;
    }
    for (uint32_t i = 0; i < config->threads; i++) {
        table->scratch[i].rows = table->rows + (size_t)i * config->agents_max;
        table->scratch[i].chunks = table->chunks + i * chunks_max;
    }
    table->whole.parts = table->parts + config->views_max * parts_max;
    table->whole.chunks = table->chunks + config->threads * chunks_max;
    return table;
}

void view_table_destroy(struct view_table *table)
{
    if (table == NULL) {
        return;
    }
    if (table->views != NULL) {
        view_table_release_encoded(table);
    }
    free(table->views);
    free(table->parts);
    free(table->work);
    free(table->scratch);
    free(table->rows);
    free(table->chunks);
    free(table);
}

size_t view_table_memory_bytes(const struct view_table *table)
{
    return table->memory_bytes;
}

uint64_t view_table_events_dropped(const struct view_table *table)
{
    return table->events_dropped;
}

/* ---- viewers ---- */

/* Whether two ask for the same bytes, events apart. Views around an agent are told apart by agent and radius.
 */
static bool view_spec_matches(const struct view_spec *a, const struct view_spec *b)
{
    if (a->area.kind != b->area.kind || a->around.value != b->around.value || a->format != b->format ||
        a->interval_ticks != b->interval_ticks) {
        return false;
    }
    switch (a->area.kind) {
    case STEER_AREA_WHOLE:
        return true;
    case STEER_AREA_RECTANGLE:
        return a->area.min_m.x == b->area.min_m.x && a->area.min_m.y == b->area.min_m.y &&
               a->area.max_m.x == b->area.max_m.x && a->area.max_m.y == b->area.max_m.y;
    case STEER_AREA_DISC:
        return a->area.radius_m == b->area.radius_m &&
               (a->around.value != 0 ||
                (a->area.center_m.x == b->area.center_m.x && a->area.center_m.y == b->area.center_m.y));
    }
    return false;
}

/* Releases what is encoded for a view. */
static void view_clear_encoded(struct view *view)
{
    while (view->part_count > 0) {
        blob_release(view->parts[--view->part_count]);
    }
    blob_release(view->events);
    view->events = NULL;
    view->due = false;
}

/* The view of that spec; else a free one, not in use; else NULL. */
static struct view *view_table_find(struct view_table *table, const struct view_spec *spec)
{
    struct view *unused = NULL;
    for (uint32_t i = 0; i < table->view_end; i++) {
        struct view *view = &table->views[i];
        if (view->in_use && view_spec_matches(&view->spec, spec)) {
            return view;
        }
        if (view->viewers == 0) {
            unused = view;
        }
    }
    if (unused == NULL && table->view_end < table->config.views_max) {
        unused = &table->views[table->view_end++];
    }
    if (unused != NULL) {
        view_clear_encoded(unused);
        unused->in_use = false;
    }
    return unused;
}

/* Moves a view that follows an agent to where that is now; one that follows nobody, or somebody gone, stays.
 */
static void view_follow(struct view_spec *spec, const struct steer_world *world)
{
    uint32_t row = 0;
    if (spec->around.value != 0 && steer_world_find_agent(world, spec->around, &row)) {
        struct steer_agent_columns agents = steer_world_agents(world);
        spec->area.center_m = vec2(agents.x_m[row], agents.y_m[row]);
    }
}

enum status view_acquire(struct view_table *table, const struct steer_world *world,
                         const struct view_spec *spec, struct view **out, struct fault *fault)
{
    uint32_t row = 0;
    if (spec->around.value != 0 && !steer_world_find_agent(world, spec->around, &row)) {
        return fault_set(fault, STATUS_NOT_FOUND, "around.agent_id is %u: no agent has this id",
                         spec->around.value);
    }
    struct view *view = view_table_find(table, spec);
    if (view == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                         "%u different views are in use: the server's limit", table->config.views_max);
    }
    if (!view->in_use) {
        view->in_use = true;
        view->spec = *spec;
        view->viewers = 0;
        view_follow(&view->spec, world);
    }
    view->spec.events = view->spec.events || spec->events;
    view->viewers++;
    *out = view;
    return STATUS_OK;
}

void view_release(struct view_table *table, struct view *view)
{
    ASSERT(view->table == table);
    ASSERT(view->viewers > 0);
    view->viewers--;
}

/* ---- encoding ---- */

struct view_turn {
    struct view_table *table;
    const struct steer_world *world;
    uint64_t server_time_us;
};

static struct snapshot_full view_turn_snapshot(const struct view_turn *turn)
{
    return (struct snapshot_full){
        .columns = steer_world_agents(turn->world),
        .tick = steer_world_tick(turn->world),
        .server_time_us = turn->server_time_us,
    };
}

/* One view other than the whole world, on one thread. */
static void view_encode_area(const struct view_turn *turn, struct view *view,
                             const struct view_scratch *scratch)
{
    struct view_table *table = turn->table;
    struct snapshot_full snapshot = view_turn_snapshot(turn);
    snapshot.rows = scratch->rows;
    snapshot.row_count =
        steer_world_find_agents(turn->world, &view->spec.area, scratch->rows, table->config.agents_max);
    ASSERT(snapshot.row_count <= table->config.agents_max);
    snapshot.chunks = scratch->chunks;
    snapshot.parts = view->parts;
    uint32_t chunks = snapshot_full_chunks(&snapshot, &table->limits);
    snapshot_full_measure(&snapshot, &table->limits, 0, chunks);
    if (snapshot_full_cut(&snapshot, &table->limits, table->config.blobs)) {
        snapshot_full_write(&snapshot, &table->limits, 0, chunks);
    }
    view->part_count = snapshot.part_count;
}

static void view_encode_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const struct view_turn *turn = context;
    struct view_table *table = turn->table;
    for (uint32_t i = begin; i < end; i++) {
        struct view *view = &table->views[table->work[i]];
        if (view->due && view->spec.area.kind != STEER_AREA_WHOLE) {
            view_encode_area(turn, view, &table->scratch[worker]);
        }
        if (view->spec.events) {
            view->events = events_encode(table->config.blobs, turn->world, &view->spec.area,
                                         table->config.frame_bytes_max, &view->events_dropped);
        }
    }
}

static void view_measure_whole_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    struct view_table *table = context;
    snapshot_full_measure(&table->whole, &table->limits, begin, end);
}

static void view_write_whole_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    struct view_table *table = context;
    snapshot_full_write(&table->whole, &table->limits, begin, end);
}

/* The whole world, once, on all threads. */
static void view_encode_whole(const struct view_turn *turn, struct job_pool *pool)
{
    struct view_table *table = turn->table;
    struct snapshot_full snapshot = view_turn_snapshot(turn);
    snapshot.row_count = snapshot.columns.count;
    snapshot.parts = table->whole.parts;
    snapshot.chunks = table->whole.chunks;
    table->whole = snapshot;
    uint32_t chunks = snapshot_full_chunks(&table->whole, &table->limits);
    job_pool_for(pool, chunks, 1, view_measure_whole_range, table);
    if (snapshot_full_cut(&table->whole, &table->limits, table->config.blobs)) {
        job_pool_for(pool, chunks, 1, view_write_whole_range, table);
    }
}

void view_table_encode(struct view_table *table, const struct steer_world *world, struct job_pool *pool,
                       uint64_t server_time_us)
{
    ASSERT(!table->encoded);
    ASSERT(job_pool_threads(pool) <= table->config.threads);
    struct view_turn turn = {.table = table, .world = world, .server_time_us = server_time_us};
    uint32_t event_count = 0;
    (void)steer_world_events(world, &event_count);
    uint32_t work_count = 0;
    bool whole_due = false;
    for (uint32_t i = 0; i < table->view_end; i++) {
        struct view *view = &table->views[i];
        if (!view->in_use) {
            continue;
        }
        view_follow(&view->spec, world);
        view->due = steer_world_tick(world) % view->spec.interval_ticks == 0;
        whole_due = whole_due || (view->due && view->spec.area.kind == STEER_AREA_WHOLE);
        bool area_due = view->due && view->spec.area.kind != STEER_AREA_WHOLE;
        if (area_due || (view->spec.events && event_count > 0)) {
            table->work[work_count++] = i;
        }
    }
    table->encoded = true;
    if (whole_due) {
        view_encode_whole(&turn, pool);
    }
    job_pool_for(pool, work_count, 1, view_encode_range, &turn);
    for (uint32_t i = 0; i < work_count; i++) {
        table->events_dropped += table->views[table->work[i]].events_dropped;
        table->views[table->work[i]].events_dropped = 0;
    }
}

void view_table_release_encoded(struct view_table *table)
{
    for (uint32_t i = 0; i < table->view_end; i++) {
        struct view *view = &table->views[i];
        view_clear_encoded(view);
        view->in_use = view->in_use && view->viewers > 0;
    }
    while (table->whole.part_count > 0) {
        blob_release(table->whole.parts[--table->whole.part_count]);
    }
    table->encoded = false;
}

/* ---- what was encoded ---- */

struct steer_area view_area(const struct view *view)
{
    return view->spec.area;
}

uint32_t view_snapshot(const struct view *view, struct blob *const **parts_out)
{
    bool whole = view->spec.area.kind == STEER_AREA_WHOLE;
    *parts_out = whole ? view->table->whole.parts : view->parts;
    if (!view->due) {
        return 0;
    }
    return whole ? view->table->whole.part_count : view->part_count;
}

bool view_snapshot_due(const struct view *view)
{
    return view->due;
}

struct blob *view_events(const struct view *view)
{
    return view->events;
}
