/*
 * The master core with a cluster of make-believe workers, whose jobs are real searches.
 *
 * Time is virtual: a job takes a microsecond a node, messages are late by a random time, and by a
 * seed workers crash and come back, results come twice or from beyond the grave, bridges stop,
 * ponder, go and come back at any moment. Whatever happens, each SEARCH gets exactly one BESTMOVE,
 * a legal one, unless its bridge has gone: then it gets none. With one worker of one slot and
 * nothing going wrong the outcome is that of the serial search, to the last node.
 *
 * Jobs that are asked for shares give some away at random: searches of moves below their own node,
 * in which they have no interest but that they do not end before they have heard of each. Whatever
 * happens, they hear of each exactly once.
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
    NAMES_MAX = 1 << 16, /* a power of two, far more than a run has jobs */
    SEARCHES_MAX = 4,    /* of a root side by side */
    MAIL_MAX = 4096,
    NEWS_MAX = 512, /* of one running job */
    LANES_PER_SLOT = 2,
    LANES_MAX = LANES_PER_SLOT * SLOTS_MAX,
    SHARES_OF_JOB_MAX = 32, /* that one job gives away, one after the other */
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

typedef enum { SHARE_OUT, SHARE_WITHDRAWN, SHARE_OVER } ShareState;

typedef struct {
    JobId job;       /* job 0: free */
    MessageJob work; /* what it searches */
    News news[NEWS_MAX];
    int news_count;
    int news_next; /* the last one is its RESULT */
    int64_t started_us;
    int wanted;                           /* shares that it is asked for */
    bool is_parked;                       /* has nothing left but to wait for its shares */
    ShareState shares[SHARES_OF_JOB_MAX]; /* of all that it gave away, by number less one */
    int share_count;                      /* so many */
    uint64_t share_nodes;                 /* searched by others */
} Lane;

typedef struct {
    bool is_alive;
    uint64_t peer;
    int slots;
    GivenSearch given; /* one thread's state: jobs are computed one after the other */
    Lane lanes[LANES_MAX];
    MessageJob queue[QUEUE_MAX];
    int queue_count;
    int64_t mail_us;      /* when its newest mail arrives: a stream keeps its order */
    int64_t heartbeat_us; /* next */
    int64_t reborn_us;    /* when dead */
} FakeWorker;

