#include "chess/zobrist.h"

#include "base/prng.h"

ZobristTables zobrist_tables;

void zobrist_init(void)
{
    enum { ZOBRIST_SEED = 20240229 };
    Prng prng;
    prng_init(&prng, ZOBRIST_SEED);

    for (int color = WHITE; color <= BLACK; color++) {
        for (int type = PAWN; type <= KING; type++) {
            for (int square = 0; square < SQUARE_COUNT; square++) {
                const Piece piece = piece_make((Color)color, (PieceType)type);
                zobrist_tables.piece[piece][square] = prng_next(&prng);
            }
        }
    }
    /* Rights are independent of each other, so a set's number is the XOR of its members'. */
    for (int right = 0; right < CASTLING_COUNT; right++) {
        const uint64_t number = prng_next(&prng);
        for (unsigned set = 0; set <= CASTLING_ALL; set++) {
            if (set & (1U << right)) {
                zobrist_tables.castling[set] =
                    right == 0 ? number : zobrist_tables.castling[set] ^ number;
            } else if (right == 0) {
                zobrist_tables.castling[set] = 0;
            }
        }
    }
    for (int file = 0; file < FILE_COUNT; file++) {
        zobrist_tables.en_passant[file] = prng_next(&prng);
    }
    zobrist_tables.side = prng_next(&prng);
}
