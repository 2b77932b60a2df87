/*
 * Clears: from a session's NEW_GAME until all its workers' tables are void.
 *
 * A large table takes seconds to clear, and no job can run meanwhile. The bridge is told CLEARED
 * when it is done, so that a GUI does not start the clock before: by the last of the workers that
 * were asked to answer, or to leave.
 */
#ifndef ROOKERY_MASTER_CORE_CLEARS_H
#define ROOKERY_MASTER_CORE_CLEARS_H

#include "master/core/state.h"

/*
 * Tells workers of the session's new game: all of them, or, where other sessions need what the
 * tables hold, those that clear theirs anyway. Without any the bridge is told CLEARED at once.
 */
void clears_begin(Master *master, Session *session, Instant now, MasterActions *actions);

/* Has the worker yet to clear its tables, for any session? */
bool clears_are_awaited(const Master *master, WorkerId worker);

/*
 * The worker has said CLEARED to the session of this name. One that was not asked, or has answered
 * already, changes nothing; false then.
 */
bool clears_end(Master *master, SessionId session, WorkerId worker, MasterActions *actions);

/* The worker is gone: no session waits for it any more. */
void clears_forget(Master *master, WorkerId worker, MasterActions *actions);

#endif
