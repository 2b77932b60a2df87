/*
 * cluster.toml: the example equals the defaults, good files are read, and every bad one is refused
 * with the exact place of the fault.
 */
#include "config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A text and what config_parse says about it under the name "f". */
typedef struct {
    const char *text;    /* TOML */
    const char *message; /* exact, or its beginning where the parser's own words follow */
} RefusedCase;

static Status parse(const char *text, Config *config)
{
    return config_parse(text, (int)strlen(text), "f", config);
}

static void assert_equal(const Config *left, const Config *right)
{
    assert_int_equal(left->network.insecure, right->network.insecure);
    assert_int_equal(left->network.heartbeat_ms, right->network.heartbeat_ms);
    assert_int_equal(left->network.lease_ms, right->network.lease_ms);
    assert_int_equal(left->network.reconnect_first_ms, right->network.reconnect_first_ms);
    assert_int_equal(left->network.reconnect_last_ms, right->network.reconnect_last_ms);
    assert_string_equal(left->master.listen, right->master.listen);
    assert_string_equal(left->worker.master, right->worker.master);
    assert_int_equal(left->worker.slots, right->worker.slots);
    assert_int_equal(left->worker.hash_mb, right->worker.hash_mb);
    assert_string_equal(left->worker.name, right->worker.name);
    assert_string_equal(left->bridge.cluster, right->bridge.cluster);
    assert_int_equal(left->bridge.threads, right->bridge.threads);
    assert_int_equal(left->bridge.hash_mb, right->bridge.hash_mb);
    assert_int_equal(left->bridge.move_overhead_ms, right->bridge.move_overhead_ms);
}

/* The path of the example, found from this source file's own. */
static void example_path(char *path, size_t path_bytes)
{
    (void)snprintf(path, path_bytes, "%s", __FILE__);
    for (int i = 0; i < 3; i++) {
        char *slash = strrchr(path, '/');
        assert_non_null(slash);
        *slash = '\0';
    }
    const size_t length = strlen(path);
    (void)snprintf(path + length, path_bytes - length, "/cluster.toml");
}

static void the_example_has_the_defaults(void **state)
{
    (void)state;
    char path[1024];
    example_path(path, sizeof path);
    Config config;
    const Status status = config_load(path, &config);
    assert_string_equal(status.message, "");
    const Config expected = config_default();
    assert_equal(&config, &expected);
}

/* The lines of the example that are neither comments nor table heads are the known keys. */
static void the_example_has_every_key(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "insecure",
        "heartbeat_ms",
        "lease_ms",
        "reconnect_first_ms",
        "reconnect_last_ms",
        "listen",
        "master",
        "slots",
        "hash_mb",
        "name",
        "cluster",
        "threads",
        "hash_mb",
        "move_overhead_ms",
    };
    const size_t key_count = sizeof keys / sizeof keys[0];
    char path[1024];
    example_path(path, sizeof path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[256];
    size_t found = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '[' || line[0] == '\n') {
            continue;
        }
        assert_true(found < key_count);
        const size_t length = strlen(keys[found]);
        assert_memory_equal(line, keys[found], length);
        assert_memory_equal(line + length, " = ", 3);
        found++;
    }
    (void)fclose(file);
    assert_int_equal(found, key_count);
}

static void an_empty_text_has_the_defaults(void **state)
{
    (void)state;
    Config config;
    const Status status = parse("", &config);
    assert_true(status_is_ok(&status));
    const Config expected = config_default();
    assert_equal(&config, &expected);
    assert_string_equal(config.master.listen, "tcp://127.0.0.1:5570");
    assert_int_equal(config.network.heartbeat_ms, 100);
    assert_int_equal(config.worker.slots, 0);
}

