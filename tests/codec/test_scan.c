/*
 * The scan: every head of a token, and agreement with msgpack-c on what is well formed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <msgpack.h>

#include "base/prng.h"
#include "codec/scan.h"
#include "tests/codec/golden.h"

enum { BYTES_MAX = 64, RANDOM_STRINGS = 300000 };

/* A token and how it looks. */
typedef struct {
    const char *hex;
    TokenKind kind;
    uint64_t number;
} Case;

static void every_head_is_read(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"00", TOKEN_UNSIGNED, 0},
        {"7f", TOKEN_UNSIGNED, 127},
        {"80", TOKEN_MAP, 0},
        {"810000", TOKEN_MAP, 1},
        {"90", TOKEN_ARRAY, 0},
        {"920000", TOKEN_ARRAY, 2},
        {"a0", TOKEN_TEXT, 0},
        {"a161", TOKEN_TEXT, 1},
        {"c0", TOKEN_NIL, 0},
        {"c2", TOKEN_BOOLEAN, 0},
        {"c3", TOKEN_BOOLEAN, 1},
        {"c40100", TOKEN_BYTES, 1},
        {"c5000100", TOKEN_BYTES, 1},
        {"c60000000100", TOKEN_BYTES, 1},
        {"ccff", TOKEN_UNSIGNED, 255},
        {"cd1234", TOKEN_UNSIGNED, 0x1234},
        {"ce12345678", TOKEN_UNSIGNED, 0x12345678},
        {"cfffffffffffffffff", TOKEN_UNSIGNED, UINT64_MAX},
        {"d07f", TOKEN_UNSIGNED, 127},
        {"d080", TOKEN_NEGATIVE, (uint64_t)-128},
        {"d18000", TOKEN_NEGATIVE, (uint64_t)-32768},
        {"d280000000", TOKEN_NEGATIVE, (uint64_t)INT32_MIN},
        {"d37fffffffffffffff", TOKEN_UNSIGNED, INT64_MAX},
        {"d38000000000000000", TOKEN_NEGATIVE, (uint64_t)INT64_MIN},
        {"d90161", TOKEN_TEXT, 1},
        {"da000161", TOKEN_TEXT, 1},
        {"db0000000161", TOKEN_TEXT, 1},
        {"dc000100", TOKEN_ARRAY, 1},
        {"dd0000000100", TOKEN_ARRAY, 1},
        {"de00010000", TOKEN_MAP, 1},
        {"df000000010000", TOKEN_MAP, 1},
        {"e0", TOKEN_NEGATIVE, (uint64_t)-32},
        {"ff", TOKEN_NEGATIVE, (uint64_t)-1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[BYTES_MAX];
        const size_t length = golden_bytes(cases[i].hex, bytes, sizeof bytes);
        Cursor cursor = {.next = bytes, .end = bytes + length};
        Token token;
        assert_int_equal(scan_token(&cursor, &token), DECODE_OK);
        if (token.kind != cases[i].kind || token.number != cases[i].number) {
            fail_msg("%s is read as another token", cases[i].hex);
        }
        assert_int_equal(scan_check(bytes, length), DECODE_OK);
    }
}

static void floats_are_stepped_over(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x92, 0xCA, 1, 2, 3, 4, 0xCB, 1, 2, 3, 4, 5, 6, 7, 8};
    assert_int_equal(scan_check(bytes, sizeof bytes), DECODE_OK);
    assert_int_equal(scan_check(bytes, sizeof bytes - 1), DECODE_TRUNCATED);
}

/* Random bytes that look like MessagePack: small containers and few bytes that end it all. */
static size_t random_bytes(Prng *prng, uint8_t *bytes)
{
    static const uint8_t heads[] = {0x80, 0x81, 0x82, 0x90, 0x91, 0x92, 0x93, 0xA1, 0xC0, 0xC3,
                                    0xC4, 0xC5, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xD0, 0xD1,
                                    0xD2, 0xD3, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0xE0};
    const size_t length = 1 + (size_t)prng_below(prng, 12);
    for (size_t i = 0; i < length; i++) {
        bytes[i] = prng_below(prng, 2) == 0 ? heads[prng_below(prng, sizeof heads)]
                                            : (uint8_t)prng_below(prng, 4);
    }
    return length;
}

static bool msgpack_accepts(const uint8_t *bytes, size_t length)
{
    msgpack_unpacked unpacked;
    size_t used = 0;
    msgpack_unpacked_init(&unpacked);
    const msgpack_unpack_return answer =
        msgpack_unpack_next(&unpacked, (const char *)bytes, length, &used);
    msgpack_unpacked_destroy(&unpacked);
    return answer == MSGPACK_UNPACK_SUCCESS && used == length;
}

static void msgpack_c_agrees(void **state)
{
    (void)state;
    int good = 0;
    int bad = 0;
    Prng prng;
    prng_init(&prng, 23);
    for (int i = 0; i < RANDOM_STRINGS; i++) {
        uint8_t bytes[BYTES_MAX];
        const size_t length = random_bytes(&prng, bytes);
        switch (scan_check(bytes, length)) {
        case DECODE_OK:
            assert_true(msgpack_accepts(bytes, length));
            good++;
            break;
        case DECODE_TRAILING_BYTES:
            assert_false(msgpack_accepts(bytes, length));
            bad++;
            break;
        default:
            break; /* not to be shown to msgpack-c: it reserves memory for the declared count */
        }
    }
    assert_true(good > 1000 && bad > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_head_is_read),
        cmocka_unit_test(floats_are_stepped_over),
        cmocka_unit_test(msgpack_c_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
