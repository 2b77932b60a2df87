/*
 * Node: one node of the tree while its moves are searched, as the files know it that search it
 * (search.c; job.c for the node of a job), cut it short (selectivity.c), learn from it (learning.c)
 * and give its moves away (sharing.c).
 */
#ifndef ROOKERY_SEARCH_NODE_H
#define ROOKERY_SEARCH_NODE_H

#include "worker/search/state.h"

enum {
    TRIED_MAX = 64,    /* moves remembered for history malus */
    DEFERRED_MAX = 32, /* moves of a node that can be put off */
};

/* What a node's loop works with. */
struct Node {
    int ply;               /* from the tree's root */
    int depth;             /* plies left; at least 1 */
    int alpha;             /* window, from the side to move; rises with the scores */
    int beta;              /* its upper end */
    bool is_pv;            /* it has an open window */
    bool is_cut;           /* expected to fail high */
    bool in_check;         /* the side to move is */
    bool improving;        /* the static evaluation is better than two plies ago */
    bool is_root;          /* of the tree, in a job of common/root: no pruning, no learning */
    bool eldest_is_done;   /* so that the others may be shared */
    int open_index;        /* in search->open, or -1 */
    int null_move_ply_min; /* as it was when the node was opened */
    Split *split;          /* its remaining moves as a list, or NULL while the picker has them */
    SearchResult *result;  /* of the job whose own node this is, else NULL */
    Move tt_move;          /* legal and to be tried first, or MOVE_NONE */
    TtEntry tt;            /* score already as seen from this ply */
    bool tt_is_pv;         /* it is or has been on a principal variation */
    int raw_eval;          /* before correction; SCORE_NONE in check */
    int eval;              /* static evaluation sharpened by the table; SCORE_NONE in check */
    Bitboard attacked;     /* picker_attacked of the position, once the moves are tried */
    const Continuation *continuations[PICKER_CONTINUATIONS]; /* of the plies before */
    Picker picker;               /* of the moves still to be tried, while there is no split */
    int move_count;              /* the present move's place in the node's order, from 1 */
    int best;                    /* score of the moves so far, fail soft */
    Move best_move;              /* the last that raised alpha, or MOVE_NONE */
    Move quiets[TRIED_MAX];      /* quiets searched before the cutoff */
    int quiet_count;             /* of them */
    Move captures[TRIED_MAX];    /* likewise, and promotions */
    int capture_count;           /* of them */
    Move deferred[DEFERRED_MAX]; /* moves put off, which come when nothing else is left (marks.h) */
    uint8_t deferred_numbers[DEFERRED_MAX]; /* each one's place in the node's order */
    int deferred_count;                     /* of them */
    int deferred_taken;                     /* of them, the first: searched by now */
};

/* A move of a node and what its pruning, extension and reduction look at. */
typedef struct {
    Move move;
    bool is_quiet;
    bool gives_check;
    int history; /* of a quiet move */
} Candidate;

/*
 * The score of the position in the frame of `ply`, fail soft, by a search of `depth` plies; 0 when
 * the search has been stopped. Not above 0 plies it is that of quiescence.
 */
int search_node(Search *search, int ply, int depth, int alpha, int beta, bool is_cut);

/* ---- the steps of a node ---- */

/* Sets what every node starts with. */
void node_init(Node *node, int ply, int depth, int alpha, int beta, bool in_check);

/*
 * Forgets what nephews left behind at `ply`; killers are shared by brothers only, cutoffs are
 * counted among cousins.
 */
void search_reset_child(Search *search, int ply);

/* The node's static evaluation. `hit`: node->tt has what the table knows. */
void node_evaluate(Search *search, Node *node, bool hit);

/* What the node's moves are ordered and judged by. */
void node_prepare_moves(Search *search, Node *node);

/* The next move and its number; waits for the node's shares when nothing else is left. */
bool node_next_move(Search *search, Node *node, Move *move);

/* What the node's present move is like. */
Candidate search_judge(Search *search, const Node *node, Move move);

/*
 * Searches the node's present move: extension, reduction and the whole ladder of windows. Local and
 * remote brothers alike come through here. The score is as seen from the node.
 */
int node_search_move(Search *search, Node *node, const Candidate *candidate, bool open_window,
                     int plies_extended);

/* Tells the table what a search of the node of `depth` plies has come to. */
void node_store(Search *search, const Node *node, int depth, Move move, int score, Bound bound);

/* Takes a move's score into the node; true when the node is cut off. */
bool node_take_score(Search *search, Node *node, Move move, int score);

#endif
