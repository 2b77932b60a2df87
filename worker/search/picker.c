#include "worker/search/picker.h"

#include <stddef.h>

#include "chess/see.h"
#include "root/techniques.h"

static void init_common(Picker *picker, const Position *position, Ordering *ordering,
                        const Continuation *const continuations[PICKER_CONTINUATIONS], Move tt_move)
{
    picker->position = position;
    picker->ordering = ordering;
    for (int i = 0; i < PICKER_CONTINUATIONS; i++) {
        picker->continuations[i] = continuations[i];
    }
    picker->tt_move = tt_move;
    picker->stage = tt_move != MOVE_NONE ? PICK_TT : PICK_GENERATE_CAPTURES;
    picker->skip_quiets = false;
    picker->see_threshold = 0;
    picker->next = 0;
    picker->bad_count = 0;
    picker->list.count = 0;
}

void picker_init(Picker *picker, const Position *position, Ordering *ordering,
                 const Continuation *const continuations[PICKER_CONTINUATIONS], Move tt_move,
                 const Move refutations[PICKER_REFUTATIONS])
{
    init_common(picker, position, ordering, continuations, tt_move);
    picker->captures_only = false;
    for (int i = 0; i < PICKER_REFUTATIONS; i++) {
        picker->refutations[i] = refutations[i];
    }
}

void picker_init_quiescence(Picker *picker, const Position *position, Ordering *ordering,
                            const Continuation *const continuations[PICKER_CONTINUATIONS],
                            Move tt_move)
{
    init_common(picker, position, ordering, continuations, tt_move);
    picker->captures_only = !position_in_check(position);
    for (int i = 0; i < PICKER_REFUTATIONS; i++) {
        picker->refutations[i] = MOVE_NONE;
    }
}

int picker_quiet_history(const Position *position, const Ordering *ordering,
                         const Continuation *const continuations[PICKER_CONTINUATIONS], Move move)
{
    const int index = ordering_move_index(position, move);
    int history = ordering_value(&ordering->quiet[position_side(position)][ordering_from_to(move)]);
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

static void score_quiets(Picker *picker)
{
    for (int i = picker->next; i < picker->list.count; i++) {
        picker->scores[i] = picker_quiet_history(picker->position, picker->ordering,
                                                 picker->continuations, picker->list.moves[i]);
    }
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
    return move;
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
            return move;
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
        return picker->tt_move;

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
            return picker->list.moves[picker->next++];
        }
        picker->stage = PICK_DONE;
        /* fallthrough */

    default:
        return MOVE_NONE;
    }
}
