#include "worker/search/learning.h"

#include "base/clamp.h"
#include "root/techniques.h"

int learning_bonus(int depth)
{
    enum { BONUS_A_PLY = 200, BONUS_OFF = 100, BONUS_MAX = 2000 };
    return clamp(BONUS_A_PLY * depth - BONUS_OFF, 0, BONUS_MAX);
}

void learning_continuations(Search *search, int ply, int index, int bonus)
{
    for (int i = 0; i < PICKER_CONTINUATIONS; i++) {
        const Frame *frame = search_frame(search, ply - continuation_plies[i]);
        if (frame->continuation != NULL) {
            ordering_update(&search->learned->ordering.continuation[frame->move_index][index],
                            bonus);
        }
    }
}

static void update_quiet(Search *search, const Node *node, Move move, int bonus)
{
    const Position *position = &search_frame(search, node->ply)->position;
    if (USES_BUTTERFLY_HISTORY) {
        ordering_update(ordering_quiet(&search->learned->ordering, position_side(position),
                                       node->attacked, move),
                        bonus);
    }
    learning_continuations(search, node->ply, ordering_move_index(position, move), bonus);
}

static void update_capture(Search *search, const Node *node, Move move, int bonus)
{
    if (USES_CAPTURE_HISTORY) {
        const Position *position = &search_frame(search, node->ply)->position;
        ordering_update(ordering_capture(&search->learned->ordering, position, move), bonus);
    }
}

void learning_from_cutoff(Search *search, const Node *node)
{
    Frame *frame = search_frame(search, node->ply);
    const Position *position = &frame->position;
    const int bonus = learning_bonus(node->depth);

    if (move_is_tactical(position, node->best_move)) {
        update_capture(search, node, node->best_move, bonus);
    } else {
        const Frame *parent = search_frame(search, node->ply - 1);
        if (USES_KILLERS && frame->killers[0] != node->best_move) {
            frame->killers[1] = frame->killers[0];
            frame->killers[0] = node->best_move;
        }
        if (USES_COUNTERMOVE && parent->move != MOVE_NONE) {
            ordering_set_counter(&search->learned->ordering, parent->move_index, node->best_move);
        }
        update_quiet(search, node, node->best_move, bonus);
        for (int i = 0; i < node->quiet_count; i++) {
            update_quiet(search, node, node->quiets[i], -bonus);
        }
    }
    for (int i = 0; i < node->capture_count; i++) {
        update_capture(search, node, node->captures[i], -bonus);
    }
}

void learning_from_score(Search *search, const Node *node, int old_alpha)
{
    const Frame *frame = search_frame(search, node->ply);
    const int difference = node->best - frame->static_eval;
    const bool is_bound_only = (node->best >= node->beta && difference <= 0) ||
                               (node->best <= old_alpha && difference >= 0);
    if (USES_CORRECTION && !node->in_check && !is_bound_only && !score_is_mate(node->best) &&
        (node->best_move == MOVE_NONE || !move_is_tactical(&frame->position, node->best_move))) {
        correction_learn(&search->learned->correction, &frame->position, difference, node->depth);
    }
}

void learning_note_tried(Node *node, Move move, bool is_quiet)
{
    if (is_quiet && node->quiet_count < TRIED_MAX) {
        node->quiets[node->quiet_count++] = move;
    } else if (!is_quiet && node->capture_count < TRIED_MAX) {
        node->captures[node->capture_count++] = move;
    }
}
