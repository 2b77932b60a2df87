/*
 * The master core with a cluster of make-believe workers, whose jobs are real searches.
 *
 * Time is virtual: a job takes a microsecond a node, messages are late by a random time, and by a
 * seed workers crash and come back, results come twice or from beyond the grave, bridges stop,
 * ponder and begin anew at any moment. Whatever happens, each SEARCH gets exactly one BESTMOVE, a
 * legal one. With one worker of one slot and nothing going wrong the outcome is that of the serial
 * search, to the last node.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "master/core/master.h"
#include "messages/game_position.h"
#include "tests/support/given_search.h"
#include "worker/search/message_job.h"

enum {
    EPOCH = 3,
    IDENTITY = 8,
    HEARTBEAT_MS = 100,
    LEASE_MS = 1500,
    WORKERS_MAX = 4,
    SLOTS_MAX = 3,
    QUEUE_MAX = 16, /* jobs that wait for a slot of one worker */
    BRIDGES = 2,
    MAIL_MAX = 4096,
    NEWS_MAX = 512, /* of one running job */
};

/* A message under way to the master. */
typedef struct {
    int64_t at_us;
    uint64_t order; /* of those due at once the first sent is the first delivered */
    uint64_t peer;
    Message *message; /* owned */
} Mail;

/* What a running job will send, and when. */
typedef struct {
    int64_t at_us;
    Message *message; /* owned */
} News;

typedef struct {
    JobId job; /* job 0: free */
    News news[NEWS_MAX];
    int news_count;
    int news_next;
    int64_t started_us;
} Slot;

typedef struct {
    bool is_alive;
    uint64_t peer;
    int slots;
    GivenSearch given; /* one thread's state: the slots' jobs are computed one after the other */
    Slot slot[SLOTS_MAX];
    MessageJob queue[QUEUE_MAX];
    int queue_count;
    int64_t mail_us;      /* when its newest mail arrives: a stream keeps its order */
    int64_t heartbeat_us; /* next */
    int64_t reborn_us;    /* when dead */
} FakeWorker;

typedef struct {
    uint64_t peer;
    uint32_t search; /* newest; 0 before the first */
    bool is_waiting; /* for its BESTMOVE */
    Position position;
    int64_t next_us; /* next act */
    int answers;
    uint64_t nodes; /* of the last INFO */
    Line line;      /* likewise */
    Move best;
} FakeBridge;

typedef struct {
    Master *master;
    MasterActions *actions;
    int64_t now_us;
    Prng prng;
    bool is_chaos;
    uint64_t next_peer;
    uint64_t order;
    Mail mail[MAIL_MAX];
    int mail_count;
    FakeWorker workers[WORKERS_MAX];
    int worker_count;
    FakeBridge bridges[BRIDGES];
    int bridge_count;
    int searches_left; /* that bridges will still ask for */
} Cluster;

static void step(Cluster *cluster, MasterEventType type, uint64_t peer, const Message *message);

/* ---- mail ---- */

static Message *copy_of(const Message *message)
{
    Message *copy = malloc(sizeof *copy);
    *copy = *message;
    return copy;
}

static int64_t chance(Cluster *cluster, int64_t below)
{
    return (int64_t)prng_below(&cluster->prng, (uint64_t)below);
}

static void post(Cluster *cluster, uint64_t peer, int64_t at_us, Message *message)
{
    assert_true(cluster->mail_count < MAIL_MAX);
    cluster->mail[cluster->mail_count++] =
        (Mail){.at_us = at_us, .order = cluster->order++, .peer = peer, .message = message};
}

/* Sends over the worker's stream, which is late but in order; now and then once more, later. */
static void send_from_worker(Cluster *cluster, FakeWorker *worker, Message *message)
{
    int64_t at = cluster->now_us + 200 + (cluster->is_chaos ? chance(cluster, 3000) : 0);
    at = at > worker->mail_us ? at : worker->mail_us;
    worker->mail_us = at;
    if (cluster->is_chaos && chance(cluster, 15) == 0) {
        post(cluster, worker->peer, at + chance(cluster, 20000), copy_of(message));
    }
    post(cluster, worker->peer, at, message);
}

static Message *new_message(MessageType type)
{
    Message *message = calloc(1, sizeof *message);
    message->type = type;
    return message;
}

