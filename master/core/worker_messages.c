#include "master/core/worker_messages.h"

#include <inttypes.h>
#include <stdio.h>

#include "master/core/clears.h"
#include "master/core/cluster_status.h"
#include "master/core/departure.h"
#include "master/core/recall.h"
#include "master/core/relay.h"
#include "master/core/results.h"
#include "master/core/tables.h"

enum { WORKER_PATIENCE = 3 }; /* a worker's lease in those of the master, which may stand still */

/* Whether a worker that says so of itself may join; if not, it is told why. */
static bool may_join(const Master *master, PeerId peer, const MessageHello *hello,
                     MasterActions *actions)
{
    if (hello->protocol_version != PROTOCOL_VERSION) {
        char text[MESSAGE_TEXT_BYTES_MAX];
        (void)snprintf(text, sizeof text,
                       "this master speaks protocol %d, the worker %d: install the same version "
                       "of Rookery on both",
                       PROTOCOL_VERSION, hello->protocol_version);
        actions_refuse(actions, peer, ERROR_VERSION, text);
        return false;
    }
    if (hello->search_identity != master->config.search_identity) {
        actions_refuse(
            actions, peer, ERROR_EVALUATION,
            "the worker's evaluation or search differs from the master's, so their scores "
            "cannot be compared: install the same build on both");
        return false;
    }
    return true;
}

static void welcome(const Master *master, const Worker *worker, MasterActions *actions)
{
    actions_send(actions, worker->peer, MESSAGE_WELCOME)->welcome = (MessageWelcome){
        .epoch = master->config.epoch,
        .worker = worker->id,
        .heartbeat = master->config.heartbeat,
        .lease = duration_us(WORKER_PATIENCE * master->config.lease.us),
    };
}

void worker_messages_hello(Master *master, const MasterEvent *event, MasterActions *actions)
{
    const MessageHello *hello = &event->message->hello;
    Worker *known = registry_find(&master->registry, event->peer);
    if (known != NULL) {
        departure_of_worker(master, known, "starts anew", false, actions);
    }
    if (!may_join(master, event->peer, hello, actions)) {
        return;
    }
    Worker *worker =
        registry_join(&master->registry, event->peer, hello, master->config.heartbeat, event->now);
    if (worker == NULL) {
        actions_refuse(actions, event->peer, ERROR_FULL,
                       "this master has as many workers as it can serve");
        return;
    }
    welcome(master, worker, actions);
    tables_invite(&master->registry, actions);
    actions_log(actions, MASTER_LOG_WORKER,
                "worker %" PRIu32 " (%s) joined with %d slots at %" PRIu64 " nodes/s",
                worker->id.value, worker->name, worker->slots, worker->nodes_per_second_calibrated);
    recall_from_reserve(master, actions);
    cluster_status_send_to_all(master, actions);
}

static void on_heartbeat(Jobs *jobs, Worker *worker, const MessageHeartbeat *heartbeat, Instant now)
{
    registry_heartbeat(worker, heartbeat, now);
    for (int i = 0; i < heartbeat->busy_count; i++) {
        Job *job = jobs_find(jobs, worker, &heartbeat->busy[i].job);
        if (job != NULL) {
            jobs_note_nodes(job, heartbeat->busy[i].nodes, now);
        }
    }
}

/* What the worker was late with may have been for its tables alone. */
static void judge_anew(Jobs *jobs, Worker *worker, Instant now)
{
    worker->is_resting = false;
    registry_restart_window(worker);
    jobs_restart_paces(jobs, worker, now);
}

void worker_messages_take(Master *master, Worker *worker, const MasterEvent *event,
                          MasterActions *actions)
{
    worker->heard = event->now;
    switch (event->message->type) {
    case MESSAGE_HEARTBEAT:
        on_heartbeat(&master->jobs, worker, &event->message->heartbeat, event->now);
        break;
    case MESSAGE_IMPROVED:
        results_improved(master, worker, &event->message->improved, event->now, actions);
        break;
    case MESSAGE_RESULT:
        results_take(master, worker, &event->message->result, event->now, actions);
        break;
    case MESSAGE_OFFER:
        relay_offer(&master->jobs, worker, &event->message->offer, actions);
        break;
    case MESSAGE_BOUNDS:
        relay_bounds(&master->jobs, worker, &event->message->bounds, actions);
        break;
    case MESSAGE_CANCEL:
        relay_withdraw(&master->jobs, worker, &event->message->cancel, actions);
        break;
    case MESSAGE_TABLE:
        tables_take(&master->registry, &master->news, worker, &event->message->table, event->now,
                    actions);
        break;
    case MESSAGE_HEARD:
        table_window_heard(&worker->window, event->message->heard.count, event->now);
        break;
    case MESSAGE_PARKED:
        relay_parked(&master->jobs, worker, &event->message->parked, event->now);
        break;
    case MESSAGE_CLEARED:
        if (clears_end(master, event->message->new_game.session, worker->id, actions)) {
            judge_anew(&master->jobs, worker, event->now);
        }
        break;
    case MESSAGE_BYE:
        departure_of_worker(master, worker, "left", false, actions);
        break;
    default:
        actions_refuse(actions, event->peer, ERROR_PROTOCOL, "a worker may not send this message");
    }
}
