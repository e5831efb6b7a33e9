/* Behaviours at points computed by hand, rules of combination, and what every row of the table must bear. */
#include <math.h>
#include <string.h>

#include "sim/behaviour_row.h"
#include "sim/steer.h"
#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world();
}

static void teardown(void)
{
    steer_world_destroy(world);
}

static struct steering ask(const char *name, uint32_t count)
{
    return sim_fixture_ask(world, name, count);
}

static void add(struct vec2 position, struct vec2 velocity, float orientation_deg, struct steer_goal goal)
{
    struct steer_agent_spec spec = {
        .position_m = position, .velocity_mps = velocity, .orientation_deg = orientation_deg, .goal = goal};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
}

START_TEST(test_seek_wants_full_speed_to_the_goal)
{
    add(vec2(0, 0), vec2(0, 1.5f), 0, sim_fixture_to(0, 10)); /* has it: asks for no change, but asks */
    add(vec2(3, 0), vec2(0, 1.2f), 0, sim_fixture_to(3, 50)); /* (1.5 - 1.2) / 0.1 */
    add(vec2(9, 0), vec2(0, 0), 0, sim_fixture_to(40, 0));    /* 1.5 / 0.1, clamped to 5 */
    add(vec2(20, 0), vec2(0, 0), 0, sim_fixture_to(20, 0));
    add(vec2(30, 0), vec2(0, 0), 0, (struct steer_goal){0});
    struct steering asked = ask("seek", 5);
    sim_fixture_asks_linear(&asked, 0, 0, 0);
    sim_fixture_asks_linear(&asked, 1, 0, 3);
    sim_fixture_asks_linear(&asked, 2, 5, 0);
    ck_assert_int_eq(asked.asks[3], 0);
    ck_assert_int_eq(asked.asks[4], 0);
}
END_TEST

START_TEST(test_flee_wants_full_speed_away_and_straight_on_from_the_spot_itself)
{
    add(vec2(0, 0), vec2(0, -1.2f), 0, sim_fixture_to(0, 10));
    add(vec2(9, 0), vec2(0, 0), 90, sim_fixture_to(9, 0));
    struct steering asked = ask("flee", 2);
    sim_fixture_asks_linear(&asked, 0, 0, -3);
    sim_fixture_asks_linear(&asked, 1, 5, 0);
}
END_TEST

START_TEST(test_arrive_slows_down_by_distance_and_by_what_braking_allows)
{
    add(vec2(0, 0), vec2(1.2f, 0), 0, sim_fixture_to(10, 0));    /* far: 1.5, (1.5 - 1.2) / 0.1 */
    add(vec2(0, 9), vec2(0.75f, 0), 0, sim_fixture_to(0.5f, 9)); /* 0.5 m: 1.5 * 0.5 / 1 = 0.75 */
    add(vec2(0, 20), vec2(0, 0), 0, sim_fixture_to(0.2f, 20));   /* at target_radius: there */
    struct steering asked = ask("arrive", 3);
    sim_fixture_asks_linear(&asked, 0, 3, 0);
    sim_fixture_asks_linear(&asked, 1, 0, 0);
    ck_assert_int_eq(asked.asks[2], 0);
    /* A weak one at 2 m: sqrt(2 * 0.1 * 2) = 0.632 is less than 1.5. */
    struct steer_agent_spec weak = {
        .position_m = {50, 0}, .max_accel_mps2 = 0.1f, .goal = sim_fixture_to(52, 0)};
    weak.velocity_mps.x = sqrtf(0.4f);
    struct steer_world_made made;
    ck_assert_int_eq(steer_world_spawn_agents(world, &weak, 1, &made, NULL), STATUS_OK);
    asked = ask("arrive", 4);
    sim_fixture_asks_linear(&asked, 3, 0, 0);
}
END_TEST

