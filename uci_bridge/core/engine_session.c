#include "uci_bridge/core/engine_session.h"

#include <stdio.h>
#include <string.h>

enum {
    BACKOFF_FIRST_MS = 100, /* after the second death in a row; after the first there is none */
    BACKOFF_LAST_MS = 6400,
    OPEN_REPEAT_MS = 1000,  /* without an answer */
    OPEN_RESET_MS = 200,    /* after a RESET: the master has forgotten us */
    OPEN_REFUSED_MS = 2000, /* after an ERROR: somebody has to change something first */
    SUSPECT_MS = 1000,
    PING_INTERVAL_MS_MAX = 1000,
    SILENCE_MS = 1500, /* beyond a lease without a PONG or anything else: the child hangs */
    START_MS = 10000,  /* so long at least before the session is open */
    LATE_MS = 1500,    /* between two ticks: it was us who stood still */
    ROUND_TRIP_MS_MAX = 2000,
    SMOOTHING = 4, /* a fall of the round trip is believed by a quarter a sample */
};

void engine_session_init(EngineSession *session, Duration lease, Duration retry_last)
{
    *session = (EngineSession){.state = ENGINE_ABSENT, .lease = lease, .retry_last = retry_last};
}

static void start_child(EngineSession *session, BridgeActions *actions)
{
    session->state = ENGINE_STARTING;
    session->is_suspect = false;
    session->makes_tables = session->start.cluster[0] == '\0' && session->deaths == 0;
    session->sample = duration_ms(0);
    session->round_trip = duration_ms(0);
    actions->child_start = session->start;
    bridge_actions_add(actions, BRIDGE_ACTION_START_CHILD);
}

/* With a remote master, threads and hash are the workers' own. */
static bool start_is_equal(const BridgeChildStart *left, const BridgeChildStart *right)
{
    if (strcmp(left->cluster, right->cluster) != 0) {
        return false;
    }
    return left->cluster[0] != '\0' ||
           (left->threads == right->threads && left->hash_mb == right->hash_mb);
}

static BridgeChildStart start_of(const UciOptions *options)
{
    BridgeChildStart start = {.threads = options->threads, .hash_mb = options->hash_mb};
    (void)snprintf(start.cluster, sizeof start.cluster, "%s", options->cluster);
    return start;
}

bool engine_session_suits(const EngineSession *session, const UciOptions *options)
{
    const BridgeChildStart start = start_of(options);
    return session->is_wanted && start_is_equal(&start, &session->start);
}

void engine_session_require(EngineSession *session, const UciOptions *options, Instant now,
                            BridgeActions *actions)
{
    if (engine_session_suits(session, options)) {
        return; /* there, on its way, or in its backoff */
    }
    session->is_wanted = true;
    session->start = start_of(options);
    session->deaths = 0;
    session->restart_at = now;
    start_child(session, actions);
}

static void open_later(EngineSession *session, Instant now, int pause_ms)
{
    session->state = ENGINE_OPENING;
    session->open_at = instant_add(now, duration_ms(pause_ms));
}

static void send_open(EngineSession *session, const char *name, Instant now, BridgeActions *actions)
{
    open_later(session, now, OPEN_REPEAT_MS);
    Message *message = bridge_actions_send(actions, MESSAGE_OPEN);
    message->open.protocol_version = PROTOCOL_VERSION;
    (void)snprintf(message->open.name, sizeof message->open.name, "%s", name);
}

void engine_session_on_started(EngineSession *session, const char *name, Instant now,
                               BridgeActions *actions)
{
    if (session->state == ENGINE_STARTING) {
        session->heard_at = now;
        send_open(session, name, now, actions);
    }
}

static Duration backoff(int deaths)
{
    if (deaths == 0) {
        return duration_ms(0);
    }
    int pause_ms = BACKOFF_FIRST_MS;
    for (int i = 1; i < deaths && pause_ms < BACKOFF_LAST_MS; i++) {
        pause_ms *= 2;
    }
    return duration_ms(pause_ms);
}

void engine_session_on_died(EngineSession *session, Instant now)
{
    session->state = ENGINE_ABSENT;
    session->is_suspect = false;
    session->restart_at = instant_add(now, backoff(session->deaths));
    session->deaths++;
}

/* A doubled OPEN is answered twice; only the first answer is news. */
static bool on_opened(EngineSession *session, const MessageOpened *opened, Instant now,
                      BridgeActions *actions)
{
    if (session->state == ENGINE_OPEN && session->epoch.value == opened->epoch.value &&
        session->session.value == opened->session.value) {
        return false;
    }
    session->state = ENGINE_OPEN;
    session->epoch = opened->epoch;
    session->session = opened->session;
    if (session->is_clearing) { /* not asked for yet, or lost with the session before */
        engine_session_new_game(session, actions);
    }
    session->heard_at = now;
    session->ping_at = now;
    return true;
}

/*
 * A round trip longer than the one believed in may be a moment in which a process had to wait for a
 * processor; all following moves would be cut short for it. So the next sample, taken at once, must
 * agree.
 */
static void on_pong(EngineSession *session, const MessagePing *pong, Instant now)
{
    if (pong->number != session->ping_number) {
        return;
    }
    const int64_t believed_us = session->round_trip.us;
    const int64_t before_us = session->sample.us;
    int64_t sample_us = instant_since(now, session->ping_sent_at).us;
    if (sample_us > duration_ms(ROUND_TRIP_MS_MAX).us) {
        sample_us = duration_ms(ROUND_TRIP_MS_MAX).us;
    }
    if (sample_us > believed_us && before_us <= believed_us) {
        session->ping_at = now;
    }
    session->sample.us = sample_us;
    const int64_t least_us = sample_us < before_us ? sample_us : before_us;
    const int64_t fall_us = believed_us - least_us;
    session->round_trip.us = fall_us > 0 ? believed_us - fall_us / SMOOTHING : least_us;
}

