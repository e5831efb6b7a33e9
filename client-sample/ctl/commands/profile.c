/* profile define (from a YAML file) and set. What is there is listed by query_profiles.c. */
#include <string.h>

#include "command.h"
#include "session.h"
#include "values.h"
#include "yaml/profile_doc.h"

/* Where the limits of the contract have their names: steerd.proto, message Limits. */
static const struct {
    const char *name;
    size_t offset;
} profile_limits[] = {
    {"radius", offsetof(Steerd__V1__Limits, radius)},
    {"max_speed", offsetof(Steerd__V1__Limits, max_speed)},
    {"max_accel", offsetof(Steerd__V1__Limits, max_accel)},
    {"max_rotation", offsetof(Steerd__V1__Limits, max_rotation)},
    {"max_angular_accel", offsetof(Steerd__V1__Limits, max_angular_accel)},
};
#define PROFILE_LIMIT_COUNT (sizeof profile_limits / sizeof profile_limits[0])

/* Puts the limits that the file names into the message. */
static enum status profile_build_limits(const struct yaml_tree *tree, const struct yaml_numbers *numbers,
                                        Steerd__V1__Limits *limits, struct fault *fault)
{
    for (uint32_t i = 0; i < numbers->count; i++) {
        const struct yaml_number *number = &numbers->items[i];
        size_t row = 0;
        while (row < PROFILE_LIMIT_COUNT && strcmp(profile_limits[row].name, number->name) != 0) {
            row++;
        }
        if (row == PROFILE_LIMIT_COUNT) {
            return yaml_tree_refuse(
                tree, number->line, fault, STATUS_INVALID_ARGUMENT,
                "%s is no key of a profile: name, combine, rest, behaviours, radius, max_speed, "
                "max_accel, max_rotation and max_angular_accel are",
                number->name);
        }
        /* 0 means the default on the wire; in a file it is a value out of range like others. */
        if (number->value == 0.0) {
            return yaml_tree_refuse(tree, number->line, fault, STATUS_OUT_OF_RANGE,
                                    "%s is 0: it must be above", number->name);
        }
        *(float *)((char *)limits + profile_limits[row].offset) = (float)number->value;
    }
    return STATUS_OK;
}

#define PROFILE_PARAMETERS_MAX 32 /* of one behaviour; no behaviour has as many, and the arena holds them */

static Steerd__V1__ProfileBehaviour *profile_build_behaviour(struct arena *arena,
                                                             const struct profile_doc_behaviour *doc)
{
    Steerd__V1__ProfileBehaviour *behaviour = values_take(arena, sizeof *behaviour);
    steerd__v1__profile_behaviour__init(behaviour);
    behaviour->name = (char *)doc->name;
    behaviour->weight = doc->weight;
    behaviour->group = doc->group;
    behaviour->n_parameters = doc->parameters.count;
    behaviour->parameters = values_take_list(arena, doc->parameters.count);
    for (uint32_t i = 0; i < doc->parameters.count; i++) {
        Steerd__V1__BehaviourParameter *parameter = values_take(arena, sizeof *parameter);
        steerd__v1__behaviour_parameter__init(parameter);
        parameter->name = (char *)doc->parameters.items[i].name;
        parameter->value = (float)doc->parameters.items[i].value;
        behaviour->parameters[i] = parameter;
    }
    return behaviour;
}