/* ---- workers ---- */

static void say_hello(Cluster *cluster, FakeWorker *worker)
{
    Message *message = new_message(MESSAGE_HELLO);
    message->hello = (MessageHello){.protocol_version = PROTOCOL_VERSION,
                                    .search_identity = IDENTITY,
                                    .slots = worker->slots,
                                    .hash_mb = 1,
                                    .nodes_per_second = 1000000};
    worker->is_alive = true;
    worker->peer = cluster->next_peer++;
    worker->mail_us = cluster->now_us;
    worker->heartbeat_us = cluster->now_us + duration_ms(HEARTBEAT_MS).us;
    send_from_worker(cluster, worker, message);
}

static void free_slot(Slot *slot)
{
    for (int i = slot->news_next; i < slot->news_count; i++) {
        free(slot->news[i].message);
    }
    slot->news_count = 0;
    slot->news_next = 0;
    slot->job.job = 0;
}

/* The computing of one job. */
typedef struct {
    Slot *slot;
    uint64_t nodes; /* by the last poll */
} Run;

static void add_news(Slot *slot, uint64_t nodes, Message *message)
{
    assert_true(slot->news_count < NEWS_MAX);
    slot->news[slot->news_count++] =
        (News){.at_us = slot->started_us + (int64_t)nodes, .message = message};
}

static void on_poll(void *context, uint64_t nodes)
{
    ((Run *)context)->nodes = nodes;
}

static void on_improved(void *context, const Line *line)
{
    const Run *run = context;
    Message *message = new_message(MESSAGE_IMPROVED);
    message->improved = (MessageImproved){.id = run->slot->job, .line = *line, .nodes = run->nodes};
    add_news(run->slot, run->nodes, message);
}

/* Searches at once; what it finds is told when its time has come. */
static void run_job(Cluster *cluster, FakeWorker *worker, Slot *slot, const MessageJob *job)
{
    Position root;
    History game;
    const Status status = game_position_resolve(&job->position, &root, &game);
    assert_true(status_is_ok(&status));
    assert_true(job->move_count > 0);
    for (int i = 0; i < job->move_count; i++) {
        assert_true(movegen_is_legal(&root, job->moves[i]));
    }
    slot->job = job->id;
    slot->started_us = cluster->now_us;
    Run run = {.slot = slot};
    const SearchHost host = {.context = &run, .poll = on_poll, .improved = on_improved};
    const SearchJob search_job = message_job_search(job, &root, &game);
    SearchResult found;
    search_run(worker->given.search, &search_job, &worker->given.control, &host, &found);
    Message *message = new_message(MESSAGE_RESULT);
    message_job_result(&found, &job->id, &message->result);
    add_news(slot, found.nodes, message);
}

static void start_queued(Cluster *cluster, FakeWorker *worker)
{
    for (int i = 0; i < worker->slots && worker->queue_count > 0; i++) {
        if (worker->slot[i].job.job == 0) {
            run_job(cluster, worker, &worker->slot[i], &worker->queue[0]);
            worker->queue_count--;
            memmove(&worker->queue[0], &worker->queue[1],
                    (size_t)worker->queue_count * sizeof worker->queue[0]);
        }
    }
}

static bool is_named(const JobId *name, const JobId *job)
{
    return name->session.value == job->session.value &&
           (name->search.value == 0 || name->search.value == job->search.value) &&
           (name->job == 0 || name->job == job->job);
}

/* Ends the named jobs: a running one says how far it came. */
static void cancel(Cluster *cluster, FakeWorker *worker, const JobId *name)
{
    for (int i = 0; i < worker->slots; i++) {
        Slot *slot = &worker->slot[i];
        if (slot->job.job != 0 && is_named(name, &slot->job)) {
            Message *message = new_message(MESSAGE_RESULT);
            message->result.id = slot->job;
            message->result.nodes = (uint64_t)(cluster->now_us - slot->started_us);
            send_from_worker(cluster, worker, message);
            free_slot(slot);
        }
    }
    int kept = 0;
    for (int i = 0; i < worker->queue_count; i++) {
        if (!is_named(name, &worker->queue[i].id)) {
            worker->queue[kept++] = worker->queue[i];
        }
    }
    worker->queue_count = kept;
    start_queued(cluster, worker);
}

