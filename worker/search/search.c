#include "worker/search/node.h"

#include "base/clamp.h"
#include "root/techniques.h"
#include "worker/search/learning.h"
#include "worker/search/selectivity.h"
#include "worker/search/sharing.h"

enum {
    REDUCE_WITHOUT_TT_DEPTH = 4, /* internal iterative reduction */
    DEFER_DEPTH_MIN = 5,         /* from here a move that others are at work on is put off */
};

/* ---- one node ---- */

/* The long arrays stay as they are, for clearing costs 5%. */
void node_init(Node *node, int ply, int depth, int alpha, int beta, bool in_check)
{
    node->ply = ply;
    node->depth = clamp(depth, 1, UINT8_MAX - TT_DEPTH_OFFSET);
    node->alpha = alpha;
    node->beta = beta;
    node->in_check = in_check;
    node->is_root = false;
    node->eldest_is_done = false;
    node->open_index = -1;
    node->split = NULL;
    node->result = NULL;
    node->tt_move = MOVE_NONE;
    node->move_count = 0;
    node->best = -SCORE_INFINITE;
    node->best_move = MOVE_NONE;
    node->quiet_count = 0;
    node->capture_count = 0;
    node->deferred_count = 0;
    node->deferred_taken = 0;
}

void search_reset_child(Search *search, int ply)
{
    Frame *child = search_frame(search, ply);
    child->killers[0] = MOVE_NONE;
    child->killers[1] = MOVE_NONE;
    child->excluded = MOVE_NONE;
    child[1].cutoffs = 0;
}

/* ---- static evaluation of a node ---- */

void node_evaluate(Search *search, Node *node, bool hit)
{
    Frame *frame = search_frame(search, node->ply);
    if (node->in_check) {
        frame->static_eval = SCORE_NONE;
        node->raw_eval = SCORE_NONE;
        node->eval = SCORE_NONE;
        node->improving = false;
        return;
    }
    node->raw_eval =
        hit && node->tt.eval != SCORE_NONE ? node->tt.eval : search_evaluate(search, frame);
    frame->static_eval = search_corrected(search, frame, node->raw_eval);
    node->eval = frame->static_eval;
    if (hit && node->tt.score != SCORE_NONE && !score_is_mate(node->tt.score) &&
        (node->tt.bound & (node->tt.score > node->eval ? BOUND_LOWER : BOUND_UPPER))) {
        node->eval = node->tt.score;
    }
    const int before = search_frame(search, node->ply - 2)->static_eval;
    const int long_before = search_frame(search, node->ply - 4)->static_eval;
    const int reference = before != SCORE_NONE ? before : long_before;
    node->improving = reference == SCORE_NONE || frame->static_eval > reference;
}

/* ---- the moves of a node ---- */

void node_prepare_moves(Search *search, Node *node)
{
    node->attacked = picker_attacked(&search_frame(search, node->ply)->position);
    search_continuations(search, node->ply, node->continuations);
}

static void init_picker(Search *search, Node *node)
{
    const Frame *frame = search_frame(search, node->ply);
    const Frame *parent = search_frame(search, node->ply - 1);
    const Move counter = parent->move != MOVE_NONE
                             ? ordering_counter(&search->learned->ordering, parent->move_index)
                             : MOVE_NONE;
    const Move refutations[PICKER_REFUTATIONS] = {frame->killers[0], frame->killers[1], counter};
    picker_init(&node->picker, &frame->position, node->attacked, &search->learned->ordering,
                node->continuations, node->tt_move, refutations);
    picker_prefetch(&node->picker, search->tt);
}

Candidate search_judge(Search *search, const Node *node, Move move)
{
    const Position *position = &search_frame(search, node->ply)->position;
    const bool is_quiet = !move_is_tactical(position, move);
    return (Candidate){
        .move = move,
        .is_quiet = is_quiet,
        .gives_check = position_gives_check(position, move),
        .history = is_quiet
                       ? picker_quiet_history(position, node->attacked, &search->learned->ordering,
                                              node->continuations, move)
                       : 0,
    };
}

