/*
 * The evaluation: symmetric, bounded, the same with and without a cache, fully explained by its
 * trace, and aware of endings that material alone misjudges.
 */
#include "worker/eval/eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "chess/fen.h"
#include "chess/movegen.h"

enum { GAMES = 60, PLIES_MAX = 160 };

static Position parse(const char *fen)
{
    Position position;
    const Status status = fen_parse(fen, (int)strlen(fen), false, &position);
    if (!status_is_ok(&status)) {
        fail_msg("%s: %s", fen, status.message);
    }
    return position;
}

static int white_score(const char *fen)
{
    const Position position = parse(fen);
    const int score = eval_position(&position, NULL);
    return position_side(&position) == WHITE ? score : -score;
}

/* The same position seen from the other side of the board, colours exchanged. */
static Position mirror(const Position *position)
{
    Position mirrored = *position;
    memset(mirrored.by_type, 0, sizeof mirrored.by_type);
    memset(mirrored.by_color, 0, sizeof mirrored.by_color);
    for (unsigned square = 0; square < SQUARE_COUNT; square++) {
        const unsigned opposite = square ^ 56U;
        const Piece piece = position->board[square];
        mirrored.board[opposite] = NO_PIECE;
        if (piece != NO_PIECE) {
            const Color color = color_other(piece_color(piece));
            mirrored.board[opposite] = piece_make(color, piece_type(piece));
            mirrored.by_type[piece_type(piece)] |= bitboard_square((Square)opposite);
            mirrored.by_color[color] |= bitboard_square((Square)opposite);
        }
    }
    mirrored.side = (uint8_t)color_other(position_side(position));
    mirrored.castling = (uint8_t)((position->castling & 3) << 2 | position->castling >> 2);
    for (unsigned right = 0; right < CASTLING_COUNT; right++) {
        const Square rook = position->castling_rook[right ^ 2];
        mirrored.castling_rook[right] = rook == SQUARE_NONE ? rook : (Square)(rook ^ 56);
    }
    if (position->en_passant != SQUARE_NONE) {
        mirrored.en_passant = position->en_passant ^ 56;
    }
    position_refresh(&mirrored);
    return mirrored;
}

/* Calls `visit` for every position of random games, from the start to bare kings. */
static void visit_random_games(void (*visit)(const Position *position, void *context),
                               void *context)
{
    Prng prng;
    prng_init(&prng, 20);
    for (int game = 0; game < GAMES; game++) {
        Position position = fen_start_position();
        for (int ply = 0; ply < PLIES_MAX; ply++) {
            MoveList list;
            movegen_all(&position, &list);
            if (list.count == 0) {
                break;
            }
            Position next;
            position_make(&position, list.moves[prng_below(&prng, (uint64_t)list.count)], &next);
            position = next;
            visit(&position, context);
        }
    }
}

static void expect_symmetry(const Position *position, void *context)
{
    (void)context;
    const Position mirrored = mirror(position);
    assert_int_equal(eval_position(position, NULL), eval_position(&mirrored, NULL));
}

static void mirrored_positions_score_alike(void **state)
{
    (void)state;
    visit_random_games(expect_symmetry, NULL);
}

static void expect_same_with_cache(const Position *position, void *context)
{
    EvalCache *cache = context;
    const int fresh = eval_position(position, NULL);
    assert_int_equal(eval_position(position, cache), fresh);
    assert_int_equal(eval_position(position, cache), fresh);
    assert_in_range(fresh + EVAL_SCORE_MAX, 0, 2 * EVAL_SCORE_MAX);
}

static void the_cache_changes_no_score(void **state)
{
    (void)state;
    EvalCache *cache = eval_cache_new();
    assert_non_null(cache);
    visit_random_games(expect_same_with_cache, cache);
    eval_cache_clear(cache);
    visit_random_games(expect_same_with_cache, cache);
    eval_cache_destroy(&cache);
    assert_null(cache);
    eval_cache_destroy(&cache);
}

