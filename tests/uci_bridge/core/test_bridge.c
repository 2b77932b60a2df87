/*
 * The bridge's core as traces: what goes in, line by line, and exactly what comes out. The cases
 * are those by which other engines lost games or hung (stop, ponder, options, time, bad input).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/bridge_trace.h"

#define FIRST_SLICE "own search 500 nodes\n"
#define INFO_1 "info depth 5 seldepth 5 multipv 1 score cp 30 nodes 1000 nps "
#define MATE_IN_1 "position fen k7/8/1K6/8/8/8/8/7R w - - 0 1"
#define MATED "position startpos moves f2f3 e7e5 g2g4 d8h4"

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

/* ---- uci ---- */

static void test_uci_lists_options(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "uci");
    trace_expect(trace, "id name Rookery 0.1.0\n"
                        "id author the Rookery authors\n"
                        "option name Threads type spin default 2 min 1 max 256\n"
                        "option name Hash type spin default 64 min 1 max 65536\n"
                        "option name Clear Hash type button\n"
                        "option name Ponder type check default false\n"
                        "option name MultiPV type spin default 1 min 1 max 256\n"
                        "option name Move Overhead type spin default 30 min 0 max 5000\n"
                        "option name UCI_Chess960 type check default false\n"
                        "option name UCI_ShowWDL type check default false\n"
                        "option name UCI_LimitStrength type check default false\n"
                        "option name UCI_Elo type spin default 2000 min 1000 max 3000\n"
                        "option name Cluster type string default <empty>\n"
                        "uciok\n");
}

/* A machine may have more processors than a worker has slots. */
static void test_threads_of_large_machines(void **state)
{
    (void)state;
    assert_int_equal(bridge_default_options(UCI_OPTION_THREADS_MAX).threads,
                     UCI_OPTION_THREADS_MAX);
    assert_int_equal(bridge_default_options(384).threads, UCI_OPTION_THREADS_MAX);
}

/* ---- isready ---- */

/* U139: ready means that the next go is searched by the cluster. */
static void test_ready_waits_for_a_worker(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "ucinewgame\nisready");
    trace_started(trace);
    trace_run(trace, 400);
    trace_opened(trace);
    trace_status(trace, 0);
    trace_run(trace, 400);
    trace_expect(trace, "start child: threads 2 hash 64 cluster ''\n"
                        "-> OPEN\n"
                        "-> NEW_GAME\n");
    trace_cleared(trace, 7);
    trace_expect(trace, "");
    trace_status(trace, 1);
    trace_expect(trace, "readyok\n");
    trace_line(trace, "go depth 5");
    trace_expect(trace, "-> SEARCH 1 depth 5\n" FIRST_SLICE);
}

/* Lets time pass while a cluster of so many workers shows signs of life. */
static void run_and_hear(BridgeTrace *trace, int milliseconds, int workers)
{
    enum { STEP_MS = 500 };
    for (; milliseconds > STEP_MS; milliseconds -= STEP_MS) {
        trace_run(trace, STEP_MS);
        trace_status(trace, workers);
    }
    trace_run(trace, milliseconds);
}

/* The clock must not run while tables are cleared; a cluster that says nothing of it is given up.
 */
static void test_ready_waits_for_a_clear(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "ucinewgame\nisready");
    trace_expect(trace, "-> NEW_GAME\n");
    trace_cleared(trace, 6);
    trace_status(trace, 1);
    trace_expect(trace, "");
    trace_cleared(trace, 7);
    trace_expect(trace, "readyok\n");

    trace_line(trace, "setoption name Clear Hash\nisready");
    run_and_hear(trace, BRIDGE_BUSY_PATIENCE_MS - 1, 1);
    trace_expect_no_part(trace, "readyok\n");
    trace_run(trace, 1);
    trace_expect_part(trace, "readyok\n");
    trace_clear(trace);
    trace_line(trace, "isready");
    trace_expect(trace, "readyok\n");

    trace_line(trace, "ucinewgame\nisready");
    trace_clear(trace);
    trace_reset(trace);
    trace_opened(trace); /* another session: the master may know nothing of the game */
    trace_status(trace, 1);
    trace_expect(trace, "-> OPEN\n-> NEW_GAME\n");
    trace_cleared(trace, 7);
    trace_expect(trace, "readyok\n");
}

/* A child of its own that answers is making its tables; one that has failed to is not waited for.
 */
static void test_ready_waits_for_large_tables(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "isready");
    trace_started(trace);
    trace_opened(trace);
    run_and_hear(trace, BRIDGE_BUSY_PATIENCE_MS - 1, 0);
    trace_expect_no_part(trace, "readyok\n");
    trace_status(trace, 1);
    trace_expect_part(trace, "readyok\n");

    trace_status(trace, 0); /* it has gone, and is not at its tables a second time */
    trace_line(trace, "ucinewgame\nisready");
    trace_cleared(trace, 7);
    trace_clear(trace);
    run_and_hear(trace, BRIDGE_BUSY_PATIENCE_MS, 0);
    trace_expect_part(trace, "readyok\n");
    trace_clear(trace);
    trace_line(trace, "ucinewgame\nisready");
    trace_cleared(trace, 7);
    run_and_hear(trace, BRIDGE_READY_PATIENCE_MS, 0);
    trace_expect_part(trace, "readyok\n");

    trace_clear(trace);
    trace_died(trace);
    trace_started(trace);
    trace_opened(trace);
    trace_line(trace, "isready");
    run_and_hear(trace, BRIDGE_READY_PATIENCE_MS, 0);
    trace_expect_part(trace, "readyok\n");
}

/* U050: each is answered once, in whatever state. */
static void test_ready_several_times(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "isready\nisready");
    trace_started(trace);
    trace_run(trace, 300);
    trace_line(trace, "isready");
    trace_expect(trace, "start child: threads 2 hash 64 cluster ''\n-> OPEN\n");
    trace_opened(trace);
    trace_status(trace, 2);
    trace_expect(trace, "readyok\nreadyok\nreadyok\n");
    trace_status(trace, 2);
    trace_expect(trace, "");
    trace_line(trace, "isready\nisready");
    trace_expect(trace, "readyok\nreadyok\n");
}

/* The second does not prolong the wait of the first. */
static void test_ready_has_a_deadline(void **state)
{
    BridgeTrace *trace = *state;
    Instant deadline;
    trace_line(trace, "isready");
    trace_clear(trace);
    trace_run(trace, 1000);
    trace_line(trace, "isready");
    trace_run(trace, 499);
    trace_expect(trace, "");
    assert_true(bridge_next_deadline(&trace->bridge, &deadline));
    assert_int_equal(instant_since(deadline, trace->now).us, 1000);
    trace_run(trace, 1);
    trace_expect(trace, "readyok\nreadyok\n");
    assert_false(bridge_next_deadline(&trace->bridge, &deadline));
}

