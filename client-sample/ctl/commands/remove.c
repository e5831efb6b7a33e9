/* remove: takes agents out of the world. */
#include "command.h"
#include "values.h"

static const struct option_spec remove_options[] = {
    VALUES_OPTION_IDS("Agents to remove."),
    {.name = "all", .kind = OPTION_FLAG, .help = "Every agent."},
};

static enum status remove_build(const struct option_set *options, struct arena *arena,
                                Steerd__V1__ClientMessage *message, struct fault *fault)
{
    enum status status = values_check_ids(options, fault);
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__RemoveAgents *remove = values_take(arena, sizeof *remove);
    steerd__v1__remove_agents__init(remove);
    remove->ids = values_ids(arena, options, &remove->n_ids);
    remove->all = option_set_flag(options, "all");
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_REMOVE_AGENTS;
    message->remove_agents = remove;
    return STATUS_OK;
}

static void remove_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    if (option_set_flag(options, "all")) {
        fprintf(out, "Removed all agents at tick %llu.\n", (unsigned long long)result->tick);
    } else {
        uint32_t count = option_set_get(options, "id")->count;
        fprintf(out, "Removed %u agent%s at tick %llu.\n", count, count == 1 ? "" : "s",
                (unsigned long long)result->tick);
    }
}

const struct ctl_command ctl_command_remove = {
    .usage = "--id N... | --all",
    .summary = "Removes agents.",
    CTL_OPTIONS(remove_options),
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .build = remove_build,
    .say = remove_say,
};
