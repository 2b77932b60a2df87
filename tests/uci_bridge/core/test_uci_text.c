/*
 * UCI text: words, numbers, the parts of position, setoption and go, and the game behind them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "chess/notation.h"
#include "codec/codec.h"
#include "messages/game_position.h"
#include "root/root.h"
#include "uci_bridge/core/uci_format.h"
#include "uci_bridge/core/uci_game.h"
#include "uci_bridge/core/uci_parse.h"

enum { RANDOM_GAMES = 40, RANDOM_PLIES = 400 };

static void assert_text(UciText text, const char *expected)
{
    assert_int_equal(text.length, (int)strlen(expected));
    assert_memory_equal(text.bytes, expected, strlen(expected));
}

static void test_words(void **state)
{
    (void)state;
    UciText rest = {.bytes = " \tgo\0 depth\x7F\r5 ", .length = 14};
    UciText word;
    assert_text(uci_text_peek(rest), "go");
    assert_true(uci_text_next(&rest, &word));
    assert_text(word, "go");
    assert_true(uci_text_next(&rest, &word));
    assert_text(word, "depth");
    assert_true(uci_text_next(&rest, &word));
    assert_text(word, "5");
    assert_false(uci_text_next(&rest, &word));
    assert_text(word, "");
    assert_text(uci_text_trim(uci_text_of("  a b\t\n")), "a b");
    assert_text(uci_text_trim(uci_text_of(" \r ")), "");
}

static void test_comparing(void **state)
{
    (void)state;
    assert_true(uci_text_is(uci_text_of("MultiPV"), "multipv"));
    assert_false(uci_text_is(uci_text_of("Multi"), "multipv"));
    assert_false(uci_text_is(uci_text_of("multipvs"), "multipv"));
    assert_true(uci_text_is(uci_text_of(""), ""));
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t number;
    } good[] = {
        {"0", 0},
        {"-0", 0},
        {"+17", 17},
        {"-170671", -170671},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"9223372036854775808", INT64_MAX},
        {"99999999999999999999999999", INT64_MAX},
        {"-99999999999999999999999999", INT64_MIN},
    };
    static const char *const bad[] = {"", "-", "+", "1e3", "0x10", "--1", "1.5", "12a", "a12"};
    int64_t number = 77;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(uci_text_number(uci_text_of(bad[i]), &number));
        assert_int_equal(number, 77);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(uci_text_number(uci_text_of(good[i].text), &number));
        assert_true(number == good[i].number);
    }
}

static void test_copy_is_printable(void **state)
{
    (void)state;
    char to[6];
    uci_text_copy((UciText){.bytes = "a\n\0\xC3z", .length = 5}, to, sizeof to);
    assert_string_equal(to, "a???z");
    uci_text_copy(uci_text_of("abcdefgh"), to, sizeof to);
    assert_string_equal(to, "abcde");
}

static void test_position_is_taken_apart(void **state)
{
    (void)state;
    UciPosition parts = uci_parse_position(uci_text_of(" startpos moves e2e4  e7e5"));
    assert_true(parts.is_valid);
    assert_text(parts.fen, "");
    assert_text(uci_text_trim(parts.moves), "e2e4  e7e5");
    parts = uci_parse_position(uci_text_of("fen 8/8/8/8/8/8/8/8 w - -  moves"));
    assert_true(parts.is_valid);
    assert_text(parts.fen, "8/8/8/8/8/8/8/8 w - -");
    assert_text(parts.moves, "");
    parts = uci_parse_position(uci_text_of("fen k7 w"));
    assert_text(parts.fen, "k7 w");
    assert_text(parts.extra, "");
    parts = uci_parse_position(uci_text_of("startpos e2e4 e7e5"));
    assert_true(parts.is_valid);
    assert_text(parts.extra, "e2e4 e7e5");
    assert_text(parts.moves, "");
    parts = uci_parse_position(uci_text_of("startpos fen 8/8 moves e2e4"));
    assert_text(parts.extra, "fen 8/8");
    assert_text(uci_text_trim(parts.moves), "e2e4");
    assert_false(uci_parse_position(uci_text_of("8/8 w moves e2e4")).is_valid);
    assert_false(uci_parse_position(uci_text_of("")).is_valid);
}

static void test_set_option_is_taken_apart(void **state)
{
    (void)state;
    UciText name;
    UciText value;
    uci_parse_set_option(uci_text_of(" name Debug Log File value /tmp/a b/c d "), &name, &value);
    assert_text(name, "Debug Log File");
    assert_text(value, "/tmp/a b/c d");
    uci_parse_set_option(uci_text_of("name Clear Hash"), &name, &value);
    assert_text(name, "Clear Hash");
    assert_text(value, "");
    uci_parse_set_option(uci_text_of("Hash value"), &name, &value);
    assert_text(name, "Hash");
    assert_text(value, "");
}

static void test_go_is_clamped(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    GoLimits limits;
    UciText unread;
    assert_int_equal(uci_parse_go(uci_text_of("depth 100000 nodes 99999999999999999999 mate 9999 "
                                              "movestogo -3 movetime -1 wtime 9223372036854775807 "
                                              "winc -5"),
                                  &start, &limits, &unread),
                     0);
    assert_text(unread, "");
    assert_int_equal(limits.depth, ROOT_DEPTH_MAX);
    assert_true(limits.nodes == INT64_MAX);
    assert_int_equal(limits.mate_moves, PLY_MAX / 2);
    assert_int_equal(limits.moves_to_go, 0);
    assert_true(limits.has_move_time && limits.move_time.us == 0);
    assert_true(limits.clock[WHITE].us == CODEC_DURATION_US_MAX); /* SEARCH carries no more */
    assert_int_equal(limits.increment[WHITE].us, 0);
    assert_false(limits.has_clock[BLACK]);
}