/* The worker dies: what is under way may still arrive, what it knew is lost. */
static void crash(Cluster *cluster, FakeWorker *worker)
{
    for (int i = 0; i < worker->slots; i++) {
        free_slot(&worker->slot[i]);
    }
    worker->queue_count = 0;
    worker->is_alive = false;
    worker->reborn_us = cluster->now_us + 1000 + chance(cluster, 200000);
}

static void take_at_worker(Cluster *cluster, FakeWorker *worker, const Message *message)
{
    switch (message->type) {
    case MESSAGE_JOB:
        assert_true(worker->queue_count < QUEUE_MAX);
        worker->queue[worker->queue_count++] = message->job;
        start_queued(cluster, worker);
        break;
    case MESSAGE_CANCEL:
        cancel(cluster, worker, &message->cancel.id);
        break;
    case MESSAGE_NEW_GAME:
        given_search_forget(&worker->given);
        break;
    case MESSAGE_RESET:
        crash(cluster, worker);
        break;
    default:
        assert_int_not_equal(message->type, MESSAGE_ERROR);
    }
}

static void send_heartbeat(Cluster *cluster, FakeWorker *worker)
{
    worker->heartbeat_us += duration_ms(HEARTBEAT_MS).us;
    send_from_worker(cluster, worker, new_message(MESSAGE_HEARTBEAT));
}

/* Everything that the worker has to do by now. */
static void act_as_worker(Cluster *cluster, FakeWorker *worker)
{
    if (!worker->is_alive) {
        if (cluster->now_us >= worker->reborn_us) {
            say_hello(cluster, worker);
        }
        return;
    }
    if (cluster->now_us >= worker->heartbeat_us) {
        send_heartbeat(cluster, worker);
    }
    for (int i = 0; i < worker->slots; i++) {
        Slot *slot = &worker->slot[i];
        while (slot->news_next < slot->news_count &&
               slot->news[slot->news_next].at_us <= cluster->now_us) {
            send_from_worker(cluster, worker, slot->news[slot->news_next++].message);
        }
        if (slot->job.job != 0 && slot->news_next == slot->news_count) {
            free_slot(slot);
        }
    }
    start_queued(cluster, worker);
    if (cluster->is_chaos && chance(cluster, 400) == 0) {
        const uint64_t peer = worker->peer;
        crash(cluster, worker);
        if (chance(cluster, 2) == 0) { /* else only its silence tells */
            step(cluster, MASTER_EVENT_PEER_GONE, peer, NULL);
        }
    }
}

static int64_t next_of_worker(const FakeWorker *worker)
{
    if (!worker->is_alive) {
        return worker->reborn_us;
    }
    int64_t next = worker->heartbeat_us;
    for (int i = 0; i < worker->slots; i++) {
        const Slot *slot = &worker->slot[i];
        if (slot->news_next < slot->news_count && slot->news[slot->news_next].at_us < next) {
            next = slot->news[slot->news_next].at_us;
        }
    }
    return next;
}

/* ---- bridges ---- */

static void take_at_bridge(FakeBridge *bridge, const Message *message)
{
    if (message->type == MESSAGE_INFO) {
        assert_true(bridge->is_waiting);
        assert_int_equal(message->info.search.value, bridge->search);
        assert_true(message->info.line.length > 0);
        assert_true(given_search_line_is_sound(&bridge->position, &message->info.line));
        if (message->info.multi_pv_index == 0) {
            bridge->nodes = message->info.nodes;
            bridge->line = message->info.line;
        }
    } else if (message->type == MESSAGE_BESTMOVE) {
        assert_true(bridge->is_waiting); /* never two */
        assert_int_equal(message->bestmove.search.value, bridge->search);
        bridge->is_waiting = false;
        bridge->answers++;
        bridge->best = message->bestmove.move;
        assert_true(movegen_any(&bridge->position)
                        ? movegen_is_legal(&bridge->position, bridge->best)
                        : bridge->best == MOVE_NONE);
    } else {
        assert_true(message->type == MESSAGE_OPENED || message->type == MESSAGE_STATUS ||
                    message->type == MESSAGE_PONG);
    }
}

