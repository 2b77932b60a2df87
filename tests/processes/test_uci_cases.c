/*
 * The collected UCI sessions (data/cases, areas uci, stop, quit, time and options) against the real
 * engine. The judge of support/engine.h looks at every line: legal moves and PVs, one bestmove for
 * each go, one readyok for each isready. What a session must show beyond that stands in the table.
 *
 * A GUI types the next command when the bestmove is there, unless the point is that it does not
 * wait. Long pauses are cut where the point allows. Times can be spoilt by other programs on the
 * machine, so a session that was too slow is repeated.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/cluster.h"
#include "support/uci_case.h"

enum { CASES = 37, TRIES = 5, PAUSE_MS = 200, READY_COUNT = 200, SENT_BYTES_MAX = 1 << 17 };

/* What a session must show; zero and NULL ask for nothing. */
typedef struct {
    const char *id;
    const char *best_move; /* of the last search */
    const char *said;      /* stands in the output */
    const char *not_said;  /* does not */
    int64_t ms_min;        /* of the last search, from its go or stop to its bestmove */
    int64_t ms_max;
    int64_t stop_ms;    /* a search that would last long is stopped after so long */
    uint64_t nodes_min; /* of the last line */
    uint64_t nodes_max;
    int info_lines_max; /* in all */
} Expectation;

static const Expectation expectations[] = {
    {.id = "U031", .best_move = "(none)", .ms_max = 50},
    {.id = "U032", .best_move = "(none)", .ms_max = 50},
    {.id = "U034", .ms_max = 50},
    {.id = "U035", .ms_max = 50},
    {.id = "U037", .best_move = "h1h8", .said = "score mate 1 ", .ms_max = 50},
    {.id = "U038", .ms_max = 50},
    {.id = "U040", .ms_max = 50},
    {.id = "U041", .ms_max = 50},
    {.id = "U049", .ms_max = 50},
    {.id = "U050", .ms_min = 50, .ms_max = 100},
    {.id = "U058", .ms_min = PAUSE_MS, .ms_max = PAUSE_MS + 50, .stop_ms = PAUSE_MS},
    {.id = "U059", .ms_max = 50},
    {.id = "U061", .ms_max = 50},
    {.id = "U062", .ms_max = 50},
    {.id = "U064", .ms_min = 20, .ms_max = 1000},
    {.id = "U065", .ms_min = 100, .ms_max = 250},
    {.id = "U067", .ms_max = 1000},
    {.id = "U068", .ms_min = 100, .ms_max = 2990},
    {.id = "U070", .said = " multipv 3 "},
    {.id = "U071", .said = "info string no option is called 'Debug Log File'"},
    {.id = "U073", .said = "info string no option is called 'NoSuchOption'"},
    {.id = "U074", .said = "info string option Threads: 'abc' ignored"},
    {.id = "U076", .said = "option name UCI_ShowWDL type check default false", .not_said = " wdl "},
    {.id = "U077", .said = " wdl "},
    {.id = "U079", .best_move = "h1h8", .info_lines_max = 100},
    {.id = "U080", .ms_max = 20},
    {.id = "U082", .nodes_min = 5000, .nodes_max = 12000},
    {.id = "U083", .ms_max = 50},
    {.id = "U134", .ms_min = 2500, .ms_max = 3000},
    {.id = "U136", .ms_max = 2000},
    {.id = "U137", .ms_max = 50},
};

static const Expectation *expectation_of(const char *id)
{
    static const Expectation nothing = {0};
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
        if (strcmp(expectations[i].id, id) == 0) {
            return &expectations[i];
        }
    }
    return &nothing;
}

