/* crowd: adds many agents at random places. */
#include "command.h"
#include "text.h"
#include "values.h"

static const struct option_spec crowd_options[] = {
    {.name = "count",
     .kind = OPTION_UINT,
     .value_name = "N",
     .min = 1,
     .max = VALUES_ID_MAX,
     .help = "How many, up to what the server holds; needed."},
    VALUES_OPTION_NUMBERS("area", "X1,Y1,X2,Y2", 4, 4,
                          "Where they stand, metres, two opposite corners; needed."),
    {.name = "seed",
     .kind = OPTION_UINT,
     .value_name = "N",
     .default_text = "1",
     .help = "Same seed, same world: same places. 64 bits."},
    {.name = "profile",
     .kind = OPTION_TEXT,
     .value_name = "NAME",
     .default_text = "walker",
     .help = "What they do."},
    VALUES_OPTION_NUMBERS("target-area", "X1,Y1,X2,Y2", 4, 4, "Each goes to a random point in here, metres."),
    {.name = "retarget",
     .kind = OPTION_FLAG,
     .help = "With --target-area: a new random point on each arrival."},
    VALUES_OPTION_NUMBERS("target", "X,Y", 2, 2, "All go to this point, metres."),
    VALUES_OPTION_NUMBERS("path", "X,Y,X,Y...", 2, VALUES_PATH_MAX,
                          "All pass these way-points, metres; at most 64."),
    {.name = "tag",
     .kind = OPTION_UINT,
     .value_name = "N",
     .default_text = "0",
     .help = "Your own number for them, carried through to viewers; 64 bits."},
};

/* What the tables cannot say about the options. */
static enum status crowd_check(const struct option_set *options, struct fault *fault)
{
    enum status status = values_check_given(options, "count", fault);
    if (status == STATUS_OK) {
        status = values_check_given(options, "area", fault);
    }
    if (status == STATUS_OK) {
        status = values_check_one_of(options, (const char *const[]){"target-area", "target", "path", NULL},
                                     false, fault);
    }
    if (status == STATUS_OK && option_set_flag(options, "retarget") &&
        !option_set_get(options, "target-area")->given) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "--retarget needs --target-area");
    }
    return status;
}

static enum status crowd_build(const struct option_set *options, struct arena *arena,
                               Steerd__V1__ClientMessage *message, struct fault *fault)
{
    enum status status = crowd_check(options, fault);
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__SpawnCrowd *crowd = values_take(arena, sizeof *crowd);
    steerd__v1__spawn_crowd__init(crowd);
    crowd->count = (uint32_t)option_set_uint(options, "count");
    crowd->area = values_rectangle(arena, option_set_get(options, "area"));
    crowd->seed = option_set_uint(options, "seed");
    crowd->profile = values_text(options, "profile");
    crowd->tag = option_set_uint(options, "tag");
    crowd->retarget = option_set_flag(options, "retarget");
    if (option_set_get(options, "target-area")->given) {
        crowd->goal_case = STEERD__V1__SPAWN_CROWD__GOAL_GOAL_AREA;
        crowd->goal_area = values_rectangle(arena, option_set_get(options, "target-area"));
    } else if (option_set_get(options, "target")->given) {
        crowd->goal_case = STEERD__V1__SPAWN_CROWD__GOAL_POINT;
        crowd->point = values_point(arena, option_set_get(options, "target"));
    } else if (option_set_get(options, "path")->given) {
        crowd->goal_case = STEERD__V1__SPAWN_CROWD__GOAL_PATH;
        status = values_path(arena, "path", option_set_get(options, "path"), &crowd->path, fault);
    }
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_SPAWN_CROWD;
    message->spawn_crowd = crowd;
    return status;
}

static void crowd_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    (void)options;
    fputs("Spawned ", out);
    text_print_ids(out, "agent", result);
    fprintf(out, " at tick %llu.\n", (unsigned long long)result->tick);
}

const struct ctl_command ctl_command_crowd = {
    .usage = "--count N --area X1,Y1,X2,Y2 [--seed N] [--profile NAME] "
             "[--target-area X1,Y1,X2,Y2 [--retarget] | --target X,Y | --path X,Y,X,Y...]",
    .summary = "Adds many agents at random places, without overlap.",
    CTL_OPTIONS(crowd_options),
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .build = crowd_build,
    .say = crowd_say,
};
