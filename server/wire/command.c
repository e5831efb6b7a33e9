/*
 * The command table as code: finds a body's row and hands its message to its handler. Comes after
 * message_decode and the role check, before the sim (world commands) or the session (session commands).
 */
#include "wire/command.h"

#include "base/assert.h"
#include "wire/commands/handlers.h"

/* A body of the proto without a row is a case missing below, and does not compile; a row without a handler
 * does not link. */
#pragma GCC diagnostic error "-Wswitch"

enum command_index {
#define COMMAND(BODY, name, Type, ROLE, SCOPE) COMMAND_INDEX_##BODY,
#include "wire/command_table.def"
#undef COMMAND
    COMMAND_INDEX_COUNT,
};

static const struct command_info command_rows[] = {
#define COMMAND(BODY, name, Type, ROLE, SCOPE)                                                               \
    {STEERD__V1__CLIENT_MESSAGE__BODY_##BODY, #name, STEERD__V1__ROLE__ROLE_##ROLE, COMMAND_SCOPE_##SCOPE},
#include "wire/command_table.def"
#undef COMMAND
};

const struct command_info *command_find(Steerd__V1__ClientMessage__BodyCase body)
{
    switch (body) {
#define COMMAND(BODY, name, Type, ROLE, SCOPE)                                                               \
    case STEERD__V1__CLIENT_MESSAGE__BODY_##BODY:                                                            \
        return &command_rows[COMMAND_INDEX_##BODY];
#include "wire/command_table.def"
#undef COMMAND
    case STEERD__V1__CLIENT_MESSAGE__BODY__NOT_SET:
    case _STEERD__V1__CLIENT_MESSAGE__BODY__CASE_IS_INT_SIZE:
        break;
    }
    return NULL;
}

uint32_t command_count(void)
{
    return COMMAND_INDEX_COUNT;
}

const struct command_info *command_row(uint32_t row)
{
    ASSERT(row < COMMAND_INDEX_COUNT);
    return &command_rows[row];
}

#define COMMAND_RUN_CONNECTION(name) break
#define COMMAND_RUN_WORLD(name)      return command_apply_##name(context, message->name, result)
#define COMMAND_RUN_SESSION(name)                                                                            \
    return command_apply_##name(context, message->name, message->request_id, &result->fault)

static enum status command_run(const struct command_context *context,
                               const Steerd__V1__ClientMessage *message, struct command_result *result)
{
    switch (message->body_case) {
#define COMMAND(BODY, name, Type, ROLE, SCOPE)                                                               \
    case STEERD__V1__CLIENT_MESSAGE__BODY_##BODY:                                                            \
        COMMAND_RUN_##SCOPE(name);
#include "wire/command_table.def"
#undef COMMAND
    case STEERD__V1__CLIENT_MESSAGE__BODY__NOT_SET:
    case _STEERD__V1__CLIENT_MESSAGE__BODY__CASE_IS_INT_SIZE:
        break;
    }
    ASSERT(!"a command that the server handles itself");
    return STATUS_INTERNAL;
}

void command_apply(const struct command_context *context, const Steerd__V1__ClientMessage *message,
                   struct command_result *result)
{
    *result = (struct command_result){0};
    size_t mark = arena_mark(context->scratch);
    enum status status = command_run(context, message, result);
    arena_reset_to(context->scratch, mark);
    ASSERT(status == result->fault.status);
}
