/*
 * FEN: text to position and back.
 *
 * Reads standard FEN, X-FEN and Shredder-FEN castling fields. What is missing at the end is
 * defaulted ("w - - 0 1"); what cannot be true but does no harm is repaired (castling rights
 * without their rook, an en passant square nobody can capture on, move counters out of range);
 * everything else is refused with a message that names the field, the character and what was
 * expected. Sources: FIDE laws; PGN standard 16.1; chessprogramming.org/Forsyth-Edwards_Notation.
 */
#ifndef ROOKERY_CHESS_FEN_H
#define ROOKERY_CHESS_FEN_H

#include "base/status.h"
#include "chess/position.h"

#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

enum { FEN_BYTES_MAX = 128 };

/*
 * Parses `text` (at most `length` bytes, need not be NUL-terminated, stops at a newline or a NUL)
 * into `position`. `chess960` says how castling is to be written from now on; without it a right
 * whose king and rook do not stand on their standard squares is dropped. On failure `position` is
 * untouched.
 */
__attribute__((warn_unused_result)) Status fen_parse(const char *text, int length, bool chess960,
                                                     Position *position);

/* Writes the FEN, NUL-terminated; Shredder castling letters for a Chess960 position. */
void fen_write(const Position *position, char text[FEN_BYTES_MAX]);

/* The position at the start of a game. */
Position fen_start_position(void);

#endif
