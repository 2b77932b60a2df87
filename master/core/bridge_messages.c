#include "master/core/bridge_messages.h"

#include <inttypes.h>

#include "master/core/clears.h"
#include "master/core/cluster_status.h"
#include "master/core/departure.h"
#include "master/core/searches.h"

void bridge_messages_open(Master *master, const MasterEvent *event, MasterActions *actions)
{
    const MessageOpen *open = &event->message->open;
    Session *session = state_find_session(master, event->peer);
    if (session != NULL) {
        departure_of_session(master, session, "starts anew", actions);
    }
    if (open->protocol_version != PROTOCOL_VERSION) {
        actions_refuse(
            actions, event->peer, ERROR_VERSION,
            "this master speaks another version of the protocol: install the same version of "
            "Rookery on both");
        return;
    }
    for (int i = 0; i < MASTER_SESSIONS_MAX && session == NULL; i++) {
        session = master->sessions[i].is_open ? NULL : &master->sessions[i];
    }
    if (session == NULL) {
        actions_refuse(actions, event->peer, ERROR_FULL,
                       "this master has as many bridges as it can serve");
        return;
    }
    session_open(session, event->peer, (SessionId){.value = master->next_session++}, open,
                 event->now);
    actions_send(actions, event->peer, MESSAGE_OPENED)->opened =
        (MessageOpened){.epoch = master->config.epoch, .session = session->id};
    cluster_status_send(master, event->peer, actions);
    actions_log(actions, MASTER_LOG_SESSION, "session %" PRIu32 " (%s) opened", session->id.value,
                session->name);
}

static void on_search(Master *master, Session *session, const MasterEvent *event,
                      MasterActions *actions)
{
    searches_stop(master, session, event->now, actions); /* a bridge has one search at a time */
    session_search(session, &event->message->search, event->now, actions);
}

static void on_new_game(Master *master, Session *session, Instant now, MasterActions *actions)
{
    searches_stop(master, session, now, actions);
    session->has_learned = false;
    clears_begin(master, session, now, actions);
}

static bool names_search(const Session *session, const Message *message)
{
    return session->is_searching &&
           message->search_name.search.value == session->search.search.value;
}

/* What was found while pondering may do already; no iteration need end for that. */
static void on_ponderhit(Session *session, Instant now)
{
    session_ponderhit(session, now);
    if (session->is_held) {
        session->is_held = session_must_hold(session);
    } else if (session_is_content(session, now)) {
        root_stop(&session->root);
    }
}

void bridge_messages_take(Master *master, Session *session, const MasterEvent *event,
                          MasterActions *actions)
{
    session->heard = event->now;
    switch (event->message->type) {
    case MESSAGE_SEARCH:
        on_search(master, session, event, actions);
        break;
    case MESSAGE_STOP:
        if (names_search(session, event->message)) {
            searches_stop(master, session, event->now, actions);
        }
        break;
    case MESSAGE_PONDERHIT:
        if (names_search(session, event->message)) {
            on_ponderhit(session, event->now);
        }
        break;
    case MESSAGE_NEW_GAME:
        on_new_game(master, session, event->now, actions);
        break;
    case MESSAGE_PING:
        actions_send(actions, session->peer, MESSAGE_PONG)->ping = event->message->ping;
        break;
    case MESSAGE_CLOSE:
        departure_of_session(master, session, "closed", actions);
        break;
    default:
        actions_refuse(actions, event->peer, ERROR_PROTOCOL, "a bridge may not send this message");
    }
}
