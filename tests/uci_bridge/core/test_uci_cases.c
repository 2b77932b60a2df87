/*
 * The collected UCI sessions by which other engines crashed, hung or lost (data/cases), typed into
 * the bridge's core in front of a child that finds some legal line and answers when stopped: no
 * crash, one legal bestmove for each go, one readyok for each isready.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/notation.h"
#include "oracle/data_file.h"
#include "support/bridge_trace.h"

enum { CASE_BYTES_MAX = 64 * 1024, COLUMN_COUNT = 5, COLUMN_ID = 0, COLUMN_INPUT = 3, CASES = 90 };

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

static void answer_stop(BridgeTrace *trace)
{
    const Thinking *thinking = &trace->bridge.thinking;
    if (thinking->state == THINKING_STOPPING) {
        char move[UCI_MOVE_BYTES_MAX];
        notation_write_uci(&thinking->game.position, thinking->fallback, move);
        trace_best_move(trace, thinking->id.value, move, NULL);
    }
}

static bool is_command(const char *line, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\0');
}

/* Types the lines of one case, which are parted by a backslash and an n. */
static void play_case(BridgeTrace *trace, char *input)
{
    int searches = 0;
    for (char *line = input; line != NULL;) {
        char *end = strstr(line, "\\n");
        if (end != NULL) {
            *end = '\0';
        }
        if (line[0] == '<') {
            trace_run(trace, 100); /* a pause, or a fault that is not the core's affair */
        } else if (line[0] != '\0' && !is_command(line, "quit")) {
            searches += is_command(line, "go") && strstr(line, "perft") == NULL;
            trace_line(trace, line);
            start_child(trace);
            find_line(trace);
            answer_stop(trace);
            assert_int_equal(trace->owed_ready, 0);
        }
        line = end == NULL ? NULL : end + 2;
    }
    trace_line(trace, "stop");
    answer_stop(trace);
    assert_true(thinking_is_idle(&trace->bridge.thinking));
    assert_int_equal(trace_count(trace, "bestmove "), searches);
    trace_expect_no_part(trace, " pv\n");
}

/* The column's text, NUL-terminated in place; NULL if the row has fewer. */
static char *column(char *row, int index)
{
    for (; index > 0 && row != NULL; index--) {
        row = strchr(row, '\t');
        row = row == NULL ? NULL : row + 1;
    }
    if (row != NULL) {
        row[strcspn(row, "\t\n")] = '\0';
    }
    return row;
}

static void test_cases(void **state)
{
    (void)state;
    static char row[CASE_BYTES_MAX];
    FILE *file = data_file_open(ROOKERY_TEST_DATA, "cases/uci-cases.tsv");
    if (file == NULL) {
        skip();
    }
    int cases = 0;
    (void)fgets(row, sizeof row, file); /* the titles */
    while (fgets(row, sizeof row, file) != NULL) {
        char *input = column(row, COLUMN_INPUT);
        if (input == NULL) {
            continue;
        }
        BridgeTrace *trace = trace_new_ready();
        play_case(trace, input);
        trace_destroy(trace);
        cases++;
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
