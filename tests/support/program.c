#include "support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

void program_run(ProgramResult *result, const char *command, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, command);
    const int length = vsnprintf(line, sizeof line, command, arguments);
    va_end(arguments);
    assert_in_range(length, 1, sizeof line - 1);

    FILE *output = popen(line, "r");
    assert_non_null(output);
    const size_t bytes = fread(result->output, 1, sizeof result->output - 1, output);
    result->output[bytes] = '\0';
    while (fgetc(output) != EOF) {
        /* The rest is not kept, but the program must not find its pipe closed. */
    }
    const int status = pclose(output);
    result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void program_expect_output(const ProgramResult *result, const char *text)
{
    if (strstr(result->output, text) == NULL) {
        fail_msg("expected '%s' in:\n%s", text, result->output);
    }
}
