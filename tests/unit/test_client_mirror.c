#include <math.h>
#include <string.h>

#include "steerd_mirror.h"
#include "suites.h"

static struct steerd_mirror *mirror;
static struct fault fault;

static void setup(void)
{
    fault = (struct fault){0};
    mirror = steerd_mirror_create();
    steerd_mirror_set_agents_max(mirror, 3);
}

static void teardown(void)
{
    steerd_mirror_destroy(mirror);
}

/* Applies one snapshot message of agents with these ids. */
static enum status apply(uint64_t tick, bool last, const uint32_t *ids, size_t count)
{
    Steerd__V1__AgentState agents[8];
    Steerd__V1__AgentState *pointers[8];
    for (size_t i = 0; i < count; i++) {
        steerd__v1__agent_state__init(&agents[i]);
        agents[i].id = ids[i];
        pointers[i] = &agents[i];
    }
    Steerd__V1__Snapshot snapshot = STEERD__V1__SNAPSHOT__INIT;
    snapshot.tick = tick;
    snapshot.last = last;
    snapshot.n_agents = count;
    snapshot.agents = pointers;
    bool whole;
    enum status status = steerd_mirror_apply_snapshot(mirror, &snapshot, &whole, &fault);
    ck_assert_int_eq(whole, status == STATUS_OK && last);
    return status;
}

static size_t shown(void)
{
    size_t count;
    steerd_mirror_agents(mirror, &count);
    return count;
}

START_TEST(test_a_snapshot_replaces_the_one_before)
{
    ck_assert_int_eq(apply(2, true, (uint32_t[]){1, 2, 3}, 3), STATUS_OK);
    ck_assert_int_eq(apply(4, true, (uint32_t[]){2}, 1), STATUS_OK);
    ck_assert_uint_eq(shown(), 1);
    ck_assert_ptr_null(steerd_mirror_find_agent(mirror, 1));
    ck_assert_uint_eq(steerd_mirror_tick(mirror), 4);
    ck_assert_int_eq(apply(6, true, NULL, 0), STATUS_OK);
    ck_assert_uint_eq(shown(), 0);
    ck_assert_uint_eq(steerd_mirror_snapshot_count(mirror), 3);
}
END_TEST

START_TEST(test_parts_whose_last_never_comes_are_forgotten)
{
    ck_assert_int_eq(apply(2, false, (uint32_t[]){7, 8}, 2), STATUS_OK);
    ck_assert_int_eq(apply(4, true, (uint32_t[]){1}, 1), STATUS_OK);
    ck_assert_uint_eq(shown(), 1);
    ck_assert_ptr_nonnull(steerd_mirror_find_agent(mirror, 1));
}
END_TEST

START_TEST(test_ids_that_do_not_ascend_are_refused_and_the_old_snapshot_stays)
{
    ck_assert_int_eq(apply(2, true, (uint32_t[]){1, 2}, 2), STATUS_OK);
    ck_assert_int_eq(apply(4, true, (uint32_t[]){2, 2}, 2), STATUS_DATA_LOSS);
    ck_assert_int_eq(apply(6, false, (uint32_t[]){3}, 1), STATUS_OK);
    ck_assert_int_eq(apply(6, true, (uint32_t[]){1}, 1), STATUS_DATA_LOSS);
    ck_assert_uint_eq(shown(), 2);
    ck_assert_uint_eq(steerd_mirror_tick(mirror), 2);
}
END_TEST

START_TEST(test_more_agents_than_the_world_holds_are_refused)
{
    ck_assert_int_eq(apply(2, true, (uint32_t[]){1, 2, 3, 4}, 4), STATUS_DATA_LOSS);
    ck_assert_ptr_nonnull(strstr(fault.text, "agents_max"));
}
END_TEST

START_TEST(test_numbers_that_are_not_finite_are_refused)
{
    static const float nasty[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        Steerd__V1__Vec2 position = STEERD__V1__VEC2__INIT;
        Steerd__V1__AgentState state = STEERD__V1__AGENT_STATE__INIT;
        struct steerd_agent agent;
        position.y = nasty[i];
        state.id = 1;
        state.position = &position;
        ck_assert_int_eq(steerd_agent_read(&state, &agent, &fault), STATUS_DATA_LOSS);
    }
}
END_TEST

/* Applies an update that adds a circle of that id and radius and removes another; 0: neither. */
static enum status update(uint32_t add, float radius, uint32_t remove)
{
    Steerd__V1__Circle circle = STEERD__V1__CIRCLE__INIT;
    Steerd__V1__Obstacle obstacle = STEERD__V1__OBSTACLE__INIT;
    Steerd__V1__Obstacle *obstacles[] = {&obstacle};
    Steerd__V1__WorldUpdate world = STEERD__V1__WORLD_UPDATE__INIT;
    circle.radius = radius;
    obstacle.id = add;
    obstacle.name = (char *)"post";
    obstacle.shape_case = STEERD__V1__OBSTACLE__SHAPE_CIRCLE;
    obstacle.circle = &circle;
    world.n_obstacles = add != 0;
    world.obstacles = obstacles;
    world.n_removed_obstacle_ids = remove != 0;
    world.removed_obstacle_ids = &remove;
    return steerd_mirror_apply_update(mirror, &world, &fault);
}

