#pragma once

#include <stdint.h>

#include "wire/command.h"

/*
 * One handler per row of the command table, each in the file of its name. It checks what the sim cannot know
 * (fields that are missing, both or none of ids and all, numbers of the session), translates, and leaves the
 * rest to the sim, whose words name the same fields. It returns result->fault.status.
 */
#define COMMAND_DECLARE_CONNECTION(name, Type)
#define COMMAND_DECLARE_WORLD(name, Type)                                                                    \
    MUST_CHECK enum status command_apply_##name(const struct command_context *context,                       \
                                                const Steerd__V1__##Type *body,                              \
                                                struct command_result *result);
#define COMMAND_DECLARE_SESSION(name, Type)                                                                  \
    MUST_CHECK enum status command_apply_##name(const struct command_context *context,                       \
                                                const Steerd__V1__##Type *body, uint64_t request_id,         \
                                                struct fault *fault);

#define COMMAND(BODY, name, Type, ROLE, SCOPE) COMMAND_DECLARE_##SCOPE(name, Type)
#include "wire/command_table.def"
#undef COMMAND
