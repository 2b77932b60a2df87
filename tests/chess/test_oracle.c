/*
 * The library against the oracle: random games from the start, from the 960 starts and from random
 * boards, compared at every position in everything the rules say.
 *
 * ROOKERY_ORACLE_POSITIONS sets how many positions are compared in all (default: a few seconds),
 * ROOKERY_ORACLE_SEED where the random numbers start. A failure prints the FEN and the seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "chess/fen.h"
#include "chess/history.h"
#include "chess/movegen.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/oracle_random.h"

enum {
    POSITIONS_DEFAULT = 160000,
    TEST_COUNT = 4,
    GAME_PLIES_MAX = 200,
    HALF_MOVES_MAX = 130, /* some way past the 50-move rule */
    RANDOM_MOVES = 16,
    SELDOM = 8, /* the costlier comparisons are made at every eighth position */
};

/* One position as both sides see it. */
typedef struct {
    Position position;
    OracleBoard board;
    OracleMoves legal; /* by the oracle */
} Pair;

/* A game in progress and all that came before. */
typedef struct {
    Prng prng;
    uint64_t seed;
    Pair now;
    History history;                     /* the library's memory of `earlier` */
    OracleBoard earlier[GAME_PLIES_MAX]; /* every position of the game but the current one */
    uint64_t earlier_keys[GAME_PLIES_MAX];
    Move played[GAME_PLIES_MAX];
    int ply;
} Game;

static long positions_wanted(void)
{
    const char *const text = getenv("ROOKERY_ORACLE_POSITIONS");
    const long wanted = text != NULL ? strtol(text, NULL, 10) : POSITIONS_DEFAULT;
    return wanted / TEST_COUNT;
}

static uint64_t first_seed(void)
{
    const char *const text = getenv("ROOKERY_ORACLE_SEED");
    return text != NULL ? strtoull(text, NULL, 10) : 1;
}

/* Fails with the position and the seed, so that the case can be made again. */
static void require(const Game *game, const Pair *pair, bool condition, const char *what)
{
    if (condition) {
        return;
    }
    char fen[ORACLE_FEN_BYTES_MAX];
    oracle_write(&pair->board, fen);
    fail_msg("%s: %s (seed %llu, ply %d)", what, fen, (unsigned long long)game->seed, game->ply);
}

static void require_move(const Game *game, const Pair *pair, Move move, bool condition,
                         const char *what)
{
    if (condition) {
        return;
    }
    char text[120];
    const Square from = move_from(move);
    const Square to = move_to(move);
    (void)snprintf(text, sizeof text, "%s, move %c%d%c%d flag %d bits %d", what,
                   'a' + square_file(from), 1 + square_rank(from), 'a' + square_file(to),
                   1 + square_rank(to), (int)move_flag(move), move >> 12 & 3);
    require(game, pair, false, text);
}

/* The letter of a piece as a FEN has it. */
static char piece_letter(Piece piece)
{
    if (piece == NO_PIECE) {
        return '.';
    }
    return (piece_color(piece) == WHITE ? "PNBRQK" : "pnbrqk")[piece_type(piece)];
}

static bool castling_agrees(const Pair *pair, Color color, CastlingSide side)
{
    const int rook_file = pair->board.castling_file[color][side];
    const bool has_right = (pair->position.castling & castling_bit(color, side)) != 0;
    if (!has_right || rook_file == ORACLE_NO_FILE) {
        return has_right == (rook_file != ORACLE_NO_FILE);
    }
    const Square rook = pair->position.castling_rook[castling_index(color, side)];
    return rook == square_make(rook_file, color == WHITE ? 0 : 7);
}

static void compare_state(const Game *game, const Pair *pair)
{
    const Position *position = &pair->position;
    const OracleBoard *board = &pair->board;
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        require(game, pair,
                piece_letter(position->board[square]) ==
                    board->letter[square_rank(square)][square_file(square)],
                "board");
    }
    for (Color color = WHITE; color <= BLACK; color++) {
        require(game, pair, castling_agrees(pair, color, KING_SIDE), "castling, king side");
        require(game, pair, castling_agrees(pair, color, QUEEN_SIDE), "castling, queen side");
    }
    const Square target = oracle_can_take_en_passant(board)
                              ? square_make(board->double_step_file, board->side == WHITE ? 5 : 2)
                              : SQUARE_NONE;
    require(game, pair, position_side(position) == board->side, "side");
    require(game, pair, position->en_passant == target, "en passant square");
    require(game, pair, position->rule50 == board->half_moves, "half moves");
    require(game, pair, position->full_move == board->full_move, "full move");
    require(game, pair, position_is_consistent(position), "invariants");
}

