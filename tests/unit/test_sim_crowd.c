/* Crowds: placed without overlap, the same from the same seed, with targets of their own. */
#include <math.h>
#include <string.h>

#include "sim_fixture.h"
#include "suites.h"

static struct steer_world *world;
static struct steer_world_made made;
static struct fault fault;

static void setup(void)
{
    world = sim_fixture_world();
    fault = (struct fault){0};
}

static void teardown(void)
{
    steer_world_destroy(world);
}

static struct steer_crowd_spec dense(uint32_t count)
{
    return (struct steer_crowd_spec){.count = count, .min_m = {-40, -40}, .max_m = {40, 40}, .seed = 7};
}

static void refused(struct steer_crowd_spec spec, enum status status, const char *words)
{
    uint64_t digest = steer_world_digest(world);
    enum status got = steer_world_spawn_crowd(world, &spec, &made, &fault);
    ck_assert_msg(got == status && strcmp(fault.text, words) == 0, "%s '%s' instead of %s '%s'",
                  status_name(got), fault.text, status_name(status), words);
    ck_assert_uint_eq(steer_world_digest(world), digest);
}

START_TEST(test_a_crowd_stands_inside_its_area_without_overlap_and_out_of_obstacles)
{
    sim_fixture_box(world, vec2(0, 0), vec2(20, 30));
    sim_fixture_agent(world, vec2(-30, 0), (struct steer_goal){0}, "");
    struct steer_crowd_spec spec = dense(2500);
    ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, &fault), STATUS_OK);
    ck_assert_uint_eq(made.first_id, 2);
    ck_assert_uint_eq(made.count, 2500);
    ck_assert_float_ge(sim_fixture_gap(world), -1e-6f);
    ck_assert_float_ge(sim_fixture_obstacle_gap(world), 0.0f);
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t i = 0; i < agents.count; i++) {
        ck_assert_float_le(fabsf(agents.x_m[i]), 39.6f);
        ck_assert_float_le(fabsf(agents.y_m[i]), 39.6f);
    }
}
END_TEST

START_TEST(test_the_same_seed_makes_the_same_crowd_and_another_another)
{
    uint64_t digests[3];
    for (uint32_t i = 0; i < 3; i++) {
        struct steer_world *other = sim_fixture_world();
        struct steer_crowd_spec spec = dense(500);
        spec.seed = i == 2 ? 8 : 7;
        ck_assert_int_eq(steer_world_spawn_crowd(other, &spec, &made, &fault), STATUS_OK);
        digests[i] = steer_world_digest(other);
        steer_world_destroy(other);
    }
    ck_assert_uint_eq(digests[0], digests[1]);
    ck_assert_uint_ne(digests[0], digests[2]);
}
END_TEST

START_TEST(test_a_crowd_that_is_too_dense_gives_up_in_bounded_work)
{
    struct steer_crowd_spec spec = {.count = 4000, .min_m = {-20, -20}, .max_m = {20, 20}};
    (void)steer_world_take_work(world);
    ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, &fault), STATUS_FAILED_PRECONDITION);
    uint64_t work = steer_world_take_work(world);
    ck_assert_uint_gt(work, 16 * 100000);
    ck_assert_uint_lt(work, 16 * (100000 + 18 * 4000));
    ck_assert_uint_eq(steer_world_take_work(world), 0);
}
END_TEST

START_TEST(test_a_crowd_that_finds_no_room_is_refused_whole)
{
    struct steer_crowd_spec spec = dense(50);
    spec.min_m = vec2(-2, -2);
    spec.max_m = vec2(2, 2);
    uint64_t digest = steer_world_digest(world);
    ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, &fault), STATUS_FAILED_PRECONDITION);
    ck_assert_ptr_nonnull(strstr(fault.text, "count is 50: only "));
    ck_assert_ptr_nonnull(strstr(fault.text, " found room in the area, 10000 tries for the next one failed"));
    ck_assert_uint_eq(steer_world_digest(world), digest);
}
END_TEST

START_TEST(test_crowds_are_refused_in_words)
{
    struct steer_crowd_spec spec = dense(0);
    refused(spec, STATUS_OUT_OF_RANGE, "count is 0: 1 to 4096 is legal");
    spec.count = 5000;
    refused(spec, STATUS_OUT_OF_RANGE, "count is 5000: 1 to 4096 is legal");
    spec = dense(1);
    spec.min_m.x = NAN;
    refused(spec, STATUS_INVALID_ARGUMENT, "area.min.x is nan: a finite number of m is needed");
    spec.min_m.x = 50;
    refused(spec, STATUS_INVALID_ARGUMENT,
            "area runs from 50, -40 to 40, 40: a min that is nowhere greater than max is needed");
    spec.min_m.x = 39.5f;
    refused(spec, STATUS_FAILED_PRECONDITION,
            "area has no room for a disc of 0.4 m radius inside the world: a larger one is needed");
    spec = dense(1);
    spec.profile = "ghost";
    refused(spec, STATUS_NOT_FOUND,
            "profile is \"ghost\": the name of one that is defined is needed, for example walker");
    spec = dense(1);
    spec.retarget = true;
    refused(spec, STATUS_INVALID_ARGUMENT, "retarget is true without goal_area: one to draw from is needed");
    spec.goal_kind = STEER_CROWD_GOAL_AREA;
    spec.goal_min_m = vec2(500, 500);
    spec.goal_max_m = vec2(600, 600);
    refused(spec, STATUS_FAILED_PRECONDITION,
            "goal_area has no room for a disc of 0.4 m radius inside the world: a larger one is needed");
    spec = dense(1);
    spec.goal_kind = STEER_CROWD_GOAL_POINT;
    spec.goal_point_m = vec2(0, 200);
    refused(spec, STATUS_OUT_OF_RANGE, "point.y is 200 m: -100 to 100 m is legal");
    spec.goal_kind = STEER_CROWD_GOAL_PATH;
    refused(spec, STATUS_INVALID_ARGUMENT, "path.points has 0 points: 1 to 64 are legal");
}
END_TEST

