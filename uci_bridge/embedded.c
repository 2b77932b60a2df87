#include "uci_bridge/embedded.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"
#include "master/server.h"
#include "os/cpus.h"
#include "worker/worker.h"

static void *run_master(void *context)
{
    const Embedded *embedded = context;
    const ServerOptions options = {
        .address = EMBEDDED_ADDRESS,
        .network = embedded->options.network,
        .log = embedded->options.log,
    };
    Server *server;
    const Status status = server_new(&options, &server);
    if (!status_is_ok(&status)) {
        log_write(embedded->options.log, LOG_ERROR, "%s", status.message);
        return NULL;
    }
    server_run(server, embedded->stop_master);
    server_destroy(&server);
    return NULL;
}

static void *run_worker(void *context)
{
    const Embedded *embedded = context;
    const ConfigNetwork *network = embedded->options.network;
    const WorkerOptions options = {
        .master = EMBEDDED_ADDRESS,
        .name = "embedded",
        .slots = embedded->options.slots > 0 ? embedded->options.slots : cpus_usable(),
        .hash_mb = embedded->options.hash_mb,
        .retry_first_ms = network->reconnect_first_ms,
        .retry_last_ms = network->reconnect_last_ms,
        .stop_descriptor = embedded->stop_worker,
        .log = embedded->options.log,
    };
    const Status status = worker_run(&options);
    if (!status_is_ok(&status)) {
        log_write(embedded->options.log, LOG_ERROR, "%s", status.message);
    }
    return NULL;
}

Status embedded_start(Embedded *embedded, const EmbeddedOptions *options)
{
    *embedded = (Embedded){.options = *options};
    embedded->stop_master = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    embedded->stop_worker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (embedded->stop_master < 0 || embedded->stop_worker < 0) {
        return status_error(STATUS_IO, "no descriptors for the embedded cluster");
    }
    embedded->has_master = pthread_create(&embedded->master, NULL, run_master, embedded) == 0;
    embedded->has_worker = pthread_create(&embedded->worker, NULL, run_worker, embedded) == 0;
    if (!embedded->has_master || !embedded->has_worker) {
        embedded_stop(embedded);
        return status_error(STATUS_IO, "no threads for the embedded cluster");
    }
    return status_ok();
}

static void end_thread(bool has_thread, pthread_t thread, int stop_descriptor)
{
    const eventfd_t stop = 1;
    CHECK(eventfd_write(stop_descriptor, stop) == 0);
    if (has_thread) {
        (void)pthread_join(thread, NULL);
    }
    (void)close(stop_descriptor);
}

void embedded_stop(Embedded *embedded)
{
    end_thread(embedded->has_worker, embedded->worker, embedded->stop_worker);
    end_thread(embedded->has_master, embedded->master, embedded->stop_master);
}
