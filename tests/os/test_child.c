/*
 * This test program starts itself: main runs one of the roles below when its arguments name one.
 */
#include "os/child.h"

#include "os/clock.h"
#include "os/stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_MS = 5000, SLOW_MS = 100, ROLE_EXIT_CODE = 7 };

/* ---- The roles, run in the child ---- */

static int wait_for_input(int descriptor)
{
    struct pollfd readable = {.fd = descriptor, .events = POLLIN};
    return poll(&readable, 1, WAIT_MS);
}

/* Sends every byte back until the end of file. */
static int role_echo(void)
{
    char bytes[256];
    for (;;) {
        (void)wait_for_input(CHILD_SOCKET);
        const ssize_t count = read(CHILD_SOCKET, bytes, sizeof bytes);
        if (count == 0) {
            return EXIT_SUCCESS;
        }
        if (count < 0 || write(CHILD_SOCKET, bytes, (size_t)count) != count) {
            return EXIT_FAILURE;
        }
    }
}

/* Reports what it has inherited: one character a question, 'y' or 'n'. */
static int role_inspect(void)
{
    char answers[7] = "";
    char name[16];
    sigset_t blocked;
    struct sigaction pipe_action;
    (void)sigprocmask(SIG_SETMASK, NULL, &blocked);
    (void)sigaction(SIGPIPE, NULL, &pipe_action);
    int extra = 0;
    for (int descriptor = CHILD_SOCKET + 1; descriptor < 256; descriptor++) {
        extra += fcntl(descriptor, F_GETFD) >= 0;
    }
    char byte;
    answers[0] = read(STDIN_FILENO, &byte, 1) == 0 ? 'y' : 'n';
    answers[1] = fcntl(CHILD_SOCKET, F_GETFD) == FD_CLOEXEC ? 'y' : 'n';
    answers[2] = extra == 0 ? 'y' : 'n';
    answers[3] = sigismember(&blocked, SIGTERM) == 0 ? 'y' : 'n';
    answers[4] = pipe_action.sa_handler == SIG_DFL ? 'y' : 'n';
    answers[5] = prctl(PR_GET_NAME, name) == 0 && strcmp(name, "test-child-role") == 0 ? 'y' : 'n';
    return write(CHILD_SOCKET, answers, 6) == 6 ? ROLE_EXIT_CODE : EXIT_FAILURE;
}

/* Has something to do after the end of file. */
static int role_slow(void)
{
    char byte;
    (void)wait_for_input(CHILD_SOCKET);
    if (read(CHILD_SOCKET, &byte, 1) != 0) {
        return EXIT_FAILURE;
    }
    clock_sleep(duration_ms(SLOW_MS));
    return EXIT_SUCCESS;
}

/* Ignores the end of file: it has to be killed. */
static int role_stubborn(void)
{
    clock_sleep(duration_ms(WAIT_MS * 4));
    return EXIT_SUCCESS;
}

/* Starts an echo below itself, passes on its number and dies at once, without any cleaning up. */
static int role_parent(void)
{
    char *const arguments[] = {"test_child", "echo", NULL};
    Child child;
    const Status status = child_start(&child, arguments);
    if (!status_is_ok(&status) ||
        write(CHILD_SOCKET, &child.process, sizeof child.process) != sizeof child.process) {
        return EXIT_FAILURE;
    }
    (void)kill(getpid(), SIGKILL);
    return EXIT_FAILURE;
}

static int run_role(const char *role)
{
    const Status status = child_attach("test-child-role");
    if (!status_is_ok(&status)) {
        return EXIT_FAILURE;
    }
    if (strcmp(role, "echo") == 0) {
        return role_echo();
    }
    if (strcmp(role, "inspect") == 0) {
        return role_inspect();
    }
    if (strcmp(role, "slow") == 0) {
        return role_slow();
    }
    if (strcmp(role, "stubborn") == 0) {
        return role_stubborn();
    }
    if (strcmp(role, "parent") == 0) {
        return role_parent();
    }
    (void)signal(SIGABRT, SIG_DFL);
    (void)prctl(PR_SET_DUMPABLE, 0); /* no core file */
    abort();
}

/* ---- The tests, run in the parent ---- */

