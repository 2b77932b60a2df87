/*
 * Actions: how the parts of the master core say what is to be done.
 */
#ifndef ROOKERY_MASTER_CORE_ACTIONS_H
#define ROOKERY_MASTER_CORE_ACTIONS_H

#include "master/core/master.h"

/* A new SEND of `type` to `peer`, its body to be filled in by the caller. Never NULL. */
Message *actions_send(MasterActions *actions, PeerId peer, MessageType type);

/* Tells `peer` in an ERROR why it is not served; `text` is copied. */
void actions_refuse(MasterActions *actions, PeerId peer, ErrorCode code, const char *text);

/* A new LOG line; dropped when the list is full. */
__attribute__((format(printf, 3, 4))) void actions_log(MasterActions *actions, MasterLogKind kind,
                                                       const char *format, ...);

/* Whether there is room to hand out another job. */
static inline bool actions_have_room(const MasterActions *actions)
{
    return actions->count < MASTER_ACTIONS_MAX / 4;
}

#endif
