/*
 * Search: the one alpha-beta search of the project.
 *
 * A Search is one search thread's state: stack, history tables, evaluation caches. It shares the
 * transposition table and its marks of moves under way (marks.h), and the histories if it was made
 * beside another (search_new_beside); nothing else. It never prints, never reads a clock and has no
 * globals: given the same table, the same histories, the same job and the same node budget, it
 * gives the same answer.
 *
 * A job names any node: the root position, the path from it, depth and window, and either all its
 * moves (`move_count` 0: the node is entered as usual, table and pruning included) or a share of
 * them, which then take exactly the code that the node's own loop would run (depths, reductions,
 * re-searches, history). The root of the tree is a node like any other: its shares come from
 * common/root.
 *
 * Split points: a running search can give away shares of the nodes on its own stack. While the
 * control's `wanted` is above 0 it looks, at each poll, for the open node with the most work left
 * whose eldest move is done, and offers a share of that node's moves to the host. It goes on with
 * the rest, takes in what the host brings (a better line, a result, a share that was lost), leaves
 * the node at once when a share passes beta, and waits (the host parks it) when only others are
 * still at work there. Source: Feldmann 1993 (see common/root); Hyatt, "The Dynamic Tree-Splitting
 * Parallel Search Algorithm", 1997, for splitting any node of the stack.
 */
#ifndef ROOKERY_SEARCH_SEARCH_H
#define ROOKERY_SEARCH_SEARCH_H

#include <stdatomic.h>

#include "root/root.h"
#include "worker/search/tt.h"

/* The host is called once in this many nodes. */
enum { SEARCH_POLL_NODES = 128 };

typedef struct Search Search;

/* What other threads may tell a running search; it reads this at every poll and step. */
typedef struct {
    atomic_bool stop; /* give up as soon as possible; stays set until the owner clears it */
    atomic_int
        alpha; /* the job's lower bound, raised while it runs; from the node's side to move */
    atomic_int wanted; /* shares that others would take now; the search counts it down */
    atomic_bool news;  /* the host's `take` has something; cleared by the search before it takes */
} SearchControl;

/* As it should be when a job begins: nothing is asked of the search, and there is no news. */
static inline void search_control_reset(SearchControl *control)
{
    atomic_store_explicit(&control->stop, false, memory_order_relaxed);
    atomic_store_explicit(&control->wanted, 0, memory_order_relaxed);
    atomic_store_explicit(&control->news, false, memory_order_relaxed);
}

static inline bool search_control_must_stop(const SearchControl *control)
{
    return atomic_load_explicit(&control->stop, memory_order_relaxed);
}

/* Whether the search does not know of a bound as high as that. */
static inline bool search_control_is_below(const SearchControl *control, int alpha)
{
    return atomic_load_explicit(&control->alpha, memory_order_relaxed) < alpha;
}

/* Makes the bound known to the search; true when it is a higher one. */
static inline bool search_control_raise(SearchControl *control, int alpha)
{
    const bool is_higher = search_control_is_below(control, alpha);
    if (is_higher) {
        atomic_store_explicit(&control->alpha, alpha, memory_order_relaxed);
    }
    return is_higher;
}

typedef struct SearchJob SearchJob;

/* What has come of a share. */
typedef struct {
    uint32_t share;
    bool is_over;        /* what is not among the costs is still to do; else only `line` is new */
    int score;           /* fail soft, when over */
    Line line;           /* better than the alpha that the share knew, else length 0 */
    uint64_t nodes;      /* when over */
    int selective_depth; /* when over */
    int cost_count;      /* moves searched to the end */
    MoveCost costs[MOVES_MAX];
} ShareNews;

/* Who runs the search. All functions are called on the search's own thread. */
typedef struct {
    void *context;
    /* Called every SEARCH_POLL_NODES nodes with the nodes of this job so far; NULL is allowed. */
    void (*poll)(void *context, uint64_t nodes);
    /* A move of the job beat its alpha; the line starts at the job's node. NULL is allowed. */
    void (*improved)(void *context, const Line *line);
    /*
     * Gives a share away; `job` is borrowed for the call. False when it cannot be taken now. The
     * four are NULL in a host that never sets `wanted`.
     */
    bool (*offer)(void *context, uint32_t share, const SearchJob *job);
    /*
     * The next news of a share; false when there is none. With `wait` the search has nothing else
     * to do: blocks until there is news (true) or the control says stop (false).
     */
    bool (*take)(void *context, bool wait, ShareNews *news);
    /*
     * A share is no longer wanted: nothing more comes of it. True when nobody has heard of it yet,
     * so that the search is still asked for one.
     */
    bool (*withdraw)(void *context, uint32_t share);
    /* The lower bound of a share has risen. */
    void (*raise)(void *context, uint32_t share, int alpha);
} SearchHost;

typedef enum { NODE_PV, NODE_CUT, NODE_ALL } NodeKind;

struct SearchJob {
    const Position *root; /* where the path starts; borrowed */
    const History *game;  /* the positions before `root`; borrowed */
    const Move *path;     /* legal moves from `root` to the node, MOVE_NONE for a pass; borrowed */
    int path_length;      /* 0 to PLY_MAX / 2 */
    int depth;            /* remaining at the node, plies */
    int alpha;            /* window, from the node's side to move */
    int beta;
    NodeKind kind;          /* what the node is expected to be */
    bool is_eldest;         /* the first move gets the open window at once, others follow only if it
                               comes out inside */
    int move_count;         /* 0: the whole node */
    const Move *moves;      /* the share, in order; borrowed */
    const uint8_t *numbers; /* each move's place in the node's own order, from 1; borrowed */
    uint64_t node_budget;   /* stop after this many nodes; 0 is no limit */
    bool is_split;          /* a share of an inner node, so that all of these hold: */
    int best;               /* fail-soft score of the node's moves so far */
    bool was_pv;            /* the node has been on a principal variation */
    int root_depth;         /* of the job that the node was split from: bounds the extensions */
    int double_extensions;  /* on the path */
    int null_move_ply_min;  /* no null move above this ply; 0 without a verification */
};

typedef struct {
    int score;           /* fail soft; meaningless if `stopped` before the first move was done */
    uint64_t nodes;      /* visited by this job, its shares included */
    uint64_t own_nodes;  /* of them, visited by this search itself */
    int selective_depth; /* the deepest ply reached, counted from the tree's root */
    bool stopped;        /* by the control or the budget */
    Line line;           /* the best line if it beat alpha, else length 0 */
    int cost_count;      /* moves of the share searched to the end */
    MoveCost costs[MOVES_MAX];
} SearchResult;

/*
 * Makes a search thread's state on a shared table (borrowed, must outlive it), with histories of
 * its own, or NULL when memory is short.
 */
Search *search_new(Tt *tt);

/*
 * Makes another one that shares the table and the histories of `other`, which must outlive it; or
 * NULL. The two may search at the same time, and so learn from each other.
 */
Search *search_new_beside(const Search *other);

/* Frees the state and nulls the pointer; NULL is allowed. */
void search_destroy(Search **search);

/* Forgets all it learned, for a new game; the shared table and another's histories are not touched.
 */
void search_clear(Search *search);

/*
 * Runs a job to its end. `control` and `host` are borrowed for the call; the control's alpha is set
 * to the job's before anything else, its stop flag is not touched.
 */
void search_run(Search *search, const SearchJob *job, SearchControl *control,
                const SearchHost *host, SearchResult *result);

#endif
