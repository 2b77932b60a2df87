#include "worker/core/worker.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/prng.h"
#include "messages/table_window.h"
#include "worker/core/lanes.h"
#include "worker/core/tell_depth.h"
#include "worker/core/worker_actions.h"
#include "worker/search/tt.h"

/* Pauses and lives are spread at random between half of these and the whole, where it says so. */
enum {
    HELLO_RETRY_MS = 100,    /* spread; while there is no connection that takes a HELLO */
    HELLO_ANSWER_MS = 1000,  /* how long a HELLO that was taken may go unanswered */
    ATTEMPT_MS = 3000,       /* spread; life of a socket that brings no WELCOME */
    REFUSED_PAUSE_MS = 4000, /* spread; after a refusal: a person must act first */
    FAREWELL_MS = 50,        /* from BYE to the end: what was sent must reach the network */
    LEAVING_MS_MAX = 1000,   /* from TERMINATE to the end, whatever the lanes do */
    HANG_LOOK_MS = 100,      /* between two looks whether a search that hung has ended */
    HANG_MS_MAX = 10000,     /* then the process is given up */
    DOUBLINGS_MAX = 16,      /* of the pause; enough to reach any last one */
};

/* Tables heard in one interval: so many make it longer, and so few, too. */
enum { TELL_COMPANY = 8, TELL_COMPANY_SMALL = 4 };

/* Times WORKER_NOTES_INTERVAL_MS: an idle worker should not wake its machine all the time. */
enum { TELL_PACE_IDLE = 32 };

typedef enum {
    STATE_PAUSED,     /* no connection until `due` */
    STATE_CONNECTING, /* says HELLO at `hello_due`, gives up at `due` */
    STATE_JOINED,     /* heartbeat at `due`, lost when silent for a lease */
    STATE_HANGING,    /* no connection until the lanes are free; looked at `due` */
    STATE_LEAVING,    /* says BYE when its lanes are free, ends at `due` */
    STATE_ENDING,     /* no connection; ends when its lanes are free, is given up at `due` */
    STATE_ENDED,      /* after EXIT or ABORT */
} State;

struct Worker {
    WorkerConfig config;
    Prng prng; /* spreads pauses */
    State state;
    Lanes *lanes;
    Instant due;            /* see State */
    Instant hello_due;      /* CONNECTING: the next HELLO */
    Instant heard;          /* JOINED: the last message */
    int failures;           /* attempts in a row without a WELCOME */
    ErrorCode refusal;      /* the last reason that was logged since the last WELCOME; 0: none */
    Instant hung;           /* HANGING: since when */
    bool has_said_farewell; /* LEAVING: BYE has been sent */
    MessageWelcome stay;    /* JOINED, LEAVING: what the master said */
    uint64_t last_ping;     /* of this stay */
    int tell_depth;         /* of the table entries told to others; TT_TELL_NOTHING: none */
    int tell_most;          /* JOINED: entries in one message, at most */
    int tables_lately;      /* JOINED: of others since the last NOTED */
    TableWindow window;     /* JOINED: TABLEs of this stay, to the master and from it */
    int tell_pace;          /* JOINED: the notes' interval, in units of the shortest */
    bool tells_seldom;      /* JOINED: for there was no job when the notes were looked at last */
};

Worker *worker_new(const WorkerConfig *config, Instant now)
{
    Worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) {
        return NULL;
    }
    worker->lanes = lanes_new(config->hello.slots);
    if (worker->lanes == NULL) {
        free(worker);
        return NULL;
    }
    worker->config = *config;
    prng_init(&worker->prng, config->seed);
    worker->state = STATE_PAUSED;
    worker->due = now;
    worker->tell_depth = TT_TELL_NOTHING;
    return worker;
}

void worker_destroy(Worker **worker)
{
    if (*worker != NULL) {
        lanes_destroy(&(*worker)->lanes);
        free(*worker);
        *worker = NULL;
    }
}

