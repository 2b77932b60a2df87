#include "worker/core/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "worker/core/worker_actions.h"

/* Sessions whose newest search is remembered; when there are more, some table is aged too often. */
enum { RECENT_MAX = 8 };

static const uint64_t nodes_unknown = UINT64_MAX; /* of a lane */

typedef enum { LANE_FREE, LANE_RUNNING, LANE_STOPPING } LaneState;

typedef struct {
    LaneState state;
    bool is_wanted; /* its result is to be sent; false once its stay is over */
    bool is_parked; /* its search waits for shares */
    MessageJob job; /* unless free */
    uint64_t nodes; /* at the last look; nodes_unknown before the first */
    Duration moved; /* its time at the last look at which it had gone on, or waited for shares */
    int looks;      /* since then */
} Lane;

/* A job that waits. */
typedef struct {
    MessageJob job;
    int wanted; /* of its shares, once it runs */
} Waiting;

typedef struct {
    SessionId session;
    SearchId search;
} SearchName;

struct Lanes {
    int slots;                     /* how many may search */
    int count;                     /* of lanes */
    Lane *lanes;                   /* `count` of them */
    Waiting *queue;                /* oldest first */
    int queue_count;               /* jobs in it */
    int queue_max;                 /* its size */
    SearchName recent[RECENT_MAX]; /* the newest search that the table was aged for, by session */
    int recent_next;               /* the place that is overwritten next */
    bool clear_is_wanted;          /* as soon as all lanes are free */
    bool is_clearing;              /* until lanes_cleared */
    SessionId clearing[MESSAGE_SESSIONS_MAX]; /* are told when that is */
    int clearing_count;
};

Lanes *lanes_new(int slots)
{
    CHECK(slots >= 1 && slots <= MESSAGE_SLOTS_MAX);
    Lanes *lanes = calloc(1, sizeof *lanes);
    if (lanes == NULL) {
        return NULL;
    }
    lanes->slots = slots;
    lanes->count = WORKER_LANES_PER_SLOT * slots;
    lanes->queue_max = slots + lanes->count;
    lanes->lanes = calloc((size_t)lanes->count, sizeof *lanes->lanes);
    lanes->queue = calloc((size_t)lanes->queue_max, sizeof *lanes->queue);
    if (lanes->lanes == NULL || lanes->queue == NULL) {
        lanes_destroy(&lanes);
    }
    return lanes;
}

void lanes_destroy(Lanes **lanes)
{
    if (*lanes != NULL) {
        free((*lanes)->lanes);
        free((*lanes)->queue);
        free(*lanes);
        *lanes = NULL;
    }
}

/* ---- finding ---- */

static bool is_running(const Lane *lane, const JobId *id)
{
    return lane->state == LANE_RUNNING && job_id_equal(&lane->job.id, id);
}

/* The lane that runs the job, or -1. */
static int find_running(const Lanes *lanes, const JobId *id)
{
    for (int i = 0; i < lanes->count; i++) {
        if (is_running(&lanes->lanes[i], id)) {
            return i;
        }
    }
    return -1;
}

static bool is_known(const Lanes *lanes, const JobId *id)
{
    for (int i = 0; i < lanes->count; i++) {
        const Lane *lane = &lanes->lanes[i];
        if (lane->state != LANE_FREE && lane->is_wanted && job_id_equal(&lane->job.id, id)) {
            return true;
        }
    }
    for (int i = 0; i < lanes->queue_count; i++) {
        if (job_id_equal(&lanes->queue[i].job.id, id)) {
            return true;
        }
    }
    return false;
}

/* ---- the queue ---- */

static void remove_queued(Lanes *lanes, int index)
{
    lanes->queue_count--;
    memmove(&lanes->queue[index], &lanes->queue[index + 1],
            (size_t)(lanes->queue_count - index) * sizeof *lanes->queue);
}

/* Answers a job that has not been begun. */
static void give_back(const JobId *id, WorkerActions *actions)
{
    MessageResult *result = &worker_actions_send(actions, MESSAGE_RESULT)->result;
    result->id = *id;
    result->share = 0;
    result->is_complete = false;
    result->score = -SCORE_INFINITE;
    result->line = (Line){.score = SCORE_NONE};
    result->nodes = 0;
    result->selective_depth = 0;
    result->cost_count = 0;
}