START_TEST(test_arrive_at_an_agent_stops_at_its_rim)
{
    add(vec2(0, 0), vec2(0, 0), 0, (struct steer_goal){0});
    add(vec2(0.99f, 0), vec2(0, 0), 0,
        (struct steer_goal){STEER_GOAL_AGENT, .agent = {1}}); /* rims 0.19 m apart */
    add(vec2(-2.3f, 0), vec2(1.5f, 0), 0, (struct steer_goal){STEER_GOAL_AGENT, .agent = {1}});
    struct steering asked = ask("arrive", 3);
    ck_assert_int_eq(asked.asks[1], 0);
    sim_fixture_asks_linear(&asked, 2, 0, 0); /* 1.5 m between the rims: still full speed */
}
END_TEST

START_TEST(test_face_look_and_align_turn_as_fast_as_they_can_stop)
{
    add(vec2(0, 0), vec2(1, 0), 0, sim_fixture_to(50, 0));    /* 90 to turn: 360 / 0.1, clamped to 1440 */
    add(vec2(9, 0), vec2(0, 1), 350, sim_fixture_to(9, 50));  /* 10: 360 * 10 / 45 = 80, / 0.1 = 800 */
    add(vec2(20, 0), vec2(0, 1), 10, sim_fixture_to(20, 50)); /* the other way */
    add(vec2(30, 0), vec2(0, 0.9f), 0.9f, sim_fixture_to(30, 50)); /* within a degree */
    add(vec2(40, 0), vec2(0, 0), 90, (struct steer_goal){0});
    const char *names[] = {"face", "look_where_going"};
    for (size_t i = 0; i < 2; i++) {
        struct steering asked = ask(names[i], 5);
        ck_assert_int_eq(asked.asks[0], STEER_ASKS_ANGULAR);
        ck_assert_float_eq(asked.angular[0], 1440);
        ck_assert_float_eq_tol(asked.angular[1], 800, 0.1f);
        ck_assert_float_eq_tol(asked.angular[2], -800, 0.1f);
        ck_assert_int_eq(asked.asks[3], 0);
        ck_assert_int_eq(asked.asks[4], 0);
    }
}
END_TEST

START_TEST(test_align_takes_the_heading_of_the_agent_it_follows)
{
    add(vec2(0, 0), vec2(0, 0), 100, (struct steer_goal){0});
    add(vec2(5, 0), vec2(0, 0), 90, (struct steer_goal){STEER_GOAL_AGENT, .agent = {1}});
    struct steering asked = ask("align", 2);
    ck_assert_int_eq(asked.asks[0], 0);
    ck_assert_float_eq_tol(asked.angular[1], 800, 0.1f);
}
END_TEST

START_TEST(test_follow_path_goes_to_the_next_waypoint_at_full_speed_and_arrives_at_the_last)
{
    const struct vec2 points[] = {{0.5f, 0}, {0.5f, 9}};
    add(vec2(0, 0), vec2(1.5f, 0), 0,
        (struct steer_goal){STEER_GOAL_PATH, .path_m = points, .path_count = 2});
    add(vec2(9, 9), vec2(0, 0), 0,
        sim_fixture_to(9, 20)); /* no arrive in this profile: a point is a way of one */
    struct steering asked = ask("follow_path", 2);
    sim_fixture_asks_linear(&asked, 0, 0, 0); /* half a metre before it, and not slowing down */
    sim_fixture_asks_linear(&asked, 1, 0, 5);
    world->agents.waypoint[0] = 1;
    world->agents.y[0] = 8.5f;
    world->agents.x[0] = 0.5f;
    world->agents.vx[0] = 0;
    world->agents.vy[0] = 0.75f;
    asked = ask("follow_path", 2);
    sim_fixture_asks_linear(&asked, 0, 0, 0); /* half a metre before the last: half speed */
}
END_TEST

START_TEST(test_drive_takes_up_the_velocity_given)
{
    add(vec2(0, 0), vec2(1, 0), 0, (struct steer_goal){STEER_GOAL_VELOCITY, .velocity_mps = {1.2f, 0}});
    add(vec2(9, 0), vec2(1, 0), 0, sim_fixture_to(0, 0));
    struct steering asked = ask("drive", 2);
    sim_fixture_asks_linear(&asked, 0, 2, 0);
    ck_assert_int_eq(asked.asks[1], 0);
}
END_TEST

