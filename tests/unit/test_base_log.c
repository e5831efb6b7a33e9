#include "base/log.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "suites.h"

#define TEXT_SIZE  (1 << 20)
#define STAMP_SIZE (sizeof "2026-11-30T22:10:00.123Z" - 1)

static char text[TEXT_SIZE];

/* A pipe; what is read from it by read_text ends at the end of the pipe. */
static int pipe_read;
static int pipe_write;

static void set_up(void)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pipe_read = ends[0];
    pipe_write = ends[1];
}

static const char *read_text(void)
{
    close(pipe_write);
    size_t used = 0;
    ssize_t got;
    while ((got = read(pipe_read, text + used, TEXT_SIZE - 1 - used)) > 0) {
        used += (size_t)got;
    }
    text[used] = '\0';
    return text;
}

static int count_lines(const char *lines)
{
    int count = 0;
    for (; *lines != '\0'; lines++) {
        count += *lines == '\n';
    }
    return count;
}

START_TEST(test_a_text_line_is_stamp_level_message_and_fields)
{
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, LOG_FORMAT_TEXT));
    log_line(LOG_LEVEL_INFO, "client connected", LOG_TEXT("address", "127.0.0.1:4711"),
             LOG_UINT("session", 7), LOG_FLOAT("load", 0.25));
    log_stop();
    const char *line = read_text();
    int year;
    int rest[5];
    int ms;
    ck_assert_int_eq(sscanf(line, "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ", &year, &rest[0], &rest[1], &rest[2],
                            &rest[3], &rest[4], &ms),
                     7);
    ck_assert_int_ge(year, 2026);
    ck_assert_str_eq(line + STAMP_SIZE,
                     " info client connected address=127.0.0.1:4711 session=7 load=0.25\n");
}
END_TEST

START_TEST(test_a_json_line_is_one_object)
{
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, LOG_FORMAT_JSON));
    log_line(LOG_LEVEL_WARN, "say \"hi\"", LOG_TEXT("a", "x\\y"), LOG_UINT("n", UINT64_MAX),
             LOG_FLOAT("f", 1.5), LOG_FLOAT("none", NAN), LOG_TEXT("nothing", NULL));
    log_stop();
    const char *line = read_text();
    ck_assert_int_eq(strncmp(line, "{\"time\":\"2", 10), 0);
    ck_assert_str_eq(line + 9 + STAMP_SIZE,
                     "\",\"level\":\"warn\",\"message\":\"say \\\"hi\\\"\",\"a\":\"x\\\\y\","
                     "\"n\":18446744073709551615,\"f\":1.5,\"none\":null,\"nothing\":null}\n");
}
END_TEST

START_TEST(test_what_would_break_a_line_or_a_terminal_is_escaped)
{
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, LOG_FORMAT_TEXT));
    log_line(LOG_LEVEL_INFO, "a\nb\x1B[31m", LOG_TEXT("v", "c\td\xFF\xC2\x85\x7F\xC3\xA4"),
             LOG_TEXT("w", "two words"), LOG_TEXT("x", "q\"\\"), LOG_TEXT("e", ""));
    log_stop();
    const char *line = read_text();
    ck_assert_str_eq(line + STAMP_SIZE, " info a\\nb\\x1b[31m v=c\\td\\xff\\x85\\x7f\xC3\xA4 w=\"two words\" "
                                        "x=\"q\\\"\\\\\" e=\"\"\n");
}
END_TEST

START_TEST(test_json_is_utf8_whatever_comes_in)
{
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, LOG_FORMAT_JSON));
    log_line(LOG_LEVEL_INFO, "m", LOG_TEXT("v", "\xFF\xC2\x85\x01\n\xC3\xA4\xE2\x82"));
    log_stop();
    ck_assert_ptr_nonnull(strstr(read_text(), "\"v\":\"\\ufffd\\u0085\\u0001\\n\xC3\xA4\\ufffd\\ufffd\"}\n"));
}
END_TEST

START_TEST(test_lines_above_the_level_are_left_out)
{
    ck_assert(log_start(pipe_write, LOG_LEVEL_WARN, LOG_FORMAT_TEXT));
    log_line(LOG_LEVEL_ERROR, "one");
    log_line(LOG_LEVEL_WARN, "two");
    log_line(LOG_LEVEL_INFO, "three");
    log_set_level(LOG_LEVEL_DEBUG);
    log_line(LOG_LEVEL_DEBUG, "four");
    log_stop();
    const char *lines = read_text();
    ck_assert_int_eq(count_lines(lines), 3);
    ck_assert_ptr_null(strstr(lines, "three"));
    ck_assert_ptr_nonnull(strstr(lines, " debug four\n"));
}
END_TEST

