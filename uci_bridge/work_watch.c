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

/* Whether the command stands in the input, `offset` bytes or more behind what was taken. */
static bool has_command(const LineReader *input, int offset, UciCommand command)
{
    UciText line;
    UciText rest;
    int next = 0;
    for (int at = 0; line_reader_peek(input, &next, &line); at = next) {
        if (at >= offset && uci_parse_command(line, &rest) == command) {
            return true;
        }
    }
    return false;
}

bool work_watch_must_end(void *context)
{
    WorkWatch *watch = context;
    LineReader *input = watch->input;
    while (!input->is_over && line_reader_has_room(input) && is_readable(input->descriptor)) {
        line_reader_fill(input);
    }
    if (is_readable(watch->signals) || nobody_listens() ||
        has_command(input, 0, UCI_COMMAND_STOP)) {
        return true;
    }
    if (!watch->is_settled) {
        watch->is_settled =
            instant_since(clock_now(), watch->began).us >= duration_ms(SCRIPT_MS).us;
        watch->bytes_with = line_reader_waiting(input);
        watch->end_came_with = input->is_over;
        return false;
    }
    return (input->is_over && !watch->end_came_with) ||
           has_command(input, watch->bytes_with, UCI_COMMAND_QUIT);
}
