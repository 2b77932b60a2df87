/*
 * Endings that are won, played out: a search of few nodes a move mates a lone king, which defends
 * itself by the same search, within the 50-move rule.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/history.h"
#include "tests/support/few_pieces.h"
#include "tests/support/given_search.h"

enum { HASH_MB = 4 };

static bool is_over(const GivenSearch *given, const Position *position)
{
    return !movegen_any(position) || history_is_fifty_moves(position) ||
           history_repetitions(&given->game, position) >= 2 || position_is_insufficient(position);
}

/* Both sides search `nodes` a move; whether White mates. */
static bool is_mated(GivenSearch *given, Position position, uint64_t nodes)
{
    const RootLimits limits = {.nodes = nodes, .multi_pv = 1};
    history_clear(&given->game);
    given_search_forget(given);
    while (!is_over(given, &position)) {
        tt_age(given->tt);
        const Line *line = given_search_run(given, &position, &limits);
        Position after;
        position_make(&position, line->moves[0], &after);
        history_push_game(&given->game, &position, &after);
        position = after;
    }
    return given_is_mate(&position) && position_side(&position) == BLACK;
}

/* The lone king cannot take a piece at once and is not stalemated: such an ending is won. */
static Position won_position(const char *ending, Prng *prng)
{
    for (;;) {
        const Position position = few_pieces_random(ending, prng);
        const Bitboard bishops = position.by_type[BISHOP];
        const bool is_of_one_colour =
            bitboard_has_several(bishops) &&
            ((bishops & BITBOARD_DARK) == 0 || (bishops & BITBOARD_LIGHT) == 0);
        MoveList captures = {.count = 0};
        movegen_captures(&position, &captures);
        if (captures.count == 0 && movegen_any(&position) && !is_of_one_colour) {
            return position;
        }
    }
}

static void expect_mates(const char *ending, uint64_t nodes, int games)
{
    GivenSearch given;
    given_search_new(&given, HASH_MB);
    Prng prng;
    prng_init(&prng, 1);
    for (int game = 0; game < games; game++) {
        const Position position = won_position(ending, &prng);
        if (!is_mated(&given, position, nodes)) {
            char fen[FEN_BYTES_MAX];
            fen_write(&position, fen);
            fail_msg("not mated: %s", fen);
        }
    }
    given_search_destroy(&given);
}

static void a_queen_mates(void **state)
{
    (void)state;
    expect_mates("KQvK", 2000, 20);
}

static void a_rook_mates(void **state)
{
    (void)state;
    expect_mates("KRvK", 2000, 20);
}

static void two_bishops_mate(void **state)
{
    (void)state;
    expect_mates("KBBvK", 20000, 4);
}

static void bishop_and_knight_mate(void **state)
{
    (void)state;
    expect_mates("KBNvK", 50000, 2);
}

static int set_up(void **state)
{
    (void)state;
    given_tables();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queen_mates),
        cmocka_unit_test(a_rook_mates),
        cmocka_unit_test(two_bishops_mate),
        cmocka_unit_test(bishop_and_knight_mate),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
