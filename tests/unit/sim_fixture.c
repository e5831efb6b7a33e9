#include "sim_fixture.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "sim/behaviour_row.h"
#include "sim/world_internal.h"

struct steer_world_config sim_fixture_config(void)
{
    struct steer_world_config config;
    steer_world_config_init(&config);
    config.agents_max = 4096;
    config.obstacles_max = 2048;
    config.profiles_max = 64;
    config.paths_max = 64;
    config.crowds_max = 4;
    config.events_max = 8192;
    return config;
}

struct steer_world *sim_fixture_world(void)
{
    struct steer_world_config config = sim_fixture_config();
    struct steer_world *world = NULL;
    struct fault fault = {0};
    ck_assert_msg(steer_world_create(&config, 8, &world, &fault) == STATUS_OK, "%s", fault.text);
    return world;
}

void sim_fixture_run(struct steer_world *world, uint32_t ticks)
{
    struct job_pool *pool = job_pool_create(1);
    ck_assert_ptr_nonnull(pool);
    for (uint32_t i = 0; i < ticks; i++) {
        steer_world_step(world, pool);
    }
    job_pool_destroy(pool);
}

struct steer_agent_id sim_fixture_agent(struct steer_world *world, struct vec2 position,
                                        struct steer_goal goal, const char *profile)
{
    struct steer_agent_spec spec = {.position_m = position, .goal = goal, .profile = profile};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_spawn_agents(world, &spec, 1, &made, &fault) == STATUS_OK, "%s", fault.text);
    return (struct steer_agent_id){made.first_id};
}

struct steer_goal sim_fixture_to(float x, float y)
{
    return (struct steer_goal){.kind = STEER_GOAL_POINT, .point_m = {x, y}};
}

static struct steer_obstacle_id sim_fixture_obstacle(struct steer_world *world, struct steer_shape shape)
{
    struct steer_obstacle obstacle = {.name = "fixture", .shape = shape};
    struct steer_world_made made;
    struct fault fault = {0};
    ck_assert_msg(steer_world_place_obstacles(world, &obstacle, 1, &made, &fault) == STATUS_OK, "%s",
                  fault.text);
    return (struct steer_obstacle_id){made.first_id};
}

struct steer_obstacle_id sim_fixture_circle(struct steer_world *world, struct vec2 center, float radius_m)
{
    return sim_fixture_obstacle(
        world, (struct steer_shape){.kind = STEER_SHAPE_CIRCLE, .center_m = center, .radius_m = radius_m});
}

struct steer_obstacle_id sim_fixture_segment(struct steer_world *world, struct vec2 a, struct vec2 b)
{
    return sim_fixture_obstacle(
        world, (struct steer_shape){.kind = STEER_SHAPE_SEGMENT, .points_m = {a, b}, .point_count = 2});
}

struct steer_obstacle_id sim_fixture_box(struct steer_world *world, struct vec2 center, struct vec2 size)
{
    return sim_fixture_obstacle(
        world, (struct steer_shape){.kind = STEER_SHAPE_BOX, .center_m = center, .size_m = size});
}

void sim_fixture_profile(struct steer_world *world, const char *name, const char *behaviour,
                         enum steer_rest rest)
{
    struct steer_profile profile = {.combination = STEER_COMBINATION_BUDGET, .rest = rest};
    struct steer_profile_behaviour *added;
    struct fault fault = {0};
    ck_assert_uint_lt(strlen(name), STEER_PROFILE_NAME_SIZE);
    strcpy(profile.name, name);
    ck_assert_msg(steer_profile_add_behaviour(&profile, behaviour, &added, &fault) == STATUS_OK, "%s",
                  fault.text);
    ck_assert_msg(steer_world_define_profile(world, &profile, &fault) == STATUS_OK, "%s", fault.text);
}

