/*
 * Games counted from a PGN: results by colour, pairs in any order, faults and whose they are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "tools/match/tally.h"

#define ITALIAN "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1"

/* A game's text; `more` holds further tags. */
#define GAME_WITH(white, black, round, result, more, moves)                                        \
    "[White \"" white "\"]\n[Black \"" black "\"]\n[Round \"" round "\"]\n[Result \"" result       \
    "\"]\n" more "\n" moves " " result "\n\n"
#define GAME(white, black, round, result) GAME_WITH(white, black, round, result, "", "1. e4 e5")

static Tally tally;

static void count(const char *text, const char *engine)
{
    const Status status = tally_read(text, (long)strlen(text), engine, &tally);
    assert_string_equal(status.message, "");
}

static void expect_results(int wins, int losses, int draws)
{
    assert_int_equal(tally.wins, wins);
    assert_int_equal(tally.losses, losses);
    assert_int_equal(tally.draws, draws);
    assert_int_equal(tally.games, wins + losses + draws);
}

static void expect_pairs(int none, int half, int one, int more, int both)
{
    const int expected[SAMPLES_SCORES] = {none, half, one, more, both};
    assert_memory_equal(tally.pairs.counts, expected, sizeof expected);
    assert_int_equal(tally.alone, tally.games - 2 * (none + half + one + more + both));
}

static void expect_faults(const Faults *faults, int times, int illegal_moves, int disconnects)
{
    assert_int_equal(faults->time_losses, times);
    assert_int_equal(faults->illegal_moves, illegal_moves);
    assert_int_equal(faults->disconnects, disconnects);
}

static void test_colours_and_pairs(void **state)
{
    (void)state;
    static const char text[] = GAME("a", "b", "1", "1-0") GAME("b", "a", "1", "0-1") /* 2 points */
        GAME("a", "b", "2", "0-1") GAME("b", "a", "2", "1/2-1/2")                    /* 1/2 */
        GAME("a", "b", "3", "1/2-1/2") GAME("b", "a", "3", "1/2-1/2")                /* 1 */
        GAME("a", "b", "4", "1-0") GAME("b", "a", "4", "1/2-1/2")                    /* 3/2 */
        GAME("a", "b", "5", "0-1") GAME("b", "a", "5", "1-0");                       /* 0 */
    count(text, NULL);
    assert_string_equal(tally.engine, "a");
    assert_string_equal(tally.opponent, "b");
    expect_results(3, 3, 4);
    expect_pairs(1, 1, 1, 1, 1);
    assert_ptr_equal(tally_samples(&tally), &tally.pairs);

    count(text, "b");
    assert_string_equal(tally.opponent, "a");
    expect_results(3, 3, 4);
    expect_pairs(1, 1, 1, 1, 1);
}

static void test_pairs_in_any_order(void **state)
{
    (void)state;
    /* As they end when several are played at once; the last two are of a second match. */
    count(GAME("a", "b", "1", "1-0") GAME("a", "b", "2", "0-1") GAME("b", "a", "2", "1-0")
              GAME("b", "a", "1", "0-1") GAME("b", "a", "1", "1-0") GAME("a", "b", "1", "0-1"),
          "a");
    expect_pairs(2, 0, 0, 0, 1);
}

/* A gauntlet, whose games end as they like: "b" and "c" each take a point of two. */
static void test_pairs_are_of_one_opponent(void **state)
{
    (void)state;
    count(GAME("a", "b", "1", "1-0") GAME("c", "a", "1", "1-0") GAME("b", "a", "1", "1-0")
              GAME("a", "c", "1", "1-0"),
          "a");
    assert_string_equal(tally.opponent, "all others");
    expect_results(2, 2, 0);
    expect_pairs(0, 0, 2, 0, 0);
}

/* As many games at once as no runner plays; those with Black end first and from the last on. */
static void test_many_games_wait_for_their_partners(void **state)
{
    (void)state;
    enum { ROUNDS = 300 };
    static char text[2 * ROUNDS * 128];
    int used = 0;
    for (int i = 0; i < 2 * ROUNDS; i++) {
        const int round = i < ROUNDS ? ROUNDS - i : i * 7 % ROUNDS + 1;
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "[White \"%s\"]\n[Black \"%s\"]\n[Round \"%d\"]\n\n1. e4 e5 %s\n\n",
                         i < ROUNDS ? "b" : "a", i < ROUNDS ? "a" : "b", round,
                         round % 3 == 0 ? "1-0" : "0-1");
    }
    count(text, "a");
    expect_results(ROUNDS, ROUNDS, 0);
    expect_pairs(0, 0, ROUNDS, 0, 0);
}

static void test_games_that_make_no_pair(void **state)
{
    (void)state;
    /* The same colour twice, another round, another opening. */
    count(GAME("a", "b", "1", "1-0") GAME("a", "b", "1", "1-0") GAME("b", "a", "2", "1-0")
              GAME_WITH("b", "a", "1", "1-0", "[SetUp \"1\"]\n[FEN \"" ITALIAN "\"]\n", "1... Nf6"),
          "a");
    expect_results(2, 2, 0);
    expect_pairs(0, 0, 0, 0, 0);
    assert_int_equal(tally.alone, 4);
    assert_ptr_equal(tally_samples(&tally), &tally.singles);
    assert_int_equal(tally.singles.counts[4], 2);
    assert_int_equal(tally.singles.counts[0], 2);
}

