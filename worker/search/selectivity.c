#include "worker/search/selectivity.h"

#include "base/clamp.h"
#include "chess/see.h"
#include "root/techniques.h"
#include "worker/search/reductions.h"

/* cp and plies */
enum {
    REVERSE_FUTILITY_DEPTH_MAX = 8,
    REVERSE_FUTILITY_MARGIN = 75, /* a ply */
    RAZOR_DEPTH_MAX = 3,
    RAZOR_MARGIN = 250, /* a ply */
    NULL_MOVE_DEPTH_MIN = 3,
    NULL_MOVE_VERIFY_DEPTH = 12, /* from here a null move cutoff is verified */
    PROBCUT_DEPTH_MIN = 5,
    PROBCUT_MARGIN = 95,
    PROBCUT_IMPROVING = 25, /* less margin where the evaluation improves */
    PROBCUT_REDUCTION = 4,  /* plies, for the move and the search behind it */
    FUTILITY_DEPTH_MAX = 8,
    FUTILITY_BASE = 90,
    FUTILITY_MARGIN = 95, /* a ply */
    CAPTURE_FUTILITY_DEPTH_MAX = 6,
    CAPTURE_FUTILITY_BASE = 200,
    CAPTURE_FUTILITY_MARGIN = 180, /* a ply */
    CAPTURE_FUTILITY_HISTORY = 32, /* history points that make up for 1 cp */
    HISTORY_PRUNING_DEPTH_MAX = 4,
    HISTORY_PRUNING_MARGIN = 3500, /* history points a ply */
    SEE_PRUNING_DEPTH_MAX = 9,
    SEE_QUIET_MARGIN = 22,   /* a squared ply */
    SEE_CAPTURE_MARGIN = 95, /* a ply */
    SINGULAR_DEPTH_MIN = 7,
    SINGULAR_TT_SLACK = 3, /* plies that the table may be shallower */
    SINGULAR_MARGIN = 2,   /* a ply */
    DOUBLE_EXTENSION_MARGIN = 20,
    DOUBLE_EXTENSIONS_MAX = 6, /* on one path */
    HISTORY_A_PLY = 5000,      /* history points that change a reduction by one */
    HISTORY_PLIES_MAX = 3,     /* ... and by how many at most */
    CUTOFFS_MANY = 4,          /* replies that cut off: a node where little is to be gained */
};

/* ---- a node before its first move ---- */

int selectivity_hindsight(Search *search, const Node *node)
{
    enum { MUCH = 170 }; /* cp that the move has lost, by both evaluations */
    const Frame *parent = search_frame(search, node->ply - 1);
    if (!USES_HINDSIGHT || node->ply == 0 || node->in_check || node->is_pv ||
        parent->move == MOVE_NONE || parent->static_eval == SCORE_NONE) {
        return 0;
    }
    const int lost = search_frame(search, node->ply)->static_eval + parent->static_eval;
    if (parent->reduction >= 3 && lost < 0) {
        return 1;
    }
    return parent->reduction >= 2 && node->depth >= 2 && lost > MUCH ? -1 : 0;
}

/* Passing is almost never better than moving, so a fail high after a pass is one indeed. */
static bool null_move_cuts(Search *search, const Node *node, int *score)
{
    const Frame *frame = search_frame(search, node->ply);
    const Frame *parent = search_frame(search, node->ply - 1);
    const Position *position = &frame->position;
    if (!USES_NULL_MOVE || node->depth < NULL_MOVE_DEPTH_MIN || node->eval < node->beta ||
        frame->static_eval < node->beta - 10 * node->depth + 75 || parent->move == MOVE_NONE ||
        node->ply < search->null_move_ply_min || score_is_loss(node->beta) ||
        position_officers(position, position_side(position)) == 0) {
        return false;
    }
    const int reduction = 4 + node->depth / 4 + clamp((node->eval - node->beta) / 200, 0, 3);
    search_make_null(search, node->ply);
    tt_prefetch(search->tt, search_frame(search, node->ply + 1)->position.key);
    int value = -search_node(search, node->ply + 1, node->depth - reduction, -node->beta,
                             -node->beta + 1, !node->is_cut);
    search_unmake(search);
    if (search->stopped || value < node->beta) {
        return false;
    }
    value = score_is_win(value) ? node->beta : value; /* a mate after a pass proves nothing */
    if (USES_NULL_MOVE_VERIFICATION && node->depth >= NULL_MOVE_VERIFY_DEPTH &&
        search->null_move_ply_min == 0) {
        /* Zugzwang: the same depth without null moves near this node must agree. */
        search->null_move_ply_min = node->ply + 3 * (node->depth - reduction) / 4;
        const int verified = search_node(search, node->ply, node->depth - reduction, node->beta - 1,
                                         node->beta, false);
        search->null_move_ply_min = 0;
        if (search->stopped || verified < node->beta) {
            return false;
        }
    }
    *score = value;
    return true;
}

/* How deep the node is searched by a capture's shallow search. */
static int probcut_depth(const Node *node)
{
    return node->depth - PROBCUT_REDUCTION + 1;
}

