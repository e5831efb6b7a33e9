#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "suites.h"

/* A command line taken apart as ctl_run does it, up to the message. */
static struct {
    struct option_set *options;
    struct arena arena;
    Steerd__V1__ClientMessage message;
    struct fault fault;
    struct option_spec specs[64];
} made;

static const struct ctl_command *find(const char *name, const char *action)
{
    for (size_t i = 0; i < ctl_row_count; i++) {
        if (strcmp(ctl_rows[i].name, name) == 0 && strcmp(ctl_rows[i].action, action) == 0) {
            return ctl_rows[i].command;
        }
    }
    ck_abort_msg("no command %s %s", name, action);
    return NULL;
}

/* Builds the message of a command from words that are parted by single blanks. */
static enum status build(const char *name, const char *action, const char *text)
{
    static char words[512];
    char *argv[64];
    int argc = 0;
    const struct ctl_command *command = find(name, action);
    snprintf(words, sizeof words, "%s", text);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    made.message = (Steerd__V1__ClientMessage)STEERD__V1__CLIENT_MESSAGE__INIT;
    made.fault = (struct fault){0};
    if (command->option_count > 0) {
        memcpy(made.specs, command->options, command->option_count * sizeof made.specs[0]);
    }
    made.options = option_set_create(made.specs, command->option_count);
    ck_assert(arena_init(&made.arena, CTL_ARENA_BYTES));
    enum status status = option_set_parse_arguments(made.options, argc, argv, &made.fault);
    return status == STATUS_OK ? command->build(made.options, &made.arena, &made.message, &made.fault)
                               : status;
}

static void teardown(void)
{
    option_set_destroy(made.options);
    arena_deinit(&made.arena);
    made.options = NULL;
}

START_TEST(test_spawn_with_a_negative_position_and_a_target)
{
    ck_assert_int_eq(
        build("spawn", "", "--position -6,0 --velocity=-1,0.5 --target 6,-2 --tag 18446744073709551615"),
        STATUS_OK);
    ck_assert_int_eq(made.message.body_case, STEERD__V1__CLIENT_MESSAGE__BODY_SPAWN_AGENTS);
    const Steerd__V1__AgentSpec *agent = made.message.spawn_agents->agents[0];
    ck_assert_float_eq(agent->position->x, -6.0f);
    ck_assert_float_eq(agent->velocity->x, -1.0f);
    ck_assert_int_eq(agent->goal_case, STEERD__V1__AGENT_SPEC__GOAL_POINT);
    ck_assert_float_eq(agent->point->y, -2.0f);
    ck_assert_uint_eq(agent->tag, UINT64_MAX);
    ck_assert_str_eq(agent->profile, "walker");
    ck_assert_float_eq(agent->radius, 0.0f);
}
END_TEST

START_TEST(test_spawn_with_a_path_and_with_one_to_follow)
{
    ck_assert_int_eq(build("spawn", "", "--position 0,0 --path 1,2,3,4,5,6"), STATUS_OK);
    const Steerd__V1__AgentSpec *agent = made.message.spawn_agents->agents[0];
    ck_assert_int_eq(agent->goal_case, STEERD__V1__AGENT_SPEC__GOAL_PATH);
    ck_assert_uint_eq(agent->path->n_points, 3);
    ck_assert_float_eq(agent->path->points[2]->x, 5.0f);
    teardown();
    ck_assert_int_eq(build("spawn", "", "--position 0,0 --follow 9"), STATUS_OK);
    agent = made.message.spawn_agents->agents[0];
    ck_assert_int_eq(agent->goal_case, STEERD__V1__AGENT_SPEC__GOAL_AGENT_ID);
    ck_assert_uint_eq(agent->agent_id, 9);
}
END_TEST

START_TEST(test_crowd_takes_corners_in_any_order)
{
    ck_assert_int_eq(
        build("crowd", "", "--count 100 --area 40,30,-30,-40 --seed 7 --target-area -1,-1,1,1 --retarget"),
        STATUS_OK);
    const Steerd__V1__SpawnCrowd *crowd = made.message.spawn_crowd;
    ck_assert_uint_eq(crowd->count, 100);
    ck_assert_uint_eq(crowd->seed, 7);
    ck_assert_float_eq(crowd->area->min->x, -30.0f);
    ck_assert_float_eq(crowd->area->min->y, -40.0f);
    ck_assert_float_eq(crowd->area->max->x, 40.0f);
    ck_assert_float_eq(crowd->area->max->y, 30.0f);
    ck_assert_int_eq(crowd->goal_case, STEERD__V1__SPAWN_CROWD__GOAL_GOAL_AREA);
    ck_assert(crowd->retarget);
}
END_TEST

