/*
 * The inbox between sockets and ticks: receive.c fills it on the loop thread, tick.c freezes it and applies
 * what it holds in arrival order.
 */
#include "app/inbox.h"

#include <stdlib.h>

#include "base/assert.h"

/* Sessions that were connected when the batch began, and those whose first owned agents are in it. */
static size_t inbox_departed_max(const struct inbox_config *config)
{
    return (size_t)config->sessions_max + config->entries_max;
}

static bool inbox_batch_init(struct inbox_batch *batch, const struct inbox_config *config)
{
    batch->entries = calloc(config->entries_max, sizeof *batch->entries);
    batch->departed = calloc(inbox_departed_max(config), sizeof *batch->departed);
    return batch->entries != NULL && batch->departed != NULL &&
           arena_init(&batch->arena, config->arena_bytes);
}

bool inbox_init(struct inbox *inbox, const struct inbox_config *config)
{
    ASSERT(config->entries_max > 0);
    *inbox = (struct inbox){.config = *config, .number = 1};
    if (!inbox_batch_init(&inbox->batches[0], config) || !inbox_batch_init(&inbox->batches[1], config)) {
        inbox_deinit(inbox);
        return false;
    }
    return true;
}

void inbox_deinit(struct inbox *inbox)
{
    for (uint32_t i = 0; i < 2; i++) {
        free(inbox->batches[i].entries);
        free(inbox->batches[i].departed);
        arena_deinit(&inbox->batches[i].arena);
    }
    *inbox = (struct inbox){0};
}

size_t inbox_memory_bytes(const struct inbox *inbox)
{
    const struct inbox_config *config = &inbox->config;
    return 2 * (config->entries_max * sizeof(struct inbox_entry) +
                inbox_departed_max(config) * sizeof(uint32_t) + config->arena_bytes);
}

static struct inbox_batch *inbox_filling(struct inbox *inbox)
{
    return &inbox->batches[inbox->filling];
}

struct arena *inbox_arena(struct inbox *inbox)
{
    return &inbox_filling(inbox)->arena;
}

enum status inbox_refuse(const struct inbox *inbox, struct fault *fault)
{
    return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                     "the inbox is full: %u commands wait for the next tick, send this one again after it",
                     inbox->batches[inbox->filling].count);
}

static enum status inbox_check_share(const struct inbox *inbox, const struct inbox_share *share, size_t bytes,
                                     struct fault *fault)
{
    /* One command has room, whatever its size. */
    if (share->entries > 0 && (share->entries >= inbox->config.entries_max / INBOX_SHARE ||
                               share->bytes + bytes > inbox->config.arena_bytes / INBOX_SHARE)) {
        return fault_set(
            fault, STATUS_RESOURCE_EXHAUSTED,
            "%u commands of this session wait for the next tick, which is its share of the inbox: send "
            "this one again after it",
            share->entries);
    }
    return STATUS_OK;
}

enum status inbox_add(struct inbox *inbox, const struct inbox_entry *entry, size_t bytes,
                      struct inbox_share *share, struct fault *fault)
{
    struct inbox_batch *batch = inbox_filling(inbox);
    if (batch->count == inbox->config.entries_max) {
        return inbox_refuse(inbox, fault);
    }
    if (share->batch != inbox->number) {
        *share = (struct inbox_share){.batch = inbox->number};
    }
    enum status status = inbox_check_share(inbox, share, bytes, fault);
    if (status != STATUS_OK) {
        return status;
    }
    share->entries++;
    share->bytes += bytes;
    batch->entries[batch->count++] = *entry;
    return STATUS_OK;
}

void inbox_add_departure(struct inbox *inbox, uint32_t session_id)
{
    struct inbox_batch *batch = inbox_filling(inbox);
    ASSERT(batch->departed_count < inbox_departed_max(&inbox->config));
    batch->departed[batch->departed_count++] = session_id;
}

bool inbox_is_empty(const struct inbox *inbox)
{
    const struct inbox_batch *batch = &inbox->batches[inbox->filling];
    return batch->count == 0 && batch->departed_count == 0;
}

struct inbox_batch *inbox_freeze(struct inbox *inbox)
{
    struct inbox_batch *frozen = inbox_filling(inbox);
    inbox->filling ^= 1;
    inbox->number++;
    ASSERT(inbox_is_empty(inbox)); /* the batch before was released */
    return frozen;
}

void inbox_release(struct inbox *inbox, struct inbox_batch *batch)
{
    ASSERT(batch != inbox_filling(inbox));
    batch->count = 0;
    batch->departed_count = 0;
    arena_reset_to(&batch->arena, 0);
}