/* A runner that asks before every move waits once for a cluster that is not there. */
static void test_ready_waits_in_vain_once(void **state)
{
    static const char *const hopes[] = {"ucinewgame", "setoption name Cluster value tcp://lab:1"};
    BridgeTrace *trace = *state;
    trace_line(trace, "isready");
    trace_started(trace);
    trace_run(trace, 1600);
    trace_clear(trace);
    trace_line(trace, "isready");
    trace_expect(trace, "readyok\n");
    /* These give no new hope. */
    trace_line(trace, "setoption name Move Overhead value 40\nsetoption name Nope value 1\n"
                      "setoption name Threads value none");
    trace_clear(trace);
    trace_line(trace, "isready");
    trace_expect(trace, "readyok\n");
    for (int i = 0; i < 2; i++) {
        trace_line(trace, hopes[i]);
        trace_line(trace, "isready");
        trace_started(trace);
        trace_clear(trace);
        trace_run(trace, 1499);
        trace_expect_no_part(trace, "readyok\n");
        trace_run(trace, 2);
        trace_expect_part(trace, "readyok\n");
    }
    trace_opened(trace);
    trace_cleared(trace, 7);
    trace_status(trace, 1);
    trace_status(trace, 0);
    trace_clear(trace);
    trace_line(trace, "isready");
    trace_expect(trace, "");
}

/* What a worker count of another life of the master says is nothing. */
static void test_ready_after_the_master_was_restarted(void **state)
{
    BridgeTrace *trace = *state;
    trace_reset(trace);
    trace_line(trace, "isready");
    trace_expect(trace, "-> OPEN\n");
    trace_opened(trace);
    trace_expect(trace, "");
    trace->epoch.value--;
    trace_status(trace, 1);
    trace_expect(trace, "");
    trace->epoch.value++;
    trace_status(trace, 1);
    trace_expect(trace, "readyok\n");
}

static void test_ready_after_the_child_died(void **state)
{
    BridgeTrace *trace = *state;
    trace_died(trace);
    trace_clear(trace);
    trace_line(trace, "isready");
    trace_started(trace);
    trace_opened(trace);
    trace_expect(trace, "-> OPEN\n");
    trace_status(trace, 1);
    trace_expect(trace, "readyok\n");
}

/* What takes its time, or ends the program, comes after the readyok; it is never too late for it.
 */
static void test_ready_is_answered_before_a_search(void **state)
{
    static const char *const commands[] = {"go depth 5", "go perft 4", "bench", "quit"};
    for (int i = 0; i < 4; i++) {
        BridgeTrace *trace = trace_new();
        trace_line(trace, "isready\nisready");
        trace_clear(trace);
        trace_line(trace, commands[i]);
        assert_memory_equal(trace->text, "readyok\nreadyok\n", strlen("readyok\nreadyok\n"));
        assert_int_equal(trace_count(trace, "readyok\n"), 2);
        trace_destroy(trace);
    }
    BridgeTrace *trace = *state;
    trace_line(trace, "isready");
    trace_clear(trace);
    trace_end_of_input(trace);
    trace_expect(trace, "readyok\nexit\n");
}

/* They are counted, and a flood of them costs no other line. */
static void test_ready_flood(void **state)
{
    BridgeTrace *trace = *state;
    for (int i = 0; i < 3 * BRIDGE_ACTIONS_MAX; i++) {
        trace_line(trace, "isready");
        assert_in_range(i + 1 - trace_count(trace, "readyok\n"), 1, BRIDGE_READY_OWED_MAX);
    }
    trace_line(trace, "go depth 5\nstop");
    assert_int_equal(trace_count(trace, "readyok\n"), 3 * BRIDGE_ACTIONS_MAX);
    assert_int_equal(trace->best_moves, 1);
    assert_int_equal(trace->dropped_lines, 0);
}

/* ---- a search ---- */

/* U046: nothing is started for nothing. */
static void test_end_of_input_at_once(void **state)
{
    BridgeTrace *trace = *state;
    trace_end_of_input(trace);
    trace_expect(trace, "exit\n");
    trace_line(trace, "isready");
    trace_expect(trace, "");
}

static void test_a_search(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position startpos moves e2e4\ngo depth 5");
    trace_expect(trace, "-> SEARCH 1 depth 5 of rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b "
                        "KQkq - 0 1\n" FIRST_SLICE);
    trace_wait(trace, 10);
    trace_info(trace, 1, 5, 30, "e7e5 g1f3 b8c6");
    trace_expect(trace, INFO_1 "100000 hashfull 3 time 10 pv e7e5 g1f3 b8c6\n");
    trace_best_move(trace, 1, "e7e5", "g1f3");
    trace_expect(trace, "bestmove e7e5 ponder g1f3\n");
    trace_best_move(trace, 1, "e7e5", "g1f3");
    trace_expect(trace, "");
}

static void test_all_limits_are_passed_on(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go wtime 60000 btime -5 winc 100 binc 200 movestogo 9 movetime 900 depth 7 "
                      "nodes 123456789012 mate 3 searchmoves e2e4 d2d4 e2e4 e2e5");
    trace_expect_part(trace, "-> SEARCH 1 wtime 60000 winc 100 btime -5 binc 200 movetime 900 "
                             "movestogo 9 depth 7 nodes 123456789012 mate 3 searchmoves 2\n");
}

/* U043, U044, U137. */
static void test_ready_in_a_search(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite\nisready\nisready");
    trace_expect(trace, "-> SEARCH 1 infinite\n" FIRST_SLICE "readyok\n"
                        "readyok\n");
    trace_line(trace, "stop\nisready\nstop\nisready\nstop\nisready");
    trace_expect(trace, "-> STOP 1\n"
                        "readyok\n"
                        "readyok\n"
                        "readyok\n");
    trace_info(trace, 1, 5, 30, "e2e4");
    trace_best_move(trace, 1, "e2e4", NULL);
    trace_expect_part(trace, "bestmove e2e4\n");
    assert_int_equal(trace->best_moves, 1);
}

/* U031, U032: no search where there is no move. */
static void test_mate_and_stalemate(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position fen 8/8/kQ6/3P4/8/8/1K3B2/3R4 b - - 5 54\ngo movetime 200");
    trace_expect(trace, "info depth 0 score mate 0\n"
                        "bestmove (none)\n");
    trace_line(trace, "position fen k7/8/1Q6/8/8/8/8/7K b - - 0 1\ngo wtime 1 btime 1");
    trace_expect(trace, "info depth 0 score cp 0\n"
                        "bestmove (none)\n");
    trace_line(trace, MATED "\ngo infinite");
    trace_run(trace, 2000);
    trace_expect(trace, "info depth 0 score mate 0\n");
    trace_line(trace, "stop\nstop");
    trace_expect(trace, "bestmove (none)\n");
}

