/*
 * Searches: how a session's search goes on and ends, with all that runs for it.
 *
 * A search that is finished while its answer may not be given yet is held: nothing runs for it any
 * more, and STOP or PONDERHIT lets the answer go.
 */
#ifndef ROOKERY_MASTER_CORE_SEARCHES_H
#define ROOKERY_MASTER_CORE_SEARCHES_H

#include "master/core/state.h"

/*
 * The session's own search has completed an iteration: its bridge is told, and if that was enough
 * no other one begins.
 */
void searches_on_iteration(Session *session, Instant now, MasterActions *actions);

/*
 * After the window of a root, the session's or a scout's, has changed: void jobs of it are
 * cancelled, the others learn the new alpha. `except` is the job that brought the news.
 */
void searches_refresh_jobs(Master *master, const Root *root, const JobId *except,
                           MasterActions *actions);

/*
 * Takes everything off that runs or waits for the session's search, scouts too, with one message a
 * worker. The caller ends the search, or holds it.
 */
void searches_cancel(Master *master, Session *session, MasterActions *actions);

/*
 * Ends the session's search if it must end now, or holds its answer if that may not be given yet.
 * When there is no room for actions left, it asks for more.
 */
void searches_conclude_if_due(Master *master, Session *session, Instant now,
                              MasterActions *actions);

/* Ends the session's search with its answer, if there is one. */
void searches_stop(Master *master, Session *session, Instant now, MasterActions *actions);

#endif
