#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/tokens.h"
#include "suites.h"

static char tokens_path[] = "/tmp/steerd-tokens-XXXXXX";
static struct token_set *tokens;
static struct fault fault;

static void tokens_setup(void)
{
    strcpy(tokens_path + strlen(tokens_path) - 6, "XXXXXX");
    int descriptor = mkstemp(tokens_path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
    tokens = NULL;
    fault = (struct fault){0};
}

static void tokens_teardown(void)
{
    token_set_destroy(tokens);
    unlink(tokens_path);
}

static enum status tokens_load(const char *text)
{
    FILE *file = fopen(tokens_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    return token_set_load(tokens_path, &tokens, &fault);
}

static void tokens_assert_refused(const char *text, const char *words)
{
    ck_assert_int_eq(tokens_load(text), STATUS_INVALID_ARGUMENT);
    ck_assert_msg(strstr(fault.text, words) != NULL, "\"%s\" does not hold \"%s\"", fault.text, words);
    ck_assert_ptr_nonnull(strstr(fault.text, tokens_path));
    ck_assert_ptr_null(tokens);
}

START_TEST(test_each_token_grants_its_role)
{
    ck_assert_int_eq(tokens_load("# who may what\n\nviewer see\ncontroller \t move\r\nadmin rule"),
                     STATUS_OK);
    ck_assert_uint_eq(token_set_count(tokens), 3);
    ck_assert_int_eq(token_set_role(tokens, "see"), STEERD__V1__ROLE__ROLE_VIEWER);
    ck_assert_int_eq(token_set_role(tokens, "move"), STEERD__V1__ROLE__ROLE_CONTROLLER);
    ck_assert_int_eq(token_set_role(tokens, "rule"), STEERD__V1__ROLE__ROLE_ADMIN);
}
END_TEST

START_TEST(test_no_other_token_grants_anything)
{
    ck_assert_int_eq(tokens_load("admin rule\n"), STATUS_OK);
    static const char *const others[] = {"", "rul", "rulee", "Rule", "xule", "rulx", "admin", "rule "};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ck_assert_int_eq(token_set_role(tokens, others[i]), STEERD__V1__ROLE__ROLE_UNSPECIFIED);
    }
    char longer[TOKEN_BYTES_MAX + 2];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    ck_assert_int_eq(token_set_role(tokens, longer), STEERD__V1__ROLE__ROLE_UNSPECIFIED);
}
END_TEST

START_TEST(test_the_longest_token_differs_from_its_neighbour_in_the_last_byte)
{
    char text[2 * TOKEN_BYTES_MAX];
    char token[TOKEN_BYTES_MAX + 1];
    memset(token, 'x', TOKEN_BYTES_MAX);
    token[TOKEN_BYTES_MAX] = '\0';
    snprintf(text, sizeof text, "admin %s\n", token);
    ck_assert_int_eq(tokens_load(text), STATUS_OK);
    ck_assert_int_eq(token_set_role(tokens, token), STEERD__V1__ROLE__ROLE_ADMIN);
    token[TOKEN_BYTES_MAX - 1] = 'y';
    ck_assert_int_eq(token_set_role(tokens, token), STEERD__V1__ROLE__ROLE_UNSPECIFIED);
}
END_TEST

START_TEST(test_the_lower_of_two_roles_is_granted)
{
    ck_assert_int_eq(token_lower_role(STEERD__V1__ROLE__ROLE_ADMIN, STEERD__V1__ROLE__ROLE_VIEWER),
                     STEERD__V1__ROLE__ROLE_VIEWER);
    ck_assert_int_eq(token_lower_role(STEERD__V1__ROLE__ROLE_VIEWER, STEERD__V1__ROLE__ROLE_ADMIN),
                     STEERD__V1__ROLE__ROLE_VIEWER);
    ck_assert_int_eq(token_lower_role(STEERD__V1__ROLE__ROLE_UNSPECIFIED, STEERD__V1__ROLE__ROLE_ADMIN),
                     STEERD__V1__ROLE__ROLE_VIEWER);
}
END_TEST

START_TEST(test_a_bad_line_is_refused_with_file_and_line)
{
    tokens_assert_refused("viewer a\nroot b\n",
                          ":2: the role is \"root\": viewer, controller or admin is needed");
    tokens_assert_refused("viewer\n", ":1: there is no token after the role");
    tokens_assert_refused("viewer a b\n", ":1: there are words after the token");
    tokens_assert_refused("viewer a\n#\nadmin a\n", ":3: the token is there already");
    tokens_assert_refused("# nobody\n", "holds no token");
}
END_TEST

START_TEST(test_a_line_without_end_is_refused)
{
    char text[1024];
    memset(text, 'x', sizeof text);
    memcpy(text, "admin ", 6);
    text[sizeof text - 1] = '\0';
    tokens_assert_refused(text, ":1: the line is too long");
}
END_TEST

START_TEST(test_a_missing_file_is_named)
{
    ck_assert_int_eq(token_set_load("/nonexistent/tokens", &tokens, &fault), STATUS_UNAVAILABLE);
    ck_assert_str_eq(fault.text, "/nonexistent/tokens cannot be read: No such file or directory");
}
END_TEST

Suite *suite_app_tokens(void)
{
    Suite *suite = suite_create("app_tokens");
    TCase *roles = tcase_create("roles");
    tcase_add_checked_fixture(roles, tokens_setup, tokens_teardown);
    tcase_add_test(roles, test_each_token_grants_its_role);
    tcase_add_test(roles, test_no_other_token_grants_anything);
    tcase_add_test(roles, test_the_longest_token_differs_from_its_neighbour_in_the_last_byte);
    tcase_add_test(roles, test_the_lower_of_two_roles_is_granted);
    suite_add_tcase(suite, roles);
    TCase *file = tcase_create("file");
    tcase_add_checked_fixture(file, tokens_setup, tokens_teardown);
    tcase_add_test(file, test_a_bad_line_is_refused_with_file_and_line);
    tcase_add_test(file, test_a_line_without_end_is_refused);
    tcase_add_test(file, test_a_missing_file_is_named);
    suite_add_tcase(suite, file);
    return suite;
}
