/* Retarget state of crowds, counted by their agents. */
#include "sim/crowds.h"

#include "base/assert.h"

size_t crowds_bytes(uint32_t count_max)
{
    return count_max * sizeof(struct crowd) + 64;
}

void crowds_init(struct crowds *crowds, struct arena *arena, uint32_t count_max)
{
    ASSERT(count_max < CROWD_NONE);
    *crowds = (struct crowds){.count_max = count_max};
    crowds->items = arena_take(arena, count_max * sizeof *crowds->items);
    ASSERT(crowds->items != NULL);
    for (uint32_t crowd = 0; crowd < count_max; crowd++) {
        crowds->items[crowd] = (struct crowd){0};
    }
}

uint16_t crowds_find_free(const struct crowds *crowds)
{
    for (uint32_t crowd = 0; crowd < crowds->count_max; crowd++) {
        if (crowds->items[crowd].references == 0) {
            return (uint16_t)crowd;
        }
    }
    return CROWD_NONE;
}

void crowds_release(struct crowds *crowds, uint16_t crowd)
{
    ASSERT(crowd < crowds->count_max);
    ASSERT(crowds->items[crowd].references > 0);
    crowds->items[crowd].references--;
}
