/*
 * Golden bytes: one message of each type as docs/protocol.md says it looks on the wire. They were
 * packed by another program than ours. A change here is a new protocol version.
 *
 * test_golden.c has the same messages as structs; the fuzz target starts from these bytes.
 */
#ifndef ROOKERY_TESTS_CODEC_GOLDEN_H
#define ROOKERY_TESTS_CODEC_GOLDEN_H

#include "codec/codec.h"

enum { GOLDEN_BYTES_MAX = 256 };

/* [0x0123456789abcdef, 7, 5, 300, 1] */
#define GOLDEN_JOB_ID "95cf0123456789abcdef0705cd012c01"

/* [FEN of the start, false, e2e4 e7e5] */
#define GOLDEN_POSITION                                                                            \
    "93d938726e62716b626e722f70707070707070702f382f382f382f382f50505050505050502f524e42514b424e52" \
    "2077204b516b71202d20302031c2c404070c0934"

/* [-37, exact, 12, 20, g1f3 b8c6] */
#define GOLDEN_LINE "95d0db030c14c40405460ab9"

static const char *const golden_hex[MESSAGE_TYPE_COUNT] = {
    [MESSAGE_OPEN] = "930005a7726f6f6b657279",
    [MESSAGE_OPENED] = "9301cf0123456789abcdef07",
    [MESSAGE_SEARCH] = "960205" GOLDEN_POSITION "9cce03938700d2ffe91ca0ce000927c00028c0000000c2c3"
                       "c402054601cd7530",
    [MESSAGE_STOP] = "920305",
    [MESSAGE_PONDERHIT] = "920405",
    [MESSAGE_NEW_GAME] = "920507",
    [MESSAGE_CLOSE] = "9106",
    [MESSAGE_INFO] = "97070500" GOLDEN_LINE "ce0012d687ce0003d09011",
    [MESSAGE_BESTMOVE] = "940805cd054600",
    [MESSAGE_STATUS] = "9309cf0123456789abcdef92"
                       "9701a2706904ce000493e00cccfac3"
                       "97ce00011170a56c61622d3710ce00f424000000c2",
    [MESSAGE_ERROR] = "930a01b17570646174652074686520776f726b6572",
    [MESSAGE_PING] = "920bcfffffffffffffffff",
    [MESSAGE_PONG] = "920c00",
    [MESSAGE_HELLO] = "980d05cffedcba9876543210a5302e312e30a56c61622d371040ce000f4240",
    [MESSAGE_WELCOME] = "950ecf0123456789abcdef03ce000186a0ce0016e360",
    [MESSAGE_HEARTBEAT] = "960f03cf000000e8d4a5100029cd03e79192" GOLDEN_JOB_ID "cd1000",
    [MESSAGE_JOB] = "9d10" GOLDEN_JOB_ID GOLDEN_POSITION "c40205460bd182ffcd7d0100c300"
                    "c4040ab90b34c402010290",
    [MESSAGE_IMPROVED] = "9511" GOLDEN_JOB_ID "00" GOLDEN_LINE "cc80",
    [MESSAGE_RESULT] = "9912" GOLDEN_JOB_ID "ccc8c3d0db" GOLDEN_LINE "cd138814"
                       "9292cd0546cd0fa092cdffffcd03e8",
    [MESSAGE_BOUNDS] = "9413" GOLDEN_JOB_ID "03ec",
    [MESSAGE_CANCEL] = "931495cf0123456789abcdef0705000000",
    [MESSAGE_DRAIN] = "9115",
    [MESSAGE_BYE] = "921603",
    [MESSAGE_RESET] = "9117",
    [MESSAGE_OFFER] = "9d18" GOLDEN_JOB_ID "03c406054600000ab907ebec01c2ce000186a0"
                      "c40409340b34c402021e95d0ddc30b0109",
    [MESSAGE_PARKED] = "9319" GOLDEN_JOB_ID "c3",
    [MESSAGE_HUNGRY] = "931a" GOLDEN_JOB_ID "03",
    [MESSAGE_TABLE] = "921b9292cf0123456789abcdefcffedcba98765432109205ce00011170",
    [MESSAGE_HEARD] = "931ccd0101c3",
    [MESSAGE_CLEARED] = "921d07",
};

static inline uint8_t golden_digit(char digit)
{
    return (uint8_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/* Turns lower-case hexadecimal digits into at most `bytes_max` bytes; returns how many. */
static inline size_t golden_bytes(const char *hex, uint8_t *bytes, size_t bytes_max)
{
    size_t length = 0;
    for (; length < bytes_max && hex[0] != '\0' && hex[1] != '\0'; hex += 2) {
        bytes[length++] = (uint8_t)(golden_digit(hex[0]) << 4 | golden_digit(hex[1]));
    }
    return length;
}

#endif