static void start(Child *child, char *role)
{
    char *const arguments[] = {"test_child", role, NULL};
    const Status status = child_start(child, arguments);
    assert_string_equal(status.message, "");
    assert_true(child_is_running(child));
}

/* Waits for the end that the child's descriptor announces. */
static ChildEnd wait_and_reap(Child *child)
{
    assert_int_equal(wait_for_input(child->end_descriptor), 1);
    ChildEnd end;
    assert_true(child_reap(child, &end));
    assert_false(child_is_running(child));
    ChildEnd second;
    assert_false(child_reap(child, &second));
    return end;
}

/* Waits for input, then reads exactly so many bytes of what came. */
static void read_exactly(int descriptor, void *bytes, size_t length)
{
    assert_int_equal(wait_for_input(descriptor), 1);
    assert_int_equal(read(descriptor, bytes, length), length);
}

static void messages_go_there_and_back(void **state)
{
    (void)state;
    Child child;
    start(&child, "echo");
    StreamWriter writer;
    StreamReader reader;
    Status status = stream_writer_open(&writer, 100, 1000);
    assert_true(status_is_ok(&status));
    status = stream_reader_open(&reader, 100);
    assert_true(status_is_ok(&status));
    for (int i = 0; i < 100; i++) {
        char text[16];
        const int length = snprintf(text, sizeof text, "message %d", i);
        assert_int_equal(stream_write(&writer, text, length), STREAM_OK);
        assert_int_equal(stream_flush(&writer, child.socket), STREAM_OK);
        StreamMessage message;
        StreamResult result;
        while ((result = stream_read(&reader, child.socket, &message)) == STREAM_AGAIN) {
            assert_int_equal(wait_for_input(child.socket), 1);
        }
        assert_int_equal(result, STREAM_OK);
        assert_int_equal(message.length, length);
        assert_memory_equal(message.bytes, text, (size_t)length);
    }
    stream_writer_close(&writer);
    stream_reader_close(&reader);
    child_stop(&child, duration_ms(WAIT_MS));
}

static void the_child_inherits_nothing_else(void **state)
{
    (void)state;
    int leak[2];
    assert_int_equal(pipe(leak), 0);
    sigset_t terminate;
    sigset_t before;
    (void)sigemptyset(&terminate);
    (void)sigaddset(&terminate, SIGTERM);
    assert_int_equal(sigprocmask(SIG_BLOCK, &terminate, &before), 0);
    (void)signal(SIGPIPE, SIG_IGN);

    Child child;
    start(&child, "inspect");
    char answers[6];
    read_exactly(child.socket, answers, sizeof answers);
    assert_memory_equal(answers, "yyyyyy", sizeof answers);
    const ChildEnd end = wait_and_reap(&child);
    assert_false(end.is_signal);
    assert_int_equal(end.code, ROLE_EXIT_CODE);
    child_close(&child);

    (void)signal(SIGPIPE, SIG_DFL);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    (void)close(leak[0]);
    (void)close(leak[1]);
}

static void an_abort_is_seen(void **state)
{
    (void)state;
    Child child;
    start(&child, "abort");
    const ChildEnd end = wait_and_reap(&child);
    assert_true(end.is_signal);
    assert_int_equal(end.code, SIGABRT);
    char byte;
    assert_int_equal(read(child.socket, &byte, 1), 0);
    child_close(&child);
}

static void a_killed_child_is_reaped(void **state)
{
    (void)state;
    Child child;
    start(&child, "stubborn");
    ChildEnd end;
    assert_false(child_reap(&child, &end));
    child_kill(&child);
    end = wait_and_reap(&child);
    assert_true(end.is_signal);
    assert_int_equal(end.code, SIGKILL);
    child_kill(&child);
    child_close(&child);
    child_close(&child);
}

static void a_polite_child_stops_without_being_killed(void **state)
{
    (void)state;
    Child child;
    start(&child, "slow");
    const pid_t process = child.process;
    const Instant begin = clock_now();
    child_stop(&child, duration_ms(WAIT_MS));
    assert_in_range(instant_since(clock_now(), begin).us, SLOW_MS * 1000, WAIT_MS * 1000 - 1);
    assert_int_equal(kill(process, 0), -1);
    assert_int_equal(errno, ESRCH);
    assert_int_equal(child.socket, -1);
    assert_int_equal(child.end_descriptor, -1);
    child_stop(&child, duration_ms(WAIT_MS));
}

