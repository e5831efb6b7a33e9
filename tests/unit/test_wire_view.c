#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"
#include "wire/view.h"
#include "wire_world.h"

/* Views and their snapshots and events, decoded with the generated code and compared with the world's
 * columns. */

#define VIEWS_MAX   4
#define FRAME_SMALL 600
#define FRAME_BIG   ((size_t)4 << 20)
#define TIME_US     1764540000000000U

static struct wire_world wire;
static struct blob_pool *blobs;
static struct view_table *table;

static void make_table(size_t frame_bytes_max)
{
    struct view_table_config config = {
        .views_max = VIEWS_MAX,
        .frame_bytes_max = frame_bytes_max,
        .agents_max = WIRE_WORLD_AGENTS_MAX,
        .threads = WIRE_WORLD_THREADS,
        .blobs = blobs,
    };
    table = view_table_create(&config);
    ck_assert_ptr_nonnull(table);
    ck_assert_uint_gt(view_table_memory_bytes(table), 0);
}

static void setup(void)
{
    wire_world_init(&wire, 1);
    blobs = blob_pool_create((size_t)64 << 20);
    make_table(FRAME_BIG);
}

static void setup_small_frames(void)
{
    wire_world_init(&wire, 1);
    blobs = blob_pool_create((size_t)64 << 20);
    make_table(FRAME_SMALL);
}

static void teardown(void)
{
    view_table_destroy(table);
    blob_pool_destroy(blobs);
    wire_world_deinit(&wire);
}

static struct view *acquire(const struct view_spec *spec)
{
    struct view *view = NULL;
    struct fault fault = {0};
    ck_assert_msg(view_acquire(table, wire.world, spec, &view, &fault) == STATUS_OK, "%s", fault.text);
    return view;
}

static struct view_spec whole(uint32_t interval)
{
    return (struct view_spec){.area = {.kind = STEER_AREA_WHOLE}, .interval_ticks = interval};
}

static struct view_spec rectangle(float min_x, float min_y, float max_x, float max_y)
{
    return (struct view_spec){
        .area = {.kind = STEER_AREA_RECTANGLE, .min_m = vec2(min_x, min_y), .max_m = vec2(max_x, max_y)},
        .interval_ticks = 1};
}

static struct view_spec around(uint32_t id, float radius)
{
    return (struct view_spec){
        .area = {.kind = STEER_AREA_DISC, .radius_m = radius}, .around = {id}, .interval_ticks = 1};
}

static void encode(void)
{
    view_table_release_encoded(table);
    view_table_encode(table, wire.world, wire.pool, TIME_US);
}

static void spawn_crowd(uint32_t count)
{
    char text[256];
    snprintf(text, sizeof text,
             "spawn_crowd { count: %u area { min { x: -48 y: -48 } max { x: 38 y: 38 } } seed: 1 tag: "
             "18446744073709551615 "
             "goal_area { min { x: -40 y: -40 } max { x: 40 y: 40 } } }",
             count);
    wire_world_do(&wire, text);
}

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void expect_agent(const Steerd__V1__AgentState *agent, const struct steer_agent_columns *columns,
                         uint32_t row)
{
    ck_assert_uint_eq(agent->id, columns->id[row]);
    ck_assert_uint_eq(agent->tag, columns->tag[row]);
    ck_assert_ptr_nonnull(agent->position);
    ck_assert_ptr_nonnull(agent->velocity);
    ck_assert(same_bits(agent->position->x, columns->x_m[row]) &&
              same_bits(agent->position->y, columns->y_m[row]));
    ck_assert(same_bits(agent->velocity->x, columns->vx_mps[row]) &&
              same_bits(agent->velocity->y, columns->vy_mps[row]));
    ck_assert(same_bits(agent->orientation_deg, columns->orientation_deg[row]));
    ck_assert(same_bits(agent->rotation_deg_s, columns->rotation_deg_s[row]));
    ck_assert(same_bits(agent->radius, columns->radius_m[row]));
    ck_assert_uint_eq(agent->profile, columns->profile[row]);
    ck_assert_int_eq((int)agent->state, (int)columns->state[row]);
}

/* Decodes all parts: exactly the agents of the world that the view's outline has, in order. Returns how many.
 */
