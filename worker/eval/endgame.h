/*
 * Endgame: what material alone says about an ending, where terms summed up would be misled.
 *
 * Two kinds of knowledge: how winnable an ending is (a factor on the whole score), and where to
 * drive a lone king (an addition to it).
 * Sources: chessprogramming.org/Draw_Evaluation, /Mop-up_Evaluation, /KBNK_Endgame,
 * /Bishops_of_Opposite_Colors, /Wrong_Color_Bishop, /KPK.
 */
#ifndef ROOKERY_WORKER_EVAL_ENDGAME_H
#define ROOKERY_WORKER_EVAL_ENDGAME_H

#include "chess/position.h"
#include "worker/eval/score.h"

enum { ENDGAME_SCALE_FULL = 64 };

/*
 * How winnable the position is for `strong`, the side that the score favours: 0 (a dead draw) to
 * ENDGAME_SCALE_FULL. `phase` is 24 with all pieces and 0 with none.
 */
int endgame_scale(const Position *position, Color strong, int phase);

/*
 * The bonus of `strong` against a lone king: the nearer the enemy king to the edge (to a corner of
 * the bishop's colour, with bishop and knight) and the own king to it, the more. With a lone pawn,
 * the bonus of an ending known to be won.
 */
Score endgame_mop_up(const Position *position, Color strong);

#endif
