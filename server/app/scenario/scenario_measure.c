/*
 * Figures of a run. Stands beside the simulation: `steerd simulate` calls it between steps, outside of what
 * it times; it reads the world's columns and events and shares no code with what it measures.
 */
#include "app/scenario/scenario_measure.h"

#include <math.h>
#include <stdlib.h>

#include "app/scenario/gap_sweep.h"
#include "app/scenario/scenario_keys.h"
#include "base/assert.h"

#define MEASURE_OVERLAP_M     0.01 /* deeper pairs count as overlaps */
#define MEASURE_GRACE_S       5.0  /* agents that start in each other do not count for gap_min until then */
#define MEASURE_START_DEPTH_M 1e-4 /* less is touching: rounding of float positions */

struct scenario_measure {
    const struct scenario *scenario;
    const struct steer_world *world;
    struct gap_sweep *sweep;
    double tick_rate_hz;
    uint32_t agent_count; /* at the start: ids 1 .. agent_count */
    double *arrival_s;    /* by id - 1; NAN: not yet */
    bool *has_goal;       /* by id - 1 */
    bool *blocked;        /* by id - 1 */
    bool *coincident;     /* by id - 1: overlaps another at the start */
    bool any_coincident;
    bool *skip; /* by row, room for all */
    uint64_t ticks;
    uint64_t agent_ticks;
    double gap_min_m; /* INFINITY: none yet; likewise the next */
    double obstacle_gap_min_m;
    uint64_t overlaps;
    double speed_sum_mps;
};

static void measure_mark_goals(struct scenario_measure *measure, const struct scenario_run *run)
{
    const struct scenario *scenario = measure->scenario;
    uint32_t next = 0;
    for (uint32_t i = 0; i < scenario->agents.count; i++) {
        const struct scenario_agent *agent = scenario_agent(scenario, i);
        measure->has_goal[next++] = agent->target_agent != NULL || agent->path.count > 0 ||
                                    yaml_table_given(&scenario_agent_table, &agent->head, "target");
    }
    const struct scenario_crowd *crowds = scenario->crowds.items;
    for (uint32_t i = 0; i < scenario->crowds.count; i++) {
        bool goal = crowds[i].path.count > 0 ||
                    yaml_table_given(&scenario_crowd_table, &crowds[i].head, "target") ||
                    yaml_table_given(&scenario_crowd_table, &crowds[i].head, "target_min");
        for (uint32_t j = 0; j < crowds[i].count; j++) {
            measure->has_goal[next++] = goal;
        }
    }
    const struct scenario_circle *circles = scenario->circles.items;
    for (uint32_t i = 0; i < scenario->circles.count; i++) {
        bool goal = yaml_table_given(&scenario_circle_table, &circles[i].head, "target");
        for (uint32_t j = 0; j < circles[i].count; j++) {
            measure->has_goal[next++] = goal;
        }
    }
    for (uint32_t i = 0; i < scenario->events.count; i++) {
        const struct scenario_set_target *change = &scenario_event(scenario, i)->set_target;
        uint32_t index;
        if (change->head.line != 0 && scenario_find_agent(scenario, change->agent, &index) &&
            (change->target_agent != NULL || change->path.count > 0 ||
             yaml_table_given(&scenario_set_target_table, &change->head, "target"))) {
            measure->has_goal[scenario_run_agent(run, index).value - 1] = true;
        }
    }
}

