#include "worker/search/picker.h"

#include <stddef.h>

#include "chess/see.h"
#include "root/techniques.h"

/* The squares that the pieces of one type and colour attack. */
static Bitboard attacked_by(const Position *position, Color color, PieceType type)
{
    const Bitboard occupied = position_occupied(position);
    Bitboard pieces = position_pieces(position, color, type);
    Bitboard attacked = 0;
    while (pieces != 0) {
        attacked |= attacks_piece(type, bitboard_pop(&pieces), occupied);
    }
    return attacked;
}

Bitboard picker_attacked(const Position *position)
{
    const Color them = color_other(position_side(position));
    Bitboard attacked = bitboard_pawn_attacks(them, position_pieces(position, them, PAWN));
    for (int type = KNIGHT; type <= KING; type++) {
        attacked |= attacked_by(position, them, (PieceType)type);
    }
    return attacked;
}

static void init_common(Picker *picker, const Position *position, Bitboard attacked,
                        Ordering *ordering,
                        const Continuation *const continuations[PICKER_CONTINUATIONS], Move tt_move)
{
    picker->position = position;
    picker->attacked = attacked;
    picker->ordering = ordering;
    for (int i = 0; i < PICKER_CONTINUATIONS; i++) {
        picker->continuations[i] = continuations[i];
    }
    picker->tt_move = tt_move;
    picker->stage = tt_move != MOVE_NONE ? PICK_TT : PICK_GENERATE_CAPTURES;
    picker->skip_quiets = false;
    picker->tt = NULL;
    picker->see_threshold = 0;
    picker->next = 0;
    picker->bad_count = 0;
    picker->list.count = 0;
}

void picker_init(Picker *picker, const Position *position, Bitboard attacked, Ordering *ordering,
                 const Continuation *const continuations[PICKER_CONTINUATIONS], Move tt_move,
                 const Move refutations[PICKER_REFUTATIONS])
{
    init_common(picker, position, attacked, ordering, continuations, tt_move);
    picker->captures_only = false;
    for (int i = 0; i < PICKER_REFUTATIONS; i++) {
        picker->refutations[i] = refutations[i];
    }
}

void picker_init_quiescence(Picker *picker, const Position *position, Ordering *ordering,
                            const Continuation *const continuations[PICKER_CONTINUATIONS],
                            Move tt_move)
{
    const bool in_check = position_in_check(position);
    const Bitboard attacked = in_check ? picker_attacked(position) : 0; /* captures need it not */
    init_common(picker, position, attacked, ordering, continuations, tt_move);
    picker->captures_only = !in_check;
    for (int i = 0; i < PICKER_REFUTATIONS; i++) {
        picker->refutations[i] = MOVE_NONE;
    }
}

void picker_init_captures(Picker *picker, const Position *position, Ordering *ordering,
                          Move tt_move, int gain)
{
    const Continuation *none[PICKER_CONTINUATIONS] = {NULL}; /* captures need them not */
    picker_init_quiescence(picker, position, ordering, none, tt_move);
    picker->see_threshold = gain;
}

int picker_quiet_history(const Position *position, Bitboard attacked, Ordering *ordering,
                         const Continuation *const continuations[PICKER_CONTINUATIONS], Move move)
{
    const int index = ordering_move_index(position, move);
    int history = ordering_value(ordering_quiet(ordering, position_side(position), attacked, move));
    for (int i = 0; i < PICKER_CONTINUATIONS; i++) {
        if (continuations[i] != NULL) {
            history += ordering_value(&(*continuations[i])[index]);
        }
    }
    return history;
}

static void score_captures(Picker *picker)
{
    enum { VICTIM_WEIGHT = 32, PROMOTION_BONUS = 40000 };
    const Position *position = picker->position;
    for (int i = 0; i < picker->list.count; i++) {
        const Move move = picker->list.moves[i];
        const PieceType victim =
            move_flag(move) == MOVE_EN_PASSANT ? PAWN : position_type_on(position, move_to(move));
        int score = see_values[victim] * VICTIM_WEIGHT +
                    ordering_value(ordering_capture(picker->ordering, position, move));
        if (move_flag(move) == MOVE_PROMOTION) {
            score += move_promotion(move) == QUEEN ? PROMOTION_BONUS : -PROMOTION_BONUS;
        }
        picker->scores[i] = score;
    }
}

