/* Refusals in words. */
#include "base/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

/* Takes back a multi-byte character that the end of the buffer cut in two: the text goes out as UTF-8. */
static void fault_trim_utf8(char *text)
{
    size_t length = strlen(text);
    size_t start = length;
    while (start > 0 && length - start < 4 && ((unsigned char)text[start - 1] & 0xC0) == 0x80) {
        start--;
    }
    if (start == 0 || ((unsigned char)text[start - 1] & 0x80) == 0) {
        return;
    }
    unsigned char lead = (unsigned char)text[start - 1];
    size_t needs = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (length - (start - 1) < needs) {
        text[start - 1] = '\0';
    }
}

enum status fault_set(struct fault *fault, enum status status, const char *format, ...)
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
