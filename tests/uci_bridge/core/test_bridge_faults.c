/*
 * The bridge's core when its child or the cluster fails, as traces; and ten thousand random events,
 * after each of which the promises of thinking.h must hold.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "chess/notation.h"
#include "support/bridge_trace.h"

enum { RANDOM_GAMES = 60, RANDOM_EVENTS = 400, RANDOM_LINE_BYTES = 64 };

#define FIRST_SLICE "own search 500 nodes\n"
#define START_CHILD "start child: threads 2 hash 64 cluster ''\n"

static int ready(void **state)
{
    *state = trace_new_ready();
    return 0;
}

static int fresh(void **state)
{
    *state = trace_new();
    return 0;
}

static int destroy(void **state)
{
    trace_destroy(*state);
    return 0;
}

/* ---- no child, no cluster ---- */

/* U139: the game is played alone, with all the time that the clock gives. */
static void test_cluster_is_never_reached(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4 e7e5";
    trace->own_depth = 3;
    trace->own_takes_time = true;
    trace_line(trace, "isready\ngo wtime 30000 btime 30000");
    trace_started(trace);
    trace_expect(trace, START_CHILD "readyok\n"
                                    "own search 500 nodes 539460 us\n"
                                    "-> OPEN\n");
    const Instant start = trace->now;
    while (trace->best_moves == 0) {
        trace_run(trace, 1);
    }
    assert_in_range(duration_to_ms(instant_since(trace->now, start)), 530, 570);
    trace_expect_part(trace, "info string nothing heard from the search yet, searching alone\n"
                             "own search 20000 nodes ");
    trace_expect_part(trace, "own search 40000 nodes ");
    trace_expect_part(trace, "own search 80000 nodes ");
    trace_expect_part(trace, " pv e2e4 e7e5\nbestmove e2e4 ponder e7e5\n");
    assert_int_equal(trace_count(trace, "info string"), 1);
}

static void test_child_opens_during_the_search(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go movetime 1000 depth 9");
    trace_expect(trace, START_CHILD "own search 500 nodes 965000 us\n");
    trace_wait(trace, 100);
    trace_started(trace);
    trace_opened(trace);
    trace_expect(trace, "-> OPEN\n-> SEARCH 1 movetime 900 depth 9\n");
    trace_info(trace, 1, 9, 20, "d2d4");
    trace_best_move(trace, 1, "d2d4", NULL);
    trace_expect_part(trace, "bestmove d2d4\n");
}

static void test_own_search_reaches_the_depth(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4";
    trace->own_depth = 2;
    trace_line(trace, "go depth 2");
    trace_run(trace, 499);
    trace_expect(trace, START_CHILD FIRST_SLICE);
    trace_run(trace, 2);
    trace_expect(trace, "info depth 2 seldepth 2 multipv 1 score cp 5 nodes 500 nps 500000000 "
                        "hashfull 0 time 0 pv e2e4\n"
                        "bestmove e2e4\n");
}

/* Who has waited for a cluster in vain is not kept waiting at each go. */
static void test_own_search_is_quick_where_there_is_no_hope(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4";
    trace->own_depth = 2;
    trace_line(trace, "isready");
    trace_started(trace);
    trace_run(trace, BRIDGE_READY_PATIENCE_MS);
    trace_clear(trace);
    trace_line(trace, "go depth 2");
    trace_run(trace, 25);
    trace_expect_part(trace, "bestmove e2e4\n");
    trace_opened(trace); /* there is again */
    trace_clear(trace);
    trace_line(trace, "go depth 2");
    trace_run(trace, 400);
    trace_expect_no_part(trace, "bestmove");
    trace_run(trace, 200);
    trace_expect_part(trace, "bestmove");
}

static void test_own_search_respects_nodes_and_moves(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4";
    trace_line(trace, "go nodes 30000 searchmoves a2a3 b2b3");
    trace_run(trace, 600);
    trace_expect(trace, START_CHILD FIRST_SLICE
                 "info string nothing heard from the search yet, searching alone\n"
                 "own search 20000 nodes\n"
                 "own search 9500 nodes\n"
                 "bestmove a2a3\n");
    trace_line(trace, "go nodes 1");
    trace_expect_part(trace, "own search 16 nodes\n");
}

