#include "uci_bridge/embedded.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clamp.h"
#include "master/server.h"
#include "os/cpus.h"
#include "worker/worker.h"

static Status open_server(const Embedded *embedded, Server **server)
{
    const ServerOptions options = {
        .address = EMBEDDED_ADDRESS,
        .network = embedded->options.network,
        .log = embedded->options.log,
    };
    return server_new(&options, server);
}

/* Until the worker has ended: the master hears its goodbye. */
static void serve(Server *server, WorkerHost *worker)
{
    while (!worker_has_ended(worker)) {
        PollerItem items[SERVER_ITEMS + WORKER_ITEMS];
        const Instant server_due = server_items(server, items);
        const Instant worker_due = worker_items(worker, items + SERVER_ITEMS);
        poller_wait(items, SERVER_ITEMS + WORKER_ITEMS,
                    instant_is_before(server_due, worker_due) ? server_due : worker_due);
        server_serve(server, items);
        worker_serve(worker, items + SERVER_ITEMS);
    }
}

/* The making of the worker, on a thread of its own. */
typedef struct {
    WorkerOptions options;
    WorkerHost *worker;
    Status status;
    int descriptor; /* an eventfd: it is over */
} Making;

static void *make_worker(void *context)
{
    Making *making = context;
    making->status = worker_open(&making->options, &making->worker);
    CHECK(eventfd_write(making->descriptor, 1) == 0);
    return NULL;
}

/*
 * The master serves meanwhile: a large table takes seconds to clear, and one that says nothing for
 * so long would be given up.
 */
static Status serve_while_making(Server *server, Making *making)
{
    pthread_t thread;
    making->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (making->descriptor < 0) {
        return status_error(STATUS_IO, "no descriptor for the embedded cluster");
    }
    if (pthread_create(&thread, NULL, make_worker, making) != 0) {
        making->status = status_error(STATUS_IO, "no thread for the embedded cluster");
    } else {
        server_run(server, making->descriptor);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    CHECK(close(making->descriptor) == 0);
    return making->status;
}

__attribute__((format(printf, 2, 3))) static void give_notice(Embedded *embedded,
                                                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(embedded->notice, sizeof embedded->notice, format, arguments);
    va_end(arguments);
    atomic_store_explicit(&embedded->has_notice, true, memory_order_release);
}

static void run_both(Embedded *embedded, Server *server)
{
    const ConfigNetwork *network = embedded->options.network;
    Making making = {
        .options =
            {
                .master = EMBEDDED_ADDRESS,
                .name = "embedded",
                .slots = embedded->options.slots > 0 ? embedded->options.slots
                                                     : smaller(cpus_usable(), MESSAGE_SLOTS_MAX),
                .hash_mb = embedded->options.hash_mb,
                .retry_first_ms = network->reconnect_first_ms,
                .retry_last_ms = network->reconnect_last_ms,
                .stop_descriptor = embedded->stop,
                .log = embedded->options.log,
            },
    };
    const Status status = serve_while_making(server, &making);
    if (status_is_ok(&status)) {
        const int hash_mb = worker_hash_mb(making.worker);
        if (hash_mb < making.options.hash_mb) {
            give_notice(embedded, "no memory for a Hash of %d MiB: it is %d MiB",
                        making.options.hash_mb, hash_mb);
        }
        serve(server, making.worker);
    } else {
        give_notice(embedded, "%s", status.message);
        log_write(embedded->options.log, LOG_ERROR, "%s", status.message);
        server_run(server, embedded->stop); /* without a worker, but not silent */
    }
    worker_close(&making.worker);
}

static void *run(void *context)
{
    Embedded *embedded = context;
    Server *server;
    const Status status = open_server(embedded, &server);
    if (status_is_ok(&status)) {
        run_both(embedded, server);
    } else {
        log_write(embedded->options.log, LOG_ERROR, "%s", status.message);
    }
    server_destroy(&server);
    return NULL;
}

Status embedded_start(Embedded *embedded, const EmbeddedOptions *options)
{
    *embedded = (Embedded){.options = *options};
    embedded->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (embedded->stop < 0) {
        return status_error(STATUS_IO, "no descriptor for the embedded cluster");
    }
    if (pthread_create(&embedded->thread, NULL, run, embedded) != 0) {
        CHECK(close(embedded->stop) == 0);
        return status_error(STATUS_IO, "no thread for the embedded cluster");
    }
    return status_ok();
}

const char *embedded_take_notice(Embedded *embedded)
{
    const bool is_new =
        atomic_exchange_explicit(&embedded->has_notice, false, memory_order_acquire);
    return is_new ? embedded->notice : NULL;
}

void embedded_stop(Embedded *embedded)
{
    CHECK(eventfd_write(embedded->stop, 1) == 0);
    CHECK(pthread_join(embedded->thread, NULL) == 0);
    CHECK(close(embedded->stop) == 0);
}
