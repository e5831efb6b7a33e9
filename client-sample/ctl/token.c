/* Where the token comes from. */
#include "token.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first line of a file, without blanks around it. */
static enum status token_read_file(const char *path, char *token, struct fault *fault)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        enum status status = errno == ENOENT ? STATUS_NOT_FOUND : STATUS_PERMISSION_DENIED;
        return fault_set(fault, status, "cannot read the token from %s: %s", path, strerror(errno));
    }
    char line[CTL_TOKEN_SIZE];
    bool read = fgets(line, sizeof line, file) != NULL;
    int error = ferror(file) ? errno : 0;
    fclose(file);
    if (error != 0) {
        return fault_set(fault, STATUS_UNAVAILABLE, "cannot read the token from %s: %s", path,
                         strerror(error));
    }
    size_t begin = read ? strspn(line, " \t\r\n") : 0;
    size_t size = read ? strcspn(line + begin, " \t\r\n") : 0;
    if (size == 0 || begin + size == sizeof line - 1) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT,
                         "%s: the first line must hold a token of at most %d bytes", path,
                         CTL_TOKEN_SIZE - 2);
    }
    memcpy(token, line + begin, size);
    token[size] = '\0';
    return STATUS_OK;
}

enum status token_find(const struct option_set *options, char *token, struct fault *fault)
{
    if (option_set_get(options, "token-file")->given) {
        return token_read_file(option_set_text(options, "token-file"), token, fault);
    }
    const char *text = option_set_text(options, "token");
    const char *variable = getenv("STEERCTL_TOKEN");
    if (text == NULL) {
        text = variable == NULL ? "" : variable;
    }
    if (strlen(text) >= CTL_TOKEN_SIZE) {
        return fault_set(fault, STATUS_INVALID_ARGUMENT, "the token is longer than %d bytes",
                         CTL_TOKEN_SIZE - 1);
    }
    strcpy(token, text);
    return STATUS_OK;
}
