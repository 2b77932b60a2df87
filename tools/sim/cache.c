#define _GNU_SOURCE 1

#include "tools/sim/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "os/files.h"

enum { CACHE_BYTES_MAX = 1 << 30, LINE_BYTES_MAX = 16384 };

struct Cache {
    char *path;
    int descriptor; /* to append with */
    char *text;     /* the whole file when it was last read */
};

static Status io_error(const char *path)
{
    return status_error(STATUS_IO, "%s: %s", path, strerror(errno));
}

static Status write_text(const Cache *cache, const char *text, size_t length)
{
    const ssize_t written = write(cache->descriptor, text, length);
    if (written < 0) {
        return io_error(cache->path);
    }
    return written == (ssize_t)length
               ? status_ok()
               : status_error(STATUS_IO, "%s: no room for a whole line", cache->path);
}

/* Ends the last line if whoever wrote it was stopped in the midst: the next must not join it. */
static Status end_torn_line(const Cache *cache)
{
    CHECK(cache->text != NULL);
    const size_t length = strlen(cache->text);
    return length > 0 && cache->text[length - 1] != '\n' ? write_text(cache, "\n", 1) : status_ok();
}

/* A file without a place, which this process and those that it forks find as `path`. */
static int open_in_memory(char *path, size_t path_bytes)
{
    const int descriptor = memfd_create("rookery-sim", MFD_CLOEXEC);
    if (descriptor >= 0) {
        CHECK(fcntl(descriptor, F_SETFL, O_APPEND) == 0);
        (void)snprintf(path, path_bytes, "/proc/self/fd/%d", descriptor);
    }
    return descriptor;
}

Status cache_open(const char *path, Cache **cache)
{
    char name[64] = "memory";
    const int descriptor = path != NULL
                               ? open(path, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0666)
                               : open_in_memory(name, sizeof name);
    path = path != NULL ? path : name;
    *cache = NULL;
    if (descriptor < 0) {
        return io_error(path);
    }
    Cache *made = calloc(1, sizeof *made);
    char *copy = strdup(path);
    if (made == NULL || copy == NULL) {
        free(made);
        free(copy);
        (void)close(descriptor);
        return status_error(STATUS_NO_MEMORY, "not enough memory for %s", path);
    }
    made->path = copy;
    made->descriptor = descriptor;
    Status status = cache_refresh(made);
    if (status_is_ok(&status)) {
        status = end_torn_line(made);
    }
    if (!status_is_ok(&status)) {
        cache_close(&made);
    }
    *cache = made;
    return status;
}

void cache_close(Cache **cache)
{
    if (*cache != NULL) {
        (void)close((*cache)->descriptor);
        free((*cache)->text);
        free((*cache)->path);
        free(*cache);
        *cache = NULL;
    }
}

Status cache_refresh(Cache *cache)
{
    int length = 0;
    free(cache->text);
    return files_read(cache->path, CACHE_BYTES_MAX, &cache->text, &length);
}

/* Reads `count` numbers up to the line's end. */
static bool read_numbers(const char *text, int64_t *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        char *end = NULL;
        numbers[i] = strtoll(text, &end, 10);
        if (end == text || (*end != ' ' && *end != '\n')) {
            return false;
        }
        text = end + (*end == ' ');
    }
    return *text == '\n';
}

bool cache_find(const Cache *cache, const char *key, int64_t *numbers, int count)
{
    const size_t length = strlen(key);
    int64_t read[CACHE_NUMBERS_MAX];
    bool is_found = false;
    const char *line = cache->text;
    CHECK(count <= CACHE_NUMBERS_MAX);
    while (line != NULL && *line != '\0') {
        if (strncmp(line, key, length) == 0 && line[length] == '\t' &&
            read_numbers(line + length + 1, read, count)) {
            is_found = true;
            memcpy(numbers, read, (size_t)count * sizeof *numbers);
        }
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return is_found;
}

Status cache_add(Cache *cache, const char *key, const int64_t *numbers, int count)
{
    char line[LINE_BYTES_MAX];
    int used = snprintf(line, sizeof line, "%s\t", key);
    for (int i = 0; i < count && used < LINE_BYTES_MAX; i++) {
        used += snprintf(line + used, (size_t)(LINE_BYTES_MAX - used), "%" PRId64 "%c", numbers[i],
                         i + 1 < count ? ' ' : '\n');
    }
    if (used >= LINE_BYTES_MAX) {
        return status_error(STATUS_IO, "%s: a line is too long", cache->path);
    }
    return write_text(cache, line, (size_t)used);
}
