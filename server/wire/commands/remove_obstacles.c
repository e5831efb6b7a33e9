/* RemoveObstacles: some by id, or all. */
#include "wire/commands/handlers.h"
#include "wire/convert.h"

enum status command_apply_remove_obstacles(const struct command_context *context,
                                           const Steerd__V1__RemoveObstacles *body,
                                           struct command_result *result)
{
    struct steer_agent_selection selection; /* obstacles are named as agents are: a list, or all */
    enum status status = convert_selection(body->ids, body->n_ids, body->all, &selection, &result->fault);
    if (status != STATUS_OK) {
        return status;
    }
    return steer_world_remove_obstacles(context->world, selection.ids, selection.count, selection.all,
                                        &result->fault);
}
