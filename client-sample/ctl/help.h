#pragma once

#include "command.h"

/*
 * Prints to stdout what --help answers: for all of steerctl (name NULL or unknown), for the commands that
 * begin with a word, or for one command.
 *
 * Returns what to exit with.
 */
enum ctl_exit help_print(const char *name, const char *action);
