/*
 * The mean velocity of the members of its flock that it sees, itself left out. Source: Reynolds 1999,
 * "Alignment": the average of the velocities is the desired velocity, and steering is its difference to the
 * own one. Headings are not averaged, as he allows and OpenSteer does: opposite ones have no mean, while the
 * mean of opposite velocities is 0, to stand. Members who stand count.
 */
#include "sim/flock.h"

struct align_with_flock_sum {
    struct vec2 velocity_mps;
    uint32_t count;
};

static void align_with_flock_add(const struct flock_member *member, void *context)
{
    struct align_with_flock_sum *sum = context;
    sum->velocity_mps = vec2_add(sum->velocity_mps, member->velocity_mps);
    sum->count++;
}

void behaviour_align_with_flock(const struct steer_batch *batch, struct steering *out)
{
    const struct align_with_flock_parameters *parameters = batch->parameters;
    const struct steer_view *view = batch->view;
    const struct flock_sight sight = {parameters->radius, parameters->view_angle};
    float time_s = parameters->time_to_target > view->dt_s ? parameters->time_to_target : view->dt_s;
    for (uint32_t i = 0; i < batch->count; i++) {
        struct align_with_flock_sum sum = {.count = 0};
        flock_for_each(batch, i, &sight, align_with_flock_add, &sum);
        if (sum.count > 0) {
            uint32_t row = batch->rows[i];
            struct vec2 mean = vec2_scale(sum.velocity_mps, 1.0f / (float)sum.count);
            struct vec2 change = vec2_scale(vec2_sub(mean, steer_velocity(view, row)), 1.0f / time_s);
            steering_ask(out, i, vec2_clamp_length(change, view->agents->max_accel[row]));
        }
    }
}
