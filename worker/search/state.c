#include "worker/search/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "root/techniques.h"
#include "worker/search/sharing.h"

enum { TT_RULE50_MAX = 90 }; /* from here on table scores hide the draw that is near */

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

/* ---- what the files of the search share ---- */

static void handle_event(Search *search)
{
    if (search->host->poll != NULL) {
        search->host->poll(search->host->context, search->nodes);
    }
    if (search->nodes + search->shared_nodes >= search->node_budget ||
        search_control_must_stop(search->control)) {
        search->stopped = true;
        search->unwind_to = NULL;
    } else {
        sharing_exchange(search);
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
    Frame *child = search_frame(search, ply + 1);
    frame->move = move;
    frame->move_index = ordering_move_index(&frame->position, move);
    frame->continuation =
        USES_CONTINUATION_HISTORY
            ? (const Continuation *)&search->learned->ordering.continuation[frame->move_index]
            : NULL;
    history_push(&search->history, &frame->position);
    position_make(&frame->position, move, &child->position);
    child->double_extensions = frame->double_extensions;
}

void search_make_null(Search *search, int ply)
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

/* A table score as this node may use it: none for a mate that the 50-move rule may prevent. */
static int score_from_table(const TtEntry *entry, const Position *position, int ply)
{
    enum { FIFTY_MOVES_HALF = 100 };
    const int score = entry->score;
    if (score == SCORE_NONE || !score_is_mate(score)) {
        return score;
    }
    const int distance = score > 0 ? SCORE_MATE - score : SCORE_MATE + score;
    if (distance + position->rule50 > FIFTY_MOVES_HALF) {
        return SCORE_NONE;
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

void search_continuations(Search *search, int ply,
                          const Continuation *continuations[PICKER_CONTINUATIONS])
{
    for (int i = 0; i < PICKER_CONTINUATIONS; i++) {
        continuations[i] = search_frame(search, ply - continuation_plies[i])->continuation;
    }
}
