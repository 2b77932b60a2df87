#include "support/engine.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "os/clock.h"
#include "support/count_text.h"
#include "uci_bridge/core/bridge.h"
#include "uci_bridge/core/uci_parse.h"

enum { SENT_BYTES_MAX = 1 << 17, WORD_BYTES_MAX = 64 };

void engine_start(Engine *engine, const char *path, const char *const words[])
{
    memset(engine, 0, sizeof *engine);
    process_start(&engine->process, path, words);
    engine->position = fen_start_position();
}

/* ---- what is sent ---- */

static void on_position(Engine *engine, UciText rest)
{
    const UciPosition wanted = uci_parse_position(rest);
    Position position = fen_start_position();
    position.chess960 = engine->is_chess960;
    if (wanted.fen.length > 0) {
        const Status status =
            fen_parse(wanted.fen.bytes, wanted.fen.length, engine->is_chess960, &position);
        assert_true(status_is_ok(&status));
    }
    UciText moves = wanted.moves;
    for (UciText word; uci_text_next(&moves, &word);) {
        const Move move = notation_parse_uci(&position, word.bytes, word.length);
        assert_int_not_equal(move, MOVE_NONE);
        Position after;
        position_make(&position, move, &after);
        position = after;
    }
    engine->position = position;
}

/* The searches so far may be cut short. */
static void forget_depths(Engine *engine)
{
    for (int i = 0; i < engine->search_count; i++) {
        engine->searches[i].is_to_depth = false;
    }
}

static void on_go(Engine *engine, UciText rest)
{
    if (uci_text_is(uci_text_peek(rest), "perft")) {
        engine->has_other_output = true;
        return;
    }
    assert_true(engine->search_count < ENGINE_SEARCHES_MAX);
    forget_depths(engine); /* a go stops the search before it */
    engine->searches[engine->search_count++] = (EngineSearch){
        .position = engine->position,
        .is_to_depth = uci_text_is(uci_text_peek(rest), "depth"),
    };
    engine->asked_us = clock_now().us;
}

static void on_set_option(Engine *engine, UciText rest)
{
    UciText name;
    UciText value;
    uci_parse_set_option(rest, &name, &value);
    if (uci_text_is(name, "UCI_Chess960")) {
        engine->is_chess960 = uci_text_is(value, "true");
    }
}

static void on_sent(Engine *engine, UciText line)
{
    UciText rest;
    switch (uci_parse_command(line, &rest)) {
    case UCI_COMMAND_POSITION:
        on_position(engine, rest);
        break;
    case UCI_COMMAND_GO:
        on_go(engine, rest);
        break;
    case UCI_COMMAND_STOP:
        forget_depths(engine);
        engine->asked_us = clock_now().us;
        break;
    case UCI_COMMAND_PONDER_HIT:
        engine->asked_us = clock_now().us;
        break;
    case UCI_COMMAND_IS_READY:
        engine->owed_ready++;
        break;
    case UCI_COMMAND_SET_OPTION:
        on_set_option(engine, rest);
        break;
    case UCI_COMMAND_BOARD:
    case UCI_COMMAND_EVAL:
    case UCI_COMMAND_BENCH:
    case UCI_COMMAND_CLUSTER:
    case UCI_COMMAND_HELP:
        engine->has_other_output = true;
        break;
    default:
        break;
    }
}

