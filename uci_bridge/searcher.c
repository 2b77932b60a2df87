#include "uci_bridge/searcher.h"

#include <stdlib.h>

#include "os/clock.h"

struct Searcher {
    Tt *tt;
    Search *search;
    History game; /* before the position */
    Root root;
    SearchControl control;
    Instant start;
    Instant deadline; /* only looked at if `has_deadline` */
    bool has_deadline;
    SearcherProgress *progress;   /* the caller's, or NULL */
    void *context;                /* the caller's */
    SearcherInterrupt *interrupt; /* or NULL */
    void *interrupt_context;      /* of `interrupt` */
    unsigned polls;               /* since the searcher was made; may wrap */
};

Status searcher_new(int hash_mb, Searcher **searcher)
{
    *searcher = NULL;
    Searcher *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a search");
    }
    const Status status = tt_new(hash_mb, &made->tt);
    if (!status_is_ok(&status)) {
        free(made);
        return status;
    }
    made->search = search_new(made->tt);
    if (made->search == NULL) {
        tt_destroy(&made->tt);
        free(made);
        return status_error(STATUS_NO_MEMORY, "not enough memory for a search");
    }
    history_clear(&made->game);
    searcher_clear(made);
    *searcher = made;
    return status;
}

void searcher_destroy(Searcher **searcher)
{
    if (*searcher != NULL) {
        search_destroy(&(*searcher)->search);
        tt_destroy(&(*searcher)->tt);
        free(*searcher);
        *searcher = NULL;
    }
}

void searcher_clear(Searcher *searcher)
{
    tt_clear(searcher->tt);
    search_clear(searcher->search);
}

void searcher_set_game(Searcher *searcher, const History *game)
{
    searcher->game = *game;
}

void searcher_set_interrupt(Searcher *searcher, SearcherInterrupt *interrupt, void *context)
{
    searcher->interrupt = interrupt;
    searcher->interrupt_context = context;
}

static void on_poll(void *context, uint64_t nodes)
{
    enum { POLLS_BETWEEN_QUESTIONS = 8 };
    Searcher *searcher = context;
    (void)nodes;
    const bool is_late =
        searcher->has_deadline && !instant_is_before(clock_now(), searcher->deadline);
    searcher->polls++;
    if (is_late || (searcher->interrupt != NULL && searcher->polls % POLLS_BETWEEN_QUESTIONS == 0 &&
                    searcher->interrupt(searcher->interrupt_context))) {
        atomic_store_explicit(&searcher->control.stop, true, memory_order_relaxed);
    }
}

static SearcherReport report_now(const Searcher *searcher, bool iteration_is_complete,
                                 uint64_t nodes)
{
    return (SearcherReport){
        .root = &searcher->root,
        .iteration_is_complete = iteration_is_complete,
        .nodes = nodes,
        .elapsed = instant_since(clock_now(), searcher->start),
    };
}

static bool on_progress(void *context, const Root *root, bool iteration_is_complete, uint64_t nodes)
{
    const Searcher *searcher = context;
    (void)root;
    if (searcher->progress == NULL) {
        return true;
    }
    const SearcherReport report = report_now(searcher, iteration_is_complete, nodes);
    return searcher->progress(searcher->context, &report);
}

SearcherReport searcher_run(Searcher *searcher, const Position *position, const RootLimits *limits,
                            Duration time, SearcherProgress *progress, void *context)
{
    const SerialHost host = {.context = searcher, .poll = on_poll, .progress = on_progress};
    searcher->progress = progress;
    searcher->context = context;
    searcher->start = clock_now();
    searcher->has_deadline = time.us > 0;
    searcher->deadline = instant_add(searcher->start, time);
    atomic_store_explicit(&searcher->control.stop, false, memory_order_relaxed);

    tt_age(searcher->tt);
    serial_search(searcher->search, position, &searcher->game, limits, &searcher->control, &host,
                  &searcher->root);
    return report_now(searcher, false, searcher->root.nodes);
}
