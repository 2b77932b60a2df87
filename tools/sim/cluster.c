#include "tools/sim/cluster.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/clamp.h"
#include "master/core/master.h"
#include "tools/sim/agenda.h"
#include "tools/sim/machine.h"

enum {
    EPOCH = 1,
    HEARTBEAT_MS = 100,
    LEASE_MS = 1500,
    PING_MS = 1000,            /* of the bridge */
    PATIENCE_MS = 5000,        /* without anybody searching */
    STORM_PATIENCE_MS = 60000, /* ... with faults: the last job may be with one lost worker after
                                  another, for a lease each */
    JOIN_MS_MAX = 60000,       /* for all workers to join */
    SEARCH_S_MAX = 24 * 3600,
};

/* Parties of the network, and of the turns. */
enum { PARTY_MASTER, PARTY_BRIDGE, PARTY_MACHINES };

/* What happens at the master and the bridge; the subject is a Parcel or nothing. */
typedef enum {
    ENTRY_ARRIVAL, /* a message has come */
    ENTRY_MESSAGE, /* ... and its turn too (master) */
    ENTRY_GONE,    /* a message could not be sent: the peer of this parcel is no more (master) */
    ENTRY_PING,    /* the bridge shows that it is there */
} EntryKind;

/* How the master reaches a machine. */
typedef struct {
    uint64_t connections; /* that it has had: the present one's peer is named by them */
    uint64_t vanished;    /* those that ended without a sign: a bit for each, of the last 64 */
    int64_t returns_ns;   /* when the machine is back; INT64_MAX: it is there */
} Link;

typedef struct {
    Agenda agenda;
    Master *core;
    MasterActions *actions; /* of the step being taken */
    int64_t free_ns;        /* when it has nothing to do */
    int64_t tick_ns;        /* of the core */
    int64_t now_ns;
    int64_t busy_ns; /* all together */
} MasterHost;

typedef struct {
    Agenda agenda;
    bool is_open;
    int workers;   /* that the master knows */
    bool has_best; /* BESTMOVE has come */
    int64_t best_ns;
    Move best;
    int score;
    int depth;      /* of the last INFO */
    uint64_t nodes; /* likewise */
} BridgeHost;

struct Cluster {
    ClusterConfig config;
    Network *network;
    MasterHost master;
    BridgeHost bridge;
    Machine *machines[CLUSTER_MACHINES_MAX]; /* NULL: down */
    Link links[CLUSTER_MACHINES_MAX];
    Faults faults;        /* to come */
    uint64_t fault_count; /* of those that befell machines */
    MachineCounts lost;   /* of machines that are no more */
    Status failure;       /* of a machine that could not come back */
    MachineScratch *scratch;
    Message outgoing;   /* of the bridge */
    Solution *solution; /* wanted, or NULL */
    int64_t begin_ns;   /* of the search */
    uint64_t pushed_bytes;
    int64_t now_ns;     /* of the party whose turn it is, when it began */
    int64_t horizon_ns; /* up to here it may act */
};

