/*
 * A worker of little priority beside busy programs, as its unit of systemd has it: its searches
 * stand still for seconds, and none hangs. It runs alone (cmake/RookeryTargets.cmake), for whatever
 * else ran on that processor would stand still too.
 */
#define _GNU_SOURCE 1

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/cluster.h"

/* The number of a processor that this process may use, as a word. */
static void find_processor(char text[16])
{
    cpu_set_t allowed;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    int number = 0;
    while (!CPU_ISSET(number, &allowed)) {
        number++;
    }
    (void)snprintf(text, 16, "%d", number);
}

static void test_worker_gets_no_processor(void **state)
{
    enum { STARVED_MS = 6000 };
    Cluster *cluster = *state;
    char program[CLUSTER_TEXT_BYTES_MAX];
    char processor[16];
    cluster_program(cluster, "rookery-worker", program);
    find_processor(processor);
    const char *const humble[] = {
        "-n",      "19", "taskset", "-c", processor, program, "--master", cluster->address,
        "--slots", "2",  "--hash",  "16", NULL};
    const char *const rivals[] = {
        "-c", processor, "sh", "-c", "for i in 1 2 3 4; do (while :; do :; done) & done; wait",
        NULL};
    cluster_start_master(cluster);
    process_start(&cluster->workers[0], "/usr/bin/nice", humble);
    cluster_await_joined(cluster, 1);
    process_start(&cluster->workers[1], "/usr/bin/taskset", rivals);
    Engine *engine = cluster_start_remote(cluster, 0);
    engine_send(engine, "go infinite");
    engine_listen(engine, STARVED_MS);
    assert_null(strstr(process_errors(&cluster->workers[0]), "a search hangs"));
    (void)engine_play(engine, "stop");
    engine_quit(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUSTER_TEST(test_worker_gets_no_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