START_TEST(test_obstacles_come_change_and_go)
{
    size_t count;
    ck_assert_int_eq(update(9, 1.0f, 0), STATUS_OK);
    ck_assert_int_eq(update(4, 2.0f, 0), STATUS_OK);
    ck_assert_int_eq(update(9, 3.0f, 0), STATUS_OK);
    const struct steerd_obstacle *obstacles = steerd_mirror_obstacles(mirror, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(obstacles[0].id, 4);
    ck_assert_float_eq(obstacles[1].radius_m, 3.0f);
    ck_assert_str_eq(obstacles[1].name, "post");
    ck_assert_int_eq(update(0, 0.0f, 4), STATUS_OK);
    ck_assert_int_eq(update(0, 0.0f, 77), STATUS_OK);
    obstacles = steerd_mirror_obstacles(mirror, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(obstacles[0].id, 9);
    steerd_mirror_forget_obstacles(mirror);
    steerd_mirror_obstacles(mirror, &count);
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(test_an_obstacle_of_no_known_shape_is_refused)
{
    Steerd__V1__Obstacle obstacle = STEERD__V1__OBSTACLE__INIT;
    struct steerd_obstacle out;
    obstacle.id = 3;
    ck_assert_int_eq(steerd_obstacle_read(&obstacle, &out, &fault), STATUS_DATA_LOSS);
}
END_TEST

START_TEST(test_a_polygon_of_too_many_corners_is_refused)
{
    Steerd__V1__Vec2 point = STEERD__V1__VEC2__INIT;
    Steerd__V1__Vec2 *points[STEERD_SHAPE_POINTS_MAX + 1];
    Steerd__V1__Polygon polygon = STEERD__V1__POLYGON__INIT;
    Steerd__V1__Obstacle obstacle = STEERD__V1__OBSTACLE__INIT;
    struct steerd_obstacle out;
    for (size_t i = 0; i < STEERD_SHAPE_POINTS_MAX + 1; i++) {
        points[i] = &point;
    }
    polygon.points = points;
    polygon.n_points = STEERD_SHAPE_POINTS_MAX + 1;
    obstacle.id = 3;
    obstacle.shape_case = STEERD__V1__OBSTACLE__SHAPE_POLYGON;
    obstacle.polygon = &polygon;
    ck_assert_int_eq(steerd_obstacle_read(&obstacle, &out, &fault), STATUS_DATA_LOSS);
    polygon.n_points = STEERD_SHAPE_POINTS_MAX;
    ck_assert_int_eq(steerd_obstacle_read(&obstacle, &out, &fault), STATUS_OK);
    ck_assert_uint_eq(out.point_count, STEERD_SHAPE_POINTS_MAX);
}
END_TEST

START_TEST(test_profiles_are_found_by_index)
{
    Steerd__V1__Limits limits = STEERD__V1__LIMITS__INIT;
    Steerd__V1__Profile profile = STEERD__V1__PROFILE__INIT;
    Steerd__V1__Profile *profiles[] = {&profile};
    Steerd__V1__WorldUpdate world = STEERD__V1__WORLD_UPDATE__INIT;
    limits.max_speed = 3.0f;
    profile.index = 2;
    profile.name = (char *)"runner";
    profile.limits = &limits;
    world.n_profiles = 1;
    world.profiles = profiles;
    ck_assert_int_eq(steerd_mirror_apply_update(mirror, &world, &fault), STATUS_OK);
    ck_assert_str_eq(steerd_mirror_profile(mirror, 2)->name, "runner");
    ck_assert_float_eq(steerd_mirror_profile(mirror, 2)->max_speed_mps, 3.0f);
    ck_assert_ptr_null(steerd_mirror_profile(mirror, 0));
    profile.name = (char *)"a-name-of-more-than-thirty-one-bytes";
    ck_assert_int_eq(steerd_mirror_apply_update(mirror, &world, &fault), STATUS_DATA_LOSS);
}
END_TEST

Suite *suite_client_mirror(void)
{
    Suite *suite = suite_create("client_mirror");
    TCase *agents = tcase_create("agents");
    tcase_add_checked_fixture(agents, setup, teardown);
    tcase_add_test(agents, test_a_snapshot_replaces_the_one_before);
    tcase_add_test(agents, test_parts_whose_last_never_comes_are_forgotten);
    tcase_add_test(agents, test_ids_that_do_not_ascend_are_refused_and_the_old_snapshot_stays);
    tcase_add_test(agents, test_more_agents_than_the_world_holds_are_refused);
    tcase_add_test(agents, test_numbers_that_are_not_finite_are_refused);
    suite_add_tcase(suite, agents);
    TCase *world = tcase_create("world");
    tcase_add_checked_fixture(world, setup, teardown);
    tcase_add_test(world, test_obstacles_come_change_and_go);
    tcase_add_test(world, test_an_obstacle_of_no_known_shape_is_refused);
    tcase_add_test(world, test_a_polygon_of_too_many_corners_is_refused);
    tcase_add_test(world, test_profiles_are_found_by_index);
    suite_add_tcase(suite, world);
    return suite;
}
