#include "worker/core/worker_actions.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/check.h"

WorkerAction *worker_actions_add(WorkerActions *actions, WorkerActionType type)
{
    CHECK(actions->count < WORKER_ACTIONS_MAX);
    WorkerAction *action = &actions->list[actions->count++];
    action->type = type;
    return action;
}

Message *worker_actions_send(WorkerActions *actions, MessageType type)
{
    Message *message = &worker_actions_add(actions, WORKER_ACTION_SEND)->message;
    message->type = type;
    return message;
}

void worker_actions_log(WorkerActions *actions, bool is_warning, const char *format, ...)
{
    WorkerAction *action = worker_actions_add(actions, WORKER_ACTION_LOG);
    va_list values;
    action->is_warning = is_warning;
    va_start(values, format);
    (void)vsnprintf(action->text, sizeof action->text, format, values);
    va_end(values);
}
