/*
 * Bench: its positions, its runner, and that a serial search gives the same nodes every time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/movegen.h"
#include "uci_bridge/bench.h"
#include "uci_bridge/searcher.h"
#include "worker/eval/eval.h"

enum { DEPTH = 5, HASH_MB = 1, POSITIONS_MIN = 45 };

/* What the runner asked for. */
typedef struct {
    int calls;
    int finished;   /* positions without a legal move */
    int chess960;   /* positions with Chess960 castling */
    int fail_after; /* calls until the search fails; 0: never */
} Asked;

static Status fake_search(void *context, const Position *position, int depth, uint64_t *nodes)
{
    Asked *asked = context;
    asked->calls++;
    asked->finished += !movegen_any(position);
    asked->chess960 += position->chess960;
    assert_true(position_is_consistent(position));
    assert_int_equal(depth, DEPTH);
    *nodes = 10;
    return asked->calls == asked->fail_after ? status_error(STATUS_UNAVAILABLE, "gone")
                                             : status_ok();
}

static void test_every_position_is_searched(void **state)
{
    (void)state;
    Asked asked = {.calls = 0};
    BenchResult result;
    const Status status = bench_run(fake_search, &asked, DEPTH, &result);
    assert_int_equal(status.code, STATUS_OK);
    assert_true(bench_position_count() >= POSITIONS_MIN);
    assert_int_equal(asked.calls, bench_position_count());
    assert_int_equal(result.positions, asked.calls);
    assert_int_equal(result.nodes, 10 * asked.calls);
    assert_int_equal(asked.finished, 2); /* a mate and a stalemate */
    assert_int_equal(asked.chess960, 4);
}

static void test_a_failed_search_ends_the_run(void **state)
{
    (void)state;
    Asked asked = {.fail_after = 3};
    BenchResult result;
    const Status status = bench_run(fake_search, &asked, DEPTH, &result);
    assert_int_equal(status.code, STATUS_UNAVAILABLE);
    assert_int_equal(asked.calls, 3);
}

static Status real_search(void *context, const Position *position, int depth, uint64_t *nodes)
{
    const RootLimits limits = {.depth = depth, .multi_pv = 1};
    searcher_clear(context);
    *nodes = searcher_run(context, position, &limits, duration_ms(0), NULL, NULL).nodes;
    return status_ok();
}

static void test_nodes_are_reproducible(void **state)
{
    (void)state;
    Searcher *searcher = NULL;
    BenchResult first;
    BenchResult second;
    Status status = searcher_new(HASH_MB, &searcher);
    assert_int_equal(status.code, STATUS_OK);
    status = bench_run(real_search, searcher, DEPTH, &first);
    assert_int_equal(status.code, STATUS_OK);
    status = bench_run(real_search, searcher, DEPTH, &second);
    assert_int_equal(status.code, STATUS_OK);
    searcher_destroy(&searcher);
    assert_null(searcher);
    assert_true(first.nodes > 0);
    assert_int_equal(first.nodes, second.nodes);
}

static int set_up(void **state)
{
    (void)state;
    attacks_init(SLIDER_AUTO);
    eval_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_position_is_searched),
        cmocka_unit_test(test_a_failed_search_ends_the_run),
        cmocka_unit_test(test_nodes_are_reproducible),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
