#include "tests/oracle/oracle_random.h"

#include <ctype.h>
#include <string.h>

enum { CHECKERS_MAX = 2, MEN_BESIDES_KING = 15 };

static char colored(char white_letter, Color color)
{
    return color == WHITE ? white_letter : (char)tolower((unsigned char)white_letter);
}

static int home_rank(Color color)
{
    return color == WHITE ? 0 : 7;
}

static void clear(OracleBoard *board)
{
    memset(board, 0, sizeof *board);
    memset(board->letter, '.', sizeof board->letter);
    for (Color color = WHITE; color <= BLACK; color++) {
        board->castling_file[color][KING_SIDE] = ORACLE_NO_FILE;
        board->castling_file[color][QUEEN_SIDE] = ORACLE_NO_FILE;
    }
    board->double_step_file = ORACLE_NO_FILE;
    board->full_move = 1;
}

/* Puts `letter` on the n-th empty square of a rank that has more than n of them. */
static void put_on_empty(char rank[FILE_COUNT], int n, char letter)
{
    for (int file = 0; file < FILE_COUNT; file++) {
        if (rank[file] == '.' && n-- == 0) {
            rank[file] = letter;
            return;
        }
    }
}

void oracle_start_960(int number, OracleBoard *board)
{
    /* Where the two knights go among the five squares that bishops and queen leave. */
    static const int knights[10][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1},
                                       {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};
    clear(board);
    char *const rank = board->letter[0];
    rank[number % 4 * 2 + 1] = 'B';
    rank[number / 4 % 4 * 2] = 'B';
    put_on_empty(rank, number / 16 % 6, 'Q');
    put_on_empty(rank, knights[number / 96][0], 'N');
    put_on_empty(rank, knights[number / 96][1], 'N');
    put_on_empty(rank, 0, 'R');
    put_on_empty(rank, 0, 'K');
    put_on_empty(rank, 0, 'R');

    memset(board->letter[1], 'P', FILE_COUNT);
    memset(board->letter[6], 'p', FILE_COUNT);
    bool is_past_king = false;
    for (int file = 0; file < FILE_COUNT; file++) {
        board->letter[7][file] = colored(rank[file], BLACK);
        is_past_king = is_past_king || rank[file] == 'K';
        if (rank[file] == 'R') {
            const CastlingSide side = is_past_king ? KING_SIDE : QUEEN_SIDE;
            board->castling_file[WHITE][side] = file;
            board->castling_file[BLACK][side] = file;
        }
    }
}

/* Puts a man on a random square that is free and fit for it, never on the file `kept_free`. */
static void put_anywhere(Prng *prng, OracleBoard *board, char letter, int kept_free)
{
    for (;;) {
        const int file = (int)prng_below(prng, FILE_COUNT);
        const int rank = (int)prng_below(prng, RANK_COUNT);
        const bool is_pawn = toupper((unsigned char)letter) == 'P';
        if (board->letter[rank][file] == '.' && file != kept_free &&
            !(is_pawn && (rank == 0 || rank == 7))) {
            board->letter[rank][file] = letter;
            return;
        }
    }
}

/* King and one or two rooks at home with the right to castle; anywhere, or as in standard chess. */
static void put_castling_men(Prng *prng, OracleBoard *board, Color color, int rook_count[])
{
    char *const rank = board->letter[home_rank(color)];
    const bool is_standard = prng_below(prng, 3) == 0;
    const int king_file = is_standard ? 4 : 1 + (int)prng_below(prng, 6);
    rank[king_file] = colored('K', color);
    for (int side = KING_SIDE; side <= QUEEN_SIDE; side++) {
        if (prng_below(prng, 4) == 0) {
            continue;
        }
        int rook_file = side == KING_SIDE ? 7 : 0;
        if (!is_standard) {
            rook_file = side == KING_SIDE
                            ? king_file + 1 + (int)prng_below(prng, (uint64_t)(7 - king_file))
                            : (int)prng_below(prng, (uint64_t)king_file);
        }
        rank[rook_file] = colored('R', color);
        board->castling_file[color][side] = rook_file;
        rook_count[color]++;
    }
}

/* A pawn that has just gone two steps, pawns on one or both sides of it, its file else empty. */
static void put_en_passant_men(Prng *prng, OracleBoard *board, int pawn_count[])
{
    const Color mover = color_other(board->side);
    const int file = (int)prng_below(prng, FILE_COUNT);
    const uint64_t sides = 1 + prng_below(prng, 3); /* a bit for each neighbour */
    char *const rank = board->letter[mover == WHITE ? 3 : 4];
    rank[file] = colored('P', mover);
    board->double_step_file = file;
    pawn_count[mover]++;
    if ((sides & 1) != 0 && file > 0) {
        rank[file - 1] = colored('P', board->side);
        pawn_count[board->side]++;
    }
    if ((sides & 2) != 0 && file < FILE_COUNT - 1) {
        rank[file + 1] = colored('P', board->side);
        pawn_count[board->side]++;
    }
}

/* The other men of a side, drawn from those of the start; a pawn may have become anything. */
static void put_rest(Prng *prng, OracleBoard *board, Color color, OracleDensity density,
                     int rooks_put, int pawns_put)
{
    static const char men[MEN_BESIDES_KING + 1] = "RRNNBBQPPPPPPPP";
    const uint64_t keep_of_16 = density == ORACLE_DENSE ? 13 : 3;
    for (int i = 0; i < MEN_BESIDES_KING; i++) {
        char letter = men[i];
        if ((letter == 'R' && rooks_put-- > 0) || (letter == 'P' && pawns_put-- > 0) ||
            prng_below(prng, 16) >= keep_of_16) {
            continue;
        }
        if (letter == 'P' && prng_below(prng, 6) == 0) {
            letter = "NBRQ"[prng_below(prng, 4)];
        }
        put_anywhere(prng, board, colored(letter, color), board->double_step_file);
    }
}

static void fill(Prng *prng, OracleDensity density, OracleBoard *board)
{
    int rook_count[COLOR_COUNT] = {0};
    int pawn_count[COLOR_COUNT] = {0};
    clear(board);
    board->side = (Color)prng_below(prng, 2);
    board->full_move = 1 + (int)prng_below(prng, 200);
    board->half_moves = (int)prng_below(prng, 100);
    if (prng_below(prng, 4) == 0) {
        put_en_passant_men(prng, board, pawn_count);
        board->half_moves = 0;
    }
    const uint64_t castlers = prng_below(prng, 4); /* a bit a colour */
    for (Color color = WHITE; color <= BLACK; color++) {
        if (castlers >> color & 1) {
            put_castling_men(prng, board, color, rook_count);
        }
    }
    for (Color color = WHITE; color <= BLACK; color++) {
        if ((castlers >> color & 1) == 0) {
            put_anywhere(prng, board, colored('K', color), board->double_step_file);
        }
    }
    for (Color color = WHITE; color <= BLACK; color++) {
        put_rest(prng, board, color, density, rook_count[color], pawn_count[color]);
    }
}

void oracle_random_board(Prng *prng, OracleDensity density, OracleBoard *board)
{
    do {
        fill(prng, density, board);
    } while (oracle_is_in_check(board, color_other(board->side)) ||
             oracle_checker_count(board, board->side) > CHECKERS_MAX);
}
