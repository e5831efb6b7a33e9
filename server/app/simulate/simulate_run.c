/*
 * The loop of `steerd simulate`: commands of the tick, the timed step, then measuring and the trace. Figures
 * of time hold nothing but steer_world_step.
 */
#include "app/simulate/simulate_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/simulate/simulate_progress.h"
#include "app/simulate/simulate_trace.h"
#include "base/assert.h"
#include "base/clock.h"

/* All that a run is made of; the parts that were made are destroyed at its end, however it ends. */
struct simulation {
    const struct scenario *scenario;
    const struct simulate_options *options;
    uint64_t ticks;
    struct steer_world *world;
    struct job_pool *pool;
    struct scenario_run *run;
    struct scenario_measure *measure;
    struct scenario_expectations *expectations;
    struct scenario_free *free_walks;
    double *tick_ns;           /* by tick */
    double *ns_per_agent_tick; /* of the ticks that had agents */
    uint64_t agent_tick_count;
    struct steer_world_phases phase_sums;
};

static int simulate_compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

double simulate_percentile(double *values, size_t count, double percent)
{
    if (count == 0) {
        return NAN;
    }
    qsort(values, count, sizeof *values, simulate_compare);
    size_t rank = (size_t)ceil(percent / 100 * (double)count);
    return values[rank == 0 ? 0 : rank - 1];
}

static void simulation_deinit(struct simulation *simulation)
{
    scenario_free_destroy(simulation->free_walks);
    scenario_expectations_destroy(simulation->expectations);
    scenario_measure_destroy(simulation->measure);
    scenario_run_destroy(simulation->run);
    if (simulation->pool != NULL) {
        job_pool_destroy(simulation->pool);
    }
    steer_world_destroy(simulation->world);
    free(simulation->tick_ns);
    free(simulation->ns_per_agent_tick);
}

static enum status simulation_init_world(struct simulation *simulation, struct fault *fault)
{
    struct steer_world_config config = {
        0}; /* scenario_configure raises the limits to exactly what is needed */
    scenario_configure(simulation->scenario, &config);
    enum status status = steer_world_create(&config, simulation->options->threads, &simulation->world, fault);
    if (status != STATUS_OK) {
        return status;
    }
    simulation->pool = job_pool_create(simulation->options->threads);
    if (simulation->pool == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%u threads cannot be had",
                         simulation->options->threads);
    }
    return STATUS_OK;
}

/* World and run first, then those who look at them. */
static enum status simulation_init(struct simulation *simulation, struct fault *fault)
{
    const struct scenario *scenario = simulation->scenario;
    simulation->tick_ns = calloc(simulation->ticks, sizeof(double));
    simulation->ns_per_agent_tick = calloc(simulation->ticks, sizeof(double));
    if (simulation->tick_ns == NULL || simulation->ns_per_agent_tick == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory for the times of %llu ticks",
                         (unsigned long long)simulation->ticks);
    }
    enum status status = simulation_init_world(simulation, fault);
    if (status == STATUS_OK) {
        status = scenario_run_create(scenario, &simulation->run, fault);
    }
    if (status == STATUS_OK) {
        status = scenario_run_start(simulation->run, simulation->world, fault);
    }
    if (status == STATUS_OK) {
        status = scenario_measure_create(scenario, simulation->run, simulation->world, &simulation->measure,
                                         fault);
    }
    if (status == STATUS_OK) {
        status = scenario_expectations_create(scenario, simulation->run, simulation->world,
                                              &simulation->expectations, fault);
    }
    if (status == STATUS_OK) {
        status = scenario_free_create(scenario, simulation->run, simulation->world, &simulation->free_walks,
                                      fault);
    }
    return status;
}

static void simulation_note_time(struct simulation *simulation, uint64_t tick, uint64_t ns)
{
    struct steer_world_phases phases = steer_world_phases(simulation->world);
    uint32_t agents = steer_world_agents(simulation->world).count;
    simulation->tick_ns[tick] = (double)ns;
    if (agents > 0) {
        simulation->ns_per_agent_tick[simulation->agent_tick_count++] = (double)ns / agents;
    }
#define PHASE(name) simulation->phase_sums.name##_ns += phases.name##_ns;
    STEER_PHASES(PHASE)
#undef PHASE
}

static enum status simulation_tick(struct simulation *simulation, uint64_t tick, struct fault *fault)
{
    struct steer_world *world = simulation->world;
    enum status status = scenario_run_tick(simulation->run, world, fault);
    if (status != STATUS_OK) {
        return status;
    }
    scenario_expectations_before_step(simulation->expectations);
    uint64_t begin_ns = clock_monotonic_ns();
    steer_world_step(world, simulation->pool);
    simulation_note_time(simulation, tick, clock_monotonic_ns() - begin_ns);
    status = scenario_measure_step(simulation->measure, fault);
    scenario_expectations_after_step(simulation->expectations);
    if (status == STATUS_OK && simulation->options->trace != NULL) {
        struct steer_agent_columns agents = steer_world_agents(world);
        status = simulate_trace_tick(simulation->options->trace, steer_world_tick(world), &agents, fault);
    }
    steer_world_clear_changes(world);
    return status;
}

