#include <stdio.h>
#include <string.h>

#include "sim/steer.h"
#include "suites.h"
#include "wire/query.h"
#include "wire/update.h"
#include "wire_world.h"

/* Answers and updates, put together from their pieces again. */

#define PIECE_LIMIT ((size_t)16 << 10)

static struct wire_world wire;
static struct blob_pool *blobs;

/* What all pieces of an answer said. */
static struct {
    uint32_t pieces;
    uint32_t agents;
    uint32_t agent_ids[WIRE_WORLD_AGENTS_MAX];
    uint32_t obstacles;
    uint32_t obstacle_ids[1024];
    uint32_t profiles;
    uint32_t behaviours;
    uint32_t stats;
    uint64_t digest;
} answer;

static void setup(void)
{
    wire_world_init(&wire, 1);
    blobs = blob_pool_create((size_t)1 << 20);
    memset(&answer, 0, sizeof answer);
}

static void teardown(void)
{
    blob_pool_destroy(blobs);
    wire_world_deinit(&wire);
}

static enum status start(const char *text, struct query_cursor *cursor, struct fault *fault)
{
    Steerd__V1__ClientMessage *message = wire_world_decode(&wire, text);
    ck_assert_ptr_nonnull(message);
    return query_start(cursor, message->query, 77, fault);
}

static void expect_profile(const Steerd__V1__Profile *profile)
{
    const struct steer_profile *in = steer_world_profile(wire.world, profile->index);
    ck_assert_str_eq(profile->name, in->name);
    ck_assert_float_eq(profile->limits->max_accel, in->limits.max_accel);
    ck_assert_uint_eq(profile->n_behaviours, in->behaviour_count);
    for (uint32_t i = 0; i < in->behaviour_count; i++) {
        const struct steer_behaviour_info *info = steer_behaviour_info(in->behaviours[i].behaviour);
        const Steerd__V1__ProfileBehaviour *out = profile->behaviours[i];
        ck_assert_str_eq(out->name, info->name);
        ck_assert_float_eq(out->weight, in->behaviours[i].weight);
        ck_assert_uint_eq(out->group, in->behaviours[i].group);
        ck_assert_uint_eq(out->n_parameters, info->parameter_count);
        for (uint32_t k = 0; k < info->parameter_count; k++) {
            ck_assert_str_eq(out->parameters[k]->name, info->parameters[k].name);
            ck_assert_float_eq(out->parameters[k]->value, in->behaviours[i].parameters[k]);
        }
    }
}

static void take_piece(const Steerd__V1__QueryResult *result, bool last)
{
    ck_assert_uint_eq(result->request_id, 77);
    ck_assert_uint_eq(result->tick, steer_world_tick(wire.world));
    ck_assert_int_eq(result->last, last);
    for (size_t i = 0; i < result->n_agents; i++) {
        answer.agent_ids[answer.agents++] = result->agents[i]->id;
    }
    for (size_t i = 0; i < result->n_obstacles; i++) {
        answer.obstacle_ids[answer.obstacles++] = result->obstacles[i]->id;
    }
    for (size_t i = 0; i < result->n_profiles; i++) {
        ck_assert_uint_eq(result->profiles[i]->index, answer.profiles++);
        expect_profile(result->profiles[i]);
    }
    for (size_t i = 0; i < result->n_behaviours; i++) {
        const struct steer_behaviour_info *info = steer_behaviour_info(answer.behaviours++);
        ck_assert_str_eq(result->behaviours[i]->name, info->name);
        ck_assert_str_eq(result->behaviours[i]->summary, info->summary);
        ck_assert_uint_eq(result->behaviours[i]->n_parameters, info->parameter_count);
    }
    answer.stats += result->stats != NULL;
    answer.digest = result->state_digest;
    answer.pieces++;
}

/* Asks, and takes all pieces; removes agent `remove_id` after the first one when it is not 0. */
static void ask(const char *text, uint32_t remove_id)
{
    static struct query_cursor cursor;
    struct fault fault = {0};
    ck_assert_msg(start(text, &cursor, &fault) == STATUS_OK, "%s", fault.text);
    Steerd__V1__Stats stats = STEERD__V1__STATS__INIT;
    stats.state_digest = 0x0123456789abcdef;
    while (!cursor.done) {
        struct blob *blob = query_encode_next(blobs, wire.world, &stats, &cursor);
        ck_assert_ptr_nonnull(blob);
        ck_assert_uint_le(blob->size, PIECE_LIMIT);
        Steerd__V1__ServerMessage *message =
            steerd__v1__server_message__unpack(NULL, blob->size, blob->bytes);
        ck_assert_ptr_nonnull(message);
        ck_assert_int_eq(message->body_case, STEERD__V1__SERVER_MESSAGE__BODY_QUERY_RESULT);
        ck_assert_uint_eq(steerd__v1__server_message__get_packed_size(message), blob->size);
        take_piece(message->query_result, cursor.done);
        steerd__v1__server_message__free_unpacked(message, NULL);
        blob_release(blob);
        if (remove_id != 0 && answer.pieces == 1) {
            char remove[64];
            snprintf(remove, sizeof remove, "remove_agents { ids: %u }", remove_id);
            wire_world_do(&wire, remove);
        }
    }
}

