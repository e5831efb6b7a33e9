/*
 * Where connections come from: addresses become listening sockets, and each socket accepted becomes a
 * connection or, over the limit or with the last descriptor, one that is refused in words.
 */
#include "net/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/assert.h"
#include "net/parts.h"

#define LISTEN_BACKLOG        1024 /* the kernel cuts it to net.core.somaxconn */
#define LISTEN_ACCEPTS_MAX    64   /* in a row, before other sockets have their turn */
#define LISTEN_PAUSE_MS       100  /* without any descriptor to be had */
#define LISTEN_PORT_TRIES_MAX 8    /* for a free port that all addresses of a name have free */

/* "127.0.0.1:80", "[::1]:80"; an IPv4 peer of a socket for both families is written as IPv4. */
static void listen_format_address(const struct sockaddr_storage *address, char *out, size_t out_size)
{
    char host[INET6_ADDRSTRLEN] = "?";
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        uv_inet_ntop(AF_INET, &v4->sin_addr, host, sizeof host);
        snprintf(out, out_size, "%s:%u", host, ntohs(v4->sin_port));
        return;
    }
    struct sockaddr_in6 v6;
    memcpy(&v6, address, sizeof v6);
    if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
        uv_inet_ntop(AF_INET, &v6.sin6_addr.s6_addr[12], host, sizeof host);
        snprintf(out, out_size, "%s:%u", host, ntohs(v6.sin6_port));
        return;
    }
    uv_inet_ntop(AF_INET6, &v6.sin6_addr, host, sizeof host);
    snprintf(out, out_size, "[%s]:%u", host, ntohs(v6.sin6_port));
}

static void listen_set_port(struct sockaddr_storage *address, uint16_t port)
{
    if (address->ss_family == AF_INET) {
        ((struct sockaddr_in *)address)->sin_port = htons(port);
    } else {
        ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
    }
}

static uint16_t listen_port(const struct sockaddr_storage *address)
{
    return ntohs(address->ss_family == AF_INET ? ((const struct sockaddr_in *)address)->sin_port
                                               : ((const struct sockaddr_in6 *)address)->sin6_port);
}

/* ---- accepting ---- */

/* A descriptor to accept with when there is none: the reserve, or that of the connection refused first. */
static bool listen_free_descriptor(struct net_server *server)
{
    if (server->reserve_descriptor >= 0) {
        close(server->reserve_descriptor);
        server->reserve_descriptor = -1;
        return true;
    }
    if (server->refused_deadlines.first != NULL) {
        net_conn_drop(server->refused_deadlines.first->owner, NET_END_SELF);
        return true;
    }
    return false;
}

static void listen_pause(struct net_server *server)
{
    for (uint32_t i = 0; i < server->listener_count; i++) {
        if (server->listeners[i].descriptor >= 0) {
            uv_poll_stop(&server->listeners[i].poll);
        }
    }
    server->accept_resume_ms = uv_now(server->loop) + LISTEN_PAUSE_MS;
    net_server_wake_at(server, server->accept_resume_ms);
}

/* Cuts a refused connection when their slots are all taken. False: its slot comes back in the loop's next
 * turn. */
static bool listen_has_slot(struct net_server *server)
{
    if (server->served < server->config.connections_max || server->refused < NET_REFUSED_MAX) {
        return true;
    }
    if (server->refused_deadlines.first != NULL) {
        net_conn_drop(server->refused_deadlines.first->owner, NET_END_SELF);
    }
    return false;
}

/* Accepts one. False: there is none, or none can be taken now. */
static bool listen_accept(struct net_listener *listener, bool *last_descriptor)
{
    struct net_server *server = listener->server;
    if (!listen_has_slot(server)) {
        return false;
    }
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    int descriptor =
        accept4(listener->descriptor, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) {
        if (errno == EAGAIN) {
            return false;
        }
        if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) {
            return true; /* that one is gone already (accept(2) lists what may come through): the next */
        }
        *last_descriptor = listen_free_descriptor(server);
        if (!*last_descriptor) {
            listen_pause(server);
        }
        return *last_descriptor;
    }
    bool refused = *last_descriptor || server->served == server->config.connections_max;
    *last_descriptor = false;
    struct net_conn *conn = server->conn_free;
    ASSERT(conn != NULL);
    if (refused && server->refused == NET_REFUSED_MAX) {
        close(descriptor); /* the last descriptor, and every slot for refusals still closing */
        net_server_keep_reserve(server);
        return true;
    }
    server->conn_free = conn->next_free;
    listen_format_address(&address, conn->address, sizeof conn->address);
    net_conn_start(conn, descriptor, refused);
    return true;
}