struct steer_profile sim_fixture_with(const char *behaviour, const char *parameter, float value)
{
    struct steer_profile profile = {.name = "asked"};
    struct steer_profile_behaviour *added;
    struct fault fault = {0};
    ck_assert_msg(steer_profile_add_behaviour(&profile, behaviour, &added, &fault) == STATUS_OK, "%s",
                  fault.text);
    ck_assert_msg(parameter == NULL ||
                      steer_profile_set_parameter(added, parameter, value, &fault) == STATUS_OK,
                  "%s", fault.text);
    ck_assert_msg(steer_profile_check(&profile, &fault) == STATUS_OK, "%s", fault.text);
    return profile;
}

struct steering sim_fixture_ask(struct steer_world *world, const char *name, uint32_t count)
{
    struct steer_profile profile = sim_fixture_with(name, NULL, 0);
    return sim_fixture_ask_profile(world, &profile, count);
}

void sim_fixture_asks_linear(const struct steering *asked, uint32_t index, float ax, float ay)
{
    ck_assert_int_eq(asked->asks[index], STEER_ASKS_LINEAR);
    ck_assert_float_eq_tol(asked->ax[index], ax, 1e-4f);
    ck_assert_float_eq_tol(asked->ay[index], ay, 1e-4f);
}

struct steering sim_fixture_ask_profile(struct steer_world *world, const struct steer_profile *profile,
                                        uint32_t count)
{
    const struct steer_profile_behaviour *behaviour = &profile->behaviours[0];
    grid_build(&world->grid, &world->agents);
    uint32_t rows[STEER_BATCH_MAX];
    uint32_t places[STEER_BATCH_MAX];
    for (uint32_t place = 0; place < world->grid.count; place++) {
        if (world->grid.row[place] < count) {
            rows[world->grid.row[place]] = world->grid.row[place];
            places[world->grid.row[place]] = place;
        }
    }
    struct steer_view view;
    world_set_view(world, &view);
    struct steer_batch batch = {
        .view = &view,
        .rows = rows,
        .places = places,
        .count = count,
        .parameters = behaviour->parameters,
        .profile = profile,
        .behaviours = 1u << behaviour->behaviour,
        .slots = world->agents.slots,
    };
    struct steering asked = {0};
    behaviour_row_info(behaviour->behaviour)->steer(&batch, &asked);
    return asked;
}

static uint32_t sim_fixture_row(const struct steer_world *world, struct steer_agent_id id)
{
    uint32_t row = 0;
    ck_assert(steer_world_find_agent(world, id, &row));
    return row;
}

struct vec2 sim_fixture_position(const struct steer_world *world, struct steer_agent_id id)
{
    uint32_t row = sim_fixture_row(world, id);
    struct steer_agent_columns agents = steer_world_agents(world);
    return vec2(agents.x_m[row], agents.y_m[row]);
}

struct vec2 sim_fixture_velocity(const struct steer_world *world, struct steer_agent_id id)
{
    uint32_t row = sim_fixture_row(world, id);
    struct steer_agent_columns agents = steer_world_agents(world);
    return vec2(agents.vx_mps[row], agents.vy_mps[row]);
}

enum steer_agent_state sim_fixture_state(const struct steer_world *world, struct steer_agent_id id)
{
    return (enum steer_agent_state)steer_world_agents(world).state[sim_fixture_row(world, id)];
}

float sim_fixture_obstacle_gap(const struct steer_world *world)
{
    struct steer_agent_columns agents = steer_world_agents(world);
    float gap = HUGE_VALF;
    for (uint32_t i = 0; i < agents.count; i++) {
        for (uint32_t j = 0; j < steer_world_obstacle_count(world); j++) {
            float distance = steer_shape_distance(&steer_world_obstacle(world, j)->shape,
                                                  vec2(agents.x_m[i], agents.y_m[i]));
            gap = fminf(gap, distance - agents.radius_m[i]);
        }
    }
    return gap;
}

float sim_fixture_gap(const struct steer_world *world)
{
    struct steer_agent_columns agents = steer_world_agents(world);
    float gap = HUGE_VALF;
    for (uint32_t i = 0; i < agents.count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            struct vec2 offset = vec2(agents.x_m[i] - agents.x_m[j], agents.y_m[i] - agents.y_m[j]);
            gap = fminf(gap, vec2_length(offset) - agents.radius_m[i] - agents.radius_m[j]);
        }
    }
    return gap;
}
