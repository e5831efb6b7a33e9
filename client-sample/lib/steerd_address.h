#pragma once

#include "base/fault.h"

#define STEERD_HOST_SIZE    256 /* the longest DNS name and its terminating zero */
#define STEERD_ADDRESS_SIZE 264 /* host, brackets, colon and port */

struct addrinfo;

/* Where a server listens, as a person writes it. */
struct steerd_address {
    char host[STEERD_HOST_SIZE]; /* a name, 127.0.0.1 or ::1, without brackets */
    char port[6];                /* "1" to "65535" */
};

/*
 * Reads HOST:PORT or [IPV6]:PORT.
 *
 * text     borrowed, at most STEERD_HOST_SIZE - 1 bytes of host
 * out      untouched on failure
 *
 * Fails: INVALID_ARGUMENT with the text and the form that is needed.
 */
MUST_CHECK enum status steerd_address_parse(const char *text, struct steerd_address *out,
                                            struct fault *fault);

/*
 * Looks the host up; a name may ask the network's name servers and wait for them, digits never wait.
 *
 * text         what the user wrote, for the words of the fault
 * addresses    one or more; the caller frees them with freeaddrinfo; untouched on failure
 *
 * Fails: UNAVAILABLE when there is no such host.
 */
MUST_CHECK enum status steerd_address_resolve(const struct steerd_address *address, const char *text,
                                              struct addrinfo **addresses, struct fault *fault);
