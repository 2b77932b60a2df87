/*
 * Fuzz target: no text harms the reader of games, and what it reads it writes.
 *
 *   - Each call gets further in the text, or says that it is at its end.
 *   - A game that was read has legal moves, and written and read again it is the same game.
 *
 *     fuzz_pgn -max_total_time=300 -max_len=4096
 */
#include <string.h>

#include "base/check.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/pgn.h"
#include "tests/fuzz/text.h"

static const char *const seeds[] = {
    "[Event \"A \\\"quoted\\\" name\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 {a comment} Nc6 "
    "(2... d6 $1) 3. Bb5 a6 4. Bxc6 ; rest\n4... dxc6 5. O-O 1/2-1/2\n\n[White \"B\"]\n\n*\n",
    "[SetUp \"1\"]\n[FEN \"4k3/P7/8/2pP4/8/8/8/R3K2R w KQ c6 0 1\"]\n\n1. dxc6 e.p. Kf7 2. a8=Q "
    "Kg6 3. O-O-O# 1-0\n",
    "[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - "
    "2 9\"]\n\n9. O-O Nd7 10. Nf3 0-1\n",
};

static void check_moves(const PgnGame *game)
{
    Position position = game->start;
    CHECK(position_is_consistent(&position));
    for (int i = 0; i < game->move_count; i++) {
        Position after;
        CHECK(movegen_is_legal(&position, game->moves[i]));
        position_make(&position, game->moves[i], &after);
        position = after;
    }
}

static void check_written(const PgnGame *game)
{
    enum { TEXT_BYTES_MAX = 1 << 17 };
    static char text[TEXT_BYTES_MAX];
    static PgnGame again;
    char start[FEN_BYTES_MAX];
    char start_again[FEN_BYTES_MAX];
    bool found = false;
    const int length = pgn_write(game, NULL, text, sizeof text);
    CHECK(length < TEXT_BYTES_MAX && strlen(text) == (size_t)length);

    PgnReader reader;
    pgn_reader_init(&reader, text, length);
    const Status status = pgn_next(&reader, &again, &found);
    CHECK(status_is_ok(&status) && found);
    CHECK(again.move_count == game->move_count && again.result == game->result);
    for (int i = 0; i < game->move_count; i++) {
        CHECK(again.moves[i] == game->moves[i]);
    }
    fen_write(&game->start, start);
    fen_write(&again.start, start_again);
    CHECK(strcmp(start, start_again) == 0);
}

static void check(const char *text, int length)
{
    static PgnGame game;
    PgnReader reader;
    pgn_reader_init(&reader, text, length);
    bool found = true;
    while (found) {
        const long before = reader.offset;
        const Status status = pgn_next(&reader, &game, &found);
        CHECK(!found || reader.offset > before);
        if (status_is_ok(&status) && found) {
            check_moves(&game);
            check_written(&game);
        }
        found = status_is_ok(&status) ? found : reader.offset > before;
    }
    CHECK(reader.offset <= length);
}

const FuzzText fuzz_text = {
    .seeds = seeds,
    .seed_count = sizeof seeds / sizeof seeds[0],
    .check = check,
};
