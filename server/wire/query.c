/* Questions about the world, answered a piece at a time: as a socket drains, the server asks for the next. */
#include "wire/query.h"

#include <string.h>

#include "base/assert.h"
#include "wire/agent_state.h"
#include "wire/convert.h"
#include "wire/lookup.h"
#include "wire/pb_writer.h"
#include "wire/piece.h"
#include "wire/state_messages.h"

#define QUERY_MESSAGE_FIELD 5 /* ServerMessage.query_result */
enum query_field {
    QUERY_FIELD_REQUEST_ID = 1,
    QUERY_FIELD_TICK = 2,
    QUERY_FIELD_LAST = 3,
    QUERY_FIELD_AGENTS = 4,
    QUERY_FIELD_OBSTACLES = 5,
    QUERY_FIELD_PROFILES = 6,
    QUERY_FIELD_BEHAVIOURS = 7,
    QUERY_FIELD_STATS = 8,
    QUERY_FIELD_STATE_DIGEST = 9,
};

#define QUERY_HEAD_SIZE 24 /* request id and tick 11 each, last 2 */

/* ---- the question ---- */

/* Ascending and without doubles, by insertion: the lists are short, in order as a rule, and qsort takes
 * memory. */
static void query_copy_ids(struct query_cursor *cursor, const uint32_t *ids, size_t count)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t place = kept;
        while (place > 0 && cursor->ids[place - 1] > ids[i]) {
            place--;
        }
        if (place > 0 && cursor->ids[place - 1] == ids[i]) {
            continue;
        }
        memmove(&cursor->ids[place + 1], &cursor->ids[place], (kept - place) * sizeof cursor->ids[0]);
        cursor->ids[place] = ids[i];
        kept++;
    }
    cursor->id_count = kept;
}

static enum status query_start_agents(struct query_cursor *cursor, const Steerd__V1__AgentFilter *filter,
                                      struct fault *fault)
{
    if (filter->n_ids > QUERY_IDS_MAX) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED,
                         "agents.ids has %zu ids: at most %d are possible in one query", filter->n_ids,
                         QUERY_IDS_MAX);
    }
    if (filter->area != NULL) {
        enum status status = convert_rectangle(filter->area, "agents.area", &cursor->area, fault);
        if (status != STATUS_OK) {
            return status;
        }
        cursor->has_area = true;
    }
    cursor->wants_agents = true;
    query_copy_ids(cursor, filter->ids, filter->n_ids);
    return STATUS_OK;
}

enum status query_start(struct query_cursor *cursor, const Steerd__V1__Query *query, uint64_t request_id,
                        struct fault *fault)
{
    if (query->agents == NULL && !query->obstacles && !query->profiles && !query->stats && !query->digest) {
        return fault_set(
            fault, STATUS_INVALID_ARGUMENT,
            "the query asks for nothing: agents, obstacles, profiles, stats or digest is needed");
    }
    struct query_cursor made = {
        .request_id = request_id,
        .wants_obstacles = query->obstacles,
        .wants_profiles = query->profiles,
        .wants_behaviours = query->profiles,
        .wants_stats = query->stats,
        .wants_digest = query->digest,
    };
    if (query->agents != NULL) {
        enum status status = query_start_agents(&made, query->agents, fault);
        if (status != STATUS_OK) {
            return status;
        }
    }
    *cursor = made;
    return STATUS_OK;
}

/* ---- the answer: each adds what fits and returns false when there is more ---- */

/* Adds the agent of a row when the area has it; false when it does not fit. */
static bool query_add_agent(struct piece *piece, const struct query_cursor *cursor,
                            const struct steer_agent_columns *agents, uint32_t row)
{
    if (cursor->has_area && !steer_area_contains(&cursor->area, vec2(agents->x_m[row], agents->y_m[row]))) {
        return true;
    }
    uint8_t *at = piece_take(piece, agent_state_size(agents, row));
    if (at == NULL) {
        return false;
    }
    agent_state_put(at, QUERY_FIELD_AGENTS, agents, row);
    return true;
}

static bool query_add_named_agents(struct piece *piece, const struct steer_world *world,
                                   struct query_cursor *cursor)
{
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t i = 0; i < cursor->id_count; i++) {
        uint32_t id = cursor->ids[i];
        uint32_t row = 0;
        if (id <= cursor->agent_id_last ||
            !steer_world_find_agent(world, (struct steer_agent_id){id}, &row)) {
            continue;
        }
        if (!query_add_agent(piece, cursor, &agents, row)) {
            return false;
        }
        cursor->agent_id_last = id;
    }
    return true;
}

