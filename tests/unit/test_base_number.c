#include "base/number.h"

#include "suites.h"

static const char *const no_numbers[] = {
    "",     " ",        "x",  "1x",    " 1",     "1 ",  "1 2", "--1", "+-1", "0x10", "nan",   "inf",
    "-inf", "infinity", "1e", "1e999", "-1e999", "1,5", ".",   "-",   "+",   "e5",   "1.2.3", "\xC2\xB2",
};

START_TEST(test_what_is_no_number_is_refused_and_nothing_written)
{
    double number = 77.0;
    uint64_t whole = 77;
    ck_assert_msg(!number_parse_f64(no_numbers[_i], &number), "\"%s\"", no_numbers[_i]);
    ck_assert_msg(!number_parse_u64(no_numbers[_i], &whole), "\"%s\"", no_numbers[_i]);
    ck_assert_double_eq(number, 77.0);
    ck_assert_uint_eq(whole, 77);
}
END_TEST

START_TEST(test_numbers_people_write_are_read)
{
    static const struct {
        const char *text;
        double number;
    } cases[] = {{"0", 0},    {"-6", -6}, {"2.5", 2.5}, {"1e3", 1000}, {"-1E-2", -0.01},
                 {".5", 0.5}, {"5.", 5},  {"+3", 3},    {"0.1", 0.1},  {"1e-400", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double number = -1;
        ck_assert_msg(number_parse_f64(cases[i].text, &number), "\"%s\"", cases[i].text);
        ck_assert_double_eq(number, cases[i].number);
    }
}
END_TEST

START_TEST(test_whole_numbers_go_to_the_last_of_64_bits)
{
    uint64_t number = 0;
    ck_assert(number_parse_u64("18446744073709551615", &number));
    ck_assert(number == UINT64_MAX);
    ck_assert(number_parse_u64("007", &number));
    ck_assert_uint_eq(number, 7);
    ck_assert(!number_parse_u64("18446744073709551616", &number));
    ck_assert(!number_parse_u64("99999999999999999999", &number));
    ck_assert(!number_parse_u64("184467440737095516150", &number));
    ck_assert(!number_parse_u64("-1", &number));
    ck_assert(!number_parse_u64("+1", &number));
    ck_assert(!number_parse_u64("1.0", &number));
    ck_assert_uint_eq(number, 7);
}
END_TEST

START_TEST(test_lists_are_read_whole_or_not)
{
    double numbers[3];
    ck_assert_uint_eq(number_parse_list("1,-2.5,3", numbers, 3), 3);
    ck_assert_double_eq(numbers[1], -2.5);
    ck_assert_uint_eq(number_parse_list("7", numbers, 3), 1);
    ck_assert_uint_eq(number_parse_list("1,2,3,4", numbers, 3), 0);
    ck_assert_uint_eq(number_parse_list("", numbers, 3), 0);
    ck_assert_uint_eq(number_parse_list("1,", numbers, 3), 0);
    ck_assert_uint_eq(number_parse_list(",1", numbers, 3), 0);
    ck_assert_uint_eq(number_parse_list("1,,2", numbers, 3), 0);
    ck_assert_uint_eq(number_parse_list("1, 2", numbers, 3), 0);
    ck_assert_uint_eq(number_parse_list("1", numbers, 0), 0);
    ck_assert_uint_eq(
        number_parse_list("0.0000000000000000000000000000000000000000000000000000000000000000000000001",
                          numbers, 3),
        0);
}
END_TEST

Suite *suite_base_number(void)
{
    Suite *suite = suite_create("base_number");
    TCase *refused = tcase_create("refused");
    tcase_add_loop_test(refused, test_what_is_no_number_is_refused_and_nothing_written, 0,
                        (int)(sizeof no_numbers / sizeof no_numbers[0]));
    suite_add_tcase(suite, refused);
    TCase *read = tcase_create("read");
    tcase_add_test(read, test_numbers_people_write_are_read);
    tcase_add_test(read, test_whole_numbers_go_to_the_last_of_64_bits);
    tcase_add_test(read, test_lists_are_read_whole_or_not);
    suite_add_tcase(suite, read);
    return suite;
}
