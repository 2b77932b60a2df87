/*
 * The public collection of positions that broke engines, as far as the rules decide them: what is
 * refused, how many moves there are, which move is illegal, what ends the game.
 *
 * Positions come from cases/uci-cases.tsv (areas fen, draw, c960 and mate); what is expected of
 * them comes from the table here, by row and position command. A row of these areas without an
 * entry fails the test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/history.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "tests/support/data_file.h"

/* What one position command leads to; a field that is zero says nothing. */
typedef struct {
    const char *id;
    int command;          /* which position command of the row, from 0 */
    bool is_refused;      /* the FEN is; everything below is then without meaning */
    int first_illegal;    /* number of the command's first illegal move, from 1; 0: none is */
    int moves;            /* legal moves after the command's; 0: any number but none */
    uint64_t perft_3;     /* leaves three plies deep */
    const char *castling; /* the FEN field of the rights left then */
    const char *illegal;  /* a UCI move that is not legal then */
    const char *then;     /* UCI moves to go on with, all legal */
    bool is_mate;         /* after them */
    int stood_before;     /* how often the position after them stood on the board before */
} Expectation;

static const Expectation expectations[] = {
    {.id = "U001", .is_refused = true},
    {.id = "U002", .is_refused = true},
    {.id = "U004", .is_refused = true},
    {.id = "U005", .is_refused = true},
    {.id = "U007", .is_refused = true},
    {.id = "U008", .is_refused = true},
    {.id = "U010", .moves = 2, .perft_3 = 1030},
    {.id = "U011", .moves = 2, .illegal = "b4a5"},
    {.id = "U013", .moves = 42, .castling = "KQ"},
    {.id = "U014", .moves = 38, .castling = "KQ"},
    {.id = "U016", .moves = 33, .castling = "Q", .illegal = "d8g8"},
    {.id = "U017", .is_refused = true},
    {.id = "U019", .is_refused = true},
    {.id = "U020", .moves = 218},
    {.id = "U022", .moves = 7, .illegal = "e5d6"},
    {.id = "U025", .command = 0, .moves = 20},
    {.id = "U025", .command = 1, .first_illegal = 1, .moves = 20},
    {.id = "U026", .first_illegal = 3},
    {.id = "U085", .then = "d5e6", .is_mate = true},
    {.id = "U086", .moves = 1, .then = "e4f4"},
    {.id = "U088"},
    {.id = "U089"},
    {.id = "U092"},
    {.id = "U094", .moves = 1, .then = "h7h8", .stood_before = 1},
    {.id = "U094", .then = "h7h8 f6h6", .is_mate = true},
    {.id = "U095", .moves = 1, .then = "f7f8", .stood_before = 2},
    {.id = "U097", .then = "h1h2 f1f2", .stood_before = 2},
    {.id = "U098", .command = 0},
    {.id = "U098", .command = 1, .moves = 1, .then = "g8g7"},
    {.id = "U100", .then = "e8h8", .is_mate = true},
    {.id = "U101"},
    {.id = "U112", .moves = 31, .castling = "HB"},
    {.id = "U113", .moves = 28, .castling = "-", .illegal = "c1c1"},
    {.id = "U115", .moves = 33, .castling = "H"},
    {.id = "U116", .then = "g2g3 a7a6 f1g2 a6a5 g1h1"},
    {.id = "U118", .moves = 35, .castling = "k", .illegal = "e8h8"},
    {.id = "U119", .illegal = "e1g1"},
};

enum { EXPECTATION_COUNT = sizeof expectations / sizeof expectations[0] };

/* The row of en passant squares has a form and a test of its own. */
static const char en_passant_row[] = "U023";

/* One row of the file, cut at its tabs. */
typedef struct {
    const char *id;
    const char *area;
    char *input; /* the commands, separated by a backslash and an n */
} Row;

/* A game as a position command leaves it. */
typedef struct {
    Position position;
    History history;
    int played; /* moves applied */
} Game;

/* Cuts a line of the file; false when it has too few columns. */
static bool cut_row(char *line, Row *row)
{
    char *columns[4];
    for (int i = 0; i < 4; i++) {
        columns[i] = line;
        line = strchr(line, '\t');
        if (line == NULL) {
            return false;
        }
        *line++ = '\0';
    }
    *row = (Row){.id = columns[0], .area = columns[1], .input = columns[3]};
    return true;
}

