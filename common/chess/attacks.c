#include "chess/attacks.h"

#include <stdlib.h>
#include <string.h>

#include "chess/magics.h"
#include "chess/zobrist.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

AttackTables attack_tables;

/* 5248 bishop and 102400 rook occupancies: the sums of 2^bits over the masks of all squares. */
enum { SLIDER_TABLE_SIZE = 5248 + 102400 };

static Bitboard slider_table[SLIDER_TABLE_SIZE];

#if defined(__x86_64__)
/* AMD's families before 0x19 (Zen 3) have BMI2 but run PEXT as slow microcode. */
static bool cpu_pext_is_slow(void)
{
    enum { FAMILY_ZEN_3 = 0x19 };
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx)) {
        return true;
    }
    const bool is_amd = ebx == signature_AMD_ebx && ecx == signature_AMD_ecx;
    if (!is_amd || !__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
        return false;
    }
    const unsigned family = ((eax >> 8) & 0xF) + ((eax >> 20) & 0xFF);
    return family < FAMILY_ZEN_3;
}

static bool cpu_has_pext(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2");
}
#else
static bool cpu_pext_is_slow(void)
{
    return true;
}

static bool cpu_has_pext(void)
{
    return false;
}
#endif

static bool choose_pext(SliderMethod method)
{
    switch (method) {
    case SLIDER_PEXT:
        return cpu_has_pext();
    case SLIDER_MAGIC:
        return false;
    default:
        return cpu_has_pext() && !cpu_pext_is_slow();
    }
}

/* Fills one square's entry and its part of the table; returns the first slot behind that part. */
static Bitboard *init_slider(SliderEntry *entry, SliderKind kind, Square square, Bitboard *slots)
{
    const uint64_t *magics = kind == SLIDER_BISHOP ? magics_bishop : magics_rook;
    entry->mask = magics_mask(kind, square);
    entry->magic = magics[square];
    entry->attacks = slots;
    entry->shift = (unsigned)(64 - bitboard_count(entry->mask));

    Bitboard occupied = 0;
    unsigned subset = 0; /* subsets come in the order of their PEXT */
    do {
        const uint64_t slot =
            attack_tables.use_pext ? subset : (occupied * entry->magic) >> entry->shift;
        slots[slot] = magics_walk(kind, square, occupied);
        subset++;
        occupied = (occupied - entry->mask) & entry->mask;
    } while (occupied != 0);
    return slots + subset;
}

/* Squares at the given steps from `square` that are on the board. */
static Bitboard leaper_attacks(Square square, const int (*steps)[2], int step_count)
{
    Bitboard attacks = 0;
    for (int i = 0; i < step_count; i++) {
        const int file = square_file(square) + steps[i][0];
        const int rank = square_rank(square) + steps[i][1];
        if (file >= 0 && file < FILE_COUNT && rank >= 0 && rank < RANK_COUNT) {
            attacks |= bitboard_square(square_make(file, rank));
        }
    }
    return attacks;
}

static void init_leapers(void)
{
    static const int knight[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                     {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int king[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                   {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        const Bitboard here = bitboard_square(square);
        attack_tables.knight[square] = leaper_attacks(square, knight, 8);
        attack_tables.king[square] = leaper_attacks(square, king, 8);
        attack_tables.pawn[WHITE][square] = bitboard_pawn_attacks(WHITE, here);
        attack_tables.pawn[BLACK][square] = bitboard_pawn_attacks(BLACK, here);
    }
}

static void init_lines(void)
{
    for (Square from = 0; from < SQUARE_COUNT; from++) {
        for (Square to = 0; to < SQUARE_COUNT; to++) {
            const Bitboard ends = bitboard_square(from) | bitboard_square(to);
            for (SliderKind kind = SLIDER_BISHOP; kind <= SLIDER_ROOK; kind++) {
                if (from == to || !bitboard_has(magics_walk(kind, from, 0), to)) {
                    continue;
                }
                attack_tables.line[from][to] =
                    (magics_walk(kind, from, 0) & magics_walk(kind, to, 0)) | ends;
                attack_tables.between[from][to] =
                    magics_walk(kind, from, ends) & magics_walk(kind, to, ends);
            }
        }
    }
}

void attacks_init(SliderMethod method)
{
    zobrist_init();
    memset(&attack_tables, 0, sizeof attack_tables);
    attack_tables.use_pext = choose_pext(method);

    Bitboard *slots = slider_table;
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        slots = init_slider(&attack_tables.bishop[square], SLIDER_BISHOP, square, slots);
        slots = init_slider(&attack_tables.rook[square], SLIDER_ROOK, square, slots);
    }
    CHECK(slots == slider_table + SLIDER_TABLE_SIZE);
    init_leapers();
    init_lines();
}
