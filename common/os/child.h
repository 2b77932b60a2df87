/*
 * Child: this program's own executable, started again as a process below it.
 *
 * Parent and child share a stream socket. The child finds its end at descriptor CHILD_SOCKET; it
 * inherits nothing else: its input is /dev/null, its output goes to the parent's standard error
 * (a stray printf must never look like UCI), signals are at their defaults and unblocked.
 *
 * The end of file on the socket is the rule of life: when either side is gone, by whatever death,
 * the kernel closes its end and the other one notices. A death signal tied to the parent would not
 * do: it follows the parent's *thread*.
 *
 *     child_start -> running -> (child_kill) -> child_reap is true -> child_close
 *                          \-> child_stop: all of that, within a bounded time
 *                           \-> child_abandon: killed and closed at once, reaped later
 *
 * Nothing here but child_stop waits. One thread uses a Child. Linux 5.3 or later (pidfd_open).
 */
#ifndef ROOKERY_OS_CHILD_H
#define ROOKERY_OS_CHILD_H

#include "base/duration.h"
#include "base/status.h"

#include <stdbool.h>
#include <sys/types.h>

enum {
    CHILD_SOCKET = 3,          /* the child's end of the socket, in the child */
    CHILD_KILL_WAIT_MS = 1000, /* longest wait of child_stop after SIGKILL */
};

typedef struct {
    pid_t process;      /* 0 when there is none or it has been reaped */
    int socket;         /* the parent's end, non-blocking, close-on-exec; -1 when closed */
    int end_descriptor; /* readable once the child has ended: poll for POLLIN; -1 when none */
} Child;

/* How a child ended. */
typedef struct {
    bool is_signal; /* killed by a signal (an abort too), else it exited */
    int code;       /* the signal's number or the exit status */
} ChildEnd;

/* A Child without a process; every other function accepts it. */
Child child_none(void);

/*
 * Starts the executable again. `arguments` is its whole argv, ended by NULL; it is not kept.
 * On failure *child is child_none(). Errors: STATUS_IO.
 */
Status child_start(Child *child, char *const arguments[]);

/*
 * In the child: checks that CHILD_SOCKET is a socket and makes it non-blocking and close-on-exec.
 * Lists of processes then show `name` (its first 15 bytes) and not "exe", as it was started.
 * Errors: STATUS_INVALID when the program was not started by child_start.
 */
Status child_attach(const char *name);

/* Is there a process that has not been reaped yet? */
bool child_is_running(const Child *child);

/* Sends SIGKILL to a child that has not been reaped; the end shows in child_reap. */
void child_kill(const Child *child);

/*
 * Takes the end of the child when it has come: true once per child, with *end filled; the socket
 * stays open for what the child wrote last.
 */
bool child_reap(Child *child, ChildEnd *end);

/* Closes both descriptors. The process must have been reaped, or be left to the end of file. */
void child_close(Child *child);

/*
 * Closes the socket, which asks the child to end, waits up to `grace`, kills it, waits up to
 * CHILD_KILL_WAIT_MS more. Afterwards *child is child_none().
 */
void child_stop(Child *child, Duration grace);

/*
 * Kills the child and closes both descriptors without waiting. Afterwards *child is child_none().
 * Returns the process that is left to child_reap_abandoned, 0 when there was none.
 */
__attribute__((warn_unused_result)) pid_t child_abandon(Child *child);

/* Whether the abandoned process has ended; it has then been reaped, and is not to be named again.
 */
bool child_reap_abandoned(pid_t process);

#endif