START_TEST(test_a_time_shorter_than_the_tick_does_not_overshoot)
{
    sim_fixture_profile(world, "hasty", "arrive", STEER_REST_BRAKE);
    struct steer_profile hasty = *steer_world_profile(world, 1);
    ck_assert_int_eq(steer_profile_set_parameter(&hasty.behaviours[0], "time_to_target", 0.01f, NULL),
                     STATUS_OK);
    hasty.limits.max_accel = 1000;
    ck_assert_int_eq(steer_world_define_profile(world, &hasty, NULL), STATUS_OK);
    struct steer_agent_id id = sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(50, 0), "hasty");
    for (uint32_t tick = 0; tick < 30; tick++) {
        sim_fixture_run(world, 1);
        ck_assert_float_eq_tol(sim_fixture_velocity(world, id).x, 1.5f, 1e-3f);
    }
}
END_TEST

/*
 * Steering after one tick of an agent at the origin under seek to the north with 5 m/s^2 and, before it, flee
 * or seek from a goal: both read the same goal, so the two ask along one line.
 */
static struct vec2 combined(enum steer_combination combination, const char *first, float first_weight,
                            uint32_t second_group)
{
    struct steer_profile profile = {.name = "both", .combination = combination, .rest = STEER_REST_COAST};
    struct steer_profile_behaviour *added;
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, first, &added, NULL), STATUS_OK);
    added->weight = first_weight;
    ck_assert_int_eq(steer_profile_add_behaviour(&profile, "seek", &added, NULL), STATUS_OK);
    added->group = second_group;
    ck_assert_int_eq(steer_world_define_profile(world, &profile, NULL), STATUS_OK);
    struct steer_agent_id id = sim_fixture_agent(world, vec2(0, 0), sim_fixture_to(0, 50), "both");
    sim_fixture_run(world, 1);
    struct vec2 accel = vec2_scale(sim_fixture_velocity(world, id), 30.0f);
    struct steer_agent_selection all = {.all = true};
    ck_assert_int_eq(steer_world_remove_agents(world, &all, NULL), STATUS_OK);
    return accel;
}

START_TEST(test_blend_adds_weighted_and_clamps)
{
    ck_assert_float_eq_tol(combined(STEER_COMBINATION_BLEND, "flee", 0.4f, 1).y, 5 - 2, 1e-4f);
    ck_assert_float_eq_tol(combined(STEER_COMBINATION_BLEND, "seek", 1.0f, 1).y, 5, 1e-4f);
}
END_TEST

START_TEST(test_priority_takes_the_first_group_that_asks)
{
    ck_assert_float_eq_tol(combined(STEER_COMBINATION_PRIORITY, "flee", 0.4f, 1).y, -2, 1e-4f);
    ck_assert_float_eq_tol(combined(STEER_COMBINATION_PRIORITY, "drive", 1.0f, 1).y, 5,
                           1e-4f); /* drive asks nothing */
    ck_assert_float_eq_tol(combined(STEER_COMBINATION_PRIORITY, "face", 1.0f, 1).y, 5,
                           1e-4f); /* nor face, of the linear */
}
END_TEST

START_TEST(test_budget_spends_in_order_and_removes_what_goes_against_what_is_spent)
{
    ck_assert_float_eq_tol(combined(STEER_COMBINATION_BUDGET, "flee", 0.4f, 1).y, -2,
                           1e-4f); /* seek is all against it */
    ck_assert_float_eq_tol(combined(STEER_COMBINATION_BUDGET, "seek", 0.4f, 1).y, 5,
                           1e-4f); /* 2, then the 3 left */
    ck_assert_float_eq_tol(combined(STEER_COMBINATION_BUDGET, "flee", 0.4f, 0).y, 3,
                           1e-4f); /* one group adds up */
    ck_assert_float_eq_tol(combined(STEER_COMBINATION_BUDGET, "drive", 1.0f, 1).y, 5, 1e-4f);
}
END_TEST