/* What quiets are scored by beside their history. */
typedef struct {
    Bitboard
        lesser[PIECE_TYPE_COUNT]; /* squares on which a lesser piece attacks one of this type */
    Bitboard checks[PIECE_TYPE_COUNT]; /* squares from which one of this type checks the king */
} QuietTerms;

static void find_threats(const Position *position, Bitboard lesser[PIECE_TYPE_COUNT])
{
    const Color them = color_other(position_side(position));
    lesser[PAWN] = 0;
    lesser[KNIGHT] = bitboard_pawn_attacks(them, position_pieces(position, them, PAWN));
    lesser[BISHOP] = lesser[KNIGHT];
    lesser[ROOK] =
        lesser[KNIGHT] | attacked_by(position, them, KNIGHT) | attacked_by(position, them, BISHOP);
    lesser[QUEEN] = lesser[ROOK] | attacked_by(position, them, ROOK);
    lesser[KING] = 0;
}

static void find_checks(const Position *position, Bitboard checks[PIECE_TYPE_COUNT])
{
    const Color us = position_side(position);
    const Square king = position_king(position, color_other(us));
    const Bitboard occupied = position_occupied(position);
    checks[PAWN] = attacks_pawn(color_other(us), king);
    checks[KNIGHT] = attacks_knight(king);
    checks[BISHOP] = attacks_bishop(king, occupied);
    checks[ROOK] = attacks_rook(king, occupied);
    checks[QUEEN] = checks[BISHOP] | checks[ROOK];
    checks[KING] = 0;
}

/* Leaving the attack of a lesser piece is good, and so are checks that lose little. */
static int score_terms(const Position *position, const QuietTerms *terms, Move move)
{
    static const int threat_bonus[PIECE_TYPE_COUNT] = {
        [KNIGHT] = 6000, [BISHOP] = 6000, [ROOK] = 12000, [QUEEN] = 20000};
    enum { CHECK_BONUS = 12000, CHECK_LOSS_MAX = 75 };
    const PieceType type = position_type_on(position, move_from(move));
    int score = 0;
    if (move_flag(move) != MOVE_NORMAL) {
        return 0;
    }
    if (USES_THREAT_ORDERING) {
        score += threat_bonus[type] * (bitboard_has(terms->lesser[type], move_from(move)) -
                                       bitboard_has(terms->lesser[type], move_to(move)));
    }
    if (USES_CHECK_ORDERING && bitboard_has(terms->checks[type], move_to(move)) &&
        see_at_least(position, move, -CHECK_LOSS_MAX)) {
        score += CHECK_BONUS;
    }
    return score;
}

static void score_quiets(Picker *picker)
{
    QuietTerms terms;
    find_threats(picker->position, terms.lesser);
    find_checks(picker->position, terms.checks);
    for (int i = picker->next; i < picker->list.count; i++) {
        const Move move = picker->list.moves[i];
        picker->scores[i] = picker_quiet_history(picker->position, picker->attacked,
                                                 picker->ordering, picker->continuations, move) +
                            score_terms(picker->position, &terms, move);
    }
}

/* Asks for the table's entry of the move's child, and returns the move. */
static Move look_at(const Picker *picker, Move move)
{
    if (picker->tt != NULL) {
        tt_prefetch(picker->tt, position_key_after(picker->position, move));
    }
    return move;
}

