/* spawn: adds one agent. */
#include "command.h"
#include "text.h"
#include "values.h"

static const struct option_spec spawn_options[] = {
    VALUES_OPTION_NUMBERS("position", "X,Y", 2, 2,
                          "Where, metres, inside the world and outside every obstacle; needed."),
    VALUES_OPTION_NUMBERS("velocity", "X,Y", 2, 2, "Velocity at the start, m/s; else it stands."),
    {.name = "orientation",
     .kind = OPTION_FLOAT,
     .value_name = "DEG",
     .min = -360,
     .max = 360,
     .default_text = "0",
     .help = "Heading, degrees: 0 is +y, growing clockwise."},
    {.name = "profile",
     .kind = OPTION_TEXT,
     .value_name = "NAME",
     .default_text = "walker",
     .help = "What it does."},
    VALUES_OPTION_NUMBERS("target", "X,Y", 2, 2, "The point it goes to, metres."),
    VALUES_OPTION_ID("follow", "The agent it follows."),
    VALUES_OPTION_NUMBERS("path", "X,Y,X,Y...", 2, VALUES_PATH_MAX,
                          "Way-points it passes in order, metres; at most 64."),
    {.name = "tag",
     .kind = OPTION_UINT,
     .value_name = "N",
     .default_text = "0",
     .help = "Your own number for it, carried through to viewers; 64 bits."},
    {.name = "radius",
     .kind = OPTION_FLOAT,
     .value_name = "M",
     .min = 0.05,
     .max = 10,
     .help = "Its radius, metres; else the profile's."},
    {.name = "max-speed",
     .kind = OPTION_FLOAT,
     .value_name = "MPS",
     .min = 0.01,
     .max = 100,
     .help = "Its top speed, m/s; else the profile's."},
};

/* Where it goes: a point, an agent, a path, or nowhere. */
static enum status spawn_build_goal(const struct option_set *options, struct arena *arena,
                                    Steerd__V1__AgentSpec *agent, struct fault *fault)
{
    enum status status =
        values_check_one_of(options, (const char *const[]){"target", "follow", "path", NULL}, false, fault);
    if (status != STATUS_OK) {
        return status;
    }
    if (option_set_get(options, "target")->given) {
        agent->goal_case = STEERD__V1__AGENT_SPEC__GOAL_POINT;
        agent->point = values_point(arena, option_set_get(options, "target"));
    } else if (option_set_get(options, "follow")->given) {
        agent->goal_case = STEERD__V1__AGENT_SPEC__GOAL_AGENT_ID;
        agent->agent_id = (uint32_t)option_set_uint(options, "follow");
    } else if (option_set_get(options, "path")->given) {
        agent->goal_case = STEERD__V1__AGENT_SPEC__GOAL_PATH;
        return values_path(arena, "path", option_set_get(options, "path"), &agent->path, fault);
    }
    return STATUS_OK;
}

static enum status spawn_build(const struct option_set *options, struct arena *arena,
                               Steerd__V1__ClientMessage *message, struct fault *fault)
{
    enum status status = values_check_given(options, "position", fault);
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__AgentSpec *agent = values_take(arena, sizeof *agent);
    steerd__v1__agent_spec__init(agent);
    agent->position = values_point(arena, option_set_get(options, "position"));
    agent->velocity = values_point(arena, option_set_get(options, "velocity"));
    agent->orientation_deg = (float)option_set_float(options, "orientation");
    agent->profile = values_text(options, "profile");
    agent->tag = option_set_uint(options, "tag");
    if (option_set_get(options, "radius")->given) {
        agent->radius = (float)option_set_float(options, "radius");
    }
    if (option_set_get(options, "max-speed")->given) {
        agent->max_speed = (float)option_set_float(options, "max-speed");
    }
    Steerd__V1__SpawnAgents *spawn = values_take(arena, sizeof *spawn);
    steerd__v1__spawn_agents__init(spawn);
    spawn->n_agents = 1;
    spawn->agents = values_take_list(arena, 1);
    spawn->agents[0] = agent;
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_SPAWN_AGENTS;
    message->spawn_agents = spawn;
    return spawn_build_goal(options, arena, agent, fault);
}

static void spawn_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    (void)options;
    fputs("Spawned ", out);
    text_print_ids(out, "agent", result);
    fprintf(out, " at tick %llu.\n", (unsigned long long)result->tick);
}

const struct ctl_command ctl_command_spawn = {
    .usage = "--position X,Y [--velocity X,Y] [--orientation DEG] [--profile NAME] "
             "[--target X,Y | --follow ID | --path X,Y,X,Y...]",
    .summary = "Adds one agent.",
    CTL_OPTIONS(spawn_options),
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .build = spawn_build,
    .say = spawn_say,
};
