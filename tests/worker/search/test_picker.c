/*
 * The move picker: for thousands of positions, with any 16 bits for killers and random histories,
 * every legal move comes exactly once and the stages come in their order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/see.h"
#include "tests/support/given.h"
#include "worker/search/picker.h"

enum { POSITIONS = 6000, GAME_PLIES_MAX = 160 };

typedef struct {
    Prng prng;
    Ordering *ordering;
    Position position;
    MoveList legal;
    const Continuation *continuations[PICKER_CONTINUATIONS];
    Move tt_move;
    Move refutations[PICKER_REFUTATIONS];
    Bitboard attacked; /* as the picker knows it */
} Setting;

/* Histories of any value that the tables can hold. */
static void fill_ordering(Prng *prng, Ordering *ordering)
{
    HistoryValue *numbers = &ordering->quiet[0][0][0];
    const size_t count = offsetof(Ordering, counter) / sizeof(int16_t);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = (int16_t)((int)prng_below(prng, 2 * ORDERING_MAX + 1) - ORDERING_MAX);
    }
    for (int i = 0; i < PIECE_SQUARE_COUNT; i++) {
        for (int j = 0; j < PIECE_SQUARE_COUNT; j++) {
            ordering->continuation[i][j] = (int16_t)(prng_next(prng) % ORDERING_MAX);
        }
    }
}

static Move any_legal(Setting *setting)
{
    return setting->legal.moves[prng_below(&setting->prng, (uint64_t)setting->legal.count)];
}

static void draw_setting(Setting *setting)
{
    Prng *prng = &setting->prng;
    setting->position = given_random_position(prng, GAME_PLIES_MAX);
    movegen_all(&setting->position, &setting->legal);
    setting->tt_move = prng_below(prng, 2) == 0 ? MOVE_NONE : any_legal(setting);
    for (int i = 0; i < PICKER_REFUTATIONS; i++) {
        setting->refutations[i] =
            prng_below(prng, 2) == 0 ? (Move)prng_next(prng) : any_legal(setting);
    }
    for (int i = 0; i < PICKER_CONTINUATIONS; i++) {
        const uint64_t index = prng_below(prng, PIECE_SQUARE_COUNT);
        setting->continuations[i] =
            prng_below(prng, 3) == 0
                ? NULL
                : (const Continuation *)&setting->ordering->continuation[index];
    }
}

/* Square by square. */
static Bitboard attacked_squares(const Position *position)
{
    const Color them = color_other(position_side(position));
    Bitboard attacked = 0;
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        if (position_is_attacked(position, square, them, position_occupied(position))) {
            attacked |= bitboard_square(square);
        }
    }
    return attacked;
}

static void init_main_picker(Setting *setting, Picker *picker)
{
    setting->attacked = attacked_squares(&setting->position);
    assert_true(picker_attacked(&setting->position) == setting->attacked);
    picker_init(picker, &setting->position, setting->attacked, setting->ordering,
                setting->continuations, setting->tt_move, setting->refutations);
}

/* Takes every move until the picker ends; at most as many as a list holds. */
static void take_all(Picker *picker, MoveList *taken)
{
    taken->count = 0;
    for (Move move = picker_next(picker); move != MOVE_NONE; move = picker_next(picker)) {
        assert_true(taken->count < MOVES_MAX);
        taken->moves[taken->count++] = move;
    }
    assert_int_equal(picker_next(picker), MOVE_NONE);
}

static int times_in(const MoveList *list, Move move)
{
    int times = 0;
    for (int i = 0; i < list->count; i++) {
        times += list->moves[i] == move;
    }
    return times;
}

static void assert_same_moves(const MoveList *taken, const MoveList *wanted)
{
    assert_int_equal(taken->count, wanted->count);
    for (int i = 0; i < wanted->count; i++) {
        assert_int_equal(times_in(taken, wanted->moves[i]), 1);
    }
}

/* Where a move belongs in the picker's order. */
static int stage_of(const Setting *setting, Move move)
{
    if (move == setting->tt_move) {
        return 0;
    }
    if (move_is_tactical(&setting->position, move)) {
        return see_at_least(&setting->position, move, 0) ? 1 : 4;
    }
    for (int i = 0; i < PICKER_REFUTATIONS; i++) {
        if (move == setting->refutations[i]) {
            return 2;
        }
    }
    return 3;
}

