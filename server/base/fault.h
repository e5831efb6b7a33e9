#pragma once

#include "base/status.h"

#define FAULT_TEXT_SIZE 480

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
#define fault_set(fault, status, ...) fault_answer((status), fault_fill((fault), (status), __VA_ARGS__))

/*
 * The two halves of fault_set, apart so that compilers and analyzers see at the place of the call which
 * status comes back: what an argument's refusal leaves unset is then known not to be read. `status` is
 * evaluated twice.
 */
enum status fault_fill(struct fault *fault, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline enum status fault_answer(enum status status, enum status filled)
{
    (void)filled;
    return status;
}

/*
 * Puts words before those already there: fault_prefix(fault, "agents[%zu].", i) makes
 * "agents[3].position.x is nan ...". Does nothing to NULL or to a fault that says STATUS_OK.
 */
void fault_prefix(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
