/*
 * A message is one line, whatever it holds and however many threads write, and a reader who does
 * not read never stops the program.
 */
#include "os/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, LINES_PER_THREAD = 200, TEXT_BYTES = 65536 };

/* A log that writes into a pipe. */
typedef struct {
    Log log;               /* under test */
    int ends[2];           /* of the pipe: read, write */
    char text[TEXT_BYTES]; /* the last thing read, NUL-terminated */
} Fixture;

static void open_log(Fixture *fixture, LogLevel level)
{
    assert_int_equal(pipe(fixture->ends), 0);
    log_init(&fixture->log, "test", level, fixture->ends[1]);
}

/* Ends the log and reads all that it has written. */
static void close_log(Fixture *fixture)
{
    log_destroy(&fixture->log);
    (void)close(fixture->ends[1]);
    size_t length = 0;
    ssize_t count;
    while ((count = read(fixture->ends[0], fixture->text + length, TEXT_BYTES - 1 - length)) > 0) {
        length += (size_t)count;
    }
    fixture->text[length] = '\0';
    (void)close(fixture->ends[0]);
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++) {
        lines++;
    }
    return lines;
}

static void a_line_has_times_program_and_level(void **state)
{
    (void)state;
    Fixture fixture;
    open_log(&fixture, LOG_INFO);
    log_write(&fixture.log, LOG_WARNING, "worker %d of %s", 7, "lab");
    close_log(&fixture);
    int numbers[9];
    int end = 0;
    const int count = sscanf(fixture.text, "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ %d.%6d test warning: %n",
                             &numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4],
                             &numbers[5], &numbers[6], &numbers[7], &numbers[8], &end);
    assert_int_equal(count, 9);
    assert_true(numbers[0] >= 1970);
    assert_int_equal(numbers[7], 0);
    assert_string_equal(fixture.text + end, "worker 7 of lab\n");
}

static void less_important_lines_are_not_written(void **state)
{
    (void)state;
    Fixture fixture;
    open_log(&fixture, LOG_WARNING);
    log_write(&fixture.log, LOG_ERROR, "one");
    log_write(&fixture.log, LOG_WARNING, "two");
    log_write(&fixture.log, LOG_INFO, "three");
    log_write_limited(&fixture.log, LOG_DEBUG, "key", "four");
    close_log(&fixture);
    assert_int_equal(count_lines(fixture.text), 2);
    assert_non_null(strstr(fixture.text, " test error: one\n"));
    assert_non_null(strstr(fixture.text, " test warning: two\n"));
}

static void a_message_is_one_line(void **state)
{
    (void)state;
    Fixture fixture;
    open_log(&fixture, LOG_INFO);
    log_write(&fixture.log, LOG_INFO, "a\nb\x1B[2Jc\x7F\xC3\xA4");
    close_log(&fixture);
    assert_int_equal(count_lines(fixture.text), 1);
    assert_non_null(strstr(fixture.text, "info: a?b?[2Jc?\xC3\xA4\n"));
}

static void a_long_message_is_cut(void **state)
{
    (void)state;
    Fixture fixture;
    open_log(&fixture, LOG_INFO);
    char message[3 * LOG_LINE_BYTES_MAX];
    memset(message, 'm', sizeof message - 1);
    message[sizeof message - 1] = '\0';
    log_write(&fixture.log, LOG_INFO, "%s", message);
    log_write(&fixture.log, LOG_INFO, "next");
    close_log(&fixture);
    assert_int_equal(count_lines(fixture.text), 2);
    assert_int_equal(strchr(fixture.text, '\n') - fixture.text, LOG_LINE_BYTES_MAX - 1);
}

static void a_key_is_limited(void **state)
{
    (void)state;
    Fixture fixture;
    open_log(&fixture, LOG_INFO);
    for (int i = 0; i < 100; i++) {
        log_write_limited(&fixture.log, LOG_INFO, "refused", "refused %d", i);
    }
    log_write_limited(&fixture.log, LOG_INFO, "other", "other");
    log_write(&fixture.log, LOG_INFO, "no limit");
    close_log(&fixture);
    assert_int_equal(count_lines(fixture.text), LOG_LIMIT_LINES_MAX + 2);
}

static void *write_lines(void *log)
{
    for (int i = 0; i < LINES_PER_THREAD; i++) {
        log_write(log, LOG_INFO, "abcdefgh");
        log_write_limited(log, LOG_INFO, "shared", "abcdefgh");
    }
    return NULL;
}

static void threads_do_not_mix_lines(void **state)
{
    (void)state;
    Fixture fixture;
    open_log(&fixture, LOG_INFO);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, write_lines, &fixture.log), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    const int dropped = (int)fixture.log.dropped;
    close_log(&fixture);
    int whole = 0;
    for (const char *at = fixture.text; (at = strstr(at, " test info: abcdefgh\n")) != NULL; at++) {
        whole++;
    }
    assert_int_equal(whole, count_lines(fixture.text));
    assert_int_equal(whole + dropped, THREADS * LINES_PER_THREAD + LOG_LIMIT_LINES_MAX);
}

static void a_full_pipe_drops_lines(void **state)
{
    (void)state;
    Fixture fixture;
    open_log(&fixture, LOG_INFO);
    for (int i = 0; i < 5000; i++) {
        log_write(&fixture.log, LOG_INFO, "nobody reads this");
    }
    const int64_t dropped = fixture.log.dropped;
    assert_true(dropped > 0);
    char room[16384];
    assert_int_equal(read(fixture.ends[0], room, sizeof room), sizeof room);
    log_write(&fixture.log, LOG_INFO, "room again");
    assert_int_equal(fixture.log.dropped, 0);
    close_log(&fixture);
    char expected[64];
    (void)snprintf(expected, sizeof expected, "room again (%d lines lost)\n", (int)dropped);
    assert_non_null(strstr(fixture.text, expected));
}

static void no_log_writes_nothing(void **state)
{
    (void)state;
    log_write(NULL, LOG_ERROR, "nothing");
    log_write_limited(NULL, LOG_ERROR, "key", "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_times_program_and_level),
        cmocka_unit_test(less_important_lines_are_not_written),
        cmocka_unit_test(a_message_is_one_line),
        cmocka_unit_test(a_long_message_is_cut),
        cmocka_unit_test(a_key_is_limited),
        cmocka_unit_test(threads_do_not_mix_lines),
        cmocka_unit_test(a_full_pipe_drops_lines),
        cmocka_unit_test(no_log_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