/* ---- what every row must bear ---- */

/* Gives the parameters of a behaviour the low (0), default (1) or high (2) ends of their ranges. */
static void set_parameters(struct steer_profile_behaviour *behaviour, uint32_t end)
{
    const struct steer_behaviour_info *info = steer_behaviour_info(behaviour->behaviour);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const struct steer_behaviour_parameter *row = &info->parameters[i];
        behaviour->parameters[i] = end == 0 ? row->min : end == 1 ? row->default_value : row->max;
    }
}

/* Everything nasty at once, for every kind of goal. */
static void add_nasty_agents(const char *profile)
{
    const struct vec2 points[] = {{0, 0}, {0, 0}, {0, 0}};
    struct steer_agent_id first = sim_fixture_agent(world, vec2(0, 0), (struct steer_goal){0}, profile);
    const struct steer_goal goals[] = {
        {.kind = STEER_GOAL_NONE},
        {.kind = STEER_GOAL_POINT, .point_m = {0, 0}},
        {.kind = STEER_GOAL_POINT, .point_m = {100, 100}},
        {.kind = STEER_GOAL_PATH, .path_m = points, .path_count = 3},
        {.kind = STEER_GOAL_VELOCITY, .velocity_mps = {0, 0}},
        {.kind = STEER_GOAL_AGENT, .agent = first},
    };
    const struct vec2 places[] = {{0, 0}, {0, 0}, {0.8f, 0}, {1.6f, 1e-30f}, {99.6f, 99.6f}};
    const struct vec2 velocities[] = {{0, 0}, {1.5f, 0}, {-1.5f, 0}, {1e-30f, 1e-38f}, {0.9f, 1.2f}};
    for (uint32_t i = 0; i < 30; i++) {
        struct steer_agent_spec spec = {
            .position_m = places[i % 5],
            .velocity_mps = velocities[(i + i / 5) % 5],
            .orientation_deg = 36000.5f * (float)i,
            .profile = profile,
            .flock = i % 4 != 3 ? 1 + i % 2 : 0,
            .radius_m = i % 7 == 6 ? 0.05f : 0,
            .max_accel_mps2 = i % 3 == 2 ? 1000.0f : 0,
            .goal = goals[i / 2 % 6],
        };
        struct steer_world_made made;
        struct fault fault = {0};
        ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s",
                      fault.text);
    }
}

static void all_is_finite(const char *name)
{
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t i = 0; i < agents.count; i++) {
        ck_assert_msg(isfinite(agents.x_m[i]) && isfinite(agents.y_m[i]) && isfinite(agents.vx_mps[i]) &&
                          isfinite(agents.vy_mps[i]) && isfinite(agents.rotation_deg_s[i]),
                      "%s, agent %u", name, agents.id[i]);
        ck_assert_float_le(fabsf(agents.x_m[i]), 100.0f);
        ck_assert_float_le(fabsf(agents.y_m[i]), 100.0f);
        ck_assert_float_ge(agents.orientation_deg[i], 0.0f);
        ck_assert_float_lt(agents.orientation_deg[i], 360.0f);
        ck_assert_float_le(vec2_length(vec2(agents.vx_mps[i], agents.vy_mps[i])), 1.5001f);
        ck_assert_float_le(fabsf(agents.rotation_deg_s[i]), 360.0f);
    }
}