/* One move that `searchmoves` has left is looked at as long as was asked for. */
static void test_own_search_of_one_wanted_move(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4";
    trace->own_takes_time = true;
    trace_line(trace, "go movetime 1000 searchmoves e2e4");
    trace_run(trace, 800);
    trace_expect_part(trace, "searching alone\n");
    assert_int_equal(trace->best_moves, 0);
    trace_run(trace, 200);
    trace_expect_part(trace, "bestmove e2e4\n");
}

/* Analysis goes on alone until stop. */
static void test_infinite_search_alone(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "g1f3";
    trace->own_takes_time = true;
    trace_line(trace, "go infinite");
    trace_run(trace, 3000);
    assert_int_equal(trace->best_moves, 0);
    trace_clear(trace);
    trace_line(trace, "isready\nstop");
    trace_expect(trace, "readyok\nbestmove g1f3\n");
}

/* A slice of the own search that outlasts the pauses of the link would shut the master out. */
static void test_a_long_search_alone_goes_on_asking_for_the_master(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "g1f3";
    trace->own_takes_time = true;
    trace_line(trace, "go infinite");
    trace_started(trace);
    for (int i = 0; i < 20; i++) {
        const Instant before = trace->now;
        trace_clear(trace);
        trace_run(trace, 1500);
        trace_expect_part(trace, "-> OPEN\n");
        assert_in_range(duration_to_ms(instant_since(trace->now, before)), 1500, 2500);
        trace_reset(trace); /* the child gives up another connection */
    }
}

/* ---- a child that dies ---- */

static void test_child_dies_in_a_search(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go movetime 2000");
    trace_info(trace, 1, 12, 20, "d2d4 d7d5");
    trace_wait(trace, 500);
    trace_clear(trace);
    trace_died(trace);
    trace_expect(trace, "info string the search process has ended, starting another\n" START_CHILD);
    trace_wait(trace, 20);
    trace_started(trace);
    trace_wait(trace, 30);
    trace_opened(trace);
    trace_expect(trace, "-> OPEN\n-> SEARCH 2 movetime 1450\n");
    trace_best_move(trace, 1, "a2a3", NULL);
    trace_expect(trace, "");
    trace_info(trace, 2, 11, 20, "e2e4"); /* less than is known already */
    trace_expect(trace, "");
    trace_info(trace, 2, 12, 20, "e2e4");
    trace_best_move(trace, 2, "e2e4", NULL);
    trace_expect_part(trace, "bestmove e2e4\n");
}

/* What was found before the child died stands until the next one has come as far. */
static void test_the_next_child_knows_less(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go movetime 2000");
    trace_info(trace, 1, 12, 20, "d2d4 d7d5");
    trace_wait(trace, 1500);
    trace_died(trace);
    trace_started(trace);
    trace_opened(trace);
    trace_clear(trace);
    trace_info(trace, 2, 1, 20, "e2e4");
    trace_info(trace, 2, 3, 40, "a2a3");
    trace_best_move(trace, 2, "a2a3", NULL);
    trace_expect(trace, "bestmove d2d4 ponder d7d5\n");
}

/* A search to depth 13 of which the master has told depth 12; the bridge could do it alone. */
static void go_almost_there(BridgeTrace *trace)
{
    trace->own_moves = "e2e4 e7e5";
    trace->own_depth = 3;
    trace_line(trace, "go depth 13");
    trace->own_depth = 13;
    trace_info(trace, 1, 12, 20, "d2d4 d7d5");
}

/* A master without workers says nothing more: the bridge goes on alone until one is back. */
static void test_all_workers_are_lost(void **state)
{
    BridgeTrace *trace = *state;
    go_almost_there(trace);
    trace_wait(trace, 2000);
    trace_clear(trace);
    trace_tick(trace);
    trace_expect(trace, "");
    trace_status(trace, 0);
    trace_run(trace, 10);
    trace_expect_part(trace, "info string no workers are left, searching alone\n"
                             "own search 20000 nodes 1000000 us\n"
                             "info depth 13 ");
    trace_expect_part(trace, "bestmove e2e4 ponder e7e5\n");
}

/* What was not printed of the master's search comes before the line that is played, not behind. */
static void test_the_own_line_is_the_last(void **state)
{
    BridgeTrace *trace = *state;
    go_almost_there(trace);
    trace_info_full(trace, 1, 0, 13, 50, BOUND_LOWER, 2000, "d2d4"); /* too early to be shown */
    trace_wait(trace, 2000);
    trace_status(trace, 0);
    trace_clear(trace);
    trace_run(trace, 10);
    trace_expect_part(trace, "info depth 12 ");
    trace_expect_part(trace, " pv e2e4 e7e5\nbestmove e2e4 ponder e7e5\n");
}