static uint32_t expect_snapshot(const struct view *view, size_t frame_bytes_max, uint32_t *parts_out)
{
    struct steer_agent_columns columns = steer_world_agents(wire.world);
    struct steer_area area = view_area(view);
    struct blob *const *parts = NULL;
    uint32_t count = view_snapshot(view, &parts);
    ck_assert_uint_ge(count, 1);
    uint32_t row = 0;
    uint32_t agents = 0;
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_le(parts[i]->size, frame_bytes_max);
        Steerd__V1__ServerMessage *message =
            steerd__v1__server_message__unpack(NULL, parts[i]->size, parts[i]->bytes);
        ck_assert_ptr_nonnull(message);
        ck_assert_int_eq(message->body_case, STEERD__V1__SERVER_MESSAGE__BODY_SNAPSHOT);
        const Steerd__V1__Snapshot *snapshot = message->snapshot;
        ck_assert_uint_eq(snapshot->tick, steer_world_tick(wire.world));
        ck_assert_uint_eq(snapshot->server_time_us, TIME_US);
        ck_assert_int_eq(snapshot->last, i + 1 == count);
        for (size_t k = 0; k < snapshot->n_agents; k++) {
            while (row < columns.count &&
                   !steer_area_contains(&area, vec2(columns.x_m[row], columns.y_m[row]))) {
                row++;
            }
            ck_assert_uint_lt(row, columns.count);
            expect_agent(snapshot->agents[k], &columns, row++);
            agents++;
        }
        steerd__v1__server_message__free_unpacked(message, NULL);
    }
    for (; row < columns.count; row++) {
        ck_assert(!steer_area_contains(&area, vec2(columns.x_m[row], columns.y_m[row])));
    }
    if (parts_out != NULL) {
        *parts_out = count;
    }
    return agents;
}

START_TEST(test_a_whole_view_is_the_worlds_columns)
{
    spawn_crowd(1500);
    wire_world_do(&wire, "set_targets { targets { ids: 1 point { x: 20 y: 20 } } }");
    wire_world_do(&wire, "drive { id: 2 velocity { x: -1 y: 0 } }");
    struct view_spec spec = whole(1);
    struct view *view = acquire(&spec);
    wire_world_step(&wire, 5);
    encode();
    uint32_t parts = 0;
    ck_assert_uint_eq(expect_snapshot(view, FRAME_BIG, &parts), 1508);
    ck_assert_uint_eq(parts, 1);
}
END_TEST

START_TEST(test_a_snapshot_over_the_frame_limit_comes_in_parts)
{
    spawn_crowd(1500);
    wire_world_step(&wire, 3);
    struct view_spec everything = whole(1);
    struct view_spec some = rectangle(-30.0f, -30.0f, 0.0f, 0.0f);
    struct view *whole_view = acquire(&everything);
    struct view *part_view = acquire(&some);
    encode();
    uint32_t parts = 0;
    ck_assert_uint_eq(expect_snapshot(whole_view, FRAME_SMALL, &parts), 1508);
    ck_assert_uint_gt(parts, 50);
    ck_assert_uint_gt(expect_snapshot(part_view, FRAME_SMALL, &parts), 20);
    ck_assert_uint_gt(parts, 1);
}
END_TEST

START_TEST(test_bytes_do_not_depend_on_threads)
{
    static uint8_t first[1 << 20];
    size_t first_size = 0;
    spawn_crowd(1500);
    wire_world_step(&wire, 3);
    struct view_spec everything = whole(1);
    struct view_spec some = rectangle(-30.0f, -30.0f, 0.0f, 0.0f);
    struct view *views[] = {acquire(&everything), acquire(&some)};
    const uint32_t threads[] = {1, 2, 3, 8};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        job_pool_destroy(wire.pool);
        wire.pool = job_pool_create(threads[t]);
        ck_assert_ptr_nonnull(wire.pool);
        encode();
        size_t size = 0;
        for (size_t v = 0; v < 2; v++) {
            struct blob *const *parts = NULL;
            uint32_t count = view_snapshot(views[v], &parts);
            for (uint32_t i = 0; i < count; i++) {
                ck_assert_uint_le(size + parts[i]->size, sizeof first);
                if (t == 0) {
                    memcpy(first + size, parts[i]->bytes, parts[i]->size);
                } else {
                    ck_assert_mem_eq(first + size, parts[i]->bytes, parts[i]->size);
                }
                size += parts[i]->size;
            }
        }
        ck_assert_uint_eq(t == 0 ? (first_size = size) : size, first_size);
    }
    ck_assert_uint_gt(first_size, 10000);
}
END_TEST

