#include "tools/sim/lazy.h"

#include <stdlib.h>

#include "base/check.h"
#include "tools/sim/agenda.h"
#include "tools/sim/fibre.h"
#include "worker/core/tell_depth.h"
#include "worker/search/serial.h"

enum {
    QUANTUM_POLLS = 16, /* a searcher's turn; they meet only in the table */
    HOPS = 2,           /* from machine to machine, by the master */
};

/* What happens; the subject is a Searcher, a Teller, a Batch, an Answer. */
typedef enum { ENTRY_SEARCHER, ENTRY_PUSH, ENTRY_ARRIVAL, ENTRY_ANSWER } EntryKind;

typedef struct Lazy Lazy;

/* One slot. */
typedef struct {
    Lazy *lazy;
    int number; /* from 0, of all machines */
    int machine;
    int64_t nodes_per_second;
    Fibre *fibre;
    Search *search;
    SearchControl control;
    Root root;
    uint64_t nodes_before; /* of finished jobs */
    uint64_t nodes;        /* up to the clock */
    int64_t clock_ns;
    int polls;
} Searcher;

/* A machine that tells the others what it learns. */
typedef struct {
    int machine;
    int depth; /* of the entries it tells */
} Teller;

/* Entries on their way to all other machines. */
typedef struct {
    int machine; /* where they come from */
    MessageTable table;
} Batch;

/* What a searcher found in an iteration, on its way to the search in chief. */
typedef struct {
    int depth;
    Move move;
} Answer;

struct Lazy {
    const ClusterConfig *config;
    const Position *position;
    int depth;
    Solution *solution; /* wanted, or NULL */
    int64_t now_ns;     /* of the last thing that happened */
    Agenda agenda;      /* searchers that go on */
    Tt *tables[CLUSTER_MACHINES_MAX];
    Teller tellers[CLUSTER_MACHINES_MAX];
    uint64_t pushed_bytes;
    Searcher *searchers;
    int count;
    const Searcher *first; /* to complete the depth, or in the end the one in chief */
    int64_t end_ns;        /* when its answer is there */
};

/* ---- one searcher ---- */

static void advance(Searcher *searcher, uint64_t nodes)
{
    const int64_t begun_ns =
        (int64_t)((double)searcher->nodes * 1e9 / (double)searcher->nodes_per_second);
    const int64_t ended_ns = (int64_t)((double)nodes * 1e9 / (double)searcher->nodes_per_second);
    searcher->clock_ns += ended_ns - begun_ns;
    searcher->nodes = nodes;
}

static void rest(Searcher *searcher)
{
    agenda_add(&searcher->lazy->agenda, searcher->clock_ns, ENTRY_SEARCHER, searcher);
    fibre_yield(searcher->fibre);
}

static void on_poll(void *context, uint64_t nodes)
{
    Searcher *searcher = context;
    advance(searcher, searcher->nodes_before + nodes);
    if (++searcher->polls % QUANTUM_POLLS == 0) {
        rest(searcher);
    }
}

static void on_improved(void *context, const Line *line)
{
    Searcher *searcher = context;
    (void)root_job_improved(&searcher->root, searcher->root.next_id - 1, line);
}

static void take_result(Searcher *searcher, RootJobId id, const SearchResult *found)
{
    RootJobResult result;
    serial_job_result(found, id, &result);
    root_job_done(&searcher->root, &result);
    searcher->nodes_before += found->nodes;
    advance(searcher, searcher->nodes_before);
}

static int64_t hop_ns(const Searcher *searcher)
{
    return searcher->machine == 0 ? 0 : searcher->lazy->config->network.latency_ns;
}

static void note_end(Searcher *searcher)
{
    Lazy *lazy = searcher->lazy;
    const int64_t end_ns = searcher->clock_ns + hop_ns(searcher);
    if (lazy->first == NULL || end_ns < lazy->end_ns) {
        lazy->first = searcher;
        lazy->end_ns = end_ns;
    }
}