/* A child with a null window; what it cost is remembered by its depth. */
static int search_null_window(Search *search, int ply, int depth, int alpha, bool is_cut)
{
    const uint64_t before = search->nodes + search->shared_nodes;
    const int score = -search_node(search, ply, depth, -alpha - 1, -alpha, is_cut);
    if (depth >= SPLIT_DEPTH_MIN - 1) {
        int64_t *mean = &search->mean_nodes[depth < DEPTHS_MAX ? depth : DEPTHS_MAX - 1];
        const uint64_t nodes = search->nodes + search->shared_nodes - before;
        *mean += ((int64_t)nodes * MEAN_SCALE - *mean) / MEAN_WEIGHT;
    }
    return score;
}

/*
 * The node's alpha may rise meanwhile, by the news of a share or of the job's bound, so that each
 * step reads it anew; but what a step has found is judged by the bound it was searched with: above
 * that it is only a lower bound, whatever alpha is by now.
 */
int node_search_move(Search *search, Node *node, const Candidate *candidate, bool open_window,
                     int plies_extended)
{
    const int child_ply = node->ply + 1;
    const int depth = node->depth - 1 + plies_extended;
    Frame *frame = search_frame(search, node->ply);
    Frame *child = search_frame(search, child_ply);

    const int reduced_by = open_window ? 0 : selectivity_reduction(search, node, candidate);
    const bool is_marked = node->depth >= DEFER_DEPTH_MIN;
    uint64_t mark = 0;
    if (is_marked) {
        mark = marks_name(frame->position.key, candidate->move, node->depth);
        marks_set(tt_marks(search->tt), mark);
    }
    search_make(search, node->ply, candidate->move);
    child->double_extensions += plies_extended >= 2;

    int bound = node->alpha; /* of the present step */
    int score = bound + 1;
    if (!open_window) {
        /* Null window, reduced; then unreduced if that was too good to be left at it. */
        const int reduced = clamp(depth - reduced_by, 1, depth < 1 ? 1 : depth);
        const bool is_reduced = reduced < depth && reduced_by > 0;
        if (is_reduced) {
            frame->reduction = depth - reduced;
            score = search_null_window(search, child_ply, reduced, bound, true);
            frame->reduction = 0;
        }
        if (!search->stopped && score > bound) {
            const int again =
                is_reduced ? depth + selectivity_adjustment(node, score, depth - reduced) : depth;
            if (!is_reduced || again > reduced || node->alpha > bound) {
                bound = node->alpha;
                score = search_null_window(search, child_ply, again, bound,
                                           node->is_pv || !node->is_cut);
            }
            if (is_reduced && candidate->is_quiet && score >= node->beta && !search->stopped) {
                /* It should not have been reduced: the moves before invite it. */
                learning_continuations(search, node->ply, frame->move_index, learning_bonus(depth));
            }
        }
    }
    if (!search->stopped && (open_window || (node->is_pv && score > bound && score < node->beta))) {
        score = -search_node(search, child_ply, depth, -node->beta, -node->alpha, false);
    }
    search_unmake(search);
    if (is_marked) {
        marks_unset(tt_marks(search->tt), mark);
    }
    return score;
}

bool node_take_score(Search *search, Node *node, Move move, int score)
{
    if (score <= node->best) {
        return false;
    }
    node->best = score;
    if (score <= node->alpha) {
        return false;
    }
    node->best_move = move;
    Frame *frame = search_frame(search, node->ply);
    if (node->is_pv) {
        line_extend(&frame->line, move, &search_frame(search, node->ply + 1)->line);
    }
    if (score >= node->beta) {
        return true;
    }
    node->alpha = score;
    sharing_raise(search, node);
    return false;
}

/* ---- a node of the tree ---- */

/* Whether what the table knows, as seen from here, answers a null window search. */
static bool table_cuts(const TtEntry *entry, int depth, int beta)
{
    return USES_TABLE_CUTOFFS && entry->score != SCORE_NONE &&
           (entry->depth >= depth + TT_DEPTH_OFFSET || tt_is_proven(entry->score, entry->bound)) &&
           (entry->bound & (entry->score >= beta ? BOUND_LOWER : BOUND_UPPER));
}

