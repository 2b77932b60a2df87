/*
 * Notation of single moves: UCI coordinates and SAN.
 *
 * UCI writes castling as the king's two-square step in standard chess (e1g1) and as king takes
 * rook in Chess960 (e1h1). Both are read in either mode where no other legal move is meant.
 * Sources: UCI specification (2006); PGN standard 8.2.3.
 */
#ifndef ROOKERY_CHESS_NOTATION_H
#define ROOKERY_CHESS_NOTATION_H

#include "chess/position.h"

enum { UCI_MOVE_BYTES_MAX = 6, SAN_MOVE_BYTES_MAX = 12 };

/* Writes the move as UCI text, NUL-terminated; MOVE_NONE is "0000". */
void notation_write_uci(const Position *position, Move move, char text[UCI_MOVE_BYTES_MAX]);

/* The legal move that the `length` bytes at `text` name in UCI notation, or MOVE_NONE. */
Move notation_parse_uci(const Position *position, const char *text, int length);

/* Writes a legal move as SAN with the shortest disambiguation and + or #, NUL-terminated. */
void notation_write_san(const Position *position, Move move, char text[SAN_MOVE_BYTES_MAX]);

/*
 * The one legal move that the `length` bytes at `text` name in SAN, or MOVE_NONE when none or
 * several do. Lenient as PGN readers must be: check and annotation marks (+ # ! ?), "0-0" for
 * "O-O", missing or surplus "x", "=" and disambiguation, and long algebraic forms are accepted.
 */
Move notation_parse_san(const Position *position, const char *text, int length);

#endif
