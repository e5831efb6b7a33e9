/*
 * The agents' columns: the state that a tick turns into the next. Commands add and remove rows between ticks;
 * the parts of a tick read and write columns.
 */
#include "sim/agent_store.h"

#include <string.h>

#include "base/assert.h"

#define AGENT_STORE_ALIGN 64u /* arrays begin on cache lines, and arena_take may pad by less */

size_t agent_store_bytes(uint32_t count_max)
{
    size_t bytes = 0;
#define COLUMN(type, name, digested, comment) bytes += (size_t)count_max * sizeof(type) + AGENT_STORE_ALIGN;
#include "sim/agent_columns.def"
#undef COLUMN
    return bytes;
}

void agent_store_init(struct agent_store *store, struct arena *arena, uint32_t count_max)
{
    *store = (struct agent_store){.count_max = count_max};
#define COLUMN(type, name, digested, comment)                                                                \
    store->name = arena_take(arena, (size_t)count_max * sizeof(type));                                       \
    ASSERT(store->name != NULL);
#include "sim/agent_columns.def"
#undef COLUMN
}

uint32_t agent_store_add(struct agent_store *store)
{
    ASSERT(store->count < store->count_max);
    ASSERT(store->id_last < UINT32_MAX);
    uint32_t row = store->count++;
#define COLUMN(type, name, digested, comment) memset(&store->name[row], 0, sizeof(type));
#include "sim/agent_columns.def"
#undef COLUMN
    store->id[row] = ++store->id_last;
    return row;
}

bool agent_store_find(const struct agent_store *store, struct steer_agent_id id, uint32_t *row_out)
{
    uint32_t low = 0;
    uint32_t high = store->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (store->id[middle] < id.value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == store->count || store->id[low] != id.value || store->gone[low]) {
        return false;
    }
    *row_out = low;
    return true;
}

void agent_store_compact(struct agent_store *store)
{
    uint32_t kept = 0;
    for (uint32_t row = 0; row < store->count; row++) {
        if (store->gone[row]) {
            continue;
        }
        if (kept != row) {
#define COLUMN(type, name, digested, comment) store->name[kept] = store->name[row];
#include "sim/agent_columns.def"
#undef COLUMN
        }
        kept++;
    }
    store->count = kept;
}
