/*
 * Full speed away from where the agent it follows will be. One that comes straight at it will be where it is
 * itself: from there every way leads away, and which one would change from tick to tick. So when the place
 * is nearer than the two touch, it goes away from where the other is now; on one spot, straight ahead.
 * Source: Reynolds 1999, "evasion"; Millington 2006, "Evade"; the time of prediction is that of OpenSteer's
 * steerForEvasion: distance over the other's speed.
 */
#include "sim/steering_follow.h"

void behaviour_evade(const struct steer_batch *batch, struct steering *out)
{
    const struct evade_parameters *parameters = batch->parameters;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        uint32_t other;
        if (steer_followed(batch->view, row, &other)) {
            steering_ask(out, i, steer_evade(batch->view, row, other, parameters->max_prediction));
        }
    }
}
