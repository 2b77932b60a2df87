#include "os/stream.h"

#include "base/check.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static uint32_t header_decode(const uint8_t *header)
{
    return (uint32_t)header[0] << 24 | (uint32_t)header[1] << 16 | (uint32_t)header[2] << 8 |
           (uint32_t)header[3];
}

static void header_encode(uint8_t *header, uint32_t length)
{
    header[0] = (uint8_t)(length >> 24);
    header[1] = (uint8_t)(length >> 16);
    header[2] = (uint8_t)(length >> 8);
    header[3] = (uint8_t)length;
}

const char *stream_result_text(StreamResult result)
{
    switch (result) {
    case STREAM_OK:
        return "done";
    case STREAM_AGAIN:
        return "the socket is not ready";
    case STREAM_FULL:
        return "the queue to the peer is full";
    case STREAM_END:
        return "the peer has closed the connection";
    case STREAM_TRUNCATED:
        return "the peer has closed the connection within a message";
    case STREAM_EMPTY:
        return "a message is empty";
    case STREAM_TOO_LONG:
        return "a message is too long";
    case STREAM_BROKEN:
        return "the connection is broken";
    }
    return "unknown result";
}

/* Moves the bytes in use to the front of the buffer. */
static void compact(uint8_t *buffer, int *start, int *end)
{
    memmove(buffer, buffer + *start, (size_t)(*end - *start));
    *end -= *start;
    *start = 0;
}

Status stream_reader_open(StreamReader *reader, int message_bytes_max)
{
    CHECK(message_bytes_max > 0 && message_bytes_max <= INT_MAX - STREAM_HEADER_BYTES);
    const int buffer_bytes = message_bytes_max + STREAM_HEADER_BYTES;
    *reader = (StreamReader){.buffer = malloc((size_t)buffer_bytes), .buffer_bytes = buffer_bytes};
    if (reader->buffer == NULL) {
        return status_error(STATUS_NO_MEMORY, "no memory for a read buffer of %d bytes",
                            buffer_bytes);
    }
    return status_ok();
}

void stream_reader_close(StreamReader *reader)
{
    free(reader->buffer);
    *reader = (StreamReader){.failed = STREAM_BROKEN};
}

/* Hands out the message at the start of the buffer: STREAM_AGAIN when it is not complete. */
static StreamResult take_buffered(StreamReader *reader, StreamMessage *message)
{
    const int available = reader->end - reader->start;
    if (available < STREAM_HEADER_BYTES) {
        return STREAM_AGAIN;
    }
    const uint8_t *header = reader->buffer + reader->start;
    const uint32_t length = header_decode(header);
    if (length == 0) {
        return STREAM_EMPTY;
    }
    if (length > (uint32_t)(reader->buffer_bytes - STREAM_HEADER_BYTES)) {
        return STREAM_TOO_LONG;
    }
    if (available - STREAM_HEADER_BYTES < (int)length) {
        return STREAM_AGAIN;
    }
    *message = (StreamMessage){.bytes = header + STREAM_HEADER_BYTES, .length = (int)length};
    reader->start += STREAM_HEADER_BYTES + (int)length;
    return STREAM_OK;
}

/* Receives what the socket has, as far as the buffer reaches. */
static StreamResult receive(StreamReader *reader, int socket)
{
    compact(reader->buffer, &reader->start, &reader->end);
    for (;;) {
        const ssize_t count = recv(socket, reader->buffer + reader->end,
                                   (size_t)(reader->buffer_bytes - reader->end), MSG_DONTWAIT);
        if (count > 0) {
            reader->end += (int)count;
            return STREAM_OK;
        }
        if (count == 0) {
            return reader->end == 0 ? STREAM_END : STREAM_TRUNCATED;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return STREAM_AGAIN;
        }
        if (errno != EINTR) {
            return STREAM_BROKEN;
        }
    }
}

StreamResult stream_read(StreamReader *reader, int socket, StreamMessage *message)
{
    *message = (StreamMessage){.bytes = NULL, .length = 0};
    if (reader->failed != STREAM_OK) {
        return reader->failed;
    }
    /* An incomplete message fits into the buffer with room to spare, so each round gets nearer. */
    StreamResult result = take_buffered(reader, message);
    while (result == STREAM_AGAIN) {
        const StreamResult received = receive(reader, socket);
        if (received == STREAM_AGAIN) {
            return STREAM_AGAIN;
        }
        result = received == STREAM_OK ? take_buffered(reader, message) : received;
    }
    if (result != STREAM_OK) {
        reader->failed = result;
    }
    return result;
}

Status stream_writer_open(StreamWriter *writer, int message_bytes_max, int queue_bytes_max)
{
    CHECK(message_bytes_max > 0);
    CHECK(queue_bytes_max - STREAM_HEADER_BYTES >= message_bytes_max);
    *writer = (StreamWriter){
        .buffer = malloc((size_t)queue_bytes_max),
        .buffer_bytes = queue_bytes_max,
        .message_bytes_max = message_bytes_max,
    };
    if (writer->buffer == NULL) {
        return status_error(STATUS_NO_MEMORY, "no memory for a write queue of %d bytes",
                            queue_bytes_max);
    }
    return status_ok();
}

void stream_writer_close(StreamWriter *writer)
{
    free(writer->buffer);
    *writer = (StreamWriter){.buffer = NULL};
}

StreamResult stream_write(StreamWriter *writer, const void *bytes, int length)
{
    if (length <= 0) {
        return STREAM_EMPTY;
    }
    if (length > writer->message_bytes_max) {
        return STREAM_TOO_LONG;
    }
    if (writer->buffer_bytes - (writer->end - writer->start) < STREAM_HEADER_BYTES + length) {
        return STREAM_FULL;
    }
    if (writer->buffer_bytes - writer->end < STREAM_HEADER_BYTES + length) {
        compact(writer->buffer, &writer->start, &writer->end);
    }
    header_encode(writer->buffer + writer->end, (uint32_t)length);
    memcpy(writer->buffer + writer->end + STREAM_HEADER_BYTES, bytes, (size_t)length);
    writer->end += STREAM_HEADER_BYTES + length;
    return STREAM_OK;
}

StreamResult stream_flush(StreamWriter *writer, int socket)
{
    while (writer->start < writer->end) {
        const ssize_t count =
            send(socket, writer->buffer + writer->start, (size_t)(writer->end - writer->start),
                 MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count >= 0) {
            writer->start += (int)count;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return STREAM_AGAIN;
        } else if (errno != EINTR) {
            return STREAM_BROKEN;
        }
    }
    writer->start = 0;
    writer->end = 0;
    return STREAM_OK;
}

bool stream_has_queued(const StreamWriter *writer)
{
    return writer->start < writer->end;
}
