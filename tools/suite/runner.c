#include "tools/suite/runner.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "uci_bridge/display.h"
#include "uci_bridge/searcher.h"

enum { EARLY_ITERATIONS = 3 };

/* What the slots share. */
typedef struct {
    SuiteEntry *entries;
    int count;
    const RunnerSettings *settings;
    pthread_mutex_t lock; /* guards what follows, and the progress on stderr */
    int next;             /* the first entry that nobody has taken */
    int done;
    int solved;
} Run;

/* One slot. */
typedef struct {
    Run *run;
    pthread_t thread;
    Searcher *searcher;
} Slot;

/* How one position's answer develops. */
typedef struct {
    const SuiteEntry *entry;
    bool is_early;
    bool is_right;        /* the newest line is a solution */
    Duration right_since; /* when that began */
    int right_iterations; /* complete iterations in a row that were right */
} Watch;

static bool on_progress(void *context, const SearcherReport *report)
{
    Watch *watch = context;
    const bool is_right = verdict_of(&watch->entry->epd, root_line(report->root, 0)).solved;
    if (is_right && !watch->is_right) {
        watch->right_since = report->elapsed;
    }
    watch->is_right = is_right;
    if (!is_right) {
        watch->right_iterations = 0;
    } else if (report->iteration_is_complete) {
        watch->right_iterations++;
    }
    return !watch->is_early || watch->right_iterations < EARLY_ITERATIONS;
}

static void search_entry(Searcher *searcher, const RunnerSettings *settings, SuiteEntry *entry)
{
    Watch watch = {.entry = entry, .is_early = settings->is_early};
    const RootLimits limits = {.multi_pv = 1};
    searcher_clear(searcher);
    const SearcherReport report =
        searcher_run(searcher, &entry->epd.position, &limits, settings->time, on_progress, &watch);
    entry->line = *root_line(report.root, 0);
    entry->verdict = verdict_of(&entry->epd, &entry->line);
    entry->nodes = report.nodes;
    entry->depth = report.root->depth_done;
    entry->time = entry->verdict.solved && watch.is_right ? watch.right_since : report.elapsed;
}

/* An entry for a slot that has none, or NULL. */
static SuiteEntry *take_entry(Run *run)
{
    SuiteEntry *entry = NULL;
    pthread_mutex_lock(&run->lock);
    if (run->next < run->count) {
        entry = &run->entries[run->next++];
    }
    pthread_mutex_unlock(&run->lock);
    return entry;
}

static void note_done(Run *run, const SuiteEntry *entry)
{
    char note[32];
    pthread_mutex_lock(&run->lock);
    run->done++;
    run->solved += entry->verdict.solved;
    snprintf(note, sizeof note, "solved %d", run->solved);
    display_progress(run->done, run->count, note);
    pthread_mutex_unlock(&run->lock);
}

static void *slot_main(void *argument)
{
    Slot *slot = argument;
    SuiteEntry *entry;
    while ((entry = take_entry(slot->run)) != NULL) {
        search_entry(slot->searcher, slot->run->settings, entry);
        note_done(slot->run, entry);
    }
    return NULL;
}

static Status start_slot(Slot *slot, Run *run)
{
    slot->run = run;
    const Status status = searcher_new(run->settings->hash_mb, &slot->searcher);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (pthread_create(&slot->thread, NULL, slot_main, slot) != 0) {
        searcher_destroy(&slot->searcher);
        return status_error(STATUS_NO_MEMORY, "cannot start another thread");
    }
    return status;
}

Status runner_run(SuiteEntry *entries, int count, const RunnerSettings *settings)
{
    Run run = {.entries = entries, .count = count, .settings = settings};
    Slot *slots = calloc((size_t)settings->slots, sizeof *slots);
    if (slots == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for %d slots", settings->slots);
    }
    pthread_mutex_init(&run.lock, NULL);
    Status status = status_ok();
    int started = 0;
    while (started < settings->slots && status_is_ok(&status)) {
        status = start_slot(&slots[started], &run);
        started += status_is_ok(&status);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(slots[i].thread, NULL);
        searcher_destroy(&slots[i].searcher);
    }
    pthread_mutex_destroy(&run.lock);
    free(slots);
    return status;
}

SuiteTotals runner_totals(const SuiteEntry *entries, int count)
{
    SuiteTotals totals = {.total = count};
    for (int i = 0; i < count; i++) {
        const SuiteEntry *entry = &entries[i];
        totals.solved += entry->verdict.solved;
        totals.points += entry->verdict.points;
        totals.points_max += entry->epd.points_max;
        totals.mates_wanted += entry->epd.mate != 0;
        totals.mates_found += entry->epd.mate != 0 && entry->verdict.solved;
        totals.mates_false += entry->verdict.mate == MATE_FALSE;
        totals.pv_short += entry->verdict.mate == MATE_PV_SHORT;
    }
    return totals;
}