static void every_key_is_read(void **state)
{
    (void)state;
    static const char text[] = "[network]\n"
                               "insecure = true\n"
                               "heartbeat_ms = 10\n"
                               "lease_ms = 60000\n"
                               "reconnect_first_ms = 11\n"
                               "reconnect_last_ms = 12\n"
                               "[master]\n"
                               "listen = 'tcp://*:1'\n"
                               "[worker]\n"
                               "master = 'tcp://big.lab:32767'\n"
                               "slots = 256\n"
                               "hash_mb = 65536\n"
                               "name = 'lab-7_b.x'\n"
                               "[bridge]\n"
                               "cluster = 'tcp://[fe80::1]:5570'\n"
                               "threads = 3\n"
                               "hash_mb = 1\n"
                               "move_overhead_ms = 5000\n";
    static const Config expected = {
        .network = {true, 10, 60000, 11, 12},
        .master = {"tcp://*:1"},
        .worker = {"tcp://big.lab:32767", 256, 65536, "lab-7_b.x"},
        .bridge = {"tcp://[fe80::1]:5570", 3, 1, 5000},
    };
    Config config;
    const Status status = parse(text, &config);
    assert_string_equal(status.message, "");
    assert_equal(&config, &expected);
}

static void assert_refused(const RefusedCase *refused, bool is_whole)
{
    Config config;
    memset(&config, 1, sizeof config);
    Status status = parse(refused->text, &config);
    assert_int_equal(status.code, STATUS_INVALID);
    assert_null(strchr(status.message, '\n'));
    if (!is_whole) {
        status.message[strlen(refused->message)] = '\0';
    }
    assert_string_equal(status.message, refused->message);
    const Config expected = config_default();
    assert_equal(&config, &expected);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    static const RefusedCase cases[] = {
        {"[wroker]\nslots = 1\n", "f:1:2: unknown table wroker"},
        {"slots = 4\n", "f:1:1: unknown key slots"},
        {"[worker]\n  slot = 4\n", "f:2:3: unknown key worker.slot"},
        {"[worker]\n\n\"a\\nb\" = 4\n", "f:3:1: unknown key worker.a b"},
        {"worker.speed = 4\n", "f:1:8: unknown key worker.speed"},
        {"worker = 4\n", "f:1:10: worker must be a table, not an integer"},
        {"[[worker]]\nslots = 4\n", "f:1:1: worker must be a table, not an array"},
        {"[worker]\nslots = \"4\"\n", "f:2:9: worker.slots must be an integer, not a string"},
        {"[worker]\nslots = 4.0\n",
         "f:2:9: worker.slots must be an integer, not a floating-point number"},
        {"[worker]\nslots = { a = 1 }\n", "f:2:9: worker.slots must be an integer, not a table"},
        {"[worker]\nslots = 257\n", "f:2:9: worker.slots must be from 0 to 256, not 257"},
        {"[worker]\nslots = -1\n", "f:2:9: worker.slots must be from 0 to 256, not -1"},
        {"[bridge]\nhash_mb = 4294967297\n",
         "f:2:11: bridge.hash_mb must be from 1 to 65536, not 4294967297"},
        {"[network]\nheartbeat_ms = 1001\n",
         "f:2:16: network.heartbeat_ms must be from 10 to 1000, not 1001"},
        {"[network]\ninsecure = 1\n",
         "f:2:12: network.insecure must be a boolean (true or false), not an integer"},
        {"[worker]\nname = 2026-01-31\n",
         "f:2:8: worker.name must be a string, not a date or time"},
        {"[worker]\nname = \"a b\"\n",
         "f:2:8: worker.name \"a b\" must be letters, digits, dots, dashes and underscores, up to "
         "63"},
        {"[worker]\nname = \"a\\u0000b\"\n", "f:2:8: worker.name must not contain a NUL"},
        {"[worker]\nname = '"
         "0123456789012345678901234567890123456789012345678901234567890123'\n",
         "f:2:8: worker.name must be shorter than 64 bytes"},
        {"[master]\nlisten = 'udp://127.0.0.1:5570'\n",
         "f:2:10: master.listen \"udp://127.0.0.1:5570\" is no address of the form "
         "tcp://HOST:PORT"},
        {"[master]\nlisten = ''\n",
         "f:2:10: master.listen \"\" is no address of the form tcp://HOST:PORT"},
        {"[worker]\nmaster = 'tcp://127.0.0.1:40000'\n",
         "f:2:10: worker.master \"tcp://127.0.0.1:40000\": the port must be a number from 1 to "
         "32767"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(&cases[i], true);
    }
}

static void values_that_do_not_fit_together_are_refused(void **state)
{
    (void)state;
    static const RefusedCase cases[] = {
        {"[network]\nheartbeat_ms = 600\nlease_ms = 1799\n",
         "f:3:12: network.lease_ms (1799) must be at least 3 times network.heartbeat_ms (600)"},
        {"[network]\nheartbeat_ms = 501\n",
         "f:2:16: network.lease_ms (1500) must be at least 3 times network.heartbeat_ms (501)"},
        {"[network]\nreconnect_last_ms = 99\n",
         "f:2:21: network.reconnect_last_ms (99) must not be below network.reconnect_first_ms "
         "(100)"},
        {"[network]\nreconnect_first_ms = 801\n",
         "f:2:22: network.reconnect_last_ms (800) must not be below network.reconnect_first_ms "
         "(801)"},
        {"[master]\nlisten = 'tcp://*:5570'\n",
         "f:2:10: master.listen \"tcp://*:5570\" is on the network and there are no keys: anybody "
         "there could join; use a loopback address, or accept it by insecure = true in [network]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(&cases[i], true);
    }
    static const RefusedCase networked[] = {
        {"[worker]\nmaster = 'tcp://10.0.0.1:5570'\n", "f:2:10: worker.master \"tcp://10.0.0.1"},
        {"[bridge]\n\n cluster = 'tcp://lab:5570'\n", "f:3:12: bridge.cluster \"tcp://lab"},
    };
    for (size_t i = 0; i < sizeof networked / sizeof networked[0]; i++) {
        assert_refused(&networked[i], false);
    }
}

/* The words are the parser's, the place is ours to keep. */
static void broken_toml_is_refused(void **state)
{
    (void)state;
    static const RefusedCase cases[] = {
        {"[worker\n", "f:1:8: "},
        {"[worker]\nslots = \n", "f:2:9: "},
        {"[worker]\nslots = 1\nslots = 2\n", "f:3:9: "},
        {"[worker]\nname = \"a\n", "f:2:10: "},
        {"[worker]\nslots = 99999999999999999999\n", "f:2:29: "},
        {"\xFF\xFE", "f:1:1: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(&cases[i], false);
    }
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    char text[CONFIG_TEXT_BYTES_MAX + 1];
    memset(text, '[', sizeof text - 1);
    text[0] = 'a';
    text[1] = '=';
    text[sizeof text - 1] = '\0';
    const RefusedCase refused = {text, "f:1:"};
    assert_refused(&refused, false);
}

/* Writes `length` spaces into a new file and loads that. */
static Status load_spaces(int length, Config *config)
{
    char path[] = "/tmp/rookery-config-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    char *spaces = malloc((size_t)length);
    assert_non_null(spaces);
    memset(spaces, ' ', (size_t)length);
    assert_int_equal(write(descriptor, spaces, (size_t)length), length);
    free(spaces);
    (void)close(descriptor);
    const Status status = config_load(path, config);
    (void)unlink(path);
    return status;
}

static void files_have_a_limit(void **state)
{
    (void)state;
    Config config;
    Status status = load_spaces(CONFIG_TEXT_BYTES_MAX, &config);
    assert_int_equal(status.code, STATUS_OK);
    status = load_spaces(CONFIG_TEXT_BYTES_MAX + 1, &config);
    assert_int_equal(status.code, STATUS_INVALID);
    assert_non_null(strstr(status.message, "is longer than 65536 bytes"));
}

static void absent_files_are_reported(void **state)
{
    (void)state;
    Config config;
    Status status = config_load("/nonexistent/cluster.toml", &config);
    assert_int_equal(status.code, STATUS_NOT_FOUND);
    assert_string_equal(status.message,
                        "/nonexistent/cluster.toml: cannot read: No such file or directory");
    status = config_load("/", &config);
    assert_int_equal(status.code, STATUS_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_has_the_defaults),
        cmocka_unit_test(the_example_has_every_key),
        cmocka_unit_test(an_empty_text_has_the_defaults),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(values_that_do_not_fit_together_are_refused),
        cmocka_unit_test(broken_toml_is_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(files_have_a_limit),
        cmocka_unit_test(absent_files_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
