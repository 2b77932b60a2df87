#include "master/core/clears.h"

void clears_tell(const Session *session, MasterActions *actions)
{
    actions_send(actions, session->peer, MESSAGE_CLEARED)->new_game.session = session->id;
}

void clears_begin(Session *session, const Registry *registry,
                  const bool is_asked[MASTER_WORKERS_MAX], MasterActions *actions)
{
    session->clearing_count = 0;
    for (int i = 0; i < registry->end; i++) {
        const Worker *worker = &registry->workers[i];
        if (worker->is_joined && is_asked[i]) {
            actions_send(actions, worker->peer, MESSAGE_NEW_GAME)->new_game.session = session->id;
            session->clearing[session->clearing_count++] = worker->id;
        }
    }
    if (session->clearing_count == 0) {
        clears_tell(session, actions);
    }
}

/* The worker's place among those that have not answered; -1: it is none of them. */
static int find(const Session *session, WorkerId worker)
{
    for (int i = 0; i < session->clearing_count; i++) {
        if (session->clearing[i].value == worker.value) {
            return i;
        }
    }
    return -1;
}

bool clears_wait_for(const Session *session, WorkerId worker)
{
    return find(session, worker) >= 0;
}

void clears_end(Session *session, WorkerId worker, MasterActions *actions)
{
    const int place = find(session, worker);
    if (place < 0) {
        return;
    }
    session->clearing[place] = session->clearing[--session->clearing_count];
    if (session->clearing_count == 0) {
        clears_tell(session, actions);
    }
}
