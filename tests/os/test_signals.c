/*
 * Signals arrive through the descriptor, one by one, and SIGPIPE does not end the program.
 */
#include "os/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static int is_readable(const Signals *signals)
{
    struct pollfd readable = {.fd = signals->descriptor, .events = POLLIN};
    return poll(&readable, 1, 0);
}

static void signals_arrive_through_the_descriptor(void **state)
{
    (void)state;
    Signals signals;
    const Status status = signals_open(&signals);
    assert_true(status_is_ok(&status));
    assert_int_equal(is_readable(&signals), 0);
    assert_int_equal(signals_take(&signals), SIGNALS_NONE);

    assert_int_equal(kill(getpid(), SIGTERM), 0);
    assert_int_equal(is_readable(&signals), 1);
    assert_int_equal(signals_take(&signals), SIGNALS_TERMINATE);
    assert_int_equal(signals_take(&signals), SIGNALS_NONE);

    assert_int_equal(kill(getpid(), SIGINT), 0);
    assert_int_equal(signals_take(&signals), SIGNALS_INTERRUPT);
    assert_int_equal(kill(getpid(), SIGHUP), 0);
    assert_int_equal(signals_take(&signals), SIGNALS_HANGUP);
    assert_int_equal(is_readable(&signals), 0);

    signals_close(&signals);
    signals_close(&signals);
    assert_int_equal(signals.descriptor, -1);
}

static void two_signals_are_both_taken(void **state)
{
    (void)state;
    Signals signals;
    const Status status = signals_open(&signals);
    assert_true(status_is_ok(&status));
    assert_int_equal(kill(getpid(), SIGTERM), 0);
    assert_int_equal(kill(getpid(), SIGINT), 0);
    const SignalsEvent first = signals_take(&signals);
    const SignalsEvent second = signals_take(&signals);
    assert_int_equal(first + second, SIGNALS_TERMINATE + SIGNALS_INTERRUPT);
    assert_int_not_equal(first, second);
    assert_int_equal(signals_take(&signals), SIGNALS_NONE);
    signals_close(&signals);
}

static void a_closed_pipe_is_an_error_only(void **state)
{
    (void)state;
    Signals signals;
    const Status status = signals_open(&signals);
    assert_true(status_is_ok(&status));
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(write(ends[1], "x", 1), -1);
    assert_int_equal(errno, EPIPE);
    assert_int_equal(close(ends[1]), 0);
    signals_close(&signals);
}

static void what_was_ignored_stays_so(void **state)
{
    (void)state;
    assert_true(signal(SIGHUP, SIG_IGN) != SIG_ERR);
    Signals signals;
    sigset_t hangup;
    (void)sigemptyset(&hangup);
    (void)sigaddset(&hangup, SIGHUP);
    assert_int_equal(sigprocmask(SIG_UNBLOCK, &hangup, NULL), 0); /* of the tests before */
    assert_true(signals_is_ignored(SIGHUP));
    assert_false(signals_is_ignored(SIGTERM));
    const Status status = signals_open(&signals);
    assert_true(status_is_ok(&status));
    assert_int_equal(kill(getpid(), SIGHUP), 0);
    assert_int_equal(is_readable(&signals), 0);
    assert_int_equal(kill(getpid(), SIGTERM), 0);
    assert_int_equal(signals_take(&signals), SIGNALS_TERMINATE);
    signals_close(&signals);
}

int main(void)
{
    /* A shell's background job has SIGINT ignored, which signals_open respects. */
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGHUP, SIG_DFL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_arrive_through_the_descriptor),
        cmocka_unit_test(two_signals_are_both_taken),
        cmocka_unit_test(a_closed_pipe_is_an_error_only),
        cmocka_unit_test(what_was_ignored_stays_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
