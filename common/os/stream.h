/*
 * Stream: whole messages over a stream socket.
 *
 * A message travels as its length, 4 bytes, most significant first, and then that many bytes. A
 * length of 0 or above the reader's maximum is an error, found before a byte of the message is
 * stored. Nothing blocks, whatever the mode of the socket, and no memory is taken after the open:
 * the sender cannot make us allocate.
 *
 * Errors are final: a reader that has lost the framing says the same thing for ever, and the owner
 * drops the peer. A writer whose queue is full refuses the message whole and stays good; its
 * owner decides whether that message may be lost or the peer is too slow to keep.
 *
 * A reader and a writer belong to one thread each.
 */
#ifndef ROOKERY_OS_STREAM_H
#define ROOKERY_OS_STREAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { STREAM_HEADER_BYTES = 4 };

typedef enum {
    STREAM_OK,        /* done */
    STREAM_AGAIN,     /* the socket has to be polled first (POLLIN to read, POLLOUT to flush) */
    STREAM_FULL,      /* the writer's queue has no room for this message now */
    STREAM_END,       /* the peer has closed between two messages */
    STREAM_TRUNCATED, /* the peer has closed within a message */
    STREAM_EMPTY,     /* a message of no bytes */
    STREAM_TOO_LONG,  /* a message above the maximum */
    STREAM_BROKEN,    /* the socket failed (reset, closed for writing) */
} StreamResult;

/* Takes messages out of a socket. */
typedef struct {
    uint8_t *buffer;     /* one message of the maximum with its header; owned */
    int buffer_bytes;    /* its size */
    int start;           /* first byte that has not been handed out */
    int end;             /* behind the last byte received */
    StreamResult failed; /* STREAM_OK, or the error that all further reads return */
} StreamReader;

/* One message; the bytes are the reader's and good until its next call. */
typedef struct {
    const uint8_t *bytes; /* not NUL-terminated */
    int length;           /* at least 1 */
} StreamMessage;

/* Puts messages into a socket. */
typedef struct {
    uint8_t *buffer;       /* messages with their headers that are not sent yet; owned */
    int buffer_bytes;      /* its size, the maximum of the queue */
    int message_bytes_max; /* longest message */
    int start;             /* first byte that has not been sent */
    int end;               /* behind the last byte queued */
} StreamWriter;

/* A short text for a log line: "the peer sent a message that is too long". Static. */
const char *stream_result_text(StreamResult result);

/* Messages of 1 to message_bytes_max bytes. Errors: STATUS_NO_MEMORY. */
Status stream_reader_open(StreamReader *reader, int message_bytes_max);

/* Frees the buffer; a second call does nothing. The socket stays open. */
void stream_reader_close(StreamReader *reader);

/*
 * Gives the next message. Call again until STREAM_AGAIN: several may have arrived together.
 * Returns STREAM_OK, STREAM_AGAIN, STREAM_END, STREAM_TRUNCATED, STREAM_EMPTY, STREAM_TOO_LONG or
 * STREAM_BROKEN.
 */
StreamResult stream_read(StreamReader *reader, int socket, StreamMessage *message);

/*
 * The queue holds queue_bytes_max bytes, headers included; it must hold one message at least.
 * Errors: STATUS_NO_MEMORY.
 */
Status stream_writer_open(StreamWriter *writer, int message_bytes_max, int queue_bytes_max);

/* Frees the queue with what is in it; a second call does nothing. The socket stays open. */
void stream_writer_close(StreamWriter *writer);

/*
 * Queues a copy of the message; stream_flush sends it.
 * Returns STREAM_OK, STREAM_FULL, STREAM_EMPTY or STREAM_TOO_LONG.
 */
StreamResult stream_write(StreamWriter *writer, const void *bytes, int length);

/*
 * Sends as much of the queue as the socket takes: STREAM_OK when it is empty, STREAM_AGAIN when
 * something is left, STREAM_BROKEN when the peer is gone.
 */
StreamResult stream_flush(StreamWriter *writer, int socket);

/* Is something queued (so that the owner polls for POLLOUT too)? */
bool stream_has_queued(const StreamWriter *writer);

#endif
