#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/fault.h"
#include "base/option.h"

/*
 * The sub-commands of steerd: one row in program_table.def and one file each. argv[0..argc) begins after the
 * command's name. Each returns the exit code.
 */
#define PROGRAM(name, arguments, summary) int program_##name(int argc, char **argv);
#include "app/program_table.def"
#undef PROGRAM

enum program_exit {
    PROGRAM_EXIT_DONE = 0,
    PROGRAM_EXIT_FAILED = 1,
    PROGRAM_EXIT_USAGE = 2,
};

/* True when --help or -h is among the words before a "--". */
bool program_wants_help(int argc, char **argv);

/* One sentence on stderr, "steerd: " before it; returns the exit code given. */
int program_fail(enum program_exit code, const struct fault *fault);

/* A sub-command that has its options from the command line alone. */
struct program_form {
    const char *name;
    const char *usage; /* what --help says before the options, without the end of the line */
    const struct option_spec *options;
    size_t option_count;
    bool takes_words; /* run looks at the words that are no options; else they are wrong usage */
    int (*run)(const struct option_set *options);
};

/* Help, or reading the options and running; returns the exit code. */
int program_run(const struct program_form *form, int argc, char **argv);
