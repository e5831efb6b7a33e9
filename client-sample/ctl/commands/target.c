/* target: tells agents where to go. */
#include "command.h"
#include "values.h"

static const struct option_spec target_options[] = {
    VALUES_OPTION_IDS("Whose target it is."),
    {.name = "all", .kind = OPTION_FLAG, .help = "Everybody's."},
    VALUES_OPTION_NUMBERS("point", "X,Y", 2, 2, "Go to this point, metres."),
    VALUES_OPTION_ID("agent", "Follow this agent."),
    VALUES_OPTION_NUMBERS("path", "X,Y,X,Y...", 2, VALUES_PATH_MAX,
                          "Pass these way-points, metres; at most 64."),
    {.name = "none", .kind = OPTION_FLAG, .help = "Stop and stay."},
};

static enum status target_build_goal(const struct option_set *options, struct arena *arena,
                                     Steerd__V1__Target *target, struct fault *fault)
{
    enum status status = values_check_one_of(
        options, (const char *const[]){"point", "agent", "path", "none", NULL}, true, fault);
    if (status != STATUS_OK) {
        return status;
    }
    if (option_set_get(options, "point")->given) {
        target->goal_case = STEERD__V1__TARGET__GOAL_POINT;
        target->point = values_point(arena, option_set_get(options, "point"));
    } else if (option_set_get(options, "agent")->given) {
        target->goal_case = STEERD__V1__TARGET__GOAL_AGENT_ID;
        target->agent_id = (uint32_t)option_set_uint(options, "agent");
    } else if (option_set_get(options, "path")->given) {
        target->goal_case = STEERD__V1__TARGET__GOAL_PATH;
        return values_path(arena, "path", option_set_get(options, "path"), &target->path, fault);
    } else {
        target->goal_case = STEERD__V1__TARGET__GOAL_NONE;
        target->none = values_take(arena, sizeof *target->none);
        steerd__v1__nothing__init(target->none);
    }
    return STATUS_OK;
}

static enum status target_build(const struct option_set *options, struct arena *arena,
                                Steerd__V1__ClientMessage *message, struct fault *fault)
{
    enum status status = values_check_ids(options, fault);
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__Target *target = values_take(arena, sizeof *target);
    steerd__v1__target__init(target);
    target->ids = values_ids(arena, options, &target->n_ids);
    target->all = option_set_flag(options, "all");
    Steerd__V1__SetTargets *set = values_take(arena, sizeof *set);
    steerd__v1__set_targets__init(set);
    set->n_targets = 1;
    set->targets = values_take_list(arena, 1);
    set->targets[0] = target;
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_SET_TARGETS;
    message->set_targets = set;
    return target_build_goal(options, arena, target, fault);
}

static void target_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    uint32_t count = option_set_get(options, "id")->count;
    if (option_set_flag(options, "all")) {
        fputs("All agents", out);
    } else {
        fprintf(out, "%u agent%s", count, count == 1 ? "" : "s");
    }
    const char *verb = option_set_flag(options, "none")
                           ? (count == 1 ? "stops" : "stop")
                           : (count == 1 ? "has a new target" : "have a new target");
    fprintf(out, " %s from tick %llu on.\n", verb, (unsigned long long)result->tick);
}

const struct ctl_command ctl_command_target = {
    .usage = "--id N... | --all   --point X,Y | --agent ID | --path X,Y,... | --none",
    .summary = "Tells agents where to go.",
    CTL_OPTIONS(target_options),
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .build = target_build,
    .say = target_say,
};
