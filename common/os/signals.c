#include "os/signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

bool signals_is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
           action.sa_handler == SIG_IGN;
}

Status signals_open(Signals *signals)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    signals->descriptor = -1;

    /* A blocked signal waits even where it is ignored, so those that are must not be blocked. */
    sigset_t watched;
    (void)sigemptyset(&watched);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!signals_is_ignored(numbers[i])) {
            (void)sigaddset(&watched, numbers[i]);
        }
    }
    const int error = pthread_sigmask(SIG_BLOCK, &watched, NULL);
    if (error != 0) {
        return status_error(STATUS_IO, "cannot block signals: %s", strerror(error));
    }
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) {
        return status_error(STATUS_IO, "cannot ignore SIGPIPE: %s", strerror(errno));
    }
    signals->descriptor = signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
    if (signals->descriptor < 0) {
        return status_error(STATUS_IO, "cannot open a descriptor for signals: %s", strerror(errno));
    }
    return status_ok();
}

SignalsEvent signals_take(const Signals *signals)
{
    struct signalfd_siginfo info;
    if (read(signals->descriptor, &info, sizeof info) != (ssize_t)sizeof info) {
        return SIGNALS_NONE;
    }
    switch (info.ssi_signo) {
    case SIGTERM:
        return SIGNALS_TERMINATE;
    case SIGINT:
        return SIGNALS_INTERRUPT;
    case SIGHUP:
        return SIGNALS_HANGUP;
    default:
        return SIGNALS_NONE;
    }
}

void signals_close(Signals *signals)
{
    if (signals->descriptor >= 0) {
        (void)close(signals->descriptor);
        signals->descriptor = -1;
    }
}
