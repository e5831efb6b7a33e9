/* drive: gives one agent a velocity by hand. */
#include "command.h"
#include "values.h"

static const struct option_spec drive_options[] = {
    VALUES_OPTION_ID("id", "The agent; needed."),
    VALUES_OPTION_NUMBERS("velocity", "X,Y", 2, 2,
                          "Its velocity, m/s, no faster than its top speed; needed."),
};

static enum status drive_build(const struct option_set *options, struct arena *arena,
                               Steerd__V1__ClientMessage *message, struct fault *fault)
{
    enum status status = values_check_given(options, "id", fault);
    if (status == STATUS_OK) {
        status = values_check_given(options, "velocity", fault);
    }
    if (status != STATUS_OK) {
        return status;
    }
    Steerd__V1__Drive *drive = values_take(arena, sizeof *drive);
    steerd__v1__drive__init(drive);
    drive->id = (uint32_t)option_set_uint(options, "id");
    drive->velocity = values_point(arena, option_set_get(options, "velocity"));
    message->body_case = STEERD__V1__CLIENT_MESSAGE__BODY_DRIVE;
    message->drive = drive;
    return STATUS_OK;
}

static void drive_say(FILE *out, const struct option_set *options, const struct steerd_result *result)
{
    fprintf(out, "Agent %u is driven from tick %llu on, until it gets a target.\n",
            (uint32_t)option_set_uint(options, "id"), (unsigned long long)result->tick);
}

const struct ctl_command ctl_command_drive = {
    .usage = "--id N --velocity X,Y",
    .summary = "Drives one agent by hand, until it gets a target.",
    CTL_OPTIONS(drive_options),
    .role = STEERD__V1__ROLE__ROLE_CONTROLLER,
    .build = drive_build,
    .say = drive_say,
};
