/* The velocity of the agent that is its goal. Source: Millington 2006, "Velocity Matching". */
#include "sim/steering.h"

void behaviour_match_velocity(const struct steer_batch *batch, struct steering *out)
{
    const struct match_velocity_parameters *parameters = batch->parameters;
    const struct agent_store *agents = batch->view->agents;
    float dt_s = batch->view->dt_s;
    float time_s = parameters->time_to_target > dt_s ? parameters->time_to_target : dt_s;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        uint32_t other;
        if (agents->goal_kind[row] != STEER_GOAL_AGENT ||
            !agent_store_find(agents, (struct steer_agent_id){agents->goal_ref[row]}, &other)) {
            continue;
        }
        struct vec2 change = vec2_sub(steer_velocity(batch->view, other), steer_velocity(batch->view, row));
        steering_ask(out, i, vec2_clamp_length(vec2_scale(change, 1.0f / time_s), agents->max_accel[row]));
    }
}
