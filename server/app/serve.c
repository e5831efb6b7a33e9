/*
 * steerd serve: options become a configuration, that becomes a server, and that runs until it is told to
 * stop.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/program.h"
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

static enum status serve_run(const struct server_config *config, struct fault *fault)
{
    struct server *server = NULL;
    log_line(LOG_LEVEL_INFO, "steerd starts", LOG_TEXT("version", STEERD_VERSION),
             LOG_UINT("tick_rate_hz", config->world.tick_rate_hz), LOG_UINT("threads", config->threads),
             LOG_UINT("agents_max", config->world.agents_max),
             LOG_UINT("connections_max", config->connections_max),
             LOG_TEXT("roles", config->tokens_path != NULL ? "by token" : "as asked"));
    enum status status = server_create(config, &server, fault);
    if (status == STATUS_OK) {
        status = server_run(server, fault);
    }
    server_destroy(server);
    return status;
}

static int serve_with_log(const struct option_set *options, const struct server_config *config)
{
    struct fault fault = {0};
    const char *format = option_set_text(options, "log-format");
    if (!log_start(STDERR_FILENO, serve_log_level(option_set_text(options, "log-level")),
                   strcmp(format, "json") == 0 ? LOG_FORMAT_JSON : LOG_FORMAT_TEXT)) {
        fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "the log's thread cannot be started");
        return program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    enum status status = serve_run(config, &fault);
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