enum status scenario_measure_create(const struct scenario *scenario, const struct scenario_run *run,
                                    const struct steer_world *world, struct scenario_measure **out,
                                    struct fault *fault)
{
    struct scenario_measure *measure = calloc(1, sizeof *measure);
    struct steer_agent_columns agents = steer_world_agents(world);
    size_t count = agents.count;
    ASSERT(agents.count == scenario->agent_count);
    ASSERT(agents.count == 0 || agents.id[agents.count - 1] == agents.count);
    if (measure != NULL) {
        measure->arrival_s = calloc(count + 1, sizeof(double));
        measure->has_goal = calloc(count + 1, sizeof(bool));
        measure->blocked = calloc(count + 1, sizeof(bool));
        measure->coincident = calloc(count + 1, sizeof(bool));
        measure->skip = calloc(count + 1, sizeof(bool));
    }
    if (measure == NULL || measure->arrival_s == NULL || measure->has_goal == NULL ||
        measure->blocked == NULL || measure->coincident == NULL || measure->skip == NULL ||
        gap_sweep_create(agents.count, &measure->sweep, NULL) != STATUS_OK) {
        scenario_measure_destroy(measure);
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory to measure %zu agents", count);
    }
    measure->scenario = scenario;
    measure->world = world;
    measure->tick_rate_hz = steer_world_config(world)->tick_rate_hz;
    measure->agent_count = agents.count;
    measure->gap_min_m = INFINITY;
    measure->obstacle_gap_min_m = INFINITY;
    for (uint32_t i = 0; i < agents.count; i++) {
        measure->arrival_s[i] = NAN;
    }
    gap_sweep_mark(measure->sweep, &agents, MEASURE_START_DEPTH_M, measure->coincident);
    for (uint32_t i = 0; i < agents.count; i++) {
        measure->any_coincident |= measure->coincident[i];
    }
    measure_mark_goals(measure, run);
    *out = measure;
    return STATUS_OK;
}

void scenario_measure_destroy(struct scenario_measure *measure)
{
    if (measure == NULL) {
        return;
    }
    gap_sweep_destroy(measure->sweep);
    free(measure->arrival_s);
    free(measure->has_goal);
    free(measure->blocked);
    free(measure->coincident);
    free(measure->skip);
    free(measure);
}

double scenario_measure_arrival_s(const struct scenario_measure *measure, struct steer_agent_id id)
{
    ASSERT(id.value >= 1 && id.value <= measure->agent_count);
    return measure->arrival_s[id.value - 1];
}

static enum status measure_check_finite(const struct scenario_measure *measure,
                                        const struct steer_agent_columns *agents, struct fault *fault)
{
    for (uint32_t i = 0; i < agents->count; i++) {
        if (!isfinite(agents->x_m[i]) || !isfinite(agents->y_m[i]) || !isfinite(agents->vx_mps[i]) ||
            !isfinite(agents->vy_mps[i]) || !isfinite(agents->orientation_deg[i])) {
            return fault_set(fault, STATUS_INTERNAL,
                             "agent %u has a position or velocity that is not finite at tick %llu",
                             agents->id[i], (unsigned long long)measure->ticks);
        }
    }
    return STATUS_OK;
}

static void measure_events(struct scenario_measure *measure)
{
    uint32_t count;
    const struct steer_world_event *events = steer_world_events(measure->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = events[i].agent.value - 1;
        ASSERT(place < measure->agent_count);
        if (events[i].kind == STEER_WORLD_EVENT_ARRIVED && isnan(measure->arrival_s[place])) {
            measure->arrival_s[place] = (double)measure->ticks / measure->tick_rate_hz;
        } else if (events[i].kind == STEER_WORLD_EVENT_BLOCKED) {
            measure->blocked[place] = true;
        } else if (events[i].kind == STEER_WORLD_EVENT_REMOVED && isnan(measure->arrival_s[place])) {
            measure->has_goal[place] = false; /* it cannot arrive any more */
        }
    }
}

static void measure_gaps(struct scenario_measure *measure, const struct steer_agent_columns *agents)
{
    const bool *skip = NULL;
    if (measure->any_coincident && (double)measure->ticks / measure->tick_rate_hz < MEASURE_GRACE_S) {
        for (uint32_t i = 0; i < agents->count; i++) {
            measure->skip[i] = measure->coincident[agents->id[i] - 1];
        }
        skip = measure->skip;
    }
    struct gap_figures figures =
        gap_sweep_run(measure->sweep, agents, skip, measure->gap_min_m, MEASURE_OVERLAP_M);
    measure->gap_min_m = figures.gap_m;
    measure->overlaps += figures.overlaps;
}

