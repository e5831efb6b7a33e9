/* What the commands' translations have in common; between decoded messages and the sim's own structs. */
#include "wire/convert.h"

#include <string.h>

enum status convert_point(const Steerd__V1__Vec2 *in, const char *field, struct vec2 *out,
                          struct fault *fault)
{
    if (in == NULL) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s is missing: x and y in metres are needed",
                         field);
    }
    *out = vec2(in->x, in->y);
    return STATUS_OK;
}

struct vec2 convert_vector(const Steerd__V1__Vec2 *in)
{
    return in == NULL ? vec2(0.0f, 0.0f) : vec2(in->x, in->y);
}

enum status convert_corners(const Steerd__V1__Rectangle *in, const char *field, struct vec2 *min_out,
                            struct vec2 *max_out, struct fault *fault)
{
    if (in == NULL) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "%s is missing: a rectangle with min and max is needed", field);
    }
    struct vec2 min;
    struct vec2 max;
    enum status status = convert_point(in->min, "min", &min, fault);
    if (status == STATUS_OK) {
        status = convert_point(in->max, "max", &max, fault);
    }
    if (status != STATUS_OK) {
        fault_prefix(fault, "%s.", field);
        return status;
    }
    *min_out = min;
    *max_out = max;
    return STATUS_OK;
}

/* One axis of a rectangle. */
static enum status convert_check_axis(float min, float max, const char *field, const char *axis,
                                      struct fault *fault)
{
    if (!isfinite(min) || !isfinite(max)) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "%s.%s.%s is %g: a finite number of metres is needed", field,
                         isfinite(min) ? "max" : "min", axis, (double)(isfinite(min) ? max : min));
    }
    if (min > max) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "%s.min.%s is %g: at most %s.max.%s, which is %g, is needed", field, axis,
                         (double)min, field, axis, (double)max);
    }
    return STATUS_OK;
}

enum status convert_rectangle(const Steerd__V1__Rectangle *in, const char *field, struct steer_area *out,
                              struct fault *fault)
{
    struct steer_area area = {.kind = STEER_AREA_RECTANGLE};
    enum status status = convert_corners(in, field, &area.min_m, &area.max_m, fault);
    if (status == STATUS_OK) {
        status = convert_check_axis(area.min_m.x, area.max_m.x, field, "x", fault);
    }
    if (status == STATUS_OK) {
        status = convert_check_axis(area.min_m.y, area.max_m.y, field, "y", fault);
    }
    if (status == STATUS_OK) {
        *out = area;
    }
    return status;
}

enum status convert_path(const Steerd__V1__Path *in, struct arena *scratch, const struct vec2 **points_out,
                         uint32_t *count_out, struct fault *fault)
{
    if (in->n_points > STEER_PATH_POINTS_MAX) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "path.points has %zu points: 1 to %d are legal",
                         in->n_points, STEER_PATH_POINTS_MAX);
    }
    void *memory = NULL;
    enum status status =
        convert_list(scratch, in->n_points, sizeof(struct vec2), "path.points", &memory, fault);
    if (status != STATUS_OK) {
        return status;
    }
    struct vec2 *points = memory;
    for (size_t i = 0; i < in->n_points; i++) {
        points[i] = convert_vector(in->points[i]);
    }
    *points_out = points;
    *count_out = (uint32_t)in->n_points;
    return STATUS_OK;
}

enum status convert_selection(const uint32_t *ids, size_t count, bool all, struct steer_agent_selection *out,
                              struct fault *fault)
{
    if (all && count > 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "all is true and ids has %zu: one of the two is needed", count);
    }
    if (!all && count == 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "ids is empty and all is false: one of the two is needed");
    }
    *out = (struct steer_agent_selection){.ids = ids, .count = (uint32_t)count, .all = all};
    return STATUS_OK;
}

enum status convert_list(struct arena *scratch, size_t count, size_t size, const char *field, void **out,
                         struct fault *fault)
{
    if (count == 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s is empty: 1 or more are needed", field);
    }
    void *memory = count <= scratch->size / size ? arena_take(scratch, count * size) : NULL;
    if (memory == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                         "%s has %zu entries: no room for so many in one message", field, count);
    }
    memset(memory, 0, count * size);
    *out = memory;
    return STATUS_OK;
}
