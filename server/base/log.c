/*
 * Log lines: formatted by whoever writes them, on its own stack, then copied into a ring under a lock that is
 * only ever held for a copy; a thread of its own takes them out in pieces and writes them. So a pipe that
 * nobody reads stops that thread and nobody else.
 */
#include "base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/utf8.h"

/*
 * A line is at most PIPE_BUF bytes: a pipe takes that much in one piece, and after poll has said "writable"
 * it takes it without blocking (pipe(7)).
 */
#define LOG_LINE_SIZE        4096
#define LOG_MESSAGE_SIZE_MAX 400  /* escaped, six bytes a byte at worst, it still leaves room for fields */
#define LOG_VALUE_SIZE_MAX   1024 /* a longer text is cut; nobody reads more in a log */
#define LOG_FIELDS_MAX       12
#define LOG_RING_SIZE        (256u * 1024) /* some 2,000 lines: two seconds of a busy server at debug */
#define LOG_STOP_NS_MAX      500000000ull
#define LOG_POLL_MS          50 /* how late a stuck writer may notice that it is to give up */

static struct {
    pthread_mutex_t lock;   /* for what follows up to the atomics */
    pthread_cond_t wake;    /* the writer waits for lines, or to be stopped */
    pthread_cond_t stopped; /* log_stop waits for the writer */
    bool running;
    bool stopping;
    bool writer_done;
    size_t ring_begin; /* first byte in the ring */
    size_t ring_used;
    uint64_t dropped_told; /* lines dropped that a line has told of */
    pthread_t writer;
    int descriptor;
    char ring[LOG_RING_SIZE];

    atomic_int level;
    atomic_int format;
    atomic_uint_fast64_t dropped;
    atomic_uint_fast64_t give_up_ns; /* until when a stuck write is waited for */
} log_state = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .wake = PTHREAD_COND_INITIALIZER,
    .level = LOG_LEVEL_INFO,
    .format = LOG_FORMAT_TEXT,
    .give_up_ns = UINT64_MAX,
};

/* ---- one line ---- */

/* A line that grows. When something does not fit, nothing of it is added and `full` says so. */
struct log_builder {
    char bytes[LOG_LINE_SIZE];
    size_t size_max; /* room is kept for the end of the line */
    size_t used;
    bool full;
    bool cut; /* something was left out */
    bool json;
};

static void log_builder_add(struct log_builder *line, const char *bytes, size_t size)
{
    if (size > line->size_max - line->used) {
        line->full = true;
        return;
    }
    memcpy(line->bytes + line->used, bytes, size);
    line->used += size;
}

static void log_builder_add_text(struct log_builder *line, const char *text)
{
    log_builder_add(line, text, strlen(text));
}

/* One character that would break the line, the quotes or a terminal, or is no UTF-8 (then size is 1). */
static void log_builder_add_escape(struct log_builder *line, const char *character, size_t size, bool valid)
{
    unsigned char byte = (unsigned char)character[size - 1];
    char escape[8];
    switch (valid ? byte : 0xFF) {
    case '"':
    case '\\':
        snprintf(escape, sizeof escape, "\\%c", byte);
        break;
    case '\n':
        snprintf(escape, sizeof escape, "\\n");
        break;
    case '\t':
        snprintf(escape, sizeof escape, "\\t");
        break;
    default:
        if (valid || !line->json) {
            snprintf(escape, sizeof escape, line->json ? "\\u%04x" : "\\x%02x", byte);
        } else {
            snprintf(escape, sizeof escape, "\\ufffd"); /* JSON is UTF-8: the replacement character */
        }
    }
    log_builder_add_text(line, escape);
}

/* C0, DEL and C1 (as UTF-8: C2 80 .. C2 9F) move cursors and change colours on terminals. */
static bool log_is_control(const char *character, size_t size)
{
    unsigned char first = (unsigned char)character[0];
    return first < 0x20 || first == 0x7F ||
           (size == 2 && first == 0xC2 && (unsigned char)character[1] < 0xA0);
}

