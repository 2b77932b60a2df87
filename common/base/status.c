#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

Status status_ok(void)
{
    return (Status){.code = STATUS_OK};
}

Status status_error(StatusCode code, const char *format, ...)
{
    Status status = {.code = code};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(status.message, sizeof status.message, format, arguments);
    va_end(arguments);
    return status;
}
