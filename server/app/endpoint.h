#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"

#define ENDPOINT_HOST_SIZE 256
#define ENDPOINT_PORT_TCP  7400 /* when nothing is said */

/* HOST:PORT as people write it; an IPv6 number stands in brackets: [::1]:7400. */
struct endpoint {
    char host[ENDPOINT_HOST_SIZE]; /* without brackets; "" for all addresses */
    uint16_t port;                 /* 0: a free one */
};

/* Fails: INVALID_ARGUMENT. */
MUST_CHECK enum status endpoint_parse(const char *text, struct endpoint *out, struct fault *fault);

/* Whether every address of the host is this machine's loopback. False for a host that has none. May ask the
 * resolver. */
bool endpoint_is_loopback(const struct endpoint *endpoint);
