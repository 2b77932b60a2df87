#include "uci_bridge/core/thinking.h"

#include <string.h>

#include "base/check.h"
#include "uci_bridge/core/strength.h"

enum {
    STOP_PATIENCE_MS = 40,       /* for the child's answer to STOP: the GUI waits 50 */
    FIRST_SLICE_NODES = 500,     /* at every go: a sane move from the first moment on */
    LEAST_SLICE_NODES = 16,      /* whatever the node limit: a line with a score takes a few */
    SLICE_NODES = 20000,         /* of the first slice when the own search takes over */
    SLICE_LEAST_US = 1000,       /* no slice is given less time */
    PATIENCE_PARTS = 4,          /* it takes over after this part of the soft bound, */
    PATIENCE_MS_MIN = 20,        /* but not before this, */
    PATIENCE_MS_MAX = 300,       /* nor later than that */
    PATIENCE_UNLIMITED_MS = 500, /* when no clock runs */
    CHILD_DEATHS_MAX = 2,        /* then this position is not given to a child again */
};

static const uint64_t slice_nodes_max = UINT64_C(1) << 40;

void thinking_init(Thinking *thinking)
{
    const Position start = fen_start_position();
    memset(thinking, 0, sizeof *thinking);
    thinking->state = THINKING_IDLE;
    uci_game_start(&thinking->game, &start);
}

/* ---- time ---- */

static bool clock_runs(const Thinking *thinking)
{
    return thinking->budget.is_limited && !thinking->is_pondering;
}

static Duration clock_elapsed(const Thinking *thinking, Instant now)
{
    return instant_since(now, thinking->clock_at);
}

/* No answer may be given before stop or ponderhit. */
static bool must_hold(const Thinking *thinking)
{
    return thinking->limits.infinite || thinking->is_pondering;
}

/* How long to wait for news from the child before searching alone. */
static Duration patience(const Thinking *thinking)
{
    if (!clock_runs(thinking)) {
        return duration_ms(PATIENCE_UNLIMITED_MS);
    }
    Duration result = {.us = thinking->budget.soft.us / PATIENCE_PARTS};
    if (result.us < duration_ms(PATIENCE_MS_MIN).us) {
        result = duration_ms(PATIENCE_MS_MIN);
    } else if (result.us > duration_ms(PATIENCE_MS_MAX).us) {
        result = duration_ms(PATIENCE_MS_MAX);
    }
    return result;
}

/* ---- the moves of the position ---- */

static const Position *position_of(const Thinking *thinking)
{
    return &thinking->game.position;
}

/* Legal, and within `searchmoves`. */
static bool is_allowed(const Thinking *thinking, Move move)
{
    const GoLimits *limits = &thinking->limits;
    return movegen_is_legal(position_of(thinking), move) &&
           (limits->search_move_count == 0 ||
            move_is_among(move, limits->search_moves, limits->search_move_count));
}

static void count_moves(Thinking *thinking)
{
    MoveList list;
    movegen_all(position_of(thinking), &list);
    thinking->move_count = 0;
    thinking->fallback = MOVE_NONE;
    for (int i = 0; i < list.count; i++) {
        if (is_allowed(thinking, list.moves[i])) {
            thinking->fallback = thinking->move_count == 0 ? list.moves[i] : thinking->fallback;
            thinking->move_count++;
        }
    }
}

/* `ponder` if it is a legal answer to `move`, else the second move of the line, else none. */
static Move ponder_move(const Thinking *thinking, Move move, Move ponder, const MessageInfo *info)
{
    Position after;
    position_make(position_of(thinking), move, &after);
    if (ponder != MOVE_NONE && movegen_is_legal(&after, ponder)) {
        return ponder;
    }
    const bool has_second = info != NULL && info->line.length > 1 && info->line.moves[0] == move;
    return has_second ? info->line.moves[1] : MOVE_NONE;
}

/* ---- answers ---- */