/* Text with everything escaped that is not plain; at most size_max bytes of it. */
static void log_builder_add_escaped(struct log_builder *line, const char *text, size_t size_max, bool quoted)
{
    size_t size = strnlen(text, size_max + 1);
    if (size > size_max) {
        size = utf8_cut(text, size, size_max);
        line->cut = true;
    }
    for (size_t at = 0; at < size;) {
        size_t step = utf8_character_size(text + at, size - at);
        bool valid = step > 0;
        step = valid ? step : 1;
        bool special = quoted && (text[at] == '"' || text[at] == '\\');
        if (!valid || special || log_is_control(text + at, step)) {
            log_builder_add_escape(line, text + at, step, valid);
        } else {
            log_builder_add(line, text + at, step);
        }
        at += step;
    }
}

/* Whether a value in a text line needs quotes: else `address=a b=c` could be read in two ways. */
static bool log_text_needs_quotes(const char *text)
{
    return text[0] == '\0' || text[strcspn(text, " \"=\\")] != '\0';
}

static void log_builder_add_value_text(struct log_builder *line, const char *text)
{
    if (text == NULL) {
        log_builder_add_text(line, line->json ? "null" : "-");
        return;
    }
    bool quoted = line->json || log_text_needs_quotes(text);
    log_builder_add_text(line, quoted ? "\"" : "");
    log_builder_add_escaped(line, text, LOG_VALUE_SIZE_MAX, quoted);
    log_builder_add_text(line, quoted ? "\"" : "");
}

static void log_builder_add_field(struct log_builder *line, const struct log_field *field)
{
    char number[32];
    log_builder_add_text(line, line->json ? ",\"" : " ");
    log_builder_add_text(line, field->key);
    log_builder_add_text(line, line->json ? "\":" : "=");
    switch (field->kind) {
    case LOG_FIELD_TEXT:
        log_builder_add_value_text(line, field->text);
        return;
    case LOG_FIELD_UINT:
        snprintf(number, sizeof number, "%" PRIu64, field->uint);
        break;
    case LOG_FIELD_FLOAT:
        if (line->json && !isfinite(field->number)) {
            snprintf(number, sizeof number, "null"); /* JSON has no word for it */
        } else {
            snprintf(number, sizeof number, "%.9g", field->number);
        }
        break;
    case LOG_FIELD_END:
        ASSERT(field->kind != LOG_FIELD_END);
    }
    log_builder_add_text(line, number);
}

static const char *log_level_name(enum log_level level)
{
    static const char *const names[] = {
        [LOG_LEVEL_ERROR] = "error",
        [LOG_LEVEL_WARN] = "warn",
        [LOG_LEVEL_INFO] = "info",
        [LOG_LEVEL_DEBUG] = "debug",
    };
    ASSERT((size_t)level < sizeof names / sizeof names[0]);
    return names[level];
}

static void log_builder_add_head(struct log_builder *line, enum log_level level, const char *message)
{
    uint64_t now_us = clock_wall_us();
    time_t seconds = (time_t)(now_us / 1000000u);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    char time[40];
    size_t used = strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(time + used, sizeof time - used, ".%03uZ", (unsigned)(now_us / 1000u % 1000u));

    log_builder_add_text(line, line->json ? "{\"time\":\"" : "");
    log_builder_add_text(line, time);
    log_builder_add_text(line, line->json ? "\",\"level\":\"" : " ");
    log_builder_add_text(line, log_level_name(level));
    log_builder_add_text(line, line->json ? "\",\"message\":\"" : " ");
    log_builder_add_escaped(line, message, LOG_MESSAGE_SIZE_MAX, line->json);
    log_builder_add_text(line, line->json ? "\"" : "");
}

static void log_builder_make(struct log_builder *line, enum log_level level, const char *message,
                             const struct log_field *fields)
{
    static const char cut_text[] = " truncated=true\n";
    static const char cut_json[] = ",\"truncated\":true}\n";
    line->json = atomic_load_explicit(&log_state.format, memory_order_relaxed) == LOG_FORMAT_JSON;
    line->size_max = LOG_LINE_SIZE - sizeof cut_json;
    line->used = 0;
    line->full = false;
    line->cut = false;
    log_builder_add_head(line, level, message);
    for (size_t i = 0; i < LOG_FIELDS_MAX && fields[i].kind != LOG_FIELD_END; i++) {
        size_t mark = line->used;
        log_builder_add_field(line, &fields[i]);
        if (line->full) {
            line->used = mark; /* whole fields only: a JSON line stays JSON */
            line->full = false;
            line->cut = true;
        }
    }
    line->size_max = LOG_LINE_SIZE;
    if (line->cut) {
        log_builder_add_text(line, line->json ? cut_json : cut_text);
    } else {
        log_builder_add_text(line, line->json ? "}\n" : "\n");
    }
    ASSERT(!line->full);
}

