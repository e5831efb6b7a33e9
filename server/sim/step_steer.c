/*
 * Steer: the agents of a profile, in batches, through its behaviours and its rule of combination. All read
 * the state as it is after parting; what comes out waits in the scratch columns until everybody has read it.
 */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "sim/behaviour_row.h"
#include "sim/steer.h"
#include "sim/world_internal.h"

/* What one agent has been given so far, linear and angular apart. */
struct step_combining {
    float ax[STEER_BATCH_MAX];
    float ay[STEER_BATCH_MAX];
    float angular[STEER_BATCH_MAX];
    float linear_left[STEER_BATCH_MAX]; /* of the budget */
    float angular_left[STEER_BATCH_MAX];
    uint8_t asks[STEER_BATCH_MAX]; /* enum steer_asks, and STEP_WANTS */
};

/* Beside what behaviours ask with: somebody else than avoidance asks for motion, so the agent wants to get
 * somewhere. */
#define STEP_WANTS 0x80u

/* The driven are steered apart: by `drive` and `look_where_going` alone. */
static uint32_t step_key(const struct agent_store *agents, uint32_t row)
{
    return 2u * agents->profile[row] + (agents->goal_kind[row] == STEER_GOAL_VELOCITY ? 1u : 0u);
}

/* Sorts the places by profile, in the grid's order within each, and cuts them into batches. */
static void step_make_batches(struct steer_world *world)
{
    const struct grid *grid = &world->grid;
    uint32_t keys = 2 * world->profile_count;
    memset(world->key_starts, 0, (keys + 1) * sizeof *world->key_starts);
    for (uint32_t place = 0; place < grid->count; place++) {
        world->key_starts[step_key(&world->agents, grid->row[place]) + 1]++;
    }
    world->batch_count = 0;
    for (uint32_t key = 0; key < keys; key++) {
        uint32_t begin = world->key_starts[key];
        uint32_t end = begin + world->key_starts[key + 1];
        world->key_starts[key + 1] = end;
        for (; begin < end; begin += STEER_BATCH_MAX) {
            uint32_t count = end - begin < STEER_BATCH_MAX ? end - begin : STEER_BATCH_MAX;
            world->batches[world->batch_count++] = (struct step_batch){begin, count, key};
        }
    }
    for (uint32_t place = 0; place < grid->count; place++) {
        uint32_t key = step_key(&world->agents, grid->row[place]);
        world->step_places[world->key_starts[key]++] = place;
    }
}

static struct vec2 step_asked(const struct step_combining *sum, uint32_t i)
{
    return vec2(sum->ax[i], sum->ay[i]);
}

/* Adds what a behaviour asks, with its weight, to what its group asks. */
static void step_add(struct step_combining *group, const struct steering *asked, float weight, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (asked->asks[i] & STEER_ASKS_LINEAR) {
            ASSERT_SLOW(isfinite(asked->ax[i]) && isfinite(asked->ay[i]));
            group->ax[i] += asked->ax[i] * weight;
            group->ay[i] += asked->ay[i] * weight;
        }
        if (asked->asks[i] & STEER_ASKS_ANGULAR) {
            ASSERT_SLOW(isfinite(asked->angular[i]));
            group->angular[i] += asked->angular[i] * weight;
        }
        group->asks[i] |= asked->asks[i];
    }
}

static float step_clamp(float value, float max)
{
    return value > max ? max : value < -max ? -max : value;
}

/* priority: the first group that asks decides. */
static void step_combine_priority(struct step_combining *sum, const struct step_combining *group, uint32_t i)
{
    uint8_t fresh = group->asks[i] & (uint8_t)~sum->asks[i];
    if (fresh & STEER_ASKS_LINEAR) {
        sum->ax[i] = group->ax[i];
        sum->ay[i] = group->ay[i];
    }
    if (fresh & STEER_ASKS_ANGULAR) {
        sum->angular[i] = group->angular[i];
    }
    sum->asks[i] |= fresh;
}

/*
 * budget: a group spends what is left, and nothing of it against what is spent: r <- r - min(0, r.s) s, where
 * s is the unit vector of the sum so far. Without that `arrive` cancels an early, gentle evasion.
 */
