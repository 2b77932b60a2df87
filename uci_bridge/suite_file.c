#include "uci_bridge/suite_file.h"

#include <stdlib.h>
#include <string.h>

#include "os/files.h"

enum { SUITE_FILE_BYTES_MAX = 64 << 20 };

static int count_lines(const char *text)
{
    int lines = 0;
    for (const char *at = text; *at != '\0'; at++) {
        lines += *at == '\n' || at[1] == '\0';
    }
    return lines;
}

Status suite_file_open(const char *path, SuiteFile *file)
{
    int length = 0;
    *file = (SuiteFile){.line = 0};
    const Status status = files_read(path, SUITE_FILE_BYTES_MAX, &file->text, &length);
    if (status_is_ok(&status)) {
        file->next = file->text;
        file->line_count = count_lines(file->text);
    }
    return status;
}

const char *suite_file_next(SuiteFile *file)
{
    while (*file->next != '\0') {
        char *line = file->next;
        const size_t length = strcspn(line, "\n");
        file->next = line[length] == '\0' ? line + length : line + length + 1;
        line[length] = '\0';
        file->line++;
        if (line[strspn(line, " \t\r")] != '\0' && line[0] != '#') {
            return line;
        }
    }
    return NULL;
}

void suite_file_close(SuiteFile *file)
{
    free(file->text);
    *file = (SuiteFile){.line = 0};
}
