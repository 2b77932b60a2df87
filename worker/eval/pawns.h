/*
 * Pawns: what the pawns of both sides are worth by themselves, and the shelter of the kings.
 *
 * Pawns move seldom, so a small table by pawn key saves nearly all of this work. An entry keeps
 * the shelter of the last king squares seen with that structure.
 * Sources: chessprogramming.org/Pawn_Structure, /Pawn_Hash_Table, /King_Safety#Pawn_Shield.
 */
#ifndef ROOKERY_WORKER_EVAL_PAWNS_H
#define ROOKERY_WORKER_EVAL_PAWNS_H

#include "chess/position.h"
#include "worker/eval/trace.h"

typedef struct {
    uint64_t key;                     /* pawn_key of the structure */
    Bitboard passed;                  /* passed pawns of both sides */
    Bitboard reach[COLOR_COUNT];      /* squares that pawns attack now or can after advancing */
    Bitboard files[COLOR_COUNT];      /* all squares of the files that hold that side's pawns */
    Score structure;                  /* material, place and structure; White minus Black */
    Score shelter[COLOR_COUNT];       /* of the king on shelter_king */
    Square shelter_king[COLOR_COUNT]; /* SQUARE_NONE when unknown */
} PawnEntry;

/* Makes an entry that no position with pawns will take for its own. */
void pawns_clear_entry(PawnEntry *entry);

/* Fills the entry for the position's pawns; the trace may be NULL. Thread: any, entry its own. */
void pawns_fill(const Position *position, PawnEntry *entry, EvalTrace *trace);

/* Computes the shelter of one king and keeps it in the entry. */
Score pawns_fill_shelter(const Position *position, Color color, PawnEntry *entry, EvalTrace *trace);

/* The shelter of one king, from the entry when its king has not moved. */
ALWAYS_INLINE Score pawns_shelter(const Position *position, Color color, PawnEntry *entry,
                                  EvalTrace *trace)
{
    if (entry->shelter_king[color] == position_king(position, color)) {
        return entry->shelter[color];
    }
    return pawns_fill_shelter(position, color, entry, trace);
}

#endif