static void spawn_crowd(uint32_t count)
{
    char text[200];
    snprintf(text, sizeof text,
             "spawn_crowd { count: %u area { min { x: -48 y: -48 } max { x: 38 y: 38 } } seed: 1 }", count);
    wire_world_do(&wire, text);
}

static void place_obstacles(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        wire_world_do(
            &wire,
            "place_obstacles { obstacles { name: 'a name of thirty-one bytes long' polygon { points { x: 40 "
            "y: -40 } points { x: 41 y: -40 } points { x: 41 y: -41 } } } }");
    }
}

START_TEST(test_all_agents_come_in_pieces_ascending)
{
    spawn_crowd(1200);
    ask("query { agents { } }", 0);
    ck_assert_uint_eq(answer.agents, 1208);
    ck_assert_uint_gt(answer.pieces, 1);
    for (uint32_t i = 0; i < answer.agents; i++) {
        ck_assert_uint_eq(answer.agent_ids[i], i + 1);
    }
    ck_assert_uint_eq(answer.obstacles + answer.profiles + answer.stats, 0);
}
END_TEST

START_TEST(test_agents_that_go_between_pieces_are_left_out)
{
    spawn_crowd(1200);
    ask("query { agents { } }", 1000);
    ck_assert_uint_eq(answer.agents, 1207);
    for (uint32_t i = 1; i < answer.agents; i++) {
        ck_assert_uint_lt(answer.agent_ids[i - 1], answer.agent_ids[i]);
        ck_assert_uint_ne(answer.agent_ids[i], 1000);
    }
}
END_TEST

START_TEST(test_named_agents_come_ascending_and_once)
{
    ask("query { agents { ids: 5 ids: 2 ids: 5 ids: 4000 ids: 1 } }", 0);
    ck_assert_uint_eq(answer.agents, 3);
    ck_assert_uint_eq(answer.agent_ids[0], 1);
    ck_assert_uint_eq(answer.agent_ids[1], 2);
    ck_assert_uint_eq(answer.agent_ids[2], 5);
    ck_assert_uint_eq(answer.pieces, 1);
}
END_TEST

START_TEST(test_ids_and_area_mean_both)
{
    /* Agents stand at x 2, 4, 6, ... */
    ask("query { agents { ids: 5 ids: 2 ids: 1 area { min { x: 2 y: -1 } max { x: 4 y: 1 } } } }", 0);
    ck_assert_uint_eq(answer.agents, 2);
    memset(&answer, 0, sizeof answer);
    ask("query { agents { area { min { x: 3 y: -1 } max { x: 9 y: 1 } } } }", 0);
    ck_assert_uint_eq(answer.agents, 3);
}
END_TEST

START_TEST(test_nothing_found_is_an_answer_too)
{
    ask("query { agents { ids: 4000 } }", 0);
    ck_assert_uint_eq(answer.pieces, 1);
    ck_assert_uint_eq(answer.agents, 0);
}
END_TEST

START_TEST(test_everything_at_once)
{
    place_obstacles(300);
    ask("query { agents { } obstacles: true profiles: true stats: true digest: true }", 0);
    ck_assert_uint_eq(answer.agents, WIRE_WORLD_AGENTS);
    ck_assert_uint_eq(answer.obstacles, WIRE_WORLD_OBSTACLES + 300);
    for (uint32_t i = 1; i < answer.obstacles; i++) {
        ck_assert_uint_lt(answer.obstacle_ids[i - 1], answer.obstacle_ids[i]);
    }
    ck_assert_uint_eq(answer.profiles, steer_world_profile_count(wire.world));
    ck_assert_uint_eq(answer.behaviours, steer_behaviour_count());
    ck_assert_uint_eq(answer.stats, 1);
    ck_assert_uint_eq(answer.digest, 0x0123456789abcdef);
    ck_assert_uint_gt(answer.pieces, 1);
}
END_TEST

START_TEST(test_a_query_for_nothing_is_refused)
{
    static struct query_cursor cursor;
    struct fault fault = {0};
    ck_assert_int_eq(start("query { }", &cursor, &fault), STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text,
                     "the query asks for nothing: agents, obstacles, profiles, stats or digest is needed");
}
END_TEST

