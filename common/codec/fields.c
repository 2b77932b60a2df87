#include "codec/fields.h"

#include <msgpack.h>
#include <string.h>

enum { MOVE_BYTES = 2 };

/* msgpack-c writes through this; refusing what does not fit. */
static int append(void *context, const char *bytes, size_t length)
{
    CodecBuffer *buffer = context;
    if (length > sizeof buffer->bytes - buffer->length) {
        return -1;
    }
    memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    return 0;
}

static msgpack_packer packer_of(const Fields *fields)
{
    return (msgpack_packer){.data = fields->buffer, .callback = append};
}

/* Takes the answer of a function of msgpack-c that wrote something. */
static void wrote(Fields *fields, int answer)
{
    if (answer != 0) {
        fields_fail(fields, DECODE_TOO_LARGE);
    }
}

Fields fields_encode(CodecBuffer *buffer)
{
    buffer->length = 0;
    return (Fields){.buffer = buffer};
}

Fields fields_decode(const uint8_t *bytes, size_t length)
{
    return (Fields){.cursor = {.next = bytes, .end = bytes + length}};
}

void fields_fail(Fields *fields, DecodeError error)
{
    if (fields->error == DECODE_OK) {
        fields->error = error;
    }
}

void fields_require(Fields *fields, bool condition)
{
    if (!condition) {
        fields_fail(fields, DECODE_OUT_OF_RANGE);
    }
}

/* Opens the next field: false when an earlier one was wrong. */
static bool begin(Fields *fields)
{
    if (fields->error != DECODE_OK) {
        return false;
    }
    fields->position++;
    return true;
}

