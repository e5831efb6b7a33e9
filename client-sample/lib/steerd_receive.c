/*
 * What a frame from the server does: decoded into the scratch memory, checked, applied to the mirror, told to
 * the owner. The other half of steerd_client.c.
 */
#include <stdio.h>
#include <string.h>

#include "steerd_client_internal.h"

#define STEERD_FRAME_BYTES_LIMIT (64u << 20) /* a Welcome that announces longer frames is not believed */

static struct vec2 steerd_receive_point(const Steerd__V1__Vec2 *point)
{
    return point == NULL ? vec2(0.0f, 0.0f) : vec2(point->x, point->y);
}

static enum status steerd_receive_welcome(struct steerd_client *client, const Steerd__V1__Welcome *welcome,
                                          struct fault *fault)
{
    if (client->state != STEERD_CLIENT_STATE_GREETING) {
        return fault_set(fault, STATUS_DATA_LOSS, "said Welcome twice");
    }
    if (welcome->protocol_version != 1) {
        return fault_set(fault, STATUS_DATA_LOSS, "speaks version %u of the protocol: 1 is needed",
                         welcome->protocol_version);
    }
    if (welcome->tick_rate_hz == 0 || welcome->client_frame_bytes_max == 0 ||
        welcome->server_frame_bytes_max == 0 || welcome->server_frame_bytes_max > STEERD_FRAME_BYTES_LIMIT) {
        return fault_set(fault, STATUS_DATA_LOSS, "said a Welcome whose rates and limits make no sense");
    }
    client->welcome = (struct steerd_welcome){
        .session_id = welcome->session_id,
        .role = welcome->role,
        .tick_rate_hz = welcome->tick_rate_hz,
        .snapshot_interval_ticks = welcome->snapshot_interval_ticks,
        .tick = welcome->tick,
        .world_min_m = steerd_receive_point(welcome->world_min),
        .world_max_m = steerd_receive_point(welcome->world_max),
        .client_frame_bytes_max = welcome->client_frame_bytes_max,
        .server_frame_bytes_max = welcome->server_frame_bytes_max,
        .agents_max = welcome->agents_max,
    };
    snprintf(client->welcome.server_version, sizeof client->welcome.server_version, "%s",
             welcome->server_version);
    client->inbox.frame_bytes_max = welcome->server_frame_bytes_max;
    steerd_mirror_set_agents_max(client->mirror, welcome->agents_max);
    client->state = STEERD_CLIENT_STATE_OPEN;
    return STATUS_OK;
}

/* The server ends the connection; its code, if it is one of ours, becomes the status. */
static enum status steerd_receive_goodbye(struct steerd_client *client, const Steerd__V1__Goodbye *goodbye,
                                          struct fault *fault)
{
    bool known = goodbye->code > 0 && (int)goodbye->code <= STATUS_UNAUTHENTICATED;
    enum status status = known ? (enum status)goodbye->code : STATUS_UNAVAILABLE;
    client->retry_after_ms = goodbye->retry_after_ms;
    return fault_set(fault, status, "said goodbye: %s",
                     goodbye->reason[0] == '\0' ? status_name(status) : goodbye->reason);
}

static void steerd_receive_result(struct steerd_client *client, const Steerd__V1__CommandResult *result)
{
    if (client->awaited != NULL && result->request_id == client->awaited_id) {
        struct steerd_result *out = client->awaited;
        bool known = result->code >= 0 && (int)result->code <= STATUS_UNAUTHENTICATED;
        out->code = known ? (enum status)result->code : STATUS_UNKNOWN;
        out->tick = result->tick;
        out->first_id = result->first_id;
        out->id_count = result->id_count;
        snprintf(out->message, sizeof out->message, "%s", result->message);
        client->awaited = NULL;
    }
    if (client->handlers.on_result != NULL) {
        client->handlers.on_result(client->handlers.context, result);
    }
}

