/*
 * Cuts the byte stream from the server into frames and lines frames up for it. Sits between the socket
 * (steerd_client.c) and protobuf; knows neither.
 */
#include "steerd_frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

/* Reads a length from bytes[0..size). Returns how many bytes it has, 0 when more are needed, -1 when it is
 * none. */
static int steerd_frame_read_length(const uint8_t *bytes, size_t size, uint64_t *length)
{
    uint64_t value = 0;
    for (size_t i = 0; i < STEERD_FRAME_HEADER_SIZE; i++) {
        if (i == size) {
            return 0;
        }
        value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
        if ((bytes[i] & 0x80) == 0) {
            *length = value;
            return (int)(i + 1);
        }
    }
    return -1;
}

void steerd_inbox_deinit(struct steerd_inbox *inbox)
{
    free(inbox->bytes);
    *inbox = (struct steerd_inbox){.frame_bytes_max = inbox->frame_bytes_max};
}

/* How much room the next read should get: up to the end of the frame it belongs to, growing with what came.
 */
static size_t steerd_inbox_wanted(const struct steerd_inbox *inbox)
{
    size_t held = inbox->end - inbox->begin;
    uint64_t length = 0;
    int header = held == 0 ? 0 : steerd_frame_read_length(inbox->bytes + inbox->begin, held, &length);
    if (header <= 0 || length > inbox->frame_bytes_max || (size_t)header + length <= held) {
        return STEERD_INBOX_READ_BYTES;
    }
    size_t missing = (size_t)header + (size_t)length - held;
    size_t step = held > STEERD_INBOX_READ_BYTES ? held : STEERD_INBOX_READ_BYTES;
    return missing < step ? (missing > STEERD_INBOX_READ_BYTES ? missing : STEERD_INBOX_READ_BYTES) : step;
}

uint8_t *steerd_inbox_reserve(struct steerd_inbox *inbox, size_t *room)
{
    size_t wanted = steerd_inbox_wanted(inbox);
    if (inbox->begin > 0 && inbox->capacity - inbox->end < wanted) {
        steerd_inbox_compact(inbox);
    }
    if (inbox->capacity - inbox->end < wanted) {
        size_t capacity = inbox->end + wanted;
        uint8_t *bytes = realloc(inbox->bytes, capacity);
        if (bytes == NULL) {
            return NULL;
        }
        inbox->bytes = bytes;
        inbox->capacity = capacity;
    }
    *room = inbox->capacity - inbox->end;
    ASSERT(*room >= wanted);
    return inbox->bytes + inbox->end;
}

void steerd_inbox_commit(struct steerd_inbox *inbox, size_t size)
{
    ASSERT(size <= inbox->capacity - inbox->end);
    inbox->end += size;
}

enum steerd_frame steerd_inbox_next(struct steerd_inbox *inbox, const uint8_t **payload, size_t *size)
{
    size_t held = inbox->end - inbox->begin;
    if (held == 0) {
        return STEERD_FRAME_MORE;
    }
    uint64_t length = 0;
    int header = steerd_frame_read_length(inbox->bytes + inbox->begin, held, &length);
    if (header < 0 || (header > 0 && length > inbox->frame_bytes_max)) {
        return STEERD_FRAME_BAD;
    }
    if (header == 0 || held - (size_t)header < length) {
        return STEERD_FRAME_MORE;
    }
    *payload = inbox->bytes + inbox->begin + header;
    *size = (size_t)length;
    inbox->begin += (size_t)header + (size_t)length;
    ASSERT(inbox->begin <= inbox->end);
    return STEERD_FRAME_READY;
}

void steerd_inbox_compact(struct steerd_inbox *inbox)
{
    size_t held = inbox->end - inbox->begin;
    if (held == 0 && inbox->capacity > STEERD_INBOX_KEEP_BYTES) {
        steerd_inbox_deinit(inbox);
        return;
    }
    if (inbox->begin > 0 && held > 0) {
        memmove(inbox->bytes, inbox->bytes + inbox->begin, held);
    }
    inbox->begin = 0;
    inbox->end = held;
}

void steerd_outbox_deinit(struct steerd_outbox *outbox)
{
    free(outbox->bytes);
    *outbox = (struct steerd_outbox){.bytes_max = outbox->bytes_max};
}

/* Makes room for `size` more bytes at the end. False: over the limit, or no memory. */
static bool steerd_outbox_grow(struct steerd_outbox *outbox, size_t size)
{
    size_t held = outbox->end - outbox->begin;
    if (size > outbox->bytes_max || held > outbox->bytes_max - size) {
        return false;
    }
    if (outbox->begin > 0) {
        memmove(outbox->bytes, outbox->bytes + outbox->begin, held);
        outbox->begin = 0;
        outbox->end = held;
    }
    if (outbox->capacity - held < size) {
        size_t doubled = outbox->capacity * 2;
        size_t capacity = held + size > doubled ? held + size : doubled;
        uint8_t *bytes = realloc(outbox->bytes, capacity);
        if (bytes == NULL) {
            return false;
        }
        outbox->bytes = bytes;
        outbox->capacity = capacity;
    }
    return true;
}

uint8_t *steerd_outbox_add(struct steerd_outbox *outbox, size_t size)
{
    uint8_t header[STEERD_FRAME_HEADER_SIZE];
    size_t header_size = 0;
    size_t rest = size;
    ASSERT(size <= UINT32_MAX);
    do {
        header[header_size] = (uint8_t)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
        header_size++;
        rest >>= 7;
    } while (rest > 0);
    if (!steerd_outbox_grow(outbox, header_size + size)) {
        return NULL;
    }
    memcpy(outbox->bytes + outbox->end, header, header_size);
    uint8_t *payload = outbox->bytes + outbox->end + header_size;
    outbox->end += header_size + size;
    return payload;
}

void steerd_outbox_consume(struct steerd_outbox *outbox, size_t size)
{
    ASSERT(size <= outbox->end - outbox->begin);
    outbox->begin += size;
    if (outbox->begin == outbox->end) {
        steerd_outbox_deinit(outbox);
    }
}
