#include "master/core/actions.h"

#include <stdarg.h>
#include <stdio.h>

Message *actions_send(MasterActions *actions, PeerId peer, MessageType type)
{
    CHECK(actions->count < MASTER_ACTIONS_MAX);
    MasterAction *action = &actions->list[actions->count++];
    action->type = MASTER_ACTION_SEND;
    action->peer = peer;
    action->message.type = type;
    return &action->message;
}

void actions_refuse(MasterActions *actions, PeerId peer, ErrorCode code, const char *text)
{
    MessageError *error = &actions_send(actions, peer, MESSAGE_ERROR)->error;
    error->code = code;
    (void)snprintf(error->text, sizeof error->text, "%s", text);
}

void actions_log(MasterActions *actions, MasterLogKind kind, const char *format, ...)
{
    if (actions->count == MASTER_ACTIONS_MAX) {
        return;
    }
    MasterAction *action = &actions->list[actions->count++];
    action->type = MASTER_ACTION_LOG;
    action->kind = kind;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(action->text, sizeof action->text, format, arguments);
    va_end(arguments);
}