/* The incremental position equals the one set up from scratch. */
static void compare_with_parsed(const Game *game, const Pair *pair)
{
    const Position *position = &pair->position;
    char fen[ORACLE_FEN_BYTES_MAX];
    oracle_write(&pair->board, fen);
    Position parsed;
    const Status status = fen_parse(fen, (int)strlen(fen), position->chess960, &parsed);
    require(game, pair, status_is_ok(&status), status.message);
    position_refresh(&parsed);
    require(game, pair,
            parsed.key == position->key && parsed.pawn_key == position->pawn_key &&
                parsed.non_pawn_key[WHITE] == position->non_pawn_key[WHITE] &&
                parsed.non_pawn_key[BLACK] == position->non_pawn_key[BLACK],
            "incremental and recomputed key");
    require(game, pair,
            parsed.checkers == position->checkers && parsed.pinned == position->pinned &&
                parsed.en_passant == position->en_passant && parsed.castling == position->castling,
            "incremental and parsed state");
}

static int compare_moves(const void *left, const void *right)
{
    return *(const Move *)left - *(const Move *)right;
}

static bool is_same_set(const MoveList *list, const OracleMoves *legal)
{
    MoveList ours = *list;
    OracleMoves theirs = *legal;
    if (ours.count != theirs.count) {
        return false;
    }
    qsort(ours.moves, (size_t)ours.count, sizeof(Move), compare_moves);
    qsort(theirs.moves, (size_t)theirs.count, sizeof(Move), compare_moves);
    return memcmp(ours.moves, theirs.moves, (size_t)ours.count * sizeof(Move)) == 0;
}

static void compare_generation(const Game *game, const Pair *pair)
{
    const Position *position = &pair->position;
    MoveList list;
    movegen_all(position, &list);
    require(game, pair, is_same_set(&list, &pair->legal), "legal moves");
    require(game, pair, movegen_count(position) == pair->legal.count, "movegen_count");
    require(game, pair, movegen_any(position) == (pair->legal.count > 0), "movegen_any");

    list.count = 0;
    movegen_captures(position, &list);
    const int tactical = list.count;
    movegen_quiets(position, &list);
    require(game, pair, is_same_set(&list, &pair->legal), "union of the stages");
    for (int i = 0; i < list.count; i++) {
        const Move move = list.moves[i];
        const bool is_tactical =
            oracle_is_capture(&pair->board, move) || move_flag(move) == MOVE_PROMOTION;
        require_move(game, pair, move, is_tactical == (i < tactical), "stage");
    }
}

static void compare_each_move(const Game *game, const Pair *pair)
{
    for (int i = 0; i < pair->legal.count; i++) {
        const Move move = pair->legal.moves[i];
        require_move(game, pair, move,
                     position_gives_check(&pair->position, move) ==
                         oracle_gives_check(&pair->board, move),
                     "gives_check");
        require_move(game, pair, move,
                     move_is_capture(&pair->position, move) ==
                         oracle_is_capture(&pair->board, move),
                     "move_is_capture");
    }
}

/* What the pieces can do, legal moves with one bit wrong, and noise. */
static void compare_legality(Game *game, const Pair *pair)
{
    OracleMoves possible;
    oracle_possible_moves(&pair->board, &possible);
    for (int i = 0; i < possible.count; i++) {
        const Move move = possible.moves[i];
        require_move(game, pair, move,
                     movegen_is_legal(&pair->position, move) == oracle_has_move(&pair->legal, move),
                     "is_legal");
    }
    for (int i = 0; i < pair->legal.count; i++) {
        const Move damaged = (Move)(pair->legal.moves[i] ^ (1U << prng_below(&game->prng, 16)));
        require_move(game, pair, damaged,
                     movegen_is_legal(&pair->position, damaged) ==
                         oracle_has_move(&pair->legal, damaged),
                     "is_legal of a damaged move");
    }
    for (int i = 0; i < RANDOM_MOVES; i++) {
        const Move move = (Move)prng_next(&game->prng);
        require_move(game, pair, move,
                     movegen_is_legal(&pair->position, move) == oracle_has_move(&pair->legal, move),
                     "is_legal of a random move");
    }
}

