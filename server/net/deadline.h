#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Things that end when their time is up. All entries of a list have the same delay, so the list is in order
 * of time by itself: adding, removing and finding the next one cost the same for one connection as for
 * thousands.
 */
struct deadline {
    struct deadline *prev;
    struct deadline *next;
    uint64_t due_ms;
    void *owner;
    bool listed;
};

struct deadline_list {
    struct deadline *first;
    struct deadline *last;
    uint32_t delay_ms;
};

/* now_ms  never smaller than at the call before. The entry must not be in a list. */
void deadline_list_add(struct deadline_list *list, struct deadline *deadline, void *owner, uint64_t now_ms);

/* Does nothing when it is in no list. */
void deadline_list_remove(struct deadline_list *list, struct deadline *deadline);

/* The owner of the first entry that is due, which is taken out; NULL when none is. */
void *deadline_list_take_due(struct deadline_list *list, uint64_t now_ms);

/* When the first is due; UINT64_MAX when the list is empty. */
uint64_t deadline_list_next_ms(const struct deadline_list *list);