static void test_unknown_input_is_ignored(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "\n   \ndebug on\nregister later\nxyzzy\nponderhit\nstop\n\t");
    trace_line(trace, "register name isready code 5\ndebug isready");
    trace_expect(trace, "");
    trace_line(trace, "joho xyzzy isready");
    trace_expect(trace, "readyok\n");
    trace_line(trace, "  \t isready \r");
    trace_expect(trace, "readyok\n");
}

static void test_people_s_commands(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go perft 3\neval\nbench\nbench 9\nhelp\nd");
    trace_expect(trace, "perft 3\n"
                        "eval\n"
                        "bench 13\n"
                        "bench 9\n"
                        "help\n"
                        "8  r n b q k b n r\n"
                        "7  p p p p p p p p\n"
                        "6  . . . . . . . .\n"
                        "5  . . . . . . . .\n"
                        "4  . . . . . . . .\n"
                        "3  . . . . . . . .\n"
                        "2  P P P P P P P P\n"
                        "1  R N B Q K B N R\n"
                        "   a b c d e f g h\n"
                        "\n"
                        "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
                        "Key: 463B96181691FC9C\n"
                        "Checkers:\n");
    trace_line(trace, "go perft\ngo perft many");
    trace_expect(trace, "info string go perft needs a depth: go perft 5\n"
                        "info string go perft needs a depth: go perft 5\n");
    trace_line(trace, "go infinite");
    trace_clear(trace);
    trace_line(trace, "go perft 3\nbench");
    trace_expect(trace, "info string not during a search: stop it first\n"
                        "info string not during a search: stop it first\n");
}

static void test_cluster_table(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "cluster");
    trace_expect(trace, "no cluster has reported yet\n");
    trace_line(trace, "isready");
    trace_started(trace);
    trace_opened(trace);
    trace_clear(trace);
    trace->message.type = MESSAGE_STATUS;
    trace->message.status = (MessageStatus){
        .epoch = {trace->epoch.value - 1},
        .worker_count = 2,
        .workers =
            {{.name = "lab-01",
              .slots = 4,
              .nodes_per_second = 4123456,
              .jobs = 17,
              .idle_permille = 123},
             {.name = "pi\n\x1b[2J", .slots = 1, .nodes_per_second = 90000, .is_in_reserve = true}},
    };
    trace_message(trace, &trace->message);
    trace_line(trace, "cluster");
    trace_expect(trace, "readyok\n"
                        "worker                   slots      nodes/s       jobs    idle\n"
                        "lab-01                       4      4123456         17   12.3%\n"
                        "pi??[2J                      1        90000          0 reserve\n");
}

/* A table of a master that is gone says nothing of the one that is there. */
static void test_no_cluster_table_of_the_past(void **state)
{
    BridgeTrace *trace = *state;
    trace_reset(trace);
    trace_clear(trace);
    trace_line(trace, "cluster");
    trace_expect(trace, "connecting to the master\n");
    trace->epoch.value--; /* the same master, another session */
    trace_opened(trace);
    trace_line(trace, "cluster");
    trace_expect(trace, "no cluster has reported yet\n");
    trace_status(trace, 1);
    trace_line(trace, "cluster");
    trace_expect_part(trace, "worker                   slots");

    trace_clear(trace);
    trace->epoch.value--; /* late, of a master before it */
    trace_status(trace, 1);
    trace->epoch.value++;
    trace_line(trace, "cluster");
    trace_expect(trace, "no cluster has reported yet\n");
    trace_died(trace);
    trace_clear(trace);
    trace_line(trace, "cluster");
    trace_expect(trace, "connecting to the master\n");
    trace_line(trace, "setoption name Threads value 1\nisready");
    trace_clear(trace);
    trace_line(trace, "cluster");
    trace_expect(trace, "connecting to the master\n");
}

/* ---- positions ---- */

/* U001, U002, U004, U007: refused, and the last position stays. */
static void test_bad_positions_are_refused(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position startpos moves e2e4\n"
                      "position fen blah\n"
                      "position fen startpos\n"
                      "position fen\n"
                      "position\n"
                      "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1 moves e8e7");
    assert_int_equal(trace_count(trace, "info string"), 5);
    assert_int_equal(trace_count(trace, "the last position stays\n"), 4);
    trace_clear(trace);
    trace_line(trace, "d");
    trace_expect_part(trace, "4P3/8/PPPP1PPP/RNBQKBNR b KQkq");
}

/* Whoever forgets "moves" is told. */
static void test_words_that_are_no_moves_are_told(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position startpos e2e4 e7e5\nd");
    trace_expect_part(trace, "info string position: ignored 'e2e4 e7e5', expected 'moves'\n");
    trace_expect_part(trace, "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

/* What is learned of one game is not for the next, in the own search's table either. */
static void test_the_own_search_forgets_too(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "ucinewgame");
    assert_int_equal(trace->own_clears, 1);
    trace_line(trace, "setoption name Clear Hash");
    assert_int_equal(trace->own_clears, 2);
    trace_line(trace, "go infinite\nucinewgame");
    assert_int_equal(trace->own_clears, 2); /* after the search */
    trace_line(trace, "stop");
    trace_run(trace, 100);
    assert_int_equal(trace->own_clears, 3);
}

static void test_go_without_a_number_is_told(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4";
    trace_line(trace, "go wtime 1e3 btime 1e3");
    trace_expect_part(trace, "info string go: wtime needs a number behind it\n");
    trace_expect_part(trace, "-> SEARCH 1 movetime 0\n");
    trace_run(trace, 100);
    assert_int_equal(trace->best_moves, 1);
}

/* U025, U026. */
static void test_illegal_move_ends_the_list(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position startpos moves b2b3 d7d6 d7d6 e2e3 e7e6");
    trace_expect(trace, "info string move 3 of the position, 'd7d6', is illegal: ends before it\n");
    trace_line(trace, "d");
    trace_expect_part(trace, "Fen: rnbqkbnr/ppp1pppp/3p4/8/8/1P6/P1PPPPPP/RNBQKBNR w KQkq - 0 2");
}

/* U028, U029: a game of 6000 plies is a matter of its last irreversible move. */
static void test_very_long_game(void **state)
{
    static char line[64 * 1024];
    BridgeTrace *trace = *state;
    int length = snprintf(line, sizeof line, "position startpos moves");
    for (int i = 0; i < 1500; i++) {
        length += snprintf(line + length, sizeof line - (size_t)length, " g1f3 g8f6 f3g1 f6g8");
    }
    trace_line(trace, line);
    trace_line(trace, "go depth 3");
    trace_expect(trace,
                 "-> SEARCH 1 depth 3 after 160 moves of "
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5840 2921\n" FIRST_SLICE);
}

static void test_game_since_the_last_irreversible_move(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position startpos moves g1f3 g8f6 e2e4 f6g8 f3g1\ngo depth 3");
    trace_expect_part(trace, "-> SEARCH 1 depth 3 after 2 moves of "
                             "rnbqkb1r/pppppppp/5n2/8/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 2\n");
}

/* U041: the search keeps its own position. */
static void test_position_in_a_search(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace,
               "position startpos\ngo infinite\nposition startpos moves e2e4\nisready\nstop");
    trace_info(trace, 1, 5, 30, "d2d4 d7d5");
    trace_best_move(trace, 1, "d2d4", "d7d5");
    trace_expect_part(trace, "bestmove d2d4 ponder d7d5\n");
    trace_line(trace, "d");
    trace_expect_part(trace, "/8/8/4P3/8/");
}

static void test_chess960_castling(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name UCI_Chess960 value true\n"
                      "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1\ngo depth 2");
    trace_info(trace, 1, 2, 30, "e1h1 e8d7");
    trace_best_move(trace, 1, "e1h1", NULL);
    trace_expect_part(trace, "pv e1h1 e8d7\nbestmove e1h1 ponder e8d7\n");
}

