/*
 * Free times of a scenario's agents. Starts and goals are taken from the world right after the start; the
 * walks are made after the run, one after another in one small world. Used by `steerd simulate` for
 * time_factor.
 */
#include "app/scenario/scenario_free.h"

#include <math.h>
#include <stdlib.h>

#include "app/scenario/scenario_keys.h"
#include "base/assert.h"

#define FREE_WALK_FACTOR  4  /* a walk alone that takes so many times longer is given up */
#define FREE_WALK_EXTRA_S 10 /* and this, for short ways */

struct free_walk {
    struct steer_agent_spec spec; /* goal and all; its texts and points belong to the scenario */
    struct steer_agent_id id;     /* in the run's world */
    double start_s;
};

struct scenario_free {
    const struct scenario *scenario;
    struct steer_world_config config; /* of the run's world */
    struct free_walk *walks;          /* by id */
    uint32_t count;
};

static void free_add(struct scenario_free *walks, const struct steer_agent_spec *spec, uint32_t id,
                     double start_s)
{
    if (spec->goal.kind == STEER_GOAL_POINT || spec->goal.kind == STEER_GOAL_PATH) {
        walks->walks[walks->count++] = (struct free_walk){*spec, {id}, start_s};
    }
}

/* True when an event changes where the agent is or goes. */
static bool free_is_disturbed(const struct scenario *scenario, uint32_t agent)
{
    for (uint32_t i = 0; i < scenario->events.count; i++) {
        const struct scenario_event *event = scenario_event(scenario, i);
        const char *name = event->set_target.agent != NULL ? event->set_target.agent
                           : event->teleport.agent != NULL ? event->teleport.agent
                           : event->drive.agent != NULL    ? event->drive.agent
                                                           : event->remove_agent;
        uint32_t index;
        if (name != NULL && scenario_find_agent(scenario, name, &index) && index == agent) {
            return true;
        }
    }
    return false;
}

static void free_add_agents(struct scenario_free *walks, const struct scenario_run *run)
{
    for (uint32_t i = 0; i < walks->scenario->agents.count; i++) {
        const struct scenario_agent *agent = scenario_agent(walks->scenario, i);
        struct steer_agent_spec spec;
        scenario_agent_spec(walks->scenario, i, &spec);
        if (yaml_table_given(&scenario_agent_table, &agent->head, "target")) {
            spec.goal = (struct steer_goal){.kind = STEER_GOAL_POINT, .point_m = agent->target};
        } else if (agent->path.count > 0) {
            spec.goal = (struct steer_goal){
                .kind = STEER_GOAL_PATH, .path_m = agent->path.points, .path_count = agent->path.count};
        }
        if (agent->start_at > 0) {
            spec.velocity_mps = vec2(0, 0);
        }
        if (!free_is_disturbed(walks->scenario, i)) {
            double start_s = (double)scenario_run_start_tick(run, i) / walks->config.tick_rate_hz;
            free_add(walks, &spec, scenario_run_agent(run, i).value, start_s);
        }
    }
}

/* Crowds have drawn their places and targets: the world knows them. */
static void free_add_crowds(struct scenario_free *walks, const struct steer_world *world, uint32_t *id)
{
    struct steer_agent_columns agents = steer_world_agents(world);
    const struct scenario_crowd *crowds = walks->scenario->crowds.items;
    for (uint32_t i = 0; i < walks->scenario->crowds.count; i++) {
        for (uint32_t j = 0; j < crowds[i].count; j++, (*id)++) {
            uint32_t row;
            bool found = steer_world_find_agent(world, (struct steer_agent_id){*id}, &row);
            ASSERT(found);
            struct steer_agent_spec spec = {.position_m = vec2(agents.x_m[row], agents.y_m[row]),
                                            .orientation_deg = agents.orientation_deg[row],
                                            .profile = crowds[i].profile};
            if (crowds[i].path.count > 0) {
                spec.goal = (struct steer_goal){.kind = STEER_GOAL_PATH,
                                                .path_m = crowds[i].path.points,
                                                .path_count = crowds[i].path.count};
            } else {
                spec.goal = steer_world_agent_goal(world, row);
            }
            free_add(walks, &spec, *id, 0);
        }
    }
}

static void free_add_circles(struct scenario_free *walks, uint32_t *id)
{
    const struct scenario_circle *circles = walks->scenario->circles.items;
    for (uint32_t i = 0; i < walks->scenario->circles.count; i++) {
        for (uint32_t j = 0; j < circles[i].count; j++, (*id)++) {
            struct steer_agent_spec spec;
            scenario_circle_spec(&circles[i], j, &spec);
            free_add(walks, &spec, *id, 0);
        }
    }
}

enum status scenario_free_create(const struct scenario *scenario, const struct scenario_run *run,
                                 const struct steer_world *world, struct scenario_free **out,
                                 struct fault *fault)
{
    struct scenario_free *walks = calloc(1, sizeof *walks);
    if (walks != NULL) {
        walks->walks = calloc((size_t)scenario->agent_count + 1, sizeof *walks->walks);
    }
    if (walks == NULL || walks->walks == NULL) {
        scenario_free_destroy(walks);
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory for free times", scenario->path);
    }
    walks->scenario = scenario;
    walks->config = *steer_world_config(world);
    uint32_t id = scenario->agents.count + 1;
    free_add_agents(walks, run);
    free_add_crowds(walks, world, &id);
    free_add_circles(walks, &id);
    *out = walks;
    return STATUS_OK;
}

