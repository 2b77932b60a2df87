/*
 * The weights of the evaluation, in centipawns (attack units for danger_*): {middlegame, endgame}.
 *
 * Set by hand at first, after chessprogramming.org/Evaluation and the pages it links to; then
 * learned by rookery-tuner from 5403 games of the engine against itself (README, "Tuning the
 * evaluation"), which writes the numbers anew and keeps the rest of this file.
 */
#include "worker/eval/weights.h"

// clang-format off
const EvalWeights eval_weights = {
    /* Pawn, knight, bishop, rook, queen, king; mobility and the like come on top. */
    .material = {{79, 117}, {344, 363}, {357, 379}, {469, 613}, {1017, 1139}, {0, 0}},
    /* Tables for each piece; the first row is the eighth rank, the first column the a-file. */
    .piece_square = {
        [PAWN] = {
            {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0},
            {  5,  6}, {  4, 20}, {  5, 17}, {  1,  6}, {  1,  6}, {  5, 17}, {  4, 20}, {  5,  6},
            {  1, 21}, { -6,  5}, {  9,  5}, { 20,  5}, { 20,  5}, {  9,  5}, { -6,  5}, {  1, 21},
            {  4, 14}, {  0,  2}, {  4, -2}, { 18,-14}, { 18,-14}, {  4, -2}, {  0,  2}, {  4, 14},
            { -8,  6}, { -9,  9}, {  6, -9}, { 18, -9}, { 18, -9}, {  6, -9}, { -9,  9}, { -8,  6},
            { -8,  7}, { -5, -4}, {  1, -4}, { 13,  3}, { 13,  3}, {  1, -4}, { -5, -4}, { -8,  7},
            { -8,  6}, {  1, -4}, { -5, 11}, {  6,  4}, {  6,  4}, { -5, 11}, {  1, -4}, { -8,  6},
            {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0},
        },
        [KNIGHT] = {
            {-90,-52}, {-39,-38}, {-25,-24}, {-11, -7}, {-11, -7}, {-25,-24}, {-39,-38}, {-90,-52},
            {-23,-30}, {-12,-19}, {  3,-19}, { 18,  8}, { 18,  8}, {  3,-19}, {-12,-19}, {-23,-30},
            { -9,-22}, { 13,-14}, { 25, -1}, { 31,  8}, { 31,  8}, { 25, -1}, { 13,-14}, { -9,-22},
            { -8,-11}, {  6, -3}, { 19,  5}, { 20,  9}, { 20,  9}, { 19,  5}, {  6, -3}, { -8,-11},
            { -9,-11}, {  4, -4}, { 12,  6}, { 10, 20}, { 10, 20}, { 12,  6}, {  4, -4}, { -9,-11},
            {-32,-12}, {-12, -5}, { -5, -4}, {  6, 12}, {  6, 12}, { -5, -4}, {-12, -5}, {-32,-12},
            {-31,-28}, { -8,-16}, {-15,-12}, {-11, -1}, {-11, -1}, {-15,-12}, { -8,-16}, {-31,-28},
            {-72,-44}, {-25,-28}, {-30,-24}, {-22,-11}, {-22,-11}, {-30,-24}, {-25,-28}, {-72,-44},
        },
        [BISHOP] = {
            {-23,-19}, { -5,-11}, {-10,-11}, {-13, -9}, {-13, -9}, {-10,-11}, { -5,-11}, {-23,-19},
            {-10,-13}, { -6, -7}, {  3, -2}, { -1,  2}, { -1,  2}, {  3, -2}, { -6, -7}, {-10,-13},
            { -5, -4}, {  9, -3}, {  0, -1}, {  7,  7}, {  7,  7}, {  0, -1}, {  9, -3}, { -5, -4},
            { -4,-10}, { 16,  1}, {  7,  1}, { 17,  8}, { 17,  8}, {  7,  1}, { 16,  1}, { -4,-10},
            { -4,-10}, {  2, -6}, {  9,  8}, { 16, 16}, { 16, 16}, {  9,  8}, {  2, -6}, { -4,-10},
            { -1,-12}, { 14, -3}, { -6,  1}, {  3, 10}, {  3, 10}, { -6,  1}, { 14, -3}, { -1,-12},
            {  1,-16}, {  3,-17}, { 12, -2}, {  0, -6}, {  0, -6}, { 12, -2}, {  3,-17}, {  1,-16},
            {-10,-16}, {  2,-14}, {-14, -4}, {-10,  6}, {-10,  6}, {-14, -4}, {  2,-14}, {-10,-16},
        },
        [ROOK] = {
            { -1, 11}, { -1,  9}, {  2,  6}, {  2,  7}, {  2,  7}, {  2,  6}, { -1,  9}, { -1, 11},
            {  2,  4}, {  1,  4}, { 10,  7}, {  9,  3}, {  9,  3}, { 10,  7}, {  1,  4}, {  2,  4},
            { -1,  7}, {  2,  3}, {  2,  3}, {  9,  2}, {  9,  2}, {  2,  3}, {  2,  3}, { -1,  7},
            {-10,  5}, {  1,  7}, {  2,  4}, {  7,  3}, {  7,  3}, {  2,  4}, {  1,  7}, {-10,  5},
            { -8, -2}, { -3,  5}, { -5,  4}, { -3, -3}, { -3, -3}, { -5,  4}, { -3,  5}, { -8, -2},
            {-17,  2}, { -8, -1}, { -6, -1}, { -8, -4}, { -8, -4}, { -6, -1}, { -8, -1}, {-17,  2},
            {-14, -6}, {-12,  2}, {  1, -1}, { -5, -2}, { -5, -2}, {  1, -1}, {-12,  2}, {-14, -6},
            {-11, -3}, {-10, -8}, { -8,  0}, {  2,-12}, {  2,-12}, { -8,  0}, {-10, -8}, {-11, -3},
        },
        [QUEEN] = {
            {  0,-33}, {  2,-20}, {  1,-19}, {  2,-13}, {  2,-13}, {  1,-19}, {  2,-20}, {  0,-33},
            {  0,-22}, {  0,-10}, {  3, -8}, {  3, -3}, {  3, -3}, {  3, -8}, {  0,-10}, {  0,-22},
            {  0,-17}, { 10, -7}, {  1, -5}, {  6,  4}, {  6,  4}, {  1, -5}, { 10, -7}, {  0,-17},
            { 10,-10}, { 11,  1}, {  1,  8}, {  6, 15}, {  6, 15}, {  1,  8}, { 11,  1}, { 10,-10},
            { -2, -6}, { -3,  0}, {  5,  7}, {  5, 13}, {  5, 13}, {  5,  7}, { -3,  0}, { -2, -6},
            { -5,-19}, {  1,-13}, {  3, -3}, { -1, -1}, { -1, -1}, {  3, -3}, {  1,-13}, { -5,-19},
            { -3,-28}, {  4,-13}, { 10,-10}, {  9,-13}, {  9,-13}, { 10,-10}, {  4,-13}, { -3,-28},
            { -1,-32}, {-14,-25}, { -8,-23}, {  1,-26}, {  1,-26}, { -8,-23}, {-14,-25}, { -1,-32},
        },
        [KING] = {
            {-69,-40}, {-60,-20}, {-80, -8}, {-95, -4}, {-95, -4}, {-80, -8}, {-60,-20}, {-69,-40},
            {-59,-10}, {-49, 15}, {-69, 22}, {-79, 22}, {-79, 22}, {-69, 22}, {-49, 15}, {-59,-10},
            {-49,  3}, {-40, 24}, {-65, 29}, {-79, 30}, {-79, 30}, {-65, 29}, {-40, 24}, {-49,  3},
            {-40,  4}, {-31, 22}, {-54, 37}, {-71, 32}, {-71, 32}, {-54, 37}, {-31, 22}, {-40,  4},
            {-32,  2}, {-25, 13}, {-43, 24}, {-62, 27}, {-62, 27}, {-43, 24}, {-25, 13}, {-32,  2},
            {-10, -2}, {  5, 10}, {-28, 19}, {-47, 21}, {-47, 21}, {-28, 19}, {  5, 10}, {-10, -2},
            { 21,-12}, { 20, -2}, {-10,  8}, {-29,  8}, {-29,  8}, {-10,  8}, { 20, -2}, { 21,-12},
            { 33,-39}, { 38,-20}, { 15, -8}, { -5,-12}, { -5,-12}, { 15, -8}, { 38,-20}, { 33,-39},
        },
    },
    /* The move alone. */
    .tempo = {12, 9},
    /* Mobility curves rise steeply at first: a piece without squares is nearly lost. */
    .knight_mobility = {
        {-23, -40}, {-20, -28}, {-11, -12}, {-3, 3}, {1, 11}, {3, 20}, {9, 12}, {14, 12},
        {17, 8},
    },
    /* Bishops. */
    .bishop_mobility = {
        {-16, -31}, {-7, -13}, {5, -10}, {9, 7}, {14, 17}, {19, 21}, {22, 22}, {25, 28},
        {24, 30}, {22, 32}, {28, 30}, {34, 37}, {38, 37}, {40, 38},
    },
    /* Rooks gain most in the endgame. */
    .rook_mobility = {
        {-33, -42}, {-15, -15}, {-2, 5}, {0, 15}, {0, 24}, {0, 27}, {1, 36}, {6, 39},
        {7, 43}, {5, 51}, {11, 52}, {18, 49}, {17, 56}, {18, 63}, {22, 57},
    },
    /* Queens. */
    .queen_mobility = {
        {-18, -30}, {-9, -20}, {2, -10}, {1, -5}, {6, -2}, {6, 7}, {9, 9}, {5, 10},
        {6, 18}, {9, 24}, {13, 27}, {16, 32}, {9, 41}, {16, 41}, {15, 43}, {20, 44},
        {19, 42}, {23, 47}, {21, 47}, {21, 48}, {22, 46}, {23, 47}, {22, 47}, {22, 48},
        {25, 50}, {25, 50}, {26, 51}, {26, 51},
    },
    /* Two bishops cover both colours; the open board of the endgame favours them. */
    .bishop_pair = {24, 57},
    /* Own pawns on its colour make a bad bishop. */
    .bishop_pawn = {-4, -5},
    /* A fianchetto that looks through the centre. */
    .bishop_long_diagonal = {13, 3},
    /* No enemy pawn drives it away. */
    .knight_outpost = {{17, 2}, {19, 9}},
    /* The same for bishops. */
    .bishop_outpost = {{7, -2}, {20, 4}},
    /* Shielded from the front. */
    .minor_behind_pawn = {3, 10},
    /* Minors defend their king. */
    .minor_king_distance = {-2, 0},
    /* Half-open, open. */
    .rook_file = {{7, 13}, {25, 7}},
    /* Attacks pawns from the side and cuts off the king. */
    .rook_seventh = {1, 8},
    /* Before castling by hand the rook has no way out. */
    .rook_trapped = {-22, -9},
    /* One of them is hard to use. */
    .pawn_doubled = {-5, -23},
    /* No pawn can protect it. */
    .pawn_isolated = {-5, -6},
    /* Cannot advance and cannot be protected by a pawn. */
    .pawn_backward = {-3, -6},
    /* A target for rooks on the half-open file. */
    .pawn_exposed = {-10, -9},
    /* By rank. */
    .pawn_supported = {{0, 0}, {0, 0}, {13, 1}, {10, 4}, {18, 12}, {36, 34}, {57, 53}, {0, 0}},
    /* By rank. */
    .pawn_phalanx = {{0, 0}, {3, 3}, {7, 0}, {8, 8}, {20, 24}, {44, 52}, {60, 81}, {0, 0}},
    /* By rank. */
    .pawn_candidate = {{0, 0}, {-1, 5}, {2, 4}, {5, 14}, {-3, 21}, {25, 47}, {0, 0}, {0, 0}},
    /* By rank; grows as the promotion comes near. */
    .passed_rank = {{0, 0}, {4, 17}, {1, 18}, {2, 24}, {18, 45}, {55, 76}, {111, 133}, {0, 0}},
    /* The own king should be near. */
    .passed_own_king = {{0, 0}, {0, 0}, {4, -3}, {0, -8}, {0, -13}, {-5, -16}, {-7, -20}, {0, 0}},
    /* The enemy king should be far. */
    .passed_enemy_king = {{0, 0}, {0, 0}, {-4, 0}, {0, 12}, {-1, 22}, {3, 34}, {8, 44}, {0, 0}},
    /* A blockade takes most of the bonus away. */
    .passed_blocked = {
        {0, 0}, {0, 0}, {4, 2}, {-9, -4}, {-1, -11}, {-14, -28}, {-29, -50}, {0, 0},
    },
    /* Can step forward at once. */
    .passed_safe_stop = {{0, 0}, {0, 0}, {9, 7}, {5, 7}, {2, 18}, {10, 21}, {9, 31}, {0, 0}},
    /* Nothing can stop it but the king. */
    .passed_free_path = {{0, 0}, {0, 0}, {-1, 1}, {3, 12}, {9, 33}, {26, 67}, {44, 103}, {0, 0}},
    /* Help on its way. */
    .passed_defended = {{0, 0}, {0, 0}, {-1, 8}, {3, 4}, {13, 13}, {9, 20}, {7, 28}, {0, 0}},
    /* a and h, b and g, c and f, d and e; a missing pawn (rank 0) opens a file to the king. */
    .king_shelter = {
        {{-3, 12}, {23, -10}, {21, -7}, {8, 1}, {8, 6}, {2, -3}, {4, 2}, {0, 0}},
        {{-23, 3}, {21, -3}, {16, 1}, {-8, -1}, {-11, 4}, {-4, 0}, {-10, 3}, {0, 0}},
        {{-12, 2}, {32, -7}, {10, 2}, {5, 9}, {-5, -11}, {-2, 1}, {-8, 7}, {0, 0}},
        {{-13, 4}, {2, 1}, {-5, 0}, {-8, -5}, {-1, -4}, {-17, -2}, {-19, 1}, {0, 0}},
    },
    /* A storming pawn is worst two ranks before the king. */
    .king_storm = {
        {{-13, -9}, {-9, 2}, {-41, -4}, {-22, 6}, {-15, 0}, {-8, 2}, {-4, -1}, {0, 0}},
        {{-11, -1}, {-11, -5}, {-41, 3}, {-26, 16}, {-17, 9}, {1, -5}, {-1, -6}, {0, 0}},
        {{-2, 2}, {-8, 1}, {-32, 7}, {-18, -1}, {0, 8}, {1, -2}, {5, 2}, {0, 0}},
        {{-5, -2}, {-8, 2}, {-22, 4}, {-9, -3}, {-9, -9}, {-1, 3}, {-4, 0}, {0, 0}},
    },
    /* A blocked storm opens nothing. */
    .king_storm_blocked = {{0, 0}, {0, 0}, {-17, -16}, {0, -12}, {3, -8}, {6, -4}, {0, -2}, {0, 0}},
    /* In the endgame the king belongs to its pawns. */
    .king_pawn_distance = {-1, -11},
    /* A piece attacked by a pawn must move. */
    .threat_pawn = {51, 40},
    /* The same, a move later. */
    .threat_push = {16, 13},
    /* Weak pawns fall in the endgame. */
    .threat_minor_on_pawn = {0, 23},
    /* Weak: attacked and not firmly protected. */
    .threat_minor_on_minor = {21, 24},
    /* A rook must move whatever protects it. */
    .threat_minor_on_rook = {38, 29},
    /* So must a queen. */
    .threat_minor_on_queen = {27, 39},
    /* Rooks are good at picking up pawns. */
    .threat_rook_on_pawn = {7, 21},
    /* Weak minors only. */
    .threat_rook_on_minor = {18, 20},
    /* The queen must move. */
    .threat_rook_on_queen = {27, 17},
    /* Kings attack in the endgame. */
    .threat_king = {9, 23},
    /* Free to be taken. */
    .threat_hanging = {18, 17},
    /* Contested squares narrow the enemy's choice. */
    .restriction = {3, 1},
    /* Room to regroup. */
    .space = {1, 3},
    /* By PieceType of the attacker. */
    .danger_attacker = {{0, 0}, {38, 25}, {33, 22}, {26, 11}, {18, 10}, {0, 0}},
    /* Each attack beside the king. */
    .danger_attack = {17, 12},
    /* Holes in the ring. */
    .danger_weak = {31, 15},
    /* Knight checks cannot be interposed. */
    .danger_knight_check = {83, 40},
    /* Bishop checks. */
    .danger_bishop_check = {56, 25},
    /* Rook checks. */
    .danger_rook_check = {94, 41},
    /* Queen checks. */
    .danger_queen_check = {79, 39},
    /* Sacrifices become possible. */
    .danger_unsafe_check = {9, 5},
    /* Without the queen an attack rarely mates. */
    .danger_no_queen = {-138, -90},
    /* A knight beside the king is the best guard. */
    .danger_knight_guard = {-21, -7},
    /* A quiet position shows no danger. */
    .danger_base = {-23, -14},
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