/* ---- the ring and its writer ---- */

static void log_ring_put(const char *bytes, size_t size)
{
    size_t end = (log_state.ring_begin + log_state.ring_used) % LOG_RING_SIZE;
    size_t first = size < LOG_RING_SIZE - end ? size : LOG_RING_SIZE - end;
    memcpy(log_state.ring + end, bytes, first);
    memcpy(log_state.ring, bytes + first, size - first);
    log_state.ring_used += size;
    ASSERT(log_state.ring_used <= LOG_RING_SIZE);
}

/* Takes out as many whole lines as `bytes` (LOG_LINE_SIZE of them) holds; returns their size. */
static size_t log_ring_take(char *bytes)
{
    size_t size = log_state.ring_used < LOG_LINE_SIZE ? log_state.ring_used : LOG_LINE_SIZE;
    size_t begin = log_state.ring_begin;
    size_t first = size < LOG_RING_SIZE - begin ? size : LOG_RING_SIZE - begin;
    memcpy(bytes, log_state.ring + begin, first);
    memcpy(bytes + first, log_state.ring, size - first);
    while (size > 0 && bytes[size - 1] != '\n') {
        size--;
    }
    log_state.ring_begin = (begin + size) % LOG_RING_SIZE;
    log_state.ring_used -= size;
    return size;
}

/*
 * Writes everything, waiting as long as it takes, but not past log_state.give_up_ns. False: that time has
 * come, or the descriptor takes no more, ever.
 */
static bool log_write_bytes(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        struct pollfd writable = {.fd = descriptor, .events = POLLOUT};
        int ready = poll(&writable, 1, LOG_POLL_MS);
        if (ready <= 0) {
            if (clock_monotonic_ns() >= atomic_load(&log_state.give_up_ns) || (ready < 0 && errno != EINTR)) {
                return false;
            }
            continue;
        }
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        }
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static uint64_t log_count_lines(const char *bytes, size_t size)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < size; i++) {
        lines += bytes[i] == '\n';
    }
    return lines;
}

/* Empties the ring; returns how many lines that were. Under the lock. */
static uint64_t log_ring_drop(void)
{
    size_t begin = log_state.ring_begin;
    size_t first = log_state.ring_used < LOG_RING_SIZE - begin ? log_state.ring_used : LOG_RING_SIZE - begin;
    uint64_t lines = log_count_lines(log_state.ring + begin, first) +
                     log_count_lines(log_state.ring, log_state.ring_used - first);
    log_state.ring_used = 0;
    return lines;
}

/* The next piece to write: lines of the ring, or a line about lines that found it full. Under the lock. */
static size_t log_writer_next(struct log_builder *buffer)
{
    size_t size = log_ring_take(buffer->bytes);
    uint64_t dropped = atomic_load_explicit(&log_state.dropped, memory_order_relaxed);
    if (size == 0 && dropped != log_state.dropped_told) {
        const struct log_field fields[] = {LOG_UINT("lines", dropped - log_state.dropped_told),
                                           {.kind = LOG_FIELD_END}};
        log_builder_make(buffer, LOG_LEVEL_WARN, "log lines dropped: nobody read them", fields);
        log_state.dropped_told = dropped;
        size = buffer->used;
    }
    return size;
}

static void *log_writer(void *argument)
{
    (void)argument;
    struct log_builder buffer;
    pthread_mutex_lock(&log_state.lock);
    for (;;) {
        size_t size = log_writer_next(&buffer);
        if (size == 0 && log_state.stopping) {
            break;
        }
        if (size == 0) {
            pthread_cond_wait(&log_state.wake, &log_state.lock);
            continue;
        }
        int descriptor = log_state.descriptor;
        pthread_mutex_unlock(&log_state.lock);
        bool written = log_write_bytes(descriptor, buffer.bytes, size);
        pthread_mutex_lock(&log_state.lock);
        if (!written) {
            uint64_t lines = log_count_lines(buffer.bytes, size);
            atomic_fetch_add_explicit(&log_state.dropped, lines, memory_order_relaxed);
            log_state.dropped_told += lines; /* to whom should a broken descriptor tell of them? */
            if (log_state.stopping) {
                break;
            }
        }
    }
    log_state.writer_done = true;
    pthread_cond_broadcast(&log_state.stopped);
    pthread_mutex_unlock(&log_state.lock);
    return NULL;
}

