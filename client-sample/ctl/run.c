/*
 * From the words of a command line to one command's run: finds the command among the words, reads its options
 * and the global ones, which may stand anywhere, and hands over to the command or to session.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "command.h"
#include "help.h"
#include "session.h"
#include "steerd_address.h"
#include "token.h"

const struct ctl_row ctl_rows[] = {
#define CTL_COMMAND(name, action, symbol) {name, action, &ctl_command_##symbol},
#include "command_table.def"
#undef CTL_COMMAND
};
const size_t ctl_row_count = sizeof ctl_rows / sizeof ctl_rows[0];

#define CTL_SERVER_DEFAULT "127.0.0.1:7400"

const struct option_spec ctl_global_options[] = {
    {.name = "server",
     .kind = OPTION_TEXT,
     .value_name = "HOST:PORT",
     .default_text = CTL_SERVER_DEFAULT,
     .help = "The server; an IPv6 address stands in brackets. Else the variable STEERCTL_SERVER."},
    {.name = "token",
     .kind = OPTION_TEXT,
     .value_name = "TOKEN",
     .help = "The secret that grants a role, where the server asks for one. Else STEERCTL_TOKEN."},
    {.name = "token-file",
     .kind = OPTION_TEXT,
     .value_name = "FILE",
     .help = "A file whose first line is the token: it is then in no list of processes."},
    {.name = "json", .kind = OPTION_FLAG, .help = "Prints JSON, and nothing else, to stdout."},
    {.name = "help", .kind = OPTION_FLAG, .help = "Prints this."},
    {.name = "version", .kind = OPTION_FLAG, .help = "Prints the version."},
};
const size_t ctl_global_option_count = sizeof ctl_global_options / sizeof ctl_global_options[0];

#define CTL_OPTIONS_MAX 48 /* of a command, with the global ones */

/* The command line, taken apart. */
struct ctl_line {
    const char *name;   /* first word, NULL when there is none */
    const char *action; /* second word of commands that have two, else NULL */
    int rest_count;
    char **rest; /* argv without program, name and action; room for argc + 1 */
};

/* How many words a global option takes up here; 0: it is none. */
static int ctl_global_size(const char *word)
{
    for (size_t i = 0; i < ctl_global_option_count; i++) {
        const struct option_spec *spec = &ctl_global_options[i];
        size_t size = strlen(spec->name);
        if (strncmp(word, "--", 2) == 0 && strncmp(word + 2, spec->name, size) == 0) {
            if (word[2 + size] == '\0') {
                return spec->kind == OPTION_FLAG ? 1 : 2;
            }
            if (word[2 + size] == '=') {
                return 1;
            }
        }
    }
    return 0;
}

/* True when some command of that name has a second word. */
static bool ctl_has_actions(const char *name)
{
    for (size_t i = 0; i < ctl_row_count; i++) {
        if (strcmp(ctl_rows[i].name, name) == 0 && ctl_rows[i].action[0] != '\0') {
            return true;
        }
    }
    return false;
}

/* Takes the command's words out; global options may stand before and between them. */
static enum status ctl_split(int argc, char **argv, struct ctl_line *line, struct fault *fault)
{
    int at = 1;
    bool complete = false;
    while (at < argc && !complete) {
        int size = ctl_global_size(argv[at]);
        if (strcmp(argv[at], "-h") == 0) {
            size = 1; /* as --help */
        }
        if (size == 0 && argv[at][0] == '-') {
            if (line->name != NULL) {
                break; /* the action is missing, which is said by whoever looks for it */
            }
            return fault_set(fault, STATUS_INVALID_ARGUMENT, "no command before %s", argv[at]);
        }
        if (size == 0 && line->name == NULL) {
            line->name = argv[at];
            complete = !ctl_has_actions(line->name);
            at++;
        } else if (size == 0) {
            line->action = argv[at];
            complete = true;
            at++;
        } else {
            for (; size > 0 && at < argc; size--, at++) {
                line->rest[line->rest_count++] = argv[at];
            }
        }
    }
    for (; at < argc; at++) {
        line->rest[line->rest_count++] = argv[at];
    }
    line->rest[line->rest_count] = NULL;
    return STATUS_OK;
}

/* The command of these words. Fails with the words there are. */
static enum status ctl_find(const struct ctl_line *line, const struct ctl_command **out, struct fault *fault)
{
    char known[FAULT_TEXT_SIZE] = "";
    bool family = ctl_has_actions(line->name);
    for (size_t i = 0; i < ctl_row_count; i++) {
        const struct ctl_row *row = &ctl_rows[i];
        bool same_name = strcmp(row->name, line->name) == 0;
        if (same_name && strcmp(row->action, line->action == NULL ? "" : line->action) == 0) {
            *out = row->command;
            return STATUS_OK;
        }
        bool first_of_name = i == 0 || strcmp(row->name, ctl_rows[i - 1].name) != 0;
        if (family ? same_name : first_of_name) {
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", used == 0 ? "" : ", ",
                     family ? row->action : row->name);
        }
    }
    if (family && line->action == NULL) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s needs one of %s after it", line->name, known);
    }
    if (family) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s needs one of %s after it, not \"%.40s\"",
                         line->name, known, line->action);
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT, "\"%.40s\" is no command; there are %s", line->name,
                     known);
}