/* The message that defines what the file says. It borrows from the tree. */
static enum status profile_build_define(const struct yaml_tree *tree, const struct profile_doc *doc,
                                        struct arena *arena, Steerd__V1__ClientMessage *message,
                                        struct fault *fault)
{
    Steerd__V1__DefineProfile *define = values_take(arena, sizeof *define);
    steerd__v1__define_profile__init(define);
    define->name = (char *)doc->name;
    /* The wire's numbers are one above the words' places: 0 is left for "not said". */
    define->combination = (Steerd__V1__Combination)(doc->combine + 1);
    define->rest = (Steerd__V1__Rest)(doc->rest + 1);
    define->limits = values_take(arena, sizeof *define->limits);
    steerd__v1__limits__init(define->limits);
    enum status status = profile_build_limits(tree, &doc->limits, define->limits, fault);
    if (status != STATUS_OK) {
        return status;
    }
    const struct profile_doc_behaviour *behaviours = doc->behaviours.items;
    define->n_behaviours = doc->behaviours.count;
    define->behaviours = values_take_list(arena, doc->behaviours.count);
    for (uint32_t i = 0; i < doc->behaviours.count; i++) {
        if (behaviours[i].parameters.count > PROFILE_PARAMETERS_MAX) {
            return yaml_tree_refuse(tree, behaviours[i].head.line, fault, STATUS_INVALID_ARGUMENT,
                                    "%s has %u parameters: at most %d are read", behaviours[i].name,
                                    behaviours[i].parameters.count, PROFILE_PARAMETERS_MAX);
        }
        define->behaviours[i] = profile_build_behaviour(arena, &behaviours[i]);
    }
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_DEFINE_PROFILE;
    message->define_profile = define;
    return STATUS_OK;
}

static enum ctl_exit profile_define_run(const struct ctl_call *call)
{
    struct fault fault = {0};
    struct yaml_tree *tree = NULL;
    struct profile_doc doc;
    struct arena arena = {0};
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    enum status status = profile_doc_load(option_set_positional(call->options, 0), &tree, &doc, &fault);
    if (status == STATUS_OK && !arena_init(&arena, CTL_ARENA_BYTES)) {
        status = fault_set(&fault, STATUS_RESOURCE_EXHAUSTED, "no memory");
    }
    if (status == STATUS_OK) {
        status = profile_build_define(tree, &doc, &arena, &message, &fault);
    }
    enum ctl_exit code =
        status == STATUS_OK ? session_command(call, &message) : session_print_fault(call, &fault);
    arena_deinit(&arena);
    yaml_tree_destroy(tree);
    return code;
}

static void profile_define_say(FILE *out, const struct option_set *options,
                               const struct steerd_result *result)
{
    fprintf(out, "The profile of %s is in force from tick %llu on.\n", option_set_positional(options, 0),
            (unsigned long long)result->tick);
}

const struct ctl_command ctl_command_profile_define = {
    .usage = "FILE.yaml",
    .summary = "Adds or replaces a profile; agents that have it follow at once.",
    .details =
        "The file holds one profile as scenario files write it: name, limits, combine, rest, behaviours.\n"
        "\n"
        "Behaviours, and their parameters with legal range and default:\n"
#include "behaviour_list.def"
    ,
    .operand = "FILE.yaml",
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .run = profile_define_run,
    .say = profile_define_say,
};

static const struct option_spec profile_set_options[] = {
    VALUES_OPTION_IDS("Agents that get the profile."),
    {.name = "all", .kind = OPTION_FLAG, .help = "Every agent."},
};

static enum status profile_set_build(const struct option_set *options, struct arena *arena,
                                     Steerd__V1__ClientMessage *message, struct fault *fault)
{
    enum status status = values_check_ids(options, fault);
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__SetProfile *set = values_take(arena, sizeof *set);
    steerd__v1__set_profile__init(set);
    set->ids = values_ids(arena, options, &set->n_ids);
    set->all = option_set_flag(options, "all");
    set->profile = (char *)option_set_positional(options, 0);
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_SET_PROFILE;
    message->set_profile = set;
    return STATUS_OK;
}

static void profile_set_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    uint32_t count = option_set_get(options, "id")->count;
    if (option_set_flag(options, "all")) {
        fputs("All agents have", out);
    } else {
        fprintf(out, "%u agent%s", count, count == 1 ? " has" : "s have");
    }
    fprintf(out, " profile %s from tick %llu on.\n", option_set_positional(options, 0),
            (unsigned long long)result->tick);
}

const struct ctl_command ctl_command_profile_set = {
    .usage = "--id N... | --all   NAME",
    .summary = "Gives agents another profile.",
    CTL_OPTIONS(profile_set_options),
    .operand = "NAME of a profile",
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .build = profile_set_build,
    .say = profile_set_say,
};
