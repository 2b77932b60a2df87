/*
 * Tally: the games of a PGN, counted from the side of one engine.
 *
 * Two games are a pair when both have the same round, start position and opponent and the engine
 * has the other colour; each game joins the earliest such game that is still alone. So games may
 * stand in any order, several matches may follow each other in one file, and a match that was cut
 * short leaves games alone.
 *
 * Invariants: games = wins + losses + draws = 2 * (all pairs) + alone.
 */
#ifndef ROOKERY_TOOLS_MATCH_TALLY_H
#define ROOKERY_TOOLS_MATCH_TALLY_H

#include "base/status.h"
#include "tools/match/statistics.h"

enum {
    TALLY_NAME_BYTES_MAX = 256,
};

/* What ended games against the rules of the match, by whose fault. */
typedef struct {
    int time_losses;
    int illegal_moves;
    int disconnects; /* crashes and hangs too, as both runners tell them */
} Faults;

typedef struct {
    char engine[TALLY_NAME_BYTES_MAX];   /* whose results these are */
    char opponent[TALLY_NAME_BYTES_MAX]; /* "all others" if there are several */
    int games;                           /* with a result */
    int wins;
    int losses;
    int draws;
    int alone;       /* games without the other one of their pair */
    int unfinished;  /* games without a result */
    int unreadable;  /* games that are no PGN; in no other count */
    Samples pairs;   /* by the mean of both points */
    Samples singles; /* each game by itself */
    Faults by_engine;
    Faults by_opponent;
} Tally;

/*
 * Counts the games of `text`, of `length` bytes, in which `engine` plays; if that is NULL, White
 * of the first readable game. Errors: STATUS_NOT_FOUND (no such game), STATUS_NO_MEMORY.
 */
Status tally_read(const char *text, long length, const char *engine, Tally *tally);

/* The same for a file. Errors: those, and those of files_read. */
Status tally_read_file(const char *path, const char *engine, Tally *tally);

/* The samples that say most: pairs, or single games where there is no pair. */
const Samples *tally_samples(const Tally *tally);

#endif
