/* Profiles: built by name, checked in words, followed at once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/steer.h"
#include "sim_fixture.h"
#include "suites.h"

static struct steer_profile legal(void)
{
    struct steer_profile profile = {.name = "runner", .combination = STEER_COMBINATION_BUDGET};
    struct steer_profile_behaviour *behaviour;
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, "arrive", &behaviour, NULL), STATUS_OK);
    return profile;
}

static void refused(struct steer_profile profile, enum status status, const char *words)
{
    struct fault fault = {0};
    enum status got = steer_profile_check(&profile, &fault);
    ck_assert_msg(got == status && strcmp(fault.text, words) == 0, "%s '%s' instead of %s '%s'",
                  status_name(got), fault.text, status_name(status), words);
}

START_TEST(test_an_unknown_behaviour_is_refused_with_the_known_ones)
{
    struct steer_profile profile = {.name = "x"};
    struct steer_profile_behaviour *behaviour;
    struct fault fault = {0};
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, "fly", &behaviour, &fault), STATUS_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(fault.text, "behaviour \"fly\" is not known: seek, flee, arrive"));
    ck_assert_uint_eq(profile.behaviour_count, 0);
}
END_TEST

START_TEST(test_a_behaviour_comes_with_its_defaults)
{
    struct steer_profile profile = legal();
    ck_assert_float_eq(profile.behaviours[0].parameters[0], 1.0f);
    ck_assert_float_eq(profile.behaviours[0].parameters[1], 0.2f);
    ck_assert_float_eq(profile.behaviours[0].weight, 1.0f);
}
END_TEST

START_TEST(test_more_behaviours_than_fit_are_refused)
{
    struct steer_profile profile = legal();
    struct steer_profile_behaviour *behaviour;
    struct fault fault = {0};
    while (profile.behaviour_count < STEER_PROFILE_BEHAVIOURS_MAX) {
        ck_assert_int_eq(steer_profile_add_behaviour(&profile, "seek", &behaviour, NULL), STATUS_OK);
    }
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, "seek", &behaviour, &fault),
                     STATUS_RESOURCE_EXHAUSTED);
    ck_assert_str_eq(fault.text, "behaviours has 16 already: 1 to 16 are legal");
}
END_TEST

START_TEST(test_parameters_are_set_by_name_and_in_range)
{
    struct steer_profile profile = legal();
    struct fault fault = {0};
    ck_assert_int_eq(steer_profile_set_parameter(&profile.behaviours[0], "target_radius", 0.5f, &fault),
                     STATUS_OK);
    ck_assert_float_eq(profile.behaviours[0].parameters[1], 0.5f);
    ck_assert_int_eq(steer_profile_set_parameter(&profile.behaviours[0], "target_radius", 200.0f, &fault),
                     STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(fault.text, "arrive.target_radius is 200 m: 0.01 to 100 m is legal");
    ck_assert_int_eq(steer_profile_set_parameter(&profile.behaviours[0], "target_radius", NAN, &fault),
                     STATUS_INVALID_ARGUMENT);
    ck_assert_int_eq(steer_profile_set_parameter(&profile.behaviours[0], "colour", 1.0f, &fault),
                     STATUS_NOT_FOUND);
    ck_assert_str_eq(fault.text, "arrive.colour is not known: slow_radius, target_radius, time_to_target");
    ck_assert_float_eq(profile.behaviours[0].parameters[1], 0.5f);
}
END_TEST

START_TEST(test_a_behaviour_without_parameters_says_so)
{
    struct steer_profile profile = {.name = "x"};
    struct steer_profile_behaviour *behaviour;
    struct fault fault = {0};
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, "seek", &behaviour, NULL), STATUS_OK);
    ck_assert_int_eq(steer_profile_set_parameter(behaviour, "speed", 1.0f, &fault), STATUS_NOT_FOUND);
    ck_assert_str_eq(fault.text, "seek.speed is not known: seek has no parameters");
}
END_TEST

START_TEST(test_names_are_checked)
{
    const char *names[] = {"", "Runner", "a b", "a.b"};
    for (size_t i = 0; i < 4; i++) {
        struct steer_profile profile = legal();
        char words[FAULT_TEXT_SIZE];
        strcpy(profile.name, names[i]);
        snprintf(words, sizeof words, "name is \"%s\": 1 to 31 of a-z, 0-9, _ and - are needed", names[i]);
        refused(profile, STATUS_INVALID_ARGUMENT, words);
    }
    struct steer_profile profile = legal();
    memset(profile.name, 'a', sizeof profile.name); /* without its zero */
    struct fault fault;
    ck_assert_int_eq(steer_profile_check(&profile, &fault), STATUS_INVALID_ARGUMENT);
}
END_TEST