static bool is_of_the_rules(const Row *row)
{
    static const char *const areas[] = {"fen", "draw", "c960", "mate"};
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        if (strcmp(row->area, areas[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The end of the command that starts at `text`. */
static const char *command_end(const char *text)
{
    const char *const separator = strstr(text, "\\n");
    return separator != NULL ? separator : text + strlen(text);
}

/* The n-th position command of a row without the word "position ", or NULL. */
static const char *position_command(const Row *row, int n)
{
    static const char word[] = "position ";
    for (const char *text = row->input; text != NULL;) {
        if (strncmp(text, word, sizeof word - 1) == 0 && n-- == 0) {
            return text + sizeof word - 1;
        }
        text = strstr(text, "\\n");
        text = text != NULL ? text + 2 : NULL;
    }
    return NULL;
}

/* Plays legal UCI moves until the first that is not; returns whether all were. */
static bool play(Game *game, const char *moves, const char *end)
{
    while (moves < end) {
        const int length = (int)strcspn(moves, " \\");
        const Move move = notation_parse_uci(&game->position, moves, length);
        if (move == MOVE_NONE) {
            return false;
        }
        Position after;
        position_make(&game->position, move, &after);
        history_push_game(&game->history, &game->position, &after);
        game->position = after;
        game->played++;
        moves += length + (moves[length] == ' ' ? 1 : 0);
    }
    return true;
}

/* Sets up the position of a command, without its moves; false when the FEN is refused. */
static bool set_up(Game *game, const char *command, const char *end, bool chess960)
{
    game->played = 0;
    history_clear(&game->history);
    if (strncmp(command, "startpos", strlen("startpos")) == 0) {
        game->position = fen_start_position();
        return true;
    }
    const char *const fen = command + strlen("fen ");
    const char *const moves = strstr(fen, " moves ");
    const char *const fen_end = moves != NULL && moves < end ? moves : end;
    const Status status = fen_parse(fen, (int)(fen_end - fen), chess960, &game->position);
    return status_is_ok(&status);
}

static void require(const Expectation *expected, bool condition, const char *what)
{
    if (!condition) {
        fail_msg("%s, position command %d: %s", expected->id, expected->command, what);
    }
}

/* The third field of the position's FEN. */
static bool has_castling(const Position *position, const char *expected)
{
    char fen[FEN_BYTES_MAX];
    fen_write(position, fen);
    const char *const field = strchr(strchr(fen, ' ') + 1, ' ') + 1;
    return strcspn(field, " ") == strlen(expected) &&
           strncmp(field, expected, strlen(expected)) == 0;
}

static void require_position(const Expectation *expected, const Position *position)
{
    const int count = movegen_count(position);
    require(expected, position_is_consistent(position), "invariants");
    require(expected, expected->moves == 0 ? count > 0 : count == expected->moves, "legal moves");
    require(expected, expected->perft_3 == 0 || perft_count(position, 3) == expected->perft_3,
            "perft 3");
    require(expected, expected->castling == NULL || has_castling(position, expected->castling),
            "castling rights");
    if (expected->illegal != NULL) {
        const int length = (int)strlen(expected->illegal);
        require(expected, notation_parse_uci(position, expected->illegal, length) == MOVE_NONE,
                "an illegal move is taken");
    }
}

static void require_continuation(const Expectation *expected, Game *game)
{
    if (expected->then != NULL) {
        const char *const end = expected->then + strlen(expected->then);
        require(expected, play(game, expected->then, end), "a legal move is refused");
    }
    const Position *position = &game->position;
    const bool is_mate = position_in_check(position) && !movegen_any(position);
    require(expected, is_mate == expected->is_mate, "checkmate");
    require(expected, !history_is_fifty_moves(position), "draw by the 50-move rule");
    require(expected,
            history_repetitions(&game->history, position) == expected->stood_before ||
                expected->stood_before == 0,
            "repetitions");
}

static void check_expectation(const Expectation *expected, const Row *row)
{
    const char *const command = position_command(row, expected->command);
    if (command == NULL) {
        fail_msg("%s has no position command %d", expected->id, expected->command);
        return;
    }
    const char *const end = command_end(command);
    const bool chess960 = strstr(row->input, "UCI_Chess960 value true") != NULL;
    Game game;
    const bool is_accepted = set_up(&game, command, end, chess960);
    require(expected, is_accepted != expected->is_refused, "refusal of the FEN");
    if (!is_accepted) {
        return;
    }
    const char *const moves = strstr(command, " moves ");
    bool all_legal = true;
    if (moves != NULL && moves < end) {
        all_legal = play(&game, moves + strlen(" moves "), end);
    }
    require(expected, all_legal == (expected->first_illegal == 0), "legality of the moves");
    require(expected, all_legal || game.played == expected->first_illegal - 1,
            "number of the first illegal move");
    require_position(expected, &game.position);
    require_continuation(expected, &game);
}

/* Calls `check` for every row of the areas that the rules decide; the number of rows. */
static int for_each_row(void (*check)(const Row *row))
{
    FILE *const file = data_file_open(ROOKERY_TEST_DATA, "cases/uci-cases.tsv");
    if (file == NULL) {
        skip();
    }
    char *line = NULL;
    size_t capacity = 0;
    int rows = 0;
    while (getline(&line, &capacity, file) > 0) {
        Row row;
        if (cut_row(line, &row) && is_of_the_rules(&row)) {
            check(&row);
            rows++;
        }
    }
    free(line);
    (void)fclose(file);
    return rows;
}

static void check_row(const Row *row)
{
    if (strcmp(row->id, en_passant_row) == 0) {
        return;
    }
    int checked = 0;
    for (int i = 0; i < EXPECTATION_COUNT; i++) {
        if (strcmp(expectations[i].id, row->id) == 0) {
            check_expectation(&expectations[i], row);
            checked++;
        }
    }
    if (checked == 0) {
        fail_msg("nothing is expected of row %s", row->id);
    }
}

static void test_rows(void **state)
{
    (void)state;
    assert_true(for_each_row(check_row) > 0);
}

/* Each command of this row ends in " ; " and the square that is left after parsing, or "-". */
static void check_en_passant_row(const Row *row)
{
    if (strcmp(row->id, en_passant_row) != 0) {
        return;
    }
    int n = 0;
    for (const char *command; (command = position_command(row, n)) != NULL; n++) {
        const char *const separator = strstr(command, " ; ");
        assert_true(separator != NULL && separator < command_end(command));
        const char *const square = separator + strlen(" ; ");
        const Square expected =
            *square == '-' ? SQUARE_NONE : square_make(square[0] - 'a', square[1] - '1');
        Game game;
        assert_true(set_up(&game, command, separator, false));
        if (game.position.en_passant != expected) {
            fail_msg("en passant square of %.*s", (int)(separator - command), command);
        }
        assert_true(position_is_consistent(&game.position));
    }
    assert_true(n > 1);
}

static void test_en_passant_squares(void **state)
{
    (void)state;
    (void)for_each_row(check_en_passant_row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_en_passant_squares),
    };
    attacks_init(SLIDER_AUTO);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
