/* teleport: moves one agent at once. */
#include "command.h"
#include "values.h"

static const struct option_spec teleport_options[] = {
    VALUES_OPTION_ID("id", "The agent; needed."),
    VALUES_OPTION_NUMBERS("position", "X,Y", 2, 2,
                          "Where to, metres, inside the world and outside every obstacle; needed."),
    {.name = "orientation",
     .kind = OPTION_FLOAT,
     .value_name = "DEG",
     .min = -360,
     .max = 360,
     .default_text = "0",
     .help = "Heading, degrees: 0 is +y, growing clockwise."},
};

static enum status teleport_build(const struct option_set *options, struct arena *arena,
                                  Steerd__V1__ClientMessage *message, struct fault *fault)
{
    enum status status = values_check_given(options, "id", fault);
    if (status == STATUS_OK) {
        status = values_check_given(options, "position", fault);
    }
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__Teleport *teleport = values_take(arena, sizeof *teleport);
    steerd__v1__teleport__init(teleport);
    teleport->id = (uint32_t)option_set_uint(options, "id");
    teleport->position = values_point(arena, option_set_get(options, "position"));
    teleport->orientation_deg = (float)option_set_float(options, "orientation");
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_TELEPORT;
    message->teleport = teleport;
    return STATUS_OK;
}

static void teleport_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    fprintf(out, "Moved agent %u at tick %llu.\n", (uint32_t)option_set_uint(options, "id"),
            (unsigned long long)result->tick);
}

const struct ctl_command ctl_command_teleport = {
    .usage = "--id N --position X,Y [--orientation DEG]",
    .summary = "Moves one agent at once; its target stays.",
    CTL_OPTIONS(teleport_options),
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .build = teleport_build,
    .say = teleport_say,
};
