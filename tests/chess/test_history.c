/*
 * Draws that need the past: repetition in the game and in the tree, and the 50-move rule.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/history.h"
#include "chess/movegen.h"
#include "chess/notation.h"

static Position parse(const char *fen)
{
    Position position;
    const Status status = fen_parse(fen, (int)strlen(fen), false, &position);
    if (!status_is_ok(&status)) {
        fail_msg("%s: %s", fen, status.message);
    }
    return position;
}

static Move parse_move(const Position *position, const char *text)
{
    const Move move = notation_parse_uci(position, text, (int)strcspn(text, " "));
    if (move == MOVE_NONE) {
        fail_msg("illegal in this test: %s", text);
    }
    return move;
}

/* Plays UCI moves, separated by single spaces, as moves of the game. */
static void play(History *history, Position *position, const char *moves)
{
    while (*moves != '\0') {
        Position after;
        position_make(position, parse_move(position, moves), &after);
        history_push_game(history, position, &after);
        *position = after;
        moves += strcspn(moves, " ");
        moves += *moves == ' ' ? 1 : 0;
    }
}

/* Plays UCI moves as a search does, below the position it was given. Returns the plies. */
static int search(History *history, Position *position, const char *moves)
{
    int ply = 0;
    while (*moves != '\0') {
        Position after;
        position_make(position, parse_move(position, moves), &after);
        history_push(history, position);
        *position = after;
        moves += strcspn(moves, " ");
        moves += *moves == ' ' ? 1 : 0;
        ply++;
    }
    return ply;
}

#define KNIGHTS_OUT_AND_BACK "g1f3 g8f6 f3g1 f6g8"

static void test_game_counts_repetitions(void **state)
{
    (void)state;
    History history;
    history_clear(&history);
    Position position = fen_start_position();
    assert_int_equal(history_repetitions(&history, &position), 0);
    play(&history, &position, KNIGHTS_OUT_AND_BACK);
    assert_int_equal(history_repetitions(&history, &position), 1);
    assert_false(history_is_repetition(&history, &position, 0));
    play(&history, &position, KNIGHTS_OUT_AND_BACK);
    assert_int_equal(history_repetitions(&history, &position), 2);
    assert_true(history_is_repetition(&history, &position, 0));
    play(&history, &position, "g1f3");
    assert_int_equal(history_repetitions(&history, &position), 2);
}

static void test_irreversible_move_forgets(void **state)
{
    (void)state;
    History history;
    history_clear(&history);
    Position position = fen_start_position();
    play(&history, &position, KNIGHTS_OUT_AND_BACK " e2e4");
    assert_int_equal(history.count, 0);
    assert_int_equal(history_repetitions(&history, &position), 0);
    play(&history, &position, "b8c6");
    assert_int_equal(history.count, 1);
}

static void test_tree_takes_two_for_a_draw(void **state)
{
    (void)state;
    History history;
    history_clear(&history);
    Position position = parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    /* The position after one ply comes again after five: both inside the tree. */
    const int ply = search(&history, &position, "a1a2 e8d8 a2a3 d8e8 a3a2");
    assert_int_equal(ply, 5);
    assert_int_equal(history_repetitions(&history, &position), 1);
    assert_true(history_is_repetition(&history, &position, ply));
}

static void test_root_belongs_to_the_game(void **state)
{
    (void)state;
    History history;
    history_clear(&history);
    Position position = parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    const int ply = search(&history, &position, "a1a2 e8d8 a2a1 d8e8");
    assert_int_equal(history_repetitions(&history, &position), 1);
    assert_false(history_is_repetition(&history, &position, ply));
}

static void test_game_and_tree_count_together(void **state)
{
    (void)state;
    History history;
    history_clear(&history);
    Position position = fen_start_position();
    play(&history, &position, KNIGHTS_OUT_AND_BACK);
    /* Third time on the board, twice before the search began or at its root. */
    int ply = search(&history, &position, KNIGHTS_OUT_AND_BACK);
    assert_true(history_is_repetition(&history, &position, ply));

    /* Only once in the game and now once in the tree: the second time, and no draw yet. */
    history_clear(&history);
    position = fen_start_position();
    play(&history, &position, "g1f3 g8f6");
    ply = search(&history, &position, "f3g1 f6g8 g1f3 g8f6");
    assert_int_equal(history_repetitions(&history, &position), 1);
    assert_false(history_is_repetition(&history, &position, ply));
    ply += search(&history, &position, "f3g1");
    assert_true(history_is_repetition(&history, &position, ply));
}

static void test_pop_undoes_push(void **state)
{
    (void)state;
    History history;
    history_clear(&history);
    Position position = fen_start_position();
    play(&history, &position, KNIGHTS_OUT_AND_BACK);
    const int count = history.count;
    const Position root = position;
    const int ply = search(&history, &position, "b1c3 b8c6");
    for (int i = 0; i < ply; i++) {
        history_pop(&history);
    }
    assert_int_equal(history.count, count);
    assert_int_equal(history_repetitions(&history, &root), 1);
}

static void test_lost_rights_are_another_position(void **state)
{
    (void)state;
    History history;
    history_clear(&history);
    Position position = parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(&history, &position, "h1g1 h8g8 g1h1 g8h8");
    assert_int_equal(history_repetitions(&history, &position), 0);
    play(&history, &position, "h1g1 h8g8 g1h1 g8h8");
    assert_int_equal(history_repetitions(&history, &position), 1);
}