START_TEST(test_too_many_ids_are_refused)
{
    static struct query_cursor cursor;
    static uint32_t ids[QUERY_IDS_MAX + 1];
    struct fault fault = {0};
    Steerd__V1__AgentFilter filter = STEERD__V1__AGENT_FILTER__INIT;
    Steerd__V1__Query query = STEERD__V1__QUERY__INIT;
    query.agents = &filter;
    filter.ids = ids;
    for (uint32_t i = 0; i < QUERY_IDS_MAX + 1; i++) {
        ids[i] = QUERY_IDS_MAX - i + 1; /* descending: the order that costs most */
    }
    filter.n_ids = QUERY_IDS_MAX + 1;
    ck_assert_int_eq(query_start(&cursor, &query, 1, &fault), STATUS_RESOURCE_EXHAUSTED);
    ck_assert_str_eq(fault.text, "agents.ids has 1025 ids: at most 1024 are possible in one query");
    filter.n_ids = QUERY_IDS_MAX;
    ck_assert_int_eq(query_start(&cursor, &query, 1, &fault), STATUS_OK);
    ck_assert_uint_eq(cursor.id_count, QUERY_IDS_MAX);
    for (uint32_t i = 1; i < cursor.id_count; i++) {
        ck_assert_uint_lt(cursor.ids[i - 1], cursor.ids[i]);
    }
}
END_TEST

START_TEST(test_a_full_pool_moves_no_cursor)
{
    static struct query_cursor cursor;
    struct fault fault = {0};
    struct blob_pool *none = blob_pool_create(0);
    ck_assert_int_eq(start("query { agents { } }", &cursor, &fault), STATUS_OK);
    ck_assert_ptr_null(query_encode_next(none, wire.world, NULL, &cursor));
    ck_assert(!cursor.done && cursor.wants_agents);
    struct update_cursor update = {0};
    ck_assert_ptr_null(update_encode_all(none, wire.world, &update));
    ck_assert(!update.done && update.obstacle_id_last == 0);
    blob_pool_destroy(none);
}
END_TEST

/* ---- updates ---- */

/* What updates said. */
static struct {
    uint32_t obstacles;
    uint32_t removed;
    uint32_t removed_last;
    uint32_t profiles;
} update_said;

static void take_update(struct blob *blob)
{
    Steerd__V1__ServerMessage *message = steerd__v1__server_message__unpack(NULL, blob->size, blob->bytes);
    ck_assert_ptr_nonnull(message);
    ck_assert_int_eq(message->body_case, STEERD__V1__SERVER_MESSAGE__BODY_WORLD_UPDATE);
    const Steerd__V1__WorldUpdate *update = message->world_update;
    update_said.obstacles += (uint32_t)update->n_obstacles;
    for (size_t i = 0; i < update->n_removed_obstacle_ids; i++) {
        ck_assert_uint_lt(update_said.removed_last, update->removed_obstacle_ids[i]);
        update_said.removed_last = update->removed_obstacle_ids[i];
        update_said.removed++;
    }
    for (size_t i = 0; i < update->n_profiles; i++) {
        expect_profile(update->profiles[i]);
        update_said.profiles++;
    }
    steerd__v1__server_message__free_unpacked(message, NULL);
    blob_release(blob);
}

START_TEST(test_all_that_is_in_force_comes_in_pieces)
{
    memset(&update_said, 0, sizeof update_said);
    place_obstacles(500);
    struct update_cursor cursor = {0};
    uint32_t pieces = 0;
    while (!cursor.done) {
        struct blob *blob = update_encode_all(blobs, wire.world, &cursor);
        ck_assert_ptr_nonnull(blob);
        ck_assert_uint_le(blob->size, PIECE_LIMIT);
        take_update(blob);
        pieces++;
    }
    ck_assert_uint_gt(pieces, 1);
    ck_assert_uint_eq(update_said.obstacles, WIRE_WORLD_OBSTACLES + 500);
    ck_assert_uint_eq(update_said.profiles, steer_world_profile_count(wire.world));
    ck_assert_uint_eq(update_said.removed, 0);
}
END_TEST

START_TEST(test_an_obstacle_arrives_as_it_was_placed)
{
    struct update_cursor cursor = {0};
    struct blob *blob = update_encode_all(blobs, wire.world, &cursor);
    ck_assert_ptr_nonnull(blob);
    Steerd__V1__ServerMessage *message = steerd__v1__server_message__unpack(NULL, blob->size, blob->bytes);
    ck_assert_ptr_nonnull(message);
    const Steerd__V1__Obstacle *post = message->world_update->obstacles[0];
    ck_assert_uint_eq(post->id, 1);
    ck_assert_str_eq(post->name, "post");
    ck_assert_int_eq(post->shape_case, STEERD__V1__OBSTACLE__SHAPE_CIRCLE);
    ck_assert_float_eq(post->circle->center->y, 40.0f);
    ck_assert_float_eq(post->circle->radius, 1.0f);
    const Steerd__V1__Obstacle *box = message->world_update->obstacles[1];
    ck_assert_int_eq(box->shape_case, STEERD__V1__OBSTACLE__SHAPE_BOX);
    ck_assert_float_eq(box->box->size->y, 2.0f);
    steerd__v1__server_message__free_unpacked(message, NULL);
    blob_release(blob);
}
END_TEST

