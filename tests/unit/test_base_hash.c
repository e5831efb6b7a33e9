#include "base/hash.h"

#include <math.h>
#include <string.h>

#include "suites.h"

/* XXH3-64 of nothing, and of "abc", as `xxhsum -H3` (xxhash 0.8) prints them. */
START_TEST(test_digests_are_those_of_xxh3)
{
    ck_assert(hash_bytes("", 0) == 0x2D06800538D394C2u);
    ck_assert(hash_bytes("abc", 3) == 0x78AF5F94892F3950u);
}
END_TEST

START_TEST(test_pieces_digest_as_the_whole)
{
    unsigned char bytes[1000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * 7);
    }
    struct hash_stream *stream = hash_stream_create();
    ck_assert_ptr_nonnull(stream);
    ck_assert(hash_stream_digest(stream) == hash_bytes("", 0));
    for (size_t piece = 1; piece < 300; piece += 13) {
        hash_stream_reset(stream);
        for (size_t at = 0; at < sizeof bytes; at += piece) {
            hash_stream_add(stream, bytes + at, sizeof bytes - at < piece ? sizeof bytes - at : piece);
        }
        ck_assert(hash_stream_digest(stream) == hash_bytes(bytes, sizeof bytes));
    }
    hash_stream_destroy(stream);
    hash_stream_destroy(NULL);
}
END_TEST

START_TEST(test_numbers_are_added_little_endian_and_floats_by_their_bits)
{
    static const unsigned char bytes[] = {4, 3, 2, 1, 8,    7,    6, 5, 4, 3,
                                          2, 1, 0, 0, 0x80, 0xBF, 0, 0, 0, 0x80};
    struct hash_stream *stream = hash_stream_create();
    hash_stream_add_u32(stream, 0x01020304u);
    hash_stream_add_u64(stream, 0x0102030405060708u);
    hash_stream_add_f32(stream, -1.0f);
    hash_stream_add_f32(stream, -0.0f);
    ck_assert(hash_stream_digest(stream) == hash_bytes(bytes, sizeof bytes));
    hash_stream_destroy(stream);
}
END_TEST

/* Golden: a journal written by one version is replayed by the next. Changing these needs a reason. */
START_TEST(test_random_numbers_never_change)
{
    ck_assert(hash_random(0, 0, 0, 0) == 0x238275BC38FCBE91u);
    ck_assert(hash_random(1, 2, 3, 4) == 0xF4D748EF02B95D87u);
    ck_assert(hash_random(UINT64_MAX, UINT64_MAX, UINT32_MAX, UINT32_MAX) == 0x595B17F487C0E71Bu);
}
END_TEST

static uint64_t random_of(const uint64_t words[4])
{
    return hash_random(words[0], words[1], (uint32_t)words[2], (uint32_t)words[3]);
}

/* One changed bit of any word changes half the bits, give or take: 64 draws of 1/2 have a deviation of 4. */
START_TEST(test_any_changed_bit_gives_an_unrelated_number)
{
    static const int bits[4] = {64, 64, 32, 32};
    for (int word = 0; word < 4; word++) {
        int changed_sum = 0;
        for (int bit = 0; bit < bits[word]; bit++) {
            uint64_t words[4] = {11, 22, 33, 44};
            uint64_t before = random_of(words);
            words[word] ^= (uint64_t)1 << bit;
            int changed = __builtin_popcountll(before ^ random_of(words));
            ck_assert_int_ge(changed, 8);
            ck_assert_int_le(changed, 56);
            changed_sum += changed;
        }
        ck_assert_int_ge(changed_sum, 29 * bits[word]);
        ck_assert_int_le(changed_sum, 35 * bits[word]);
    }
}
END_TEST

START_TEST(test_unit_floats_fill_0_to_1_evenly_without_1)
{
    ck_assert_float_eq(hash_unit_f32(0), 0.0f);
    ck_assert_float_lt(hash_unit_f32(UINT64_MAX), 1.0f);
    int counts[16] = {0};
    for (uint32_t id = 0; id < 16000; id++) {
        float unit = hash_unit_f32(hash_random(5, 6, id, 0));
        ck_assert(unit >= 0.0f && unit < 1.0f);
        counts[(int)(unit * 16.0f)]++;
    }
    for (int i = 0; i < 16; i++) {
        ck_assert_int_ge(counts[i], 850); /* 1000 expected, deviation 31 */
        ck_assert_int_le(counts[i], 1150);
    }
}
END_TEST

Suite *suite_base_hash(void)
{
    Suite *suite = suite_create("base_hash");
    TCase *digest = tcase_create("digest");
    tcase_add_test(digest, test_digests_are_those_of_xxh3);
    tcase_add_test(digest, test_pieces_digest_as_the_whole);
    tcase_add_test(digest, test_numbers_are_added_little_endian_and_floats_by_their_bits);
    suite_add_tcase(suite, digest);
    TCase *random = tcase_create("random");
    tcase_add_test(random, test_random_numbers_never_change);
    tcase_add_test(random, test_any_changed_bit_gives_an_unrelated_number);
    tcase_add_test(random, test_unit_floats_fill_0_to_1_evenly_without_1);
    suite_add_tcase(suite, random);
    return suite;
}