static bool query_add_agents(struct piece *piece, const struct steer_world *world,
                             struct query_cursor *cursor)
{
    if (cursor->id_count > 0) {
        return query_add_named_agents(piece, world, cursor);
    }
    struct steer_agent_columns agents = steer_world_agents(world);
    for (uint32_t row = lookup_agent_after(&agents, cursor->agent_id_last); row < agents.count; row++) {
        if (!query_add_agent(piece, cursor, &agents, row)) {
            return false;
        }
        cursor->agent_id_last = agents.id[row];
    }
    return true;
}

static bool query_add_obstacles(struct piece *piece, const struct steer_world *world,
                                struct query_cursor *cursor)
{
    struct obstacle_message message;
    uint32_t count = steer_world_obstacle_count(world);
    for (uint32_t i = lookup_obstacle_after(world, cursor->obstacle_id_last); i < count; i++) {
        const struct steer_obstacle *obstacle = steer_world_obstacle(world, i);
        if (!piece_add(piece, QUERY_FIELD_OBSTACLES, obstacle_message_fill(&message, obstacle))) {
            return false;
        }
        cursor->obstacle_id_last = obstacle->id.value;
    }
    return true;
}

static bool query_add_profiles(struct piece *piece, const struct steer_world *world,
                               struct query_cursor *cursor)
{
    struct profile_message message;
    while (cursor->profiles_told < steer_world_profile_count(world)) {
        uint32_t index = cursor->profiles_told;
        const ProtobufCMessage *profile =
            profile_message_fill(&message, index, steer_world_profile(world, index));
        if (!piece_add(piece, QUERY_FIELD_PROFILES, profile)) {
            return false;
        }
        cursor->profiles_told++;
    }
    return true;
}

static bool query_add_behaviours(struct piece *piece, struct query_cursor *cursor)
{
    struct behaviour_message message;
    while (cursor->behaviours_told < steer_behaviour_count()) {
        const struct steer_behaviour_info *info = steer_behaviour_info(cursor->behaviours_told);
        if (!piece_add(piece, QUERY_FIELD_BEHAVIOURS, behaviour_message_fill(&message, info))) {
            return false;
        }
        cursor->behaviours_told++;
    }
    return true;
}

static bool query_add_digest(struct piece *piece, uint64_t digest)
{
    uint8_t *at = piece_take(piece, 1 + sizeof digest);
    if (at == NULL) {
        return false;
    }
    at = pb_put_tag(at, QUERY_FIELD_STATE_DIGEST, PB_PUT_64BIT);
    for (unsigned byte = 0; byte < sizeof digest; byte++) {
        *at++ = (uint8_t)(digest >> (8 * byte));
    }
    return true;
}

/* Adds from each list in turn what is still wanted; false when the piece is full before the end. */
static bool query_fill(struct piece *piece, const struct steer_world *world, const Steerd__V1__Stats *stats,
                       struct query_cursor *cursor)
{
    if (cursor->wants_agents && !query_add_agents(piece, world, cursor)) {
        return false;
    }
    cursor->wants_agents = false;
    if (cursor->wants_obstacles && !query_add_obstacles(piece, world, cursor)) {
        return false;
    }
    cursor->wants_obstacles = false;
    if (cursor->wants_profiles && !query_add_profiles(piece, world, cursor)) {
        return false;
    }
    cursor->wants_profiles = false;
    if (cursor->wants_behaviours && !query_add_behaviours(piece, cursor)) {
        return false;
    }
    cursor->wants_behaviours = false;
    if (cursor->wants_stats && !piece_add(piece, QUERY_FIELD_STATS, &stats->base)) {
        return false;
    }
    cursor->wants_stats = false;
    return !cursor->wants_digest || query_add_digest(piece, stats->state_digest);
}

struct blob *query_encode_next(struct blob_pool *pool, const struct steer_world *world,
                               const Steerd__V1__Stats *stats, struct query_cursor *cursor)
{
    ASSERT(!cursor->done);
    ASSERT(stats != NULL || (!cursor->wants_stats && !cursor->wants_digest));
    struct piece piece;
    if (!piece_start(&piece, pool, PIECE_BYTES)) {
        return NULL;
    }
    cursor->done = query_fill(&piece, world, stats, cursor);
    uint8_t head[QUERY_HEAD_SIZE];
    uint8_t *at = pb_put_uint(head, QUERY_FIELD_REQUEST_ID, cursor->request_id);
    at = pb_put_uint(at, QUERY_FIELD_TICK, steer_world_tick(world));
    at = pb_put_uint(at, QUERY_FIELD_LAST, cursor->done);
    return piece_finish(&piece, QUERY_MESSAGE_FIELD, head, (size_t)(at - head));
}
