#pragma once

#include <stddef.h>
#include <stdint.h>

/* XXH3-64 of `size` bytes. */
uint64_t hash_bytes(const void *bytes, size_t size);

/*
 * XXH3-64 over what is added piece by piece. A new stream is empty; reset it for the next digest. Numbers are
 * added little-endian, floats by their bits, so a digest is the same on every machine.
 */
struct hash_stream;

/* NULL when there is no memory. */
struct hash_stream *hash_stream_create(void);
/* Accepts NULL. */
void hash_stream_destroy(struct hash_stream *stream);
void hash_stream_reset(struct hash_stream *stream);
void hash_stream_add(struct hash_stream *stream, const void *bytes, size_t size);
void hash_stream_add_u32(struct hash_stream *stream, uint32_t value);
void hash_stream_add_u64(struct hash_stream *stream, uint64_t value);
void hash_stream_add_f32(struct hash_stream *stream, float value);
/* Of all that was added since the last reset; more may be added afterwards. */
uint64_t hash_stream_digest(const struct hash_stream *stream);

/*
 * A random number made from where it is used: the same four words give the same 64 bits, any change
 * gives unrelated ones. This is the only source of randomness in the simulation.
 */
uint64_t hash_random(uint64_t seed, uint64_t tick, uint32_t id, uint32_t stream);

/* The upper 24 bits of a random number as a float in [0, 1). */
static inline float hash_unit_f32(uint64_t random)
{
    return (float)(random >> 40) * 0x1p-24f;
}