START_TEST(test_changes_are_told_once)
{
    memset(&update_said, 0, sizeof update_said);
    struct blob *out[16];
    ck_assert_uint_eq(update_encode_changes(blobs, wire.world, 1 << 20, out, 16), 0);
    place_obstacles(3);
    wire_world_do(&wire, "remove_obstacles { ids: 2 ids: 1 }");
    wire_world_do(&wire, "define_profile { name: 'p' behaviours { name: 'seek' } }");
    uint32_t count = update_encode_changes(blobs, wire.world, 1 << 20, out, 16);
    ck_assert_uint_eq(count, 1);
    take_update(out[0]);
    ck_assert_uint_eq(update_said.obstacles, 3);
    ck_assert_uint_eq(update_said.removed, 2);
    ck_assert_uint_eq(update_said.profiles, 1);
    steer_world_clear_changes(wire.world);
    ck_assert_uint_eq(update_encode_changes(blobs, wire.world, 1 << 20, out, 16), 0);
}
END_TEST

START_TEST(test_many_changes_come_in_messages_below_the_limit)
{
    const size_t limit = 8192;
    memset(&update_said, 0, sizeof update_said);
    place_obstacles(500);
    steer_world_clear_changes(wire.world);
    wire_world_do(&wire, "remove_obstacles { all: true }");
    place_obstacles(300);
    struct blob *out[16];
    uint32_t count = update_encode_changes(blobs, wire.world, limit, out, 16);
    ck_assert_uint_gt(count, 1);
    ck_assert_uint_le(count, 16);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_le(out[i]->size, limit);
        take_update(out[i]);
    }
    ck_assert_uint_eq(update_said.obstacles, 300);
    ck_assert_uint_eq(update_said.removed, WIRE_WORLD_OBSTACLES + 500);
}
END_TEST

START_TEST(test_a_large_change_needs_few_messages)
{
    memset(&update_said, 0, sizeof update_said);
    place_obstacles(900);
    struct blob *out[4];
    uint32_t count = update_encode_changes(blobs, wire.world, (size_t)64 << 10, out, 4);
    ck_assert_uint_ge(count, 2);
    ck_assert_uint_le(count, 4);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_le(out[i]->size, (size_t)64 << 10);
        take_update(out[i]);
    }
    ck_assert_uint_eq(update_said.obstacles, 900);
}
END_TEST

START_TEST(test_changes_that_do_not_fit_are_lost_as_a_whole)
{
    place_obstacles(300);
    struct blob *out[1];
    ck_assert_uint_eq(update_encode_changes(blobs, wire.world, 8192, out, 1), UPDATE_CHANGES_LOST);
    struct blob_pool *none = blob_pool_create(0);
    ck_assert_uint_eq(update_encode_changes(none, wire.world, 8192, out, 1), UPDATE_CHANGES_LOST);
    blob_pool_destroy(none);
}
END_TEST

Suite *suite_wire_query(void)
{
    Suite *suite = suite_create("wire_query");
    TCase *queries = tcase_create("queries");
    tcase_add_checked_fixture(queries, setup, teardown);
    tcase_add_test(queries, test_all_agents_come_in_pieces_ascending);
    tcase_add_test(queries, test_agents_that_go_between_pieces_are_left_out);
    tcase_add_test(queries, test_named_agents_come_ascending_and_once);
    tcase_add_test(queries, test_ids_and_area_mean_both);
    tcase_add_test(queries, test_nothing_found_is_an_answer_too);
    tcase_add_test(queries, test_everything_at_once);
    tcase_add_test(queries, test_a_query_for_nothing_is_refused);
    tcase_add_test(queries, test_too_many_ids_are_refused);
    tcase_add_test(queries, test_a_full_pool_moves_no_cursor);
    suite_add_tcase(suite, queries);
    TCase *updates = tcase_create("updates");
    tcase_add_checked_fixture(updates, setup, teardown);
    tcase_add_test(updates, test_all_that_is_in_force_comes_in_pieces);
    tcase_add_test(updates, test_an_obstacle_arrives_as_it_was_placed);
    tcase_add_test(updates, test_changes_are_told_once);
    tcase_add_test(updates, test_many_changes_come_in_messages_below_the_limit);
    tcase_add_test(updates, test_a_large_change_needs_few_messages);
    tcase_add_test(updates, test_changes_that_do_not_fit_are_lost_as_a_whole);
    suite_add_tcase(suite, updates);
    return suite;
}