START_TEST(test_every_behaviour_gives_finite_steering_to_nasty_agents)
{
    for (uint32_t obstacles = 0; obstacles < 2; obstacles++) {
        struct steer_profile profile = {.name = "tested", .combination = STEER_COMBINATION_BUDGET};
        struct steer_profile_behaviour *added;
        const char *name = steer_behaviour_info((uint32_t)_i)->name;
        ck_assert_int_eq(steer_profile_add_behaviour(&profile, name, &added, NULL), STATUS_OK);
        for (uint32_t end = 0; end < 3; end++) {
            struct steer_agent_selection all = {.all = true};
            ck_assert_int_eq(steer_world_remove_agents(world, &all, NULL), STATUS_OK);
            set_parameters(added, end);
            ck_assert_int_eq(steer_world_define_profile(world, &profile, NULL), STATUS_OK);
            sim_fixture_run(world, 1); /* nobody there */
            add_nasty_agents("tested");
            for (uint32_t tick = 0; tick < 20; tick++) {
                sim_fixture_run(world, 1);
                all_is_finite(name);
            }
        }
        sim_fixture_box(world, vec2(5, 0), vec2(4, 4));
        sim_fixture_segment(world, vec2(-1, -1), vec2(-1, 1));
        sim_fixture_circle(world, vec2(0, 3), 0.1f);
    }
}
END_TEST

START_TEST(test_no_behaviour_asks_of_an_agent_that_has_nothing_to_do)
{
    if (_i == BEHAVIOUR_wander) {
        return; /* has always something to do */
    }
    add(vec2(0, 0), vec2(0, 0), 0, (struct steer_goal){0}); /* at rest, alone, without a goal */
    struct steering asked = ask(steer_behaviour_info((uint32_t)_i)->name, 1);
    ck_assert_int_eq(asked.asks[0], 0);
}
END_TEST

/* Asks one agent; rows from `first` on. What is not asked for stays as it was: NaN. */
static void ask_rows(uint32_t behaviour, uint32_t first, uint32_t count, struct steering *asked)
{
    struct steer_profile_behaviour added = {.behaviour = behaviour};
    set_parameters(&added, 1);
    uint32_t rows[STEER_BATCH_MAX];
    uint32_t places[STEER_BATCH_MAX];
    for (uint32_t place = 0; place < world->grid.count; place++) {
        uint32_t row = world->grid.row[place];
        if (row >= first && row < first + count) {
            rows[row - first] = row;
            places[row - first] = place;
        }
    }
    struct steer_view view;
    world_set_view(world, &view);
    const struct steer_batch batch = {
        .view = &view,
        .rows = rows,
        .places = places,
        .count = count,
        .parameters = added.parameters,
        .profile = &world->profiles[0],
        .behaviours = 1u << behaviour,
        .slots = world->agents.slots,
        .slot_first = 1,
    };
    memset(asked, 0xff, sizeof *asked);
    memset(asked->asks, 0, sizeof asked->asks);
    behaviour_row_info(behaviour)->steer(&batch, asked);
}

/* What one agent was asked for, as bits, and whether nothing else was written. */
static void same_is_asked(const char *name, const struct steering *all, uint32_t index,
                          const struct steering *alone)
{
    ck_assert_msg(all->asks[index] == alone->asks[0] &&
                      memcmp(&all->ax[index], &alone->ax[0], sizeof all->ax[0]) == 0 &&
                      memcmp(&all->ay[index], &alone->ay[0], sizeof all->ay[0]) == 0 &&
                      memcmp(&all->angular[index], &alone->angular[0], sizeof all->angular[0]) == 0,
                  "%s asks agent %u for something else alone than among others", name, index);
    for (uint32_t i = 1; i < STEER_BATCH_MAX; i++) {
        ck_assert_msg(alone->asks[i] == 0 && isnan(alone->ax[i]) && isnan(alone->angular[i]),
                      "%s writes beyond its batch", name);
    }
}

START_TEST(test_a_behaviour_writes_its_own_words_and_what_it_asks_for_and_is_the_same_in_any_batch)
{
    static struct steering all;
    static struct steering alone;
    static struct agent_slots before[31];
    const char *name = steer_behaviour_info((uint32_t)_i)->name;
    uint32_t words = behaviour_row_info((uint32_t)_i)->state_words;
    sim_fixture_box(world, vec2(5, 0), vec2(4, 4));
    add_nasty_agents("walker");
    sim_fixture_run(world, 3);
    grid_build(&world->grid, &world->agents);
    uint32_t count = world->agents.count;
    ck_assert_uint_eq(count, 31);
    memcpy(before, world->agents.slots, sizeof before);
    uint64_t digest = steer_world_digest(world);
    ask_rows((uint32_t)_i, 0, count, &all);
    for (uint32_t row = 0; row < count; row++) {
        uint32_t *own = &world->agents.slots[row].words[1];
        memcpy(own, &before[row].words[1], words * sizeof *own);
    }
    ck_assert_msg(steer_world_digest(world) == digest, "%s writes what is not its own", name);
    for (uint32_t row = 0; row < count; row++) {
        ask_rows((uint32_t)_i, row, 1, &alone);
        same_is_asked(name, &all, row, &alone);
    }
}
END_TEST

