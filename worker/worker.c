#include "worker/worker.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/check.h"
#include "codec/codec.h"
#include "os/clock.h"
#include "os/memory.h"
#include "transport/poller.h"
#include "worker/core/worker.h"
#include "worker/pool.h"
#include "worker/search/identity.h"
#include "worker/search/tt.h"
#include "worker/shares.h"

/* Messages taken in a row before everything else gets its turn. */
enum { MESSAGES_AT_ONCE_MAX = 64 };

enum { ITEM_STOP, ITEM_POOL, ITEM_MASTER };

struct WorkerHost {
    const WorkerOptions *options;
    int hash_mb; /* of the table that there was memory for */
    Worker *core;
    Pool *pool;
    Dealer *dealer;
    int stop_descriptor; /* -1 once it has come to its end */
    bool has_ended;      /* EXIT was said */
    Message message;     /* the last one received */
    bool is_telling;     /* the table's notes are wanted, the next at `notes_due` */
    Instant notes_due;
    Duration notes_interval;
    MessageTable notes;      /* the last ones taken */
    PoolNews news;           /* the last news taken */
    WorkerProgress progress; /* the last sample */
    CodecBuffer buffer;      /* the last message sent */
    WorkerActions actions;   /* of the last step */
};

/* ---- carrying out actions ---- */

/* Sends a message; false when the transport does not take it. */
static bool send_message(WorkerHost *host, const Message *message)
{
    const Status status = codec_encode(message, &host->buffer);
    if (!status_is_ok(&status)) {
        log_write_limited(host->options->log, LOG_ERROR, "encode", "%s", status.message);
        return false;
    }
    return dealer_send(host->dealer, host->buffer.bytes, (int)host->buffer.length) == TRANSPORT_OK;
}

static void open_connection(WorkerHost *host)
{
    const Status status = dealer_open(host->dealer);
    if (!status_is_ok(&status)) {
        log_write_limited(host->options->log, LOG_WARNING, "open", "%s", status.message);
    }
}

static void write_log(const WorkerHost *host, const WorkerAction *action)
{
    if (action->is_warning) {
        log_write_limited(host->options->log, LOG_WARNING, "core warning", "%s", action->text);
    } else {
        log_write_limited(host->options->log, LOG_INFO, "core", "%s", action->text);
    }
}

/* The table's notes are wanted then, if not sooner. */
static void hasten_notes(WorkerHost *host, Instant due)
{
    if (instant_is_before(due, host->notes_due)) {
        host->notes_due = due;
    }
}

/* Carries out one action; false when it was a SEND that the transport did not take. */
static bool carry_out(WorkerHost *host, const WorkerAction *action)
{
    switch (action->type) {
    case WORKER_ACTION_CONNECT:
        open_connection(host);
        break;
    case WORKER_ACTION_DISCONNECT:
        dealer_close(host->dealer);
        break;
    case WORKER_ACTION_SEND:
        return send_message(host, &action->message);
    case WORKER_ACTION_START:
        pool_start(host->pool, action->lane, action->job);
        break;
    case WORKER_ACTION_STOP:
        pool_stop(host->pool, action->lane);
        break;
    case WORKER_ACTION_RAISE_ALPHA:
        pool_raise_alpha(host->pool, action->lane, action->alpha);
        break;
    case WORKER_ACTION_WANT:
        pool_want(host->pool, action->lane, action->count);
        break;
    case WORKER_ACTION_DELIVER:
        pool_deliver(host->pool, action->lane, action->news);
        break;
    case WORKER_ACTION_TELL:
        host->is_telling = action->depth < TT_TELL_NOTHING;
        host->notes_interval = action->interval;
        hasten_notes(host, instant_add(clock_now(), action->interval));
        pool_tell(host->pool, action->depth);
        break;
    case WORKER_ACTION_LEARN:
        pool_learn(host->pool, &action->news->table);
        break;
    case WORKER_ACTION_AGE:
        pool_age(host->pool);
        break;
    case WORKER_ACTION_CLEAR:
        pool_clear(host->pool);
        break;
    case WORKER_ACTION_LOG:
        write_log(host, action);
        break;
    case WORKER_ACTION_EXIT:
        host->has_ended = true;
        break;
    case WORKER_ACTION_ABORT: /* its thread cannot be joined; the core dump shows where it hangs */
        abort();
    }
    return true;
}

