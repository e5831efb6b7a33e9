/* Messages of bounded size, for what is told bit by bit: update.c and query.c fill them. */
#include "wire/piece.h"

#include <string.h>

#include "base/assert.h"
#include "wire/pb_writer.h"

bool piece_start(struct piece *piece, struct blob_pool *pool, size_t size)
{
    ASSERT(size > PIECE_HEAD_SIZE_MAX);
    *piece = (struct piece){.blob = blob_pool_take(pool, size)};
    if (piece->blob == NULL) {
        return false;
    }
    piece->begin = piece->blob->bytes + PIECE_HEAD_SIZE_MAX;
    piece->at = piece->begin;
    piece->end = piece->blob->bytes + size;
    return true;
}

uint8_t *piece_take(struct piece *piece, size_t size)
{
    if (size > (size_t)(piece->end - piece->at)) {
        return NULL;
    }
    uint8_t *at = piece->at;
    piece->at += size;
    return at;
}

bool piece_add(struct piece *piece, uint32_t number, const ProtobufCMessage *message)
{
    size_t size = protobuf_c_message_get_packed_size(message);
    uint8_t *at = piece_take(piece, 1 + pb_size_varint(size) + size);
    if (at == NULL) {
        return false;
    }
    at = pb_put_head(at, number, size);
    size_t written = protobuf_c_message_pack(message, at);
    ASSERT(written == size);
    return true;
}

struct blob *piece_finish(struct piece *piece, uint32_t body_number, const uint8_t *head, size_t head_size)
{
    struct blob *blob = piece->blob;
    size_t entries = (size_t)(piece->at - piece->begin);
    ASSERT(1 + pb_size_varint(head_size + entries) + head_size <= PIECE_HEAD_SIZE_MAX);
    uint8_t *at = pb_put_head(blob->bytes, body_number, head_size + entries);
    if (head_size > 0) {
        memcpy(at, head, head_size);
    }
    memmove(at + head_size, piece->begin, entries);
    blob->size = (size_t)(at - blob->bytes) + head_size + entries;
    *piece = (struct piece){0};
    return blob;
}
