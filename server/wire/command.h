#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/fault.h"
#include "sim/steer.h"
#include "steerd/v1/steerd.pb-c.h"

/*
 * The command table: what each body of a ClientMessage needs and when it runs. A command is one file in
 * commands/ and one row in command_table.def.
 */

enum command_scope {
    COMMAND_SCOPE_CONNECTION, /* at once, on the loop: Hello, Ping. The server handles them itself. */
    COMMAND_SCOPE_WORLD,      /* before the next step, in arrival order: changes the world */
    COMMAND_SCOPE_SESSION, /* after that step, on the loop, in arrival order: asks or changes what a session
                              sees */
};

struct command_info {
    Steerd__V1__ClientMessage__BodyCase body;
    const char *name; /* "spawn_agents" */
    Steerd__V1__Role role_min;
    enum command_scope scope;
};

/* NULL for a body that is not in the table. */
const struct command_info *command_find(Steerd__V1__ClientMessage__BodyCase body);
uint32_t command_count(void);
const struct command_info *command_row(uint32_t row);

/* What goes into a CommandResult. */
struct command_result {
    struct fault fault; /* STATUS_OK and no words, or why not */
    struct steer_world_made made;
};

/* Who to show what, as Subscribe has it, checked. */
enum view_format {
    VIEW_FORMAT_FULL,
};

struct view_spec {
    struct steer_area area;       /* STEER_AREA_DISC with around.value != 0: centre follows that agent */
    struct steer_agent_id around; /* 0: the area stands still */
    enum view_format format;
    uint32_t interval_ticks; /* 1, 2, 4 or 8; 0 was replaced by the server's own */
    bool events;
};

struct clock_spec {
    bool has_paused;
    bool paused;
    uint32_t step_ticks; /* 0: none */
    float speed;         /* 0: as it is */
};

/* What session commands act on; the server fills it in, tests fill in their own. All are called within
 * command_apply. */
struct command_session_ops {
    /* Each returns STATUS_OK or a refusal with words. */
    enum status (*subscribe)(void *session, const struct view_spec *spec, struct fault *fault);
    enum status (*unsubscribe)(void *session, struct fault *fault);
    enum status (*query)(void *session, const Steerd__V1__Query *query, uint64_t request_id,
                         struct fault *fault);
    enum status (*set_clock)(void *session, const struct clock_spec *spec, struct fault *fault);
};

/* Enough for every command that message_decode lets through: what it becomes for the sim is smaller than the
 * message. */
#define COMMAND_SCRATCH_BYTES ((size_t)4 << 20)

struct command_context {
    struct steer_world *world;
    struct arena *scratch; /* COMMAND_SCRATCH_BYTES for the length of a call; left as it was found */
    uint32_t session_id;   /* owner of what is `owned` */
    uint32_t snapshot_interval_ticks;      /* the server's own */
    const struct command_session_ops *ops; /* COMMAND_SCOPE_SESSION only */
    void *session;
};

/*
 * Runs one decoded command of scope WORLD or SESSION. Never fails itself: what came of it is in *result.
 * The caller has checked the role.
 */
void command_apply(const struct command_context *context, const Steerd__V1__ClientMessage *message,
                   struct command_result *result);
