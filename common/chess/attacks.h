/*
 * Attacks: which squares a piece on a square attacks, given what stands in its way.
 *
 * Sliding attacks come from one table that is indexed by PEXT where the processor has a fast one
 * (BMI2, but not the microcoded one of AMD before Zen 3) and by magic multiplication elsewhere.
 * The choice is made once, in attacks_init, and both give the same sets.
 * Sources: chessprogramming.org/Magic_Bitboards, /BMI2#PEXTBitboards.
 */
#ifndef ROOKERY_CHESS_ATTACKS_H
#define ROOKERY_CHESS_ATTACKS_H

#include "chess/bitboard.h"

/* How one square's sliding attacks are found in the table. */
typedef struct {
    Bitboard mask;           /* the squares whose occupancy matters */
    uint64_t magic;          /* multiplier; unused with PEXT */
    const Bitboard *attacks; /* this square's part of the table */
    unsigned shift;          /* 64 - popcount(mask); unused with PEXT */
} SliderEntry;

/* Tables built once by attacks_init and constant from then on. */
typedef struct {
    SliderEntry bishop[SQUARE_COUNT];
    SliderEntry rook[SQUARE_COUNT];
    Bitboard knight[SQUARE_COUNT];
    Bitboard king[SQUARE_COUNT];
    Bitboard pawn[COLOR_COUNT][SQUARE_COUNT];
    Bitboard between[SQUARE_COUNT][SQUARE_COUNT]; /* strictly between; empty if not in line */
    Bitboard line[SQUARE_COUNT][SQUARE_COUNT];    /* edge to edge through both; or empty */
    bool use_pext;
} AttackTables;

extern AttackTables attack_tables;

typedef enum { SLIDER_AUTO, SLIDER_MAGIC, SLIDER_PEXT } SliderMethod;

/*
 * Builds all tables. SLIDER_AUTO picks the faster method of this processor; the others force one
 * (tests; SLIDER_PEXT on a processor without BMI2 falls back to magics). Call once before any
 * other function of this library, from one thread; calling again with another method is allowed
 * while no other thread uses the library.
 */
void attacks_init(SliderMethod method);

/* PEXT as an instruction that compiles without -mbmi2; only called where attacks_init found it. */
static inline uint64_t attacks_pext(uint64_t value, uint64_t mask)
{
#if defined(__x86_64__)
    uint64_t result;
    __asm__("pextq %2, %1, %0" : "=r"(result) : "r"(value), "r"(mask));
    return result;
#else
    (void)mask;
    return value;
#endif
}

static inline Bitboard attacks_slider(const SliderEntry *entry, Bitboard occupied)
{
#if defined(__x86_64__)
    if (__builtin_expect(attack_tables.use_pext, 1)) {
        return entry->attacks[attacks_pext(occupied, entry->mask)];
    }
#endif
    return entry->attacks[((occupied & entry->mask) * entry->magic) >> entry->shift];
}

static inline Bitboard attacks_bishop(Square square, Bitboard occupied)
{
    return attacks_slider(&attack_tables.bishop[square], occupied);
}

static inline Bitboard attacks_rook(Square square, Bitboard occupied)
{
    return attacks_slider(&attack_tables.rook[square], occupied);
}

static inline Bitboard attacks_queen(Square square, Bitboard occupied)
{
    return attacks_bishop(square, occupied) | attacks_rook(square, occupied);
}

static inline Bitboard attacks_knight(Square square)
{
    return attack_tables.knight[square];
}

static inline Bitboard attacks_king(Square square)
{
    return attack_tables.king[square];
}

/* The squares that a pawn of `color` on `square` attacks. */
static inline Bitboard attacks_pawn(Color color, Square square)
{
    return attack_tables.pawn[color][square];
}

/* Attacks of a knight, bishop, rook, queen or king. */
static inline Bitboard attacks_piece(PieceType type, Square square, Bitboard occupied)
{
    switch (type) {
    case KNIGHT:
        return attacks_knight(square);
    case BISHOP:
        return attacks_bishop(square, occupied);
    case ROOK:
        return attacks_rook(square, occupied);
    case QUEEN:
        return attacks_queen(square, occupied);
    default:
        return attacks_king(square);
    }
}

static inline Bitboard attacks_between(Square from, Square to)
{
    return attack_tables.between[from][to];
}

static inline Bitboard attacks_line(Square from, Square to)
{
    return attack_tables.line[from][to];
}

#endif
