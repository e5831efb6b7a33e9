/*
 * A scenario's start and its timed events as commands to a world. Between scenario_load, which has checked
 * all names, and steer_world_step; refusals of the world come back with the scenario's own line and key.
 */
#include "app/scenario/scenario_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/scenario/scenario_check.h"
#include "app/scenario/scenario_keys.h"
#include "base/assert.h"
#include "base/trig.h"

struct scenario_run {
    const struct scenario *scenario;
    uint32_t first_agent_id;
    uint32_t *obstacle_ids; /* by index of obstacle_names; 0: not there */
    uint32_t *starts;       /* agents that wait for their goal, by time */
    uint32_t start_count;
    uint32_t next_start;
    uint32_t next_event; /* place in event_order */
    uint64_t tick_first; /* the world's tick at the start */
    uint32_t tick_rate_hz;
};

enum status scenario_run_create(const struct scenario *scenario, struct scenario_run **out,
                                struct fault *fault)
{
    struct scenario_run *run = calloc(1, sizeof *run);
    if (run != NULL) {
        run->scenario = scenario;
        run->obstacle_ids = calloc(scenario->obstacles.count + scenario->events.count + 1, sizeof(uint32_t));
        run->starts = calloc(scenario->agents.count + 1, sizeof(uint32_t));
    }
    if (run == NULL || run->obstacle_ids == NULL || run->starts == NULL) {
        scenario_run_destroy(run);
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", scenario->path);
    }
    for (uint32_t i = 0; i < scenario->agents.count; i++) {
        double start_at = scenario_agent(scenario, i)->start_at;
        uint32_t place = run->start_count;
        if (start_at <= 0) {
            continue;
        }
        for (; place > 0 && scenario_agent(scenario, run->starts[place - 1])->start_at > start_at; place--) {
            run->starts[place] = run->starts[place - 1];
        }
        run->starts[place] = i;
        run->start_count++;
    }
    *out = run;
    return STATUS_OK;
}

void scenario_run_destroy(struct scenario_run *run)
{
    if (run != NULL) {
        free(run->obstacle_ids);
        free(run->starts);
        free(run);
    }
}

struct steer_agent_id scenario_run_agent(const struct scenario_run *run, uint32_t index)
{
    ASSERT(index < run->scenario->agents.count);
    return (struct steer_agent_id){run->first_agent_id + index};
}

uint64_t scenario_run_start_tick(const struct scenario_run *run, uint32_t index)
{
    return run->tick_first +
           scenario_tick_at(scenario_agent(run->scenario, index)->start_at, run->tick_rate_hz);
}

/* The world's words "agents[3].position ..." in a batch: *index_out is 3; returns where the words after it
 * begin. */
static size_t scenario_batch_index(const struct fault *fault, const char *list, uint32_t *index_out)
{
    size_t length = strlen(list);
    int used = 0;
    unsigned int index;
    if (strncmp(fault->text, list, length) != 0 ||
        sscanf(fault->text + length, "[%u]%n", &index, &used) != 1 || used == 0) {
        return 0;
    }
    *index_out = index;
    length += (size_t)used;
    return length + (fault->text[length] == '.');
}

static struct steer_agent_id scenario_run_find(const struct scenario_run *run, const char *name)
{
    uint32_t index = 0;
    bool found = scenario_find_agent(run->scenario, name, &index);
    ASSERT(found); /* scenario_load has looked them all up */
    return scenario_run_agent(run, index);
}

static struct steer_goal scenario_run_goal(const struct scenario_run *run, bool has_target,
                                           struct vec2 target, const char *target_agent,
                                           struct yaml_points path)
{
    if (has_target) {
        return (struct steer_goal){.kind = STEER_GOAL_POINT, .point_m = target};
    }
    if (target_agent != NULL) {
        return (struct steer_goal){.kind = STEER_GOAL_AGENT, .agent = scenario_run_find(run, target_agent)};
    }
    if (path.count > 0) {
        return (struct steer_goal){.kind = STEER_GOAL_PATH, .path_m = path.points, .path_count = path.count};
    }
    return (struct steer_goal){.kind = STEER_GOAL_NONE};
}

static struct steer_goal scenario_agent_goal(const struct scenario_run *run, uint32_t index)
{
    const struct scenario_agent *agent = scenario_agent(run->scenario, index);
    bool has_target = yaml_table_given(&scenario_agent_table, &agent->head, "target");
    return scenario_run_goal(run, has_target, agent->target, agent->target_agent, agent->path);
}

