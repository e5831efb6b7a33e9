#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Numbers out of text that people wrote. Strict: the whole text is the number, no blanks, no locale; false
 * (and *out untouched) for anything else, what overflows, and nan or inf.
 */
bool number_parse_u64(const char *text, uint64_t *out); /* decimal digits */
bool number_parse_f64(const char *text, double *out);   /* -1, 2.5, 1e3 */

/*
 * "1,-2.5,3": count_max numbers at most. Returns how many were read, 0 when the text is not such a list;
 * then out holds anything.
 */
size_t number_parse_list(const char *text, double *out, size_t count_max);
