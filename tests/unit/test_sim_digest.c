/* The digest changes when what decides the future changes, and only then. */
#include <string.h>

#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

/* The world that all tests start from: two agents, a profile, a wall. */
static struct steer_world *make(void)
{
    struct steer_world *world = sim_fixture_world();
    sim_fixture_profile(world, "seeker", "seek", STEER_REST_BRAKE);
    sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(20, 0), "");
    sim_fixture_agent(world, vec2(5, 5), (struct steer_goal){0}, "");
    sim_fixture_segment(world, vec2(2, -30), vec2(2, 30));
    return world;
}

START_TEST(test_the_same_commands_make_the_same_digest)
{
    struct steer_world *a = make();
    struct steer_world *b = make();
    ck_assert_uint_eq(steer_world_digest(a), steer_world_digest(b));
    sim_fixture_run(a, 50);
    sim_fixture_run(b, 50);
    ck_assert_uint_eq(steer_world_digest(a), steer_world_digest(b));
    steer_world_destroy(a);
    steer_world_destroy(b);
}
END_TEST

START_TEST(test_reading_and_telling_do_not_change_it)
{
    struct steer_world *world = make();
    sim_fixture_run(world, 3);
    uint64_t digest = steer_world_digest(world);
    uint32_t rows[8];
    const struct steer_area area = {.kind = STEER_AREA_DISC, .center_m = {0, 0}, .radius_m = 9};
    steer_world_find_agents(world, &area, rows, 8);
    steer_world_changes(world);
    steer_world_clear_changes(world);
    ck_assert_uint_eq(steer_world_digest(world), digest);
    steer_world_destroy(world);
}
END_TEST

static void place_obstacle(struct steer_world *world)
{
    sim_fixture_circle(world, vec2(60, 60), 1);
}

static void remove_obstacle(struct steer_world *world)
{
    const uint32_t id = 1;
    ck_assert_int_eq(steer_world_remove_obstacles(world, &id, 1, false, NULL), STATUS_OK);
}

static void spawn(struct steer_world *world)
{
    sim_fixture_agent(world, vec2(-50, 0), (struct steer_goal){0}, "");
}

static void spawn_and_remove(struct steer_world *world)
{
    /* Nobody is left of it but the id that comes next. */
    const uint32_t id = sim_fixture_agent(world, vec2(-50, 0), (struct steer_goal){0}, "").value;
    struct steer_agent_selection selection = {.ids = &id, .count = 1};
    ck_assert_int_eq(steer_world_remove_agents(world, &selection, NULL), STATUS_OK);
}

static void teleport(struct steer_world *world)
{
    ck_assert_int_eq(steer_world_teleport(world, (struct steer_agent_id){2}, vec2(5, 5.001f), 0, NULL),
                     STATUS_OK);
}

static void turn(struct steer_world *world)
{
    ck_assert_int_eq(steer_world_teleport(world, (struct steer_agent_id){2}, vec2(5, 5), 1, NULL), STATUS_OK);
}

static void target(struct steer_world *world)
{
    struct steer_target_spec spec = {.agents = {.all = true}, .goal = sim_fixture_to(20, 0.001f)};
    ck_assert_int_eq(steer_world_set_targets(world, &spec, 1, NULL), STATUS_OK);
}

static void path(struct steer_world *world)
{
    const struct vec2 points[] = {{1, 2}, {3, 4}};
    struct steer_target_spec spec = {.agents = {.all = true},
                                     .goal = {.kind = STEER_GOAL_PATH, .path_m = points, .path_count = 2}};
    ck_assert_int_eq(steer_world_set_targets(world, &spec, 1, NULL), STATUS_OK);
}

static void other_path(struct steer_world *world)
{
    const struct vec2 points[] = {{1, 2}, {3, 5}};
    struct steer_target_spec spec = {.agents = {.all = true},
                                     .goal = {.kind = STEER_GOAL_PATH, .path_m = points, .path_count = 2}};
    ck_assert_int_eq(steer_world_set_targets(world, &spec, 1, NULL), STATUS_OK);
}

static void drive(struct steer_world *world)
{
    ck_assert_int_eq(steer_world_drive(world, (struct steer_agent_id){2}, vec2(1, 0), NULL), STATUS_OK);
}

static void follow(struct steer_world *world)
{
    const uint32_t id = 2;
    struct steer_target_spec spec = {.agents = {.ids = &id, .count = 1},
                                     .goal = {STEER_GOAL_AGENT, .agent = {1}}};
    ck_assert_int_eq(steer_world_set_targets(world, &spec, 1, NULL), STATUS_OK);
}

static void set_profile(struct steer_world *world)
{
    struct steer_agent_selection all = {.all = true};
    ck_assert_int_eq(steer_world_set_profile(world, &all, "seeker", NULL), STATUS_OK);
}

static void define_profile(struct steer_world *world)
{
    sim_fixture_profile(world, "other", "flee", STEER_REST_BRAKE);
}

static void redefine_profile(struct steer_world *world)
{
    sim_fixture_profile(world, "seeker", "seek", STEER_REST_COAST);
}

static void tick(struct steer_world *world)
{
    sim_fixture_run(world, 1);
}

static void retarget(struct steer_world *world)
{
    struct steer_crowd_spec spec = {.count = 1,
                                    .min_m = {60, -60},
                                    .max_m = {70, -50},
                                    .goal_kind = STEER_CROWD_GOAL_AREA,
                                    .goal_min_m = {60, -60},
                                    .goal_max_m = {70, -50},
                                    .retarget = true};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, NULL), STATUS_OK);
}

