#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "steerd/v1/steerd.pb-c.h"

/*
 * The secrets that grant roles, from a file of lines `viewer|controller|admin TOKEN`; empty lines and lines
 * that begin with # are ignored.
 */

#define TOKEN_BYTES_MAX  256
#define TOKENS_COUNT_MAX 1024

struct token_set;

/*
 * Reads the file whole.
 * Fails: UNAVAILABLE (cannot be read), INVALID_ARGUMENT (with file and line: not a role, no token, one word
 * too many, a token twice; or no token at all), RESOURCE_EXHAUSTED (over TOKENS_COUNT_MAX, no memory).
 */
MUST_CHECK enum status token_set_load(const char *path, struct token_set **out, struct fault *fault);
void token_set_destroy(struct token_set *set); /* accepts NULL */
size_t token_set_count(const struct token_set *set);

/*
 * The role that a token grants; ROLE_UNSPECIFIED when it is not known. Takes the same time for every token of
 * legal length, known or not.
 */
Steerd__V1__Role token_set_role(const struct token_set *set, const char *token);

/* What a session gets that asks for `asked` (unspecified: viewer) and may have `granted` at most. */
Steerd__V1__Role token_lower_role(Steerd__V1__Role asked, Steerd__V1__Role granted);
