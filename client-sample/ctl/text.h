#pragma once

#include <stdint.h>
#include <stdio.h>

#include "steerd_client.h"

/*
 * Prints a text that came from somewhere else: control characters, which could move a terminal's cursor or
 * change its colours, and bytes that are no UTF-8 become '?'.
 */
void text_print(FILE *out, const char *text);

/* "agent 7" or "agents 7 to 9"; nothing when result has no ids. noun in singular: "agent". */
void text_print_ids(FILE *out, const char *noun, const struct steerd_result *result);

/* "idle", "moving", "arrived", "blocked", "driven". */
const char *text_agent_state(enum steerd_agent_state state);

/* Bytes or bytes per second as people read them: "812 B", "12.3 kB", "4.56 MB"; powers of 1000. Returns text.
 */
const char *text_bytes(double bytes, char *text, size_t size);
