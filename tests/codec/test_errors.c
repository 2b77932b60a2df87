/*
 * Each decode error has its name and its bytes; no byte string does worse than an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "codec/codec.h"
#include "tests/codec/golden.h"
#include "tests/codec/limits.h"

enum { CASE_BYTES_MAX = 1024, RANDOM_STRINGS = 200000, RANDOM_BYTES_MAX = 64 };

/* Bytes that are wrong, and why. */
typedef struct {
    const char *hex;
    const char *why;
} Case;

static void expect_error(const uint8_t *bytes, size_t length, DecodeError expected, const char *why)
{
    static Message message;
    /* A copy of its own on the heap: sanitizers see every read beyond the end. */
    uint8_t *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    const DecodeError error = codec_decode(copy, length, &message);
    free(copy);
    if (error != expected) {
        fail_msg("%s: %s instead of %s", why, codec_error_name(error), codec_error_name(expected));
    }
}

static void expect_errors(const Case *cases, size_t count, DecodeError expected)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[CASE_BYTES_MAX];
        const size_t length = golden_bytes(cases[i].hex, bytes, sizeof bytes);
        expect_error(bytes, length, expected, cases[i].why);
    }
}

static void too_large(void **state)
{
    (void)state;
    /* A byte string that fills the message to the last byte, and to one more. */
    static uint8_t bytes[CODEC_BYTES_MAX + 1] = {0x92, 0x0B, 0xC5, 0xFF, 0xFB};
    expect_error(bytes, CODEC_BYTES_MAX, DECODE_WRONG_FIELD_TYPE, "the largest");
    expect_error(bytes, CODEC_BYTES_MAX + 1, DECODE_TOO_LARGE, "one byte more");
}

static void too_deep(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"929191919191919190", "9 arrays, the last one empty"},
        {"91919191919191919100", "9 arrays"},
        {"81008100810081008100810081008100"
         "8100"
         "00",
         "9 maps"},
    };
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_TOO_DEEP);
    static const Case deepest[] = {{"920b91919191919190", "8 arrays"}};
    expect_errors(deepest, 1, DECODE_WRONG_FIELD_TYPE);

    /* As deep as the longest message allows: no recursion that could end the stack. */
    static uint8_t bytes[CODEC_BYTES_MAX];
    memset(bytes, 0x91, sizeof bytes);
    expect_error(bytes, sizeof bytes, DECODE_TOO_DEEP, "65536 arrays");
}

static void truncated(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"", "nothing"},
        {"92", "no elements"},
        {"920b", "one element of two"},
        {"920bcf00000000000000", "seven bytes of eight"},
        {"930005a7726f6f6b6579", "a text that ends too early"},
        {"930005dbffffffff41", "a text of 4 GiB"},
        {"920bc6ffffffff41", "a byte string of 4 GiB"},
        {"ddffffffff00", "an array of 4 billion"},
        {"9200dfffffffff0000", "a map of 4 billion pairs"},
        {"dfffffffff0000", "a map of 4 billion pairs"},
        {"dc", "no count"},
        {"92cb3ff0", "half a float"},
    };
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_TRUNCATED);
}

static void bad_msgpack(void **state)
{
    (void)state;
    static const Case cases[] = {{"c1", "alone"}, {"920bc1", "as a field"}};
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_BAD_MSGPACK);
}

static void ext_type(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"920bd40100", "fixext 1"},
        {"920bd5010000", "fixext 2"},
        {"920bd6ff00000000", "fixext 4: a timestamp"},
        {"920bd7", "fixext 8"},
        {"920bd8", "fixext 16"},
        {"920bc70001", "ext 8"},
        {"920bc8000001", "ext 16"},
        {"920bc9ffffffff01", "ext 32"},
        {"d40100", "alone"},
    };
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_EXT_TYPE);
}

static void trailing_bytes(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"920b0000", "a byte behind a PING"},
        {"9106"
         "9106",
         "two messages"},
        {"00c1", "a number, then junk"},
    };
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_TRAILING_BYTES);
}

