/*
 * Messages survive every way of being cut into pieces, and each error has its name.
 */
#include "os/stream.h"

#include "base/prng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MESSAGE_BYTES_MAX = 300, QUEUE_BYTES_MAX = 1000, LARGE_BYTES = 65536 };

/* Two connected sockets with a reader at one end and a writer at the other. */
typedef struct {
    int near;            /* the writer's socket; -1 when closed */
    int far;             /* the reader's socket; -1 when closed */
    StreamWriter writer; /* sends on near */
    StreamReader reader; /* receives on far */
} Line;

static void line_open(Line *line, int message_bytes_max, int queue_bytes_max)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    line->near = ends[0];
    line->far = ends[1];
    Status status = stream_writer_open(&line->writer, message_bytes_max, queue_bytes_max);
    assert_true(status_is_ok(&status));
    status = stream_reader_open(&line->reader, message_bytes_max);
    assert_true(status_is_ok(&status));
}

/* Closes one end, once. */
static void hang_up(int *end)
{
    if (*end >= 0) {
        (void)close(*end);
        *end = -1;
    }
}

static void line_close(Line *line)
{
    stream_writer_close(&line->writer);
    stream_reader_close(&line->reader);
    hang_up(&line->near);
    hang_up(&line->far);
}

static void send_raw(const Line *line, const void *bytes, size_t length)
{
    assert_int_equal(send(line->near, bytes, length, 0), length);
}

static StreamResult read_result(Line *line)
{
    StreamMessage message;
    return stream_read(&line->reader, line->far, &message);
}

static void assert_message(Line *line, const void *bytes, int length)
{
    StreamMessage message;
    assert_int_equal(stream_read(&line->reader, line->far, &message), STREAM_OK);
    assert_int_equal(message.length, length);
    assert_memory_equal(message.bytes, bytes, (size_t)length);
}

static void the_frame_is_length_and_bytes(void **state)
{
    (void)state;
    Line line;
    line_open(&line, MESSAGE_BYTES_MAX, QUEUE_BYTES_MAX);
    char long_message[258];
    memset(long_message, 'x', sizeof long_message);
    assert_int_equal(stream_write(&line.writer, "ab", 2), STREAM_OK);
    assert_int_equal(stream_write(&line.writer, long_message, 258), STREAM_OK);
    assert_true(stream_has_queued(&line.writer));
    assert_int_equal(stream_flush(&line.writer, line.near), STREAM_OK);
    assert_false(stream_has_queued(&line.writer));
    char received[QUEUE_BYTES_MAX];
    assert_int_equal(recv(line.far, received, sizeof received, 0), 4 + 2 + 4 + 258);
    assert_memory_equal(received, "\0\0\0\2ab\0\0\1\2x", 11);
    line_close(&line);
}

static void every_split_of_two_messages_works(void **state)
{
    (void)state;
    static const char frames[] = "\0\0\0\3abc\0\0\0\1d";
    const size_t bytes = sizeof frames - 1;
    for (size_t first = 0; first <= bytes; first++) {
        for (size_t second = first; second <= bytes; second++) {
            Line line;
            line_open(&line, MESSAGE_BYTES_MAX, QUEUE_BYTES_MAX);
            const size_t cuts[] = {0, first, second, bytes};
            int messages = 0;
            for (int part = 0; part < 3; part++) {
                if (cuts[part] < cuts[part + 1]) {
                    send_raw(&line, frames + cuts[part], cuts[part + 1] - cuts[part]);
                }
                StreamMessage message;
                while (stream_read(&line.reader, line.far, &message) == STREAM_OK) {
                    assert_memory_equal(message.bytes, messages == 0 ? "abc" : "d",
                                        messages == 0 ? 3 : 1);
                    messages++;
                }
                assert_int_equal(read_result(&line), STREAM_AGAIN);
            }
            assert_int_equal(messages, 2);
            hang_up(&line.near);
            assert_int_equal(read_result(&line), STREAM_END);
            line_close(&line);
        }
    }
}

/* The length and the bytes of the message of this number are functions of it. */
static int fill_message(uint8_t *bytes, uint64_t number)
{
    const int length = 1 + (int)(prng_mix(number) % MESSAGE_BYTES_MAX);
    for (int i = 0; i < length; i++) {
        bytes[i] = (uint8_t)(prng_mix(number) >> (i % 8 * 8)) ^ (uint8_t)i;
    }
    return length;
}

