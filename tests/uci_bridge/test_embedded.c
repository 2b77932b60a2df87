/*
 * The cluster within this process: it answers before its worker is there and without one, works,
 * and can be ended and begun anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <dirent.h>

#include "chess/fen.h"
#include "os/clock.h"
#include "tests/support/given.h"
#include "transport/transport.h"
#include "uci_bridge/cluster_client.h"
#include "uci_bridge/embedded.h"
#include "worker/core/worker.h"

enum { PATIENCE_MS = 10000, HASH_MB = 2, DEPTH = 6, LINGER_MS = 50 };

static ConfigNetwork network;

static void begin(Embedded *embedded, int slots, ClusterClient **client)
{
    const EmbeddedOptions options = {.network = &network, .slots = slots, .hash_mb = HASH_MB};
    Status status = embedded_start(embedded, &options);
    if (status_is_ok(&status)) {
        status =
            cluster_client_open(EMBEDDED_ADDRESS, false, "test", duration_ms(PATIENCE_MS), client);
    }
    if (!status_is_ok(&status)) {
        fail_msg("%s", status.message);
    }
}

static void end(Embedded *embedded, ClusterClient **client)
{
    cluster_client_close(client);
    embedded_stop(embedded);
}

/* Waits for a message of `type`; the others on the way are passed over. */
static const Message *expect(ClusterClient *client, MessageType type)
{
    const Message *message;
    do {
        const Status status = cluster_client_next(client, duration_ms(PATIENCE_MS), &message);
        if (!status_is_ok(&status)) {
            fail_msg("no %s: %s", message_type_name(type), status.message);
        }
    } while (message->type != type);
    return message;
}

static void wait_for_worker(ClusterClient *client, int slots)
{
    const Message *message;
    do {
        message = expect(client, MESSAGE_STATUS);
    } while (message->status.worker_count == 0);
    assert_int_equal(message->status.worker_count, 1);
    assert_int_equal(message->status.workers[0].slots, slots);
}

static void search(ClusterClient *client)
{
    Message message = {.type = MESSAGE_SEARCH};
    message.search.search.value = 1;
    message.search.limits.depth = DEPTH;
    message.search.multi_pv = 1;
    (void)snprintf(message.search.position.fen, sizeof message.search.position.fen, "%s",
                   FEN_START);
    const Status status = cluster_client_send(client, &message);
    assert_true(status_is_ok(&status));
    const Position start = fen_start_position();
    assert_true(movegen_is_legal(&start, expect(client, MESSAGE_BESTMOVE)->bestmove.move));
}

static int count_threads(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        count += entry->d_name[0] != '.';
    }
    assert_int_equal(closedir(folder), 0);
    return count;
}

/* A thread that has been joined may be seen for a moment longer. */
static void wait_for_threads(int expected)
{
    const Instant deadline = instant_add(clock_now(), duration_ms(PATIENCE_MS));
    while (count_threads() != expected) {
        if (!instant_is_before(clock_now(), deadline)) {
            fail_msg("%d threads, not %d", count_threads(), expected);
        }
        clock_sleep(duration_ms(1));
    }
}

static void test_it_works_as_often_as_it_is_begun(void **state)
{
    (void)state;
    for (int slots = 1; slots <= 2; slots++) {
        Embedded embedded;
        ClusterClient *client = NULL;
        begin(&embedded, slots, &client);
        wait_for_worker(client, slots);
        search(client);
        end(&embedded, &client);
    }
}

/* After the first test, so that the threads of the socket library are there already. */
static void test_master_and_worker_share_a_thread(void **state)
{
    (void)state;
    enum { SLOTS = 2 };
    Embedded embedded;
    ClusterClient *client = NULL;
    clock_sleep(duration_ms(LINGER_MS));
    const int before = count_threads();
    begin(&embedded, SLOTS, &client);
    wait_for_worker(client, SLOTS);
    wait_for_threads(before + 1 + WORKER_LANES_PER_SLOT * SLOTS);
    end(&embedded, &client);
    wait_for_threads(before);
}

int main(void)
{
    given_tables();
    transport_init();
    network = config_default().network;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_works_as_often_as_it_is_begun),
        cmocka_unit_test(test_master_and_worker_share_a_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
