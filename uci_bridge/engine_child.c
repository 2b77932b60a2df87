#include "uci_bridge/engine_child.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "codec/codec.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptors.h"
#include "os/host_check.h"
#include "os/log.h"
#include "os/stream.h"
#include "transport/poller.h"
#include "uci_bridge/core/link.h"
#include "uci_bridge/embedded.h"

enum {
    QUEUE_BYTES_MAX = 1 << 20, /* to the parent: it reads at once or is gone */
    OPEN_RETRY_MS = 10,        /* while the master cannot be sent to yet */
    CLOSE_LINGER_MS = 20,      /* for the last message, mostly CLOSE, to leave the process */
};

/* ---- the command line between parent and child ---- */

static void add_word(EngineChildCommand *command, int *count, const char *word)
{
    CHECK(*count < ENGINE_CHILD_WORDS_MAX);
    (void)snprintf(command->text[*count], ENGINE_CHILD_WORD_BYTES_MAX, "%s", word);
    command->words[*count] = command->text[*count];
    (*count)++;
    command->words[*count] = NULL;
}

static void add_number(EngineChildCommand *command, int *count, const char *option, int number)
{
    char word[ENGINE_CHILD_WORD_BYTES_MAX];
    (void)snprintf(word, sizeof word, "%s=%d", option, number);
    add_word(command, count, word);
}

void engine_child_command(EngineChildCommand *command, const ConfigBridge *bridge,
                          const ConfigNetwork *network)
{
    int count = 0;
    add_word(command, &count, "rookery");
    add_word(command, &count, ENGINE_CHILD_OPTION);
    add_number(command, &count, "--threads", bridge->threads);
    add_number(command, &count, "--hash", bridge->hash_mb);
    add_number(command, &count, "--heartbeat", network->heartbeat_ms);
    add_number(command, &count, "--lease", network->lease_ms);
    add_number(command, &count, "--retry-first", network->reconnect_first_ms);
    add_number(command, &count, "--retry-last", network->reconnect_last_ms);
    if (network->insecure) {
        add_word(command, &count, "--insecure");
    }
    if (bridge->cluster[0] != '\0') {
        char word[ENGINE_CHILD_WORD_BYTES_MAX];
        (void)snprintf(word, sizeof word, "--cluster=%s", bridge->cluster);
        add_word(command, &count, word);
    }
}

static Status read_words(char *const *words, int count, Config *config)
{
    int64_t threads = 0;
    int64_t hash = CONFIG_HASH_MB_DEFAULT;
    int64_t heartbeat = CONFIG_HEARTBEAT_MS_DEFAULT;
    int64_t lease = CONFIG_LEASE_MS_DEFAULT;
    int64_t retry_first = CONFIG_RECONNECT_FIRST_MS_DEFAULT;
    int64_t retry_last = CONFIG_RECONNECT_LAST_MS_DEFAULT;
    const char *cluster = "";
    *config = config_default();
    const Argument table[] = {
        {.name = "--threads", .number = &threads, .minimum = 0, .maximum = CONFIG_SLOTS_MAX},
        {.name = "--hash", .number = &hash, .minimum = 1, .maximum = CONFIG_HASH_MB_MAX},
        {.name = "--heartbeat",
         .number = &heartbeat,
         .minimum = CONFIG_HEARTBEAT_MS_MIN,
         .maximum = CONFIG_HEARTBEAT_MS_MAX},
        {.name = "--lease",
         .number = &lease,
         .minimum = CONFIG_LEASE_MS_MIN,
         .maximum = CONFIG_LEASE_MS_MAX},
        {.name = "--retry-first",
         .number = &retry_first,
         .minimum = CONFIG_RECONNECT_MS_MIN,
         .maximum = CONFIG_RECONNECT_MS_MAX},
        {.name = "--retry-last",
         .number = &retry_last,
         .minimum = CONFIG_RECONNECT_MS_MIN,
         .maximum = CONFIG_RECONNECT_MS_MAX},
        {.name = "--cluster", .text = &cluster},
        {.name = "--insecure", .flag = &config->network.insecure},
    };
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
    const Status status =
        arguments_parse(words, count, table, sizeof table / sizeof table[0], rest);
    config->bridge.threads = (int)threads;
    config->bridge.hash_mb = (int)hash;
    config->network.heartbeat_ms = (int)heartbeat;
    config->network.lease_ms = (int)lease;
    config->network.reconnect_first_ms = (int)retry_first;
    config->network.reconnect_last_ms = (int)retry_last;
    (void)snprintf(config->bridge.cluster, sizeof config->bridge.cluster, "%s", cluster);
    return status;
}

/* ---- the child at work ---- */