static void test_a_worker_is_back(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4 e7e5";
    trace->own_depth = 3;
    trace_line(trace, "go infinite");
    trace_info(trace, 1, 12, 20, "d2d4 d7d5");
    trace_wait(trace, 2000);
    trace_status(trace, 0);
    trace_clear(trace);
    trace_run(trace, 10);
    trace_expect_part(trace, "searching alone\nown search ");
    trace_expect_no_part(trace, "info depth"); /* less deep than what is known */
    trace_status(trace, 1);
    trace_tick(trace);
    trace_clear(trace);
    trace_run(trace, 10);
    trace_expect(trace, ""); /* no slice any more */
    trace_info(trace, 1, 13, 25, "d2d4 g8f6");
    trace_line(trace, "stop");
    trace_best_move(trace, 1, "d2d4", "g8f6");
    trace_expect_part(trace, "bestmove d2d4 ponder g8f6\n");
}

/* A master that had to leave out the moves it knew gives up, long before the time is over. */
static void test_no_best_move_after_lines(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4 e7e5";
    trace->own_depth = 3;
    trace->own_takes_time = true;
    trace_line(trace, "go movetime 1000");
    trace_info(trace, 1, 12, 20, "d2d4 d7d5");
    trace_clear(trace);
    trace_best_move(trace, 1, NULL, NULL);
    trace_expect_no_part(trace, "bestmove");
    trace_run(trace, 1000);
    trace_expect_part(trace, "info string nothing more comes from the search, searching alone\n");
    trace_expect_part(trace, "bestmove d2d4 ponder d7d5\n");
}

/* A move of which no line has told may be one that nobody has looked at. */
static void test_best_move_of_another_line(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go depth 20");
    trace_info(trace, 1, 12, 20, "d2d4 d7d5");
    trace_best_move(trace, 1, "a2a3", NULL);
    trace_expect_part(trace, "bestmove d2d4 ponder d7d5\n");
}

/* A child that comes late knows less than the own search, which is shown again then. */
static void test_late_child_knows_less(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "d2d4 d7d5";
    trace->own_depth = 11;
    trace->own_nodes = 1000;
    trace_line(trace, "go movetime 500");
    trace_run(trace, 200);
    trace_expect_part(trace, "info depth 11 seldepth 11 multipv 1 score cp 5 ");
    trace_started(trace);
    trace_opened(trace);
    trace_info(trace, 1, 4, 20, "e2e4");
    trace_clear(trace);
    trace_run(trace, 400);
    trace_expect_part(trace, " pv d2d4 d7d5\nbestmove d2d4 ponder d7d5\n");
}

/* A position that kills its children is answered alone. */
static void test_poison_position(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "d2d4";
    trace_line(trace, "go depth 20");
    trace_died(trace);
    trace_started(trace);
    trace_opened(trace);
    trace_expect_part(trace, "-> SEARCH 2 depth 20\n");
    trace_died(trace);
    trace_clear(trace);
    trace_run(trace, 99);
    trace_expect(trace, "");
    trace_run(trace, 2);
    trace_expect(trace, START_CHILD);
    trace_started(trace);
    trace_opened(trace);
    trace_expect(trace, "-> OPEN\n");
    trace->own_depth = 20;
    trace_run(trace, 1000);
    trace_expect_part(trace, "searching alone\nown search 20000 nodes 601000 us\n");
    trace_expect_part(trace, "bestmove d2d4\n");
    trace_clear(trace);
    trace_line(trace, "go depth 1");
    trace_expect(trace, "-> SEARCH 3 depth 1\n" FIRST_SLICE);
}

static void test_child_that_cannot_start(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "isready");
    for (int i = 0; i < 40; i++) {
        if (trace_count(trace, "start child") > trace_count(trace, "has ended")) {
            trace_died(trace);
        }
        trace_run(trace, 500);
    }
    assert_in_range(trace_count(trace, "start child"), 6, 11);
    assert_int_equal(trace_count(trace, "readyok"), 1);
}