static enum status scenario_run_set_goal(struct steer_world *world, struct steer_agent_id id,
                                         const struct steer_goal *goal, struct fault *fault)
{
    const struct steer_target_spec target = {.agents = {.ids = &id.value, .count = 1}, .goal = *goal};
    return steer_world_set_targets(world, &target, 1, fault);
}

static enum status scenario_start_profiles(const struct scenario *scenario, struct steer_world *world,
                                           struct fault *fault)
{
    const struct profile_doc *docs = scenario->profiles.items;
    for (uint32_t i = 0; i < scenario->profiles.count; i++) {
        if (steer_world_define_profile(world, &scenario->made_profiles[i], fault) != STATUS_OK) {
            char where[32];
            snprintf(where, sizeof where, "profiles[%u]: ", i);
            return scenario_reword(scenario, docs[i].head.line, where, 0, fault);
        }
    }
    return STATUS_OK;
}

static struct steer_obstacle scenario_obstacle_spec(const struct scenario_obstacle *source)
{
    struct steer_obstacle obstacle = {.id = {0}};
    snprintf(obstacle.name, sizeof obstacle.name, "%s", source->name == NULL ? "" : source->name);
    scenario_shape(source, &obstacle.shape);
    return obstacle;
}

static enum status scenario_start_obstacles(struct scenario_run *run, struct steer_world *world,
                                            struct fault *fault)
{
    const struct scenario *scenario = run->scenario;
    const struct scenario_obstacle *sources = scenario->obstacles.items;
    for (uint32_t i = 0; i < scenario->obstacles.count; i++) {
        struct steer_obstacle obstacle = scenario_obstacle_spec(&sources[i]);
        struct steer_world_made made;
        if (steer_world_place_obstacles(world, &obstacle, 1, &made, fault) != STATUS_OK) {
            char where[32];
            uint32_t unused;
            snprintf(where, sizeof where, "obstacles[%u].", i);
            return scenario_reword(scenario, sources[i].head.line, where,
                                   scenario_batch_index(fault, "obstacles", &unused), fault);
        }
        run->obstacle_ids[i] = made.first_id;
    }
    return STATUS_OK;
}

void scenario_agent_spec(const struct scenario *scenario, uint32_t index, struct steer_agent_spec *out)
{
    const struct scenario_agent *agent = scenario_agent(scenario, index);
    *out = (struct steer_agent_spec){.position_m = agent->position,
                                     .orientation_deg = agent->orientation,
                                     .velocity_mps = agent->velocity,
                                     .profile = agent->profile,
                                     .tag = agent->tag,
                                     .flock = agent->flock,
                                     .layers = agent->layers,
                                     .mask = agent->mask,
                                     .radius_m = agent->radius,
                                     .max_speed_mps = agent->max_speed,
                                     .max_accel_mps2 = agent->max_accel};
}

/* All entries of `agents` in one command, so that their ids follow each other; goals come after, since they
 * may name later ones. */
static enum status scenario_start_agents(struct scenario_run *run, struct steer_world *world,
                                         struct fault *fault)
{
    const struct scenario *scenario = run->scenario;
    uint32_t count = scenario->agents.count;
    struct steer_agent_spec *specs = calloc(count + 1, sizeof *specs);
    if (specs == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", scenario->path);
    }
    for (uint32_t i = 0; i < count; i++) {
        scenario_agent_spec(scenario, i, &specs[i]);
    }
    struct steer_world_made made = {0};
    enum status status = count == 0 ? STATUS_OK : steer_world_spawn_agents(world, specs, count, &made, fault);
    free(specs);
    if (status != STATUS_OK) {
        uint32_t index = 0;
        size_t skip = scenario_batch_index(fault, "agents", &index);
        char where[32];
        snprintf(where, sizeof where, "agents[%u].", index);
        return scenario_reword(scenario, scenario_agent(scenario, index)->head.line, where, skip, fault);
    }
    run->first_agent_id = made.first_id;
    return STATUS_OK;
}

static enum status scenario_start_goal(struct scenario_run *run, struct steer_world *world, uint32_t index,
                                       struct fault *fault)
{
    struct steer_goal goal = scenario_agent_goal(run, index);
    if (scenario_run_set_goal(world, scenario_run_agent(run, index), &goal, fault) != STATUS_OK) {
        uint32_t unused;
        char where[32];
        snprintf(where, sizeof where, "agents[%u].", index);
        return scenario_reword(run->scenario, scenario_agent(run->scenario, index)->head.line, where,
                               scenario_batch_index(fault, "targets", &unused), fault);
    }
    return STATUS_OK;
}

