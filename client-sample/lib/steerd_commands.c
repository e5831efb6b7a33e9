/* Fills in the messages of the commands that most games begin with, and hands them to steerd_client_send. */
#include "steerd_commands.h"

static Steerd__V1__Vec2 steerd_commands_point(struct vec2 point)
{
    Steerd__V1__Vec2 out = STEERD__V1__VEC2__INIT;
    out.x = point.x;
    out.y = point.y;
    return out;
}

static enum status steerd_commands_subscribe(struct steerd_client *client, Steerd__V1__Subscribe *subscribe,
                                             struct fault *fault)
{
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    uint64_t request_id;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_SUBSCRIBE;
    message.subscribe = subscribe;
    return steerd_client_send(client, &message, &request_id, fault);
}

enum status steerd_client_subscribe_whole(struct steerd_client *client, struct fault *fault)
{
    Steerd__V1__Subscribe subscribe = STEERD__V1__SUBSCRIBE__INIT;
    return steerd_commands_subscribe(client, &subscribe, fault);
}

enum status steerd_client_subscribe_around(struct steerd_client *client, uint32_t agent_id, float radius_m,
                                           struct fault *fault)
{
    Steerd__V1__Around around = STEERD__V1__AROUND__INIT;
    Steerd__V1__Subscribe subscribe = STEERD__V1__SUBSCRIBE__INIT;
    around.agent_id = agent_id;
    around.radius = radius_m;
    subscribe.area_case = STEERD__V1__SUBSCRIBE__AREA_AROUND;
    subscribe.around = &around;
    return steerd_commands_subscribe(client, &subscribe, fault);
}

enum status steerd_client_spawn(struct steerd_client *client, const struct steerd_spawn *spawn,
                                uint64_t *request_id_out, struct fault *fault)
{
    Steerd__V1__Vec2 position = steerd_commands_point(spawn->position_m);
    Steerd__V1__Vec2 target = steerd_commands_point(spawn->target_m);
    Steerd__V1__AgentSpec spec = STEERD__V1__AGENT_SPEC__INIT;
    spec.position = &position;
    spec.orientation_deg = spawn->orientation_deg;
    spec.tag = spawn->tag;
    if (spawn->profile != NULL) {
        spec.profile = (char *)spawn->profile; /* protobuf-c knows no const; packing does not write */
    }
    if (spawn->has_target) {
        spec.goal_case = STEERD__V1__AGENT_SPEC__GOAL_POINT;
        spec.point = &target;
    }
    Steerd__V1__AgentSpec *agents[] = {&spec};
    Steerd__V1__SpawnAgents spawn_agents = STEERD__V1__SPAWN_AGENTS__INIT;
    spawn_agents.n_agents = 1;
    spawn_agents.agents = agents;
    spawn_agents.owned = spawn->owned;
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    uint64_t request_id;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_SPAWN_AGENTS;
    message.spawn_agents = &spawn_agents;
    return steerd_client_send(client, &message, request_id_out == NULL ? &request_id : request_id_out, fault);
}

enum status steerd_client_set_target(struct steerd_client *client, uint32_t agent_id, struct vec2 target_m,
                                     struct fault *fault)
{
    Steerd__V1__Vec2 point = steerd_commands_point(target_m);
    Steerd__V1__Target target = STEERD__V1__TARGET__INIT;
    target.n_ids = 1;
    target.ids = &agent_id;
    target.goal_case = STEERD__V1__TARGET__GOAL_POINT;
    target.point = &point;
    Steerd__V1__Target *targets[] = {&target};
    Steerd__V1__SetTargets set_targets = STEERD__V1__SET_TARGETS__INIT;
    set_targets.n_targets = 1;
    set_targets.targets = targets;
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    uint64_t request_id;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_SET_TARGETS;
    message.set_targets = &set_targets;
    return steerd_client_send(client, &message, &request_id, fault);
}

enum status steerd_client_drive(struct steerd_client *client, uint32_t agent_id, struct vec2 velocity_mps,
                                struct fault *fault)
{
    Steerd__V1__Vec2 velocity = steerd_commands_point(velocity_mps);
    Steerd__V1__Drive drive = STEERD__V1__DRIVE__INIT;
    drive.id = agent_id;
    drive.velocity = &velocity;
    Steerd__V1__ClientMessage message = STEERD__V1__CLIENT_MESSAGE__INIT;
    uint64_t request_id;
    message.body_case = STEERD__V1__CLIENT_MESSAGE__BODY_DRIVE;
    message.drive = &drive;
    return steerd_client_send(client, &message, &request_id, fault);
}
