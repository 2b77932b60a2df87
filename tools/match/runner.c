#define _GNU_SOURCE 1

#include "tools/match/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/signals.h"

extern char **environ;

/* ---- Finding ---- */

static bool find_kind(const char *path, RunnerKind *kind)
{
    const char *name = strrchr(path, '/') + 1;
    const bool is_fastchess = strstr(name, "fastchess") != NULL;
    *kind = is_fastchess ? RUNNER_FASTCHESS : RUNNER_CUTECHESS;
    return is_fastchess || strstr(name, "cutechess") != NULL;
}

static Status find_installed(Runner *runner)
{
    static const char *const names[] = {"fastchess", "cutechess-cli"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const Status status = programs_find(names[i], runner->path);
        if (status_is_ok(&status)) {
            return status;
        }
    }
    return status_error(STATUS_NOT_FOUND,
                        "no match runner on PATH: build fastchess or cutechess-cli from its source "
                        "(both are on GitHub), then put it on PATH or give --runner PROGRAM");
}

Status runner_find(const char *wanted, Runner *runner)
{
    Status status = wanted != NULL ? programs_find(wanted, runner->path) : find_installed(runner);
    if (status_is_ok(&status) && !find_kind(runner->path, &runner->kind)) {
        status = status_error(
            STATUS_INVALID, "--runner: the name must hold fastchess or cutechess, not %s", wanted);
    } else if (!status_is_ok(&status) && wanted != NULL) {
        status = status_error(STATUS_NOT_FOUND,
                              "--runner: %s is no program: build fastchess or cutechess-cli from "
                              "its source (both are on GitHub)",
                              wanted);
    }
    return status;
}

/* ---- Running ---- */

/* Nothing to read, output among our messages. Returns 0 or an error number. */
static int describe_descriptors(posix_spawn_file_actions_t *actions)
{
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0) {
        error = posix_spawn_file_actions_adddup2(actions, STDERR_FILENO, STDOUT_FILENO);
    }
    return error;
}

/*
 * Signals at their defaults, and a process group of its own: Ctrl-C in a terminal must not reach
 * the engines, whose ends would look like crashes. Returns 0 or an error number.
 */
static int describe_process(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t all;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) {
        error = posix_spawnattr_setsigdefault(attributes, &all);
    }
    if (error == 0) {
        error = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    return error;
}

/* Returns 0 and the process, or an error number. */
static int spawn(char *const *words, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = describe_descriptors(&actions);
        if (error == 0) {
            error = describe_process(&attributes);
        }
        if (error == 0) {
            error = posix_spawn(process, words[0], &actions, &attributes, words, environ);
        }
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Waits until the process ends, which `end` tells; returns how many signals came meanwhile. */
static int wait_and_forward(pid_t process, int end, const Signals *signals)
{
    int count = 0;
    struct pollfd waits[] = {{.fd = end, .events = POLLIN},
                             {.fd = signals->descriptor, .events = POLLIN}};
    while (waits[0].revents == 0) {
        if (poll(waits, 2, -1) < 0) {
            waits[0].revents = errno == EINTR ? 0 : POLLERR;
            continue;
        }
        while (signals_take(signals) != SIGNALS_NONE) {
            (void)kill(count == 0 ? process : -process, count == 0 ? SIGINT : SIGKILL);
            count++;
        }
    }
    return count;
}

static Status judge(int end_status, int signal_count)
{
    if (signal_count > 0) {
        return status_error(STATUS_UNAVAILABLE, "the match was ended early by a signal");
    }
    if (WIFSIGNALED(end_status)) {
        return status_error(STATUS_UNAVAILABLE, "the runner was killed by signal %d",
                            WTERMSIG(end_status));
    }
    if (WEXITSTATUS(end_status) != 0) {
        return status_error(STATUS_UNAVAILABLE, "the runner failed with exit code %d",
                            WEXITSTATUS(end_status));
    }
    return status_ok();
}

static Status run_watched(char *const *words, const Signals *signals)
{
    pid_t process;
    const int error = spawn(words, &process);
    if (error != 0) {
        return status_error(STATUS_IO, "cannot start %s: %s", words[0], strerror(error));
    }
    int signal_count = 0;
    const int end = pidfd_open(process, 0);
    if (end >= 0) {
        signal_count = wait_and_forward(process, end, signals);
        (void)close(end);
    }
    int end_status = 0;
    while (waitpid(process, &end_status, 0) < 0 && errno == EINTR) {
        /* Only signals that nobody handles interrupt: wait on. */
    }
    return judge(end_status, signal_count);
}

Status runner_run(char *const *words)
{
    Signals signals;
    Status status = signals_open(&signals);
    if (status_is_ok(&status)) {
        status = run_watched(words, &signals);
        signals_close(&signals);
    }
    return status;
}