/* Reads what there is, a random number of messages at most, and compares. */
static void read_some(Line *line, uint64_t *next, uint64_t count_max)
{
    for (uint64_t i = 0; i < count_max; i++) {
        StreamMessage message;
        const StreamResult result = stream_read(&line->reader, line->far, &message);
        if (result == STREAM_AGAIN) {
            return;
        }
        assert_int_equal(result, STREAM_OK);
        uint8_t expected[MESSAGE_BYTES_MAX];
        assert_int_equal(message.length, fill_message(expected, *next));
        assert_memory_equal(message.bytes, expected, (size_t)message.length);
        (*next)++;
    }
}

/* Raw frames in pieces of random sizes, as a network may deliver them. */
static void random_pieces_are_put_together(void **state)
{
    (void)state;
    enum { MESSAGES = 5000 };
    Prng prng;
    prng_init(&prng, 7);
    Line line;
    line_open(&line, MESSAGE_BYTES_MAX, QUEUE_BYTES_MAX);
    uint64_t next = 0;
    for (uint64_t number = 0; number < MESSAGES; number++) {
        uint8_t frame[STREAM_HEADER_BYTES + MESSAGE_BYTES_MAX] = {0};
        const int length = fill_message(frame + STREAM_HEADER_BYTES, number);
        frame[2] = (uint8_t)(length >> 8);
        frame[3] = (uint8_t)length;
        for (int sent = 0; sent < STREAM_HEADER_BYTES + length;) {
            const int left = STREAM_HEADER_BYTES + length - sent;
            const int wanted = 1 + (int)prng_below(&prng, prng_below(&prng, 2) == 0 ? 4 : 300);
            const int piece = wanted < left ? wanted : left;
            send_raw(&line, frame + sent, (size_t)piece);
            sent += piece;
            if (prng_below(&prng, 3) == 0) {
                read_some(&line, &next, prng_below(&prng, 4));
            }
        }
        if (number % 20 == 0) {
            read_some(&line, &next, MESSAGES);
        }
    }
    read_some(&line, &next, MESSAGES);
    assert_int_equal(next, MESSAGES);
    line_close(&line);
}

