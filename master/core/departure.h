/*
 * Departure: a worker or a bridge is gone, and what it had must go on without it or end.
 *
 * A worker's jobs go back to where they came from. If its process died, perhaps they killed it, but
 * for those that were parked, or went out in the very step in which it was found dead:
 * after several such losses a move of the root is left out, a job is asked for no more shares, and
 * the session has one search of its root only (session.h).
 */
#ifndef ROOKERY_MASTER_CORE_DEPARTURE_H
#define ROOKERY_MASTER_CORE_DEPARTURE_H

#include "master/core/state.h"

/*
 * Removes a joined worker. `reason` ends a line of the log that names it. `is_blamed`: its process
 * died, perhaps of its jobs. Silence comes from cables and machines: a search that hangs does not
 * keep its program from closing the connection.
 */
void departure_of_worker(Master *master, Worker *worker, const char *reason, bool is_blamed,
                         MasterActions *actions);

/* Closes an open session, and cancels what runs for it; `reason` as above. */
void departure_of_session(Master *master, Session *session, const char *reason,
                          MasterActions *actions);

#endif