static void test_child_dies_while_stopping(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_info(trace, 1, 12, 20, "d2d4 d7d5");
    trace_line(trace, "stop");
    trace_clear(trace);
    trace_died(trace);
    trace_expect_part(trace, "bestmove d2d4 ponder d7d5\n");
}

/* U140: the master lives and is asked, but no worker ever answers. */
static void test_workers_are_stopped(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4";
    trace->own_depth = 4;
    trace->own_takes_time = true;
    trace_line(trace, "go movetime 500");
    const Instant start = trace->now;
    while (trace->best_moves == 0) {
        trace_run(trace, 1);
    }
    assert_in_range(duration_to_ms(instant_since(trace->now, start)), 400, 481);
    trace_expect_part(trace, "bestmove e2e4\n-> STOP 1\n");
}

/* A master without workers knows only the first legal move. */
static void test_best_move_without_a_line(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4";
    trace->own_depth = 7;
    trace_line(trace, "go depth 7");
    trace_wait(trace, 1);
    trace_clear(trace);
    trace_best_move(trace, 1, "a2a3", NULL);
    trace_tick(trace);
    trace_expect_part(trace, "bestmove e2e4\n");
}

static void test_illegal_best_move(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go depth 7 searchmoves d2d4 e2e4");
    trace_info(trace, 1, 3, 20, "d2d4");
    trace_best_move(trace, 1, "e7e5", NULL);
    trace_expect_part(trace, "bestmove d2d4\n");
    trace_line(trace, "go depth 7 searchmoves d2d4 e2e4");
    trace_info(trace, 2, 3, 20, "d2d4");
    trace_best_move(trace, 2, "g1f3", NULL);
    assert_int_equal(trace_count(trace, "bestmove d2d4\n"), 2);
}

/* ---- sessions ---- */

static void test_master_restarts(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_info(trace, 1, 12, 20, "d2d4 d7d5");
    trace_clear(trace);
    trace_reset(trace);
    trace_expect(trace, "-> OPEN\n");
    trace_reset(trace);
    trace_expect(trace, "");
    trace_run(trace, 205);
    trace_expect_part(trace, "-> OPEN\n");
    trace_clear(trace);
    trace_opened(trace);
    trace_expect(trace, "-> SEARCH 2 infinite\n");
}

/* The search that is sent again has what is left of the clock that runs, which may be either's. */
static void test_a_search_sent_again_has_less_time(void **state)
{
    BridgeTrace *trace = *state;
    static const struct {
        const char *go;
        const char *again;
    } cases[] = {
        {"position startpos\ngo wtime 9000 btime 8000", "wtime 8500 btime 8000"},
        {"position startpos moves e2e4\ngo wtime 9000 btime 8000", "wtime 9000 btime 7500"},
        {"position startpos\ngo btime 8000", "btime 7500"},
    };
    for (int i = 0; i < 3; i++) {
        trace_line(trace, cases[i].go);
        trace_wait(trace, 500);
        trace_reset(trace);
        trace_clear(trace);
        trace_opened(trace);
        trace_expect_part(trace, cases[i].again);
        trace_line(trace, "stop");
        trace_wait(trace, 100);
        trace_tick(trace);
    }
}

/* A search that began by pondering and plays by now is no ponder search when it is sent again. */
static void test_a_search_sent_again_after_the_ponderhit(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go ponder wtime 9000 btime 8000");
    trace_expect_part(trace, " ponder\n");
    trace_wait(trace, 300);
    trace_line(trace, "ponderhit");
    trace_wait(trace, 500);
    trace_reset(trace);
    trace_clear(trace);
    trace_opened(trace);
    trace_expect_part(trace, "-> SEARCH 2 wtime 8500 btime 8000\n");
}

/* Each child has got further: it is not the position that ends them. */
static void test_an_analysis_survives_any_number_of_children(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    for (uint32_t i = 1; i <= 5; i++) {
        trace_info(trace, i, 10 + (int)i, 20, "e2e4");
        trace_died(trace);
        trace_wait(trace, 10000); /* its backoff */
        trace_tick(trace);
        trace_started(trace);
        trace_clear(trace);
        trace_opened(trace);
        trace_expect_part(trace, "-> SEARCH");
    }
}

