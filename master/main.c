/*
 * rookery-master: makes one engine of the workers and bridges that connect to it.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "chess/attacks.h"
#include "master/server.h"
#include "os/descriptors.h"
#include "os/output.h"
#include "os/signals.h"
#include "transport/transport.h"
#include "worker/eval/eval.h"

static const char help[] =
    "usage: rookery-master [--config FILE] [--listen ADDRESS]\n"
    "\n"
    "  --config FILE      read cluster.toml from FILE (default: built-in values); for an address\n"
    "                     that other machines reach it must say insecure = true\n"
    "  --listen ADDRESS   wait for workers and bridges at ADDRESS (default:\n"
    "                     tcp://127.0.0.1:5570)\n"
    "  --version          print the version\n"
    "\n"
    "Ends at SIGTERM, SIGINT or SIGHUP. Exit codes: 0 ended, 1 failed, 2 wrong usage.\n";

typedef struct {
    const char *config; /* path, or NULL */
    const char *listen; /* address, or NULL for the configuration's */
    bool help;          /* --help was given */
    bool version;       /* --version was given */
} Options;

static Status read_options(int argc, char **argv, Options *options)
{
    const Argument table[] = {
        {.name = "--config", .text = &options->config},
        {.name = "--listen", .text = &options->listen},
        {.name = "--help", .flag = &options->help},
        {.name = "--version", .flag = &options->version},
    };
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
    const Status status =
        arguments_parse(argv + 1, argc - 1, table, sizeof table / sizeof table[0], rest);
    if (status_is_ok(&status) && rest[0] != '\0') {
        return status_error(STATUS_INVALID, "unexpected '%.100s' (see rookery-master --help)",
                            rest);
    }
    return status;
}

/* Configuration and command line together; what the line says wins. */
static Status configure(const Options *options, Config *config)
{
    *config = config_default();
    Status status = options->config != NULL ? config_load(options->config, config) : status_ok();
    if (!status_is_ok(&status)) {
        return status;
    }
    if (options->listen != NULL) {
        status =
            config_address_admit(options->listen, CONFIG_ADDRESS_LISTEN, config->network.insecure);
        if (status_is_ok(&status)) {
            (void)snprintf(config->master.listen, sizeof config->master.listen, "%s",
                           options->listen);
        }
    }
    return status;
}

/* Serves until a signal ends it. */
static Status serve(const Config *config, Log *log)
{
    Signals signals;
    Status status = signals_open(&signals);
    if (!status_is_ok(&status)) {
        return status;
    }
    transport_init();
    const ServerOptions options = {
        .address = config->master.listen,
        .network = &config->network,
        .log = log,
    };
    Server *server;
    status = server_new(&options, &server);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (!config_address_is_loopback(config->master.listen)) {
        log_write(log, LOG_WARNING,
                  "insecure: anybody who reaches %s can use or disturb this cluster",
                  config->master.listen);
    }
    log_write(log, LOG_INFO, "listening on %s", config->master.listen);
    server_run(server, signals.descriptor);
    log_write(log, LOG_INFO, "ended by a signal");
    server_destroy(&server);
    return status_ok();
}

static int fail(const Status *status)
{
    fprintf(stderr, "rookery-master: %s\n", status->message);
    return status->code == STATUS_INVALID ? EXIT_CODE_USAGE : EXIT_CODE_FAILURE;
}

int main(int argc, char **argv)
{
    Options options = {0};
    Status status = read_options(argc, argv, &options);
    if (!status_is_ok(&status)) {
        return fail(&status);
    }
    if (options.help || options.version) {
        fputs(options.help ? help : "rookery-master " ROOKERY_VERSION "\n", stdout);
        status = output_finish();
        return status_is_ok(&status) ? EXIT_CODE_OK : fail(&status);
    }
    Config config;
    status = descriptors_open_standard();
    if (status_is_ok(&status)) {
        status = configure(&options, &config);
    }
    if (!status_is_ok(&status)) {
        return fail(&status);
    }
    attacks_init(SLIDER_AUTO);
    eval_init();
    Log log;
    log_init(&log, "rookery-master", LOG_INFO, STDERR_FILENO);
    if (descriptors_raise_limit(DESCRIPTORS_WANTED) < DESCRIPTORS_WANTED) {
        log_write(&log, LOG_WARNING, "few file descriptors: fewer peers than usual can connect");
    }
    status = serve(&config, &log);
    const int exit_code = status_is_ok(&status) ? EXIT_CODE_OK : fail(&status);
    (void)fflush(NULL);
    _exit(exit_code); /* without the library's teardown: see transport_shutdown */
}