void lanes_add(Lanes *lanes, const MessageJob *job, WorkerActions *actions)
{
    if (is_known(lanes, &job->id)) {
        return;
    }
    if (lanes->queue_count == lanes->queue_max) {
        give_back(&job->id, actions);
        return;
    }
    lanes->queue[lanes->queue_count++] = (Waiting){.job = *job};
}

/* ---- giving up ---- */

static bool matches(const JobId *pattern, const JobId *id)
{
    if (pattern->epoch.value != id->epoch.value || pattern->session.value != id->session.value) {
        return false;
    }
    if (pattern->job != 0) {
        return job_id_equal(pattern, id);
    }
    return pattern->search.value == 0 || pattern->search.value == id->search.value;
}

static void stop(Lanes *lanes, int lane, WorkerActions *actions)
{
    if (lanes->lanes[lane].state == LANE_RUNNING) {
        lanes->lanes[lane].state = LANE_STOPPING;
        worker_actions_add(actions, WORKER_ACTION_STOP)->lane = lane;
    }
}

void lanes_cancel(Lanes *lanes, const JobId *pattern, WorkerActions *actions)
{
    for (int i = 0; i < lanes->count; i++) {
        if (matches(pattern, &lanes->lanes[i].job.id)) {
            stop(lanes, i, actions);
        }
    }
    for (int i = lanes->queue_count - 1; i >= 0; i--) {
        if (matches(pattern, &lanes->queue[i].job.id)) {
            give_back(&lanes->queue[i].job.id, actions);
            remove_queued(lanes, i);
        }
    }
}

static void cancel_jobs(Lanes *lanes, WorkerActions *actions)
{
    for (int i = 0; i < lanes->count; i++) {
        stop(lanes, i, actions);
    }
    for (int i = 0; i < lanes->queue_count; i++) {
        give_back(&lanes->queue[i].job.id, actions);
    }
    lanes->queue_count = 0;
}

void lanes_leave(Lanes *lanes, WorkerActions *actions)
{
    cancel_jobs(lanes, actions);
    lanes->clearing_count = 0;
}

void lanes_abandon(Lanes *lanes, WorkerActions *actions)
{
    for (int i = 0; i < lanes->count; i++) {
        stop(lanes, i, actions);
        lanes->lanes[i].is_wanted = false;
    }
    lanes->queue_count = 0;
    lanes->clearing_count = 0;
}

/* ---- what the master tells of running jobs ---- */

void lanes_raise_alpha(Lanes *lanes, const MessageBounds *bounds, WorkerActions *actions)
{
    const int lane = find_running(lanes, &bounds->id);
    if (lane >= 0) {
        WorkerAction *action = worker_actions_add(actions, WORKER_ACTION_RAISE_ALPHA);
        action->lane = lane;
        action->alpha = bounds->alpha;
    }
    for (int i = 0; i < lanes->queue_count; i++) {
        MessageJob *job = &lanes->queue[i].job;
        if (job_id_equal(&job->id, &bounds->id) && bounds->alpha > job->alpha &&
            bounds->alpha < job->beta) {
            job->alpha = bounds->alpha;
        }
    }
}

static void want(int lane, int count, WorkerActions *actions)
{
    WorkerAction *action = worker_actions_add(actions, WORKER_ACTION_WANT);
    action->lane = lane;
    action->count = count;
}

void lanes_want(Lanes *lanes, const MessageHungry *hungry, WorkerActions *actions)
{
    const int lane = find_running(lanes, &hungry->id);
    if (lane >= 0) {
        want(lane, hungry->count, actions);
    }
    for (int i = 0; i < lanes->queue_count; i++) {
        if (job_id_equal(&lanes->queue[i].job.id, &hungry->id)) {
            lanes->queue[i].wanted = hungry->count;
        }
    }
}

void lanes_deliver(Lanes *lanes, const Message *news, WorkerActions *actions)
{
    const bool is_over = news->type == MESSAGE_RESULT;
    const uint32_t share = is_over ? news->result.share : news->improved.share;
    const int lane = find_running(lanes, is_over ? &news->result.id : &news->improved.id);
    if (share == 0 || lane < 0) {
        return;
    }
    WorkerAction *action = worker_actions_add(actions, WORKER_ACTION_DELIVER);
    action->lane = lane;
    action->news = news;
}

