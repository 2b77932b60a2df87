/*
 * Display: scores and variations as text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "uci_bridge/display.h"

typedef struct {
    int score;
    Bound bound;
    const char *text;
} Case;

static void test_scores(void **state)
{
    (void)state;
    static const Case cases[] = {
        {35, BOUND_EXACT, "+0.35"},          {-5, BOUND_EXACT, "-0.05"},
        {0, BOUND_EXACT, "+0.00"},           {1234, BOUND_LOWER, ">+12.34"},
        {-100, BOUND_UPPER, "<-1.00"},       {SCORE_MATE - 1, BOUND_EXACT, "#1"},
        {SCORE_MATE - 9, BOUND_EXACT, "#5"}, {10 - SCORE_MATE, BOUND_EXACT, "#-5"},
        {SCORE_NONE, BOUND_NONE, "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[DISPLAY_SCORE_BYTES_MAX];
        display_score(cases[i].score, cases[i].bound, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* The line of UCI moves from the start of the game. */
static Line line_of(const char *const *moves, int count)
{
    Line line = {.length = count};
    Position position = fen_start_position();
    for (int i = 0; i < count; i++) {
        Position after;
        line.moves[i] = notation_parse_uci(&position, moves[i], (int)strlen(moves[i]));
        assert_int_not_equal(line.moves[i], MOVE_NONE);
        position_make(&position, line.moves[i], &after);
        position = after;
    }
    return line;
}

static void expect_line(const Line *line, int width, const char *expected)
{
    char text[200];
    const Position position = fen_start_position();
    memset(text, 'x', sizeof text);
    display_line(&position, line, width, text);
    assert_string_equal(text, expected);
    assert_int_equal(text[width + 1], 'x');
}

static void test_lines_end_where_the_room_ends(void **state)
{
    (void)state;
    static const char *const moves[] = {"e2e4", "e7e5", "g1f3", "b8c6"};
    const Line line = line_of(moves, 4);
    expect_line(&line, 100, "e4 e5 Nf3 Nc6");
    expect_line(&line, 13, "e4 e5 Nf3 Nc6");
    expect_line(&line, 12, "e4 e5 Nf3");
    expect_line(&line, 2, "e4");
    expect_line(&line, 1, "");
    expect_line(&line, 0, "");
}

static void test_lines_end_at_an_illegal_move(void **state)
{
    (void)state;
    static const char *const moves[] = {"e2e4", "e7e5"};
    Line line = line_of(moves, 2);
    line.moves[line.length++] = move_make(SQUARE_E1, SQUARE_E8);
    expect_line(&line, 100, "e4 e5");
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
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_lines_end_where_the_room_ends),
        cmocka_unit_test(test_lines_end_at_an_illegal_move),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
