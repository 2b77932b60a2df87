/*
 * Move picker: legal moves of a node, likeliest cutoff first, generated in stages as late as may
 * be.
 *
 *   TT move -> captures that do not lose by SEE -> killers, countermove -> quiets by history
 *           -> captures that lose
 *
 * In quiescence the picker ends after the good captures, unless in check, when it gives all
 * evasions. Source: chessprogramming.org/Move_Ordering.
 */
#ifndef ROOKERY_SEARCH_PICKER_H
#define ROOKERY_SEARCH_PICKER_H

#include "chess/movegen.h"
#include "worker/search/ordering.h"
#include "worker/search/tt.h"

enum { PICKER_CONTINUATIONS = 3, PICKER_REFUTATIONS = 3 };

typedef enum {
    PICK_TT,
    PICK_GENERATE_CAPTURES,
    PICK_GOOD_CAPTURES,
    PICK_REFUTATIONS,
    PICK_GENERATE_QUIETS,
    PICK_QUIETS,
    PICK_BAD_CAPTURES,
    PICK_DONE,
} PickStage;

typedef struct {
    const Position *position;
    Bitboard attacked; /* by the opponent; none where captures alone are searched */
    Ordering *ordering;
    const Continuation *continuations[PICKER_CONTINUATIONS]; /* of 1, 2 and 4 plies ago, or NULL */
    Move tt_move;                                            /* legal, or MOVE_NONE */
    Move refutations[PICKER_REFUTATIONS]; /* killers and countermove, any 16 bits */
    PickStage stage;
    bool captures_only; /* quiescence out of check, ProbCut */
    bool skip_quiets;   /* set by picker_skip_quiets */
    const Tt *tt;       /* set by picker_prefetch, else NULL */
    int see_threshold;  /* a good capture gains at least this, cp */
    int next;           /* of the current stage's list */
    int bad_count;      /* losing captures, kept at the front of `list` */
    MoveList list;
    int scores[MOVES_MAX]; /* beside list.moves */
} Picker;

/* The squares that the opponent of the side to move attacks. */
Bitboard picker_attacked(const Position *position);

/*
 * Prepares a picker of the main search. `attacked` is picker_attacked of the position;
 * `continuations` may hold NULLs; the rest is copied.
 */
void picker_init(Picker *picker, const Position *position, Bitboard attacked, Ordering *ordering,
                 const Continuation *const continuations[PICKER_CONTINUATIONS], Move tt_move,
                 const Move refutations[PICKER_REFUTATIONS]);

/* Prepares a picker of quiescence: good captures and promotions, or all evasions when in check. */
void picker_init_quiescence(Picker *picker, const Position *position, Ordering *ordering,
                            const Continuation *const continuations[PICKER_CONTINUATIONS],
                            Move tt_move);

/*
 * Prepares a picker of captures and promotions that gain `gain` cp or more by SEE, for a position
 * out of check. The table's move comes first whatever it gains.
 */
void picker_init_captures(Picker *picker, const Position *position, Ordering *ordering,
                          Move tt_move, int gain);

/* The next move, or MOVE_NONE when there is none left. Each legal move comes once. */
Move picker_next(Picker *picker);

/* No quiet move shall come any more. */
static inline void picker_skip_quiets(Picker *picker)
{
    picker->skip_quiets = true;
}

/*
 * From now on the entry of a move's child in `tt` is asked for as soon as the move is looked at:
 * memory takes about as long as it takes to judge the move and to make it.
 */
static inline void picker_prefetch(Picker *picker, const Tt *tt)
{
    picker->tt = tt;
}

/* The history score by which quiets are ordered: by from and to, plus continuations. */
int picker_quiet_history(const Position *position, Bitboard attacked, Ordering *ordering,
                         const Continuation *const continuations[PICKER_CONTINUATIONS], Move move);

#endif
