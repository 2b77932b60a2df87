#include "codec/codec.h"

#include "codec/scan.h"
#include "codec/schema.h"

const char *codec_error_name(DecodeError error)
{
    static const char *const names[DECODE_ERROR_COUNT] = {
        [DECODE_OK] = "OK",
        [DECODE_TOO_LARGE] = "TOO_LARGE",
        [DECODE_TOO_DEEP] = "TOO_DEEP",
        [DECODE_TRUNCATED] = "TRUNCATED",
        [DECODE_BAD_MSGPACK] = "BAD_MSGPACK",
        [DECODE_EXT_TYPE] = "EXT_TYPE",
        [DECODE_TRAILING_BYTES] = "TRAILING_BYTES",
        [DECODE_UNKNOWN_TYPE] = "UNKNOWN_TYPE",
        [DECODE_WRONG_ARITY] = "WRONG_ARITY",
        [DECODE_WRONG_FIELD_TYPE] = "WRONG_FIELD_TYPE",
        [DECODE_OUT_OF_RANGE] = "OUT_OF_RANGE",
        [DECODE_TEXT_TOO_LONG] = "TEXT_TOO_LONG",
        [DECODE_BAD_TEXT] = "BAD_TEXT",
        [DECODE_TOO_MANY] = "TOO_MANY",
        [DECODE_BAD_LENGTH] = "BAD_LENGTH",
    };
    return (unsigned)error < DECODE_ERROR_COUNT ? names[error] : "?";
}

DecodeError codec_decode(const void *bytes, size_t length, Message *message)
{
    if (length > CODEC_BYTES_MAX) {
        return DECODE_TOO_LARGE;
    }
    if (length == 0) {
        return DECODE_TRUNCATED;
    }
    const DecodeError error = scan_check(bytes, length);
    if (error != DECODE_OK) {
        return error;
    }
    Fields fields = fields_decode(bytes, length);
    schema_message(&fields, message);
    return fields.error;
}

Status codec_encode(const Message *message, CodecBuffer *buffer)
{
    Fields fields = fields_encode(buffer);
    schema_message(&fields, (Message *)message); /* encoding only reads it */
    if (fields.error != DECODE_OK) {
        return status_error(STATUS_INVALID, "cannot send %s: its value %d is %s",
                            message_type_name(message->type), fields.position,
                            codec_error_name(fields.error));
    }
    return status_ok();
}