/* ---- tables ---- */

/* A session that asks again is answered once. */
static void note_clearing(Lanes *lanes, SessionId session)
{
    for (int i = 0; i < lanes->clearing_count; i++) {
        if (lanes->clearing[i].value == session.value) {
            return;
        }
    }
    if (lanes->clearing_count < MESSAGE_SESSIONS_MAX) { /* a master has no more */
        lanes->clearing[lanes->clearing_count++] = session;
    }
}

void lanes_new_game(Lanes *lanes, SessionId session, WorkerActions *actions)
{
    cancel_jobs(lanes, actions);
    lanes->clear_is_wanted = true;
    note_clearing(lanes, session);
}

void lanes_cleared(Lanes *lanes, WorkerActions *actions)
{
    lanes->is_clearing = false;
    for (int i = 0; i < lanes->clearing_count; i++) {
        worker_actions_send(actions, MESSAGE_CLEARED)->new_game.session = lanes->clearing[i];
    }
    lanes->clearing_count = 0;
}

/* Ages the table when `id` belongs to another search of its session than the job before. */
static void age_if_new(Lanes *lanes, const JobId *id, WorkerActions *actions)
{
    SearchName *name = NULL;
    for (int i = 0; i < RECENT_MAX; i++) {
        if (lanes->recent[i].session.value == id->session.value) {
            name = &lanes->recent[i];
        }
    }
    if (name != NULL && name->search.value == id->search.value) {
        return;
    }
    if (name == NULL) {
        name = &lanes->recent[lanes->recent_next];
        lanes->recent_next = (lanes->recent_next + 1) % RECENT_MAX;
    }
    *name = (SearchName){.session = id->session, .search = id->search};
    (void)worker_actions_add(actions, WORKER_ACTION_AGE);
}

/* ---- running ---- */

static bool all_are_free(const Lanes *lanes)
{
    for (int i = 0; i < lanes->count; i++) {
        if (lanes->lanes[i].state != LANE_FREE) {
            return false;
        }
    }
    return true;
}

static int count_searching(const Lanes *lanes)
{
    int count = 0;
    for (int i = 0; i < lanes->count; i++) {
        count += lanes->lanes[i].state != LANE_FREE && !lanes->lanes[i].is_parked;
    }
    return count;
}

static void start_next(Lanes *lanes, int lane, WorkerActions *actions)
{
    Lane *free_lane = &lanes->lanes[lane];
    free_lane->state = LANE_RUNNING;
    free_lane->is_wanted = true;
    free_lane->is_parked = false;
    free_lane->nodes = nodes_unknown;
    free_lane->job = lanes->queue[0].job;
    const int wanted = lanes->queue[0].wanted;
    remove_queued(lanes, 0);
    age_if_new(lanes, &free_lane->job.id, actions);
    WorkerAction *action = worker_actions_add(actions, WORKER_ACTION_START);
    action->lane = lane;
    action->job = &free_lane->job;
    if (wanted > 0) {
        want(lane, wanted, actions);
    }
}

void lanes_start(Lanes *lanes, WorkerActions *actions)
{
    if (lanes->clear_is_wanted && !lanes->is_clearing && all_are_free(lanes)) {
        lanes->clear_is_wanted = false;
        lanes->is_clearing = true;
        (void)worker_actions_add(actions, WORKER_ACTION_CLEAR);
    }
    if (lanes->clear_is_wanted || lanes->is_clearing) {
        return;
    }
    int searching = count_searching(lanes);
    for (int i = 0; i < lanes->count && searching < lanes->slots && lanes->queue_count > 0; i++) {
        if (lanes->lanes[i].state == LANE_FREE) {
            start_next(lanes, i, actions);
            searching++;
        }
    }
}

void lanes_improved(Lanes *lanes, int lane, const MessageImproved *improved, WorkerActions *actions)
{
    const Lane *from = &lanes->lanes[lane];
    CHECK(from->state != LANE_FREE && job_id_equal(&from->job.id, &improved->id));
    if (from->state == LANE_RUNNING) {
        worker_actions_send(actions, MESSAGE_IMPROVED)->improved = *improved;
    }
}

