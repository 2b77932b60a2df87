#include "master/core/state.h"

#include "base/clamp.h"

Session *state_find_session(Master *master, PeerId peer)
{
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        if (master->sessions[i].is_open && master->sessions[i].peer.value == peer.value) {
            return &master->sessions[i];
        }
    }
    return NULL;
}

int state_at_work_count(const Master *master)
{
    int count = 0;
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        count += session_is_at_work(&master->sessions[i]);
    }
    return count;
}

int state_slot_share(const Master *master)
{
    const int searching = state_at_work_count(master);
    const int share = registry_slot_count(&master->registry) / (searching > 0 ? searching : 1);
    return share > 0 ? share : 1;
}

int state_search_count(const Master *master, const Session *session)
{
    return 1 + scouts_count(&master->scouts, session);
}

int state_searches_wanted(const Master *master, const Session *session)
{
    const RootLimits *limits = &session->root.limits;
    if (session_costs_workers(session, master->stepped) || limits->nodes > 0) {
        return 1;
    }
    const int searching = state_at_work_count(master);
    const int scouts = SCOUTS_MAX / (searching > 0 ? searching : 1);
    return smaller(state_slot_share(master), smaller(master->config.searches_max, 1 + scouts));
}