/* The best that is known without a BESTMOVE. */
static ThinkingAnswer best_known(const Thinking *thinking)
{
    const InfoReport *report = &thinking->report;
    const MessageInfo *info = info_report_best(report);
    if (info == NULL && report->has_newest) {
        info = &report->newest;
    }
    if (thinking->has_own && (info == NULL || thinking->own.line.depth > info->line.depth)) {
        info = &thinking->own;
    }
    if (info == NULL) {
        return (ThinkingAnswer){.move = thinking->fallback};
    }
    const Move move = info->line.moves[0];
    return (ThinkingAnswer){
        .move = move,
        .ponder = ponder_move(thinking, move, MOVE_NONE, info),
        .info = info,
    };
}

static void send_stop(Thinking *thinking, const ThinkingContext *context)
{
    if (thinking->is_sent && context->engine->state == ENGINE_OPEN) {
        bridge_actions_send(context->actions, MESSAGE_STOP)->search_name.search = thinking->id;
    }
}

static void finish(Thinking *thinking, const ThinkingAnswer *answer, const ThinkingContext *context)
{
    char line[UCI_FORMAT_LINE_BYTES_MAX];
    const bool is_printed = answer->info == &thinking->own && thinking->own_is_printed;
    info_report_finish(&thinking->report, answer->info, is_printed, context->actions);
    uci_format_best_move(position_of(thinking), answer->move, answer->ponder, line);
    bridge_actions_print_kept(context->actions, line);
    if (thinking->state != THINKING_STOPPING) {
        send_stop(thinking, context);
    }
    thinking->is_sent = false;
    thinking->state = THINKING_IDLE;
}

/* The search is over: answers, or keeps the answer for stop or ponderhit. */
static void conclude(Thinking *thinking, const ThinkingAnswer *answer,
                     const ThinkingContext *context)
{
    if (must_hold(thinking) && thinking->state == THINKING_SEARCHING) {
        thinking->held = *answer;
        thinking->state = THINKING_HELD;
    } else {
        finish(thinking, answer, context);
    }
}

void thinking_finish_now(Thinking *thinking, const ThinkingContext *context)
{
    if (thinking->state == THINKING_IDLE) {
        return;
    }
    const bool is_held = thinking->state == THINKING_HELD;
    const ThinkingAnswer answer = is_held ? thinking->held : best_known(thinking);
    finish(thinking, &answer, context);
}

/* The child should have answered by now. */
static void finish_overdue(Thinking *thinking, const ThinkingContext *context)
{
    if (thinking->is_sent) {
        engine_session_suspect(context->engine, context->now);
    }
    thinking_finish_now(thinking, context);
}

/* ---- the child's search ---- */

/* What is left of the limits after the time that has passed. */
static GoLimits limits_left(const Thinking *thinking, Instant now)
{
    GoLimits limits = thinking->limits;
    limits.ponder = thinking->is_pondering;
    if (clock_runs(thinking)) {
        const Color side = position_side(position_of(thinking));
        const Color owner = limits.has_clock[side] ? side : color_other(side);
        const int64_t elapsed_us = clock_elapsed(thinking, now).us;
        limits.clock[owner].us -= elapsed_us;
        limits.move_time.us -= limits.has_move_time ? elapsed_us : 0;
        limits.move_time.us = limits.move_time.us > 0 ? limits.move_time.us : 0;
    }
    return limits;
}

/*
 * Keeps back what an answer needs on its way, and the user's overhead. Of `movetime` the overhead
 * takes half at most (timeman.h), but the way is measured: it is taken off before.
 */
static void keep_time_back(const Thinking *thinking, Duration round_trip, MessageSearch *search)
{
    search->move_overhead = thinking->move_overhead;
    if (search->limits.has_move_time) {
        const int64_t left_us = search->limits.move_time.us - round_trip.us;
        search->limits.move_time.us = left_us > 0 ? left_us : 0;
    } else {
        search->move_overhead.us += round_trip.us;
    }
}

