#include <stdlib.h>
#include <string.h>

#include "suites.h"
#include "wire/message.h"

#define ARENA_BYTES  ((size_t)8 << 20)
#define FRAME_BYTES  ((size_t)64 << 10)
#define FACTOR       32
#define BUDGET_FLOOR 1024

static struct arena arena;
static const Steerd__V1__ClientMessage *message;
static uint64_t request_id;
static struct fault fault;

static void setup(void)
{
    ck_assert(arena_init(&arena, ARENA_BYTES));
}

static void teardown(void)
{
    arena_deinit(&arena);
}

/* Decodes a copy of exactly that size on the heap, so that a sanitizer sees a read past its end. */
static enum status decode(const void *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    arena_reset_to(&arena, 0);
    message = NULL;
    request_id = UINT64_MAX;
    fault = (struct fault){0};
    enum status status = message_decode(&arena, copy, size, &message, &request_id, &fault);
    memset(copy, 0xA5, size);
    free(copy);
    if (status != STATUS_OK) {
        ck_assert_int_eq(fault.status, status);
        ck_assert_str_ne(fault.text, "");
        ck_assert_uint_eq(arena.used, 0);
    }
    return status;
}

#define DECODE(text) decode((text), sizeof(text) - 1)

START_TEST(test_a_message_decodes_with_its_request_id)
{
    ck_assert_int_eq(DECODE("\x08\x07\x1a\x02\x08\x05"), STATUS_OK);
    ck_assert_uint_eq(request_id, 7);
    ck_assert_uint_eq(message->request_id, 7);
    ck_assert_int_eq(message->body_case, STEERD__V1__CLIENT_MESSAGE__BODY_PING);
    ck_assert_uint_eq(message->ping->client_time_us, 5);
}
END_TEST

START_TEST(test_strings_outlive_the_frame)
{
    ck_assert_int_eq(DECODE("\x12\x06\x12\x04name"), STATUS_OK);
    ck_assert_str_eq(message->hello->client_name, "name");
}
END_TEST

START_TEST(test_no_body_is_an_invalid_argument)
{
    ck_assert_int_eq(DECODE(""), STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text, "the message has no body: one field of the oneof is needed");
    ck_assert_uint_eq(request_id, 0);
    ck_assert_int_eq(DECODE("\x08\x63"), STATUS_INVALID_ARGUMENT);
    ck_assert_uint_eq(request_id, 99);
}
END_TEST

START_TEST(test_an_unknown_body_is_unimplemented)
{
    ck_assert_int_eq(DECODE("\x08\x63\xa2\x06\x00"), STATUS_UNIMPLEMENTED); /* field 100, empty */
    ck_assert_str_eq(fault.text, "this server does not know the message's body: protocol version 1");
    ck_assert_uint_eq(request_id, 99);
}
END_TEST

START_TEST(test_unknown_fields_are_ignored)
{
    /* In the outer message a varint (100) and bytes (101), in the body a fixed64 (50). */
    ck_assert_int_eq(
        DECODE("\xa0\x06\x01\xaa\x06\x03xyz\x1a\x0c\x08\x05\x91\x03\x01\x02\x03\x04\x05\x06\x07\x08"),
        STATUS_OK);
    ck_assert_uint_eq(message->ping->client_time_us, 5);
}
END_TEST

START_TEST(test_an_unknown_number_is_not_a_body)
{
    ck_assert_int_eq(DECODE("\xa0\x06\x01"), STATUS_INVALID_ARGUMENT);
}
END_TEST

START_TEST(test_the_last_of_two_bodies_wins)
{
    ck_assert_int_eq(DECODE("\x1a\x02\x08\x05\x12\x02\x08\x01"), STATUS_OK);
    ck_assert_int_eq(message->body_case, STEERD__V1__CLIENT_MESSAGE__BODY_HELLO);
    ck_assert_int_eq(DECODE("\x1a\x02\x08\x05\x1a\x02\x08\x06"), STATUS_OK);
    ck_assert_uint_eq(message->ping->client_time_us, 6);
}
END_TEST

