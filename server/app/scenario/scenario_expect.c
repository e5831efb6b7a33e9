/*
 * Expectations of a scenario: sums over the ticks they look at, and the verdicts at the end. Fed by `steerd
 * simulate` around every step, next to scenario_measure.c, whose figures the plain ones are judged by.
 */
#include "app/scenario/scenario_expect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/scenario/scenario_keys.h"
#include "base/assert.h"
#include "base/trig.h"

/* A mean over agents and ticks. */
struct expect_sum {
    double sum;
    uint64_t count;
};

struct scenario_expectations {
    const struct scenario *scenario;
    const struct scenario_run *run;
    const struct steer_world *world;
    double tick_rate_hz;
    uint64_t ticks;
    struct expect_sum *speed_squares; /* one per speed_rms_after */
    struct expect_sum *speeds;        /* one per mean_speed */
    double *flock_radii_m;            /* one per flock_radius_max; NAN: no member yet */
    double *deviations_m;             /* one per deviation_max */
    uint64_t *passes;                 /* one per passes */
    struct vec2 *before_m;            /* positions before the step, by row */
};

enum status scenario_expectations_create(const struct scenario *scenario, const struct scenario_run *run,
                                         const struct steer_world *world, struct scenario_expectations **out,
                                         struct fault *fault)
{
    const struct scenario_expect *expect = &scenario->expect;
    struct scenario_expectations *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->scenario = scenario;
        made->run = run;
        made->world = world;
        made->tick_rate_hz = steer_world_config(world)->tick_rate_hz;
        made->speed_squares = calloc(expect->speed_rms_after.count + 1, sizeof *made->speed_squares);
        made->speeds = calloc(expect->mean_speed.count + 1, sizeof *made->speeds);
        made->flock_radii_m = calloc(expect->flock_radius_max.count + 1, sizeof *made->flock_radii_m);
        made->deviations_m = calloc(expect->deviation_max.count + 1, sizeof *made->deviations_m);
        made->passes = calloc(expect->passes.count + 1, sizeof *made->passes);
        made->before_m = calloc((size_t)scenario->agent_count + 1, sizeof *made->before_m);
    }
    if (made == NULL || made->speed_squares == NULL || made->speeds == NULL || made->flock_radii_m == NULL ||
        made->deviations_m == NULL || made->passes == NULL || made->before_m == NULL) {
        scenario_expectations_destroy(made);
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory for its expectations",
                         scenario->path);
    }
    for (uint32_t i = 0; i < expect->flock_radius_max.count; i++) {
        made->flock_radii_m[i] = NAN;
    }
    *out = made;
    return STATUS_OK;
}

void scenario_expectations_destroy(struct scenario_expectations *expectations)
{
    if (expectations == NULL) {
        return;
    }
    free(expectations->speed_squares);
    free(expectations->speeds);
    free(expectations->flock_radii_m);
    free(expectations->deviations_m);
    free(expectations->passes);
    free(expectations->before_m);
    free(expectations);
}

void scenario_expectations_before_step(struct scenario_expectations *expectations)
{
    struct steer_agent_columns agents = steer_world_agents(expectations->world);
    for (uint32_t i = 0; i < agents.count && expectations->scenario->expect.passes.count > 0; i++) {
        expectations->before_m[i] = vec2(agents.x_m[i], agents.y_m[i]);
    }
}

/* Twice the signed area of a, b, p: positive when p lies to the left of a to b. */
static double expect_side(struct vec2 a, struct vec2 b, struct vec2 p)
{
    return ((double)b.x - a.x) * ((double)p.y - a.y) - ((double)b.y - a.y) * ((double)p.x - a.x);
}

/*
 * Whether a step crosses a line. Standing on the line belongs to its left, so that a walker who stops on it
 * crosses once; likewise for the line's ends.
 */
static bool expect_crosses(const struct scenario_line *line, struct vec2 from, struct vec2 to)
{
    return (expect_side(line->a, line->b, from) >= 0) != (expect_side(line->a, line->b, to) >= 0) &&
           (expect_side(from, to, line->a) >= 0) != (expect_side(from, to, line->b) >= 0);
}