static void test_odd_games(void **state)
{
    (void)state;
    count(GAME("a", "b", "1", "1-0") GAME("b", "a", "1", "1-0") GAME("a", "b", "2", "1-0"), "a");
    expect_results(2, 1, 0);
    expect_pairs(0, 0, 1, 0, 0);
    assert_int_equal(tally.alone, 1);
}

/* Rounds written as "2.1" and "2.2" are one. */
static void test_rounds_with_game_numbers(void **state)
{
    (void)state;
    count(GAME("a", "b", "2.1", "1-0") GAME("b", "a", "2.2", "0-1"), "a");
    expect_pairs(0, 0, 0, 0, 1);
}

static void test_unfinished_games(void **state)
{
    (void)state;
    count(GAME("a", "b", "1", "*") GAME("b", "a", "1", "1/2-1/2"), "a");
    expect_results(0, 0, 1);
    assert_int_equal(tally.unfinished, 1);
    assert_int_equal(tally.alone, 1);
}

#define ENDED(white, black, result, how)                                                           \
    GAME_WITH(white, black, "1", result, "[Termination \"" how "\"]\n", "1. e4 e5")

static void test_faults_of_the_loser(void **state)
{
    (void)state;
    count(ENDED("a", "b", "0-1", "time forfeit") ENDED("b", "a", "1-0", "time forfeit")
              ENDED("a", "b", "1-0", "time forfeit") ENDED("a", "b", "0-1", "illegal move")
                  ENDED("a", "b", "1-0", "abandoned") ENDED("b", "a", "0-1", "stalled connection")
                      ENDED("b", "a", "0-1", "adjudication") ENDED("b", "a", "0-1", "normal"),
          "a");
    expect_faults(&tally.by_engine, 2, 1, 0);
    expect_faults(&tally.by_opponent, 1, 0, 2);
}

/* A flag falls against a bare king: drawn, and the fault of the side to move. */
static void test_faults_in_drawn_games(void **state)
{
    (void)state;
    static const char tags[] = "[Termination \"time forfeit\"]\n";
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "[White \"a\"]\n[Black \"b\"]\n%s\n1. e4 1/2-1/2\n\n"
                   "[White \"a\"]\n[Black \"b\"]\n%s[FEN \"" ITALIAN "\"]\n\n1... Nf6 1/2-1/2\n\n"
                   "[White \"a\"]\n[Black \"b\"]\n%s\n1. e4 e5 1/2-1/2\n\n",
                   tags, tags, tags);
    count(text, "a");
    expect_results(0, 0, 3);
    expect_faults(&tally.by_engine, 2, 0, 0);
    expect_faults(&tally.by_opponent, 1, 0, 0);
}

static void test_chess960_games(void **state)
{
    (void)state;
    static const char tags[] = "[Variant \"Chess960\"]\n[FEN "
                               "\"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n";
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "[White \"a\"]\n[Black \"b\"]\n%s\n1. e4 e5 1-0\n\n"
                   "[White \"b\"]\n[Black \"a\"]\n%s\n1. d4 d5 1-0\n\n",
                   tags, tags);
    count(text, "a");
    expect_pairs(0, 0, 1, 0, 0);
}

static void test_unreadable_games_cost_no_other(void **state)
{
    (void)state;
    count(GAME("a", "b", "1", "1-0") GAME_WITH("b", "a", "1", "1-0", "", "1. e4 e9")
              GAME("b", "a", "1", "0-1"),
          "a");
    expect_results(2, 0, 0);
    expect_pairs(0, 0, 0, 0, 1);
    assert_int_equal(tally.unreadable, 1);
}

static void test_other_players(void **state)
{
    (void)state;
    count(GAME("a", "b", "1", "1-0") GAME("c", "a", "1", "1-0") GAME("b", "c", "1", "1-0"), "a");
    expect_results(1, 1, 0);
    assert_string_equal(tally.opponent, "all others");
}

static void test_no_games(void **state)
{
    (void)state;
    assert_int_equal(tally_read("", 0, NULL, &tally).code, STATUS_NOT_FOUND);
    expect_results(0, 0, 0);
    static const char text[] = GAME("a", "b", "1", "1-0");
    assert_int_equal(tally_read(text, sizeof text - 1, "c", &tally).code, STATUS_NOT_FOUND);
    assert_int_equal(tally_read_file("/no/such/file", "c", &tally).code, STATUS_NOT_FOUND);
}

static int set_up(void **state)
{
    (void)state;
    attacks_init(SLIDER_AUTO);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colours_and_pairs),
        cmocka_unit_test(test_pairs_in_any_order),
        cmocka_unit_test(test_pairs_are_of_one_opponent),
        cmocka_unit_test(test_many_games_wait_for_their_partners),
        cmocka_unit_test(test_games_that_make_no_pair),
        cmocka_unit_test(test_odd_games),
        cmocka_unit_test(test_rounds_with_game_numbers),
        cmocka_unit_test(test_unfinished_games),
        cmocka_unit_test(test_faults_of_the_loser),
        cmocka_unit_test(test_faults_in_drawn_games),
        cmocka_unit_test(test_chess960_games),
        cmocka_unit_test(test_unreadable_games_cost_no_other),
        cmocka_unit_test(test_other_players),
        cmocka_unit_test(test_no_games),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
