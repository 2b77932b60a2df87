/*
 * UCI input: what a line asks for.
 *
 * Lenient as GUIs need it: unknown words are passed over.
 * Source: UCI specification (2006).
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_UCI_PARSE_H
#define ROOKERY_UCI_BRIDGE_CORE_UCI_PARSE_H

#include "messages/messages.h"
#include "uci_bridge/core/uci_text.h"

typedef enum {
    UCI_COMMAND_NONE, /* an empty line, or nothing that we know */
    UCI_COMMAND_UCI,
    UCI_COMMAND_IS_READY,
    UCI_COMMAND_NEW_GAME,
    UCI_COMMAND_POSITION,
    UCI_COMMAND_GO,
    UCI_COMMAND_STOP,
    UCI_COMMAND_PONDER_HIT,
    UCI_COMMAND_SET_OPTION,
    UCI_COMMAND_QUIT,
    UCI_COMMAND_BOARD,   /* d */
    UCI_COMMAND_EVAL,    /* eval */
    UCI_COMMAND_BENCH,   /* bench */
    UCI_COMMAND_CLUSTER, /* cluster */
    UCI_COMMAND_HELP,    /* help */
} UciCommand;

/*
 * The command that a line names by its first word that we know, for what is unknown is skipped;
 * `rest` gets what follows it. Source: the UCI specification, "joho debug on".
 */
UciCommand uci_parse_command(UciText line, UciText *rest);

/* The parts of `position`. */
typedef struct {
    bool is_valid; /* "startpos" or "fen" was there */
    UciText fen;   /* empty for "startpos" */
    UciText moves; /* what follows "moves"; may be empty */
    UciText extra; /* behind "startpos" and before "moves", where nothing belongs; may be empty */
} UciPosition;

/* Takes apart what follows the word `position`. */
UciPosition uci_parse_position(UciText rest);

/* Takes apart what follows the word `setoption`; either text may be empty. */
void uci_parse_set_option(UciText rest, UciText *name, UciText *value);

/*
 * Reads what follows the word `go`; `position` gives the moves of `searchmoves` their meaning, and
 * those that are illegal or doubled are left out. Returns the depth of `go perft N`,
 * UCI_PERFT_NO_DEPTH where N is missing, or 0 for a search. All numbers end up within what the
 * messages allow: clocks within a year, to either side of 0, depth 1 to ROOT_DEPTH_MAX.
 *
 * A limit without a number is none; `unread` gets the first such name, or nothing. Where limits are
 * named and none of them would ever end the search, it is to end at once (movetime 0): whoever has
 * a clock must not lose by a word.
 */
enum { UCI_PERFT_NO_DEPTH = -1 };
int uci_parse_go(UciText rest, const Position *position, GoLimits *limits, UciText *unread);

#endif
