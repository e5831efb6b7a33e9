/*
 * Random scenes against what must always hold: the README beside this file says what. Scene k of a run has
 * the seed SEED + k, so any of them is run alone by its own seed. A scene that fails is made as small as it
 * gets while it fails in the same way, and printed as a scenario.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/option.h"
#include "check.h"
#include "jobs.h"

#define PROPERTY_SAME_EVERY 16 /* scenes of which one is compared on several threads and through its file */

static const struct option_spec options[] = {
    {.name = "scenes",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = 1e9,
     .default_text = "1000",
     .help = "Scenes to run."},
    {.name = "seed",
     .kind = OPTION_UINT,
     .value_name = "NUMBER",
     .default_text = "1",
     .help = "Seed of the first scene; the next has the next number."},
    {.name = "jobs",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = JOBS_MAX,
     .default_text = "1",
     .help = "Processes that share the scenes. What is printed does not depend on it."},
    {.name = "keep-going", .kind = OPTION_FLAG, .help = "Tells of every scene that fails, a line each."},
    {.name = "known",
     .kind = OPTION_FLAG,
     .help = "Expects the failures of known.def: such a scene fails the run when it does not fail."},
    {.name = "help", .kind = OPTION_FLAG, .help = "Prints this."},
};

static struct failure property_try(const struct scene *scene, struct tally *tally)
{
    struct failure failure = check_scene(scene, tally);
    if (failure.property == PROPERTY_NONE) {
        failure = check_symmetry(scene, tally);
    }
    if (failure.property == PROPERTY_NONE && scene->seed % PROPERTY_SAME_EVERY == 0) {
        failure = check_sameness(scene);
    }
    return failure;
}

/* Whether the scene still fails in that way; then *failure is how. */
static bool property_still_fails(const struct scene *scene, struct failure *failure)
{
    struct tally unused = {0};
    struct failure again = property_try(scene, &unused);
    if (again.property != failure->property) {
        return false;
    }
    *failure = again;
    return true;
}

/* Leaves out whatever the failure does not need: agents, shapes, paths, profiles. */
static void property_shrink(struct scene *scene, struct failure *failure)
{
    bool smaller = true;
    while (smaller) {
        smaller = false;
        for (uint32_t i = scene->agent_count; i-- > 0 && scene->agent_count > 1;) {
            struct scene less = *scene;
            scene_remove_agent(&less, i);
            if (property_still_fails(&less, failure)) {
                *scene = less;
                smaller = true;
            }
        }
        for (uint32_t i = scene->shape_count; i-- > 0;) {
            struct scene less = *scene;
            scene_remove_shape(&less, i);
            if (property_still_fails(&less, failure)) {
                *scene = less;
                smaller = true;
            }
        }
    }
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        struct scene less = *scene;
        less.agents[i].profile = 0;
        less.agents[i].velocity_mps = vec2(0.0f, 0.0f);
        if (property_still_fails(&less, failure)) {
            *scene = less;
        }
    }
}

static void property_print(const struct scene *whole, const struct failure *first)
{
    struct scene scene = *whole;
    struct failure failure = *first;
    if (failure.property != PROPERTY_PROCESS) { /* or this process would die of it as well */
        property_shrink(&scene, &failure);
    }
    double end_s = (double)(failure.tick + 1) / scene.tick_rate_hz;
    printf("# Seed %" PRIu64 ", made smaller: %u agents and %u shapes of %u and %u. At tick %" PRIu64 ": %s\n"
           "# Does not hold: %s.\n",
           whole->seed, scene.agent_count, scene.shape_count, whole->agent_count, whole->shape_count,
           failure.tick, failure.text, property_claim(failure.property));
    scene_print(&scene, end_s, "expect: {obstacle_gap_min: -0.001, gap_min: -0.02}\n", stdout);
}

static void property_print_summary(uint64_t scenes, const struct tally *tally, const uint64_t *failed)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i < PROPERTIES; i++) {
        sum += failed[i];
        if (failed[i] > 0) {
            printf("# %" PRIu64 " failed %s: %s\n", failed[i], property_word(i), property_claim(i));
        }
    }
    printf("# %" PRIu64 " scenes, %" PRIu64 " failed; %" PRIu64 " agents, %" PRIu64 " ticks, %" PRIu64
           " agent-ticks; ",
           scenes, sum, tally->agents, tally->ticks, tally->agent_ticks);
    printf("of %" PRIu64 " with a goal %" PRIu64 " arrived and %" PRIu64 " were blocked first; ",
           tally->with_goal, tally->arrived, tally->blocked);
    printf("%" PRIu64 " agents compared by symmetry\n", tally->symmetric);
}

