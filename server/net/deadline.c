/* Lists of deadlines that share one delay; server.c arms one timer for the first of all of them. */
#include "net/deadline.h"

#include <stddef.h>

#include "base/assert.h"

void deadline_list_add(struct deadline_list *list, struct deadline *deadline, void *owner, uint64_t now_ms)
{
    ASSERT(!deadline->listed);
    *deadline = (struct deadline){
        .prev = list->last, .due_ms = now_ms + list->delay_ms, .owner = owner, .listed = true};
    ASSERT(list->last == NULL || list->last->due_ms <= deadline->due_ms);
    if (list->last == NULL) {
        list->first = deadline;
    } else {
        list->last->next = deadline;
    }
    list->last = deadline;
}

void deadline_list_remove(struct deadline_list *list, struct deadline *deadline)
{
    if (!deadline->listed) {
        return;
    }
    if (deadline->prev == NULL) {
        list->first = deadline->next;
    } else {
        deadline->prev->next = deadline->next;
    }
    if (deadline->next == NULL) {
        list->last = deadline->prev;
    } else {
        deadline->next->prev = deadline->prev;
    }
    *deadline = (struct deadline){0};
}

void *deadline_list_take_due(struct deadline_list *list, uint64_t now_ms)
{
    struct deadline *first = list->first;
    if (first == NULL || first->due_ms > now_ms) {
        return NULL;
    }
    void *owner = first->owner;
    deadline_list_remove(list, first);
    return owner;
}

uint64_t deadline_list_next_ms(const struct deadline_list *list)
{
    return list->first == NULL ? UINT64_MAX : list->first->due_ms;
}
