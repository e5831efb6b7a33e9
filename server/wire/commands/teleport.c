/* Teleport: one agent is somewhere else at once. */
#include "wire/commands/handlers.h"
#include "wire/convert.h"

enum status command_apply_teleport(const struct command_context *context, const Steerd__V1__Teleport *body,
                                   struct command_result *result)
{
    struct vec2 position;
    enum status status = convert_point(body->position, "position", &position, &result->fault);
    if (status != STATUS_OK) {
        return status;
    }
    return steer_world_teleport(context->world, (struct steer_agent_id){body->id}, position,
                                body->orientation_deg, &result->fault);
}