void lanes_done(Lanes *lanes, int lane, const MessageResult *result, WorkerActions *actions)
{
    Lane *from = &lanes->lanes[lane];
    CHECK(from->state != LANE_FREE && job_id_equal(&from->job.id, &result->id));
    if (from->is_wanted) {
        worker_actions_send(actions, MESSAGE_RESULT)->result = *result;
    }
    from->state = LANE_FREE;
}

/* ---- shares ---- */

void lanes_offered(Lanes *lanes, int lane, uint32_t share, const MessageJob *job,
                   WorkerActions *actions)
{
    const Lane *from = &lanes->lanes[lane];
    CHECK(from->state != LANE_FREE && share != 0);
    if (from->state == LANE_RUNNING) {
        MessageOffer *offer = &worker_actions_send(actions, MESSAGE_OFFER)->offer;
        offer->parent = from->job.id;
        offer->share = share;
        offer->job = *job;
    }
}

void lanes_withdrawn(Lanes *lanes, int lane, uint32_t share, WorkerActions *actions)
{
    const Lane *from = &lanes->lanes[lane];
    CHECK(from->state != LANE_FREE && share != 0);
    if (from->state == LANE_RUNNING) {
        worker_actions_send(actions, MESSAGE_CANCEL)->cancel =
            (MessageCancel){.id = from->job.id, .share = share};
    }
}

void lanes_raised(Lanes *lanes, int lane, uint32_t share, int alpha, WorkerActions *actions)
{
    const Lane *from = &lanes->lanes[lane];
    CHECK(from->state != LANE_FREE && share != 0);
    if (from->state == LANE_RUNNING) {
        worker_actions_send(actions, MESSAGE_BOUNDS)->bounds =
            (MessageBounds){.id = from->job.id, .share = share, .alpha = alpha};
    }
}

void lanes_parked(Lanes *lanes, int lane, bool is_parked, WorkerActions *actions)
{
    Lane *from = &lanes->lanes[lane];
    CHECK(from->state != LANE_FREE);
    from->is_parked = is_parked;
    if (from->state == LANE_RUNNING) {
        worker_actions_send(actions, MESSAGE_PARKED)->parked =
            (MessageParked){.id = from->job.id, .is_parked = is_parked};
    }
}

/* ---- what there is ---- */

bool lanes_are_empty(const Lanes *lanes)
{
    return lanes->queue_count == 0 && all_are_free(lanes);
}

static bool is_still(Lane *lane, uint64_t nodes, Duration time)
{
    if (lane->is_parked || nodes != lane->nodes) {
        lane->nodes = nodes;
        lane->moved = time;
        lane->looks = 0;
        return false;
    }
    lane->looks++;
    return lane->looks >= WORKER_HANG_LOOKS &&
           time.us - lane->moved.us >= duration_ms(WORKER_HANG_MS).us;
}

bool lanes_hang(Lanes *lanes, const WorkerProgress *progress)
{
    const int searching = count_searching(lanes);
    const int waiting = searching > lanes->slots ? searching - lanes->slots : 0;
    int still = 0;
    for (int i = 0; i < lanes->count; i++) {
        Lane *lane = &lanes->lanes[i];
        still += lane->state != LANE_FREE &&
                 is_still(lane, progress->lane_nodes[i], progress->lane_time[i]);
    }
    return still > waiting;
}

static void list_job(const JobId *id, uint64_t nodes, MessageHeartbeat *heartbeat)
{
    if (heartbeat->busy_count < MESSAGE_BUSY_MAX) {
        heartbeat->busy[heartbeat->busy_count++] = (SlotProgress){.job = *id, .nodes = nodes};
    }
}

void lanes_describe(const Lanes *lanes, const WorkerProgress *progress, MessageHeartbeat *heartbeat)
{
    heartbeat->busy_count = 0;
    for (int i = 0; i < lanes->count; i++) {
        if (lanes->lanes[i].state == LANE_RUNNING) {
            list_job(&lanes->lanes[i].job.id, progress->lane_nodes[i], heartbeat);
        }
    }
    for (int i = 0; i < lanes->queue_count; i++) {
        list_job(&lanes->queue[i].job.id, 0, heartbeat);
    }
}
