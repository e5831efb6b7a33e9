#pragma once

#include "app/scenario/scenario.h"

/*
 * A scenario brought to life in a world: by `steerd simulate` and by `steerd serve --scenario`. It only gives
 * commands between steps; who steps the world is another's matter.
 */
struct scenario_run;

/* scenario  borrowed for the life of the run. Fails: RESOURCE_EXHAUSTED. */
MUST_CHECK enum status scenario_run_create(const struct scenario *scenario, struct scenario_run **out,
                                           struct fault *fault);
void scenario_run_destroy(struct scenario_run *run);

/*
 * Profiles, obstacles, agents, crowds and circles into a fresh world (made of scenario_configure). Ids of
 * agents run from 1 in the file's order: agents, crowds, circles. Times of events count from here. Fails: as
 * the world's commands, with file, line and key; the world is then of no use.
 */
MUST_CHECK enum status scenario_run_start(struct scenario_run *run, struct steer_world *world,
                                          struct fault *fault);

/*
 * Gives the commands that are due before the step to come; call it before every step. Nothing is allocated.
 * Fails: as the world's commands, for the first that fails; the others have been given all the same. On a
 * server clients may have taken away what an event speaks of.
 */
MUST_CHECK enum status scenario_run_tick(struct scenario_run *run, struct steer_world *world,
                                         struct fault *fault);

/* An entry of `agents` as the world spawns it, without its goal. */
void scenario_agent_spec(const struct scenario *scenario, uint32_t index, struct steer_agent_spec *out);

/* The index-th agent of a circle, with its goal. */
void scenario_circle_spec(const struct scenario_circle *circle, uint32_t index, struct steer_agent_spec *out);

/* Id of an entry of `agents`, after scenario_run_start. */
struct steer_agent_id scenario_run_agent(const struct scenario_run *run, uint32_t index);

/* Tick from which an entry of `agents` has its first goal. */
uint64_t scenario_run_start_tick(const struct scenario_run *run, uint32_t index);
