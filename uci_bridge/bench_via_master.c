#include "uci_bridge/bench_via_master.h"

#include "transport/transport.h"
#include "uci_bridge/bench.h"
#include "uci_bridge/cluster_client.h"
#include "uci_bridge/embedded.h"

enum { PATIENCE_MS = 60000 }; /* for one position */

/* Waits for a message of `type`; *nodes follows the INFOs on the way. */
static Status wait_for(ClusterClient *client, MessageType type, const Message **message,
                       uint64_t *nodes)
{
    Status status;
    do {
        status = cluster_client_next(client, duration_ms(PATIENCE_MS), message);
        if (status_is_ok(&status) && (*message)->type == MESSAGE_INFO) {
            *nodes = (*message)->info.nodes;
        }
    } while (status_is_ok(&status) && (*message)->type != type);
    return status;
}

typedef struct {
    ClusterClient *client;
    uint32_t search; /* number of the last SEARCH */
} Bench;

static Status search_via_master(void *context, const Position *position, int depth, uint64_t *nodes)
{
    Bench *bench = context;
    ClusterClient *client = bench->client;
    const Message *message;
    const Message new_game = {.type = MESSAGE_NEW_GAME,
                              .new_game.session = cluster_client_session(client)};
    Message search = {.type = MESSAGE_SEARCH};
    search.search.search.value = ++bench->search;
    search.search.limits.depth = depth;
    search.search.multi_pv = 1;
    search.search.position.chess960 = position->chess960;
    fen_write(position, search.search.position.fen);

    *nodes = 0;
    Status status = cluster_client_send(client, &new_game);
    if (status_is_ok(&status)) {
        status = cluster_client_send(client, &search);
    }
    return status_is_ok(&status) ? wait_for(client, MESSAGE_BESTMOVE, &message, nodes) : status;
}

/* The clock must not run while the worker is still measuring its speed. */
static Status wait_for_worker(ClusterClient *client)
{
    const Message *message;
    uint64_t nodes;
    Status status;
    do {
        status = wait_for(client, MESSAGE_STATUS, &message, &nodes);
    } while (status_is_ok(&status) && message->status.worker_count == 0);
    return status;
}

static Status run_bench(int depth, BenchResult *result)
{
    Bench bench = {0};
    Status status = cluster_client_open(EMBEDDED_ADDRESS, false, "bench", duration_ms(PATIENCE_MS),
                                        &bench.client);
    if (status_is_ok(&status)) {
        status = wait_for_worker(bench.client);
    }
    if (status_is_ok(&status)) {
        status = bench_run(search_via_master, &bench, depth, result);
    }
    cluster_client_close(&bench.client);
    return status;
}

Status bench_via_master(int depth)
{
    const Config config = config_default();
    const EmbeddedOptions options = {
        .network = &config.network, .slots = 1, .hash_mb = BENCH_HASH_MB};
    Embedded embedded;
    BenchResult result;
    transport_init();
    Status status = embedded_start(&embedded, &options);
    if (!status_is_ok(&status)) {
        return status;
    }
    status = run_bench(depth, &result);
    embedded_stop(&embedded);
    if (status_is_ok(&status)) {
        bench_print(&result);
    }
    return status;
}