static void listen_on_readable(uv_poll_t *poll, int status, int events)
{
    (void)events;
    struct net_listener *listener = poll->data;
    if (status != 0) {
        listen_pause(listener->server);
        return;
    }
    bool last_descriptor = false;
    for (int i = 0; i < LISTEN_ACCEPTS_MAX && listener->descriptor >= 0; i++) {
        if (!listen_accept(listener, &last_descriptor)) {
            break;
        }
    }
    net_server_keep_reserve(listener->server);
}

void net_listeners_resume(struct net_server *server)
{
    server->accept_resume_ms = 0;
    for (uint32_t i = 0; i < server->listener_count; i++) {
        if (server->listeners[i].descriptor >= 0) {
            uv_poll_start(&server->listeners[i].poll, UV_READABLE, listen_on_readable);
        }
    }
}

static void listen_on_closed(uv_handle_t *handle)
{
    struct net_listener *listener = handle->data;
    net_server_handle_closed(listener->server);
}

void net_listeners_close(struct net_server *server)
{
    for (uint32_t i = 0; i < server->listener_count; i++) {
        struct net_listener *listener = &server->listeners[i];
        if (listener->descriptor >= 0) {
            uv_close((uv_handle_t *)&listener->poll, listen_on_closed);
            close(listener->descriptor); /* uv_poll_t's page allows it right after uv_close */
            listener->descriptor = -1;
        }
    }
}

void net_server_stop_listening(struct net_server *server)
{
    net_listeners_close(server);
}

/* ---- listening ---- */

static const char *listen_reason(int error)
{
    switch (error) {
    case EADDRINUSE:
        return "the port is in use";
    case EACCES:
        return "no permission (ports below 1024 need it)";
    case EADDRNOTAVAIL:
        return "this machine has no such address";
    case EAFNOSUPPORT:
        return "this machine does not speak that address family";
    default:
        return strerror(error);
    }
}

/* A bound and listening socket, and its address as it came out. Returns -errno when that fails. */
static int listen_open(const struct sockaddr_storage *address, struct sockaddr_storage *bound_out)
{
    int descriptor = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return -errno;
    }
    int yes = 1;
    int no = 0;
    bool is_v6 = address->ss_family == AF_INET6;
    socklen_t size = is_v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    socklen_t bound_size = sizeof *bound_out;
    /* A restarted server does not wait for the connections of the one before to be forgotten. */
    if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        (is_v6 && setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) != 0) ||
        bind(descriptor, (const struct sockaddr *)address, size) != 0 ||
        listen(descriptor, LISTEN_BACKLOG) != 0 ||
        getsockname(descriptor, (struct sockaddr *)bound_out, &bound_size) != 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

static void listen_add(struct net_server *server, int descriptor)
{
    struct net_listener *listener = &server->listeners[server->listener_count++];
    *listener = (struct net_listener){.descriptor = descriptor, .server = server};
    int error = uv_poll_init_socket(server->loop, &listener->poll, descriptor);
    ASSERT(error == 0); /* a socket that is on no loop */
    server->handles++;
    listener->poll.data = listener;
    uv_poll_start(&listener->poll, UV_READABLE, listen_on_readable);
}

/* Addresses to listen on. */
struct listen_addresses {
    struct sockaddr_storage at[NET_LISTENERS_MAX];
    uint32_t count;
    bool any_will_do; /* the first that works is enough; else all that this machine has */
};