/* Does a lesser piece of the enemy than one of `type` attack the square? By looking at each. */
static bool is_threatened(const Position *position, PieceType type, Square square)
{
    const Color them = color_other(position_side(position));
    for (Square from = 0; from < SQUARE_COUNT; from++) {
        const Piece piece = position->board[from];
        if (piece == NO_PIECE || piece_color(piece) != them) {
            continue;
        }
        const PieceType by = piece_type(piece);
        const bool is_lesser = type == QUEEN  ? by < QUEEN
                               : type == ROOK ? by < ROOK
                                              : by == PAWN && type != PAWN && type != KING;
        const Bitboard attacked = by == PAWN ? attacks_pawn(them, from)
                                             : attacks_piece(by, from, position_occupied(position));
        if (is_lesser && bitboard_has(attacked, square)) {
            return true;
        }
    }
    return false;
}

/* Does the piece that moves attack the king from where it goes, and lose little there? */
static bool is_good_check(const Position *position, Move move)
{
    Position after;
    position_make(position, move, &after);
    return bitboard_has(after.checkers, move_to(move)) && see_at_least(position, move, -75);
}

/* History, threats and checks. */
static int quiet_score(const Setting *setting, Move move)
{
    static const int threats[PIECE_TYPE_COUNT] = {
        [KNIGHT] = 6000, [BISHOP] = 6000, [ROOK] = 12000, [QUEEN] = 20000};
    const Position *position = &setting->position;
    int score = picker_quiet_history(position, setting->attacked, setting->ordering,
                                     setting->continuations, move);
    if (move_flag(move) == MOVE_NORMAL) {
        const PieceType type = position_type_on(position, move_from(move));
        score += threats[type] * (is_threatened(position, type, move_from(move)) -
                                  is_threatened(position, type, move_to(move)));
        score += is_good_check(position, move) ? 12000 : 0;
    }
    return score;
}

static void assert_order(const Setting *setting, const MoveList *taken)
{
    for (int i = 1; i < taken->count; i++) {
        const int before = stage_of(setting, taken->moves[i - 1]);
        const int stage = stage_of(setting, taken->moves[i]);
        assert_true(before <= stage);
        if (before == 3 && stage == 3) {
            assert_true(quiet_score(setting, taken->moves[i - 1]) >=
                        quiet_score(setting, taken->moves[i]));
        }
    }
}

static void for_many_settings(void (*check)(Setting *setting))
{
    Setting *setting = calloc(1, sizeof *setting);
    setting->ordering = calloc(1, sizeof *setting->ordering);
    prng_init(&setting->prng, 20);
    fill_ordering(&setting->prng, setting->ordering);
    for (int i = 0; i < POSITIONS; i++) {
        draw_setting(setting);
        check(setting);
    }
    free(setting->ordering);
    free(setting);
}

static void check_main(Setting *setting)
{
    Picker picker;
    MoveList taken;
    init_main_picker(setting, &picker);
    take_all(&picker, &taken);
    assert_same_moves(&taken, &setting->legal);
    assert_order(setting, &taken);
}

static void test_every_legal_move_comes_once_in_order(void **state)
{
    (void)state;
    for_many_settings(check_main);
}

/* Wants no quiet move after a number of moves; the tactical ones must still all come. */
static void check_skipping(Setting *setting)
{
    Picker picker;
    MoveList taken = {.count = 0};
    MoveList wanted = {.count = 0};
    init_main_picker(setting, &picker);
    const int before = (int)prng_below(&setting->prng, (uint64_t)setting->legal.count + 1);
    for (int i = 0; i < before; i++) {
        wanted.moves[wanted.count++] = picker_next(&picker);
    }
    picker_skip_quiets(&picker);
    take_all(&picker, &taken);
    for (int i = 0; i < setting->legal.count; i++) {
        const Move move = setting->legal.moves[i];
        if (times_in(&wanted, move) == 0 && (move_is_tactical(&setting->position, move) ||
                                             (before == 0 && move == setting->tt_move))) {
            assert_int_equal(times_in(&taken, move), 1);
        } else {
            assert_int_equal(times_in(&taken, move), 0);
        }
    }
}

static void test_without_quiets_the_tactical_moves_still_come(void **state)
{
    (void)state;
    for_many_settings(check_skipping);
}

static void check_quiescence(Setting *setting)
{
    const bool in_check = position_in_check(&setting->position);
    if (!in_check && !move_is_tactical(&setting->position, setting->tt_move)) {
        setting->tt_move = MOVE_NONE;
    }
    MoveList wanted = {.count = 0};
    for (int i = 0; i < setting->legal.count; i++) {
        const Move move = setting->legal.moves[i];
        if (in_check || move == setting->tt_move ||
            (move_is_tactical(&setting->position, move) &&
             see_at_least(&setting->position, move, 0))) {
            wanted.moves[wanted.count++] = move;
        }
    }
    Picker picker;
    MoveList taken;
    memset(setting->refutations, 0, sizeof setting->refutations);
    setting->attacked = in_check ? attacked_squares(&setting->position) : 0;
    picker_init_quiescence(&picker, &setting->position, setting->ordering, setting->continuations,
                           setting->tt_move);
    take_all(&picker, &taken);
    assert_same_moves(&taken, &wanted);
    assert_order(setting, &taken);
}

