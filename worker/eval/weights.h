/*
 * Weights: every number of the evaluation that a tuner may change.
 *
 * All weights are pairs in one struct, so that a tuner can see them as one flat array (an index
 * is a weight's place in the struct) and write weights.c anew. The evaluation itself reads a
 * packed copy that weights_init makes.
 *
 * Arrays by rank count from the owner's side: 0 is its back rank. Arrays by edge hold a file's
 * distance from the nearer edge: 0 for a and h, 3 for d and e. Piece-square tables are laid out as
 * a diagram seen from the owner: its a8 comes first.
 */
#ifndef ROOKERY_WORKER_EVAL_WEIGHTS_H
#define ROOKERY_WORKER_EVAL_WEIGHTS_H

#include <stddef.h>
#include <string.h>

#include "chess/types.h"
#include "worker/eval/score.h"

typedef struct {
    int16_t mg; /* in the middlegame */
    int16_t eg; /* in the endgame */
} Weight;

enum { EDGE_COUNT = 4 };

/* Everything but `danger_*` is centipawns for the side that owns the feature. */
typedef struct {
    Weight material[PIECE_TYPE_COUNT];
    Weight piece_square[PIECE_TYPE_COUNT][SQUARE_COUNT];
    Weight tempo; /* to be on move */

    Weight knight_mobility[9];  /* by the number of safe squares attacked */
    Weight bishop_mobility[14]; /* likewise, seeing through queens */
    Weight rook_mobility[15];   /* likewise, seeing through queens and own rooks */
    Weight queen_mobility[28];

    Weight bishop_pair;
    Weight bishop_pawn;          /* each own pawn on squares of the bishop's colour */
    Weight bishop_long_diagonal; /* sees both squares of the centre on its diagonal */
    Weight knight_outpost[2];    /* no enemy pawn can ever attack it; [1] a pawn protects it */
    Weight bishop_outpost[2];
    Weight minor_behind_pawn;   /* a knight or bishop right behind a pawn */
    Weight minor_king_distance; /* each king step between a minor and its own king */
    Weight rook_file[2];        /* no own pawn on its file; [1] no pawn at all */
    Weight rook_seventh;        /* on the seventh rank, where there is something to attack */
    Weight rook_trapped;        /* shut in by its own king */
    Weight bishop_blocked_pawn; /* each bishop_pawn, for each pawn stuck on the files c to f */
    Weight outpost_in_reach;    /* a knight can jump to an outpost that a pawn protects */
    Weight queen_skewered;      /* each enemy bishop or rook with one piece between it and her */
    Weight pinned;              /* each enemy slider with one piece between it and the own king */

    Weight knight_pawn; /* each own pawn, for each knight */
    Weight queen_minor; /* each own minor, for each queen */

    Weight pawn_doubled;  /* each pawn that has an own pawn in front of it on its file */
    Weight pawn_isolated; /* no own pawn on a neighbouring file */
    Weight pawn_backward; /* left behind by its neighbours, its stop square controlled */
    Weight pawn_exposed;  /* isolated or backward on a half-open file */
    Weight pawn_supported[RANK_COUNT];    /* protected by a pawn */
    Weight pawn_phalanx[RANK_COUNT];      /* beside a pawn */
    Weight pawn_candidate[RANK_COUNT];    /* can become a passed pawn with its neighbours' help */
    Weight passed_rank[RANK_COUNT];       /* no enemy pawn in front or beside */
    Weight passed_own_king[RANK_COUNT];   /* each king step (at most 5) to the stop square */
    Weight passed_enemy_king[RANK_COUNT]; /* likewise, the enemy king's */
    Weight passed_blocked[RANK_COUNT];    /* an enemy piece stands on the stop square */
    Weight passed_safe_stop[RANK_COUNT];  /* the stop square is free and not attacked */
    Weight passed_free_path[RANK_COUNT];  /* no square of the path is attacked or occupied */
    Weight passed_defended[RANK_COUNT];   /* the stop square is ours, or a rook pushes behind */
    Weight passed_edge[EDGE_COUNT];       /* by the file */

    Weight king_shelter[EDGE_COUNT][RANK_COUNT]; /* own pawn nearest to the king; rank 0: none */
    Weight king_storm[EDGE_COUNT][RANK_COUNT];   /* enemy pawn nearest; rank 0: none */
    Weight king_storm_blocked[RANK_COUNT];       /* the same when an own pawn stands against it */
    Weight king_pawn_distance;                   /* each king step to the nearest own pawn */
    Weight king_flank_pawnless; /* no pawn at all on the king's side of the board */

    Weight threat_pawn;           /* each enemy piece attacked by a safe pawn */
    Weight threat_push;           /* each enemy piece a safe pawn push would attack */
    Weight threat_minor_on_pawn;  /* a weak pawn attacked by a minor */
    Weight threat_minor_on_minor; /* a weak minor attacked by a minor */
    Weight threat_minor_on_rook;
    Weight threat_minor_on_queen;
    Weight threat_rook_on_pawn;  /* a weak pawn attacked by a rook */
    Weight threat_rook_on_minor; /* a weak minor attacked by a rook */
    Weight threat_rook_on_queen;
    Weight threat_king;            /* the king attacks something weak */
    Weight threat_hanging;         /* each enemy piece that is attacked and not protected */
    Weight threat_twice;           /* each weak piece that two of ours attack */
    Weight threat_slider_to_queen; /* each safe, supported square from which one would attack her */
    Weight threat_queen_guard;     /* each weak piece that the queen, too, has to protect */
    Weight pawn_push;              /* each safe push of a pawn */
    Weight restriction;            /* each square that the enemy reaches but we contest */
    Weight space;                  /* each safe square behind the pawns in the centre files */
    Weight space_piece;            /* a quarter of each of them, for each own piece */

    /* Endgame only, for the side that is ahead there: away from 0, or back to it at most. */
    Weight winnable_pawn;        /* each pawn on the board */
    Weight winnable_flanks;      /* pawns on both wings */
    Weight winnable_outflank;    /* files less ranks between the kings */
    Weight winnable_pawn_ending; /* no officers */
    Weight winnable_base;        /* always */

    /*
     * Attack units against a king, counted for the side that is attacked. Their sums d become
     * a penalty of d*d / DANGER_MG_DIVISOR in the middlegame and d / DANGER_EG_DIVISOR in the
     * endgame, if positive.
     */
    Weight danger_attacker[PIECE_TYPE_COUNT]; /* each enemy piece that reaches the king's ring */
    Weight danger_attack;                     /* each attack on a square beside the king */
    Weight danger_weak;         /* each attacked ring square that only king or queen protect */
    Weight danger_knight_check; /* a safe check by such a piece exists */
    Weight danger_bishop_check;
    Weight danger_rook_check;
    Weight danger_queen_check;
    Weight danger_unsafe_check; /* each square from which a check would merely lose a piece */
    Weight danger_no_queen;     /* the attacker has no queen */
    Weight danger_knight_guard; /* an own knight protects the ring */
    Weight danger_open_file;    /* each of the king's three files without an own pawn */
    Weight danger_flank;        /* each attacked square of the first five ranks of its side */
    Weight danger_flank_twice;  /* ... attacked twice */
    Weight danger_flank_guard;  /* ... protected */
    Weight danger_base;         /* always */
} EvalWeights;

