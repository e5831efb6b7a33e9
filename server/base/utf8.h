#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes of the UTF-8 character that text begins with: 1 to 4; 0 when it begins with none (also for a
 * character cut off by the end, an overlong form, a surrogate, or a value above U+10FFFF).
 *
 * text  size bytes, not terminated
 *
 * Source: RFC 3629, section 4 (syntax of UTF-8 byte sequences).
 */
size_t utf8_character_size(const char *text, size_t size);

/* Whether all of text is UTF-8. A zero byte is a character like others. */
bool utf8_is_valid(const char *text, size_t size);

/* The largest number of bytes, at most size_max, that does not cut a character of text in two. */
size_t utf8_cut(const char *text, size_t size, size_t size_max);
