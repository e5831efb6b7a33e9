/*
 * What a tick costs: crowds at 0.5 agents per square metre in which everybody walks to a random place and
 * then to the next, stepped without network. The world of tests/scenarios/crowd-10k.yaml, in two sizes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/job_pool.h"
#include "base/number.h"
#include "report.h"
#include "sim/steer.h"

#define AGENTS_PER_M2 0.5
#define WARM_TICKS    60 /* two seconds: the crowd has started walking and met itself */
#define THREADS_MAX   256

struct crowd_case {
    const char *name;
    uint32_t agents;
    uint32_t ticks; /* measured in a run: about a second of work */
};

static const struct crowd_case cases[] = {
    {"1k", 1000, 400},
    {"10k", 10000, 60},
};

static void crowd_fail(const struct fault *fault)
{
    fprintf(stderr, "sim_crowd: %s\n", fault->text);
    exit(EXIT_FAILURE);
}

static struct steer_world *crowd_create(const struct crowd_case *c, uint32_t threads)
{
    struct fault fault = {0};
    struct steer_world_config config;
    steer_world_config_init(&config);
    float side_m = (float)sqrt(c->agents / AGENTS_PER_M2);
    config.min_m = vec2(0, 0);
    config.max_m = vec2(side_m, side_m);
    config.seed = 11;
    config.agents_max = c->agents;
    struct steer_world *world = NULL;
    if (steer_world_create(&config, threads, &world, &fault) != STATUS_OK) {
        crowd_fail(&fault);
    }
    const struct steer_crowd_spec crowd = {
        .count = c->agents,
        .min_m = config.min_m,
        .max_m = config.max_m,
        .seed = 11,
        .goal_kind = STEER_CROWD_GOAL_AREA,
        .goal_min_m = config.min_m,
        .goal_max_m = config.max_m,
        .retarget = true,
    };
    struct steer_world_made made;
    if (steer_world_spawn_crowd(world, &crowd, &made, &fault) != STATUS_OK) {
        crowd_fail(&fault);
    }
    return world;
}

static void crowd_step(struct steer_world *world, struct job_pool *pool, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        steer_world_step(world, pool);
        steer_world_clear_changes(world);
    }
}

/* One run in a world of its own, so that all runs do the same work. */
static double crowd_run(const struct crowd_case *c, struct job_pool *pool)
{
    struct steer_world *world = crowd_create(c, job_pool_threads(pool));
    crowd_step(world, pool, WARM_TICKS);
    uint64_t begin_ns = clock_monotonic_ns();
    crowd_step(world, pool, c->ticks);
    uint64_t took_ns = clock_monotonic_ns() - begin_ns;
    steer_world_destroy(world);
    return (double)took_ns / c->ticks / c->agents;
}

int main(int argc, char **argv)
{
    uint64_t threads = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (argc > 2 ||
        (argc == 2 && (!number_parse_u64(argv[1], &threads) || threads < 1 || threads > THREADS_MAX))) {
        fprintf(stderr, "usage: bench_sim_crowd [THREADS]   1 to %d, default: the cores of this machine\n",
                THREADS_MAX);
        return 2;
    }
    struct job_pool *pool = job_pool_create((uint32_t)threads);
    if (pool == NULL) {
        fprintf(stderr, "sim_crowd: no threads to be had\n");
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double ns[REPORT_RUNS];
        for (int run = 0; run < REPORT_RUNS; run++) {
            ns[run] = crowd_run(&cases[i], pool);
        }
        report_print("sim_crowd", cases[i].name, "ns_per_agent_tick", ns);
    }
    job_pool_destroy(pool);
    return EXIT_SUCCESS;
}
