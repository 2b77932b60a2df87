/*
 * The collected UCI sessions by which other engines crashed, hung or lost (data/cases), typed into
 * the bridge's core in front of a child that finds some legal line and answers when stopped: no
 * crash, one legal bestmove for each go, one readyok for each isready.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chess/notation.h"
#include "support/bridge_trace.h"
#include "support/uci_case.h"

enum { CASES = 90 };

/* The child: one line of depth 1 for the search that has just been sent. */
static void find_line(BridgeTrace *trace)
{
    const Thinking *thinking = &trace->bridge.thinking;
    if (thinking->state == THINKING_SEARCHING && thinking->is_sent && !thinking->has_news) {
        char move[UCI_MOVE_BYTES_MAX];
        notation_write_uci(&thinking->game.position, thinking->fallback, move);
        trace_info(trace, thinking->id.value, 1, 10, move);
    }
}

/* A child that was asked for comes to life at once, with its cluster. */
static void start_child(BridgeTrace *trace)
{
    if (trace->bridge.engine.state == ENGINE_STARTING) {
        trace_started(trace);
        trace_opened(trace);
        trace_status(trace, 1);
    }
}

static void answer_new_game(BridgeTrace *trace)
{
    if (trace->bridge.engine.is_clearing) {
        trace_cleared(trace, trace->bridge.engine.session.value);
    }
}

static void answer_stop(BridgeTrace *trace)
{
    const Thinking *thinking = &trace->bridge.thinking;
    if (thinking->state == THINKING_STOPPING) {
        char move[UCI_MOVE_BYTES_MAX];
        notation_write_uci(&thinking->game.position, thinking->fallback, move);
        trace_best_move(trace, thinking->id.value, move, NULL);
    }
}

/* Types the lines of one case. */
static void play_case(BridgeTrace *trace, UciCase *it)
{
    int searches = 0;
    for (char *line = uci_case_next_line(it); line != NULL; line = uci_case_next_line(it)) {
        if (line[0] == '<') {
            trace_run(trace, 100); /* a pause, or a fault that is not the core's affair */
        } else if (line[0] != '\0' && !uci_case_is_command(line, "quit")) {
            searches += uci_case_is_command(line, "go") && strstr(line, "perft") == NULL;
            trace_line(trace, line);
            start_child(trace);
            answer_new_game(trace);
            find_line(trace);
            answer_stop(trace);
            assert_int_equal(trace->owed_ready, 0);
        }
    }
    trace_line(trace, "stop");
    answer_stop(trace);
    assert_true(thinking_is_idle(&trace->bridge.thinking));
    assert_int_equal(trace_count(trace, "bestmove "), searches);
    trace_expect_no_part(trace, " pv\n");
}

static void test_cases(void **state)
{
    (void)state;
    static UciCase it;
    FILE *file = uci_case_open(ROOKERY_TEST_DATA);
    if (file == NULL) {
        skip();
    }
    int cases = 0;
    for (; uci_case_next(file, &it); cases++) {
        BridgeTrace *trace = trace_new_ready();
        play_case(trace, &it);
        trace_destroy(trace);
    }
    (void)fclose(file);
    assert_true(cases >= CASES);
}

int main(void)
{
    attacks_init(SLIDER_AUTO);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
