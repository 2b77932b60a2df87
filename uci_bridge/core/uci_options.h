/*
 * UciOptions: the options that `uci` lists and `setoption` changes.
 *
 * A value that is out of range or cannot be read leaves the option as it was: a GUI that sends
 * nonsense keeps an engine that works.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_UCI_OPTIONS_H
#define ROOKERY_UCI_BRIDGE_CORE_UCI_OPTIONS_H

#include "base/status.h"
#include "uci_bridge/core/uci_text.h"

enum {
    UCI_OPTION_THREADS_MAX = 256,
    UCI_OPTION_HASH_MB_MAX = 65536,
    UCI_OPTION_HASH_MB_DEFAULT = 64,
    UCI_OPTION_MOVE_OVERHEAD_MS_MAX = 5000,
    UCI_OPTION_MOVE_OVERHEAD_MS_DEFAULT = 30,
    UCI_OPTION_MULTI_PV_MAX = 256,
    UCI_OPTION_ELO_DEFAULT = 2000,
    UCI_OPTION_CLUSTER_BYTES_MAX = 128, /* with its NUL; as a configuration's */
    UCI_OPTION_LINE_BYTES_MAX = 512,    /* the longest line of uci_options_line, with its NUL */
};

/* Each field is the option of nearly that name. */
typedef struct {
    int threads;                                /* search slots of the embedded cluster */
    int hash_mb;                                /* their common table */
    int move_overhead_ms;                       /* lost on each move before the clock stops */
    int multi_pv;                               /* lines shown */
    bool chess960;                              /* positions are set up and written as Chess960 */
    bool show_wdl;                              /* win, draw and loss beside each score */
    bool ponder;                                /* the GUI may ponder; nothing depends on it */
    bool limit_strength;                        /* play as a player of `elo` */
    int elo;                                    /* that player; see strength.h */
    char cluster[UCI_OPTION_CLUSTER_BYTES_MAX]; /* the master's address; empty: embedded */
} UciOptions;

/* What a `setoption` asks for beyond the new value. */
typedef enum { UCI_OPTION_STORED, UCI_OPTION_CLEAR_HASH } UciOptionEffect;

/*
 * Gives the option of that name (in either case) the value. Buttons take any value or none.
 * Errors: STATUS_NOT_FOUND (no such option), STATUS_INVALID (a value that it cannot take); the
 * message is one printable line, the options are untouched.
 */
__attribute__((warn_unused_result)) Status uci_options_set(UciOptions *options, UciText name,
                                                           UciText value, UciOptionEffect *effect);

/*
 * Writes the `index`th line that `uci` lists ("option name ..."), with `defaults` as default
 * values. False when there are no more.
 */
bool uci_options_line(const UciOptions *defaults, int index, char line[UCI_OPTION_LINE_BYTES_MAX]);

#endif
