/*
 * The order of virtual events, and when messages arrive.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "tools/sim/agenda.h"
#include "tools/sim/network.h"

enum { MS = 1000000 };

static void test_entries_come_out_in_order_of_time_then_of_adding(void **state)
{
    (void)state;
    enum { ENTRIES = 2000, TIMES = 50 };
    Agenda agenda;
    AgendaEntry entry;
    Prng prng;
    prng_init(&prng, 1);
    agenda_init(&agenda);
    for (int i = 0; i < ENTRIES; i++) {
        agenda_add(&agenda, (int64_t)prng_below(&prng, TIMES), i, NULL);
    }
    int64_t last_ns = 0;
    int last_kind = -1;
    for (int i = 0; i < ENTRIES; i++) {
        const int64_t next_ns = agenda_next_ns(&agenda);
        assert_true(agenda_take(&agenda, &entry));
        assert_int_equal(entry.time_ns, next_ns);
        assert_true(entry.time_ns > last_ns ||
                    (entry.time_ns == last_ns && entry.kind > last_kind));
        last_ns = entry.time_ns;
        last_kind = entry.kind;
    }
    assert_false(agenda_take(&agenda, &entry));
    assert_int_equal(agenda_next_ns(&agenda), INT64_MAX);
    agenda_free(&agenda);
}

static Network *make_network(int64_t latency_ns, int64_t jitter_ns, int64_t bits_per_second)
{
    const NetworkConfig config = {.latency_ns = latency_ns,
                                  .jitter_ns = jitter_ns,
                                  .bits_per_second = bits_per_second,
                                  .seed = 7};
    Network *network = network_new(&config, 3);
    assert_non_null(network);
    return network;
}

static void test_nothing_overtakes_on_a_link_nor_comes_too_soon(void **state)
{
    (void)state;
    Network *network = make_network(2 * MS, MS, 0);
    int64_t last_ns = 0;
    int early = 0;
    for (int64_t at_ns = 0; at_ns < 100 * MS; at_ns += MS / 10) {
        const int64_t arrival_ns = network_send(network, 0, 1, at_ns, 100);
        assert_true(arrival_ns >= last_ns);
        assert_true(arrival_ns >= at_ns + network_latency_min_ns(network));
        assert_true(arrival_ns <= at_ns + 3 * MS);
        early += arrival_ns < at_ns + 2 * MS;
        last_ns = arrival_ns;
    }
    assert_true(early > 0); /* the jitter goes both ways */
    assert_int_equal(network_traffic(network).messages, 1000);
    assert_int_equal(network_traffic(network).bytes, 100000);
    network_destroy(&network);
}

static void test_a_line_takes_its_time_for_each_byte(void **state)
{
    (void)state;
    /* 8 Mbit/s: a byte a microsecond */
    Network *network = make_network(MS, 0, 8000000);
    const int64_t first_ns = network_send(network, 0, 1, 0, 1000);
    const int64_t second_ns = network_send(network, 0, 2, 0, 1000);
    assert_true(first_ns > 2 * MS && first_ns < 3 * MS);
    assert_int_equal(second_ns - MS, 2 * (first_ns - MS));
    network_destroy(&network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_come_out_in_order_of_time_then_of_adding),
        cmocka_unit_test(test_nothing_overtakes_on_a_link_nor_comes_too_soon),
        cmocka_unit_test(test_a_line_takes_its_time_for_each_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
