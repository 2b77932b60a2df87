#define _GNU_SOURCE 1

#include "os/host_check.h"

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_address.h"
#include "os/log.h"

typedef struct {
    char host[CONFIG_ADDRESS_BYTES_MAX];
    Log log; /* its own, for the thread may outlive the program's */
} Check;

static void destroy(Check *check)
{
    log_destroy(&check->log);
    free(check);
}

/* The thread: looks the name up. */
static void *look_up(void *argument)
{
    Check *check = argument;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int error = getaddrinfo(check->host, NULL, &hints, &found);
    const int system_error = errno;
    if (error == 0) {
        freeaddrinfo(found);
    } else {
        log_write(&check->log, LOG_WARNING, "the host \"%s\" is not found: %s; trying on",
                  check->host, error == EAI_SYSTEM ? strerror(system_error) : gai_strerror(error));
    }
    destroy(check);
    return NULL;
}

void host_check_begin(const char *address, const char *program, int descriptor)
{
    Check *check = calloc(1, sizeof *check);
    if (check == NULL) {
        return;
    }
    log_init(&check->log, program, LOG_WARNING, descriptor);
    config_address_host(address, check->host);
    pthread_t thread;
    if (pthread_create(&thread, NULL, look_up, check) != 0) {
        destroy(check);
        return;
    }
    (void)pthread_detach(thread);
}