/* ---- stop ---- */

/* U034, U040: bursts. Whatever is late belongs to no search any more. */
static void test_stop_position_go_burst(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "d2d4";
    trace_line(trace, "position startpos\ngo infinite\nstop");
    trace->own_moves = "e7e5";
    trace_line(trace, "position startpos moves e2e4\ngo infinite\nstop");
    trace_expect(trace, "-> SEARCH 1 infinite\n" FIRST_SLICE "-> STOP 1\n"
                        "info depth 1 seldepth 1 multipv 1 score cp 5 nodes 500 nps 500000000 "
                        "hashfull 0 time 0 pv d2d4\n"
                        "bestmove d2d4\n"
                        "-> SEARCH 2 infinite of rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b "
                        "KQkq - 0 1\n" FIRST_SLICE "-> STOP 2\n");
    trace_info(trace, 1, 9, 9, "e7e6");
    trace_best_move(trace, 1, "e7e6", NULL);
    trace_expect(trace, "");
    trace_info(trace, 2, 5, 30, "e7e5");
    trace_best_move(trace, 2, "e7e5", NULL);
    trace_expect_part(trace, "bestmove e7e5\n");
    assert_int_equal(trace->best_moves, 2);
}

static void test_go_in_a_search_answers_first(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_info(trace, 1, 5, 30, "d2d4 d7d5");
    trace_clear(trace);
    trace_line(trace, "go depth 3");
    trace_expect(trace, "bestmove d2d4 ponder d7d5\n"
                        "-> STOP 1\n"
                        "-> SEARCH 2 depth 3\n" FIRST_SLICE);
}

/* The GUI waits 50 ms; a child that does not answer is replaced if it stays silent. */
static void test_stop_without_an_answer(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_info(trace, 1, 5, 30, "d2d4 d7d5");
    trace_line(trace, "stop");
    trace_clear(trace);
    trace_run(trace, 39);
    trace_expect(trace, "");
    trace_run(trace, 2);
    trace_expect(trace, "bestmove d2d4 ponder d7d5\n");
    trace_run(trace, 990);
    trace_expect(trace, "");
    trace_run(trace, 20);
    trace_expect(trace, "start child: threads 2 hash 64 cluster ''\n"
                        "info string the search process hangs, starting another\n");
}

static void test_late_answer_clears_the_suspicion(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite\nstop");
    trace_run(trace, 100);
    trace_best_move(trace, 1, "d2d4", NULL);
    trace_clear(trace);
    trace_run(trace, 2500);
    trace_expect(trace, "");
}

/* U035, U037, U052, U121. */
static void test_no_answer_before_stop(void **state)
{
    static const char *const commands[] = {"go infinite", "go ponder wtime 51942 btime 62649"};
    BridgeTrace *trace = *state;
    for (uint32_t i = 0; i < 2; i++) {
        trace_line(trace, MATE_IN_1);
        trace_line(trace, commands[i]);
        trace_info(trace, i + 1, 1, SCORE_MATE - 1, "h1h8");
        trace_best_move(trace, i + 1, "h1h8", NULL);
        trace_expect_part(trace, "score mate 1 ");
        trace_expect_part(trace, " pv h1h8\n");
        trace_clear(trace);
        trace_wait(trace, 2000);
        trace_tick(trace);
        trace_expect(trace, "");
        trace_line(trace, "stop\nstop\nisready");
        trace_expect(trace, "bestmove h1h8\nreadyok\n");
    }
}

/* ---- ponder ---- */

/* U053: the clock runs from the ponderhit. */
static void test_ponder_move_time(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position startpos moves e2e4 e7e5\ngo ponder movetime 1000");
    trace_info(trace, 1, 5, 30, "g1f3 b8c6");
    trace_wait(trace, 3000);
    trace_tick(trace);
    trace_clear(trace);
    trace_line(trace, "ponderhit");
    trace_expect(trace, "-> PONDERHIT 1\n");
    trace_run(trace, 960);
    trace_expect(trace, "");
    trace_run(trace, 15);
    trace_expect(trace, "bestmove g1f3 ponder b8c6\n-> STOP 1\n");
}

static void test_ponderhit_on_a_finished_search(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go ponder depth 5");
    trace_info(trace, 1, 5, 30, "g1f3 b8c6");
    trace_best_move(trace, 1, "g1f3", "b8c6");
    trace_clear(trace);
    trace_line(trace, "ponderhit\nponderhit\nstop");
    trace_expect(trace, "bestmove g1f3 ponder b8c6\n");
}

/* U055. */
static void test_options_while_pondering(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go ponder depth 10\nsetoption name Hash value 32\nisready\nponderhit");
    trace_expect(trace, "-> SEARCH 1 depth 10 ponder\n" FIRST_SLICE "readyok\n"
                        "-> PONDERHIT 1\n");
    trace_info(trace, 1, 10, 30, "g1f3");
    trace_best_move(trace, 1, "g1f3", NULL);
    trace_expect_part(trace, "bestmove g1f3\n");
    trace_clear(trace);
    trace_line(trace, "isready");
    trace_expect(trace, "start child: threads 2 hash 32 cluster ''\n");
}

/* U056: a ponder move that is not legal is none. */
static void test_ponder_move_is_legal(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, MATE_IN_1 "\ngo depth 6");
    trace_info(trace, 1, 6, SCORE_MATE - 1, "h1h8");
    trace_best_move(trace, 1, "h1h8", "e7e5");
    trace_expect_part(trace, "bestmove h1h8\n");
    trace_line(trace, "position startpos\ngo depth 6");
    trace_info(trace, 2, 6, 3, "e2e4 e7e5");
    trace_best_move(trace, 2, "e2e4", "d2d4");
    trace_expect_part(trace, "bestmove e2e4 ponder e7e5\n");
}

