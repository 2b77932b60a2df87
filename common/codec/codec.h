/*
 * Codec: messages to bytes and back; the only code that knows the wire form.
 *
 * A message is one MessagePack array: its type, then its fields by position. docs/protocol.md has
 * the table of every type; schema.c is the same table as code, written once for both directions.
 *
 *     codec_decode   length cap -> scan.c: structure of all bytes -> schema.c: types and ranges
 *     codec_encode   schema.c: the same ranges -> msgpack-c -> CodecBuffer
 *
 * Decoding takes bytes from anybody. It never asserts, never allocates and never recurses, and a
 * message that it hands out is within every limit of messages.h and of this header. What those
 * limits cannot say stays with the receiver: whether moves are legal, whether a FEN can be played,
 * whether names are known and whether the message may be sent now.
 *
 * Source: the MessagePack specification (github.com/msgpack/msgpack/blob/master/spec.md).
 */
#ifndef ROOKERY_CODEC_CODEC_H
#define ROOKERY_CODEC_CODEC_H

#include <stddef.h>

#include "base/status.h"
#include "messages/messages.h"

/* Limits of the wire that messages.h does not state. */
enum {
    CODEC_BYTES_MAX = 65536,     /* longest message; the longest that is valid has about 50 KiB */
    CODEC_DEPTH_MAX = 255,       /* plies: of a job (from 1), of a line, the deepest of a line */
    CODEC_GO_NUMBER_MAX = 65535, /* depth, moves to go and mate of a `go` */
    CODEC_VERSION_MAX = 65535,   /* protocol versions, from 1 */
    CODEC_NODE_KIND_MAX = 2,     /* node kinds, from 0 */
    CODEC_NULL_MOVE_PLY_MAX = 2 * PLY_MAX, /* ply that a verification forbids null moves above */
    CODEC_PERIOD_MS_MIN = 1,               /* shortest heartbeat and lease */
};

/* Longest duration either way: one year. */
static const int64_t CODEC_DURATION_US_MAX = INT64_C(365) * 24 * 3600 * 1000000;

/* Why bytes are no message. Each peer's count of these decides whether it is dropped. */
typedef enum {
    DECODE_OK,
    DECODE_TOO_LARGE,        /* more than CODEC_BYTES_MAX bytes */
    DECODE_TOO_DEEP,         /* arrays within arrays beyond what any message needs */
    DECODE_TRUNCATED,        /* the bytes end too early; also for counts above what is left */
    DECODE_BAD_MSGPACK,      /* the one byte that MessagePack never uses */
    DECODE_EXT_TYPE,         /* an extension type (timestamps too) */
    DECODE_TRAILING_BYTES,   /* something behind the message */
    DECODE_UNKNOWN_TYPE,     /* no such message */
    DECODE_WRONG_ARITY,      /* too few or too many fields */
    DECODE_WRONG_FIELD_TYPE, /* a number where a text belongs, and the like */
    DECODE_OUT_OF_RANGE,     /* a number outside its limits, alone or beside another field */
    DECODE_TEXT_TOO_LONG,    /* a text that does not fit with its NUL */
    DECODE_BAD_TEXT,         /* a text with anything but printable ASCII */
    DECODE_TOO_MANY,         /* a list that is longer than its limit */
    DECODE_BAD_LENGTH,       /* half a move, or not as many numbers as moves */
    DECODE_ERROR_COUNT
} DecodeError;

/* Room for one message on its way out. */
typedef struct {
    uint8_t bytes[CODEC_BYTES_MAX]; /* the message */
    size_t length;                  /* bytes in use */
} CodecBuffer;

/* The upper-case name of an error, for logs and counters; "?" for none. */
const char *codec_error_name(DecodeError error);

/*
 * Reads one message of exactly `length` bytes (NULL is allowed for none). Whatever it does not name
 * in the body of its type (array elements behind their counts, bytes behind a NUL) is zero. The
 * bodies of longer types keep what they hold behind it, for clearing them would cost more than most
 * messages do. On an error *message is unspecified.
 *
 * An OPEN or HELLO of another protocol version has only its version, the rest is zero: enough to
 * refuse it by name. Any thread.
 */
DecodeError codec_decode(const void *bytes, size_t length, Message *message);

/*
 * Writes a message. Errors: STATUS_INVALID when it is outside the limits, which is a mistake of
 * this program; the text names the type, the value and the error. Any thread.
 */
__attribute__((warn_unused_result)) Status codec_encode(const Message *message,
                                                        CodecBuffer *buffer);

#endif
