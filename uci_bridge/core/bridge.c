#include "uci_bridge/core/bridge.h"

#include <string.h>

#include "base/clamp.h"
#include "chess/notation.h"
#include "uci_bridge/core/uci_parse.h"

enum { SHOWN_BYTES_MAX = 32 /* of foreign text in an info string */ };

UciOptions bridge_default_options(int threads)
{
    return (UciOptions){
        .threads = clamp(threads, 1, UCI_OPTION_THREADS_MAX),
        .hash_mb = UCI_OPTION_HASH_MB_DEFAULT,
        .move_overhead_ms = UCI_OPTION_MOVE_OVERHEAD_MS_DEFAULT,
        .multi_pv = 1,
        .elo = UCI_OPTION_ELO_DEFAULT,
    };
}

void bridge_init(Bridge *bridge, const BridgeConfig *config)
{
    const Position start = fen_start_position();
    bridge->config = *config;
    bridge->options = config->options;
    bridge->owes_new_game = false;
    bridge->is_leaving = false;
    bridge->has_status = false;
    bridge->owed_ready = 0;
    bridge->has_given_up = false;
    uci_game_start(&bridge->game, &start);
    engine_session_init(&bridge->engine, config->lease, config->retry_last);
    thinking_init(&bridge->thinking);
}

/* Whether the session's master has said who its workers are. */
static bool cluster_is_known(const Bridge *bridge)
{
    return bridge->engine.state == ENGINE_OPEN && bridge->has_status &&
           bridge->status.epoch.value == bridge->engine.epoch.value;
}

static bool cluster_has_no_workers(const Bridge *bridge)
{
    return cluster_is_known(bridge) && bridge->status.worker_count == 0;
}

static ThinkingContext context_of(Bridge *bridge, Instant now, BridgeActions *actions)
{
    return (ThinkingContext){.engine = &bridge->engine,
                             .has_no_workers = cluster_has_no_workers(bridge),
                             .has_given_up = bridge->has_given_up,
                             .actions = actions,
                             .now = now};
}

/* ---- the child ---- */

/* Has a child with the current options started, unless a search is using the one there is. */
static void require_child(Bridge *bridge, Instant now, BridgeActions *actions)
{
    if (thinking_is_idle(&bridge->thinking)) {
        engine_session_require(&bridge->engine, &bridge->options, now, actions);
    }
}

/* What ucinewgame asks for, now or after the search. */
static void begin_new_game(Bridge *bridge, BridgeActions *actions)
{
    bridge->owes_new_game = !thinking_is_idle(&bridge->thinking);
    if (!bridge->owes_new_game) {
        engine_session_new_game(&bridge->engine, actions);
        bridge_actions_add(actions, BRIDGE_ACTION_CLEAR_OWN);
    }
}

static void on_child_message(Bridge *bridge, const Message *message, Instant now,
                             BridgeActions *actions)
{
    const ThinkingContext context = context_of(bridge, now, actions);
    if (message->type == MESSAGE_STATUS) {
        bridge->status = message->status;
        bridge->has_status = true;
    }
    if (message->type == MESSAGE_ERROR) {
        char text[MESSAGE_TEXT_BYTES_MAX];
        uci_text_copy(uci_text_of(message->error.text), text, sizeof text);
        bridge_actions_print(actions, "info string %s", text);
    }
    if (engine_session_on_message(&bridge->engine, message, now, actions)) {
        bridge->has_status = false; /* what is known was said in another session */
        thinking_on_opened(&bridge->thinking, &context);
    }
    thinking_on_message(&bridge->thinking, message, &context);
}

static void on_child_died(Bridge *bridge, Instant now, BridgeActions *actions)
{
    const ThinkingContext context = context_of(bridge, now, actions);
    bridge_actions_print(actions, "info string the search process has ended, starting another");
    engine_session_on_died(&bridge->engine, now);
    thinking_on_died(&bridge->thinking, &context);
}

/* ---- commands ---- */

static void command_uci(const Bridge *bridge, BridgeActions *actions)
{
    char line[UCI_OPTION_LINE_BYTES_MAX];
    bridge_actions_print(actions, "id name Rookery %s", bridge->config.version);
    bridge_actions_print(actions, "id author the Rookery authors");
    for (int i = 0; uci_options_line(&bridge->config.options, i, line); i++) {
        bridge_actions_print(actions, "%s", line);
    }
    bridge_actions_print(actions, "uciok");
}

