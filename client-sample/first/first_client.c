/* The first client of client-sample/README.md, in C: steers one walker and tells where it is. */
#include <stdio.h>

#include "steerd_commands.h"

int main(int argc, char **argv)
{
    struct fault fault = {0};
    const struct steerd_client_options options = {.name = "first", .role = STEERD__V1__ROLE__ROLE_CONTROLLER};
    const struct steerd_spawn walker = {
        .position_m = {-6, 0}, .tag = 7, .owned = true, .has_target = true, .target_m = {6, 0}};
    struct steerd_client *client = steerd_client_create(&options);
    enum status status = steerd_client_connect(client, argc > 1 ? argv[1] : "127.0.0.1:7400", 2000, &fault);
    status = status != STATUS_OK ? status : steerd_client_spawn(client, &walker, NULL, &fault);
    status = status != STATUS_OK ? status : steerd_client_subscribe_whole(client, &fault);
    for (int frame = 0; frame < 50 && status == STATUS_OK; frame++) {
        size_t count;
        status = steerd_client_poll(client, 20, &fault); /* a game passes 0 here and draws */
        const struct steerd_agent *agents = steerd_mirror_agents(steerd_client_mirror(client), &count);
        for (size_t i = 0; i < count; i++) {
            if (agents[i].tag == 7) { /* ours; the rest of the crowd is there too */
                printf("agent %u is at %.2f, %.2f m\n", agents[i].id, agents[i].position_m.x,
                       agents[i].position_m.y);
            }
        }
    }
    fputs(fault.text, stderr);
    steerd_client_destroy(client);
    return status != STATUS_OK;
}