static void send_search(Thinking *thinking, const ThinkingContext *context)
{
    thinking->id.value++;
    const MessageInfo *known = info_report_best(&thinking->report);
    thinking->is_sent = true;
    thinking->has_news = false;
    thinking->depth_min = known != NULL ? known->line.depth : 0;
    thinking->own_at = instant_add(context->now, patience(thinking));

    MessageSearch *search = &bridge_actions_send(context->actions, MESSAGE_SEARCH)->search;
    search->search = thinking->id;
    uci_game_write(&thinking->game, &search->position);
    search->limits = limits_left(thinking, context->now);
    search->multi_pv = thinking->report.multi_pv;
    keep_time_back(thinking, context->engine->round_trip, search);
}

void thinking_on_opened(Thinking *thinking, const ThinkingContext *context)
{
    if (thinking->state == THINKING_SEARCHING && thinking->deaths < CHILD_DEATHS_MAX) {
        send_search(thinking, context);
    }
}

void thinking_on_died(Thinking *thinking, const ThinkingContext *context)
{
    if (thinking->is_sent) {
        thinking->is_sent = false;
        thinking->deaths++;
        thinking->own_at = instant_add(context->now, patience(thinking));
    }
    if (thinking->state == THINKING_STOPPING) {
        thinking_finish_now(thinking, context);
    }
}

static void on_info(Thinking *thinking, const MessageInfo *message, const ThinkingContext *context)
{
    MessageInfo info = *message;
    uci_game_trim_line(position_of(thinking), &thinking->game.history, &info.line);
    const bool is_usable = info.line.length > 0 && is_allowed(thinking, info.line.moves[0]) &&
                           info.line.score >= -SCORE_MATE && info.line.score <= SCORE_MATE &&
                           info.multi_pv_index >= 0 &&
                           info.multi_pv_index < thinking->report.multi_pv;
    thinking->has_news = thinking->has_news || is_usable;
    if (is_usable && info.line.depth >= thinking->depth_min) {
        if (info.line.depth > thinking->depth_min) {
            thinking->deaths = 0; /* this child has got further than the last one */
        }
        info.elapsed = instant_since(context->now, thinking->started_at);
        info_report_add(&thinking->report, &info, context->actions);
        thinking->own_is_printed = false; /* it may not be the last line any more */
    }
}

/*
 * A BESTMOVE of a search without a single line is only a legal move: the child could not search
 * (no workers, or it refuses the position); without a move it has given up. While there is time the
 * own search goes on instead.
 */
static bool is_worth_waiting(const Thinking *thinking, Move move, Instant now)
{
    const bool has_time =
        !clock_runs(thinking) || clock_elapsed(thinking, now).us < thinking->budget.soft.us;
    return thinking->state == THINKING_SEARCHING && has_time &&
           (!thinking->has_news || move == MOVE_NONE);
}

static void on_best_move(Thinking *thinking, const MessageBestMove *message,
                         const ThinkingContext *context)
{
    ThinkingAnswer answer = best_known(thinking);
    thinking->is_sent = false;
    if (is_worth_waiting(thinking, message->move, context->now)) {
        thinking->own_at = context->now;
        return;
    }
    /* A move without a line, or with one less deep than the own search's, is no better. */
    const MessageInfo *best = info_report_of(&thinking->report, message->move);
    const bool is_explained = best != NULL && best->line.moves[0] == message->move;
    if (is_explained && answer.info != &thinking->own && is_allowed(thinking, message->move)) {
        answer.move = message->move;
        answer.info = best;
        answer.ponder = ponder_move(thinking, message->move, message->ponder, best);
    }
    engine_session_on_answer(context->engine);
    conclude(thinking, &answer, context);
}

void thinking_on_message(Thinking *thinking, const Message *message, const ThinkingContext *context)
{
    const bool is_open =
        thinking->state == THINKING_SEARCHING || thinking->state == THINKING_STOPPING;
    if (!is_open || !thinking->is_sent) {
        return;
    }
    if (message->type == MESSAGE_INFO && message->info.search.value == thinking->id.value) {
        on_info(thinking, &message->info, context);
    }
    if (message->type == MESSAGE_BESTMOVE && message->bestmove.search.value == thinking->id.value) {
        on_best_move(thinking, &message->bestmove, context);
    }
}

/* ---- the own search ---- */

/*
 * Nothing comes from the child, or its master has lost all workers, so that nothing more will come
 * until one is back: its place is taken, once `own_at` is reached.
 */
