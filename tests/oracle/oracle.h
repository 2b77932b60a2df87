/*
 * Oracle: the rules of chess a second time, slow and obvious, to judge common/chess by.
 *
 * An 8x8 board of letters; moves are tried on a copy and thrown away when the own king can be
 * taken. Nothing is incremental, nothing is a table, and of the library only the vocabulary
 * (types.h: Move, Square, Color) is shared, so that an error in one is not an error in both.
 * Sources: FIDE Laws of Chess 2023, articles 3, 5 and 9, and guideline II (Chess960).
 */
#ifndef ROOKERY_TESTS_ORACLE_H
#define ROOKERY_TESTS_ORACLE_H

#include "chess/types.h"

enum { ORACLE_MOVES_MAX = 512, ORACLE_FEN_BYTES_MAX = 128, ORACLE_NO_FILE = -1 };

typedef struct {
    char letter[RANK_COUNT][FILE_COUNT]; /* [rank][file] from a1: FEN letters, '.' when empty */
    Color side;                          /* to move */
    int castling_file[COLOR_COUNT][2];   /* file of the rook, by CastlingSide; ORACLE_NO_FILE */
    int double_step_file;                /* where a pawn has just gone two steps, or none */
    int half_moves;                      /* since the last capture or pawn move */
    int full_move;                       /* number of the move to come, from 1 */
} OracleBoard;

typedef struct {
    Move moves[ORACLE_MOVES_MAX];
    int count;
} OracleMoves;

/*
 * Reads a FEN with all six fields, well formed; castling as Shredder letters or KQkq (outermost
 * rook). Returns false when it is not. Judges form, not legality.
 */
bool oracle_parse(const char *fen, OracleBoard *board);

/* Writes the FEN; Shredder letters, and the en passant square after every double step. */
void oracle_write(const OracleBoard *board, char fen[ORACLE_FEN_BYTES_MAX]);

/* How many pieces of `by` attack the square (FIDE 3.1.2: pinned pieces attack too). */
int oracle_attacker_count(const OracleBoard *board, int file, int rank, Color by);

/* How many pieces check the king of `color`, which must have one. */
int oracle_checker_count(const OracleBoard *board, Color color);

bool oracle_is_in_check(const OracleBoard *board, Color color);

/* What the pieces can do, whatever becomes of their king; in no particular order. */
void oracle_possible_moves(const OracleBoard *board, OracleMoves *list);

/* All legal moves: those possible ones that leave the king unattacked. */
void oracle_legal_moves(const OracleBoard *board, OracleMoves *list);

bool oracle_has_move(const OracleMoves *list, Move move);

/* Writes the position after a legal move. */
void oracle_make(const OracleBoard *board, Move move, OracleBoard *after);

/* Whether the legal move takes a piece or a pawn, and whether it checks the opponent. */
bool oracle_is_capture(const OracleBoard *board, Move move);
bool oracle_gives_check(const OracleBoard *board, Move move);

/* FIDE 5.1.1, 5.2.1, and 9.3 (claimed at once, a mate on the board comes first). */
bool oracle_is_checkmate(const OracleBoard *board);
bool oracle_is_stalemate(const OracleBoard *board);
bool oracle_is_fifty_moves(const OracleBoard *board);

/* Bare kings, one minor piece, or nothing but bishops of one square colour. */
bool oracle_is_insufficient(const OracleBoard *board);

/* Whether the side to move has a legal en passant capture. */
bool oracle_can_take_en_passant(const OracleBoard *board);

/* FIDE 9.2.3: the same player to move, the same board, the same possible moves and rights. */
bool oracle_is_same(const OracleBoard *left, const OracleBoard *right);

/* Leaves of the legal move tree, counted one by one. */
uint64_t oracle_perft(const OracleBoard *board, int depth);

#endif