/* Brings the best of the list's rest to its front and returns it (one step of a selection sort). */
static Move take_best(Picker *picker)
{
    int best = picker->next;
    for (int i = best + 1; i < picker->list.count; i++) {
        if (picker->scores[i] > picker->scores[best]) {
            best = i;
        }
    }
    const Move move = picker->list.moves[best];
    const int score = picker->scores[best];
    picker->list.moves[best] = picker->list.moves[picker->next];
    picker->scores[best] = picker->scores[picker->next];
    picker->list.moves[picker->next] = move;
    picker->scores[picker->next] = score;
    picker->next++;
    return look_at(picker, move);
}

static Move next_good_capture(Picker *picker)
{
    const bool uses_see = picker->captures_only ? USES_QUIESCENCE_SEE : USES_SEE_ORDERING;
    while (picker->next < picker->list.count) {
        const Move move = take_best(picker);
        if (move == picker->tt_move) {
            continue;
        }
        if (!uses_see || see_at_least(picker->position, move, picker->see_threshold)) {
            return move;
        }
        /* bad_count never passes next, so this overwrites nothing that is still wanted. */
        picker->list.moves[picker->bad_count++] = move;
    }
    return MOVE_NONE;
}

static bool was_refutation(const Picker *picker, Move move)
{
    for (int i = 0; i < PICKER_REFUTATIONS; i++) {
        if (picker->refutations[i] == move) {
            return true;
        }
    }
    return false;
}

static Move next_refutation(Picker *picker)
{
    while (picker->next < PICKER_REFUTATIONS) {
        const int index = picker->next++;
        const Move move = picker->refutations[index];
        bool is_fresh = move != MOVE_NONE && move != picker->tt_move;
        for (int i = 0; i < index; i++) {
            is_fresh = is_fresh && picker->refutations[i] != move;
        }
        if (is_fresh && !move_is_tactical(picker->position, move) &&
            movegen_is_legal(picker->position, move)) {
            return look_at(picker, move);
        }
    }
    return MOVE_NONE;
}

static Move next_quiet(Picker *picker)
{
    while (picker->next < picker->list.count) {
        const Move move = take_best(picker);
        if (move != picker->tt_move && !was_refutation(picker, move)) {
            return move;
        }
    }
    return MOVE_NONE;
}

Move picker_next(Picker *picker)
{
    Move move;
    switch (picker->stage) {
    case PICK_TT:
        picker->stage = PICK_GENERATE_CAPTURES;
        return look_at(picker, picker->tt_move);

    case PICK_GENERATE_CAPTURES:
        movegen_captures(picker->position, &picker->list);
        score_captures(picker);
        picker->stage = PICK_GOOD_CAPTURES;
        /* fallthrough */

    case PICK_GOOD_CAPTURES:
        move = next_good_capture(picker);
        if (move != MOVE_NONE) {
            return move;
        }
        if (picker->captures_only) {
            picker->stage = PICK_DONE;
            return MOVE_NONE;
        }
        picker->stage = PICK_REFUTATIONS;
        picker->next = 0;
        /* fallthrough */

    case PICK_REFUTATIONS:
        if (!picker->skip_quiets) {
            move = next_refutation(picker);
            if (move != MOVE_NONE) {
                return move;
            }
        }
        picker->stage = PICK_GENERATE_QUIETS;
        /* fallthrough */

    case PICK_GENERATE_QUIETS:
        if (!picker->skip_quiets) {
            picker->next = picker->bad_count;
            picker->list.count = picker->bad_count;
            movegen_quiets(picker->position, &picker->list);
            score_quiets(picker);
        }
        picker->stage = PICK_QUIETS;
        /* fallthrough */

    case PICK_QUIETS:
        if (!picker->skip_quiets) {
            move = next_quiet(picker);
            if (move != MOVE_NONE) {
                return move;
            }
        }
        picker->stage = PICK_BAD_CAPTURES;
        picker->next = 0;
        /* fallthrough */

    case PICK_BAD_CAPTURES:
        if (picker->next < picker->bad_count) {
            return look_at(picker, picker->list.moves[picker->next++]);
        }
        picker->stage = PICK_DONE;
        /* fallthrough */

    default:
        return MOVE_NONE;
    }
}
