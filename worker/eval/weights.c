/*
 * The weights of the evaluation, in centipawns (attack units for danger_*): {middlegame, endgame}.
 *
 * Set by hand at first, after chessprogramming.org/Evaluation and the pages it links to; then
 * learned by rookery-tuner from 40220 games of the engine against itself (README, "Tuning the
 * evaluation"), which writes the numbers anew and keeps the rest of this file.
 */
#include "worker/eval/weights.h"

// clang-format off
const EvalWeights eval_weights = {
    /* Pawn, knight, bishop, rook, queen, king; mobility and the like come on top. */
    .material = {{70, 113}, {346, 374}, {359, 397}, {418, 673}, {1062, 1190}, {0, 0}},
    /* Tables for each piece; the first row is the eighth rank, the first column the a-file. */
    .piece_square = {
        [PAWN] = {
            {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0},
            { -3, -4}, {  4, 17}, { -1, 15}, { 21, 20}, { 21, 20}, { -1, 15}, {  4, 17}, { -3, -4},
            {  1, 23}, {  1,  6}, { -2, 14}, { 17,  6}, { 17,  6}, { -2, 14}, {  1,  6}, {  1, 23},
            {  4, 14}, { -2,  0}, {  0,  1}, { 13,-17}, { 13,-17}, {  0,  1}, { -2,  0}, {  4, 14},
            { -7,  8}, { -9,  0}, {  5, -9}, { 11,-11}, { 11,-11}, {  5, -9}, { -9,  0}, { -7,  8},
            { -4, -1}, {  0, -6}, {  5, -3}, {  6,  3}, {  6,  3}, {  5, -3}, {  0, -6}, { -4, -1},
            { -6,  0}, {  2, -3}, { -4,  7}, { -2, 24}, { -2, 24}, { -4,  7}, {  2, -3}, { -6,  0},
            {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0}, {  0,  0},
        },
        [KNIGHT] = {
            {-106,-62}, {-40,-27}, {-22,-12}, { -9, -1}, { -9, -1}, {-22,-12}, {-40,-27}, {-106,-62},
            {-21,-25}, {-13, -5}, { 16,-14}, { 17,  9}, { 17,  9}, { 16,-14}, {-13, -5}, {-21,-25},
            {-13,-10}, { 10,-14}, { 10,  7}, { 30, -1}, { 30, -1}, { 10,  7}, { 10,-14}, {-13,-10},
            {  3,-11}, {  4, -3}, { 10,  8}, { 10, 10}, { 10, 10}, { 10,  8}, {  4, -3}, {  3,-11},
            { -3, -2}, {  6,  0}, {  8,  0}, {  4, 10}, {  4, 10}, {  8,  0}, {  6,  0}, { -3, -2},
            {-22,-19}, { -9, -9}, { -4, -8}, {  1, -4}, {  1, -4}, { -4, -8}, { -9, -9}, {-22,-19},
            {-18,-17}, { -6,-21}, {-15,-15}, {-15, -9}, {-15, -9}, {-15,-15}, { -6,-21}, {-18,-17},
            {-61,-40}, {-28,-25}, {-26,-22}, {-13,-12}, {-13,-12}, {-26,-22}, {-28,-25}, {-61,-40},
        },
        [BISHOP] = {
            {-27,-10}, { -6,  0}, {-11, -3}, { -8, -4}, { -8, -4}, {-11, -3}, { -6,  0}, {-27,-10},
            { -8, -9}, { -9,  3}, {  0,  2}, { -1,  5}, { -1,  5}, {  0,  2}, { -9,  3}, { -8, -9},
            { -3, -3}, { -2,  4}, { -7, -3}, {  3,  6}, {  3,  6}, { -7, -3}, { -2,  4}, { -3, -3},
            {-10, -7}, { 11,  1}, { 11, 11}, { 20,  8}, { 20,  8}, { 11, 11}, { 11,  1}, {-10, -7},
            { -5, -5}, {  2, -8}, {  8, 12}, { 14, 10}, { 14, 10}, {  8, 12}, {  2, -8}, { -5, -5},
            {  8, -8}, { 12,-10}, {  5, -7}, {  2, 11}, {  2, 11}, {  5, -7}, { 12,-10}, {  8, -8},
            { 14,-34}, { 10,-23}, {  5,  0}, { -3, -1}, { -3, -1}, {  5,  0}, { 10,-23}, { 14,-34},
            {-10,-23}, {  1,-14}, {-13, -5}, {-11,  2}, {-11,  2}, {-13, -5}, {  1,-14}, {-10,-23},
        },
        [ROOK] = {
            {  8, 16}, {  5, 23}, {  4, 15}, {  1, 17}, {  1, 17}, {  4, 15}, {  5, 23}, {  8, 16},
            {  6,  7}, { -3, 10}, { 10,  4}, {  8,  2}, {  8,  2}, { 10,  4}, { -3, 10}, {  6,  7},
            { -8, 13}, {  1,  9}, {  1,  6}, { 16,  3}, { 16,  3}, {  1,  6}, {  1,  9}, { -8, 13},
            {-17, 13}, {  7, 16}, { 12,  8}, { -6,  7}, { -6,  7}, { 12,  8}, {  7, 16}, {-17, 13},
            {-16,  7}, { -2, 12}, {-14,  8}, {-10,  3}, {-10,  3}, {-14,  8}, { -2, 12}, {-16,  7},
            {-18, -3}, {-11,  2}, {-18,  6}, {-13, -3}, {-13, -3}, {-18,  6}, {-11,  2}, {-18, -3},
            {-27, -2}, {-14, -2}, { -3, -4}, {-12, -3}, {-12, -3}, { -3, -4}, {-14, -2}, {-27, -2},
            { -8,-17}, {-13, -9}, { -5,-12}, {  2,-22}, {  2,-22}, { -5,-12}, {-13, -9}, { -8,-17},
        },
        [QUEEN] = {
            { 16,-18}, { 14, -4}, { 10,-14}, { 10,  4}, { 10,  4}, { 10,-14}, { 14, -4}, { 16,-18},
            {  4,-10}, {  2,  3}, { 14,  1}, {  2,  7}, {  2,  7}, { 14,  1}, {  2,  3}, {  4,-10},
            {  6, -3}, { 13, -2}, {  2,  0}, { -2,  9}, { -2,  9}, {  2,  0}, { 13, -2}, {  6, -3},
            {  8,-16}, {  7,  6}, {  4, 10}, {-12, 18}, {-12, 18}, {  4, 10}, {  7,  6}, {  8,-16},
            {  4,-13}, { -2,  4}, { -4, 14}, { -2,  7}, { -2,  7}, { -4, 14}, { -2,  4}, {  4,-13},
            {  2,-18}, {  1, -6}, {  5,  1}, { -2,  7}, { -2,  7}, {  5,  1}, {  1, -6}, {  2,-18},
            {  3,-44}, {  0,-39}, {  8,-31}, {  5,-16}, {  5,-16}, {  8,-31}, {  0,-39}, {  3,-44},
            {  2,-37}, {-12,-28}, { -4,-35}, { -1,-37}, { -1,-37}, { -4,-35}, {-12,-28}, {  2,-37},
        },
        [KING] = {
            {-72,-64}, {-56,-11}, {-73,  8}, {-91, 10}, {-91, 10}, {-73,  8}, {-56,-11}, {-72,-64},
            {-56, -5}, {-42, 34}, {-61, 54}, {-73, 40}, {-73, 40}, {-61, 54}, {-42, 34}, {-56, -5},
            {-47, 14}, {-35, 32}, {-63, 42}, {-79, 33}, {-79, 33}, {-63, 42}, {-35, 32}, {-47, 14},
            {-38,  4}, {-31, 25}, {-56, 35}, {-77, 33}, {-77, 33}, {-56, 35}, {-31, 25}, {-38,  4},
            {-33,  1}, {-25, 15}, {-42, 18}, {-70, 25}, {-70, 25}, {-42, 18}, {-25, 15}, {-33,  1},
            {  1,-12}, { -8,  4}, {-16, 11}, {-48, 13}, {-48, 13}, {-16, 11}, { -8,  4}, {  1,-12},
            { 25,-22}, { 14, -7}, {-11, -4}, {-37,  5}, {-37,  5}, {-11, -4}, { 14, -7}, { 25,-22},
            { 33,-43}, { 36,-27}, {  3,-19}, { -3,-30}, { -3,-30}, {  3,-19}, { 36,-27}, { 33,-43},
        },
    },
    /* The move alone. */
    .tempo = {12, 13},
    /* Mobility curves rise steeply at first: a piece without squares is nearly lost. */
    .knight_mobility = {
        {-37, -49}, {-16, -38}, {-10, -4}, {-1, 3}, {2, 11}, {7, 21}, {10, 22}, {12, 20},
        {12, 13},
    },
    /* Bishops. */
    .bishop_mobility = {
        {-11, -43}, {-5, -13}, {10, 0}, {13, 10}, {19, 22}, {24, 28}, {26, 31}, {25, 34},
        {24, 38}, {31, 34}, {34, 36}, {49, 30}, {49, 34}, {58, 29},
    },
    /* Rooks gain most in the endgame. */
    .rook_mobility = {
        {-46, -43}, {-13, -12}, {0, 7}, {2, 14}, {-4, 28}, {0, 33}, {-1, 42}, {1, 44},
        {4, 50}, {2, 54}, {7, 56}, {10, 59}, {5, 65}, {23, 62}, {23, 63},
    },
    /* Queens. */
    .queen_mobility = {
        {-25, -30}, {10, -21}, {11, -14}, {11, -6}, {11, -1}, {10, 12}, {10, 5}, {12, 15},
        {13, 25}, {16, 32}, {20, 35}, {20, 44}, {22, 44}, {23, 53}, {22, 50}, {24, 51},
        {18, 62}, {25, 57}, {26, 52}, {29, 55}, {23, 45}, {34, 37}, {32, 42}, {25, 33},
        {32, 42}, {30, 37}, {34, 48}, {35, 49},
    },
    /* Two bishops cover both colours; the open board of the endgame favours them. */
    .bishop_pair = {13, 53},
    /* Own pawns on its colour make a bad bishop. */
    .bishop_pawn = {-1, -3},
    /* A fianchetto that looks through the centre. */
    .bishop_long_diagonal = {7, 10},
    /* No enemy pawn drives it away. */
    .knight_outpost = {{9, -1}, {16, 6}},
    /* The same for bishops. */
    .bishop_outpost = {{7, -3}, {17, 3}},
    /* Shielded from the front. */
    .minor_behind_pawn = {2, 9},
    /* Minors defend their king. */
    .minor_king_distance = {-3, -1},
    /* Half-open, open. */
    .rook_file = {{12, 7}, {26, 2}},
    /* Attacks pawns from the side and cuts off the king. */
    .rook_seventh = {3, 5},
    /* Before castling by hand the rook has no way out. */
    .rook_trapped = {-27, -1},
    /* A closed centre makes it worse. */
    .bishop_blocked_pawn = {-1, -1},
    /* A jump away. */
    .outpost_in_reach = {12, 12},
    /* She must move when the piece between does. */
    .queen_skewered = {-15, -1},
    /* The piece between cannot move. */
    .pinned = {-16, 0},
    /* Knights like closed positions. */
    .knight_pawn = {1, 3},
    /* Before the endgame a queen wants no minors of hers on the board. */
    .queen_minor = {-31, 17},
    /* One of them is hard to use. */
    .pawn_doubled = {-5, -14},
    /* No pawn can protect it. */
    .pawn_isolated = {-1, -8},
    /* Cannot advance and cannot be protected by a pawn. */
    .pawn_backward = {2, -5},
    /* A target for rooks on the half-open file. */
    .pawn_exposed = {-9, -8},
    /* By rank. */
    .pawn_supported = {{0, 0}, {0, 0}, {8, 10}, {7, 12}, {15, 16}, {37, 54}, {59, 73}, {0, 0}},
    /* By rank. */
    .pawn_phalanx = {{0, 0}, {3, 2}, {3, 4}, {6, 8}, {14, 25}, {42, 63}, {51, 80}, {0, 0}},
    /* By rank. */
    .pawn_candidate = {{0, 0}, {-3, 4}, {1, 2}, {3, 14}, {1, 13}, {22, 47}, {0, 0}, {0, 0}},
    /* By rank; grows as the promotion comes near. */
    .passed_rank = {{0, 0}, {0, 3}, {7, 27}, {-20, 47}, {20, 64}, {74, 85}, {140, 131}, {0, 0}},
    /* The own king should be near. */
    .passed_own_king = {{0, 0}, {0, 0}, {8, -8}, {6, -13}, {5, -19}, {-8, -26}, {-7, -31}, {0, 0}},
    /* The enemy king should be far. */
    .passed_enemy_king = {{0, 0}, {0, 0}, {-11, 2}, {-5, 12}, {-5, 24}, {1, 42}, {7, 56}, {0, 0}},
    /* A blockade takes most of the bonus away. */
    .passed_blocked = {
        {0, 0}, {0, 0}, {1, -3}, {-1, -4}, {-2, -8}, {-19, -14}, {-52, -42}, {0, 0},
    },
    /* Can step forward at once. */
    .passed_safe_stop = {{0, 0}, {0, 0}, {-4, 4}, {4, 2}, {-7, 13}, {23, 19}, {7, 28}, {0, 0}},
    /* Nothing can stop it but the king. */
    .passed_free_path = {{0, 0}, {0, 0}, {-12, 3}, {-24, 20}, {-1, 30}, {16, 55}, {49, 100}, {0, 0}},
    /* Help on its way. */
    .passed_defended = {{0, 0}, {0, 0}, {7, 4}, {7, 6}, {2, 16}, {16, 32}, {7, 49}, {0, 0}},
    /* By file from the edge. */
    .passed_edge = {{4, 17}, {-7, 25}, {-4, 8}, {-5, -3}},
    /* a and h, b and g, c and f, d and e; a missing pawn (rank 0) opens a file to the king. */
    .king_shelter = {
        {{-1, 9}, {25, -20}, {23, -7}, {13, -6}, {-3, 1}, {-3, 7}, {6, 4}, {0, 0}},
        {{-17, 9}, {23, -7}, {15, -6}, {-7, 0}, {-14, 9}, {-8, -2}, {-3, 5}, {0, 0}},
        {{-7, -2}, {30, -2}, {6, 3}, {3, -1}, {-9, -4}, {8, -7}, {-7, 16}, {0, 0}},
        {{-15, 0}, {-1, -1}, {-2, 0}, {-6, 1}, {-8, 4}, {-29, 4}, {-15, 2}, {0, 0}},
    },
    /* A storming pawn is worst two ranks before the king. */
    .king_storm = {
        {{-18, -9}, {-1, -6}, {-29, 8}, {-30, 14}, {-17, 7}, {-12, -1}, {-15, -2}, {0, 0}},
        {{-12, -2}, {-15, -5}, {-41, 5}, {-25, 16}, {-20, 10}, {-2, -1}, {-8, 1}, {0, 0}},
        {{-3, -3}, {-7, 4}, {-48, 12}, {-13, 8}, {0, 2}, {5, -5}, {6, -6}, {0, 0}},
        {{-5, 7}, {-8, 5}, {-10, 3}, {-5, -8}, {-3, -4}, {4, 1}, {1, 8}, {0, 0}},
    },
    /* A blocked storm opens nothing. */
    .king_storm_blocked = {{0, 0}, {0, 0}, {-19, -29}, {3, -14}, {2, -9}, {9, -10}, {-2, -14}, {0, 0}},
    /* In the endgame the king belongs to its pawns. */
    .king_pawn_distance = {0, -6},
    /* Nobody there to help. */
    .king_flank_pawnless = {-4, -55},
    /* A piece attacked by a pawn must move. */
    .threat_pawn = {49, 29},
    /* The same, a move later. */
    .threat_push = {14, 13},
    /* Weak pawns fall in the endgame. */
    .threat_minor_on_pawn = {0, 18},
    /* Weak: attacked and not firmly protected. */
    .threat_minor_on_minor = {14, 16},
    /* A rook must move whatever protects it. */
    .threat_minor_on_rook = {48, 15},
    /* So must a queen. */
    .threat_minor_on_queen = {34, 34},
    /* Rooks are good at picking up pawns. */
    .threat_rook_on_pawn = {7, 15},
    /* Weak minors only. */
    .threat_rook_on_minor = {13, 25},
    /* The queen must move. */
    .threat_rook_on_queen = {30, 12},
    /* Kings attack in the endgame. */
    .threat_king = {19, 15},
    /* Free to be taken. */
    .threat_hanging = {16, 22},
    /* More than it can bear. */
    .threat_twice = {4, 48},
    /* The queen must move soon. */
    .threat_slider_to_queen = {11, 7},
    /* A poor guard. */
    .threat_queen_guard = {2, 15},
    /* Pawns that can move, gain room. */
    .pawn_push = {1, 5},
    /* Contested squares narrow the enemy's choice. */
    .restriction = {3, 1},
    /* Room to regroup. */
    .space = {-3, -1},
    /* The more pieces, the more room they need. */
    .space_piece = {2, 5},
    /* Pawns win endings. */
    .winnable_pawn = {0, 2},
    /* A king cannot be on both wings. */
    .winnable_flanks = {0, 40},
    /* A way around the other king. */
    .winnable_outflank = {0, 1},
    /* A pawn more wins most pawn endings. */
    .winnable_pawn_ending = {0, 48},
    /* Else most endings are drawn. */
    .winnable_base = {0, -44},
    /* By PieceType of the attacker. */
    .danger_attacker = {{0, 0}, {44, 30}, {28, 25}, {25, 8}, {10, 7}, {0, 0}},
    /* Each attack beside the king. */
    .danger_attack = {11, 3},
    /* Holes in the ring. */
    .danger_weak = {26, -4},
    /* Knight checks cannot be interposed. */
    .danger_knight_check = {140, 55},
    /* Bishop checks. */
    .danger_bishop_check = {84, 40},
    /* Rook checks. */
    .danger_rook_check = {163, 60},
    /* Queen checks. */
    .danger_queen_check = {130, 60},
    /* Sacrifices become possible. */
    .danger_unsafe_check = {16, 10},
    /* Without the queen an attack rarely mates. */
    .danger_no_queen = {-150, -94},
    /* A knight beside the king is the best guard. */
    .danger_knight_guard = {-29, -4},
    /* Ways for rooks. */
    .danger_open_file = {14, -19},
    /* A storm gathers. */
    .danger_flank = {8, -1},
    /* In earnest. */
    .danger_flank_twice = {3, 15},
    /* But is met. */
    .danger_flank_guard = {-5, 5},
    /* A quiet position shows no danger. */
    .danger_base = {-9, -16},
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
