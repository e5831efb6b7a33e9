/*
 * Scenes in several processes. Process k of n runs every n-th scene from the k-th on and writes what came out
 * into a pipe; the parent reads the pipes in turn, which is the order of the seeds. A process and not a
 * thread, because an assertion that fails then ends one scene and not the run, and the parent knows which.
 */
#include "jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"

#define JOBS_SCENE_S_MAX 600u /* of one scene; most take 50 ms, on sanitizers and a busy machine a second */

struct job {
    pid_t pid; /* 0: none */
    int pipe;
};

/* The child: never returns. */
static _Noreturn void jobs_work(const struct jobs_run *run, uint64_t first, int pipe)
{
    for (uint64_t k = first; k < run->scenes; k += run->jobs) {
        struct job_result result = {0};
        alarm(JOBS_SCENE_S_MAX);
        run->scene(run->seed + k, &result);
        /* Smaller than PIPE_BUF, so it is written whole or not at all. */
        if (write(pipe, &result, sizeof result) != (ssize_t)sizeof result) {
            _exit(EXIT_FAILURE);
        }
    }
    _exit(EXIT_SUCCESS);
}

static bool jobs_start(const struct jobs_run *run, uint64_t first, struct job *job)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    fflush(NULL); /* or the child has what is not yet written, too */
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        jobs_work(run, first, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    *job = (struct job){.pid = pid, .pipe = ends[0]};
    return true;
}

/* Waits for a process to end. Returns how it did, as waitpid tells. */
static int jobs_wait(struct job *job)
{
    int how = 0;
    while (waitpid(job->pid, &how, 0) < 0 && errno == EINTR) {
    }
    close(job->pipe);
    *job = (struct job){0};
    return how;
}

static bool jobs_read(int pipe, struct job_result *result)
{
    size_t size = 0;
    while (size < sizeof *result) {
        ssize_t got = read(pipe, (char *)result + size, sizeof *result - size);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        size += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static void jobs_tell_death(int how, struct job_result *result)
{
    *result = (struct job_result){.failure.property = PROPERTY_PROCESS};
    bool is_signal = WIFSIGNALED(how);
    snprintf(result->failure.text, sizeof result->failure.text, "%s %d", is_signal ? "signal" : "exit code",
             is_signal ? WTERMSIG(how) : WEXITSTATUS(how));
}

/* Scene k's result, from the process that runs it or its death. */
static bool jobs_take(const struct jobs_run *run, uint64_t k, struct job *job, struct job_result *result)
{
    if (jobs_read(job->pipe, result)) {
        return true;
    }
    jobs_tell_death(jobs_wait(job), result);
    return k + run->jobs >= run->scenes || jobs_start(run, k + run->jobs, job);
}

enum status jobs_run(const struct jobs_run *run)
{
    struct job jobs[JOBS_MAX] = {0};
    enum status status = STATUS_OK;
    ASSERT(run->jobs >= 1);
    ASSERT(run->jobs <= JOBS_MAX);
    for (uint32_t i = 0; i < run->jobs && i < run->scenes && status == STATUS_OK; i++) {
        status = jobs_start(run, i, &jobs[i]) ? STATUS_OK : STATUS_RESOURCE_EXHAUSTED;
    }
    for (uint64_t k = 0; k < run->scenes && status == STATUS_OK; k++) {
        struct job_result result;
        bool has_next = jobs_take(run, k, &jobs[k % run->jobs], &result);
        if (!run->result(run->seed + k, &result, run->context)) {
            break;
        }
        status = has_next ? STATUS_OK : STATUS_RESOURCE_EXHAUSTED;
    }
    for (uint32_t i = 0; i < run->jobs; i++) {
        if (jobs[i].pid != 0) {
            kill(jobs[i].pid, SIGKILL);
            jobs_wait(&jobs[i]);
        }
    }
    return status;
}
