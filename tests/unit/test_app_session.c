#include <string.h>

#include "app/session.h"
#include "suites.h"

#define SESSIONS_MAX 3u
#define QUERIES_MAX  10u

static struct session_table sessions;

static void sessions_setup(void)
{
    struct session_table_config config = {.sessions_max = SESSIONS_MAX, .queries_max = QUERIES_MAX};
    ck_assert(session_table_init(&sessions, &config));
}

static void sessions_teardown(void)
{
    session_table_deinit(&sessions);
}

/* ---- lifecycle ---- */

START_TEST(test_moves_are_those_of_the_table_and_no_others)
{
    static const struct {
        enum session_state from;
        enum session_state to;
    } legal[] = {
        {SESSION_STATE_GONE, SESSION_STATE_CONNECTED},    {SESSION_STATE_CONNECTED, SESSION_STATE_GREETED},
        {SESSION_STATE_CONNECTED, SESSION_STATE_CLOSING}, {SESSION_STATE_CONNECTED, SESSION_STATE_GONE},
        {SESSION_STATE_GREETED, SESSION_STATE_CLOSING},   {SESSION_STATE_GREETED, SESSION_STATE_GONE},
        {SESSION_STATE_CLOSING, SESSION_STATE_GONE},
    };
    for (uint32_t from = SESSION_STATE_GONE; from <= SESSION_STATE_CLOSING; from++) {
        for (uint32_t to = SESSION_STATE_GONE; to <= SESSION_STATE_CLOSING; to++) {
            bool expected = false;
            for (size_t i = 0; i < sizeof legal / sizeof legal[0]; i++) {
                expected = expected || (legal[i].from == from && legal[i].to == to);
            }
            ck_assert_msg(session_move_is_legal(from, to) == expected, "%u to %u", from, to);
        }
    }
}
END_TEST

START_TEST(test_ids_grow_and_are_not_used_again)
{
    struct session *first = session_begin(&sessions, NULL, 0);
    struct session_ref ref = first->ref;
    ck_assert_uint_eq(ref.id, 1);
    session_end(&sessions, first);
    struct session *second = session_begin(&sessions, NULL, 0);
    ck_assert_ptr_eq(second, first); /* the slot is */
    ck_assert_uint_eq(second->ref.id, 2);
    ck_assert_ptr_null(session_find(&sessions, ref));
    ck_assert_ptr_eq(session_find(&sessions, second->ref), second);
}
END_TEST

START_TEST(test_a_full_table_opens_no_session)
{
    for (uint32_t i = 0; i < SESSIONS_MAX; i++) {
        ck_assert_ptr_nonnull(session_begin(&sessions, NULL, 0));
    }
    ck_assert_ptr_null(session_begin(&sessions, NULL, 0));
}
END_TEST

START_TEST(test_a_gone_session_is_found_by_nobody)
{
    struct session *session = session_begin(&sessions, NULL, 0);
    struct session_ref ref = session->ref;
    session_end(&sessions, session);
    ck_assert_ptr_null(session_find(&sessions, ref));
    ck_assert_ptr_null(session_find(&sessions, (struct session_ref){.slot = ref.slot, .id = 0}));
}
END_TEST

/* ---- roles ---- */

START_TEST(test_every_command_is_refused_below_its_role_and_allowed_from_it_on)
{
    for (uint32_t row = 0; row < command_count(); row++) {
        const struct command_info *info = command_row(row);
        for (int role = STEERD__V1__ROLE__ROLE_VIEWER; role <= STEERD__V1__ROLE__ROLE_ADMIN; role++) {
            struct fault fault = {0};
            enum status status = session_check_role((Steerd__V1__Role)role, info, &fault);
            if (role >= (int)info->role_min) {
                ck_assert_msg(status == STATUS_OK, "%s", info->name);
            } else {
                ck_assert_msg(status == STATUS_PERMISSION_DENIED, "%s", info->name);
                ck_assert_ptr_nonnull(strstr(fault.text, info->name));
                ck_assert_ptr_nonnull(strstr(fault.text, session_role_name(info->role_min)));
            }
        }
    }
}
END_TEST

