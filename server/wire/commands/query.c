/* Query: the session asks; query_start checks what for. */
#include "wire/commands/handlers.h"

enum status command_apply_query(const struct command_context *context, const Steerd__V1__Query *body,
                                uint64_t request_id, struct fault *fault)
{
    return context->ops->query(context->session, body, request_id, fault);
}
