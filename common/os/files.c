#include "os/files.h"

#include "base/check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads until the end of the file or `bytes` bytes; returns how many came, -1 on error. */
static int read_all(int descriptor, char *buffer, int bytes)
{
    int total = 0;
    while (total < bytes) {
        const ssize_t count = read(descriptor, buffer + total, (size_t)(bytes - total));
        if (count == 0) {
            break;
        }
        if (count < 0 && errno != EINTR) {
            return -1;
        }
        total += count > 0 ? (int)count : 0;
    }
    return total;
}

static Status read_descriptor(int descriptor, const char *path, int bytes_max, char **text,
                              int *length)
{
    enum { ROOM_FIRST = 1 << 16 };
    /* One byte more than allowed tells a file that is too long from one that just fits. */
    const int room_max = bytes_max + 1;
    char *buffer = NULL;
    int room = 0;
    int count = 0; /* less than the room at the end of the file */
    while (count == room && room < room_max) {
        const int wanted = room == 0 ? ROOM_FIRST : room;
        room = wanted < room_max - room ? room + wanted : room_max;
        char *grown = realloc(buffer, (size_t)room);
        if (grown == NULL) {
            free(buffer);
            return status_error(STATUS_NO_MEMORY, "%s: no memory for %d bytes", path, room);
        }
        buffer = grown;
        const int read_now = read_all(descriptor, buffer + count, room - count);
        if (read_now < 0) {
            const int error = errno;
            free(buffer);
            return status_error(STATUS_IO, "%s: cannot read: %s", path, strerror(error));
        }
        count += read_now;
    }
    if (count > bytes_max) {
        free(buffer);
        return status_error(STATUS_INVALID, "%s: is longer than %d bytes", path, bytes_max);
    }
    buffer[count] = '\0';
    *text = buffer;
    *length = count;
    return status_ok();
}

Status files_read(const char *path, int bytes_max, char **text, int *length)
{
    CHECK(bytes_max > 0 && bytes_max < INT_MAX);
    *text = NULL;
    *length = 0;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return status_error(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO, "%s: cannot open: %s",
                            path, strerror(errno));
    }
    const Status status = read_descriptor(descriptor, path, bytes_max, text, length);
    (void)close(descriptor);
    return status;
}

Status files_try_write(const char *path)
{
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return status_error(STATUS_IO, "%s: %s", path, strerror(errno));
    }
    (void)close(descriptor);
    return status_ok();
}

bool files_are_same(const char *left, const char *right)
{
    struct stat of_left;
    struct stat of_right;
    return stat(left, &of_left) == 0 && stat(right, &of_right) == 0 &&
           of_left.st_dev == of_right.st_dev && of_left.st_ino == of_right.st_ino;
}
