/* One scene, three ways: on one thread, on three, and read back from the scenario that is printed for people.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "app/scenario/scenario_run.h"
#include "check.h"

#define SAMENESS_TICKS 90
#define SAMENESS_TEXT  ((size_t)256 * 1024)

static uint64_t sameness_step(struct steer_world *world, uint32_t threads)
{
    struct job_pool *pool = job_pool_create(threads);
    for (uint32_t tick = 0; tick < SAMENESS_TICKS; tick++) {
        steer_world_step(world, pool);
        steer_world_clear_changes(world);
    }
    uint64_t digest = steer_world_digest(world);
    job_pool_destroy(pool);
    steer_world_destroy(world);
    return digest;
}

/* NULL when the scenario is refused, with the words. */
static struct steer_world *sameness_read(const struct scenario *scenario, struct fault *fault)
{
    struct steer_world_config config;
    struct steer_world *world = NULL;
    struct scenario_run *run = NULL;
    steer_world_config_init(&config);
    config.agents_max = SCENE_AGENTS_MAX;
    scenario_configure(scenario, &config);
    enum status status = steer_world_create(&config, 1, &world, fault);
    if (status == STATUS_OK) {
        status = scenario_run_create(scenario, &run, fault);
    }
    if (status == STATUS_OK) {
        status = scenario_run_start(run, world, fault);
    }
    scenario_run_destroy(run);
    if (status != STATUS_OK) {
        steer_world_destroy(world);
        return NULL;
    }
    return world;
}

/* Digest of the printed scene. False: it is refused. */
static bool sameness_print_and_read(const struct scene *scene, uint64_t *digest_out, struct fault *fault)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL) {
        fault_fill(fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
        return false;
    }
    scene_print(scene, 1.0, "", file);
    fclose(file);
    struct scenario *scenario = NULL;
    struct steer_world *world = NULL;
    if (scenario_parse("printed.yaml", text, size, &scenario, fault) == STATUS_OK) {
        world = sameness_read(scenario, fault);
    }
    if (world != NULL) {
        *digest_out = sameness_step(world, 1);
    }
    scenario_destroy(scenario);
    free(text);
    return world != NULL;
}

struct failure check_sameness(const struct scene *scene)
{
    struct failure failure = {.tick = SAMENESS_TICKS};
    struct fault fault = {0};
    uint64_t one = sameness_step(scene_create_world(scene, 1), 1);
    uint64_t three = sameness_step(scene_create_world(scene, 3), 3);
    uint64_t read = 0;
    if (one != three) {
        failure.property = PROPERTY_THREADS;
        snprintf(failure.text, sizeof failure.text, "%016" PRIx64 " on 1, %016" PRIx64 " on 3", one, three);
    } else if (!sameness_print_and_read(scene, &read, &fault)) {
        failure.property = PROPERTY_SCENARIO;
        snprintf(failure.text, sizeof failure.text, "%.150s", fault.text);
    } else if (read != one) {
        failure.property = PROPERTY_SCENARIO;
        snprintf(failure.text, sizeof failure.text, "%016" PRIx64 " here, %016" PRIx64 " from the file", one,
                 read);
    }
    return failure;
}
