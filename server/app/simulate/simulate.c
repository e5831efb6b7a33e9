/*
 * steerd simulate: one scenario without a network, as fast as it goes. Words of the command line become a run
 * (simulate_run.c), the run becomes a table, a report and an exit code.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/program.h"
#include "app/simulate/simulate_report.h"
#include "base/job_pool.h"
#include "base/option.h"

static const struct option_spec simulate_specs[] = {
    {.name = "ticks",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = SIMULATE_TICKS_MAX,
     .help = "Ticks to run instead of the scenario's duration."},
    {.name = "threads",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = JOB_POOL_THREADS_MAX,
     .help = "Threads that share the work; they never change the result. The default is one per core."},
    {.name = "report",
     .kind = OPTION_TEXT,
     .value_name = "FILE",
     .help = "Writes all figures as JSON; - is standard output, and the table goes to standard error."},
    {.name = "trace",
     .kind = OPTION_TEXT,
     .value_name = "FILE",
     .help = "Writes every agent of every tick as CSV; - likewise."},
    {.name = "check", .kind = OPTION_FLAG, .help = "Exit code 1 when an expectation of the scenario fails."},
};

#define SIMULATE_SPEC_COUNT  (sizeof simulate_specs / sizeof simulate_specs[0])
#define SIMULATE_FILE_BUFFER (1u << 20)

static bool simulate_is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* NULL for no path; *failed when it cannot be opened. */
static FILE *simulate_open(const char *path, bool *failed, struct fault *fault)
{
    if (path == NULL || simulate_is_stdout(path)) {
        return path == NULL ? NULL : stdout;
    }
    FILE *file = fopen(path, "we");
    if (file == NULL) {
        *failed = true;
        fault_set(fault, STATUS_UNAVAILABLE, "%s: cannot be written: %s", path, strerror(errno));
        return NULL;
    }
    setvbuf(file, NULL, _IOFBF, SIMULATE_FILE_BUFFER);
    return file;
}

/* Fails when something of what was written got lost. */
static bool simulate_close(FILE *file, const char *path, struct fault *fault)
{
    if (file == NULL) {
        return true;
    }
    errno = 0;
    bool good = fflush(file) == 0 && !ferror(file);
    if (file != stdout) {
        good = fclose(file) == 0 && good;
    }
    if (!good) {
        fault_set(fault, STATUS_UNAVAILABLE, "%s: cannot be written: %s", path, strerror(errno));
    }
    return good;
}

/* The sentence of a failed --check: the first expectation that failed, and how many did. */
static void simulate_say_failed(const struct scenario *scenario, const struct simulate_result *result,
                                struct fault *fault)
{
    char words[192] = "";
    uint32_t failed = 0;
    for (uint32_t i = result->outcome_count; i-- > 0;) {
        if (!result->outcomes[i].held) {
            simulate_report_word(&result->outcomes[i], words, sizeof words);
            failed++;
        }
    }
    fault_set(fault, STATUS_FAILED_PRECONDITION, "%s: %u of %u expectations failed: %s%s", scenario->path,
              failed, result->outcome_count, words, failed > 1 ? ", and others" : "");
}

/* Files are opened before the run: a long run whose report goes nowhere is worse than an early refusal. */
static int simulate_files(const struct scenario *scenario, struct simulate_options *options,
                          const struct option_set *set)
{
    struct fault fault = {0};
    struct simulate_result result = {0};
    const char *report_path = option_set_text(set, "report");
    const char *trace_path = option_set_text(set, "trace");
    bool failed = false;
    FILE *report = simulate_open(report_path, &failed, &fault);
    options->trace = failed ? NULL : simulate_open(trace_path, &failed, &fault);
    if (!failed && simulate_run(scenario, options, &result, &fault) != STATUS_OK) {
        failed = true;
    }
    if (!failed && report != NULL) {
        simulate_report_write(report, &result);
    }
    failed |= !simulate_close(report, report_path, failed ? NULL : &fault);
    failed |= !simulate_close(options->trace, trace_path, failed ? NULL : &fault);
    if (failed) {
        simulate_result_deinit(&result);
        return program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    bool stdout_is_taken = simulate_is_stdout(report_path) || simulate_is_stdout(trace_path);
    simulate_report_print(stdout_is_taken ? stderr : stdout, &result);
    int code = PROGRAM_EXIT_DONE;
    if (option_set_flag(set, "check") && !simulate_result_held(&result)) {
        simulate_say_failed(scenario, &result, &fault);
        code = program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    simulate_result_deinit(&result);
    return code;
}

static int simulate_set(const struct option_set *set)
{
    struct fault fault = {0};
    if (option_set_positional_count(set) != 1) {
        fault_set(&fault, STATUS_INVALID_ARGUMENT,
                  "simulate: one scenario file is needed, see steerd simulate --help");
        return program_fail(PROGRAM_EXIT_USAGE, &fault);
    }
    if (simulate_is_stdout(option_set_text(set, "report")) &&
        simulate_is_stdout(option_set_text(set, "trace"))) {
        fault_set(&fault, STATUS_INVALID_ARGUMENT,
                  "simulate: --report and --trace cannot both go to standard output");
        return program_fail(PROGRAM_EXIT_USAGE, &fault);
    }
    struct simulate_options options = {
        .ticks = option_set_get(set, "ticks")->count > 0 ? option_set_uint(set, "ticks") : 0,
        .threads = option_set_get(set, "threads")->given ? (uint32_t)option_set_uint(set, "threads")
                                                         : job_pool_cores(),
        .progress = isatty(STDERR_FILENO) == 1,
    };
    struct scenario *scenario;
    if (scenario_load(option_set_positional(set, 0), &scenario, &fault) != STATUS_OK) {
        return program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    int code = simulate_files(scenario, &options, set);
    scenario_destroy(scenario);
    return code;
}

int program_simulate(int argc, char **argv)
{
    static const struct program_form form = {
        .name = "simulate",
        .usage =
            "steerd simulate FILE [--ticks N] [--threads N] [--report FILE|-] [--trace FILE|-] [--check]\n\n"
            "Runs a scenario file without a network, as fast as it goes, and prints what came out.",
        .options = simulate_specs,
        .option_count = SIMULATE_SPEC_COUNT,
        .takes_words = true,
        .run = simulate_set,
    };
    return program_run(&form, argc, argv);
}