/* ---- time ---- */

/* The milliseconds after which the bridge answers a `go` by itself, with a child that is silent. */
static int64_t answer_ms(BridgeTrace *trace, const char *go)
{
    const int before = trace->best_moves;
    const Instant start = trace->now;
    trace_line(trace, go);
    for (int i = 0; i < 100000 && trace->best_moves == before; i++) {
        trace_run(trace, 1);
    }
    assert_int_equal(trace->best_moves, before + 1);
    return duration_to_ms(instant_since(trace->now, start));
}

/* U058, U059, U061, U062, U064, U065, U068, U134. */
static void test_silent_child_never_costs_the_game(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4";
    trace->own_takes_time = true;
    assert_in_range(answer_ms(trace, "go movetime 250"), 200, 232);
    assert_in_range(answer_ms(trace, "go movetime 3000"), 2900, 2982);
    assert_in_range(answer_ms(trace, "go movetime 0"), 0, 5);
    assert_in_range(answer_ms(trace, "go wtime 0 btime -2 winc 20 binc 20"), 0, 5);
    assert_in_range(answer_ms(trace, "go wtime 1 btime 1 winc 0 binc 0"), 0, 5);
    assert_in_range(answer_ms(trace, "go wtime 3000 btime 3000 winc 3000 binc 3000"), 500, 2980);
    assert_in_range(answer_ms(trace, "go wtime 250 btime 250 movestogo 1"), 50, 230);
    assert_in_range(answer_ms(trace, "go wtime 165661 btime -170671 winc 2000 binc 2000"), 1000,
                    20000);
}

/* The answer to the PING with this number comes `ms` from now. */
static void answer_ping(BridgeTrace *trace, uint64_t number, int64_t ms)
{
    trace_wait(trace, ms);
    trace->message.type = MESSAGE_PONG;
    trace->message.ping.number = number;
    trace_message(trace, &trace->message);
}

/* U067. */
static void test_overhead_and_round_trip_are_kept_back(void **state)
{
    BridgeTrace *trace = *state;
    answer_ping(trace, 1, 30);
    answer_ping(trace, 2, 30);
    trace_line(trace, "setoption name Move Overhead value 1500\n"
                      "go wtime 15000 btime 15000 movestogo 40");
    trace_expect_part(trace, "-> SEARCH 1 wtime 15000 btime 15000 movestogo 40 overhead 1530\n");
    trace_line(trace, "stop\ngo movetime 1000");
    trace_expect_part(trace, "-> SEARCH 2 movetime 970 overhead 1500\n");
}

/* What was measured of one child's way says nothing of another's. */
static void test_a_new_child_has_no_round_trip_yet(void **state)
{
    BridgeTrace *trace = *state;
    answer_ping(trace, 1, 150);
    answer_ping(trace, 2, 150);
    trace_died(trace);
    trace_started(trace);
    trace_opened(trace);
    trace_line(trace, "go movetime 200");
    trace_expect_part(trace, "-> SEARCH 1 movetime 200\n");
}

/* One answer that came late, at the start or later, takes no time from the moves after it. */
static void test_one_slow_round_trip_is_no_measure(void **state)
{
    BridgeTrace *trace = *state;
    answer_ping(trace, 1, 150);
    trace_line(trace, "go movetime 200");
    trace_expect_part(trace, "-> SEARCH 1 movetime 200\n");
    answer_ping(trace, 2, 8);
    trace_line(trace, "stop\ngo movetime 200");
    trace_expect_part(trace, "-> SEARCH 2 movetime 192\n");
    trace_line(trace, "stop");
    trace_run(trace, 1000);
    answer_ping(trace, 3, 150);
    answer_ping(trace, 4, 4);
    trace_line(trace, "go movetime 200");
    trace_expect_part(trace, "-> SEARCH 3 movetime 193\n"); /* 8, and a quarter nearer to 4 */
    trace_line(trace, "stop");
    trace_run(trace, 1000);
    answer_ping(trace, 5, 150);
    answer_ping(trace, 6, 150);
    trace_line(trace, "go movetime 200");
    trace_expect_part(trace, "-> SEARCH 4 movetime 50\n"); /* the line has become longer */
}

/* U136: the child gets all limits and ends at the first. */
static void test_mixed_limits(void **state)
{
    BridgeTrace *trace = *state;
    trace->own_moves = "e2e4";
    trace->own_takes_time = true;
    assert_in_range(answer_ms(trace, "go wtime 866320 btime 852039 winc 14000 binc 14000 "
                                     "movetime 2000 depth 50"),
                    1900, 1985);
}

/* ---- options ---- */

/* U070, U071, U073, U074. */
static void test_option_syntax(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name multipv value 3\n"
                      "setoption name Debug Log File value /tmp/my log dir/uci log.txt\n"
                      "setoption name Clear Hash\n"
                      "setoption name   move   overhead value 50\n"
                      "setoption name Move Overhead value 50\n"
                      "setoption name Cluster value tcp://10.0.0.1:5570\n"
                      "setoption\nsetoption name\nsetoption value");
    trace_expect(trace, "info string no option is called 'Debug Log File'\n"
                        "-> NEW_GAME\n"
                        "info string no option is called 'move   overhead'\n"
                        "info string no option is called ''\n"
                        "info string no option is called ''\n"
                        "info string no option is called ''\n");
    const UciOptions *options = &trace->bridge.options;
    assert_int_equal(options->multi_pv, 3);
    assert_int_equal(options->move_overhead_ms, 50);
    assert_string_equal(options->cluster, "tcp://10.0.0.1:5570");
    trace_line(trace, "setoption name Cluster value <empty>");
    assert_string_equal(options->cluster, "");
}

static Status admit_only(const char *address, const void *context)
{
    return strcmp(address, context) == 0 ? status_ok()
                                         : status_error(STATUS_INVALID, "not %s", address);
}

/* A cluster that cannot be used is refused with the reason, and the one before stays. */
static void test_clusters_are_admitted(void **state)
{
    BridgeTrace *trace = *state;
    trace->bridge.config.admit = admit_only;
    trace->bridge.config.admit_context = "tcp://127.0.0.1:1";
    trace_line(trace, "setoption name Cluster value tcp://127.0.0.1:1\n"
                      "setoption name Cluster value tcp://lab:1\nsetoption name Hash value 32");
    trace_expect(trace, "info string not tcp://lab:1\n");
    trace_line(trace, "isready");
    trace_expect(trace, "start child: threads 2 hash 32 cluster 'tcp://127.0.0.1:1'\n");
    trace_line(trace, "setoption name Cluster value <empty>");
    trace_expect(trace, "");
    assert_string_equal(trace->bridge.options.cluster, "");
}