/* One event through the core; a SEND that failed is one more event. */
static void step(WorkerHost *host, WorkerEvent event)
{
    bool all_sent = true;
    event.now = clock_now();
    worker_step(host->core, &event, &host->actions);
    for (int i = 0; i < host->actions.count; i++) {
        all_sent &= carry_out(host, &host->actions.list[i]);
    }
    if (!all_sent && event.type != WORKER_EVENT_UNSENT) {
        step(host, (WorkerEvent){.type = WORKER_EVENT_UNSENT});
    }
}

/* ---- events ---- */

static void on_stop(WorkerHost *host)
{
    /* One record of a signalfd, the count of an eventfd, or the next bytes of a pipe. */
    uint8_t record[128];
    if (read(host->stop_descriptor, record, sizeof record) <= 0) {
        host->stop_descriptor = -1;
    }
    step(host, (WorkerEvent){.type = WORKER_EVENT_TERMINATE});
}

static void on_done(WorkerHost *host, const PoolNews *news)
{
    if (news->is_refused) {
        log_write_limited(host->options->log, LOG_WARNING, "job",
                          "the master sent a job that is no legal chess");
    }
    step(host,
         (WorkerEvent){.type = WORKER_EVENT_DONE, .lane = news->lane, .result = &news->result});
}

static void on_news(WorkerHost *host, const PoolNews *news)
{
    switch (news->type) {
    case POOL_IMPROVED:
        step(host, (WorkerEvent){.type = WORKER_EVENT_IMPROVED,
                                 .lane = news->lane,
                                 .improved = &news->improved});
        break;
    case POOL_DONE:
        on_done(host, news);
        break;
    case POOL_OFFERED:
    case POOL_WITHDRAWN:
    case POOL_RAISED:
    case POOL_PARKED:
        step(host, shares_event(news));
        break;
    case POOL_CLEARED:
        step(host, (WorkerEvent){.type = WORKER_EVENT_CLEARED});
        break;
    }
}

static void take_news(WorkerHost *host)
{
    while (!host->has_ended && pool_take(host->pool, &host->news)) {
        on_news(host, &host->news);
    }
}

static void take_messages(WorkerHost *host)
{
    TransportMessage bytes;
    for (int i = 0; i < MESSAGES_AT_ONCE_MAX && !host->has_ended; i++) {
        if (!dealer_receive(host->dealer, &bytes)) {
            return;
        }
        const DecodeError error = codec_decode(bytes.bytes, (size_t)bytes.length, &host->message);
        if (error != DECODE_OK) {
            log_write_limited(host->options->log, LOG_WARNING, "decode",
                              "dropped a message of the master: %s", codec_error_name(error));
            continue;
        }
        step(host, (WorkerEvent){.type = WORKER_EVENT_MESSAGE, .message = &host->message});
    }
}

static void tick_if_due(WorkerHost *host)
{
    if (!host->has_ended && !instant_is_before(clock_now(), worker_next_tick(host->core))) {
        pool_sample(host->pool, &host->progress);
        step(host, (WorkerEvent){.type = WORKER_EVENT_TICK, .progress = &host->progress});
    }
}

/* Hands what was learned lately to the core, when it is time. */
static void tell_if_due(WorkerHost *host)
{
    const Instant now = clock_now();
    if (host->has_ended || !host->is_telling || instant_is_before(now, host->notes_due)) {
        return;
    }
    host->notes_due = instant_add(now, host->notes_interval);
    pool_take_notes(host->pool, &host->notes);
    step(host, (WorkerEvent){.type = WORKER_EVENT_NOTED, .noted = &host->notes});
}

/* Until when nothing is to be done but what others bring. */
static Instant next_deadline(const WorkerHost *host)
{
    const Instant tick = worker_next_tick(host->core);
    return host->is_telling && instant_is_before(host->notes_due, tick) ? host->notes_due : tick;
}

Instant worker_items(const WorkerHost *host, PollerItem items[WORKER_ITEMS])
{
    items[ITEM_STOP] = (PollerItem){.descriptor = host->stop_descriptor};
    items[ITEM_POOL] = (PollerItem){.descriptor = pool_descriptor(host->pool)};
    items[ITEM_MASTER] = (PollerItem){.dealer = host->dealer};
    return next_deadline(host);
}