static void test_go_without_numbers(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    GoLimits limits;
    UciText unread;
    (void)uci_parse_go(uci_text_of("mate depth nodes x movetime infinite"), &start, &limits,
                       &unread);
    assert_int_equal(limits.mate_moves, 0);
    assert_int_equal(limits.depth, 0);
    assert_int_equal(limits.nodes, 0);
    assert_false(limits.has_move_time);
    assert_true(limits.infinite);
    assert_text(unread, "mate");
    (void)uci_parse_go(uci_text_of("depth 0"), &start, &limits, &unread);
    assert_int_equal(limits.depth, 1);
    assert_int_equal(uci_parse_go(uci_text_of("perft 5"), &start, &limits, &unread), 5);
    assert_int_equal(uci_parse_go(uci_text_of("perft"), &start, &limits, &unread),
                     UCI_PERFT_NO_DEPTH);
    assert_int_equal(uci_parse_go(uci_text_of("perft x"), &start, &limits, &unread),
                     UCI_PERFT_NO_DEPTH);
}

/* Whoever named limits has a clock somewhere: no search without an end comes of a slip. */
static void test_go_with_limits_that_say_nothing_ends_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *unread;
        bool is_at_once;
    } cases[] = {
        {"", "", false},
        {"infinite", "", false},
        {"ponder", "", false},
        {"searchmoves e2e4", "", false},
        {"depth", "depth", true},
        {"depth ten", "depth", true},
        {"wtime 1e3 btime 1e3", "wtime", true},
        {"btime x wtime y", "btime", true},
        {"movetime abc", "movetime", true},
        {"movestogo 10", "", true},
        {"winc 100 binc 100", "", true},
        {"mate 0", "", true},
        {"ponder wtime x", "wtime", true},
        {"wtime x infinite", "wtime", false},
        {"wtime x depth 3", "wtime", false},
        {"wtime x btime 1000", "wtime", false},
    };
    const Position start = fen_start_position();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        GoLimits limits;
        UciText unread;
        assert_int_equal(uci_parse_go(uci_text_of(cases[i].text), &start, &limits, &unread), 0);
        assert_text(unread, cases[i].unread);
        if (limits.has_move_time != cases[i].is_at_once || limits.move_time.us != 0) {
            fail_msg("go %s", cases[i].text);
        }
    }
}

/* "time * 1000" of a script. */
static void test_fractions_of_limits_are_cut_off(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    GoLimits limits;
    UciText unread;
    (void)uci_parse_go(uci_text_of("wtime 1500.9 btime -3.5 winc 10.0 movetime 7.25 depth 5.5"),
                       &start, &limits, &unread);
    assert_text(unread, "");
    assert_int_equal(limits.clock[WHITE].us, 1500000);
    assert_true(limits.clock[BLACK].us == -3000);
    assert_int_equal(limits.increment[WHITE].us, 10000);
    assert_int_equal(limits.move_time.us, 7000);
    assert_int_equal(limits.depth, 5);
    (void)uci_parse_go(uci_text_of("depth 5. nodes .5 movetime 1.2.3 mate 3,5"), &start, &limits,
                       &unread);
    assert_text(unread, "depth");
    assert_int_equal(limits.depth, 0);
    assert_int_equal(limits.nodes, 0);
    assert_int_equal(limits.mate_moves, 0);
}

