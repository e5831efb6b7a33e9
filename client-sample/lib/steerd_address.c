/*
 * Turns the HOST:PORT that a person types into socket addresses. First step of steerd_client_start; the
 * only place of the client that may wait for something else than its server.
 */
#include "steerd_address.h"

#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

#include "base/number.h"

static enum status steerd_address_refuse(const char *text, struct fault *fault)
{
    return fault_set(
        fault, STATUS_INVALID_ARGUMENT,
        "\"%.80s\" is not the address of a server: HOST:PORT or [IPV6]:PORT is needed, port 1 to 65535",
        text);
}

enum status steerd_address_parse(const char *text, struct steerd_address *out, struct fault *fault)
{
    const char *host = text;
    size_t host_size;
    const char *colon;
    if (text[0] == '[') {
        const char *bracket = strchr(text, ']');
        if (bracket == NULL) {
            return steerd_address_refuse(text, fault);
        }
        host = text + 1;
        host_size = (size_t)(bracket - host);
        colon = bracket + 1;
    } else {
        colon = strchr(text, ':');
        if (colon == NULL) {
            return steerd_address_refuse(text, fault);
        }
        host_size = (size_t)(colon - text);
    }
    uint64_t port;
    if (host_size == 0 || host_size >= sizeof out->host || *colon != ':' ||
        strlen(colon + 1) >= sizeof out->port || !number_parse_u64(colon + 1, &port) || port < 1 ||
        port > 65535) {
        return steerd_address_refuse(text, fault);
    }
    memcpy(out->host, host, host_size);
    out->host[host_size] = '\0';
    strcpy(out->port, colon + 1);
    return STATUS_OK;
}

enum status steerd_address_resolve(const struct steerd_address *address, const char *text,
                                   struct addrinfo **addresses, struct fault *fault)
{
    const struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    int error = getaddrinfo(address->host, address->port, &hints, addresses);
    if (error != 0) {
        return fault_set(fault, STATUS_UNAVAILABLE, "cannot find %s: %s", text, gai_strerror(error));
    }
    return STATUS_OK;
}