/* A random duration between half of `longest` and all of it. */
static Duration spread(Worker *worker, Duration longest)
{
    const int64_t half_us = longest.us > 1 ? longest.us / 2 : 1;
    return duration_us(half_us + (int64_t)prng_below(&worker->prng, (uint64_t)half_us));
}

/* What is told of the table from now on; the notes are looked at each `pace` shortest intervals. */
static void tell(Worker *worker, int depth, int pace, WorkerActions *actions)
{
    worker->tell_depth = depth;
    worker->tell_pace = pace;
    WorkerAction *action = worker_actions_add(actions, WORKER_ACTION_TELL);
    action->depth = depth;
    action->interval = duration_ms((int64_t)pace * WORKER_NOTES_INTERVAL_MS);
}

/* ---- without a master ---- */

/* Nobody is told anything meanwhile, so that the machine is not woken for it. */
static void pause_for(Worker *worker, Duration longest, Instant now, WorkerActions *actions)
{
    lanes_abandon(worker->lanes, actions);
    if (worker->tell_depth != TT_TELL_NOTHING) {
        tell(worker, TT_TELL_NOTHING, 1, actions);
    }
    (void)worker_actions_add(actions, WORKER_ACTION_DISCONNECT);
    worker->state = STATE_PAUSED;
    worker->due = instant_add(now, spread(worker, longest));
}

/* The connection is of no use: the next one comes after a pause that grows with each failure. */
static void reconnect(Worker *worker, Instant now, WorkerActions *actions)
{
    const int doublings = worker->failures < DOUBLINGS_MAX ? worker->failures : DOUBLINGS_MAX;
    const int64_t grown_us = worker->config.retry_first.us << doublings;
    const int64_t last_us = worker->config.retry_last.us;
    pause_for(worker, duration_us(grown_us < last_us ? grown_us : last_us), now, actions);
    worker->failures++;
}

static void say_hello(Worker *worker, Instant now, WorkerActions *actions)
{
    worker_actions_send(actions, MESSAGE_HELLO)->hello = worker->config.hello;
    worker->hello_due = instant_add(now, duration_ms(HELLO_ANSWER_MS));
}

/* Begins to introduce itself on the connection that is there. */
static void begin_hello(Worker *worker, Instant now, WorkerActions *actions)
{
    worker->state = STATE_CONNECTING;
    worker->due = instant_add(now, spread(worker, duration_ms(ATTEMPT_MS)));
    say_hello(worker, now, actions);
}

static void open_connection(Worker *worker, Instant now, WorkerActions *actions)
{
    (void)worker_actions_add(actions, WORKER_ACTION_CONNECT);
    begin_hello(worker, now, actions);
}

/* ---- what machines tell each other ---- */

/*
 * How long to wait until the next look, in units of the shortest, with so many tables heard since
 * the last one. In large company each hears about as many messages whatever their number, so that
 * all of them together, which pass through the master, grow with that number and not with its
 * square. In small company few profit from a message that costs its sender as much as ever.
 */
static int pace_in_company(int tables_heard)
{
    enum { PACE_SMALL = 2 };
    return tables_heard <= TELL_COMPANY_SMALL ? PACE_SMALL : tables_heard / TELL_COMPANY + 1;
}

/* Says how many TABLEs have come, if there were any lately. */
static void acknowledge_tables(Worker *worker, WorkerActions *actions)
{
    uint64_t count;
    if (table_window_owes(&worker->window, &count)) {
        worker_actions_send(actions, MESSAGE_HEARD)->heard = (MessageHeard){.count = count};
    }
}

/* News of another machine; the first, which may be empty, says that there is one. */
static void on_table(Worker *worker, const Message *message, WorkerActions *actions)
{
    if (worker->tell_depth == TT_TELL_NOTHING) {
        tell(worker, TELL_DEPTH_FIRST, pace_in_company(0), actions);
    }
    worker->tables_lately++;
    if (message->table.count > 0) {
        if (table_window_came(&worker->window)) {
            acknowledge_tables(worker, actions);
        }
        worker_actions_add(actions, WORKER_ACTION_LEARN)->news = message;
    }
}

