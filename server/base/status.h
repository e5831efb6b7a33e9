#pragma once

/*
 * What a function that can fail answers. The numbers are the gRPC canonical codes, so that a status
 * goes onto the wire as it is.
 */
enum status {
#define STATUS(number, name) STATUS_##name = (number),
#include "base/status.def"
#undef STATUS
};

#define MUST_CHECK __attribute__((warn_unused_result))

/* "INVALID_ARGUMENT" for STATUS_INVALID_ARGUMENT; "?" for a number that is no status. */
const char *status_name(enum status status);