static void unknown_type(void **state)
{
    (void)state;
    static const Case cases[] = {{"911e", "30"}, {"91ceffffffff", "4294967295"}};
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_UNKNOWN_TYPE);
}

static void wrong_arity(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"90", "an empty array"},
        {"910b", "a PING without its number"},
        {"930b0000", "a PING with two numbers"},
        {"920600", "a CLOSE with a body"},
        {"9100", "an OPEN without a version"},
        {"920005", "an OPEN of our version without a name"},
        {"940005a000", "an OPEN of our version with more"},
        {"910d", "a HELLO without a version"},
        {"9314940107050000", "a CANCEL with a job name of four parts"},
        {"9309019195010000"
         "00"
         "00",
         "a STATUS with a row of five"},
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c400"
         "05ff0000c200c400c400"
         "9400c20500",
         "four of the five numbers of a split"},
        {"921b91930506"
         "07",
         "a TABLE with an entry of three"},
        {"921b919105", "a TABLE with an entry of one"},
    };
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_WRONG_ARITY);
}

static void wrong_field_type(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"00", "a number instead of a message"},
        {"810b00", "a map instead of a message"},
        {"a0", "a text instead of a message"},
        {"c0", "nil instead of a message"},
        {"91a0", "a text as type"},
        {"91ff", "a negative type"},
        {"920bff", "a negative number"},
        {"920bc3", "a boolean as number"},
        {"920bcb3ff0000000000000", "a float as number"},
        {"920bca3f800000", "a short float as number"},
        {"9200c0", "nil as version"},
        {"93000501", "a number as text"},
        {"930005c40141", "bytes as text"},
        {"93140100", "a number as job name"},
        {"93090100", "a number as list"},
        {"93090180", "a map as list"},
        {"9309019100", "a number as row"},
        {"930a01c0", "nil as text"},
        {"94080500c0", "nil as move"},
        {"9319" GOLDEN_JOB_ID "01", "a number as boolean"},
        {"931a" GOLDEN_JOB_ID "c2", "a boolean as number"},
        {"921bc400", "bytes as list"},
        {"921b9105", "a number as table entry"},
    };
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_WRONG_FIELD_TYPE);

    static const Case in_search[] = {
        {"960205"
         "93a0c2a0"
         "9cc0c0000000c0000000c2c3c400"
         "0100",
         "a text as moves"},
        {"960205"
         "93a000c400"
         "9cc0c0000000c0000000c2c3c400"
         "0100",
         "a number as boolean"},
        {"960205"
         "93a0c2c400"
         "9cc2c0000000c0000000c2c3c400"
         "0100",
         "a boolean as clock"},
        {"960205"
         "93a0c2c400"
         "9cc0c0c00000c0000000c2c3c400"
         "0100",
         "nil as increment"},
    };
    expect_errors(in_search, sizeof in_search / sizeof in_search[0], DECODE_WRONG_FIELD_TYPE);
}

