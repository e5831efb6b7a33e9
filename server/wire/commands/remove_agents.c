/* RemoveAgents: some by id, or all. */
#include "wire/commands/handlers.h"
#include "wire/convert.h"

enum status command_apply_remove_agents(const struct command_context *context,
                                        const Steerd__V1__RemoveAgents *body, struct command_result *result)
{
    struct steer_agent_selection selection;
    enum status status = convert_selection(body->ids, body->n_ids, body->all, &selection, &result->fault);
    return status != STATUS_OK
               ? status
               : steer_world_remove_agents_unswept(context->world, &selection, &result->fault);
}