START_TEST(test_limits_take_their_defaults_and_ranges)
{
    struct steer_profile profile = legal();
    ck_assert_int_eq(steer_profile_check(&profile, NULL), STATUS_OK);
    ck_assert_float_eq(profile.limits.radius, 0.4f);
    ck_assert_float_eq(profile.limits.max_angular_accel, 1440.0f);
    profile.limits.radius = 0.04f;
    refused(profile, STATUS_OUT_OF_RANGE, "limits.radius is 0.04 m: 0.05 to 10 m is legal");
    profile.limits.radius = 0.4f;
    profile.limits.max_rotation = NAN;
    refused(profile, STATUS_INVALID_ARGUMENT,
            "limits.max_rotation is nan: a number from 1 to 3600 deg/s is needed");
}
END_TEST

START_TEST(test_behaviours_are_checked)
{
    struct steer_profile profile = legal();
    profile.behaviours[0].weight = 0.0f;
    refused(profile, STATUS_OUT_OF_RANGE,
            "behaviours[0].arrive.weight is 0: more than 0 and at most 100 is legal");
    profile.behaviours[0].weight = 101.0f;
    refused(profile, STATUS_OUT_OF_RANGE, "behaviours[0].arrive.weight is 101: 0 to 100 is legal");
    profile.behaviours[0].weight = 1.0f;
    profile.behaviours[0].group = 8;
    refused(profile, STATUS_OUT_OF_RANGE, "behaviours[0].arrive.group is 8: 0 to 7 is legal");
    profile.behaviours[0].group = 0;
    profile.behaviours[0].parameters[0] = 0.0f;
    refused(profile, STATUS_OUT_OF_RANGE, "behaviours[0].arrive.slow_radius is 0 m: 0.01 to 1000 m is legal");
    profile = legal();
    profile.combination = 7;
    refused(profile, STATUS_INVALID_ARGUMENT, "combination is 7: blend, priority or budget is needed");
    profile = legal();
    profile.rest = 7;
    refused(profile, STATUS_INVALID_ARGUMENT, "rest is 7: brake, stop or coast is needed");
    profile = legal();
    profile.behaviour_count = 0;
    refused(profile, STATUS_INVALID_ARGUMENT, "behaviours has 0 entries: 1 to 16 are legal");
}
END_TEST

START_TEST(test_behaviours_that_remember_too_much_together_are_refused)
{
    struct steer_profile profile = {.name = "x"};
    struct steer_profile_behaviour *behaviour;
    for (int i = 0; i < 16; i++) {
        ck_assert_int_eq(steer_profile_add_behaviour(&profile, "avoid_obstacles", &behaviour, NULL),
                         STATUS_OK);
    }
    struct fault fault = {0};
    ck_assert_int_eq(steer_profile_check(&profile, &fault), STATUS_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(fault.text, "at most 8 are legal, name fewer of them"));
}
END_TEST

START_TEST(test_walker_is_there_with_what_it_is_known_for)
{
    struct steer_world *world = sim_fixture_world();
    ck_assert_uint_eq(steer_world_profile_count(world), 1);
    const struct steer_profile *walker = steer_world_profile(world, 0);
    ck_assert_str_eq(walker->name, "walker");
    ck_assert_int_eq(walker->combination, STEER_COMBINATION_BUDGET);
    ck_assert_float_eq(walker->limits.max_speed, 1.5f);
    const char *names[] = {"avoid_obstacles", "avoid_agents", "arrive", "follow_path", "look_where_going"};
    const uint32_t groups[] = {0, 0, 1, 1, 1};
    ck_assert_uint_eq(walker->behaviour_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_str_eq(steer_behaviour_info(walker->behaviours[i].behaviour)->name, names[i]);
        ck_assert_uint_eq(walker->behaviours[i].group, groups[i]);
    }
    steer_world_destroy(world);
}
END_TEST

