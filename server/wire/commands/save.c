/* Save: not in this version. */
#include "wire/commands/handlers.h"

enum status command_apply_save(const struct command_context *context, const Steerd__V1__Save *body,
                               uint64_t request_id, struct fault *fault)
{
    (void)context;
    (void)body;
    (void)request_id;
    return fault_set(fault, STATUS_UNIMPLEMENTED,
                     "save is not in this version: the world lives as long as the server runs");
}
