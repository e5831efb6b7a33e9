/* SpawnAgents: agents, each as it is described. */
#include "wire/commands/handlers.h"
#include "wire/convert.h"

static enum status spawn_agents_goal(const Steerd__V1__AgentSpec *in, struct arena *scratch,
                                     struct steer_goal *out, struct fault *fault)
{
    switch (in->goal_case) {
    case STEERD__V1__AGENT_SPEC__GOAL_POINT:
        out->kind = STEER_GOAL_POINT;
        return convert_point(in->point, "point", &out->point_m, fault);
    case STEERD__V1__AGENT_SPEC__GOAL_AGENT_ID:
        out->kind = STEER_GOAL_AGENT;
        out->agent.value = in->agent_id;
        return STATUS_OK;
    case STEERD__V1__AGENT_SPEC__GOAL_PATH:
        out->kind = STEER_GOAL_PATH;
        return convert_path(in->path, scratch, &out->path_m, &out->path_count, fault);
    case STEERD__V1__AGENT_SPEC__GOAL__NOT_SET:
    case _STEERD__V1__AGENT_SPEC__GOAL__CASE_IS_INT_SIZE:
        break;
    }
    out->kind = STEER_GOAL_NONE;
    return STATUS_OK;
}

static enum status spawn_agents_one(const Steerd__V1__AgentSpec *in, struct arena *scratch,
                                    struct steer_agent_spec *out, struct fault *fault)
{
    *out = (struct steer_agent_spec){
        .orientation_deg = in->orientation_deg,
        .velocity_mps = convert_vector(in->velocity),
        .profile = in->profile,
        .tag = in->tag,
        .flock = in->flock,
        .layers = in->layers,
        .mask = in->mask,
        .radius_m = in->radius,
        .max_speed_mps = in->max_speed,
        .max_accel_mps2 = in->max_accel,
    };
    enum status status = convert_point(in->position, "position", &out->position_m, fault);
    return status != STATUS_OK ? status : spawn_agents_goal(in, scratch, &out->goal, fault);
}

enum status command_apply_spawn_agents(const struct command_context *context,
                                       const Steerd__V1__SpawnAgents *body, struct command_result *result)
{
    void *memory = NULL;
    enum status status = convert_list(context->scratch, body->n_agents, sizeof(struct steer_agent_spec),
                                      "agents", &memory, &result->fault);
    struct steer_agent_spec *specs = memory;
    for (size_t i = 0; status == STATUS_OK && i < body->n_agents; i++) {
        status = spawn_agents_one(body->agents[i], context->scratch, &specs[i], &result->fault);
        if (status != STATUS_OK) {
            fault_prefix(&result->fault, "agents[%zu].", i);
        }
        specs[i].owner = body->owned ? context->session_id : 0;
    }
    if (status != STATUS_OK) {
        return status;
    }
    return steer_world_spawn_agents(context->world, specs, (uint32_t)body->n_agents, &result->made,
                                    &result->fault);
}
