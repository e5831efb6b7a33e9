#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/blob.h"
#include "base/fault.h"
#include "steerd/v1/steerd.pb-c.h"

/* Most memory that one message may take. */
#define MESSAGE_BUDGET_MAX ((size_t)4 << 20)

/*
 * A frame's bytes become a message whose memory is all in `arena`, within a budget of 32 times the frame, at
 * least 1 KiB and MESSAGE_BUDGET_MAX at most. There is nothing to free: roll the arena back. The message may
 * point into `bytes` no longer than the call. Unknown fields are ignored. Strings that are not UTF-8, or have
 * a zero byte in them, are refused. On failure the arena is as it was. Fails: INVALID_ARGUMENT (cannot be
 * read, no body), UNIMPLEMENTED (a body this server does not know), RESOURCE_EXHAUSTED (over the budget, or
 * the arena is full). request_id_out is set whenever it could be read, else 0.
 */
MUST_CHECK enum status message_decode(struct arena *arena, const uint8_t *bytes, size_t size,
                                      const Steerd__V1__ClientMessage **out, uint64_t *request_id_out,
                                      struct fault *fault);

/* A server message as a blob with one reference (without frame length); NULL when the pool is full. */
struct blob *message_encode(struct blob_pool *pool, const Steerd__V1__ServerMessage *message);

/* The short ones. NULL when the pool is full. */
struct blob *message_encode_goodbye(struct blob_pool *pool, enum status code, const char *reason,
                                    uint32_t retry_after_ms);
struct blob *message_encode_pong(struct blob_pool *pool, uint64_t client_time_us, uint64_t server_time_us,
                                 uint64_t tick);
