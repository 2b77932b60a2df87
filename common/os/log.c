#include "os/log.h"

#include "base/check.h"
#include "os/clock.h"

#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A line in the making; what does not fit is cut. */
typedef struct {
    char text[LOG_LINE_BYTES_MAX]; /* NUL-terminated until the newline replaces that */
    int length;                    /* bytes without the NUL */
} Line;

static const char *level_name(LogLevel level)
{
    switch (level) {
    case LOG_ERROR:
        return "error";
    case LOG_WARNING:
        return "warning";
    case LOG_INFO:
        return "info";
    case LOG_DEBUG:
        return "debug";
    }
    return "unknown";
}

void log_init(Log *log, const char *program, LogLevel level, int descriptor)
{
    *log =
        (Log){.start = clock_now(), .program = program, .level = level, .descriptor = descriptor};
    log_limit_init(&log->limit);
    CHECK(pthread_mutex_init(&log->lock, NULL) == 0);
}

void log_destroy(Log *log)
{
    CHECK(pthread_mutex_destroy(&log->lock) == 0);
}

__attribute__((format(printf, 2, 0))) static void line_append_list(Line *line, const char *format,
                                                                   va_list arguments)
{
    const int room = (int)sizeof line->text - line->length; /* the NUL included */
    const int wanted = vsnprintf(line->text + line->length, (size_t)room, format, arguments);
    if (wanted > 0) {
        line->length += wanted < room ? wanted : room - 1;
    }
}

__attribute__((format(printf, 2, 3))) static void line_append(Line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    line_append_list(line, format, arguments);
    va_end(arguments);
}

static void line_begin(Line *line, const Log *log, LogLevel level, Instant now)
{
    struct timespec wall;
    struct tm date;
    CHECK(clock_gettime(CLOCK_REALTIME, &wall) == 0 && gmtime_r(&wall.tv_sec, &date) != NULL);
    const int64_t running_us = instant_since(now, log->start).us;
    line_append(line, "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ %" PRId64 ".%06" PRId64 " %s %s: ",
                date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min,
                date.tm_sec, wall.tv_nsec / 1000000, running_us / 1000000, running_us % 1000000,
                log->program, level_name(level));
}

/* A peer's name in a message must not end the line or steer the terminal. */
static void replace_control_characters(Line *line)
{
    for (int i = 0; i < line->length; i++) {
        const unsigned char character = (unsigned char)line->text[i];
        if (character < ' ' || character == 0x7F) {
            line->text[i] = '?';
        }
    }
}

/* Has the descriptor room for a line? Other writers on the same pipe may still be quicker. */
static bool is_writable(int descriptor)
{
    struct pollfd writable = {.fd = descriptor, .events = POLLOUT};
    return poll(&writable, 1, 0) == 1 && (writable.revents & POLLOUT) != 0;
}

/* Ends the line and writes it. Called with the lock held. */
static void emit(Log *log, Line *line, int64_t left_out)
{
    if (left_out > 0) {
        line_append(line, " (%" PRId64 " such lines left out)", left_out);
    }
    if (log->dropped > 0) {
        line_append(line, " (%" PRId64 " lines lost)", log->dropped);
    }
    replace_control_characters(line);
    line->text[line->length++] = '\n'; /* takes the NUL's place */
    if (is_writable(log->descriptor) &&
        write(log->descriptor, line->text, (size_t)line->length) == line->length) {
        log->dropped = 0;
    } else {
        log->dropped++;
    }
}

/* `key` is NULL for lines without a limit. */
__attribute__((format(printf, 4, 0))) static void
write_line(Log *log, LogLevel level, const char *key, const char *format, va_list arguments)
{
    if (log == NULL || level > log->level) {
        return;
    }
    const Instant now = clock_now();
    Line line = {.length = 0};
    line_begin(&line, log, level, now);
    line_append_list(&line, format, arguments);

    CHECK(pthread_mutex_lock(&log->lock) == 0);
    int64_t left_out = 0;
    if (key == NULL || log_limit_admit(&log->limit, key, now, &left_out)) {
        emit(log, &line, left_out);
    }
    CHECK(pthread_mutex_unlock(&log->lock) == 0);
}

void log_write(Log *log, LogLevel level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(log, level, NULL, format, arguments);
    va_end(arguments);
}

void log_write_limited(Log *log, LogLevel level, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(log, level, key, format, arguments);
    va_end(arguments);
}
