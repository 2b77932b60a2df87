#include "os/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"

Status output_finish(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return status_error(STATUS_IO, "cannot write the output: %s",
                            errno != 0 ? strerror(errno) : "a write has failed");
    }
    return status_ok();
}

bool output_answers(const char *program, char *const *words, int count, const char *help)
{
    const int first_count = count > 0 && words[0][0] != '-' ? 2 : 1;
    for (int i = 0; i < count && i < first_count; i++) {
        if (strcmp(words[i], "--help") == 0) {
            fputs(help, stdout);
            return true;
        }
        if (strcmp(words[i], "--version") == 0) {
            printf("%s %s\n", program, ROOKERY_VERSION);
            return true;
        }
    }
    return false;
}

int output_exit_code(const char *program, Status status)
{
    const Status output = output_finish();
    if (status_is_ok(&status)) {
        status = output;
    }
    if (status_is_ok(&status)) {
        return EXIT_CODE_OK;
    }
    fprintf(stderr, "%s: %s\n", program, status.message);
    return status.code == STATUS_INVALID ? EXIT_CODE_USAGE : EXIT_CODE_FAILURE;
}