START_TEST(test_text_that_is_not_utf8_is_refused_by_name)
{
    ck_assert_int_eq(DECODE("\x08\x09\x12\x03\x12\x01\xff"), STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text, "client_name is not UTF-8 text");
    ck_assert_uint_eq(request_id, 9);
    ck_assert_int_eq(DECODE("\x12\x04\x12\x02\xc0\x80"), STATUS_INVALID_ARGUMENT);     /* overlong */
    ck_assert_int_eq(DECODE("\x12\x05\x12\x03\xed\xa0\x80"), STATUS_INVALID_ARGUMENT); /* surrogate */
    ck_assert_int_eq(DECODE("\x12\x04\x12\x02\xc3\xa9"), STATUS_OK);
}
END_TEST

START_TEST(test_text_with_a_zero_byte_is_refused)
{
    ck_assert_int_eq(DECODE("\x12\x05\x12\x03"
                            "a\0b"),
                     STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text, "client_name has a zero byte in it: text without one is needed");
}
END_TEST

START_TEST(test_words_tell_which_element_has_the_bad_text)
{
    /* spawn_agents{agents{} agents{profile: ff}} */
    ck_assert_int_eq(DECODE("\x52\x07\x0a\x00\x0a\x03\x22\x01\xff"), STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text, "agents[1].profile is not UTF-8 text");
    /* query{agents{area{min: wire type 0}}} */
    ck_assert_int_eq(DECODE("\x82\x02\x06\x0a\x04\x12\x02\x08\x01"), STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text, "agents.area.min has wire type 0, which does not fit its type");
}
END_TEST

START_TEST(test_a_field_of_the_wrong_kind_is_refused)
{
    ck_assert_int_eq(DECODE("\x1a\x02\x0a\x00"), STATUS_INVALID_ARGUMENT); /* client_time_us as bytes */
    ck_assert_int_eq(DECODE("\x50\x01"), STATUS_INVALID_ARGUMENT);         /* spawn_agents as a varint */
    ck_assert_int_eq(DECODE("\x0b\x0c"), STATUS_INVALID_ARGUMENT);         /* a group */
}
END_TEST

START_TEST(test_every_truncation_of_a_message_is_refused_or_shorter)
{
    static const char whole[] = "\x08\x07\x52\x19\x0a\x15\x0a\x0a\x0d\x00\x00\x80\x3f\x15\x00\x00\x80\x3f"
                                "\x22\x07walk\xc3\xa9r\x10\x01";
    ck_assert_int_eq(decode(whole, sizeof whole - 1), STATUS_OK);
    for (size_t size = 0; size < sizeof whole - 1; size++) {
        ck_assert_int_eq(decode(whole, size), STATUS_INVALID_ARGUMENT);
        ck_assert_uint_eq(request_id, size >= 2 ? 7 : 0);
    }
}
END_TEST