static void draw_limits(Cluster *cluster, GoLimits *limits)
{
    switch (chance(cluster, 6)) {
    case 0:
        limits->depth = 1 + (int)chance(cluster, 6);
        break;
    case 1:
        limits->nodes = 1 + (uint64_t)chance(cluster, 8000);
        break;
    case 2:
        limits->has_move_time = true;
        limits->move_time = duration_us(chance(cluster, 60000));
        break;
    case 3:
        limits->has_clock[WHITE] = limits->has_clock[BLACK] = true;
        limits->clock[WHITE] = limits->clock[BLACK] = duration_ms(chance(cluster, 800));
        break;
    case 4:
        limits->infinite = true;
        limits->depth = chance(cluster, 2) == 0 ? 3 : 0;
        break;
    default:
        limits->ponder = true;
        limits->depth = 1 + (int)chance(cluster, 5);
    }
}

static void name_search(Cluster *cluster, const FakeBridge *bridge, MessageType type)
{
    Message *message = new_message(type);
    message->search_name.search.value = bridge->search;
    step(cluster, MASTER_EVENT_MESSAGE, bridge->peer, message);
    free(message);
}

static void begin_search(Cluster *cluster, FakeBridge *bridge)
{
    Message *message = new_message(MESSAGE_SEARCH);
    MessageSearch *search = &message->search;
    bridge->position = chance(cluster, 12) == 0 ? given_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
                                                : given_random_position(&cluster->prng, 120);
    fen_write(&bridge->position, search->position.fen);
    search->search.value = ++bridge->search;
    search->multi_pv = 1 + (int)chance(cluster, 3);
    draw_limits(cluster, &search->limits);
    bridge->is_waiting = true;
    cluster->searches_left--;
    step(cluster, MASTER_EVENT_MESSAGE, bridge->peer, message);
    free(message);
}

/* One act of a bridge whose time has come. */
static void act_as_bridge(Cluster *cluster, FakeBridge *bridge)
{
    if (cluster->now_us < bridge->next_us) {
        return;
    }
    bridge->next_us = cluster->now_us + 500 + chance(cluster, 60000);
    if (!bridge->is_waiting) {
        if (cluster->searches_left > 0) {
            begin_search(cluster, bridge);
        }
        return;
    }
    switch (chance(cluster, 4)) {
    case 0:
        name_search(cluster, bridge, MESSAGE_PONDERHIT);
        break;
    case 1:
        name_search(cluster, bridge, MESSAGE_STOP);
        assert_false(bridge->is_waiting); /* STOP is answered in the same step */
        break;
    case 2:
        name_search(cluster, bridge, MESSAGE_PING);
        break;
    default:
        break;
    }
}

/* ---- the cluster ---- */

static FakeWorker *worker_of(Cluster *cluster, uint64_t peer)
{
    for (int i = 0; i < cluster->worker_count; i++) {
        if (cluster->workers[i].is_alive && cluster->workers[i].peer == peer) {
            return &cluster->workers[i];
        }
    }
    return NULL;
}

static void carry_out(Cluster *cluster, const MasterAction *action)
{
    if (action->type != MASTER_ACTION_SEND) {
        return;
    }
    for (int i = 0; i < cluster->bridge_count; i++) {
        if (cluster->bridges[i].peer == action->peer.value) {
            take_at_bridge(&cluster->bridges[i], &action->message);
            return;
        }
    }
    FakeWorker *worker = worker_of(cluster, action->peer.value);
    if (worker != NULL) {
        take_at_worker(cluster, worker, &action->message);
    }
}

static void step(Cluster *cluster, MasterEventType type, uint64_t peer, const Message *message)
{
    MasterEvent event = {
        .type = type, .now = {cluster->now_us}, .peer = {peer}, .message = message};
    do {
        master_step(cluster->master, &event, cluster->actions);
        for (int i = 0; i < cluster->actions->count; i++) {
            carry_out(cluster, &cluster->actions->list[i]);
        }
        event.type = MASTER_EVENT_TICK;
    } while (cluster->actions->more);
}

