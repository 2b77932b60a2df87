/*
 * Command: the runner's command line for a match.
 *
 * What both runners are told: two engines with their limits, rounds of two games with the same
 * opening and colours reversed, openings in random order of a seed, to go on after an engine
 * crashed (it loses the game), where the games go.
 *
 * Sources: the manuals of fastchess (man.md) and cutechess-cli (-help).
 */
#ifndef ROOKERY_TOOLS_MATCH_COMMAND_H
#define ROOKERY_TOOLS_MATCH_COMMAND_H

#include "base/status.h"
#include "tools/match/options.h"
#include "tools/match/runner.h"

enum {
    COMMAND_WORDS_MAX = 256,
    COMMAND_BYTES_MAX = 1 << 16, /* of all words with their NULs */
};

typedef struct {
    char *words[COMMAND_WORDS_MAX + 1]; /* into text; NULL behind the last one */
    int count;
    char text[COMMAND_BYTES_MAX];
    int used; /* bytes of text; more than there are if a word did not fit */
} Command;

/*
 * Makes the command line, the runner's path first; the games go to the file `pgn`. A Command must
 * not be copied. Errors: STATUS_INVALID (too long, or a word the runner cannot be given),
 * STATUS_NOT_FOUND (an engine's program).
 */
Status command_make(const MatchOptions *options, const Runner *runner, const char *pgn,
                    Command *command);

#endif
