/*
 * WorkerMessages: what each message of a worker leads to.
 */
#ifndef ROOKERY_MASTER_CORE_WORKER_MESSAGES_H
#define ROOKERY_MASTER_CORE_WORKER_MESSAGES_H

#include "master/core/state.h"

/*
 * A HELLO of a peer that is no bridge: it joins, anew if it had joined before, or is told why it
 * may not.
 */
void worker_messages_hello(Master *master, const MasterEvent *event, MasterActions *actions);

/* Any other message of a worker that has joined. The worker may be gone after it. */
void worker_messages_take(Master *master, Worker *worker, const MasterEvent *event,
                          MasterActions *actions);

#endif