START_TEST(test_roles_of_the_contract)
{
    static const struct {
        Steerd__V1__ClientMessage__BodyCase body;
        Steerd__V1__Role role;
    } rows[] = {
        {STEERD__V1__CLIENT_MESSAGE__BODY_SUBSCRIBE, STEERD__V1__ROLE__ROLE_VIEWER},
        {STEERD__V1__CLIENT_MESSAGE__BODY_QUERY, STEERD__V1__ROLE__ROLE_VIEWER},
        {STEERD__V1__CLIENT_MESSAGE__BODY_SPAWN_AGENTS, STEERD__V1__ROLE__ROLE_CONTROLLER},
        {STEERD__V1__CLIENT_MESSAGE__BODY_PLACE_OBSTACLES, STEERD__V1__ROLE__ROLE_CONTROLLER},
        {STEERD__V1__CLIENT_MESSAGE__BODY_SET_CLOCK, STEERD__V1__ROLE__ROLE_ADMIN},
        {STEERD__V1__CLIENT_MESSAGE__BODY_RESET, STEERD__V1__ROLE__ROLE_ADMIN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_int_eq(command_find(rows[i].body)->role_min, rows[i].role);
    }
}
END_TEST

START_TEST(test_a_refusal_names_command_and_roles)
{
    struct fault fault = {0};
    const struct command_info *info = command_find(STEERD__V1__CLIENT_MESSAGE__BODY_SPAWN_AGENTS);
    ck_assert_int_eq(session_check_role(STEERD__V1__ROLE__ROLE_VIEWER, info, &fault),
                     STATUS_PERMISSION_DENIED);
    ck_assert_str_eq(fault.text, "spawn_agents needs the role controller, and this session has viewer");
}
END_TEST

/* ---- Hello ---- */

START_TEST(test_a_good_hello_passes)
{
    Steerd__V1__Hello hello = STEERD__V1__HELLO__INIT;
    hello.protocol_version = 1;
    ck_assert_int_eq(session_check_hello(&hello, NULL), STATUS_OK);
    char name[SESSION_NAME_BYTES_MAX + 1];
    memset(name, 'x', SESSION_NAME_BYTES_MAX);
    name[SESSION_NAME_BYTES_MAX] = '\0';
    hello.client_name = name;
    hello.role = STEERD__V1__ROLE__ROLE_ADMIN;
    ck_assert_int_eq(session_check_hello(&hello, NULL), STATUS_OK);
}
END_TEST

START_TEST(test_a_bad_hello_is_refused_with_the_field)
{
    struct fault fault = {0};
    Steerd__V1__Hello hello = STEERD__V1__HELLO__INIT;
    ck_assert_int_eq(session_check_hello(&hello, &fault), STATUS_UNIMPLEMENTED);
    ck_assert_str_eq(fault.text, "hello.protocol_version is 0: this server speaks version 1");
    hello.protocol_version = 1;
    hello.role = (Steerd__V1__Role)9;
    ck_assert_int_eq(session_check_hello(&hello, &fault), STATUS_INVALID_ARGUMENT);
    ck_assert_str_eq(fault.text, "hello.role is 9: 1 (viewer), 2 (controller) or 3 (admin) is needed");
    hello.role = (Steerd__V1__Role)-1;
    ck_assert_int_eq(session_check_hello(&hello, &fault), STATUS_INVALID_ARGUMENT);
    hello.role = STEERD__V1__ROLE__ROLE_UNSPECIFIED;
    char name[SESSION_NAME_BYTES_MAX + 2];
    memset(name, 'x', sizeof name);
    name[SESSION_NAME_BYTES_MAX + 1] = '\0';
    hello.client_name = name;
    ck_assert_int_eq(session_check_hello(&hello, &fault), STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(fault.text, "hello.client_name has 65 bytes: at most 64 are legal");
}
END_TEST

/* ---- queries ---- */

static enum status session_ask(struct session *session, uint64_t request_id, bool stats, struct fault *fault)
{
    static struct query_cursor cursor;
    cursor = (struct query_cursor){.request_id = request_id, .wants_stats = stats, .wants_agents = true};
    return session_add_query(&sessions, session, &cursor, 1, fault);
}

START_TEST(test_queries_are_answered_in_the_order_asked)
{
    struct session *session = session_begin(&sessions, NULL, 0);
    for (uint64_t i = 1; i <= 3; i++) {
        ck_assert_int_eq(session_ask(session, i, false, NULL), STATUS_OK);
    }
    for (uint64_t i = 1; i <= 3; i++) {
        ck_assert_uint_eq(session->queries->cursor.request_id, i);
        session_pop_query(&sessions, session);
    }
    ck_assert_ptr_null(session->queries);
    ck_assert_uint_eq(session->query_count, 0);
}
END_TEST

START_TEST(test_the_ninth_query_of_a_session_is_refused)
{
    struct session *session = session_begin(&sessions, NULL, 0);
    struct fault fault = {0};
    for (uint64_t i = 0; i < SESSION_QUERIES_MAX; i++) {
        ck_assert_int_eq(session_ask(session, i, false, NULL), STATUS_OK);
    }
    ck_assert_int_eq(session_ask(session, 9, false, &fault), STATUS_RESOURCE_EXHAUSTED);
    ck_assert_str_eq(fault.text,
                     "8 queries of this session are being answered: send the next when one is done");
    session_pop_query(&sessions, session);
    ck_assert_int_eq(session_ask(session, 9, false, &fault), STATUS_OK);
}
END_TEST

START_TEST(test_queries_of_all_sessions_together_have_a_limit)
{
    struct session *first = session_begin(&sessions, NULL, 0);
    struct session *second = session_begin(&sessions, NULL, 0);
    struct fault fault = {0};
    for (uint64_t i = 0; i < QUERIES_MAX; i++) {
        ck_assert_int_eq(session_ask(i % 2 == 0 ? first : second, i, false, NULL), STATUS_OK);
    }
    ck_assert_int_eq(session_ask(first, 99, false, &fault), STATUS_RESOURCE_EXHAUSTED);
    ck_assert_ptr_nonnull(strstr(fault.text, "10 queries of all sessions"));
}
END_TEST

START_TEST(test_waiting_queries_that_want_a_digest_are_counted)
{
    struct session *session = session_begin(&sessions, NULL, 0);
    ck_assert_int_eq(session_ask(session, 1, true, NULL), STATUS_OK);
    ck_assert_int_eq(session_ask(session, 2, false, NULL), STATUS_OK);
    ck_assert_uint_eq(sessions.digest_queries, 1);
    session->queries->cursor.wants_stats = false; /* told, but more is to come */
    session_pop_query(&sessions, session);
    ck_assert_uint_eq(sessions.digest_queries, 0);
    session_pop_query(&sessions, session);
    ck_assert_uint_eq(sessions.digest_queries, 0);
}
END_TEST

Suite *suite_app_session(void)
{
    Suite *suite = suite_create("app_session");
    TCase *life = tcase_create("life");
    tcase_add_checked_fixture(life, sessions_setup, sessions_teardown);
    tcase_add_test(life, test_moves_are_those_of_the_table_and_no_others);
    tcase_add_test(life, test_ids_grow_and_are_not_used_again);
    tcase_add_test(life, test_a_full_table_opens_no_session);
    tcase_add_test(life, test_a_gone_session_is_found_by_nobody);
    suite_add_tcase(suite, life);
    TCase *roles = tcase_create("roles");
    tcase_add_test(roles, test_every_command_is_refused_below_its_role_and_allowed_from_it_on);
    tcase_add_test(roles, test_roles_of_the_contract);
    tcase_add_test(roles, test_a_refusal_names_command_and_roles);
    suite_add_tcase(suite, roles);
    TCase *hello = tcase_create("hello");
    tcase_add_test(hello, test_a_good_hello_passes);
    tcase_add_test(hello, test_a_bad_hello_is_refused_with_the_field);
    suite_add_tcase(suite, hello);
    TCase *queries = tcase_create("queries");
    tcase_add_checked_fixture(queries, sessions_setup, sessions_teardown);
    tcase_add_test(queries, test_queries_are_answered_in_the_order_asked);
    tcase_add_test(queries, test_the_ninth_query_of_a_session_is_refused);
    tcase_add_test(queries, test_queries_of_all_sessions_together_have_a_limit);
    tcase_add_test(queries, test_waiting_queries_that_want_a_digest_are_counted);
    suite_add_tcase(suite, queries);
    return suite;
}