/* Sends what was noted. The depth follows the work and the link, the pace follows the company. */
static void on_noted(Worker *worker, const MessageTable *noted, Instant now, WorkerActions *actions)
{
    if (worker->state != STATE_JOINED || worker->tell_depth == TT_TELL_NOTHING) {
        return;
    }
    const bool is_too_much = noted->count > 0 && !table_window_take(&worker->window, now);
    if (noted->count > 0 && !is_too_much) {
        MessageTable *table = &worker_actions_send(actions, MESSAGE_TABLE)->table;
        *table = *noted;
        table->count = tt_deepest(table->entries, table->count, worker->tell_most);
    }
    const int depth =
        tell_depth_next(worker->tell_depth, is_too_much ? MESSAGE_TABLE_ENTRIES_MAX : noted->count);
    worker->tells_seldom = noted->count == 0 && lanes_are_empty(worker->lanes);
    const int pace = worker->tells_seldom ? TELL_PACE_IDLE : pace_in_company(worker->tables_lately);
    worker->tables_lately = 0;
    if (depth != worker->tell_depth || pace != worker->tell_pace) {
        tell(worker, depth, pace, actions);
    }
}

/* The worker has a job again. */
static void hasten_telling(Worker *worker, WorkerActions *actions)
{
    if (worker->tells_seldom) {
        worker->tells_seldom = false;
        worker->tables_lately = 0;
        tell(worker, worker->tell_depth, pace_in_company(0), actions);
    }
}

/* ---- joining ---- */

static void on_welcome(Worker *worker, const MessageWelcome *welcome, Instant now,
                       WorkerActions *actions)
{
    worker->state = STATE_JOINED;
    worker->stay = *welcome;
    worker->heard = now;
    worker->due = instant_add(now, welcome->heartbeat);
    worker->failures = 0;
    worker->refusal = 0;
    worker->last_ping = 0;
    worker->tell_most = TELL_MOST_FIRST;
    worker->tables_lately = 0;
    worker->tells_seldom = false;
    table_window_open(&worker->window, welcome->heartbeat);
    tell(worker, TT_TELL_NOTHING, 1, actions);
    worker_actions_log(actions, false, "joined the master as worker %" PRIu32,
                       welcome->worker.value);
}

static void on_refusal(Worker *worker, const MessageError *error, Instant now,
                       WorkerActions *actions)
{
    if (error->code != worker->refusal) {
        worker->refusal = error->code;
        worker_actions_log(actions, true, "the master refuses this worker: %s", error->text);
    }
    pause_for(worker, duration_ms(REFUSED_PAUSE_MS), now, actions);
}

static void on_message_while_connecting(Worker *worker, const Message *message, Instant now,
                                        WorkerActions *actions)
{
    if (message->type == MESSAGE_WELCOME) {
        on_welcome(worker, &message->welcome, now, actions);
    } else if (message->type == MESSAGE_ERROR) {
        on_refusal(worker, &message->error, now, actions);
    }
    /* RESET answers what was sent before the HELLO; the rest is for an earlier stay. */
}

/* ---- leaving ---- */

static void end(Worker *worker, WorkerActions *actions)
{
    (void)worker_actions_add(actions, WORKER_ACTION_EXIT);
    worker->state = STATE_ENDED;
}

/* A thread that hangs cannot be ended without the process. */
static void give_up(Worker *worker, WorkerActions *actions)
{
    worker_actions_log(actions, true, "a search does not end: giving this process up");
    (void)worker_actions_add(actions, WORKER_ACTION_ABORT);
    worker->state = STATE_ENDED;
}

static void begin_to_leave(Worker *worker, Instant now, WorkerActions *actions)
{
    lanes_leave(worker->lanes, actions);
    worker->state = STATE_LEAVING;
    worker->due = instant_add(now, duration_ms(LEAVING_MS_MAX));
}

