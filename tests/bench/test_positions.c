/*
 * The positions of the speed-up figures: 24 different ones, sound and undecided, each with a name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "uci_bridge/suite_file.h"

enum { POSITIONS = 24, MOVES_MIN = 5 };

static void check_line(const char *line, int number, Position *position)
{
    const char *operations = strstr(line, " id ");
    char id[80];
    if (operations == NULL || sscanf(operations, " id \"%79[^\"]\";", id) != 1) {
        fail_msg("line %d: expected 'FEN id \"...\";'", number);
        return;
    }
    const Status status = fen_parse(line, (int)(operations - line), false, position);
    assert_string_equal(status.message, "");
    assert_true(movegen_count(position) >= MOVES_MIN);
    assert_false(position_is_insufficient(position));
}

static void test_positions(void **state)
{
    (void)state;
    SuiteFile file;
    Position positions[POSITIONS + 1];
    int count = 0;
    const Status status = suite_file_open(ROOKERY_SOURCE_DIR "/tests/bench/positions.epd", &file);
    assert_string_equal(status.message, "");
    for (const char *line = suite_file_next(&file); line != NULL && count <= POSITIONS;
         line = suite_file_next(&file)) {
        check_line(line, file.line, &positions[count]);
        for (int i = 0; i < count; i++) {
            assert_true(positions[i].key != positions[count].key);
        }
        count++;
    }
    suite_file_close(&file);
    assert_int_equal(count, POSITIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_positions)};
    attacks_init(SLIDER_AUTO);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
