#include "tools/sim/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "messages/game_position.h"
#include "tools/sim/agenda.h"
#include "tools/sim/fibre.h"
#include "worker/cores.h"
#include "worker/search/message_job.h"
#include "worker/shares.h"

/* What happens on a machine; the subject is a Parcel, a Parcel, a Lane, else nothing. */
typedef enum {
    ENTRY_ARRIVAL, /* a message has come to the messages' thread */
    ENTRY_MESSAGE, /* ... which has read it */
    ENTRY_LANE,    /* a lane goes on */
    ENTRY_NEWS,    /* lanes have news for the core */
    ENTRY_NOTES,   /* the table's notes are due */
    ENTRY_END,     /* it is asked to end */
} EntryKind;

typedef enum { LANE_FREE, LANE_READY, LANE_RUNS, LANE_IS_PAUSED, LANE_IS_WAITING } LaneState;

typedef struct {
    Machine *machine;
    int number;
    LaneState state; /* READY: on the agenda */
    Fibre *fibre;
    Search *search; /* NULL until it is needed */
    SearchControl control;
    int alpha;          /* the bound that the core wants */
    MessageJob job;     /* the last one started */
    int64_t clock_ns;   /* how far the lane has come */
    int64_t remainder;  /* of the division of nodes by nodes a second */
    uint64_t nodes;     /* of the job, up to clock_ns */
    uint64_t bar_nodes; /* of the job, when the present bar began */
    int64_t bar_ns;     /* when it began */

    Shares shares;
    MessageImproved improved[MOVES_MAX];
    int improved_count;
    int improved_taken; /* by the core */
    MessageResult result;
    bool is_done; /* and the core does not know it */
} Lane;

struct Machine {
    MachineConfig config;
    Agenda agenda;
    Worker *core;
    Tt *tt;
    Cores *cores;
    Lane *lanes;
    int lane_count;
    PeerId peer;               /* its connection */
    bool has_ended;            /* and does nothing any more */
    int64_t paused_ns;         /* it stands still until then */
    int64_t tick_ns;           /* of the core */
    int64_t now_ns;            /* of the last thing that happened */
    int64_t io_free_ns;        /* when the messages' thread has nothing to do */
    int64_t debt_ns;           /* time that the messages' thread took off the slots */
    bool news_is_due;          /* on the agenda */
    bool is_telling;           /* likewise the table's notes, time and again */
    int64_t notes_interval_ns; /* between two looks at them */
    int64_t notes_due_ns;      /* the next look; what else is on the agenda is outdated */
    bool is_cleared;           /* news for the core */
    uint64_t nodes_done;       /* of jobs that the core knows to have ended */
    MachineCounts counts;
};

/* ---- a lane's time ---- */

