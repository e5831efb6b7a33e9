/* The terminal under watch: what it can do, how large it is, and its cursor. */
#include "terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"

#define TERMINAL_COLUMNS_DEFAULT 80
#define TERMINAL_ROWS_DEFAULT    24
#define TERMINAL_SIZE_MIN        10
#define TERMINAL_SIZE_MAX        1000

/* A size from the environment, or the default. */
static uint32_t terminal_variable(const char *name, uint32_t size_default)
{
    const char *text = getenv(name);
    uint64_t size;
    if (text == NULL || !number_parse_u64(text, &size) || size < TERMINAL_SIZE_MIN ||
        size > TERMINAL_SIZE_MAX) {
        return size_default;
    }
    return (uint32_t)size;
}

void terminal_measure(struct terminal *terminal, FILE *out)
{
    struct winsize size = {0};
    int descriptor = fileno(out);
    if (descriptor >= 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= TERMINAL_SIZE_MIN &&
        size.ws_row >= TERMINAL_SIZE_MIN) {
        terminal->columns = size.ws_col;
        terminal->rows = size.ws_row;
    } else {
        terminal->columns = terminal_variable("COLUMNS", TERMINAL_COLUMNS_DEFAULT);
        terminal->rows = terminal_variable("LINES", TERMINAL_ROWS_DEFAULT);
    }
}

struct terminal terminal_look(FILE *out)
{
    struct terminal terminal = {0};
    const char *name = getenv("TERM");
    const char *no_colour = getenv("NO_COLOR"); /* https://no-color.org */
    int descriptor = fileno(out);
    terminal.redraws =
        descriptor >= 0 && isatty(descriptor) && name != NULL && name[0] != '\0' && strcmp(name, "dumb") != 0;
    terminal.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    terminal.colour = terminal.redraws && (no_colour == NULL || no_colour[0] == '\0');
    terminal_measure(&terminal, out);
    return terminal;
}

void terminal_begin(struct terminal *terminal, FILE *out)
{
    if (terminal->redraws) {
        fputs("\x1b[?25l\x1b[2J" TERMINAL_HOME, out);
    }
}

void terminal_end(struct terminal *terminal, FILE *out)
{
    if (terminal->redraws) {
        fputs("\x1b[0m\x1b[?25h\n", out);
        fflush(out);
    }
}
