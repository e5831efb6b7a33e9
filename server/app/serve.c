/*
 * steerd serve: options become a configuration, that becomes a server, and that runs until it is told to
 * stop.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/program.h"
#include "app/scenario/scenario_run.h"
#include "app/serve_options.h"
#include "app/server.h"
#include "base/log.h"

static int serve_help(void)
{
    size_t count;
    const struct option_spec *table = serve_options_table(&count);
    printf("steerd [serve] [OPTION]...\n\nRuns the server until SIGTERM or SIGINT. Prints `listening tcp "
           "HOST:PORT` for "
           "each address once it accepts.\n\n");
    option_print_help(table, count, SERVE_ENVIRONMENT_PREFIX);
    return PROGRAM_EXIT_DONE;
}

static enum log_level serve_log_level(const char *name)
{
    static const char *const names[] = {
        [LOG_LEVEL_ERROR] = "error",
        [LOG_LEVEL_WARN] = "warn",
        [LOG_LEVEL_INFO] = "info",
        [LOG_LEVEL_DEBUG] = "debug",
    };
    uint32_t level = LOG_LEVEL_ERROR;
    while (strcmp(names[level], name) != 0) {
        level++; /* the option's choices are these names */
    }
    return (enum log_level)level;
}

/* The scenario's part of a tick; a failure is about one event of it, and the server goes on. */
static void serve_scenario_tick(void *context, struct steer_world *world)
{
    struct fault fault = {0};
    if (scenario_run_tick(context, world, &fault) != STATUS_OK) {
        log_line(LOG_LEVEL_WARN, "an event of the scenario did not take place",
                 LOG_TEXT("reason", fault.text), LOG_UINT("tick", steer_world_tick(world)));
    }
}

/* run  NULL: the world starts empty */
static enum status serve_run(const struct server_config *config, struct scenario_run *run,
                             struct fault *fault)
{
    struct server *server = NULL;
    enum status status = server_create(config, &server, fault);
    if (status == STATUS_OK && run != NULL) {
        status = scenario_run_start(run, server_world(server), fault);
        server_set_script(server, serve_scenario_tick, run);
    }
    if (status == STATUS_OK) {
        status = server_run(server, fault);
    }
    server_destroy(server);
    return status;
}

/* Puts the scenario's world under what the options say, and runs. */
static enum status serve_scenario(const struct option_set *options, struct server_config *config,
                                  struct fault *fault)
{
    const char *path = option_set_text(options, "scenario");
    if (path == NULL) {
        return serve_run(config, NULL, fault);
    }
    struct scenario *scenario = NULL;
    struct scenario_run *run = NULL;
    enum status status = scenario_load(path, &scenario, fault);
    if (status == STATUS_OK) {
        scenario_configure(scenario, &config->world);
        serve_options_override_world(options, &config->world);
        status = scenario_run_create(scenario, &run, fault);
    }
    if (status == STATUS_OK) {
        status = serve_run(config, run, fault);
    }
    scenario_run_destroy(run);
    scenario_destroy(scenario);
    return status;
}

static int serve_with_log(const struct option_set *options, struct server_config *config)
{
    struct fault fault = {0};
    const char *format = option_set_text(options, "log-format");
    if (!log_start(STDERR_FILENO, serve_log_level(option_set_text(options, "log-level")),
                   strcmp(format, "json") == 0 ? LOG_FORMAT_JSON : LOG_FORMAT_TEXT)) {
        fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "the log's thread cannot be started");
        return program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    enum status status = serve_scenario(options, config, &fault);
    log_stop();
    return status == STATUS_OK ? PROGRAM_EXIT_DONE : program_fail(PROGRAM_EXIT_FAILED, &fault);
}

int program_serve(int argc, char **argv)
{
    if (program_wants_help(argc, argv)) {
        return serve_help();
    }
    struct fault fault = {0};
    struct option_set *options = serve_options_create();
    if (options == NULL) {
        fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
        return program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    int code;
    bool usage = true;
    struct server_config config;
    if (serve_options_read(options, argc, argv, &usage, &fault) != STATUS_OK) {
        code = program_fail(usage ? PROGRAM_EXIT_USAGE : PROGRAM_EXIT_FAILED, &fault);
    } else if (serve_options_config(options, &config, &fault) != STATUS_OK) {
        code = program_fail(PROGRAM_EXIT_USAGE, &fault);
    } else {
        code = serve_with_log(options, &config);
    }
    option_set_destroy(options);
    return code;
}
