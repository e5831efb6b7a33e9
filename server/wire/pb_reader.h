#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Walks the fields of an encoded protobuf message without decoding it: what is checked before a library is
 * let near bytes from outside. Allocates nothing, reads nothing beyond `end`. Source:
 * https://protobuf.dev/programming-guides/encoding/
 */
struct pb_reader {
    const uint8_t *at;
    const uint8_t *end;
};

enum pb_wire_type {
    PB_WIRE_VARINT = 0,
    PB_WIRE_64BIT = 1,
    PB_WIRE_BYTES = 2,
    PB_WIRE_32BIT = 5,
};

struct pb_field {
    uint32_t number; /* 1 to 2^29 - 1 */
    enum pb_wire_type wire_type;
    uint64_t varint;      /* PB_WIRE_VARINT */
    const uint8_t *bytes; /* the value: `size` bytes inside the message */
    size_t size;
};

enum pb_read {
    PB_READ_FIELD,
    PB_READ_END,
    PB_READ_BROKEN, /* cut off, a varint too long, a group, field number 0 */
};

/* The next field. After END or BROKEN the reader does not move any more. */
enum pb_read pb_reader_next(struct pb_reader *reader, struct pb_field *field);
