#include "master/core/cluster_status.h"

enum { INTERVAL_MS = 1000 };

void cluster_status_send(const Master *master, PeerId peer, MasterActions *actions)
{
    MessageStatus *status = &actions_send(actions, peer, MESSAGE_STATUS)->status;
    status->epoch = master->config.epoch;
    registry_status(&master->registry, status);
}

void cluster_status_send_to_all(const Master *master, MasterActions *actions)
{
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        if (master->sessions[i].is_open) {
            cluster_status_send(master, master->sessions[i].peer, actions);
        }
    }
}

void cluster_status_publish(Master *master, Instant now, MasterActions *actions)
{
    if (instant_since(now, master->status_sent).us < duration_ms(INTERVAL_MS).us) {
        return;
    }
    master->status_sent = now;
    int hash_permille = 0;
    for (int i = 0; i < master->registry.end; i++) {
        const Worker *worker = &master->registry.workers[i];
        if (worker->is_joined && worker->hash_permille > hash_permille) {
            hash_permille = worker->hash_permille;
        }
    }
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        Session *session = &master->sessions[i];
        session->hash_permille = hash_permille;
        if (session_wants_news(session, now)) {
            session_tell(session, now, actions); /* how many nodes by now */
        }
    }
    cluster_status_send_to_all(master, actions);
}
