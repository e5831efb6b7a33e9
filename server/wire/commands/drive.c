/* Drive: one agent takes a velocity until it gets a target. */
#include "wire/commands/handlers.h"
#include "wire/convert.h"

enum status command_apply_drive(const struct command_context *context, const Steerd__V1__Drive *body,
                                struct command_result *result)
{
    if (body->velocity == NULL) {
        return fault_set(&result->fault, STATUS_INVALID_ARGUMENT,
                         "velocity is missing: x and y in m/s are needed");
    }
    return steer_world_drive(context->world, (struct steer_agent_id){body->id},
                             convert_vector(body->velocity), &result->fault);
}
