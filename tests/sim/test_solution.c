/*
 * When a search has found the right move.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/given.h"
#include "tools/sim/solution.h"

enum { LIMIT = 100 };

/* A search whose iteration `i` ended at 10 i with the right move where `answers` has a '1'. */
static Solution solution_of(const char *answers)
{
    static Epd epd;
    Solution solution;
    const Status status =
        epd_parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; am Kf1;", "f", 1, false, &epd);
    assert_true(status_is_ok(&status));
    solution_init(&solution, &epd, LIMIT);
    for (int i = 1; answers[i - 1] != '\0'; i++) {
        const Move move = answers[i - 1] == '1' ? epd.best[0] : epd.avoid[0];
        solution_note(&solution, i, INT64_C(10) * i, move);
    }
    return solution;
}

static void assert_found(const char *answers, int depth)
{
    const Solution solution = solution_of(answers);
    assert_true(solution_is_found(&solution));
    assert_int_equal(solution.found_depth, depth);
    assert_int_equal(solution.found, 10 * depth);
    assert_true(solution_is_over(&solution, 0));
}

static void test_a_right_move_must_stay_for_two_more_iterations(void **state)
{
    (void)state;
    assert_found("111", 1);
    assert_found("0111", 2);
    assert_found("11011100", 4);
    assert_found("000000000111", 10); /* only its proof comes after the limit */
    const char *const unsolved[] = {"", "11", "0110", "110110", "0000000000111"};
    for (int i = 0; i < 5; i++) {
        const Solution solution = solution_of(unsolved[i]);
        assert_false(solution_is_found(&solution));
    }
}

static void test_a_search_ends_when_it_cannot_be_solved_in_time(void **state)
{
    (void)state;
    const Solution open = solution_of("0");
    assert_false(solution_is_over(&open, LIMIT));
    assert_true(solution_is_over(&open, LIMIT + 1));
    const Solution unproved = solution_of("00000000011");
    assert_false(solution_is_over(&unproved, LIMIT + 50));
    const Solution late = solution_of("00000000001");
    assert_true(solution_is_over(&late, LIMIT + 10));
}

static void test_a_depth_counts_once(void **state)
{
    (void)state;
    Solution solution = solution_of("11");
    solution_note(&solution, 2, 30, solution.best);
    assert_false(solution_is_found(&solution));
    solution_note(&solution, 4, 40, solution.best); /* one was left out */
    assert_true(solution_is_found(&solution));
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_right_move_must_stay_for_two_more_iterations),
        cmocka_unit_test(test_a_search_ends_when_it_cannot_be_solved_in_time),
        cmocka_unit_test(test_a_depth_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
