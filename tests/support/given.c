#include "tests/support/given.h"

#include <string.h>

#include "base/check.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "worker/eval/eval.h"

void given_tables(void)
{
    attacks_init(SLIDER_AUTO);
    eval_init();
}

Position given_position(const char *fen)
{
    Position position;
    const Status status = fen_parse(fen, FEN_BYTES_MAX, false, &position);
    CHECK(status_is_ok(&status));
    return position;
}

Move given_move(const Position *position, const char *uci)
{
    const Move move = notation_parse_uci(position, uci, (int)strlen(uci));
    CHECK(move != MOVE_NONE);
    return move;
}

Position given_random_position(Prng *prng, int plies_max)
{
    Position position = fen_start_position();
    const uint64_t plies = prng_below(prng, (uint64_t)plies_max + 1);
    for (uint64_t i = 0; i < plies; i++) {
        MoveList list;
        movegen_all(&position, &list);
        Position after;
        position_make(&position, list.moves[prng_below(prng, (uint64_t)list.count)], &after);
        if (!movegen_any(&after)) {
            break;
        }
        position = after;
    }
    return position;
}

bool given_line_is_legal(const Position *position, const Line *line, Position *end)
{
    Position now = *position;
    for (int i = 0; i < line->length; i++) {
        if (!movegen_is_legal(&now, line->moves[i])) {
            return false;
        }
        Position after;
        position_make(&now, line->moves[i], &after);
        now = after;
    }
    if (end != NULL) {
        *end = now;
    }
    return true;
}

bool given_is_mate(const Position *position)
{
    return position_in_check(position) && !movegen_any(position);
}
