#include "chess/magics.h"

#include <string.h>

#include "chess/bitboard.h"

enum { SLOTS_MAX = 4096 };

/* clang-format off */
/* Found by magics_find, squares in order, bishops first, with the generator seeded by 1. */
const uint64_t magics_bishop[SQUARE_COUNT] = {
    0x4020045102002A00ULL, 0x0220084101202200ULL, 0x1208024842002001ULL,
    0x0444106200584040ULL, 0x3082021050104101ULL, 0x08008864401880A0ULL,
    0x0054420211400861ULL, 0x4008110110322000ULL, 0x0648A1600C00C680ULL,
    0x8141228811050202ULL, 0x2010104102002000ULL, 0x4100020A0A060008ULL,
    0x0014011040100001ULL, 0x000B020202210020ULL, 0x00100A9808023100ULL,
    0x0000202084046006ULL, 0x4020010404042800ULL, 0x0010020801210400ULL,
    0x0802002118020282ULL, 0x020800040122A000ULL, 0x0818202C02080040ULL,
    0x8821000200420201ULL, 0x02A8400101101050ULL, 0x08024A0100425001ULL,
    0x0082080093101000ULL, 0x0041080104080814ULL, 0x0824300008008020ULL,
    0x8002008028008082ULL, 0x0288840050802000ULL, 0x0070208109004120ULL,
    0x600404108880C400ULL, 0x0221021401004108ULL, 0x2201101282086000ULL,
    0x0000943110041008ULL, 0x9002043200D00080ULL, 0x2000200500480091ULL,
    0x00A40100110C0040ULL, 0x8048100100002088ULL, 0x040401040B284440ULL,
    0x3058220080004460ULL, 0x00010110100040A8ULL, 0x000401210800100CULL,
    0xA308804040410800ULL, 0x9400002018028905ULL, 0x0002010124000202ULL,
    0x0040140800800530ULL, 0x0004100082010105ULL, 0x0082420042050100ULL,
    0x000C011111100008ULL, 0x00028080A8600080ULL, 0x0200004404041010ULL,
    0x2001001042020189ULL, 0x70C08108030C0100ULL, 0x10144244A8098002ULL,
    0x1040084101023280ULL, 0x0108082100420000ULL, 0x0092022612022000ULL,
    0x0014210041042000ULL, 0xC00200020042220AULL, 0x2021100104420200ULL,
    0x0002080010820200ULL, 0xC00A40200C900290ULL, 0x0824101010210048ULL,
    0x06208A5200490200ULL,
};

const uint64_t magics_rook[SQUARE_COUNT] = {
    0x1080004000802015ULL, 0x0840002000401001ULL, 0x0100082000150040ULL,
    0x1180048090000800ULL, 0x0100020800050010ULL, 0x0180090200800400ULL,
    0x02004E8811020004ULL, 0x0100022200815100ULL, 0x8200800080204000ULL,
    0x0002002102004080ULL, 0x002C801000200080ULL, 0x8010808010000800ULL,
    0x8001000501080110ULL, 0x02C2000410020008ULL, 0x4042000200040178ULL,
    0xA881000200408100ULL, 0x0840028002604180ULL, 0x000021004000810AULL,
    0x1000420014820020ULL, 0x0401010020100008ULL, 0x0000828008000400ULL,
    0x0200808004000201ULL, 0x0180010100020004ULL, 0x83810A00084C2285ULL,
    0x0001004200220080ULL, 0x4440009100210040ULL, 0x1000200080100080ULL,
    0x0080420200081020ULL, 0x0218004040040200ULL, 0x4044000202001008ULL,
    0x02203A0C00100108ULL, 0x1005004200010084ULL, 0x4001004202002080ULL,
    0x801041008A002200ULL, 0x0010080020200400ULL, 0x0801004863001000ULL,
    0xC004080080800401ULL, 0x0414008004800200ULL, 0x0008010204001008ULL,
    0x00010002D9000082ULL, 0x20C0004020808000ULL, 0x800120100041C000ULL,
    0x1400120040820020ULL, 0x0614201001010008ULL, 0x2244080005010011ULL,
    0xC202000804020010ULL, 0x8102020801040010ULL, 0xA200944420820005ULL,
    0x0080030540802500ULL, 0x0080802000400080ULL, 0x0044104020050100ULL,
    0x4000300080580280ULL, 0x0200800400080080ULL, 0x0003805400A20080ULL,
    0x0048020890311400ULL, 0x002000408C090200ULL, 0x4040210040108001ULL,
    0x0001001420844001ULL, 0x1A00110008200041ULL, 0x4485007000210409ULL,
    0x5003000A3800104DULL, 0x0992000108041002ULL, 0x0242210090480204ULL,
    0x0000004021188402ULL,
};
/* clang-format on */

Bitboard magics_walk(SliderKind kind, Square square, Bitboard occupied)
{
    static const int steps[2][4][2] = {{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}},
                                       {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
    Bitboard attacks = 0;
    for (int direction = 0; direction < 4; direction++) {
        const int *step = steps[kind][direction];
        int file = square_file(square) + step[0];
        int rank = square_rank(square) + step[1];
        while (file >= 0 && file < FILE_COUNT && rank >= 0 && rank < RANK_COUNT) {
            const Bitboard target = bitboard_square(square_make(file, rank));
            attacks |= target;
            if (occupied & target) {
                break;
            }
            file += step[0];
            rank += step[1];
        }
    }
    return attacks;
}

Bitboard magics_mask(SliderKind kind, Square square)
{
    const Bitboard edge_ranks =
        (BITBOARD_RANK_1 | BITBOARD_RANK_8) & ~bitboard_rank(square_rank(square));
    const Bitboard edge_files =
        (BITBOARD_FILE_A | BITBOARD_FILE_H) & ~bitboard_file(square_file(square));
    return magics_walk(kind, square, 0) & ~(edge_ranks | edge_files);
}

/* Whether the multiplier maps every occupancy to a slot that only equal attacks share. */
static bool magic_works(SliderKind kind, Square square, uint64_t magic)
{
    const Bitboard mask = magics_mask(kind, square);
    const int shift = 64 - bitboard_count(mask);
    Bitboard slots[SLOTS_MAX];
    memset(slots, 0, sizeof slots); /* no slider attacks nothing, so 0 marks a free slot */

    Bitboard occupied = 0;
    do {
        const Bitboard attacks = magics_walk(kind, square, occupied);
        Bitboard *slot = &slots[(occupied * magic) >> shift];
        if (*slot != 0 && *slot != attacks) {
            return false;
        }
        *slot = attacks;
        occupied = (occupied - mask) & mask; /* the next subset of the mask (Carry-Rippler) */
    } while (occupied != 0);
    return true;
}

uint64_t magics_find(SliderKind kind, Square square, Prng *prng)
{
    const Bitboard mask = magics_mask(kind, square);
    for (;;) {
        /* Sparse candidates work more often. */
        const uint64_t magic = prng_next(prng) & prng_next(prng) & prng_next(prng);
        if (bitboard_count((mask * magic) >> 56) >= 6 && magic_works(kind, square, magic)) {
            return magic;
        }
    }
}