START_TEST(test_every_row_is_complete)
{
    const struct steer_behaviour_info *info = steer_behaviour_info((uint32_t)_i);
    ck_assert_uint_eq(steer_behaviour_find(info->name), (uint32_t)_i);
    ck_assert_uint_gt(info->number, 0);
    ck_assert_uint_gt(strlen(info->summary), 0);
    ck_assert_uint_le(info->parameter_count, STEER_BEHAVIOUR_PARAMETERS_MAX);
    for (uint32_t other = 0; other < (uint32_t)_i; other++) {
        ck_assert_uint_ne(steer_behaviour_info(other)->number, info->number);
    }
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const struct steer_behaviour_parameter *row = &info->parameters[i];
        ck_assert_msg(row->min <= row->default_value && row->default_value <= row->max, "%s", row->name);
        ck_assert_uint_gt(strlen(row->summary), 0);
    }
    ck_assert_uint_eq(steer_behaviour_find("nonsense"), steer_behaviour_count());
}
END_TEST

Suite *suite_sim_behaviours(void)
{
    Suite *suite = suite_create("sim_behaviours");
    TCase *formulas = tcase_create("formulas");
    tcase_add_checked_fixture(formulas, setup, teardown);
    tcase_add_test(formulas, test_seek_wants_full_speed_to_the_goal);
    tcase_add_test(formulas, test_flee_wants_full_speed_away_and_straight_on_from_the_spot_itself);
    tcase_add_test(formulas, test_arrive_slows_down_by_distance_and_by_what_braking_allows);
    tcase_add_test(formulas, test_arrive_at_an_agent_stops_at_its_rim);
    tcase_add_test(formulas, test_face_look_and_align_turn_as_fast_as_they_can_stop);
    tcase_add_test(formulas, test_align_takes_the_heading_of_the_agent_it_follows);
    tcase_add_test(formulas,
                   test_follow_path_goes_to_the_next_waypoint_at_full_speed_and_arrives_at_the_last);
    tcase_add_test(formulas, test_drive_takes_up_the_velocity_given);
    tcase_add_test(formulas, test_a_time_shorter_than_the_tick_does_not_overshoot);
    suite_add_tcase(suite, formulas);
    TCase *combination = tcase_create("combination");
    tcase_add_checked_fixture(combination, setup, teardown);
    tcase_add_test(combination, test_blend_adds_weighted_and_clamps);
    tcase_add_test(combination, test_priority_takes_the_first_group_that_asks);
    tcase_add_test(combination, test_budget_spends_in_order_and_removes_what_goes_against_what_is_spent);
    suite_add_tcase(suite, combination);
    TCase *contract = tcase_create("contract");
    tcase_add_checked_fixture(contract, setup, teardown);
    int rows = (int)steer_behaviour_count();
    tcase_add_loop_test(contract, test_every_behaviour_gives_finite_steering_to_nasty_agents, 0, rows);
    tcase_add_loop_test(contract, test_no_behaviour_asks_of_an_agent_that_has_nothing_to_do, 0, rows);
    tcase_add_loop_test(
        contract, test_a_behaviour_writes_its_own_words_and_what_it_asks_for_and_is_the_same_in_any_batch, 0,
        rows);
    tcase_add_loop_test(contract, test_every_row_is_complete, 0, rows);
    suite_add_tcase(suite, contract);
    return suite;
}