typedef struct {
    Dealer *dealer;
    Link link;
    StreamReader reader; /* from the parent */
    StreamWriter writer; /* to the parent */
    Embedded *embedded;  /* the cluster of its own; NULL with a remote master */
    Log *log;
    Message message;    /* being passed on */
    CodecBuffer buffer; /* RESET or ERROR of our own */
    CodecBuffer open;   /* OPEN of the parent that the master cannot be sent yet; else empty */
    bool is_over;       /* the parent is gone */
} Relay;

static void to_parent(Relay *relay, const void *bytes, int length)
{
    if (stream_write(&relay->writer, bytes, length) != STREAM_OK) {
        relay->is_over = true; /* a parent that reads nothing any more is no parent */
    }
}

static void say_to_parent(Relay *relay, const Message *message)
{
    const Status status = codec_encode(message, &relay->buffer);
    CHECK(status_is_ok(&status));
    to_parent(relay, relay->buffer.bytes, (int)relay->buffer.length);
}

static void send_reset(Relay *relay)
{
    say_to_parent(relay, &(Message){.type = MESSAGE_RESET});
}

/* Tells the user what the cluster of its own has to say, in an open session: it refuses nothing. */
static void send_notice(Relay *relay)
{
    const char *notice = relay->embedded != NULL ? embedded_take_notice(relay->embedded) : NULL;
    if (notice != NULL) {
        Message message = {.type = MESSAGE_ERROR, .error.code = ERROR_FULL};
        (void)snprintf(message.error.text, sizeof message.error.text, "%s", notice);
        say_to_parent(relay, &message);
    }
}

static void reconnect(Relay *relay)
{
    const Status status = dealer_open(relay->dealer);
    if (!status_is_ok(&status)) {
        log_write_limited(relay->log, LOG_ERROR, "connect", "%s", status.message);
    }
}

/* OPEN waits until the master can be sent to, in place of an older one. */
static void keep_open(Relay *relay, const void *bytes, int length)
{
    CHECK(bytes != NULL);
    relay->open.length = (size_t)length;
    memcpy(relay->open.bytes, bytes, (size_t)length);
}

/*
 * A message of the parent that the connection does not take is lost, and asked for again, but the
 * first OPEN often comes before the connection: it waits, so that a start costs no second.
 */
static void to_master(Relay *relay, const void *bytes, int length)
{
    CHECK(bytes != NULL);
    const TransportResult result = dealer_send(relay->dealer, bytes, length);
    if (result == TRANSPORT_PEER_GONE) {
        log_write_limited(relay->log, LOG_WARNING, "send", "the connection to the master is shut");
    }
    if (relay->message.type == MESSAGE_OPEN) {
        relay->open.length = 0;
        if (result == TRANSPORT_PEER_FULL) {
            keep_open(relay, bytes, length);
        }
    }
}

static void send_waiting_open(Relay *relay)
{
    if (relay->open.length > 0 && relay->link.is_connected &&
        dealer_send(relay->dealer, relay->open.bytes, (int)relay->open.length) !=
            TRANSPORT_PEER_FULL) {
        relay->open.length = 0;
    }
}

/* Steps the link with a message in its bytes (NULL for a TICK) and does what it says. */
static void step(Relay *relay, LinkEventType type, const void *bytes, int length)
{
    if (bytes != NULL && codec_decode(bytes, (size_t)length, &relay->message) != DECODE_OK) {
        log_write_limited(relay->log, LOG_WARNING, "decode", "bytes that are no message came %s",
                          type == LINK_FROM_MASTER ? "from the master" : "from the bridge");
        return;
    }
    const LinkEvent event = {.type = type, .now = clock_now(), .message = &relay->message};
    switch (link_step(&relay->link, &event)) {
    case LINK_CONNECT:
        reconnect(relay);
        break;
    case LINK_DISCONNECT:
        dealer_close(relay->dealer);
        relay->open.length = 0; /* the parent says it again after the RESET */
        send_reset(relay);
        break;
    case LINK_PASS_ON:
        if (type == LINK_FROM_MASTER) {
            if (relay->message.type == MESSAGE_STATUS) { /* goes to open sessions alone */
                send_notice(relay);
            }
            to_parent(relay, bytes, length);
        } else {
            to_master(relay, bytes, length);
        }
        break;
    case LINK_NOTHING:
        if (type == LINK_FROM_PARENT && relay->message.type == MESSAGE_OPEN) {
            keep_open(relay, bytes, length); /* said between two connections */
        }
        break;
    }
}

static void receive_from_parent(Relay *relay)
{
    StreamMessage message;
    StreamResult result;
    while ((result = stream_read(&relay->reader, CHILD_SOCKET, &message)) == STREAM_OK) {
        step(relay, LINK_FROM_PARENT, message.bytes, message.length);
    }
    relay->is_over = relay->is_over || result != STREAM_AGAIN;
}