/* Kings that move while the pawns stay: the cached shelter must follow them. */
static void the_cached_shelter_follows_the_king(void **state)
{
    (void)state;
    const char *const fens[] = {
        "r4rk1/pppq1ppp/8/8/8/8/PPPQ1PPP/R4RK1 w - - 0 1",
        "2kr3r/pppq1ppp/8/8/8/8/PPPQ1PPP/R4RK1 w - - 0 1",
        "2kr3r/pppq1ppp/8/8/8/8/PPPQ1PPP/2KR3R w - - 0 1",
        "r2k3r/pppq1ppp/8/8/8/8/PPPQ1PPP/2KR3R w - - 0 1",
    };
    EvalCache *cache = eval_cache_new();
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
            const Position position = parse(fens[i]);
            assert_int_equal(eval_position(&position, cache), eval_position(&position, NULL));
        }
    }
    eval_cache_destroy(&cache);
}

static void expect_explained(const Position *position, void *context)
{
    (void)context;
    EvalTerm terms[EVAL_TERMS_MAX];
    assert_int_equal(eval_trace(position, terms, EVAL_TERMS_MAX), EVAL_TERMS_MAX);
    int sum = 0;
    for (int i = 0; i < EVAL_TERMS_MAX; i++) {
        assert_non_null(terms[i].name);
        sum += terms[i].total;
    }
    const int score = eval_position(position, NULL);
    assert_int_equal(sum, position_side(position) == WHITE ? score : -score);
}

static void the_table_adds_up_to_the_score(void **state)
{
    (void)state;
    visit_random_games(expect_explained, NULL);
}

static void a_short_table_is_cut(void **state)
{
    (void)state;
    const Position position = fen_start_position();
    EvalTerm terms[EVAL_TERMS_MAX] = {0};
    assert_int_equal(eval_trace(&position, terms, 3), 3);
    assert_non_null(terms[2].name);
    assert_null(terms[3].name);
    assert_int_equal(eval_trace(&position, terms, 0), 0);
}

/* The sum of the terms' scores must be the total that the score was made from. */
static void expect_terms_complete(const EvalTrace *trace)
{
    Score sum = 0;
    for (int term = 0; term < TERM_COUNT; term++) {
        sum += trace->terms[term][WHITE] - trace->terms[term][BLACK];
    }
    assert_int_equal(sum, trace->total);
}

static Score danger_of(const EvalTrace *trace, Color color)
{
    const size_t first = weights_index(&weights_packed.danger_attacker[0]);
    Score units = 0;
    for (size_t i = first; i < EVAL_WEIGHT_COUNT; i++) {
        units += weights_at(i) * trace->counts[i][color];
    }
    const int mg = score_mg(units) < 0 ? 0 : score_mg(units);
    const int eg = score_eg(units) < 0 ? 0 : score_eg(units);
    const int capped = mg < DANGER_MG_MAX ? mg : DANGER_MG_MAX;
    return score_make(capped * capped / DANGER_MG_DIVISOR, eg / DANGER_EG_DIVISOR);
}

/* What is winnable of an endgame score of `eg`, from the counts. */
static int winnable_of(const EvalTrace *trace, int eg)
{
    const size_t first = weights_index(&weights_packed.winnable_pawn);
    const size_t end = weights_index(&weights_packed.danger_attacker[0]);
    int sum = 0;
    for (size_t i = first; i < end; i++) {
        sum += score_eg(weights_at(i)) * trace->counts[i][WHITE];
    }
    const int gain = sum < -abs(eg) ? -abs(eg) : sum > abs(eg) ? abs(eg) : sum;
    return eg < 0 ? -gain : gain;
}

/* A tuner must be able to compute the total from the counts, as trace.h writes it. */
static void expect_counts_complete(const EvalTrace *trace)
{
    const size_t linear = weights_index(&weights_packed.winnable_pawn);
    Score sum = trace->terms[TERM_MOP_UP][WHITE] - trace->terms[TERM_MOP_UP][BLACK];
    for (size_t i = 0; i < linear; i++) {
        sum += weights_at(i) * (trace->counts[i][WHITE] - trace->counts[i][BLACK]);
    }
    sum -= trace->danger_counts[WHITE] ? danger_of(trace, WHITE) : 0;
    sum += trace->danger_counts[BLACK] ? danger_of(trace, BLACK) : 0;
    const int eg = score_eg(sum);
    sum += score_make(0, winnable_of(trace, eg));
    assert_true((int64_t)score_eg(sum) * eg >= 0);
    assert_int_equal(sum, trace->total);
}

