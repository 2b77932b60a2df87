#include "worker/core/slots.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "worker/core/worker_actions.h"

/* Sessions whose newest search is remembered; when there are more, some table is aged too often. */
enum { RECENT_MAX = 8 };

typedef enum { SLOT_FREE, SLOT_RUNNING, SLOT_STOPPING } SlotState;

typedef struct {
    SlotState state;
    bool is_wanted; /* its result is to be sent; false once its stay is over */
    MessageJob job; /* unless free */
} Slot;

typedef struct {
    SessionId session;
    SearchId search;
} SearchName;

struct Slots {
    int count;                     /* of slots */
    Slot *slots;                   /* `count` of them */
    MessageJob *queue;             /* oldest first */
    int queue_count;               /* jobs in it */
    int queue_max;                 /* its size */
    SearchName recent[RECENT_MAX]; /* the newest search that the table was aged for, by session */
    int recent_next;               /* the place that is overwritten next */
    bool clear_is_wanted;          /* as soon as all slots are free */
    bool is_clearing;              /* until slots_cleared */
};

Slots *slots_new(int count)
{
    CHECK(count >= 1 && count <= MESSAGE_SLOTS_MAX);
    Slots *slots = calloc(1, sizeof *slots);
    if (slots == NULL) {
        return NULL;
    }
    slots->count = count;
    slots->queue_max = 2 * count;
    slots->slots = calloc((size_t)count, sizeof *slots->slots);
    slots->queue = calloc((size_t)slots->queue_max, sizeof *slots->queue);
    if (slots->slots == NULL || slots->queue == NULL) {
        slots_destroy(&slots);
    }
    return slots;
}

void slots_destroy(Slots **slots)
{
    if (*slots != NULL) {
        free((*slots)->slots);
        free((*slots)->queue);
        free(*slots);
        *slots = NULL;
    }
}

/* ---- the queue ---- */

static void remove_queued(Slots *slots, int index)
{
    slots->queue_count--;
    memmove(&slots->queue[index], &slots->queue[index + 1],
            (size_t)(slots->queue_count - index) * sizeof *slots->queue);
}

/* Answers a job that has not been begun. */
static void give_back(const JobId *id, WorkerActions *actions)
{
    MessageResult *result = &worker_actions_send(actions, MESSAGE_RESULT)->result;
    result->id = *id;
    result->is_complete = false;
    result->score = -SCORE_INFINITE;
    result->line = (Line){.score = SCORE_NONE};
    result->nodes = 0;
    result->selective_depth = 0;
    result->cost_count = 0;
}

static bool is_known(const Slots *slots, const JobId *id)
{
    for (int i = 0; i < slots->count; i++) {
        const Slot *slot = &slots->slots[i];
        if (slot->state != SLOT_FREE && slot->is_wanted && job_id_equal(&slot->job.id, id)) {
            return true;
        }
    }
    for (int i = 0; i < slots->queue_count; i++) {
        if (job_id_equal(&slots->queue[i].id, id)) {
            return true;
        }
    }
    return false;
}

