#include "os/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

Status output_finish(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return status_error(STATUS_IO, "cannot write the output: %s",
                            errno != 0 ? strerror(errno) : "a write has failed");
    }
    return status_ok();
}