static bool child_is_silent(const Thinking *thinking, const EngineSession *engine,
                            bool has_no_workers)
{
    return thinking->state == THINKING_SEARCHING &&
           (!thinking->is_sent || !thinking->has_news || engine->state != ENGINE_OPEN ||
            has_no_workers);
}

/* Asks for so many nodes, or what the node limit leaves of them, but for a few at least. */
static void request_slice(Thinking *thinking, uint64_t nodes, const ThinkingContext *context)
{
    const GoLimits *limits = &thinking->limits;
    if (limits->nodes > 0 && limits->nodes - thinking->own_nodes < nodes) {
        nodes = limits->nodes - thinking->own_nodes;
        nodes = nodes > LEAST_SLICE_NODES ? nodes : LEAST_SLICE_NODES;
    }
    BridgeOwnSearch *own = &context->actions->own_search;
    own->position = position_of(thinking);
    own->history = &thinking->game.history;
    own->limits = (RootLimits){
        .depth = limits->depth,
        .mate_moves = limits->mate_moves,
        .nodes = nodes,
        .multi_pv = 1,
        .search_move_count = limits->search_move_count,
    };
    memcpy(own->limits.search_moves, limits->search_moves, sizeof limits->search_moves);
    own->time_max = duration_ms(0);
    if (clock_runs(thinking)) {
        const int64_t left_us = thinking->budget.soft.us - clock_elapsed(thinking, context->now).us;
        own->time_max.us = left_us > SLICE_LEAST_US ? left_us : SLICE_LEAST_US;
    }
    bridge_actions_add(context->actions, BRIDGE_ACTION_OWN_SEARCH);
}

/* The slice last asked for ends before the engine session has something to do, OPEN for one. */
static void leave_time_for_engine(const ThinkingContext *context)
{
    Instant deadline;
    if (!engine_session_deadline(context->engine, &deadline)) {
        return;
    }
    Duration *time_max = &context->actions->own_search.time_max;
    const int64_t left_us = instant_since(deadline, context->now).us;
    const int64_t slice_us = left_us > SLICE_LEAST_US ? left_us : SLICE_LEAST_US;
    if (time_max->us == 0 || slice_us < time_max->us) {
        time_max->us = slice_us;
    }
}

/* Why the child's place is taken, for a person. */
static const char *reason_to_search(const Thinking *thinking, bool has_no_workers)
{
    const bool has_lines = info_report_best(&thinking->report) != NULL;
    if (has_lines && has_no_workers) {
        return "no workers are left";
    }
    return has_lines ? "nothing more comes from the search" : "nothing heard from the search yet";
}

/* The next slice of a search that has taken over. */
static void request_next_slice(Thinking *thinking, const ThinkingContext *context)
{
    if (!thinking->own_is_told) {
        thinking->own_is_told = true;
        bridge_actions_print(context->actions, "info string %s, searching alone%s",
                             reason_to_search(thinking, context->has_no_workers),
                             thinking->report.multi_pv > 1 ? " and for one line" : "");
    }
    request_slice(thinking, thinking->slice_nodes, context);
    leave_time_for_engine(context);
}

/* Whether the own search has reached what the go asked for. */
static bool own_is_done(const Thinking *thinking, Instant now)
{
    const GoLimits *limits = &thinking->limits;
    const int depth = limits->depth > 0 ? limits->depth : ROOT_DEPTH_MAX;
    if (thinking->own_depth >= depth ||
        (limits->nodes > 0 && thinking->own_nodes >= limits->nodes)) {
        return true;
    }
    const Line *line = &thinking->own.line;
    if (thinking->has_own && limits->mate_moves > 0 && score_is_mate(line->score)) {
        const int moves = score_mate_moves(line->score);
        if ((moves > 0 ? moves : -moves) <= limits->mate_moves) {
            return true;
        }
    }
    const bool is_forced = thinking->move_count == 1 && thinking->limits.search_move_count == 0 &&
                           !thinking->budget.is_exact;
    return clock_runs(thinking) &&
           (is_forced || clock_elapsed(thinking, now).us >= thinking->budget.soft.us);
}

