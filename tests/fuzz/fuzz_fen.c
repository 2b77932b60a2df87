/*
 * Fuzz target: a FEN that is read is a position that can be played, evaluated and searched.
 *
 *   - It is consistent, and its text is read as the same position.
 *   - Every legal move leads to a consistent position, and its SAN and UCI text to that move.
 *   - A search of a few hundred nodes finds one of them.
 *
 *     fuzz_fen -max_total_time=300 -max_len=128
 */
#include <string.h>

#include "base/check.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "tests/fuzz/text.h"
#include "worker/eval/eval.h"
#include "worker/search/serial.h"

static const char *const seeds[] = {
    FEN_START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 99 60",
    "rnbqkbnr/ppp2ppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39",
};

static void check_text(const Position *position, bool chess960)
{
    char text[FEN_BYTES_MAX];
    char again[FEN_BYTES_MAX];
    Position read;
    fen_write(position, text);
    const Status status = fen_parse(text, (int)strlen(text), chess960, &read);
    CHECK(status_is_ok(&status));
    fen_write(&read, again);
    CHECK(strcmp(text, again) == 0 && read.key == position->key);
}

static void check_moves(const Position *position, const MoveList *moves)
{
    for (int i = 0; i < moves->count; i++) {
        const Move move = moves->moves[i];
        char uci[UCI_MOVE_BYTES_MAX];
        char san[SAN_MOVE_BYTES_MAX];
        Position after;
        position_make(position, move, &after);
        CHECK(position_is_consistent(&after));
        CHECK(position_gives_check(position, move) == position_in_check(&after));
        notation_write_uci(position, move, uci);
        CHECK(notation_parse_uci(position, uci, (int)strlen(uci)) == move);
        notation_write_san(position, move, san);
        CHECK(notation_parse_san(position, san, (int)strlen(san)) == move);
    }
}

static void check_search(const Position *position)
{
    static Tt *tt;
    static Search *search;
    static History game;
    static Root root;
    if (tt == NULL) {
        const Status status = tt_new(1, &tt);
        CHECK(status_is_ok(&status));
        search = search_new(tt);
        CHECK(search != NULL);
    }
    SearchControl control;
    search_control_reset(&control);
    history_clear(&game);
    const RootLimits limits = {.depth = 6, .nodes = 500};
    const SerialHost host = {0};
    serial_search(search, position, &game, &limits, &control, &host, &root);
    const Line *line = root_line(&root, 0);
    CHECK(line->length > 0 && movegen_is_legal(position, line->moves[0]));
}

static void check_rules(const char *text, int length, bool chess960)
{
    Position position;
    MoveList moves;
    const Status status = fen_parse(text, length, chess960, &position);
    if (!status_is_ok(&status)) {
        CHECK(status.message[0] != '\0');
        return;
    }
    CHECK(position_is_consistent(&position));
    check_text(&position, chess960);
    movegen_all(&position, &moves);
    check_moves(&position, &moves);
    if (moves.count > 0) {
        check_search(&position);
    }
}

static void check(const char *text, int length)
{
    check_rules(text, length, false);
    check_rules(text, length, true);
}

const FuzzText fuzz_text = {
    .seeds = seeds,
    .seed_count = sizeof seeds / sizeof seeds[0],
    .check = check,
};