static void test_option_values_out_of_range(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name MultiPV value 0\n"
                      "setoption name MultiPV value 9999\n"
                      "setoption name Threads value -5\n"
                      "setoption name Threads value abc\n"
                      "setoption name Hash value 999999999999\n"
                      "setoption name Ponder value maybe\n"
                      "setoption name Move Overhead");
    assert_int_equal(trace_count(trace, "info string option "), 7);
    trace_expect_part(trace, "info string option MultiPV: '0' ignored, expected 1 to 256\n");
    trace_expect_part(trace, "info string option Ponder: 'maybe' ignored, expected true or false");
    const UciOptions usual = bridge_default_options(2);
    assert_memory_equal(&trace->bridge.options, &usual, sizeof usual);
}

/* U049, U133: after the bestmove, once, in whatever order they came. */
static void test_options_in_a_search(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite\nsetoption name Hash value 4096\n"
                      "setoption name Threads value 4\nsetoption name Clear Hash\nucinewgame\n"
                      "isready\nstop");
    trace_expect(trace, "-> SEARCH 1 infinite\n" FIRST_SLICE "readyok\n-> STOP 1\n");
    trace_info(trace, 1, 4, 1, "e2e4");
    trace_clear(trace);
    trace_best_move(trace, 1, "e2e4", NULL);
    trace_expect(trace, "bestmove e2e4\n-> NEW_GAME\n");
    trace_line(trace, "isready\nisready");
    trace_expect(trace, "start child: threads 4 hash 4096 cluster ''\n");
}

static void test_remote_cluster_ignores_threads(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name Cluster value tcp://lab:5570\nisready");
    trace_expect(trace, "start child: threads 2 hash 64 cluster 'tcp://lab:5570'\n");
    trace_started(trace);
    trace_opened(trace);
    trace_status(trace, 1);
    trace_expect(trace, "-> OPEN\nreadyok\n");
    trace_line(trace, "setoption name Threads value 3\nisready");
    trace_expect(trace, "readyok\n");
}

/* U076, U077. */
static void test_wdl_only_when_asked_for(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go depth 1");
    trace_info(trace, 1, 1, 30, "e2e4");
    trace_best_move(trace, 1, "e2e4", NULL);
    trace_expect_no_part(trace, "wdl");
    trace_line(trace, "setoption name UCI_ShowWDL value true\ngo infinite");
    trace_wait(trace, 1500);
    trace_info_full(trace, 2, 0, 2, 30, BOUND_LOWER, 10, "e2e4");
    trace_expect_part(trace, "score cp 30 lowerbound wdl 209 672 119 nodes");
}

/* ---- info lines ---- */

/* A move fails high early in a search and is played before its value is exact. */
static void test_the_last_line_begins_with_the_move_played(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go movetime 300");
    trace_wait(trace, 10);
    trace_info(trace, 1, 5, 30, "d2d4 d7d5");
    trace_info_full(trace, 1, 0, 6, 45, BOUND_LOWER, 20, "e2e4");
    trace_expect_part(trace, "pv d2d4 d7d5\n");
    trace_best_move(trace, 1, "e2e4", NULL);
    trace_expect_part(trace, "pv e2e4\nbestmove e2e4");
}

/* The best line is an earlier iteration's, the nodes are of the whole search. */
static void test_the_last_line_counts_all_nodes(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go nodes 20000");
    trace_wait(trace, 10);
    trace_info(trace, 1, 5, 30, "e2e4 e7e5");
    trace_info_full(trace, 1, 0, 6, 45, BOUND_LOWER, 20000, "e2e4");
    trace_expect_part(trace, "nodes 1000 ");
    trace_expect_no_part(trace, "nodes 20000 ");
    trace_best_move(trace, 1, "e2e4", "e7e5");
    trace_expect_part(trace, "info depth 5 ");
    trace_expect_part(trace, "nodes 20000 ");
    trace_expect_part(trace, "pv e2e4 e7e5\nbestmove e2e4 ponder e7e5\n");
}

/* A long iteration: the same line comes again with what it has cost, which is all that is said. */
static void test_a_line_that_comes_again_is_figures(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_wait(trace, 1000);
    trace_info_full(trace, 1, 0, 9, 30, BOUND_EXACT, 1000, "e2e4 e7e5");
    trace_clear(trace);
    trace_wait(trace, 1000);
    trace_info_full(trace, 1, 0, 9, 30, BOUND_EXACT, 7000, "e2e4 e7e5");
    trace_expect(trace, "info nodes 7000 nps 3500 hashfull 3 time 2000\n");
    trace_info_full(trace, 1, 0, 10, 30, BOUND_EXACT, 8000, "e2e4 e7e5");
    trace_expect(trace, "info depth 10 seldepth 10 multipv 1 score cp 30 nodes 8000 nps 4000 "
                        "hashfull 3 time 2000 pv e2e4 e7e5\n");
    trace_info_full(trace, 1, 0, 10, 30, BOUND_EXACT, 9000, "e2e4 e7e5");
    trace_line(trace, "stop");
    trace_best_move(trace, 1, "e2e4", NULL);
    trace_expect_part(trace, "info depth 10 seldepth 10 multipv 1 score cp 30 nodes 9000 ");
    trace_expect_part(trace, "pv e2e4 e7e5\nbestmove e2e4");
}

/* A bound that is played counts all nodes too. */
static void test_a_bound_that_comes_again_is_figures(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_info_full(trace, 1, 0, 9, 30, BOUND_EXACT, 1000, "d2d4");
    trace_wait(trace, 2000);
    trace_info_full(trace, 1, 0, 10, 45, BOUND_LOWER, 5000, "e2e4");
    trace_clear(trace);
    trace_wait(trace, 1000);
    trace_info_full(trace, 1, 0, 10, 45, BOUND_LOWER, 9000, "e2e4");
    trace_expect(trace, "info nodes 9000 nps 3000 hashfull 3 time 3000\n");
    trace_line(trace, "stop");
    trace_best_move(trace, 1, "e2e4", NULL);
    trace_expect_part(trace, "score cp 45 lowerbound nodes 9000 ");
    trace_expect_part(trace, "pv e2e4\nbestmove e2e4");
}

