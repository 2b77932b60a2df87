/*
 * Engine child: the process below the UCI bridge that runs everything which could abort.
 *
 * Started by the bridge as its own executable with `--engine-child`. It speaks the bridge's
 * messages over the socket of os/child.h and ends when that socket does. Behind it stands a master:
 * a remote one, or one of its own with a worker, in threads that talk over inproc sockets.
 */
#ifndef ROOKERY_UCI_BRIDGE_ENGINE_CHILD_H
#define ROOKERY_UCI_BRIDGE_ENGINE_CHILD_H

#include "base/status.h"
#include "config/config.h"

#define ENGINE_CHILD_OPTION "--engine-child"

enum { ENGINE_CHILD_WORDS_MAX = 16, ENGINE_CHILD_WORD_BYTES_MAX = 160 };

/* The argv that starts an engine child; its strings live in it. */
typedef struct {
    char text[ENGINE_CHILD_WORDS_MAX][ENGINE_CHILD_WORD_BYTES_MAX];
    char *words[ENGINE_CHILD_WORDS_MAX + 1]; /* ended by NULL */
} EngineChildCommand;

/* Fills the command from `bridge` (cluster, threads, hash) and `network`. Not to be copied. */
void engine_child_command(EngineChildCommand *command, const ConfigBridge *bridge,
                          const ConfigNetwork *network);

/*
 * Runs the child with the words behind `--engine-child` until its socket ends, and then ends the
 * process. Returns only errors, before any thread of a cluster runs, and may leave things open:
 * STATUS_INVALID (not started by a bridge), STATUS_IO, STATUS_UNAVAILABLE.
 */
__attribute__((warn_unused_result)) Status engine_child_run(char *const *words, int count);

#endif
