/* Text from outside is bytes until these functions have said that it is UTF-8. */
#include "base/utf8.h"

static bool utf8_in(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

/* How many bytes follow a lead byte, and which the first of them may be; 0 for what leads nothing. */
static size_t utf8_tail(unsigned char lead, unsigned char *low, unsigned char *high)
{
    *low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    *high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return utf8_in(lead, 0xC2, 0xDF) ? 1 : utf8_in(lead, 0xE0, 0xEF) ? 2 : utf8_in(lead, 0xF0, 0xF4) ? 3 : 0;
}

size_t utf8_character_size(const char *text, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const unsigned char *bytes = (const unsigned char *)text;
    if (bytes[0] < 0x80) {
        return 1;
    }
    unsigned char low;
    unsigned char high;
    size_t tail = utf8_tail(bytes[0], &low, &high);
    if (tail == 0 || size <= tail || !utf8_in(bytes[1], low, high)) {
        return 0;
    }
    for (size_t i = 2; i <= tail; i++) {
        if (!utf8_in(bytes[i], 0x80, 0xBF)) {
            return 0;
        }
    }
    return tail + 1;
}

bool utf8_is_valid(const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t step = utf8_character_size(text + at, size - at);
        if (step == 0) {
            return false;
        }
        at += step;
    }
    return true;
}

size_t utf8_cut(const char *text, size_t size, size_t size_max)
{
    if (size <= size_max) {
        return size;
    }
    /* Back over the bytes that continue a character: at most 3 in UTF-8, and no further in what is not. */
    size_t cut = size_max;
    while (cut > 0 && size_max - cut < 3 && ((unsigned char)text[cut] & 0xC0) == 0x80) {
        cut--;
    }
    return cut;
}