/* Whether it has one to search with, and no table to clear before. */
static bool cluster_is_ready(const Bridge *bridge)
{
    return cluster_is_known(bridge) && bridge->status.worker_count > 0 &&
           !bridge->engine.is_clearing;
}

/* When `isready` is answered at the latest. */
static Instant ready_until(const Bridge *bridge)
{
    const int patience_ms = engine_session_is_busy(&bridge->engine) ? BRIDGE_BUSY_PATIENCE_MS
                                                                    : BRIDGE_READY_PATIENCE_MS;
    return instant_add(bridge->ready_asked, duration_ms(patience_ms));
}

static void answer_ready(Bridge *bridge, BridgeActions *actions)
{
    for (; bridge->owed_ready > 0; bridge->owed_ready--) {
        bridge_actions_print_kept(actions, "readyok");
    }
}

static void answer_ready_if_due(Bridge *bridge, Instant now, BridgeActions *actions)
{
    const bool is_late = bridge->owed_ready > 0 && !instant_is_before(now, ready_until(bridge));
    if (cluster_is_ready(bridge)) {
        bridge->has_given_up = false;
    } else if (is_late) {
        bridge->has_given_up = true;
        engine_session_tire(&bridge->engine);
    }
    if (cluster_is_ready(bridge) || bridge->has_given_up || !thinking_is_idle(&bridge->thinking)) {
        answer_ready(bridge, actions);
    }
}

static void command_is_ready(Bridge *bridge, Instant now, BridgeActions *actions)
{
    require_child(bridge, now, actions);
    if (bridge->owed_ready == BRIDGE_READY_OWED_MAX) {
        answer_ready(bridge, actions);
    }
    if (bridge->owed_ready == 0) {
        bridge->ready_asked = now;
    }
    bridge->owed_ready++;
}

static void command_new_game(Bridge *bridge, Instant now, BridgeActions *actions)
{
    bridge->has_given_up = false;
    require_child(bridge, now, actions);
    begin_new_game(bridge, actions);
}

/* Whether the cluster that is wanted now may be used; a child could only fail to. */
static Status admit_cluster(const Bridge *bridge, const UciOptions *wanted)
{
    const BridgeConfig *config = &bridge->config;
    if (config->admit == NULL || wanted->cluster[0] == '\0' ||
        strcmp(wanted->cluster, bridge->options.cluster) == 0) {
        return status_ok();
    }
    return config->admit(wanted->cluster, config->admit_context);
}

static void command_set_option(Bridge *bridge, UciText rest, BridgeActions *actions)
{
    UciText name;
    UciText value;
    UciOptions wanted = bridge->options;
    UciOptionEffect effect = UCI_OPTION_STORED;
    uci_parse_set_option(rest, &name, &value);
    Status status = uci_options_set(&wanted, name, value, &effect);
    if (status_is_ok(&status)) {
        status = admit_cluster(bridge, &wanted);
    }
    if (status_is_ok(&status)) {
        bridge->has_given_up = bridge->has_given_up && effect != UCI_OPTION_CLEAR_HASH &&
                               engine_session_suits(&bridge->engine, &wanted);
        bridge->options = wanted;
    } else {
        bridge_actions_print(actions, "info string %s", status.message);
    }
    if (effect == UCI_OPTION_CLEAR_HASH) {
        begin_new_game(bridge, actions);
    }
}

/* Plays the moves up to the first that cannot be played. */
static void play_moves(UciGame *game, UciText moves, BridgeActions *actions)
{
    UciText word;
    for (int number = 1; uci_text_next(&moves, &word); number++) {
        const Move move = notation_parse_uci(&game->position, word.bytes, word.length);
        if (move == MOVE_NONE) {
            char shown[SHOWN_BYTES_MAX];
            uci_text_copy(word, shown, sizeof shown);
            bridge_actions_print(
                actions, "info string move %d of the position, '%s', is illegal: ends before it",
                number, shown);
            return;
        }
        uci_game_play(game, move);
    }
}

static void command_position(Bridge *bridge, UciText rest, BridgeActions *actions)
{
    const UciPosition wanted = uci_parse_position(rest);
    if (!wanted.is_valid) {
        bridge_actions_print(actions, "info string position: expected startpos or fen");
        return;
    }
    Position position = fen_start_position();
    position.chess960 = bridge->options.chess960;
    if (wanted.fen.length > 0 || !uci_text_is(uci_text_peek(rest), "startpos")) {
        const Status status =
            fen_parse(wanted.fen.bytes, wanted.fen.length, bridge->options.chess960, &position);
        if (!status_is_ok(&status)) {
            bridge_actions_print(actions, "info string %s: the last position stays",
                                 status.message);
            return;
        }
    }
    if (wanted.extra.length > 0) {
        char shown[SHOWN_BYTES_MAX];
        uci_text_copy(wanted.extra, shown, sizeof shown);
        bridge_actions_print(actions, "info string position: ignored '%s', expected 'moves'",
                             shown);
    }
    uci_game_start(&bridge->game, &position);
    play_moves(&bridge->game, wanted.moves, actions);
}