/* The end within an iteration: the last line of each rank stands, a bound too. */
static void test_multi_pv_within_an_iteration(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name MultiPV value 3\ngo movetime 300");
    trace_info_full(trace, 1, 0, 4, 30, BOUND_EXACT, 10, "e2e4");
    trace_info_full(trace, 1, 1, 4, 20, BOUND_EXACT, 10, "d2d4");
    trace_info_full(trace, 1, 2, 4, 10, BOUND_EXACT, 10, "c2c4");
    trace_clear(trace);
    trace_info_full(trace, 1, 0, 5, 15, BOUND_EXACT, 20, "d2d4");
    trace_info_full(trace, 1, 1, 4, 15, BOUND_UPPER, 20, "e2e4");
    trace_info_full(trace, 1, 2, 4, 10, BOUND_EXACT, 20, "c2c4");
    trace_best_move(trace, 1, "d2d4", NULL);
    trace_expect_part(trace, "multipv 1 score cp 15 nodes 20 ");
    trace_expect_part(trace, "multipv 2 score cp 15 upperbound nodes 20 ");
    trace_expect_part(trace, "multipv 3 score cp 10 nodes 20 ");
    trace_expect_part(trace, "pv e2e4\n");
    assert_int_equal(trace_count(trace, " multipv "), 3);
}

static void test_lines_are_cut_to_what_is_legal(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_clear(trace);
    trace_info(trace, 1, 5, 30, "e2e4 e7e5 e4e5 g8f6");
    trace_expect_part(trace, " pv e2e4 e7e5\n");
    trace_clear(trace);
    trace_info(trace, 1, 6, 30, "e2e5");
    trace_info_full(trace, 1, 0, 6, SCORE_NONE, BOUND_EXACT, 1, "e2e4");
    trace_info_full(trace, 1, 1, 6, 30, BOUND_EXACT, 1, "e2e4");
    trace_info_full(trace, 1, -1, 6, 30, BOUND_EXACT, 1, "e2e4");
    trace_info(trace, 1, 6, 30, "");
    trace_expect(trace, "");
}

/* U097: no move beyond a third occurrence. */
static void test_lines_end_at_the_third_occurrence(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6\ngo depth 9");
    trace_info(trace, 1, 9, 0, "f3g1 f6g8 g1f3 g8f6");
    trace_expect_part(trace, " pv f3g1 f6g8\n");
}

static void test_lines_end_with_the_fifty_moves(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position fen 7k/8/8/8/8/8/8/KR6 w - - 98 90\ngo depth 9");
    trace_info(trace, 1, 9, 0, "b1b2 h8g8 b2b3 g8h8");
    trace_expect_part(trace, " pv b1b2 h8g8\n");
}

/* U079: tens of lines at once, then fifty a second; nothing exact is lost. */
static void test_flood_of_lines(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_clear(trace);
    for (int i = 0; i < 3000; i++) {
        trace_info(trace, 1, 1 + i / 40, 30 + i % 7, "e2e4");
        trace->now.us += 500;
    }
    assert_in_range(trace_count(trace, "info depth"), 75, 130);
    trace_line(trace, "stop");
    trace_clear(trace);
    trace_info(trace, 1, 90, 77, "e2e4");
    trace_info(trace, 1, 91, 78, "e2e4");
    trace_info(trace, 1, 92, 79, "e2e4");
    trace_best_move(trace, 1, "e2e4", NULL);
    trace_expect_part(trace, "info depth 92 seldepth 92 multipv 1 score cp 79 ");
    assert_int_equal(trace_count(trace, "bestmove e2e4\n"), 1);
}

static void test_last_exact_line_before_the_answer(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_wait(trace, 2000);
    trace_info(trace, 1, 8, 12, "e2e4 e7e5");
    trace_info_full(trace, 1, 0, 9, 2, BOUND_UPPER, 5000, "e2e4");
    trace_clear(trace);
    trace_line(trace, "stop");
    trace_best_move(trace, 1, "e2e4", "e7e5");
    trace_expect(trace, "-> STOP 1\n"
                        "info depth 8 seldepth 8 multipv 1 score cp 12 nodes 5000 nps 2500 "
                        "hashfull 3 time 2000 pv e2e4 e7e5\n"
                        "bestmove e2e4 ponder e7e5\n");
}

/* What a peer sends beyond all evaluations is no number of pawns. */
static void test_no_score_beyond_all_pawns(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_info_full(trace, 1, 0, 8, SCORE_WIN_MIN - 1, BOUND_EXACT, 1000, "e2e4");
    trace_expect_part(trace, "info depth 8 seldepth 8 multipv 1 score cp 20000 nodes 1000 ");
    trace_info_full(trace, 1, 0, 9, 1 - SCORE_WIN_MIN, BOUND_EXACT, 2000, "e2e4");
    trace_expect_part(trace, "info depth 9 seldepth 9 multipv 1 score cp -20000 nodes 2000 ");
}

/* U083. */
static void test_large_numbers(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_wait(trace, 3600 * 1000);
    trace_clear(trace);
    trace_info_full(trace, 1, 0, 40, 12, BOUND_EXACT, UINT64_C(36000000000000), "e2e4");
    trace_expect_part(trace, "nodes 36000000000000 nps 10000000000 hashfull 3 time 3600000 pv");
}

/* Two kings cannot win, whatever a score of 0 means elsewhere. */
static void test_wdl_of_a_dead_draw(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name UCI_ShowWDL value true\n"
                      "position fen 8/8/8/4k3/8/8/4K3/8 w - - 0 1\ngo infinite");
    trace_info_full(trace, 1, 0, 4, 0, BOUND_EXACT, 1000, "e2e3");
    trace_expect_part(trace, "score cp 0 wdl 0 1000 0 nodes");
}

/* The master tells of all ranks at once, from the first on, of which some have come further. */
static void burst(BridgeTrace *trace, const int depths[3], uint64_t nodes)
{
    static const char *const moves[3] = {"e2e4", "d2d4", "c2c4"};
    for (int rank = 0; rank < 3; rank++) {
        trace_info_full(trace, 1, rank, depths[rank], 30 - 10 * rank, BOUND_EXACT, nodes,
                        moves[rank]);
    }
}

/* Once all ranks have a depth they are shown as a whole, with the same figures. */
static void test_multi_pv_is_shown_depth_by_depth(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name MultiPV value 3\ngo infinite");
    trace_clear(trace);
    burst(trace, (const int[]){4, 4, 4}, 1000);
    assert_int_equal(trace_count(trace, "info depth 4 "), 3); /* in order as they came */
    burst(trace, (const int[]){5, 4, 4}, 2000);
    trace_info_full(trace, 1, 2, 4, 9, BOUND_EXACT, 2500, "c2c4");
    burst(trace, (const int[]){5, 5, 4}, 3000);
    trace_clear(trace);
    burst(trace, (const int[]){5, 5, 5}, 4000);
    trace_expect(trace, "info depth 5 seldepth 5 multipv 1 score cp 30 nodes 4000 nps 4000000000 "
                        "hashfull 3 time 0 pv e2e4\n"
                        "info depth 5 seldepth 5 multipv 2 score cp 20 nodes 4000 nps 4000000000 "
                        "hashfull 3 time 0 pv d2d4\n"
                        "info depth 5 seldepth 5 multipv 3 score cp 10 nodes 4000 nps 4000000000 "
                        "hashfull 3 time 0 pv c2c4\n");
    burst(trace, (const int[]){5, 5, 5}, 5000);
    trace_expect(trace, ""); /* the depth was shown before */
}

