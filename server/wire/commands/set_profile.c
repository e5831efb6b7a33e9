/* SetProfile: agents take another profile. */
#include "wire/commands/handlers.h"
#include "wire/convert.h"

enum status command_apply_set_profile(const struct command_context *context,
                                      const Steerd__V1__SetProfile *body, struct command_result *result)
{
    struct steer_agent_selection selection;
    enum status status = convert_selection(body->ids, body->n_ids, body->all, &selection, &result->fault);
    if (status == STATUS_OK && body->profile[0] == '\0') {
        status = fault_set(&result->fault, STATUS_INVALID_ARGUMENT,
                           "profile is empty: the name of a profile is needed");
    }
    if (status != STATUS_OK) {
        return status;
    }
    return steer_world_set_profile(context->world, &selection, body->profile, &result->fault);
}