static void command_perft(Bridge *bridge, int depth, BridgeActions *actions)
{
    actions->position = &bridge->game.position;
    actions->depth = depth;
    bridge_actions_add(actions, BRIDGE_ACTION_PERFT);
}

/* Whether a search runs, which is said: what was asked for would block its answer. */
static bool refuse_in_search(const Bridge *bridge, BridgeActions *actions)
{
    if (thinking_is_idle(&bridge->thinking)) {
        return false;
    }
    bridge_actions_print(actions, "info string not during a search: stop it first");
    return true;
}

static void command_go(Bridge *bridge, UciText rest, Instant now, BridgeActions *actions)
{
    GoLimits limits;
    UciText unread;
    const int perft_depth = uci_parse_go(rest, &bridge->game.position, &limits, &unread);
    answer_ready(bridge, actions);
    if (perft_depth == UCI_PERFT_NO_DEPTH) {
        bridge_actions_print(actions, "info string go perft needs a depth: go perft 5");
        return;
    }
    if (perft_depth > 0) {
        if (!refuse_in_search(bridge, actions)) {
            command_perft(bridge, perft_depth, actions);
        }
        return;
    }
    if (unread.length > 0) {
        char shown[SHOWN_BYTES_MAX];
        uci_text_copy(unread, shown, sizeof shown);
        bridge_actions_print(actions, "info string go: %s needs a number behind it", shown);
    }
    const ThinkingContext context = context_of(bridge, now, actions);
    thinking_finish_now(&bridge->thinking, &context);
    require_child(bridge, now, actions);
    if (bridge->owes_new_game) {
        begin_new_game(bridge, actions);
    }
    thinking_begin(&bridge->thinking, &bridge->game, &limits, &bridge->options, &context);
}

static void command_board(const Bridge *bridge, BridgeActions *actions)
{
    char line[UCI_FORMAT_LINE_BYTES_MAX];
    for (int i = 0; i < UCI_FORMAT_BOARD_LINES; i++) {
        uci_format_board(&bridge->game.position, i, line);
        bridge_actions_print(actions, "%s", line);
    }
}

static void command_eval(Bridge *bridge, BridgeActions *actions)
{
    actions->position = &bridge->game.position;
    bridge_actions_add(actions, BRIDGE_ACTION_EVAL);
}

static void command_bench(Bridge *bridge, UciText rest, BridgeActions *actions)
{
    int64_t depth = 0;
    answer_ready(bridge, actions);
    if (refuse_in_search(bridge, actions)) {
        return;
    }
    (void)uci_text_number(uci_text_peek(rest), &depth);
    actions->depth = depth > 0 && depth <= ROOT_DEPTH_MAX ? (int)depth : BRIDGE_BENCH_DEPTH;
    bridge_actions_add(actions, BRIDGE_ACTION_BENCH);
}

static void command_cluster(const Bridge *bridge, BridgeActions *actions)
{
    char line[UCI_FORMAT_LINE_BYTES_MAX];
    if (!cluster_is_known(bridge)) {
        const bool is_connecting = bridge->engine.is_wanted && bridge->engine.state != ENGINE_OPEN;
        bridge_actions_print(actions, is_connecting ? "connecting to the master"
                                                    : "no cluster has reported yet");
        return;
    }
    uci_format_worker_title(line);
    bridge_actions_print(actions, "%s", line);
    for (int i = 0; i < bridge->status.worker_count; i++) {
        uci_format_worker(&bridge->status.workers[i], line);
        bridge_actions_print(actions, "%s", line);
    }
}

static void leave(Bridge *bridge, Instant now, BridgeActions *actions)
{
    const ThinkingContext context = context_of(bridge, now, actions);
    answer_ready(bridge, actions);
    thinking_finish_now(&bridge->thinking, &context);
    if (bridge->engine.state == ENGINE_OPEN) {
        (void)bridge_actions_send(actions, MESSAGE_CLOSE);
    }
    bridge_actions_add(actions, BRIDGE_ACTION_EXIT);
    bridge->is_leaving = true;
}

