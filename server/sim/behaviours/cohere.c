/*
 * To the centre of the members of its flock that it sees (of their centres, itself left out). Source:
 * Reynolds 1999, "Cohesion": the steering force is in the direction of that average position, own position
 * subtracted. It is as large as that vector, max_accel at `radius`: seeking the centre at full speed would
 * shake where one is in it.
 */
#include "sim/flock.h"

struct cohere_sum {
    struct vec2 offset_m;
    uint32_t count;
};

static void cohere_add(const struct flock_member *member, void *context)
{
    struct cohere_sum *sum = context;
    sum->offset_m = vec2_add(sum->offset_m, member->offset_m);
    sum->count++;
}

void behaviour_cohere(const struct steer_batch *batch, struct steering *out)
{
    const struct cohere_parameters *parameters = batch->parameters;
    const struct flock_sight sight = {parameters->radius, parameters->view_angle};
    for (uint32_t i = 0; i < batch->count; i++) {
        struct cohere_sum sum = {.count = 0};
        flock_for_each(batch, i, &sight, cohere_add, &sum);
        if (sum.offset_m.x != 0.0f || sum.offset_m.y != 0.0f) { /* nobody, or in their centre already */
            float max = batch->view->agents->max_accel[batch->rows[i]];
            struct vec2 center = vec2_scale(sum.offset_m, 1.0f / (float)sum.count);
            steering_ask(out, i, vec2_clamp_length(vec2_scale(center, max / parameters->radius), max));
        }
    }
}
