/*
 * Worker: a machine's search slots at the service of a master.
 *
 * The input and output around the worker core (worker/core/worker.h): one thread that waits for the
 * master's messages, the slots' news and the core's next tick, and carries out what the core says.
 * The program rookery-worker is this and a command line; `rookery` runs it on a thread for the
 * cluster within itself.
 */
#ifndef ROOKERY_WORKER_WORKER_H
#define ROOKERY_WORKER_WORKER_H

#include "base/status.h"
#include "os/log.h"

/* Texts are borrowed for the call. */
typedef struct {
    const char *master;  /* tcp://HOST:PORT or inproc://NAME */
    bool insecure;       /* addresses beyond loopback are allowed */
    const char *name;    /* shown to people: printable, below MESSAGE_NAME_BYTES_MAX bytes */
    int slots;           /* searches at once, 1 to MESSAGE_SLOTS_MAX */
    int hash_mb;         /* the table that they share, 1 to MESSAGE_HASH_MB_MAX */
    int retry_first_ms;  /* longest first pause before it connects again, at least 1 */
    int retry_last_ms;   /* the pause doubles up to this */
    int stop_descriptor; /* readable: finish politely; again, or end of file: at once. Read from. */
    Log *log;            /* NULL: silent */
} WorkerOptions;

/*
 * Serves the master until `stop_descriptor` says stop or the master sends the worker home, through
 * any interruption. Any thread, after transport_init, attacks_init and eval_init; it touches no
 * signals. It needs a stack of 1 MiB.
 * Errors: STATUS_INVALID (address), STATUS_NO_MEMORY, STATUS_IO (no more threads or descriptors).
 */
__attribute__((warn_unused_result)) Status worker_run(const WorkerOptions *options);

#endif