static void test_silent_child_is_replaced(void **state)
{
    BridgeTrace *trace = *state;
    trace->show_pings = true;
    trace_line(trace, "go depth 30");
    trace_info(trace, 1, 5, 20, "e2e4");
    trace_clear(trace);
    trace_run(trace, 2950);
    trace_expect(trace, "-> PING\n-> PING\n");
    trace_run(trace, 100);
    trace_started(trace);
    trace_opened(trace);
    trace_expect(trace, START_CHILD "info string the search process hangs, starting another\n"
                                    "-> OPEN\n-> SEARCH 2 depth 30\n-> PING\n");
}

/* A child that bears a master's silence for 20 s is silent itself for as long. */
static void test_a_long_lease_makes_patient(void **state)
{
    BridgeTrace *trace = *state;
    trace->bridge.engine.lease = duration_ms(20000);
    trace_line(trace, "isready");
    trace_started(trace);
    trace_run(trace, 21400);
    trace_expect_no_part(trace, "hangs");
    trace_opened(trace);
    trace_run(trace, 21400);
    trace_expect_no_part(trace, "hangs");
    trace_run(trace, 1100); /* it looks each second */
    trace_expect_part(trace, "hangs");
}

/* One that tries again each 30 s is silent between its tries. */
static void test_long_pauses_make_patient(void **state)
{
    BridgeTrace *trace = *state;
    trace->bridge.engine.retry_last = duration_ms(20000);
    trace_line(trace, "isready");
    trace_started(trace);
    trace_run(trace, 32900);
    trace_expect_no_part(trace, "hangs");
    trace_run(trace, 1100);
    trace_expect_part(trace, "hangs");
}

/* The child takes a master for lost that has said nothing for a lease: an answer comes before. */
static void test_a_short_lease_pings_often(void **state)
{
    BridgeTrace *trace = *state;
    trace->bridge.engine.lease = duration_ms(300);
    trace_line(trace, "isready");
    trace_started(trace);
    trace_opened(trace);
    trace_clear(trace);
    trace_run(trace, 1000);
    assert_in_range(trace->bridge.engine.ping_number, 5, 6);
}

/* RESET shows that the child lives, and has no master yet. */
static void test_child_hangs_at_its_start(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "isready");
    trace_started(trace);
    trace_run(trace, 9000);
    trace_reset(trace);
    trace_run(trace, 9900);
    trace_expect_no_part(trace, "hangs");
    trace_clear(trace);
    trace_run(trace, 1100);
    trace_expect_part(trace,
                      START_CHILD "info string the search process hangs, starting another\n");
}

/* A master that is not reached yet is asked again and again; the child may lose an OPEN. */
static void test_open_is_repeated(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "isready");
    trace_started(trace);
    trace_clear(trace);
    trace_run(trace, 3500);
    trace_expect(trace, "-> OPEN\nreadyok\n-> OPEN\n-> OPEN\n");
}

/* After standing still ourselves, the others' messages may wait unread. */
static void test_own_pause_is_no_silence(void **state)
{
    BridgeTrace *trace = *state;
    trace_wait(trace, 60000);
    trace_tick(trace);
    trace_expect(trace, "");
    assert_int_equal(trace->bridge.engine.state, ENGINE_OPEN);
}

static void test_refused_session(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "isready");
    trace_started(trace);
    trace_clear(trace);
    trace->message.type = MESSAGE_ERROR;
    trace->message.error = (MessageError){.code = ERROR_FULL, .text = "no room\nbestmove e2e4"};
    trace_message(trace, &trace->message);
    trace_run(trace, 1990);
    trace_expect(trace, "info string no room?bestmove e2e4\nreadyok\n");
    trace_run(trace, 20);
    trace_expect(trace, "-> OPEN\n");
}

static void test_doubled_opened(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_clear(trace);
    trace->epoch.value--;
    trace_opened(trace);
    trace_expect(trace, "");
}

/* ---- random events ---- */

static const char *const random_lines[] = {
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves f2f3 e7e5 g2g4 d8h4",
    "position fen 8/8/kQ6/3P4/8/8/1K3B2/3R4 b - - 5 54",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 8/8/8/8/8/8/8/8 w",
    "go infinite",
    "go ponder wtime 1000 btime 1000",
    "go wtime 500 btime 300 winc 10 binc 10",
    "go movetime 100",
    "go depth 5",
    "go nodes 5000",
    "go",
    "go searchmoves e2e4 a7a6 depth 3",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "isready",
    "ucinewgame",
    "setoption name MultiPV value 3",
    "setoption name Hash value 8",
    "setoption name Clear Hash",
    "setoption name Threads value 1",
    "cluster",
    "d",
};
enum { RANDOM_LINES = sizeof random_lines / sizeof random_lines[0] };

