#include "master/core/clears.h"

enum {
    ALIVE_MS = 2500,             /* without a word for longer, a session's bridge has gone */
    LEARNED_MS = 30 * 60 * 1000, /* a game's longest pause between two searches */
};

/* Tells the bridge that it is done. */
static void tell(const Session *session, MasterActions *actions)
{
    actions_send(actions, session->peer, MESSAGE_CLEARED)->new_game.session = session->id;
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

/* ---- the beginning ---- */

/*
 * Whether the session is in the middle of something that the tables are for. Not a GUI that was
 * left open long ago, nor a bridge that died without a word, which may have come back as another.
 */
static bool needs_tables(const Session *session, Instant now)
{
    return session->is_open && session->has_learned &&
           instant_since(now, session->heard).us < duration_ms(ALIVE_MS).us &&
           (session->is_searching ||
            instant_since(now, session->searched).us < duration_ms(LEARNED_MS).us);
}

/* Workers have one table each, which stays for others. */
static bool others_need_tables(const Master *master, const Session *session, Instant now)
{
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        const Session *other = &master->sessions[i];
        if (other != session && needs_tables(other, now)) {
            return true;
        }
    }
    return false;
}

bool clears_are_awaited(const Master *master, WorkerId worker)
{
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        if (master->sessions[i].is_open && find(&master->sessions[i], worker) >= 0) {
            return true;
        }
    }
    return false;
}

/* Asks the workers whose place in the registry is true in `is_asked`. */
static void ask(Session *session, const Registry *registry, const bool is_asked[MASTER_WORKERS_MAX],
                MasterActions *actions)
{
    session->clearing_count = 0;
    for (int i = 0; i < registry->end; i++) {
        const Worker *worker = &registry->workers[i];
        if (worker->is_joined && is_asked[i]) {
            actions_send(actions, worker->peer, MESSAGE_NEW_GAME)->new_game.session = session->id;
            session->clearing[session->clearing_count++] = worker->id;
        }
    }
}

void clears_begin(Master *master, Session *session, Instant now, MasterActions *actions)
{
    const Registry *registry = &master->registry;
    const bool all = !others_need_tables(master, session, now);
    bool is_asked[MASTER_WORKERS_MAX];
    for (int i = 0; i < registry->end; i++) {
        is_asked[i] = all || clears_are_awaited(master, registry->workers[i].id);
    }
    ask(session, registry, is_asked, actions);
    if (session->clearing_count == 0) {
        tell(session, actions);
    }
}

/* ---- the end ---- */

/* The session need not wait for the worker; true if it did. */
static bool strike_out(Session *session, WorkerId worker, MasterActions *actions)
{
    const int place = find(session, worker);
    if (place < 0) {
        return false;
    }
    session->clearing[place] = session->clearing[--session->clearing_count];
    if (session->clearing_count == 0) {
        tell(session, actions);
    }
    return true;
}

bool clears_end(Master *master, SessionId session, WorkerId worker, MasterActions *actions)
{
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        if (master->sessions[i].is_open && master->sessions[i].id.value == session.value) {
            return strike_out(&master->sessions[i], worker, actions);
        }
    }
    return false;
}

void clears_forget(Master *master, WorkerId worker, MasterActions *actions)
{
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        if (master->sessions[i].is_open) {
            (void)strike_out(&master->sessions[i], worker, actions);
        }
    }
}
