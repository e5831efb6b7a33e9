/*
 * A world's life, its memory and what others read of it. Commands are in world_*.c, the tick in step*.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/exact.h"
#include "sim/check.h"
#include "sim/world_internal.h"

#define WORLD_REACH_M    10000.0f
#define WORLD_SIZE_MIN_M 1.0f
#define WORLD_ALIGN      64u
#define WORLD_TAKES      24u /* arrays taken from the arena besides those that count their own */

void steer_world_config_init(struct steer_world_config *config)
{
    *config = (struct steer_world_config){
        .min_m = {-100.0f, -100.0f},
        .max_m = {100.0f, 100.0f},
        .tick_rate_hz = 30,
        .seed = 1,
        .agents_max = 100000,
        .obstacles_max = 16384,
        .profiles_max = 256,
        .paths_max = 8192,
        .crowds_max = 256,
        .events_max = 65536,
    };
}

/* Refuses a whole number outside its range. */
static enum status world_check_count(const char *field, uint32_t value, uint32_t min, uint32_t max,
                                     struct fault *fault)
{
    if (value < min || value > max) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "%s is %u: %u to %u is legal", field, value, min, max);
    }
    return STATUS_OK;
}

static enum status world_check_size(const struct steer_world_config *config, struct fault *fault)
{
    struct vec2 reach = vec2(WORLD_REACH_M, WORLD_REACH_M);
    enum status status = check_point("min", config->min_m, vec2_scale(reach, -1.0f), reach, fault);
    if (status == STATUS_OK) {
        status = check_point("max", config->max_m, vec2_scale(reach, -1.0f), reach, fault);
    }
    if (status == STATUS_OK && !(config->max_m.x - config->min_m.x >= WORLD_SIZE_MIN_M)) {
        status =
            fault_set(fault, STATUS_OUT_OF_RANGE, "max.x is %g m: min.x is %g m, at least 1 m more is legal",
                      (double)config->max_m.x, (double)config->min_m.x);
    }
    if (status == STATUS_OK && !(config->max_m.y - config->min_m.y >= WORLD_SIZE_MIN_M)) {
        status =
            fault_set(fault, STATUS_OUT_OF_RANGE, "max.y is %g m: min.y is %g m, at least 1 m more is legal",
                      (double)config->max_m.y, (double)config->min_m.y);
    }
    return status;
}

static enum status world_check_config(const struct steer_world_config *config, uint32_t threads,
                                      struct fault *fault)
{
    const struct {
        const char *field;
        uint32_t value;
        uint32_t min;
        uint32_t max;
    } counts[] = {
        {"tick_rate_hz", config->tick_rate_hz, 1, 240},       {"agents_max", config->agents_max, 1, 2000000},
        {"obstacles_max", config->obstacles_max, 1, 1000000}, {"profiles_max", config->profiles_max, 1, 256},
        {"paths_max", config->paths_max, 1, 1000000},         {"crowds_max", config->crowds_max, 1, 65534},
        {"events_max", config->events_max, 1, 16000000},      {"threads", threads, 1, WORLD_THREADS_MAX},
    };
    enum status status = world_check_size(config, fault);
    for (size_t i = 0; status == STATUS_OK && i < sizeof counts / sizeof counts[0]; i++) {
        status = world_check_count(counts[i].field, counts[i].value, counts[i].min, counts[i].max, fault);
    }
    return status;
}

static uint32_t world_batches_max(const struct steer_world_config *config)
{
    return config->agents_max / STEER_BATCH_MAX + 2 * config->profiles_max + 1;
}

static size_t world_bytes(const struct steer_world_config *config)
{
    size_t agents = config->agents_max;
    size_t obstacles = config->obstacles_max;
    size_t profiles = config->profiles_max;
    size_t bytes = agent_store_bytes(config->agents_max) + obstacles_bytes(config->obstacles_max) +
                   paths_bytes(config->paths_max) + crowds_bytes(config->crowds_max) +
                   grid_bytes(config->agents_max);
    bytes += agents * (5 * sizeof(float) + 2 * sizeof(uint8_t) + sizeof(uint32_t));
    bytes += profiles * (sizeof(struct steer_profile) + sizeof(struct profile_plan) + sizeof(uint16_t));
    bytes += (2 * profiles + 1) * sizeof(uint32_t) + world_batches_max(config) * sizeof(struct step_batch);
    bytes += config->events_max * sizeof(struct steer_world_event);
    bytes += obstacles * (sizeof(uint8_t) + 2 * sizeof(uint32_t));
    return bytes + WORLD_TAKES * WORLD_ALIGN;
}

static void *world_take(struct steer_world *world, size_t count, size_t size)
{
    void *bytes = arena_take(&world->arena, count * size);
    ASSERT(bytes != NULL);
    return bytes;
}