START_TEST(test_long_varints)
{
    ck_assert_int_eq(DECODE("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x1a\x00"), STATUS_OK);
    ck_assert_uint_eq(message->request_id, UINT64_MAX);
    ck_assert_uint_eq(request_id, UINT64_MAX);
    ck_assert_int_eq(DECODE("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x1a\x00"),
                     STATUS_INVALID_ARGUMENT);
    ck_assert_int_eq(DECODE("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"),
                     STATUS_INVALID_ARGUMENT);                                     /* as a tag */
    ck_assert_int_eq(DECODE("\x1a\x80\x80\x80\x80\x08"), STATUS_INVALID_ARGUMENT); /* as a length: 2 GiB */
    ck_assert_int_eq(DECODE("\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), STATUS_INVALID_ARGUMENT);
    ck_assert_int_eq(DECODE("\x00\x00\x1a\x00"), STATUS_INVALID_ARGUMENT); /* field number 0 */
}
END_TEST

/* Fills a frame with copies of a piece. */
static uint8_t *repeat(const char *piece, size_t piece_size, size_t *size_out)
{
    uint8_t *bytes = malloc(FRAME_BYTES);
    ck_assert_ptr_nonnull(bytes);
    size_t size = 0;
    while (size + piece_size <= FRAME_BYTES) {
        memcpy(bytes + size, piece, piece_size);
        size += piece_size;
    }
    *size_out = size;
    return bytes;
}

static const struct {
    const char *bytes;
    size_t size;
} two_byte_fields[] = {
    {"\x08\x01", 2}, /* request_id, again and again */
    {"\x1a\x00", 2}, /* ping */
    {"\x52\x00", 2}, /* spawn_agents */
    {"\x78\x01", 2}, /* unknown number */
    {"\x7a\x00", 2}, /* teleport, empty */
};

START_TEST(test_a_frame_of_two_byte_fields_stays_within_the_budget)
{
    size_t size = 0;
    uint8_t *bytes = repeat(two_byte_fields[_i].bytes, two_byte_fields[_i].size, &size);
    enum status status = decode(bytes, size);
    ck_assert(status == STATUS_OK || status == STATUS_RESOURCE_EXHAUSTED ||
              status == STATUS_INVALID_ARGUMENT);
    ck_assert_uint_le(arena.used_peak, FACTOR * FRAME_BYTES);
    free(bytes);
}
END_TEST

START_TEST(test_a_message_over_the_budget_is_refused_in_words)
{
    /* spawn_agents with 32,000 empty agents: each is two bytes here and a struct there. */
    size_t size = 0;
    uint8_t *bytes = repeat("\x0a\x00", 2, &size);
    memmove(bytes + 4, bytes, size - 4);
    memcpy(bytes, "\x52\xfc\xff\x03", 4);
    ck_assert_int_eq(decode(bytes, size), STATUS_RESOURCE_EXHAUSTED);
    ck_assert_str_eq(
        fault.text,
        "the message needs more than 2097152 bytes of memory when decoded: the limit is 32 times the "
        "frame, at most 4194304; send fewer things in one message");
    ck_assert_uint_le(arena.used_peak, FACTOR * FRAME_BYTES);
    free(bytes);
}
END_TEST

START_TEST(test_a_full_arena_is_an_answer)
{
    struct arena small = {0};
    ck_assert(arena_init(&small, 64));
    enum status status =
        message_decode(&small, (const uint8_t *)"\x08\x07\x1a\x00", 4, &message, &request_id, &fault);
    ck_assert_int_eq(status, STATUS_RESOURCE_EXHAUSTED);
    ck_assert_str_eq(fault.text,
                     "no room for this message now: decoded messages that wait fill 64 bytes; try again");
    ck_assert_uint_eq(request_id, 7);
    ck_assert_uint_eq(small.used, 0);
    arena_deinit(&small);
}
END_TEST

START_TEST(test_deep_nesting_is_no_deeper_than_the_schema)
{
    /* A body inside a body inside a body: the inner ones are unknown fields of the first. */
    uint8_t bytes[400];
    size_t size = sizeof bytes;
    for (size_t i = 0; i + 3 <= size; i += 3) {
        size_t rest = size - i - 3;
        bytes[i] = 0x52;
        bytes[i + 1] = (uint8_t)(0x80 | (rest & 0x7F));
        bytes[i + 2] = (uint8_t)(rest >> 7);
    }
    bytes[399] = 0;
    enum status status = decode(bytes, size);
    ck_assert(status == STATUS_OK || status == STATUS_INVALID_ARGUMENT);
}
END_TEST

START_TEST(test_random_bytes_never_pass_the_budget)
{
    uint32_t random = 1;
    for (uint32_t round = 0; round < 20000; round++) {
        uint8_t bytes[48];
        size_t size = round % sizeof bytes;
        for (size_t i = 0; i < size; i++) {
            random = random * 1664525U + 1013904223U;
            bytes[i] = (uint8_t)(random >> 24);
            if (i == 0) {
                bytes[i] = (uint8_t)((bytes[i] & 0x7F) << 3 | 2); /* most begin like a body */
            }
        }
        arena.used_peak = 0;
        enum status status = decode(bytes, size);
        ck_assert(status == STATUS_OK || fault.text[0] != '\0');
        ck_assert_uint_le(arena.used_peak, size * FACTOR > BUDGET_FLOOR ? size * FACTOR : BUDGET_FLOOR);
    }
}
END_TEST

START_TEST(test_goodbye_and_pong_are_server_messages)
{
    struct blob_pool *pool = blob_pool_create(1 << 20);
    struct blob *blob = message_encode_goodbye(pool, STATUS_UNAVAILABLE, "going down", 500);
    ck_assert_ptr_nonnull(blob);
    Steerd__V1__ServerMessage *decoded = steerd__v1__server_message__unpack(NULL, blob->size, blob->bytes);
    ck_assert_ptr_nonnull(decoded);
    ck_assert_int_eq(decoded->body_case, STEERD__V1__SERVER_MESSAGE__BODY_GOODBYE);
    ck_assert_int_eq(decoded->goodbye->code, STEERD__V1__CODE__UNAVAILABLE);
    ck_assert_str_eq(decoded->goodbye->reason, "going down");
    ck_assert_uint_eq(decoded->goodbye->retry_after_ms, 500);
    steerd__v1__server_message__free_unpacked(decoded, NULL);
    blob_release(blob);

    blob = message_encode_pong(pool, 1, 2, 3);
    ck_assert_ptr_nonnull(blob);
    ck_assert_uint_eq(blob->size, 8);
    ck_assert_mem_eq(blob->bytes, "\x1a\x06\x08\x01\x10\x02\x18\x03", 8);
    blob_release(blob);
    blob_pool_destroy(pool);
}
END_TEST

START_TEST(test_a_full_pool_makes_no_message)
{
    struct blob_pool *pool = blob_pool_create(0);
    ck_assert_ptr_null(message_encode_pong(pool, 1, 2, 3));
    blob_pool_destroy(pool);
}
END_TEST

Suite *suite_wire_message(void)
{
    Suite *suite = suite_create("wire_message");
    TCase *good = tcase_create("good");
    tcase_add_checked_fixture(good, setup, teardown);
    tcase_add_test(good, test_a_message_decodes_with_its_request_id);
    tcase_add_test(good, test_strings_outlive_the_frame);
    tcase_add_test(good, test_unknown_fields_are_ignored);
    tcase_add_test(good, test_the_last_of_two_bodies_wins);
    suite_add_tcase(suite, good);
    TCase *bad = tcase_create("bad");
    tcase_add_checked_fixture(bad, setup, teardown);
    tcase_add_test(bad, test_no_body_is_an_invalid_argument);
    tcase_add_test(bad, test_an_unknown_body_is_unimplemented);
    tcase_add_test(bad, test_an_unknown_number_is_not_a_body);
    tcase_add_test(bad, test_text_that_is_not_utf8_is_refused_by_name);
    tcase_add_test(bad, test_text_with_a_zero_byte_is_refused);
    tcase_add_test(bad, test_words_tell_which_element_has_the_bad_text);
    tcase_add_test(bad, test_a_field_of_the_wrong_kind_is_refused);
    tcase_add_test(bad, test_every_truncation_of_a_message_is_refused_or_shorter);
    tcase_add_test(bad, test_long_varints);
    suite_add_tcase(suite, bad);
    TCase *budget = tcase_create("budget");
    tcase_add_checked_fixture(budget, setup, teardown);
    tcase_add_loop_test(budget, test_a_frame_of_two_byte_fields_stays_within_the_budget, 0,
                        (int)(sizeof two_byte_fields / sizeof two_byte_fields[0]));
    tcase_add_test(budget, test_a_message_over_the_budget_is_refused_in_words);
    tcase_add_test(budget, test_a_full_arena_is_an_answer);
    tcase_add_test(budget, test_deep_nesting_is_no_deeper_than_the_schema);
    tcase_add_test(budget, test_random_bytes_never_pass_the_budget);
    suite_add_tcase(suite, budget);
    TCase *encode = tcase_create("encode");
    tcase_add_test(encode, test_goodbye_and_pong_are_server_messages);
    tcase_add_test(encode, test_a_full_pool_makes_no_message);
    suite_add_tcase(suite, encode);
    return suite;
}
