/*
 * Embedded cluster: one master and one worker on a thread of this process.
 *
 * They are the same code as the programs rookery-master and rookery-worker and talk over inproc
 * sockets; whoever wants something of them connects to EMBEDDED_ADDRESS. One per process. They
 * share a thread because they mostly work in turns: waking each other would take longer than what
 * they do.
 */
#ifndef ROOKERY_UCI_BRIDGE_EMBEDDED_H
#define ROOKERY_UCI_BRIDGE_EMBEDDED_H

#include <pthread.h>
#include <stdatomic.h>

#include "config/config.h"
#include "messages/messages.h"
#include "os/log.h"

#define EMBEDDED_ADDRESS "inproc://rookery-master"

typedef struct {
    const ConfigNetwork *network; /* borrowed while it runs */
    int slots;                    /* of the worker; 0: all usable processors, up to its maximum */
    int hash_mb;                  /* of its table, which is smaller if memory is short */
    Log *log;                     /* borrowed while it runs; or NULL */
} EmbeddedOptions;

typedef struct {
    EmbeddedOptions options;
    int stop; /* an eventfd that ends the worker, with which both end */
    pthread_t thread;
    char notice[MESSAGE_TEXT_BYTES_MAX]; /* for the user; the thread's until it is published */
    atomic_bool has_notice;              /* publishes it */
} Embedded;

/* Starts the thread. Errors: STATUS_IO. transport_init and the tables' init come before. */
__attribute__((warn_unused_result)) Status embedded_start(Embedded *embedded,
                                                          const EmbeddedOptions *options);

/*
 * What the user should know, once: that the worker has a smaller table than asked for, or that
 * there is none, and why. NULL: nothing. It is known before the worker joins. One thread.
 */
const char *embedded_take_notice(Embedded *embedded);

/* Ends the thread and waits for it. */
void embedded_stop(Embedded *embedded);

#endif