static void test_quiescence_gives_good_captures_or_every_evasion(void **state)
{
    (void)state;
    for_many_settings(check_quiescence);
}

/* Out of check: what gains as much as is asked for, and the table's move. */
static void check_captures(Setting *setting)
{
    if (position_in_check(&setting->position)) {
        return;
    }
    if (!move_is_tactical(&setting->position, setting->tt_move)) {
        setting->tt_move = MOVE_NONE;
    }
    const int gain = (int)prng_below(&setting->prng, 1200) - 400;
    MoveList wanted = {.count = 0};
    for (int i = 0; i < setting->legal.count; i++) {
        const Move move = setting->legal.moves[i];
        if (move == setting->tt_move || (move_is_tactical(&setting->position, move) &&
                                         see_at_least(&setting->position, move, gain))) {
            wanted.moves[wanted.count++] = move;
        }
    }
    Picker picker;
    MoveList taken;
    picker_init_captures(&picker, &setting->position, setting->ordering, setting->tt_move, gain);
    take_all(&picker, &taken);
    assert_same_moves(&taken, &wanted);
}

static void test_captures_gain_what_is_asked_for(void **state)
{
    (void)state;
    for_many_settings(check_captures);
}

static void test_the_most_valuable_victim_comes_first(void **state)
{
    (void)state;
    const Position position =
        given_position("4k3/8/8/2q1r3/3P4/8/8/K7 w - - 0 1"); /* pawn takes queen or rook */
    Ordering *ordering = calloc(1, sizeof *ordering);
    const Continuation *continuations[PICKER_CONTINUATIONS] = {NULL};
    Picker picker;
    picker_init(&picker, &position, picker_attacked(&position), ordering, continuations, MOVE_NONE,
                (const Move[PICKER_REFUTATIONS]){MOVE_NONE});
    assert_int_equal(picker_next(&picker), given_move(&position, "d4c5"));
    assert_int_equal(picker_next(&picker), given_move(&position, "d4e5"));
    free(ordering);
}

/* The history of a move does not speak for the same move out of, or into, an attack. */
static void test_quiets_are_judged_by_what_is_attacked(void **state)
{
    (void)state;
    enum { BONUS = 500 };
    const Move move = move_make(SQUARE_A1, SQUARE_C1);
    const Bitboard from = bitboard_square(SQUARE_A1);
    const Bitboard to = bitboard_square(SQUARE_C1);
    const Bitboard attacks[ATTACKED_COUNT] = {0, to, from, from | to};
    Ordering *ordering = calloc(1, sizeof *ordering);
    for (int i = 0; i < ATTACKED_COUNT; i++) {
        ordering_update(ordering_quiet(ordering, WHITE, attacks[i], move), BONUS * (i + 1));
    }
    for (int i = 0; i < ATTACKED_COUNT; i++) {
        const HistoryValue *value =
            ordering_quiet(ordering, WHITE, ~(from | to) | attacks[i], move);
        assert_int_equal(ordering_value(value), BONUS * (i + 1));
        assert_int_equal(ordering_value(ordering_quiet(ordering, BLACK, attacks[i], move)), 0);
    }
    free(ordering);
}

static void test_histories_stay_within_their_limits(void **state)
{
    (void)state;
    HistoryValue value = 0;
    for (int i = 0; i < 1000; i++) {
        ordering_update(&value, ORDERING_MAX);
        assert_in_range(value, 0, ORDERING_MAX);
    }
    assert_int_equal(value, ORDERING_MAX);
    for (int i = 0; i < 1000; i++) {
        const int before = value;
        ordering_update(&value, -1600);
        assert_true(value <= before && value >= -ORDERING_MAX);
    }
    assert_true(value < -ORDERING_MAX * 9 / 10);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_legal_move_comes_once_in_order),
        cmocka_unit_test(test_without_quiets_the_tactical_moves_still_come),
        cmocka_unit_test(test_quiescence_gives_good_captures_or_every_evasion),
        cmocka_unit_test(test_captures_gain_what_is_asked_for),
        cmocka_unit_test(test_the_most_valuable_victim_comes_first),
        cmocka_unit_test(test_quiets_are_judged_by_what_is_attacked),
        cmocka_unit_test(test_histories_stay_within_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