/* Whether a search of that depth or more has come to less than `bound` already. */
static bool table_denies(const Node *node, int bound)
{
    return node->tt.score != SCORE_NONE && node->tt.score < bound &&
           node->tt.depth >= TT_DEPTH_OFFSET + probcut_depth(node);
}

/* The score of a capture for ProbCut: by quiescence, and if that passes, by a shallow search. */
static int probe_capture(Search *search, const Node *node, Move move, int bound)
{
    search_make(search, node->ply, move);
    int score = -quiescence(search, node->ply + 1, -bound, -bound + 1);
    if (!search->stopped && score >= bound) {
        score = -search_node(search, node->ply + 1, probcut_depth(node) - 1, -bound, -bound + 1,
                             !node->is_cut);
    }
    search_unmake(search);
    return score;
}

/* A capture that passes beta by a margin in a much shallower search passes it in this one, too. */
static bool probcut_cuts(Search *search, const Node *node, int *score)
{
    const Frame *frame = search_frame(search, node->ply);
    const Position *position = &frame->position;
    const int bound = node->beta + PROBCUT_MARGIN - PROBCUT_IMPROVING * node->improving;
    const int gain = bound - frame->static_eval;
    if (!USES_PROBCUT || node->depth < PROBCUT_DEPTH_MIN || score_is_mate(node->beta) ||
        table_denies(node, bound)) {
        return false;
    }
    const bool starts_with_table = node->tt_move != MOVE_NONE &&
                                   move_is_tactical(position, node->tt_move) &&
                                   see_at_least(position, node->tt_move, gain);
    Picker picker;
    picker_init_captures(&picker, position, &search->learned->ordering,
                         starts_with_table ? node->tt_move : MOVE_NONE, gain);
    picker_prefetch(&picker, search->tt);
    for (Move move = picker_next(&picker); move != MOVE_NONE; move = picker_next(&picker)) {
        const int found = probe_capture(search, node, move, bound);
        if (search->stopped) {
            return false;
        }
        if (found >= bound) {
            node_store(search, node, probcut_depth(node), move, found, BOUND_LOWER);
            *score = score_is_mate(found) ? node->beta : found - (bound - node->beta);
            return true;
        }
    }
    return false;
}

bool selectivity_prunes_node(Search *search, const Node *node, int *score)
{
    const int depth = node->depth;
    /* Razoring: so far below alpha that only captures could help. */
    if (USES_RAZORING && depth <= RAZOR_DEPTH_MAX &&
        node->eval + RAZOR_MARGIN * depth < node->alpha) {
        *score = quiescence(search, node->ply, node->alpha, node->alpha + 1);
        if (search->stopped || *score <= node->alpha) {
            return true;
        }
    }
    /* Reverse futility: so far above beta that no quiet reply brings it back. */
    if (USES_REVERSE_FUTILITY && depth <= REVERSE_FUTILITY_DEPTH_MAX &&
        !score_is_loss(node->beta) && !score_is_win(node->eval) &&
        node->eval - REVERSE_FUTILITY_MARGIN * (depth - node->improving) >= node->beta) {
        *score = (node->eval + node->beta) / 2;
        return true;
    }
    return null_move_cuts(search, node, score) || search->stopped ||
           probcut_cuts(search, node, score) || search->stopped;
}

/* ---- a move ---- */

/* Whether what it takes does not bring a late capture near alpha. */
static bool is_futile_capture(Search *search, const Node *node, const Candidate *candidate,
                              int reduced)
{
    const Position *position = &search_frame(search, node->ply)->position;
    if (candidate->is_quiet || candidate->gives_check || node->in_check ||
        reduced > CAPTURE_FUTILITY_DEPTH_MAX || move_flag(candidate->move) != MOVE_NORMAL) {
        return false;
    }
    const int victim = see_values[position_type_on(position, move_to(candidate->move))];
    const int history =
        ordering_value(ordering_capture(&search->learned->ordering, position, candidate->move));
    return node->eval + CAPTURE_FUTILITY_BASE + CAPTURE_FUTILITY_MARGIN * reduced + victim +
               history / CAPTURE_FUTILITY_HISTORY <=
           node->alpha;
}

