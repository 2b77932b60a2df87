#include "tools/suite/verdict.h"

#include "chess/movegen.h"

static bool is_among(Move move, const Move *moves, int count)
{
    for (int i = 0; i < count; i++) {
        if (moves[i] == move) {
            return true;
        }
    }
    return false;
}

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

static bool is_solved(const Epd *epd, Move move, int points, MateVerdict mate)
{
    if (epd->mate != 0) {
        return mate == MATE_TRUE || mate == MATE_PV_SHORT;
    }
    if (epd->best_count == 0 && epd->avoid_count == 0) {
        return points == epd->points_max;
    }
    return (epd->best_count == 0 || is_among(move, epd->best, epd->best_count)) &&
           !is_among(move, epd->avoid, epd->avoid_count);
}

Verdict verdict_of(const Epd *epd, const Line *line)
{
    const Move move = line->length > 0 ? line->moves[0] : MOVE_NONE;
    Verdict verdict = {.points = epd_points(epd, move), .mate = judge_mate(epd, line)};
    verdict.solved = is_solved(epd, move, verdict.points, verdict.mate);
    return verdict;
}