static bool conclude_own_if_done(Thinking *thinking, const ThinkingContext *context)
{
    if (!own_is_done(thinking, context->now)) {
        return false;
    }
    const ThinkingAnswer answer = best_known(thinking);
    conclude(thinking, &answer, context);
    return true;
}

/* Keeps the result's line if it is a line and no shallower than the one there is. */
static void keep_own_line(Thinking *thinking, const BridgeOwnResult *result, Instant now)
{
    Line line = result->line;
    uci_game_trim_line(position_of(thinking), &thinking->game.history, &line);
    if (line.length == 0 || !is_allowed(thinking, line.moves[0]) || line.score < -SCORE_MATE ||
        line.score > SCORE_MATE || (thinking->has_own && line.depth < thinking->own.line.depth)) {
        return;
    }
    thinking->has_own = true;
    thinking->own_is_printed = false;
    thinking->own = (MessageInfo){
        .line = line,
        .nodes = thinking->own_nodes,
        .elapsed = instant_since(now, thinking->started_at),
    };
}

void thinking_on_own_search(Thinking *thinking, const BridgeOwnResult *result,
                            const ThinkingContext *context)
{
    if (thinking->state == THINKING_IDLE) {
        return;
    }
    thinking->own_nodes += result->nodes;
    if (result->depth_done > thinking->own_depth) {
        thinking->own_depth = result->depth_done;
    }
    keep_own_line(thinking, result, context->now);
    const bool has_taken_over =
        child_is_silent(thinking, context->engine, context->has_no_workers) &&
        !instant_is_before(context->now, thinking->own_at);
    if (!has_taken_over) {
        return;
    }
    thinking->own_at = context->now;
    if (!result->is_interrupted && thinking->slice_nodes < slice_nodes_max) {
        thinking->slice_nodes *= 2;
    }
    const MessageInfo *known = info_report_best(&thinking->report);
    const bool is_news = known == NULL || thinking->own.line.depth > known->line.depth;
    if (thinking->has_own && is_news && !thinking->own_is_printed) {
        thinking->own_is_printed =
            info_report_print_other(&thinking->report, &thinking->own, context->actions);
    }
    (void)conclude_own_if_done(thinking, context);
}

/* ---- commands and time ---- */

/* Mate or stalemate: there is nothing to search. */
static void begin_without_moves(Thinking *thinking, const ThinkingContext *context)
{
    const bool is_mate = position_in_check(position_of(thinking));
    const ThinkingAnswer answer = {.move = MOVE_NONE};
    bridge_actions_print(context->actions, "info depth 0 score %s", is_mate ? "mate 0" : "cp 0");
    conclude(thinking, &answer, context);
}

/* As many lines as there are moves; at least one, so that the report is never without a rank. */
static int line_count(const Thinking *thinking, int multi_pv)
{
    const int moves = thinking->move_count > 0 ? thinking->move_count : 1;
    return multi_pv < moves ? multi_pv : moves;
}

static void start_clock(Thinking *thinking, const ThinkingContext *context)
{
    const bool has_hope = !context->has_given_up || context->engine->state == ENGINE_OPEN;
    thinking->clock_at = context->now;
    thinking->own_at =
        instant_add(context->now, has_hope ? patience(thinking) : duration_ms(PATIENCE_MS_MIN));
}

/* The time of the go is chance enough for a game, and known to a test. */
static void limit_strength(Thinking *thinking, int elo, Instant now)
{
    const Strength strength = strength_of(elo);
    strength_limit(&strength, (uint64_t)now.us, position_of(thinking), &thinking->limits);
}