bool selectivity_prunes_move(Search *search, Node *node, const Candidate *candidate)
{
    const Frame *frame = search_frame(search, node->ply);
    const Position *position = &frame->position;
    const int depth = node->depth;
    const int reduced =
        clamp(depth - reductions_plies(candidate->is_quiet, depth, node->move_count), 1, depth);

    if (node->is_root || score_is_loss(node->best) || node->best == -SCORE_INFINITE ||
        position_officers(position, position_side(position)) == 0) {
        return false;
    }
    if (candidate->is_quiet) {
        /* Late move pruning: the best moves have come by now. Not of evasions, nor where the value
           itself is asked for. */
        if (USES_LATE_MOVE_PRUNING && !node->is_pv && !node->in_check && !candidate->gives_check &&
            node->move_count >= (4 + depth * depth) / (node->improving ? 1 : 2)) {
            picker_skip_quiets(&node->picker);
        }
        /* Futility: a quiet move does not make up for this much, unless by a check to come. */
        if (USES_FUTILITY && !node->in_check && !candidate->gives_check &&
            reduced <= FUTILITY_DEPTH_MAX &&
            node->eval + FUTILITY_BASE + FUTILITY_MARGIN * reduced <= node->alpha) {
            return true;
        }
        if (USES_HISTORY_PRUNING && reduced <= HISTORY_PRUNING_DEPTH_MAX &&
            candidate->history < -HISTORY_PRUNING_MARGIN * depth) {
            return true;
        }
    }
    if (USES_CAPTURE_FUTILITY && is_futile_capture(search, node, candidate, reduced)) {
        return true;
    }
    if (USES_SEE_PRUNING && depth <= SEE_PRUNING_DEPTH_MAX) {
        const int threshold = candidate->is_quiet ? -SEE_QUIET_MARGIN * reduced * reduced
                                                  : -SEE_CAPTURE_MARGIN * depth;
        return !see_at_least(position, candidate->move, threshold);
    }
    return false;
}

int selectivity_extension(Search *search, Node *node, const Candidate *candidate, bool *cut,
                          int *cut_score)
{
    Frame *frame = search_frame(search, node->ply);
    const Move move = candidate->move;
    if (node->ply >= 2 * search->root_depth + search->root_ply) {
        return 0; /* extensions have doubled the line already */
    }
    if (USES_SINGULAR_EXTENSION && move == node->tt_move && node->depth >= SINGULAR_DEPTH_MIN &&
        frame->excluded == MOVE_NONE && (node->tt.bound & BOUND_LOWER) &&
        !score_is_mate(node->tt.score) &&
        node->tt.depth >= TT_DEPTH_OFFSET + node->depth - SINGULAR_TT_SLACK) {
        const int bound = node->tt.score - SINGULAR_MARGIN * node->depth;
        frame->excluded = move;
        const int score =
            search_node(search, node->ply, (node->depth - 1) / 2, bound - 1, bound, node->is_cut);
        frame->excluded = MOVE_NONE;
        if (search->stopped) {
            return 0;
        }
        if (score < bound) {
            const bool twice = !node->is_pv && score < bound - DOUBLE_EXTENSION_MARGIN &&
                               frame->double_extensions < DOUBLE_EXTENSIONS_MAX;
            return twice ? 2 : 1;
        }
        if (bound >= node->beta) {
            *cut = true;
            *cut_score = bound;
            return 0;
        }
        return node->tt.score >= node->beta ? -2 : node->is_cut ? -1 : 0;
    }
    return USES_CHECK_EXTENSION && candidate->gives_check && see_at_least(&frame->position, move, 0)
               ? 1
               : 0;
}

/* Whole plies of a reduction that may be negative, rounded towards less reduction. */
static int whole_plies(int fine)
{
    return fine >= 0 ? fine / REDUCTIONS_PLY : -((REDUCTIONS_PLY - 1 - fine) / REDUCTIONS_PLY);
}

int selectivity_reduction(const Search *search, const Node *node, const Candidate *candidate)
{
    const int number = node->move_count;
    if (!USES_LATE_MOVE_REDUCTIONS || node->depth < 2 ||
        number <= 1 + (node->is_pv && node->is_root)) {
        return 0;
    }
    const Frame *frame = &search->frames[FRAMES_BEFORE_ROOT + node->ply];
    const Move move = candidate->move;
    int fine = reductions_fine(candidate->is_quiet, node->depth, number);
    if (USES_HISTORY_REDUCTIONS && candidate->is_quiet) {
        fine -= clamp(candidate->history * REDUCTIONS_PLY / HISTORY_A_PLY,
                      -HISTORY_PLIES_MAX * REDUCTIONS_PLY, HISTORY_PLIES_MAX * REDUCTIONS_PLY);
    }
    int plies = whole_plies(fine);
    plies -= node->is_pv || node->tt_is_pv;
    plies += !node->improving;
    plies -= 2 * candidate->gives_check;
    if (candidate->is_quiet) {
        plies += 2 * node->is_cut;
        if (USES_CUTOFF_REDUCTIONS) {
            plies +=
                node->tt_move != MOVE_NONE && move_is_tactical(&frame->position, node->tt_move);
            /* Not at the root: its jobs each count for themselves, and tactics begin there. */
            plies += !node->is_root && frame[1].cutoffs >= CUTOFFS_MANY;
        }
        plies -= move == frame->killers[0] || move == frame->killers[1];
    }
    return plies;
}

int selectivity_adjustment(const Node *node, int score, int plies_reduced)
{
    enum { BETTER = 40, BETTER_A_PLY = 6 }; /* cp */
    if (!USES_ADJUSTED_RESEARCH) {
        return 0;
    }
    return (score > node->best + BETTER + BETTER_A_PLY * plies_reduced) -
           (score < node->best + node->depth / 2);
}