START_TEST(test_bytes_are_those_of_the_generated_code)
{
    wire_world_step(&wire, 1);
    struct view_spec spec = whole(1);
    struct view *view = acquire(&spec);
    encode();
    struct blob *const *parts = NULL;
    ck_assert_uint_eq(view_snapshot(view, &parts), 1);
    Steerd__V1__ServerMessage *message =
        steerd__v1__server_message__unpack(NULL, parts[0]->size, parts[0]->bytes);
    ck_assert_ptr_nonnull(message);
    uint8_t *again = malloc(parts[0]->size * 2);
    ck_assert_uint_eq(steerd__v1__server_message__pack(message, again), parts[0]->size);
    ck_assert_mem_eq(again, parts[0]->bytes, parts[0]->size);
    free(again);
    steerd__v1__server_message__free_unpacked(message, NULL);
}
END_TEST

START_TEST(test_an_outline_is_exact_and_its_edge_is_inside)
{
    /* Agents stand at x 2, 4, 6, ... on y 0. */
    struct view_spec edge = rectangle(2.0f, 0.0f, 4.0f, 0.0f);
    struct view_spec beside = rectangle(2.01f, -1.0f, 3.99f, 1.0f);
    struct view *edge_view = acquire(&edge);
    struct view *beside_view = acquire(&beside);
    encode();
    ck_assert_uint_eq(expect_snapshot(edge_view, FRAME_BIG, NULL), 2);
    uint32_t parts = 0;
    ck_assert_uint_eq(expect_snapshot(beside_view, FRAME_BIG, &parts), 0); /* empty, and sent all the same */
    ck_assert_uint_eq(parts, 1);
}
END_TEST

START_TEST(test_an_empty_world_is_sent_too)
{
    wire_world_do(&wire, "remove_agents { all: true }");
    struct view_spec spec = whole(1);
    struct view *view = acquire(&spec);
    encode();
    ck_assert_uint_eq(expect_snapshot(view, FRAME_BIG, NULL), 0);
}
END_TEST

START_TEST(test_a_view_is_due_at_multiples_of_its_interval)
{
    struct view_spec every = whole(1);
    struct view_spec fourth = whole(4);
    struct view *every_view = acquire(&every);
    struct view *fourth_view = acquire(&fourth);
    ck_assert_ptr_ne(every_view, fourth_view);
    for (uint32_t tick = 1; tick <= 8; tick++) {
        wire_world_step(&wire, 1);
        encode();
        struct blob *const *parts = NULL;
        ck_assert(view_snapshot_due(every_view));
        ck_assert_int_eq(view_snapshot_due(fourth_view), tick % 4 == 0);
        ck_assert_uint_eq(view_snapshot(fourth_view, &parts), tick % 4 == 0);
    }
}
END_TEST

START_TEST(test_a_view_around_an_agent_follows_it_and_stays_when_it_is_gone)
{
    struct view_spec spec = around(3, 1.0f);
    struct view *view = acquire(&spec);
    encode();
    ck_assert_uint_eq(expect_snapshot(view, FRAME_BIG, NULL), 1);
    wire_world_do(&wire, "teleport { id: 3 position { x: -20 y: 7 } }");
    encode();
    ck_assert_float_eq(view_area(view).center_m.x, -20.0f);
    ck_assert_float_eq(view_area(view).center_m.y, 7.0f);
    ck_assert_uint_eq(expect_snapshot(view, FRAME_BIG, NULL), 1);
    wire_world_do(&wire, "remove_agents { ids: 3 }");
    encode();
    ck_assert_float_eq(view_area(view).center_m.x, -20.0f);
    ck_assert_uint_eq(expect_snapshot(view, FRAME_BIG, NULL), 0);
}
END_TEST

START_TEST(test_a_view_around_an_unknown_agent_is_not_found)
{
    struct view_spec spec = around(99, 1.0f);
    struct view *view = NULL;
    struct fault fault = {0};
    ck_assert_int_eq(view_acquire(table, wire.world, &spec, &view, &fault), STATUS_NOT_FOUND);
    ck_assert_str_eq(fault.text, "around.agent_id is 99: no agent has this id");
    ck_assert_ptr_null(view);
}
END_TEST

START_TEST(test_viewers_of_the_same_share_a_view)
{
    struct view_spec a = around(3, 1.0f);
    struct view_spec b = around(3, 2.0f);
    struct view *first = acquire(&a);
    ck_assert_ptr_eq(acquire(&a), first);
    ck_assert_ptr_ne(acquire(&b), first);
    view_release(table, first);
    view_table_release_encoded(table);
    ck_assert_ptr_eq(acquire(&a), first);
}
END_TEST