static void step_combine_budget(struct step_combining *sum, const struct step_combining *group, uint32_t i)
{
    if (group->asks[i] & STEER_ASKS_LINEAR) {
        struct vec2 asked = step_asked(group, i);
        struct vec2 spent = step_asked(sum, i);
        float spent_squared = vec2_length_squared(spent);
        if (spent_squared > 0.0f) {
            struct vec2 direction = vec2_scale(spent, 1.0f / sqrtf(spent_squared));
            float along = vec2_dot(asked, direction);
            asked = along < 0.0f ? vec2_mad(asked, direction, -along) : asked;
        }
        asked = vec2_clamp_length(asked, sum->linear_left[i]);
        float left = sum->linear_left[i] - vec2_length(asked);
        sum->linear_left[i] = left > 0.0f && !(group->asks[i] & STEER_ASKS_ALL) ? left : 0.0f;
        sum->ax[i] += asked.x;
        sum->ay[i] += asked.y;
    }
    if (group->asks[i] & STEER_ASKS_ANGULAR) {
        float asked = group->angular[i] * sum->angular[i] < 0.0f ? 0.0f : group->angular[i];
        asked = step_clamp(asked, sum->angular_left[i]);
        sum->angular_left[i] -= fabsf(asked);
        sum->angular[i] += asked;
    }
    sum->asks[i] |= group->asks[i];
}

/* blend: all of it. */
static void step_combine_blend(struct step_combining *sum, const struct step_combining *group, uint32_t i)
{
    sum->ax[i] += group->ax[i];
    sum->ay[i] += group->ay[i];
    sum->angular[i] += group->angular[i];
    sum->asks[i] |= group->asks[i];
}

static void step_combine(struct step_combining *sum, const struct step_combining *group,
                         enum steer_combination combination, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        switch (combination) {
        case STEER_COMBINATION_BLEND:
            step_combine_blend(sum, group, i);
            break;
        case STEER_COMBINATION_PRIORITY:
            step_combine_priority(sum, group, i);
            break;
        case STEER_COMBINATION_BUDGET:
            step_combine_budget(sum, group, i);
            break;
        }
    }
}

static void step_call(struct steer_batch *batch, uint32_t behaviour, float weight,
                      struct step_combining *group)
{
    struct steering asked;
    memset(asked.asks, 0, batch->count);
    behaviour_row_info(behaviour)->steer(batch, &asked);
    bool avoids = behaviour == BEHAVIOUR_avoid_agents || behaviour == BEHAVIOUR_avoid_obstacles;
    for (uint32_t i = 0; i < batch->count && !avoids; i++) {
        asked.asks[i] |= asked.asks[i] & STEER_ASKS_LINEAR ? STEP_WANTS : 0;
    }
    step_add(group, &asked, weight, batch->count);
}

static void step_clear(struct step_combining *sum, uint32_t count)
{
    memset(sum->ax, 0, count * sizeof sum->ax[0]);
    memset(sum->ay, 0, count * sizeof sum->ay[0]);
    memset(sum->angular, 0, count * sizeof sum->angular[0]);
    memset(sum->asks, 0, count * sizeof sum->asks[0]);
}

/*
 * One who wants to get nowhere and only makes room brakes with what that leaves of the budget, as it would if
 * nobody came. Else somebody who was once made to step aside rolls on, as long as there is anybody near to
 * mind: from one to the next, and through a whole crowd that stands.
 */
static void step_rest_while_avoiding(const struct steer_batch *batch, struct step_combining *sum)
{
    struct step_combining brake;
    step_clear(&brake, batch->count);
    for (uint32_t i = 0; i < batch->count; i++) {
        if ((sum->asks[i] & (STEER_ASKS_LINEAR | STEP_WANTS)) != STEER_ASKS_LINEAR) {
            continue;
        }
        /* Of the velocity that making room leads to: what it takes away itself is not taken away twice. */
        struct vec2 stop = vec2_scale(steer_velocity(batch->view, batch->rows[i]), -1.0f / batch->view->dt_s);
        stop = vec2_sub(stop, step_asked(sum, i));
        brake.ax[i] = stop.x;
        brake.ay[i] = stop.y;
        brake.asks[i] = STEER_ASKS_LINEAR;
        step_combine_budget(sum, &brake, i);
    }
}