static void out_of_range(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"91cf0000000100000000", "a type of more than 32 bits"},
        {"920000", "version 0"},
        {"9200ff", "version -1"},
        {"9200ce00010000", "version 65536"},
        {"93010007", "epoch 0"},
        {"93010100", "session 0"},
        {"930101cf0000000100000000", "session of more than 32 bits"},
        {"920300", "search 0"},
        {"921600", "worker 0"},
        {"930a00a0", "error 0"},
        {"930a06a0", "error 6"},
        {"94080500ff", "move -1"},
        {"940805ce0001000000", "move 65536"},
        {"950e0103cd03e7cd03e8", "a heartbeat below 1 ms"},
        {"950e0103cf00001cae8c13e001cd03e8", "a heartbeat above a year"},
        {"950e0103cfffffffffffffffffcd03e8", "a heartbeat beyond 63 bits"},
        {"960f030000cd03e990", "more than all of the hash"},
        {"93149501070005"
         "01"
         "00",
         "a CANCEL of a job of no search"},
        {"931495010705"
         "0001"
         "00",
         "a CANCEL of an attempt at no job"},
        {"931495010705"
         "0100"
         "00",
         "a CANCEL of no attempt at a job"},
        {"931495000705010100", "a CANCEL without an epoch"},
        {"931495010705000003", "a CANCEL of a share of no job"},
        {"931a" GOLDEN_JOB_ID "ff", "hunger below 0"},
        {"931a" GOLDEN_JOB_ID "41", "hunger for 65 shares"},
    };
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_OUT_OF_RANGE);

    static const Case in_job[] = {
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c400"
         "00"
         "ff00"
         "00c200"
         "c400c40090",
         "depth 0"},
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c400"
         "05"
         "0000"
         "00c200"
         "c400c40090",
         "no window"},
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c400"
         "05"
         "ff00"
         "03c200"
         "c400c40090",
         "kind 3"},
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c400"
         "05"
         "d182fe00"
         "00c200"
         "c400c40090",
         "alpha"},
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c400"
         "05"
         "ffcd7d02"
         "00c200"
         "c400c40090",
         "beta"},
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c400"
         "05"
         "ff00"
         "00c200"
         "c4020001c4010090",
         "number 0"},
    };
    expect_errors(in_job, sizeof in_job / sizeof in_job[0], DECODE_OUT_OF_RANGE);
    static const Case in_offer[] = {
        {"9d18" GOLDEN_JOB_ID "00"
         "c400"
         "05ff0000c200c4020001c40101"
         "9500c2050000",
         "share 0"},
        {"9d18" GOLDEN_JOB_ID "03"
         "c400"
         "05ff0000c200c400c400"
         "9500c2050000",
         "an offer of nothing"},
        {"9d18" GOLDEN_JOB_ID "03"
         "c400"
         "05ff0000c200c4020001c40101"
         "95cd7d02c2050000",
         "best"},
        {"9d18" GOLDEN_JOB_ID "03"
         "c400"
         "05ff0000c200c4020001c40101"
         "9500c2000000",
         "root depth 0"},
        {"9d18" GOLDEN_JOB_ID "03"
         "c400"
         "05ff0000c200c4020001c40101"
         "9500c205cc8100",
         "129 double extensions"},
        {"9d18" GOLDEN_JOB_ID "03"
         "c400"
         "05ff0000c200c4020001c40101"
         "9500c20500cd0101",
         "no null move above ply 257"},
    };
    expect_errors(in_offer, sizeof in_offer / sizeof in_offer[0], DECODE_OUT_OF_RANGE);
    static const Case in_line[] = {
        {"9511" GOLDEN_JOB_ID "0095cd7d03000101c4020001"
         "00",
         "a score above none"},
        {"9511" GOLDEN_JOB_ID "009500040101c4020001"
         "00",
         "bound 4"},
        {"9511" GOLDEN_JOB_ID "00950000cd010001c4020001"
         "00",
         "depth 256"},
        {"9511" GOLDEN_JOB_ID "009500000101c400"
         "00",
         "an IMPROVED without a move"},
    };
    expect_errors(in_line, sizeof in_line / sizeof in_line[0], DECODE_OUT_OF_RANGE);
}

/* An OPEN with a name of `length` letters. */
static void expect_name_length(int length, DecodeError expected)
{
    uint8_t bytes[CASE_BYTES_MAX] = {0x93, 0x00, PROTOCOL_VERSION, 0xD9, (uint8_t)length};
    memset(bytes + 5, 'a', (size_t)length);
    expect_error(bytes, (size_t)length + 5, expected, "a name");
}

static void text_too_long(void **state)
{
    (void)state;
    expect_name_length(MESSAGE_NAME_BYTES_MAX - 1, DECODE_OK);
    expect_name_length(MESSAGE_NAME_BYTES_MAX, DECODE_TEXT_TOO_LONG);
    expect_name_length(255, DECODE_TEXT_TOO_LONG);
}

static void bad_text(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"930005a100", "a NUL"},
        {"930005a3610a62", "a newline"},
        {"930005a11b", "an escape"},
        {"930005a17f", "a delete"},
        {"930005a2c3a9", "a letter outside ASCII"},
        {"930005a1ff", "no UTF-8"},
    };
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_BAD_TEXT);
}