START_TEST(test_whole_views_of_one_tick_share_their_bytes)
{
    struct view_spec second = whole(2);
    struct view_spec fourth = whole(4);
    struct view *second_view = acquire(&second);
    struct view *fourth_view = acquire(&fourth);
    wire_world_step(&wire, 4);
    encode();
    struct blob *const *second_parts = NULL;
    struct blob *const *fourth_parts = NULL;
    ck_assert_uint_eq(view_snapshot(second_view, &second_parts), 1);
    ck_assert_uint_eq(view_snapshot(fourth_view, &fourth_parts), 1);
    ck_assert_ptr_eq(second_parts[0], fourth_parts[0]);
}
END_TEST

START_TEST(test_more_views_than_there_is_room_for_are_refused)
{
    struct view *first = NULL;
    for (uint32_t i = 0; i < VIEWS_MAX; i++) {
        struct view_spec spec = rectangle(0.0f, 0.0f, (float)i, 1.0f);
        struct view *view = acquire(&spec);
        first = i == 0 ? view : first;
    }
    encode();
    struct view_spec more = rectangle(0.0f, 0.0f, 50.0f, 1.0f);
    struct view *view = NULL;
    struct fault fault = {0};
    ck_assert_int_eq(view_acquire(table, wire.world, &more, &view, &fault), STATUS_RESOURCE_EXHAUSTED);
    ck_assert_str_eq(fault.text, "4 different views are in use: the server's limit");
    view_release(table, first);
    ck_assert_ptr_nonnull(
        acquire(&more)); /* at once, though what was encoded for the old one is still there */
}
END_TEST

START_TEST(test_a_full_pool_loses_a_snapshot_and_not_the_view)
{
    view_table_destroy(table);
    blob_pool_destroy(blobs);
    blobs = blob_pool_create(4096);
    make_table(FRAME_SMALL);
    spawn_crowd(1000);
    struct view_spec everything = whole(1);
    struct view_spec nothing = rectangle(45.0f, 45.0f, 46.0f, 46.0f);
    struct view *view = acquire(&everything);
    struct view *small = acquire(&nothing);
    encode();
    struct blob *const *parts = NULL;
    ck_assert(view_snapshot_due(view));
    ck_assert_uint_eq(view_snapshot(view, &parts), 0);
    ck_assert_uint_eq(view_snapshot(small, &parts), 1);
    wire_world_do(&wire, "remove_agents { all: true }");
    encode();
    ck_assert_uint_eq(view_snapshot(view, &parts), 1);
}
END_TEST

/* Ids of the removed in a view's events; 0 when there is no message. */
static uint32_t removed_ids(const struct view *view, uint32_t *ids, uint32_t ids_max)
{
    struct blob *blob = view_events(view);
    if (blob == NULL) {
        return 0;
    }
    Steerd__V1__ServerMessage *message = steerd__v1__server_message__unpack(NULL, blob->size, blob->bytes);
    ck_assert_ptr_nonnull(message);
    ck_assert_int_eq(message->body_case, STEERD__V1__SERVER_MESSAGE__BODY_EVENTS);
    ck_assert_uint_eq(message->events->tick, steer_world_tick(wire.world));
    uint32_t count = 0;
    for (size_t i = 0; i < message->events->n_events; i++) {
        const Steerd__V1__Event *event = message->events->events[i];
        if (event->kind_case == STEERD__V1__EVENT__KIND_REMOVED) {
            ck_assert_uint_lt(count, ids_max);
            ids[count++] = event->removed->id;
        }
    }
    ck_assert_uint_eq(steerd__v1__server_message__get_packed_size(message), blob->size);
    steerd__v1__server_message__free_unpacked(message, NULL);
    return count;
}

START_TEST(test_events_come_from_inside_the_outline_only_and_to_who_asked)
{
    struct view_spec asked = rectangle(3.0f, -1.0f, 7.0f, 1.0f); /* agents 2 and 3 */
    asked.events = true;
    struct view_spec silent = whole(1);
    struct view *asked_view = acquire(&asked);
    struct view *silent_view = acquire(&silent);
    wire_world_do(&wire, "remove_agents { ids: 3 ids: 2 ids: 8 }");
    encode();
    uint32_t ids[8];
    ck_assert_uint_eq(removed_ids(asked_view, ids, 8), 2);
    ck_assert_uint_eq(ids[0], 2);
    ck_assert_uint_eq(ids[1], 3);
    ck_assert_ptr_null(view_events(silent_view));
    wire_world_step(&wire, 1); /* forgets them */
    encode();
    ck_assert_ptr_null(view_events(asked_view));
}
END_TEST

