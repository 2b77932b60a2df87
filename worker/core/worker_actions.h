/*
 * WorkerActions: how the parts of the worker core say what is to be done.
 */
#ifndef ROOKERY_WORKER_CORE_WORKER_ACTIONS_H
#define ROOKERY_WORKER_CORE_WORKER_ACTIONS_H

#include "worker/core/worker.h"

/* A new action of `type`, the rest of it to be filled in by the caller. Never NULL. */
WorkerAction *worker_actions_add(WorkerActions *actions, WorkerActionType type);

/* A new SEND of `type`, its body to be filled in by the caller. Never NULL. */
Message *worker_actions_send(WorkerActions *actions, MessageType type);

/* A new LOG line, formatted as by printf. */
__attribute__((format(printf, 3, 4))) void
worker_actions_log(WorkerActions *actions, bool is_warning, const char *format, ...);

#endif
