/*
 * Search state: what the files of the search share and nobody else sees. Made and cleared by the
 * functions of search.h.
 */
#ifndef ROOKERY_SEARCH_STATE_H
#define ROOKERY_SEARCH_STATE_H

#include "worker/eval/eval.h"
#include "worker/search/correction.h"
#include "worker/search/picker.h"
#include "worker/search/search.h"
#include "worker/search/split.h"

/* Frames kept before the root, so that "four plies ago" always exists. */
enum { FRAMES_BEFORE_ROOT = 4, KILLER_COUNT = 2 };

enum {
    OPEN_MAX = 2 * PLY_MAX, /* a ply may be searched within its own search (singular moves) */
    SPLIT_DEPTH_MIN = 5,    /* shallower nodes are not worth a message */
    DEPTHS_MAX = 64,        /* depths whose mean cost is known apart */
    MEAN_SCALE = 16,        /* of mean_nodes, a fixed-point number */
    MEAN_WEIGHT = 32,       /* how many searches it remembers, about */
};

/* How far back the moves are that continuations belong to. */
static const int continuation_plies[PICKER_CONTINUATIONS] = {1, 2, 4};

/* One ply of the stack. */
typedef struct {
    Position position;
    Move move;                        /* being tried here; MOVE_NONE for a null move */
    const Continuation *continuation; /* what followed well on `move`; NULL without a move */
    int move_index;                   /* ordering_move_index of `move` */
    int static_eval;                  /* SCORE_NONE in check */
    Move killers[KILLER_COUNT];       /* quiets that cut off at this ply, newest first */
    int reduction;                    /* plies, while a reduced move is searched; else 0 */
    int cutoffs;                      /* by nodes of this ply, since its grandparent began */
    Move excluded;                    /* left out by a singular search, else MOVE_NONE */
    int double_extensions;            /* on the path to here */
    Line line;                        /* best line from here */
} Frame;

/* What searches have learned; those of several threads may share it. */
typedef struct {
    Ordering ordering;
    Correction correction;
} Learned;

struct Search {
    Tt *tt;                                         /* the machine's; borrowed */
    EvalCache *eval_cache;                          /* its own */
    Learned *learned;                               /* histories and corrections */
    bool owns_learned;                              /* else it is another search's, too */
    Frame frames[FRAMES_BEFORE_ROOT + PLY_MAX + 2]; /* the stack (search_frame) */
    History history;        /* keys of the game and of the path to the current node */
    int root_depth;         /* of the job: bounds the extensions */
    int root_ply;           /* of the job's node */
    uint64_t nodes;         /* of this job */
    uint64_t next_event;    /* node count of the next poll or of the budget's end */
    uint64_t node_budget;   /* UINT64_MAX for none */
    int selective_depth;    /* the deepest ply reached in this job */
    int null_move_ply_min;  /* no null move above this ply while one is being verified */
    bool stopped;           /* leave every node ... */
    Node *unwind_to;        /* ... up to this one, where a share has passed beta; NULL: all */
    SearchControl *control; /* of this job, borrowed */
    const SearchHost *host; /* likewise */

    Node *job_node;        /* the node of the job's share while its moves are searched, else NULL */
    Node *open[OPEN_MAX];  /* nodes of the stack that can be split, outermost first */
    int open_count;        /* of them */
    SplitTable splits;     /* split points and shares of this job */
    uint64_t shared_nodes; /* of this job, searched by others */
    ShareNews news;        /* the last one taken */
    int64_t mean_nodes[DEPTHS_MAX]; /* of null window searches by depth, times MEAN_SCALE */
};

static inline Frame *search_frame(Search *search, int ply)
{
    return &search->frames[FRAMES_BEFORE_ROOT + ply];
}

/* Counts a node and, now and then, polls the host; true when the search must end. */
bool search_enter_node(Search *search, int ply);

/* The evaluation of the frame's position, within +-SCORE_EVAL_MAX. */
static inline int search_evaluate(Search *search, const Frame *frame)
{
    return eval_position(&frame->position, search->eval_cache);
}

/* `raw`, which is the evaluation and what the table keeps, set right by how wrong it was lately. */
int search_corrected(const Search *search, const Frame *frame, int raw);

/* Draw by repetition, material or the 50-move rule at `ply` of the tree. */
bool search_is_draw(const Search *search, int ply);

/* Plays `move`, or passes, from `ply` to `ply + 1`, which inherits its extensions; and back. */
void search_make(Search *search, int ply, Move move);
void search_make_null(Search *search, int ply);
void search_unmake(Search *search);

/*
 * What the table knows of the position at `ply`, with its score as this node may use it: none for a
 * mate that the 50-move rule may prevent. When that rule is near, neither score nor evaluation: the
 * key does not tell how many moves were left to whoever stored them. False when it knows nothing.
 */
bool search_probe(const Search *search, const Position *position, int ply, TtEntry *entry);

/* Resolves captures, and evasions in check, until the position is quiet. */
int quiescence(Search *search, int ply, int alpha, int beta);

/* line = move + the child's line */
void line_extend(Line *line, Move move, const Line *child);

/* The continuation tables of 1, 2 and 4 plies before `ply`. */
void search_continuations(Search *search, int ply,
                          const Continuation *continuations[PICKER_CONTINUATIONS]);

#endif
