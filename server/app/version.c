/*
 * steerd version: which steerd this is.
 */
#include <stdio.h>

#include "app/program.h"
#include "app/session.h"
#include "base/option.h"

static const struct option_spec version_options[] = {
    {.name = "json", .kind = OPTION_FLAG, .help = "Prints one JSON object."},
};

#define VERSION_OPTION_COUNT (sizeof version_options / sizeof version_options[0])

static int version_print(const struct option_set *options)
{
    if (option_set_flag(options, "json")) {
        printf("{\"version\": \"%s\", \"protocol_version\": %d}\n", STEERD_VERSION, SESSION_PROTOCOL_VERSION);
    } else {
        printf("steerd %s\n", STEERD_VERSION);
    }
    return PROGRAM_EXIT_DONE;
}

int program_version(int argc, char **argv)
{
    if (program_wants_help(argc, argv)) {
        printf("steerd version [--json]\n\n");
        option_print_help(version_options, VERSION_OPTION_COUNT, NULL);
        return PROGRAM_EXIT_DONE;
    }
    struct fault fault = {0};
    struct option_set *options = option_set_create(version_options, VERSION_OPTION_COUNT);
    if (options == NULL) {
        fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
        return program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    int code;
    if (option_set_parse_arguments(options, argc, argv, &fault) != STATUS_OK) {
        code = program_fail(PROGRAM_EXIT_USAGE, &fault);
    } else if (option_set_positional_count(options) > 0) {
        fault_set(&fault, STATUS_INVALID_ARGUMENT, "version takes no words but options");
        code = program_fail(PROGRAM_EXIT_USAGE, &fault);
    } else {
        code = version_print(options);
    }
    option_set_destroy(options);
    return code;
}
