/*
 * Scan: MessagePack without trust.
 *
 * A cursor takes one token after the other from bytes that a stranger sent; nothing is copied or
 * allocated. scan_check walks a whole message in this way, without recursion, before anybody looks
 * at its meaning. Afterwards every length and count in it is known to be covered by bytes.
 *
 * Source: the MessagePack specification (github.com/msgpack/msgpack/blob/master/spec.md).
 */
#ifndef ROOKERY_CODEC_SCAN_H
#define ROOKERY_CODEC_SCAN_H

#include "codec/codec.h"

/* Containers within each other, the message itself included. The deepest message needs 4. */
enum { SCAN_DEPTH_MAX = 8 };

typedef enum {
    TOKEN_NIL,
    TOKEN_BOOLEAN,
    TOKEN_UNSIGNED, /* an integer that is not negative, whatever its encoding */
    TOKEN_NEGATIVE,
    TOKEN_FLOAT,
    TOKEN_TEXT,
    TOKEN_BYTES,
    TOKEN_ARRAY,
    TOKEN_MAP,
} TokenKind;

typedef struct {
    TokenKind kind;
    uint64_t number;      /* value (of NEGATIVE: two's complement), length in bytes, elements, or
                             pairs; unused for FLOAT and NIL */
    const uint8_t *bytes; /* of TEXT and BYTES: `number` bytes within the message; else NULL */
} Token;

/* Where the next token is read. */
typedef struct {
    const uint8_t *next; /* first byte that has not been read */
    const uint8_t *end;  /* behind the last byte */
} Cursor;

/*
 * Reads a token; of a container only its head. A length or count that the bytes left cannot cover
 * is refused. Errors: DECODE_TRUNCATED, DECODE_BAD_MSGPACK, DECODE_EXT_TYPE.
 */
DecodeError scan_token(Cursor *cursor, Token *token);

/*
 * Are these bytes one whole value and nothing else? Errors: those of scan_token, DECODE_TOO_DEEP,
 * DECODE_TRAILING_BYTES.
 */
DecodeError scan_check(const uint8_t *bytes, size_t length);

#endif
