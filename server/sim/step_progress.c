/*
 * Progress: way-points passed, goals arrived at, agents that do not come nearer, new targets of retargeting
 * crowds.
 *
 * Way-points are passed before steering, so that nobody steers back to one that lies behind him. The rest
 * comes after speed, in two phases: everybody decides from the state as it was, then the decisions are taken
 * in id order.
 */
#include <math.h>

#include "base/assert.h"
#include "sim/settle.h"
#include "sim/world_internal.h"

#define STEP_ARRIVED_SPEED_MPS 0.05f /* slower is at rest */
#define STEP_ARRIVED_RIM_M     0.1f  /* gap to one who has arrived that is as near as the crowd allows */
#define STEP_ARRIVED_REST_S    1.0f
#define STEP_ARRIVED_LONG_REST_S                                                                             \
    3.0f /* who has rested so long does not get to the nearer place that there is */
#define STEP_ARRIVED_MARGIN_M 0.05f /* that agents of the same goal keep between them */
#define STEP_REST_DRIFT_M     0.05f /* who stays within it is at rest: 0.05 m/s for a second */
#define STEP_LEFT_M           0.5f /* farther from the goal than where it arrived, an agent is on its way again */
#define STEP_BLOCKED_M        0.5f
#define STEP_BLOCKED_S        1.25f

/* The move of a tick. */
struct step_moved {
    struct vec2 from;
    struct vec2 to;
};

/* Whether a move came within `radius_m` of a point. */
static bool step_came_near(const struct step_moved *moved, struct vec2 point, float radius_m)
{
    struct vec2 way = vec2_sub(moved->to, moved->from);
    struct vec2 offset = vec2_sub(point, moved->from);
    float length_squared = vec2_length_squared(way);
    float part = length_squared > 0.0f ? vec2_dot(offset, way) / length_squared : 0.0f;
    part = part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part;
    return vec2_length_squared(vec2_mad(offset, way, -part)) <= radius_m * radius_m;
}

/* Whether a move crossed the line through a way-point at a right angle to the leg that leads to it. */
static bool step_crossed(const struct step_moved *moved, struct vec2 leg_start, struct vec2 waypoint)
{
    struct vec2 leg = vec2_sub(waypoint, leg_start);
    float before = vec2_dot(vec2_sub(moved->from, waypoint), leg);
    float after = vec2_dot(vec2_sub(moved->to, waypoint), leg);
    return (before < 0.0f) != (after < 0.0f);
}

static void step_pass_waypoints_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const struct step *step = context;
    struct steer_world *world = step->world;
    struct agent_store *agents = &world->agents;
    for (uint32_t row = begin; row < end; row++) {
        if (agents->goal_kind[row] != STEER_GOAL_PATH) {
            continue;
        }
        const struct path *path = &world->paths.items[agents->goal_ref[row]];
        float radius_m = world->plans[agents->profile[row]].waypoint_radius_m;
        const struct step_moved moved = {{world->before_x[row], world->before_y[row]},
                                         {agents->x[row], agents->y[row]}};
        uint32_t waypoint = agents->waypoint[row];
        struct vec2 leg_start =
            waypoint == 0 ? vec2(agents->goal_x[row], agents->goal_y[row]) : path->points_m[waypoint - 1];
        while (waypoint + 1 < path->count && (step_came_near(&moved, path->points_m[waypoint], radius_m) ||
                                              step_crossed(&moved, leg_start, path->points_m[waypoint]))) {
            leg_start = path->points_m[waypoint++];
        }
        agents->waypoint[row] = (uint8_t)waypoint;
    }
}

void step_pass_waypoints(struct step *step)
{
    job_pool_for(step->pool, step->world->agents.count, WORLD_GRAIN, step_pass_waypoints_range, step);
}

/*
 * Whether an agent at rest is as near to its goal as the crowd allows: rim to rim with one of the same goal
 * who has arrived, or, standing on the goal, with anyone of the same goal. Without the latter a ring of
 * agents that press towards one point from all sides would hold each other off it for ever, and nobody would
 * be the first to arrive.
 */