static int64_t earlier(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

static int64_t later(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

enum { PEER_STEP = 1024 }; /* between the peers of one party, more than there are parties */

static PeerId peer_of(const Cluster *cluster, int party)
{
    const uint64_t connections =
        party < PARTY_MACHINES ? 0 : cluster->links[party - PARTY_MACHINES].connections;
    return (PeerId){.value = (uint64_t)party + PEER_STEP * connections};
}

static int party_of(PeerId peer)
{
    return (int)(peer.value % PEER_STEP);
}

static uint64_t bit_of(uint64_t connection)
{
    return UINT64_C(1) << connection % 64;
}

/* What becomes of a message of the master. */
typedef enum { WAY_OPEN, WAY_REFUSED, WAY_LOST } Way;

static Way way_to(const Cluster *cluster, PeerId peer)
{
    const int party = party_of(peer);
    if (party < PARTY_MACHINES) {
        return WAY_OPEN;
    }
    const Link *link = &cluster->links[party - PARTY_MACHINES];
    const uint64_t connection = peer.value / PEER_STEP;
    if ((link->vanished & bit_of(connection)) != 0) {
        return WAY_LOST;
    }
    const Machine *machine = cluster->machines[party - PARTY_MACHINES];
    const bool is_there = machine != NULL && !machine_has_ended(machine);
    return connection == link->connections && is_there ? WAY_OPEN : WAY_REFUSED;
}

/* ---- messages under way ---- */

/* Returns when it will arrive. */
static int64_t send(Cluster *cluster, int from, int to, const Message *message, int64_t at_ns)
{
    Parcel *parcel = parcel_new(peer_of(cluster, from == PARTY_MASTER ? to : from), message);
    CHECK(parcel != NULL);
    const int64_t arrival_ns = network_send(cluster->network, from, to, at_ns, parcel->length);
    cluster->pushed_bytes += message->type == MESSAGE_TABLE ? parcel->length : 0;
    if (to == PARTY_MASTER) {
        agenda_add(&cluster->master.agenda, arrival_ns, ENTRY_ARRIVAL, parcel);
    } else if (to == PARTY_BRIDGE) {
        agenda_add(&cluster->bridge.agenda, arrival_ns, ENTRY_ARRIVAL, parcel);
    } else {
        machine_deliver(cluster->machines[to - PARTY_MACHINES], parcel, arrival_ns);
    }
    /* The answer may come back so soon. */
    cluster->horizon_ns =
        earlier(cluster->horizon_ns, arrival_ns + network_latency_min_ns(cluster->network));
    return arrival_ns;
}

static void send_from_machine(void *context, int machine, const Message *message, int64_t at_ns)
{
    (void)send(context, PARTY_MACHINES + machine, PARTY_MASTER, message, at_ns);
}

static void send_from_bridge(Cluster *cluster, int64_t at_ns)
{
    (void)send(cluster, PARTY_BRIDGE, PARTY_MASTER, &cluster->outgoing, at_ns);
}

/* ---- the master ---- */

static int64_t occupy(MasterHost *master, int64_t at_ns, int64_t cost_ns)
{
    master->free_ns = later(at_ns, master->free_ns) + cost_ns;
    master->busy_ns += cost_ns;
    return master->free_ns;
}

/* Sends what the master's step wants sent. `of_result`: the step was for a RESULT. */
static void take_action(Cluster *cluster, const MasterAction *action, bool of_result)
{
    if (action->type != MASTER_ACTION_SEND) {
        return;
    }
    const Message *message = &action->message;
    const int64_t at_ns =
        occupy(&cluster->master, cluster->master.now_ns, cluster->config.master_send_ns);
    const Way way = way_to(cluster, action->peer);
    if (way == WAY_REFUSED) {
        Parcel *parcel = calloc(1, sizeof *parcel);
        CHECK(parcel != NULL);
        parcel->peer = action->peer;
        agenda_add(&cluster->master.agenda, at_ns, ENTRY_GONE, parcel);
    }
    if (way != WAY_OPEN) {
        return;
    }
    const int64_t arrival_ns = send(cluster, PARTY_MASTER, party_of(action->peer), message, at_ns);
    /* An INFO between two results tells of an iteration under way. */
    if (message->type == MESSAGE_INFO && of_result && cluster->solution != NULL) {
        const Line *line = &message->info.line;
        solution_note(cluster->solution, line->depth, arrival_ns - cluster->begin_ns,
                      line->moves[0]);
    }
}

static void step_master(Cluster *cluster, MasterEvent event)
{
    MasterHost *master = &cluster->master;
    const bool of_result =
        event.type == MASTER_EVENT_MESSAGE && event.message->type == MESSAGE_RESULT;
    do {
        event.now = (Instant){.us = master->now_ns / 1000};
        master_step(master->core, &event, master->actions);
        for (int i = 0; i < master->actions->count; i++) {
            take_action(cluster, &master->actions->list[i], of_result);
        }
        event = (MasterEvent){.type = MASTER_EVENT_TICK};
    } while (master->actions->more);
    master->tick_ns = master_next_tick(master->core).us * 1000;
}

static int64_t master_host_next_ns(const MasterHost *master)
{
    return later(earlier(agenda_next_ns(&master->agenda), master->tick_ns), master->now_ns);
}

static void act_as_master(Cluster *cluster)
{
    MasterHost *master = &cluster->master;
    AgendaEntry entry;
    master->now_ns = master_host_next_ns(master);
    if (agenda_next_ns(&master->agenda) > master->tick_ns) {
        step_master(cluster, (MasterEvent){.type = MASTER_EVENT_TICK});
    } else if (agenda_take(&master->agenda, &entry)) {
        const PeerId from = ((Parcel *)entry.subject)->peer;
        if (entry.kind == ENTRY_GONE) {
            free(entry.subject);
            step_master(cluster, (MasterEvent){.type = MASTER_EVENT_PEER_GONE, .peer = from});
            return;
        }
        if (entry.kind == ENTRY_ARRIVAL) {
            if (peer_of(cluster, party_of(from)).value != from.value) {
                free(entry.subject); /* it was under way when the connection was lost */
                return;
            }
            agenda_add(&master->agenda,
                       occupy(master, entry.time_ns, cluster->config.master_receive_ns),
                       ENTRY_MESSAGE, entry.subject);
            return;
        }
        Message *message = &cluster->scratch->incoming;
        parcel_open(entry.subject, message);
        step_master(cluster,
                    (MasterEvent){.type = MASTER_EVENT_MESSAGE, .peer = from, .message = message});
    }
}

/* ---- the bridge ---- */

/* One of the lines, which are told from the best one down. */
static void take_line(BridgeHost *bridge, const MessageInfo *info)
{
    bridge->nodes = info->nodes;
    if (info->multi_pv_index == 0) {
        bridge->score = info->line.score;
        bridge->depth = info->line.depth;
    } else {
        bridge->depth = smaller(bridge->depth, info->line.depth);
    }
}

static void take_at_bridge(BridgeHost *bridge, const Message *message, int64_t at_ns)
{
    switch (message->type) {
    case MESSAGE_OPENED:
        bridge->is_open = true;
        break;
    case MESSAGE_STATUS:
        bridge->workers = message->status.worker_count;
        break;
    case MESSAGE_INFO:
        take_line(bridge, &message->info);
        break;
    case MESSAGE_BESTMOVE:
        bridge->has_best = true;
        bridge->best_ns = at_ns;
        bridge->best = message->bestmove.move;
        break;
    default:
        break;
    }
}

static void act_as_bridge(Cluster *cluster)
{
    BridgeHost *bridge = &cluster->bridge;
    AgendaEntry entry;
    if (!agenda_take(&bridge->agenda, &entry)) {
        return;
    }
    if (entry.kind == ENTRY_PING) {
        cluster->outgoing.type = MESSAGE_PING;
        cluster->outgoing.ping.number = 1;
        send_from_bridge(cluster, entry.time_ns);
        agenda_add(&bridge->agenda, entry.time_ns + PING_MS * INT64_C(1000000), ENTRY_PING, NULL);
        return;
    }
    parcel_open(entry.subject, &cluster->scratch->incoming);
    take_at_bridge(bridge, &cluster->scratch->incoming, entry.time_ns);
}

/* ---- faults ---- */

static Status open_machine(Cluster *cluster, int number, int64_t begin_ns);

/* The machine has a new connection; what is under way on the old one is lost. */
static void renew_link(Cluster *cluster, int number)
{
    Link *link = &cluster->links[number];
    link->connections++;
    link->vanished &= ~bit_of(link->connections);
    network_reconnect(cluster->network, PARTY_MACHINES + number);
    machine_hear(cluster->machines[number], peer_of(cluster, PARTY_MACHINES + number));
}

static void connect_machine(void *context, int machine)
{
    renew_link(context, machine);
}

static void add_counts(MachineCounts *sum, const MachineCounts *counts)
{
    sum->nodes += counts->nodes;
    sum->busy_ns += counts->busy_ns;
    sum->message_ns += counts->message_ns;
    sum->jobs += counts->jobs;
    sum->cancelled_jobs += counts->cancelled_jobs;
    sum->cancelled_nodes += counts->cancelled_nodes;
    sum->shares += counts->shares;
    sum->share_nodes += counts->share_nodes;
    sum->offers += counts->offers;
    sum->withdrawn += counts->withdrawn;
    sum->waits += counts->waits;
    sum->waited_ns += counts->waited_ns;
}

static void end_machine(Cluster *cluster, int number)
{
    if (cluster->machines[number] != NULL) {
        add_counts(&cluster->lost, machine_counts(cluster->machines[number]));
        machine_destroy(&cluster->machines[number]);
    }
}

/* The machine is back, and its tables are empty; not before it has left. */
static void return_machine(Cluster *cluster, int number)
{
    enum { LOOK_AGAIN_NS = 10000000 };
    Link *link = &cluster->links[number];
    const Machine *left = cluster->machines[number];
    if (left != NULL && !machine_has_ended(left)) {
        link->returns_ns += LOOK_AGAIN_NS;
        return;
    }
    end_machine(cluster, number);
    link->returns_ns = INT64_MAX;
    cluster->failure = open_machine(cluster, number, cluster->now_ns);
}

static void strike(Cluster *cluster, const Fault *fault)
{
    const int number = fault->machine;
    Link *link = &cluster->links[number];
    const int64_t until_ns = fault->at_ns + fault->duration_ns;
    if (link->returns_ns != INT64_MAX) {
        return; /* it is down, or about to be */
    }
    cluster->fault_count++;
    switch (fault->kind) {
    case FAULT_CUT:
        renew_link(cluster, number);
        break;
    case FAULT_DELAY:
        network_delay(cluster->network, PARTY_MACHINES + number, fault->duration_ns / 10, until_ns);
        break;
    case FAULT_PAUSE:
        machine_pause(cluster->machines[number], until_ns);
        break;
    case FAULT_CRASH:
    case FAULT_VANISH:
        end_machine(cluster, number);
        link->vanished |= fault->kind == FAULT_VANISH ? bit_of(link->connections) : 0;
        link->returns_ns = until_ns;
        break;
    case FAULT_LEAVE:
        machine_terminate(cluster->machines[number], fault->at_ns);
        link->returns_ns = until_ns;
        break;
    case FAULT_KINDS:
        break;
    }
}

/* The machine that is back first, or -1. */
static int first_to_return(const Cluster *cluster)
{
    int first = -1;
    int64_t first_ns = INT64_MAX;
    for (int i = 0; i < cluster->config.machines; i++) {
        if (cluster->links[i].returns_ns < first_ns) {
            first = i;
            first_ns = cluster->links[i].returns_ns;
        }
    }
    return first;
}

/* When something befalls a machine. */
static int64_t fate_next_ns(const Cluster *cluster)
{
    const int first = first_to_return(cluster);
    return first < 0 ? cluster->faults.next.at_ns
                     : earlier(cluster->faults.next.at_ns, cluster->links[first].returns_ns);
}

static void act_as_fate(Cluster *cluster)
{
    const int first = first_to_return(cluster);
    cluster->now_ns = fate_next_ns(cluster);
    if (first >= 0 && cluster->links[first].returns_ns == cluster->now_ns) {
        return_machine(cluster, first);
    } else {
        const Fault fault = faults_take(&cluster->faults);
        strike(cluster, &fault);
    }
}

/* ---- turns ---- */

static int64_t next_of(const Cluster *cluster, int party)
{
    switch (party) {
    case PARTY_MASTER:
        return master_host_next_ns(&cluster->master);
    case PARTY_BRIDGE:
        return agenda_next_ns(&cluster->bridge.agenda);
    default: {
        const Machine *machine = cluster->machines[party - PARTY_MACHINES];
        return machine == NULL ? INT64_MAX : machine_next_ns(machine);
    }
    }
}

static void act_as(Cluster *cluster, int party)
{
    switch (party) {
    case PARTY_MASTER:
        act_as_master(cluster);
        break;
    case PARTY_BRIDGE:
        act_as_bridge(cluster);
        break;
    default:
        machine_act(cluster->machines[party - PARTY_MACHINES]);
    }
}

/* How soon an event of one party may be felt by another: messages go through the master. */
static int64_t distance_ns(const Cluster *cluster, int from, int to)
{
    const int64_t hop_ns = network_latency_min_ns(cluster->network);
    const bool is_direct = from == PARTY_MASTER || to == PARTY_MASTER;
    return is_direct ? hop_ns : 2 * hop_ns + cluster->config.master_receive_ns;
}

/* The earliest party acts, as long as nobody can interfere. */
static void take_turn(Cluster *cluster)
{
    const int parties = PARTY_MACHINES + cluster->config.machines;
    int64_t nexts[PARTY_MACHINES + CLUSTER_MACHINES_MAX];
    int first = 0;
    nexts[0] = next_of(cluster, 0);
    for (int i = 1; i < parties; i++) {
        nexts[i] = next_of(cluster, i);
        first = nexts[i] < nexts[first] ? i : first;
    }
    const int64_t fate_ns = fate_next_ns(cluster);
    if (fate_ns <= nexts[first]) {
        act_as_fate(cluster);
        return;
    }
    cluster->now_ns = nexts[first];
    cluster->horizon_ns = fate_ns;
    for (int i = 0; i < parties; i++) {
        if (i != first && nexts[i] != INT64_MAX) {
            cluster->horizon_ns =
                earlier(cluster->horizon_ns, nexts[i] + distance_ns(cluster, i, first));
        }
    }
    do {
        act_as(cluster, first);
    } while (next_of(cluster, first) < cluster->horizon_ns);
}

static bool is_searching(const Cluster *cluster)
{
    for (int i = 0; i < cluster->config.machines; i++) {
        if (cluster->machines[i] != NULL && machine_is_searching(cluster->machines[i])) {
            return true;
        }
    }
    return false;
}

/* Whether the bridge has heard what it waits for. */
static bool has_answer(const Cluster *cluster)
{
    return cluster->bridge.has_best ||
           (cluster->solution != NULL &&
            solution_is_over(cluster->solution, cluster->now_ns - cluster->begin_ns));
}

static Status await_answer(Cluster *cluster)
{
    const int patience_ms = cluster->config.fault_every_ns > 0 ? STORM_PATIENCE_MS : PATIENCE_MS;
    const int64_t patience_ns = patience_ms * INT64_C(1000000);
    const int64_t end_ns = cluster->now_ns + SEARCH_S_MAX * INT64_C(1000000000);
    int64_t searched_ns = cluster->now_ns;
    while (!has_answer(cluster)) {
        take_turn(cluster);
        if (!status_is_ok(&cluster->failure)) {
            return cluster->failure;
        }
        if (cluster->now_ns > end_ns) {
            return status_error(STATUS_UNAVAILABLE,
                                "the search comes to no end in a day of virtual time");
        }
        if (is_searching(cluster)) {
            searched_ns = cluster->now_ns;
        } else if (cluster->now_ns > searched_ns + patience_ns) {
            for (int i = 0; i < cluster->config.machines; i++) {
                if (cluster->machines[i] != NULL) {
                    machine_describe(cluster->machines[i]);
                }
            }
            return status_error(STATUS_UNAVAILABLE,
                                "the cluster hangs: nobody has searched for %d ms of virtual time",
                                patience_ms);
        }
    }
    return status_ok();
}

/* ---- a search ---- */

/* What is counted, from the beginning of the simulation. */
static void sum_up(const Cluster *cluster, ClusterOutcome *sums)
{
    const NetworkTraffic traffic = network_traffic(cluster->network);
    *sums = (ClusterOutcome){.master_ns = cluster->master.busy_ns,
                             .message_ns = cluster->master.busy_ns,
                             .messages = traffic.messages,
                             .bytes = traffic.bytes,
                             .pushed_bytes = cluster->pushed_bytes};
    MachineCounts counts = cluster->lost;
    for (int i = 0; i < cluster->config.machines; i++) {
        if (cluster->machines[i] != NULL) {
            add_counts(&counts, machine_counts(cluster->machines[i]));
        }
    }
    sums->nodes = counts.nodes;
    sums->busy_ns = counts.busy_ns;
    sums->message_ns += counts.message_ns;
    sums->jobs = counts.jobs;
    sums->shares = counts.shares;
    sums->share_nodes = counts.share_nodes;
    sums->offers = counts.offers;
    sums->withdrawn = counts.withdrawn;
    sums->cancelled_nodes = counts.cancelled_nodes;
    sums->waits = counts.waits;
    sums->waited_ns = counts.waited_ns;
    sums->faults = cluster->fault_count;
}

/* From now on machines may fail. */
static void begin_faults(Cluster *cluster)
{
    const ClusterConfig *config = &cluster->config;
    if (config->fault != NULL) {
        Fault fault = *config->fault;
        fault.at_ns += cluster->begin_ns;
        faults_init_single(&cluster->faults, &fault);
    } else {
        faults_init(&cluster->faults, config->fault_every_ns, config->machines, config->fault_seed,
                    cluster->begin_ns);
    }
}

/* The search begins with nothing counted but what joining took. */
static void leave_out_joining(const ClusterOutcome *joining, ClusterOutcome *outcome)
{
    outcome->master_ns -= joining->master_ns;
    outcome->message_ns -= joining->message_ns;
    outcome->messages -= joining->messages;
    outcome->bytes -= joining->bytes;
}

Status cluster_search(Cluster *cluster, const Position *position, int depth, Solution *solution,
                      ClusterOutcome *outcome)
{
    ClusterOutcome joining;
    BridgeHost *bridge = &cluster->bridge;
    cluster->solution = solution;
    cluster->begin_ns = cluster->now_ns;
    sum_up(cluster, &joining);
    begin_faults(cluster);
    cluster->outgoing = (Message){.type = MESSAGE_SEARCH};
    MessageSearch *search = &cluster->outgoing.search;
    search->search.value = 1;
    search->multi_pv = cluster->config.multi_pv;
    search->limits.depth = depth;
    search->position.chess960 = position->chess960;
    fen_write(position, search->position.fen);
    send_from_bridge(cluster, cluster->begin_ns);

    const Status status = await_answer(cluster);
    sum_up(cluster, outcome);
    leave_out_joining(&joining, outcome);
    outcome->begin_ns = cluster->begin_ns;
    outcome->end_ns = bridge->has_best ? bridge->best_ns : cluster->now_ns;
    outcome->move = bridge->best;
    outcome->score = bridge->score;
    outcome->depth = bridge->depth;
    outcome->reported_nodes = bridge->nodes;
    return status;
}

/* ---- making and ending ---- */

static Status open_master(Cluster *cluster)
{
    const MasterConfig config = {
        .epoch = {EPOCH},
        .heartbeat = duration_ms(HEARTBEAT_MS),
        .lease = duration_ms(LEASE_MS),
        .surplus_permille = MASTER_SURPLUS_PERMILLE,
        .searches_max = cluster->config.searches,
        .ignores_affinity = !cluster->config.affinity,
    };
    cluster->master.core = master_new(&config, (Instant){.us = 0});
    cluster->master.actions = malloc(sizeof *cluster->master.actions);
    cluster->scratch = malloc(sizeof *cluster->scratch);
    return cluster->master.core == NULL || cluster->master.actions == NULL ||
                   cluster->scratch == NULL
               ? status_error(STATUS_NO_MEMORY, "not enough memory for a master")
               : status_ok();
}

static Status open_machine(Cluster *cluster, int number, int64_t begin_ns)
{
    const ClusterConfig *config = &cluster->config;
    const double speed = config->speeds == NULL ? 1 : config->speeds[number];
    const MachineConfig machine = {
        .number = number,
        .begin_ns = begin_ns,
        .slots = config->slots,
        .hash_mb = config->hash_mb,
        .nodes_per_second = (int64_t)((double)config->nodes_per_second * speed),
        .message_ns = config->worker_message_ns,
        .wake_ns = config->wake_ns,
        .splits = config->splits,
        .pushes = config->pushes,
        .push_interval_ns = config->push_interval_ns,
        .scratch = cluster->scratch,
        .timeline = config->timeline,
        .context = cluster,
        .send = send_from_machine,
        .connect = connect_machine,
        .horizon_ns = &cluster->horizon_ns,
    };
    return machine_new(&machine, &cluster->machines[number]);
}

static Status open_all(Cluster *cluster)
{
    cluster->network =
        network_new(&cluster->config.network, PARTY_MACHINES + cluster->config.machines);
    if (cluster->network == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a network");
    }
    Status status = open_master(cluster);
    for (int i = 0; i < cluster->config.machines && status_is_ok(&status); i++) {
        cluster->links[i].returns_ns = INT64_MAX;
        status = open_machine(cluster, i, 0);
    }
    return status;
}

/* Opens the bridge's session and waits until all workers are there. */
static Status join_all(Cluster *cluster)
{
    cluster->outgoing = (Message){.type = MESSAGE_OPEN};
    cluster->outgoing.open.protocol_version = PROTOCOL_VERSION;
    (void)snprintf(cluster->outgoing.open.name, sizeof cluster->outgoing.open.name, "rookery-sim");
    send_from_bridge(cluster, 0);
    agenda_add(&cluster->bridge.agenda, PING_MS * INT64_C(1000000), ENTRY_PING, NULL);
    while (!cluster->bridge.is_open || cluster->bridge.workers < cluster->config.machines) {
        take_turn(cluster);
        if (cluster->now_ns > JOIN_MS_MAX * INT64_C(1000000)) {
            return status_error(STATUS_UNAVAILABLE, "only %d of %d workers joined",
                                cluster->bridge.workers, cluster->config.machines);
        }
    }
    return status_ok();
}

Status cluster_new(const ClusterConfig *config, Cluster **cluster)
{
    CHECK(config->machines >= 1 && config->machines <= CLUSTER_MACHINES_MAX);
    *cluster = NULL;
    Cluster *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a cluster");
    }
    made->config = *config;
    agenda_init(&made->master.agenda);
    made->faults.next.at_ns = INT64_MAX;
    made->failure = status_ok();
    agenda_init(&made->bridge.agenda);
    Status status = open_all(made);
    if (status_is_ok(&status)) {
        status = join_all(made);
    }
    if (!status_is_ok(&status)) {
        cluster_destroy(&made);
    }
    *cluster = made;
    return status;
}

static void drop_mail(Agenda *agenda)
{
    AgendaEntry entry;
    while (agenda_take(agenda, &entry)) {
        free(entry.subject);
    }
    agenda_free(agenda);
}

void cluster_destroy(Cluster **cluster)
{
    Cluster *ended = *cluster;
    if (ended == NULL) {
        return;
    }
    for (int i = 0; i < ended->config.machines; i++) {
        machine_destroy(&ended->machines[i]);
    }
    drop_mail(&ended->master.agenda);
    drop_mail(&ended->bridge.agenda);
    master_destroy(&ended->master.core);
    free(ended->master.actions);
    free(ended->scratch);
    network_destroy(&ended->network);
    free(ended);
    *cluster = NULL;
}
