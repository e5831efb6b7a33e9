/* JSON values that read back as they were. */
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void json_text(FILE *out, const char *text)
{
    fputc('"', out);
    size_t size = strlen(text);
    while (size > 0) {
        size_t character = utf8_character_size(text, size);
        unsigned char byte = (unsigned char)text[0];
        if (character == 0) {
            fputs("\xef\xbf\xbd", out);
            character = 1;
        } else if (byte == '"' || byte == '\\') {
            fprintf(out, "\\%c", byte);
        } else if (byte < 0x20) {
            fprintf(out, "\\u%04x", byte);
        } else {
            fwrite(text, 1, character, out);
        }
        text += character;
        size -= character;
    }
    fputc('"', out);
}

void json_float(FILE *out, float value)
{
    char text[32];
    if (!isfinite(value)) {
        fputs("null", out);
        return;
    }
    /* Six digits do for what people typed; nine always do. */
    snprintf(text, sizeof text, "%.6g", (double)value);
    if (strtof(text, NULL) != value) {
        snprintf(text, sizeof text, "%.9g", (double)value);
    }
    fputs(text, out);
}

void json_double(FILE *out, double value)
{
    char text[40];
    if (!isfinite(value)) {
        fputs("null", out);
        return;
    }
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) {
        snprintf(text, sizeof text, "%.17g", value);
    }
    fputs(text, out);
}