static void expect_count_speeds(struct scenario_expectations *expectations,
                                const struct steer_agent_columns *agents, double time_s)
{
    const struct scenario_expect *expect = &expectations->scenario->expect;
    const struct scenario_speed_rms *squares = expect->speed_rms_after.items;
    const struct scenario_mean_speed *means = expect->mean_speed.items;
    if (expect->speed_rms_after.count + expect->mean_speed.count == 0) {
        return;
    }
    double square_sum = 0;
    double speed_sum = 0;
    for (uint32_t i = 0; i < agents->count; i++) {
        double vx = agents->vx_mps[i];
        double vy = agents->vy_mps[i];
        square_sum += vx * vx + vy * vy;
        speed_sum += sqrt(vx * vx + vy * vy);
    }
    for (uint32_t i = 0; i < expect->speed_rms_after.count; i++) {
        if (time_s >= squares[i].at) {
            expectations->speed_squares[i].sum += square_sum;
            expectations->speed_squares[i].count += agents->count;
        }
    }
    for (uint32_t i = 0; i < expect->mean_speed.count; i++) {
        if (time_s >= means[i].from && time_s <= means[i].to) {
            expectations->speeds[i].sum += speed_sum;
            expectations->speeds[i].count += agents->count;
        }
    }
}

static void expect_count_passes(struct scenario_expectations *expectations,
                                const struct steer_agent_columns *agents, double time_s)
{
    const struct yaml_list *list = &expectations->scenario->expect.passes;
    const struct scenario_passes *passes = list->items;
    for (uint32_t i = 0; i < list->count; i++) {
        if (time_s < passes[i].from || time_s > passes[i].to) {
            continue;
        }
        for (uint32_t row = 0; row < agents->count; row++) {
            struct vec2 now_m = vec2(agents->x_m[row], agents->y_m[row]);
            expectations->passes[i] += expect_crosses(&passes[i].line, expectations->before_m[row], now_m);
        }
    }
}

/* Distance along an axis from a point to the line through an agent's start and target. */
static double expect_deviation(const struct scenario_agent *agent, uint32_t axis, struct vec2 point)
{
    double dx = (double)agent->target.x - agent->position.x;
    double dy = (double)agent->target.y - agent->position.y;
    double x = (double)point.x - agent->position.x;
    double y = (double)point.y - agent->position.y;
    return axis == 0 ? fabs(x - y * dx / dy) : fabs(y - x * dy / dx);
}

static void expect_count_deviations(struct scenario_expectations *expectations,
                                    const struct steer_agent_columns *agents)
{
    const struct yaml_list *list = &expectations->scenario->expect.deviation_max;
    const struct scenario_deviation *items = list->items;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t index;
        uint32_t row;
        if (scenario_find_agent(expectations->scenario, items[i].agent, &index) &&
            steer_world_find_agent(expectations->world, scenario_run_agent(expectations->run, index), &row)) {
            double deviation_m = expect_deviation(scenario_agent(expectations->scenario, index),
                                                  items[i].axis, vec2(agents->x_m[row], agents->y_m[row]));
            expectations->deviations_m[i] = fmax(expectations->deviations_m[i], deviation_m);
        }
    }
}

/* Farthest centre of a flock from the mean of them; NAN when it has no members. */
static double expect_flock_radius(const struct steer_agent_columns *agents, uint32_t flock)
{
    double x = 0;
    double y = 0;
    uint32_t count = 0;
    for (uint32_t row = 0; row < agents->count; row++) {
        if (agents->flock[row] == flock) {
            x += (double)agents->x_m[row];
            y += (double)agents->y_m[row];
            count++;
        }
    }
    double radius_m = NAN;
    for (uint32_t row = 0; row < agents->count; row++) {
        if (agents->flock[row] == flock) {
            radius_m = fmax(
                radius_m, hypot((double)agents->x_m[row] - x / count, (double)agents->y_m[row] - y / count));
        }
    }
    return radius_m;
}

