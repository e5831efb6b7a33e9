#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A growing array of structs in ascending order of one uint32_t member, up to a limit. Set item_size,
 * key_offset and count_max, zero the rest.
 */
struct steerd_list {
    void *items; /* owned; NULL until something is added */
    size_t count;
    size_t capacity;   /* items there is memory for */
    size_t count_max;  /* items */
    size_t item_size;  /* bytes */
    size_t key_offset; /* bytes from the start of an item to its key */
};

void steerd_list_deinit(struct steerd_list *list);

/* The item of that key, or NULL. Cost: O(log count). */
void *steerd_list_find(const struct steerd_list *list, uint32_t key);

/* Copies *item to the end; its key must be above the last one's. False: count_max is reached or there is no
 * memory. */
bool steerd_list_append(struct steerd_list *list, const void *item);

/* Copies *item to its place, over the one of its key if there is one. False as steerd_list_append. */
bool steerd_list_put(struct steerd_list *list, const void *item);

/* Takes the item of that key out, if there is one. */
void steerd_list_remove(struct steerd_list *list, uint32_t key);