static void expect_traced(const Position *position, void *context)
{
    (void)context;
    EvalTrace trace;
    eval_trace_fill(position, &trace);
    const int score = eval_position(position, NULL);
    assert_int_equal(trace.score, position_side(position) == WHITE ? score : -score);
    expect_terms_complete(&trace);
    expect_counts_complete(&trace);
}

static void the_trace_is_complete(void **state)
{
    (void)state;
    visit_random_games(expect_traced, NULL);
}

static void drawn_endings_score_near_zero(void **state)
{
    (void)state;
    const char *const fens[] = {
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",       /* bare kings */
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",      /* lone knight */
        "8/8/4k3/8/8/3KB3/8/8 b - - 0 1",      /* lone bishop */
        "8/8/4k3/8/8/2NKN3/8/8 w - - 0 1",     /* two knights */
        "8/8/4k3/4n3/8/3KR3/8/8 w - - 0 1",    /* rook against knight */
        "8/8/4k3/4b3/8/3KR3/8/8 w - - 0 1",    /* rook against bishop */
        "8/8/4k3/4n3/8/3KB3/8/8 w - - 0 1",    /* minor against minor */
        "8/8/4k3/4r3/8/3KR3/8/8 w - - 0 1",    /* rook against rook */
        "k7/8/8/P7/8/3KB3/8/8 w - - 0 1",      /* bishop of the wrong colour for the a-file */
        "7k/8/8/7P/7P/3K4/4B3/8 w - - 0 1",    /* on the h-file, two pawns */
        "k7/8/1K6/P7/8/8/8/8 w - - 0 1",       /* rook pawn, king in the corner */
        "8/8/2k5/8/P7/8/8/2B3K1 b - - 0 1",    /* the king comes to the corner in time */
        "8/8/4k3/8/8/2B1K3/8/B7 w - - 0 1",    /* two bishops of one colour */
        "8/8/3bk3/3p4/8/3BK3/3P4/8 w - - 0 1", /* opposite bishops */
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const int score = white_score(fens[i]);
        if (abs(score) > 30) {
            fail_msg("%s scores %d", fens[i], score);
        }
    }
}

static void won_endings_keep_their_score(void **state)
{
    (void)state;
    const char *const fens[] = {
        "8/8/2k5/8/8/3KR3/8/8 w - - 0 1",   /* rook */
        "8/8/2k5/8/8/3KQ3/8/8 b - - 0 1",   /* queen */
        "8/8/k7/8/8/3KBB2/8/8 w - - 0 1",   /* two bishops of different colours */
        "8/8/2k5/8/8/2BKN3/8/8 w - - 0 1",  /* bishop and knight */
        "8/8/2k5/2r5/8/3KQ3/8/8 w - - 0 1", /* queen against rook */
        "7k/8/8/7P/7P/3K4/5B2/8 w - - 0 1", /* bishop of the right colour for the h-file */
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const int score = white_score(fens[i]);
        if (score < 200) {
            fail_msg("%s scores %d", fens[i], score);
        }
    }
}

/* From each to the next the strong side makes progress, so that no step may cost it score. */
static void progress_towards_mate_raises_the_score(void **state)
{
    (void)state;
    const char *const fens[] = {
        "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1",  /* a pawn that is stopped */
        "8/8/1k2K3/4P3/8/8/8/8 b - - 0 1",  /* one that comes through */
        "8/1k3K2/4P3/8/8/8/8/8 w - - 0 1",  /* further on */
        "8/1k3K2/4PP2/8/8/8/8/8 w - - 0 1", /* with a second one */
        "8/1k3K2/4Q3/8/8/8/8/8 b - - 0 1",  /* a queen */
        "1k6/4Q3/1K6/8/8/8/8/8 b - - 0 1",  /* about to mate */
    };
    for (size_t i = 1; i < sizeof fens / sizeof fens[0]; i++) {
        const int before = white_score(fens[i - 1]);
        const int after = white_score(fens[i]);
        if (before >= after) {
            fail_msg("%s scores %d, not above %d", fens[i], after, before);
        }
    }
}