static bool step_touches_its_crowd(const struct step *step, uint32_t row, float remaining_m)
{
    const struct steer_world *world = step->world;
    const struct agent_store *agents = &world->agents;
    const struct grid *grid = &world->grid;
    struct vec2 position = vec2(agents->x[row], agents->y[row]);
    float reach = agents->radius[row] + STEP_ARRIVED_RIM_M;
    struct grid_span span = grid_span(grid, position, reach + grid->radius_max_m);
    for (uint32_t line = span.row_first; line <= span.row_last; line++) {
        struct grid_run run = grid_run(grid, &span, line);
        for (uint32_t place = run.begin; place < run.end; place++) {
            uint32_t other = grid->row[place];
            float touch = reach + grid->radius[place];
            struct vec2 offset = vec2(grid->x[place] - position.x, grid->y[place] - position.y);
            bool counts =
                agents->state[other] == STEER_AGENT_STATE_ARRIVED || remaining_m <= agents->radius[row];
            if (other != row && counts && vec2_length_squared(offset) <= touch * touch &&
                steer_same_goal(&step->view, row, other)) {
                return true;
            }
        }
    }
    return false;
}

/* Counts for how long an agent has stayed where it is. */
static void step_count_rest(const struct steer_world *world, uint32_t row)
{
    const struct agent_store *agents = &world->agents;
    struct vec2 drift = vec2(agents->x[row] - agents->rest_x[row], agents->y[row] - agents->rest_y[row]);
    if (vec2_length_squared(drift) > STEP_REST_DRIFT_M * STEP_REST_DRIFT_M) {
        agents->rest_x[row] = agents->x[row];
        agents->rest_y[row] = agents->y[row];
        agents->rest_ticks[row] = 0;
    } else if (agents->rest_ticks[row] < UINT32_MAX) {
        agents->rest_ticks[row]++;
    }
}

static bool step_has_arrived(const struct step *step, uint32_t row, const struct steer_waypoint *to)
{
    const struct steer_world *world = step->world;
    const struct agent_store *agents = &world->agents;
    struct vec2 velocity = vec2(agents->vx[row], agents->vy[row]);
    if (to->is_last && to->remaining_m <= world->plans[agents->profile[row]].target_radius_m &&
        vec2_length_squared(velocity) < STEP_ARRIVED_SPEED_MPS * STEP_ARRIVED_SPEED_MPS) {
        return true;
    }
    float rest_s = (float)agents->rest_ticks[row] * world->dt_s;
    struct settle_way nearer;
    return to->is_last && rest_s >= STEP_ARRIVED_REST_S &&
           step_touches_its_crowd(step, row, to->remaining_m) &&
           (rest_s >= STEP_ARRIVED_LONG_REST_S ||
            !settle_find(&step->view, row, to, STEP_ARRIVED_MARGIN_M, &nearer));
}

/*
 * Once a second: whether one who stands in the crowd round its goal has a place that is nearer by its radius
 * or more, or those beside whom it stood have gone.
 */
static bool step_closes_up(const struct step *step, uint32_t row, const struct steer_waypoint *to)
{
    const struct steer_world *world = step->world;
    const struct agent_store *agents = &world->agents;
    const struct profile_plan *plan = &world->plans[agents->profile[row]];
    bool goes_round = (plan->behaviours >> BEHAVIOUR_avoid_agents & 1) != 0;
    if (!goes_round || (world->tick + agents->id[row]) % world->config.tick_rate_hz != 0 || !to->is_last ||
        to->remaining_m <= plan->target_radius_m + agents->radius[row]) {
        return false;
    }
    struct settle_way nearer;
    return !step_touches_its_crowd(step, row, to->remaining_m) ||
           (settle_find(&step->view, row, to, STEP_ARRIVED_MARGIN_M, &nearer) &&
            nearer.gain_m >= agents->radius[row]);
}

/*
 * Once a second: whether it came too little nearer in the last five. One that follows another and keeps
 * moving is not blocked by that one's moving, too.
 */
