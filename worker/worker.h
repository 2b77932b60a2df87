/*
 * Worker: a machine's search slots at the service of a master.
 *
 * The input and output around the worker core (worker/core/worker.h): one thread that waits for the
 * master's messages, the slots' news and the core's next tick, and carries out what the core says.
 * The program rookery-worker is this and a command line; for the cluster within itself `rookery`
 * runs it together with a master.
 */
#ifndef ROOKERY_WORKER_WORKER_H
#define ROOKERY_WORKER_WORKER_H

#include "base/status.h"
#include "os/log.h"
#include "transport/poller.h"

/* Borrowed, with its texts, until the worker is closed. */
typedef struct {
    const char *master;  /* tcp://HOST:PORT or inproc://NAME */
    bool insecure;       /* addresses beyond loopback are allowed */
    const char *name;    /* shown to people: printable, below MESSAGE_NAME_BYTES_MAX bytes */
    int slots;           /* searches at once, 1 to MESSAGE_SLOTS_MAX */
    int hash_mb;         /* the table that they share, 1 to MESSAGE_HASH_MB_MAX; see worker_open */
    int retry_first_ms;  /* longest first pause before it connects again, at least 1 */
    int retry_last_ms;   /* the pause doubles up to this */
    int stop_descriptor; /* readable: finish politely; again, or end of file: at once. Read from. */
    Log *log;            /* NULL: silent */
} WorkerOptions;

typedef struct WorkerHost WorkerHost;

enum { WORKER_ITEMS = 3 }; /* what a worker waits for */

/*
 * Makes a worker, which connects once it is served. Takes a second for each few GiB of its table,
 * which is halved until there is memory for it; a warning is logged, and worker_hash_mb tells.
 * Any thread, after transport_init, attacks_init and eval_init; one thread, maybe another, for all
 * that follows. It touches no signals and needs a stack of 1 MiB.
 * Errors: STATUS_INVALID (address), STATUS_NO_MEMORY, STATUS_IO (no more threads or descriptors).
 */
__attribute__((warn_unused_result)) Status worker_open(const WorkerOptions *options,
                                                       WorkerHost **host);

/* Ends whatever it does at once and nulls the pointer; NULL is allowed. */
void worker_close(WorkerHost **host);

/* MiB of its table: `hash_mb` of its options, or less. */
int worker_hash_mb(const WorkerHost *host);

/* Whether it has been stopped or sent home, and has said goodbye. */
bool worker_has_ended(const WorkerHost *host);

/*
 * One round of serving, for whoever waits for other things too: writes down what the worker waits
 * for and returns until when.
 */
Instant worker_items(const WorkerHost *host, PollerItem items[WORKER_ITEMS]);

/* Does what is to be done after such a wait. */
void worker_serve(WorkerHost *host, const PollerItem items[WORKER_ITEMS]);

/*
 * All of these: serves the master until `stop_descriptor` says stop or the master sends the worker
 * home, through any interruption. Errors as worker_open.
 */
__attribute__((warn_unused_result)) Status worker_run(const WorkerOptions *options);

#endif
