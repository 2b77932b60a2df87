/*
 * Addresses: which are well-formed, which stay on this machine, which are let through.
 */
#include "config/config_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static bool is_good(const char *address, ConfigAddressUse use)
{
    const Status status = config_address_check(address, use);
    return status_is_ok(&status);
}

static void well_formed_addresses_are_accepted(void **state)
{
    (void)state;
    static const char *const addresses[] = {
        "tcp://127.0.0.1:5570", "tcp://localhost:1",    "tcp://lab-7.example.org:32767",
        "tcp://[::1]:5570",     "tcp://[fe80::1]:5570", "tcp://10.1.2.3:5570",
        "tcp://7lab:5570",      "tcp://0.0.0.0:5570",   "tcp://pc_1:05570",
    };
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        assert_true(is_good(addresses[i], CONFIG_ADDRESS_CONNECT));
        assert_true(is_good(addresses[i], CONFIG_ADDRESS_LISTEN));
    }
    assert_true(is_good("tcp://*:5570", CONFIG_ADDRESS_LISTEN));
    assert_false(is_good("tcp://*:5570", CONFIG_ADDRESS_CONNECT));
}

static void malformed_addresses_are_refused(void **state)
{
    (void)state;
    static const char *const addresses[] = {
        "",
        "tcp://",
        "127.0.0.1:5570",
        "tcp:/127.0.0.1:5570",
        "TCP://127.0.0.1:5570",
        "ipc://rookery",
        "tcp://127.0.0.1",
        "tcp://:5570",
        "tcp://[]:5570",
        "tcp://127.0.0.1:",
        "tcp://127.0.0.1:0",
        "tcp://127.0.0.1:*",
        "tcp://127.0.0.1:-1",
        "tcp://127.0.0.1:5570 ",
        "tcp://127.0.0.1:32768",
        "tcp://127.0.0.1:99999999999999999999",
        "tcp://127.0.0.1:5570;tcp://10.0.0.1:1",
        "tcp://127.0.0.1;10.0.0.1:5570",
        "tcp://127.0.0.256:5570",
        "tcp://127.1:5570",
        "tcp://::1:5570",
        "tcp://[::1:5570",
        "tcp://[127.0.0.1]:5570",
        "tcp://[lab]:5570",
        "tcp://-lab:5570",
        "tcp://.lab:5570",
        "tcp://a b:5570",
        "tcp://a/b:5570",
        "tcp://a@b:5570",
        "tcp://a\nb:5570",
    };
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        assert_false(is_good(addresses[i], CONFIG_ADDRESS_CONNECT));
        assert_false(is_good(addresses[i], CONFIG_ADDRESS_LISTEN));
        assert_false(config_address_is_loopback(addresses[i]));
    }
}

static void long_addresses_are_refused(void **state)
{
    (void)state;
    char address[CONFIG_ADDRESS_BYTES_MAX + 1];
    memset(address, 'a', sizeof address);
    memcpy(address, "tcp://", 6);
    memcpy(address + CONFIG_ADDRESS_BYTES_MAX - 6, ":5570", 6);
    assert_true(is_good(address, CONFIG_ADDRESS_CONNECT));
    memcpy(address + CONFIG_ADDRESS_BYTES_MAX - 6, "a:5570", 7);
    assert_false(is_good(address, CONFIG_ADDRESS_CONNECT));
}

static void loopback_is_told_from_the_network(void **state)
{
    (void)state;
    assert_true(config_address_is_loopback("tcp://127.0.0.1:5570"));
    assert_true(config_address_is_loopback("tcp://127.255.0.9:5570"));
    assert_true(config_address_is_loopback("tcp://localhost:5570"));
    assert_true(config_address_is_loopback("tcp://[::1]:5570"));
    assert_true(config_address_is_loopback("tcp://[0:0:0:0:0:0:0:1]:5570"));
    assert_false(config_address_is_loopback("tcp://127.0.0.1.example.org:5570"));
    assert_false(config_address_is_loopback("tcp://localhost.example.org:5570"));
    assert_false(config_address_is_loopback("tcp://*:5570"));
    assert_false(config_address_is_loopback("tcp://0.0.0.0:5570"));
    assert_false(config_address_is_loopback("tcp://[::]:5570"));
    assert_false(config_address_is_loopback("tcp://12.0.0.1:5570"));
}

static void hosts_are_told(void **state)
{
    (void)state;
    char host[CONFIG_ADDRESS_BYTES_MAX];
    config_address_host("tcp://lab-7.example.org:5570", host);
    assert_string_equal(host, "lab-7.example.org");
    config_address_host("tcp://[fe80::1]:5570", host);
    assert_string_equal(host, "fe80::1");
}

static void the_network_needs_insecure(void **state)
{
    (void)state;
    Status status = config_address_admit("tcp://10.0.0.1:5570", CONFIG_ADDRESS_CONNECT, false);
    assert_int_equal(status.code, STATUS_INVALID);
    assert_non_null(strstr(status.message, "insecure = true"));
    status = config_address_admit("tcp://10.0.0.1:5570", CONFIG_ADDRESS_CONNECT, true);
    assert_true(status_is_ok(&status));
    status = config_address_admit("tcp://127.0.0.1:5570", CONFIG_ADDRESS_LISTEN, false);
    assert_true(status_is_ok(&status));
    status = config_address_admit("tcp://10.0.0.1", CONFIG_ADDRESS_CONNECT, true);
    assert_int_equal(status.code, STATUS_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_formed_addresses_are_accepted),
        cmocka_unit_test(malformed_addresses_are_refused),
        cmocka_unit_test(long_addresses_are_refused),
        cmocka_unit_test(loopback_is_told_from_the_network),
        cmocka_unit_test(hosts_are_told),
        cmocka_unit_test(the_network_needs_insecure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
