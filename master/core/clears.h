/*
 * Clears: from a session's NEW_GAME until all its workers' tables are void.
 *
 * A large table takes seconds to clear, and no job can run meanwhile. The bridge is told when it is
 * done, so that a GUI does not start the clock before.
 */
#ifndef ROOKERY_MASTER_CORE_CLEARS_H
#define ROOKERY_MASTER_CORE_CLEARS_H

#include "master/core/registry.h"
#include "master/core/session.h"

/* Tells the bridge CLEARED. */
void clears_tell(const Session *session, MasterActions *actions);

/*
 * Tells workers of the session's new game: those whose place in the registry is true in `is_asked`.
 * Without any the bridge is told CLEARED at once.
 */
void clears_begin(Session *session, const Registry *registry,
                  const bool is_asked[MASTER_WORKERS_MAX], MasterActions *actions);

/* Whether the worker has been asked by the session, and has not answered. */
bool clears_wait_for(const Session *session, WorkerId worker);

/*
 * The worker has said CLEARED, or is gone. The last one to do so makes the bridge be told; one that
 * was not asked, or has answered already, changes nothing.
 */
void clears_end(Session *session, WorkerId worker, MasterActions *actions);

#endif
