#pragma once

#include "base/job_pool.h"
#include "sim/steer.h"
#include "sim/steering.h"

/* Small worlds for tests of the simulation. What is refused here fails the test. */

/* 200 m square round the origin, 30 Hz, room for some thousands of everything. */
struct steer_world_config sim_fixture_config(void);
struct steer_world *sim_fixture_world(void);

/* Steps on one thread. */
void sim_fixture_run(struct steer_world *world, uint32_t ticks);

/* One more agent of the profile. */
struct steer_agent_id sim_fixture_agent(struct steer_world *world, struct vec2 position,
                                        struct steer_goal goal, const char *profile);

struct steer_goal sim_fixture_to(float x, float y);

struct steer_obstacle_id sim_fixture_circle(struct steer_world *world, struct vec2 center, float radius_m);
struct steer_obstacle_id sim_fixture_segment(struct steer_world *world, struct vec2 a, struct vec2 b);
struct steer_obstacle_id sim_fixture_box(struct steer_world *world, struct vec2 center, struct vec2 size);

/* Defines a profile of one behaviour with default parameters. */
void sim_fixture_profile(struct steer_world *world, const char *name, const char *behaviour,
                         enum steer_rest rest);

/*
 * What one behaviour with its defaults asks of the agents of row 0 .. count - 1 as they are, without a tick
 * that would move and part them first. Their profile, for the behaviour, is one that has it alone.
 */
struct steering sim_fixture_ask(struct steer_world *world, const char *name, uint32_t count);

/* The same of the first behaviour of a profile, with its parameters. */
struct steering sim_fixture_ask_profile(struct steer_world *world, const struct steer_profile *profile,
                                        uint32_t count);

/* A profile of one behaviour in which one parameter is not its default. */
struct steer_profile sim_fixture_with(const char *behaviour, const char *parameter, float value);

/* That it asks for this acceleration, within 1e-4 m/s^2, and for no turn. */
void sim_fixture_asks_linear(const struct steering *asked, uint32_t index, float ax, float ay);

/* Where an agent is; it must exist. */
struct vec2 sim_fixture_position(const struct steer_world *world, struct steer_agent_id id);
struct vec2 sim_fixture_velocity(const struct steer_world *world, struct steer_agent_id id);
enum steer_agent_state sim_fixture_state(const struct steer_world *world, struct steer_agent_id id);

/* Smallest distance of an agent's rim to an obstacle, and of two rims to each other; HUGE_VALF when there is
 * none. */
float sim_fixture_obstacle_gap(const struct steer_world *world);
float sim_fixture_gap(const struct steer_world *world);