static uint32_t below(Prng *prng, uint32_t bound)
{
    return (uint32_t)prng_below(prng, bound);
}

static void random_garbage(BridgeTrace *trace, Prng *prng)
{
    static const char *const words[] = {"go ",        "position ", "fen ",
                                        "setoption ", "name ",     "moves "};
    char line[RANDOM_LINE_BYTES + 1];
    int length = 0;
    const char *word = words[below(prng, sizeof words / sizeof words[0])];
    for (; word[length] != '\0'; length++) {
        line[length] = word[length];
    }
    while (length < RANDOM_LINE_BYTES) {
        const char byte = (char)below(prng, 256);
        line[length++] = byte == '\0' || byte == '\n' ? ' ' : byte;
    }
    line[length] = '\0';
    trace_line(trace, line);
}

/* A random legal line now and then, random bits otherwise. */
static void random_line(const Position *start, Prng *prng, Line *line)
{
    Position position = *start;
    MoveList list;
    line->length = (int)below(prng, 6);
    for (int i = 0; i < line->length; i++) {
        movegen_all(&position, &list);
        if (list.count == 0 || below(prng, 10) == 0) {
            line->moves[i] = (Move)prng_next(prng);
            continue;
        }
        line->moves[i] = list.moves[below(prng, (uint32_t)list.count)];
        Position after;
        position_make(&position, line->moves[i], &after);
        position = after;
    }
}

static void random_message(BridgeTrace *trace, Prng *prng)
{
    const Thinking *thinking = &trace->bridge.thinking;
    Message *message = &trace->message;
    const SearchId id = {thinking->id.value - below(prng, 2)};
    Line line;
    random_line(&thinking->game.position, prng, &line);
    switch (below(prng, 9)) {
    case 0:
        trace_opened(trace);
        return;
    case 1:
        trace_reset(trace);
        return;
    case 2:
        message->type = MESSAGE_BESTMOVE;
        message->bestmove = (MessageBestMove){
            .search = id,
            .move = line.length > 0 ? line.moves[0] : MOVE_NONE,
            .ponder = line.length > 1 ? line.moves[1] : MOVE_NONE,
        };
        break;
    case 3:
        trace_status(trace, (int)below(prng, 2));
        return;
    case 4:
        message->type = MESSAGE_PONG;
        message->ping.number = below(prng, 5);
        break;
    default:
        message->type = MESSAGE_INFO;
        message->info = (MessageInfo){
            .search = id,
            .multi_pv_index = (int)below(prng, 4),
            .line = line,
            .nodes = prng_next(prng),
        };
        message->info.line.score = (int)below(prng, 64005) - 32002;
        message->info.line.bound = (Bound)(1 + below(prng, 3));
        message->info.line.depth = (int)below(prng, 60);
    }
    trace_message(trace, message);
}

static void random_event(BridgeTrace *trace, Prng *prng)
{
    switch (below(prng, 8)) {
    case 0:
    case 1:
        trace_line(trace, random_lines[below(prng, RANDOM_LINES)]);
        break;
    case 2:
        random_garbage(trace, prng);
        break;
    case 3:
        trace_run(trace, below(prng, 30));
        break;
    case 4:
        trace_tick(trace);
        break;
    case 5:
        if (below(prng, 8) == 0) {
            trace_died(trace);
        } else {
            trace_started(trace);
        }
        break;
    default:
        random_message(trace, prng);
    }
}

/* The first bestmove of the text belongs to the search that ran before it. */
static void check_first_best_move(const BridgeTrace *trace, const Position *position)
{
    const char *line = strstr(trace->text, "bestmove ");
    if (line == NULL) {
        return;
    }
    const char *move = line + strlen("bestmove ");
    const int length = (int)strcspn(move, " \n");
    assert_int_not_equal(notation_parse_uci(position, move, length), MOVE_NONE);
}

static void check_clock(const BridgeTrace *trace)
{
    const Thinking *thinking = &trace->bridge.thinking;
    const bool is_timed = thinking->state == THINKING_SEARCHING && thinking->budget.is_limited &&
                          !thinking->is_pondering;
    Instant next;
    if (is_timed) {
        const Instant deadline = instant_add(thinking->clock_at, thinking->budget.deadline);
        assert_true(instant_is_before(trace->now, instant_add(deadline, duration_ms(30))));
        assert_true(bridge_next_deadline(&trace->bridge, &next));
        assert_false(instant_is_before(deadline, next));
    }
}