static void world_take_all(struct steer_world *world)
{
    const struct steer_world_config *config = &world->config;
    agent_store_init(&world->agents, &world->arena, config->agents_max);
    obstacles_init(&world->obstacles, &world->arena, config->obstacles_max);
    paths_init(&world->paths, &world->arena, config->paths_max);
    crowds_init(&world->crowds, &world->arena, config->crowds_max);
    grid_init(&world->grid, &world->arena, config->agents_max);
    world->before_x = world_take(world, config->agents_max, sizeof *world->before_x);
    world->before_y = world_take(world, config->agents_max, sizeof *world->before_y);
    world->scratch_a = world_take(world, config->agents_max, sizeof *world->scratch_a);
    world->scratch_b = world_take(world, config->agents_max, sizeof *world->scratch_b);
    world->scratch_c = world_take(world, config->agents_max, sizeof *world->scratch_c);
    world->scratch_d = world_take(world, config->agents_max, sizeof *world->scratch_d);
    world->state_next = world_take(world, config->agents_max, sizeof *world->state_next);
    world->step_places = world_take(world, config->agents_max, sizeof *world->step_places);
    world->profiles = world_take(world, config->profiles_max, sizeof *world->profiles);
    world->plans = world_take(world, config->profiles_max, sizeof *world->plans);
    world->changed_profiles = world_take(world, config->profiles_max, sizeof *world->changed_profiles);
    world->key_starts = world_take(world, 2 * (size_t)config->profiles_max + 1, sizeof *world->key_starts);
    world->batches = world_take(world, world_batches_max(config), sizeof *world->batches);
    world->events = world_take(world, config->events_max, sizeof *world->events);
    world->removed_flags = world_take(world, config->obstacles_max, sizeof *world->removed_flags);
    world->placed_ids = world_take(world, config->obstacles_max, sizeof *world->placed_ids);
    world->removed_ids = world_take(world, config->obstacles_max, sizeof *world->removed_ids);
}

/* The spacing of floats at the corner farthest from the origin. */
static float world_float_spacing(const struct steer_world_config *config)
{
    float reach = exact_max_f32(exact_max_f32(fabsf(config->min_m.x), fabsf(config->max_m.x)),
                                exact_max_f32(fabsf(config->min_m.y), fabsf(config->max_m.y)));
    return exact_next_up(reach) - reach;
}

enum status steer_world_create(const struct steer_world_config *config, uint32_t threads,
                               struct steer_world **out, struct fault *fault)
{
    enum status status = world_check_config(config, threads, fault);
    if (status != STATUS_OK) {
        return status;
    }
    struct steer_world *world = calloc(1, sizeof *world);
    if (world == NULL) {
        goto fail_world;
    }
    world->config = *config;
    world->threads = threads;
    world->hash = hash_stream_create();
    if (world->hash == NULL) {
        goto fail_hash;
    }
    if (!arena_init(&world->arena, world_bytes(config))) {
        goto fail_arena;
    }
    world_take_all(world);
    float spacing_m = world_float_spacing(config);
    world->dt_s = 1.0f / (float)config->tick_rate_hz;
    world->skin_m = exact_max_f32(WORLD_SKIN_MIN_M, 4.0f * spacing_m);
    world->slop_m = exact_max_f32(WORLD_SLOP_MIN_M, 2.0f * spacing_m);
    world->events_are_sorted = true;
    world_init_profiles(world);
    *out = world;
    return STATUS_OK;

fail_arena:
    hash_stream_destroy(world->hash);
fail_hash:
    free(world);
fail_world:
    return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                     "no memory for a world of %zu bytes: take a smaller agents_max", world_bytes(config));
}

void steer_world_destroy(struct steer_world *world)
{
    if (world == NULL) {
        return;
    }
    arena_deinit(&world->arena);
    hash_stream_destroy(world->hash);
    free(world);
}

const struct steer_world_config *steer_world_config(const struct steer_world *world)
{
    return &world->config;
}

size_t steer_world_memory_bytes(const struct steer_world *world)
{
    return sizeof *world + world->arena.size;
}

uint64_t steer_world_tick(const struct steer_world *world)
{
    return world->tick;
}

struct steer_world_phases steer_world_phases(const struct steer_world *world)
{
    return world->phases;
}

struct obstacle_bounds world_bounds(const struct steer_world *world)
{
    return (struct obstacle_bounds){world->config.min_m, world->config.max_m, world->skin_m};
}

uint64_t steer_world_take_work(struct steer_world *world)
{
    uint64_t work = world->work;
    world->work = 0;
    return work;
}

bool world_may_search(const struct steer_world *world, uint32_t id)
{
    return world->solids_are_new || (world->tick + id) % WORLD_SEARCH_TICKS == 0;
}

void world_set_view(const struct steer_world *world, struct steer_view *view)
{
    *view = (struct steer_view){
        .agents = &world->agents,
        .grid = &world->grid,
        .obstacles = &world->obstacles,
        .paths = &world->paths,
        .profiles = world->profiles,
        .world_min_m = world->config.min_m,
        .world_max_m = world->config.max_m,
        .skin_m = world->skin_m,
        .slop_m = world->slop_m,
        .dt_s = world->dt_s,
        .tick_rate_hz = world->config.tick_rate_hz,
        .tick = world->tick,
        .seed = world->config.seed,
    };
}

/* ---- reading ---- */