void scenario_free_destroy(struct scenario_free *walks)
{
    if (walks != NULL) {
        free(walks->walks);
        free(walks);
    }
}

static enum status free_create_world(const struct scenario_free *walks, struct steer_world **out,
                                     struct fault *fault)
{
    struct steer_world_config config = walks->config;
    config.agents_max = 1;
    config.obstacles_max = 1;
    config.paths_max = 2; /* a new path may be taken before the old one is let go */
    config.crowds_max = 1;
    config.events_max = 16;
    struct steer_world *world;
    enum status status = steer_world_create(&config, 1, &world, fault);
    if (status != STATUS_OK) {
        return status;
    }
    for (uint32_t i = 0; i < walks->scenario->profiles.count && status == STATUS_OK; i++) {
        status = steer_world_define_profile(world, &walks->scenario->made_profiles[i], fault);
    }
    if (status != STATUS_OK) {
        steer_world_destroy(world);
        return status;
    }
    *out = world;
    return STATUS_OK;
}

/* Walks one agent; *time_s_out is NAN when it does not arrive in `ticks_max`. The world is empty again
 * afterwards. */
static enum status free_walk_alone(struct steer_world *world, struct job_pool *pool,
                                   const struct free_walk *walk, uint64_t ticks_max, double *time_s_out,
                                   struct fault *fault)
{
    struct steer_world_made made;
    enum status status = steer_world_spawn_agents(world, &walk->spec, 1, &made, fault);
    if (status != STATUS_OK) {
        return status;
    }
    *time_s_out = NAN;
    for (uint64_t tick = 1; tick <= ticks_max && isnan(*time_s_out); tick++) {
        uint32_t count;
        steer_world_clear_changes(world);
        steer_world_step(world, pool);
        const struct steer_world_event *events = steer_world_events(world, &count);
        for (uint32_t i = 0; i < count; i++) {
            if (events[i].kind == STEER_WORLD_EVENT_ARRIVED) {
                *time_s_out = (double)tick / steer_world_config(world)->tick_rate_hz;
            }
        }
    }
    const struct steer_agent_selection selection = {.all = true};
    return steer_world_remove_agents(world, &selection, fault);
}

static enum status free_walk_all(const struct scenario_free *walks, const struct scenario_measure *measure,
                                 struct steer_world *world, struct job_pool *pool,
                                 struct scenario_time_factor *out, struct fault *fault)
{
    uint32_t arrived = 0;
    for (uint32_t i = 0; i < walks->count; i++) {
        arrived += !isnan(scenario_measure_arrival_s(measure, walks->walks[i].id));
    }
    double sum = 0;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < walks->count; i++) {
        const struct free_walk *walk = &walks->walks[i];
        double taken_s = scenario_measure_arrival_s(measure, walk->id) - walk->start_s;
        if (isnan(taken_s)) {
            continue;
        }
        /* Of `arrived` in a row, those where the sample's count steps up. */
        ASSERT(seen < arrived);
        uint64_t sampled = (uint64_t)seen * SCENARIO_FREE_WALKS_MAX / arrived;
        seen++;
        if (arrived > SCENARIO_FREE_WALKS_MAX &&
            (uint64_t)seen * SCENARIO_FREE_WALKS_MAX / arrived == sampled) {
            continue;
        }
        double free_s;
        uint64_t ticks_max =
            (uint64_t)((FREE_WALK_FACTOR * taken_s + FREE_WALK_EXTRA_S) * walks->config.tick_rate_hz);
        enum status status = free_walk_alone(world, pool, walk, ticks_max, &free_s, fault);
        if (status != STATUS_OK) {
            return status;
        }
        if (!isnan(free_s)) {
            double factor = taken_s / free_s;
            sum += factor;
            out->worst = out->walked == 0 ? factor : fmax(out->worst, factor);
            out->walked++;
        }
    }
    out->mean = out->walked == 0 ? NAN : sum / out->walked;
    return STATUS_OK;
}

enum status scenario_free_factor(const struct scenario_free *walks, const struct scenario_measure *measure,
                                 struct scenario_time_factor *out, struct fault *fault)
{
    struct steer_world *world = NULL;
    struct job_pool *pool = job_pool_create(1);
    struct scenario_time_factor factor = {.mean = NAN, .worst = NAN};
    enum status status =
        pool == NULL ? fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory or thread for free times")
                     : free_create_world(walks, &world, fault);
    if (status == STATUS_OK) {
        status = free_walk_all(walks, measure, world, pool, &factor, fault);
    }
    steer_world_destroy(world);
    if (pool != NULL) {
        job_pool_destroy(pool);
    }
    if (status == STATUS_OK) {
        *out = factor;
    }
    return status;
}
