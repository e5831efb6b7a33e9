/* Way-points, shared by the agents of one command and counted. */
#include "sim/paths.h"

#include "base/assert.h"
#include "base/hash.h"

size_t paths_bytes(uint32_t count_max)
{
    return count_max * sizeof(struct path) + 64;
}

void paths_init(struct paths *paths, struct arena *arena, uint32_t count_max)
{
    *paths = (struct paths){.count_max = count_max, .free_count = count_max, .free_first = PATH_NONE};
    paths->items = arena_take(arena, count_max * sizeof *paths->items);
    ASSERT(paths->items != NULL);
    for (uint32_t path = count_max; path-- > 0;) {
        paths->items[path].references = 0;
        paths->items[path].next_free = paths->free_first;
        paths->free_first = path;
    }
}

uint32_t paths_add(struct paths *paths, const struct vec2 *points_m, uint32_t count)
{
    ASSERT(paths->free_count > 0);
    ASSERT(count >= 1);
    ASSERT(count <= STEER_PATH_POINTS_MAX);
    uint32_t index = paths->free_first;
    struct path *path = &paths->items[index];
    paths->free_first = path->next_free;
    paths->free_count--;
    path->references = 0;
    path->count = count;
    for (uint32_t i = 0; i < count; i++) {
        path->points_m[i] = points_m[i];
    }
    path->to_end_m[count - 1] = 0.0f;
    for (uint32_t i = count - 1; i-- > 0;) {
        path->to_end_m[i] = path->to_end_m[i + 1] + vec2_length(vec2_sub(points_m[i + 1], points_m[i]));
    }
    path->digest = hash_bytes(path->points_m, count * sizeof path->points_m[0]);
    return index;
}

void paths_retain(struct paths *paths, uint32_t path)
{
    ASSERT(path < paths->count_max);
    paths->items[path].references++;
}

void paths_release(struct paths *paths, uint32_t index)
{
    ASSERT(index < paths->count_max);
    struct path *path = &paths->items[index];
    ASSERT(path->references > 0);
    if (--path->references == 0) {
        path->next_free = paths->free_first;
        paths->free_first = index;
        paths->free_count++;
    }
}