/* U109, U110. */
static void test_multi_pv(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name MultiPV value 3\ngo depth 4");
    trace_expect(trace, "-> SEARCH 1 depth 4 multipv 3\n" FIRST_SLICE);
    trace_info_full(trace, 1, 0, 4, 30, BOUND_EXACT, 10, "e2e4");
    trace_info_full(trace, 1, 1, 4, 20, BOUND_EXACT, 10, "d2d4");
    trace_info_full(trace, 1, 2, 4, 10, BOUND_EXACT, 10, "c2c4");
    trace_best_move(trace, 1, "e2e4", NULL);
    trace_expect_part(trace, "multipv 1 score cp 30 ");
    trace_expect_part(trace, "multipv 3 score cp 10 ");
    assert_int_equal(trace_count(trace, "info depth"), 3);
    trace_clear(trace);
    trace_line(trace, "position fen 8/8/3K1p1p/2N2pbr/2B1k2p/2P2p1P/2P2P2/8 b - - 0 1\ngo depth 4");
    trace_expect(trace, "-> SEARCH 2 depth 4 of 8/8/3K1p1p/2N2pbr/2B1k2p/2P2p1P/2P2P2/8 b - - 0 "
                        "1\n" FIRST_SLICE);
}

/* ---- go mate ---- */

/* U085, U086, U088. */
static void test_go_mate(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "position fen 8/8/3K1p1p/2N2pbr/2B1k2p/2P2p1P/2P2P2/8 b - - 0 1\ngo mate 2");
    trace_expect_part(trace, "-> SEARCH 1 mate 2 of ");
    trace_info(trace, 1, 4, 4 - SCORE_MATE, "e4f4");
    trace_best_move(trace, 1, "e4f4", NULL);
    trace_expect_part(trace, "score mate -2 ");
    trace_expect_part(trace, "bestmove e4f4\n");
    trace_line(trace, "position startpos\ngo mate");
    trace_clear(trace);
    trace_wait(trace, 100);
    trace_line(trace, "stop");
    trace_best_move(trace, 2, "e2e4", NULL);
    assert_int_equal(trace_count(trace, "bestmove"), 1);
}

/* ---- quit ---- */

/* U047, and `quit`: the go is answered, the session closed. */
static void test_leaving_in_a_search(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "go infinite");
    trace_info(trace, 1, 5, 30, "d2d4");
    trace_clear(trace);
    trace_end_of_input(trace);
    trace_expect(trace, "bestmove d2d4\n-> STOP 1\n-> CLOSE\nexit\n");
    Instant deadline;
    trace_tick(trace);
    (void)bridge_next_deadline(&trace->bridge, &deadline);
    trace_expect(trace, "");
}

static void test_quit(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "quit");
    trace_expect(trace, "-> CLOSE\nexit\n");
}

#define ON(setup, test) cmocka_unit_test_setup_teardown(test, setup, destroy)

int main(void)
{
    attacks_init(SLIDER_AUTO);
    const struct CMUnitTest tests[] = {
        ON(fresh, test_uci_lists_options),
        cmocka_unit_test(test_threads_of_large_machines),
        ON(fresh, test_ready_waits_for_a_worker),
        ON(ready, test_ready_waits_for_a_clear),
        ON(fresh, test_ready_waits_for_large_tables),
        ON(fresh, test_ready_several_times),
        ON(fresh, test_ready_has_a_deadline),
        ON(fresh, test_ready_waits_in_vain_once),
        ON(ready, test_ready_after_the_master_was_restarted),
        ON(ready, test_ready_after_the_child_died),
        ON(fresh, test_ready_is_answered_before_a_search),
        ON(fresh, test_ready_flood),
        ON(fresh, test_end_of_input_at_once),
        ON(ready, test_a_search),
        ON(ready, test_all_limits_are_passed_on),
        ON(ready, test_ready_in_a_search),
        ON(ready, test_mate_and_stalemate),
        ON(ready, test_unknown_input_is_ignored),
        ON(ready, test_people_s_commands),
        ON(fresh, test_cluster_table),
        ON(ready, test_no_cluster_table_of_the_past),
        ON(ready, test_bad_positions_are_refused),
        ON(ready, test_words_that_are_no_moves_are_told),
        ON(ready, test_the_own_search_forgets_too),
        ON(ready, test_go_without_a_number_is_told),
        ON(ready, test_illegal_move_ends_the_list),
        ON(ready, test_very_long_game),
        ON(ready, test_game_since_the_last_irreversible_move),
        ON(ready, test_position_in_a_search),
        ON(ready, test_chess960_castling),
        ON(ready, test_stop_position_go_burst),
        ON(ready, test_go_in_a_search_answers_first),
        ON(ready, test_stop_without_an_answer),
        ON(ready, test_late_answer_clears_the_suspicion),
        ON(ready, test_no_answer_before_stop),
        ON(ready, test_ponder_move_time),
        ON(ready, test_ponderhit_on_a_finished_search),
        ON(ready, test_options_while_pondering),
        ON(ready, test_ponder_move_is_legal),
        ON(ready, test_silent_child_never_costs_the_game),
        ON(ready, test_overhead_and_round_trip_are_kept_back),
        ON(ready, test_a_new_child_has_no_round_trip_yet),
        ON(ready, test_one_slow_round_trip_is_no_measure),
        ON(ready, test_mixed_limits),
        ON(ready, test_option_syntax),
        ON(ready, test_clusters_are_admitted),
        ON(ready, test_option_values_out_of_range),
        ON(ready, test_options_in_a_search),
        ON(ready, test_remote_cluster_ignores_threads),
        ON(ready, test_wdl_only_when_asked_for),
        ON(ready, test_the_last_line_begins_with_the_move_played),
        ON(ready, test_the_last_line_counts_all_nodes),
        ON(ready, test_lines_are_cut_to_what_is_legal),
        ON(ready, test_lines_end_at_the_third_occurrence),
        ON(ready, test_lines_end_with_the_fifty_moves),
        ON(ready, test_flood_of_lines),
        ON(ready, test_last_exact_line_before_the_answer),
        ON(ready, test_large_numbers),
        ON(ready, test_no_score_beyond_all_pawns),
        ON(ready, test_wdl_of_a_dead_draw),
        ON(ready, test_multi_pv_is_shown_depth_by_depth),
        ON(ready, test_multi_pv),
        ON(ready, test_multi_pv_within_an_iteration),
        ON(ready, test_a_line_that_comes_again_is_figures),
        ON(ready, test_a_bound_that_comes_again_is_figures),
        ON(ready, test_go_mate),
        ON(ready, test_leaving_in_a_search),
        ON(ready, test_quit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