/* Takes the mail that is due first, if any is due by now. */
static bool take_mail(Cluster *cluster, Mail *taken)
{
    int first = -1;
    for (int i = 0; i < cluster->mail_count; i++) {
        const Mail *mail = &cluster->mail[i];
        if (mail->at_us <= cluster->now_us &&
            (first < 0 || mail->at_us < cluster->mail[first].at_us ||
             (mail->at_us == cluster->mail[first].at_us &&
              mail->order < cluster->mail[first].order))) {
            first = i;
        }
    }
    if (first < 0) {
        return false;
    }
    *taken = cluster->mail[first];
    cluster->mail[first] = cluster->mail[--cluster->mail_count];
    return true;
}

static int64_t next_moment(const Cluster *cluster)
{
    int64_t next = master_next_tick(cluster->master).us;
    for (int i = 0; i < cluster->mail_count; i++) {
        next = cluster->mail[i].at_us < next ? cluster->mail[i].at_us : next;
    }
    for (int i = 0; i < cluster->worker_count; i++) {
        const int64_t at = next_of_worker(&cluster->workers[i]);
        next = at < next ? at : next;
    }
    for (int i = 0; i < cluster->bridge_count; i++) {
        next = cluster->bridges[i].next_us < next ? cluster->bridges[i].next_us : next;
    }
    return next > cluster->now_us ? next : cluster->now_us + 1;
}

/* Moves time to the next moment at which anything happens, and lets it happen. */
static void advance(Cluster *cluster)
{
    cluster->now_us = next_moment(cluster);
    Mail mail;
    while (take_mail(cluster, &mail)) {
        step(cluster, MASTER_EVENT_MESSAGE, mail.peer, mail.message);
        free(mail.message);
    }
    for (int i = 0; i < cluster->worker_count; i++) {
        act_as_worker(cluster, &cluster->workers[i]);
    }
    for (int i = 0; i < cluster->bridge_count; i++) {
        act_as_bridge(cluster, &cluster->bridges[i]);
    }
    if (cluster->now_us >= master_next_tick(cluster->master).us) {
        step(cluster, MASTER_EVENT_TICK, 0, NULL);
    }
}

static Cluster *new_cluster(uint64_t seed, int workers, int slots, int bridges)
{
    Cluster *cluster = calloc(1, sizeof *cluster);
    const MasterConfig config = {.epoch = {EPOCH},
                                 .search_identity = IDENTITY,
                                 .heartbeat = duration_ms(HEARTBEAT_MS),
                                 .lease = duration_ms(LEASE_MS)};
    prng_init(&cluster->prng, seed);
    cluster->now_us = 1000;
    cluster->next_peer = 1;
    cluster->master = master_new(&config, (Instant){cluster->now_us});
    cluster->actions = malloc(sizeof *cluster->actions);
    cluster->worker_count = workers;
    for (int i = 0; i < workers; i++) {
        FakeWorker *worker = &cluster->workers[i];
        given_search_new(&worker->given, 1);
        worker->slots = slots;
        say_hello(cluster, worker);
    }
    Message *open = new_message(MESSAGE_OPEN);
    open->open.protocol_version = PROTOCOL_VERSION;
    for (int i = 0; i < bridges; i++) {
        cluster->bridges[i].peer = cluster->next_peer++;
        cluster->bridges[i].next_us = cluster->now_us;
        cluster->bridge_count++;
        step(cluster, MASTER_EVENT_MESSAGE, cluster->bridges[i].peer, open);
    }
    free(open);
    return cluster;
}

static void end_cluster(Cluster *cluster)
{
    for (int i = 0; i < cluster->mail_count; i++) {
        free(cluster->mail[i].message);
    }
    for (int i = 0; i < cluster->worker_count; i++) {
        for (int j = 0; j < cluster->workers[i].slots; j++) {
            free_slot(&cluster->workers[i].slot[j]);
        }
        given_search_destroy(&cluster->workers[i].given);
    }
    master_destroy(&cluster->master);
    free(cluster->actions);
    free(cluster);
}

/* ---- the honest baseline ---- */