void slots_add(Slots *slots, const MessageJob *job, WorkerActions *actions)
{
    if (is_known(slots, &job->id)) {
        return;
    }
    if (slots->queue_count == slots->queue_max) {
        give_back(&job->id, actions);
        return;
    }
    slots->queue[slots->queue_count++] = *job;
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

static void stop(Slots *slots, int slot, WorkerActions *actions)
{
    if (slots->slots[slot].state == SLOT_RUNNING) {
        slots->slots[slot].state = SLOT_STOPPING;
        worker_actions_add(actions, WORKER_ACTION_STOP)->slot = slot;
    }
}

void slots_cancel(Slots *slots, const JobId *pattern, WorkerActions *actions)
{
    for (int i = 0; i < slots->count; i++) {
        if (matches(pattern, &slots->slots[i].job.id)) {
            stop(slots, i, actions);
        }
    }
    for (int i = slots->queue_count - 1; i >= 0; i--) {
        if (matches(pattern, &slots->queue[i].id)) {
            give_back(&slots->queue[i].id, actions);
            remove_queued(slots, i);
        }
    }
}

void slots_cancel_all(Slots *slots, WorkerActions *actions)
{
    for (int i = 0; i < slots->count; i++) {
        stop(slots, i, actions);
    }
    for (int i = 0; i < slots->queue_count; i++) {
        give_back(&slots->queue[i].id, actions);
    }
    slots->queue_count = 0;
}

void slots_abandon(Slots *slots, WorkerActions *actions)
{
    for (int i = 0; i < slots->count; i++) {
        stop(slots, i, actions);
        slots->slots[i].is_wanted = false;
    }
    slots->queue_count = 0;
}

void slots_raise_alpha(Slots *slots, const MessageBounds *bounds, WorkerActions *actions)
{
    for (int i = 0; i < slots->count; i++) {
        const Slot *slot = &slots->slots[i];
        if (slot->state == SLOT_RUNNING && job_id_equal(&slot->job.id, &bounds->id)) {
            WorkerAction *action = worker_actions_add(actions, WORKER_ACTION_RAISE_ALPHA);
            action->slot = i;
            action->alpha = bounds->alpha;
        }
    }
    for (int i = 0; i < slots->queue_count; i++) {
        MessageJob *job = &slots->queue[i];
        if (job_id_equal(&job->id, &bounds->id) && bounds->alpha > job->alpha &&
            bounds->alpha < job->beta) {
            job->alpha = bounds->alpha;
        }
    }
}

/* ---- tables ---- */

static bool others_have_jobs(const Slots *slots, SessionId session)
{
    for (int i = 0; i < slots->count; i++) {
        if (slots->slots[i].state == SLOT_RUNNING &&
            slots->slots[i].job.id.session.value != session.value) {
            return true;
        }
    }
    for (int i = 0; i < slots->queue_count; i++) {
        if (slots->queue[i].id.session.value != session.value) {
            return true;
        }
    }
    return false;
}

void slots_new_game(Slots *slots, SessionId session, WorkerActions *actions)
{
    if (others_have_jobs(slots, session)) {
        return;
    }
    slots_cancel_all(slots, actions);
    slots->clear_is_wanted = true;
}

void slots_cleared(Slots *slots)
{
    slots->is_clearing = false;
}

/* Ages the table when `id` belongs to another search of its session than the job before. */
static void age_if_new(Slots *slots, const JobId *id, WorkerActions *actions)
{
    SearchName *name = NULL;
    for (int i = 0; i < RECENT_MAX; i++) {
        if (slots->recent[i].session.value == id->session.value) {
            name = &slots->recent[i];
        }
    }
    if (name != NULL && name->search.value == id->search.value) {
        return;
    }
    if (name == NULL) {
        name = &slots->recent[slots->recent_next];
        slots->recent_next = (slots->recent_next + 1) % RECENT_MAX;
    }
    *name = (SearchName){.session = id->session, .search = id->search};
    (void)worker_actions_add(actions, WORKER_ACTION_AGE);
}

/* ---- running ---- */

static bool all_are_free(const Slots *slots)
{
    for (int i = 0; i < slots->count; i++) {
        if (slots->slots[i].state != SLOT_FREE) {
            return false;
        }
    }
    return true;
}

static void start_next(Slots *slots, int slot, WorkerActions *actions)
{
    Slot *free_slot = &slots->slots[slot];
    free_slot->state = SLOT_RUNNING;
    free_slot->is_wanted = true;
    free_slot->job = slots->queue[0];
    remove_queued(slots, 0);
    age_if_new(slots, &free_slot->job.id, actions);
    WorkerAction *action = worker_actions_add(actions, WORKER_ACTION_START);
    action->slot = slot;
    action->job = &free_slot->job;
}

void slots_start(Slots *slots, WorkerActions *actions)
{
    if (slots->clear_is_wanted && !slots->is_clearing && all_are_free(slots)) {
        slots->clear_is_wanted = false;
        slots->is_clearing = true;
        (void)worker_actions_add(actions, WORKER_ACTION_CLEAR);
    }
    if (slots->clear_is_wanted || slots->is_clearing) {
        return;
    }
    for (int i = 0; i < slots->count && slots->queue_count > 0; i++) {
        if (slots->slots[i].state == SLOT_FREE) {
            start_next(slots, i, actions);
        }
    }
}

void slots_improved(Slots *slots, int slot, const MessageImproved *improved, WorkerActions *actions)
{
    const Slot *from = &slots->slots[slot];
    CHECK(from->state != SLOT_FREE && job_id_equal(&from->job.id, &improved->id));
    if (from->state == SLOT_RUNNING) {
        worker_actions_send(actions, MESSAGE_IMPROVED)->improved = *improved;
    }
}

void slots_done(Slots *slots, int slot, const MessageResult *result, WorkerActions *actions)
{
    Slot *from = &slots->slots[slot];
    CHECK(from->state != SLOT_FREE && job_id_equal(&from->job.id, &result->id));
    if (from->is_wanted) {
        worker_actions_send(actions, MESSAGE_RESULT)->result = *result;
    }
    from->state = SLOT_FREE;
}

bool slots_are_empty(const Slots *slots)
{
    return slots->queue_count == 0 && all_are_free(slots);
}

static void list_job(const JobId *id, uint64_t nodes, MessageHeartbeat *heartbeat)
{
    if (heartbeat->busy_count < MESSAGE_SLOTS_MAX) {
        heartbeat->busy[heartbeat->busy_count++] = (SlotProgress){.job = *id, .nodes = nodes};
    }
}

void slots_describe(const Slots *slots, const WorkerProgress *progress, MessageHeartbeat *heartbeat)
{
    heartbeat->busy_count = 0;
    for (int i = 0; i < slots->count; i++) {
        if (slots->slots[i].state == SLOT_RUNNING) {
            list_job(&slots->slots[i].job.id, progress->slot_nodes[i], heartbeat);
        }
    }
    for (int i = 0; i < slots->queue_count; i++) {
        list_job(&slots->queue[i].id, 0, heartbeat);
    }
}
