#include "uci_bridge/work_watch.h"

#include <poll.h>
#include <unistd.h>

#include "os/clock.h"
#include "uci_bridge/core/uci_parse.h"

enum { SCRIPT_MS = 1000 };

WorkWatch work_watch_begin(LineReader *input, int signals)
{
    return (WorkWatch){.input = input, .signals = signals, .began = clock_now()};
}

static bool is_readable(int descriptor)
{
    struct pollfd item = {.fd = descriptor, .events = POLLIN};
    return poll(&item, 1, 0) > 0;
}

/* The other end of a pipe or a socket is closed: a GUI that was killed sends no quit. */
static bool nobody_listens(void)
{
    struct pollfd item = {.fd = STDOUT_FILENO, .events = 0};
    return poll(&item, 1, 0) > 0 && (item.revents & (POLLERR | POLLHUP)) != 0;
}

/* Looks at the lines that have come since the last look. */
static void scan_lines(WorkWatch *watch)
{
    UciText line;
    UciText rest;
    int at = watch->scanned;
    while (line_reader_peek(watch->input, &watch->scanned, &line)) {
        switch (uci_parse_command(line, &rest)) {
        case UCI_COMMAND_STOP:
            watch->is_told = watch->is_told || !watch->more_waits;
            break;
        case UCI_COMMAND_QUIT:
            watch->is_told = watch->is_told || at >= watch->bytes_with;
            break;
        case UCI_COMMAND_GO:
        case UCI_COMMAND_BENCH:
            watch->more_waits = true;
            break;
        default:
            break;
        }
        at = watch->scanned;
    }
}

bool work_watch_must_end(void *context)
{
    WorkWatch *watch = context;
    LineReader *input = watch->input;
    while (!input->is_over && line_reader_has_room(input) && is_readable(input->descriptor)) {
        line_reader_fill(input);
    }
    const bool is_late = instant_since(clock_now(), watch->began).us >= duration_ms(SCRIPT_MS).us;
    if (!watch->has_looked || !is_late) {
        watch->has_looked = true;
        watch->bytes_with = line_reader_waiting(input);
        watch->end_came_with = input->is_over;
    }
    scan_lines(watch);
    return watch->is_told || (input->is_over && !watch->end_came_with) ||
           is_readable(watch->signals) || nobody_listens();
}
