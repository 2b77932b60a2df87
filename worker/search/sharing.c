#include "worker/search/sharing.h"

#include "base/clamp.h"
#include "worker/search/learning.h"
#include "worker/search/reductions.h"
#include "worker/search/selectivity.h"

enum { SPLIT_NODES_MIN = 500 }; /* shares of fewer expected nodes are not worth a message */

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

void sharing_raise(Search *search, const Node *node)
{
    raise_shares(search, node, NULL);
}

/* ---- nodes that may be split ---- */

void sharing_open(Search *search, Node *node)
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
            split_drop(share);
        }
    }
}

void sharing_close(Search *search, Node *node)
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

bool sharing_unwinding_ends(Search *search, const Node *node)
{
    if (search->unwind_to != node) {
        return false;
    }
    search->unwind_to = NULL;
    search->stopped = false;
    return true;
}

void sharing_refresh_alpha(Search *search)
{
    Node *node = search->job_node;
    const int alpha = atomic_load_explicit(&search->control->alpha, memory_order_relaxed);
    if (node != NULL && alpha > node->alpha) {
        node->alpha = alpha;
        sharing_raise(search, node);
        if (alpha >= node->beta) {
            unwind(search, node);
        }
    }
}

void sharing_report_improvement(Search *search, const Node *node)
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

/* ---- news of shares ---- */

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
        sharing_report_improvement(search, node);
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
            learning_note_tried(node, cost->move, !move_is_tactical(position, cost->move));
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
    split_drop(share);
}

static void take_news(Search *search, const ShareNews *news)
{
    Share *share = split_find(&search->splits, news->share);
    if (share == NULL) {
        return; /* withdrawn meanwhile */
    }
    Node *node = share->split->node;
    if (news->line.length > 0 && news->line.score > node->alpha &&
        move_is_among(news->line.moves[0], share->moves, share->count)) {
        take_line(search, node, share, &news->line);
    }
    if (news->is_over) {
        end_share(search, node, share, news);
    }
    if (node->best >= node->beta) {
        unwind(search, node);
    }
}

void sharing_wait(Search *search)
{
    if (!search->host->take(search->host->context, true, &search->news)) {
        search->stopped = true;
        search->unwind_to = NULL;
        return;
    }
    take_news(search, &search->news);
    sharing_refresh_alpha(search); /* a raised alpha wakes the search too, with news of no share */
}

/* ---- giving away ---- */

/* Lists the move, the `number`th of the node, unless it is pruned anyway. */
static void list_move(Search *search, Node *node, Move move, int number)
{
    node->move_count = number;
    const Candidate candidate = search_judge(search, node, move);
    if (!selectivity_prunes_move(search, node, &candidate)) {
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
        split_drop(share);
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

void sharing_exchange(Search *search)
{
    SearchControl *control = search->control;
    sharing_refresh_alpha(search);
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