/* A run while it goes on. */
struct property_run {
    bool keeps_going;
    bool expects_known;
    uint64_t done;
    uint64_t known; /* failures that were expected */
    struct tally tally;
    uint64_t failed[PROPERTIES];
    bool has_failed;
};

static void property_scene(uint64_t seed, struct job_result *result)
{
    struct scene scene;
    scene_make(seed, &scene);
    result->failure = property_try(&scene, &result->tally);
}

/* How the scene of this seed is known to fail. */
static enum property property_known(uint64_t seed)
{
    static const struct {
        uint64_t seed;
        enum property property;
    } known[] = {
#define KNOWN(seed, property) {seed, PROPERTY_##property},
#include "known.def"
#undef KNOWN
        {0, PROPERTY_NONE},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].seed == seed) {
            return known[i].property;
        }
    }
    return PROPERTY_NONE;
}

/* Whether the scene came out as it is known to; when not, *run has failed. */
static bool property_expect(struct property_run *run, uint64_t seed, const struct failure *failure)
{
    enum property known = run->expects_known ? property_known(seed) : PROPERTY_NONE;
    if (known == failure->property) {
        run->known += known != PROPERTY_NONE ? 1 : 0;
        return true;
    }
    run->has_failed = true;
    if (failure->property == PROPERTY_NONE) {
        run->failed[known]++;
        printf("# seed %" PRIu64 " does not fail %s any more: take it out of known.def\n", seed,
               property_word(known));
        return false;
    }
    run->failed[failure->property]++;
    return false;
}

static bool property_result(uint64_t seed, const struct job_result *result, void *context)
{
    struct property_run *run = context;
    const struct failure *failure = &result->failure;
    run->done++;
    tally_add(&run->tally, &result->tally);
    if (property_expect(run, seed, failure) || failure->property == PROPERTY_NONE) {
        return true;
    }
    if (run->keeps_going) {
        printf("# seed %" PRIu64 " tick %" PRIu64 ": %s: %s\n", seed, failure->tick,
               property_word(failure->property), failure->text);
        fflush(stdout);
    } else {
        struct scene scene;
        scene_make(seed, &scene);
        property_print(&scene, failure);
    }
    return run->keeps_going;
}

static int property_run(const struct option_set *set)
{
    struct property_run run = {.keeps_going = option_set_flag(set, "keep-going"),
                               .expects_known = option_set_flag(set, "known")};
    const struct jobs_run jobs = {
        .scenes = option_set_uint(set, "scenes"),
        .seed = option_set_uint(set, "seed"),
        .jobs = (uint32_t)option_set_uint(set, "jobs"),
        .scene = property_scene,
        .result = property_result,
        .context = &run,
    };
    printf("# %" PRIu64 " scenes from seed %" PRIu64 "\n", jobs.scenes, jobs.seed);
    enum status status = jobs_run(&jobs);
    property_print_summary(run.done, &run.tally, run.failed);
    if (run.known > 0) {
        printf("# %" PRIu64 " failed as known.def says\n", run.known);
    }
    if (status != STATUS_OK) {
        fprintf(stderr, "property: no process to be had\n");
    }
    return run.has_failed || status != STATUS_OK ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const size_t count = sizeof options / sizeof options[0];
    struct fault fault = {0};
    struct option_set *set = option_set_create(options, count);
    ASSERT(set != NULL);
    if (option_set_parse_arguments(set, argc - 1, argv + 1, &fault) != STATUS_OK ||
        option_set_positional_count(set) > 0) {
        fprintf(stderr, "property: %s\n", fault.text[0] != '\0' ? fault.text : "options only, see --help");
        option_set_destroy(set);
        return 2;
    }
    int code = EXIT_SUCCESS;
    if (option_set_flag(set, "help")) {
        printf("usage: property [OPTION]...\n");
        option_print_help(options, count, NULL);
    } else {
        code = property_run(set);
    }
    option_set_destroy(set);
    return code;
}
