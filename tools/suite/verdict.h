/*
 * Verdict: whether an engine's line does what a test position asks for.
 *
 * Every claimed mate is put to the proof: its line must be full (2N - 1 plies to mate in N, 2N to
 * be mated in N), legal, and end in checkmate; and it may not be quicker than the known shortest
 * one, nor the other side's.
 */
#ifndef ROOKERY_TOOLS_SUITE_VERDICT_H
#define ROOKERY_TOOLS_SUITE_VERDICT_H

#include "chess/line.h"
#include "uci_bridge/epd.h"

typedef enum {
    MATE_NOT_CLAIMED, /* no mate score, or one that only bounds the value */
    MATE_TRUE,
    MATE_FALSE,    /* illegal, without a checkmate at its end, or better than possible */
    MATE_PV_SHORT, /* legal as far as it goes, but it ends before the mate */
} MateVerdict;

typedef struct {
    bool solved;
    int points; /* of Epd.points */
    MateVerdict mate;
} Verdict;

/* Judges the engine's best line. */
Verdict verdict_of(const Epd *epd, const Line *line);

#endif
