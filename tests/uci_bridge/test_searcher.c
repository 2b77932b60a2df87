/*
 * Searcher: its limits, its progress and what it forgets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "uci_bridge/searcher.h"
#include "worker/eval/eval.h"

enum { HASH_MB = 4, FAR_MS = 60000 };

/* What the progress saw. */
typedef struct {
    int reports;
    int iterations;   /* complete ones */
    int stop_at;      /* the iteration after which it says no; 0: never */
    uint64_t nodes;   /* of the newest report */
    Duration elapsed; /* likewise */
} Seen;

static bool watch(void *context, const SearcherReport *report)
{
    Seen *seen = context;
    seen->reports++;
    seen->iterations += report->iteration_is_complete;
    assert_true(report->nodes >= seen->nodes);
    assert_true(report->elapsed.us >= seen->elapsed.us);
    assert_non_null(root_line(report->root, 0));
    seen->nodes = report->nodes;
    seen->elapsed = report->elapsed;
    return seen->stop_at == 0 || seen->iterations < seen->stop_at;
}

static SearcherReport run(Searcher *searcher, const RootLimits *limits, int64_t ms, Seen *seen)
{
    const Position position = fen_start_position();
    return searcher_run(searcher, &position, limits, duration_ms(ms), watch, seen);
}

static void test_depth_ends_a_search(void **state)
{
    const RootLimits limits = {.depth = 6, .multi_pv = 1};
    Seen seen = {.reports = 0};
    const SearcherReport report = run(*state, &limits, FAR_MS, &seen);
    assert_int_equal(report.root->depth_done, 6);
    assert_int_equal(seen.iterations, 6);
    assert_int_equal(report.nodes, seen.nodes);
}

static void test_nodes_end_a_search(void **state)
{
    const RootLimits limits = {.nodes = 20000, .multi_pv = 1};
    Seen seen = {.reports = 0};
    const SearcherReport report = run(*state, &limits, FAR_MS, &seen);
    assert_int_equal(report.nodes, 20000);
}

static void test_time_ends_a_search(void **state)
{
    const RootLimits limits = {.multi_pv = 1};
    Seen seen = {.reports = 0};
    const SearcherReport report = run(*state, &limits, 30, &seen);
    assert_in_range(duration_to_ms(report.elapsed), 30, 2000);
    assert_true(report.root->depth_done >= 1);
}

static void test_progress_ends_a_search(void **state)
{
    const RootLimits limits = {.multi_pv = 1};
    Seen seen = {.stop_at = 4};
    const SearcherReport report = run(*state, &limits, FAR_MS, &seen);
    assert_int_equal(report.root->depth_done, 4);
    assert_int_equal(seen.iterations, 4);
}

static void test_clear_forgets_everything(void **state)
{
    const RootLimits limits = {.depth = 8, .multi_pv = 1};
    Seen seen[3] = {{.reports = 0}};
    searcher_clear(*state);
    const uint64_t first = run(*state, &limits, 0, &seen[0]).nodes;
    const uint64_t warm = run(*state, &limits, 0, &seen[1]).nodes;
    searcher_clear(*state);
    const uint64_t again = run(*state, &limits, 0, &seen[2]).nodes;
    assert_int_equal(first, again);
    assert_int_not_equal(first, warm);
}

static int set_up(void **state)
{
    attacks_init(SLIDER_AUTO);
    eval_init();
    const Status status = searcher_new(HASH_MB, (Searcher **)state);
    return status_is_ok(&status) ? 0 : -1;
}

static int tear_down(void **state)
{
    searcher_destroy((Searcher **)state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_ends_a_search),
        cmocka_unit_test(test_nodes_end_a_search),
        cmocka_unit_test(test_time_ends_a_search),
        cmocka_unit_test(test_progress_ends_a_search),
        cmocka_unit_test(test_clear_forgets_everything),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