static void expect_count_flocks(struct scenario_expectations *expectations,
                                const struct steer_agent_columns *agents, double time_s)
{
    const struct yaml_list *list = &expectations->scenario->expect.flock_radius_max;
    const struct scenario_flock_radius *items = list->items;
    for (uint32_t i = 0; i < list->count; i++) {
        if (time_s >= items[i].from) {
            expectations->flock_radii_m[i] =
                fmax(expectations->flock_radii_m[i], expect_flock_radius(agents, items[i].flock));
        }
    }
}

void scenario_expectations_after_step(struct scenario_expectations *expectations)
{
    struct steer_agent_columns agents = steer_world_agents(expectations->world);
    expectations->ticks++;
    double time_s = (double)expectations->ticks / expectations->tick_rate_hz;
    expect_count_speeds(expectations, &agents, time_s);
    expect_count_passes(expectations, &agents, time_s);
    expect_count_flocks(expectations, &agents, time_s);
    expect_count_deviations(expectations, &agents);
}

static bool expect_given(const struct scenario_expectations *expectations, const char *name)
{
    return yaml_table_given(&scenario_expect_table, &expectations->scenario->expect.head, name);
}

uint32_t scenario_expectations_count(const struct scenario_expectations *expectations)
{
    const struct scenario_expect *expect = &expectations->scenario->expect;
    return (uint32_t)expect_given(expectations, "arrived_all_by") + expect->arrived_by.count +
           expect_given(expectations, "gap_min") + expect_given(expectations, "obstacle_gap_min") +
           expect_given(expectations, "end_gap_min") + expect_given(expectations, "blocked_min") +
           expect_given(expectations, "blocked_max") + expect_given(expectations, "time_factor_max") +
           expect->speed_rms_after.count + expect->end_near.count + expect->end_heading.count +
           expect->settled_max.count + expect->flock_radius_max.count + expect->deviation_max.count +
           expect->mean_speed.count + expect->passes.count;
}

/* Fills the next outcome. Holds when the figure exists and lies within what is allowed. */
static void expect_judge(struct scenario_outcome **next, const char *name, double figure, double min,
                         double max, const char *unit)
{
    struct scenario_outcome *outcome = (*next)++;
    bool held = !isnan(figure) && !(figure < min) && !(figure > max);
    *outcome =
        (struct scenario_outcome){.held = held, .figure = figure, .min = min, .max = max, .unit = unit};
    snprintf(outcome->name, sizeof outcome->name, "%s", name);
}

static void expect_judge_gap(struct scenario_outcome **next, const char *name, double figure, double min)
{
    expect_judge(next, name, figure, min, NAN, "m");
    (*next)[-1].held |= isnan(figure);
}

/* "end_near" for the only one of its kind, "end_near[1]" among several. */
static const char *expect_name(char *text, size_t size, const char *name, const struct yaml_list *list,
                               uint32_t index)
{
    if (list->count == 1) {
        snprintf(text, size, "%s", name);
    } else {
        snprintf(text, size, "%s[%u]", name, index);
    }
    return text;
}

static double expect_mean(const struct expect_sum *sum)
{
    return sum->count == 0 ? NAN : sum->sum / (double)sum->count;
}

/* Row of an agent of the scene; false when it is no longer there. */
static bool expect_find(const struct scenario_expectations *expectations, const char *name, uint32_t *row_out)
{
    uint32_t index;
    return scenario_find_agent(expectations->scenario, name, &index) &&
           steer_world_find_agent(expectations->world, scenario_run_agent(expectations->run, index), row_out);
}

/* Centre of an agent to a point; NAN when it is no longer there. */
static double expect_end_distance(const struct scenario_expectations *expectations,
                                  const struct scenario_end_near *near)
{
    struct steer_agent_columns agents = steer_world_agents(expectations->world);
    uint32_t row;
    if (!expect_find(expectations, near->agent, &row)) {
        return NAN;
    }
    return hypot((double)agents.x_m[row] - near->point.x, (double)agents.y_m[row] - near->point.y);
}

