/*
 * Status: the answer of every operation that can fail for a reason outside the program
 * (a file, a socket, memory, a configuration value, a FEN typed by a person).
 *
 * A Status is a code and a one-line message that says what was read, where, and what was
 * expected. It is returned by value and must be used. It owns no memory. A programmer's error is
 * not a Status but a CHECK (check.h); bad bytes from a peer are a DecodeError (codec).
 */
#ifndef ROOKERY_BASE_STATUS_H
#define ROOKERY_BASE_STATUS_H

#include <stdbool.h>

enum { STATUS_MESSAGE_BYTES_MAX = 240 };

typedef enum {
    STATUS_OK = 0,
    STATUS_INVALID,     /* an argument or a text that does not mean what was asked for */
    STATUS_NOT_FOUND,   /* a file, a host or a peer that is not there */
    STATUS_IO,          /* the operating system refused; the message carries its reason */
    STATUS_NO_MEMORY,   /* an allocation at start failed */
    STATUS_UNAVAILABLE, /* a peer does not answer or refuses */
} StatusCode;

typedef struct {
    StatusCode code;
    char message[STATUS_MESSAGE_BYTES_MAX]; /* NUL-terminated, no newline; empty when OK */
} Status;

/* Success. */
__attribute__((warn_unused_result)) Status status_ok(void);

/* A failure; the message is formatted as by printf and cut at STATUS_MESSAGE_BYTES_MAX - 1. */
__attribute__((warn_unused_result, format(printf, 2, 3))) Status
status_error(StatusCode code, const char *format, ...);

static inline bool status_is_ok(const Status *status)
{
    return status->code == STATUS_OK;
}

#endif
