#include "tools/suite/verdict.h"

#include "chess/movegen.h"

/* Plays at most `plies` moves of the line; false if one of them is not legal. */
static bool play(Position *position, const Line *line, int plies)
{
    for (int i = 0; i < line->length && i < plies; i++) {
        Position after;
        if (!movegen_is_legal(position, line->moves[i])) {
            return false;
        }
        position_make(position, line->moves[i], &after);
        *position = after;
    }
    return true;
}

/* Whether the claim is of a quicker mate than the shortest known, or of one for the other side. */
static bool is_impossible(int known, int claimed)
{
    return (known > 0 && claimed < known) || (known < 0 && claimed > known);
}

static MateVerdict judge_mate(const Epd *epd, const Line *line)
{
    if (!score_is_mate(line->score) || line->bound != BOUND_EXACT) {
        return MATE_NOT_CLAIMED;
    }
    const int moves = score_mate_moves(line->score);
    const int plies = moves > 0 ? 2 * moves - 1 : -2 * moves;
    Position end = epd->position;
    if (is_impossible(epd->mate, moves) || !play(&end, line, plies)) {
        return MATE_FALSE;
    }
    if (line->length < plies) {
        return MATE_PV_SHORT;
    }
    return position_in_check(&end) && !movegen_any(&end) ? MATE_TRUE : MATE_FALSE;
}

Verdict verdict_of(const Epd *epd, const Line *line)
{
    const Move move = line->length > 0 ? line->moves[0] : MOVE_NONE;
    Verdict verdict = {.points = epd_points(epd, move), .mate = judge_mate(epd, line)};
    verdict.solved = epd->mate != 0 ? verdict.mate == MATE_TRUE || verdict.mate == MATE_PV_SHORT
                                    : epd_move_is_right(epd, move);
    return verdict;
}