static void compare_endings(const Game *game, const Pair *pair)
{
    const Position *position = &pair->position;
    const OracleBoard *board = &pair->board;
    const bool is_check = position_in_check(position);
    const bool has_move = movegen_any(position);
    require(game, pair, is_check == oracle_is_in_check(board, board->side), "check");
    require(game, pair,
            bitboard_count(position->checkers) == oracle_checker_count(board, board->side),
            "checkers");
    require(game, pair, (is_check && !has_move) == oracle_is_checkmate(board), "checkmate");
    require(game, pair, (!is_check && !has_move) == oracle_is_stalemate(board), "stalemate");
    require(game, pair, position_is_insufficient(position) == oracle_is_insufficient(board),
            "insufficient material");
    require(game, pair, history_is_fifty_moves(position) == oracle_is_fifty_moves(board),
            "fifty moves");
}

/* Keys are equal exactly where positions are, and the history counts them. */
static void compare_repetitions(const Game *game)
{
    int same = 0;
    for (int i = 0; i < game->ply; i++) {
        const bool is_same = oracle_is_same(&game->earlier[i], &game->now.board);
        require(game, &game->now, is_same == (game->earlier_keys[i] == game->now.position.key),
                "key against an earlier position");
        same += is_same;
    }
    require(game, &game->now, history_repetitions(&game->history, &game->now.position) == same,
            "repetitions");
}

static void make(const Pair *from, Move move, Pair *to)
{
    position_make(&from->position, move, &to->position);
    oracle_make(&from->board, move, &to->board);
    oracle_legal_moves(&to->board, &to->legal);
}

/* Plays three moves if they are legal one after the other. */
static bool make_three(const Pair *from, const Move moves[3], Pair *to)
{
    Pair pair = *from;
    for (int i = 0; i < 3; i++) {
        if (!oracle_has_move(&pair.legal, moves[i])) {
            return false;
        }
        make(&pair, moves[i], to);
        pair = *to;
    }
    return true;
}

/* The same moves in another order: equal positions have equal keys, others have not. */
static void compare_transposition(Game *game, const Pair *pair)
{
    const uint64_t count = (uint64_t)pair->legal.count;
    if (count == 0) {
        return;
    }
    const Move first = pair->legal.moves[prng_below(&game->prng, count)];
    const Move third = pair->legal.moves[prng_below(&game->prng, count)];
    Pair middle;
    make(pair, first, &middle);
    if (middle.legal.count == 0) {
        return;
    }
    const Move second = middle.legal.moves[prng_below(&game->prng, (uint64_t)middle.legal.count)];
    Pair left;
    Pair right;
    if (make_three(pair, (const Move[3]){first, second, third}, &left) &&
        make_three(pair, (const Move[3]){third, second, first}, &right)) {
        require(game, pair,
                oracle_is_same(&left.board, &right.board) ==
                    (left.position.key == right.position.key),
                "keys of a transposition");
    }
}

static void compare_null_move(Game *game, const Pair *pair)
{
    if (position_in_check(&pair->position)) {
        return;
    }
    Pair passed = *pair;
    position_make_null(&pair->position, &passed.position);
    passed.board.side = color_other(pair->board.side);
    passed.board.double_step_file = ORACLE_NO_FILE;
    oracle_legal_moves(&passed.board, &passed.legal);
    require(game, pair, position_is_consistent(&passed.position), "invariants after a null move");
    compare_generation(game, &passed);
}

static void compare_all(Game *game)
{
    const Pair *pair = &game->now;
    compare_state(game, pair);
    compare_with_parsed(game, pair);
    compare_generation(game, pair);
    compare_each_move(game, pair);
    compare_legality(game, pair);
    compare_endings(game, pair);
    compare_repetitions(game);
    if (prng_below(&game->prng, SELDOM) == 0) {
        compare_transposition(game, pair);
        compare_null_move(game, pair);
    }
}

/* Undoing the last move but one, if it can be undone: makes repetitions. */
static Move turn_back(const Game *game)
{
    if (game->ply < 2) {
        return MOVE_NONE;
    }
    const Move last = game->played[game->ply - 2];
    const Move back = move_make(move_to(last), move_from(last));
    return oracle_has_move(&game->now.legal, back) ? back : MOVE_NONE;
}

