/*
 * Job: what search_run (search.h) does with the one it is given, a whole node or a share of its
 * moves.
 */
#include "worker/search/learning.h"
#include "worker/search/selectivity.h"
#include "worker/search/sharing.h"

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
    }
    search_frame(search, job->path_length + 1)->cutoffs = 0; /* of earlier jobs */
    return job->path_length;
}

/* The job's node: as the search itself would have it after its eldest moves. */
static void init_job_node(Search *search, const SearchJob *job, int ply, SearchResult *result,
                          Node *node)
{
    Frame *frame = search_frame(search, ply);
    node_init(node, ply, job->depth, job->alpha, job->beta, position_in_check(&frame->position));
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
        search_reset_child(search, ply); /* of whatever was searched before */
    }
    search_reset_child(search, ply + 1);
    node_evaluate(search, node, false);
    node_prepare_moves(search, node);
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

/*
 * Searches one of the job's moves through the same ladder as any other node's, and takes down what
 * it cost. `is_eldest`: with the open window. False when no other move follows.
 */
static bool search_job_move(Search *search, Node *node, Move move, bool is_eldest)
{
    SearchResult *result = node->result;
    const uint64_t nodes_before = search->nodes + search->shared_nodes;
    const Candidate candidate = search_judge(search, node, move);
    const bool is_pruned = selectivity_prunes_move(search, node, &candidate);
    int score = node->best;
    if (!is_pruned) {
        bool cut = false;
        int cut_score = 0;
        const int extended = selectivity_extension(search, node, &candidate, &cut, &cut_score);
        score = node_search_move(search, node, &candidate, is_eldest, extended);
    }
    if (search->stopped) {
        return false;
    }
    const int alpha_before = node->alpha;
    const bool is_cutoff = node_take_score(search, node, move, score);
    node->eldest_is_done = true;
    result->costs[result->cost_count++] =
        (MoveCost){.move = move, .nodes = search->nodes + search->shared_nodes - nodes_before};
    if (score > alpha_before) {
        sharing_report_improvement(search, node);
    }
    if (is_cutoff || (is_eldest && score <= alpha_before)) {
        return false; /* younger brothers wait for an eldest inside the window */
    }
    if (is_eldest) {
        /* As if they came in a job of their own. */
        search_reset_child(search, node->ply + 1);
        node_evaluate(search, node, false);
    }
    if (!is_pruned) {
        learning_note_tried(node, move, candidate.is_quiet);
    }
    return true;
}

/* The job's share of its node's moves. */
static void search_share(Search *search, const SearchJob *job, int ply, SearchResult *result)
{
    Node node;
    Move move;
    bool is_eldest = job->is_eldest;
    init_job_node(search, job, ply, result, &node);
    sharing_open(search, &node);
    /* cppcheck-suppress autoVariables ; taken back below, before the node goes */
    search->job_node = &node;
    while (job_is_open(search) && node_next_move(search, &node, &move) &&
           search_job_move(search, &node, move, is_eldest)) {
        is_eldest = false;
    }
    search->job_node = NULL;
    sharing_close(search, &node);
    const bool is_stopped = search->stopped && !sharing_unwinding_ends(search, &node);
    if (!is_stopped || result->cost_count > 0) {
        result->score = node.best; /* of the moves that are done */
    }
    if (!is_stopped && job->is_split && node.best >= node.beta && node.best_move != MOVE_NONE) {
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
