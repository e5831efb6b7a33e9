/* What happened to agents, and what has changed about obstacles and profiles, for those who mirror the world.
 */
#include "base/assert.h"
#include "sim/world_internal.h"

void world_add_event(struct steer_world *world, enum steer_world_event_kind kind, uint32_t row)
{
    if (world->event_count == world->config.events_max) {
        world->events_dropped++;
        return;
    }
    world->events[world->event_count++] = (struct steer_world_event){
        .kind = kind,
        .agent = {world->agents.id[row]},
        .position_m = {world->agents.x[row], world->agents.y[row]},
    };
    world->events_are_sorted = false;
}

/* By kind, then id; what is alike in both by place, so that the order is full. */
static bool world_event_before(const struct steer_world_event *a, const struct steer_world_event *b)
{
    if (a->kind != b->kind) {
        return a->kind < b->kind;
    }
    if (a->agent.value != b->agent.value) {
        return a->agent.value < b->agent.value;
    }
    return a->position_m.x != b->position_m.x ? a->position_m.x < b->position_m.x
                                              : a->position_m.y < b->position_m.y;
}

static void world_events_sift_down(struct steer_world_event *events, uint32_t parent, uint32_t count)
{
    struct steer_world_event event = events[parent];
    for (uint32_t child = 2 * parent + 1; child < count; child = 2 * parent + 1) {
        child += child + 1 < count && world_event_before(&events[child], &events[child + 1]) ? 1 : 0;
        if (!world_event_before(&event, &events[child])) {
            break;
        }
        events[parent] = events[child];
        parent = child;
    }
    events[parent] = event;
}

/* Heap sort: in place, never slow (qsort may allocate). */
static void world_events_sort(struct steer_world_event *events, uint32_t count)
{
    for (uint32_t parent = count / 2; parent-- > 0;) {
        world_events_sift_down(events, parent, count);
    }
    for (uint32_t end = count; end-- > 1;) {
        struct steer_world_event last = events[0];
        events[0] = events[end];
        events[end] = last;
        world_events_sift_down(events, 0, end);
    }
}

/* Not in steer_world_events, which several readers may call at once. */
void world_settle_events(struct steer_world *world)
{
    if (!world->events_are_sorted) {
        world_events_sort(world->events, world->event_count);
        world->events_are_sorted = true;
    }
}

const struct steer_world_event *steer_world_events(const struct steer_world *world, uint32_t *count_out)
{
    ASSERT(world->events_are_sorted);
    *count_out = world->event_count;
    return world->events;
}

uint64_t steer_world_events_dropped(const struct steer_world *world)
{
    return world->events_dropped;
}

struct steer_world_changes steer_world_changes(const struct steer_world *world)
{
    /* Ids grow: what was placed since then are the last rows. */
    uint32_t first = world->obstacles.count;
    while (first > 0 && world->obstacles.items[first - 1].id.value > world->obstacle_told) {
        first--;
        world->placed_ids[first] = world->obstacles.items[first].id.value;
    }
    return (struct steer_world_changes){
        .placed_ids = world->placed_ids + first,
        .placed_count = world->obstacles.count - first,
        .removed_ids = world->removed_ids,
        .removed_count = world->removed_count,
        .profiles = world->changed_profiles,
        .profile_count = world->changed_profile_count,
    };
}

void steer_world_clear_changes(struct steer_world *world)
{
    world->obstacle_told = world->obstacles.id_last;
    world->removed_count = 0;
    world->changed_profile_count = 0;
    world->event_count = 0;
    world->events_are_sorted = true;
}