enum {
    EVAL_WEIGHT_COUNT = sizeof(EvalWeights) / sizeof(Weight),
    DANGER_MG_MAX = 800, /* larger sums count as this */
    DANGER_MG_DIVISOR = 341,
    DANGER_EG_DIVISOR = 8,
    PASSED_KING_DISTANCE_MAX = 5,
};

/* The weights as people and tuners read them. */
extern const EvalWeights eval_weights;

/*
 * The weights as the evaluation reads them: the same struct, but the four bytes of each Weight hold
 * its packed Score (weights_score). Terms point into this one.
 */
extern EvalWeights weights_packed;

/* Material and piece-square weight in one, by Piece and square. */
extern Score weights_placement[PIECE_COUNT][SQUARE_COUNT];

/* Builds the two tables above. Call once, before any evaluation; calling again is harmless. */
void weights_init(void);

/* The packed value of a member of weights_packed. */
ALWAYS_INLINE Score weights_score(const Weight *weight)
{
    Score score;
    _Static_assert(sizeof score == sizeof *weight, "a Score takes the place of a Weight");
    memcpy(&score, weight, sizeof score);
    return score;
}

/* The place of a member of weights_packed in the flat array of all weights. */
ALWAYS_INLINE size_t weights_index(const Weight *weight)
{
    return (size_t)(weight - (const Weight *)&weights_packed);
}

/* The packed value of the weight at such a place. */
static inline Score weights_at(size_t index)
{
    return weights_score((const Weight *)&weights_packed + index);
}

/* Where a square's weight stands in a piece-square diagram. */
ALWAYS_INLINE unsigned weights_diagram_square(Color color, Square square)
{
    return square ^ (color == WHITE ? 56U : 0U);
}

#endif