/* Reads a token of the wanted kind; false after an error. */
static bool read_kind(Fields *fields, TokenKind kind, Token *token)
{
    const DecodeError error = scan_token(&fields->cursor, token);
    if (error != DECODE_OK) {
        fields_fail(fields, error);
        return false;
    }
    if (token->kind != kind) {
        fields_fail(fields, DECODE_WRONG_FIELD_TYPE);
        return false;
    }
    return true;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

static void write_array(Fields *fields, int count)
{
    msgpack_packer packer = packer_of(fields);
    wrote(fields, msgpack_pack_array(&packer, (size_t)count));
}

void fields_array(Fields *fields, int count)
{
    Token token;
    if (!begin(fields)) {
        return;
    }
    if (!fields_is_decoding(fields)) {
        write_array(fields, count);
    } else if (read_kind(fields, TOKEN_ARRAY, &token) && token.number != (uint64_t)count) {
        fields_fail(fields, DECODE_WRONG_ARITY);
    }
}

static void read_list(Fields *fields, int *count, int count_max)
{
    Token token;
    *count = 0;
    if (!read_kind(fields, TOKEN_ARRAY, &token)) {
        return;
    }
    if (token.number > (uint64_t)count_max) {
        fields_fail(fields, DECODE_TOO_MANY);
        return;
    }
    *count = (int)token.number;
}

void fields_list(Fields *fields, int *count, int count_max)
{
    if (!begin(fields)) {
        return;
    }
    if (fields_is_decoding(fields)) {
        read_list(fields, count, count_max);
    } else if (*count < 0 || *count > count_max) {
        fields_fail(fields, DECODE_TOO_MANY);
    } else {
        write_array(fields, *count);
    }
}

/* ---- Numbers --------------------------------------------------------------------------------- */

void fields_bool(Fields *fields, bool *value)
{
    Token token;
    if (!begin(fields)) {
        return;
    }
    if (!fields_is_decoding(fields)) {
        msgpack_packer packer = packer_of(fields);
        wrote(fields, *value ? msgpack_pack_true(&packer) : msgpack_pack_false(&packer));
    } else if (read_kind(fields, TOKEN_BOOLEAN, &token)) {
        *value = token.number != 0;
    }
}

/* Reads an integer of either sign that fits 64 bits with a sign. */
static void read_signed(Fields *fields, int64_t *value)
{
    Token token;
    const DecodeError error = scan_token(&fields->cursor, &token);
    if (error != DECODE_OK) {
        fields_fail(fields, error);
    } else if (token.kind != TOKEN_UNSIGNED && token.kind != TOKEN_NEGATIVE) {
        fields_fail(fields, DECODE_WRONG_FIELD_TYPE);
    } else if (token.kind == TOKEN_UNSIGNED && token.number > INT64_MAX) {
        fields_fail(fields, DECODE_OUT_OF_RANGE);
    } else {
        *value = (int64_t)token.number;
    }
}

/* A signed field; its value passes through unless there is an error. */
static void signed_field(Fields *fields, int64_t *value, int64_t minimum, int64_t maximum)
{
    if (fields_is_decoding(fields)) {
        read_signed(fields, value);
    }
    if (fields->error != DECODE_OK) {
        return;
    }
    fields_require(fields, *value >= minimum && *value <= maximum);
    if (!fields_is_decoding(fields) && fields->error == DECODE_OK) {
        msgpack_packer packer = packer_of(fields);
        wrote(fields, msgpack_pack_int64(&packer, *value));
    }
}

void fields_int(Fields *fields, int *value, int minimum, int maximum)
{
    if (!begin(fields)) {
        return;
    }
    int64_t wide = *value;
    signed_field(fields, &wide, minimum, maximum);
    if (fields_is_decoding(fields) && fields->error == DECODE_OK) {
        *value = (int)wide;
    }
}

void fields_move(Fields *fields, Move *value)
{
    int wide = *value;
    fields_int(fields, &wide, 0, UINT16_MAX);
    if (fields_is_decoding(fields)) {
        *value = (Move)wide;
    }
}

void fields_duration(Fields *fields, Duration *value, int64_t minimum_us)
{
    if (begin(fields)) {
        signed_field(fields, &value->us, minimum_us, CODEC_DURATION_US_MAX);
    }
}

static bool next_is_nil(const Fields *fields)
{
    Cursor ahead = fields->cursor;
    Token token;
    return scan_token(&ahead, &token) == DECODE_OK && token.kind == TOKEN_NIL;
}

void fields_optional_duration(Fields *fields, bool *has_value, Duration *value, int64_t minimum_us)
{
    Token token;
    if (fields_is_decoding(fields)) {
        *has_value = !next_is_nil(fields);
    }
    if (*has_value) {
        fields_duration(fields, value, minimum_us);
    } else if (!begin(fields)) {
        return;
    } else if (fields_is_decoding(fields)) {
        (void)read_kind(fields, TOKEN_NIL, &token);
        *value = duration_us(0);
    } else {
        msgpack_packer packer = packer_of(fields);
        wrote(fields, msgpack_pack_nil(&packer));
    }
}

/* An unsigned field; *value is untouched when there is an error. */
static void unsigned_field(Fields *fields, uint64_t *value, uint64_t minimum, uint64_t maximum)
{
    Token token = {.number = *value};
    if (!begin(fields) ||
        (fields_is_decoding(fields) && !read_kind(fields, TOKEN_UNSIGNED, &token))) {
        return;
    }
    fields_require(fields, token.number >= minimum && token.number <= maximum);
    if (fields->error != DECODE_OK) {
        return;
    }
    if (fields_is_decoding(fields)) {
        *value = token.number;
    } else {
        msgpack_packer packer = packer_of(fields);
        wrote(fields, msgpack_pack_uint64(&packer, token.number));
    }
}

void fields_uint32(Fields *fields, uint32_t *value, uint32_t minimum)
{
    uint64_t wide = *value;
    unsigned_field(fields, &wide, minimum, UINT32_MAX);
    if (fields_is_decoding(fields)) {
        *value = (uint32_t)wide;
    }
}

void fields_uint64(Fields *fields, uint64_t *value, uint64_t minimum)
{
    unsigned_field(fields, value, minimum, UINT64_MAX);
}

/* ---- Texts and packed lists ------------------------------------------------------------------ */

static bool is_printable(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] < ' ' || bytes[i] > '~') {
            return false;
        }
    }
    return true;
}