static struct steer_crowd_spec retargeting(void)
{
    struct steer_crowd_spec spec = dense(1);
    spec.goal_kind = STEER_CROWD_GOAL_AREA;
    spec.goal_min_m = vec2(-10, -10);
    spec.goal_max_m = vec2(10, 10);
    spec.retarget = true;
    return spec;
}

START_TEST(test_retargeting_crowds_beyond_the_limit_are_refused_until_one_is_gone)
{
    struct steer_crowd_spec spec = retargeting();
    for (uint32_t i = 0; i < 4; i++) {
        spec.seed = i;
        ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, &fault), STATUS_OK);
    }
    refused(spec, STATUS_RESOURCE_EXHAUSTED,
            "retarget is true for one crowd too many: 4 are the most at one time");
    const uint32_t id = made.first_id;
    struct steer_target_spec target = {.agents = {.ids = &id, .count = 1}, .goal = {.kind = STEER_GOAL_NONE}};
    ck_assert_int_eq(steer_world_set_targets(world, &target, 1, &fault),
                     STATUS_OK); /* its last agent leaves the crowd */
    spec.seed = 99;
    ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, &fault), STATUS_OK);
}
END_TEST

START_TEST(test_an_agent_of_a_retargeting_crowd_goes_on_after_each_arrival)
{
    struct steer_crowd_spec spec = retargeting();
    ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, &fault), STATUS_OK);
    uint32_t arrivals = 0;
    for (uint32_t tick = 0; tick < 3000; tick++) {
        sim_fixture_run(world, 1);
        uint32_t count;
        steer_world_events(world, &count);
        arrivals += count;
        ck_assert_int_ne(steer_world_agents(world).state[0], STEER_AGENT_STATE_ARRIVED);
        steer_world_clear_changes(world);
    }
    ck_assert_uint_ge(arrivals, 4);
}
END_TEST

START_TEST(test_targets_are_drawn_inside_the_area_and_outside_obstacles)
{
    sim_fixture_circle(world, vec2(0, 0), 8);
    struct steer_crowd_spec spec = retargeting();
    spec.count = 100;
    ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, &fault), STATUS_OK);
    for (uint32_t tick = 0; tick < 600; tick++) {
        sim_fixture_run(world, 1);
        uint32_t count;
        const struct steer_world_event *events = steer_world_events(world, &count);
        for (uint32_t i = 0; i < count; i++) {
            if (events[i].kind == STEER_WORLD_EVENT_ARRIVED) {
                ck_assert_float_le(fabsf(events[i].position_m.x), 9.6f + 0.2f);
                ck_assert_float_ge(vec2_length(events[i].position_m), 8.4f);
            }
        }
        steer_world_clear_changes(world);
    }
}
END_TEST

Suite *suite_sim_crowd(void)
{
    Suite *suite = suite_create("sim_crowd");
    TCase *placing = tcase_create("placing");
    tcase_add_checked_fixture(placing, setup, teardown);
    tcase_add_test(placing, test_a_crowd_stands_inside_its_area_without_overlap_and_out_of_obstacles);
    tcase_add_test(placing, test_the_same_seed_makes_the_same_crowd_and_another_another);
    tcase_add_test(placing, test_a_crowd_that_is_too_dense_gives_up_in_bounded_work);
    tcase_add_test(placing, test_a_crowd_that_finds_no_room_is_refused_whole);
    tcase_add_test(placing, test_crowds_are_refused_in_words);
    suite_add_tcase(suite, placing);
    TCase *targets = tcase_create("targets");
    tcase_add_checked_fixture(targets, setup, teardown);
    tcase_add_test(targets, test_retargeting_crowds_beyond_the_limit_are_refused_until_one_is_gone);
    tcase_add_test(targets, test_an_agent_of_a_retargeting_crowd_goes_on_after_each_arrival);
    tcase_add_test(targets, test_targets_are_drawn_inside_the_area_and_outside_obstacles);
    suite_add_tcase(suite, targets);
    return suite;
}
