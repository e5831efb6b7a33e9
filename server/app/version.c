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
    static const struct program_form form = {
        .name = "version",
        .usage = "steerd version [--json]",
        .options = version_options,
        .option_count = VERSION_OPTION_COUNT,
        .run = version_print,
    };
    return program_run(&form, argc, argv);
}
