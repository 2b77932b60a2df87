/*
 * Fuzz target: no bytes harm the decoder, and what it accepts is a message in every respect.
 *
 *   - An accepted message keeps to all limits, encodes, and decodes to the same message.
 *   - Whatever the scan accepts is well formed for msgpack-c too, within memory of a fixed size.
 *
 * Needs no corpus: now and then the mutator begins anew with the golden message of some type.
 *
 *     fuzz_codec -max_total_time=300 -max_len=4096 -malloc_limit_mb=8
 */
#include <stdlib.h>

#include <msgpack.h>

#include "base/check.h"
#include "codec/codec.h"
#include "codec/scan.h"
#include "tests/codec/bodies.h"
#include "tests/codec/golden.h"
#include "tests/codec/limits.h"

enum { RESTART_IN = 64 };

/* libFuzzer calls the first two; it defines the third. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t length_max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t length_max);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t length_max, unsigned seed)
{
    if (seed % RESTART_IN == 0) {
        const unsigned type = seed / RESTART_IN % MESSAGE_TYPE_COUNT;
        length = golden_bytes(golden_hex[type], bytes, length_max);
    }
    return LLVMFuzzerMutate(bytes, length, length_max);
}

static void check_scanned(const uint8_t *bytes, size_t length)
{
    msgpack_unpacked unpacked;
    size_t used = 0;
    msgpack_unpacked_init(&unpacked);
    const msgpack_unpack_return answer =
        msgpack_unpack_next(&unpacked, (const char *)bytes, length, &used);
    CHECK(answer == MSGPACK_UNPACK_SUCCESS && used == length);
    msgpack_unpacked_destroy(&unpacked);
}

static void check_accepted(const Message *message)
{
    static CodecBuffer buffer;
    static Message again;
    CHECK(limits_hold(message));
    const Status status = codec_encode(message, &buffer);
    CHECK(status_is_ok(&status));
    CHECK(codec_decode(buffer.bytes, buffer.length, &again) == DECODE_OK);
    CHECK(bodies_equal(message, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static Message message;
    const DecodeError error = codec_decode(bytes, length, &message);
    if (error == DECODE_OK) {
        check_accepted(&message);
    }
    CHECK(error >= 0 && error < DECODE_ERROR_COUNT);
    if (length > 0 && length <= CODEC_BYTES_MAX && scan_check(bytes, length) == DECODE_OK) {
        check_scanned(bytes, length);
    }
    return 0;
}
