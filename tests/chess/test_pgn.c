/*
 * PGN: games as people and programs write them, errors with their lines, round trips of random
 * games, and random bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/pgn.h"
#include "support/count_text.h"
#include "tests/oracle/oracle_random.h"

enum { RANDOM_GAMES = 200, TEXT_BYTES_MAX = 65536, MUTATIONS = 20000, LINE_COLUMNS_MAX = 79 };

/* Tests run one after another; a game is too large for some stacks. */
typedef struct {
    PgnGame game;
    PgnGame again;
    char text[TEXT_BYTES_MAX];
} Scratch;

static PgnReader reader_of(const char *text)
{
    PgnReader reader;
    pgn_reader_init(&reader, text, (long)strlen(text));
    return reader;
}

static void expect_game(PgnReader *reader, PgnGame *game)
{
    bool found;
    const Status status = pgn_next(reader, game, &found);
    if (!status_is_ok(&status)) {
        fail_msg("%s", status.message);
    }
    assert_true(found);
}

static void expect_error(PgnReader *reader, PgnGame *game, const char *expected)
{
    bool found;
    const Status status = pgn_next(reader, game, &found);
    assert_int_equal(status.code, STATUS_INVALID);
    if (strstr(status.message, expected) == NULL) {
        fail_msg("'%s', expected '%s'", status.message, expected);
    }
}

static void expect_end(PgnReader *reader, PgnGame *game)
{
    bool found;
    const Status status = pgn_next(reader, game, &found);
    assert_true(status_is_ok(&status));
    assert_false(found);
}

/* The game's moves as UCI, one space between two. */
static void expect_moves(const PgnGame *game, const char *expected)
{
    char text[1024] = "";
    Position position = game->start;
    for (int i = 0; i < game->move_count; i++) {
        char uci[UCI_MOVE_BYTES_MAX];
        notation_write_uci(&position, game->moves[i], uci);
        strcat(text, i > 0 ? " " : "");
        strcat(text, uci);
        const Position before = position;
        position_make(&before, game->moves[i], &position);
    }
    assert_string_equal(text, expected);
}

static void test_games_in_a_row(void **state)
{
    PgnGame *const game = &((Scratch *)*state)->game;
    PgnReader reader = reader_of("\xEF\xBB\xBF% a line for programs\n"
                                 "[Event \"A \\\"quoted\\\" \\\\ name\"]\r\n"
                                 "[White \"One\"]\r\n"
                                 "\r\n"
                                 "1. e4 e5 2. Nf3 1-0\r\n"
                                 "\r\n"
                                 "[Event \"Second\"] [Round \"2\"]\n"
                                 "\n"
                                 "1.d4 d5 2.c4*\n"
                                 "e4 c5 1/2-1/2\n"
                                 "0-1 ; a game without moves\n"
                                 "[Event \"No marker\"]\n"
                                 "1. c4\n"
                                 "[Event \"At the end\"]\n");
    expect_game(&reader, game);
    assert_int_equal(game->tag_count, 2);
    assert_string_equal(pgn_tag(game, "Event"), "A \"quoted\" \\ name");
    assert_string_equal(pgn_tag(game, "White"), "One");
    assert_null(pgn_tag(game, "Black"));
    assert_int_equal(game->result, PGN_WHITE_WINS);
    expect_moves(game, "e2e4 e7e5 g1f3");

    expect_game(&reader, game);
    assert_string_equal(pgn_tag(game, "Round"), "2");
    assert_int_equal(game->result, PGN_UNFINISHED);
    expect_moves(game, "d2d4 d7d5 c2c4");

    expect_game(&reader, game);
    assert_int_equal(game->tag_count, 0);
    assert_int_equal(game->result, PGN_DRAW);
    expect_moves(game, "e2e4 c7c5");

    expect_game(&reader, game);
    assert_int_equal(game->result, PGN_BLACK_WINS);
    assert_int_equal(game->move_count, 0);

    expect_game(&reader, game);
    assert_int_equal(game->result, PGN_UNFINISHED);
    expect_moves(game, "c2c4");

    expect_game(&reader, game);
    assert_string_equal(pgn_tag(game, "Event"), "At the end");
    assert_int_equal(game->move_count, 0);
    expect_end(&reader, game);
    expect_end(&reader, game);
}