/* Says BYE when the last job has been answered. */
static void say_farewell_if_due(Worker *worker, Instant now, WorkerActions *actions)
{
    if (worker->state == STATE_LEAVING && !worker->has_said_farewell &&
        lanes_are_empty(worker->lanes)) {
        worker->has_said_farewell = true;
        worker_actions_send(actions, MESSAGE_BYE)->bye.worker = worker->stay.worker;
        worker->due = instant_add(now, duration_ms(FAREWELL_MS));
    }
}

/* The host joins the lanes' threads at the end, so none may search any more. */
static void end_when_free(Worker *worker, Instant now, WorkerActions *actions)
{
    if (lanes_are_empty(worker->lanes)) {
        end(worker, actions);
    } else {
        lanes_abandon(worker->lanes, actions);
        if (worker->state != STATE_PAUSED) {
            (void)worker_actions_add(actions, WORKER_ACTION_DISCONNECT);
        }
        worker->state = STATE_ENDING;
        worker->due = instant_add(now, duration_ms(LEAVING_MS_MAX));
    }
}

static void on_terminate(Worker *worker, Instant now, WorkerActions *actions)
{
    switch (worker->state) {
    case STATE_JOINED:
        begin_to_leave(worker, now, actions);
        break;
    case STATE_PAUSED:
    case STATE_CONNECTING:
    case STATE_LEAVING:
        end_when_free(worker, now, actions);
        break;
    case STATE_HANGING:
        give_up(worker, actions);
        break;
    case STATE_ENDING:
    case STATE_ENDED:
        break;
    }
}

/* ---- with a master ---- */

static void send_heartbeat(Worker *worker, const WorkerProgress *progress, Instant now,
                           WorkerActions *actions)
{
    MessageHeartbeat *heartbeat = &worker_actions_send(actions, MESSAGE_HEARTBEAT)->heartbeat;
    heartbeat->worker = worker->stay.worker;
    heartbeat->nodes_total = progress->nodes_total;
    heartbeat->last_ping = worker->last_ping;
    heartbeat->hash_permille = progress->hash_permille;
    lanes_describe(worker->lanes, progress, heartbeat);
    acknowledge_tables(worker, actions);
    worker->due = instant_add(now, worker->stay.heartbeat);
}

static bool is_of_this_stay(const Worker *worker, const JobId *id)
{
    return id->epoch.value == worker->stay.epoch.value;
}

static void on_job(Worker *worker, const MessageJob *job, WorkerActions *actions)
{
    if (is_of_this_stay(worker, &job->id)) {
        lanes_add(worker->lanes, job, actions);
        hasten_telling(worker, actions);
        if (worker->state == STATE_LEAVING) {
            lanes_cancel(worker->lanes, &job->id, actions);
        }
    }
}

/* Another WELCOME: the master took a repeated HELLO for a new one. Jobs before it are void. */
static void on_welcome_again(Worker *worker, const MessageWelcome *welcome, Instant now,
                             WorkerActions *actions)
{
    if (welcome->epoch.value != worker->stay.epoch.value ||
        welcome->worker.value != worker->stay.worker.value) {
        lanes_abandon(worker->lanes, actions);
        on_welcome(worker, welcome, now, actions);
    }
}

static void on_reset(Worker *worker, Instant now, WorkerActions *actions)
{
    worker_actions_log(actions, false, "the master does not know this worker: joining anew");
    lanes_abandon(worker->lanes, actions);
    begin_hello(worker, now, actions);
}