static void receive_from_master(Relay *relay)
{
    enum { BURST_MAX = 64 };
    TransportMessage message;
    for (int i = 0; i < BURST_MAX && dealer_receive(relay->dealer, &message); i++) {
        step(relay, LINK_FROM_MASTER, message.bytes, message.length);
    }
}

static Instant next_wake(const Relay *relay)
{
    const Instant retry = instant_add(clock_now(), duration_ms(OPEN_RETRY_MS));
    const Instant tick = link_next_tick(&relay->link);
    const bool retries = relay->open.length > 0 && relay->link.is_connected;
    return retries && instant_is_before(retry, tick) ? retry : tick;
}

static void run_relay(Relay *relay)
{
    PollerItem items[] = {
        {.dealer = relay->dealer, .descriptor = -1},
        {.descriptor = CHILD_SOCKET},
    };
    enum { DEALER_ITEM, PARENT_ITEM, ITEM_COUNT };
    step(relay, LINK_TICK, NULL, 0);
    while (!relay->is_over) {
        items[PARENT_ITEM].wants_write = stream_has_queued(&relay->writer);
        poller_wait(items, ITEM_COUNT, next_wake(relay));
        if (items[PARENT_ITEM].is_readable) {
            receive_from_parent(relay);
        }
        if (items[DEALER_ITEM].is_readable) {
            receive_from_master(relay);
        }
        step(relay, LINK_TICK, NULL, 0);
        send_waiting_open(relay);
        if (stream_flush(&relay->writer, CHILD_SOCKET) == STREAM_BROKEN) {
            relay->is_over = true;
        }
    }
}

static Status open_relay(Relay *relay, const Config *config, Log *log)
{
    const bool is_remote = config->bridge.cluster[0] != '\0';
    const DealerOptions dealer = {
        .address = is_remote ? config->bridge.cluster : EMBEDDED_ADDRESS,
        .insecure = config->network.insecure,
        .queue_max = TRANSPORT_QUEUE_DEFAULT,
        .retry_first_ms = config->network.reconnect_first_ms,
        .retry_last_ms = config->network.reconnect_last_ms,
    };
    const LinkConfig link = {
        .lease = duration_ms(config->network.lease_ms),
        .retry_first = duration_ms(config->network.reconnect_first_ms),
        .retry_last = duration_ms(config->network.reconnect_last_ms),
        .seed = (uint64_t)clock_now().us,
    };
    relay->log = log;
    relay->is_over = false;
    link_init(&relay->link, &link, clock_now());
    Status status = dealer_new(&dealer, &relay->dealer);
    if (status_is_ok(&status)) {
        status = stream_reader_open(&relay->reader, CODEC_BYTES_MAX);
    }
    if (status_is_ok(&status)) {
        status = stream_writer_open(&relay->writer, CODEC_BYTES_MAX, QUEUE_BYTES_MAX);
    }
    return status;
}

/*
 * Connects to the cluster that the configuration names, or to one of its own, and ends the process
 * once the parent is gone: threads of the cluster may still run, on what stands on this stack.
 * Returns only errors, before any thread runs.
 */
static Status run_session(const Config *config, Log *log)
{
    Embedded embedded;
    Relay *relay = calloc(1, sizeof *relay);
    if (relay == NULL) {
        return status_error(STATUS_NO_MEMORY, "no memory for the engine child");
    }
    Status status = open_relay(relay, config, log);
    const bool is_remote = config->bridge.cluster[0] != '\0';
    if (status_is_ok(&status) && is_remote && !config_address_is_loopback(config->bridge.cluster)) {
        log_write(log, LOG_WARNING, "insecure: anybody can read or forge what goes to %s",
                  config->bridge.cluster);
        host_check_begin(config->bridge.cluster, log->program, log->descriptor);
    }
    if (status_is_ok(&status) && !is_remote) {
        const EmbeddedOptions options = {
            .network = &config->network,
            .slots = config->bridge.threads,
            .hash_mb = config->bridge.hash_mb,
            .log = log,
        };
        status = embedded_start(&embedded, &options);
        relay->embedded = &embedded;
    }
    if (!status_is_ok(&status)) {
        return status; /* without a teardown, as below */
    }
    run_relay(relay);
    clock_sleep(duration_ms(is_remote ? CLOSE_LINGER_MS : 0));
    _exit(EXIT_CODE_OK);
}

Status engine_child_run(char *const *words, int count)
{
    Config config;
    Status status = read_words(words, count, &config);
    if (status_is_ok(&status)) {
        status = child_attach("rookery-engine");
    }
    if (!status_is_ok(&status)) {
        return status;
    }
    /* A terminal's Ctrl-C and hang-up are for the parent; the end of the socket is for us. */
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)descriptors_raise_limit(DESCRIPTORS_WANTED);
    Log log;
    log_init(&log, "rookery engine", LOG_WARNING, STDERR_FILENO);
    transport_init();
    return run_session(&config, &log);
}
