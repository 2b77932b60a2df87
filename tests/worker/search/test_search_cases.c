/*
 * The public collection of positions that broke engines, as far as a search decides them: mates,
 * draws by repetition and by the 50-move rule, and lines that end where the game does.
 *
 * Positions come from cases/uci-cases.tsv; what is expected comes from the table here, by row and
 * position command.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "tests/support/data_file.h"
#include "tests/support/given_search.h"

enum { ROW_BYTES_MAX = 1 << 14, ANY = SCORE_INFINITE };

/* What a search of a row's position must say; zero and NULL say nothing. */
typedef struct {
    const char *id;
    int command; /* which position command of the row, from 0 */
    int depth;   /* of the search */
    uint64_t nodes;
    int lines;        /* MultiPV; 0: one */
    int mate_moves;   /* the score is exactly this mate */
    int score_min;    /* else it lies in this range, unless both are 0 */
    int score_max;    /* likewise */
    const char *best; /* the move to play */
    bool is_draw;     /* the score is exactly that of a draw */
} Expectation;

static const Expectation expectations[] = {
    {.id = "U085", .depth = 4, .mate_moves = 1, .best = "d5e6"},
    {.id = "U086", .depth = 10, .mate_moves = -2, .best = "e4f4"},
    {.id = "U089", .depth = 12, .score_min = -ANY, .score_max = -200},
    {.id = "U091", .nodes = 300000, .lines = 4},
    {.id = "U092", .nodes = 100000},
    {.id = "U094", .depth = 10, .mate_moves = -1, .best = "h7h8"},
    {.id = "U095", .depth = 12, .best = "f7f8", .is_draw = true},
    {.id = "U097", .depth = 12},
    {.id = "U098", .command = 0, .depth = 12},
    {.id = "U098", .command = 1, .depth = 1, .score_min = -2000, .score_max = 2000},
    {.id = "U098", .command = 1, .depth = 10, .best = "g8g7"},
    {.id = "U100", .depth = 5, .mate_moves = 1, .best = "e8h8"},
    {.id = "U101", .nodes = 400000, .score_min = -20000, .score_max = 20000},
};

enum { EXPECTATION_COUNT = sizeof expectations / sizeof expectations[0] };

/* The commands of a row: its fourth column. */
static const char *commands_of(const char *row)
{
    for (int column = 0; column < 3; column++) {
        row = strchr(row, '\t');
        assert_non_null(row);
        row++;
    }
    return row;
}

/* The n-th position command of a row, without that word; NULL if there is none. */
static const char *position_command(const char *row, int n)
{
    static const char word[] = "position ";
    const char *text = strstr(commands_of(row), word);
    while (text != NULL && n-- > 0) {
        text = strstr(text + 1, word);
    }
    return text != NULL ? text + strlen(word) : NULL;
}

/* Plays the UCI moves from `text` to `end`. */
static void play(const char *text, const char *end, Position *position, History *game)
{
    while (text < end) {
        const int length = (int)strcspn(text, " \\");
        const Move move = notation_parse_uci(position, text, length);
        assert_int_not_equal(move, MOVE_NONE);
        Position after;
        position_make(position, move, &after);
        history_push_game(game, position, &after);
        *position = after;
        text += length + 1;
    }
}

/* Sets up what a position command says: "fen F moves ..." or "startpos moves ...". */
static void set_up(const char *command, Position *position, History *game)
{
    static const char separator[] = " moves ";
    const char *end = strstr(command, "\\n");
    const char *moves = strstr(command, separator);
    assert_non_null(end);
    if (moves == NULL || moves > end) {
        moves = end;
    }
    *position = fen_start_position();
    if (strncmp(command, "fen ", 4) == 0) {
        const Status status = fen_parse(command + 4, (int)(moves - command) - 4, false, position);
        assert_true(status_is_ok(&status));
    }
    history_clear(game);
    if (moves < end) {
        play(moves + strlen(separator), end, position, game);
    }
}

/*
 * The line goes nowhere beyond the end of the game, and a mate of its is one in time: no position
 * of it but the last is a draw by repetition or by the 50-move rule.
 */
static void assert_line_ends_with_the_game(const Position *position, const History *game,
                                           const Line *line)
{
    Position now = *position;
    History history = *game;
    for (int i = 0; i < line->length; i++) {
        assert_true(i == 0 || history_repetitions(&history, &now) < 2);
        assert_true(i == 0 || !history_is_fifty_moves(&now));
        Position after;
        position_make(&now, line->moves[i], &after);
        history_push(&history, &now);
        now = after;
    }
}