/* A pawn of the weak side spoils the rules of the corner: it can be taken, or must move. */
static void a_wrong_rook_pawn_needs_a_board_without_enemy_pawns(void **state)
{
    (void)state;
    assert_int_equal(white_score("6k1/8/5K1P/8/8/8/8/3B4 w - - 0 1"), 0);
    assert_true(white_score("6k1/6p1/5K1P/8/8/8/8/3B4 w - - 0 1") > 100);
}

static void pawns_far_apart_win_against_an_opposite_bishop(void **state)
{
    (void)state;
    const int together = white_score("8/8/3k1b2/8/2PP4/2KB4/8/8 w - - 0 1");
    const int apart = white_score("8/8/3k1b2/8/2P3P1/2KB4/8/8 w - - 0 1");
    assert_true(together > 0);
    assert_true(apart > 2 * together);
}

static void opposite_bishops_are_more_drawish(void **state)
{
    (void)state;
    const int same = white_score("8/5k2/3b4/p7/3P4/2P1B3/1P3K2/8 w - - 0 1");
    const int opposite = white_score("8/5k2/4b3/p7/3P4/2P1B3/1P3K2/8 w - - 0 1");
    assert_true(same > opposite + 50);
}

static void a_lone_king_is_driven_to_the_right_place(void **state)
{
    (void)state;
    const int centre = white_score("8/8/8/4k3/8/2K5/8/R7 w - - 0 1");
    const int edge = white_score("4k3/8/8/8/4K3/8/8/R7 w - - 0 1");
    assert_true(edge > centre);
    /* The bishop on a dark square mates at h8 and a1, not at a8. */
    const int wrong = white_score("k7/8/1K6/8/8/8/3NB3/8 w - - 0 1");
    const int right = white_score("7k/8/6K1/8/8/8/3NB3/8 w - - 0 1");
    const int wrong_dark = white_score("k7/8/1K6/8/8/8/3BN3/8 w - - 0 1");
    const int right_dark = white_score("7k/8/6K1/8/8/8/3BN3/8 w - - 0 1");
    assert_true(wrong > right);
    assert_true(right_dark > wrong_dark);
}

static void progress_is_asked_for_near_the_fifty_move_rule(void **state)
{
    (void)state;
    const int early = white_score("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 60");
    const int late = white_score("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 90 60");
    assert_true(late > 0);
    assert_true(early > late);
}

