#pragma once

#include <stdint.h>

#include <uv.h>

#include "net/server.h"

#define NET_LISTENERS_MAX 16

/*
 * Listening sockets and what comes out of them. They are polled and accepted here rather than by uv_listen,
 * because libuv, when no descriptor is left, accepts whoever waits and closes them without a word
 * (uv__emfile_trick in its stream.c).
 */
struct net_listener {
    uv_poll_t poll;
    int descriptor; /* -1: closed */
    struct net_server *server;
};

/* Ends all listeners; those who wait in their backlogs are reset by the kernel. */
void net_listeners_close(struct net_server *server);

/* Looks for new connections again, after a pause for want of descriptors. */
void net_listeners_resume(struct net_server *server);
