#pragma once

#include "base/status.h"

#define FAULT_TEXT_SIZE 240

/*
 * A refusal in words: what was wrong, where, and what would have been legal, for example
 * "agents[3].position.x is nan: a finite number of metres in [-100, 100] is needed".
 * A zeroed fault says STATUS_OK and nothing.
 */
struct fault {
    enum status status;
    char text[FAULT_TEXT_SIZE]; /* UTF-8, always terminated, cut when longer */
};

/*
 * Fills *fault (which may be NULL: nobody wants the words) and returns `status`, so that a function can
 * say: return fault_set(fault, STATUS_NOT_FOUND, "id %u is not an agent", id);
 */
enum status fault_set(struct fault *fault, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Puts words before those already there: fault_prefix(fault, "agents[%zu].", i) makes
 * "agents[3].position.x is nan ...". Does nothing to NULL or to a fault that says STATUS_OK.
 */
void fault_prefix(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