/* A random legal move; castling, en passant and promotion more often than by chance. */
static Move choose(Game *game, bool is_shuffling)
{
    const Move back = turn_back(game);
    if (is_shuffling && back != MOVE_NONE && prng_below(&game->prng, 4) != 0) {
        return back;
    }
    const uint64_t count = (uint64_t)game->now.legal.count;
    Move move = game->now.legal.moves[prng_below(&game->prng, count)];
    for (int tries = 0; tries < 6 && move_flag(move) == MOVE_NORMAL; tries++) {
        move = game->now.legal.moves[prng_below(&game->prng, count)];
    }
    return move;
}

/* The prefetch key is exact where neither castling rights nor en passant nor special moves come in.
 */
static void compare_key_after(const Game *game, Move move, const Position *after)
{
    const Position *before = &game->now.position;
    if (move_flag(move) == MOVE_NORMAL && before->castling == after->castling &&
        before->en_passant == SQUARE_NONE && after->en_passant == SQUARE_NONE) {
        require_move(game, &game->now, move, position_key_after(before, move) == after->key,
                     "key_after");
    }
}

static void play(Game *game, Move move)
{
    Pair next;
    make(&game->now, move, &next);
    compare_key_after(game, move, &next.position);
    history_push_game(&game->history, &game->now.position, &next.position);
    game->earlier[game->ply] = game->now.board;
    game->earlier_keys[game->ply] = game->now.position.key;
    game->played[game->ply] = move;
    game->ply++;
    game->now = next;
}

/* Plays one random game from `board`, comparing everywhere; returns the positions compared. */
static long play_game(uint64_t seed, const OracleBoard *board, bool chess960)
{
    static Game game;
    game.seed = seed;
    game.ply = 0;
    prng_init(&game.prng, prng_mix(seed));
    history_clear(&game.history);
    game.now.board = *board;
    oracle_legal_moves(board, &game.now.legal);

    char fen[ORACLE_FEN_BYTES_MAX];
    oracle_write(board, fen);
    const Status status = fen_parse(fen, (int)strlen(fen), chess960, &game.now.position);
    require(&game, &game.now, status_is_ok(&status), status.message);

    const bool is_shuffling = prng_below(&game.prng, 3) == 0;
    compare_all(&game);
    while (game.now.legal.count > 0 && game.ply < GAME_PLIES_MAX &&
           game.now.board.half_moves < HALF_MOVES_MAX) {
        play(&game, choose(&game, is_shuffling));
        compare_all(&game);
    }
    return game.ply + 1;
}

static void test_games_from_the_start(void **state)
{
    (void)state;
    OracleBoard board;
    assert_true(oracle_parse(FEN_START, &board));
    uint64_t seed = first_seed();
    for (long left = positions_wanted(); left > 0; seed++) {
        left -= play_game(seed, &board, false);
    }
}

static void test_games_from_the_960_starts(void **state)
{
    (void)state;
    uint64_t seed = first_seed();
    for (long left = positions_wanted(); left > 0; seed++) {
        OracleBoard board;
        oracle_start_960((int)(seed * 7 % ORACLE_STARTS_960), &board);
        left -= play_game(seed, &board, true);
    }
}

static void play_from_random_boards(OracleDensity density)
{
    uint64_t seed = first_seed();
    for (long left = positions_wanted(); left > 0; seed++) {
        Prng prng;
        prng_init(&prng, seed);
        OracleBoard board;
        oracle_random_board(&prng, density, &board);
        left -= play_game(seed, &board, true);
    }
}

static void test_games_from_sparse_boards(void **state)
{
    (void)state;
    play_from_random_boards(ORACLE_SPARSE);
}

static void test_games_from_dense_boards(void **state)
{
    (void)state;
    play_from_random_boards(ORACLE_DENSE);
}

int main(void)
{
    const struct CMUnitTest tests[TEST_COUNT] = {
        cmocka_unit_test(test_games_from_the_start),
        cmocka_unit_test(test_games_from_the_960_starts),
        cmocka_unit_test(test_games_from_sparse_boards),
        cmocka_unit_test(test_games_from_dense_boards),
    };
    attacks_init(SLIDER_AUTO);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
