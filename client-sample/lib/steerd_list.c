/* The arrays of the mirror: sorted by id, grown by doubling, bounded. */
#include "steerd_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#define STEERD_LIST_CAPACITY_MIN 16

static unsigned char *steerd_list_at(const struct steerd_list *list, size_t index)
{
    return (unsigned char *)list->items + index * list->item_size;
}

static uint32_t steerd_list_key(const struct steerd_list *list, const void *item)
{
    uint32_t key;
    memcpy(&key, (const unsigned char *)item + list->key_offset, sizeof key);
    return key;
}

/* Index of the first item whose key is not below `key`; count when there is none. */
static size_t steerd_list_lower_bound(const struct steerd_list *list, uint32_t key)
{
    size_t begin = 0;
    size_t end = list->count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (steerd_list_key(list, steerd_list_at(list, middle)) < key) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

/* Memory for one more. */
static bool steerd_list_grow(struct steerd_list *list)
{
    if (list->count >= list->count_max) {
        return false;
    }
    if (list->count < list->capacity) {
        return true;
    }
    size_t capacity = list->capacity == 0 ? STEERD_LIST_CAPACITY_MIN : list->capacity * 2;
    capacity = capacity > list->count_max ? list->count_max : capacity;
    void *items = realloc(list->items, capacity * list->item_size);
    if (items == NULL) {
        return false;
    }
    list->items = items;
    list->capacity = capacity;
    return true;
}

void steerd_list_deinit(struct steerd_list *list)
{
    free(list->items);
    list->items = NULL;
    list->count = 0;
    list->capacity = 0;
}

void *steerd_list_find(const struct steerd_list *list, uint32_t key)
{
    size_t index = steerd_list_lower_bound(list, key);
    if (index == list->count || steerd_list_key(list, steerd_list_at(list, index)) != key) {
        return NULL;
    }
    return steerd_list_at(list, index);
}

bool steerd_list_append(struct steerd_list *list, const void *item)
{
    ASSERT(list->count == 0 ||
           steerd_list_key(list, steerd_list_at(list, list->count - 1)) < steerd_list_key(list, item));
    if (!steerd_list_grow(list)) {
        return false;
    }
    memcpy(steerd_list_at(list, list->count), item, list->item_size);
    list->count++;
    return true;
}

bool steerd_list_put(struct steerd_list *list, const void *item)
{
    uint32_t key = steerd_list_key(list, item);
    size_t index = steerd_list_lower_bound(list, key);
    if (index < list->count && steerd_list_key(list, steerd_list_at(list, index)) == key) {
        memcpy(steerd_list_at(list, index), item, list->item_size);
        return true;
    }
    if (!steerd_list_grow(list)) {
        return false;
    }
    memmove(steerd_list_at(list, index) + list->item_size, steerd_list_at(list, index),
            (list->count - index) * list->item_size);
    memcpy(steerd_list_at(list, index), item, list->item_size);
    list->count++;
    return true;
}

void steerd_list_remove(struct steerd_list *list, uint32_t key)
{
    unsigned char *item = steerd_list_find(list, key);
    if (item != NULL) {
        size_t index = (size_t)(item - (unsigned char *)list->items) / list->item_size;
        memmove(item, item + list->item_size, (list->count - index - 1) * list->item_size);
        list->count--;
    }
}
