#include "support/bridge_trace.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/notation.h"
#include "support/count_text.h"
#include "uci_bridge/core/uci_parse.h"

enum { TICKS_MAX = 1000, MOVE_TEXTS_MAX = 6 };

__attribute__((format(printf, 2, 3))) static void append(BridgeTrace *trace, const char *format,
                                                         ...)
{
    const size_t room = (size_t)(TRACE_BYTES_MAX - trace->length);
    va_list arguments;
    va_start(arguments, format);
    trace->length += vsnprintf(trace->text + trace->length, room, format, arguments);
    va_end(arguments);
    assert_true(trace->length < TRACE_BYTES_MAX);
}

/* ---- actions as text ---- */

static void append_clocks(BridgeTrace *trace, const GoLimits *limits)
{
    static const char names[COLOR_COUNT] = {'w', 'b'};
    for (int color = WHITE; color < COLOR_COUNT; color++) {
        if (limits->has_clock[color]) {
            append(trace, " %ctime %" PRId64, names[color], duration_to_ms(limits->clock[color]));
        }
        if (limits->increment[color].us != 0) {
            append(trace, " %cinc %" PRId64, names[color],
                   duration_to_ms(limits->increment[color]));
        }
    }
    if (limits->has_move_time) {
        append(trace, " movetime %" PRId64, duration_to_ms(limits->move_time));
    }
}

static void append_limits(BridgeTrace *trace, const GoLimits *limits)
{
    append_clocks(trace, limits);
    if (limits->moves_to_go > 0) {
        append(trace, " movestogo %d", limits->moves_to_go);
    }
    if (limits->depth > 0) {
        append(trace, " depth %d", limits->depth);
    }
    if (limits->nodes > 0) {
        append(trace, " nodes %" PRIu64, limits->nodes);
    }
    if (limits->mate_moves > 0) {
        append(trace, " mate %d", limits->mate_moves);
    }
    if (limits->search_move_count > 0) {
        append(trace, " searchmoves %d", limits->search_move_count);
    }
    append(trace, "%s%s", limits->infinite ? " infinite" : "", limits->ponder ? " ponder" : "");
}

static void append_search(BridgeTrace *trace, const MessageSearch *search)
{
    append(trace, " %" PRIu32, search->search.value);
    append_limits(trace, &search->limits);
    if (search->multi_pv > 1) {
        append(trace, " multipv %d", search->multi_pv);
    }
    if (duration_to_ms(search->move_overhead) != UCI_OPTION_MOVE_OVERHEAD_MS_DEFAULT) {
        append(trace, " overhead %" PRId64, duration_to_ms(search->move_overhead));
    }
    if (search->position.move_count > 0) {
        append(trace, " after %d moves", search->position.move_count);
    }
    if (strcmp(search->position.fen, FEN_START) != 0) {
        append(trace, " of %s", search->position.fen);
    }
}

static void append_send(BridgeTrace *trace, const Message *message)
{
    if (message->type == MESSAGE_PING && !trace->show_pings) {
        return;
    }
    append(trace, "-> %s", message_type_name(message->type));
    if (message->type == MESSAGE_SEARCH) {
        append_search(trace, &message->search);
    } else if (message->type == MESSAGE_STOP || message->type == MESSAGE_PONDERHIT) {
        append(trace, " %" PRIu32, message->search_name.search.value);
    }
    append(trace, "\n");
}

static void append_print(BridgeTrace *trace, const char *line)
{
    assert_null(strchr(line, '\n'));
    trace->best_moves += strncmp(line, "bestmove ", 9) == 0;
    trace->owed_ready -= strcmp(line, "readyok") == 0;
    assert_true(trace->owed_ready >= 0);
    append(trace, "%s\n", line);
}

static void append_own_search(BridgeTrace *trace, const BridgeOwnSearch *own)
{
    append(trace, "own search %" PRIu64 " nodes", own->limits.nodes);
    if (own->time_max.us > 0) {
        append(trace, " %" PRId64 " us", own->time_max.us);
    }
    append(trace, "\n");
}

