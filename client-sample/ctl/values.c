/* From parsed options to the messages of the contract; used by every command. */
#include "values.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

void *values_take(struct arena *arena, size_t size)
{
    void *bytes = arena_take(arena, size);
    ASSERT(bytes != NULL);
    memset(bytes, 0, size);
    return bytes;
}

void *values_take_list(struct arena *arena, size_t count)
{
    return values_take(arena, (count + 1) * sizeof(void *));
}

float values_number(const struct option_value *value, uint32_t index)
{
    ASSERT(index < value->count);
    return (float)value->items[index].number;
}

Steerd__V1__Vec2 *values_point_at(struct arena *arena, const struct option_value *value, uint32_t index)
{
    Steerd__V1__Vec2 *point = values_take(arena, sizeof *point);
    steerd__v1__vec2__init(point);
    point->x = values_number(value, index);
    point->y = values_number(value, index + 1);
    return point;
}

Steerd__V1__Vec2 *values_point(struct arena *arena, const struct option_value *value)
{
    return value->count == 0 ? NULL : values_point_at(arena, value, 0);
}

Steerd__V1__Rectangle *values_rectangle(struct arena *arena, const struct option_value *value)
{
    if (value->count == 0) {
        return NULL;
    }
    Steerd__V1__Rectangle *rectangle = values_take(arena, sizeof *rectangle);
    steerd__v1__rectangle__init(rectangle);
    Steerd__V1__Vec2 *a = values_point_at(arena, value, 0);
    Steerd__V1__Vec2 *b = values_point_at(arena, value, 2);
    if (a->x > b->x) {
        float x = a->x;
        a->x = b->x;
        b->x = x;
    }
    if (a->y > b->y) {
        float y = a->y;
        a->y = b->y;
        b->y = y;
    }
    rectangle->min = a;
    rectangle->max = b;
    return rectangle;
}

enum status values_points(struct arena *arena, const char *name, const struct option_value *value,
                          Steerd__V1__Vec2 ***points_out, size_t *count_out, struct fault *fault)
{
    if (value->count % 2 != 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "--%s has %u numbers: pairs X,Y are needed", name,
                         value->count);
    }
    size_t count = value->count / 2;
    Steerd__V1__Vec2 **points = values_take_list(arena, count);
    for (uint32_t i = 0; i < count; i++) {
        points[i] = values_point_at(arena, value, 2 * i);
    }
    *points_out = points;
    *count_out = count;
    return STATUS_OK;
}

enum status values_path(struct arena *arena, const char *name, const struct option_value *value,
                        Steerd__V1__Path **out, struct fault *fault)
{
    if (value->count == 0) {
        *out = NULL;
        return STATUS_OK;
    }
    Steerd__V1__Path *path = values_take(arena, sizeof *path);
    steerd__v1__path__init(path);
    enum status status = values_points(arena, name, value, &path->points, &path->n_points, fault);
    if (status == STATUS_OK) {
        *out = path;
    }
    return status;
}

uint32_t *values_ids(struct arena *arena, const struct option_set *options, size_t *count_out)
{
    const struct option_value *value = option_set_get(options, "id");
    *count_out = value->count;
    if (value->count == 0) {
        return NULL;
    }
    uint32_t *ids = values_take(arena, value->count * sizeof *ids);
    for (uint32_t i = 0; i < value->count; i++) {
        ids[i] = (uint32_t)value->items[i].uint;
    }
    return ids;
}

enum status values_check_one_of(const struct option_set *options, const char *const *names, bool required,
                                struct fault *fault)
{
    char list[120] = "";
    uint32_t given = 0;
    for (size_t i = 0; names[i] != NULL; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s--%s", i == 0 ? "" : ", ", names[i]);
        given += option_set_get(options, names[i])->given;
    }
    if (required && given == 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "exactly one of %s is needed", list);
    }
    if (given > 1) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s one of %s may be given, not %u",
                         required ? "exactly" : "at most", list, given);
    }
    return STATUS_OK;
}

enum status values_check_ids(const struct option_set *options, struct fault *fault)
{
    return values_check_one_of(options, (const char *const[]){"id", "all", NULL}, true, fault);
}

enum status values_check_given(const struct option_set *options, const char *name, struct fault *fault)
{
    if (!option_set_get(options, name)->given) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "--%s is needed", name);
    }
    return STATUS_OK;
}

char *values_text(const struct option_set *options, const char *name)
{
    const char *text = option_set_text(options, name);
    return (char *)(text == NULL ? "" : text); /* protobuf-c knows no const; packing does not write */
}