/* Pairs whose first position must score more for White, one feature each. */
static void features_count_in_the_right_direction(void **state)
{
    (void)state;
    static const struct {
        const char *better;
        const char *worse;
        const char *feature;
    } pairs[] = {
        {"4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1",
         "a rook beats a knight"},
        {"4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", "4k3/8/8/8/8/P7/P1P5/4K3 w - - 0 1",
         "healthy beats doubled"},
        {"4k3/p6p/8/P7/8/8/7P/4K3 w - - 0 1", "4k3/p6p/8/8/8/P7/7P/4K3 w - - 0 1", "space"},
        {"4k3/7p/P7/8/8/8/7P/4K3 w - - 0 1", "4k3/7p/8/P7/8/8/7P/4K3 w - - 0 1",
         "a passed pawn further on"},
        {"4k3/pp3ppp/8/8/8/8/PP3PPP/3RK3 w - - 0 1", "4k3/pp3ppp/8/8/8/8/PP3PPP/R3K3 w - - 0 1",
         "a rook on the open file"},
        {"r1bq1rk1/5ppp/8/8/8/8/5PPP/R1BQ1RK1 w - - 0 1",
         "r1bq1rk1/5ppp/8/8/8/8/PPP5/R1BQ1RK1 w - - 0 1", "an intact shelter"},
        {"4k3/ppp2ppp/8/3N4/4P3/8/PPP2PPP/4K3 w - - 0 1",
         "4k3/ppp2ppp/8/8/4P3/8/PPP2PPP/N3K3 w - - 0 1", "an active knight"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const int better = white_score(pairs[i].better);
        const int worse = white_score(pairs[i].worse);
        if (better <= worse) {
            fail_msg("%s: %d is not more than %d", pairs[i].feature, better, worse);
        }
    }
}

/* Each of these positions counts one feature so often for a colour. */
static void features_are_counted_where_they_are(void **state)
{
    (void)state;
    const EvalWeights *w = &weights_packed;
    const struct {
        const char *fen;
        const Weight *weight;
        Color color;
        int count;
    } cases[] = {
        {"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", &w->pinned, WHITE, 1},
        {"4r2k/8/4p3/8/8/8/4N3/4K3 w - - 0 1", &w->pinned, WHITE, 0},
        {"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", &w->knight_mobility[0], WHITE, 1},
        {"4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", &w->rook_mobility[6], WHITE, 1},
        {"4r2k/8/8/8/8/8/R3N3/4K3 w - - 0 1", &w->rook_mobility[10], WHITE, 1},
        {"7k/6b1/8/8/3B4/8/8/K7 w - - 0 1", &w->bishop_mobility[5], WHITE, 1},
        {"3r3k/8/8/8/3N4/8/8/K2Q4 w - - 0 1", &w->queen_skewered, WHITE, 1},
        {"3b3k/8/8/8/3N4/8/8/K2Q4 w - - 0 1", &w->queen_skewered, WHITE, 0},
        {"7k/8/8/8/2P5/2N5/8/7K w - - 0 1", &w->outpost_in_reach, WHITE, 1},
        {"7k/4p3/8/8/2P5/3N4/8/7K w - - 0 1", &w->outpost_in_reach, WHITE, 0},
        {"7k/8/8/4p3/4P3/8/8/5B1K w - - 0 1", &w->bishop_blocked_pawn, WHITE, 1},
        {"7k/8/8/8/8/8/PPP5/NN5K w - - 0 1", &w->knight_pawn, WHITE, 6},
        {"7k/8/8/8/8/8/8/1NBQ3K w - - 0 1", &w->queen_minor, WHITE, 2},
        {"7k/8/8/8/p7/8/8/7K w - - 0 1", &w->passed_edge[0], BLACK, 1},
        {"7k/8/8/8/8/8/P7/7K w - - 0 1", &w->king_flank_pawnless, BLACK, 1},
        {"7k/8/8/8/8/8/4P3/7K w - - 0 1", &w->king_flank_pawnless, BLACK, 0},
        {"7k/8/8/3n4/4B3/8/8/3R3K w - - 0 1", &w->threat_twice, WHITE, 1},
        {"3q3k/8/8/8/8/8/8/R3R2K w - - 0 1", &w->threat_slider_to_queen, WHITE, 1},
        {"3q3k/8/8/3n4/8/8/8/3R3K w - - 0 1", &w->threat_queen_guard, WHITE, 1},
        {"7k/8/8/8/8/8/P7/7K w - - 0 1", &w->pawn_push, WHITE, 2},
        {"7k/8/8/8/8/8/8/RRR4K w - - 0 1", &w->space_piece, WHITE, 12},
        {"7k/p7/8/8/8/8/7P/7K w - - 0 1", &w->winnable_flanks, WHITE, 1},
        {"7k/7p/8/8/8/8/7P/7K w - - 0 1", &w->winnable_flanks, WHITE, 0},
        {"7k/p7/8/8/8/8/7P/7K w - - 0 1", &w->winnable_pawn, WHITE, 2},
        {"7k/p7/8/8/8/8/7P/7K w - - 0 1", &w->winnable_pawn_ending, WHITE, 1},
        {"7k/p7/8/8/8/8/7P/R6K w - - 0 1", &w->winnable_pawn_ending, WHITE, 0},
        {"7k/p7/8/8/8/8/7P/7K w - - 0 1", &w->winnable_outflank, WHITE, -7},
        {"7k/8/8/8/5q2/8/8/6K1 w - - 0 1", &w->danger_open_file, WHITE, 3},
        {"7k/8/8/8/5q2/8/6P1/6K1 w - - 0 1", &w->danger_open_file, WHITE, 2},
        {"7k/8/8/8/5q2/8/8/6K1 w - - 0 1", &w->danger_flank, WHITE, 12},
        {"7k/8/8/8/5q2/8/8/6K1 w - - 0 1", &w->danger_flank_guard, WHITE, 5},
        {"7k/8/8/8/5qr1/8/8/5K2 w - - 0 1", &w->danger_flank_twice, WHITE, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position position = parse(cases[i].fen);
        EvalTrace trace;
        eval_trace_fill(&position, &trace);
        const int count = trace.counts[weights_index(cases[i].weight)][cases[i].color];
        if (count != cases[i].count) {
            fail_msg("%s (row %zu): %d, not %d", cases[i].fen, i, count, cases[i].count);
        }
    }
}

static void the_start_is_worth_its_tempo(void **state)
{
    (void)state;
    const Position position = fen_start_position();
    assert_in_range(eval_position(&position, NULL), 1, 60);
}

/* All that eight pawns can become against a bare king: the packed halves must not overflow. */
static void extreme_material_stays_within_bounds(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "QQQQQQQQ/Q7/RR6/BBNN4/8/8/5k2/K7 b - - 0 1",
        "4k3/8/8/BBNN4/RRRRRRRR/RR6/Q7/K7 b - - 0 1",
        "4k3/8/8/QQQQ4/QQQQQ3/8/8/K7 b - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        assert_in_range(white_score(fens[i]), 5000, EVAL_SCORE_MAX);
    }
}

static void packed_scores_keep_both_halves(void **state)
{
    (void)state;
    for (int mg = -3000; mg <= 3000; mg += 37) {
        for (int eg = -3000; eg <= 3000; eg += 41) {
            const Score score = score_make(mg, eg);
            assert_int_equal(score_mg(score), mg);
            assert_int_equal(score_eg(score), eg);
            assert_int_equal(score_mg(score * -3), mg * -3);
            assert_int_equal(score_eg(score * -3), eg * -3);
        }
    }
}

/* A tuner that ran wild or a slip of the pen would show here. */
static void weights_are_sane(void **state)
{
    (void)state;
    const Weight *material = eval_weights.material;
    assert_in_range(material[PAWN].eg, 60, 160);
    for (int type = PAWN; type < QUEEN; type++) {
        assert_true(material[type].mg <= material[type + 1].mg + 30);
        assert_true(material[type].eg <= material[type + 1].eg + 30);
    }
    assert_int_equal(material[KING].mg, 0);
    const Weight *flat = (const Weight *)&eval_weights;
    for (size_t i = 0; i < EVAL_WEIGHT_COUNT; i++) {
        assert_true(abs(flat[i].mg) < 2500 && abs(flat[i].eg) < 2500);
    }
    for (int squares = 1; squares < 28; squares++) {
        assert_true(eval_weights.queen_mobility[squares].eg >=
                    eval_weights.queen_mobility[squares - 1].eg - 10);
    }
}

static void the_identity_is_stable(void **state)
{
    (void)state;
    const uint64_t identity = eval_identity();
    eval_init();
    assert_true(identity != 0);
    assert_true(eval_identity() == identity);
    weights_packed.tempo.mg += 1;
    assert_true(eval_identity() != identity);
    weights_init();
    assert_true(eval_identity() == identity);
}

static int set_up(void **state)
{
    (void)state;
    attacks_init(SLIDER_AUTO);
    eval_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mirrored_positions_score_alike),
        cmocka_unit_test(the_cache_changes_no_score),
        cmocka_unit_test(the_cached_shelter_follows_the_king),
        cmocka_unit_test(the_table_adds_up_to_the_score),
        cmocka_unit_test(a_short_table_is_cut),
        cmocka_unit_test(the_trace_is_complete),
        cmocka_unit_test(drawn_endings_score_near_zero),
        cmocka_unit_test(won_endings_keep_their_score),
        cmocka_unit_test(progress_towards_mate_raises_the_score),
        cmocka_unit_test(a_wrong_rook_pawn_needs_a_board_without_enemy_pawns),
        cmocka_unit_test(pawns_far_apart_win_against_an_opposite_bishop),
        cmocka_unit_test(opposite_bishops_are_more_drawish),
        cmocka_unit_test(a_lone_king_is_driven_to_the_right_place),
        cmocka_unit_test(progress_is_asked_for_near_the_fifty_move_rule),
        cmocka_unit_test(features_count_in_the_right_direction),
        cmocka_unit_test(features_are_counted_where_they_are),
        cmocka_unit_test(the_start_is_worth_its_tempo),
        cmocka_unit_test(extreme_material_stays_within_bounds),
        cmocka_unit_test(packed_scores_keep_both_halves),
        cmocka_unit_test(weights_are_sane),
        cmocka_unit_test(the_identity_is_stable),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
