#include "master/core/tables.h"

void tables_invite(const Registry *registry, MasterActions *actions)
{
    enum { COMPANY = 2 };
    for (int i = 0; i < registry->end && registry->count >= COMPANY; i++) {
        const Worker *worker = &registry->workers[i];
        if (worker->is_joined) {
            actions_send(actions, worker->peer, MESSAGE_TABLE)->table.count = 0;
        }
    }
}

/* Whether most other workers' links are crowded with TABLEs, as when the master's own is full. */
static bool is_crowded(const Registry *registry, const Worker *worker)
{
    int others = 0;
    int crowded = 0;
    for (int i = 0; i < registry->end; i++) {
        const Worker *other = &registry->workers[i];
        if (other->is_joined && other != worker) {
            others++;
            crowded += table_window_is_crowded(&other->window);
        }
    }
    return 2 * crowded > others;
}

void tables_acknowledge(const Registry *registry, Worker *worker, MasterActions *actions)
{
    uint64_t count;
    if (table_window_owes(&worker->window, &count)) {
        actions_send(actions, worker->peer, MESSAGE_HEARD)->heard =
            (MessageHeard){.count = count, .is_crowded = is_crowded(registry, worker)};
    }
}

/* Entries of a worker, at least one, to all other workers whose link keeps pace. */
static void pass_on(Registry *registry, const Worker *worker, const MessageTable *table,
                    Instant now, MasterActions *actions)
{
    for (int i = 0; i < registry->end && actions_have_room(actions); i++) {
        Worker *other = &registry->workers[i];
        if (other->is_joined && other != worker && table_window_take(&other->window, now)) {
            actions_send(actions, other->peer, MESSAGE_TABLE)->table = *table;
        }
    }
}

void tables_take(Registry *registry, News *news, Worker *worker, const MessageTable *table,
                 Instant now, MasterActions *actions)
{
    if (table->count == 0) {
        return; /* an invitation is the master's to give */
    }
    if (table_window_came(&worker->window)) {
        tables_acknowledge(registry, worker, actions);
    }
    MessageTable fresh = *table;
    news_sift(news, &fresh, now);
    if (fresh.count > 0) {
        pass_on(registry, worker, &fresh, now, actions);
    }
}
