#pragma once

#include <stdio.h>

/*
 * Values as JSON (RFC 8259). Objects are written by whoever knows their keys; these take care of what is easy
 * to get wrong.
 */

/* In quotes and escaped; bytes that are no UTF-8 become U+FFFD. */
void json_text(FILE *out, const char *text);

/* Reads back bit-equal as the same type; null when it is not finite, which JSON cannot say. */
void json_float(FILE *out, float value);
void json_double(FILE *out, double value);