static void do_not_retarget(struct steer_world *world)
{
    struct steer_crowd_spec spec = {.count = 1,
                                    .min_m = {60, -60},
                                    .max_m = {70, -50},
                                    .goal_kind = STEER_CROWD_GOAL_AREA,
                                    .goal_min_m = {60, -60},
                                    .goal_max_m = {70, -50}};
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_crowd(world, &spec, &made, NULL), STATUS_OK);
}

START_TEST(test_every_change_of_state_makes_another_digest)
{
    void (*const changes[])(struct steer_world *) = {
        place_obstacle,
        remove_obstacle,
        spawn,
        spawn_and_remove,
        teleport,
        turn,
        target,
        path,
        other_path,
        drive,
        follow,
        set_profile,
        define_profile,
        tick,
        retarget,
        do_not_retarget,
        redefine_profile,
    };
    enum { COUNT = sizeof changes / sizeof changes[0] };
    uint64_t digests[COUNT + 1];
    for (uint32_t i = 0; i <= COUNT; i++) {
        struct steer_world *world = make();
        if (i < COUNT) {
            changes[i](world);
        }
        digests[i] = steer_world_digest(world);
        for (uint32_t j = 0; j < i; j++) {
            ck_assert_msg(digests[i] != digests[j], "changes %u and %u", i, j);
        }
        steer_world_destroy(world);
    }
}
END_TEST

START_TEST(test_every_digested_column_counts_and_who_owns_an_agent_does_not)
{
    struct steer_world *world = make();
    uint64_t digest = steer_world_digest(world);
#define COLUMN(type, name, digested, comment)                                                                \
    {                                                                                                        \
        unsigned char *byte = (unsigned char *)&world->agents.name[1];                                       \
        bool owns = strcmp(#name, "owner") == 0;                                                             \
        *byte ^= digested || owns ? 1 : 0;                                                                   \
        ck_assert_msg((steer_world_digest(world) != digest) == digested, "%s", #name);                       \
        *byte ^= digested || owns ? 1 : 0;                                                                   \
    }
#include "sim/agent_columns.def"
#undef COLUMN
    ck_assert_uint_eq(steer_world_digest(world), digest);
    steer_world_destroy(world);
}
END_TEST

START_TEST(test_what_a_crowd_has_drawn_counts)
{
    struct steer_world *world = make();
    retarget(world);
    uint64_t digest = steer_world_digest(world);
    world->agents.draws[2]++;
    ck_assert_uint_ne(steer_world_digest(world), digest);
    steer_world_destroy(world);
}
END_TEST

START_TEST(test_it_does_not_matter_which_slot_holds_a_path)
{
    struct steer_world *a = make();
    struct steer_world *b = make();
    path(a);
    path(b);
    other_path(b);
    path(b); /* another slot than a's */
    ck_assert_uint_eq(steer_world_digest(a), steer_world_digest(b));
    steer_world_destroy(a);
    steer_world_destroy(b);
}
END_TEST

/* Six that come in two rows, and stand before they are told where to go. */
static struct steer_world *make_six(void)
{
    struct steer_world *world = sim_fixture_world();
    for (uint32_t i = 0; i < 6; i++) {
        sim_fixture_agent(world, vec2(-6 - (float)(i / 2), i % 2 == 0 ? 0.5f : -0.5f), (struct steer_goal){0},
                          "");
    }
    return world;
}

START_TEST(test_a_path_told_to_all_at_once_and_one_by_one_has_the_same_future)
{
    const struct vec2 points[] = {{-3, 0}, {0, 0}};
    const struct steer_goal goal = {.kind = STEER_GOAL_PATH, .path_m = points, .path_count = 2};
    struct steer_world *at_once = make_six();
    struct steer_world *one_by_one = make_six();
    const struct steer_target_spec all = {.agents = {.all = true}, .goal = goal};
    ck_assert_int_eq(steer_world_set_targets(at_once, &all, 1, NULL), STATUS_OK);
    for (uint32_t id = 1; id <= 6; id++) {
        const struct steer_target_spec one = {.agents = {.ids = &id, .count = 1}, .goal = goal};
        ck_assert_int_eq(steer_world_set_targets(one_by_one, &one, 1, NULL), STATUS_OK);
    }
    ck_assert_uint_eq(steer_world_digest(at_once), steer_world_digest(one_by_one));
    sim_fixture_run(at_once, 300);
    sim_fixture_run(one_by_one, 300);
    ck_assert_uint_eq(steer_world_digest(at_once), steer_world_digest(one_by_one));
    steer_world_destroy(at_once);
    steer_world_destroy(one_by_one);
}
END_TEST

Suite *suite_sim_digest(void)
{
    Suite *suite = suite_create("sim_digest");
    TCase *digest = tcase_create("digest");
    tcase_add_test(digest, test_the_same_commands_make_the_same_digest);
    tcase_add_test(digest, test_reading_and_telling_do_not_change_it);
    tcase_add_test(digest, test_every_change_of_state_makes_another_digest);
    tcase_add_test(digest, test_every_digested_column_counts_and_who_owns_an_agent_does_not);
    tcase_add_test(digest, test_what_a_crowd_has_drawn_counts);
    tcase_add_test(digest, test_it_does_not_matter_which_slot_holds_a_path);
    tcase_add_test(digest, test_a_path_told_to_all_at_once_and_one_by_one_has_the_same_future);
    suite_add_tcase(suite, digest);
    return suite;
}