/* The behaviours of a profile, group by group. */
static void step_steer_profile(struct steer_batch *batch, const struct profile_plan *plan,
                               struct step_combining *sum)
{
    const struct steer_profile *profile = batch->profile;
    for (uint32_t next = 0; next < profile->behaviour_count;) {
        struct step_combining group;
        step_clear(&group, batch->count);
        uint32_t number = profile->behaviours[plan->order[next]].group;
        for (; next < profile->behaviour_count; next++) {
            uint32_t place = plan->order[next];
            const struct steer_profile_behaviour *behaviour = &profile->behaviours[place];
            if (behaviour->group != number) {
                break;
            }
            batch->parameters = behaviour->parameters;
            batch->slot_first = plan->slot_first[place];
            step_call(batch, behaviour->behaviour, behaviour->weight, &group);
        }
        step_combine(sum, &group, profile->combination, batch->count);
    }
    if (profile->combination == STEER_COMBINATION_BUDGET && profile->rest == STEER_REST_BRAKE) {
        step_rest_while_avoiding(batch, sum);
    }
}

/* Defaults of a behaviour that is called without a profile's row. */
static void step_default_parameters(uint32_t behaviour, float *parameters)
{
    const struct steer_behaviour_info *info = steer_behaviour_info(behaviour);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        parameters[i] = info->parameters[i].default_value;
    }
}

static void step_steer_driven(struct steer_batch *batch, struct step_combining *sum)
{
    const uint32_t behaviours[] = {BEHAVIOUR_drive, BEHAVIOUR_look_where_going};
    for (size_t i = 0; i < sizeof behaviours / sizeof behaviours[0]; i++) {
        float parameters[STEER_BEHAVIOUR_PARAMETERS_MAX];
        step_default_parameters(behaviours[i], parameters);
        batch->parameters = parameters;
        batch->slot_first = 0;
        step_call(batch, behaviours[i], 1.0f, sum);
    }
}

/* Within the limits, whatever the rule: weights may have multiplied what was asked. */
static void step_store(struct steer_world *world, const struct steer_batch *batch,
                       const struct step_combining *sum)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct vec2 linear = vec2_clamp_length(step_asked(sum, i), world->agents.max_accel[row]);
        world->scratch_a[row] = linear.x;
        world->scratch_b[row] = linear.y;
        world->scratch_c[row] = step_clamp(sum->angular[i], batch->profile->limits.max_angular_accel);
        world->scratch_d[row] = sum->asks[i];
    }
}

static void step_steer_batch(const struct step *step, const struct step_batch *cut)
{
    struct steer_world *world = step->world;
    const uint32_t *places = &world->step_places[cut->begin];
    const struct steer_profile *profile = &world->profiles[cut->key / 2];
    const struct profile_plan *plan = &world->plans[cut->key / 2];
    uint32_t rows[STEER_BATCH_MAX];
    struct step_combining sum;
    step_clear(&sum, cut->count);
    for (uint32_t i = 0; i < cut->count; i++) {
        rows[i] = world->grid.row[places[i]];
        sum.linear_left[i] = world->agents.max_accel[rows[i]];
        sum.angular_left[i] = profile->limits.max_angular_accel;
    }
    struct steer_batch batch = {
        .view = &step->view,
        .rows = rows,
        .places = places,
        .count = cut->count,
        .profile = profile,
        .behaviours = plan->behaviours,
        .target_radius_m = plan->target_radius_m,
        .slots = world->agents.slots,
    };
    if (cut->key & 1u) {
        step_steer_driven(&batch, &sum);
    } else {
        step_steer_profile(&batch, plan, &sum);
    }
    step_store(world, &batch, &sum);
}

static void step_steer_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const struct step *step = context;
    for (uint32_t batch = begin; batch < end; batch++) {
        step_steer_batch(step, &step->world->batches[batch]);
    }
}

void step_steer(struct step *step)
{
    step_pass_waypoints(step);
    step_make_batches(step->world);
    job_pool_for(step->pool, step->world->batch_count, 1, step_steer_range, step);
}