static int64_t later(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

/* Ends the lane's present bar and begins another. */
static void turn_bar(Lane *lane, LaneActivity ended, bool is_cancelled)
{
    Timeline *timeline = lane->machine->config.timeline;
    if (timeline != NULL && lane->clock_ns > lane->bar_ns) {
        const TimelineBar bar = {
            .machine = lane->machine->config.number,
            .lane = lane->number,
            .activity = ended,
            .begin_ns = lane->bar_ns,
            .end_ns = lane->clock_ns,
            .job = lane->job.id.job,
            .depth = lane->job.depth,
            .path_length = lane->job.path_length,
            .is_split = lane->job.is_split,
            .is_eldest = lane->job.is_eldest,
            .is_cancelled = is_cancelled,
            .nodes = lane->nodes - lane->bar_nodes,
        };
        timeline_add(timeline, &bar);
    }
    lane->bar_ns = lane->clock_ns;
    lane->bar_nodes = lane->nodes;
}

/* The lane has come to `nodes` of its job. */
static void advance(Lane *lane, uint64_t nodes)
{
    Machine *machine = lane->machine;
    const int64_t speed = machine->config.nodes_per_second;
    const int64_t work = (int64_t)(nodes - lane->nodes) * 1000000000 + lane->remainder;
    const int64_t spent_ns = work / speed + machine->debt_ns;
    lane->remainder = work % speed;
    lane->clock_ns += spent_ns;
    machine->debt_ns = 0;
    machine->counts.busy_ns += spent_ns;
    machine->counts.nodes += nodes - lane->nodes;
    lane->nodes = nodes;
}

/* Lets everything happen that is due before the lane's clock. */
static void catch_up(Lane *lane)
{
    Machine *machine = lane->machine;
    if (lane->clock_ns < agenda_next_ns(&machine->agenda) && lane->clock_ns < machine->tick_ns &&
        lane->clock_ns < *machine->config.horizon_ns) {
        return;
    }
    lane->state = LANE_READY;
    agenda_add(&machine->agenda, lane->clock_ns, ENTRY_LANE, lane);
    fibre_yield(lane->fibre);
}

/* Stops until it is woken. */
static void sleep_as(Lane *lane, LaneState state)
{
    lane->state = state;
    fibre_yield(lane->fibre);
}

/* Something that the lane may be waiting for has come. */
static void wake(Lane *lane, int64_t at_ns)
{
    if (lane->state == LANE_IS_PAUSED || lane->state == LANE_IS_WAITING) {
        lane->state = LANE_READY;
        agenda_add(&lane->machine->agenda, at_ns + lane->machine->config.wake_ns, ENTRY_LANE, lane);
    }
}

/* After a core has become free. */
static void wake_paused(Machine *machine, int64_t at_ns)
{
    for (int i = 0; i < machine->lane_count; i++) {
        if (machine->lanes[i].state == LANE_IS_PAUSED && !cores_must_pause(machine->cores, i)) {
            wake(&machine->lanes[i], at_ns);
        }
    }
}

/* Tells the messages' thread that there is news of lanes. */
static void announce(Machine *machine, int64_t at_ns)
{
    if (!machine->news_is_due) {
        machine->news_is_due = true;
        agenda_add(&machine->agenda, later(at_ns, machine->io_free_ns), ENTRY_NEWS, NULL);
    }
}

/* ---- what a lane's search says ---- */

/* While older jobs need all cores. */
static void pause(Lane *lane)
{
    turn_bar(lane, LANE_SEARCHES, false);
    while (cores_must_pause(lane->machine->cores, lane->number) &&
           !search_control_must_stop(&lane->control)) {
        sleep_as(lane, LANE_IS_PAUSED);
    }
    turn_bar(lane, LANE_PAUSES, false);
}

static void on_poll(void *context, uint64_t nodes)
{
    Lane *lane = context;
    advance(lane, nodes);
    catch_up(lane);
    if (cores_must_pause(lane->machine->cores, lane->number)) {
        pause(lane);
    }
    (void)search_control_raise(&lane->control, lane->alpha);
}

static void on_improved(void *context, const Line *line)
{
    Lane *lane = context;
    if (lane->improved_count == MOVES_MAX) {
        return;
    }
    lane->improved[lane->improved_count++] =
        (MessageImproved){.id = lane->job.id, .line = *line, .nodes = lane->nodes};
    announce(lane->machine, lane->clock_ns);
}

static bool on_offer(void *context, uint32_t share, const SearchJob *job)
{
    Lane *lane = context;
    const bool is_taken = shares_offer(&lane->shares, share, job);
    if (is_taken) {
        announce(lane->machine, lane->clock_ns);
    }
    return is_taken;
}

static bool on_withdraw(void *context, uint32_t share)
{
    Lane *lane = context;
    const bool is_untold = shares_withdraw(&lane->shares, share);
    announce(lane->machine, lane->clock_ns);
    return is_untold;
}

static void on_raise(void *context, uint32_t share, int alpha)
{
    Lane *lane = context;
    shares_raise(&lane->shares, share, alpha);
    announce(lane->machine, lane->clock_ns);
}

/* Leaves its core to others until there is something to do. */
static void park(Lane *lane)
{
    Machine *machine = lane->machine;
    const int64_t begin_ns = lane->clock_ns;
    turn_bar(lane, LANE_SEARCHES, false);
    shares_turn_wait(&lane->shares);
    announce(machine, lane->clock_ns);
    cores_park(machine->cores, lane->number);
    wake_paused(machine, lane->clock_ns);
    while (!shares_have_news(&lane->shares) && !search_control_must_stop(&lane->control) &&
           !search_control_is_below(&lane->control, lane->alpha)) {
        sleep_as(lane, LANE_IS_WAITING);
    }
    cores_resume(machine->cores, lane->number);
    shares_turn_wait(&lane->shares);
    announce(machine, lane->clock_ns);
    turn_bar(lane, LANE_WAITS, false);
    machine->counts.waits++;
    machine->counts.waited_ns += lane->clock_ns - begin_ns;
}

static bool wait_for_news(Lane *lane, ShareNews *news)
{
    while (!search_control_must_stop(&lane->control)) {
        if (shares_take(&lane->shares, news)) {
            return true;
        }
        if (search_control_raise(&lane->control, lane->alpha)) {
            shares_write_no_news(news);
            return true;
        }
        park(lane);
    }
    return false;
}

static bool on_take(void *context, bool wait, ShareNews *news)
{
    Lane *lane = context;
    return wait ? wait_for_news(lane, news) : shares_take(&lane->shares, news);
}

/* ---- a lane's fibre ---- */

static bool make_search(Lane *lane)
{
    const Machine *machine = lane->machine;
    const int number = worker_history_lane(machine->config.slots, lane->number);
    Lane *first = &machine->lanes[number];
    lane->search = first != lane && (first->search != NULL || make_search(first))
                       ? search_new_beside(first->search)
                       : search_new(machine->tt);
    if (lane->search != NULL) {
        search_clear(lane->search);
    }
    return lane->search != NULL;
}

static void search_job(Lane *lane, SearchResult *found)
{
    const SearchHost host = {
        .context = lane,
        .poll = on_poll,
        .improved = on_improved,
        .offer = on_offer,
        .take = on_take,
        .withdraw = on_withdraw,
        .raise = on_raise,
    };
    Position root;
    History game;
    const Status resolved = game_position_resolve(&lane->job.position, &root, &game);
    CHECK(status_is_ok(&resolved) && message_job_is_playable(&lane->job, &root));
    const SearchJob job = message_job_search(&lane->job, &root, &game);
    search_run(lane->search, &job, &lane->control, &host, found);
}

static void count_job(Lane *lane, const SearchResult *found)
{
    MachineCounts *counts = &lane->machine->counts;
    counts->jobs++;
    if (found->stopped) {
        counts->cancelled_jobs++;
        counts->cancelled_nodes += found->own_nodes;
    } else if (lane->job.is_split) {
        counts->shares++;
        counts->share_nodes += found->own_nodes;
    }
}

static void run_job(Lane *lane)
{
    Machine *machine = lane->machine;
    SearchResult found = {.stopped = true}; /* a line of length 0 travels whole */
    CHECK(lane->search != NULL || make_search(lane));
    search_job(lane, &found);
    advance(lane, found.own_nodes);
    catch_up(lane);
    turn_bar(lane, LANE_SEARCHES, found.stopped);
    count_job(lane, &found);
    message_job_result(&found, &lane->job.id, &lane->result);
    cores_leave(machine->cores, lane->number);
    wake_paused(machine, lane->clock_ns);
    lane->is_done = true;
    announce(machine, lane->clock_ns);
}

static void run_lane(void *context)
{
    Lane *lane = context;
    for (;;) {
        run_job(lane);
        sleep_as(lane, LANE_FREE);
    }
}

/* ---- what the core asks for ---- */

/* The messages' thread works; returns when it is done. */
static int64_t occupy(Machine *machine, int64_t at_ns)
{
    int searching = 0;
    for (int i = 0; i < machine->lane_count; i++) {
        searching += machine->lanes[i].state == LANE_READY || machine->lanes[i].state == LANE_RUNS;
    }
    if (searching >= machine->config.slots) {
        machine->debt_ns += machine->config.message_ns;
    }
    machine->counts.message_ns += machine->config.message_ns;
    machine->io_free_ns = later(at_ns, machine->io_free_ns) + machine->config.message_ns;
    return machine->io_free_ns;
}

static void start(Machine *machine, int number, const MessageJob *job, int64_t at_ns)
{
    Lane *lane = &machine->lanes[number];
    CHECK(lane->state == LANE_FREE && !lane->is_done);
    if (lane->fibre == NULL) {
        lane->fibre = fibre_new(run_lane, lane);
        CHECK(lane->fibre != NULL);
    }
    lane->job = *job;
    lane->alpha = job->alpha;
    lane->nodes = 0;
    lane->bar_nodes = 0;
    lane->remainder = 0;
    lane->clock_ns = at_ns + machine->config.wake_ns;
    lane->bar_ns = lane->clock_ns;
    lane->improved_count = 0;
    lane->improved_taken = 0;
    shares_clear(&lane->shares);
    search_control_reset(&lane->control);
    cores_enter(machine->cores, number);
    lane->state = LANE_READY;
    agenda_add(&machine->agenda, lane->clock_ns, ENTRY_LANE, lane);
}

static void stop(Lane *lane, int64_t at_ns)
{
    atomic_store_explicit(&lane->control.stop, true, memory_order_relaxed);
    wake(lane, at_ns);
}

static void raise_alpha(Lane *lane, int alpha, int64_t at_ns)
{
    if (alpha > lane->alpha) {
        lane->alpha = alpha;
        if (lane->state == LANE_IS_WAITING) {
            wake(lane, at_ns);
        }
    }
}

static void deliver(Lane *lane, const Message *news, int64_t at_ns)
{
    if (shares_deliver(&lane->shares, news)) {
        atomic_store_explicit(&lane->control.news, true, memory_order_relaxed);
        if (lane->state == LANE_IS_WAITING) {
            wake(lane, at_ns);
        }
    }
}

static void clear(Machine *machine, int64_t at_ns)
{
    tt_clear(machine->tt);
    for (int i = 0; i < machine->lane_count; i++) {
        if (machine->lanes[i].search != NULL) {
            search_clear(machine->lanes[i].search);
        }
    }
    machine->is_cleared = true;
    announce(machine, at_ns);
}

/* The table's notes are looked at then, not when it was planned before. */
static void plan_notes(Machine *machine, int64_t due_ns)
{
    machine->notes_due_ns = due_ns;
    agenda_add(&machine->agenda, due_ns, ENTRY_NOTES, NULL);
}

/* The core's intervals are stretched as the option says. */
static void tell(Machine *machine, const WorkerAction *action, int64_t at_ns)
{
    const int64_t pace = action->interval.us / (WORKER_NOTES_INTERVAL_MS * INT64_C(1000));
    machine->notes_interval_ns = machine->config.push_interval_ns * pace;
    tt_tell(machine->tt, action->depth);
    const int64_t due_ns = at_ns + machine->notes_interval_ns;
    if (action->depth < TT_TELL_NOTHING &&
        (!machine->is_telling || due_ns < machine->notes_due_ns)) {
        machine->is_telling = true;
        plan_notes(machine, due_ns);
    }
}

static void learn(Machine *machine, const MessageTable *table)
{
    for (int i = 0; i < table->count; i++) {
        (void)tt_learn(machine->tt, &table->entries[i]);
    }
}

/* Only of actions that are for a lane. */
static Lane *lane_of(Machine *machine, const WorkerAction *action)
{
    return &machine->lanes[action->lane];
}

static void carry_out(Machine *machine, const WorkerAction *action, int64_t at_ns)
{
    switch (action->type) {
    case WORKER_ACTION_SEND:
        machine->config.send(machine->config.context, machine->config.number, &action->message,
                             occupy(machine, at_ns));
        break;
    case WORKER_ACTION_START:
        start(machine, action->lane, action->job, at_ns);
        break;
    case WORKER_ACTION_STOP:
        stop(lane_of(machine, action), at_ns);
        break;
    case WORKER_ACTION_RAISE_ALPHA:
        raise_alpha(lane_of(machine, action), action->alpha, at_ns);
        break;
    case WORKER_ACTION_WANT:
        atomic_store_explicit(&lane_of(machine, action)->control.wanted, action->count,
                              memory_order_relaxed);
        break;
    case WORKER_ACTION_DELIVER:
        deliver(lane_of(machine, action), action->news, at_ns);
        break;
    case WORKER_ACTION_TELL:
        tell(machine, action, at_ns);
        break;
    case WORKER_ACTION_LEARN:
        learn(machine, &action->news->table);
        break;
    case WORKER_ACTION_AGE:
        tt_age(machine->tt);
        break;
    case WORKER_ACTION_CLEAR:
        clear(machine, at_ns);
        break;
    case WORKER_ACTION_CONNECT:
        if (machine->config.connect != NULL) {
            machine->config.connect(machine->config.context, machine->config.number);
        }
        break;
    case WORKER_ACTION_EXIT:
    case WORKER_ACTION_ABORT: /* a search polls too seldom, when nodes take very long */
        machine->has_ended = true;
        break;
    case WORKER_ACTION_DISCONNECT: /* it sends nothing, and drops what it hears */
    case WORKER_ACTION_LOG:
        break;
    }
}

/* One event through the core. */
static void step(Machine *machine, WorkerEvent event)
{
    WorkerActions *actions = &machine->config.scratch->actions;
    const int64_t at_ns = machine->now_ns;
    event.now = (Instant){.us = at_ns / 1000};
    worker_step(machine->core, &event, actions);
    for (int i = 0; i < actions->count; i++) {
        carry_out(machine, &actions->list[i], at_ns);
    }
    machine->tick_ns = worker_next_tick(machine->core).us * 1000;
}

/* ---- what happens ---- */

static void take_message(Machine *machine, Parcel *parcel)
{
    Message *message = &machine->config.scratch->incoming;
    parcel_open(parcel, message);
    if ((message->type != MESSAGE_HUNGRY || machine->config.splits) &&
        (message->type != MESSAGE_TABLE || machine->config.pushes)) {
        step(machine, (WorkerEvent){.type = WORKER_EVENT_MESSAGE, .message = message});
    }
}

static void mark(const Lane *lane, bool is_offer)
{
    const Machine *machine = lane->machine;
    if (machine->config.timeline != NULL) {
        timeline_mark(machine->config.timeline, machine->config.number, lane->number,
                      machine->now_ns, is_offer);
    }
}

/* News of a lane's shares. */
static void take_share_news(Machine *machine, Lane *lane, const PoolNews *news)
{
    if (news->type == POOL_OFFERED) {
        machine->counts.offers++;
        mark(lane, true);
    } else if (news->type == POOL_WITHDRAWN) {
        machine->counts.withdrawn++;
        mark(lane, false);
    }
    step(machine, shares_event(news));
}

/* All news of a lane, in the order in which a pool tells it. */
static void take_lane_news(Machine *machine, Lane *lane)
{
    PoolNews news;
    while (lane->improved_taken < lane->improved_count) {
        step(machine, (WorkerEvent){.type = WORKER_EVENT_IMPROVED,
                                    .lane = lane->number,
                                    .improved = &lane->improved[lane->improved_taken++]});
    }
    news.lane = lane->number;
    while (shares_collect(&lane->shares, &news)) {
        take_share_news(machine, lane, &news);
    }
    if (lane->is_done) {
        lane->is_done = false;
        machine->nodes_done += lane->nodes;
        lane->nodes = 0;
        step(machine, (WorkerEvent){.type = WORKER_EVENT_DONE,
                                    .lane = lane->number,
                                    .result = &lane->result});
    }
}

static void take_news(Machine *machine)
{
    machine->news_is_due = false;
    if (machine->is_cleared) {
        machine->is_cleared = false;
        step(machine, (WorkerEvent){.type = WORKER_EVENT_CLEARED});
    }
    for (int i = 0; i < machine->lane_count; i++) {
        take_lane_news(machine, &machine->lanes[i]);
    }
}

static void take_notes(Machine *machine, int64_t due_ns)
{
    MessageTable notes;
    if (due_ns != machine->notes_due_ns) {
        return;
    }
    plan_notes(machine, machine->now_ns + machine->notes_interval_ns);
    notes.count = tt_take_notes(machine->tt, notes.entries, MESSAGE_TABLE_ENTRIES_MAX);
    step(machine, (WorkerEvent){.type = WORKER_EVENT_NOTED, .noted = &notes});
}

static void tick(Machine *machine)
{
    WorkerProgress progress = {
        .nodes_total = machine->nodes_done,
        .hash_permille = tt_full_permille(machine->tt),
    };
    for (int i = 0; i < machine->lane_count; i++) {
        progress.lane_nodes[i] = machine->lanes[i].nodes;
        progress.lane_time[i] = duration_us(machine->now_ns / 1000);
        progress.nodes_total += machine->lanes[i].nodes;
    }
    step(machine, (WorkerEvent){.type = WORKER_EVENT_TICK, .progress = &progress});
}

static void go_on(Lane *lane, int64_t at_ns)
{
    lane->state = LANE_RUNS;
    lane->clock_ns = later(lane->clock_ns, at_ns);
    fibre_resume(lane->fibre);
}

static void act_on(Machine *machine, const AgendaEntry *entry, int64_t at_ns)
{
    switch ((EntryKind)entry->kind) {
    case ENTRY_ARRIVAL:
        if (((Parcel *)entry->subject)->peer.value != machine->peer.value) {
            free(entry->subject); /* it was under way when the connection was lost */
            break;
        }
        agenda_add(&machine->agenda, occupy(machine, at_ns), ENTRY_MESSAGE, entry->subject);
        break;
    case ENTRY_MESSAGE:
        take_message(machine, entry->subject);
        break;
    case ENTRY_LANE:
        go_on(entry->subject, at_ns);
        break;
    case ENTRY_NEWS:
        take_news(machine);
        break;
    case ENTRY_NOTES:
        take_notes(machine, entry->time_ns);
        break;
    case ENTRY_END:
        step(machine, (WorkerEvent){.type = WORKER_EVENT_TERMINATE});
        break;
    }
}

int64_t machine_next_ns(const Machine *machine)
{
    if (machine->has_ended) {
        return INT64_MAX;
    }
    const int64_t next_ns = agenda_next_ns(&machine->agenda);
    return later(next_ns < machine->tick_ns ? next_ns : machine->tick_ns,
                 later(machine->now_ns, machine->paused_ns));
}

void machine_act(Machine *machine)
{
    AgendaEntry entry;
    machine->now_ns = machine_next_ns(machine);
    if (agenda_next_ns(&machine->agenda) > machine->tick_ns) {
        tick(machine);
    } else if (agenda_take(&machine->agenda, &entry)) {
        act_on(machine, &entry, later(entry.time_ns, machine->paused_ns));
    }
}

void machine_hear(Machine *machine, PeerId peer)
{
    machine->peer = peer;
}

void machine_pause(Machine *machine, int64_t until_ns)
{
    machine->paused_ns = later(machine->paused_ns, until_ns);
}

void machine_terminate(Machine *machine, int64_t at_ns)
{
    agenda_add(&machine->agenda, at_ns, ENTRY_END, NULL);
}

bool machine_has_ended(const Machine *machine)
{
    return machine->has_ended;
}

void machine_deliver(Machine *machine, Parcel *parcel, int64_t at_ns)
{
    agenda_add(&machine->agenda, at_ns, ENTRY_ARRIVAL, parcel);
}

/* ---- making and ending ---- */

static Status open_core(Machine *machine)
{
    const MachineConfig *config = &machine->config;
    WorkerConfig worker = {
        .hello = {.protocol_version = PROTOCOL_VERSION,
                  .slots = config->slots,
                  .hash_mb = config->hash_mb,
                  .nodes_per_second = (uint64_t)config->nodes_per_second},
        .retry_first = duration_ms(10),
        .retry_last = duration_ms(1000),
        .seed = (uint64_t)config->number,
    };
    (void)snprintf(worker.hello.name, sizeof worker.hello.name, "w%d", config->number);
    (void)snprintf(worker.hello.build, sizeof worker.hello.build, "simulated");
    machine->core = worker_new(&worker, (Instant){.us = config->begin_ns / 1000});
    machine->cores = cores_new(config->slots, machine->lane_count);
    machine->lanes = calloc((size_t)machine->lane_count, sizeof *machine->lanes);
    return machine->core == NULL || machine->cores == NULL || machine->lanes == NULL
               ? status_error(STATUS_NO_MEMORY, "not enough memory for a machine")
               : status_ok();
}

Status machine_new(const MachineConfig *config, Machine **machine)
{
    Machine *made = calloc(1, sizeof *made);
    *machine = NULL;
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a machine");
    }
    made->config = *config;
    made->now_ns = config->begin_ns;
    made->io_free_ns = config->begin_ns;
    made->lane_count = WORKER_LANES_PER_SLOT * config->slots;
    agenda_init(&made->agenda);
    Status status = open_core(made);
    if (status_is_ok(&status)) {
        status = tt_new(config->hash_mb, &made->tt);
    }
    if (!status_is_ok(&status)) {
        machine_destroy(&made);
        return status;
    }
    for (int i = 0; i < made->lane_count; i++) {
        made->lanes[i].machine = made;
        made->lanes[i].number = i;
    }
    *machine = made;
    return status;
}

