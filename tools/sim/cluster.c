#include "tools/sim/cluster.h"

#include <stdlib.h>

#include "base/check.h"
#include "tools/sim/bridge_host.h"
#include "tools/sim/fleet.h"
#include "tools/sim/master_host.h"
#include "tools/sim/storm.h"

enum {
    PATIENCE_MS = 5000,        /* without anybody searching */
    STORM_PATIENCE_MS = 60000, /* ... with faults: the last job may be with one lost worker after
                                  another, for a lease each */
    JOIN_MS_MAX = 60000,       /* for all workers to join */
    SEARCH_S_MAX = 24 * 3600,
};

struct Cluster {
    ClusterConfig config;
    Network *network;        /* between all parties */
    MasterHost master;       /* party 0 */
    BridgeHost bridge;       /* party 1 */
    Fleet fleet;             /* all others */
    Storm storm;             /* what befalls the fleet */
    MachineScratch *scratch; /* of all of them */
    Solution *solution;      /* wanted, or NULL */
    int64_t begin_ns;        /* of the search */
    uint64_t pushed_bytes;   /* of TABLEs, sent by anybody */
    int64_t now_ns;          /* of the party whose turn it is, when it began */
    int64_t horizon_ns;      /* up to here it may act */
};

static int64_t earlier(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* ---- messages under way ---- */

/* Returns when it will arrive. */
static int64_t send(Cluster *cluster, int from, int to, const Message *message, int64_t at_ns)
{
    Parcel *parcel =
        parcel_new(fleet_peer_of(&cluster->fleet, from == PARTY_MASTER ? to : from), message);
    CHECK(parcel != NULL);
    const int64_t arrival_ns = network_send(cluster->network, from, to, at_ns, parcel->length);
    cluster->pushed_bytes += message->type == MESSAGE_TABLE ? parcel->length : 0;
    if (to == PARTY_MASTER) {
        master_host_deliver(&cluster->master, parcel, arrival_ns);
    } else if (to == PARTY_BRIDGE) {
        bridge_host_deliver(&cluster->bridge, parcel, arrival_ns);
    } else {
        machine_deliver(cluster->fleet.machines[to - PARTY_MACHINES], parcel, arrival_ns);
    }
    /* The answer may come back so soon. */
    cluster->horizon_ns =
        earlier(cluster->horizon_ns, arrival_ns + network_latency_min_ns(cluster->network));
    return arrival_ns;
}

static bool is_connected(void *context, PeerId peer)
{
    const Cluster *cluster = context;
    return fleet_peer_of(&cluster->fleet, fleet_party_of(peer)).value == peer.value;
}

static bool send_from_master(void *context, PeerId peer, const Message *message, bool of_result,
                             int64_t at_ns)
{
    Cluster *cluster = context;
    const Way way = fleet_way_to(&cluster->fleet, peer);
    if (way != WAY_OPEN) {
        return way == WAY_LOST;
    }
    const int64_t arrival_ns = send(cluster, PARTY_MASTER, fleet_party_of(peer), message, at_ns);
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

static void connect_machine(void *context, int machine)
{
    Cluster *cluster = context;
    fleet_renew_link(&cluster->fleet, machine);
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
        const Machine *machine = cluster->fleet.machines[party - PARTY_MACHINES];
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
        machine_act(cluster->fleet.machines[party - PARTY_MACHINES]);
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
    const int64_t storm_ns = storm_next_ns(&cluster->storm);
    if (storm_ns <= nexts[first]) {
        cluster->now_ns = storm_ns;
        storm_act(&cluster->storm);
        return;
    }
    cluster->now_ns = nexts[first];
    cluster->horizon_ns = storm_ns;
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
        if (!status_is_ok(&cluster->storm.failure)) {
            return cluster->storm.failure;
        }
        if (cluster->now_ns > end_ns) {
            return status_error(STATUS_UNAVAILABLE,
                                "the search comes to no end in a day of virtual time");
        }
        if (fleet_is_searching(&cluster->fleet)) {
            searched_ns = cluster->now_ns;
        } else if (cluster->now_ns > searched_ns + patience_ns) {
            fleet_describe(&cluster->fleet);
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
    const MachineCounts counts = fleet_counts(&cluster->fleet);
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
    sums->faults = cluster->storm.fault_count;
}

/* From now on machines may fail. */
static void begin_faults(Cluster *cluster)
{
    const ClusterConfig *config = &cluster->config;
    if (config->fault != NULL) {
        Fault fault = *config->fault;
        fault.at_ns += cluster->begin_ns;
        faults_init_single(&cluster->storm.faults, &fault);
    } else {
        faults_init(&cluster->storm.faults, config->fault_every_ns, config->machines,
                    config->fault_seed, cluster->begin_ns);
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
    bridge_host_search(&cluster->bridge, position, depth, cluster->config.multi_pv,
                       cluster->begin_ns);

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

static Status open_fleet(Cluster *cluster)
{
    const ClusterConfig *config = &cluster->config;
    const FleetConfig fleet = {
        .machines = config->machines,
        .speeds = config->speeds,
        .network = cluster->network,
        .machine = {.slots = config->slots,
                    .hash_mb = config->hash_mb,
                    .nodes_per_second = config->nodes_per_second,
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
                    .horizon_ns = &cluster->horizon_ns},
    };
    return fleet_init(&cluster->fleet, &fleet);
}

static Status open_all(Cluster *cluster)
{
    cluster->network =
        network_new(&cluster->config.network, PARTY_MACHINES + cluster->config.machines);
    if (cluster->network == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a network");
    }
    const Status status = open_master(cluster);
    return status_is_ok(&status) ? open_fleet(cluster) : status;
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
    storm_init(&made->storm, &made->fleet);
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
    fleet_free(&ended->fleet);
    master_host_free(&ended->master);
    bridge_host_free(&ended->bridge);
    free(ended->scratch);
    network_destroy(&ended->network);
    free(ended);
    *cluster = NULL;
}
