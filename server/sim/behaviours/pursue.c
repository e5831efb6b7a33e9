/*
 * Full speed to where the agent it follows will be, and through it. It will be ahead of itself by as much as
 * it is away, as far as max_prediction allows. Source: Reynolds 1999, "pursuit"; Millington 2006, "Pursue",
 * but with the other's speed: with its own the prediction has no end for one at rest.
 */
#include "sim/steering_follow.h"

void behaviour_pursue(const struct steer_batch *batch, struct steering *out)
{
    const struct pursue_parameters *parameters = batch->parameters;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        uint32_t other;
        if (!steer_followed(batch->view, row, &other)) {
            continue;
        }
        struct vec2 way = steer_way_to_predicted(batch->view, row, other, parameters->max_prediction);
        if (vec2_length(way) > 0.0f) { /* on the spot there is no direction to it */
            steering_ask(out, i, steer_full_speed(batch->view, row, way));
        }
    }
}