void worker_serve(WorkerHost *host, const PollerItem items[WORKER_ITEMS])
{
    if (items[ITEM_POOL].is_readable) {
        take_news(host);
    }
    if (items[ITEM_MASTER].is_readable) {
        take_messages(host);
    }
    if (items[ITEM_STOP].is_readable) {
        on_stop(host);
    }
    tell_if_due(host);
    tick_if_due(host);
}

/* ---- start and end ---- */

static uint64_t draw_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        seed = (uint64_t)clock_now().us ^ ((uint64_t)getpid() << 32);
    }
    return seed;
}

/*
 * Finds out what this build is, and the nodes a second of one slot: those of the fastest of some
 * searches. One alone says too little: what else a machine does at that moment, and what hides from
 * a guest's clocks that the host does, made one start in ten look a third as fast as it was. Where
 * there is hardly a processor to be had, one must do.
 */
static Status measure(Identity *identity, uint64_t *nodes_per_second)
{
    enum { SEARCHES = 5, ENOUGH_MS = 300 };
    const Instant enough = instant_add(clock_now(), duration_ms(ENOUGH_MS));
    *nodes_per_second = 0;
    for (int i = 0; i == 0 || (i < SEARCHES && instant_is_before(clock_now(), enough)); i++) {
        const Duration start = clock_thread_time();
        const Status status = identity_measure(identity);
        if (!status_is_ok(&status)) {
            return status;
        }
        const int64_t us = clock_thread_time().us - start.us;
        const uint64_t speed = identity->nodes * 1000000 / (uint64_t)(us > 0 ? us : 1);
        *nodes_per_second = speed > *nodes_per_second ? speed : *nodes_per_second;
    }
    return status_ok();
}

/* All of HELLO but the table. */
static Status describe(const WorkerOptions *options, MessageHello *hello)
{
    Identity identity;
    uint64_t nodes_per_second;
    const Status status = measure(&identity, &nodes_per_second);
    if (!status_is_ok(&status)) {
        return status;
    }
    *hello = (MessageHello){
        .protocol_version = PROTOCOL_VERSION,
        .search_identity = identity.value,
        .slots = options->slots,
        .nodes_per_second = nodes_per_second,
    };
    (void)snprintf(hello->build, sizeof hello->build, "rookery %s", ROOKERY_VERSION);
    (void)snprintf(hello->name, sizeof hello->name, "%s", options->name);
    return status;
}

/* Whether a table of this size leaves the machine, and the pool's threads, what they need. */
static bool memory_holds(int hash_mb, int slots)
{
    enum { SPARE_MB = 64, SLOT_MB = 8, SPARE_PARTS = 10 };
    const int64_t mib = (int64_t)1 << 20;
    const int64_t left_mb = memory_available("") / mib;
    return hash_mb <= left_mb - left_mb / SPARE_PARTS - SPARE_MB - (int64_t)slots * SLOT_MB;
}

/*
 * The table's size: half of what was asked for, and half of that, as long as there is no memory for
 * the whole. A process that this one replaces may not have given its own back yet.
 */
static int affordable_mb(const WorkerOptions *options)
{
    enum { TRIES = 20, PAUSE_MS = 100 };
    const bool may_shrink = options->hash_mb > TT_MB_MIN;
    for (int i = 0; i < TRIES && may_shrink && !memory_holds(options->hash_mb, options->slots);
         i++) {
        clock_sleep(duration_ms(PAUSE_MS));
    }
    int hash_mb = options->hash_mb;
    while (hash_mb > TT_MB_MIN && !memory_holds(hash_mb, options->slots)) {
        hash_mb /= 2;
    }
    return hash_mb;
}

/* With a smaller table, too, when the system does not grant it. */
static Status open_pool(WorkerHost *host)
{
    const WorkerOptions *options = host->options;
    host->hash_mb = affordable_mb(options);
    Status status = pool_new(options->slots, host->hash_mb, &host->pool);
    while (status.code == STATUS_NO_MEMORY && host->hash_mb > TT_MB_MIN) {
        host->hash_mb /= 2;
        status = pool_new(options->slots, host->hash_mb, &host->pool);
    }
    if (status_is_ok(&status) && host->hash_mb < options->hash_mb) {
        log_write(options->log, LOG_WARNING, "no memory for a table of %d MiB: it has %d MiB",
                  options->hash_mb, host->hash_mb);
    }
    return status;
}

