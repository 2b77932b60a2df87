/*
 * Arguments: what is stored, and that nothing half right is accepted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arguments.h"

typedef struct {
    bool flag;
    const char *text;
    int64_t number;
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
} Parsed;

enum { WORDS_MAX = 8 };

/* Parses words that end with NULL. */
static Status parse(Parsed *parsed, const char *const words[WORDS_MAX])
{
    const Argument options[] = {
        {.name = "--flag", .flag = &parsed->flag},
        {.name = "--text", .text = &parsed->text},
        {.name = "--number", .number = &parsed->number, .minimum = -5, .maximum = 100},
    };
    char *copies[WORDS_MAX] = {NULL};
    int count = 0;
    while (words[count] != NULL) {
        copies[count] = (char *)(uintptr_t)words[count];
        count++;
    }
    *parsed = (Parsed){.number = 42};
    return arguments_parse(copies, count, options, 3, parsed->rest);
}

static void expect_refused(const char *const words[WORDS_MAX], const char *expected)
{
    Parsed parsed;
    const Status status = parse(&parsed, words);
    assert_int_equal(status.code, STATUS_INVALID);
    if (strstr(status.message, expected) == NULL) {
        fail_msg("refused with '%s', expected '%s'", status.message, expected);
    }
}

static void test_options_are_stored(void **state)
{
    (void)state;
    Parsed parsed;
    const char *const words[WORDS_MAX] = {"--number",   "-5", "one", "--flag",
                                          "--text=a=b", "-",  "two"};
    const Status status = parse(&parsed, words);
    assert_int_equal(status.code, STATUS_OK);
    assert_true(parsed.flag);
    assert_string_equal(parsed.text, "a=b");
    assert_int_equal(parsed.number, -5);
    assert_string_equal(parsed.rest, "one - two");
}

static void test_absent_options_are_untouched(void **state)
{
    (void)state;
    Parsed parsed;
    const char *const words[WORDS_MAX] = {NULL};
    const Status status = parse(&parsed, words);
    assert_int_equal(status.code, STATUS_OK);
    assert_false(parsed.flag);
    assert_null(parsed.text);
    assert_int_equal(parsed.number, 42);
    assert_string_equal(parsed.rest, "");
}

static void test_two_dashes_end_the_options(void **state)
{
    (void)state;
    Parsed parsed;
    const char *const words[WORDS_MAX] = {"--", "--flag", "--", NULL};
    const Status status = parse(&parsed, words);
    assert_int_equal(status.code, STATUS_OK);
    assert_false(parsed.flag);
    assert_string_equal(parsed.rest, "--flag --");
}

static void test_bad_words_are_refused(void **state)
{
    (void)state;
    const char *const unknown[WORDS_MAX] = {"--flags", NULL};
    const char *const no_value[WORDS_MAX] = {"--number", NULL};
    const char *const too_much[WORDS_MAX] = {"--flag=yes", NULL};
    const char *const not_number[WORDS_MAX] = {"--number", "12x", NULL};
    expect_refused(unknown, "unknown option '--flags'");
    expect_refused(no_value, "--number needs a value");
    expect_refused(too_much, "--flag takes no value");
    expect_refused(not_number, "--number must be a number from -5 to 100, not '12x'");
}

static void test_numbers_are_strict(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "", " 1", "1 ", "+1", "0x1", "1.0", "--1", "101", "-6", "-", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t number = 7;
        const Status status = arguments_number("n", bad[i], -5, 100, &number);
        if (status_is_ok(&status) || number != 7) {
            fail_msg("'%s' was read as %lld", bad[i], (long long)number);
        }
    }
    int64_t number = 0;
    const Status status = arguments_number("n", "9223372036854775807", 0, INT64_MAX, &number);
    assert_int_equal(status.code, STATUS_OK);
    assert_true(number == INT64_MAX);
}

static void test_long_text_is_refused(void **state)
{
    (void)state;
    char longest[ARGUMENTS_TEXT_BYTES_MAX];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    Parsed parsed;
    const char *const fits[WORDS_MAX] = {longest, NULL};
    const char *const does_not[WORDS_MAX] = {"y", longest, NULL};
    const Status status = parse(&parsed, fits);
    assert_int_equal(status.code, STATUS_OK);
    assert_string_equal(parsed.rest, longest);
    expect_refused(does_not, "more than 511 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_are_stored),
        cmocka_unit_test(test_absent_options_are_untouched),
        cmocka_unit_test(test_two_dashes_end_the_options),
        cmocka_unit_test(test_bad_words_are_refused),
        cmocka_unit_test(test_numbers_are_strict),
        cmocka_unit_test(test_long_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
