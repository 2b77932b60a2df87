/*
 * Quiescence: captures, promotions and check evasions until nothing hangs.
 * Source: chessprogramming.org/Quiescence_Search.
 */
#include "chess/see.h"
#include "root/techniques.h"
#include "worker/search/state.h"

enum { DELTA_MARGIN = 160 }; /* a capture must come within this of alpha to be tried, cp */

/* What winning the victim for nothing brings at most; no limit for moves that do more than take. */
static int capture_limit(const Position *position, Move move, int base)
{
    if (!USES_QUIESCENCE_DELTA || move_flag(move) != MOVE_NORMAL) {
        return SCORE_INFINITE;
    }
    return base + see_values[position_type_on(position, move_to(move))];
}

/* Whether it goes on where the last exchange was, or gives check: then its victim is not all. */
static bool may_bring_more(Search *search, int ply, Move move)
{
    const Move before = search_frame(search, ply - 1)->move;
    return (before != MOVE_NONE && move_to(move) == move_to(before)) ||
           position_gives_check(&search_frame(search, ply)->position, move);
}

static void store(Search *search, const Frame *frame, int ply, int score, int eval, Bound bound,
                  Move move, bool is_pv)
{
    const TtEntry entry = {
        .move = move,
        .score = (int16_t)tt_score_to_table(score, ply),
        .eval = (int16_t)eval,
        .depth = TT_DEPTH_OFFSET,
        .bound = (uint8_t)bound,
        .is_pv = is_pv,
    };
    tt_store(search->tt, frame->position.key, &entry);
}

int quiescence(Search *search, int ply, int alpha, int beta)
{
    Frame *frame = search_frame(search, ply);
    const Position *position = &frame->position;
    const bool is_pv = beta - alpha > 1;
    const bool in_check = position_in_check(position);
    const int old_alpha = alpha;

    /* 1. Stop, draw, horizon of the stack. */
    frame->line.length = 0;
    if (search_enter_node(search, ply)) {
        return 0;
    }
    if (search_is_draw(search, ply)) {
        return SCORE_DRAW;
    }
    if (ply >= PLY_MAX) {
        return in_check ? SCORE_DRAW : search_evaluate(search, frame);
    }

    /* 2. Table. */
    TtEntry entry = {.move = MOVE_NONE, .score = SCORE_NONE, .eval = SCORE_NONE};
    const bool hit = search_probe(search, position, ply, &entry);
    const int tt_score = entry.score;
    if (USES_TABLE_CUTOFFS && hit && !is_pv && tt_score != SCORE_NONE &&
        (entry.bound & (tt_score >= beta ? BOUND_LOWER : BOUND_UPPER))) {
        return tt_score;
    }

    /* 3. Stand pat: the side to move need not capture. */
    int best = -SCORE_INFINITE;
    int eval = SCORE_NONE;
    if (!in_check) {
        eval = hit && entry.eval != SCORE_NONE ? entry.eval : search_evaluate(search, frame);
        best = search_corrected(search, frame, eval);
        if (tt_score != SCORE_NONE && !score_is_mate(tt_score) &&
            (entry.bound & (tt_score > best ? BOUND_LOWER : BOUND_UPPER))) {
            best = tt_score;
        }
        if (best >= beta) {
            if (!hit || entry.bound == BOUND_NONE) {
                store(search, frame, ply, best, eval, BOUND_LOWER, MOVE_NONE, false);
            }
            return best;
        }
        if (best > alpha) {
            alpha = best;
        }
    }

    /* 4. Moves that change the material balance, or every evasion. */
    const int futility_base = best + DELTA_MARGIN; /* not used in check */
    const Continuation *continuations[PICKER_CONTINUATIONS];
    search_continuations(search, ply, continuations);
    const Move tt_move = hit && movegen_is_legal(position, entry.move) &&
                                 (in_check || move_is_tactical(position, entry.move))
                             ? entry.move
                             : MOVE_NONE;
    Picker picker;
    picker_init_quiescence(&picker, position, &search->learned->ordering, continuations, tt_move);
    picker_prefetch(&picker, search->tt);

    Move best_move = MOVE_NONE;
    int move_count = 0;
    for (Move move = picker_next(&picker); move != MOVE_NONE; move = picker_next(&picker)) {
        move_count++;
        const int limit = in_check ? SCORE_INFINITE : capture_limit(position, move, futility_base);
        if (limit <= alpha && !may_bring_more(search, ply, move)) {
            best = limit > best ? limit : best; /* the bound that the table gets must be true */
            continue;
        }
        /* Once an evasion holds, further quiet ones are not what quiescence is for. */
        if (in_check && !score_is_loss(best) && !move_is_tactical(position, move)) {
            break;
        }
        search_make(search, ply, move);
        const int score = -quiescence(search, ply + 1, -beta, -alpha);
        search_unmake(search);
        if (search->stopped) {
            return 0;
        }
        if (score > best) {
            best = score;
            if (score > alpha) {
                best_move = move;
                if (is_pv) {
                    line_extend(&frame->line, move, &search_frame(search, ply + 1)->line);
                }
                if (score >= beta) {
                    break;
                }
                alpha = score;
            }
        }
    }

    /* 5. Checkmate: all evasions were generated. */
    if (in_check && move_count == 0) {
        return score_mated_in(ply);
    }
    const Bound bound = best >= beta                             ? BOUND_LOWER
                        : is_pv && best > old_alpha && best_move ? BOUND_EXACT
                                                                 : BOUND_UPPER;
    store(search, frame, ply, best, eval, bound, best_move, is_pv);
    return best;
}
