/*
 * Obstacles and profiles for those who mirror the world: all of them bit by bit after Subscribe, then what
 * each tick changed, once for everybody.
 */
#include "wire/update.h"

#include "base/assert.h"
#include "wire/lookup.h"
#include "wire/pb_writer.h"
#include "wire/piece.h"
#include "wire/state_messages.h"

#define UPDATE_MESSAGE_FIELD 8 /* ServerMessage.world_update */
enum update_field {
    UPDATE_FIELD_OBSTACLES = 1,
    UPDATE_FIELD_REMOVED_OBSTACLE_IDS = 2,
    UPDATE_FIELD_PROFILES = 3,
};

#define UPDATE_RUN_IDS 64 /* removed ids that are packed together */

/* ---- all ---- */

/* Adds obstacles from where the cursor stands; false when the piece is full before the last. */
static bool update_add_obstacles(struct piece *piece, const struct steer_world *world,
                                 struct update_cursor *cursor)
{
    struct obstacle_message message;
    uint32_t count = steer_world_obstacle_count(world);
    for (uint32_t i = lookup_obstacle_after(world, cursor->obstacle_id_last); i < count; i++) {
        const struct steer_obstacle *obstacle = steer_world_obstacle(world, i);
        if (!piece_add(piece, UPDATE_FIELD_OBSTACLES, obstacle_message_fill(&message, obstacle))) {
            return false;
        }
        cursor->obstacle_id_last = obstacle->id.value;
    }
    return true;
}

static bool update_add_profiles(struct piece *piece, const struct steer_world *world,
                                struct update_cursor *cursor)
{
    struct profile_message message;
    while (cursor->profiles_told < steer_world_profile_count(world)) {
        uint32_t index = cursor->profiles_told;
        const ProtobufCMessage *profile =
            profile_message_fill(&message, index, steer_world_profile(world, index));
        if (!piece_add(piece, UPDATE_FIELD_PROFILES, profile)) {
            return false;
        }
        cursor->profiles_told++;
    }
    return true;
}

struct blob *update_encode_all(struct blob_pool *pool, const struct steer_world *world,
                               struct update_cursor *cursor)
{
    ASSERT(!cursor->done);
    struct piece piece;
    if (!piece_start(&piece, pool, PIECE_BYTES)) {
        return NULL;
    }
    cursor->done = update_add_obstacles(&piece, world, cursor) && update_add_profiles(&piece, world, cursor);
    return piece_finish(&piece, UPDATE_MESSAGE_FIELD, NULL, 0);
}

/* ---- changes ---- */

/* The messages of one tick's changes as they are made. */
struct update_writer {
    struct blob_pool *pool;
    size_t frame_bytes_max;
    struct blob **out;
    uint32_t out_max;
    uint32_t count;
    struct piece piece; /* the one being filled; without a blob before the first */
    bool lost;
};

/* Finishes the piece being filled and starts the next; false when that cannot be had. */
static bool update_writer_turn(struct update_writer *writer, bool more)
{
    if (writer->piece.blob != NULL) {
        writer->out[writer->count++] = piece_finish(&writer->piece, UPDATE_MESSAGE_FIELD, NULL, 0);
    }
    if (!more) {
        return true;
    }
    /* Most ticks change little: only what does not fit one small message is given large ones. */
    bool small = writer->count == 0 && writer->frame_bytes_max > PIECE_BYTES;
    size_t size = small ? PIECE_BYTES : writer->frame_bytes_max;
    writer->lost = writer->count == writer->out_max || !piece_start(&writer->piece, writer->pool, size);
    return !writer->lost;
}

static void update_writer_add(struct update_writer *writer, uint32_t number, const ProtobufCMessage *message)
{
    if (writer->lost || (writer->piece.blob != NULL && piece_add(&writer->piece, number, message))) {
        return;
    }
    if (update_writer_turn(writer, true)) {
        bool fits = piece_add(&writer->piece, number, message);
        ASSERT(fits);
    }
}

/* A run of removed ids as one packed field; a decoder joins several runs. */
static void update_writer_add_removed(struct update_writer *writer, const uint32_t *ids, uint32_t count)
{
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size += pb_size_varint(ids[i]);
    }
    size_t whole = 1 + pb_size_varint(size) + size;
    uint8_t *at = writer->piece.blob != NULL ? piece_take(&writer->piece, whole) : NULL;
    if (at == NULL && update_writer_turn(writer, true)) {
        at = piece_take(&writer->piece, whole);
        ASSERT(at != NULL);
    }
    if (at == NULL) {
        return;
    }
    at = pb_put_head(at, UPDATE_FIELD_REMOVED_OBSTACLE_IDS, size);
    for (uint32_t i = 0; i < count; i++) {
        at = pb_put_varint(at, ids[i]);
    }
}

static void update_writer_add_placed(struct update_writer *writer, const struct steer_world *world,
                                     const struct steer_world_changes *changes)
{
    struct obstacle_message message;
    for (uint32_t i = 0; i < changes->placed_count && !writer->lost; i++) {
        uint32_t index = lookup_obstacle_after(world, changes->placed_ids[i] - 1);
        const struct steer_obstacle *obstacle = steer_world_obstacle(world, index);
        ASSERT(obstacle->id.value == changes->placed_ids[i]);
        update_writer_add(writer, UPDATE_FIELD_OBSTACLES, obstacle_message_fill(&message, obstacle));
    }
}

static void update_writer_add_profiles(struct update_writer *writer, const struct steer_world *world,
                                       const struct steer_world_changes *changes)
{
    struct profile_message message;
    for (uint32_t i = 0; i < changes->profile_count && !writer->lost; i++) {
        uint32_t index = changes->profiles[i];
        update_writer_add(writer, UPDATE_FIELD_PROFILES,
                          profile_message_fill(&message, index, steer_world_profile(world, index)));
    }
}

uint32_t update_encode_changes(struct blob_pool *pool, const struct steer_world *world,
                               size_t frame_bytes_max, struct blob **out, uint32_t out_max)
{
    struct steer_world_changes changes = steer_world_changes(world);
    struct update_writer writer = {
        .pool = pool, .frame_bytes_max = frame_bytes_max, .out = out, .out_max = out_max};
    update_writer_add_placed(&writer, world, &changes);
    for (uint32_t i = 0; i < changes.removed_count && !writer.lost; i += UPDATE_RUN_IDS) {
        uint32_t left = changes.removed_count - i;
        update_writer_add_removed(&writer, changes.removed_ids + i,
                                  left < UPDATE_RUN_IDS ? left : UPDATE_RUN_IDS);
    }
    update_writer_add_profiles(&writer, world, &changes);
    if (!writer.lost) {
        (void)update_writer_turn(&writer, false);
        return writer.count;
    }
    while (writer.count > 0) {
        blob_release(writer.out[--writer.count]);
    }
    return UPDATE_CHANGES_LOST;
}