static void test_annotations_are_skipped(void **state)
{
    PgnGame *const game = &((Scratch *)*state)->game;
    PgnReader reader = reader_of("{ before [ the ( tags }\n"
                                 "[Event \"x\"]\n"
                                 "{ after them } 1. e4! $1 $139 {a ; ) comment\n over lines 1-0}\n"
                                 "(1. d4 d5 (1... Nf6 {nested ) 0-1} 2. c4) 2. -- c4 1-0)\n"
                                 "(1. c4 ; a bracket ) to the end of the line\n"
                                 "% escaped )\n"
                                 " c5 2. Nf3)\n"
                                 "1... e5?! ; to the end of the line 0-1 {\n"
                                 "% d4 d5 escaped\n"
                                 "2.Nf3 +- !? 2... Nc6= 3. Bb5+/- a6 +/= { } () 1/2-1/2");
    expect_game(&reader, game);
    assert_int_equal(game->result, PGN_DRAW);
    expect_moves(game, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    expect_end(&reader, game);

    reader = reader_of(" {only a comment} ; and another\n%\n");
    expect_end(&reader, game);
    reader = reader_of("");
    expect_end(&reader, game);
}

/* Quotes within a value ought to be escaped, and are not by everybody. */
static void test_quotes_within_values(void **state)
{
    PgnGame *const game = &((Scratch *)*state)->game;
    PgnReader reader = reader_of("[Event \"The \"Big\" Open\" ]\n[Site \"\"]\n[White \"a\" ]\n"
                                 "[Black \"b\"][Round \"\\\"1\\\"\"]\n\n1. e4 1/2\n"
                                 "[Event \"next\"]\n\n1. d4 1-0\n");
    expect_game(&reader, game);
    assert_string_equal(pgn_tag(game, "Event"), "The \"Big\" Open");
    assert_string_equal(pgn_tag(game, "Site"), "");
    assert_string_equal(pgn_tag(game, "White"), "a");
    assert_string_equal(pgn_tag(game, "Black"), "b");
    assert_string_equal(pgn_tag(game, "Round"), "\"1\"");
    assert_int_equal(game->result, PGN_DRAW);
    expect_moves(game, "e2e4");
    expect_game(&reader, game);
    assert_string_equal(pgn_tag(game, "Event"), "next");
    expect_end(&reader, game);
}

static void test_old_ways_to_write_moves(void **state)
{
    PgnGame *const game = &((Scratch *)*state)->game;
    PgnReader reader =
        reader_of("1. e4 a6 2. e5 d5 3. exd6 e.p. f5 (3... e6) 4. dxc7 b5 5. cxb8(Q)+ "
                  "b4 6. a4 bxa3e.p.! (6... Bb7) 1-0");
    expect_game(&reader, game);
    expect_moves(game, "e2e4 a7a6 e4e5 d7d5 e5d6 f7f5 d6c7 b7b5 c7b8q b5b4 a2a4 b4a3");
    expect_end(&reader, game);
}

static void test_start_positions(void **state)
{
    PgnGame *const game = &((Scratch *)*state)->game;
    PgnReader reader =
        reader_of("[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/R3K2R b KQ - 3 9\"]\n\n"
                  "9... Kd7 10. O-O-O+ Kc6 11. a8=Q+ *\n"
                  "[Variant \"Fischerandom\"]\n[FEN \"4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1\"]\n\n"
                  "1. O-O-O Kf7 2. Rg2 *\n"
                  "[Variant \"Chess960\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *\n");
    expect_game(&reader, game);
    assert_int_equal(game->start.full_move, 9);
    expect_moves(game, "e8d7 e1c1 d7c6 a7a8q");

    expect_game(&reader, game);
    assert_true(game->start.chess960);
    expect_moves(game, "f1b1 e8f7 g1g2");

    expect_game(&reader, game);
    assert_true(game->start.chess960);
    expect_moves(game, "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1 e8h8");
}

static void test_errors_name_the_line_and_the_next_game_is_read(void **state)
{
    PgnGame *const game = &((Scratch *)*state)->game;
    static const struct {
        const char *text;
        const char *expected;
    } cases[] = {
        {"[Event \"x\"]\n\n1. e4 e5\n2. Ke3 Nf6 {1-0} 3. d4 1-0\n", "PGN line 4: 'Ke3'"},
        {"1. e4 --\n1-0", "PGN line 1: '--'"},
        {"1. e4 e5 2. Nf3\n@ 1-0\n", "PGN line 2: '@'"},
        {"1. e4 \xC3\xA9 *\n", "PGN line 1: '?'"},
        {"1. e4 e5 ) *\n", "PGN line 1: ')'"},
        {"1. e4 {cut off\n", "PGN line 1: '{cut off"},
        {"\n\n1. e4 (1. d4 {\n) } d5 *\n", "PGN line 3: '(1. d4"},
        {"[Event]\n[Site \"x\"]\n\n1. e4 *\n", "PGN line 1: tag Event"},
        {"[Site \"x\"]\n[ \"x\"]\n\n1. e4 *\n", "PGN line 2: expected a tag name"},
        {"[Event \"not closed]\n[Site \"x\"]\n\n1. e4 *\n", "PGN line 1: tag Event"},
        {"[Event \"x\"\n[Site \"x\"]\n\n1. e4 *\n", "expected ']'"},
        {"[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n", "White has 0 kings"},
        {"[FEN \"8/8 w - - 0 1\"]\n*\n", "FEN board"},
        {"[Event \"x\" y]\n\n1. e4 *\n", "expected ']'"},
        {"1. e4 e5 2. Ke3\n", "PGN line 1: 'Ke3'"}, /* the next tag ends it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *const text = ((Scratch *)*state)->text;
        (void)snprintf(text, TEXT_BYTES_MAX, "%s\n[Event \"next\"]\n\n1. d4 1-0\n", cases[i].text);
        PgnReader reader = reader_of(text);
        expect_error(&reader, game, cases[i].expected);
        expect_game(&reader, game);
        assert_string_equal(pgn_tag(game, "Event"), "next");
        expect_moves(game, "d2d4");
        expect_end(&reader, game);
    }
    PgnReader cut = reader_of("1. e4 (1. d4 d5 (1... Nf6");
    expect_error(&cut, game, "PGN line 1: '(1. d4");
    expect_end(&cut, game);
    PgnReader reader = reader_of("1. e4 {never closed\n\n[%clk 0:01]\n[Event x]\n1. e4 *");
    expect_error(&reader, game, "PGN line 1: '{never closed");
    expect_end(&reader, game);
}

static void test_limits(void **state)
{
    Scratch *const scratch = *state;
    PgnGame *const game = &scratch->game;
    int length = 0;
    for (int i = 0; i < PGN_TAGS_MAX + 5; i++) {
        length += snprintf(scratch->text + length, (size_t)(TEXT_BYTES_MAX - length),
                           "[Name%d%060d \"%0300d\"]\n", i, 0, i);
    }
    for (int i = 0; i < PGN_MOVES_MAX / 4; i++) {
        length += snprintf(scratch->text + length, (size_t)(TEXT_BYTES_MAX - length),
                           "Nf3 Nf6 Ng1 Ng8\n");
    }
    (void)snprintf(scratch->text + length, (size_t)(TEXT_BYTES_MAX - length), "1-0\n");
    PgnReader reader = reader_of(scratch->text);
    expect_game(&reader, game);
    assert_int_equal(game->tag_count, PGN_TAGS_MAX);
    assert_int_equal(strlen(game->tags[0].name), PGN_TAG_NAME_BYTES_MAX - 1);
    assert_int_equal(strlen(game->tags[0].value), PGN_TAG_VALUE_BYTES_MAX - 1);
    assert_int_equal(game->move_count, PGN_MOVES_MAX);

    (void)snprintf(scratch->text + length, (size_t)(TEXT_BYTES_MAX - length), "e4 1-0\n*\n");
    reader = reader_of(scratch->text);
    expect_error(&reader, game, "too many moves");
    expect_game(&reader, game);
    expect_end(&reader, game);
}

static void test_export_format(void **state)
{
    Scratch *const scratch = *state;
    PgnReader reader = reader_of("[Black \"B \\\"2\\\"\"]\n[TimeControl \"60+1\"]\n"
                                 "[FEN \"4k3/P7/8/8/8/8/8/R3K2R b KQ - 3 9\"]\n"
                                 "9...Kd7 10.O-O-O Kc6 11.a8Q+ 1-0");
    expect_game(&reader, &scratch->game);
    const char *const comments[] = {NULL, "a } brace", NULL, ""};
    static const char expected[] = "[Event \"?\"]\n"
                                   "[Site \"?\"]\n"
                                   "[Date \"????.??.??\"]\n"
                                   "[Round \"?\"]\n"
                                   "[White \"?\"]\n"
                                   "[Black \"B \\\"2\\\"\"]\n"
                                   "[Result \"1-0\"]\n"
                                   "[SetUp \"1\"]\n"
                                   "[FEN \"4k3/P7/8/8/8/8/8/R3K2R b KQ - 3 9\"]\n"
                                   "[TimeControl \"60+1\"]\n"
                                   "\n"
                                   "9... Kd7 10. O-O-O+ {a ) brace} 10... Kc6 11. a8=Q+ {} 1-0\n"
                                   "\n";
    const int needed = pgn_write(&scratch->game, comments, scratch->text, TEXT_BYTES_MAX);
    assert_string_equal(scratch->text, expected);
    assert_int_equal(needed, strlen(expected));

    /* Cut short, it is still terminated and still says what is needed. */
    for (int capacity = 0; capacity < needed + 2; capacity++) {
        memset(scratch->text, '#', (size_t)needed + 2);
        assert_int_equal(pgn_write(&scratch->game, comments, scratch->text, capacity), needed);
        const int kept = capacity <= needed ? capacity - 1 : needed;
        if (capacity > 0) {
            assert_int_equal(strlen(scratch->text), kept);
            assert_memory_equal(scratch->text, expected, kept);
        }
        assert_int_equal(scratch->text[capacity], '#');
    }
}

static void expect_short_lines(const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        assert_true(length <= LINE_COLUMNS_MAX);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

/* The variant is the position's to tell, and once. */
static void test_the_variant_is_written_once(void **state)
{
    Scratch *const scratch = *state;
    PgnReader reader = reader_of("[Variant \"fischerandom\"]\n\n1. e4 *\n"
                                 "[Variant \"Chess960 no more\"]\n\n1. e4 *\n"
                                 "[Variant \"Standard\"]\n\n1. e4 *\n");
    static const char *const expected[] = {"[Variant \"Chess960\"]\n", "[Variant \"Chess960\"]\n",
                                           "[Variant \"Standard\"]\n"};
    for (int i = 0; i < 3; i++) {
        expect_game(&reader, &scratch->game);
        (void)pgn_write(&scratch->game, NULL, scratch->text, TEXT_BYTES_MAX);
        assert_int_equal(count_text(scratch->text, "[Variant "), 1);
        assert_int_equal(count_text(scratch->text, expected[i]), 1);
        scratch->game.start.chess960 = false;
        (void)pgn_write(&scratch->game, NULL, scratch->text, TEXT_BYTES_MAX);
        assert_int_equal(count_text(scratch->text, "[Variant "), i == 2 ? 1 : 0);
    }
}

/* Words longer than a line are cut, within it. */
static void test_long_words_of_comments_are_cut(void **state)
{
    Scratch *const scratch = *state;
    char word[3 * LINE_COLUMNS_MAX];
    PgnReader reader = reader_of("1. e4 *\n");
    expect_game(&reader, &scratch->game);
    for (int length = LINE_COLUMNS_MAX - 4; length < (int)sizeof word; length++) {
        memset(word, 'x', (size_t)length);
        word[length] = '\0';
        const char *const comments[] = {word};
        (void)pgn_write(&scratch->game, comments, scratch->text, TEXT_BYTES_MAX);
        expect_short_lines(scratch->text);
        assert_int_equal(count_text(strchr(scratch->text, '{'), "x"), length);
        assert_int_equal(count_text(scratch->text, "}"), 1);
    }
}

/* A random game from a random start; standard or Chess960 by turns. */
static void random_game(Prng *prng, int number, PgnGame *game)
{
    OracleBoard board;
    char fen[ORACLE_FEN_BYTES_MAX];
    if (number % 4 == 3) {
        oracle_random_board(prng, ORACLE_DENSE, &board);
    } else {
        oracle_start_960(number % 2 == 0 ? ORACLE_STANDARD_START : (int)prng_below(prng, 960),
                         &board);
    }
    oracle_write(&board, fen);
    memset(game, 0, sizeof *game);
    const Status status = fen_parse(fen, (int)strlen(fen), number % 2 != 0, &game->start);
    assert_true(status_is_ok(&status));

    Position position = game->start;
    const int plies = (int)prng_below(prng, 200);
    while (game->move_count < plies && movegen_any(&position)) {
        MoveList list;
        movegen_all(&position, &list);
        const Move move = list.moves[prng_below(prng, (uint64_t)list.count)];
        game->moves[game->move_count++] = move;
        const Position before = position;
        position_make(&before, move, &position);
    }
    game->result = (PgnResult)prng_below(prng, 4);
}

static void test_random_games_come_back(void **state)
{
    Scratch *const scratch = *state;
    const char *comments[PGN_MOVES_MAX];
    Prng prng;
    prng_init(&prng, 6);
    for (int i = 0; i < PGN_MOVES_MAX; i++) {
        comments[i] = i % 3 == 0 ? "eval +0.25/12, time 1.5 s; (e4) {e5} [%clk 0:01]" : NULL;
    }
    for (int i = 0; i < RANDOM_GAMES; i++) {
        random_game(&prng, i, &scratch->game);
        const int bytes =
            pgn_write(&scratch->game, i % 3 == 0 ? comments : NULL, scratch->text, TEXT_BYTES_MAX);
        assert_true(bytes < TEXT_BYTES_MAX);
        expect_short_lines(scratch->text);

        PgnReader reader = reader_of(scratch->text);
        expect_game(&reader, &scratch->again);
        assert_memory_equal(&scratch->again.start, &scratch->game.start, sizeof(Position));
        assert_int_equal(scratch->again.move_count, scratch->game.move_count);
        assert_memory_equal(scratch->again.moves, scratch->game.moves,
                            (size_t)scratch->game.move_count * sizeof(Move));
        assert_int_equal(scratch->again.result, scratch->game.result);
        expect_end(&reader, &scratch->again);
    }
}

/* A PGN with random bytes changed: every call ends, and takes the reader further. */
static void test_mutated_text_does_no_harm(void **state)
{
    Scratch *const scratch = *state;
    static const char bytes[] = "[]{}()\"\\;%$.*-/=+#!? \n\r\tabcdefghNBRQKO0123456789\x80";
    static const char seed[] = "[Event \"x\"]\n[FEN \"4k3/P7/8/8/8/8/8/R3K2R b KQ - 3 9\"]\n\n"
                               "9... Kd7 {c} 10. O-O-O (10. Kf2 (10. O-O)) 10... Kc6 $3 1-0\n\n"
                               "[Variant \"Chess960\"]\n\n1. e4 e5 ; rest\n2. Nf3 1/2-1/2\n";
    Prng prng;
    prng_init(&prng, 7);
    for (int i = 0; i < MUTATIONS; i++) {
        const long length = (long)prng_below(&prng, sizeof seed);
        /* An exact copy on the heap, so that a sanitizer sees a read past the end. */
        char *const text = malloc(length > 0 ? (size_t)length : 1);
        assert_non_null(text);
        memcpy(text, seed, (size_t)length);
        for (uint64_t n = prng_below(&prng, 12); n > 0 && length > 0; n--) {
            text[prng_below(&prng, (uint64_t)length)] = bytes[prng_below(&prng, sizeof bytes)];
        }
        PgnReader reader;
        pgn_reader_init(&reader, text, length);
        bool found = true;
        while (found) {
            const long before = reader.offset;
            const Status status = pgn_next(&reader, &scratch->game, &found);
            found |= !status_is_ok(&status);
            assert_true(reader.offset <= reader.length);
            assert_true(!found || reader.offset > before);
        }
        free(text);
    }
}

static int set_up(void **state)
{
    attacks_init(SLIDER_AUTO);
    *state = malloc(sizeof(Scratch));
    return *state == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_in_a_row),
        cmocka_unit_test(test_annotations_are_skipped),
        cmocka_unit_test(test_quotes_within_values),
        cmocka_unit_test(test_old_ways_to_write_moves),
        cmocka_unit_test(test_start_positions),
        cmocka_unit_test(test_errors_name_the_line_and_the_next_game_is_read),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_export_format),
        cmocka_unit_test(test_the_variant_is_written_once),
        cmocka_unit_test(test_long_words_of_comments_are_cut),
        cmocka_unit_test(test_random_games_come_back),
        cmocka_unit_test(test_mutated_text_does_no_harm),
    };
    return cmocka_run_group_tests_name("chess/pgn", tests, set_up, tear_down);
}
