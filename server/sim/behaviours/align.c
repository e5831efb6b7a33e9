/* Turns to the heading of the agent that is followed. Source: Millington 2006, "Align". */
#include "sim/steering.h"

void behaviour_align(const struct steer_batch *batch, struct steering *out)
{
    const struct agent_store *agents = batch->view->agents;
    const struct align_parameters *parameters = batch->parameters;
    const struct turning turning = {.slow_angle_deg = parameters->slow_angle,
                                    .target_angle_deg = parameters->target_angle,
                                    .time_to_target_s = parameters->time_to_target};
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t row = batch->rows[i];
        uint32_t other;
        float angular;
        if (agents->goal_kind[row] == STEER_GOAL_AGENT &&
            agent_store_find(agents, (struct steer_agent_id){agents->goal_ref[row]}, &other) &&
            steer_turn_to(batch, row, agents->orientation_deg[other], &turning, &angular)) {
            steering_ask_angular(out, i, angular);
        }
    }
}