/* A STATUS with `count` good rows. */
static size_t status_with_rows(int count, uint8_t *bytes)
{
    static const uint8_t row[] = {0x97, 0x01, 0xA0, 0x01, 0x00, 0x00, 0x00, 0xC2};
    const uint8_t head[] = {0x93, 0x09, 0x01, 0xDC, (uint8_t)(count >> 8), (uint8_t)count};
    memcpy(bytes, head, sizeof head);
    size_t length = sizeof head;
    for (int i = 0; i < count; i++) {
        memcpy(bytes + length, row, sizeof row);
        length += sizeof row;
    }
    return length;
}

/* A HEARTBEAT with `count` busy slots. */
static size_t heartbeat_with_jobs(int count, uint8_t *bytes)
{
    static const uint8_t busy[] = {0x92, 0x95, 0x01, 0x01, 0x01, 0x01, 0x01, 0x00};
    const uint8_t head[] = {
        0x96, 0x0F, 0x03, 0x00, 0x00, 0x00, 0xDC, (uint8_t)(count >> 8), (uint8_t)count};
    memcpy(bytes, head, sizeof head);
    size_t length = sizeof head;
    for (int i = 0; i < count; i++) {
        memcpy(bytes + length, busy, sizeof busy);
        length += sizeof busy;
    }
    return length;
}

/* A TABLE with `count` entries. */
static size_t table_with_entries(int count, uint8_t *bytes)
{
    static const uint8_t entry[] = {0x92, 0x05, 0x06};
    const uint8_t head[] = {0x92, 0x1B, 0xDC, (uint8_t)(count >> 8), (uint8_t)count};
    memcpy(bytes, head, sizeof head);
    size_t length = sizeof head;
    for (int i = 0; i < count; i++) {
        memcpy(bytes + length, entry, sizeof entry);
        length += sizeof entry;
    }
    return length;
}

/* A JOB with a path of `count` moves. */
static size_t job_with_path(int count, uint8_t *bytes)
{
    size_t length = golden_bytes("9d10" GOLDEN_JOB_ID GOLDEN_POSITION, bytes, CASE_BYTES_MAX);
    bytes[length++] = 0xC4;
    bytes[length++] = (uint8_t)(count * 2);
    memset(bytes + length, 1, (size_t)count * 2);
    length += (size_t)count * 2;
    return length + golden_bytes("05ff0000c200c400c40090", bytes + length, CASE_BYTES_MAX - length);
}

static void too_many(void **state)
{
    (void)state;
    static uint8_t bytes[CODEC_BYTES_MAX];
    expect_error(bytes, status_with_rows(MESSAGE_WORKERS_MAX, bytes), DECODE_OK, "rows");
    expect_error(bytes, status_with_rows(MESSAGE_WORKERS_MAX + 1, bytes), DECODE_TOO_MANY,
                 "one row more");
    expect_error(bytes, job_with_path(MESSAGE_PATH_MAX, bytes), DECODE_OK, "a path");
    expect_error(bytes, job_with_path(MESSAGE_PATH_MAX + 1, bytes), DECODE_TOO_MANY,
                 "one move more");
    expect_error(bytes, heartbeat_with_jobs(MESSAGE_BUSY_MAX, bytes), DECODE_OK, "jobs");
    expect_error(bytes, heartbeat_with_jobs(MESSAGE_BUSY_MAX + 1, bytes), DECODE_TOO_MANY,
                 "one job more");
    expect_error(bytes, table_with_entries(MESSAGE_TABLE_ENTRIES_MAX, bytes), DECODE_OK, "entries");
    expect_error(bytes, table_with_entries(MESSAGE_TABLE_ENTRIES_MAX + 1, bytes), DECODE_TOO_MANY,
                 "one entry more");
    static const Case split[] = {{"9d10" GOLDEN_JOB_ID "93a0c2c400"
                                  "c400"
                                  "05ff0000c200c400c400"
                                  "9600c205000000",
                                  "six numbers of a split"}};
    expect_errors(split, 1, DECODE_TOO_MANY);
}

