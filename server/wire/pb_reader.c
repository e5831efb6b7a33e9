/*
 * The first look at a frame: splits encoded fields without trusting any length. message.c walks with it
 * before protobuf-c sees the bytes.
 */
#include "wire/pb_reader.h"

#define PB_VARINT_SIZE_MAX 10 /* 64 bits, 7 a byte */
#define PB_HEAD_SIZE_MAX   5  /* tags and lengths have 32 bits */

/* A varint of size_max bytes at most; false, and the reader where it was, when it is cut off or longer. */
static bool pb_reader_varint(struct pb_reader *reader, size_t size_max, uint64_t *out)
{
    uint64_t value = 0;
    size_t left = (size_t)(reader->end - reader->at);
    for (size_t i = 0; i < size_max && i < left; i++) {
        uint8_t byte = reader->at[i];
        value |= (uint64_t)(byte & 0x7F) << (7 * i);
        if ((byte & 0x80) == 0) {
            reader->at += i + 1;
            *out = value;
            return true;
        }
    }
    return false;
}

/* How many bytes the value has that stands at the reader, its length prefix passed; false when that cannot be
 * told. */
static bool pb_reader_value_size(struct pb_reader *reader, struct pb_field *field, uint64_t *size_out)
{
    switch (field->wire_type) {
    case PB_WIRE_VARINT:
        field->bytes = reader->at;
        if (!pb_reader_varint(reader, PB_VARINT_SIZE_MAX, &field->varint)) {
            return false;
        }
        *size_out = (uint64_t)(reader->at - field->bytes);
        reader->at = field->bytes;
        return true;
    case PB_WIRE_64BIT:
        *size_out = 8;
        return true;
    case PB_WIRE_32BIT:
        *size_out = 4;
        return true;
    case PB_WIRE_BYTES:
        return pb_reader_varint(reader, PB_HEAD_SIZE_MAX, size_out);
    }
    return false;
}

enum pb_read pb_reader_next(struct pb_reader *reader, struct pb_field *field)
{
    if (reader->at == reader->end) {
        return PB_READ_END;
    }
    struct pb_reader next = *reader;
    uint64_t head = 0;
    if (!pb_reader_varint(&next, PB_HEAD_SIZE_MAX, &head) || head > UINT32_MAX || head >> 3 == 0) {
        return PB_READ_BROKEN;
    }
    *field = (struct pb_field){.number = (uint32_t)(head >> 3), .wire_type = (enum pb_wire_type)(head & 7)};
    uint64_t size = 0;
    if (!pb_reader_value_size(&next, field, &size) || size > (uint64_t)(next.end - next.at)) {
        return PB_READ_BROKEN;
    }
    field->bytes = next.at;
    field->size = (size_t)size;
    reader->at = next.at + size;
    return PB_READ_FIELD;
}