static void assert_equals_serial(const char *fen, const GoLimits *limits, int multi_pv)
{
    Cluster *cluster = new_cluster(1, 1, 1, 1);
    FakeBridge *bridge = &cluster->bridges[0];
    bridge->next_us = INT64_MAX;
    bridge->position = given_position(fen);
    bridge->search = 1;
    bridge->is_waiting = true;
    Message *message = new_message(MESSAGE_SEARCH);
    message->search.search.value = 1;
    message->search.multi_pv = multi_pv;
    message->search.limits = *limits;
    (void)snprintf(message->search.position.fen, FEN_BYTES_MAX, "%s", fen);
    step(cluster, MASTER_EVENT_MESSAGE, bridge->peer, message);
    free(message);
    while (bridge->is_waiting) {
        advance(cluster);
    }

    GivenSearch serial;
    given_search_new(&serial, 1);
    const RootLimits root_limits = {
        .depth = limits->depth, .nodes = limits->nodes, .multi_pv = multi_pv};
    const Line *line = given_search_run(&serial, &bridge->position, &root_limits);
    assert_int_equal(bridge->nodes, serial.root.nodes);
    assert_int_equal(bridge->best, line->moves[0]);
    assert_int_equal(bridge->line.score, line->score);
    assert_int_equal(bridge->line.bound, line->bound);
    assert_int_equal(bridge->line.depth, line->depth);
    assert_int_equal(bridge->line.length, line->length);
    assert_memory_equal(bridge->line.moves, line->moves, (size_t)line->length * sizeof(Move));
    given_search_destroy(&serial);
    end_cluster(cluster);
}

static void test_one_slot_is_the_serial_search(void **state)
{
    (void)state;
    static const char *const fens[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    };
    for (int i = 0; i < 4; i++) {
        assert_equals_serial(fens[i], &(GoLimits){.depth = 9}, 1);
        assert_equals_serial(fens[i], &(GoLimits){.depth = 6}, 3);
        for (uint64_t nodes = 100; nodes < 12000; nodes += 397) {
            assert_equals_serial(fens[i], &(GoLimits){.nodes = nodes}, 1);
        }
    }
}

/* ---- whatever happens ---- */

static void run_chaos(uint64_t seed)
{
    enum { SEARCHES = 14, HEALED_US = 20 * 1000 * 1000 };
    Prng prng;
    prng_init(&prng, seed);
    const int workers = 1 + (int)prng_below(&prng, WORKERS_MAX);
    const int slots = 1 + (int)prng_below(&prng, SLOTS_MAX);
    Cluster *cluster = new_cluster(seed, workers, slots, BRIDGES);
    cluster->is_chaos = true;
    cluster->searches_left = SEARCHES;
    int answers = 0;
    while (answers < SEARCHES) {
        advance(cluster);
        answers = 0;
        for (int i = 0; i < BRIDGES; i++) {
            const FakeBridge *bridge = &cluster->bridges[i];
            answers += bridge->answers;
            assert_int_equal(bridge->answers + bridge->is_waiting, bridge->search);
        }
        assert_true(cluster->now_us < HEALED_US);
    }
    end_cluster(cluster);
}

static void test_every_search_is_answered_once_and_legally(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        run_chaos(seed);
    }
}

/* After the faults have healed, every slot has work within a moment. */
static void test_all_slots_work_again_after_the_faults(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 110; seed++) {
        Cluster *cluster = new_cluster(seed, 3, 1, 1);
        FakeBridge *bridge = &cluster->bridges[0];
        bridge->position = fen_start_position();
        bridge->search = 1;
        bridge->is_waiting = true;
        bridge->next_us = INT64_MAX;
        Message *message = new_message(MESSAGE_SEARCH);
        message->search.search.value = 1;
        message->search.multi_pv = 1;
        message->search.limits.depth = 9;
        (void)snprintf(message->search.position.fen, FEN_BYTES_MAX, "%s", FEN_START);
        cluster->is_chaos = true;
        step(cluster, MASTER_EVENT_MESSAGE, bridge->peer, message);
        free(message);
        const int64_t faults_end_us = cluster->now_us + 10000;
        while (bridge->is_waiting) {
            cluster->is_chaos = cluster->now_us < faults_end_us;
            advance(cluster);
            assert_true(cluster->now_us < faults_end_us + 10 * 1000 * 1000);
            if (cluster->now_us % 7 == 0) { /* a bridge that is heard of keeps its session */
                name_search(cluster, bridge, MESSAGE_PING);
            }
        }
        assert_int_equal(bridge->line.depth, 9);
        end_cluster(cluster);
    }
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_slot_is_the_serial_search),
        cmocka_unit_test(test_every_search_is_answered_once_and_legally),
        cmocka_unit_test(test_all_slots_work_again_after_the_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