/* Whatever the game, what is sent resolves to the same position and the same repetitions. */
static void test_game_survives_the_message(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 3);
    for (int i = 0; i < RANDOM_GAMES; i++) {
        UciGame game;
        const Position start = fen_start_position();
        uci_game_start(&game, &start);
        for (int ply = 0; ply < RANDOM_PLIES; ply++) {
            MoveList list;
            movegen_all(&game.position, &list);
            if (list.count == 0) {
                break;
            }
            uci_game_play(&game, list.moves[prng_below(&prng, (uint64_t)list.count)]);
            GamePosition sent;
            Position position;
            History history;
            uci_game_write(&game, &sent);
            const Status status = game_position_resolve(&sent, &position, &history);
            assert_true(status_is_ok(&status));
            assert_true(position.key == game.position.key);
            assert_int_equal(position.rule50, game.position.rule50);
            assert_int_equal(history_repetitions(&history, &position),
                             history_repetitions(&game.history, &game.position));
        }
    }
}

static void test_line_of_absurd_length(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    History history;
    history_clear(&history);
    Line line = {.length = -7};
    uci_game_trim_line(&start, &history, &line);
    assert_int_equal(line.length, 0);
    line.length = 1000000;
    uci_game_trim_line(&start, &history, &line);
    assert_int_equal(line.length, 0);
}

static void test_wdl_adds_up(void **state)
{
    (void)state;
    int last_win = 0;
    for (int score = -SCORE_MATE; score <= SCORE_MATE; score++) {
        const Wdl wdl = uci_format_wdl(score);
        assert_int_equal(wdl.win + wdl.draw + wdl.loss, 1000);
        assert_true(wdl.draw >= 0 && wdl.loss >= 0 && wdl.win >= last_win);
        last_win = wdl.win;
    }
    assert_int_equal(uci_format_wdl(SCORE_MATE).win, 1000);
    assert_int_equal(uci_format_wdl(0).win, uci_format_wdl(0).loss);
}

/* The longest line there can be is not cut. */
static void test_longest_info_line(void **state)
{
    (void)state;
    static const char tail[] = " h7h8q";
    const Position start = fen_start_position();
    const Move shuffle[] = {
        notation_parse_uci(&start, "g1f3", 4),
        move_make(square_make(6, 7), square_make(5, 5)),
        move_make(square_make(5, 2), square_make(6, 0)),
        move_make(square_make(5, 5), square_make(6, 7)),
    };
    MessageInfo info = {
        .multi_pv_index = 255,
        .nodes = UINT64_MAX,
        .elapsed = {.us = INT64_MAX},
        .hash_permille = 1000,
        .line = {.score = -SCORE_MATE + 100,
                 .bound = BOUND_UPPER,
                 .depth = PLY_MAX,
                 .selective_depth = PLY_MAX,
                 .length = PLY_MAX},
    };
    for (int i = 0; i < PLY_MAX; i++) {
        info.line.moves[i] = shuffle[i % 4];
    }
    char line[UCI_FORMAT_LINE_BYTES_MAX];
    uci_format_info(&start, &info, true, line);
    /* As many bytes would be left if each move were a promotion. */
    assert_true(strlen(line) + PLY_MAX < sizeof line - sizeof tail);
    assert_string_equal(line + strlen(line) - 5, " f6g8");
}

int main(void)
{
    attacks_init(SLIDER_AUTO);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_comparing),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_copy_is_printable),
        cmocka_unit_test(test_position_is_taken_apart),
        cmocka_unit_test(test_set_option_is_taken_apart),
        cmocka_unit_test(test_go_is_clamped),
        cmocka_unit_test(test_go_without_numbers),
        cmocka_unit_test(test_go_with_limits_that_say_nothing_ends_at_once),
        cmocka_unit_test(test_fractions_of_limits_are_cut_off),
        cmocka_unit_test(test_game_survives_the_message),
        cmocka_unit_test(test_line_of_absurd_length),
        cmocka_unit_test(test_wdl_adds_up),
        cmocka_unit_test(test_longest_info_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