/* A depth is done. */
static void tell_answer(Searcher *searcher)
{
    Answer *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    *answer = (Answer){.depth = searcher->root.depth_done, .move = searcher->root.best_move};
    agenda_add(&searcher->lazy->agenda, searcher->clock_ns + hop_ns(searcher), ENTRY_ANSWER,
               answer);
}

static void run_searcher(void *context)
{
    Searcher *searcher = context;
    const SearchHost host = {.context = searcher, .poll = on_poll, .improved = on_improved};
    const RootLimits limits = {.depth = searcher->lazy->depth,
                               .multi_pv = searcher->lazy->config->multi_pv};
    History game;
    RootJob root_job;
    SearchResult found;
    history_clear(&game);
    root_start(&searcher->root, searcher->lazy->position, &limits);
    while (root_next_job(&searcher->root, 1, &root_job)) {
        const int depth_before = searcher->root.depth_done;
        const SearchJob job = serial_job(searcher->lazy->position, &game, &root_job, 0);
        search_run(searcher->search, &job, &searcher->control, &host, &found);
        take_result(searcher, root_job.id, &found);
        if (searcher->root.depth_done != depth_before) {
            if (searcher->lazy->solution != NULL) {
                tell_answer(searcher);
            }
            root_skip_ahead(&searcher->root, searcher->number);
        }
    }
    note_end(searcher);
    fibre_yield(searcher->fibre);
}

/* ---- pushes ---- */

static void tell_from(Lazy *lazy, Teller *teller, int depth)
{
    teller->depth = depth;
    tt_tell(lazy->tables[teller->machine], depth);
}

static void push(Lazy *lazy, Teller *teller, int64_t at_ns)
{
    Batch *batch = malloc(sizeof *batch);
    CHECK(batch != NULL);
    batch->machine = teller->machine;
    batch->table.count = tt_take_notes(lazy->tables[teller->machine], batch->table.entries,
                                       MESSAGE_TABLE_ENTRIES_MAX);
    agenda_add(&lazy->agenda, at_ns + lazy->config->push_interval_ns, ENTRY_PUSH, teller);
    if (batch->table.count == 0) {
        free(batch);
        return;
    }
    lazy->pushed_bytes += (uint64_t)lazy->config->machines * (uint64_t)batch->table.count *
                          sizeof batch->table.entries[0];
    tell_from(lazy, teller, tell_depth_next(teller->depth, batch->table.count));
    agenda_add(&lazy->agenda, at_ns + HOPS * lazy->config->network.latency_ns, ENTRY_ARRIVAL,
               batch);
}

static void learn(Lazy *lazy, Batch *batch)
{
    for (int i = 0; i < lazy->config->machines; i++) {
        for (int j = 0; i != batch->machine && j < batch->table.count; j++) {
            (void)tt_learn(lazy->tables[i], &batch->table.entries[j]);
        }
    }
    free(batch);
}

static void open_tellers(Lazy *lazy)
{
    for (int i = 0; lazy->config->machines > 1 && i < lazy->config->machines; i++) {
        lazy->tellers[i].machine = i;
        tell_from(lazy, &lazy->tellers[i], TELL_DEPTH_FIRST);
        agenda_add(&lazy->agenda, lazy->config->push_interval_ns, ENTRY_PUSH, &lazy->tellers[i]);
    }
}

/* ---- all of them ---- */

static Status open_searcher(Lazy *lazy, int number)
{
    const ClusterConfig *config = lazy->config;
    Searcher *searcher = &lazy->searchers[number];
    searcher->lazy = lazy;
    searcher->number = number;
    searcher->machine = number / config->slots;
    const double speed = config->speeds == NULL ? 1 : config->speeds[searcher->machine];
    searcher->nodes_per_second = (int64_t)((double)config->nodes_per_second * speed);
    searcher->search = search_new(lazy->tables[searcher->machine]);
    searcher->fibre = fibre_new(run_searcher, searcher);
    if (searcher->search == NULL || searcher->fibre == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for %d searches", lazy->count);
    }
    search_clear(searcher->search);
    searcher->clock_ns = hop_ns(searcher);
    agenda_add(&lazy->agenda, searcher->clock_ns, ENTRY_SEARCHER, searcher);
    return status_ok();
}

