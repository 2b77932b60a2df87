/*
 * The weights of the evaluation, in centipawns (attack units for danger_*): {middlegame, endgame}.
 *
 * Set by hand on the scale where a pawn of the endgame is about 100; a tuner may write this file
 * anew. The shapes follow chessprogramming.org/Evaluation and the pages it links to.
 */
#include "worker/eval/weights.h"

// clang-format off
const EvalWeights eval_weights = {
    /* Pawn, knight, bishop, rook, queen, king; mobility and the like come on top. */
    .material = {{82, 105}, {345, 345}, {360, 365}, {490, 590}, {1010, 1130}, {0, 0}},
    /* Tables for each piece; the first row is the eighth rank, the first column the a-file. */
    .piece_square = {
        [PAWN] = {
            {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0},
            {  6, 16}, {  4, 12}, {  4,  8}, {  0,  4}, {  0,  4}, {  4,  8}, {  4, 12}, {  6, 16},
            {  4, 14}, {  6, 12}, { 10,  8}, { 10,  6}, { 10,  6}, { 10,  8}, {  6, 12}, {  4, 14},
            { -2,  8}, {  4,  4}, {  8,  0}, { 18, -4}, { 18, -4}, {  8,  0}, {  4,  4}, { -2,  8},
            { -8,  4}, { -4,  0}, { 10, -4}, { 20, -6}, { 20, -6}, { 10, -4}, { -4,  0}, { -8,  4},
            {-10,  0}, { -4,  0}, {  4, -2}, {  8, -2}, {  8, -2}, {  4, -2}, { -4,  0}, {-10,  0},
            { -8,  4}, {  0,  2}, { -2,  2}, { -6,  0}, { -6,  0}, { -2,  2}, {  0,  2}, { -8,  4},
            {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0},
        },
        [KNIGHT] = {
            {-85,-48}, {-38,-38}, {-24,-24}, {-12,-10}, {-12,-10}, {-24,-24}, {-38,-38}, {-85,-48},
            {-28,-30}, {-12,-22}, {  4,-18}, { 14,  6}, { 14,  6}, {  4,-18}, {-12,-22}, {-28,-30},
            { -8,-22}, { 10,-16}, { 26, -4}, { 24, 10}, { 24, 10}, { 26, -4}, { 10,-16}, { -8,-22},
            {-12,-14}, {  8, -4}, { 20,  8}, { 25, 16}, { 25, 16}, { 20,  8}, {  8, -4}, {-12,-14},
            {-14,-14}, {  6,  0}, { 16,  8}, { 22, 16}, { 22, 16}, { 16,  8}, {  6,  0}, {-14,-14},
            {-26,-20}, { -6,-12}, {  3, -2}, {  8, 12}, {  8, 12}, {  3, -2}, { -6,-12}, {-26,-20},
            {-34,-30}, {-18,-20}, {-10,-10}, { -5,  4}, { -5,  4}, {-10,-10}, {-18,-20}, {-34,-30},
            {-75,-45}, {-40,-30}, {-30,-22}, {-28,-12}, {-28,-12}, {-30,-22}, {-40,-30}, {-75,-45},
        },
        [BISHOP] = {
            {-20,-20}, { -6,-14}, { -8,-12}, {-12, -8}, {-12, -8}, { -8,-12}, { -6,-14}, {-20,-20},
            {-10,-14}, { -6, -8}, {  4, -4}, {  0,  2}, {  0,  2}, {  4, -4}, { -6, -8}, {-10,-14},
            { -6,-10}, {  4,  0}, {  2,  2}, {  6,  6}, {  6,  6}, {  2,  2}, {  4,  0}, { -6,-10},
            { -4, -8}, {  6,  0}, {  8,  2}, { 14,  8}, { 14,  8}, {  8,  2}, {  6,  0}, { -4, -8},
            { -2, -8}, {  4,  0}, { 10,  2}, { 16,  8}, { 16,  8}, { 10,  2}, {  4,  0}, { -2, -8},
            { -2, -8}, {  8,  0}, {  0,  0}, {  8,  6}, {  8,  6}, {  0,  0}, {  8,  0}, { -2, -8},
            { -6,-14}, {  8, -6}, {  6, -4}, {  2,  2}, {  2,  2}, {  6, -4}, {  8, -6}, { -6,-14},
            {-16,-22}, {  2,-12}, { -2,-14}, { -8, -6}, { -8, -6}, { -2,-14}, {  2,-12}, {-16,-22},
        },
        [ROOK] = {
            { -4,  6}, { -4,  4}, {  0,  6}, {  4,  4}, {  4,  4}, {  0,  6}, { -4,  4}, { -4,  6},
            {  0,  6}, {  6,  6}, {  8,  6}, { 10,  6}, { 10,  6}, {  8,  6}, {  6,  6}, {  0,  6},
            { -6,  4}, {  0,  2}, {  4,  2}, {  6,  2}, {  6,  2}, {  4,  2}, {  0,  2}, { -6,  4},
            { -8,  2}, { -2,  2}, {  0,  2}, {  2,  2}, {  2,  2}, {  0,  2}, { -2,  2}, { -8,  2},
            { -8,  0}, { -4,  0}, { -2,  0}, {  0,  0}, {  0,  0}, { -2,  0}, { -4,  0}, { -8,  0},
            {-12,  0}, { -6, -2}, { -2, -2}, {  2, -2}, {  2, -2}, { -2, -2}, { -6, -2}, {-12,  0},
            {-12, -4}, { -6, -4}, { -4, -2}, {  2, -2}, {  2, -2}, { -4, -2}, { -6, -4}, {-12, -4},
            {-14, -4}, {-10, -4}, { -4, -2}, {  2, -4}, {  2, -4}, { -4, -2}, {-10, -4}, {-14, -4},
        },
        [QUEEN] = {
            { -2,-34}, { -2,-24}, {  0,-20}, {  0,-16}, {  0,-16}, {  0,-20}, { -2,-24}, { -2,-34},
            { -4,-24}, {  0,-12}, {  4,-10}, {  3, -4}, {  3, -4}, {  4,-10}, {  0,-12}, { -4,-24},
            { -2,-18}, {  5, -8}, {  4, -4}, {  3,  2}, {  3,  2}, {  4, -4}, {  5, -8}, { -2,-18},
            {  0,-12}, {  4, -2}, {  5,  6}, {  3, 12}, {  3, 12}, {  5,  6}, {  4, -2}, {  0,-12},
            {  0,-10}, {  3, -2}, {  4,  6}, {  4, 12}, {  4, 12}, {  4,  6}, {  3, -2}, {  0,-10},
            { -2,-18}, {  3, -8}, {  5, -4}, {  4,  2}, {  4,  2}, {  5, -4}, {  3, -8}, { -2,-18},
            { -2,-26}, {  2,-14}, {  4,-10}, {  5, -4}, {  5, -4}, {  4,-10}, {  2,-14}, { -2,-26},
            {  0,-32}, { -2,-26}, { -2,-22}, {  2,-14}, {  2,-14}, { -2,-22}, { -2,-26}, {  0,-32},
        },
        [KING] = {
            {-70,-42}, {-60,-20}, {-80, -8}, {-95, -6}, {-95, -6}, {-80, -8}, {-60,-20}, {-70,-42},
            {-60,-12}, {-50, 12}, {-70, 16}, {-80, 18}, {-80, 18}, {-70, 16}, {-50, 12}, {-60,-12},
            {-50,  0}, {-40, 24}, {-65, 30}, {-80, 30}, {-80, 30}, {-65, 30}, {-40, 24}, {-50,  0},
            {-40,  2}, {-30, 22}, {-55, 30}, {-70, 30}, {-70, 30}, {-55, 30}, {-30, 22}, {-40,  2},
            {-32,  2}, {-24, 20}, {-42, 26}, {-60, 28}, {-60, 28}, {-42, 26}, {-24, 20}, {-32,  2},
            {-12, -4}, {  2, 14}, {-30, 20}, {-48, 22}, {-48, 22}, {-30, 20}, {  2, 14}, {-12, -4},
            { 26,-16}, { 28,  2}, { -4, 10}, {-28, 12}, {-28, 12}, { -4, 10}, { 28,  2}, { 26,-16},
            { 28,-38}, { 44,-18}, { 14, -8}, {-14, -4}, {-14, -4}, { 14, -8}, { 44,-18}, { 28,-38},
        },
    },
    /* The move is worth about a fifth of a pawn. */
    .tempo = {18, 10},
    /* Mobility curves rise steeply at first: a piece without squares is nearly lost. */
    .knight_mobility = {
        {-36, -40}, {-26, -28}, {-8, -14}, {-2, -4}, {3, 4}, {8, 8}, {12, 12}, {16, 14},
        {18, 16},
    },
    /* Bishops. */
    .bishop_mobility = {
        {-28, -34}, {-14, -18}, {4, -4}, {10, 4}, {15, 10}, {20, 18}, {24, 22}, {27, 26},
        {29, 29}, {31, 32}, {33, 33}, {35, 34}, {38, 36}, {40, 38},
    },
    /* Rooks gain most in the endgame. */
    .rook_mobility = {
        {-26, -42}, {-16, -18}, {-8, -2}, {-4, 8}, {-1, 18}, {2, 26}, {5, 32}, {8, 38},
        {11, 44}, {13, 48}, {15, 52}, {17, 55}, {19, 57}, {20, 59}, {21, 60},
    },
    /* Queens. */
    .queen_mobility = {
        {-18, -30}, {-12, -20}, {-6, -10}, {-3, -4}, {0, 2}, {3, 7}, {5, 12}, {7, 16},
        {9, 20}, {11, 24}, {13, 27}, {15, 30}, {16, 33}, {17, 36}, {18, 38}, {19, 40},
        {20, 42}, {21, 44}, {22, 45}, {22, 46}, {23, 47}, {23, 48}, {24, 49}, {24, 50},
        {25, 50}, {25, 51}, {26, 51}, {26, 52},
    },
    /* Two bishops cover both colours; the open board of the endgame favours them. */
    .bishop_pair = {22, 42},
    /* Own pawns on its colour make a bad bishop. */
    .bishop_pawn = {-2, -4},
    /* A fianchetto that looks through the centre. */
    .bishop_long_diagonal = {12, 4},
    /* A knight gains most from an outpost. */
    .knight_outpost = {{10, 4}, {26, 16}},
    /* A bishop less, as it works from afar. */
    .bishop_outpost = {{8, 2}, {18, 8}},
    /* Shielded from the front. */
    .minor_behind_pawn = {7, 3},
    /* Minors defend their king. */
    .minor_king_distance = {-3, -3},
    /* Half-open, open. */
    .rook_file = {{9, 6}, {20, 9}},
    /* Attacks pawns from the side and cuts off the king. */
    .rook_seventh = {6, 18},
    /* Before castling by hand the rook has no way out. */
    .rook_trapped = {-26, -6},
    /* One of them is hard to use. */
    .pawn_doubled = {-5, -20},
    /* No pawn can protect it. */
    .pawn_isolated = {-6, -9},
    /* Cannot advance and cannot be protected by a pawn. */
    .pawn_backward = {-8, -10},
    /* A target for rooks on the half-open file. */
    .pawn_exposed = {-8, -8},
    /* By rank. */
    .pawn_supported = {{0, 0}, {0, 0}, {10, 5}, {8, 6}, {14, 12}, {28, 28}, {55, 50}, {0, 0}},
    /* By rank. */
    .pawn_phalanx = {{0, 0}, {3, 0}, {6, 4}, {10, 8}, {20, 18}, {42, 48}, {60, 80}, {0, 0}},
    /* By rank. */
    .pawn_candidate = {{0, 0}, {0, 0}, {2, 6}, {6, 12}, {14, 26}, {28, 48}, {0, 0}, {0, 0}},
    /* By rank; grows as the promotion comes near. */
    .passed_rank = {{0, 0}, {2, 8}, {2, 12}, {4, 18}, {20, 38}, {56, 80}, {110, 125}, {0, 0}},
    /* The own king should be near. */
    .passed_own_king = {{0, 0}, {0, 0}, {0, 0}, {0, -2}, {0, -6}, {0, -9}, {0, -10}, {0, 0}},
    /* The enemy king should be far. */
    .passed_enemy_king = {{0, 0}, {0, 0}, {0, 0}, {0, 4}, {0, 11}, {0, 18}, {0, 22}, {0, 0}},
    /* A blockade takes most of the bonus away. */
    .passed_blocked = {
        {0, 0}, {0, 0}, {0, -2}, {-3, -8}, {-8, -18}, {-16, -34}, {-28, -55}, {0, 0},
    },
    /* Can step forward at once. */
    .passed_safe_stop = {{0, 0}, {0, 0}, {0, 0}, {2, 4}, {4, 12}, {8, 20}, {10, 28}, {0, 0}},
    /* Nothing can stop it but the king. */
    .passed_free_path = {{0, 0}, {0, 0}, {2, 4}, {6, 12}, {14, 34}, {26, 70}, {45, 100}, {0, 0}},
    /* Help on its way. */
    .passed_defended = {{0, 0}, {0, 0}, {0, 0}, {2, 4}, {4, 10}, {6, 16}, {8, 20}, {0, 0}},
    /* a and h, b and g, c and f, d and e; a missing pawn (rank 0) opens a file to the king. */
    .king_shelter = {
        {{-8, 0}, {28, 0}, {26, 0}, {12, 0}, {6, 0}, {4, 0}, {4, 0}, {0, 0}},
        {{-20, 0}, {30, 0}, {16, 0}, {-10, 0}, {-8, 0}, {-6, 0}, {-10, 0}, {0, 0}},
        {{-10, 0}, {26, 0}, {10, 0}, {0, 0}, {4, 0}, {0, 0}, {-8, 0}, {0, 0}},
        {{-16, 0}, {4, 0}, {-6, 0}, {-14, 0}, {-14, 0}, {-16, 0}, {-20, 0}, {0, 0}},
    },
    /* A storming pawn is worst two ranks before the king. */
    .king_storm = {
        {{0, 0}, {-10, 0}, {-38, 0}, {-26, 0}, {-10, 0}, {-2, 0}, {0, 0}, {0, 0}},
        {{0, 0}, {-10, 0}, {-42, 0}, {-30, 0}, {-14, 0}, {-2, 0}, {0, 0}, {0, 0}},
        {{0, 0}, {-10, 0}, {-36, 0}, {-24, 0}, {-8, 0}, {0, 0}, {0, 0}, {0, 0}},
        {{0, 0}, {-10, 0}, {-28, 0}, {-18, 0}, {-6, 0}, {0, 0}, {0, 0}, {0, 0}},
    },
    /* A blocked storm opens nothing. */
    .king_storm_blocked = {{0, 0}, {0, 0}, {-18, -12}, {-4, -6}, {2, -2}, {2, 0}, {0, 0}, {0, 0}},
    /* In the endgame the king belongs to its pawns. */
    .king_pawn_distance = {0, -7},
    /* A piece attacked by a pawn must move. */
    .threat_pawn = {55, 42},
    /* The same, a move later. */
    .threat_push = {14, 12},
    /* Weak pawns fall in the endgame. */
    .threat_minor_on_pawn = {2, 10},
    /* Weak: attacked and not firmly protected. */
    .threat_minor_on_minor = {18, 20},
    /* A rook must move whatever protects it. */
    .threat_minor_on_rook = {34, 34},
    /* So must a queen. */
    .threat_minor_on_queen = {30, 40},
    /* Rooks are good at picking up pawns. */
    .threat_rook_on_pawn = {2, 14},
    /* Weak minors only. */
    .threat_rook_on_minor = {16, 20},
    /* The queen must move. */
    .threat_rook_on_queen = {28, 20},
    /* Kings attack in the endgame. */
    .threat_king = {8, 30},
    /* Free to be taken. */
    .threat_hanging = {26, 14},
    /* Contested squares narrow the enemy's choice. */
    .restriction = {3, 3},
    /* Room to regroup. */
    .space = {2, 0},
    /* By PieceType of the attacker. */
    .danger_attacker = {{0, 0}, {32, 24}, {22, 20}, {26, 10}, {20, 8}, {0, 0}},
    /* Each attack beside the king. */
    .danger_attack = {20, 12},
    /* Holes in the ring. */
    .danger_weak = {22, 14},
    /* Knight checks cannot be interposed. */
    .danger_knight_check = {78, 40},
    /* Bishop checks. */
    .danger_bishop_check = {56, 24},
    /* Rook checks. */
    .danger_rook_check = {90, 40},
    /* Queen checks. */
    .danger_queen_check = {74, 36},
    /* Sacrifices become possible. */
    .danger_unsafe_check = {10, 4},
    /* Without the queen an attack rarely mates. */
    .danger_no_queen = {-140, -90},
    /* A knight beside the king is the best guard. */
    .danger_knight_guard = {-12, -6},
    /* A quiet position shows no danger. */
    .danger_base = {-30, -16},
};
// clang-format on

EvalWeights weights_packed;
Score weights_placement[PIECE_COUNT][SQUARE_COUNT];

static void build_placement(Color color, PieceType type)
{
    for (unsigned square = 0; square < SQUARE_COUNT; square++) {
        const unsigned diagram = weights_diagram_square(color, (Square)square);
        weights_placement[piece_make(color, type)][square] =
            weights_score(&weights_packed.material[type]) +
            weights_score(&weights_packed.piece_square[type][diagram]);
    }
}

void weights_init(void)
{
    const Weight *plain = (const Weight *)&eval_weights;
    Weight *packed = (Weight *)&weights_packed;
    for (size_t i = 0; i < EVAL_WEIGHT_COUNT; i++) {
        const Score score = score_make(plain[i].mg, plain[i].eg);
        memcpy(&packed[i], &score, sizeof score);
    }
    for (int type = PAWN; type <= KING; type++) {
        build_placement(WHITE, (PieceType)type);
        build_placement(BLACK, (PieceType)type);
    }
}