START_TEST(test_an_arrival_is_an_event_at_a_tick_without_a_snapshot_too)
{
    struct view_spec spec = whole(8);
    spec.events = true;
    struct view *view = acquire(&spec);
    wire_world_do(&wire, "set_targets { targets { ids: 1 point { x: 1 y: 0 } } }");
    bool arrived = false;
    for (uint32_t tick = 0; tick < 300 && !arrived; tick++) {
        wire_world_step(&wire, 1);
        encode();
        struct blob *blob = view_events(view);
        if (blob == NULL) {
            continue;
        }
        Steerd__V1__ServerMessage *message =
            steerd__v1__server_message__unpack(NULL, blob->size, blob->bytes);
        ck_assert_ptr_nonnull(message);
        const Steerd__V1__Event *event = message->events->events[0];
        arrived = event->kind_case == STEERD__V1__EVENT__KIND_ARRIVED && event->arrived->id == 1;
        steerd__v1__server_message__free_unpacked(message, NULL);
    }
    ck_assert(arrived);
}
END_TEST

START_TEST(test_events_that_pass_the_frame_limit_are_dropped_and_counted)
{
    spawn_crowd(1000);
    wire_world_step(&wire, 1);
    struct view_spec spec = whole(8);
    spec.events = true;
    struct view *view = acquire(&spec);
    wire_world_do(&wire, "remove_agents { all: true }");
    encode();
    static uint32_t ids[WIRE_WORLD_AGENTS_MAX];
    uint32_t told = removed_ids(view, ids, WIRE_WORLD_AGENTS_MAX);
    ck_assert_uint_gt(told, 50);
    ck_assert_uint_le(view_events(view)->size, FRAME_SMALL);
    uint32_t events = 0;
    steer_world_events(wire.world, &events);
    ck_assert_uint_eq(view_table_events_dropped(table), events - told);
}
END_TEST

Suite *suite_wire_view(void)
{
    Suite *suite = suite_create("wire_view");
    TCase *snapshots = tcase_create("snapshots");
    tcase_add_checked_fixture(snapshots, setup, teardown);
    tcase_add_test(snapshots, test_a_whole_view_is_the_worlds_columns);
    tcase_add_test(snapshots, test_bytes_are_those_of_the_generated_code);
    tcase_add_test(snapshots, test_an_outline_is_exact_and_its_edge_is_inside);
    tcase_add_test(snapshots, test_an_empty_world_is_sent_too);
    tcase_add_test(snapshots, test_a_view_is_due_at_multiples_of_its_interval);
    suite_add_tcase(suite, snapshots);
    TCase *parts = tcase_create("parts");
    tcase_add_checked_fixture(parts, setup_small_frames, teardown);
    tcase_add_test(parts, test_a_snapshot_over_the_frame_limit_comes_in_parts);
    tcase_add_test(parts, test_bytes_do_not_depend_on_threads);
    tcase_add_test(parts, test_a_full_pool_loses_a_snapshot_and_not_the_view);
    tcase_add_test(parts, test_events_that_pass_the_frame_limit_are_dropped_and_counted);
    suite_add_tcase(suite, parts);
    TCase *views = tcase_create("views");
    tcase_add_checked_fixture(views, setup, teardown);
    tcase_add_test(views, test_a_view_around_an_agent_follows_it_and_stays_when_it_is_gone);
    tcase_add_test(views, test_a_view_around_an_unknown_agent_is_not_found);
    tcase_add_test(views, test_viewers_of_the_same_share_a_view);
    tcase_add_test(views, test_whole_views_of_one_tick_share_their_bytes);
    tcase_add_test(views, test_more_views_than_there_is_room_for_are_refused);
    suite_add_tcase(suite, views);
    TCase *events = tcase_create("events");
    tcase_add_checked_fixture(events, setup, teardown);
    tcase_add_test(events, test_events_come_from_inside_the_outline_only_and_to_who_asked);
    tcase_add_test(events, test_an_arrival_is_an_event_at_a_tick_without_a_snapshot_too);
    suite_add_tcase(suite, events);
    return suite;
}