START_TEST(test_a_redefined_profile_is_followed_at_once_and_own_limits_stay)
{
    struct steer_world *world = sim_fixture_world();
    sim_fixture_profile(world, "stand", "seek", STEER_REST_BRAKE);
    struct steer_agent_spec specs[2] = {{.position_m = {0, 0}, .profile = "stand"},
                                        {.position_m = {5, 0}, .profile = "stand", .radius_m = 1.0f}};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_agents(world, specs, 2, &made, NULL), STATUS_OK);
    struct steer_profile changed = *steer_world_profile(world, 1);
    changed.limits.radius = 2.0f;
    ck_assert_int_eq(steer_world_define_profile(world, &changed, NULL), STATUS_OK);
    ck_assert_uint_eq(steer_world_profile_count(world), 2);
    ck_assert_float_eq(steer_world_agents(world).radius_m[0], 2.0f);
    ck_assert_float_eq(steer_world_agents(world).radius_m[1], 1.0f);
    struct steer_agent_selection all = {.all = true};
    ck_assert_int_eq(steer_world_set_profile(world, &all, "walker", NULL), STATUS_OK);
    ck_assert_float_eq(steer_world_agents(world).radius_m[0], 0.4f);
    ck_assert_float_eq(steer_world_agents(world).radius_m[1], 1.0f);
    steer_world_destroy(world);
}
END_TEST

START_TEST(test_profiles_beyond_the_limit_are_refused_but_not_replacements)
{
    struct steer_world *world = sim_fixture_world();
    struct fault fault = {0};
    struct steer_profile profile = legal();
    for (uint32_t i = 1; i < 64; i++) {
        snprintf(profile.name, sizeof profile.name, "p%u", i);
        ck_assert_int_eq(steer_world_define_profile(world, &profile, &fault), STATUS_OK);
    }
    strcpy(profile.name, "last");
    ck_assert_int_eq(steer_world_define_profile(world, &profile, &fault), STATUS_RESOURCE_EXHAUSTED);
    ck_assert_str_eq(fault.text, "profile \"last\" is one too many: 64 are the most");
    strcpy(profile.name, "p7");
    ck_assert_int_eq(steer_world_define_profile(world, &profile, &fault), STATUS_OK);
    steer_world_destroy(world);
}
END_TEST

Suite *suite_sim_profile(void)
{
    Suite *suite = suite_create("sim_profile");
    TCase *building = tcase_create("building");
    tcase_add_test(building, test_an_unknown_behaviour_is_refused_with_the_known_ones);
    tcase_add_test(building, test_a_behaviour_comes_with_its_defaults);
    tcase_add_test(building, test_more_behaviours_than_fit_are_refused);
    tcase_add_test(building, test_parameters_are_set_by_name_and_in_range);
    tcase_add_test(building, test_a_behaviour_without_parameters_says_so);
    suite_add_tcase(suite, building);
    TCase *check = tcase_create("check");
    tcase_add_test(check, test_names_are_checked);
    tcase_add_test(check, test_limits_take_their_defaults_and_ranges);
    tcase_add_test(check, test_behaviours_are_checked);
    tcase_add_test(check, test_behaviours_that_remember_too_much_together_are_refused);
    suite_add_tcase(suite, check);
    TCase *world = tcase_create("world");
    tcase_add_test(world, test_walker_is_there_with_what_it_is_known_for);
    tcase_add_test(world, test_a_redefined_profile_is_followed_at_once_and_own_limits_stay);
    tcase_add_test(world, test_profiles_beyond_the_limit_are_refused_but_not_replacements);
    suite_add_tcase(suite, world);
    return suite;
}
