/* Refusals in words: made where something is refused, prefixed on the way up, sent or printed by the caller.
 */
#include "base/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/utf8.h"

/* Takes back a multi-byte character that the end of the buffer cut in two: the text goes out as UTF-8. */
static void fault_trim_utf8(char *text)
{
    size_t size = strlen(text);
    if (size == 0) {
        return;
    }
    size_t last = utf8_cut(text, size, size - 1); /* where the last character begins */
    if (utf8_character_size(text + last, size - last) == 0) {
        text[last] = '\0';
    }
}

enum status fault_fill(struct fault *fault, enum status status, const char *format, ...)
{
    ASSERT(status != STATUS_OK);
    if (fault != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(fault->text, sizeof fault->text, format, arguments);
        va_end(arguments);
        fault_trim_utf8(fault->text);
        fault->status = status;
    }
    return status;
}

void fault_prefix(struct fault *fault, const char *format, ...)
{
    if (fault == NULL || fault->status == STATUS_OK) {
        return;
    }
    char prefix[FAULT_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    char rest[FAULT_TEXT_SIZE];
    memcpy(rest, fault->text, sizeof rest);
    size_t used = strlen(prefix);
    memcpy(fault->text, prefix, used + 1);
    snprintf(fault->text + used, sizeof fault->text - used, "%s", rest);
    fault_trim_utf8(fault->text);
}
