/*
 * Agents that come and go all the time: ten in and ten out in every tick, 10,000 ticks long. What is left
 * behind (a path, a follower of one who is gone, an id) would fill up or go wrong in time (godotengine/godot
 * issue 62469: freeing an agent changes how the others move; crest-cassia/CrowdWalk issue 123: agents that
 * are never freed).
 */
#include <math.h>

#include "base/hash.h"
#include "sim/world_internal.h"
#include "sim_fixture.h"
#include "suites.h"

#define CHURN_TICKS  10000
#define CHURN_AGENTS 50
#define CHURN_BATCH  10

static struct steer_world *world;

static void setup(void)
{
    world = sim_fixture_world();
    sim_fixture_box(world, vec2(0, 0), vec2(6, 2));
    sim_fixture_segment(world, vec2(-8, 4), vec2(8, 5));
}

static void teardown(void)
{
    steer_world_destroy(world);
}

static uint64_t draw(uint32_t tick, uint32_t entry, uint32_t stream)
{
    return hash_random(3, tick, entry, stream);
}

/* A place in one of two strips that no obstacle reaches into. */
static struct vec2 draw_place(uint32_t tick, uint32_t entry, uint32_t stream)
{
    float x = -12.0f + 24.0f * hash_unit_f32(draw(tick, entry, stream));
    float y = 6.0f + 4.0f * hash_unit_f32(draw(tick, entry, stream + 1));
    return vec2(x, draw(tick, entry, stream + 2) % 2 == 0 ? y : -y);
}

static void spawn_batch(uint32_t tick, uint32_t count, uint32_t *id_last)
{
    struct steer_agent_spec specs[CHURN_AGENTS] = {0};
    struct vec2 paths[CHURN_AGENTS][3];
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t i = 0; i < count; i++) {
        specs[i].position_m = draw_place(tick, i, 0);
        switch (draw(tick, i, 9) % 4) {
        case 0:
            break;
        case 1:
            specs[i].goal = (struct steer_goal){.kind = STEER_GOAL_POINT, .point_m = draw_place(tick, i, 3)};
            break;
        case 2:
            for (uint32_t k = 0; k < 3; k++) {
                paths[i][k] = draw_place(tick, i, 10 + 3 * k);
            }
            specs[i].goal = (struct steer_goal){.kind = STEER_GOAL_PATH, .path_m = paths[i], .path_count = 3};
            break;
        default:
            if (agents.count > 0) {
                specs[i].goal = (struct steer_goal){.kind = STEER_GOAL_AGENT,
                                                    .agent = {agents.id[draw(tick, i, 20) % agents.count]}};
            }
            break;
        }
    }
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, specs, count, &made, &fault) == STATUS_OK, "%s",
                  fault.text);
    ck_assert_uint_eq(made.first_id, *id_last + 1); /* ids grow and are never used again */
    *id_last = made.first_id + count - 1;
}

static void remove_batch(uint32_t tick, uint32_t count)
{
    uint32_t ids[CHURN_AGENTS];
    struct steer_agent_columns agents = steer_world_agents(world);
    uint32_t first = (uint32_t)(draw(tick, 0, 30) % agents.count);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = agents.id[(first + 3 * i) % agents.count];
    }
    const struct steer_agent_selection selection = {.ids = ids, .count = count};
    struct fault fault = {0};
    ck_assert_msg(steer_world_remove_agents(world, &selection, &fault) == STATUS_OK, "%s", fault.text);
}

/* One assertion a tick: each is a message to the process that watches the test. */
static void check_agents(void)
{
    struct steer_agent_columns agents = steer_world_agents(world);
    bool sound = agents.count == CHURN_AGENTS && sim_fixture_obstacle_gap(world) >= 0.0f;
    for (uint32_t i = 0; i < agents.count; i++) {
        sound = sound && (i == 0 || agents.id[i] > agents.id[i - 1]);
        /* A comparison with NaN is false. */
        sound = sound && fabsf(agents.x_m[i]) <= 99.6f && fabsf(agents.y_m[i]) <= 99.6f;
        sound = sound && fabsf(agents.vx_mps[i]) <= 1.5001f && fabsf(agents.vy_mps[i]) <= 1.5001f;
    }
    ck_assert(sound);
}

START_TEST(test_ten_in_and_ten_out_of_every_tick_leave_nothing_behind)
{
    struct job_pool *pool = job_pool_create(1);
    ck_assert_ptr_nonnull(pool);
    uint32_t id_last = 0;
    spawn_batch(CHURN_TICKS, CHURN_AGENTS, &id_last);
    for (uint32_t tick = 0; tick < CHURN_TICKS; tick++) {
        remove_batch(tick, CHURN_BATCH);
        spawn_batch(tick, CHURN_BATCH, &id_last);
        steer_world_step(world, pool);
        check_agents();
        steer_world_clear_changes(world);
    }
    job_pool_destroy(pool);
    ck_assert_uint_eq(id_last, CHURN_AGENTS + CHURN_TICKS * CHURN_BATCH);
    const struct steer_agent_selection everybody = {.all = true};
    ck_assert_int_eq(steer_world_remove_agents(world, &everybody, NULL), STATUS_OK);
    ck_assert_uint_eq(steer_world_agents(world).count, 0);
    ck_assert_uint_eq(world->paths.free_count, world->paths.count_max);
}
END_TEST

Suite *suite_sim_churn(void)
{
    Suite *suite = suite_create("sim_churn");
    TCase *tcase = tcase_create("churn");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_ten_in_and_ten_out_of_every_tick_leave_nothing_behind);
    suite_add_tcase(suite, tcase);
    return suite;
}
