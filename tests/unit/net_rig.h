#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "net/server.h"

/* A net server on a real loop with handlers that write down what happens, and plain sockets as its peers. */

#define RIG_TEXT_SIZE 64

enum rig_mode {
    RIG_ECHO,   /* each frame is sent back */
    RIG_LISTEN, /* frames are only counted */
};

struct rig {
    uv_loop_t loop;
    struct net_server *server;
    struct blob_pool *blobs;
    char address[RIG_TEXT_SIZE];
    uint16_t port;
    enum rig_mode mode;

    struct net_conn *conn; /* the one opened last; NULL when it is closed */
    char peer_address[RIG_TEXT_SIZE];
    uint32_t opened;
    uint32_t refused;
    uint32_t frames;
    size_t frame_size_last;
    uint32_t drained;
    uint32_t faults;
    enum net_fault fault_last;
    uint32_t closed;
    enum net_end end_last;
    bool server_closed;
};

/* What tests begin with: 4 connections, frames of 64 KiB, a queue of 16 KiB, times of 10 s, so that only
 * those set shorter pass. */
struct net_config rig_config(void);

void rig_start(struct rig *rig, const struct net_config *config);

/* Listens on 127.0.0.1. */
void rig_listen(struct rig *rig);

/* Closes everything and checks that all blobs came back. */
void rig_stop(struct rig *rig);

/* Runs the loop until the counter is `wanted`; fails the test after 10 s. */
void rig_run_until(struct rig *rig, const uint32_t *counter, uint32_t wanted);

/* Runs the loop for about so long. */
void rig_run_for(struct rig *rig, uint64_t ms);

/* Sends text, or `size` bytes of something, to the peer opened last. */
void rig_send_text(struct rig *rig, const char *text);
void rig_send_bytes(struct rig *rig, size_t size, bool must_deliver);

/* A socket connected to the rig, the loop not run. receive_bytes: bound of its receive buffer, 0 for the
 * default. */
int rig_connect(const struct rig *rig, int receive_bytes);

/* Connected, and opened by the server. */
int rig_connect_opened(struct rig *rig);

void rig_write(int peer, const void *bytes, size_t size);

/*
 * Reads exactly `size` bytes, the loop running meanwhile. Returns how many came before end of stream, -1 for
 * a reset.
 */
long rig_read(struct rig *rig, int peer, void *out, size_t size);