static void bad_length(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c40100"
         "05ff0000c200c400c40090",
         "half a move"},
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c400"
         "05ff0000c200c4020001c40090",
         "no number"},
        {"9d10" GOLDEN_JOB_ID "93a0c2c400"
         "c400"
         "05ff0000c200c400c4010190",
         "no move"},
    };
    expect_errors(cases, sizeof cases / sizeof cases[0], DECODE_BAD_LENGTH);
}

static void every_error_has_a_name(void **state)
{
    (void)state;
    for (int error = 0; error < DECODE_ERROR_COUNT; error++) {
        assert_string_not_equal(codec_error_name((DecodeError)error), "?");
    }
    assert_string_equal(codec_error_name(DECODE_EXT_TYPE), "EXT_TYPE");
    assert_string_equal(codec_error_name(DECODE_ERROR_COUNT), "?");
}

static void every_shorter_golden_message_is_truncated(void **state)
{
    (void)state;
    for (MessageType type = 0; type < MESSAGE_TYPE_COUNT; type++) {
        uint8_t golden[GOLDEN_BYTES_MAX];
        const size_t whole = golden_bytes(golden_hex[type], golden, sizeof golden);
        for (size_t length = 0; length < whole; length++) {
            expect_error(golden, length, DECODE_TRUNCATED, message_type_name(type));
        }
    }
}

/* A message within the limits or an error with a name; returns whether it was a message. */
static bool expect_harmless(const uint8_t *bytes, size_t length)
{
    static Message message;
    const DecodeError error = codec_decode(bytes, length, &message);
    if (error != DECODE_OK) {
        assert_string_not_equal(codec_error_name(error), "?");
        return false;
    }
    if (!limits_hold(&message)) {
        fail_msg("a %s beyond its limits", message_type_name(message.type));
    }
    return true;
}

static void every_flipped_bit_is_harmless(void **state)
{
    (void)state;
    int good = 0;
    for (MessageType type = 0; type < MESSAGE_TYPE_COUNT; type++) {
        uint8_t golden[GOLDEN_BYTES_MAX];
        const size_t length = golden_bytes(golden_hex[type], golden, sizeof golden);
        for (size_t bit = 0; bit < length * 8; bit++) {
            golden[bit / 8] ^= (uint8_t)(1U << bit % 8);
            good += expect_harmless(golden, length);
            golden[bit / 8] ^= (uint8_t)(1U << bit % 8);
        }
    }
    assert_true(good > 0);
}

static void random_bytes_are_harmless(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 22);
    for (int i = 0; i < RANDOM_STRINGS; i++) {
        uint8_t bytes[RANDOM_BYTES_MAX];
        const size_t length = (size_t)prng_below(&prng, RANDOM_BYTES_MAX) + 1;
        for (size_t at = 0; at < length; at++) {
            bytes[at] = (uint8_t)prng_next(&prng);
        }
        bytes[0] = (uint8_t)(0x90 | (bytes[0] & 0x0F));
        (void)expect_harmless(bytes, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_large),
        cmocka_unit_test(too_deep),
        cmocka_unit_test(truncated),
        cmocka_unit_test(bad_msgpack),
        cmocka_unit_test(ext_type),
        cmocka_unit_test(trailing_bytes),
        cmocka_unit_test(unknown_type),
        cmocka_unit_test(wrong_arity),
        cmocka_unit_test(wrong_field_type),
        cmocka_unit_test(out_of_range),
        cmocka_unit_test(text_too_long),
        cmocka_unit_test(bad_text),
        cmocka_unit_test(too_many),
        cmocka_unit_test(bad_length),
        cmocka_unit_test(every_error_has_a_name),
        cmocka_unit_test(every_shorter_golden_message_is_truncated),
        cmocka_unit_test(every_flipped_bit_is_harmless),
        cmocka_unit_test(random_bytes_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