/* Middle and radius of a disc that holds the shape. */
static double measure_shape_bound(const struct steer_shape *shape, struct vec2 *center_out)
{
    if (shape->kind == STEER_SHAPE_CIRCLE || shape->kind == STEER_SHAPE_BOX) {
        *center_out = shape->center_m;
        return shape->kind == STEER_SHAPE_CIRCLE ? shape->radius_m
                                                 : hypot(shape->size_m.x, shape->size_m.y) / 2;
    }
    struct vec2 sum = {0, 0};
    double radius_m = 0;
    for (uint32_t i = 0; i < shape->point_count; i++) {
        sum = vec2_add(sum, shape->points_m[i]);
    }
    *center_out = vec2_scale(sum, 1.0f / (float)shape->point_count);
    for (uint32_t i = 0; i < shape->point_count; i++) {
        struct vec2 spoke = vec2_sub(shape->points_m[i], *center_out);
        radius_m = fmax(radius_m, hypot(spoke.x, spoke.y));
    }
    return radius_m;
}

static void measure_obstacle(struct scenario_measure *measure, const struct steer_agent_columns *agents,
                             const struct steer_shape *shape)
{
    struct vec2 center;
    double bound_m = measure_shape_bound(shape, &center);
    for (uint32_t i = 0; i < agents->count; i++) {
        double dx = agents->x_m[i] - center.x;
        double dy = agents->y_m[i] - center.y;
        /* 1 mm more: the bound is rounded, the distance is not to be missed. */
        double near_m = bound_m + agents->radius_m[i] + measure->obstacle_gap_min_m + 0.001;
        if (near_m < 0 || dx * dx + dy * dy > near_m * near_m) {
            continue;
        }
        double gap_m =
            (double)steer_shape_distance(shape, vec2(agents->x_m[i], agents->y_m[i])) - agents->radius_m[i];
        measure->obstacle_gap_min_m = fmin(measure->obstacle_gap_min_m, gap_m);
    }
}

enum status scenario_measure_step(struct scenario_measure *measure, struct fault *fault)
{
    struct steer_agent_columns agents = steer_world_agents(measure->world);
    measure->ticks++;
    measure->agent_ticks += agents.count;
    enum status status = measure_check_finite(measure, &agents, fault);
    if (status != STATUS_OK) {
        return status;
    }
    measure_events(measure);
    measure_gaps(measure, &agents);
    for (uint32_t i = 0; i < steer_world_obstacle_count(measure->world); i++) {
        measure_obstacle(measure, &agents, &steer_world_obstacle(measure->world, i)->shape);
    }
    for (uint32_t i = 0; i < agents.count; i++) {
        double vx = agents.vx_mps[i];
        double vy = agents.vy_mps[i];
        measure->speed_sum_mps += sqrt(vx * vx + vy * vy);
    }
    return STATUS_OK;
}

static double measure_or_nan(double value)
{
    return isinf(value) ? NAN : value;
}

struct scenario_figures scenario_measure_figures(struct scenario_measure *measure)
{
    struct steer_agent_columns agents = steer_world_agents(measure->world);
    struct scenario_figures figures = {
        .ticks = measure->ticks,
        .agents = measure->agent_count,
        .gap_min_m = measure_or_nan(measure->gap_min_m),
        .obstacle_gap_min_m = measure_or_nan(measure->obstacle_gap_min_m),
        .end_gap_min_m =
            measure_or_nan(gap_sweep_run(measure->sweep, &agents, NULL, INFINITY, MEASURE_OVERLAP_M).gap_m),
        .time_all_arrived_s = NAN,
        .mean_speed_mps = NAN,
        .overlaps_per_1k = NAN,
    };
    double latest_s = 0;
    for (uint32_t i = 0; i < measure->agent_count; i++) {
        figures.blocked += measure->blocked[i];
        figures.with_goal += measure->has_goal[i];
        if (measure->has_goal[i] && !isnan(measure->arrival_s[i])) {
            figures.arrived++;
            latest_s = fmax(latest_s, measure->arrival_s[i]);
        }
    }
    if (figures.with_goal > 0 && figures.arrived == figures.with_goal) {
        figures.time_all_arrived_s = latest_s;
    }
    if (measure->agent_ticks > 0) {
        figures.mean_speed_mps = measure->speed_sum_mps / (double)measure->agent_ticks;
        figures.overlaps_per_1k = 1000.0 * (double)measure->overlaps / (double)measure->agent_ticks;
    }
    return figures;
}