static enum status scenario_start_crowd(const struct scenario *scenario, uint32_t index,
                                        struct steer_world *world, struct fault *fault)
{
    const struct scenario_crowd *crowd = (const struct scenario_crowd *)scenario->crowds.items + index;
    enum steer_crowd_goal_kind kind = STEER_CROWD_GOAL_NONE;
    if (yaml_table_given(&scenario_crowd_table, &crowd->head, "target")) {
        kind = STEER_CROWD_GOAL_POINT;
    } else if (yaml_table_given(&scenario_crowd_table, &crowd->head, "target_min")) {
        kind = STEER_CROWD_GOAL_AREA;
    } else if (crowd->path.count > 0) {
        kind = STEER_CROWD_GOAL_PATH;
    }
    const struct steer_crowd_spec spec = {.count = crowd->count,
                                          .min_m = crowd->min,
                                          .max_m = crowd->max,
                                          .seed = crowd->seed,
                                          .profile = crowd->profile,
                                          .tag = crowd->tag,
                                          .flock = crowd->flock,
                                          .goal_kind = kind,
                                          .goal_point_m = crowd->target,
                                          .goal_min_m = crowd->target_min,
                                          .goal_max_m = crowd->target_max,
                                          .goal_path_m = crowd->path.points,
                                          .goal_path_count = crowd->path.count,
                                          .retarget = crowd->retarget};
    struct steer_world_made made;
    if (steer_world_spawn_crowd(world, &spec, &made, fault) != STATUS_OK) {
        char where[32];
        snprintf(where, sizeof where, "crowds[%u]: ", index);
        return scenario_reword(scenario, crowd->head.line, where, 0, fault);
    }
    return STATUS_OK;
}

/* Place of the index-th on a circle: the first at +x, then counter-clockwise. */
static struct vec2 scenario_circle_place(const struct scenario_circle *circle, uint32_t index)
{
    /* Headings grow clockwise from +y. */
    float heading_deg = trig_wrap_deg(90.0f - (float)(360.0 * index / circle->count));
    return vec2_mad(circle->center, trig_direction(heading_deg), circle->radius);
}

void scenario_circle_spec(const struct scenario_circle *circle, uint32_t index, struct steer_agent_spec *out)
{
    bool has_target = yaml_table_given(&scenario_circle_table, &circle->head, "target");
    struct vec2 place = scenario_circle_place(circle, index);
    struct vec2 opposite = vec2_sub(vec2_scale(circle->center, 2), place);
    *out = (struct steer_agent_spec){
        .position_m = place, .profile = circle->profile, .tag = circle->tag, .flock = circle->flock};
    out->goal = (struct steer_goal){.kind = has_target ? STEER_GOAL_POINT : STEER_GOAL_NONE,
                                    .point_m = circle->target.antipodal ? opposite : circle->target.point};
}

static enum status scenario_start_circle(const struct scenario *scenario, uint32_t index,
                                         struct steer_world *world, struct fault *fault)
{
    const struct scenario_circle *circle = (const struct scenario_circle *)scenario->circles.items + index;
    struct steer_agent_spec *specs = calloc(circle->count, sizeof *specs);
    if (specs == NULL) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "%s: no memory", scenario->path);
    }
    for (uint32_t i = 0; i < circle->count; i++) {
        scenario_circle_spec(circle, i, &specs[i]);
    }
    struct steer_world_made made;
    enum status status = steer_world_spawn_agents(world, specs, circle->count, &made, fault);
    free(specs);
    if (status != STATUS_OK) {
        char where[32];
        snprintf(where, sizeof where, "circles[%u]: ", index);
        return scenario_reword(scenario, circle->head.line, where, 0, fault);
    }
    return STATUS_OK;
}

