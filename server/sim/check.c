/* Refusals of numbers in words. */
#include "sim/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum status check_finite(const char *field, const char *unit, float value, struct fault *fault)
{
    if (!isfinite(value)) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s is %s: a finite number%s%s is needed", field,
                         isnan(value)   ? "nan"
                         : value > 0.0f ? "inf"
                                        : "-inf",
                         unit[0] == '\0' ? "" : " of ", unit);
    }
    return STATUS_OK;
}

/* As few digits as read back to the same float: 0.1, not 0.100000001. */
static void check_print(char *text, size_t size, float value)
{
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, size, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) {
            return;
        }
    }
}

enum status check_range(const char *field, const char *unit, float value, float min, float max,
                        struct fault *fault)
{
    const char *space = unit[0] == '\0' ? "" : " ";
    if (!isfinite(value)) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s is %s: a number from %g to %g%s%s is needed",
                         field,
                         isnan(value)   ? "nan"
                         : value > 0.0f ? "inf"
                                        : "-inf",
                         (double)min, (double)max, space, unit);
    }
    if (value < min || value > max) {
        char text[32];
        check_print(text, sizeof text, value);
        return fault_set(fault, STATUS_OUT_OF_RANGE, "%s is %s%s%s: %g to %g%s%s is legal", field, text,
                         space, unit, (double)min, (double)max, space, unit);
    }
    return STATUS_OK;
}

enum status check_point(const char *field, struct vec2 value, struct vec2 min, struct vec2 max,
                        struct fault *fault)
{
    char name[64];
    snprintf(name, sizeof name, "%s.x", field);
    enum status status = check_range(name, "m", value.x, min.x, max.x, fault);
    if (status != STATUS_OK) {
        return status;
    }
    snprintf(name, sizeof name, "%s.y", field);
    return check_range(name, "m", value.y, min.y, max.y, fault);
}
