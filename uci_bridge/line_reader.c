#include "uci_bridge/line_reader.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void line_reader_init(LineReader *reader, int descriptor)
{
    reader->descriptor = descriptor;
    reader->start = 0;
    reader->scanned = 0;
    reader->end = 0;
    reader->is_over = false;
    reader->is_skipping = false;
    reader->skipped = 0;
}

/* Makes room: taken lines go, and so does the beginning of a line that is too long. */
static void make_room(LineReader *reader)
{
    memmove(reader->bytes, reader->bytes + reader->start, (size_t)(reader->end - reader->start));
    reader->end -= reader->start;
    reader->scanned -= reader->start;
    reader->start = 0;
    if (reader->end == LINE_READER_BYTES_MAX) {
        reader->end = 0;
        reader->scanned = 0;
        reader->skipped += !reader->is_skipping;
        reader->is_skipping = true;
    }
}

void line_reader_fill(LineReader *reader)
{
    make_room(reader);
    ssize_t count;
    do {
        count = read(reader->descriptor, reader->bytes + reader->end,
                     (size_t)(LINE_READER_BYTES_MAX - reader->end));
    } while (count < 0 && errno == EINTR);
    if (count > 0) {
        reader->end += (int)count;
    } else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) {
        reader->is_over = true;
    }
}

/* The bytes from `start` up to `newline` as a line; false if they are the rest of one too long. */
static bool take(LineReader *reader, int newline, UciText *line)
{
    int length = newline - reader->start;
    if (length > 0 && reader->bytes[newline - 1] == '\r') {
        length--;
    }
    *line = (UciText){.bytes = reader->bytes + reader->start, .length = length};
    reader->start = newline < reader->end ? newline + 1 : newline;
    reader->scanned = reader->start;
    const bool is_whole = !reader->is_skipping;
    reader->is_skipping = false;
    return is_whole;
}

bool line_reader_next(LineReader *reader, UciText *line)
{
    for (;;) {
        const char *newline =
            memchr(reader->bytes + reader->scanned, '\n', (size_t)(reader->end - reader->scanned));
        if (newline != NULL) {
            if (take(reader, (int)(newline - reader->bytes), line)) {
                return true;
            }
            continue;
        }
        reader->scanned = reader->end;
        if (!reader->is_over || reader->start == reader->end) {
            return false;
        }
        return take(reader, reader->end, line);
    }
}

bool line_reader_has_room(const LineReader *reader)
{
    return line_reader_waiting(reader) < LINE_READER_BYTES_MAX;
}

int line_reader_waiting(const LineReader *reader)
{
    return reader->end - reader->start;
}

bool line_reader_peek(const LineReader *reader, int *offset, UciText *line)
{
    const char *bytes = reader->bytes + reader->start + *offset;
    const char *newline = memchr(bytes, '\n', (size_t)(line_reader_waiting(reader) - *offset));
    if (newline == NULL) {
        return false;
    }
    *line = (UciText){.bytes = bytes, .length = (int)(newline - bytes)};
    *offset += line->length + 1;
    return true;
}
