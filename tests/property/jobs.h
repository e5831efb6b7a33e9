#pragma once

#include "base/status.h"
#include "check.h"

/* What came out of one scene. */
struct job_result {
    struct failure failure;
    struct tally tally;
};

/* Fills *result, which is zeroed; the same seed fills in the same. */
typedef void (*jobs_scene_fn)(uint64_t seed, struct job_result *result);

/* Returns whether more is wanted. */
typedef bool (*jobs_result_fn)(uint64_t seed, const struct job_result *result, void *context);

#define JOBS_MAX 64

struct jobs_run {
    uint64_t scenes;
    uint64_t seed;
    uint32_t jobs; /* processes, 1 to JOBS_MAX */
    jobs_scene_fn scene;
    jobs_result_fn result;
    void *context;
};

/*
 * Runs the scenes of the seeds seed .. seed + scenes - 1 in `jobs` processes, and gives what came out of them
 * to `result`, in this process and in the order of the seeds: what is printed does not depend on `jobs`. When
 * a process dies of a scene, or does not come to an end with it, that scene has failed PROPERTY_PROCESS and a
 * new process goes on.
 * Fails: STATUS_RESOURCE_EXHAUSTED when there is no process to be had. None is left behind in either case.
 * Threads: the caller's only, as it forks.
 */
MUST_CHECK enum status jobs_run(const struct jobs_run *run);
