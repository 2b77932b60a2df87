#include "master/server.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/check.h"
#include "codec/codec.h"
#include "master/core/master.h"
#include "os/clock.h"
#include "worker/search/identity.h"

enum {
    RECEIVE_BURST_MAX = 256, /* messages taken before time is looked at again */
    OFFENDERS_MAX = 64,      /* peers whose bad messages are counted; the oldest is forgotten */
    OFFENCES_MAX = 8,        /* from then on a peer's messages are not even decoded */
    LINES_MAX = 1000, /* of a kind in an hour; a few of the rest: all workers may come and go */
    LINES_WINDOW_MS = 60 * 60 * 1000,
};

/* Peers that one event may show to be gone: all that the core knows, and who sent it. */
enum { GONE_MAX = MASTER_WORKERS_MAX + MASTER_SESSIONS_MAX + 1 };

/* A peer that has sent bytes that are no message. */
typedef struct {
    PeerId peer; /* 0 marks a free place */
    int count;   /* of its bad messages */
} Offender;

/* The core's lines of one kind. */
typedef struct {
    Instant window_start; /* when the present hour began */
    int count;            /* since then */
} LineCount;

struct Server {
    Router *router;                       /* its peers are workers and bridges */
    Master *master;                       /* the core */
    Log *log;                             /* borrowed; NULL is silent */
    int64_t offences[DECODE_ERROR_COUNT]; /* bad messages by what is wrong with them */
    Offender offenders[OFFENDERS_MAX];    /* the newest ones */
    int next_offender;                    /* place to reuse next */
    LineCount lines[MASTER_LOG_KINDS];    /* of the core's log */
    Message incoming;                     /* the message being taken */
    MasterActions actions;                /* of the step being taken */
    PeerId gone[GONE_MAX];                /* to whom sending has failed in this round: step() */
    int gone_count;                       /* how many these are, each once */
    bool has_more;                        /* a step of this round has asked for a TICK at once */
    CodecBuffer buffer;                   /* the message being sent */
};

static Epoch random_epoch(void)
{
    Epoch epoch = {0};
    while (epoch.value == 0) {
        if (getrandom(&epoch.value, sizeof epoch.value, 0) != (ssize_t)sizeof epoch.value) {
            epoch.value = (uint64_t)clock_now().us;
        }
    }
    return epoch;
}

Status server_new(const ServerOptions *options, Server **server)
{
    *server = NULL;
    Server *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "no memory for a master");
    }
    Identity identity;
    Status status = identity_measure(&identity);
    if (!status_is_ok(&status)) {
        free(made);
        return status;
    }
    const MasterConfig config = {
        .epoch = random_epoch(),
        .search_identity = identity.value,
        .heartbeat = duration_ms(options->network->heartbeat_ms),
        .lease = duration_ms(options->network->lease_ms),
        .searches_max = MASTER_SEARCHES_MAX,
        .surplus_permille = MASTER_SURPLUS_PERMILLE,
    };
    const RouterOptions router = {
        .address = options->address,
        .insecure = options->network->insecure,
        .queue_max = TRANSPORT_QUEUE_DEFAULT,
    };
    made->log = options->log;
    made->master = master_new(&config, clock_now());
    status = made->master == NULL ? status_error(STATUS_NO_MEMORY, "no memory for a master")
                                  : router_new(&router, &made->router);
    if (!status_is_ok(&status)) {
        server_destroy(&made);
        return status;
    }
    *server = made;
    return status_ok();
}

/* One line for each kind of bad message that has come. */
static void tell_offences(const Server *server)
{
    for (int i = 0; i < DECODE_ERROR_COUNT; i++) {
        if (server->offences[i] > 0) {
            log_write(server->log, LOG_INFO, "dropped bytes that were no message: %s %" PRId64 "x",
                      codec_error_name((DecodeError)i), server->offences[i]);
        }
    }
}

void server_destroy(Server **server)
{
    if (*server != NULL) {
        tell_offences(*server);
        router_destroy(&(*server)->router);
        master_destroy(&(*server)->master);
        free(*server);
        *server = NULL;
    }
}

/* ---- bad bytes ---- */

static Offender *find_offender(Server *server, PeerId peer)
{
    for (int i = 0; i < OFFENDERS_MAX; i++) {
        if (server->offenders[i].peer.value == peer.value) {
            return &server->offenders[i];
        }
    }
    return NULL;
}

static bool is_ignored(Server *server, PeerId peer)
{
    const Offender *offender = find_offender(server, peer);
    return offender != NULL && offender->count >= OFFENCES_MAX;
}

static void note_offence(Server *server, PeerId peer, DecodeError error)
{
    Offender *offender = find_offender(server, peer);
    if (offender == NULL) {
        offender = &server->offenders[server->next_offender];
        server->next_offender = (server->next_offender + 1) % OFFENDERS_MAX;
        *offender = (Offender){.peer = peer};
    }
    offender->count++;
    server->offences[error]++;
    log_write_limited(server->log, LOG_WARNING, "offence",
                      "peer %" PRIu64 " sent bytes that are no message (%s)%s", peer.value,
                      codec_error_name(error),
                      offender->count == OFFENCES_MAX ? "; it is ignored from now on" : "");
}

