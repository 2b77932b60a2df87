/*
 * Runner: the match runner that is installed, found and run.
 */
#ifndef ROOKERY_TOOLS_MATCH_RUNNER_H
#define ROOKERY_TOOLS_MATCH_RUNNER_H

#include "base/status.h"
#include "tools/match/programs.h"

typedef enum { RUNNER_FASTCHESS, RUNNER_CUTECHESS } RunnerKind;

typedef struct {
    RunnerKind kind;
    char path[PROGRAMS_PATH_BYTES_MAX]; /* absolute */
} Runner;

/*
 * Finds the program `wanted`, or, if that is NULL, fastchess or cutechess-cli on PATH. Which of
 * them a program is shows in its name. Errors: STATUS_NOT_FOUND, with how to get one;
 * STATUS_INVALID (a name that shows neither).
 */
Status runner_find(const char *wanted, Runner *runner);

/*
 * Runs the words, a NULL behind the last one, to the end of the process, its output on standard
 * error. A signal that asks this program to end asks the runner for an orderly end, a second one
 * ends it and its engines at once. The calling thread must be the only one; its signals stay
 * blocked. Errors: STATUS_IO (it cannot be started), STATUS_UNAVAILABLE (it failed, or a signal
 * ended the match early).
 */
Status runner_run(char *const *words);

#endif
