/* What happened inside an outline becomes one message. */
#include "wire/events.h"

#include <stdbool.h>

#include "base/assert.h"
#include "wire/pb_writer.h"

#define EVENTS_MESSAGE_FIELD 7 /* ServerMessage.events */
enum events_field {
    EVENTS_FIELD_TICK = 1,
    EVENTS_FIELD_EVENTS = 2,
};

#define EVENTS_HEAD_SIZE_MAX 17 /* tag and length 6, tick 11 */

/* Field of Event.kind. */
static uint32_t events_kind_field(enum steer_world_event_kind kind)
{
    switch (kind) {
    case STEER_WORLD_EVENT_ARRIVED:
        return 1;
    case STEER_WORLD_EVENT_BLOCKED:
        return 2;
    case STEER_WORLD_EVENT_REMOVED:
        return 3;
    }
    ASSERT(!"an event of a known kind");
    return 0;
}

/* Entry of Events.events: Event{kind{id}}, three nested heads of two bytes at most. */
static size_t events_entry_size(const struct steer_world_event *event)
{
    return 2 + 2 + pb_size_uint(event->agent.value);
}

static uint8_t *events_entry_put(uint8_t *at, const struct steer_world_event *event)
{
    size_t size = pb_size_uint(event->agent.value);
    at = pb_put_head(at, EVENTS_FIELD_EVENTS, 2 + size);
    at = pb_put_head(at, events_kind_field(event->kind), size);
    return pb_put_uint(at, 1, event->agent.value);
}

struct blob *events_encode(struct blob_pool *pool, const struct steer_world *world,
                           const struct steer_area *area, size_t frame_bytes_max, uint64_t *dropped)
{
    uint32_t count = 0;
    const struct steer_world_event *events = steer_world_events(world, &count);
    size_t size = 0;
    uint32_t inside = 0;
    uint32_t end = 0; /* of the events that fit */
    bool full = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!steer_area_contains(area, events[i].position_m)) {
            continue;
        }
        size_t entry = events_entry_size(&events[i]);
        full = full || size + entry > frame_bytes_max - EVENTS_HEAD_SIZE_MAX;
        if (full) {
            ++*dropped;
            continue;
        }
        size += entry;
        inside++;
        end = i + 1;
    }
    if (inside == 0) {
        return NULL;
    }
    size_t fields = pb_size_uint(steer_world_tick(world));
    struct blob *blob = blob_pool_take(pool, 1 + pb_size_varint(fields + size) + fields + size);
    if (blob == NULL) {
        *dropped += inside;
        return NULL;
    }
    uint8_t *at = pb_put_head(blob->bytes, EVENTS_MESSAGE_FIELD, fields + size);
    at = pb_put_uint(at, EVENTS_FIELD_TICK, steer_world_tick(world));
    for (uint32_t i = 0; i < end; i++) {
        if (steer_area_contains(area, events[i].position_m)) {
            at = events_entry_put(at, &events[i]);
        }
    }
    blob->size = (size_t)(at - blob->bytes);
    return blob;
}
