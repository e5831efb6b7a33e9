/* SetTargets: goals for agents, many different ones in one command. */
#include "wire/commands/handlers.h"
#include "wire/convert.h"

static enum status set_targets_goal(const Steerd__V1__Target *in, struct arena *scratch,
                                    struct steer_goal *out, struct fault *fault)
{
    switch (in->goal_case) {
    case STEERD__V1__TARGET__GOAL_POINT:
        out->kind = STEER_GOAL_POINT;
        return convert_point(in->point, "point", &out->point_m, fault);
    case STEERD__V1__TARGET__GOAL_AGENT_ID:
        out->kind = STEER_GOAL_AGENT;
        out->agent.value = in->agent_id;
        return STATUS_OK;
    case STEERD__V1__TARGET__GOAL_PATH:
        out->kind = STEER_GOAL_PATH;
        return convert_path(in->path, scratch, &out->path_m, &out->path_count, fault);
    case STEERD__V1__TARGET__GOAL_NONE:
        out->kind = STEER_GOAL_NONE;
        return STATUS_OK;
    case STEERD__V1__TARGET__GOAL__NOT_SET:
    case _STEERD__V1__TARGET__GOAL__CASE_IS_INT_SIZE:
        break;
    }
    return fault_set(fault, STATUS_INVALID_ARGUMENT,
                     "goal is missing: one of point, agent_id, path and none is needed");
}

enum status command_apply_set_targets(const struct command_context *context,
                                      const Steerd__V1__SetTargets *body, struct command_result *result)
{
    void *memory = NULL;
    enum status status = convert_list(context->scratch, body->n_targets, sizeof(struct steer_target_spec),
                                      "targets", &memory, &result->fault);
    struct steer_target_spec *specs = memory;
    for (size_t i = 0; status == STATUS_OK && i < body->n_targets; i++) {
        const Steerd__V1__Target *in = body->targets[i];
        status = convert_selection(in->ids, in->n_ids, in->all, &specs[i].agents, &result->fault);
        if (status == STATUS_OK) {
            status = set_targets_goal(in, context->scratch, &specs[i].goal, &result->fault);
        }
        if (status != STATUS_OK) {
            fault_prefix(&result->fault, "targets[%zu].", i);
        }
    }
    if (status != STATUS_OK) {
        return status;
    }
    return steer_world_set_targets(context->world, specs, (uint32_t)body->n_targets, &result->fault);
}