/* Says what is wrong and whose help tells more: the command's, as far as its words are known. */
static enum ctl_exit ctl_usage(FILE *err, const struct ctl_line *line, const struct fault *fault)
{
    const char *name = "";
    const char *action = "";
    for (size_t i = 0; i < ctl_row_count && line->name != NULL; i++) {
        const struct ctl_row *row = &ctl_rows[i];
        if (strcmp(row->name, line->name) == 0) {
            name = row->name;
            if (line->action != NULL && strcmp(row->action, line->action) == 0) {
                action = row->action;
            }
        }
    }
    fprintf(err, "steerctl: %s (see steerctl%s%s%s%s --help)\n", fault->text, name[0] == '\0' ? "" : " ",
            name, action[0] == '\0' ? "" : " ", action);
    return CTL_EXIT_USAGE;
}

/* The server: option, environment, default. */
static const char *ctl_server(const struct option_set *options)
{
    const char *variable = getenv("STEERCTL_SERVER");
    if (option_set_get(options, "server")->given || variable == NULL || variable[0] == '\0') {
        return option_set_text(options, "server");
    }
    return variable;
}

/* Checks what the tables do not say: the operand, and that the tokens do not contradict each other. */
static enum status ctl_check(const struct ctl_command *command, const struct option_set *options,
                             struct fault *fault)
{
    size_t count = option_set_positional_count(options);
    if (command->operand == NULL && count > 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "\"%.60s\" is neither an option nor a value of one",
                         option_set_positional(options, 0));
    }
    if (command->operand != NULL && count == 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "a %s is needed", command->operand);
    }
    if (command->operand != NULL && count > 1) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "exactly one %s is needed, not %zu",
                         command->operand, count);
    }
    if (option_set_get(options, "token")->given && option_set_get(options, "token-file")->given) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "--token and --token-file exclude each other");
    }
    struct steerd_address address;
    return steerd_address_parse(ctl_server(options), &address, fault);
}

/* Reads the options, and runs. */
static enum ctl_exit ctl_run_command(const struct ctl_line *line, const struct ctl_command *command,
                                     struct option_set *options, FILE *out, FILE *err)
{
    struct fault fault = {0};
    enum status status = option_set_parse_arguments(options, line->rest_count, line->rest, &fault);
    if (status == STATUS_OK) {
        status = ctl_check(command, options, &fault);
    }
    if (status != STATUS_OK) {
        return ctl_usage(err, line, &fault);
    }
    char token[CTL_TOKEN_SIZE];
    status = token_find(options, token, &fault);
    if (status != STATUS_OK) {
        fprintf(err, "steerctl: %s\n", fault.text);
        return CTL_EXIT_FAILED;
    }
    struct ctl_call call = {
        .command = command,
        .options = options,
        .server = ctl_server(options),
        .token = token,
        .json = option_set_flag(options, "json"),
        .out = out,
        .err = err,
    };
    enum ctl_exit code = command->run != NULL ? command->run(&call) : session_run(&call);
    if (fflush(out) != 0 && code == CTL_EXIT_DONE) {
        fprintf(err, "steerctl: cannot write the output: %m\n");
        return CTL_EXIT_FAILED;
    }
    return code;
}

/* Whether a word stands anywhere before "--". */
static bool ctl_has_word(const struct ctl_line *line, const char *word)
{
    for (int i = 0; i < line->rest_count && strcmp(line->rest[i], "--") != 0; i++) {
        if (strcmp(line->rest[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static bool ctl_wants_help(const struct ctl_line *line)
{
    return ctl_has_word(line, "--help") || ctl_has_word(line, "-h") ||
           (line->name != NULL && strcmp(line->name, "help") == 0);
}

/* With the line taken apart: help, or the command. */
static enum ctl_exit ctl_run_line(const struct ctl_line *line, FILE *out, FILE *err)
{
    struct fault fault = {0};
    const struct ctl_command *command = NULL;
    if (ctl_wants_help(line)) {
        return help_print(line->name, line->action);
    }
    if (ctl_has_word(line, "--version")) {
        fprintf(out, "steerctl %s\n", STEERD_VERSION);
        return CTL_EXIT_DONE;
    }
    if (line->name == NULL) {
        fault_set(&fault, STATUS_INVALID_ARGUMENT, "a command is needed");
        return ctl_usage(err, line, &fault);
    }
    if (ctl_find(line, &command, &fault) != STATUS_OK) {
        return ctl_usage(err, line, &fault);
    }
    struct option_spec specs[CTL_OPTIONS_MAX];
    ASSERT(command->option_count + ctl_global_option_count <= CTL_OPTIONS_MAX);
    if (command->option_count > 0) {
        memcpy(specs, command->options, command->option_count * sizeof specs[0]);
    }
    memcpy(specs + command->option_count, ctl_global_options, ctl_global_option_count * sizeof specs[0]);
    struct option_set *options = option_set_create(specs, command->option_count + ctl_global_option_count);
    if (options == NULL) {
        fprintf(err, "steerctl: no memory\n");
        return CTL_EXIT_FAILED;
    }
    enum ctl_exit code = ctl_run_command(line, command, options, out, err);
    option_set_destroy(options);
    return code;
}

int ctl_run(int argc, char **argv, FILE *out, FILE *err)
{
    struct fault fault = {0};
    struct ctl_line line = {.rest = calloc((size_t)argc + 1, sizeof(char *))};
    if (line.rest == NULL) {
        fprintf(err, "steerctl: no memory\n");
        return CTL_EXIT_FAILED;
    }
    enum ctl_exit code = ctl_split(argc, argv, &line, &fault) == STATUS_OK ? ctl_run_line(&line, out, err)
                                                                           : ctl_usage(err, &line, &fault);
    free(line.rest);
    return (int)code;
}