START_TEST(test_long_values_are_cut_and_long_lines_lose_whole_fields)
{
    static char value[3000];
    memset(value, '\x01', sizeof value - 1); /* the worst: six bytes each */
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, _i == 0 ? LOG_FORMAT_TEXT : LOG_FORMAT_JSON));
    log_line(LOG_LEVEL_INFO, value, LOG_TEXT("a", value), LOG_UINT("fits", 5), LOG_TEXT("b", value));
    log_line(LOG_LEVEL_INFO, "m", LOG_TEXT("a", value + 2000), LOG_TEXT("b", "x"));
    log_stop();
    char *lines = (char *)read_text();
    ck_assert_int_eq(count_lines(lines), 2);
    char *second = strchr(lines, '\n') + 1;
    ck_assert_uint_le((size_t)(second - lines), 4096);
    second[-1] = '\0';
    ck_assert_ptr_nonnull(strstr(lines, _i == 0 ? " fits=5" : ",\"fits\":5"));
    ck_assert_str_eq(strrchr(lines, _i == 0 ? ' ' : ','),
                     _i == 0 ? " truncated=true" : ",\"truncated\":true}");
    if (_i == 1) {
        ck_assert_ptr_null(strstr(second, "\"a\":"));
        ck_assert_ptr_nonnull(strstr(second, ",\"b\":\"x\",\"truncated\":true}\n"));
    }
}
END_TEST

START_TEST(test_at_most_12_fields)
{
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, LOG_FORMAT_TEXT));
    struct log_field fields[20];
    for (int i = 0; i < 20; i++) {
        fields[i] = LOG_UINT("n", (uint64_t)i);
    }
    log_write(LOG_LEVEL_INFO, "m", fields);
    log_stop();
    ck_assert_ptr_nonnull(strstr(read_text(), " n=11\n"));
}
END_TEST

START_TEST(test_a_pipe_nobody_reads_drops_counts_and_never_blocks)
{
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, LOG_FORMAT_TEXT));
    const int lines = 20000; /* some 1.2 MB: far more than pipe and ring hold */
    for (int i = 0; i < lines; i++) {
        log_line(LOG_LEVEL_INFO, "a line of some length", LOG_UINT("number", (uint64_t)i));
    }
    ck_assert(log_lines_dropped() > 0); /* and here we are: not blocked */
    uint64_t before_ns = clock_monotonic_ns();
    log_stop();
    ck_assert(clock_monotonic_ns() - before_ns >= 400000000u); /* it did try; that it ends is the test */
    const char *all = read_text();
    uint64_t written = (uint64_t)count_lines(all);
    /* The piece that was under way when the writer was ended may be half in the pipe. */
    ck_assert(written + log_lines_dropped() <= (uint64_t)lines);
    ck_assert(written + log_lines_dropped() + 100 >= (uint64_t)lines);
}
END_TEST

START_TEST(test_when_reading_goes_on_a_line_tells_how_many_were_dropped)
{
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, LOG_FORMAT_TEXT));
    const int lines = 20000;
    for (int i = 0; i < lines; i++) {
        log_line(LOG_LEVEL_INFO, "a line of some length", LOG_UINT("number", (uint64_t)i));
    }
    size_t used = 0;
    char *told = NULL;
    while (told == NULL || strchr(told, '\n') == NULL) {
        ssize_t got = read(pipe_read, text + used, TEXT_SIZE - 1 - used);
        ck_assert_int_gt(got, 0);
        used += (size_t)got;
        text[used] = '\0';
        told = strstr(text, " warn log lines dropped");
    }
    uint64_t dropped = strtoull(strstr(told, "lines=") + strlen("lines="), NULL, 10);
    ck_assert(dropped == log_lines_dropped());
    ck_assert(dropped + (uint64_t)count_lines(text) - 1 == (uint64_t)lines);
    log_stop();
}
END_TEST

START_TEST(test_a_closed_pipe_harms_nobody)
{
    close(pipe_read);
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, LOG_FORMAT_TEXT));
    for (int i = 0; i < 100; i++) {
        log_line(LOG_LEVEL_INFO, "nobody hears this");
    }
    log_stop();
    ck_assert(log_lines_dropped() == 100);
}
END_TEST

static void *read_slowly(void *argument)
{
    (void)argument;
    size_t used = 0;
    ssize_t got;
    while ((got = read(pipe_read, text + used, 1000)) > 0) {
        used += (size_t)got;
    }
    text[used] = '\0';
    return NULL;
}