static void on_message_while_joined(Worker *worker, const Message *message, Instant now,
                                    WorkerActions *actions)
{
    worker->heard = now;
    switch (message->type) {
    case MESSAGE_JOB:
        on_job(worker, &message->job, actions);
        break;
    case MESSAGE_BOUNDS:
        if (message->bounds.share == 0) {
            lanes_raise_alpha(worker->lanes, &message->bounds, actions);
        }
        break;
    case MESSAGE_CANCEL:
        if (message->cancel.share == 0) {
            lanes_cancel(worker->lanes, &message->cancel.id, actions);
        }
        break;
    case MESSAGE_HUNGRY:
        lanes_want(worker->lanes, &message->hungry, actions);
        break;
    case MESSAGE_IMPROVED:
    case MESSAGE_RESULT:
        lanes_deliver(worker->lanes, message, actions);
        break;
    case MESSAGE_TABLE:
        on_table(worker, message, actions);
        break;
    case MESSAGE_HEARD:
        table_window_heard(&worker->window, message->heard.count, now);
        worker->tell_most = tell_most_next(worker->tell_most, message->heard.is_crowded);
        break;
    case MESSAGE_NEW_GAME:
        lanes_new_game(worker->lanes, message->new_game.session, actions);
        break;
    case MESSAGE_PING:
        /* A send to a dead process fails, which is why it comes. A heartbeat at once names it. */
        worker->last_ping = message->ping.number;
        worker->due = now;
        break;
    case MESSAGE_DRAIN:
        worker_actions_log(actions, false, "the master sends this worker home");
        begin_to_leave(worker, now, actions);
        break;
    case MESSAGE_WELCOME:
        on_welcome_again(worker, &message->welcome, now, actions);
        break;
    case MESSAGE_RESET:
        on_reset(worker, now, actions);
        break;
    case MESSAGE_ERROR:
        worker_actions_log(actions, true, "the master reports an error: %s", message->error.text);
        break;
    default:
        break; /* not for workers */
    }
}

static void on_message(Worker *worker, const Message *message, Instant now, WorkerActions *actions)
{
    switch (worker->state) {
    case STATE_CONNECTING:
        on_message_while_connecting(worker, message, now, actions);
        break;
    case STATE_JOINED:
        on_message_while_joined(worker, message, now, actions);
        break;
    case STATE_LEAVING:
        if (message->type == MESSAGE_JOB) {
            on_job(worker, &message->job, actions);
        }
        break;
    case STATE_PAUSED:
    case STATE_HANGING:
    case STATE_ENDING:
    case STATE_ENDED:
        break;
    }
}

/* ---- time ---- */

/*
 * A worker that was itself stopped for a while, so that even its own tick is late, cannot blame the
 * master for the silence.
 */
static void grant_grace(Worker *worker, Instant now)
{
    const Duration lateness = instant_since(now, worker_next_tick(worker));
    if (lateness.us >= worker->stay.lease.us / 2) {
        worker->heard = now;
    }
}

static void tick_while_connecting(Worker *worker, Instant now, WorkerActions *actions)
{
    if (!instant_is_before(now, worker->due)) {
        if (worker->failures == 0) {
            worker_actions_log(actions, false, "no answer from the master yet; trying on");
        }
        reconnect(worker, now, actions);
    } else if (!instant_is_before(now, worker->hello_due)) {
        say_hello(worker, now, actions);
    }
}

/* A search goes on no more: its jobs go to others at once, and no new ones come before it ends. */
static void begin_to_hang(Worker *worker, Instant now, WorkerActions *actions)
{
    worker_actions_log(actions, true, "a search hangs: leaving the master until it has ended");
    pause_for(worker, duration_ms(HANG_LOOK_MS), now, actions);
    worker->state = STATE_HANGING;
    worker->hung = now;
}

static void tick_while_hanging(Worker *worker, Instant now, WorkerActions *actions)
{
    if (lanes_are_empty(worker->lanes)) {
        open_connection(worker, now, actions);
    } else if (instant_since(now, worker->hung).us >= duration_ms(HANG_MS_MAX).us) {
        give_up(worker, actions);
    } else {
        worker->due = instant_add(now, duration_ms(HANG_LOOK_MS));
    }
}

static void tick_while_joined(Worker *worker, const WorkerEvent *event, WorkerActions *actions)
{
    const Duration silence = instant_since(event->now, worker->heard);
    if (silence.us >= worker->stay.lease.us) {
        worker_actions_log(actions, true,
                           "the master has been silent for %" PRId64 " ms: connecting again",
                           duration_to_ms(silence));
        reconnect(worker, event->now, actions);
    } else if (instant_is_before(event->now, worker->due)) {
        return;
    } else if (lanes_hang(worker->lanes, event->progress)) {
        begin_to_hang(worker, event->now, actions);
    } else {
        send_heartbeat(worker, event->progress, event->now, actions);
    }
}