typedef struct {
    uint64_t peer;
    uint32_t search;  /* newest; 0 before the first */
    bool is_waiting;  /* for its BESTMOVE */
    bool is_clearing; /* NEW_GAME is not answered yet */
    SessionId session;
    Position position;
    int64_t next_us; /* next act */
    int answers;
    int given_up;   /* searches that a session's end left without one */
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
    uint64_t names[NAMES_MAX]; /* of all jobs handed out, hashed; 0: none here */
    int searches_left;         /* that bridges will still ask for */
    int offers;                /* shares given away so far */
    int done;                  /* of them, done by others */
    int given_back;            /* of them, lost on the way */
    int parked;                /* times that a job has waited */
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

/*
 * All but what tells the master of a job's shares: those rely on the order of the stream, which
 * a second copy is out of.
 */
static bool may_come_twice(MessageType type)
{
    return type != MESSAGE_OFFER && type != MESSAGE_PARKED;
}

/* Sends over the worker's stream, which is late but in order; now and then once more, later. */
static void send_from_worker(Cluster *cluster, FakeWorker *worker, Message *message)
{
    int64_t at = cluster->now_us + 200 + (cluster->is_chaos ? chance(cluster, 3000) : 0);
    at = at > worker->mail_us ? at : worker->mail_us;
    worker->mail_us = at;
    if (cluster->is_chaos && may_come_twice(message->type) && chance(cluster, 15) == 0) {
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

static void free_lane(Lane *lane)
{
    for (int i = lane->news_next; i < lane->news_count; i++) {
        free(lane->news[i].message);
    }
    lane->news_count = 0;
    lane->news_next = 0;
    lane->job.job = 0;
    lane->wanted = 0;
    lane->is_parked = false;
    lane->share_count = 0;
    lane->share_nodes = 0;
}

static void free_lanes(FakeWorker *worker)
{
    for (int i = 0; i < LANES_MAX; i++) {
        free_lane(&worker->lanes[i]);
    }
    worker->queue_count = 0;
}

/* A job that would still run when all is over is not computed to its end: others must stop it. */
enum { ENDLESS_NODES = 1000 * 1000, ENDLESS_US = 1800 * 1000 * 1000 };

/* The computing of one job. */
typedef struct {
    Lane *lane;
    SearchControl *control;
    uint64_t nodes; /* by the last poll */
} Run;

static void add_news(Lane *lane, uint64_t nodes, Message *message)
{
    assert_true(lane->news_count < NEWS_MAX);
    lane->news[lane->news_count++] =
        (News){.at_us = lane->started_us + (int64_t)nodes, .message = message};
}

static void on_poll(void *context, uint64_t nodes)
{
    Run *run = context;
    run->nodes = nodes;
    if (nodes >= ENDLESS_NODES) {
        atomic_store_explicit(&run->control->stop, true, memory_order_relaxed);
    }
}

static void on_improved(void *context, const Line *line)
{
    const Run *run = context;
    Message *message = new_message(MESSAGE_IMPROVED);
    message->improved = (MessageImproved){.id = run->lane->job, .line = *line, .nodes = run->nodes};
    add_news(run->lane, run->nodes, message);
}

/* Searches at once; what it finds is told when its time has come. */
static void run_job(Cluster *cluster, FakeWorker *worker, Lane *lane, const MessageJob *job)
{
    Position root;
    History game;
    const Status status = game_position_resolve(&job->position, &root, &game);
    assert_true(status_is_ok(&status));
    assert_true(job->move_count > 0);
    assert_true(message_job_is_playable(job, &root));
    assert_int_equal(job->is_split, job->id.job > 0x80000000);
    lane->job = job->id;
    lane->work = *job;
    lane->started_us = cluster->now_us;
    SearchControl *control = &worker->given.control;
    Run run = {.lane = lane, .control = control};
    const SearchHost host = {.context = &run, .poll = on_poll, .improved = on_improved};
    const SearchJob search_job = message_job_search(job, &root, &game);
    SearchResult found;
    search_run(worker->given.search, &search_job, control, &host, &found);
    const bool is_endless = atomic_load_explicit(&control->stop, memory_order_relaxed);
    atomic_store_explicit(&control->stop, false, memory_order_relaxed);
    Message *message = new_message(MESSAGE_RESULT);
    message_job_result(&found, &job->id, &message->result);
    add_news(lane, is_endless ? ENDLESS_US : found.nodes, message);
}

static int count_jobs(const FakeWorker *worker)
{
    int count = worker->queue_count;
    for (int i = 0; i < LANES_MAX; i++) {
        count += worker->lanes[i].job.job != 0;
    }
    return count;
}

static int count_at_work(const FakeWorker *worker)
{
    int count = 0;
    for (int i = 0; i < LANES_MAX; i++) {
        count += worker->lanes[i].job.job != 0 && !worker->lanes[i].is_parked;
    }
    return count;
}

static void start_queued(Cluster *cluster, FakeWorker *worker)
{
    for (int i = 0; i < LANES_MAX && worker->queue_count > 0; i++) {
        if (worker->lanes[i].job.job == 0 && count_at_work(worker) < worker->slots) {
            run_job(cluster, worker, &worker->lanes[i], &worker->queue[0]);
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

/* Ends a job that is not done and says how far it came. */
static void give_job_back(Cluster *cluster, FakeWorker *worker, Lane *lane)
{
    Message *message = new_message(MESSAGE_RESULT);
    message->result.id = lane->job;
    message->result.nodes = (uint64_t)(cluster->now_us - lane->started_us);
    send_from_worker(cluster, worker, message);
    free_lane(lane);
}

/* Ends the named jobs: a running one says how far it came. */
static void cancel(Cluster *cluster, FakeWorker *worker, const JobId *name)
{
    for (int i = 0; i < LANES_MAX; i++) {
        Lane *lane = &worker->lanes[i];
        if (lane->job.job != 0 && is_named(name, &lane->job)) {
            give_job_back(cluster, worker, lane);
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
    free_lanes(worker);
    worker->is_alive = false;
    worker->reborn_us = cluster->now_us + 1000 + chance(cluster, 200000);
}

static Lane *find_lane(FakeWorker *worker, const JobId *id)
{
    for (int i = 0; i < LANES_MAX; i++) {
        if (worker->lanes[i].job.job != 0 && job_id_equal(&worker->lanes[i].job, id)) {
            return &worker->lanes[i];
        }
    }
    return NULL;
}

static int count_out(const Lane *lane)
{
    int count = 0;
    for (int i = 0; i < lane->share_count; i++) {
        count += lane->shares[i] == SHARE_OUT;
    }
    return count;
}

static void set_parked(Cluster *cluster, FakeWorker *worker, Lane *lane, bool is_parked)
{
    Message *message = new_message(MESSAGE_PARKED);
    message->parked = (MessageParked){.id = lane->job, .is_parked = is_parked};
    lane->is_parked = is_parked;
    cluster->parked += is_parked;
    send_from_worker(cluster, worker, message);
}

/* News of a share, which must be of one that has not ended, unless its owner has ended itself. */
static void take_news_of_share(Cluster *cluster, FakeWorker *worker, const JobId *owner,
                               uint32_t share, const MessageResult *result)
{
    Lane *lane = find_lane(worker, owner);
    if (lane == NULL) {
        return;
    }
    assert_true(share >= 1 && share <= (uint32_t)lane->share_count);
    ShareState *known = &lane->shares[share - 1];
    assert_int_not_equal(*known, SHARE_OVER);
    if (result != NULL) {
        if (*known == SHARE_OUT) {
            lane->share_nodes += result->nodes;
            cluster->done += result->is_complete;
            cluster->given_back += !result->is_complete;
        }
        *known = SHARE_OVER;
        if (!result->is_complete) { /* what is left has to be searched here */
            lane->news[lane->news_count - 1].at_us += chance(cluster, 2000);
        }
    }
    if (lane->is_parked) {
        set_parked(cluster, worker, lane, false);
        if (lane->news[lane->news_count - 1].at_us < cluster->now_us) {
            lane->news[lane->news_count - 1].at_us = cluster->now_us + chance(cluster, 500);
        }
    }
}

static void hear_hunger(const Cluster *cluster, FakeWorker *worker, const MessageHungry *hungry)
{
    Lane *lane = find_lane(worker, &hungry->id);
    /* One slot is never asked; but one that has died may count for a while beside its successor. */
    assert_true(cluster->is_chaos || cluster->worker_count * worker->slots > 1);
    assert_true(hungry->count >= 0 && hungry->count <= MESSAGE_SHARES_MAX);
    if (lane != NULL) {
        assert_true(hungry->count == 0 || lane->work.depth >= 5);
        lane->wanted = hungry->count;
    }
}

/* No job of a search is handed out twice under one name: a late result would be taken for it. */
static void note_name(Cluster *cluster, const JobId *id)
{
    Prng hash;
    prng_init(&hash, ((uint64_t)id->session.value << 48) ^ ((uint64_t)id->search.value << 32) ^
                         ((uint64_t)id->attempt << 56) ^ id->job);
    const uint64_t name = prng_next(&hash) | 1;
    size_t at = name % NAMES_MAX;
    while (cluster->names[at] != 0) {
        assert_true(cluster->names[at] != name);
        at = (at + 1) % NAMES_MAX;
    }
    cluster->names[at] = name;
}

static void take_at_worker(Cluster *cluster, FakeWorker *worker, const Message *message)
{
    switch (message->type) {
    case MESSAGE_WELCOME: /* to a HELLO that came twice: what was before it is void */
        free_lanes(worker);
        break;
    case MESSAGE_JOB:
        assert_true(worker->queue_count < QUEUE_MAX);
        note_name(cluster, &message->job.id);
        worker->queue[worker->queue_count++] = message->job;
        assert_true(count_jobs(worker) <= LANES_PER_SLOT * worker->slots);
        start_queued(cluster, worker);
        break;
    case MESSAGE_CANCEL:
        cancel(cluster, worker, &message->cancel.id);
        break;
    case MESSAGE_IMPROVED:
        take_news_of_share(cluster, worker, &message->improved.id, message->improved.share, NULL);
        break;
    case MESSAGE_RESULT:
        take_news_of_share(cluster, worker, &message->result.id, message->result.share,
                           &message->result);
        break;
    case MESSAGE_HUNGRY:
        hear_hunger(cluster, worker, &message->hungry);
        break;
    case MESSAGE_NEW_GAME:
        given_search_forget(&worker->given);
        send_from_worker(
            cluster, worker,
            copy_of(&(Message){.type = MESSAGE_CLEARED, .new_game = message->new_game}));
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
    Message *message = new_message(MESSAGE_HEARTBEAT);
    MessageHeartbeat *heartbeat = &message->heartbeat;
    worker->heartbeat_us += duration_ms(HEARTBEAT_MS).us;
    for (int i = 0; i < LANES_MAX; i++) {
        const Lane *lane = &worker->lanes[i];
        if (lane->job.job != 0) {
            heartbeat->busy[heartbeat->busy_count++] = (SlotProgress){
                .job = lane->job, .nodes = (uint64_t)(cluster->now_us - lane->started_us)};
        }
    }
    send_from_worker(cluster, worker, message);
}

/* ---- workers' shares ---- */

/* The node behind the job's path and one of its moves. */
static Position node_below(const MessageJob *work, Move move)
{
    Position root;
    History game;
    const Status status = game_position_resolve(&work->position, &root, &game);
    assert_true(status_is_ok(&status));
    Position node = root;
    for (int i = 0; i < work->path_length; i++) {
        Position after;
        position_make(&node, work->path[i], &after);
        node = after;
    }
    Position below;
    position_make(&node, move, &below);
    return below;
}

/* Some moves of a node below the job's own, to be searched less deep. */
static bool draw_share(Cluster *cluster, const MessageJob *work, MessageJob *job)
{
    const Move move = work->moves[chance(cluster, work->move_count)];
    const Position node = node_below(work, move);
    MoveList list;
    movegen_all(&node, &list);
    if (list.count == 0) {
        return false;
    }
    *job = (MessageJob){
        .path_length = work->path_length + 1,
        .depth = work->depth - 1 - (int)chance(cluster, 2),
        .alpha = (int)chance(cluster, 200) - 100,
        .node_kind = (int)chance(cluster, 3),
        .is_split = true,
        .best = -SCORE_INFINITE,
        .root_depth = work->root_depth,
    };
    memcpy(job->path, work->path, (size_t)work->path_length * sizeof(Move));
    job->path[work->path_length] = move;
    job->beta = job->alpha + (job->node_kind == NODE_PV ? 30 : 1);
    for (int i = 0; i < list.count; i++) {
        if (i == 0 || chance(cluster, 3) == 0) {
            job->moves[job->move_count] = list.moves[i];
            job->numbers[job->move_count++] = (uint8_t)(i + 2);
        }
    }
    return true;
}

static void give_share_away(Cluster *cluster, FakeWorker *worker, Lane *lane)
{
    Message *message = new_message(MESSAGE_OFFER);
    if (lane->share_count == SHARES_OF_JOB_MAX || lane->work.path_length + 1 == MESSAGE_PATH_MAX ||
        !draw_share(cluster, &lane->work, &message->offer.job)) {
        free(message);
        return;
    }
    lane->shares[lane->share_count++] = SHARE_OUT;
    lane->wanted--;
    cluster->offers++;
    message->offer.parent = lane->job;
    message->offer.share = (uint32_t)lane->share_count;
    send_from_worker(cluster, worker, message);
}

static void withdraw_share(Cluster *cluster, FakeWorker *worker, Lane *lane, uint32_t share)
{
    Message *message = new_message(MESSAGE_CANCEL);
    message->cancel = (MessageCancel){.id = lane->job, .share = share};
    lane->shares[share - 1] = SHARE_WITHDRAWN;
    send_from_worker(cluster, worker, message);
}

static void raise_share(Cluster *cluster, FakeWorker *worker, const Lane *lane, uint32_t share)
{
    Message *message = new_message(MESSAGE_BOUNDS);
    message->bounds = (MessageBounds){.id = lane->job, .share = share, .alpha = 50};
    send_from_worker(cluster, worker, message);
}

/* What the search of a lane does with its shares now. */
static void act_as_owner(Cluster *cluster, FakeWorker *worker, Lane *lane)
{
    if (lane->wanted > 0 && chance(cluster, 4) == 0) {
        give_share_away(cluster, worker, lane);
    }
    for (int i = 0; i < lane->share_count; i++) {
        if (lane->shares[i] == SHARE_OUT && chance(cluster, 60) == 0) {
            withdraw_share(cluster, worker, lane, (uint32_t)i + 1);
        } else if (lane->shares[i] == SHARE_OUT && chance(cluster, 30) == 0) {
            raise_share(cluster, worker, lane, (uint32_t)i + 1);
        }
    }
}

/* Everything that the job of a lane has to say by now; it waits for its shares before it ends. */
static void act_as_lane(Cluster *cluster, FakeWorker *worker, Lane *lane)
{
    if (!lane->is_parked) {
        act_as_owner(cluster, worker, lane);
    }
    while (lane->news_next < lane->news_count &&
           lane->news[lane->news_next].at_us <= cluster->now_us) {
        Message *message = lane->news[lane->news_next].message;
        if (message->type == MESSAGE_RESULT && count_out(lane) > 0) {
            if (!lane->is_parked) {
                set_parked(cluster, worker, lane, true);
            }
            return;
        }
        if (message->type == MESSAGE_RESULT) {
            message->result.nodes += lane->share_nodes;
        }
        lane->news_next++;
        send_from_worker(cluster, worker, message);
    }
    if (lane->job.job != 0 && lane->news_next == lane->news_count) {
        free_lane(lane);
    }
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
    for (int i = 0; i < LANES_MAX; i++) {
        Lane *lane = &worker->lanes[i];
        if (cluster->is_chaos && lane->job.job != 0 && chance(cluster, 100) == 0) {
            give_job_back(cluster, worker, lane);
        }
        act_as_lane(cluster, worker, lane);
    }
    start_queued(cluster, worker);
    if (cluster->is_chaos && chance(cluster, 150) == 0) {
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
    for (int i = 0; i < LANES_MAX; i++) {
        const Lane *lane = &worker->lanes[i];
        if (!lane->is_parked && lane->news_next < lane->news_count &&
            lane->news[lane->news_next].at_us < next) {
            next = lane->news[lane->news_next].at_us;
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
            assert_true(message->info.nodes >= bridge->nodes);
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
    } else if (message->type == MESSAGE_CLEARED) {
        assert_true(bridge->is_clearing); /* once for each NEW_GAME at most */
        assert_int_equal(message->new_game.session.value, bridge->session.value);
        bridge->is_clearing = false;
    } else if (message->type == MESSAGE_OPENED) {
        bridge->session = message->opened.session;
    } else {
        assert_true(message->type == MESSAGE_STATUS || message->type == MESSAGE_PONG);
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
    bridge->nodes = 0;
    search->multi_pv = chance(cluster, 2) == 0 ? 1 : 2 + (int)chance(cluster, 2);
    draw_limits(cluster, &search->limits);
    bridge->is_waiting = true;
    cluster->searches_left--;
    step(cluster, MASTER_EVENT_MESSAGE, bridge->peer, message);
    free(message);
}

/* What it learned is void; a search that runs is answered in the same step. */
static void begin_new_game(Cluster *cluster, FakeBridge *bridge)
{
    Message *message = new_message(MESSAGE_NEW_GAME);
    message->new_game.session = bridge->session;
    bridge->is_clearing = true;
    step(cluster, MASTER_EVENT_MESSAGE, bridge->peer, message);
    assert_false(bridge->is_waiting);
    free(message);
}

static void open_session(Cluster *cluster, FakeBridge *bridge)
{
    Message *open = new_message(MESSAGE_OPEN);
    open->open.protocol_version = PROTOCOL_VERSION;
    step(cluster, MASTER_EVENT_MESSAGE, bridge->peer, open);
    free(open);
}

/* Its session ends in one of three ways, and another begins. What was asked for gets no answer. */
static void begin_new_session(Cluster *cluster, FakeBridge *bridge)
{
    const int way = (int)chance(cluster, 3);
    bridge->given_up += bridge->is_waiting;
    bridge->is_waiting = false;
    bridge->is_clearing = false;
    if (way == 0) {
        Message *close = new_message(MESSAGE_CLOSE);
        step(cluster, MASTER_EVENT_MESSAGE, bridge->peer, close);
        free(close);
    } else if (way == 1) {
        step(cluster, MASTER_EVENT_PEER_GONE, bridge->peer, NULL);
    }
    if (way != 2) { /* that is a second OPEN of the same peer */
        bridge->peer = cluster->next_peer++;
    }
    open_session(cluster, bridge);
}

/* One act of a bridge whose time has come. */
static void act_as_bridge(Cluster *cluster, FakeBridge *bridge)
{
    if (cluster->now_us < bridge->next_us) {
        return;
    }
    bridge->next_us = cluster->now_us + 500 + chance(cluster, 60000);
    if (chance(cluster, 12) == 0) {
        begin_new_session(cluster, bridge);
    }
    if (!bridge->is_waiting) {
        if (chance(cluster, 8) == 0) {
            begin_new_game(cluster, bridge);
        }
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
        if (chance(cluster, 8) == 0) {
            begin_new_game(cluster, bridge);
        }
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
                                 .lease = duration_ms(LEASE_MS),
                                 .searches_max = 1 + (int)(seed % SEARCHES_MAX),
                                 .surplus_permille = 250};
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
    for (int i = 0; i < bridges; i++) {
        cluster->bridges[i].peer = cluster->next_peer++;
        cluster->bridges[i].next_us = cluster->now_us;
        cluster->bridge_count++;
        open_session(cluster, &cluster->bridges[i]);
    }
    return cluster;
}

static void end_cluster(Cluster *cluster)
{
    for (int i = 0; i < cluster->mail_count; i++) {
        free(cluster->mail[i].message);
    }
    for (int i = 0; i < cluster->worker_count; i++) {
        free_lanes(&cluster->workers[i]);
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
    int clearing = 0;
    while (answers < SEARCHES || clearing > 0) {
        advance(cluster);
        answers = 0;
        clearing = 0;
        for (int i = 0; i < BRIDGES; i++) {
            const FakeBridge *bridge = &cluster->bridges[i];
            answers += bridge->answers + bridge->given_up;
            clearing += bridge->is_clearing;
            assert_int_equal(bridge->answers + bridge->given_up + bridge->is_waiting,
                             bridge->search);
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

/* What came of shares in several runs. */
typedef struct {
    int offers;
    int done;
    int given_back;
    int parked;
} ShareCounts;

/* A search to a fixed depth, with faults at first; once they have healed it comes to its end. */
static void run_healing(uint64_t seed, int workers, int slots, ShareCounts *counts)
{
    enum { DEPTH = 10, FAULTS_US = 40000, HEALED_US = 10 * 1000 * 1000 };
    Cluster *cluster = new_cluster(seed, workers, slots, 1);
    FakeBridge *bridge = &cluster->bridges[0];
    bridge->position = fen_start_position();
    bridge->search = 1;
    bridge->is_waiting = true;
    bridge->next_us = INT64_MAX;
    Message *message = new_message(MESSAGE_SEARCH);
    message->search.search.value = 1;
    message->search.multi_pv = 1;
    message->search.limits.depth = DEPTH;
    (void)snprintf(message->search.position.fen, FEN_BYTES_MAX, "%s", FEN_START);
    cluster->is_chaos = true;
    step(cluster, MASTER_EVENT_MESSAGE, bridge->peer, message);
    free(message);
    const int64_t faults_end_us = cluster->now_us + FAULTS_US;
    while (bridge->is_waiting) {
        cluster->is_chaos = cluster->now_us < faults_end_us;
        advance(cluster);
        assert_true(cluster->now_us < faults_end_us + HEALED_US);
        if (cluster->now_us % 7 == 0) { /* a bridge that is heard of keeps its session */
            name_search(cluster, bridge, MESSAGE_PING);
        }
    }
    assert_int_equal(bridge->line.depth, DEPTH);
    counts->offers += cluster->offers;
    counts->done += cluster->done;
    counts->given_back += cluster->given_back;
    counts->parked += cluster->parked;
    end_cluster(cluster);
}

static void test_every_share_is_heard_of_and_all_work_again_after_the_faults(void **state)
{
    (void)state;
    ShareCounts counts = {0};
    for (uint64_t seed = 100; seed < 160; seed++) {
        run_healing(seed, 2 + (int)(seed % 3), 1 + (int)(seed / 3 % SLOTS_MAX), &counts);
    }
    print_message("%d shares: %d done, %d given back; %d waits\n", counts.offers, counts.done,
                  counts.given_back, counts.parked);
    assert_true(counts.done > 1000);
    assert_true(counts.given_back > 20);
    assert_true(counts.parked > 1000);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_slot_is_the_serial_search),
        cmocka_unit_test(test_every_search_is_answered_once_and_legally),
        cmocka_unit_test(test_every_share_is_heard_of_and_all_work_again_after_the_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