/* A small socket buffer and a small queue: the writer is refused and stopped all the time. */
static void a_slow_reader_gets_everything(void **state)
{
    (void)state;
    enum { MESSAGES = 5000 };
    Prng prng;
    prng_init(&prng, 8);
    Line line;
    line_open(&line, MESSAGE_BYTES_MAX, QUEUE_BYTES_MAX);
    const int small = 1;
    assert_int_equal(setsockopt(line.near, SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
    uint64_t next = 0;
    int full = 0;
    int again = 0;
    for (uint64_t number = 0; number < MESSAGES;) {
        uint8_t bytes[MESSAGE_BYTES_MAX];
        const StreamResult written = stream_write(&line.writer, bytes, fill_message(bytes, number));
        number += written == STREAM_OK;
        full += written == STREAM_FULL;
        assert_true(written == STREAM_OK || written == STREAM_FULL);
        if (written == STREAM_FULL || prng_below(&prng, 4) == 0) {
            const StreamResult flushed = stream_flush(&line.writer, line.near);
            again += flushed == STREAM_AGAIN;
            assert_int_equal(stream_has_queued(&line.writer), flushed == STREAM_AGAIN);
        }
        if (full % 8 == 7) {
            read_some(&line, &next, prng_below(&prng, 6));
        }
    }
    while (stream_flush(&line.writer, line.near) == STREAM_AGAIN) {
        read_some(&line, &next, 1);
    }
    read_some(&line, &next, MESSAGES);
    assert_int_equal(next, MESSAGES);
    assert_true(full > 0);
    assert_true(again > 0);
    line_close(&line);
}

static void the_longest_message_passes(void **state)
{
    (void)state;
    Line line;
    line_open(&line, LARGE_BYTES, STREAM_HEADER_BYTES + LARGE_BYTES);
    char *bytes = calloc(1, LARGE_BYTES);
    assert_non_null(bytes);
    bytes[LARGE_BYTES - 1] = 'e';
    for (int round = 0; round < 3; round++) {
        assert_int_equal(stream_write(&line.writer, bytes, LARGE_BYTES), STREAM_OK);
        assert_int_equal(stream_write(&line.writer, "x", 1), STREAM_FULL);
        StreamMessage message;
        StreamResult result;
        do {
            (void)stream_flush(&line.writer, line.near);
            result = stream_read(&line.reader, line.far, &message);
        } while (result == STREAM_AGAIN);
        assert_int_equal(result, STREAM_OK);
        assert_int_equal(message.length, LARGE_BYTES);
        assert_memory_equal(message.bytes, bytes, LARGE_BYTES);
    }
    free(bytes);
    line_close(&line);
}

/* Sends raw bytes after a good message, hangs up, expects that error, and expects it to stay. */
static void assert_read_error(const char *bytes, size_t length, StreamResult expected)
{
    Line line;
    line_open(&line, MESSAGE_BYTES_MAX, QUEUE_BYTES_MAX);
    send_raw(&line, "\0\0\0\2ok", 6);
    send_raw(&line, bytes, length);
    hang_up(&line.near);
    assert_message(&line, "ok", 2);
    assert_int_equal(read_result(&line), expected);
    assert_int_equal(read_result(&line), expected);
    line_close(&line);
}

static void read_errors_have_names_and_stay(void **state)
{
    (void)state;
    assert_read_error("\0\0\0\0abc", 7, STREAM_EMPTY);
    assert_read_error("\0\0\1\x2D", 4, STREAM_TOO_LONG); /* 301 */
    assert_read_error("\xFF\xFF\xFF\xFFzz", 6, STREAM_TOO_LONG);
    assert_read_error("\x80\0\0\0", 4, STREAM_TOO_LONG);
    assert_read_error("GET / HTTP/1.1\r\n", 16, STREAM_TOO_LONG);
    assert_read_error("\0", 1, STREAM_TRUNCATED);
    assert_read_error("\0\0\0\2", 4, STREAM_TRUNCATED);
    assert_read_error("\0\0\0\2a", 5, STREAM_TRUNCATED);
}

static void bad_messages_are_not_queued(void **state)
{
    (void)state;
    Line line;
    line_open(&line, MESSAGE_BYTES_MAX, QUEUE_BYTES_MAX);
    const char bytes[MESSAGE_BYTES_MAX + 1] = "";
    assert_int_equal(stream_write(&line.writer, bytes, 0), STREAM_EMPTY);
    assert_int_equal(stream_write(&line.writer, bytes, -1), STREAM_EMPTY);
    assert_int_equal(stream_write(&line.writer, bytes, MESSAGE_BYTES_MAX + 1), STREAM_TOO_LONG);
    assert_false(stream_has_queued(&line.writer));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(stream_write(&line.writer, bytes, MESSAGE_BYTES_MAX), STREAM_OK);
    }
    assert_int_equal(stream_write(&line.writer, bytes, MESSAGE_BYTES_MAX), STREAM_FULL);
    assert_int_equal(stream_write(&line.writer, bytes, 84), STREAM_OK); /* fills it to the byte */
    assert_int_equal(stream_write(&line.writer, bytes, 1), STREAM_FULL);
    line_close(&line);
}

static void a_gone_peer_is_noticed(void **state)
{
    (void)state;
    Line line;
    line_open(&line, MESSAGE_BYTES_MAX, QUEUE_BYTES_MAX);
    hang_up(&line.far);
    assert_int_equal(stream_write(&line.writer, "ab", 2), STREAM_OK);
    assert_int_equal(stream_flush(&line.writer, line.near), STREAM_BROKEN);
    line_close(&line);

    line_open(&line, MESSAGE_BYTES_MAX, QUEUE_BYTES_MAX);
    send_raw(&line, "x", 1);
    hang_up(&line.far);
    assert_int_equal(read_result(&line), STREAM_BROKEN);
    line_close(&line);
}

static void results_have_texts(void **state)
{
    (void)state;
    for (int result = STREAM_OK; result <= STREAM_BROKEN; result++) {
        assert_string_not_equal(stream_result_text((StreamResult)result), "unknown result");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_frame_is_length_and_bytes),
        cmocka_unit_test(every_split_of_two_messages_works),
        cmocka_unit_test(random_pieces_are_put_together),
        cmocka_unit_test(a_slow_reader_gets_everything),
        cmocka_unit_test(the_longest_message_passes),
        cmocka_unit_test(read_errors_have_names_and_stay),
        cmocka_unit_test(bad_messages_are_not_queued),
        cmocka_unit_test(a_gone_peer_is_noticed),
        cmocka_unit_test(results_have_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