START_TEST(test_remove_takes_ids_or_all)
{
    ck_assert_int_eq(build("remove", "", "--id 1 2 3 --id 7"), STATUS_OK);
    ck_assert_uint_eq(made.message.remove_agents->n_ids, 4);
    ck_assert_uint_eq(made.message.remove_agents->ids[3], 7);
    ck_assert(!made.message.remove_agents->all);
    teardown();
    ck_assert_int_eq(build("remove", "", "--all"), STATUS_OK);
    ck_assert_uint_eq(made.message.remove_agents->n_ids, 0);
    ck_assert(made.message.remove_agents->all);
}
END_TEST

START_TEST(test_target_takes_each_kind_of_goal)
{
    static const struct {
        const char *words;
        Steerd__V1__Target__GoalCase goal;
    } rows[] = {
        {"--id 4 --point -3,2", STEERD__V1__TARGET__GOAL_POINT},
        {"--id 4 5 --agent 9", STEERD__V1__TARGET__GOAL_AGENT_ID},
        {"--all --path 1,1,2,2", STEERD__V1__TARGET__GOAL_PATH},
        {"--all --none", STEERD__V1__TARGET__GOAL_NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_int_eq(build("target", "", rows[i].words), STATUS_OK);
        ck_assert_int_eq(made.message.set_targets->targets[0]->goal_case, rows[i].goal);
        teardown();
    }
}
END_TEST

START_TEST(test_teleport_and_drive)
{
    ck_assert_int_eq(build("teleport", "", "--id 3 --position -1,-2 --orientation 90"), STATUS_OK);
    ck_assert_uint_eq(made.message.teleport->id, 3);
    ck_assert_float_eq(made.message.teleport->position->y, -2.0f);
    ck_assert_float_eq(made.message.teleport->orientation_deg, 90.0f);
    teardown();
    ck_assert_int_eq(build("drive", "", "--id 3 --velocity -1,0"), STATUS_OK);
    ck_assert_float_eq(made.message.drive->velocity->x, -1.0f);
}
END_TEST

START_TEST(test_obstacle_place_takes_each_shape)
{
    ck_assert_int_eq(build("obstacle", "place", "--circle -1,2,0.5 --name post"), STATUS_OK);
    const Steerd__V1__Obstacle *obstacle = made.message.place_obstacles->obstacles[0];
    ck_assert_int_eq(obstacle->shape_case, STEERD__V1__OBSTACLE__SHAPE_CIRCLE);
    ck_assert_float_eq(obstacle->circle->center->x, -1.0f);
    ck_assert_float_eq(obstacle->circle->radius, 0.5f);
    ck_assert_str_eq(obstacle->name, "post");
    teardown();
    ck_assert_int_eq(build("obstacle", "place", "--box 1,2,3,4,-45"), STATUS_OK);
    obstacle = made.message.place_obstacles->obstacles[0];
    ck_assert_float_eq(obstacle->box->size->y, 4.0f);
    ck_assert_float_eq(obstacle->box->orientation_deg, -45.0f);
    teardown();
    ck_assert_int_eq(build("obstacle", "place", "--segment 0,-3,0,3"), STATUS_OK);
    obstacle = made.message.place_obstacles->obstacles[0];
    ck_assert_float_eq(obstacle->segment->a->y, -3.0f);
    ck_assert_float_eq(obstacle->segment->b->y, 3.0f);
    teardown();
    ck_assert_int_eq(build("obstacle", "place", "--polygon 0,0,1,0,1,1,0,1"), STATUS_OK);
    obstacle = made.message.place_obstacles->obstacles[0];
    ck_assert_uint_eq(obstacle->polygon->n_points, 4);
}
END_TEST

START_TEST(test_clock_commands)
{
    ck_assert_int_eq(build("clock", "pause", ""), STATUS_OK);
    ck_assert_int_eq(made.message.set_clock->pause_case, STEERD__V1__SET_CLOCK__PAUSE_PAUSED);
    ck_assert(made.message.set_clock->paused);
    teardown();
    ck_assert_int_eq(build("clock", "resume", ""), STATUS_OK);
    ck_assert_int_eq(made.message.set_clock->pause_case, STEERD__V1__SET_CLOCK__PAUSE_PAUSED);
    ck_assert(!made.message.set_clock->paused);
    teardown();
    ck_assert_int_eq(build("clock", "step", "10"), STATUS_OK);
    ck_assert(made.message.set_clock->paused);
    ck_assert_uint_eq(made.message.set_clock->step_ticks, 10);
    teardown();
    ck_assert_int_eq(build("clock", "speed", "2.5"), STATUS_OK);
    ck_assert_int_eq(made.message.set_clock->pause_case, STEERD__V1__SET_CLOCK__PAUSE__NOT_SET);
    ck_assert_float_eq(made.message.set_clock->speed, 2.5f);
}
END_TEST

START_TEST(test_profile_set_takes_ids_and_a_name)
{
    ck_assert_int_eq(build("profile", "set", "--id 1 2 runner"), STATUS_OK);
    ck_assert_uint_eq(made.message.set_profile->n_ids, 2);
    ck_assert_str_eq(made.message.set_profile->profile, "runner");
}
END_TEST

/* Command lines that are wrong usage, each for a reason of its own. */
static const struct {
    const char *name;
    const char *action;
    const char *words;
    const char *said; /* what the sentence must hold */
} wrong[] = {
    {"spawn", "", "", "--position"},
    {"spawn", "", "--position 1", "2 numbers"},
    {"spawn", "", "--position 1,nan", "nan"},
    {"spawn", "", "--position 1,2 --target 3,4 --follow 5", "at most one"},
    {"spawn", "", "--position 1,2 --path 3,4,5", "pairs"},
    {"crowd", "", "--area 1,2,3,4", "--count"},
    {"crowd", "", "--count 5", "--area"},
    {"crowd", "", "--count 0 --area 1,2,3,4", "0"},
    {"crowd", "", "--count 5 --area 1,2,3,4 --retarget", "--target-area"},
    {"remove", "", "", "--all"},
    {"remove", "", "--id 1 --all", "exactly one"},
    {"remove", "", "--id 0", "0"},
    {"target", "", "--id 1", "exactly one"},
    {"target", "", "--id 1 --none --point 1,2", "exactly one"},
    {"target", "", "--point 1,2", "--id"},
    {"teleport", "", "--id 1", "--position"},
    {"drive", "", "--velocity 1,2", "--id"},
    {"obstacle", "place", "", "exactly one"},
    {"obstacle", "place", "--circle 1,2", "3 numbers"},
    {"obstacle", "place", "--polygon 0,0,1,0,1,1,2", "pairs"},
    {"obstacle", "remove", "", "exactly one"},
    {"clock", "step", "0", "[1, 1000000]"},
    {"clock", "step", "1.5", "1.5"},
    {"clock", "speed", "9", "[0.1, 8]"},
    {"clock", "speed", "fast", "fast"},
};

START_TEST(test_wrong_usage_is_refused_with_words)
{
    ck_assert_int_ne(build(wrong[_i].name, wrong[_i].action, wrong[_i].words), STATUS_OK);
    ck_assert_msg(strstr(made.fault.text, wrong[_i].said) != NULL, "\"%s\" lacks \"%s\"", made.fault.text,
                  wrong[_i].said);
}
END_TEST

/* Runs steerctl with these words and returns its exit code; what it printed is in out and err. */
static char *out_text;
static char *err_text;

static int run(const char *text)
{
    char words[512];
    char *argv[64] = {(char *)"steerctl"};
    int argc = 1;
    size_t out_size;
    size_t err_size;
    snprintf(words, sizeof words, "%s", text);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    free(out_text);
    free(err_text);
    FILE *out = open_memstream(&out_text, &out_size);
    FILE *err = open_memstream(&err_text, &err_size);
    int code = ctl_run(argc, argv, out, err);
    fclose(out);
    fclose(err);
    return code;
}

/* One line, and it names the program. */
static void check_one_sentence(void)
{
    ck_assert_str_eq(out_text, "");
    ck_assert_msg(strncmp(err_text, "steerctl: ", 10) == 0, "%s", err_text);
    ck_assert_ptr_eq(strchr(err_text, '\n'), err_text + strlen(err_text) - 1);
}

START_TEST(test_exit_2_with_one_sentence_for_wrong_usage)
{
    static const char *const lines[] = {
        "",
        "dance",
        "obstacle",
        "obstacle dance",
        "spawn",
        "spawn --position 1,2 --colour red",
        "spawn --position 1,2 surplus",
        "--colour red spawn",
        "remove --all --token a --token-file b",
        "clock step",
        "clock step 1 2",
        "query stats --server nowhere",
        "query stats --server ::1:7400",
        "watch --around 3",
        "watch --area 0,0,1,1 --around 3 --radius 2",
        "watch --map --json",
        "watch --interval 3",
        "watch --format dense",
        "profile define",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ck_assert_msg(run(lines[i]) == CTL_EXIT_USAGE, "%s", lines[i]);
        check_one_sentence();
    }
}
END_TEST

START_TEST(test_exit_1_with_one_sentence_that_names_the_address_without_a_server)
{
    /* Port 1 of the loopback is nobody's; the option stands before, between and behind the command's
     * words. */
    static const char *const lines[] = {
        "--server 127.0.0.1:1 query stats",  "query --server=127.0.0.1:1 stats",
        "query stats --server 127.0.0.1:1",  "--json spawn --position -1,0 --server 127.0.0.1:1",
        "--server 127.0.0.1:1 watch --json", "clock pause --server 127.0.0.1:1",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ck_assert_msg(run(lines[i]) == CTL_EXIT_FAILED, "%s: %s", lines[i], err_text);
        check_one_sentence();
        ck_assert_ptr_nonnull(strstr(err_text, "127.0.0.1:1"));
    }
}
END_TEST

START_TEST(test_the_server_comes_from_the_environment_unless_an_option_says)
{
    setenv("STEERCTL_SERVER", "127.0.0.1:2", 1);
    ck_assert_int_eq(run("query digest"), CTL_EXIT_FAILED);
    ck_assert_ptr_nonnull(strstr(err_text, "127.0.0.1:2"));
    ck_assert_int_eq(run("query digest --server 127.0.0.1:1"), CTL_EXIT_FAILED);
    ck_assert_ptr_nonnull(strstr(err_text, "127.0.0.1:1"));
    unsetenv("STEERCTL_SERVER");
}
END_TEST

START_TEST(test_an_unreadable_file_is_exit_1_and_named)
{
    ck_assert_int_eq(run("profile define /nowhere/p.yaml --server 127.0.0.1:1"), CTL_EXIT_FAILED);
    check_one_sentence();
    ck_assert_ptr_nonnull(strstr(err_text, "/nowhere/p.yaml"));
    ck_assert_int_eq(run("query stats --token-file /nowhere/t --server 127.0.0.1:1"), CTL_EXIT_FAILED);
    check_one_sentence();
    ck_assert_ptr_nonnull(strstr(err_text, "/nowhere/t"));
}
END_TEST

START_TEST(test_every_row_is_whole)
{
    for (size_t i = 0; i < ctl_row_count; i++) {
        const struct ctl_command *command = ctl_rows[i].command;
        ck_assert_ptr_nonnull(command->summary);
        ck_assert_ptr_nonnull(command->usage);
        ck_assert_int_ge(command->role, STEERD__V1__ROLE__ROLE_VIEWER);
        ck_assert((command->build != NULL) != (command->run != NULL));
        ck_assert(command->build == NULL || command->say != NULL);
        for (size_t j = 0; j < command->option_count; j++) {
            ck_assert_ptr_nonnull(command->options[j].help);
        }
    }
}
END_TEST

Suite *suite_ctl_arguments(void)
{
    Suite *suite = suite_create("ctl_arguments");
    TCase *messages = tcase_create("messages");
    tcase_add_checked_fixture(messages, NULL, teardown);
    tcase_add_test(messages, test_spawn_with_a_negative_position_and_a_target);
    tcase_add_test(messages, test_spawn_with_a_path_and_with_one_to_follow);
    tcase_add_test(messages, test_crowd_takes_corners_in_any_order);
    tcase_add_test(messages, test_remove_takes_ids_or_all);
    tcase_add_test(messages, test_teleport_and_drive);
    tcase_add_test(messages, test_obstacle_place_takes_each_shape);
    tcase_add_test(messages, test_clock_commands);
    tcase_add_test(messages, test_profile_set_takes_ids_and_a_name);
    tcase_add_loop_test(messages, test_wrong_usage_is_refused_with_words, 0, sizeof wrong / sizeof wrong[0]);
    suite_add_tcase(suite, messages);
    TCase *tables = tcase_create("tables");
    tcase_add_test(tables, test_target_takes_each_kind_of_goal);
    tcase_add_test(tables, test_every_row_is_whole);
    suite_add_tcase(suite, tables);
    TCase *exits = tcase_create("exits");
    tcase_add_test(exits, test_exit_2_with_one_sentence_for_wrong_usage);
    tcase_add_test(exits, test_exit_1_with_one_sentence_that_names_the_address_without_a_server);
    tcase_add_test(exits, test_the_server_comes_from_the_environment_unless_an_option_says);
    tcase_add_test(exits, test_an_unreadable_file_is_exit_1_and_named);
    suite_add_tcase(suite, exits);
    return suite;
}
