#pragma once

#include "base/fault.h"
#include "base/option.h"

#define CTL_TOKEN_SIZE 1024 /* bytes, with the terminating zero */

/*
 * The secret to say hello with: from --token, --token-file or the variable STEERCTL_TOKEN, else "".
 *
 * token  CTL_TOKEN_SIZE bytes
 *
 * Fails: NOT_FOUND, PERMISSION_DENIED or UNAVAILABLE (the file cannot be read), INVALID_ARGUMENT (no token in
 * it, or one that is too long).
 */
MUST_CHECK enum status token_find(const struct option_set *options, char *token, struct fault *fault);