static void test_en_passant_that_nobody_can_take_is_no_difference(void **state)
{
    (void)state;
    History history;
    history_clear(&history);
    /* The pawn that could take is pinned, so the square after the double step says nothing. */
    Position position = parse("5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4");
    play(&history, &position, "d7c8 f8f7 c8d7 f7f8 d7d8 f8f7 d8d7");
    play(&history, &position, "f7f8");
    assert_int_equal(history_repetitions(&history, &position), 2);

    /* Here it can be taken once, and later no more. */
    history_clear(&history);
    position = parse("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 4 2");
    play(&history, &position, "e1d1 e8d8 d1e1 d8e8");
    assert_int_equal(history_repetitions(&history, &position), 0);
}

static void test_only_the_counter_reaches_back(void **state)
{
    (void)state;
    History history;
    history_clear(&history);
    Position position = fen_start_position();
    play(&history, &position, KNIGHTS_OUT_AND_BACK);
    position.rule50 = 3;
    assert_int_equal(history_repetitions(&history, &position), 0);
    position.rule50 = 4;
    assert_int_equal(history_repetitions(&history, &position), 1);
}

/* A game longer than the history: the oldest keys go, the newest stay. */
static void test_long_games_keep_the_newest_keys(void **state)
{
    (void)state;
    enum { LAPS = HISTORY_GAME_KEYS_MAX / 4 + 30 };
    History history;
    history_clear(&history);
    Position position = fen_start_position();
    for (int lap = 0; lap < LAPS; lap++) {
        play(&history, &position, KNIGHTS_OUT_AND_BACK);
        assert_true(history.count <= HISTORY_GAME_KEYS_MAX);
    }
    assert_int_equal(history.count, HISTORY_GAME_KEYS_MAX);
    assert_int_equal(history_repetitions(&history, &position), HISTORY_GAME_KEYS_MAX / 4);

    /* There is still room for the deepest search. */
    for (int ply = 0; ply < PLY_MAX; ply++) {
        history_push(&history, &position);
    }
    assert_true(history.count <= HISTORY_KEYS_MAX);
    assert_int_equal(history.keys[history.count - 1], position.key);
}

static void test_old_keys_make_room_for_new_ones(void **state)
{
    (void)state;
    enum { PUSHED = HISTORY_GAME_KEYS_MAX + 40 };
    History history;
    history_clear(&history);
    Position position = fen_start_position();
    for (int i = 0; i < PUSHED; i++) {
        const Position after = {.rule50 = 1};
        position.key = (uint64_t)i + 1;
        history_push_game(&history, &position, &after);
    }
    assert_int_equal(history.count, HISTORY_GAME_KEYS_MAX);
    for (int i = 0; i < HISTORY_GAME_KEYS_MAX; i++) {
        assert_int_equal(history.keys[i], PUSHED - HISTORY_GAME_KEYS_MAX + i + 1);
    }
}

static void test_fifty_moves(void **state)
{
    (void)state;
    const Position one_short = parse("4k3/8/8/8/8/8/8/R3K3 w - - 99 90");
    const Position reached = parse("4k3/8/8/8/8/8/8/R3K3 w - - 100 90");
    const Position in_check = parse("4k3/8/8/8/4R3/8/8/4K3 b - - 100 90");
    assert_false(history_is_fifty_moves(&one_short));
    assert_true(history_is_fifty_moves(&reached));
    assert_true(history_is_fifty_moves(&in_check));
}

static void test_mate_comes_before_fifty_moves(void **state)
{
    (void)state;
    const Position mate = parse("R3k3/8/4K3/8/8/8/8/8 b - - 100 90");
    const Position stalemate = parse("7k/5Q2/6K1/8/8/8/8/8 b - - 100 90");
    assert_false(history_is_fifty_moves(&mate));
    assert_true(history_is_fifty_moves(&stalemate));
}

static void test_captures_and_pawn_moves_start_the_count_anew(void **state)
{
    (void)state;
    Position after;
    const Position position = parse("4k3/8/8/8/8/1n6/P7/R3K3 w Q - 99 90");
    position_make(&position, parse_move(&position, "a2b3"), &after);
    assert_int_equal(after.rule50, 0);
    position_make(&position, parse_move(&position, "a2a4"), &after);
    assert_int_equal(after.rule50, 0);
    position_make(&position, parse_move(&position, "e1e2"), &after);
    assert_int_equal(after.rule50, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_game_counts_repetitions),
        cmocka_unit_test(test_irreversible_move_forgets),
        cmocka_unit_test(test_tree_takes_two_for_a_draw),
        cmocka_unit_test(test_root_belongs_to_the_game),
        cmocka_unit_test(test_game_and_tree_count_together),
        cmocka_unit_test(test_pop_undoes_push),
        cmocka_unit_test(test_lost_rights_are_another_position),
        cmocka_unit_test(test_en_passant_that_nobody_can_take_is_no_difference),
        cmocka_unit_test(test_only_the_counter_reaches_back),
        cmocka_unit_test(test_long_games_keep_the_newest_keys),
        cmocka_unit_test(test_old_keys_make_room_for_new_ones),
        cmocka_unit_test(test_fifty_moves),
        cmocka_unit_test(test_mate_comes_before_fifty_moves),
        cmocka_unit_test(test_captures_and_pawn_moves_start_the_count_anew),
    };
    attacks_init(SLIDER_AUTO);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
