/* The velocity that a client gives. Source: Millington 2006, "Velocity Matching", with the client as target.
 */
#include "sim/steering.h"

void behaviour_drive(const struct steer_batch *batch, struct steering *out)
{
    const struct agent_store *agents = batch->view->agents;
    const struct drive_parameters *parameters = batch->parameters;
    float dt_s = batch->view->dt_s;
    float time_s = parameters->time_to_target > dt_s ? parameters->time_to_target : dt_s;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        if (agents->goal_kind[row] != STEER_GOAL_VELOCITY) {
            continue;
        }
        struct vec2 wanted = vec2(agents->goal_x[row], agents->goal_y[row]);
        struct vec2 change = vec2_sub(wanted, steer_velocity(batch->view, row));
        steering_ask(out, i, vec2_clamp_length(vec2_scale(change, 1.0f / time_s), agents->max_accel[row]));
    }
}
