/*
 * Away from members of its flock, from each the harder the nearer he is: with max_accel on the same spot,
 * with nothing at `radius`, and evenly between, centre to centre. Source: Reynolds 1999, "Separation" (the
 * sum of what each repels with); Millington 2006, "Separation", with its linear strength max_accel (radius -
 * d) / radius: unlike 1/d or 1/d^2 it is finite everywhere and does not jump at the radius.
 */
#include "sim/flock.h"

struct separate_sum {
    struct vec2 push; /* in units of max_accel */
    float radius_m;
    uint32_t id;
};

static void separate_add(const struct flock_member *member, void *context)
{
    struct separate_sum *sum = context;
    struct vec2 away = member->distance_m > 0.0f ? vec2_scale(member->offset_m, -1.0f / member->distance_m)
                                                 : steer_way_apart(sum->id, member->id);
    sum->push = vec2_mad(sum->push, away, 1.0f - member->distance_m / sum->radius_m);
}

void behaviour_separate(const struct steer_batch *batch, struct steering *out)
{
    const struct separate_parameters *parameters = batch->parameters;
    const struct agent_store *agents = batch->view->agents;
    const struct flock_sight sight = {parameters->radius, parameters->view_angle};
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        struct separate_sum sum = {.radius_m = parameters->radius, .id = agents->id[row]};
        flock_for_each(batch, i, &sight, separate_add, &sum);
        if (sum.push.x != 0.0f || sum.push.y != 0.0f) {
            float max = agents->max_accel[row];
            steering_ask(out, i, vec2_clamp_length(vec2_scale(sum.push, max), max));
        }
    }
}
