#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Writes protobuf fields straight into a buffer, for messages that are sent a hundred thousand at a time.
 * Each pb_put_ function writes at `at` and returns where the next goes; the caller has measured the room.
 * Fields whose value is the default are left out, as proto3 has it; a float counts as default by its bits, so
 * that -0 is kept. Source: https://protobuf.dev/programming-guides/encoding/
 */

enum pb_wire {
    PB_PUT_VARINT = 0,
    PB_PUT_64BIT = 1,
    PB_PUT_BYTES = 2,
    PB_PUT_32BIT = 5,
};

static inline size_t pb_size_varint(uint64_t value)
{
    unsigned bits = 64U - (unsigned)__builtin_clzll(value | 1);
    return (bits + 6) / 7;
}

/* A varint field with a number below 16; 0 for the default. */
static inline size_t pb_size_uint(uint64_t value)
{
    return value == 0 ? 0 : 1 + pb_size_varint(value);
}

static inline uint32_t pb_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A float field with a number below 16; 0 for the default. */
static inline size_t pb_size_float(float value)
{
    return pb_float_bits(value) == 0 ? 0 : 5;
}

static inline uint8_t *pb_put_varint(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline uint8_t *pb_put_tag(uint8_t *at, uint32_t number, enum pb_wire wire)
{
    return pb_put_varint(at, (uint64_t)number << 3 | wire);
}

static inline uint8_t *pb_put_uint(uint8_t *at, uint32_t number, uint64_t value)
{
    return value == 0 ? at : pb_put_varint(pb_put_tag(at, number, PB_PUT_VARINT), value);
}

static inline uint8_t *pb_put_float(uint8_t *at, uint32_t number, float value)
{
    uint32_t bits = pb_float_bits(value);
    if (bits == 0) {
        return at;
    }
    at = pb_put_tag(at, number, PB_PUT_32BIT);
    at[0] = (uint8_t)bits;
    at[1] = (uint8_t)(bits >> 8);
    at[2] = (uint8_t)(bits >> 16);
    at[3] = (uint8_t)(bits >> 24);
    return at + 4;
}

/* Tag and length of a message or text of `size` bytes that follows. */
static inline uint8_t *pb_put_head(uint8_t *at, uint32_t number, size_t size)
{
    return pb_put_varint(pb_put_tag(at, number, PB_PUT_BYTES), size);
}