static void on_line(Bridge *bridge, UciText line, Instant now, BridgeActions *actions)
{
    const ThinkingContext context = context_of(bridge, now, actions);
    UciText rest;
    switch (uci_parse_command(line, &rest)) {
    case UCI_COMMAND_NONE:
        break;
    case UCI_COMMAND_UCI:
        command_uci(bridge, actions);
        break;
    case UCI_COMMAND_IS_READY:
        command_is_ready(bridge, now, actions);
        break;
    case UCI_COMMAND_NEW_GAME:
        command_new_game(bridge, now, actions);
        break;
    case UCI_COMMAND_POSITION:
        command_position(bridge, rest, actions);
        break;
    case UCI_COMMAND_GO:
        command_go(bridge, rest, now, actions);
        break;
    case UCI_COMMAND_STOP:
        thinking_stop(&bridge->thinking, &context);
        break;
    case UCI_COMMAND_PONDER_HIT:
        thinking_ponderhit(&bridge->thinking, &context);
        break;
    case UCI_COMMAND_SET_OPTION:
        command_set_option(bridge, rest, actions);
        break;
    case UCI_COMMAND_QUIT:
        leave(bridge, now, actions);
        break;
    case UCI_COMMAND_BOARD:
        command_board(bridge, actions);
        break;
    case UCI_COMMAND_EVAL:
        command_eval(bridge, actions);
        break;
    case UCI_COMMAND_BENCH:
        command_bench(bridge, rest, actions);
        break;
    case UCI_COMMAND_CLUSTER:
        command_cluster(bridge, actions);
        break;
    case UCI_COMMAND_HELP:
        bridge_actions_add(actions, BRIDGE_ACTION_HELP);
        break;
    }
}

/* ---- steps ---- */

/* Does what is due, whatever the event was. */
static void look_at_clock(Bridge *bridge, const BridgeEvent *event, BridgeActions *actions)
{
    const ThinkingContext context = context_of(bridge, event->now, actions);
    const bool may_search = event->type == BRIDGE_EVENT_TICK;
    if (engine_session_tick(&bridge->engine, bridge->config.name, event->now, actions)) {
        bridge_actions_print(actions, "info string the search process hangs, starting another");
        thinking_on_died(&bridge->thinking, &context);
    }
    thinking_tick(&bridge->thinking, may_search, &context);
    if (bridge->owes_new_game) {
        begin_new_game(bridge, actions);
    }
    answer_ready_if_due(bridge, event->now, actions);
}

void bridge_step(Bridge *bridge, const BridgeEvent *event, BridgeActions *actions)
{
    const ThinkingContext context = context_of(bridge, event->now, actions);
    bridge_actions_clear(actions);
    if (bridge->is_leaving) {
        return;
    }
    switch (event->type) {
    case BRIDGE_EVENT_LINE:
        on_line(bridge, event->line, event->now, actions);
        break;
    case BRIDGE_EVENT_END_OF_INPUT:
        leave(bridge, event->now, actions);
        break;
    case BRIDGE_EVENT_CHILD_STARTED:
        engine_session_on_started(&bridge->engine, bridge->config.name, event->now, actions);
        break;
    case BRIDGE_EVENT_CHILD_MESSAGE:
        on_child_message(bridge, event->message, event->now, actions);
        break;
    case BRIDGE_EVENT_CHILD_DIED:
        on_child_died(bridge, event->now, actions);
        break;
    case BRIDGE_EVENT_OWN_SEARCH_DONE:
        thinking_on_own_search(&bridge->thinking, event->own, &context);
        break;
    case BRIDGE_EVENT_TICK:
        break;
    }
    if (!bridge->is_leaving) {
        look_at_clock(bridge, event, actions);
    }
}

bool bridge_next_deadline(const Bridge *bridge, Instant *deadline)
{
    Instant of_engine;
    const bool has_thinking = thinking_deadline(&bridge->thinking, &bridge->engine,
                                                cluster_has_no_workers(bridge), deadline);
    const bool has_engine = engine_session_deadline(&bridge->engine, &of_engine);
    bool has_any = has_thinking;
    if (has_engine && (!has_any || instant_is_before(of_engine, *deadline))) {
        *deadline = of_engine;
        has_any = true;
    }
    if (bridge->owed_ready > 0 && (!has_any || instant_is_before(ready_until(bridge), *deadline))) {
        *deadline = ready_until(bridge);
        has_any = true;
    }
    return has_any;
}
