#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/option.h"
#include "steerd/v1/steerd.pb-c.h"
#include "steerd_client.h"

/*
 * What steerctl can do: one file in ctl/commands/ that defines a `const struct ctl_command
 * ctl_command_<name>`, and one row in command_table.def. Options, help and the wire's message come from
 * there.
 */

/* Exit codes, as other programs call steerctl. */
enum ctl_exit {
    CTL_EXIT_DONE = 0,
    CTL_EXIT_FAILED = 1, /* one sentence is on err */
    CTL_EXIT_USAGE = 2,  /* likewise */
};

/* One run of steerctl, past the command line. All of it is borrowed from ctl_run. */
struct ctl_call {
    const struct ctl_command *command;
    const struct option_set *options; /* the command's and the global ones */
    const char *server;               /* HOST:PORT */
    const char *token;                /* "" when there is none */
    bool json;
    FILE *out; /* results: people's words, or JSON and nothing else */
    FILE *err; /* sentences about failures */
};

struct ctl_command {
    const char *usage;                 /* what follows the command's words: "--id N... | --all" */
    const char *summary;               /* one sentence for --help */
    const char *details;               /* further lines for --help, or NULL */
    const struct option_spec *options; /* option_count rows; NULL when there are none */
    size_t option_count;
    const char *operand;   /* what a word that is no option is: "FILE.yaml"; exactly one is needed. NULL: none
                              is taken */
    Steerd__V1__Role role; /* the least that the command needs */

    /*
     * Commands of one message: makes it out of the options. Memory is taken from the arena and lives as long
     * as it. Fails INVALID_ARGUMENT for wrong usage. NULL for commands that have `run`.
     */
    enum status (*build)(const struct option_set *options, struct arena *arena,
                         Steerd__V1__ClientMessage *message, struct fault *fault);
    /* With `build`: says in words what has been done. */
    void (*say)(FILE *out, const struct option_set *options, const struct steerd_result *result);

    /* Everything else: does all of it, sentences about failures included. */
    enum ctl_exit (*run)(const struct ctl_call *call);
};

#define CTL_COMMAND(name, action, symbol) extern const struct ctl_command ctl_command_##symbol;
#include "command_table.def"
#undef CTL_COMMAND

#define CTL_OPTIONS(rows) .options = (rows), .option_count = sizeof(rows) / sizeof(rows)[0]

/* Enough for one message: OPTION_VALUES_MAX ids (16 KiB) and a path of 64 points take less than 32 KiB. */
#define CTL_ARENA_BYTES 65536

/*
 * The whole program: argv as main gets it.
 *
 * out, err  borrowed; nothing else is printed to, except that --help goes to stdout
 */
int ctl_run(int argc, char **argv, FILE *out, FILE *err);

/*
 * The rows of the table, in its order.
 */
struct ctl_row {
    const char *name;   /* first word */
    const char *action; /* second word, or "" */
    const struct ctl_command *command;
};
extern const struct ctl_row ctl_rows[];
extern const size_t ctl_row_count;

/* The options that every command takes. */
extern const struct option_spec ctl_global_options[];
extern const size_t ctl_global_option_count;