/* ---- steps ---- */

/* Whether there has been no more of this kind than ordinary use may bring. */
static bool is_ordinary(LineCount *lines, Instant now)
{
    if (instant_since(now, lines->window_start).us >= duration_ms(LINES_WINDOW_MS).us) {
        *lines = (LineCount){.window_start = now};
    }
    if (lines->count == LINES_MAX) {
        return false;
    }
    lines->count++;
    return true;
}

/* Writes a line of the core's. Strangers cause as many as they like, by OPEN or HELLO. */
static void log_line(Server *server, const MasterAction *action, Instant now)
{
    static const char *const keys[MASTER_LOG_KINDS] = {
        [MASTER_LOG_WORKER] = "worker",
        [MASTER_LOG_SESSION] = "session",
        [MASTER_LOG_SEARCH] = "search",
    };
    if (is_ordinary(&server->lines[action->kind], now)) {
        log_write(server->log, LOG_INFO, "%s", action->text);
    } else {
        log_write_limited(server->log, LOG_INFO, keys[action->kind], "%s", action->text);
    }
}

/* A peer could not be sent to. The core does not send to more than there is room for. */
static void note_gone(Server *server, PeerId peer)
{
    for (int i = 0; i < server->gone_count; i++) {
        if (server->gone[i].value == peer.value) {
            return;
        }
    }
    CHECK(server->gone_count < GONE_MAX);
    server->gone[server->gone_count++] = peer;
}

/* Steps the core and does what it asks for, but for what follows from that. */
static void step_once(Server *server, const MasterEvent *event)
{
    master_step(server->master, event, &server->actions);
    for (int i = 0; i < server->actions.count; i++) {
        const MasterAction *action = &server->actions.list[i];
        if (action->type == MASTER_ACTION_LOG) {
            log_line(server, action, event->now);
            continue;
        }
        const Status status = codec_encode(&action->message, &server->buffer);
        if (!status_is_ok(&status)) {
            log_write_limited(server->log, LOG_ERROR, "encode", "%s", status.message);
            continue;
        }
        if (router_send(server->router, action->peer.value, server->buffer.bytes,
                        (int)server->buffer.length) != TRANSPORT_OK) {
            note_gone(server, action->peer);
        }
    }
    server->has_more = server->has_more || server->actions.more;
}

/*
 * Takes an event and what follows from it, in rounds: first the losses of all peers that could not
 * be sent to, in the same instant, then the TICK, if one was asked for, which begins another round.
 */
static void step(Server *server, const MasterEvent *event)
{
    MasterEvent next = *event;
    do {
        server->gone_count = 0;
        server->has_more = false;
        step_once(server, &next);
        for (int i = 0; i < server->gone_count; i++) { /* each may show others */
            const MasterEvent loss = {
                .type = MASTER_EVENT_PEER_GONE, .now = next.now, .peer = server->gone[i]};
            step_once(server, &loss);
        }
        next = (MasterEvent){.type = MASTER_EVENT_TICK, .now = clock_now()};
    } while (server->has_more);
}

static void receive(Server *server)
{
    PeerId peer;
    TransportMessage bytes;
    for (int i = 0; i < RECEIVE_BURST_MAX; i++) {
        if (!router_receive(server->router, &peer.value, &bytes)) {
            return;
        }
        if (is_ignored(server, peer)) {
            continue;
        }
        const DecodeError error =
            codec_decode(bytes.bytes, (size_t)bytes.length, &server->incoming);
        if (error != DECODE_OK) {
            note_offence(server, peer, error);
            continue;
        }
        const MasterEvent event = {
            .type = MASTER_EVENT_MESSAGE,
            .now = clock_now(),
            .peer = peer,
            .message = &server->incoming,
        };
        step(server, &event);
    }
}

Instant server_items(const Server *server, PollerItem items[SERVER_ITEMS])
{
    items[0] = (PollerItem){.router = server->router, .descriptor = -1};
    return master_next_tick(server->master);
}

void server_serve(Server *server, const PollerItem items[SERVER_ITEMS])
{
    if (items[0].is_readable) {
        receive(server);
    }
    const Instant now = clock_now();
    if (!instant_is_before(now, master_next_tick(server->master))) {
        const MasterEvent tick = {.type = MASTER_EVENT_TICK, .now = now};
        step(server, &tick);
    }
}

void server_run(Server *server, int stop_descriptor)
{
    enum { STOP_ITEM = SERVER_ITEMS, ITEM_COUNT };
    for (;;) {
        PollerItem items[ITEM_COUNT] = {[STOP_ITEM] = {.descriptor = stop_descriptor}};
        poller_wait(items, ITEM_COUNT, server_items(server, items));
        if (items[STOP_ITEM].is_readable) {
            return;
        }
        server_serve(server, items);
    }
}
