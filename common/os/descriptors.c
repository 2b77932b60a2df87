#include "os/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

Status descriptors_open_standard(void)
{
    /* open() takes the lowest free number, so going upwards fills exactly the gaps. */
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) {
            continue;
        }
        if (open("/dev/null", O_RDWR) != descriptor) {
            return status_error(STATUS_IO, "cannot open /dev/null as descriptor %d: %s", descriptor,
                                strerror(errno));
        }
    }
    return status_ok();
}

static int limit_in_force(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 0;
    }
    return limit.rlim_cur > (rlim_t)INT_MAX ? INT_MAX : (int)limit.rlim_cur;
}

int descriptors_raise_limit(int wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= (rlim_t)wanted) {
        return limit_in_force();
    }
    struct rlimit raised = {.rlim_cur = (rlim_t)wanted, .rlim_max = limit.rlim_max};
    if (limit.rlim_max < (rlim_t)wanted) {
        raised.rlim_max = (rlim_t)wanted; /* succeeds for root only */
    }
    if (setrlimit(RLIMIT_NOFILE, &raised) != 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit_in_force();
}
