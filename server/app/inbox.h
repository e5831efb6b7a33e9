#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fault.h"
#include "wire/command.h"

/*
 * What waits for the next tick boundary: decoded commands in arrival order, and the sessions that ended
 * meanwhile. Two batches swap: the loop fills one while the tick works on the other, which is frozen. Both
 * are bounded; full is answered RESOURCE_EXHAUSTED at once. One session may take a part of it only, so that
 * the rest is there for others.
 */

#define INBOX_SHARE 4 /* of entries and of the arena, one session may take one in so many */

/* Which session an entry came from. The slot may belong to another by the time the answer is ready: the id
 * tells. */
struct session_ref {
    uint32_t slot;
    uint32_t id;
};

/* What one session has in the batch that is being filled. Zeroed: nothing. */
struct inbox_share {
    uint64_t batch; /* number of the batch that the rest is about */
    uint32_t entries;
    size_t bytes;
};

struct inbox_entry {
    struct session_ref session;
    uint64_t request_id;
    const struct command_info *info;
    const Steerd__V1__ClientMessage *message; /* in the batch's arena */
    struct command_result result;             /* filled in by the tick */
};

struct inbox_batch {
    struct inbox_entry *entries; /* count of them, in arrival order */
    uint32_t count;
    uint32_t *departed; /* ids of sessions whose owned agents are to go, after all entries */
    uint32_t departed_count;
    struct arena arena; /* the messages */
};

struct inbox_config {
    uint32_t entries_max;  /* commands of one tick */
    uint32_t sessions_max; /* connected at one time */
    size_t arena_bytes;    /* decoded messages of one tick */
};

struct inbox {
    struct inbox_config config;
    struct inbox_batch batches[2];
    uint32_t filling; /* index of the batch that takes entries */
    uint64_t number;  /* of that batch, from 1 */
};

/* Takes all memory. False when there is none. A zeroed inbox may be passed to inbox_deinit. */
bool inbox_init(struct inbox *inbox, const struct inbox_config *config);
void inbox_deinit(struct inbox *inbox);
size_t inbox_memory_bytes(const struct inbox *inbox);

/* Where messages for the coming tick are decoded to; rolled back by whoever decoded one that is not added. */
struct arena *inbox_arena(struct inbox *inbox);

/*
 * Appends a command whose message is the last `bytes` of inbox_arena, and counts it in its session's share.
 * Fails: RESOURCE_EXHAUSTED (the inbox or the share is full).
 */
MUST_CHECK enum status inbox_add(struct inbox *inbox, const struct inbox_entry *entry, size_t bytes,
                                 struct inbox_share *share, struct fault *fault);

/* What inbox_add says when it is full, for messages that found no room in the arena. */
MUST_CHECK enum status inbox_refuse(const struct inbox *inbox, struct fault *fault);

/*
 * Appends the end of a session that may own agents. Always has room: a session owns something only by a
 * command that went through the inbox while it was connected, and it ends once.
 */
void inbox_add_departure(struct inbox *inbox, uint32_t session_id);

/* Nothing waits. */
bool inbox_is_empty(const struct inbox *inbox);

/* Swaps: what was filled is returned and belongs to the tick until inbox_release; the other takes what comes
 * now. */
struct inbox_batch *inbox_freeze(struct inbox *inbox);

/* Empties a frozen batch. */
void inbox_release(struct inbox *inbox, struct inbox_batch *batch);