/* Degrees between an agent's heading and the one it should have; NAN when it is no longer there. */
static double expect_end_turn(const struct scenario_expectations *expectations,
                              const struct scenario_end_heading *heading)
{
    struct steer_agent_columns agents = steer_world_agents(expectations->world);
    uint32_t row;
    if (!expect_find(expectations, heading->agent, &row)) {
        return NAN;
    }
    return fabs((double)trig_turn_deg(agents.orientation_deg[row], (float)heading->heading));
}

/* Whether the way of an agent ends at a point: its target, or the last point of its path. */
static bool expect_ends_at(const struct steer_goal *goal, struct vec2 point)
{
    if (goal->kind == STEER_GOAL_PATH) {
        struct vec2 last = goal->path_m[goal->path_count - 1];
        return last.x == point.x && last.y == point.y;
    }
    return goal->kind == STEER_GOAL_POINT && goal->point_m.x == point.x && goal->point_m.y == point.y;
}

/* Farthest rim of those whose way ends at a point, from it; NAN when there are none. */
static double expect_settled_radius(const struct scenario_expectations *expectations, struct vec2 point)
{
    struct steer_agent_columns agents = steer_world_agents(expectations->world);
    double radius_m = NAN;
    for (uint32_t row = 0; row < agents.count; row++) {
        struct steer_goal goal = steer_world_agent_goal(expectations->world, row);
        if (expect_ends_at(&goal, point)) {
            double center_m = hypot((double)agents.x_m[row] - point.x, (double)agents.y_m[row] - point.y);
            radius_m = fmax(radius_m, center_m + agents.radius_m[row]);
        }
    }
    return radius_m;
}

static void expect_judge_arrivals(const struct scenario_expectations *expectations,
                                  const struct scenario_measure *measure,
                                  const struct scenario_figures *figures, struct scenario_outcome **next)
{
    const struct scenario_expect *expect = &expectations->scenario->expect;
    if (expect_given(expectations, "arrived_all_by")) {
        expect_judge(next, "arrived_all_by", figures->time_all_arrived_s, NAN, expect->arrived_all_by, "s");
    }
    for (uint32_t i = 0; i < expect->arrived_by.count; i++) {
        const struct yaml_number *time = &expect->arrived_by.items[i];
        char name[80];
        uint32_t index = 0;
        bool found = scenario_find_agent(expectations->scenario, time->name, &index);
        ASSERT(found);
        snprintf(name, sizeof name, "arrived_by.%s", time->name);
        expect_judge(next, name,
                     scenario_measure_arrival_s(measure, scenario_run_agent(expectations->run, index)), NAN,
                     time->value, "s");
    }
}

