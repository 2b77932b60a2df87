#include "tests/oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int ROOK_STEPS[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
static const int BISHOP_STEPS[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const int KNIGHT_STEPS[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                       {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static bool is_on_board(int file, int rank)
{
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

/* Capital letters are White's. */
static bool is_of(char letter, Color color)
{
    return color == WHITE ? letter >= 'A' && letter <= 'Z' : letter >= 'a' && letter <= 'z';
}

/* The letter of a white piece, as `color` writes it. */
static char letter_of(char white_letter, Color color)
{
    return color == WHITE ? white_letter : (char)(white_letter - 'A' + 'a');
}

/* The white letter of a piece of either colour. */
static char kind_of(char letter)
{
    return is_of(letter, BLACK) ? (char)(letter - 'a' + 'A') : letter;
}

static int forward(Color color)
{
    return color == WHITE ? 1 : -1;
}

static int back_rank(Color color)
{
    return color == WHITE ? 0 : 7;
}

/* Where a pawn of `color` stands after its double step. */
static int double_step_rank(Color color)
{
    return color == WHITE ? 3 : 4;
}

static bool find_king(const OracleBoard *board, Color color, int *file, int *rank)
{
    for (*rank = 0; *rank < 8; (*rank)++) {
        for (*file = 0; *file < 8; (*file)++) {
            if (board->letter[*rank][*file] == letter_of('K', color)) {
                return true;
            }
        }
    }
    return false;
}

/* Attacks */

/* Whether one step by (file_step, rank_step) meets the given letter. */
static bool meets(const OracleBoard *board, int file, int rank, const int step[2], char letter)
{
    const int to_file = file + step[0];
    const int to_rank = rank + step[1];
    return is_on_board(to_file, to_rank) && board->letter[to_rank][to_file] == letter;
}

/* Whether the first piece in a direction is the given letter or a queen of its colour. */
static bool sees_slider(const OracleBoard *board, int file, int rank, const int step[2],
                        char slider, char queen)
{
    file += step[0];
    rank += step[1];
    while (is_on_board(file, rank) && board->letter[rank][file] == '.') {
        file += step[0];
        rank += step[1];
    }
    return is_on_board(file, rank) &&
           (board->letter[rank][file] == slider || board->letter[rank][file] == queen);
}

int oracle_attacker_count(const OracleBoard *board, int file, int rank, Color by)
{
    const char queen = letter_of('Q', by);
    const int from_left[2] = {-1, -forward(by)};
    const int from_right[2] = {1, -forward(by)};
    int count = meets(board, file, rank, from_left, letter_of('P', by)) +
                meets(board, file, rank, from_right, letter_of('P', by));
    for (int i = 0; i < 8; i++) {
        count += meets(board, file, rank, KNIGHT_STEPS[i], letter_of('N', by));
    }
    for (int i = 0; i < 4; i++) {
        count += meets(board, file, rank, ROOK_STEPS[i], letter_of('K', by)) +
                 meets(board, file, rank, BISHOP_STEPS[i], letter_of('K', by)) +
                 sees_slider(board, file, rank, ROOK_STEPS[i], letter_of('R', by), queen) +
                 sees_slider(board, file, rank, BISHOP_STEPS[i], letter_of('B', by), queen);
    }
    return count;
}

int oracle_checker_count(const OracleBoard *board, Color color)
{
    int file;
    int rank;
    if (!find_king(board, color, &file, &rank)) {
        return 0;
    }
    return oracle_attacker_count(board, file, rank, color_other(color));
}

bool oracle_is_in_check(const OracleBoard *board, Color color)
{
    return oracle_checker_count(board, color) > 0;
}

/* Moves that the pieces can make, whatever becomes of the king */

static void add(OracleMoves *list, Move move)
{
    if (list->count < ORACLE_MOVES_MAX) {
        list->moves[list->count++] = move;
    }
}

static void add_step_or_slide(const OracleBoard *board, int file, int rank, const int step[2],
                              bool slides, OracleMoves *list)
{
    const Square from = square_make(file, rank);
    do {
        file += step[0];
        rank += step[1];
        if (!is_on_board(file, rank) || is_of(board->letter[rank][file], board->side)) {
            return;
        }
        add(list, move_make(from, square_make(file, rank)));
    } while (slides && board->letter[rank][file] == '.');
}

static void add_pawn_move(const OracleBoard *board, Square from, Square to, OracleMoves *list)
{
    if (square_rank(to) != back_rank(color_other(board->side))) {
        add(list, move_make(from, to));
        return;
    }
    add(list, move_make_promotion(from, to, KNIGHT));
    add(list, move_make_promotion(from, to, BISHOP));
    add(list, move_make_promotion(from, to, ROOK));
    add(list, move_make_promotion(from, to, QUEEN));
}

static void add_pawn_pushes(const OracleBoard *board, int file, int rank, OracleMoves *list)
{
    const int step = forward(board->side);
    const Square from = square_make(file, rank);
    if (board->letter[rank + step][file] != '.') {
        return;
    }
    add_pawn_move(board, from, square_make(file, rank + step), list);
    if (rank == back_rank(board->side) + step && board->letter[rank + 2 * step][file] == '.') {
        add(list, move_make(from, square_make(file, rank + 2 * step)));
    }
}

static void add_pawn_captures(const OracleBoard *board, int file, int rank, OracleMoves *list)
{
    const Color enemy = color_other(board->side);
    const int to_rank = rank + forward(board->side);
    const Square from = square_make(file, rank);
    for (int to_file = file - 1; to_file <= file + 1; to_file += 2) {
        if (!is_on_board(to_file, to_rank)) {
            continue;
        }
        const Square to = square_make(to_file, to_rank);
        if (is_of(board->letter[to_rank][to_file], enemy)) {
            add_pawn_move(board, from, to, list);
        } else if (to_file == board->double_step_file && rank == double_step_rank(enemy)) {
            add(list, move_make_flag(from, to, MOVE_EN_PASSANT));
        }
    }
}

/* Whether only the king and the castling rook stand between two files of the back rank. */
static bool is_vacant_for_castling(const OracleBoard *board, int from, int to, int king_file,
                                   int rook_file)
{
    const int first = from < to ? from : to;
    const int last = from < to ? to : from;
    for (int file = first; file <= last; file++) {
        if (file != king_file && file != rook_file &&
            board->letter[back_rank(board->side)][file] != '.') {
            return false;
        }
    }
    return true;
}

/* FIDE 3.8.2: not in check, not through check; "into check" is seen after the move, as always. */
static bool is_safe_for_castling(const OracleBoard *board, int king_file, int king_to)
{
    const int step = king_file < king_to ? 1 : -1;
    for (int file = king_file;; file += step) {
        if (oracle_attacker_count(board, file, back_rank(board->side), color_other(board->side)) >
            0) {
            return false;
        }
        if (file == king_to) {
            return true;
        }
    }
}

static int castling_king_file(CastlingSide side)
{
    return side == KING_SIDE ? 6 : 2;
}

static int castling_rook_file(CastlingSide side)
{
    return side == KING_SIDE ? 5 : 3;
}

static void add_castling(const OracleBoard *board, int king_file, OracleMoves *list)
{
    for (CastlingSide side = KING_SIDE; side <= QUEEN_SIDE; side++) {
        const int rook_file = board->castling_file[board->side][side];
        const int king_to = castling_king_file(side);
        const int rook_to = castling_rook_file(side);
        if (rook_file != ORACLE_NO_FILE &&
            is_vacant_for_castling(board, king_file, king_to, king_file, rook_file) &&
            is_vacant_for_castling(board, rook_file, rook_to, king_file, rook_file) &&
            is_safe_for_castling(board, king_file, king_to)) {
            add(list,
                move_make_flag(square_make(king_file, back_rank(board->side)),
                               square_make(rook_file, back_rank(board->side)), MOVE_CASTLING));
        }
    }
}

static void add_piece_moves(const OracleBoard *board, int file, int rank, OracleMoves *list)
{
    const char piece = kind_of(board->letter[rank][file]);
    if (piece == 'P') {
        add_pawn_pushes(board, file, rank, list);
        add_pawn_captures(board, file, rank, list);
        return;
    }
    if (piece == 'N') {
        for (int i = 0; i < 8; i++) {
            add_step_or_slide(board, file, rank, KNIGHT_STEPS[i], false, list);
        }
        return;
    }
    for (int i = 0; i < 4; i++) {
        if (piece != 'B') {
            add_step_or_slide(board, file, rank, ROOK_STEPS[i], piece != 'K', list);
        }
        if (piece != 'R') {
            add_step_or_slide(board, file, rank, BISHOP_STEPS[i], piece != 'K', list);
        }
    }
    if (piece == 'K') {
        add_castling(board, file, list);
    }
}

/* Making a move */

static void forget_castling(OracleBoard *board, Color color, CastlingSide side)
{
    board->castling_file[color][side] = ORACLE_NO_FILE;
}

/* A rook that leaves its square, or is taken there, castles no more. */
static void forget_castling_of_rook(OracleBoard *board, int file, int rank)
{
    for (Color color = WHITE; color <= BLACK; color++) {
        for (CastlingSide side = KING_SIDE; side <= QUEEN_SIDE; side++) {
            if (rank == back_rank(color) && file == board->castling_file[color][side]) {
                forget_castling(board, color, side);
            }
        }
    }
}

static void castle(OracleBoard *board, Square king_from, Square rook_from)
{
    const int rank = back_rank(board->side);
    const CastlingSide side =
        square_file(rook_from) > square_file(king_from) ? KING_SIDE : QUEEN_SIDE;
    board->letter[rank][square_file(king_from)] = '.';
    board->letter[rank][square_file(rook_from)] = '.';
    board->letter[rank][castling_king_file(side)] = letter_of('K', board->side);
    board->letter[rank][castling_rook_file(side)] = letter_of('R', board->side);
}

static void move_piece(OracleBoard *board, Move move)
{
    const int from_file = square_file(move_from(move));
    const int from_rank = square_rank(move_from(move));
    const int to_file = square_file(move_to(move));
    const int to_rank = square_rank(move_to(move));
    char piece = board->letter[from_rank][from_file];
    if (move_flag(move) == MOVE_PROMOTION) {
        piece = letter_of("PNBRQK"[move_promotion(move)], board -> side);
    }
    if (move_flag(move) == MOVE_EN_PASSANT) {
        board->letter[from_rank][to_file] = '.';
    }
    board->letter[from_rank][from_file] = '.';
    board->letter[to_rank][to_file] = piece;
}

void oracle_make(const OracleBoard *board, Move move, OracleBoard *after)
{
    const Square from = move_from(move);
    const Square to = move_to(move);
    const char piece = kind_of(board->letter[square_rank(from)][square_file(from)]);
    const bool resets = piece == 'P' || oracle_is_capture(board, move);

    *after = *board;
    if (move_flag(move) == MOVE_CASTLING) {
        castle(after, from, to);
    } else {
        move_piece(after, move);
    }
    if (piece == 'K') {
        forget_castling(after, board->side, KING_SIDE);
        forget_castling(after, board->side, QUEEN_SIDE);
    }
    forget_castling_of_rook(after, square_file(from), square_rank(from));
    forget_castling_of_rook(after, square_file(to), square_rank(to));
    after->double_step_file = ORACLE_NO_FILE;
    if (piece == 'P' && abs(square_rank(to) - square_rank(from)) == 2) {
        after->double_step_file = square_file(to);
    }
    after->half_moves = resets ? 0 : board->half_moves + 1;
    after->full_move = board->full_move + (board->side == BLACK ? 1 : 0);
    after->side = color_other(board->side);
}

void oracle_possible_moves(const OracleBoard *board, OracleMoves *list)
{
    list->count = 0;
    for (int rank = 0; rank < 8; rank++) {
        for (int file = 0; file < 8; file++) {
            if (is_of(board->letter[rank][file], board->side)) {
                add_piece_moves(board, file, rank, list);
            }
        }
    }
}

void oracle_legal_moves(const OracleBoard *board, OracleMoves *list)
{
    OracleMoves possible;
    oracle_possible_moves(board, &possible);
    list->count = 0;
    for (int i = 0; i < possible.count; i++) {
        OracleBoard after;
        oracle_make(board, possible.moves[i], &after);
        if (!oracle_is_in_check(&after, board->side)) {
            add(list, possible.moves[i]);
        }
    }
}

bool oracle_has_move(const OracleMoves *list, Move move)
{
    for (int i = 0; i < list->count; i++) {
        if (list->moves[i] == move) {
            return true;
        }
    }
    return false;
}

bool oracle_is_capture(const OracleBoard *board, Move move)
{
    if (move_flag(move) == MOVE_CASTLING) {
        return false;
    }
    return move_flag(move) == MOVE_EN_PASSANT ||
           board->letter[square_rank(move_to(move))][square_file(move_to(move))] != '.';
}

bool oracle_gives_check(const OracleBoard *board, Move move)
{
    OracleBoard after;
    oracle_make(board, move, &after);
    return oracle_is_in_check(&after, after.side);
}

/* The end of the game */

bool oracle_is_checkmate(const OracleBoard *board)
{
    OracleMoves list;
    oracle_legal_moves(board, &list);
    return list.count == 0 && oracle_is_in_check(board, board->side);
}

bool oracle_is_stalemate(const OracleBoard *board)
{
    OracleMoves list;
    oracle_legal_moves(board, &list);
    return list.count == 0 && !oracle_is_in_check(board, board->side);
}

bool oracle_is_fifty_moves(const OracleBoard *board)
{
    return board->half_moves >= 100 && !oracle_is_checkmate(board);
}

bool oracle_is_insufficient(const OracleBoard *board)
{
    int knights = 0;
    int bishops[2] = {0, 0};
    for (int rank = 0; rank < 8; rank++) {
        for (int file = 0; file < 8; file++) {
            switch (kind_of(board->letter[rank][file])) {
            case '.':
            case 'K':
                break;
            case 'N':
                knights++;
                break;
            case 'B':
                bishops[(file + rank) % 2]++;
                break;
            default:
                return false;
            }
        }
    }
    if (knights > 0) {
        return knights == 1 && bishops[0] + bishops[1] == 0;
    }
    return bishops[0] == 0 || bishops[1] == 0;
}

bool oracle_can_take_en_passant(const OracleBoard *board)
{
    if (board->double_step_file == ORACLE_NO_FILE) {
        return false;
    }
    OracleMoves list;
    oracle_legal_moves(board, &list);
    for (int i = 0; i < list.count; i++) {
        if (move_flag(list.moves[i]) == MOVE_EN_PASSANT) {
            return true;
        }
    }
    return false;
}

bool oracle_is_same(const OracleBoard *left, const OracleBoard *right)
{
    if (left->side != right->side ||
        memcmp(left->letter, right->letter, sizeof left->letter) != 0 ||
        memcmp(left->castling_file, right->castling_file, sizeof left->castling_file) != 0) {
        return false;
    }
    const bool left_takes = oracle_can_take_en_passant(left);
    const bool right_takes = oracle_can_take_en_passant(right);
    return left_takes == right_takes &&
           (!left_takes || left->double_step_file == right->double_step_file);
}

uint64_t oracle_perft(const OracleBoard *board, int depth)
{
    if (depth == 0) {
        return 1;
    }
    OracleMoves list;
    oracle_legal_moves(board, &list);
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        OracleBoard after;
        oracle_make(board, list.moves[i], &after);
        leaves += oracle_perft(&after, depth - 1);
    }
    return leaves;
}

/* FEN */

static bool parse_board(const char *text, OracleBoard *board)
{
    memset(board->letter, '.', sizeof board->letter);
    int rank = 7;
    int file = 0;
    for (; *text != '\0'; text++) {
        if (*text == '/') {
            if (file != 8 || rank == 0) {
                return false;
            }
            rank--;
            file = 0;
        } else if (*text >= '1' && *text <= '8') {
            file += *text - '0';
        } else if (strchr("PNBRQKpnbrqk", *text) != NULL && file < 8) {
            board->letter[rank][file++] = *text;
        } else {
            return false;
        }
        if (file > 8) {
            return false;
        }
    }
    return rank == 0 && file == 8;
}

/* The outermost rook on one side of the king, or ORACLE_NO_FILE. */
static int outermost_rook(const OracleBoard *board, Color color, int king_file, int step)
{
    for (int file = step > 0 ? 7 : 0; file != king_file; file -= step) {
        if (board->letter[back_rank(color)][file] == letter_of('R', color)) {
            return file;
        }
    }
    return ORACLE_NO_FILE;
}

static bool parse_castling(const char *text, OracleBoard *board)
{
    for (Color color = WHITE; color <= BLACK; color++) {
        forget_castling(board, color, KING_SIDE);
        forget_castling(board, color, QUEEN_SIDE);
    }
    for (; *text != '\0' && *text != '-'; text++) {
        const Color color = is_of(*text, WHITE) ? WHITE : BLACK;
        const char letter = kind_of(*text);
        int king_file;
        int king_rank;
        if (!find_king(board, color, &king_file, &king_rank) || king_rank != back_rank(color)) {
            return false;
        }
        int rook_file = letter - 'A';
        if (letter == 'K' || letter == 'Q') {
            rook_file = outermost_rook(board, color, king_file, letter == 'K' ? 1 : -1);
        }
        if (rook_file < 0 || rook_file > 7) {
            return false;
        }
        board->castling_file[color][rook_file > king_file ? KING_SIDE : QUEEN_SIDE] = rook_file;
    }
    return true;
}

bool oracle_parse(const char *fen, OracleBoard *board)
{
    char placement[80];
    char side[2];
    char castling[5];
    char en_passant[3];
    if (sscanf(fen, "%79s %1s %4s %2s %d %d", placement, side, castling, en_passant,
               &board->half_moves, &board->full_move) != 6) {
        return false;
    }
    board->side = side[0] == 'w' ? WHITE : BLACK;
    board->double_step_file = en_passant[0] == '-' ? ORACLE_NO_FILE : en_passant[0] - 'a';
    return parse_board(placement, board) && parse_castling(castling, board);
}

static char *write_board(const OracleBoard *board, char *text)
{
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++) {
            if (board->letter[rank][file] != '.') {
                *text++ = board->letter[rank][file];
            } else if (file > 0 && text[-1] >= '1' && text[-1] <= '8') {
                text[-1]++;
            } else {
                *text++ = '1';
            }
        }
        *text++ = rank > 0 ? '/' : ' ';
    }
    return text;
}

static char *write_castling(const OracleBoard *board, char *text)
{
    const char *const start = text;
    for (Color color = WHITE; color <= BLACK; color++) {
        for (CastlingSide side = KING_SIDE; side <= QUEEN_SIDE; side++) {
            if (board->castling_file[color][side] != ORACLE_NO_FILE) {
                *text++ = letter_of((char)('A' + board->castling_file[color][side]), color);
            }
        }
    }
    if (text == start) {
        *text++ = '-';
    }
    return text;
}

void oracle_write(const OracleBoard *board, char fen[ORACLE_FEN_BYTES_MAX])
{
    char *text = write_board(board, fen);
    *text++ = board->side == WHITE ? 'w' : 'b';
    *text++ = ' ';
    text = write_castling(board, text);
    *text++ = ' ';
    if (board->double_step_file == ORACLE_NO_FILE) {
        *text++ = '-';
    } else {
        *text++ = (char)('a' + board->double_step_file);
        *text++ = board->side == WHITE ? '6' : '3';
    }
    (void)snprintf(text, (size_t)(fen + ORACLE_FEN_BYTES_MAX - text), " %d %d", board->half_moves,
                   board->full_move);
}
