/* Names that nobody can know are told of, and numbers are not looked for. */
#include "os/host_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* A label may have 63 letters (RFC 1035), so that this asks no name server. */
#define LONG_NAME "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* What a check of the address says within that time. */
static void check(const char *address, int ms, char said[512])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    host_check_begin(address, "rookery-test", ends[1]);
    struct pollfd item = {.fd = ends[0], .events = POLLIN};
    const ssize_t length = poll(&item, 1, ms) == 1 ? read(ends[0], said, 511) : 0;
    assert_true(length >= 0);
    said[length] = '\0';
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void unknown_hosts_are_told(void **state)
{
    (void)state;
    char said[512];
    check("tcp://" LONG_NAME ":5570", 20000, said);
    assert_non_null(
        strstr(said, " rookery-test warning: the host \"" LONG_NAME "\" is not found: "));
}

static void numbers_are_known(void **state)
{
    (void)state;
    char said[512];
    check("tcp://192.0.2.1:5570", 100, said);
    assert_string_equal(said, "");
    check("tcp://[2001:db8::1]:5570", 100, said);
    assert_string_equal(said, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_hosts_are_told),
        cmocka_unit_test(numbers_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
