/*
 * rookery-worker: gives this machine's processors to a master.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "chess/attacks.h"
#include "config/config.h"
#include "messages/messages.h"
#include "os/cpus.h"
#include "os/descriptors.h"
#include "os/host_check.h"
#include "os/output.h"
#include "os/signals.h"
#include "transport/transport.h"
#include "worker/eval/eval.h"
#include "worker/worker.h"

static const char help[] =
    "usage: rookery-worker [OPTION]...\n"
    "\n"
    "Searches for the master at --master until it is told to stop, and waits for a master that is\n"
    "not there yet. SIGTERM or Ctrl-C makes it give its jobs back and leave, a second one leave\n"
    "at once.\n"
    "\n"
    "  --config FILE            read [network] and [worker] of a cluster.toml first; with an\n"
    "                           address beyond this machine it must say insecure = true\n"
    "  --master tcp://HOST:PORT the master to serve (default tcp://127.0.0.1:5570)\n"
    "  --slots N                searches at once (default: every processor it may use)\n"
    "  --hash MB                the table that they share (default 64)\n"
    "  --name NAME              what people see (default: the name of this machine)\n"
    "  --help, --version\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

typedef struct {
    bool help;
    bool version;
    const char *config;
    const char *master;
    const char *name;
    int64_t slots; /* -1: as configured */
    int64_t hash_mb;
} Options;

static Status parse(char *const *words, int count, Options *options)
{
    *options = (Options){.slots = -1, .hash_mb = -1};
    const Argument arguments[] = {
        {.name = "--help", .flag = &options->help},
        {.name = "--version", .flag = &options->version},
        {.name = "--config", .text = &options->config},
        {.name = "--master", .text = &options->master},
        {.name = "--name", .text = &options->name},
        {.name = "--slots", .number = &options->slots, .minimum = 1, .maximum = CONFIG_SLOTS_MAX},
        {.name = "--hash",
         .number = &options->hash_mb,
         .minimum = CONFIG_HASH_MB_MIN,
         .maximum = CONFIG_HASH_MB_MAX},
    };
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
    const Status status = arguments_parse(words, count, arguments,
                                          (int)(sizeof arguments / sizeof arguments[0]), rest);
    if (status_is_ok(&status) && rest[0] != '\0') {
        return status_error(STATUS_INVALID, "unexpected '%.100s' (see rookery-worker --help)",
                            rest);
    }
    return status;
}

/* The host's name, with what a worker's name cannot hold made into dashes. */
static void host_name(char name[CONFIG_NAME_BYTES_MAX])
{
    if (gethostname(name, CONFIG_NAME_BYTES_MAX) != 0 || name[0] == '\0') {
        (void)snprintf(name, CONFIG_NAME_BYTES_MAX, "worker");
    }
    name[CONFIG_NAME_BYTES_MAX - 1] = '\0';
    for (char *at = name; *at != '\0'; at++) {
        const char letter[] = {*at, '\0'};
        const Status status = config_check_worker_name(letter);
        if (!status_is_ok(&status)) {
            *at = '-';
        }
    }
}

/* The configuration file, overridden by the command line, completed by what the machine has. */
static Status configure(const Options *options, Config *config)
{
    *config = config_default();
    Status status = options->config != NULL ? config_load(options->config, config) : status_ok();
    if (status_is_ok(&status) && options->name != NULL) {
        status = config_check_worker_name(options->name);
    }
    if (!status_is_ok(&status)) {
        return status;
    }
    ConfigWorker *worker = &config->worker;
    if (options->master != NULL) {
        (void)snprintf(worker->master, sizeof worker->master, "%s", options->master);
        status =
            config_address_admit(options->master, CONFIG_ADDRESS_CONNECT, config->network.insecure);
    }
    if (options->name != NULL) {
        (void)snprintf(worker->name, sizeof worker->name, "%s", options->name);
    }
    if (worker->name[0] == '\0') {
        host_name(worker->name);
    }
    if (options->slots > 0) {
        worker->slots = (int)options->slots;
    }
    if (worker->slots == 0) {
        const int usable = cpus_usable();
        worker->slots = usable < CONFIG_SLOTS_MAX ? usable : CONFIG_SLOTS_MAX;
    }
    if (options->hash_mb > 0) {
        worker->hash_mb = (int)options->hash_mb;
    }
    return status;
}

static Status serve(const Config *config, Log *log)
{
    Signals signals;
    Status status = signals_open(&signals);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (!config_address_is_loopback(config->worker.master)) {
        log_write(log, LOG_WARNING,
                  "insecure: the connection to %s is open to anybody on that network",
                  config->worker.master);
        host_check_begin(config->worker.master, log->program, log->descriptor);
    }
    transport_init();
    attacks_init(SLIDER_AUTO);
    eval_init();
    const WorkerOptions options = {
        .master = config->worker.master,
        .insecure = config->network.insecure,
        .name = config->worker.name,
        .slots = config->worker.slots,
        .hash_mb = config->worker.hash_mb,
        .retry_first_ms = config->network.reconnect_first_ms,
        .retry_last_ms = config->network.reconnect_last_ms,
        .stop_descriptor = signals.descriptor,
        .log = log,
    };
    status = worker_run(&options);
    signals_close(&signals);
    return status;
}

/* Works as configured until a signal ends it. */
static Status work(const Options *options)
{
    Config config;
    Status status = configure(options, &config);
    if (status_is_ok(&status)) {
        Log log;
        log_init(&log, "rookery-worker", LOG_INFO, STDERR_FILENO);
        status = serve(&config, &log);
        log_destroy(&log);
    }
    return status;
}

static int run(char *const *words, int count)
{
    Options options;
    Status status = parse(words, count, &options);
    if (status_is_ok(&status) && (options.help || options.version)) {
        fputs(options.help ? help : "rookery-worker " ROOKERY_VERSION "\n", stdout);
    } else if (status_is_ok(&status)) {
        status = work(&options);
    }
    return output_exit_code("rookery-worker", status);
}

int main(int argc, char **argv)
{
    const Status status = descriptors_open_standard();
    const int exit_code = status_is_ok(&status) ? run(argv + 1, argc - 1) : EXIT_CODE_FAILURE;
    /* Without the library's teardown, which can crash (transport.h). */
    (void)fflush(stdout);
    _exit(exit_code);
}