static void on_tick(Worker *worker, const WorkerEvent *event, WorkerActions *actions)
{
    const bool is_due = !instant_is_before(event->now, worker->due);
    switch (worker->state) {
    case STATE_PAUSED:
        if (is_due) {
            open_connection(worker, event->now, actions);
        }
        break;
    case STATE_CONNECTING:
        tick_while_connecting(worker, event->now, actions);
        break;
    case STATE_JOINED:
        tick_while_joined(worker, event, actions);
        break;
    case STATE_HANGING:
        if (is_due) {
            tick_while_hanging(worker, event->now, actions);
        }
        break;
    case STATE_LEAVING:
    case STATE_ENDING:
        if (is_due && lanes_are_empty(worker->lanes)) {
            end(worker, actions);
        } else if (is_due) {
            give_up(worker, actions);
        }
        break;
    case STATE_ENDED:
        break;
    }
}

/*
 * Something could not be sent. A HELLO is said again until there is a connection; with anything
 * else, what the master believes of this worker is no longer true, so the stay ends.
 */
static void on_unsent(Worker *worker, Instant now, WorkerActions *actions)
{
    if (worker->state == STATE_CONNECTING) {
        worker->hello_due = instant_add(now, spread(worker, duration_ms(HELLO_RETRY_MS)));
    } else if (worker->state == STATE_JOINED) {
        worker_actions_log(actions, true, "the connection to the master is lost: connecting again");
        reconnect(worker, now, actions);
    }
}

void worker_step(Worker *worker, const WorkerEvent *event, WorkerActions *actions)
{
    actions->count = 0;
    grant_grace(worker, event->now);
    switch (event->type) {
    case WORKER_EVENT_TICK:
        on_tick(worker, event, actions);
        break;
    case WORKER_EVENT_MESSAGE:
        on_message(worker, event->message, event->now, actions);
        break;
    case WORKER_EVENT_UNSENT:
        on_unsent(worker, event->now, actions);
        break;
    case WORKER_EVENT_IMPROVED:
        lanes_improved(worker->lanes, event->lane, event->improved, actions);
        break;
    case WORKER_EVENT_DONE:
        lanes_done(worker->lanes, event->lane, event->result, actions);
        break;
    case WORKER_EVENT_OFFERED:
        lanes_offered(worker->lanes, event->lane, event->share, event->offered, actions);
        break;
    case WORKER_EVENT_WITHDRAWN:
        lanes_withdrawn(worker->lanes, event->lane, event->share, actions);
        break;
    case WORKER_EVENT_RAISED:
        lanes_raised(worker->lanes, event->lane, event->share, event->alpha, actions);
        break;
    case WORKER_EVENT_PARKED:
        lanes_parked(worker->lanes, event->lane, event->is_parked, actions);
        break;
    case WORKER_EVENT_NOTED:
        on_noted(worker, event->noted, event->now, actions);
        break;
    case WORKER_EVENT_CLEARED:
        lanes_cleared(worker->lanes, actions);
        break;
    case WORKER_EVENT_TERMINATE:
        on_terminate(worker, event->now, actions);
        break;
    }
    if (worker->state == STATE_ENDING && lanes_are_empty(worker->lanes)) {
        end(worker, actions);
    }
    if (worker->state != STATE_ENDED) {
        lanes_start(worker->lanes, actions);
        say_farewell_if_due(worker, event->now, actions);
    }
}

Instant worker_next_tick(const Worker *worker)
{
    Instant next = worker->due;
    if (worker->state == STATE_CONNECTING && instant_is_before(worker->hello_due, next)) {
        next = worker->hello_due;
    }
    if (worker->state == STATE_JOINED) {
        const Instant expiry = instant_add(worker->heard, worker->stay.lease);
        next = instant_is_before(expiry, next) ? expiry : next;
    }
    return next;
}
