/* Unsubscribe: the session sees nothing any more. */
#include "wire/commands/handlers.h"

enum status command_apply_unsubscribe(const struct command_context *context,
                                      const Steerd__V1__Unsubscribe *body, uint64_t request_id,
                                      struct fault *fault)
{
    (void)body;
    (void)request_id;
    return context->ops->unsubscribe(context->session, fault);
}
