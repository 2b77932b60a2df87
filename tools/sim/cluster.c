#include "tools/sim/cluster.h"

#include <stdlib.h>

#include "base/check.h"
#include "tools/sim/bridge_host.h"
#include "tools/sim/machine.h"
#include "tools/sim/master_host.h"

enum {
    PATIENCE_MS = 5000,        /* without anybody searching */
    STORM_PATIENCE_MS = 60000, /* ... with faults: the last job may be with one lost worker after
                                  another, for a lease each */
    JOIN_MS_MAX = 60000,       /* for all workers to join */
    SEARCH_S_MAX = 24 * 3600,
};

/* Parties of the network, and of the turns. */
enum { PARTY_MASTER, PARTY_BRIDGE, PARTY_MACHINES };

/* How the master reaches a machine. */
typedef struct {
    uint64_t connections; /* that it has had: the present one's peer is named by them */
    uint64_t vanished;    /* those that ended without a sign: a bit for each, of the last 64 */
    int64_t returns_ns;   /* when the machine is back; INT64_MAX: it is there */
} Link;

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
        master_host_deliver(&cluster->master, parcel, arrival_ns);
    } else if (to == PARTY_BRIDGE) {
        bridge_host_deliver(&cluster->bridge, parcel, arrival_ns);
    } else {
        machine_deliver(cluster->machines[to - PARTY_MACHINES], parcel, arrival_ns);
    }
    /* The answer may come back so soon. */
    cluster->horizon_ns =
        earlier(cluster->horizon_ns, arrival_ns + network_latency_min_ns(cluster->network));
    return arrival_ns;
}

static bool is_connected(void *context, PeerId peer)
{
    return peer_of(context, party_of(peer)).value == peer.value;
}

static bool send_from_master(void *context, PeerId peer, const Message *message, bool of_result,
                             int64_t at_ns)
{
    Cluster *cluster = context;
    const Way way = way_to(cluster, peer);
    if (way != WAY_OPEN) {
        return way == WAY_LOST;
    }
    const int64_t arrival_ns = send(cluster, PARTY_MASTER, party_of(peer), message, at_ns);
    /* An INFO between two results tells of an iteration under way. */
    if (message->type == MESSAGE_INFO && of_result && cluster->solution != NULL) {
        const Line *line = &message->info.line;
        solution_note(cluster->solution, line->depth, arrival_ns - cluster->begin_ns,
                      line->moves[0]);
    }
    return true;
}

static void send_from_machine(void *context, int machine, const Message *message, int64_t at_ns)
{
    (void)send(context, PARTY_MACHINES + machine, PARTY_MASTER, message, at_ns);
}

static void send_from_bridge(void *context, const Message *message, int64_t at_ns)
{
    (void)send(context, PARTY_BRIDGE, PARTY_MASTER, message, at_ns);
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
        return bridge_host_next_ns(&cluster->bridge);
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
        master_host_act(&cluster->master);
        break;
    case PARTY_BRIDGE:
        bridge_host_act(&cluster->bridge);
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
    const BridgeHost *bridge = &cluster->bridge;
    cluster->solution = solution;
    cluster->begin_ns = cluster->now_ns;
    sum_up(cluster, &joining);
    begin_faults(cluster);
    bridge_host_search(&cluster->bridge, position, depth, cluster->begin_ns);

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
    cluster->scratch = malloc(sizeof *cluster->scratch);
    if (cluster->scratch == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a message");
    }
    cluster->bridge.incoming = &cluster->scratch->incoming;
    const MasterHostConfig config = {
        .searches = cluster->config.searches,
        .affinity = cluster->config.affinity,
        .receive_ns = cluster->config.master_receive_ns,
        .send_ns = cluster->config.master_send_ns,
        .incoming = &cluster->scratch->incoming,
        .context = cluster,
        .is_connected = is_connected,
        .send = send_from_master,
    };
    return master_host_init(&cluster->master, &config);
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
    bridge_host_open(&cluster->bridge);
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
    made->faults.next.at_ns = INT64_MAX;
    made->failure = status_ok();
    bridge_host_init(&made->bridge, made, send_from_bridge);
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

void cluster_destroy(Cluster **cluster)
{
    Cluster *ended = *cluster;
    if (ended == NULL) {
        return;
    }
    for (int i = 0; i < ended->config.machines; i++) {
        machine_destroy(&ended->machines[i]);
    }
    master_host_free(&ended->master);
    bridge_host_free(&ended->bridge);
    free(ended->scratch);
    network_destroy(&ended->network);
    free(ended);
    *cluster = NULL;
}