static enum status steerd_receive_snapshot(struct steerd_client *client, const Steerd__V1__Snapshot *snapshot,
                                           size_t frame_size, struct fault *fault)
{
    bool whole;
    enum status status = steerd_mirror_apply_snapshot(client->mirror, snapshot, &whole, fault);
    if (status != STATUS_OK) {
        return status;
    }
    client->snapshot_bytes += frame_size;
    if (whole) {
        size_t size = client->snapshot_bytes;
        client->snapshot_bytes = 0;
        if (client->handlers.on_snapshot != NULL) {
            client->handlers.on_snapshot(client->handlers.context, client->mirror, size);
        }
    }
    return STATUS_OK;
}

/* Everything that comes after Welcome. What this client does not know it passes over: a later server may say
 * more. */
static enum status steerd_receive_push(struct steerd_client *client, const Steerd__V1__ServerMessage *message,
                                       size_t frame_size, struct fault *fault)
{
    const struct steerd_client_handlers *handlers = &client->handlers;
    switch (message->body_case) {
    case STEERD__V1__SERVER_MESSAGE__BODY_RESULT:
        steerd_receive_result(client, message->result);
        return STATUS_OK;
    case STEERD__V1__SERVER_MESSAGE__BODY_SNAPSHOT:
        return steerd_receive_snapshot(client, message->snapshot, frame_size, fault);
    case STEERD__V1__SERVER_MESSAGE__BODY_WORLD_UPDATE:
        return steerd_mirror_apply_update(client->mirror, message->world_update, fault);
    case STEERD__V1__SERVER_MESSAGE__BODY_QUERY_RESULT:
        if (handlers->on_query_result != NULL) {
            handlers->on_query_result(handlers->context, message->query_result);
        }
        return STATUS_OK;
    case STEERD__V1__SERVER_MESSAGE__BODY_EVENTS:
        if (handlers->on_events != NULL) {
            handlers->on_events(handlers->context, message->events);
        }
        return STATUS_OK;
    case STEERD__V1__SERVER_MESSAGE__BODY_PONG:
        if (handlers->on_pong != NULL) {
            handlers->on_pong(handlers->context, message->pong);
        }
        return STATUS_OK;
    default:
        return STATUS_OK;
    }
}

enum status steerd_client_receive(struct steerd_client *client, const uint8_t *payload, size_t size,
                                  size_t frame_size, struct fault *fault)
{
    ProtobufCAllocator *allocator = steerd_scratch_begin(client->scratch, size);
    const Steerd__V1__ServerMessage *message = steerd__v1__server_message__unpack(allocator, size, payload);
    enum status status;
    if (message == NULL) {
        status = fault_set(fault, STATUS_DATA_LOSS, "sent %zu bytes that are no message of steerd", size);
    } else if (message->body_case == STEERD__V1__SERVER_MESSAGE__BODY_WELCOME) {
        status = steerd_receive_welcome(client, message->welcome, fault);
    } else if (message->body_case == STEERD__V1__SERVER_MESSAGE__BODY_GOODBYE) {
        status = steerd_receive_goodbye(client, message->goodbye, fault);
    } else if (client->state != STEERD_CLIENT_STATE_OPEN) {
        status = fault_set(fault, STATUS_DATA_LOSS, "sent something before its Welcome");
    } else {
        status = steerd_receive_push(client, message, frame_size, fault);
    }
    return status == STATUS_OK ? STATUS_OK : steerd_client_fail(client, status, fault);
}

void steerd_client_note_sent(struct steerd_client *client, const Steerd__V1__ClientMessage *message)
{
    if (message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_SUBSCRIBE) {
        if (!client->subscribed) {
            /* Without a view the removals were not told; the server now tells all obstacles that are there.
             */
            steerd_mirror_forget_obstacles(client->mirror);
        }
        client->subscribed = true;
    } else if (message->body_case == STEERD__V1__CLIENT_MESSAGE__BODY_UNSUBSCRIBE) {
        client->subscribed = false;
    }
}
