#define _GNU_SOURCE 1

#include "os/child.h"

#include "base/check.h"
#include "os/clock.h"
#include "os/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

Child child_none(void)
{
    return (Child){.process = 0, .socket = -1, .end_descriptor = -1};
}

/* What becomes of the descriptors in the child, in this order. Returns 0 or an error number. */
static int describe_descriptors(posix_spawn_file_actions_t *actions, int child_socket)
{
    int error = posix_spawn_file_actions_adddup2(actions, child_socket, CHILD_SOCKET);
    if (error == 0) {
        error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    if (error == 0) {
        error = posix_spawn_file_actions_adddup2(actions, STDERR_FILENO, STDOUT_FILENO);
    }
    if (error == 0) {
        error = posix_spawn_file_actions_addclosefrom_np(actions, CHILD_SOCKET + 1);
    }
    return error;
}

/*
 * Signals as a fresh program expects them: nothing blocked, nothing ignored, but for what a
 * terminal sends to all of its programs, where this one was told to ignore it.
 */
static int describe_signals(posix_spawnattr_t *attributes)
{
    static const int of_terminal[] = {SIGINT, SIGHUP};
    sigset_t none;
    sigset_t reset;
    (void)sigemptyset(&none);
    (void)sigfillset(&reset);
    for (size_t i = 0; i < sizeof of_terminal / sizeof of_terminal[0]; i++) {
        if (signals_is_ignored(of_terminal[i])) {
            (void)sigdelset(&reset, of_terminal[i]);
        }
    }
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) {
        error = posix_spawnattr_setsigdefault(attributes, &reset);
    }
    if (error == 0) {
        error =
            posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    return error;
}

/* Returns 0 and the process, or an error number. */
static int spawn_self(pid_t *process, int child_socket, char *const arguments[])
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    posix_spawnattr_t attributes;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = describe_descriptors(&actions, child_socket);
        if (error == 0) {
            error = describe_signals(&attributes);
        }
        if (error == 0) {
            error =
                posix_spawn(process, "/proc/self/exe", &actions, &attributes, arguments, environ);
        }
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

Status child_start(Child *child, char *const arguments[])
{
    *child = child_none();
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets) != 0) {
        return status_error(STATUS_IO, "cannot make a socket pair: %s", strerror(errno));
    }
    const int error = spawn_self(&child->process, sockets[1], arguments);
    (void)close(sockets[1]);
    if (error != 0) {
        (void)close(sockets[0]);
        *child = child_none();
        return status_error(STATUS_IO, "cannot start %s: %s", arguments[0], strerror(error));
    }
    child->socket = sockets[0];
    child->end_descriptor = pidfd_open(child->process, 0);
    if (child->end_descriptor < 0) {
        const Status status = status_error(STATUS_IO, "cannot watch process %d: %s",
                                           (int)child->process, strerror(errno));
        child_kill(child);
        (void)waitpid(child->process, NULL, 0);
        child->process = 0;
        child_close(child);
        return status;
    }
    return status_ok();
}

Status child_attach(const char *name)
{
    int type = 0;
    socklen_t type_bytes = sizeof type;
    if (getsockopt(CHILD_SOCKET, SOL_SOCKET, SO_TYPE, &type, &type_bytes) != 0 ||
        type != SOCK_STREAM) {
        return status_error(STATUS_INVALID,
                            "descriptor %d is no stream socket: this mode is started by the "
                            "program itself, not by hand",
                            CHILD_SOCKET);
    }
    (void)prctl(PR_SET_NAME, name);
    const int flags = fcntl(CHILD_SOCKET, F_GETFL);
    if (flags < 0 || fcntl(CHILD_SOCKET, F_SETFL, flags | O_NONBLOCK) != 0 ||
        fcntl(CHILD_SOCKET, F_SETFD, FD_CLOEXEC) != 0) {
        return status_error(STATUS_INVALID, "cannot set up descriptor %d: %s", CHILD_SOCKET,
                            strerror(errno));
    }
    return status_ok();
}

bool child_is_running(const Child *child)
{
    return child->process != 0;
}

void child_kill(const Child *child)
{
    /* An unreaped process keeps its number, so this cannot hit a stranger. */
    if (child->process != 0) {
        (void)kill(child->process, SIGKILL);
    }
}

bool child_reap(Child *child, ChildEnd *end)
{
    int wait_status = 0;
    if (child->process == 0 || waitpid(child->process, &wait_status, WNOHANG) != child->process) {
        return false;
    }
    end->is_signal = WIFSIGNALED(wait_status);
    end->code = end->is_signal ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
    child->process = 0;
    return true;
}

static void close_descriptor(int *descriptor)
{
    if (*descriptor >= 0) {
        (void)close(*descriptor);
        *descriptor = -1;
    }
}

void child_close(Child *child)
{
    close_descriptor(&child->socket);
    close_descriptor(&child->end_descriptor);
}

/* Waits until the child has ended and reaps it; gives up after `duration`. */
static void wait_for_end(Child *child, Duration duration)
{
    const Instant deadline = instant_add(clock_now(), duration);
    ChildEnd end;
    while (child_is_running(child) && !child_reap(child, &end)) {
        const Instant now = clock_now();
        if (!instant_is_before(now, deadline)) {
            return;
        }
        struct pollfd ended = {.fd = child->end_descriptor, .events = POLLIN};
        (void)poll(&ended, 1, clock_poll_timeout_ms(now, deadline));
    }
}

void child_stop(Child *child, Duration grace)
{
    close_descriptor(&child->socket);
    wait_for_end(child, grace);
    child_kill(child);
    wait_for_end(child, duration_ms(CHILD_KILL_WAIT_MS));
    child_close(child);
    *child = child_none();
}

pid_t child_abandon(Child *child)
{
    const pid_t process = child->process;
    child_kill(child);
    child_close(child);
    *child = child_none();
    return process;
}

bool child_reap_abandoned(pid_t process)
{
    return waitpid(process, NULL, WNOHANG) != 0;
}