static void check(GivenSearch *given, const Expectation *expectation, const char *row)
{
    Position position;
    const char *command = position_command(row, expectation->command);
    assert_non_null(command);
    set_up(command, &position, &given->game);
    const RootLimits limits = {
        .depth = expectation->depth, .nodes = expectation->nodes, .multi_pv = expectation->lines};
    const Line *line = given_search_run(given, &position, &limits);
    print_message("%s: score %d, %d plies\n", expectation->id, line->score, line->length);
    for (int i = 0; i == 0 || i < expectation->lines; i++) {
        const Line *one = root_line(&given->root, i);
        assert_non_null(one);
        assert_true(given_search_line_is_sound(&position, one));
        assert_line_ends_with_the_game(&position, &given->game, one);
    }
    if (expectation->mate_moves != 0) {
        assert_true(score_is_mate(line->score));
        assert_int_equal(score_mate_moves(line->score), expectation->mate_moves);
    }
    if (expectation->score_min != 0 || expectation->score_max != 0) {
        assert_true(line->score >= expectation->score_min);
        assert_true(line->score <= expectation->score_max);
    }
    if (expectation->is_draw) {
        assert_int_equal(line->score, SCORE_DRAW);
    }
    if (expectation->best != NULL) {
        assert_int_equal(line->moves[0], given_move(&position, expectation->best));
    }
    tt_age(given->tt);
}

/* Reads the row with this id; false when the file has none. */
static bool find_row(FILE *file, const char *id, char row[ROW_BYTES_MAX])
{
    rewind(file);
    while (fgets(row, ROW_BYTES_MAX, file) != NULL) {
        if (strncmp(row, id, strlen(id)) == 0 && row[strlen(id)] == '\t') {
            return true;
        }
    }
    return false;
}

/* One thread and one table for all, as an engine in use would have. */
static void test_positions_that_broke_engines(void **state)
{
    (void)state;
    FILE *file = data_file_open(ROOKERY_TEST_DATA, "cases/uci-cases.tsv");
    if (file == NULL) {
        skip();
    }
    static char row[ROW_BYTES_MAX];
    GivenSearch given;
    given_search_new(&given, 16);
    for (int i = 0; i < EXPECTATION_COUNT; i++) {
        assert_true(find_row(file, expectations[i].id, row));
        check(&given, &expectations[i], row);
    }
    (void)fclose(file);
    given_search_destroy(&given);
}

/* U098: what the table holds of another position makes no mate of a line that repeats. */
static void test_a_used_table_says_the_same_as_a_fresh_one(void **state)
{
    (void)state;
    FILE *file = data_file_open(ROOKERY_TEST_DATA, "cases/uci-cases.tsv");
    if (file == NULL) {
        skip();
    }
    static char row[ROW_BYTES_MAX];
    assert_true(find_row(file, "U098", row));
    (void)fclose(file);
    GivenSearch used;
    GivenSearch fresh;
    Position first;
    Position second;
    given_search_new(&used, 16);
    given_search_new(&fresh, 16);
    set_up(position_command(row, 0), &first, &used.game);
    (void)given_search_run(&used, &first, &(RootLimits){.depth = 14});
    set_up(position_command(row, 1), &second, &used.game);
    const Line *after_another = given_search_run(&used, &second, &(RootLimits){.depth = 10});
    const Line *alone = given_search_run(&fresh, &second, &(RootLimits){.depth = 10});
    assert_int_equal(after_another->moves[0], alone->moves[0]);
    assert_int_equal(score_is_mate(after_another->score), score_is_mate(alone->score));
    given_search_destroy(&used);
    given_search_destroy(&fresh);
}

/* A mate that the table knows and the 50-move rule bars is not worth more than all pieces. */
static void test_a_barred_mate_is_no_score(void **state)
{
    (void)state;
    static const int counters[] = {99, 98, 97, 96, 80, 50, 0};
    GivenSearch given;
    given_search_new(&given, 16);
    Position position = given_position("8/8/8/3k4/8/8/2Q5/K7 w - - 0 80");
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        (void)given_search_run(&given, &position, &(RootLimits){.nodes = 400000});
        Position late = position;
        late.rule50 = (uint16_t)counters[i];
        for (int depth = 1; depth <= 12; depth++) {
            const Line *line = given_search_run(&given, &late, &(RootLimits){.depth = depth});
            assert_true(given_search_line_is_sound(&late, line));
        }
    }
    given_search_destroy(&given);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_that_broke_engines),
        cmocka_unit_test(test_a_used_table_says_the_same_as_a_fresh_one),
        cmocka_unit_test(test_a_barred_mate_is_no_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