static void play_random_game(BridgeTrace *trace, Prng *prng)
{
    static Position position;
    int searches = 0;
    for (int i = 0; i < RANDOM_EVENTS; i++) {
        const bool was_idle = thinking_is_idle(&trace->bridge.thinking);
        const int before = trace->best_moves;
        position = trace->bridge.thinking.game.position;
        const int moves = movegen_count(&position);
        trace_clear(trace);
        random_event(trace, prng);
        const bool is_idle = thinking_is_idle(&trace->bridge.thinking);
        const int answers = trace->best_moves - before;
        if (was_idle) {
            assert_true(answers <= 1);
            searches += answers + (is_idle ? 0 : 1);
        } else {
            /* Answered, or answered and the next one begun, or that answered too. */
            assert_true(answers <= 2 && (answers > 0 || !is_idle));
            searches += answers == 0 ? 0 : answers - 1 + (is_idle ? 0 : 1);
            if (moves > 0) {
                check_first_best_move(trace, &position);
            }
        }
        trace_expect_no_part(trace, " pv\n");
        check_clock(trace);
        assert_true(is_idle || trace->owed_ready == 0);
    }
    trace_line(trace, "stop");
    trace_run(trace, 50);
    trace_run(trace, BRIDGE_BUSY_PATIENCE_MS);
    assert_int_equal(trace->owed_ready, 0);
    assert_true(thinking_is_idle(&trace->bridge.thinking));
    assert_int_equal(trace->best_moves, searches);
    assert_int_equal(trace->dropped_lines, 0);
}

static void test_random_events(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= RANDOM_GAMES; seed++) {
        Prng prng;
        prng_init(&prng, seed);
        BridgeTrace *trace = trace_new_ready();
        trace->own_moves = seed % 2 == 0 ? "e2e4 e7e5" : NULL;
        trace->own_takes_time = true;
        play_random_game(trace, &prng);
        trace_destroy(trace);
    }
}

#define ON(setup, test) cmocka_unit_test_setup_teardown(test, setup, destroy)

int main(void)
{
    attacks_init(SLIDER_AUTO);
    const struct CMUnitTest tests[] = {
        ON(fresh, test_cluster_is_never_reached),
        ON(fresh, test_child_opens_during_the_search),
        ON(fresh, test_own_search_reaches_the_depth),
        ON(fresh, test_own_search_is_quick_where_there_is_no_hope),
        ON(fresh, test_own_search_respects_nodes_and_moves),
        ON(fresh, test_own_search_of_one_wanted_move),
        ON(fresh, test_infinite_search_alone),
        ON(ready, test_child_dies_in_a_search),
        ON(ready, test_the_next_child_knows_less),
        ON(ready, test_all_workers_are_lost),
        ON(ready, test_the_own_line_is_the_last),
        ON(ready, test_a_worker_is_back),
        ON(ready, test_best_move_of_another_line),
        ON(ready, test_no_best_move_after_lines),
        ON(fresh, test_late_child_knows_less),
        ON(fresh, test_a_long_search_alone_goes_on_asking_for_the_master),
        ON(ready, test_poison_position),
        ON(fresh, test_child_that_cannot_start),
        ON(ready, test_child_dies_while_stopping),
        ON(ready, test_workers_are_stopped),
        ON(ready, test_best_move_without_a_line),
        ON(ready, test_illegal_best_move),
        ON(ready, test_master_restarts),
        ON(ready, test_a_search_sent_again_has_less_time),
        ON(ready, test_a_search_sent_again_after_the_ponderhit),
        ON(ready, test_an_analysis_survives_any_number_of_children),
        ON(ready, test_silent_child_is_replaced),
        ON(fresh, test_a_long_lease_makes_patient),
        ON(fresh, test_long_pauses_make_patient),
        ON(fresh, test_a_short_lease_pings_often),
        ON(fresh, test_child_hangs_at_its_start),
        ON(fresh, test_open_is_repeated),
        ON(ready, test_own_pause_is_no_silence),
        ON(fresh, test_refused_session),
        ON(ready, test_doubled_opened),
        cmocka_unit_test(test_random_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