void node_store(Search *search, const Node *node, int depth, Move move, int score, Bound bound)
{
    const TtEntry entry = {
        .move = move,
        .score = (int16_t)tt_score_to_table(score, node->ply),
        .eval = (int16_t)node->raw_eval,
        .depth = (uint8_t)(depth + TT_DEPTH_OFFSET),
        .bound = (uint8_t)bound,
        .is_pv = node->tt_is_pv,
    };
    tt_store(search->tt, search_frame(search, node->ply)->position.key, &entry);
}

/* What all moves of the node have come to. */
static void store_score(Search *search, const Node *node, int old_alpha)
{
    const Bound bound = node->best >= node->beta                ? BOUND_LOWER
                        : node->is_pv && node->best > old_alpha ? BOUND_EXACT
                                                                : BOUND_UPPER;
    node_store(search, node, node->depth, node->best_move, node->best, bound);
}

/* The evaluation alone: half of all nodes end before their first move, and many come again. */
static void store_evaluation(Search *search, const Node *node)
{
    const TtEntry entry = {
        .score = SCORE_NONE,
        .eval = (int16_t)node->raw_eval,
        .depth = TT_DEPTH_OFFSET,
        .bound = BOUND_NONE,
        .is_pv = node->tt_is_pv,
    };
    tt_store(search->tt, search_frame(search, node->ply)->position.key, &entry);
}

/* Puts the node's present move off if another search is at work on it. */
static bool defer_move(Search *search, Node *node, Move move)
{
    if (node->depth < DEFER_DEPTH_MIN || node->best == -SCORE_INFINITE ||
        node->deferred_count == DEFERRED_MAX) {
        return false;
    }
    const uint64_t key = search_frame(search, node->ply)->position.key;
    if (!marks_has(tt_marks(search->tt), marks_name(key, move, node->depth))) {
        return false;
    }
    node->deferred[node->deferred_count] = move;
    node->deferred_numbers[node->deferred_count] = (uint8_t)node->move_count;
    node->deferred_count++;
    return true;
}

/* The next move of the picker that nobody is at work on, then what was put off. */
static bool pick_move(Search *search, Node *node, Move *move)
{
    const Move excluded = search_frame(search, node->ply)->excluded;
    while ((*move = picker_next(&node->picker)) != MOVE_NONE) {
        if (*move == excluded) {
            continue;
        }
        node->move_count++;
        if (!defer_move(search, node, *move)) {
            return true;
        }
    }
    if (node->deferred_taken == node->deferred_count) {
        return false;
    }
    *move = node->deferred[node->deferred_taken];
    node->move_count = node->deferred_numbers[node->deferred_taken];
    node->deferred_taken++;
    return true;
}

bool node_next_move(Search *search, Node *node, Move *move)
{
    if (node->split == NULL) {
        return pick_move(search, node, move);
    }
    while (!split_next(node->split, move, &node->move_count)) {
        if (node->split->shares_out == 0) {
            return false;
        }
        sharing_wait(search);
        if (search->stopped) {
            return false;
        }
    }
    return true;
}

/* The score of a node without a legal move, or with the only one excluded. */
static int score_without_moves(const Search *search, const Node *node)
{
    if (search->frames[FRAMES_BEFORE_ROOT + node->ply].excluded != MOVE_NONE) {
        return node->alpha;
    }
    return node->in_check ? score_mated_in(node->ply) : SCORE_DRAW;
}

/*
 * Whether another search has found, since the node's first move was begun, that it is cut off, and
 * its score. Not while the search is being left: that must go its way.
 */
static bool others_cut(Search *search, const Node *node, int *score)
{
    const Frame *frame = search_frame(search, node->ply);
    TtEntry entry;
    if (search->stopped || !node->eldest_is_done || node->is_pv || node->depth < DEFER_DEPTH_MIN ||
        frame->excluded != MOVE_NONE ||
        !search_probe(search, &frame->position, node->ply, &entry)) {
        return false;
    }
    *score = entry.score;
    return table_cuts(&entry, node->depth, node->beta) && *score >= node->beta;
}

