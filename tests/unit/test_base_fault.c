#include "base/fault.h"

#include <signal.h>
#include <string.h>

#include "base/utf8.h"
#include "suites.h"

START_TEST(test_set_returns_its_status_and_keeps_the_words)
{
    struct fault fault = {0};
    ck_assert_int_eq(fault_set(&fault, STATUS_NOT_FOUND, "id %u is not an agent", 7u), STATUS_NOT_FOUND);
    ck_assert_int_eq(fault.status, STATUS_NOT_FOUND);
    ck_assert_str_eq(fault.text, "id 7 is not an agent");
}
END_TEST

START_TEST(test_nobody_needs_to_want_the_words)
{
    ck_assert_int_eq(fault_set(NULL, STATUS_ABORTED, "x"), STATUS_ABORTED);
    fault_prefix(NULL, "y");
    struct fault fault = {0};
    fault_prefix(&fault, "agents[%d].", 3);
    ck_assert_str_eq(fault.text, "");
}
END_TEST

START_TEST(test_prefixes_come_before_the_words)
{
    struct fault fault = {0};
    enum status status = fault_set(&fault, STATUS_INVALID_ARGUMENT, "position.x is nan");
    fault_prefix(&fault, "agents[%d].", 3);
    fault_prefix(&fault, "%s:%d: ", "a.yaml", 12);
    ck_assert_str_eq(fault.text, "a.yaml:12: agents[3].position.x is nan");
    ck_assert_int_eq(fault.status, status);
}
END_TEST

/* Characters of 1 to 4 bytes at every distance from the end of the buffer. */
START_TEST(test_a_cut_text_is_still_utf8)
{
    static const char *const characters[] = {"a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x9A\xB6"};
    const char *character = characters[_i];
    size_t size = strlen(character);
    for (size_t shift = 0; shift < 4; shift++) {
        char text[FAULT_TEXT_SIZE * 2] = "xxx";
        text[shift] = '\0';
        while (strlen(text) + size < sizeof text) {
            strcat(text, character);
        }
        struct fault fault = {0};
        ck_assert_int_eq(fault_set(&fault, STATUS_INTERNAL, "%s", text), STATUS_INTERNAL);
        size_t length = strlen(fault.text);
        ck_assert(utf8_is_valid(fault.text, length));
        ck_assert_uint_gt(length, FAULT_TEXT_SIZE - 1 - size);
        ck_assert_int_eq(strncmp(fault.text, text, length), 0);
        fault_prefix(&fault, "%.*s", (int)shift + 1, "1234");
        length = strlen(fault.text);
        ck_assert(utf8_is_valid(fault.text, length));
        ck_assert_uint_gt(length, FAULT_TEXT_SIZE - 1 - size);
    }
}
END_TEST

START_TEST(test_a_whole_last_character_stays)
{
    struct fault fault = {0};
    ck_assert_int_eq(fault_set(&fault, STATUS_INTERNAL, "%s", "10 \xE2\x82\xAC"), STATUS_INTERNAL);
    ck_assert_str_eq(fault.text, "10 \xE2\x82\xAC");
}
END_TEST

START_TEST(test_to_refuse_with_ok_is_our_bug)
{
    struct fault fault = {0};
    fault_set(&fault, STATUS_OK, "fine");
}
END_TEST

Suite *suite_base_fault(void)
{
    Suite *suite = suite_create("base_fault");
    TCase *words = tcase_create("words");
    tcase_add_test(words, test_set_returns_its_status_and_keeps_the_words);
    tcase_add_test(words, test_nobody_needs_to_want_the_words);
    tcase_add_test(words, test_prefixes_come_before_the_words);
    tcase_add_test_raise_signal(words, test_to_refuse_with_ok_is_our_bug, SIGABRT);
    suite_add_tcase(suite, words);
    TCase *cut = tcase_create("cut");
    tcase_add_loop_test(cut, test_a_cut_text_is_still_utf8, 0, 4);
    tcase_add_test(cut, test_a_whole_last_character_stays);
    suite_add_tcase(suite, cut);
    return suite;
}
