/*
 * CHECK: ends the process with file, line and text when its condition is false, and only then.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/check.h"

enum { OUTPUT_BYTES_MAX = 512 };

/* Runs CHECK in a child; returns its wait status and what it wrote on stderr. */
static int check_in_child(int value, char output[OUTPUT_BYTES_MAX])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGABRT, SIG_DFL);
        (void)dup2(ends[1], STDERR_FILENO);
        CHECK(value == 1);
        _exit(0);
    }
    (void)close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(ends[0], output + length, OUTPUT_BYTES_MAX - 1 - length)) > 0) {
        length += (size_t)got;
    }
    output[length] = '\0';
    (void)close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void test_true_condition_goes_on(void **state)
{
    (void)state;
    char output[OUTPUT_BYTES_MAX];
    const int status = check_in_child(1, output);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_string_equal(output, "");
}

static void test_false_condition_aborts_and_says_where(void **state)
{
    (void)state;
    char output[OUTPUT_BYTES_MAX];
    const int status = check_in_child(2, output);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(output, "test_check.c:"));
    assert_non_null(strstr(output, ": CHECK failed: value == 1\n"));
}

/* CHECK_HOT evaluates its condition exactly where the build asks for it. */
static void test_hot_checks_follow_the_build(void **state)
{
    (void)state;
    int evaluated = 0;
    CHECK_HOT(++evaluated == 1);
#ifdef ROOKERY_CHECK_HOT
    assert_int_equal(evaluated, 1);
#else
    assert_int_equal(evaluated, 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_true_condition_goes_on),
        cmocka_unit_test(test_false_condition_aborts_and_says_where),
        cmocka_unit_test(test_hot_checks_follow_the_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