/* Parcels that nobody will open. */
static void drop_mail(Agenda *agenda)
{
    AgendaEntry entry;
    while (agenda_take(agenda, &entry)) {
        if (entry.kind == ENTRY_ARRIVAL || entry.kind == ENTRY_MESSAGE) {
            free(entry.subject);
        }
    }
    agenda_free(agenda);
}

void machine_destroy(Machine **machine)
{
    Machine *ended = *machine;
    if (ended == NULL) {
        return;
    }
    drop_mail(&ended->agenda);
    for (int i = ended->lane_count - 1; ended->lanes != NULL && i >= 0; i--) {
        fibre_destroy(&ended->lanes[i].fibre);
        search_destroy(&ended->lanes[i].search);
    }
    free(ended->lanes);
    cores_destroy(&ended->cores);
    tt_destroy(&ended->tt);
    worker_destroy(&ended->core);
    free(ended);
    *machine = NULL;
}

/* ---- looking at it ---- */

const MachineCounts *machine_counts(const Machine *machine)
{
    return &machine->counts;
}

bool machine_is_searching(const Machine *machine)
{
    for (int i = 0; i < machine->lane_count; i++) {
        if (machine->lanes[i].state == LANE_READY || machine->lanes[i].state == LANE_RUNS) {
            return true;
        }
    }
    return false;
}

void machine_describe(const Machine *machine)
{
    static const char *const states[] = {"free", "ready", "runs", "paused", "waits"};
    for (int i = 0; i < machine->lane_count; i++) {
        const Lane *lane = &machine->lanes[i];
        if (lane->state != LANE_FREE) {
            fprintf(stderr,
                    "machine %d lane %d: %s, job %" PRIu32 " at ply %d, depth %d, %" PRIu64
                    " nodes, stop %d, wanted %d\n",
                    machine->config.number, i, states[lane->state], lane->job.id.job,
                    lane->job.path_length, lane->job.depth, lane->nodes,
                    search_control_must_stop(&lane->control),
                    atomic_load_explicit(&lane->control.wanted, memory_order_relaxed));
        }
    }
}