/* Returns whether an own search was asked for. */
static bool append_actions(BridgeTrace *trace)
{
    const BridgeActions *actions = &trace->actions;
    bool has_own_search = false;
    for (int i = 0; i < actions->count; i++) {
        const BridgeAction *action = &actions->items[i];
        switch (action->type) {
        case BRIDGE_ACTION_PRINT:
            append_print(trace, actions->text + action->index);
            break;
        case BRIDGE_ACTION_SEND:
            append_send(trace, &actions->sends[action->index]);
            break;
        case BRIDGE_ACTION_START_CHILD:
            append(trace, "start child: threads %d hash %d cluster '%s'\n",
                   actions->child_start.threads, actions->child_start.hash_mb,
                   actions->child_start.cluster);
            break;
        case BRIDGE_ACTION_OWN_SEARCH:
            append_own_search(trace, &actions->own_search);
            has_own_search = true;
            break;
        case BRIDGE_ACTION_CLEAR_OWN:
            trace->own_clears++;
            break;
        case BRIDGE_ACTION_PERFT:
            append(trace, "perft %d\n", actions->depth);
            break;
        case BRIDGE_ACTION_EVAL:
            append(trace, "eval\n");
            break;
        case BRIDGE_ACTION_BENCH:
            append(trace, "bench %d\n", actions->depth);
            break;
        case BRIDGE_ACTION_HELP:
            append(trace, "help\n");
            break;
        case BRIDGE_ACTION_EXIT:
            append(trace, "exit\n");
            break;
        }
    }
    trace->dropped_lines += actions->dropped_lines;
    return has_own_search;
}

/* ---- events ---- */

/* Reads moves as they are, legal or not, so that illegal ones can be sent too. */
static void parse_moves(const Position *start, const char *moves, Line *line)
{
    Position position = *start;
    UciText rest = uci_text_of(moves);
    UciText word;
    line->length = 0;
    while (uci_text_next(&rest, &word)) {
        const Move move = notation_parse_uci(&position, word.bytes, word.length);
        if (move == MOVE_NONE) {
            line->moves[line->length++] =
                move_make(square_make(word.bytes[0] - 'a', word.bytes[1] - '1'),
                          square_make(word.bytes[2] - 'a', word.bytes[3] - '1'));
            continue;
        }
        Position after;
        position_make(&position, move, &after);
        position = after;
        line->moves[line->length++] = move;
    }
}

static void step(BridgeTrace *trace, BridgeEvent *event)
{
    event->now = trace->now;
    bridge_step(&trace->bridge, event, &trace->actions);
    if (!append_actions(trace)) {
        return;
    }
    const BridgeOwnSearch *own = &trace->actions.own_search;
    BridgeOwnResult result = {
        .nodes = trace->own_nodes > 0 ? trace->own_nodes : own->limits.nodes,
    };
    if (trace->own_moves != NULL) {
        parse_moves(own->position, trace->own_moves, &result.line);
        result.depth_done = trace->own_depth;
        result.line.depth = trace->own_depth;
        result.line.selective_depth = trace->own_depth;
        result.line.score = 5;
        result.line.bound = BOUND_EXACT;
    }
    if (trace->own_takes_time) {
        const int64_t most_us = own->time_max.us > 0 ? own->time_max.us : INT64_MAX;
        const int64_t us = (int64_t)result.nodes < most_us ? (int64_t)result.nodes : most_us;
        trace->now.us += us;
    }
    BridgeEvent answer = {.type = BRIDGE_EVENT_OWN_SEARCH_DONE, .now = trace->now, .own = &result};
    bridge_step(&trace->bridge, &answer, &trace->actions);
    assert_false(append_actions(trace));
}

static void step_type(BridgeTrace *trace, BridgeEventType type)
{
    BridgeEvent event = {.type = type};
    step(trace, &event);
}

BridgeTrace *trace_new(void)
{
    BridgeTrace *trace = calloc(1, sizeof *trace);
    assert_non_null(trace);
    const BridgeConfig config = {.version = "0.1.0",
                                 .name = "test",
                                 .options = bridge_default_options(2),
                                 .lease = duration_ms(TRACE_LEASE_MS),
                                 .retry_last = duration_ms(TRACE_RETRY_LAST_MS)};
    bridge_init(&trace->bridge, &config);
    trace->now = (Instant){.us = 10 * 1000 * 1000};
    trace->epoch.value = 1;
    trace->own_depth = 1;
    return trace;
}

void trace_destroy(BridgeTrace *trace)
{
    free(trace);
}

BridgeTrace *trace_new_ready(void)
{
    BridgeTrace *trace = trace_new();
    trace_line(trace, "isready");
    trace_started(trace);
    trace_opened(trace);
    trace_status(trace, 1);
    trace_clear(trace);
    return trace;
}

void trace_wait(BridgeTrace *trace, int64_t ms)
{
    trace->now = instant_add(trace->now, duration_ms(ms));
}

void trace_run(BridgeTrace *trace, int64_t ms)
{
    const Instant end = instant_add(trace->now, duration_ms(ms));
    Instant deadline;
    for (int i = 0; i < TICKS_MAX && bridge_next_deadline(&trace->bridge, &deadline) &&
                    !instant_is_before(end, deadline);
         i++) {
        trace->now = instant_is_before(trace->now, deadline) ? deadline : trace->now;
        trace_tick(trace);
        trace->now.us += 100; /* the loop is never faster */
    }
    trace->now = instant_is_before(trace->now, end) ? end : trace->now;
}