static enum steer_agent_state step_judge_progress(const struct steer_world *world, uint32_t row,
                                                  float remaining_m)
{
    const struct agent_store *agents = &world->agents;
    enum steer_agent_state state = (enum steer_agent_state)agents->state[row];
    if (agents->goal_ticks[row] % world->config.tick_rate_hz != 0) {
        return state;
    }
    float *samples = agents->progress[row].remaining_m;
    float enough_m = STEP_BLOCKED_S * agents->max_speed[row];
    enough_m = enough_m < STEP_BLOCKED_M ? enough_m : STEP_BLOCKED_M;
    float nearer_m = samples[0] - remaining_m;
    bool is_following = agents->goal_kind[row] == STEER_GOAL_AGENT &&
                        (float)agents->rest_ticks[row] * world->dt_s < STEP_ARRIVED_REST_S;
    if (isfinite(samples[0])) {
        state = nearer_m < enough_m && !is_following ? STEER_AGENT_STATE_BLOCKED : STEER_AGENT_STATE_MOVING;
    }
    for (uint32_t i = 0; i + 1 < AGENT_PROGRESS_SAMPLES; i++) {
        samples[i] = samples[i + 1];
    }
    samples[AGENT_PROGRESS_SAMPLES - 1] = remaining_m;
    return state;
}

/* What an agent is about after this tick. Writes its own counters, reads the others' state as it was. */
static enum steer_agent_state step_decide(const struct step *step, uint32_t row)
{
    const struct steer_world *world = step->world;
    const struct agent_store *agents = &world->agents;
    enum steer_agent_state state = (enum steer_agent_state)agents->state[row];
    struct steer_waypoint to;
    step_count_rest(world, row);
    if (!steer_next_waypoint(&step->view, row, &to)) {
        return state; /* idle or driven */
    }
    if (state == STEER_AGENT_STATE_ARRIVED) {
        float held_m = agents->progress[row].remaining_m[0];
        if (to.remaining_m <= held_m + STEP_LEFT_M + agents->radius[row] && !step_closes_up(step, row, &to)) {
            return state;
        }
        world_restart_progress(step->world, row);
        return STEER_AGENT_STATE_MOVING;
    }
    if (step_has_arrived(step, row, &to)) {
        agents->progress[row].remaining_m[0] = to.remaining_m;
        return STEER_AGENT_STATE_ARRIVED;
    }
    state = step_judge_progress(world, row, to.remaining_m);
    agents->goal_ticks[row]++;
    return state;
}

static void step_decide_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const struct step *step = context;
    for (uint32_t row = begin; row < end; row++) {
        step->world->state_next[row] = (uint8_t)step_decide(step, row);
    }
}

/* The next target of one who arrived, when his crowd has more. */
static void step_retarget(struct steer_world *world, uint32_t row)
{
    struct agent_store *agents = &world->agents;
    if (agents->crowd[row] == CROWD_NONE) {
        return;
    }
    const struct crowd *crowd = &world->crowds.items[agents->crowd[row]];
    struct vec2 target =
        world_draw_target(world, crowd, agents->draws[row]++, agents->id[row], agents->radius[row]);
    agents->goal_x[row] = target.x;
    agents->goal_y[row] = target.y;
    agents->state[row] = STEER_AGENT_STATE_MOVING;
    world_restart_progress(world, row);
}

void step_progress(struct step *step)
{
    struct steer_world *world = step->world;
    struct agent_store *agents = &world->agents;
    job_pool_for(step->pool, agents->count, WORLD_GRAIN, step_decide_range, step);
    for (uint32_t row = 0; row < agents->count; row++) {
        enum steer_agent_state next = (enum steer_agent_state)world->state_next[row];
        if (next == agents->state[row]) {
            continue;
        }
        agents->state[row] = (uint8_t)next;
        if (next == STEER_AGENT_STATE_ARRIVED) {
            world_add_event(world, STEER_WORLD_EVENT_ARRIVED, row);
            step_retarget(world, row);
        } else if (next == STEER_AGENT_STATE_BLOCKED) {
            world_add_event(world, STEER_WORLD_EVENT_BLOCKED, row);
        }
    }
    world_settle_events(world);
}
