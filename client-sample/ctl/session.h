#pragma once

#include "command.h"

/*
 * What commands share once the command line is read: a connection with the least role, one request and its
 * answer in words or JSON.
 */

#define SESSION_CONNECT_TIMEOUT_MS 3000 /* a person waits in front of it */
#define SESSION_REQUEST_TIMEOUT_MS                                                                           \
    30000 /* a crowd of 100,000 without overlap takes the server some seconds */

/*
 * Connects as call->command needs it. handlers may be NULL. The caller destroys *out.
 * Fails: as steerd_client_connect.
 */
MUST_CHECK enum status session_open(const struct ctl_call *call,
                                    const struct steerd_client_handlers *handlers, struct steerd_client **out,
                                    struct fault *fault);

/* Prints a command's answer: {"code": "OK", "message": "", "tick": 123, "first_id": 1, "count": 1}. */
void session_print_json(FILE *out, const struct steerd_result *result);

/*
 * Prints the sentence that belongs to a failure, without control characters, and returns CTL_EXIT_FAILED.
 */
enum ctl_exit session_print_fault(const struct ctl_call *call, const struct fault *fault);

/*
 * Sends one message on a connection of its own and prints the answer: `say` in words or the JSON; for a
 * refusal the server's words on err, and with --json also the answer on out.
 */
enum ctl_exit session_command(const struct ctl_call *call, Steerd__V1__ClientMessage *message);

/* Runs a command that has `build`. */
enum ctl_exit session_run(const struct ctl_call *call);
