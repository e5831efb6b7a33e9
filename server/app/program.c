/*
 * What sub-commands share: how help is asked for, how failure is said, and how those run that are all
 * options.
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

int program_run(const struct program_form *form, int argc, char **argv)
{
    if (program_wants_help(argc, argv)) {
        printf("%s\n\n", form->usage);
        option_print_help(form->options, form->option_count, NULL);
        return PROGRAM_EXIT_DONE;
    }
    struct fault fault = {0};
    struct option_set *options = option_set_create(form->options, form->option_count);
    if (options == NULL) {
        fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
        return program_fail(PROGRAM_EXIT_FAILED, &fault);
    }
    int code;
    if (option_set_parse_arguments(options, argc, argv, &fault) != STATUS_OK) {
        code = program_fail(PROGRAM_EXIT_USAGE, &fault);
    } else if (!form->takes_words && option_set_positional_count(options) > 0) {
        fault_set(&fault, STATUS_INVALID_ARGUMENT, "%.60s: %s takes no words but options",
                  option_set_positional(options, 0), form->name);
        code = program_fail(PROGRAM_EXIT_USAGE, &fault);
    } else {
        code = form->run(options);
    }
    option_set_destroy(options);
    return code;
}