/* The writer gets no signal: those that stop the program are the main thread's, and a broken pipe is an error
 * code. */
static bool log_start_writer(void)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&log_state.writer, NULL, log_writer, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed == 0;
}

bool log_start(int descriptor, enum log_level level, enum log_format format)
{
    log_set_level(level);
    atomic_store_explicit(&log_state.format, format, memory_order_relaxed);

    pthread_mutex_lock(&log_state.lock);
    ASSERT(!log_state.running);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&log_state.stopped, &monotonic);
    pthread_condattr_destroy(&monotonic);
    log_state.descriptor = descriptor;
    log_state.stopping = false;
    log_state.writer_done = false;
    log_state.ring_begin = 0;
    log_state.ring_used = 0;
    log_state.running = log_start_writer();
    bool running = log_state.running;
    if (!running) {
        pthread_cond_destroy(&log_state.stopped);
    }
    pthread_mutex_unlock(&log_state.lock);
    return running;
}

/* Waits until the writer is done, at most until a time of the monotonic clock. Under the lock. */
static bool log_wait_for_writer(uint64_t until_ns)
{
    struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000u),
                             .tv_nsec = (long)(until_ns % 1000000000u)};
    int result = 0;
    while (!log_state.writer_done && result == 0) {
        result = pthread_cond_timedwait(&log_state.stopped, &log_state.lock, &until);
    }
    return log_state.writer_done;
}

void log_stop(void)
{
    pthread_mutex_lock(&log_state.lock);
    if (!log_state.running || log_state.stopping) {
        pthread_mutex_unlock(&log_state.lock);
        return;
    }
    uint64_t give_up_ns = clock_monotonic_ns() + LOG_STOP_NS_MAX;
    atomic_store(&log_state.give_up_ns, give_up_ns);
    log_state.stopping = true;
    pthread_cond_signal(&log_state.wake);
    if (!log_wait_for_writer(give_up_ns + 3 * LOG_POLL_MS * 1000000ull)) {
        /*
         * It hangs in write: another process filled the pipe between our poll and our write. The program is
         * about to end and must not hang with it, so the writer is left behind; what is logged from now on is
         * lost.
         */
        pthread_detach(log_state.writer);
        pthread_mutex_unlock(&log_state.lock);
        return;
    }
    pthread_mutex_unlock(&log_state.lock);
    pthread_join(log_state.writer, NULL);

    pthread_mutex_lock(&log_state.lock);
    uint64_t lines = log_ring_drop();
    atomic_fetch_add_explicit(&log_state.dropped, lines, memory_order_relaxed);
    log_state.dropped_told = atomic_load_explicit(&log_state.dropped, memory_order_relaxed);
    atomic_store(&log_state.give_up_ns, UINT64_MAX);
    log_state.running = false;
    pthread_cond_destroy(&log_state.stopped);
    pthread_mutex_unlock(&log_state.lock);
}

void log_set_level(enum log_level level)
{
    atomic_store_explicit(&log_state.level, level, memory_order_relaxed);
}

uint64_t log_lines_dropped(void)
{
    return atomic_load_explicit(&log_state.dropped, memory_order_relaxed);
}

void log_write(enum log_level level, const char *message, const struct log_field *fields)
{
    if ((int)level > atomic_load_explicit(&log_state.level, memory_order_relaxed)) {
        return;
    }
    struct log_builder line;
    log_builder_make(&line, level, message, fields);

    pthread_mutex_lock(&log_state.lock);
    bool running = log_state.running;
    if (running && line.used <= LOG_RING_SIZE - log_state.ring_used) {
        log_ring_put(line.bytes, line.used);
        pthread_cond_signal(&log_state.wake);
    } else if (running) {
        atomic_fetch_add_explicit(&log_state.dropped, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&log_state.lock);
    if (!running) {
        /* Nobody is left to be told when this fails. */
        (void)log_write_bytes(STDERR_FILENO, line.bytes, line.used);
    }
}