void trace_line(BridgeTrace *trace, const char *lines)
{
    const char *end = lines;
    for (; *end != '\0'; lines = end + 1) {
        end = lines + strcspn(lines, "\n");
        BridgeEvent event = {
            .type = BRIDGE_EVENT_LINE,
            .line = {.bytes = lines, .length = (int)(end - lines)},
        };
        UciText rest;
        trace->owed_ready += uci_parse_command(event.line, &rest) == UCI_COMMAND_IS_READY;
        step(trace, &event);
    }
}

void trace_end_of_input(BridgeTrace *trace)
{
    step_type(trace, BRIDGE_EVENT_END_OF_INPUT);
}

void trace_started(BridgeTrace *trace)
{
    step_type(trace, BRIDGE_EVENT_CHILD_STARTED);
}

void trace_died(BridgeTrace *trace)
{
    step_type(trace, BRIDGE_EVENT_CHILD_DIED);
}

void trace_tick(BridgeTrace *trace)
{
    step_type(trace, BRIDGE_EVENT_TICK);
}

void trace_message(BridgeTrace *trace, const Message *message)
{
    BridgeEvent event = {.type = BRIDGE_EVENT_CHILD_MESSAGE, .message = message};
    step(trace, &event);
}

void trace_opened(BridgeTrace *trace)
{
    trace->message.type = MESSAGE_OPENED;
    trace->message.opened = (MessageOpened){.epoch = trace->epoch, .session = {7}};
    trace->epoch.value++;
    trace_message(trace, &trace->message);
}

void trace_status(BridgeTrace *trace, int workers)
{
    trace->message.type = MESSAGE_STATUS;
    trace->message.status = (MessageStatus){
        .epoch = {trace->epoch.value - 1},
        .worker_count = workers,
    };
    trace_message(trace, &trace->message);
}

void trace_cleared(BridgeTrace *trace, uint32_t session)
{
    trace->message.type = MESSAGE_CLEARED;
    trace->message.new_game.session.value = session;
    trace_message(trace, &trace->message);
}

void trace_reset(BridgeTrace *trace)
{
    trace->message.type = MESSAGE_RESET;
    trace_message(trace, &trace->message);
}

void trace_info_full(BridgeTrace *trace, uint32_t search, int rank, int depth, int score,
                     Bound bound, uint64_t nodes, const char *moves)
{
    trace->message.type = MESSAGE_INFO;
    MessageInfo *info = &trace->message.info;
    *info = (MessageInfo){.search = {search}, .multi_pv_index = rank, .nodes = nodes};
    parse_moves(&trace->bridge.thinking.game.position, moves, &info->line);
    info->line.score = score;
    info->line.bound = bound;
    info->line.depth = depth;
    info->line.selective_depth = depth;
    info->hash_permille = 3;
    trace_message(trace, &trace->message);
}

void trace_info(BridgeTrace *trace, uint32_t search, int depth, int score, const char *moves)
{
    trace_info_full(trace, search, 0, depth, score, BOUND_EXACT, 1000, moves);
}

void trace_best_move(BridgeTrace *trace, uint32_t search, const char *move, const char *ponder)
{
    char moves[2 * MOVE_TEXTS_MAX + 2];
    Line line;
    (void)snprintf(moves, sizeof moves, "%s %s", move == NULL ? "" : move,
                   ponder == NULL ? "" : ponder);
    parse_moves(&trace->bridge.thinking.game.position, moves, &line);
    trace->message.type = MESSAGE_BESTMOVE;
    trace->message.bestmove = (MessageBestMove){
        .search = {search},
        .move = move == NULL ? MOVE_NONE : line.moves[0],
        .ponder = ponder == NULL ? MOVE_NONE : line.moves[1],
    };
    trace_message(trace, &trace->message);
}

/* ---- expectations ---- */

void trace_clear(BridgeTrace *trace)
{
    trace->length = 0;
    trace->text[0] = '\0';
}

void trace_expect(BridgeTrace *trace, const char *expected)
{
    if (strcmp(trace->text, expected) != 0) {
        fail_msg("expected:\n%s\ngot:\n%s", expected, trace->text);
    }
    trace_clear(trace);
}

void trace_expect_part(const BridgeTrace *trace, const char *part)
{
    if (strstr(trace->text, part) == NULL) {
        fail_msg("'%s' expected in:\n%s", part, trace->text);
    }
}

void trace_expect_no_part(const BridgeTrace *trace, const char *part)
{
    if (strstr(trace->text, part) != NULL) {
        fail_msg("'%s' not expected in:\n%s", part, trace->text);
    }
}

int trace_count(const BridgeTrace *trace, const char *part)
{
    return count_text(trace->text, part);
}
