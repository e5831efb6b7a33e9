#include "base/utf8.h"

#include <string.h>

#include "suites.h"

START_TEST(test_utf8_takes_what_rfc_3629_takes)
{
    static const struct {
        const char *text;
        size_t size;
    } cases[] = {
        {"a", 1},                /* */
        {"\x7F", 1},             /* last of one byte */
        {"\x80", 0},             /* continues nothing */
        {"\xC0\x80", 0},         /* overlong */
        {"\xC1\xBF", 0},         /* overlong */
        {"\xC2\x80", 2},         /* first of two */
        {"\xDF\xBF", 2},         /* last of two */
        {"\xC2", 0},             /* cut off */
        {"\xC2x", 0},            /* */
        {"\xE0\x9F\xBF", 0},     /* overlong */
        {"\xE0\xA0\x80", 3},     /* first of three */
        {"\xED\x9F\xBF", 3},     /* last before the surrogates */
        {"\xED\xA0\x80", 0},     /* a surrogate */
        {"\xEE\x80\x80", 3},     /* first after them */
        {"\xEF\xBF\xBF", 3},     /* last of three */
        {"\xE2\x82", 0},         /* cut off */
        {"\xE2\x82x", 0},        /* */
        {"\xF0\x8F\xBF\xBF", 0}, /* overlong */
        {"\xF0\x90\x80\x80", 4}, /* first of four */
        {"\xF4\x8F\xBF\xBF", 4}, /* U+10FFFF */
        {"\xF4\x90\x80\x80", 0}, /* above */
        {"\xF5\x80\x80\x80", 0}, /* above */
        {"\xF0\x9F\x9A", 0},     /* cut off */
        {"\xFF", 0},             /* never */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size = strlen(cases[i].text);
        ck_assert_msg(utf8_character_size(cases[i].text, size) == cases[i].size, "case %zu", i);
        ck_assert_int_eq(utf8_is_valid(cases[i].text, size), cases[i].size == size);
    }
    ck_assert_uint_eq(utf8_character_size("", 0), 0);
    ck_assert(utf8_is_valid("", 0));
    ck_assert(utf8_is_valid("a\0b", 3));
}
END_TEST

START_TEST(test_utf8_cut_never_cuts_a_character)
{
    const char *text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x9A\xB6";
    static const size_t cuts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    for (size_t size_max = 0; size_max < sizeof cuts / sizeof cuts[0]; size_max++) {
        ck_assert_uint_eq(utf8_cut(text, 10, size_max), cuts[size_max]);
    }
    ck_assert_uint_ge(utf8_cut("\x80\x80\x80\x80\x80\x80\x80\x80", 8, 6),
                      3); /* no UTF-8: does not run back far */
}
END_TEST

Suite *suite_base_utf8(void)
{
    Suite *suite = suite_create("base_utf8");
    TCase *utf8 = tcase_create("utf8");
    tcase_add_test(utf8, test_utf8_takes_what_rfc_3629_takes);
    tcase_add_test(utf8, test_utf8_cut_never_cuts_a_character);
    suite_add_tcase(suite, utf8);
    return suite;
}