/* Until the table's memory is there, somebody wants the worker to end, or it takes too long. */
static void await_memory(const WorkerHost *host)
{
    enum { AWAIT_MS = 6000 };
    const Instant end = instant_add(clock_now(), duration_ms(AWAIT_MS));
    struct pollfd items[] = {
        {.fd = pool_descriptor(host->pool), .events = POLLIN},
        {.fd = host->stop_descriptor, .events = POLLIN},
    };
    while (!pool_is_populated(host->pool) && items[1].revents == 0 &&
           instant_is_before(clock_now(), end)) {
        (void)poll(items, 2, clock_poll_timeout_ms(clock_now(), end));
    }
}

static Status open_core(WorkerHost *host, const MessageHello *hello)
{
    const WorkerConfig config = {
        .hello = *hello,
        .retry_first = duration_ms(host->options->retry_first_ms),
        .retry_last = duration_ms(host->options->retry_last_ms),
        .seed = draw_seed(),
    };
    host->core = worker_new(&config, clock_now());
    return host->core != NULL ? status_ok()
                              : status_error(STATUS_NO_MEMORY, "not enough memory for a worker");
}

static Status open_dealer(WorkerHost *host)
{
    const WorkerOptions *options = host->options;
    /* What the socket waits and what the core's HELLO waits add up: together no more than the last
     * pause.
     */
    const int half_ms = options->retry_last_ms / 2;
    const DealerOptions dealer = {
        .address = options->master,
        .insecure = options->insecure,
        .queue_max = TRANSPORT_QUEUE_DEFAULT,
        .retry_first_ms = options->retry_first_ms,
        .retry_last_ms = half_ms > options->retry_first_ms ? half_ms : options->retry_first_ms,
    };
    return dealer_new(&dealer, &host->dealer);
}

static Status open_all(WorkerHost *host)
{
    MessageHello hello;
    Status status = open_dealer(host);
    if (status_is_ok(&status)) {
        status = describe(host->options, &hello);
    }
    if (status_is_ok(&status)) {
        status = open_pool(host);
    }
    if (status_is_ok(&status)) {
        hello.hash_mb = host->hash_mb;
        status = open_core(host, &hello);
    }
    return status;
}

Status worker_open(const WorkerOptions *options, WorkerHost **host)
{
    CHECK(options->slots >= 1 && options->slots <= MESSAGE_SLOTS_MAX);
    CHECK(options->retry_first_ms > 0 && options->hash_mb > 0);
    *host = NULL;
    WorkerHost *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a worker");
    }
    made->options = options;
    made->stop_descriptor = options->stop_descriptor;
    const Status status = open_all(made);
    if (!status_is_ok(&status)) {
        worker_close(&made);
        return status;
    }
    log_write(options->log, LOG_INFO, "%s: %d slot%s, %d MiB; connecting to %s", options->name,
              options->slots, options->slots == 1 ? "" : "s", made->hash_mb, options->master);
    await_memory(made);
    *host = made;
    return status;
}

void worker_close(WorkerHost **host)
{
    WorkerHost *closed = *host;
    if (closed == NULL) {
        return;
    }
    pool_destroy(&closed->pool);
    dealer_destroy(&closed->dealer);
    worker_destroy(&closed->core);
    free(closed);
    *host = NULL;
}

int worker_hash_mb(const WorkerHost *host)
{
    return host->hash_mb;
}

bool worker_has_ended(const WorkerHost *host)
{
    return host->has_ended;
}

Status worker_run(const WorkerOptions *options)
{
    WorkerHost *host;
    const Status status = worker_open(options, &host);
    while (host != NULL && !worker_has_ended(host)) {
        PollerItem items[WORKER_ITEMS];
        poller_wait(items, WORKER_ITEMS, worker_items(host, items));
        worker_serve(host, items);
    }
    worker_close(&host);
    return status;
}
