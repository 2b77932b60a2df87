/*
 * BridgeMessages: what each message of a bridge leads to.
 */
#ifndef ROOKERY_MASTER_CORE_BRIDGE_MESSAGES_H
#define ROOKERY_MASTER_CORE_BRIDGE_MESSAGES_H

#include "master/core/state.h"

/*
 * An OPEN of a peer that is no worker: it gets a session, a new one if it had one, or is told why
 * it may not.
 */
void bridge_messages_open(Master *master, const MasterEvent *event, MasterActions *actions);

/* Any other message of a bridge that has a session. The session may be closed after it. */
void bridge_messages_take(Master *master, Session *session, const MasterEvent *event,
                          MasterActions *actions);

#endif
