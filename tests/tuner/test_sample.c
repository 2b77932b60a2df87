/*
 * Lines of the tuner's data: written and read back, and refused when they are not what they say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/given.h"
#include "tools/tuner/sample.h"

#define KINGS "4k3/8/8/8/8/8/4P3/4K3 w - - 5 40"

static void expect_refused(const char *line, const char *message)
{
    Sample sample = {.halves = 7};
    const Status status = sample_parse(line, &sample);
    assert_int_equal(status.code, STATUS_INVALID);
    assert_non_null(strstr(status.message, message));
    assert_int_equal(sample.halves, 7);
}

static void test_lines_come_back(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 1);
    for (int i = 0; i < 300; i++) {
        char text[SAMPLE_BYTES_MAX];
        Sample read;
        const Sample sample = {
            .position = given_random_position(&prng, 80),
            .halves = i % 3,
            .score = (int)prng_below(&prng, 40001) - 20000,
        };
        const int length = sample_write(&sample, text);
        assert_int_equal(length, strlen(text));
        const Status status = sample_parse(text, &read);
        assert_true(status_is_ok(&status));
        assert_int_equal(read.position.key, sample.position.key);
        assert_int_equal(read.position.rule50, sample.position.rule50);
        assert_int_equal(read.halves, sample.halves);
        assert_int_equal(read.score, sample.score);
    }
}

static void test_line_ends_do_not_matter(void **state)
{
    (void)state;
    const char *const lines[] = {KINGS ";0.5;-12", KINGS ";0.5;-12\n", KINGS ";0.5;-12\r\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        Sample sample;
        const Status status = sample_parse(lines[i], &sample);
        assert_true(status_is_ok(&status));
        assert_int_equal(sample.halves, 1);
        assert_int_equal(sample.score, -12);
        assert_int_equal(sample.position.rule50, 5);
    }
}

static void test_hostile_lines_are_refused(void **state)
{
    (void)state;
    expect_refused("", "FEN;RESULT;SCORE");
    expect_refused("\n", "FEN;RESULT;SCORE");
    expect_refused(KINGS, "FEN;RESULT;SCORE");
    expect_refused(KINGS ";1", "FEN;RESULT;SCORE");
    expect_refused(KINGS ";1\n;5", "FEN;RESULT;SCORE");
    expect_refused(KINGS ";2;0", "result");
    expect_refused(KINGS ";;0", "result");
    expect_refused(KINGS ";0.50;0", "result");
    expect_refused(KINGS ";-1;0", "result");
    expect_refused(KINGS ";1;", "score");
    expect_refused(KINGS ";1;x", "score");
    expect_refused(KINGS ";1;3;4", "score");
    expect_refused(KINGS ";1;20001", "score");
    expect_refused(KINGS ";1;-20001", "score");
    expect_refused(KINGS ";1;99999999999999999999", "score");
    expect_refused(";1;0", "FEN");
    expect_refused("4k3/8/8/8 w - - 0 1;1;0", "FEN");
    expect_refused("8/8/8/8/8/8/8/8 w - - 0 1;1;0", "king");
}

static void test_scores_of_mates_are_no_samples(void **state)
{
    (void)state;
    assert_true(sample_takes(SCORE_EVAL_MAX) && sample_takes(-SCORE_EVAL_MAX));
    assert_false(sample_takes(score_mate_in(5)));
    assert_false(sample_takes(score_mated_in(5)));
    /* What the search makes of a mate that the 50-move rule bars. */
    assert_false(sample_takes(SCORE_WIN_MIN - 1));
    assert_false(sample_takes(-(SCORE_WIN_MIN - 1)));
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_come_back),
        cmocka_unit_test(test_line_ends_do_not_matter),
        cmocka_unit_test(test_hostile_lines_are_refused),
        cmocka_unit_test(test_scores_of_mates_are_no_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
