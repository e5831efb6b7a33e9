/*
 * Addresses as options give them. Used by serve (where to listen) and healthcheck (whom to ask).
 */
#include "app/endpoint.h"

#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/number.h"

static enum status endpoint_refuse(const char *text, struct fault *fault)
{
    return fault_set(
        fault, STATUS_INVALID_ARGUMENT,
        "\"%.100s\" is not HOST:PORT: a host or number (IPv6 in brackets: [::1]:7400) and a port of 0 to "
        "65535 are needed",
        text);
}

enum status endpoint_parse(const char *text, struct endpoint *out, struct fault *fault)
{
    const char *host = text;
    const char *colon = strrchr(text, ':');
    if (colon == NULL) {
        return endpoint_refuse(text, fault);
    }
    size_t size = (size_t)(colon - text);
    if (text[0] == '[') {
        if (size < 3 || colon[-1] != ']') {
            return endpoint_refuse(text, fault);
        }
        host = text + 1;
        size -= 2;
    } else if (memchr(text, ':', size) != NULL) {
        return endpoint_refuse(text, fault); /* an IPv6 number without brackets could be read in two ways */
    }
    uint64_t port = 0;
    if (size >= ENDPOINT_HOST_SIZE || !number_parse_u64(colon + 1, &port) || port > UINT16_MAX) {
        return endpoint_refuse(text, fault);
    }
    memcpy(out->host, host, size);
    out->host[size] = '\0';
    out->port = (uint16_t)port;
    return STATUS_OK;
}

static bool endpoint_address_is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        uint32_t number = ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr);
        return number >> 24 == IN_LOOPBACKNET;
    }
    if (address->sa_family == AF_INET6) {
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
    }
    return false;
}

bool endpoint_is_loopback(const struct endpoint *endpoint)
{
    if (endpoint->host[0] == '\0') {
        return false;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses = NULL;
    if (getaddrinfo(endpoint->host, NULL, &hints, &addresses) != 0) {
        return false;
    }
    bool loopback = addresses != NULL;
    for (const struct addrinfo *address = addresses; address != NULL; address = address->ai_next) {
        loopback = loopback && endpoint_address_is_loopback(address->ai_addr);
    }
    freeaddrinfo(addresses);
    return loopback;
}
