#include "worker/search/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "chess/see.h"
#include "root/techniques.h"
#include "worker/search/reductions.h"

/* ---- pruning and extension parameters: cp and plies ---- */

enum {
    REVERSE_FUTILITY_DEPTH_MAX = 8,
    REVERSE_FUTILITY_MARGIN = 75, /* a ply */
    RAZOR_DEPTH_MAX = 3,
    RAZOR_MARGIN = 250, /* a ply */
    NULL_MOVE_DEPTH_MIN = 3,
    NULL_MOVE_VERIFY_DEPTH = 12, /* from here a null move cutoff is verified */
    REDUCE_WITHOUT_TT_DEPTH = 4, /* internal iterative reduction */
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
    TT_RULE50_MAX = 90,        /* from here on table scores hide the draw that is near */
    TRIED_MAX = 64,            /* moves remembered for history malus */
    DEFER_DEPTH_MIN = 5,       /* from here a move that others are at work on is put off */
    DEFERRED_MAX = 32,         /* ... and at most so many of a node */
    SPLIT_DEPTH_MIN = 5,       /* shallower nodes are not worth a message */
    SPLIT_NODES_MIN = 500,     /* nor are shares of fewer expected nodes */
};

/* ---- thread state ---- */

static Search *make(Tt *tt, Learned *learned)
{
    Search *search = calloc(1, sizeof *search);
    EvalCache *cache = eval_cache_new();
    if (search == NULL || cache == NULL) {
        free(search);
        eval_cache_destroy(&cache);
        return NULL;
    }
    search->tt = tt;
    search->learned = learned;
    search->eval_cache = cache;
    return search;
}

Search *search_new(Tt *tt)
{
    Learned *learned = calloc(1, sizeof *learned);
    Search *search = learned == NULL ? NULL : make(tt, learned);
    if (search == NULL) {
        free(learned);
        return NULL;
    }
    search->owns_learned = true;
    return search;
}

Search *search_new_beside(const Search *other)
{
    return make(other->tt, other->learned);
}

void search_destroy(Search **search)
{
    if (*search != NULL) {
        eval_cache_destroy(&(*search)->eval_cache);
        if ((*search)->owns_learned) {
            free((*search)->learned);
        }
        free(*search);
        *search = NULL;
    }
}

void search_clear(Search *search)
{
    if (search->owns_learned) {
        ordering_clear(&search->learned->ordering);
        correction_clear(&search->learned->correction);
    }
    eval_cache_clear(search->eval_cache);
    memset(search->frames, 0, sizeof search->frames);
    memset(search->mean_nodes, 0, sizeof search->mean_nodes);
}

/* ---- helpers shared with quiescence.c (state.h) ---- */

static void exchange_shares(Search *search);

static void handle_event(Search *search)
{
    if (search->host->poll != NULL) {
        search->host->poll(search->host->context, search->nodes);
    }
    if (search->nodes + search->shared_nodes >= search->node_budget ||
        atomic_load_explicit(&search->control->stop, memory_order_relaxed)) {
        search->stopped = true;
        search->unwind_to = NULL;
    } else {
        exchange_shares(search);
    }
    const uint64_t next_poll = search->nodes + SEARCH_POLL_NODES;
    search->next_event = next_poll < search->node_budget ? next_poll : search->node_budget;
}

bool search_enter_node(Search *search, int ply)
{
    search->nodes++;
    if (ply > search->selective_depth) {
        search->selective_depth = ply;
    }
    if (search->nodes >= search->next_event) {
        handle_event(search);
    }
    return search->stopped;
}