static void a_stubborn_child_is_killed(void **state)
{
    (void)state;
    Child child;
    start(&child, "stubborn");
    const pid_t process = child.process;
    child_stop(&child, duration_ms(50));
    assert_int_equal(kill(process, 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void a_stopped_child_is_killed(void **state)
{
    (void)state;
    Child child;
    start(&child, "echo");
    const pid_t process = child.process;
    assert_int_equal(kill(process, SIGSTOP), 0);
    child_stop(&child, duration_ms(50));
    assert_int_equal(kill(process, 0), -1);
}

/* For when there is no time to wait: it is reaped later. */
static void an_abandoned_child_is_killed(void **state)
{
    (void)state;
    Child child;
    start(&child, "stubborn");
    const pid_t expected = child.process;
    const pid_t process = child_abandon(&child);
    assert_int_equal(process, expected);
    assert_false(child_is_running(&child));
    assert_int_equal(child.socket, -1);
    assert_int_equal(child.end_descriptor, -1);
    assert_int_equal(child_abandon(&child), 0);
    const Instant deadline = instant_add(clock_now(), duration_ms(WAIT_MS));
    while (!child_reap_abandoned(process)) {
        assert_true(instant_is_before(clock_now(), deadline));
        clock_sleep(duration_ms(1));
    }
    assert_int_equal(kill(process, 0), -1);
    assert_int_equal(errno, ESRCH);
}

/* The grandchild becomes ours when its parent dies, so that its end can be seen. */
static void a_child_ends_when_its_parent_dies(void **state)
{
    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    Child child;
    start(&child, "parent");
    pid_t grandchild = 0;
    read_exactly(child.socket, &grandchild, sizeof grandchild);
    const ChildEnd end = wait_and_reap(&child);
    assert_int_equal(end.code, SIGKILL);
    child_close(&child);

    int wait_status = -1;
    const Instant deadline = instant_add(clock_now(), duration_ms(WAIT_MS));
    while (waitpid(grandchild, &wait_status, WNOHANG) != grandchild) {
        assert_true(instant_is_before(clock_now(), deadline));
        clock_sleep(duration_ms(1));
    }
    assert_true(WIFEXITED(wait_status));
    assert_int_equal(WEXITSTATUS(wait_status), EXIT_SUCCESS);
}

static void many_starts_leave_no_descriptor(void **state)
{
    (void)state;
    const int before = dup(STDERR_FILENO);
    (void)close(before);
    for (int i = 0; i < 20; i++) {
        Child child;
        start(&child, "echo");
        child_stop(&child, duration_ms(i % 2 == 0 ? 0 : WAIT_MS));
    }
    const int after = dup(STDERR_FILENO);
    (void)close(after);
    assert_int_equal(before, after);
}

static void by_hand_there_is_no_socket(void **state)
{
    (void)state;
    const int saved = dup(CHILD_SOCKET);
    (void)close(CHILD_SOCKET);
    const Status status = child_attach("test-child-role");
    assert_int_equal(status.code, STATUS_INVALID);
    if (saved >= 0) {
        assert_int_equal(dup2(saved, CHILD_SOCKET), CHILD_SOCKET);
        (void)close(saved);
    }
}

int main(int argument_count, char *arguments[])
{
    if (argument_count > 1) {
        return run_role(arguments[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_go_there_and_back),
        cmocka_unit_test(the_child_inherits_nothing_else),
        cmocka_unit_test(an_abort_is_seen),
        cmocka_unit_test(a_killed_child_is_reaped),
        cmocka_unit_test(a_polite_child_stops_without_being_killed),
        cmocka_unit_test(a_stubborn_child_is_killed),
        cmocka_unit_test(a_stopped_child_is_killed),
        cmocka_unit_test(an_abandoned_child_is_killed),
        cmocka_unit_test(a_child_ends_when_its_parent_dies),
        cmocka_unit_test(many_starts_leave_no_descriptor),
        cmocka_unit_test(by_hand_there_is_no_socket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
