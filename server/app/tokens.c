/*
 * Tokens and the roles they grant: a file read at start, and a comparison that tells nothing by its duration.
 * Used when a Hello arrives (receive.c).
 */
#include "app/tokens.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

struct token {
    Steerd__V1__Role role;
    uint8_t bytes[TOKEN_BYTES_MAX]; /* filled up with zeros, which no token holds */
};

struct token_set {
    size_t count;
    struct token tokens[TOKENS_COUNT_MAX];
};

#define TOKENS_BLANKS " \t\r\n"

static Steerd__V1__Role tokens_parse_role(const char *word)
{
    static const struct {
        const char *name;
        Steerd__V1__Role role;
    } roles[] = {
        {"viewer", STEERD__V1__ROLE__ROLE_VIEWER},
        {"controller", STEERD__V1__ROLE__ROLE_CONTROLLER},
        {"admin", STEERD__V1__ROLE__ROLE_ADMIN},
    };
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (strcmp(word, roles[i].name) == 0) {
            return roles[i].role;
        }
    }
    return STEERD__V1__ROLE__ROLE_UNSPECIFIED;
}

/* One line of the file, cut up in place. */
static enum status tokens_add_line(struct token_set *set, char *line, struct fault *fault)
{
    char *rest = NULL;
    char *role_word = strtok_r(line, TOKENS_BLANKS, &rest);
    if (role_word == NULL || role_word[0] == '#') {
        return STATUS_OK;
    }
    Steerd__V1__Role role = tokens_parse_role(role_word);
    if (role == STEERD__V1__ROLE__ROLE_UNSPECIFIED) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "the role is \"%.32s\": viewer, controller or admin is needed", role_word);
    }
    /* The words never show a token: they go into logs. */
    char *token = strtok_r(NULL, TOKENS_BLANKS, &rest);
    if (token == NULL) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "there is no token after the role");
    }
    if (strtok_r(NULL, TOKENS_BLANKS, &rest) != NULL) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "there are words after the token, which cannot hold blanks");
    }
    size_t size = strlen(token);
    if (size > TOKEN_BYTES_MAX) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "the token has %zu bytes: %d are legal", size,
                         TOKEN_BYTES_MAX);
    }
    if (token_set_role(set, token) != STEERD__V1__ROLE__ROLE_UNSPECIFIED) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "the token is there already, on a line before");
    }
    if (set->count == TOKENS_COUNT_MAX) {
        return fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "more than %d tokens", TOKENS_COUNT_MAX);
    }
    struct token *added = &set->tokens[set->count++];
    added->role = role;
    memcpy(added->bytes, token, size);
    return STATUS_OK;
}

static enum status tokens_read(struct token_set *set, FILE *file, const char *path, struct fault *fault)
{
    char line[TOKEN_BYTES_MAX + 128];
    for (uint32_t number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        enum status status = STATUS_OK;
        if (strchr(line, '\n') == NULL && !feof(file)) {
            status = fault_set(fault, STATUS_INVALID_ARGUMENT,
                               "the line is too long: a token has %d bytes at most", TOKEN_BYTES_MAX);
        } else {
            status = tokens_add_line(set, line, fault);
        }
        if (status != STATUS_OK) {
            fault_prefix(fault, "%s:%u: ", path, number);
            return status;
        }
    }
    if (ferror(file)) {
        return fault_set(fault, STATUS_UNAVAILABLE, "%s cannot be read: %s", path, strerror(errno));
    }
    if (set->count == 0) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "%s holds no token: nobody could connect", path);
    }
    return STATUS_OK;
}

enum status token_set_load(const char *path, struct token_set **out, struct fault *fault)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return fault_set(fault, STATUS_UNAVAILABLE, "%s cannot be read: %s", path, strerror(errno));
    }
    struct token_set *set = calloc(1, sizeof *set);
    enum status status = set == NULL ? fault_set(fault, STATUS_RESOURCE_EXHAUSTED, "no memory for tokens")
                                     : tokens_read(set, file, path, fault);
    fclose(file);
    if (status != STATUS_OK) {
        token_set_destroy(set);
        return status;
    }
    *out = set;
    return STATUS_OK;
}

void token_set_destroy(struct token_set *set)
{
    if (set != NULL) {
        explicit_bzero(set, sizeof *set);
        free(set);
    }
}

size_t token_set_count(const struct token_set *set)
{
    return set->count;
}

Steerd__V1__Role token_set_role(const struct token_set *set, const char *token)
{
    uint8_t candidate[TOKEN_BYTES_MAX] = {0};
    size_t size = strlen(token);
    if (size == 0 || size > TOKEN_BYTES_MAX) {
        return STEERD__V1__ROLE__ROLE_UNSPECIFIED;
    }
    memcpy(candidate, token, size);
    /* All bytes of all tokens are looked at, whatever was found before: no branch depends on a secret. */
    uint32_t role = STEERD__V1__ROLE__ROLE_UNSPECIFIED;
    for (size_t i = 0; i < set->count; i++) {
        uint32_t difference = 0;
        for (size_t j = 0; j < TOKEN_BYTES_MAX; j++) {
            difference |= (uint32_t)(set->tokens[i].bytes[j] ^ candidate[j]);
        }
        uint32_t same = (difference - 1) >> 31; /* 1 for difference 0, else 0 */
        role |= (0u - same) & (uint32_t)set->tokens[i].role;
    }
    explicit_bzero(candidate, sizeof candidate);
    return (Steerd__V1__Role)role;
}

Steerd__V1__Role token_lower_role(Steerd__V1__Role asked, Steerd__V1__Role granted)
{
    if (asked == STEERD__V1__ROLE__ROLE_UNSPECIFIED) {
        asked = STEERD__V1__ROLE__ROLE_VIEWER;
    }
    return asked < granted ? asked : granted;
}