static void expect_judge_lists(const struct scenario_expectations *expectations,
                               struct scenario_outcome **next)
{
    const struct scenario_expect *expect = &expectations->scenario->expect;
    const struct scenario_speed_rms *squares = expect->speed_rms_after.items;
    const struct scenario_end_near *near = expect->end_near.items;
    const struct scenario_settled *settled = expect->settled_max.items;
    const struct scenario_flock_radius *flocks = expect->flock_radius_max.items;
    const struct scenario_deviation *deviations = expect->deviation_max.items;
    const struct scenario_mean_speed *means = expect->mean_speed.items;
    const struct scenario_passes *passes = expect->passes.items;
    char name[80];
    for (uint32_t i = 0; i < expect->speed_rms_after.count; i++) {
        expect_judge(next, expect_name(name, sizeof name, "speed_rms_after", &expect->speed_rms_after, i),
                     sqrt(expect_mean(&expectations->speed_squares[i])), NAN, squares[i].max, "m/s");
    }
    for (uint32_t i = 0; i < expect->end_near.count; i++) {
        expect_judge(next, expect_name(name, sizeof name, "end_near", &expect->end_near, i),
                     expect_end_distance(expectations, &near[i]), NAN, near[i].radius, "m");
    }
    const struct scenario_end_heading *headings = expect->end_heading.items;
    for (uint32_t i = 0; i < expect->end_heading.count; i++) {
        expect_judge(next, expect_name(name, sizeof name, "end_heading", &expect->end_heading, i),
                     expect_end_turn(expectations, &headings[i]), NAN, headings[i].max, "deg");
    }
    for (uint32_t i = 0; i < expect->settled_max.count; i++) {
        expect_judge(next, expect_name(name, sizeof name, "settled_max", &expect->settled_max, i),
                     expect_settled_radius(expectations, settled[i].point), NAN, settled[i].radius, "m");
    }
    for (uint32_t i = 0; i < expect->flock_radius_max.count; i++) {
        expect_judge(next, expect_name(name, sizeof name, "flock_radius_max", &expect->flock_radius_max, i),
                     expectations->flock_radii_m[i], NAN, flocks[i].max, "m");
    }
    for (uint32_t i = 0; i < expect->deviation_max.count; i++) {
        expect_judge(next, expect_name(name, sizeof name, "deviation_max", &expect->deviation_max, i),
                     expectations->deviations_m[i], NAN, deviations[i].max, "m");
    }
    for (uint32_t i = 0; i < expect->mean_speed.count; i++) {
        bool has_min = yaml_table_given(&scenario_mean_speed_table, &means[i].head, "min");
        bool has_max = yaml_table_given(&scenario_mean_speed_table, &means[i].head, "max");
        expect_judge(next, expect_name(name, sizeof name, "mean_speed", &expect->mean_speed, i),
                     expect_mean(&expectations->speeds[i]), has_min ? means[i].min : NAN,
                     has_max ? means[i].max : NAN, "m/s");
    }
    for (uint32_t i = 0; i < expect->passes.count; i++) {
        bool has_min = yaml_table_given(&scenario_passes_table, &passes[i].head, "min");
        bool has_max = yaml_table_given(&scenario_passes_table, &passes[i].head, "max");
        expect_judge(next, expect_name(name, sizeof name, "passes", &expect->passes, i),
                     (double)expectations->passes[i], has_min ? passes[i].min : NAN,
                     has_max ? passes[i].max : NAN, "");
    }
}

void scenario_expectations_judge(const struct scenario_expectations *expectations,
                                 const struct scenario_measure *measure,
                                 const struct scenario_figures *figures,
                                 const struct scenario_time_factor *time_factor,
                                 struct scenario_outcome *outcomes)
{
    const struct scenario_expect *expect = &expectations->scenario->expect;
    struct scenario_outcome *next = outcomes;
    expect_judge_arrivals(expectations, measure, figures, &next);
    if (expect_given(expectations, "time_factor_max")) {
        expect_judge(&next, "time_factor_max", time_factor->worst, NAN, expect->time_factor_max, "");
    }
    if (expect_given(expectations, "gap_min")) {
        expect_judge_gap(&next, "gap_min", figures->gap_min_m, expect->gap_min);
    }
    if (expect_given(expectations, "obstacle_gap_min")) {
        expect_judge_gap(&next, "obstacle_gap_min", figures->obstacle_gap_min_m, expect->obstacle_gap_min);
    }
    if (expect_given(expectations, "end_gap_min")) {
        expect_judge_gap(&next, "end_gap_min", figures->end_gap_min_m, expect->end_gap_min);
    }
    if (expect_given(expectations, "blocked_min")) {
        expect_judge(&next, "blocked_min", figures->blocked, expect->blocked_min, NAN, "");
    }
    if (expect_given(expectations, "blocked_max")) {
        expect_judge(&next, "blocked_max", figures->blocked, NAN, expect->blocked_max, "");
    }
    expect_judge_lists(expectations, &next);
    ASSERT((uint32_t)(next - outcomes) == scenario_expectations_count(expectations));
}