/* Writes that take a part or nothing are continued. */
START_TEST(test_a_non_blocking_descriptor_gets_every_line)
{
    ck_assert_int_eq(fcntl(pipe_write, F_SETFL, O_NONBLOCK), 0);
    ck_assert(log_start(pipe_write, LOG_LEVEL_INFO, LOG_FORMAT_TEXT));
    const int lines = 3000; /* some 150 KiB: more than the pipe holds, less than the ring */
    for (int i = 0; i < lines; i++) {
        log_line(LOG_LEVEL_INFO, "a line of some length");
    }
    pthread_t reader;
    ck_assert_int_eq(pthread_create(&reader, NULL, read_slowly, NULL), 0);
    log_stop();
    close(pipe_write);
    pthread_join(reader, NULL);
    ck_assert(log_lines_dropped() == 0);
    ck_assert_int_eq(count_lines(text), lines);
}
END_TEST

START_TEST(test_outside_start_and_stop_lines_go_to_stderr)
{
    dup2(pipe_write, STDERR_FILENO);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    log_line(LOG_LEVEL_INFO, "before");
    ck_assert(log_start(ends[1], LOG_LEVEL_INFO, LOG_FORMAT_TEXT));
    log_line(LOG_LEVEL_INFO, "between");
    log_stop();
    log_stop();
    log_line(LOG_LEVEL_INFO, "after");
    close(STDERR_FILENO);
    const char *lines = read_text();
    ck_assert_int_eq(count_lines(lines), 2);
    ck_assert_ptr_nonnull(strstr(lines, " info before\n"));
    ck_assert_ptr_nonnull(strstr(lines, " info after\n"));
}
END_TEST

#define THREADS 4
#define LINES   1000

static void *write_lines(void *argument)
{
    for (int i = 0; i < LINES; i++) {
        log_line(LOG_LEVEL_INFO, "m", LOG_UINT("thread", (uint64_t)(uintptr_t)argument),
                 LOG_UINT("line", (uint64_t)i));
    }
    return NULL;
}

/* Each thread's lines are whole and in its order. */
START_TEST(test_any_thread_may_write)
{
    FILE *file = tmpfile();
    ck_assert(log_start(fileno(file), LOG_LEVEL_INFO, LOG_FORMAT_TEXT));
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, write_lines, (void *)i), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    log_stop();
    rewind(file);
    int lines = 0;
    int next[THREADS] = {0};
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned thread;
        int number;
        if (sscanf(line + STAMP_SIZE, " info m thread=%u line=%d\n", &thread, &number) == 2) {
            ck_assert_uint_lt(thread, THREADS);
            ck_assert_int_ge(number, next[thread]);
            next[thread] = number + 1;
            lines++;
        }
    }
    ck_assert(lines + (int)log_lines_dropped() == THREADS * LINES);
    fclose(file);
}
END_TEST

START_TEST(test_the_writer_starts_and_stops_while_others_write)
{
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, write_lines, NULL), 0);
    for (int i = 0; i < 50; i++) {
        ck_assert(log_start(null, LOG_LEVEL_INFO, i % 2 == 0 ? LOG_FORMAT_JSON : LOG_FORMAT_TEXT));
        log_stop();
    }
    pthread_join(thread, NULL);
}
END_TEST

Suite *suite_base_log(void)
{
    Suite *suite = suite_create("base_log");
    TCase *lines = tcase_create("lines");
    tcase_add_checked_fixture(lines, set_up, NULL);
    tcase_add_test(lines, test_a_text_line_is_stamp_level_message_and_fields);
    tcase_add_test(lines, test_a_json_line_is_one_object);
    tcase_add_test(lines, test_what_would_break_a_line_or_a_terminal_is_escaped);
    tcase_add_test(lines, test_json_is_utf8_whatever_comes_in);
    tcase_add_test(lines, test_lines_above_the_level_are_left_out);
    tcase_add_loop_test(lines, test_long_values_are_cut_and_long_lines_lose_whole_fields, 0, 2);
    tcase_add_test(lines, test_at_most_12_fields);
    suite_add_tcase(suite, lines);
    TCase *pipes = tcase_create("pipes");
    tcase_add_checked_fixture(pipes, set_up, NULL);
    tcase_set_timeout(pipes, 60);
    tcase_add_test(pipes, test_a_pipe_nobody_reads_drops_counts_and_never_blocks);
    tcase_add_test(pipes, test_when_reading_goes_on_a_line_tells_how_many_were_dropped);
    tcase_add_test(pipes, test_a_closed_pipe_harms_nobody);
    tcase_add_test(pipes, test_a_non_blocking_descriptor_gets_every_line);
    tcase_add_test(pipes, test_outside_start_and_stop_lines_go_to_stderr);
    suite_add_tcase(suite, pipes);
    TCase *threads = tcase_create("threads");
    tcase_add_checked_fixture(threads, set_up, NULL);
    tcase_set_timeout(threads, 60);
    tcase_add_test(threads, test_any_thread_may_write);
    tcase_add_test(threads, test_the_writer_starts_and_stops_while_others_write);
    suite_add_tcase(suite, threads);
    return suite;
}