static enum status simulation_loop(struct simulation *simulation, struct fault *fault)
{
    struct simulate_progress progress;
    simulate_progress_begin(&progress, simulation->options->progress, simulation->ticks);
    enum status status = STATUS_OK;
    if (simulation->options->trace != NULL) {
        status = simulate_trace_begin(simulation->options->trace, fault);
    }
    for (uint64_t tick = 0; tick < simulation->ticks && status == STATUS_OK; tick++) {
        status = simulation_tick(simulation, tick, fault);
        simulate_progress_show(&progress, tick + 1);
    }
    simulate_progress_end(&progress);
    if (status == STATUS_OK && simulation->options->trace != NULL &&
        fflush(simulation->options->trace) != 0) {
        status = fault_set(fault, STATUS_UNAVAILABLE, "the trace cannot be written: %s", strerror(errno));
    }
    return status;
}

static enum status simulation_sum_up(struct simulation *simulation, struct simulate_result *result,
                                     struct fault *fault)
{
    double ticks = (double)simulation->ticks;
    size_t agent_ticks = simulation->agent_tick_count;
    scenario_title(simulation->scenario, result->title, sizeof result->title);
    result->threads = simulation->options->threads;
    result->figures = scenario_measure_figures(simulation->measure);
    result->memory_bytes = steer_world_memory_bytes(simulation->world);
    result->state_digest = steer_world_digest(simulation->world);
    result->ns_per_agent_tick.p50 = simulate_percentile(simulation->ns_per_agent_tick, agent_ticks, 50);
    result->ns_per_agent_tick.p99 = simulate_percentile(simulation->ns_per_agent_tick, agent_ticks, 99);
    result->ns_per_agent_tick.min = simulate_percentile(simulation->ns_per_agent_tick, agent_ticks, 0);
    result->tick_us.p50 = simulate_percentile(simulation->tick_ns, simulation->ticks, 50) / 1000;
    result->tick_us.p99 = simulate_percentile(simulation->tick_ns, simulation->ticks, 99) / 1000;
    result->tick_us.max = simulate_percentile(simulation->tick_ns, simulation->ticks, 100) / 1000;
#define PHASE(name)                                                                                          \
    result->phases.name##_ns = (uint64_t)((double)simulation->phase_sums.name##_ns / ticks + 0.5);
    STEER_PHASES(PHASE)
#undef PHASE
    result->outcome_count = scenario_expectations_count(simulation->expectations);
    result->outcomes = calloc((size_t)result->outcome_count + 1, sizeof *result->outcomes);
    if (result->outcomes == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory for %u expectations",
                         result->outcome_count);
    }
    enum status status =
        scenario_free_factor(simulation->free_walks, simulation->measure, &result->time_factor, fault);
    if (status != STATUS_OK) {
        return status;
    }
    scenario_expectations_judge(simulation->expectations, simulation->measure, &result->figures,
                                &result->time_factor, result->outcomes);
    return STATUS_OK;
}

enum status simulate_run(const struct scenario *scenario, const struct simulate_options *options,
                         struct simulate_result *out, struct fault *fault)
{
    struct simulation simulation = {.scenario = scenario, .options = options, .ticks = options->ticks};
    struct simulate_result result = {.threads = options->threads};
    ASSERT(options->threads >= 1 && options->threads <= 256);
    if (simulation.ticks == 0) {
        uint64_t ticks = scenario_tick_at(scenario->duration, scenario->world.tick_rate);
        simulation.ticks = ticks == 0 ? 1 : ticks;
    }
    if (simulation.ticks > SIMULATE_TICKS_MAX) {
        return fault_set(fault, STATUS_OUT_OF_RANGE, "%llu ticks are out of range: 1 to %u is needed",
                         (unsigned long long)simulation.ticks, SIMULATE_TICKS_MAX);
    }
    enum status status = simulation_init(&simulation, fault);
    if (status == STATUS_OK) {
        status = simulation_loop(&simulation, fault);
    }
    if (status == STATUS_OK) {
        status = simulation_sum_up(&simulation, &result, fault);
    }
    simulation_deinit(&simulation);
    if (status != STATUS_OK) {
        simulate_result_deinit(&result);
        return status;
    }
    *out = result;
    return STATUS_OK;
}

void simulate_result_deinit(struct simulate_result *result)
{
    free(result->outcomes);
    *result = (struct simulate_result){0};
}

bool simulate_result_held(const struct simulate_result *result)
{
    for (uint32_t i = 0; i < result->outcome_count; i++) {
        if (!result->outcomes[i].held) {
            return false;
        }
    }
    return true;
}
