/* SpawnCrowd: many agents at random places of an area. */
#include "wire/commands/handlers.h"
#include "wire/convert.h"

static enum status spawn_crowd_goal(const Steerd__V1__SpawnCrowd *in, struct arena *scratch,
                                    struct steer_crowd_spec *out, struct fault *fault)
{
    switch (in->goal_case) {
    case STEERD__V1__SPAWN_CROWD__GOAL_POINT:
        out->goal_kind = STEER_CROWD_GOAL_POINT;
        return convert_point(in->point, "point", &out->goal_point_m, fault);
    case STEERD__V1__SPAWN_CROWD__GOAL_GOAL_AREA:
        out->goal_kind = STEER_CROWD_GOAL_AREA;
        return convert_corners(in->goal_area, "goal_area", &out->goal_min_m, &out->goal_max_m, fault);
    case STEERD__V1__SPAWN_CROWD__GOAL_PATH:
        out->goal_kind = STEER_CROWD_GOAL_PATH;
        return convert_path(in->path, scratch, &out->goal_path_m, &out->goal_path_count, fault);
    case STEERD__V1__SPAWN_CROWD__GOAL__NOT_SET:
    case _STEERD__V1__SPAWN_CROWD__GOAL__CASE_IS_INT_SIZE:
        break;
    }
    out->goal_kind = STEER_CROWD_GOAL_NONE;
    return STATUS_OK;
}

enum status command_apply_spawn_crowd(const struct command_context *context,
                                      const Steerd__V1__SpawnCrowd *body, struct command_result *result)
{
    struct steer_crowd_spec spec = {
        .count = body->count,
        .seed = body->seed,
        .profile = body->profile,
        .tag = body->tag,
        .flock = body->flock,
        .retarget = body->retarget,
        .owner = body->owned ? context->session_id : 0,
    };
    enum status status = convert_corners(body->area, "area", &spec.min_m, &spec.max_m, &result->fault);
    if (status == STATUS_OK) {
        status = spawn_crowd_goal(body, context->scratch, &spec, &result->fault);
    }
    if (status != STATUS_OK) {
        return status;
    }
    return steer_world_spawn_crowd(context->world, &spec, &result->made, &result->fault);
}
