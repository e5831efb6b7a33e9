/* Reset: not in this version. */
#include "wire/commands/handlers.h"

enum status command_apply_reset(const struct command_context *context, const Steerd__V1__Reset *body,
                                uint64_t request_id, struct fault *fault)
{
    (void)context;
    (void)body;
    (void)request_id;
    return fault_set(
        fault, STATUS_UNIMPLEMENTED,
        "reset is not in this version: remove all agents and all obstacles, or start the server anew");
}
