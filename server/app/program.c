/*
 * What all sub-commands share: how help is asked for and how failure is said.
 */
#include "app/program.h"

#include <stdio.h>
#include <string.h>

bool program_wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

int program_fail(enum program_exit code, const struct fault *fault)
{
    fprintf(stderr, "steerd: %s\n", fault->text);
    return code;
}
