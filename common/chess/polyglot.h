/*
 * Polyglot: the position key of opening books in the Polyglot format.
 * Source: "Polyglot book format", hgm.nubati.net/book_format.html, whose 781 constants this uses.
 */
#ifndef ROOKERY_CHESS_POLYGLOT_H
#define ROOKERY_CHESS_POLYGLOT_H

#include "chess/position.h"

/* The key under which a Polyglot book stores this position. */
uint64_t polyglot_key(const Position *position);

#endif
