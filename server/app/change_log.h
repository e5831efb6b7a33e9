#pragma once

#include <stdint.h>

#include "base/blob.h"

/*
 * The last changes of obstacles and profiles as messages, each encoded once for all viewers. A viewer whose
 * socket is slow takes them when it drains; one that falls behind the oldest entry cannot be told any more.
 */

#define CHANGE_LOG_ENTRIES 256 /* 8 s of changes at 30 Hz, when each tick makes one message */

struct change_log {
    struct blob *entries[CHANGE_LOG_ENTRIES]; /* entry n stands at n modulo CHANGE_LOG_ENTRIES */
    uint64_t next;                            /* number of the entry that will be added next */
};

/* Takes over one reference to the blob; the oldest entry goes when the log is full. */
void change_log_add(struct change_log *log, struct blob *blob);

/* Entry `number` < next, borrowed; NULL when it is gone. */
struct blob *change_log_get(const struct change_log *log, uint64_t number);

/* Changes could not be told: every number that is out is gone. */
void change_log_lose(struct change_log *log);

/* Releases all entries. */
void change_log_clear(struct change_log *log);