bool engine_session_on_message(EngineSession *session, const Message *message, Instant now,
                               BridgeActions *actions)
{
    if (session->state != ENGINE_OPENING && session->state != ENGINE_OPEN) {
        return false;
    }
    session->is_suspect = false;
    session->heard_at = now;
    switch (message->type) {
    case MESSAGE_OPENED:
        return on_opened(session, &message->opened, now, actions);
    case MESSAGE_RESET:
        open_later(session, now, session->state == ENGINE_OPEN ? 0 : OPEN_RESET_MS);
        break;
    case MESSAGE_CLEARED:
        if (session->state == ENGINE_OPEN &&
            message->new_game.session.value == session->session.value) {
            session->is_clearing = false;
        }
        break;
    case MESSAGE_PONG:
        on_pong(session, &message->ping, now);
        break;
    case MESSAGE_ERROR:
        if (session->state == ENGINE_OPENING) {
            open_later(session, now, OPEN_REFUSED_MS);
        }
        break;
    default:
        break;
    }
    return false;
}

void engine_session_on_answer(EngineSession *session)
{
    session->deaths = 0;
}

void engine_session_suspect(EngineSession *session, Instant now)
{
    if (session->state != ENGINE_OPEN || session->is_suspect) {
        return;
    }
    session->is_suspect = true;
    session->suspect_until = instant_add(now, duration_ms(SUSPECT_MS));
}

bool engine_session_is_busy(const EngineSession *session)
{
    return session->state == ENGINE_OPEN && (session->is_clearing || session->makes_tables);
}

void engine_session_tire(EngineSession *session)
{
    session->makes_tables = false;
}

void engine_session_new_game(EngineSession *session, BridgeActions *actions)
{
    session->is_clearing = true;
    if (session->state == ENGINE_OPEN) {
        Message *message = bridge_actions_send(actions, MESSAGE_NEW_GAME);
        message->new_game.session = session->session;
    }
}

/* How long a child that is well may say nothing: without a master it pauses between its tries. */
static Duration patience(const EngineSession *session)
{
    const int64_t silence_us = session->lease.us + duration_ms(SILENCE_MS).us;
    if (session->state == ENGINE_OPEN) {
        return duration_us(silence_us);
    }
    const int64_t pause_us = session->retry_last.us * 3 / 2; /* half as long again by chance */
    const int64_t start_us = duration_ms(START_MS).us;
    const int64_t away_us = silence_us + pause_us;
    return duration_us(away_us < start_us ? start_us : away_us);
}

/*
 * Whether the child owes an answer for too long, or shows no sign of life at all: it sends RESET
 * when its master is silent, so that silence beyond the patience is its own fault.
 */
static bool is_hung(EngineSession *session, Instant now)
{
    if (session->is_suspect && !instant_is_before(now, session->suspect_until)) {
        return true;
    }
    if (instant_since(now, session->ticked_at).us > duration_ms(LATE_MS).us) {
        session->heard_at = now; /* its messages may wait unread: no judgement yet */
    }
    const bool is_started = session->state == ENGINE_OPENING || session->state == ENGINE_OPEN;
    return is_started && instant_since(now, session->heard_at).us >= patience(session).us;
}

/* An answer is back before the lease ends, after which the child takes the master for lost. */
static Duration ping_interval(const EngineSession *session)
{
    const int64_t soon_us = session->lease.us * 2 / 3;
    const int64_t longest_us = duration_ms(PING_INTERVAL_MS_MAX).us;
    return duration_us(soon_us < longest_us ? soon_us : longest_us);
}

static void send_ping(EngineSession *session, Instant now, BridgeActions *actions)
{
    session->ping_at = instant_add(now, ping_interval(session));
    session->ping_sent_at = now;
    session->ping_number++;
    bridge_actions_send(actions, MESSAGE_PING)->ping.number = session->ping_number;
}

bool engine_session_tick(EngineSession *session, const char *name, Instant now,
                         BridgeActions *actions)
{
    const bool gives_up = is_hung(session, now);
    session->ticked_at = now;
    if (gives_up) {
        engine_session_on_died(session, now);
    }
    if (session->state == ENGINE_ABSENT && session->is_wanted &&
        !instant_is_before(now, session->restart_at)) {
        start_child(session, actions);
    }
    if (session->state == ENGINE_OPEN && !instant_is_before(now, session->ping_at)) {
        send_ping(session, now, actions);
    }
    if (session->state == ENGINE_OPENING && !instant_is_before(now, session->open_at)) {
        send_open(session, name, now, actions);
    }
    return gives_up;
}

bool engine_session_deadline(const EngineSession *session, Instant *deadline)
{
    switch (session->state) {
    case ENGINE_ABSENT:
        *deadline = session->restart_at;
        return session->is_wanted;
    case ENGINE_STARTING:
        return false;
    case ENGINE_OPENING:
        *deadline = session->open_at;
        break;
    case ENGINE_OPEN:
        *deadline = session->ping_at;
        break;
    }
    if (session->is_suspect && instant_is_before(session->suspect_until, *deadline)) {
        *deadline = session->suspect_until;
    }
    return true;
}
