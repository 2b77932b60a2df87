#include "support/cluster.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/clock.h"

enum {
    PORT_FIRST = 10000,
    PORT_COUNT = 20000,
    PORT_STRIDE = 7,
    ASK_AGAIN_MS = 200,
    LAST_BYTES = 900, /* about what a message of cmocka holds */
};

static bool port_is_free(int port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
    };
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(descriptor >= 0);
    const bool is_free = bind(descriptor, (const struct sockaddr *)&address, sizeof address) == 0;
    (void)close(descriptor);
    return is_free;
}

Cluster *cluster_new(const char *folder)
{
    Cluster *cluster = calloc(1, sizeof *cluster);
    assert_non_null(cluster);
    cluster->folder = folder;
    cluster->port = PORT_FIRST + (int)getpid() * PORT_STRIDE % PORT_COUNT;
    while (!port_is_free(cluster->port)) {
        cluster->port = PORT_FIRST + (cluster->port + 1 - PORT_FIRST) % PORT_COUNT;
    }
    (void)snprintf(cluster->address, sizeof cluster->address, "tcp://127.0.0.1:%d", cluster->port);
    return cluster;
}

void cluster_destroy(Cluster *cluster)
{
    for (int i = 0; i < CLUSTER_ENGINES_MAX; i++) {
        process_destroy(&cluster->engines[i].process);
    }
    for (int i = 0; i < CLUSTER_WORKERS_MAX; i++) {
        process_destroy(&cluster->workers[i]);
    }
    process_destroy(&cluster->master);
    free(cluster);
}

int cluster_set_up(void **state)
{
    attacks_init(SLIDER_AUTO);
    *state = cluster_new(*state);
    return 0;
}

int cluster_tear_down(void **state)
{
    cluster_destroy(*state);
    return 0;
}

void cluster_program(const Cluster *cluster, const char *name, char path[CLUSTER_TEXT_BYTES_MAX])
{
    (void)snprintf(path, CLUSTER_TEXT_BYTES_MAX, "%s/%s", cluster->folder, name);
}

void cluster_start_master(Cluster *cluster)
{
    char path[CLUSTER_TEXT_BYTES_MAX];
    const char *const words[] = {"--listen", cluster->address, NULL};
    cluster_program(cluster, "rookery-master", path);
    process_start(&cluster->master, path, words);
    process_await_errors(&cluster->master, "listening on", 1);
}

void cluster_start_worker(Cluster *cluster, int index, int slots)
{
    char path[CLUSTER_TEXT_BYTES_MAX];
    char name[16];
    char count[16];
    (void)snprintf(name, sizeof name, "w%d", index);
    (void)snprintf(count, sizeof count, "%d", slots);
    const char *const words[] = {"--master", cluster->address, "--name", name, "--slots",
                                 count,      "--hash",         "16",     NULL};
    cluster_program(cluster, "rookery-worker", path);
    process_start(&cluster->workers[index], path, words);
}

void cluster_await_joined(const Cluster *cluster, int count)
{
    process_await_errors(&cluster->master, " joined with ", count);
}

void cluster_start(Cluster *cluster, int workers)
{
    cluster_start_master(cluster);
    for (int i = 0; i < workers; i++) {
        cluster_start_worker(cluster, i, 1);
    }
    cluster_await_joined(cluster, workers);
}

Engine *cluster_start_embedded(Cluster *cluster, int index, int threads)
{
    char path[CLUSTER_TEXT_BYTES_MAX];
    Engine *engine = &cluster->engines[index];
    const char *const words[] = {NULL};
    cluster_program(cluster, "rookery", path);
    engine_start(engine, path, words);
    engine_send(engine, "setoption name Threads value %d\nsetoption name Hash value 16", threads);
    engine_ready(engine);
    return engine;
}

Engine *cluster_start_remote(Cluster *cluster, int index)
{
    char path[CLUSTER_TEXT_BYTES_MAX];
    Engine *engine = &cluster->engines[index];
    const char *const words[] = {"--cluster", cluster->address, NULL};
    cluster_program(cluster, "rookery", path);
    engine_start(engine, path, words);
    engine_ready(engine);
    return engine;
}

/* The jobs in a row of the table: name, slots, nodes/s, jobs, share of time idle. */
static bool row_has_jobs(const char *line, const char *worker, uint64_t jobs)
{
    char name[64];
    int slots;
    uint64_t speed;
    uint64_t done;
    return sscanf(line, "%63s %d %" SCNu64 " %" SCNu64, name, &slots, &speed, &done) == 4 &&
           strcmp(name, worker) == 0 && done > jobs;
}

void cluster_await_jobs(Engine *engine, const char *worker, uint64_t jobs)
{
    const Instant end =
        instant_add(clock_now(), duration_ms(process_patience_ms(PROCESS_PATIENCE_MS)));
    while (instant_is_before(clock_now(), end)) {
        const Instant ask_again = instant_add(clock_now(), duration_ms(ASK_AGAIN_MS));
        engine_send(engine, "cluster");
        while (instant_is_before(clock_now(), ask_again)) {
            const char *line = engine_read(engine, ASK_AGAIN_MS);
            if (line != NULL && row_has_jobs(line, worker, jobs)) {
                return;
            }
        }
    }
    const size_t length = strlen(engine->text);
    const char *last = engine->text + (length > LAST_BYTES ? length - LAST_BYTES : 0);
    fail_msg("%s got no job; what was said last:\n%s", worker, last);
}