void thinking_begin(Thinking *thinking, const UciGame *game, const GoLimits *limits,
                    const UciOptions *options, const ThinkingContext *context)
{
    CHECK(thinking->state == THINKING_IDLE);
    thinking->state = THINKING_SEARCHING;
    thinking->game = *game;
    thinking->limits = *limits;
    thinking->move_overhead = duration_ms(options->move_overhead_ms);
    thinking->budget = timeman_budget(limits, position_side(position_of(thinking)),
                                      position_of(thinking)->full_move, thinking->move_overhead);
    const bool is_limited = options->limit_strength && thinking->budget.is_limited;
    if (is_limited) {
        limit_strength(thinking, options->elo, context->now);
    }
    count_moves(thinking);
    info_report_start(&thinking->report, position_of(thinking),
                      is_limited ? 1 : line_count(thinking, options->multi_pv), options->show_wdl);
    thinking->is_pondering = limits->ponder;
    thinking->started_at = context->now;
    thinking->is_sent = false;
    thinking->has_news = false;
    thinking->deaths = 0;
    thinking->has_own = false;
    thinking->own_is_told = false;
    thinking->own_nodes = 0;
    thinking->own_depth = 0;
    thinking->slice_nodes = SLICE_NODES;
    start_clock(thinking, context);

    if (thinking->move_count == 0) {
        begin_without_moves(thinking, context);
        return;
    }
    if (context->engine->state == ENGINE_OPEN) {
        send_search(thinking, context);
    }
    request_slice(thinking, FIRST_SLICE_NODES, context);
}

void thinking_stop(Thinking *thinking, const ThinkingContext *context)
{
    const bool child_will_answer = thinking->state == THINKING_SEARCHING && thinking->is_sent &&
                                   context->engine->state == ENGINE_OPEN;
    if (child_will_answer) {
        send_stop(thinking, context);
        thinking->state = THINKING_STOPPING;
        thinking->stop_at = instant_add(context->now, duration_ms(STOP_PATIENCE_MS));
    } else if (thinking->state != THINKING_STOPPING) {
        thinking_finish_now(thinking, context);
    }
}

void thinking_ponderhit(Thinking *thinking, const ThinkingContext *context)
{
    if (thinking->state == THINKING_IDLE || !thinking->is_pondering) {
        return;
    }
    thinking->is_pondering = false;
    if (thinking->state == THINKING_HELD && !must_hold(thinking)) {
        thinking_finish_now(thinking, context);
        return;
    }
    start_clock(thinking, context);
    if (thinking->is_sent && thinking->state == THINKING_SEARCHING) {
        bridge_actions_send(context->actions, MESSAGE_PONDERHIT)->search_name.search = thinking->id;
    }
}

void thinking_tick(Thinking *thinking, bool may_search, const ThinkingContext *context)
{
    const Instant now = context->now;
    const bool is_open =
        thinking->state == THINKING_SEARCHING || thinking->state == THINKING_STOPPING;
    if (!is_open) {
        return;
    }
    const bool stop_is_over =
        thinking->state == THINKING_STOPPING && !instant_is_before(now, thinking->stop_at);
    const bool time_is_over =
        clock_runs(thinking) && clock_elapsed(thinking, now).us >= thinking->budget.deadline.us;
    if (stop_is_over || time_is_over) {
        finish_overdue(thinking, context);
    } else if (may_search && child_is_silent(thinking, context->engine, context->has_no_workers) &&
               !instant_is_before(now, thinking->own_at) &&
               !conclude_own_if_done(thinking, context)) {
        request_next_slice(thinking, context);
    }
}

bool thinking_deadline(const Thinking *thinking, const EngineSession *engine, bool has_no_workers,
                       Instant *deadline)
{
    bool has_deadline = false;
    Instant candidates[3];
    int count = 0;
    if (thinking->state == THINKING_STOPPING) {
        candidates[count++] = thinking->stop_at;
    }
    if (child_is_silent(thinking, engine, has_no_workers)) {
        candidates[count++] = thinking->own_at;
    }
    const bool is_open =
        thinking->state == THINKING_SEARCHING || thinking->state == THINKING_STOPPING;
    if (is_open && clock_runs(thinking)) {
        candidates[count++] = instant_add(thinking->clock_at, thinking->budget.deadline);
    }
    for (int i = 0; i < count; i++) {
        if (!has_deadline || instant_is_before(candidates[i], *deadline)) {
            *deadline = candidates[i];
            has_deadline = true;
        }
    }
    return has_deadline;
}
