#pragma once

#include "steerd_address.h"
#include "steerd_client.h"
#include "steerd_frame.h"

/* The client itself, shared by steerd_client.c (the connection) and steerd_receive.c (what comes in). */
struct steerd_client {
    enum steerd_client_state state;
    int descriptor; /* -1 when closed */
    char server[STEERD_ADDRESS_SIZE + 2];
    struct addrinfo *addresses;          /* while connecting */
    const struct addrinfo *address_next; /* the next one to try, in addresses */
    char *name;
    char *token;
    Steerd__V1__Role role;
    struct steerd_client_handlers handlers;
    struct steerd_inbox inbox;
    struct steerd_outbox outbox;
    struct steerd_scratch *scratch;
    struct steerd_scratch *scratch_own; /* NULL when it is borrowed */
    struct steerd_mirror *mirror;
    struct steerd_welcome welcome;
    uint32_t retry_after_ms;
    uint64_t request_id_last;
    uint64_t bytes_received;
    uint64_t bytes_sent;
    size_t snapshot_bytes;         /* of the parts so far of the snapshot being received */
    bool subscribed;               /* a Subscribe was sent and no Unsubscribe since */
    uint64_t awaited_id;           /* request that steerd_client_request waits for */
    struct steerd_result *awaited; /* where its result goes; NULL when nobody waits */
};

/*
 * One frame from the server: decodes it, applies it, calls back.
 *
 * payload     size bytes, borrowed
 * frame_size  with its length, bytes
 *
 * Fails, and closes: as steerd_client_process.
 */
MUST_CHECK enum status steerd_client_receive(struct steerd_client *client, const uint8_t *payload,
                                             size_t size, size_t frame_size, struct fault *fault);

/* Remembers what a sent command changes for the receiving side. */
void steerd_client_note_sent(struct steerd_client *client, const Steerd__V1__ClientMessage *message);

/* Puts the server's address before the words, closes, and returns `status`. */
enum status steerd_client_fail(struct steerd_client *client, enum status status, struct fault *fault);
