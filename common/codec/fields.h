/*
 * Fields: one field of a message, to or from the wire.
 *
 * Each function does both: encoding, it writes *value; decoding, it reads the next token into it.
 * Both ways it checks the same type and limits, so that a message's layout is written down once
 * (schema.c). The first error stays and makes all later calls do nothing; what is decoded into must
 * be zero before, so that counts behind an error are 0. All limits include both ends.
 *
 *     fields_array, fields_list   an array of a fixed or of any number of elements
 *     fields_int ... fields_move  integers
 *     fields_text                 MessagePack str: printable ASCII
 *     fields_moves                MessagePack bin: two bytes a move, most significant first
 *     fields_numbers              MessagePack bin: one byte a number
 *
 * Errors: DECODE_WRONG_FIELD_TYPE by all, DECODE_OUT_OF_RANGE by those with limits, and as said.
 */
#ifndef ROOKERY_CODEC_FIELDS_H
#define ROOKERY_CODEC_FIELDS_H

#include "codec/codec.h"
#include "codec/scan.h"

typedef struct {
    CodecBuffer *buffer; /* where to write; NULL when decoding */
    Cursor cursor;       /* what to read, when decoding */
    int position;        /* fields begun so far: tells where an error lies */
    DecodeError error;   /* the first one */
} Fields;

/* A pass over a message. The buffer is emptied; it or the bytes are borrowed for the pass. */
Fields fields_encode(CodecBuffer *buffer);
Fields fields_decode(const uint8_t *bytes, size_t length);

static inline bool fields_is_decoding(const Fields *fields)
{
    return fields->buffer == NULL;
}

/* Remembers an error unless there is one already. */
void fields_fail(Fields *fields, DecodeError error);

/* DECODE_OUT_OF_RANGE unless `condition`: for limits between fields. */
void fields_require(Fields *fields, bool condition);

/* The head of an array with exactly `count` elements. Errors: DECODE_WRONG_ARITY. */
void fields_array(Fields *fields, int count);

/* The head of an array with 0 to count_max elements. Errors: DECODE_TOO_MANY. */
void fields_list(Fields *fields, int *count, int count_max);

void fields_bool(Fields *fields, bool *value);
void fields_int(Fields *fields, int *value, int minimum, int maximum);
void fields_uint32(Fields *fields, uint32_t *value, uint32_t minimum);
void fields_uint64(Fields *fields, uint64_t *value, uint64_t minimum);
void fields_move(Fields *fields, Move *value);

/* Microseconds, from `minimum_us` to CODEC_DURATION_US_MAX. */
void fields_duration(Fields *fields, Duration *value, int64_t minimum_us);

/* As fields_duration; nil when *has_value is false, and then *value is 0. */
void fields_optional_duration(Fields *fields, bool *has_value, Duration *value, int64_t minimum_us);

/*
 * A NUL-terminated text in bytes_max bytes; the NUL is not sent.
 * Errors: DECODE_TEXT_TOO_LONG, DECODE_BAD_TEXT.
 */
void fields_text(Fields *fields, char *text, int bytes_max);

/* 0 to count_max moves. Errors: DECODE_TOO_MANY, DECODE_BAD_LENGTH. */
void fields_moves(Fields *fields, Move *moves, int *count, int count_max);

/* `count` numbers from 1 to 255. Errors: DECODE_BAD_LENGTH. */
void fields_numbers(Fields *fields, uint8_t *numbers, int count);

#endif