enum status scenario_run_start(struct scenario_run *run, struct steer_world *world, struct fault *fault)
{
    struct fault unheard;
    fault = fault == NULL ? &unheard : fault;
    const struct scenario *scenario = run->scenario;
    run->tick_first = steer_world_tick(world);
    run->tick_rate_hz = steer_world_config(world)->tick_rate_hz;
    enum status status = scenario_start_profiles(scenario, world, fault);
    if (status == STATUS_OK) {
        status = scenario_start_obstacles(run, world, fault);
    }
    if (status == STATUS_OK) {
        status = scenario_start_agents(run, world, fault);
    }
    for (uint32_t i = 0; i < scenario->agents.count && status == STATUS_OK; i++) {
        if (scenario_agent(scenario, i)->start_at <= 0) {
            status = scenario_start_goal(run, world, i, fault);
        }
    }
    for (uint32_t i = 0; i < scenario->crowds.count && status == STATUS_OK; i++) {
        status = scenario_start_crowd(scenario, i, world, fault);
    }
    for (uint32_t i = 0; i < scenario->circles.count && status == STATUS_OK; i++) {
        status = scenario_start_circle(scenario, i, world, fault);
    }
    return status;
}

static enum status scenario_run_place(struct scenario_run *run, struct steer_world *world, uint32_t number,
                                      struct fault *fault)
{
    struct steer_obstacle obstacle =
        scenario_obstacle_spec(&scenario_event(run->scenario, number)->place_obstacle);
    struct steer_world_made made;
    enum status status = steer_world_place_obstacles(world, &obstacle, 1, &made, fault);
    if (status == STATUS_OK) {
        run->obstacle_ids[run->scenario->obstacles.count + number] = made.first_id;
    }
    return status;
}

static enum status scenario_run_event(struct scenario_run *run, struct steer_world *world, uint32_t number,
                                      struct fault *fault)
{
    const struct scenario_event *event = scenario_event(run->scenario, number);
    if (event->remove_obstacle != NULL) {
        uint32_t index = 0;
        bool found = scenario_names_find(&run->scenario->obstacle_names, event->remove_obstacle, &index);
        ASSERT(found);
        return steer_world_remove_obstacles(world, &run->obstacle_ids[index], 1, false, fault);
    }
    if (event->place_obstacle.head.line != 0) {
        return scenario_run_place(run, world, number, fault);
    }
    if (event->set_target.head.line != 0) {
        const struct scenario_set_target *change = &event->set_target;
        bool has_target = yaml_table_given(&scenario_set_target_table, &change->head, "target");
        struct steer_goal goal =
            scenario_run_goal(run, has_target, change->target, change->target_agent, change->path);
        return scenario_run_set_goal(world, scenario_run_find(run, change->agent), &goal, fault);
    }
    if (event->remove_agent != NULL) {
        struct steer_agent_id id = scenario_run_find(run, event->remove_agent);
        const struct steer_agent_selection selection = {.ids = &id.value, .count = 1};
        return steer_world_remove_agents(world, &selection, fault);
    }
    if (event->drive.head.line != 0) {
        return steer_world_drive(world, scenario_run_find(run, event->drive.agent), event->drive.velocity,
                                 fault);
    }
    return steer_world_teleport(world, scenario_run_find(run, event->teleport.agent),
                                event->teleport.position, event->teleport.orientation, fault);
}

/* Keeps the first refusal. */
static void scenario_run_keep(enum status *first, struct fault *first_fault, enum status status,
                              const struct fault *fault)
{
    if (status != STATUS_OK && *first == STATUS_OK) {
        *first = status;
        *first_fault = *fault;
    }
}

enum status scenario_run_tick(struct scenario_run *run, struct steer_world *world, struct fault *fault)
{
    struct fault unheard;
    struct fault words;
    fault = fault == NULL ? &unheard : fault;
    const struct scenario *scenario = run->scenario;
    uint64_t tick = steer_world_tick(world) - run->tick_first;
    enum status first = STATUS_OK;
    while (run->next_start < run->start_count) {
        uint32_t index = run->starts[run->next_start];
        if (scenario_tick_at(scenario_agent(scenario, index)->start_at, run->tick_rate_hz) > tick) {
            break;
        }
        run->next_start++;
        scenario_run_keep(&first, fault, scenario_start_goal(run, world, index, &words), &words);
    }
    while (run->next_event < scenario->events.count) {
        uint32_t number = scenario->event_order[run->next_event];
        const struct scenario_event *event = scenario_event(scenario, number);
        if (scenario_tick_at(event->at, run->tick_rate_hz) > tick) {
            break;
        }
        run->next_event++;
        enum status status = scenario_run_event(run, world, number, &words);
        if (status != STATUS_OK) {
            char where[32];
            snprintf(where, sizeof where, "events[%u]: ", number);
            scenario_reword(scenario, event->head.line, where, 0, &words);
        }
        scenario_run_keep(&first, fault, status, &words);
    }
    return first;
}
