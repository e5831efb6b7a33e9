#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/serve_options.h"
#include "suites.h"

static char config_path[] = "/tmp/steerd-config-XXXXXX";
static struct option_set *options;
static struct server_config config;
static struct fault fault;
static bool usage;

static void options_setup(void)
{
    strcpy(config_path + strlen(config_path) - 6, "XXXXXX");
    int descriptor = mkstemp(config_path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
    unsetenv("STEERD_TICK_RATE");
    options = serve_options_create();
    ck_assert_ptr_nonnull(options);
    fault = (struct fault){0};
}

static void options_teardown(void)
{
    option_set_destroy(options);
    unlink(config_path);
}

static void options_write_file(const char *text)
{
    FILE *file = fopen(config_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

/* words: separated by blanks; FILE stands for the config file. */
static enum status options_read(const char *words)
{
    static char text[512];
    char *argv[32];
    int argc = 0;
    snprintf(text, sizeof text, "%s", words);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = strcmp(word, "FILE") == 0 ? config_path : word;
    }
    enum status status = serve_options_read(options, argc, argv, &usage, &fault);
    return status == STATUS_OK ? serve_options_config(options, &config, &fault) : status;
}

static void options_assert_refused(const char *words, const char *said)
{
    ck_assert_int_ne(options_read(words), STATUS_OK);
    ck_assert_msg(strstr(fault.text, said) != NULL, "\"%s\" does not hold \"%s\"", fault.text, said);
}

START_TEST(test_defaults_are_those_of_the_documentation)
{
    ck_assert_int_eq(options_read(""), STATUS_OK);
    ck_assert_uint_eq(config.world.tick_rate_hz, 30);
    ck_assert_uint_eq(config.snapshot_interval_ticks, 2);
    ck_assert_float_eq(config.world.min_m.x, -100.0f);
    ck_assert_float_eq(config.world.max_m.y, 100.0f);
    ck_assert_uint_eq(config.world.agents_max, 100000);
    ck_assert_uint_eq(config.connections_max, 5000);
    ck_assert_uint_ge(config.threads, 1);
    ck_assert_uint_eq(config.client_frame_bytes_max, 65536);
    ck_assert_uint_eq(config.server_frame_bytes_max, 4194304);
    ck_assert_uint_eq(config.queue_bytes_max, 131072);
}
END_TEST

START_TEST(test_the_flag_beats_the_environment_and_that_beats_the_file)
{
    options_write_file("tick_rate: 20\nagents_max: 7\nworld_min: [-5, -6]\n");
    setenv("STEERD_TICK_RATE", "40", 1);
    ck_assert_int_eq(options_read("--config FILE"), STATUS_OK);
    ck_assert_uint_eq(config.world.tick_rate_hz, 40);
    ck_assert_uint_eq(config.world.agents_max, 7);
    ck_assert_float_eq(config.world.min_m.y, -6.0f);
    option_set_destroy(options);
    options = serve_options_create();
    ck_assert_int_eq(options_read("--config FILE --tick-rate 60"), STATUS_OK);
    ck_assert_uint_eq(config.world.tick_rate_hz, 60);
}
END_TEST

START_TEST(test_an_unknown_key_is_refused_with_file_and_line)
{
    options_write_file("tick_rate: 20\ntick_rat: 20\n");
    options_assert_refused("--config FILE", ":2: ");
    ck_assert_ptr_nonnull(strstr(fault.text, "tick_rat"));
    ck_assert(!usage);
}
END_TEST

START_TEST(test_a_file_value_out_of_range_is_refused_with_the_range)
{
    options_write_file("tick_rate: 500\n");
    options_assert_refused("--config FILE", ":1: ");
    ck_assert_ptr_nonnull(strstr(fault.text, "240"));
}
END_TEST

START_TEST(test_a_flag_out_of_range_is_wrong_usage)
{
    options_assert_refused("--tick-rate 0", "[1, 240]");
    ck_assert(usage);
}
END_TEST

START_TEST(test_unknown_flags_and_words_are_refused)
{
    options_assert_refused("--tick-rat 30", "tick-rat");
    options_assert_refused("walk", "walk: serve takes no words");
}
END_TEST

START_TEST(test_without_tokens_only_loopback_may_be_listened_on)
{
    ck_assert_int_eq(options_read("--listen 127.0.0.1:0"), STATUS_OK);
    ck_assert_uint_eq(config.listen_count, 1);
    option_set_destroy(options);
    options = serve_options_create();
    options_assert_refused("--listen 0.0.0.0:7400", "reaches beyond this machine");
    option_set_destroy(options);
    options = serve_options_create();
    options_assert_refused("--listen :7400", "reaches beyond this machine");
}
END_TEST

START_TEST(test_open_listens_everywhere_and_so_do_tokens)
{
    ck_assert_int_eq(options_read("--open"), STATUS_OK);
    ck_assert_uint_eq(config.listen_count, 1);
    ck_assert_str_eq(config.listen[0].host, "");
    ck_assert_uint_eq(config.listen[0].port, 7400);
    option_set_destroy(options);
    options = serve_options_create();
    ck_assert_int_eq(options_read("--tokens FILE --listen 0.0.0.0:1 --listen [::]:2"), STATUS_OK);
    ck_assert_uint_eq(config.listen_count, 2);
    ck_assert_str_eq(config.listen[1].host, "::");
    ck_assert_str_eq(config.tokens_path, config_path);
}
END_TEST

START_TEST(test_by_default_loopback_is_listened_on)
{
    ck_assert_int_eq(options_read(""), STATUS_OK);
    ck_assert_uint_ge(config.listen_count, 1);
    for (uint32_t i = 0; i < config.listen_count; i++) {
        ck_assert(endpoint_is_loopback(&config.listen[i]));
        ck_assert_uint_eq(config.listen[i].port, 7400);
    }
}
END_TEST

START_TEST(test_tokens_and_open_do_not_go_together)
{
    options_assert_refused("--tokens FILE --open", "do not go together");
}
END_TEST

START_TEST(test_a_world_without_room_is_wrong_usage)
{
    options_assert_refused("--world-min 5,0 --world-max 5,9",
                           "--world-max 5,9 is not 1 m beyond --world-min 5,0 on both axes");
    ck_assert(usage);
}
END_TEST

START_TEST(test_only_what_was_given_overrides_a_scenario)
{
    ck_assert_int_eq(options_read("--tick-rate 60"), STATUS_OK);
    struct steer_world_config world = {
        .tick_rate_hz = 10, .seed = 77, .min_m = {-1.0f, -2.0f}, .agents_max = 5};
    serve_options_override_world(options, &world);
    ck_assert_uint_eq(world.tick_rate_hz, 60);
    ck_assert_uint_eq(world.seed, 77);
    ck_assert_float_eq(world.min_m.y, -2.0f);
    ck_assert_uint_eq(world.agents_max, 5);
}
END_TEST

Suite *suite_app_serve_options(void)
{
    Suite *suite = suite_create("app_serve_options");
    TCase *sources = tcase_create("sources");
    tcase_add_checked_fixture(sources, options_setup, options_teardown);
    tcase_add_test(sources, test_defaults_are_those_of_the_documentation);
    tcase_add_test(sources, test_the_flag_beats_the_environment_and_that_beats_the_file);
    tcase_add_test(sources, test_an_unknown_key_is_refused_with_file_and_line);
    tcase_add_test(sources, test_a_file_value_out_of_range_is_refused_with_the_range);
    tcase_add_test(sources, test_a_flag_out_of_range_is_wrong_usage);
    tcase_add_test(sources, test_unknown_flags_and_words_are_refused);
    tcase_add_test(sources, test_a_world_without_room_is_wrong_usage);
    tcase_add_test(sources, test_only_what_was_given_overrides_a_scenario);
    suite_add_tcase(suite, sources);
    TCase *listen = tcase_create("listen");
    tcase_add_checked_fixture(listen, options_setup, options_teardown);
    tcase_add_test(listen, test_without_tokens_only_loopback_may_be_listened_on);
    tcase_add_test(listen, test_open_listens_everywhere_and_so_do_tokens);
    tcase_add_test(listen, test_by_default_loopback_is_listened_on);
    tcase_add_test(listen, test_tokens_and_open_do_not_go_together);
    suite_add_tcase(suite, listen);
    return suite;
}