/* Checks a text of `length` bytes that has to fit bytes_max with its NUL. */
static bool text_is_good(Fields *fields, const void *bytes, uint64_t length, int bytes_max)
{
    if (length >= (uint64_t)bytes_max) {
        fields_fail(fields, DECODE_TEXT_TOO_LONG);
    } else if (!is_printable(bytes, (size_t)length)) {
        fields_fail(fields, DECODE_BAD_TEXT);
    }
    return fields->error == DECODE_OK;
}

static void write_text(Fields *fields, const char *text, int bytes_max)
{
    const size_t length = strnlen(text, (size_t)bytes_max);
    if (text_is_good(fields, text, length, bytes_max)) {
        msgpack_packer packer = packer_of(fields);
        wrote(fields, msgpack_pack_str_with_body(&packer, text, length));
    }
}

void fields_text(Fields *fields, char *text, int bytes_max)
{
    Token token;
    if (!begin(fields)) {
        return;
    }
    if (!fields_is_decoding(fields)) {
        write_text(fields, text, bytes_max);
    } else if (read_kind(fields, TOKEN_TEXT, &token) &&
               text_is_good(fields, token.bytes, token.number, bytes_max)) {
        memcpy(text, token.bytes, (size_t)token.number);
        text[token.number] = '\0';
    }
}

static void write_moves(Fields *fields, const Move *moves, int count)
{
    msgpack_packer packer = packer_of(fields);
    wrote(fields, msgpack_pack_bin(&packer, (size_t)count * MOVE_BYTES));
    for (int i = 0; i < count; i++) {
        const char bytes[MOVE_BYTES] = {(char)(moves[i] >> 8), (char)moves[i]};
        wrote(fields, append(fields->buffer, bytes, sizeof bytes));
    }
}

static void read_moves(Fields *fields, Move *moves, int *count, int count_max)
{
    Token token;
    *count = 0;
    if (!read_kind(fields, TOKEN_BYTES, &token)) {
        return;
    }
    if (token.number % MOVE_BYTES != 0) {
        fields_fail(fields, DECODE_BAD_LENGTH);
        return;
    }
    if (token.number / MOVE_BYTES > (uint64_t)count_max) {
        fields_fail(fields, DECODE_TOO_MANY);
        return;
    }
    *count = (int)(token.number / MOVE_BYTES);
    for (int i = 0; i < *count; i++) {
        moves[i] = (Move)(token.bytes[i * MOVE_BYTES] << 8 | token.bytes[i * MOVE_BYTES + 1]);
    }
}

void fields_moves(Fields *fields, Move *moves, int *count, int count_max)
{
    if (!begin(fields)) {
        return;
    }
    if (fields_is_decoding(fields)) {
        read_moves(fields, moves, count, count_max);
    } else if (*count < 0 || *count > count_max) {
        fields_fail(fields, DECODE_TOO_MANY);
    } else {
        write_moves(fields, moves, *count);
    }
}

static void check_numbers(Fields *fields, const uint8_t *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        fields_require(fields, numbers[i] > 0);
    }
}

static void read_numbers(Fields *fields, uint8_t *numbers, int count)
{
    Token token;
    if (!read_kind(fields, TOKEN_BYTES, &token)) {
        return;
    }
    if (token.number != (uint64_t)count) {
        fields_fail(fields, DECODE_BAD_LENGTH);
        return;
    }
    check_numbers(fields, token.bytes, count);
    memcpy(numbers, token.bytes, (size_t)count);
}

void fields_numbers(Fields *fields, uint8_t *numbers, int count)
{
    if (!begin(fields)) {
        return;
    }
    if (fields_is_decoding(fields)) {
        read_numbers(fields, numbers, count);
        return;
    }
    check_numbers(fields, numbers, count);
    if (fields->error == DECODE_OK) {
        msgpack_packer packer = packer_of(fields);
        wrote(fields, msgpack_pack_bin_with_body(&packer, numbers, (size_t)count));
    }
}
