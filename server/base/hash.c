/* Digests (XXH3-64) and the hash that is the simulation's only source of randomness. */
#include "base/hash.h"

#include <string.h>
#include <xxhash.h>

/* Numbers are hashed as they lie in memory; a big-endian machine would give other digests. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "digests are little-endian");

uint64_t hash_bytes(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}

struct hash_stream *hash_stream_create(void)
{
    struct hash_stream *stream = (struct hash_stream *)XXH3_createState();
    if (stream != NULL) {
        hash_stream_reset(stream); /* xxhash leaves a new state unset */
    }
    return stream;
}

void hash_stream_destroy(struct hash_stream *stream)
{
    XXH3_freeState((XXH3_state_t *)stream);
}

void hash_stream_reset(struct hash_stream *stream)
{
    XXH3_64bits_reset((XXH3_state_t *)stream);
}

void hash_stream_add(struct hash_stream *stream, const void *bytes, size_t size)
{
    XXH3_64bits_update((XXH3_state_t *)stream, bytes, size);
}

void hash_stream_add_u32(struct hash_stream *stream, uint32_t value)
{
    hash_stream_add(stream, &value, sizeof value);
}

void hash_stream_add_u64(struct hash_stream *stream, uint64_t value)
{
    hash_stream_add(stream, &value, sizeof value);
}

void hash_stream_add_f32(struct hash_stream *stream, float value)
{
    hash_stream_add(stream, &value, sizeof value);
}

uint64_t hash_stream_digest(const struct hash_stream *stream)
{
    return XXH3_64bits_digest((const XXH3_state_t *)stream);
}

/* Finaliser of SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"). */
static uint64_t hash_mix(uint64_t value)
{
    value ^= value >> 30;
    value *= 0xBF58476D1CE4E5B9u;
    value ^= value >> 27;
    value *= 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

uint64_t hash_random(uint64_t seed, uint64_t tick, uint32_t id, uint32_t stream)
{
    const uint64_t golden = 0x9E3779B97F4A7C15u; /* SplitMix64's step: 2^64 over the golden ratio */
    uint64_t value = hash_mix(seed + golden);
    value = hash_mix((value ^ tick) + golden);
    return hash_mix((value ^ ((uint64_t)id << 32 | stream)) + golden);
}
