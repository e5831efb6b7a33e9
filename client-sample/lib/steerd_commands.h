#pragma once

#include "steerd_client.h"

/*
 * The commands that most games begin with, without building messages. Each is steerd_client_send of one
 * message, and fails as that does; for everything else fill a Steerd__V1__ClientMessage.
 */

/* Subscribes to the whole world, at the server's interval. The result comes to on_result. */
MUST_CHECK enum status steerd_client_subscribe_whole(struct steerd_client *client, struct fault *fault);

/* Subscribes to a disc round an agent. radius_m: 0.1 to 10000. */
MUST_CHECK enum status steerd_client_subscribe_around(struct steerd_client *client, uint32_t agent_id,
                                                      float radius_m, struct fault *fault);

/* One agent to be added. Zero means the default of its profile. */
struct steerd_spawn {
    struct vec2 position_m; /* the whole disc inside the world and outside every obstacle */
    float orientation_deg;  /* heading */
    const char *profile;    /* borrowed; NULL: "walker" */
    uint64_t tag;           /* comes back in the mirror: how a game knows its own agents */
    bool owned;             /* leaves the world with this connection */
    bool has_target;
    struct vec2 target_m; /* with has_target */
};

/* Adds one agent; first_id of the result with *request_id_out (may be NULL) is its id. */
MUST_CHECK enum status steerd_client_spawn(struct steerd_client *client, const struct steerd_spawn *spawn,
                                           uint64_t *request_id_out, struct fault *fault);

/* Sends an agent to a point. */
MUST_CHECK enum status steerd_client_set_target(struct steerd_client *client, uint32_t agent_id,
                                                struct vec2 target_m, struct fault *fault);

/* Drives an agent by hand, until it gets a target. */
MUST_CHECK enum status steerd_client_drive(struct steerd_client *client, uint32_t agent_id,
                                           struct vec2 velocity_mps, struct fault *fault);