static bool is_played_here(const char *area)
{
    static const char *const areas[] = {"uci", "stop", "quit", "time", "options"};
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        if (strcmp(area, areas[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- one session ---- */

typedef struct {
    Engine *engine;
    const Expectation *expected;
    bool is_endless; /* the search that runs has to be stopped */
    bool has_ended;  /* the engine was made to end */
} Session;

/* Waits for the answer of a search that ends by itself, or is ended by what is expected. */
static void await_best_move(Session *session)
{
    Engine *engine = session->engine;
    if (engine->search_count > 0 && !session->is_endless && session->expected->stop_ms > 0) {
        const int64_t asked_us = engine->asked_us;
        engine_listen(engine, session->expected->stop_ms);
        engine_send(engine, "stop");
        engine->asked_us = asked_us;
    }
    (void)engine_best_move(engine);
}

/* "<append 'MOVES' 100 times>" in the middle of a line, written out. */
static const char *write_out(const char *line, char text[SENT_BYTES_MAX])
{
    const char *direction = strstr(line, "<append '");
    int times = 0;
    if (direction == NULL) {
        return line;
    }
    const char *moves = direction + strlen("<append '");
    const int length = (int)strcspn(moves, "'");
    assert_int_equal(sscanf(moves + length, "' %d times>", &times), 1);
    int written = snprintf(text, SENT_BYTES_MAX, "%.*s", (int)(direction - line), line);
    for (int i = 0; i < times; i++) {
        written +=
            snprintf(text + written, (size_t)(SENT_BYTES_MAX - written), " %.*s", length, moves);
    }
    return text;
}

/* The last words of a session of the area quit. */
static void end_by(Session *session, bool by_signal)
{
    Engine *engine = session->engine;
    if (by_signal) {
        engine_ready(engine); /* the search has begun */
        process_signal(&engine->process, SIGHUP);
    } else {
        process_close_input(&engine->process);
    }
    while (engine_read(engine, process_patience_ms(PROCESS_PATIENCE_MS)) != NULL) {
    }
    assert_int_equal(process_wait(&engine->process), 0);
    process_expect_group_gone(&engine->process);
    session->has_ended = true;
}

static void follow_direction(Session *session, const char *direction)
{
    if (strcmp(direction, "<engine < /dev/null>") == 0) {
        end_by(session, false);
    } else if (strcmp(direction, "<SIGHUP or close stdin>") == 0) {
        end_by(session, true);
    } else if (strstr(direction, "isready 200 times") != NULL) {
        for (int i = 0; i < READY_COUNT; i++) {
            engine_send(session->engine, "isready");
        }
    } else { /* a pause */
        const int searches = session->engine->search_count;
        engine_listen(session->engine, PAUSE_MS);
        assert_int_equal(session->engine->search_count, searches);
    }
}

static void type_line(Session *session, const char *line)
{
    static char text[SENT_BYTES_MAX];
    Engine *engine = session->engine;
    const bool is_go = uci_case_is_command(line, "go");
    const bool may_interrupt =
        session->is_endless || uci_case_is_command(line, "isready") || line[0] == '<';
    if (engine->search_count > 0 && !may_interrupt) {
        await_best_move(session);
    }
    if (line[0] == '<') {
        follow_direction(session, line);
        return;
    }
    if (is_go || uci_case_is_command(line, "stop")) {
        session->is_endless = is_go && uci_case_is_command(line, "go infinite");
    }
    engine_send(engine, "%s", write_out(line, text));
}

static void type_session(Session *session, UciCase *it)
{
    Engine *engine = session->engine;
    for (const char *line = uci_case_next_line(it); line != NULL; line = uci_case_next_line(it)) {
        type_line(session, line);
    }
    if (session->has_ended) {
        return;
    }
    await_best_move(session);
    engine_ready(engine);
}

static void check_session(const Session *session)
{
    const Engine *engine = session->engine;
    const Expectation *expected = session->expected;
    assert_int_equal(engine->search_count, 0);
    assert_int_equal(engine->owed_ready, 0);
    if (expected->best_move != NULL) {
        assert_string_equal(engine->best_move, expected->best_move);
    }
    if (expected->said != NULL && !engine_said(engine, expected->said)) {
        fail_msg("'%s' was not said in:\n%s", expected->said, engine->text);
    }
    if (expected->not_said != NULL && engine_said(engine, expected->not_said)) {
        fail_msg("'%s' was said in:\n%s", expected->not_said, engine->text);
    }
    if (expected->nodes_max > 0) {
        assert_in_range(engine_last_number(engine, "nodes"), expected->nodes_min,
                        expected->nodes_max);
    }
    if (expected->info_lines_max > 0) {
        assert_in_range(engine_count(engine, "info depth"), 1, expected->info_lines_max);
    }
}

/* Whether the last answer was neither too early, which fails, nor too late. */
static bool is_in_time(const Session *session)
{
    const Expectation *expected = session->expected;
    const int64_t ms = (session->engine->answered_us - session->engine->asked_us) / 1000;
    if (expected->ms_max == 0) {
        return true;
    }
    assert_true(ms >= expected->ms_min);
    return ms <= process_patience_ms(expected->ms_max);
}

/* Plays a session, again while it is too late; returns whether it was in time. */
static bool play_case(const UciCase *it)
{
    static UciCase copy;
    bool in_time = false;
    for (int i = 0; i < TRIES && !in_time; i++) {
        copy = *it;
        copy.input = copy.row + (it->input - it->row);
        Cluster *cluster = cluster_new(ROOKERY_BIN_DIR);
        Session session = {
            .engine = cluster_start_embedded(cluster, 0, 2),
            .expected = expectation_of(it->id),
        };
        type_session(&session, &copy);
        check_session(&session);
        in_time = is_in_time(&session);
        if (!session.has_ended) {
            engine_quit(session.engine);
        }
        cluster_destroy(cluster);
    }
    return in_time;
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
    while (uci_case_next(file, &it)) {
        /* U133 takes 4 GiB of memory: the core's test plays it. */
        if (is_played_here(it.area) && strcmp(it.id, "U133") != 0) {
            print_message("%s\n", it.id);
            assert_true(play_case(&it));
            cases++;
        }
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
