/*
 * steerd: finds the sub-command and hands over to it.
 */
#include <stdio.h>
#include <string.h>

#include "app/program.h"

static const struct program {
    const char *name;
    const char *arguments;
    const char *summary;
    int (*run)(int argc, char **argv);
} programs[] = {
#define PROGRAM(name, arguments, summary) {#name, arguments, summary, program_##name},
#include "app/program_table.def"
#undef PROGRAM
};

#define PROGRAM_COUNT (sizeof programs / sizeof programs[0])

static int main_help(void)
{
    printf("steerd is an authoritative crowd-simulation server.\n\n");
    for (size_t i = 0; i < PROGRAM_COUNT; i++) {
        printf("  steerd %s %s\n      %s\n", programs[i].name, programs[i].arguments, programs[i].summary);
    }
    printf("\nsteerd COMMAND --help says more: the options of `steerd` alone are those of `steerd serve`.\n");
    return PROGRAM_EXIT_DONE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        return program_serve(0, argv + argc);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        return main_help();
    }
    if (strcmp(argv[1], "--version") == 0) {
        return program_version(argc - 2, argv + 2);
    }
    for (size_t i = 0; i < PROGRAM_COUNT; i++) {
        if (strcmp(argv[1], programs[i].name) == 0) {
            return programs[i].run(argc - 2, argv + 2);
        }
    }
    if (argv[1][0] == '-') {
        return program_serve(argc - 1, argv + 1);
    }
    struct fault fault = {0};
    fault_set(&fault, STATUS_NOT_FOUND, "%.60s is no command; steerd --help lists them", argv[1]);
    return program_fail(PROGRAM_EXIT_USAGE, &fault);
}
