#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Structured log lines that never hold up whoever writes them: a line goes into a bounded ring and a
 * thread of its own writes it to the descriptor. A full ring (a pipe nobody reads) drops lines and counts
 * them.
 *
 *     log_line(LOG_LEVEL_INFO, "client connected", LOG_TEXT("address", text), LOG_UINT("session", 7));
 *
 * text: 2026-11-30T22:10:00.123Z info client connected address=127.0.0.1:4711 session=7
 * json: {"time":"2026-11-30T22:10:00.123Z","level":"info","message":"client
 * connected","address":"127.0.0.1:4711","session":7}
 */

enum log_level {
    LOG_LEVEL_ERROR,
    LOG_LEVEL_WARN,
    LOG_LEVEL_INFO,
    LOG_LEVEL_DEBUG,
};

enum log_format {
    LOG_FORMAT_TEXT,
    LOG_FORMAT_JSON,
};

enum log_field_kind {
    LOG_FIELD_END,
    LOG_FIELD_TEXT,
    LOG_FIELD_UINT,
    LOG_FIELD_FLOAT,
};

struct log_field {
    enum log_field_kind kind;
    const char *key;
    const char *text;
    uint64_t uint;
    double number;
};

#define LOG_TEXT(key_, value_) ((struct log_field){.kind = LOG_FIELD_TEXT, .key = (key_), .text = (value_)})
#define LOG_UINT(key_, value_) ((struct log_field){.kind = LOG_FIELD_UINT, .key = (key_), .uint = (value_)})
#define LOG_FLOAT(key_, value_)                                                                              \
    ((struct log_field){.kind = LOG_FIELD_FLOAT, .key = (key_), .number = (value_)})

/* Starts the writer on `descriptor` (not taken over). Before it and after log_stop lines go to stderr
 * directly. False: no thread. */
bool log_start(int descriptor, enum log_level level, enum log_format format);

/* Writes out what is in the ring, for at most half a second, and ends the writer. */
void log_stop(void);

void log_set_level(enum log_level level);

/* Lines dropped because the ring was full. */
uint64_t log_lines_dropped(void);

/* Up to 12 fields; any thread. Control characters in values are escaped: one call is one line. */
#define log_line(level, message, ...)                                                                        \
    log_write((level), (message),                                                                            \
              (const struct log_field[]){__VA_ARGS__ __VA_OPT__(, ){.kind = LOG_FIELD_END}})
void log_write(enum log_level level, const char *message, const struct log_field *fields);