static void listen_list_all(struct listen_addresses *out)
{
    out->at[0] = (struct sockaddr_storage){.ss_family = AF_INET6}; /* [::], which takes IPv4 as well */
    out->at[1] = (struct sockaddr_storage){.ss_family = AF_INET};  /* 0.0.0.0, where there is no IPv6 */
    out->count = 2;
    out->any_will_do = true;
}

static enum status listen_resolve(const char *host, struct listen_addresses *out, struct fault *fault)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    int error = getaddrinfo(host, NULL, &hints, &found);
    if (error != 0) {
        return fault_set(fault, STATUS_UNAVAILABLE, "cannot listen on %s: %s", host, gai_strerror(error));
    }
    for (const struct addrinfo *i = found; i != NULL && out->count < NET_LISTENERS_MAX; i = i->ai_next) {
        if (i->ai_family == AF_INET || i->ai_family == AF_INET6) {
            memcpy(&out->at[out->count++], i->ai_addr, i->ai_addrlen);
        }
    }
    freeaddrinfo(found);
    if (out->count == 0) {
        return fault_set(fault, STATUS_UNAVAILABLE, "cannot listen on %s: it has no IP address", host);
    }
    return STATUS_OK;
}

/* Opened sockets, before they go onto the loop. */
struct listen_opened {
    int descriptors[NET_LISTENERS_MAX];
    uint32_t count;
    struct sockaddr_storage first;
    int error; /* errno of the address that stopped it */
    uint32_t error_index;
};

/* Opens all addresses at one port, or none. An address this machine has not is passed over when another
 * works. */
static bool listen_open_all(struct listen_addresses *addresses, uint16_t port, struct listen_opened *out)
{
    *out = (struct listen_opened){0};
    for (uint32_t i = 0; i < addresses->count; i++) {
        struct sockaddr_storage bound = {0};
        listen_set_port(&addresses->at[i], out->count == 0 ? port : listen_port(&out->first));
        int descriptor = listen_open(&addresses->at[i], &bound);
        if (descriptor >= 0) {
            out->first = out->count == 0 ? bound : out->first;
            out->descriptors[out->count++] = descriptor;
            if (addresses->any_will_do) {
                return true;
            }
            continue;
        }
        out->error = -descriptor;
        out->error_index = i;
        if (out->error != EADDRNOTAVAIL && out->error != EAFNOSUPPORT) {
            break;
        }
    }
    bool stopped = out->error != 0 && out->error != EADDRNOTAVAIL && out->error != EAFNOSUPPORT;
    if (out->count > 0 && !stopped) {
        return true;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        close(out->descriptors[i]);
    }
    return false;
}

enum status net_server_listen_tcp(struct net_server *server, const char *host, uint16_t port, char *bound_out,
                                  size_t bound_size, struct fault *fault)
{
    struct listen_addresses addresses = {0};
    if (host[0] == '\0') {
        listen_list_all(&addresses);
    } else {
        enum status status = listen_resolve(host, &addresses, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    uint32_t needed = addresses.any_will_do ? 1 : addresses.count;
    if (server->listener_count + needed > NET_LISTENERS_MAX) {
        return fault_set(fault, STATUS_UNAVAILABLE, "cannot listen on more than %d addresses",
                         NET_LISTENERS_MAX);
    }
    struct listen_opened opened;
    bool done = listen_open_all(&addresses, port, &opened);
    /* A port that was free on a name's first address may be taken on its second. */
    for (int i = 1; !done && port == 0 && opened.error == EADDRINUSE && i < LISTEN_PORT_TRIES_MAX; i++) {
        done = listen_open_all(&addresses, port, &opened);
    }
    if (!done) {
        char text[NET_ADDRESS_SIZE];
        listen_set_port(&addresses.at[opened.error_index], port);
        listen_format_address(&addresses.at[opened.error_index], text, sizeof text);
        return fault_set(fault, STATUS_UNAVAILABLE, "cannot listen on %s: %s", text,
                         listen_reason(opened.error));
    }
    for (uint32_t i = 0; i < opened.count; i++) {
        listen_add(server, opened.descriptors[i]);
    }
    listen_format_address(&opened.first, bound_out, bound_size);
    return STATUS_OK;
}
