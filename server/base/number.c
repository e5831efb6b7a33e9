/* Numbers out of text: what options, scenario files and configuration are read with. */
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_TEXT_MAX 64 /* longer is no number that a person wrote */

bool number_parse_u64(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    if (text[0] == '\0') {
        return false;
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (*c < '0' || *c > '9') {
            return false;
        }
        uint64_t digit = (uint64_t)(*c - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool number_parse_f64(const char *text, double *out)
{
    /* strtod also takes blanks, hexadecimal, nan and inf: only these characters may come to it. */
    if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0') {
        return false;
    }
    char *end;
    double value = strtod(text, &end);
    if (*end != '\0' || end == text || !isfinite(value)) {
        return false;
    }
    *out = value;
    return true;
}

size_t number_parse_list(const char *text, double *out, size_t count_max)
{
    size_t count = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        char word[NUMBER_TEXT_MAX];
        if (length >= sizeof word || count == count_max) {
            return 0;
        }
        memcpy(word, text, length);
        word[length] = '\0';
        if (!number_parse_f64(word, &out[count])) {
            return 0;
        }
        count++;
        if (text[length] == '\0') {
            return count;
        }
        text += length + 1;
    }
}