static Status open_all(Lazy *lazy)
{
    Status status = status_ok();
    for (int i = 0; i < lazy->config->machines && status_is_ok(&status); i++) {
        status = tt_new(lazy->config->hash_mb, &lazy->tables[i]);
    }
    for (int i = 0; i < lazy->count && status_is_ok(&status); i++) {
        status = open_searcher(lazy, i);
    }
    if (status_is_ok(&status) && lazy->config->pushes) {
        open_tellers(lazy);
    }
    return status;
}

static void close_all(Lazy *lazy)
{
    AgendaEntry entry;
    while (agenda_take(&lazy->agenda, &entry)) {
        if (entry.kind == ENTRY_ARRIVAL || entry.kind == ENTRY_ANSWER) {
            free(entry.subject);
        }
    }
    for (int i = 0; i < lazy->count; i++) {
        fibre_destroy(&lazy->searchers[i].fibre);
        search_destroy(&lazy->searchers[i].search);
    }
    for (int i = 0; i < lazy->config->machines; i++) {
        tt_destroy(&lazy->tables[i]);
    }
    agenda_free(&lazy->agenda);
    free(lazy->searchers);
}

static void hear_answer(Lazy *lazy, Answer *answer, int64_t at_ns)
{
    solution_note(lazy->solution, answer->depth, at_ns, answer->move);
    free(answer);
}

static void act_on(Lazy *lazy, const AgendaEntry *entry)
{
    lazy->now_ns = entry->time_ns;
    switch ((EntryKind)entry->kind) {
    case ENTRY_SEARCHER:
        fibre_resume(((Searcher *)entry->subject)->fibre);
        break;
    case ENTRY_PUSH:
        push(lazy, entry->subject, entry->time_ns);
        break;
    case ENTRY_ARRIVAL:
        learn(lazy, entry->subject);
        break;
    case ENTRY_ANSWER:
        hear_answer(lazy, entry->subject, entry->time_ns);
        break;
    }
}

static bool is_over(const Lazy *lazy)
{
    return (lazy->first != NULL && agenda_next_ns(&lazy->agenda) >= lazy->end_ns) ||
           (lazy->solution != NULL && solution_is_over(lazy->solution, lazy->now_ns));
}

/* Until nobody can be earlier than the first to complete the depth, or the solution is over. */
static void run(Lazy *lazy)
{
    AgendaEntry entry;
    while (!is_over(lazy) && agenda_take(&lazy->agenda, &entry)) {
        act_on(lazy, &entry);
    }
    if (lazy->first == NULL) {
        lazy->first = &lazy->searchers[0];
        lazy->end_ns = lazy->now_ns;
    }
}

static void sum_up(const Lazy *lazy, ClusterOutcome *outcome)
{
    const Line *line = root_line(&lazy->first->root, 0);
    *outcome = (ClusterOutcome){
        .end_ns = lazy->end_ns, .move = line->moves[0], .score = line->score, .depth = line->depth};
    for (int i = 0; i < lazy->count; i++) {
        outcome->nodes += lazy->searchers[i].nodes;
        outcome->busy_ns += lazy->end_ns; /* nobody waits for anybody */
    }
    outcome->reported_nodes = outcome->nodes;
    outcome->pushed_bytes = lazy->pushed_bytes;
}

Status lazy_search(const ClusterConfig *config, const Position *position, int depth,
                   Solution *solution, ClusterOutcome *outcome)
{
    Lazy lazy = {.config = config,
                 .position = position,
                 .depth = depth,
                 .solution = solution,
                 .count = config->machines * config->slots};
    CHECK(config->machines >= 1 && config->machines <= CLUSTER_MACHINES_MAX);
    agenda_init(&lazy.agenda);
    lazy.searchers = calloc((size_t)lazy.count, sizeof *lazy.searchers);
    if (lazy.searchers == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for %d searches", lazy.count);
    }
    const Status status = open_all(&lazy);
    if (status_is_ok(&status)) {
        run(&lazy);
        sum_up(&lazy, outcome);
    }
    close_all(&lazy);
    return status;
}
