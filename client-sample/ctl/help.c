/* What --help prints, made from the tables. */
#include "help.h"

#include <string.h>

#define HELP_NAME_WIDTH 18 /* the longest command is "obstacle remove" */

static void help_print_row(const struct ctl_row *row)
{
    char words[40];
    snprintf(words, sizeof words, "%s%s%s", row->name, row->action[0] == '\0' ? "" : " ", row->action);
    printf("  %-*s%s\n", HELP_NAME_WIDTH, words, row->command->summary);
}

static void help_print_globals(void)
{
    printf("\nOptions of every command, before or after it:\n");
    option_print_help(ctl_global_options, ctl_global_option_count, NULL);
}

static void help_print_command(const struct ctl_row *row)
{
    const struct ctl_command *command = row->command;
    printf("steerctl %s%s%s%s%s\n\n%s\n", row->name, row->action[0] == '\0' ? "" : " ", row->action,
           command->usage[0] == '\0' ? "" : " ", command->usage, command->summary);
    if (command->details != NULL) {
        printf("%s\n", command->details);
    }
    if (command->option_count > 0) {
        printf("\nOptions:\n");
        option_print_help(command->options, command->option_count, NULL);
    }
    help_print_globals();
}

static void help_print_all(const char *name)
{
    printf(name == NULL ? "steerctl COMMAND [options]: talks to a running steerd.\n\nCommands:\n"
                        : "steerctl %s ACTION [options]\n\nActions:\n",
           name);
    for (size_t i = 0; i < ctl_row_count; i++) {
        if (name == NULL || strcmp(ctl_rows[i].name, name) == 0) {
            help_print_row(&ctl_rows[i]);
        }
    }
    help_print_globals();
    printf("\nsteerctl COMMAND --help tells a command's options with unit, range and default.\n"
           "Exit: 0 done, 1 failed with one sentence on stderr, 2 wrong usage.\n");
}

enum ctl_exit help_print(const char *name, const char *action)
{
    bool known = false;
    for (size_t i = 0; name != NULL && i < ctl_row_count; i++) {
        const struct ctl_row *row = &ctl_rows[i];
        if (strcmp(row->name, name) == 0) {
            known = true;
            if (strcmp(row->action, action == NULL ? "" : action) == 0) {
                help_print_command(row);
                return CTL_EXIT_DONE;
            }
        }
    }
    help_print_all(known ? name : NULL);
    return CTL_EXIT_DONE;
}
