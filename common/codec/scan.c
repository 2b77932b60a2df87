#include "codec/scan.h"

#include <stdbool.h>

static size_t bytes_left(const Cursor *cursor)
{
    return (size_t)(cursor->end - cursor->next);
}

/* Reads a big-endian number of `size` bytes. */
static DecodeError read_number(Cursor *cursor, unsigned size, uint64_t *number)
{
    if (bytes_left(cursor) < size) {
        return DECODE_TRUNCATED;
    }
    *number = 0;
    for (unsigned i = 0; i < size; i++) {
        *number = *number << 8 | *cursor->next++;
    }
    return DECODE_OK;
}

/* Steps over the bytes of a text, a byte string or a float and notes where they are. */
static DecodeError take_bytes(Cursor *cursor, Token *token)
{
    if (bytes_left(cursor) < token->number) {
        return DECODE_TRUNCATED;
    }
    token->bytes = cursor->next;
    cursor->next += token->number;
    return DECODE_OK;
}

/* A container's elements take one byte at least. */
static DecodeError check_count(const Cursor *cursor, const Token *token)
{
    const uint64_t bytes_per_element = token->kind == TOKEN_MAP ? 2 : 1;
    return token->number * bytes_per_element > bytes_left(cursor) ? DECODE_TRUNCATED : DECODE_OK;
}

/* Reads a signed number of `size` bytes. */
static DecodeError read_signed(Cursor *cursor, unsigned size, Token *token)
{
    const DecodeError error = read_number(cursor, size, &token->number);
    const uint64_t sign = UINT64_C(1) << (size * 8 - 1);
    if (error == DECODE_OK && (token->number & sign) != 0) {
        token->kind = TOKEN_NEGATIVE;
        token->number |= ~(sign - 1);
    }
    return error;
}

/* Reads what follows the head of a token whose number has `size` bytes. */
static DecodeError read_tail(Cursor *cursor, unsigned size, Token *token)
{
    const DecodeError error = read_number(cursor, size, &token->number);
    if (error != DECODE_OK) {
        return error;
    }
    switch (token->kind) {
    case TOKEN_TEXT:
    case TOKEN_BYTES:
        return take_bytes(cursor, token);
    case TOKEN_ARRAY:
    case TOKEN_MAP:
        return check_count(cursor, token);
    default:
        return DECODE_OK;
    }
}

/* Reads a token whose head has its number in its low bits. */
static DecodeError read_short(Cursor *cursor, unsigned head, Token *token)
{
    if (head <= 0x7F) {
        *token = (Token){.kind = TOKEN_UNSIGNED, .number = head};
        return DECODE_OK;
    }
    if (head >= 0xE0) {
        *token = (Token){.kind = TOKEN_NEGATIVE, .number = (uint64_t)((int)head - 0x100)};
        return DECODE_OK;
    }
    if (head >= 0xA0) {
        *token = (Token){.kind = TOKEN_TEXT, .number = head & 0x1F};
        return take_bytes(cursor, token);
    }
    *token = (Token){.kind = head >= 0x90 ? TOKEN_ARRAY : TOKEN_MAP, .number = head & 0x0F};
    return check_count(cursor, token);
}

DecodeError scan_token(Cursor *cursor, Token *token)
{
    uint64_t head;
    const DecodeError error = read_number(cursor, 1, &head);
    if (error != DECODE_OK) {
        return error;
    }
    if (head < 0xC0 || head >= 0xE0) {
        return read_short(cursor, (unsigned)head, token);
    }
    *token = (Token){0};
    switch (head) {
    case 0xC0:
        token->kind = TOKEN_NIL;
        return DECODE_OK;
    case 0xC1:
        return DECODE_BAD_MSGPACK;
    case 0xC2:
    case 0xC3:
        token->kind = TOKEN_BOOLEAN;
        token->number = head & 1;
        return DECODE_OK;
    case 0xC4:
    case 0xC5:
    case 0xC6:
        token->kind = TOKEN_BYTES;
        return read_tail(cursor, 1U << (head - 0xC4), token);
    case 0xCA:
    case 0xCB:
        token->kind = TOKEN_FLOAT;
        return read_tail(cursor, 4U << (head - 0xCA), token);
    case 0xCC:
    case 0xCD:
    case 0xCE:
    case 0xCF:
        token->kind = TOKEN_UNSIGNED;
        return read_tail(cursor, 1U << (head - 0xCC), token);
    case 0xD0:
    case 0xD1:
    case 0xD2:
    case 0xD3:
        token->kind = TOKEN_UNSIGNED;
        return read_signed(cursor, 1U << (head - 0xD0), token);
    case 0xD9:
    case 0xDA:
    case 0xDB:
        token->kind = TOKEN_TEXT;
        return read_tail(cursor, 1U << (head - 0xD9), token);
    case 0xDC:
    case 0xDD:
        token->kind = TOKEN_ARRAY;
        return read_tail(cursor, 2U << (head - 0xDC), token);
    case 0xDE:
    case 0xDF:
        token->kind = TOKEN_MAP;
        return read_tail(cursor, 2U << (head - 0xDE), token);
    default:
        return DECODE_EXT_TYPE;
    }
}

static bool is_container(const Token *token)
{
    return token->kind == TOKEN_ARRAY || token->kind == TOKEN_MAP;
}

DecodeError scan_check(const uint8_t *bytes, size_t length)
{
    Cursor cursor = {.next = bytes, .end = bytes + length};
    uint64_t missing[SCAN_DEPTH_MAX]; /* values still to come in each open container */
    int depth = 0;

    do {
        Token token;
        const DecodeError error = scan_token(&cursor, &token);
        if (error != DECODE_OK) {
            return error;
        }
        if (is_container(&token)) {
            if (depth == SCAN_DEPTH_MAX) {
                return DECODE_TOO_DEEP;
            }
            missing[depth++] = token.kind == TOKEN_MAP ? token.number * 2 : token.number;
        } else if (depth > 0) {
            missing[depth - 1]--;
        }
        /* A container that is full counts as one value of the container around it. */
        while (depth > 0 && missing[depth - 1] == 0) {
            depth--;
            if (depth > 0) {
                missing[depth - 1]--;
            }
        }
    } while (depth > 0);
    return cursor.next == cursor.end ? DECODE_OK : DECODE_TRAILING_BYTES;
}