struct steer_agent_columns steer_world_agents(const struct steer_world *world)
{
    const struct agent_store *agents = &world->agents;
    ASSERT(world->gone_count == 0); /* steer_world_sweep comes first */
    return (struct steer_agent_columns){
        .count = agents->count,
        .id = agents->id,
        .tag = agents->tag,
        .flock = agents->flock,
        .x_m = agents->x,
        .y_m = agents->y,
        .vx_mps = agents->vx,
        .vy_mps = agents->vy,
        .orientation_deg = agents->orientation_deg,
        .rotation_deg_s = agents->rotation_deg_s,
        .radius_m = agents->radius,
        .profile = agents->profile,
        .state = agents->state,
    };
}

bool steer_world_find_agent(const struct steer_world *world, struct steer_agent_id id, uint32_t *index_out)
{
    return agent_store_find(&world->agents, id, index_out);
}

struct steer_goal steer_world_agent_goal(const struct steer_world *world, uint32_t index)
{
    const struct agent_store *agents = &world->agents;
    ASSERT(index < agents->count);
    struct steer_goal goal = {.kind = (enum steer_goal_kind)agents->goal_kind[index]};
    struct vec2 place = vec2(agents->goal_x[index], agents->goal_y[index]);
    switch (goal.kind) {
    case STEER_GOAL_NONE:
        break;
    case STEER_GOAL_POINT:
        goal.point_m = place;
        break;
    case STEER_GOAL_AGENT:
        goal.agent.value = agents->goal_ref[index];
        break;
    case STEER_GOAL_PATH:
        goal.path_m = world->paths.items[agents->goal_ref[index]].points_m;
        goal.path_count = world->paths.items[agents->goal_ref[index]].count;
        break;
    case STEER_GOAL_VELOCITY:
        goal.velocity_mps = place;
        break;
    }
    return goal;
}

/* Adds a row to a list that may be full already. */
static inline uint32_t world_list_row(uint32_t row, uint32_t found, uint32_t *index_out, uint32_t index_max)
{
    if (found < index_max) {
        index_out[found] = row;
    }
    return found + 1;
}

/* Restores the heap order below `parent`. */
static void world_sift_down(uint32_t *rows, uint32_t parent, uint32_t count)
{
    uint32_t row = rows[parent];
    for (uint32_t child = 2 * parent + 1; child < count; child = 2 * parent + 1) {
        child += child + 1 < count && rows[child + 1] > rows[child] ? 1 : 0;
        if (rows[child] <= row) {
            break;
        }
        rows[parent] = rows[child];
        parent = child;
    }
    rows[parent] = row;
}

/* Ascending, in place (qsort may allocate). */
static void world_sort_rows(uint32_t *rows, uint32_t count)
{
    for (uint32_t parent = count / 2; parent-- > 0;) {
        world_sift_down(rows, parent, count);
    }
    for (uint32_t end = count; end-- > 1;) {
        uint32_t largest = rows[0];
        rows[0] = rows[end];
        rows[end] = largest;
        world_sift_down(rows, 0, end);
    }
}

static uint32_t world_scan_agents(const struct steer_world *world, const struct steer_area *area,
                                  uint32_t *index_out, uint32_t index_max)
{
    const struct agent_store *agents = &world->agents;
    uint32_t found = 0;
    for (uint32_t row = 0; row < agents->count; row++) {
        if (steer_area_contains(area, vec2(agents->x[row], agents->y[row]))) {
            found = world_list_row(row, found, index_out, index_max);
        }
    }
    return found;
}

uint32_t steer_world_find_agents(const struct steer_world *world, const struct steer_area *area,
                                 uint32_t *index_out, uint32_t index_max)
{
    const struct grid *grid = &world->grid;
    ASSERT(world->gone_count == 0);
    if (area->kind == STEER_AREA_WHOLE || !world->grid_is_current) {
        return world_scan_agents(world, area, index_out, index_max);
    }
    bool is_disc = area->kind == STEER_AREA_DISC;
    struct vec2 center = is_disc ? area->center_m : vec2_scale(vec2_add(area->min_m, area->max_m), 0.5f);
    struct vec2 half = vec2_scale(vec2_sub(area->max_m, area->min_m), 0.5f);
    float reach = is_disc ? area->radius_m : exact_max_f32(half.x, half.y);
    struct grid_span span =
        grid_span(grid, center, reach * 1.001f + 0.01f); /* more than rounding the middle loses */
    uint32_t found = 0;
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t place = run.begin; place < run.end; place++) {
            if (steer_area_contains(area, vec2(grid->x[place], grid->y[place]))) {
                found = world_list_row(grid->row[place], found, index_out, index_max);
            }
        }
    }
    if (found <= index_max) {
        world_sort_rows(index_out, found);
    }
    return found;
}

uint32_t steer_world_obstacle_count(const struct steer_world *world)
{
    return world->obstacles.count;
}

const struct steer_obstacle *steer_world_obstacle(const struct steer_world *world, uint32_t index)
{
    ASSERT(index < world->obstacles.count);
    return &world->obstacles.items[index];
}