/* The loop over all moves of an inner node; returns its score. */
static int search_moves(Search *search, Node *node)
{
    const int old_alpha = node->alpha;
    const bool is_singular_search = search_frame(search, node->ply)->excluded != MOVE_NONE;
    Move move;

    init_picker(search, node);
    sharing_open(search, node);
    while (node_next_move(search, node, &move)) {
        const Candidate candidate = search_judge(search, node, move);
        if (selectivity_prunes_move(search, node, &candidate)) {
            continue;
        }
        bool cut = false;
        int cut_score = 0;
        const int extended = selectivity_extension(search, node, &candidate, &cut, &cut_score);
        if (cut) {
            sharing_close(search, node);
            return cut_score;
        }
        int known = 0;
        if (others_cut(search, node, &known)) {
            sharing_close(search, node);
            return known;
        }
        const bool open_window = node->is_pv && node->move_count == 1;
        const int score =
            search->stopped ? 0 : node_search_move(search, node, &candidate, open_window, extended);
        if (search->stopped) {
            break;
        }
        if (node_take_score(search, node, move, score)) {
            break;
        }
        node->eldest_is_done = true;
        learning_note_tried(node, move, candidate.is_quiet);
    }
    sharing_close(search, node);
    if (search->stopped && !sharing_unwinding_ends(search, node)) {
        return 0;
    }
    if (node->move_count == 0) {
        return score_without_moves(search, node);
    }
    if (node->best >= node->beta) {
        search_frame(search, node->ply)->cutoffs++;
        learning_from_cutoff(search, node);
    }
    if (!is_singular_search) {
        learning_from_score(search, node, old_alpha);
        store_score(search, node, old_alpha);
    }
    return node->best;
}

/*
 * Alpha-beta, fail soft, of the position in the frame of `ply`. Steps as numbered; each of the
 * ideas has its page at chessprogramming.org under the name given.
 */
int search_node(Search *search, int ply, int depth, int alpha, int beta, bool is_cut)
{
    Frame *frame = search_frame(search, ply);
    const Position *position = &frame->position;

    /* 1. Horizon. */
    if (depth <= 0) {
        return quiescence(search, ply, alpha, beta);
    }
    frame->line.length = 0;
    if (search_enter_node(search, ply)) {
        return 0;
    }

    /* 2. Draws, the end of the stack, mate distance pruning. */
    const bool in_check = position_in_check(position);
    if (ply > 0) {
        if (search_is_draw(search, ply)) {
            return SCORE_DRAW;
        }
        if (ply >= PLY_MAX) {
            return in_check ? SCORE_DRAW : search_evaluate(search, frame);
        }
        if (USES_MATE_DISTANCE_PRUNING) {
            alpha = alpha > score_mated_in(ply) ? alpha : score_mated_in(ply);
            beta = beta < score_mate_in(ply + 1) ? beta : score_mate_in(ply + 1);
            if (alpha >= beta) {
                return alpha;
            }
        }
    }

    Node node;
    node_init(&node, ply, depth, alpha, beta, in_check);
    node.is_pv = beta - alpha > 1;
    node.is_cut = is_cut;

    /* 3. Transposition table. */
    const bool hit = search_probe(search, position, ply, &node.tt);
    if (hit) {
        if (movegen_is_legal(position, node.tt.move)) {
            node.tt_move = node.tt.move;
        }
    } else {
        node.tt = (TtEntry){.score = SCORE_NONE, .eval = SCORE_NONE};
    }
    if (hit && !node.is_pv && frame->excluded == MOVE_NONE && table_cuts(&node.tt, depth, beta)) {
        return node.tt.score;
    }
    node.tt_is_pv = node.is_pv || (hit && node.tt.is_pv);

    /* 4. Static evaluation. */
    search_reset_child(search, ply + 1);
    node_evaluate(search, &node, hit);
    if (!hit && !in_check) {
        store_evaluation(search, &node);
    }
    node.depth += selectivity_hindsight(search, &node);

    /* 5. Razoring, reverse futility, null move, ProbCut. */
    int score = 0;
    if (!node.is_pv && !in_check && frame->excluded == MOVE_NONE &&
        selectivity_prunes_node(search, &node, &score)) {
        return score;
    }

    /* 6. Internal iterative reduction: without a table move the order is poor, so look less deep.
     */
    if (USES_INTERNAL_ITERATIVE_REDUCTION && node.tt_move == MOVE_NONE &&
        depth >= REDUCE_WITHOUT_TT_DEPTH && (node.is_pv || is_cut)) {
        node.depth--;
    }

    /* 7. The moves. */
    node_prepare_moves(search, &node);
    return search_moves(search, &node);
}