void engine_send(Engine *engine, const char *format, ...)
{
    static char lines[SENT_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(lines, sizeof lines - 1, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, sizeof lines - 2);
    (void)strcat(lines, "\n");
    for (const char *line = lines; *line != '\0'; line += strcspn(line, "\n") + 1) {
        on_sent(engine, (UciText){.bytes = line, .length = (int)strcspn(line, "\n")});
    }
    process_write(&engine->process, lines);
}

/* ---- what is read ---- */

static bool begins(const char *line, const char *start)
{
    return strncmp(line, start, strlen(start)) == 0;
}

/* The move in its position, which it must be legal in. */
static Move legal_move(const Position *position, UciText word, const char *line)
{
    const Move move = notation_parse_uci(position, word.bytes, word.length);
    if (move == MOVE_NONE) {
        fail_msg("'%.*s' is illegal: %s", word.length, word.bytes, line);
    }
    return move;
}

/* The search that is to be answered next. */
static const EngineSearch *oldest_search(const Engine *engine, const char *line)
{
    if (engine->search_count == 0) {
        fail_msg("no search runs: %s", line);
    }
    return &engine->searches[0];
}

static void judge_pv(Engine *engine, const char *line)
{
    const char *moves = strstr(line, " pv ") + strlen(" pv ");
    Position position = oldest_search(engine, line)->position;
    UciText rest = uci_text_of(moves);
    UciText word;
    int count = 0;
    for (; uci_text_next(&rest, &word); count++) {
        Position after;
        position_make(&position, legal_move(&position, word, line), &after);
        position = after;
    }
    if (count == 0 || strstr(line, " score ") == NULL || strstr(line, " nodes -") != NULL) {
        fail_msg("a line without moves, score or nodes: %s", line);
    }
    if (strstr(line, " multipv 1 ") != NULL) {
        uci_text_copy(uci_text_peek(uci_text_of(moves)), engine->shown_move,
                      sizeof engine->shown_move);
        engine->shown_is_exact =
            strstr(line, " lowerbound") == NULL && strstr(line, " upperbound") == NULL;
    }
}

static void judge_ponder(const Position *position, Move move, UciText rest, const char *line)
{
    UciText word;
    if (!uci_text_next(&rest, &word)) {
        return;
    }
    Position after;
    position_make(position, move, &after);
    assert_true(uci_text_is(word, "ponder"));
    (void)legal_move(&after, uci_text_peek(rest), line);
}

static void judge_last_line(const Engine *engine, const EngineSearch *search, const char *line)
{
    if (engine->shown_move[0] != '\0' && (strcmp(engine->shown_move, engine->best_move) != 0 ||
                                          (search->is_to_depth && !engine->shown_is_exact))) {
        print_error("%s", engine->text);
        fail_msg("the last line does not explain '%s'", line);
    }
}

static void judge_best_move(Engine *engine, const char *line)
{
    const EngineSearch *search = oldest_search(engine, line);
    const Position *position = &search->position;
    UciText rest = uci_text_of(line + strlen("bestmove "));
    UciText word;
    assert_true(uci_text_next(&rest, &word));
    uci_text_copy(word, engine->best_move, sizeof engine->best_move);
    if (uci_text_is(word, "(none)")) {
        assert_false(movegen_any(position));
    } else {
        judge_ponder(position, legal_move(position, word, line), rest, line);
        judge_last_line(engine, search, line);
    }
    engine->answered_us = clock_now().us;
    engine->shown_move[0] = '\0';
    engine->search_count--;
    memmove(&engine->searches[0], &engine->searches[1],
            (size_t)engine->search_count * sizeof engine->searches[0]);
}

/* Whether it is the figures of a search that is on, and no more. */
static bool is_progress(const Engine *engine, const char *line)
{
    unsigned long long nodes;
    unsigned long long speed;
    int hash_permille;
    unsigned long long ms;
    int length = 0;
    return engine->search_count > 0 &&
           sscanf(line, "info nodes %llu nps %llu hashfull %d time %llu%n", &nodes, &speed,
                  &hash_permille, &ms, &length) == 4 &&
           line[length] == '\0' && hash_permille >= 0 && hash_permille <= 1000;
}

static void judge(Engine *engine, const char *line)
{
    if (begins(line, "bestmove ")) {
        judge_best_move(engine, line);
    } else if (begins(line, "info ") && !begins(line, "info string ") &&
               strstr(line, " pv ") != NULL) {
        judge_pv(engine, line);
    } else if (strcmp(line, "readyok") == 0) {
        engine->owed_ready--;
        assert_true(engine->owed_ready >= 0);
    } else if (!engine->has_other_output && !begins(line, "info string ") &&
               !is_progress(engine, line) && !begins(line, "info depth 0 score ") &&
               !begins(line, "id ") && !begins(line, "option name ") &&
               strcmp(line, "uciok") != 0) {
        fail_msg("no line of UCI: '%s'", line);
    }
}

const char *engine_read(Engine *engine, int64_t ms)
{
    const char *line = process_read_line(&engine->process, ms);
    if (line == NULL) {
        return NULL;
    }
    const int room = ENGINE_TEXT_BYTES_MAX - engine->length;
    const int length = snprintf(engine->text + engine->length, (size_t)room, "%s\n", line);
    engine->length += length < room ? length : 0;
    engine->text[engine->length] = '\0';
    judge(engine, line);
    return line;
}

void engine_listen(Engine *engine, int64_t ms)
{
    const Instant end = instant_add(clock_now(), duration_ms(ms));
    for (Instant now = clock_now(); instant_is_before(now, end); now = clock_now()) {
        if (engine_read(engine, duration_to_ms(instant_since(end, now)) + 1) == NULL) {
            return;
        }
    }
}

/* The next line in good time, of an engine that still owes `what`. */
static const char *read_owed(Engine *engine, Instant end, const char *what)
{
    const Instant now = clock_now();
    const int64_t ms = duration_to_ms(instant_since(end, now));
    const char *line = ms > 0 ? engine_read(engine, ms) : NULL;
    if (line == NULL) {
        fail_msg("no %s came; it said:\n%s%s", what, engine->text,
                 process_errors(&engine->process));
    }
    return line;
}

static Instant good_time(void)
{
    return instant_add(clock_now(), duration_ms(process_patience_ms(PROCESS_PATIENCE_MS)));
}

const char *engine_await(Engine *engine, const char *start)
{
    const Instant end = good_time();
    const char *line = read_owed(engine, end, start);
    while (!begins(line, start)) {
        line = read_owed(engine, end, start);
    }
    return line;
}

static void await_ready(Engine *engine)
{
    const Instant end = good_time();
    engine_send(engine, "isready");
    while (engine->owed_ready > 0) {
        (void)read_owed(engine, end, "readyok");
    }
}

void engine_ready(Engine *engine)
{
    Instant asked = clock_now();
    await_ready(engine);
    for (int i = 1; i < process_slowdown() &&
                    duration_to_ms(instant_since(clock_now(), asked)) >= BRIDGE_READY_PATIENCE_MS;
         i++) {
        asked = clock_now();
        engine_send(engine, "setoption name Ponder value false"); /* gives new patience */
        await_ready(engine);
    }
}

int64_t engine_best_move(Engine *engine)
{
    const Instant end = good_time();
    while (engine->search_count > 0) {
        (void)read_owed(engine, end, "bestmove");
    }
    return (engine->answered_us - engine->asked_us) / 1000;
}

int64_t engine_play(Engine *engine, const char *lines)
{
    engine_send(engine, "%s", lines);
    return engine_best_move(engine);
}

void engine_clear(Engine *engine)
{
    engine->length = 0;
    engine->text[0] = '\0';
}

int engine_count(const Engine *engine, const char *part)
{
    return count_text(engine->text, part);
}

bool engine_said(const Engine *engine, const char *part)
{
    return engine_count(engine, part) > 0;
}

uint64_t engine_last_number(const Engine *engine, const char *name)
{
    char word[WORD_BYTES_MAX];
    const char *last = NULL;
    uint64_t number = 0;
    (void)snprintf(word, sizeof word, " %s ", name);
    for (const char *at = strstr(engine->text, word); at != NULL; at = strstr(at + 1, word)) {
        last = at + strlen(word);
    }
    if (last == NULL || sscanf(last, "%" SCNu64, &number) != 1) {
        fail_msg("no number behind '%s' in:\n%s", name, engine->text);
    }
    return number;
}

void engine_quit(Engine *engine)
{
    engine_send(engine, "quit");
    while (engine_read(engine, process_patience_ms(PROCESS_PATIENCE_MS)) != NULL) {
    }
    assert_int_equal(process_wait(&engine->process), 0);
    process_expect_group_gone(&engine->process);
    assert_int_equal(engine->search_count, 0);
    assert_int_equal(engine->owed_ready, 0);
}
