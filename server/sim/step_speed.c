/* Speed: what was steered becomes velocity and rotation, within the limits; who was asked for nothing comes
 * to rest. */
#include <math.h>

#include "sim/world_internal.h"

/* Nearer to 0 by at most `change`. */
static float step_brake(float value, float change)
{
    return value > change ? value - change : value < -change ? value + change : 0.0f;
}

static struct vec2 step_rest(struct vec2 velocity, enum steer_rest rest, float change)
{
    float speed = vec2_length(velocity);
    switch (rest) {
    case STEER_REST_BRAKE:
        return speed > change ? vec2_scale(velocity, (speed - change) / speed) : vec2(0.0f, 0.0f);
    case STEER_REST_STOP:
        return vec2(0.0f, 0.0f);
    case STEER_REST_COAST:
        break;
    }
    return velocity;
}

static float step_rest_rotation(float rotation, enum steer_rest rest, float change)
{
    switch (rest) {
    case STEER_REST_BRAKE:
        return step_brake(rotation, change);
    case STEER_REST_STOP:
        return 0.0f;
    case STEER_REST_COAST:
        break;
    }
    return rotation;
}

static void step_speed_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const struct step *step = context;
    struct steer_world *world = step->world;
    struct agent_store *agents = &world->agents;
    float dt_s = world->dt_s;
    for (uint32_t row = begin; row < end; row++) {
        const struct steer_profile *profile = &world->profiles[agents->profile[row]];
        const struct steer_limits *limits = &profile->limits;
        /* A driven agent's `drive` always asks; its profile decides about rotation alone. */
        struct vec2 velocity = vec2(agents->vx[row], agents->vy[row]);
        if (world->scratch_d[row] & STEER_ASKS_LINEAR) {
            velocity = vec2_mad(velocity, vec2(world->scratch_a[row], world->scratch_b[row]), dt_s);
        } else {
            velocity = step_rest(velocity, profile->rest, agents->max_accel[row] * dt_s);
        }
        velocity = vec2_clamp_length(velocity, agents->max_speed[row]);
        float rotation = agents->rotation_deg_s[row];
        if (world->scratch_d[row] & STEER_ASKS_ANGULAR) {
            rotation += world->scratch_c[row] * dt_s;
        } else {
            rotation = step_rest_rotation(rotation, profile->rest, limits->max_angular_accel * dt_s);
        }
        float max = limits->max_rotation;
        agents->vx[row] = velocity.x;
        agents->vy[row] = velocity.y;
        agents->rotation_deg_s[row] = rotation > max ? max : rotation < -max ? -max : rotation;
    }
}

void step_speed(struct step *step)
{
    job_pool_for(step->pool, step->world->agents.count, WORLD_GRAIN, step_speed_range, step);
}
