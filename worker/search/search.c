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

/* Sets what every node starts with; the long arrays stay as they are, for clearing costs 5%. */
static void init_node(Node *node, int ply, int depth, int alpha, int beta, bool in_check)
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

/*
 * Forgets what nephews left behind; killers are shared by brothers only, cutoffs are counted among
 * cousins.
 */
static void reset_child(Search *search, int ply)
{
    Frame *child = search_frame(search, ply);
    child->killers[0] = MOVE_NONE;
    child->killers[1] = MOVE_NONE;
    child->excluded = MOVE_NONE;
    child[1].cutoffs = 0;
}

/* ---- static evaluation of a node ---- */

static void evaluate_node(Search *search, Node *node, bool hit)
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

/* What the node's moves are ordered and judged by. */
static void prepare_moves(Search *search, Node *node)
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
 * Searches the node's present move: extension, reduction and the whole ladder of windows. Local and
 * remote brothers alike come through here. The node's alpha may rise meanwhile, by the news of a
 * share or of the job's bound, so that each step reads it anew; but what a step has found is judged
 * by the bound it was searched with: above that it is only a lower bound, whatever alpha is by now.
 */
static int search_brother(Search *search, Node *node, const Candidate *candidate, bool open_window,
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
    child->double_extensions = frame->double_extensions + (plies_extended >= 2);

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
            bound = node->alpha;
            score =
                search_null_window(search, child_ply, depth, bound, node->is_pv || !node->is_cut);
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

/* Takes a move's score into the node; true when the node is cut off. */
static bool take_score(Search *search, Node *node, Move move, int score)
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

static void store_node(Search *search, const Node *node, int old_alpha)
{
    const Frame *frame = search_frame(search, node->ply);
    const Bound bound = node->best >= node->beta                ? BOUND_LOWER
                        : node->is_pv && node->best > old_alpha ? BOUND_EXACT
                                                                : BOUND_UPPER;
    const TtEntry entry = {
        .move = node->best_move,
        .score = (int16_t)tt_score_to_table(node->best, node->ply),
        .eval = (int16_t)node->raw_eval,
        .depth = (uint8_t)(node->depth + TT_DEPTH_OFFSET),
        .bound = (uint8_t)bound,
        .is_pv = node->tt_is_pv,
    };
    tt_store(search->tt, frame->position.key, &entry);
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

/* The next move and its number; waits for the node's shares when nothing else is left. */
static bool next_move(Search *search, Node *node, Move *move)
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
    while (next_move(search, node, &move)) {
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
            search->stopped ? 0 : search_brother(search, node, &candidate, open_window, extended);
        if (search->stopped) {
            break;
        }
        if (take_score(search, node, move, score)) {
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
        store_node(search, node, old_alpha);
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
    init_node(&node, ply, depth, alpha, beta, in_check);
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
    reset_child(search, ply + 1);
    evaluate_node(search, &node, hit);
    node.depth += selectivity_hindsight(search, &node);

    /* 5. Razoring, reverse futility, null move. */
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
    prepare_moves(search, &node);
    return search_moves(search, &node);
}

/* ---- jobs ---- */

/* Sets up stack and history for the job's node; returns its ply. */
static int replay_path(Search *search, const SearchJob *job)
{
    search->history = *job->game;
    for (int i = 0; i < FRAMES_BEFORE_ROOT; i++) {
        Frame *frame = &search->frames[i];
        frame->move = MOVE_NONE;
        frame->continuation = NULL;
        frame->static_eval = SCORE_NONE;
    }
    Frame *root = search_frame(search, 0);
    root->position = *job->root;
    root->double_extensions = 0;
    for (int ply = 0; ply < job->path_length; ply++) {
        Frame *frame = search_frame(search, ply);
        frame->static_eval = position_in_check(&frame->position)
                                 ? SCORE_NONE
                                 : search_corrected(search, frame, search_evaluate(search, frame));
        if (job->path[ply] == MOVE_NONE) {
            search_make_null(search, ply);
        } else {
            search_make(search, ply, job->path[ply]);
        }
        search_frame(search, ply + 1)->double_extensions = 0;
    }
    search_frame(search, job->path_length + 1)->cutoffs = 0; /* of earlier jobs */
    return job->path_length;
}

/* The job's node: as the search itself would have it after its eldest moves. */
static void init_job_node(Search *search, const SearchJob *job, int ply, SearchResult *result,
                          Node *node)
{
    Frame *frame = search_frame(search, ply);
    init_node(node, ply, job->depth, job->alpha, job->beta, position_in_check(&frame->position));
    node->is_root = !job->is_split;
    node->is_pv = job->kind == NODE_PV;
    node->is_cut = job->kind == NODE_CUT;
    node->tt_is_pv = job->is_split ? job->was_pv : node->is_pv;
    node->tt = (TtEntry){.score = SCORE_NONE, .eval = SCORE_NONE};
    node->eldest_is_done = !job->is_eldest;
    node->result = result;
    if (job->is_split) {
        node->best = job->best;
        frame->double_extensions = job->double_extensions;
    }
    frame->excluded = MOVE_NONE;
    frame->line.length = 0;
    if (job->is_split) {
        reset_child(search, ply); /* of whatever was searched before */
    }
    reset_child(search, ply + 1);
    evaluate_node(search, node, false);
    prepare_moves(search, node);
    node->split = split_open(&search->splits, node);
    CHECK(node->split != NULL);
    for (int i = 0; i < job->move_count; i++) {
        split_add(node->split, job->moves[i], job->numbers[i]);
    }
}

/* Whether the job's window, as others have raised its alpha meanwhile, leaves anything to do. */
static bool job_is_open(Search *search)
{
    sharing_refresh_alpha(search);
    return !search->stopped && search->job_node->alpha < search->job_node->beta;
}

/* The job's share of its node's moves, through the same ladder as any other node's. */
static void search_share(Search *search, const SearchJob *job, int ply, SearchResult *result)
{
    Node node;
    Move move;
    init_job_node(search, job, ply, result, &node);
    sharing_open(search, &node);
    /* cppcheck-suppress autoVariables ; taken back below, before the node goes */
    search->job_node = &node;
    bool is_eldest = job->is_eldest;
    while (job_is_open(search) && next_move(search, &node, &move)) {
        const uint64_t nodes_before = search->nodes + search->shared_nodes;
        const Candidate candidate = search_judge(search, &node, move);
        bool cut = false;
        int cut_score = 0;
        int score = node.best;
        const bool is_pruned = selectivity_prunes_move(search, &node, &candidate);
        if (!is_pruned) {
            const int extended = selectivity_extension(search, &node, &candidate, &cut, &cut_score);
            score = search_brother(search, &node, &candidate, is_eldest, extended);
        }
        if (search->stopped) {
            break;
        }
        const int alpha_before = node.alpha;
        const bool is_cutoff = take_score(search, &node, move, score);
        node.eldest_is_done = true;
        result->costs[result->cost_count++] =
            (MoveCost){.move = move, .nodes = search->nodes + search->shared_nodes - nodes_before};
        if (score > alpha_before) {
            sharing_report_improvement(search, &node);
        }
        if (is_cutoff || (is_eldest && score <= alpha_before)) {
            break; /* younger brothers wait for an eldest inside the window */
        }
        if (is_eldest) {
            /* As if they came in a job of their own. */
            reset_child(search, ply + 1);
            evaluate_node(search, &node, false);
            is_eldest = false;
        }
        if (!is_pruned) {
            learning_note_tried(&node, move, candidate.is_quiet);
        }
    }
    search->job_node = NULL;
    sharing_close(search, &node);
    const bool is_stopped = search->stopped && !sharing_unwinding_ends(search, &node);
    if (!is_stopped || result->cost_count > 0) {
        result->score = node.best; /* of the moves that are done */
    }
    if (is_stopped) {
        return;
    }
    if (job->is_split && node.best >= node.beta && node.best_move != MOVE_NONE) {
        learning_from_cutoff(search, &node);
    }
}

/* A whole node, entered as the search itself would. */
static void search_whole(Search *search, const SearchJob *job, int ply, SearchResult *result)
{
    Frame *frame = search_frame(search, ply);
    frame->excluded = MOVE_NONE;
    const int score =
        search_node(search, ply, job->depth, job->alpha, job->beta, job->kind == NODE_CUT);
    if (search->stopped) {
        return;
    }
    result->score = score;
    if (score > job->alpha && frame->line.length > 0) {
        result->line = frame->line;
        result->line.score = score;
        result->line.bound = score >= job->beta ? BOUND_LOWER : BOUND_EXACT;
        result->line.depth = job->depth;
        result->line.selective_depth = search->selective_depth;
    }
}

void search_run(Search *search, const SearchJob *job, SearchControl *control,
                const SearchHost *host, SearchResult *result)
{
    CHECK(job->path_length <= PLY_MAX / 2 && job->depth > 0);
    atomic_store_explicit(&control->alpha, job->alpha, memory_order_relaxed);
    search->control = control;
    search->host = host;
    search->root_depth = job->is_split ? job->root_depth : job->depth;
    search->nodes = 0;
    search->shared_nodes = 0;
    search->node_budget = job->node_budget > 0 ? job->node_budget : UINT64_MAX;
    search->next_event = 0;
    search->selective_depth = 0;
    search->null_move_ply_min = job->is_split ? job->null_move_ply_min : 0;
    search->stopped = false;
    search->unwind_to = NULL;
    search->job_node = NULL;
    search->open_count = 0;
    split_clear(&search->splits);

    result->score = -SCORE_INFINITE;
    result->line.length = 0;
    result->cost_count = 0;
    const int ply = replay_path(search, job);
    search->root_ply = job->is_split ? 0 : ply;
    if (job->move_count > 0) {
        search_share(search, job, ply, result);
    } else {
        search_whole(search, job, ply, result);
    }
    result->nodes = search->nodes + search->shared_nodes;
    result->own_nodes = search->nodes;
    result->selective_depth = search->selective_depth;
    result->stopped = search->stopped;
}
