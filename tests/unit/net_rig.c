/* The fixture of the net suites: see net_rig.h. */
#include "net_rig.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <check.h>

#define RIG_PATIENCE_MS 10000

static void rig_send(struct rig *rig, struct net_conn *conn, const void *bytes, size_t size,
                     bool must_deliver)
{
    struct blob *blob = blob_pool_take(rig->blobs, size);
    ck_assert_ptr_nonnull(blob);
    if (size > 0) {
        memcpy(blob->bytes, bytes, size);
    }
    blob->size = size;
    net_conn_send(conn, &blob, 1, must_deliver);
    blob_release(blob);
}

static void rig_on_open(void *context, struct net_conn *conn)
{
    struct rig *rig = context;
    rig->opened++;
    rig->conn = conn;
    net_conn_set_user(conn, rig);
    strncpy(rig->peer_address, net_conn_address(conn), RIG_TEXT_SIZE - 1);
}

static void rig_on_refuse(void *context, struct net_conn *conn)
{
    struct rig *rig = context;
    rig->refused++;
    rig_send(rig, conn, "full", 4, true);
    net_conn_close(conn);
}

static void rig_on_frame(void *context, struct net_conn *conn, const uint8_t *bytes, size_t size)
{
    struct rig *rig = context;
    ck_assert_ptr_eq(net_conn_user(conn), rig);
    rig->frames++;
    rig->frame_size_last = size;
    if (rig->mode == RIG_ECHO) {
        rig_send(rig, conn, bytes, size, true);
    }
}

static void rig_on_drained(void *context, struct net_conn *conn)
{
    struct rig *rig = context;
    ck_assert(net_conn_is_drained(conn));
    rig->drained++;
}

static void rig_on_fault(void *context, struct net_conn *conn, enum net_fault fault)
{
    struct rig *rig = context;
    rig->faults++;
    rig->fault_last = fault;
    rig_send(rig, conn, "bye", 3, true);
    net_conn_close(conn);
}

static void rig_on_closed(void *context, struct net_conn *conn, enum net_end end)
{
    struct rig *rig = context;
    rig->closed++;
    rig->end_last = end;
    if (rig->conn == conn) {
        rig->conn = NULL;
    }
}

struct net_config rig_config(void)
{
    return (struct net_config){
        .connections_max = 4,
        .frame_in_bytes_max = 65536,
        .queue_bytes_max = 16384,
        .send_buffer_bytes = 65536,
        .frame_timeout_ms = 10000,
        .close_timeout_ms = 10000,
    };
}

void rig_start(struct rig *rig, const struct net_config *config)
{
    *rig = (struct rig){0};
    ck_assert_int_eq(uv_loop_init(&rig->loop), 0);
    rig->blobs = blob_pool_create(64 << 20);
    struct net_handlers handlers = {
        .open = rig_on_open,
        .refuse = rig_on_refuse,
        .frame = rig_on_frame,
        .drained = rig_on_drained,
        .fault = rig_on_fault,
        .closed = rig_on_closed,
        .context = rig,
    };
    rig->server = net_server_create(&rig->loop, config, &handlers);
    ck_assert_ptr_nonnull(rig->server);
}

void rig_listen(struct rig *rig)
{
    struct fault fault = {0};
    enum status status =
        net_server_listen_tcp(rig->server, "127.0.0.1", 0, rig->address, sizeof rig->address, &fault);
    ck_assert_msg(status == STATUS_OK, "%s", fault.text);
    rig->port = (uint16_t)atoi(strrchr(rig->address, ':') + 1);
}

static void rig_on_server_closed(void *context)
{
    ((struct rig *)context)->server_closed = true;
}

void rig_stop(struct rig *rig)
{
    net_server_close(rig->server, rig_on_server_closed, rig);
    uv_run(&rig->loop, UV_RUN_DEFAULT);
    ck_assert(rig->server_closed);
    ck_assert_uint_eq(net_server_counters(rig->server).connections, 0);
    net_server_destroy(rig->server);
    ck_assert_int_eq(uv_loop_close(&rig->loop), 0);
    blob_pool_destroy(rig->blobs);
}

static void rig_turn(struct rig *rig)
{
    uv_run(&rig->loop, UV_RUN_NOWAIT);
    usleep(500);
}

void rig_run_until(struct rig *rig, const uint32_t *counter, uint32_t wanted)
{
    uint64_t end = uv_hrtime() + RIG_PATIENCE_MS * UINT64_C(1000000);
    while (*counter < wanted && uv_hrtime() < end) {
        rig_turn(rig);
    }
    ck_assert_uint_eq(*counter, wanted);
}

void rig_run_for(struct rig *rig, uint64_t ms)
{
    uint64_t end = uv_hrtime() + ms * 1000000;
    while (uv_hrtime() < end) {
        rig_turn(rig);
    }
}

void rig_send_text(struct rig *rig, const char *text)
{
    rig_send(rig, rig->conn, text, strlen(text), true);
}

void rig_send_bytes(struct rig *rig, size_t size, bool must_deliver)
{
    uint8_t *bytes = calloc(1, size);
    rig_send(rig, rig->conn, bytes, size, must_deliver);
    free(bytes);
}

int rig_connect(const struct rig *rig, int receive_bytes)
{
    int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(peer, 0);
    if (receive_bytes > 0) {
        ck_assert_int_eq(setsockopt(peer, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes), 0);
    }
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(rig->port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(connect(peer, (struct sockaddr *)&to, sizeof to), 0);
    return peer;
}

int rig_connect_opened(struct rig *rig)
{
    uint32_t opened = rig->opened;
    int peer = rig_connect(rig, 0);
    rig_run_until(rig, &rig->opened, opened + 1);
    return peer;
}

void rig_write(int peer, const void *bytes, size_t size)
{
    ck_assert_int_eq(send(peer, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
}

long rig_read(struct rig *rig, int peer, void *out, size_t size)
{
    uint64_t end = uv_hrtime() + RIG_PATIENCE_MS * UINT64_C(1000000);
    size_t have = 0;
    while (have < size) {
        ck_assert_msg(uv_hrtime() < end, "%zu of %zu bytes came", have, size);
        uv_run(&rig->loop, UV_RUN_NOWAIT);
        ssize_t got = recv(peer, (char *)out + have, size - have, MSG_DONTWAIT);
        if (got == 0) {
            break;
        }
        if (got > 0) {
            have += (size_t)got;
        } else if (errno == EAGAIN) {
            usleep(500);
        } else {
            return -1;
        }
    }
    return (long)have;
}