int search_corrected(const Search *search, const Frame *frame, int raw)
{
    return clamp(raw + correction_of(&search->learned->correction, &frame->position),
                 -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

bool search_is_draw(const Search *search, int ply)
{
    const Position *position = &search->frames[FRAMES_BEFORE_ROOT + ply].position;
    return history_is_repetition(&search->history, position, ply) ||
           position_is_insufficient(position) || history_is_fifty_moves(position);
}

void search_make(Search *search, int ply, Move move)
{
    Frame *frame = search_frame(search, ply);
    frame->move = move;
    frame->move_index = ordering_move_index(&frame->position, move);
    frame->continuation =
        USES_CONTINUATION_HISTORY
            ? (const Continuation *)&search->learned->ordering.continuation[frame->move_index]
            : NULL;
    history_push(&search->history, &frame->position);
    position_make(&frame->position, move, &search_frame(search, ply + 1)->position);
}

static void make_null(Search *search, int ply)
{
    Frame *frame = search_frame(search, ply);
    Frame *child = search_frame(search, ply + 1);
    frame->move = MOVE_NONE;
    frame->continuation = NULL;
    history_push(&search->history, &frame->position);
    position_make_null(&frame->position, &child->position);
    child->double_extensions = frame->double_extensions;
}

void search_unmake(Search *search)
{
    history_pop(&search->history);
}

/* A table score as this node may use it: no mate that the 50-move rule would prevent. */
static int score_from_table(const TtEntry *entry, const Position *position, int ply)
{
    enum { FIFTY_MOVES_HALF = 100 };
    const int score = entry->score;
    if (score == SCORE_NONE || !score_is_mate(score)) {
        return score;
    }
    const int distance = score > 0 ? SCORE_MATE - score : SCORE_MATE + score;
    if (distance + position->rule50 > FIFTY_MOVES_HALF) {
        return score > 0 ? SCORE_WIN_MIN - 1 : -(SCORE_WIN_MIN - 1);
    }
    return tt_score_from_table(score, ply);
}

bool search_probe(const Search *search, const Position *position, int ply, TtEntry *entry)
{
    if (!tt_probe(search->tt, position->key, entry)) {
        return false;
    }
    if (position->rule50 >= TT_RULE50_MAX) {
        entry->score = SCORE_NONE;
        entry->bound = BOUND_NONE;
        entry->eval = SCORE_NONE;
    }
    entry->score = (int16_t)score_from_table(entry, position, ply);
    return true;
}

void line_extend(Line *line, Move move, const Line *child)
{
    line->moves[0] = move;
    memcpy(line->moves + 1, child->moves, (size_t)child->length * sizeof(Move));
    line->length = child->length + 1;
}

/* How far back the moves are that continuations belong to. */
static const int continuation_plies[PICKER_CONTINUATIONS] = {1, 2, 4};

void search_continuations(Search *search, int ply,
                          const Continuation *continuations[PICKER_CONTINUATIONS])
{
    for (int i = 0; i < PICKER_CONTINUATIONS; i++) {
        continuations[i] = search_frame(search, ply - continuation_plies[i])->continuation;
    }
}

/* ---- one node ---- */

/* What a node's loop works with. */
struct Node {
    int ply;
    int depth;
    int alpha;
    int beta;
    bool is_pv;
    bool is_cut; /* expected to fail high */
    bool in_check;
    bool improving;        /* the static evaluation is better than two plies ago */
    bool is_root;          /* of the tree, in a job of common/root: no pruning, no learning */
    bool eldest_is_done;   /* so that the others may be shared */
    int open_index;        /* in search->open, or -1 */
    int null_move_ply_min; /* as it was when the node was opened */
    Split *split;          /* its remaining moves as a list, or NULL while the picker has them */
    SearchResult *result;  /* of the job whose own node this is, else NULL */
    Move tt_move;
    TtEntry tt; /* score already as seen from this ply */
    bool tt_is_pv;
    int raw_eval;      /* before correction; SCORE_NONE in check */
    int eval;          /* static evaluation sharpened by the table; SCORE_NONE in check */
    Bitboard attacked; /* picker_attacked of the position, once the moves are tried */
    const Continuation *continuations[PICKER_CONTINUATIONS];
    Picker picker;
    int move_count; /* the present move's place in the node's order, from 1 */
    int best;
    Move best_move;
    Move quiets[TRIED_MAX]; /* quiets searched before the cutoff */
    int quiet_count;
    Move captures[TRIED_MAX];
    int capture_count;
    Move deferred[DEFERRED_MAX]; /* moves put off, which come when nothing else is left (marks.h) */
    uint8_t deferred_numbers[DEFERRED_MAX]; /* each one's place in the node's order */
    int deferred_count;
    int deferred_taken; /* of them, the first */
};

/* A move of a node and what its pruning, extension and reduction look at. */
typedef struct {
    Move move;
    bool is_quiet;
    bool gives_check;
    int history; /* of a quiet move */
} Candidate;

static int search_node(Search *search, int ply, int depth, int alpha, int beta, bool is_cut);

/* Sets what every node starts with; the long arrays are left as they are, clearing them costs 5%.
 */
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

/*
 * Plies to put on or take off a node to which a reduced move has led: the evaluation here tells
 * whether that move was better or worse than its reduction said.
 */
static int hindsight(Search *search, const Node *node)
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

/* ---- pruning before the first move ---- */

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
    make_null(search, node->ply);
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

/* Whether the node can be given up, or cut, without trying a move. */
static bool prune_node(Search *search, const Node *node, int *score)
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
    return null_move_cuts(search, node, score) || search->stopped;
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

/* Shallow pruning of one late move; may also end the node's quiets. */
static bool prune_move(Search *search, Node *node, const Candidate *candidate)
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

/*
 * How much deeper `move` is searched. The table's move is singular when all others fail well below
 * its score; *cut is set, with the score, when they do not and a second move passes beta too.
 */
static int extension(Search *search, Node *node, const Candidate *candidate, bool *cut,
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

/* Plies to take off a late move's first search. */
static int reduction(const Search *search, const Node *node, const Candidate *candidate)
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

/* What a cutoff at this depth is worth to the histories. */
static int history_bonus(int depth)
{
    enum { BONUS_A_PLY = 200, BONUS_OFF = 100, BONUS_MAX = 2000 };
    return clamp(BONUS_A_PLY * depth - BONUS_OFF, 0, BONUS_MAX);
}

/* What follows well on the moves before `ply`: the one with this index does, or does not. */
static void update_continuations(Search *search, int ply, int index, int bonus)
{
    for (int i = 0; i < PICKER_CONTINUATIONS; i++) {
        const Frame *frame = search_frame(search, ply - continuation_plies[i]);
        if (frame->continuation != NULL) {
            ordering_update(&search->learned->ordering.continuation[frame->move_index][index],
                            bonus);
        }
    }
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

    const int reduced_by = open_window ? 0 : reduction(search, node, candidate);
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
                update_continuations(search, node->ply, frame->move_index, history_bonus(depth));
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

/* ---- learning from a cutoff ---- */

static void update_quiet(Search *search, const Node *node, Move move, int bonus)
{
    const Position *position = &search_frame(search, node->ply)->position;
    if (USES_BUTTERFLY_HISTORY) {
        ordering_update(ordering_quiet(&search->learned->ordering, position_side(position),
                                       node->attacked, move),
                        bonus);
    }
    update_continuations(search, node->ply, ordering_move_index(position, move), bonus);
}

static void update_capture(Search *search, const Node *node, Move move, int bonus)
{
    if (USES_CAPTURE_HISTORY) {
        const Position *position = &search_frame(search, node->ply)->position;
        ordering_update(ordering_capture(&search->learned->ordering, position, move), bonus);
    }
}

static void learn_cutoff(Search *search, const Node *node)
{
    Frame *frame = search_frame(search, node->ply);
    const Position *position = &frame->position;
    const int bonus = history_bonus(node->depth);

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

/* A quiet node's score says how far its evaluation was off, unless it is a bound on the other side.
 */
static void learn_correction(Search *search, const Node *node, int old_alpha)
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

/* Remembers a move that was searched and did not cut. */
static void note_tried(Node *node, Move move, bool is_quiet)
{
    if (is_quiet && node->quiet_count < TRIED_MAX) {
        node->quiets[node->quiet_count++] = move;
    } else if (!is_quiet && node->capture_count < TRIED_MAX) {
        node->captures[node->capture_count++] = move;
    }
}

/* Tells all shares of the node, but the one that brought the news, of its alpha. */
static void raise_shares(Search *search, const Node *node, const Share *except)
{
    if (node->split == NULL || node->split->shares_out == 0) {
        return;
    }
    for (int i = 0; i < SHARES_MAX; i++) {
        const Share *share = &search->splits.shares[i];
        if (share->number != 0 && share->split == node->split && share != except) {
            search->host->raise(search->host->context, share->number, node->alpha);
        }
    }
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
    raise_shares(search, node, NULL);
    return false;
}

/* ---- split points ---- */

/* What the node's present move is like. */
static Candidate judge(Search *search, const Node *node, Move move)
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

/* Deeper nodes are open to be split from now on. */
static void open_node(Search *search, Node *node)
{
    node->null_move_ply_min = search->null_move_ply_min;
    if (node->depth >= SPLIT_DEPTH_MIN && node->ply <= MESSAGE_PATH_MAX &&
        search->open_count < OPEN_MAX) {
        node->open_index = search->open_count;
        search->open[search->open_count++] = node;
    }
}

static void withdraw_shares(Search *search, const Node *node)
{
    for (int i = 0; i < SHARES_MAX && node->split->shares_out > 0; i++) {
        Share *share = &search->splits.shares[i];
        if (share->number != 0 && share->split == node->split) {
            if (search->host->withdraw(search->host->context, share->number)) {
                atomic_fetch_add_explicit(&search->control->wanted, 1, memory_order_relaxed);
            }
            split_drop(&search->splits, share);
        }
    }
}

/* The node is done or given up: what others still do for it is in vain. */
static void close_node(Search *search, Node *node)
{
    if (node->split != NULL) {
        withdraw_shares(search, node);
        split_close(node->split);
        node->split = NULL;
    }
    if (node->open_index >= 0) {
        search->open_count = node->open_index;
    }
}

/* Ends the search of everything below `node`, or below what is being left already. */
static void unwind(Search *search, Node *node)
{
    const bool is_first = !search->stopped;
    if (is_first || (search->unwind_to != NULL && search->unwind_to->ply > node->ply)) {
        search->unwind_to = node;
    }
    search->stopped = true;
}

/* Whether the node is the one that was unwound to, so that the search goes on from here. */
static bool unwinding_ends(Search *search, const Node *node)
{
    if (search->unwind_to != node) {
        return false;
    }
    search->unwind_to = NULL;
    search->stopped = false;
    return true;
}

/* The job's bound as raised by others meanwhile. */
static void refresh_alpha(Search *search)
{
    Node *node = search->job_node;
    const int alpha = atomic_load_explicit(&search->control->alpha, memory_order_relaxed);
    if (node != NULL && alpha > node->alpha) {
        node->alpha = alpha;
        raise_shares(search, node, NULL);
        if (alpha >= node->beta) {
            unwind(search, node);
        }
    }
}

/* A move of the job's own node beat its alpha: the line is in the node's frame. */
static void report_improvement(Search *search, const Node *node)
{
    Line *line = &node->result->line;
    *line = search_frame(search, node->ply)->line;
    if (!node->is_pv) {
        line->length = 1;
        line->moves[0] = node->best_move;
    }
    line->score = node->best;
    line->bound = node->best >= node->beta ? BOUND_LOWER : BOUND_EXACT;
    line->depth = node->depth;
    line->selective_depth = search->selective_depth;
    if (search->host->improved != NULL) {
        search->host->improved(search->host->context, line);
    }
}

/* The share found a better move than the node had. */
static void take_line(Search *search, Node *node, const Share *share, const Line *line)
{
    node->best = line->score;
    node->best_move = line->moves[0];
    if (node->is_pv) {
        search_frame(search, node->ply)->line = *line;
    }
    if (line->score < node->beta) {
        node->alpha = line->score;
        raise_shares(search, node, share);
    }
    if (node->result != NULL) {
        report_improvement(search, node);
    }
}

/* Takes in the moves that a share has done; those that it has not are the node's own again. */
static void end_share(Search *search, Node *node, Share *share, const ShareNews *news)
{
    const Position *position = &search_frame(search, node->ply)->position;
    search->shared_nodes += news->nodes;
    if (news->selective_depth > search->selective_depth) {
        search->selective_depth = news->selective_depth;
    }
    for (int i = 0; i < news->cost_count; i++) {
        const MoveCost *cost = &news->costs[i];
        /* A move that the share has pruned cost nothing, and nothing is known of it. */
        if (cost->move != node->best_move && cost->nodes > 0) {
            note_tried(node, cost->move, !move_is_tactical(position, cost->move));
        }
        if (node->result != NULL && node->result->cost_count < MOVES_MAX) {
            node->result->costs[node->result->cost_count++] = *cost;
        }
    }
    /* What failed low has an upper bound no better than alpha. */
    const int bound = news->score < node->alpha ? news->score : node->alpha;
    if (news->cost_count > 0 && bound > node->best) {
        node->best = bound;
    }
    split_take_back(share, news->costs, news->cost_count);
    split_drop(&search->splits, share);
}

static bool has_move(const Share *share, Move move)
{
    for (int i = 0; i < share->count; i++) {
        if (share->moves[i] == move) {
            return true;
        }
    }
    return false;
}

static void take_news(Search *search, const ShareNews *news)
{
    Share *share = split_find(&search->splits, news->share);
    if (share == NULL) {
        return; /* withdrawn meanwhile */
    }
    Node *node = share->split->node;
    if (news->line.length > 0 && news->line.score > node->alpha &&
        has_move(share, news->line.moves[0])) {
        take_line(search, node, share, &news->line);
    }
    if (news->is_over) {
        end_share(search, node, share, news);
    }
    if (node->best >= node->beta) {
        unwind(search, node);
    }
}

/* Blocks until there is news of a share; the search is stopped or unwound when that ends it. */
static void wait_for_shares(Search *search)
{
    if (!search->host->take(search->host->context, true, &search->news)) {
        search->stopped = true;
        search->unwind_to = NULL;
        return;
    }
    take_news(search, &search->news);
    refresh_alpha(search); /* a raised alpha wakes the search too, with news of no share */
}

/* Lists the move, the `number`th of the node, unless it is pruned anyway. */
static void list_move(Search *search, Node *node, Move move, int number)
{
    node->move_count = number;
    const Candidate candidate = judge(search, node, move);
    if (!prune_move(search, node, &candidate)) {
        split_add(node->split, move, number);
    }
}

/* Lists the node's remaining moves in its order. */
static void list_moves(Search *search, Node *node)
{
    const Move excluded = search_frame(search, node->ply)->excluded;
    const int present = node->move_count;
    int number = present;
    for (int i = node->deferred_taken; i < node->deferred_count; i++) {
        list_move(search, node, node->deferred[i], node->deferred_numbers[i]);
    }
    node->deferred_taken = node->deferred_count;
    for (Move move = picker_next(&node->picker); move != MOVE_NONE;
         move = picker_next(&node->picker)) {
        if (move != excluded) {
            list_move(search, node, move, ++number);
        }
    }
    node->move_count = present;
}

/* Nodes that a move of the node may be expected to cost. */
static int64_t expected_nodes(const Search *search, const Node *node, Move move, int number)
{
    const bool is_quiet =
        !move_is_tactical(&search->frames[FRAMES_BEFORE_ROOT + node->ply].position, move);
    const int depth =
        clamp(node->depth - 1 - reductions_plies(is_quiet, node->depth, number), 0, DEPTHS_MAX - 1);
    return search->mean_nodes[depth] / MEAN_SCALE;
}

/* Whether a share of what is left at the node would be worth a message. */
static bool is_worth_sharing(const Search *search, const Node *node)
{
    int64_t nodes = 0;
    for (int i = 0; i < node->split->count && nodes < SPLIT_NODES_MIN; i++) {
        nodes += expected_nodes(search, node, node->split->moves[i], node->split->numbers[i]);
    }
    return nodes >= SPLIT_NODES_MIN;
}

/* Whether the node can be split now; lists its moves where it might. */
static bool can_split(Search *search, Node *node)
{
    if (!node->eldest_is_done || node->best >= node->beta || node->alpha >= node->beta) {
        return false;
    }
    if (node->split == NULL) {
        node->split = split_open(&search->splits, node);
        if (node->split == NULL) {
            return false;
        }
        list_moves(search, node);
    }
    return node->split->count > 0 && is_worth_sharing(search, node);
}

/* Gives one share of the node's moves away, of so many that are wanted; false when it cannot. */
static bool offer_share(Search *search, Node *node, int wanted)
{
    Share *share = split_deal(&search->splits, node->split, wanted + 1);
    if (share == NULL) {
        return false;
    }
    Move path[MESSAGE_PATH_MAX];
    for (int ply = 0; ply < node->ply; ply++) {
        path[ply] = search_frame(search, ply)->move;
    }
    const SearchJob job = {
        .path = path,
        .path_length = node->ply,
        .depth = node->depth,
        .alpha = node->alpha,
        .beta = node->beta,
        .kind = node->is_pv    ? NODE_PV
                : node->is_cut ? NODE_CUT
                               : NODE_ALL,
        .move_count = share->count,
        .moves = share->moves,
        .numbers = share->numbers,
        .is_split = !node->is_root,
        .best = node->best,
        .was_pv = node->tt_is_pv,
        .root_depth = search->root_depth + search->root_ply / 2,
        .double_extensions = search_frame(search, node->ply)->double_extensions,
        .null_move_ply_min = node->null_move_ply_min,
    };
    if (!search->host->offer(search->host->context, share->number, &job)) {
        split_take_back(share, NULL, 0);
        split_drop(&search->splits, share);
        return false;
    }
    return true;
}

/* The node with the most work left is the one nearest to the root. */
static void offer_shares(Search *search)
{
    int wanted = atomic_load_explicit(&search->control->wanted, memory_order_relaxed);
    for (int i = 0; i < search->open_count && wanted > 0; i++) {
        Node *node = search->open[i];
        while (wanted > 0 && can_split(search, node) && offer_share(search, node, wanted)) {
            /* The host may have asked for another number meanwhile: count down what is there. */
            wanted =
                atomic_fetch_sub_explicit(&search->control->wanted, 1, memory_order_relaxed) - 1;
        }
    }
}

/* At a poll: news of shares first, for they may end this search's present work; then new ones. */
static void exchange_shares(Search *search)
{
    SearchControl *control = search->control;
    refresh_alpha(search);
    if (search->host->offer == NULL) {
        return;
    }
    if (atomic_load_explicit(&control->news, memory_order_relaxed)) {
        atomic_store_explicit(&control->news, false, memory_order_relaxed);
        while (search->host->take(search->host->context, false, &search->news)) {
            take_news(search, &search->news);
        }
    }
    if (!search->stopped && atomic_load_explicit(&control->wanted, memory_order_relaxed) > 0) {
        offer_shares(search);
    }
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
        wait_for_shares(search);
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
    open_node(search, node);
    while (next_move(search, node, &move)) {
        const Candidate candidate = judge(search, node, move);
        if (prune_move(search, node, &candidate)) {
            continue;
        }
        bool cut = false;
        int cut_score = 0;
        const int extended = extension(search, node, &candidate, &cut, &cut_score);
        if (cut) {
            close_node(search, node);
            return cut_score;
        }
        int known = 0;
        if (others_cut(search, node, &known)) {
            close_node(search, node);
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
        note_tried(node, move, candidate.is_quiet);
    }
    close_node(search, node);
    if (search->stopped && !unwinding_ends(search, node)) {
        return 0;
    }
    if (node->move_count == 0) {
        return score_without_moves(search, node);
    }
    if (node->best >= node->beta) {
        search_frame(search, node->ply)->cutoffs++;
        learn_cutoff(search, node);
    }
    if (!is_singular_search) {
        learn_correction(search, node, old_alpha);
        store_node(search, node, old_alpha);
    }
    return node->best;
}

/*
 * Alpha-beta, fail soft, of the position in the frame of `ply`. Steps as numbered; each of the
 * ideas has its page at chessprogramming.org under the name given.
 */
static int search_node(Search *search, int ply, int depth, int alpha, int beta, bool is_cut)
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
    node.depth += hindsight(search, &node);

    /* 5. Razoring, reverse futility, null move. */
    int score = 0;
    if (!node.is_pv && !in_check && frame->excluded == MOVE_NONE &&
        prune_node(search, &node, &score)) {
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
            make_null(search, ply);
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
    refresh_alpha(search);
    return !search->stopped && search->job_node->alpha < search->job_node->beta;
}

/* The job's share of its node's moves, through the same ladder as any other node's. */
static void search_share(Search *search, const SearchJob *job, int ply, SearchResult *result)
{
    Node node;
    Move move;
    init_job_node(search, job, ply, result, &node);
    open_node(search, &node);
    /* cppcheck-suppress autoVariables ; taken back below, before the node goes */
    search->job_node = &node;
    bool is_eldest = job->is_eldest;
    while (job_is_open(search) && next_move(search, &node, &move)) {
        const uint64_t nodes_before = search->nodes + search->shared_nodes;
        const Candidate candidate = judge(search, &node, move);
        bool cut = false;
        int cut_score = 0;
        int score = node.best;
        const bool is_pruned = prune_move(search, &node, &candidate);
        if (!is_pruned) {
            const int extended = extension(search, &node, &candidate, &cut, &cut_score);
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
            report_improvement(search, &node);
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
            note_tried(&node, move, candidate.is_quiet);
        }
    }
    search->job_node = NULL;
    close_node(search, &node);
    const bool is_stopped = search->stopped && !unwinding_ends(search, &node);
    if (!is_stopped || result->cost_count > 0) {
        result->score = node.best; /* of the moves that are done */
    }
    if (is_stopped) {
        return;
    }
    if (job->is_split && node.best >= node.beta && node.best_move != MOVE_NONE) {
        learn_cutoff(search, &node);
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
