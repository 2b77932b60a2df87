/*
 * FEN: text to position and back. Source: see fen.h.
 *
 * The text is cut into fields at white space, each field is parsed into a Position of our own,
 * and the whole is judged at the end; the caller's position is written last, on success alone.
 */
#include "chess/fen.h"

#include <stdio.h>
#include <string.h>

enum {
    FIELD_BOARD,
    FIELD_SIDE,
    FIELD_CASTLING,
    FIELD_EN_PASSANT,
    FIELD_RULE50,
    FIELD_FULL_MOVE,
    FIELD_COUNT,
};

enum {
    PIECES_PER_SIDE_MAX = 16,
    PAWNS_PER_SIDE_MAX = 8,
    CHECKERS_MAX = 2,
    RULE50_MAX = 150, /* the 75-move rule has ended the game by then */
    FULL_MOVE_MAX = UINT16_MAX,
    KING_FILE_STANDARD = 4,
};

static const char *const field_names[FIELD_COUNT] = {
    "board", "side", "castling", "en passant", "half move counter", "full move counter",
};

static const char *const color_names[COLOR_COUNT] = {"White", "Black"};

static const char piece_letters[COLOR_COUNT][PIECE_TYPE_COUNT + 1] = {"PNBRQK", "pnbrqk"};

/* The letters of the castling rights, by castling_index. */
static const char castling_letters[CASTLING_COUNT + 1] = "KQkq";

/* One field of the text. */
typedef struct {
    const char *text; /* borrowed; not NUL-terminated */
    int length;       /* bytes; 0 when the field is missing */
    int column;       /* of the first byte in the whole text, from 1 */
    int index;        /* FIELD_BOARD to FIELD_FULL_MOVE */
} Field;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_end(char c)
{
    return c == '\0' || c == '\n';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A refusal that points at byte `at` of the field and says what was expected there. */
static Status refuse(const Field *field, int at, const char *expected)
{
    const unsigned char c = at < field->length ? (unsigned char)field->text[at] : 0;
    const char *const name = field_names[field->index];
    const int column = field->column + at;

    if (c == 0) {
        return status_error(STATUS_INVALID, "FEN %s ends too early at character %d: expected %s",
                            name, column, expected);
    }
    if (c < 0x20 || c > 0x7E) {
        return status_error(STATUS_INVALID, "FEN %s, character %d: byte 0x%02X: expected %s", name,
                            column, c, expected);
    }
    return status_error(STATUS_INVALID, "FEN %s, character %d: '%c': expected %s", name, column, c,
                        expected);
}

/* Cuts the text into fields; those that are missing get length 0. */
static Status split_fields(const char *text, int length, Field fields[FIELD_COUNT])
{
    int at = 0;
    for (int i = 0; i <= FIELD_COUNT; i++) {
        while (at < length && is_space(text[at])) {
            at++;
        }
        if (i == FIELD_COUNT) {
            break;
        }
        const int start = at;
        while (at < length && !is_end(text[at]) && !is_space(text[at])) {
            at++;
        }
        fields[i] = (Field){text + start, at - start, start + 1, i};
    }
    if (at < length && !is_end(text[at])) {
        return status_error(STATUS_INVALID, "FEN, character %d: text after the sixth field",
                            at + 1);
    }
    return status_ok();
}

static void put_piece(Position *position, Square square, Piece piece)
{
    position->board[square] = piece;
    position->by_type[piece_type(piece)] |= bitboard_square(square);
    position->by_color[piece_color(piece)] |= bitboard_square(square);
}

/* The piece of a letter, or NO_PIECE. */
static Piece piece_from_letter(char letter)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const char *const found = strchr(piece_letters[color], letter);
        if (found != NULL && letter != '\0') {
            return piece_make((Color)color, (PieceType)(found - piece_letters[color]));
        }
    }
    return NO_PIECE;
}

static Status parse_board(const Field *field, Position *position)
{
    int rank = RANK_COUNT - 1;
    int file = 0;

    for (int at = 0; at < field->length; at++) {
        const char c = field->text[at];
        const Piece piece = piece_from_letter(c);
        if (c == '/') {
            if (file != FILE_COUNT) {
                return refuse(field, at, "eight squares in a rank before '/'");
            }
            if (rank == 0) {
                return refuse(field, at, "the board to end after eight ranks");
            }
            rank--;
            file = 0;
            continue;
        }
        if (piece == NO_PIECE && (c < '1' || c > '8')) {
            return refuse(field, at, "a piece of PNBRQKpnbrqk, a digit 1 to 8 or '/'");
        }
        const int squares = piece == NO_PIECE ? c - '0' : 1;
        if (file + squares > FILE_COUNT) {
            return refuse(field, at, "no more than eight squares in a rank");
        }
        if (piece != NO_PIECE) {
            put_piece(position, square_make(file, rank), piece);
        }
        file += squares;
    }
    if (rank != 0 || file != FILE_COUNT) {
        return refuse(field, field->length, "eight ranks of eight squares");
    }
    return status_ok();
}

static Status parse_side(const Field *field, Position *position)
{
    if (field->length == 0) {
        return status_ok();
    }
    const char c = field->text[0];
    if (c != 'w' && c != 'b') {
        return refuse(field, 0, "'w' or 'b'");
    }
    if (field->length > 1) {
        return refuse(field, 1, "one letter, 'w' or 'b'");
    }
    position->side = c == 'w' ? WHITE : BLACK;
    return status_ok();
}

/*
 * Grants the right to castle with the rook on `rook`, unless that is impossible: no such rook, king
 * off its back rank, squares that standard chess does not castle from, or that side's right
 * is taken already.
 */
static void grant_castling(Position *position, Color color, Square rook)
{
    const Bitboard back_rank = bitboard_rank(color == WHITE ? 0 : 7);
    const Bitboard king_board = position_pieces(position, color, KING) & back_rank;

    if (king_board == 0 ||
        !bitboard_has(position_pieces(position, color, ROOK) & back_rank, rook)) {
        return;
    }
    const Square king = bitboard_first(king_board);
    const bool is_standard = square_file(king) == KING_FILE_STANDARD &&
                             (square_file(rook) == 0 || square_file(rook) == FILE_COUNT - 1);
    const CastlingSide side = rook > king ? KING_SIDE : QUEEN_SIDE;
    if ((!position->chess960 && !is_standard) ||
        (position->castling & castling_bit(color, side)) != 0) {
        return;
    }
    position->castling |= (uint8_t)castling_bit(color, side);
    position->castling_rook[castling_index(color, side)] = rook;
}

/* The outermost rook on that side of the king (X-FEN's meaning of K and Q), or SQUARE_NONE. */
static Square outermost_rook(const Position *position, Color color, CastlingSide side)
{
    const Bitboard back_rank = bitboard_rank(color == WHITE ? 0 : 7);
    const Bitboard king = position_pieces(position, color, KING) & back_rank;
    const Bitboard rooks = position_pieces(position, color, ROOK) & back_rank;

    if (king == 0) {
        return SQUARE_NONE;
    }
    const Bitboard west = rooks & (king - 1);
    const Bitboard east = rooks & ~west;
    if (side == KING_SIDE) {
        return east != 0 ? bitboard_last(east) : SQUARE_NONE;
    }
    return west != 0 ? bitboard_first(west) : SQUARE_NONE;
}

static Status parse_castling(const Field *field, Position *position)
{
    const bool is_none = field->length == 1 && field->text[0] == '-';

    for (int at = 0; at < field->length && !is_none; at++) {
        const char c = field->text[at];
        const char *const right = strchr(castling_letters, c);
        const Color color = c >= 'a' ? BLACK : WHITE;
        const int file = c - (color == BLACK ? 'a' : 'A');
        Square rook;
        if (right != NULL) {
            const int index = (int)(right - castling_letters);
            rook = outermost_rook(position, color, (CastlingSide)(index & 1));
        } else if (file >= 0 && file < FILE_COUNT) {
            rook = square_make(file, color == WHITE ? 0 : 7);
        } else {
            return refuse(field, at, "'-', letters of KQkq or rook files A to H, a to h");
        }
        if (rook != SQUARE_NONE) {
            grant_castling(position, color, rook);
        }
    }
    return status_ok();
}

/* Whether the pawn on `from` may take en passant on `target` without leaving its king in check. */
static bool en_passant_is_legal(const Position *position, Square from, Square target)
{
    const Color us = position_side(position);
    const Bitboard captured = bitboard_shift_forward(color_other(us), bitboard_square(target));
    const Bitboard occupied =
        (position_occupied(position) ^ bitboard_square(from) ^ captured) | bitboard_square(target);

    return !position_is_attacked(position, position_king(position, us), color_other(us), occupied);
}

/* Whether the last move can have been a double step over `target` that somebody may now capture. */
static bool en_passant_is_possible(const Position *position, Square target)
{
    const Color us = position_side(position);
    const Color them = color_other(us);
    const Bitboard target_board = bitboard_square(target);

    if (square_relative_rank(us, target) != 5) {
        return false;
    }
    const Bitboard origin = bitboard_shift_forward(us, target_board);
    const Bitboard pushed = bitboard_shift_forward(them, target_board);
    if ((position_occupied(position) & (target_board | origin)) != 0 ||
        (position_pieces(position, them, PAWN) & pushed) == 0) {
        return false;
    }
    Bitboard captors =
        bitboard_pawn_attacks(them, target_board) & position_pieces(position, us, PAWN);
    while (captors != 0) {
        if (en_passant_is_legal(position, bitboard_pop(&captors), target)) {
            return true;
        }
    }
    return false;
}

/* Reads the square; whether it can be true is judged when the kings are known to be there. */
static Status parse_en_passant(const Field *field, Position *position)
{
    if (field->length == 0 || (field->length == 1 && field->text[0] == '-')) {
        return status_ok();
    }
    const int file = field->text[0] - 'a';
    if (file < 0 || file >= FILE_COUNT) {
        return refuse(field, 0, "'-' or a square such as e3");
    }
    const int rank = field->length > 1 ? field->text[1] - '1' : -1;
    if (rank < 0 || rank >= RANK_COUNT) {
        return refuse(field, 1, "a rank 1 to 8 after the file");
    }
    if (field->length > 2) {
        return refuse(field, 2, "two characters, '-' or a square such as e3");
    }
    position->en_passant = square_make(file, rank);
    return status_ok();
}

/* Reads a counter and pulls it into [minimum, maximum]; missing or "-" leaves `value` alone. */
static Status parse_counter(const Field *field, int minimum, int maximum, uint16_t *value)
{
    if (field->length == 0 || (field->length == 1 && field->text[0] == '-')) {
        return status_ok();
    }
    const bool is_negative = field->text[0] == '-';
    const bool is_signed = is_negative || field->text[0] == '+';
    int number = 0;
    for (int at = is_signed ? 1 : 0; at < field->length; at++) {
        if (!is_digit(field->text[at])) {
            return refuse(field, at, "a whole number");
        }
        if (number <= maximum) {
            number = number * 10 + (field->text[at] - '0');
        }
    }
    if (is_negative || number < minimum) {
        number = minimum;
    } else if (number > maximum) {
        number = maximum;
    }
    *value = (uint16_t)number;
    return status_ok();
}

static Status parse_fields(const Field fields[FIELD_COUNT], Position *position)
{
    Status status = parse_board(&fields[FIELD_BOARD], position);
    if (status_is_ok(&status)) {
        status = parse_side(&fields[FIELD_SIDE], position);
    }
    if (status_is_ok(&status)) {
        status = parse_castling(&fields[FIELD_CASTLING], position);
    }
    if (status_is_ok(&status)) {
        status = parse_en_passant(&fields[FIELD_EN_PASSANT], position);
    }
    if (status_is_ok(&status)) {
        status = parse_counter(&fields[FIELD_RULE50], 0, RULE50_MAX, &position->rule50);
    }
    if (status_is_ok(&status)) {
        status = parse_counter(&fields[FIELD_FULL_MOVE], 1, FULL_MOVE_MAX, &position->full_move);
    }
    return status;
}

/*
 * Judges one side's men. Handicap games and other set-ups have officers that cannot all have come
 * from promotions.
 */
static Status check_men(const Position *position, Color color)
{
    const int kings = bitboard_count(position_pieces(position, color, KING));
    const int pawns = bitboard_count(position_pieces(position, color, PAWN));
    const int pieces = bitboard_count(position->by_color[color]);
    const Bitboard stray =
        position_pieces(position, color, PAWN) & (BITBOARD_RANK_1 | BITBOARD_RANK_8);
    const char *const name = color_names[color];

    if (kings != 1) {
        return status_error(STATUS_INVALID, "FEN board: %s has %d kings ('%c'): expected one", name,
                            kings, piece_letters[color][KING]);
    }
    if (pieces > PIECES_PER_SIDE_MAX) {
        return status_error(STATUS_INVALID, "FEN board: %s has %d pieces: expected at most %d",
                            name, pieces, PIECES_PER_SIDE_MAX);
    }
    if (pawns > PAWNS_PER_SIDE_MAX) {
        return status_error(STATUS_INVALID,
                            "FEN board: %s has %d pawns ('%c'): expected at most %d", name, pawns,
                            piece_letters[color][PAWN], PAWNS_PER_SIDE_MAX);
    }
    if (stray != 0) {
        const Square square = bitboard_first(stray);
        return status_error(
            STATUS_INVALID, "FEN board: pawn '%c' on %c%d: expected pawns on ranks 2 to 7 only",
            piece_letters[color][PAWN], 'a' + square_file(square), 1 + square_rank(square));
    }
    return status_ok();
}

/* Judges checks; `position` must be refreshed. */
static Status check_checks(const Position *position)
{
    const Color us = position_side(position);
    const Color them = color_other(us);
    const int checkers = bitboard_count(position->checkers);

    if (position_is_attacked(position, position_king(position, them), us,
                             position_occupied(position))) {
        return status_error(STATUS_INVALID,
                            "FEN side '%c': %s is in check but %s is to move: expected the side in "
                            "check to be to move",
                            us == WHITE ? 'w' : 'b', color_names[them], color_names[us]);
    }
    if (checkers > CHECKERS_MAX) {
        return status_error(STATUS_INVALID,
                            "FEN board: %s is in check from %d pieces: expected at most %d",
                            color_names[us], checkers, CHECKERS_MAX);
    }
    return status_ok();
}

static Position empty_position(bool chess960)
{
    Position position;
    /* Padding too, so that equal positions are equal bytes. */
    memset(&position, 0, sizeof position);
    memset(position.board, NO_PIECE, sizeof position.board);
    memset(position.castling_rook, SQUARE_NONE, sizeof position.castling_rook);
    position.en_passant = SQUARE_NONE;
    position.full_move = 1;
    position.chess960 = chess960;
    return position;
}

Status fen_parse(const char *text, int length, bool chess960, Position *position)
{
    Position parsed = empty_position(chess960);
    Field fields[FIELD_COUNT];

    Status status = split_fields(text, length, fields);
    if (status_is_ok(&status)) {
        status = parse_fields(fields, &parsed);
    }
    for (int color = WHITE; color <= BLACK && status_is_ok(&status); color++) {
        status = check_men(&parsed, (Color)color);
    }
    if (!status_is_ok(&status)) {
        return status;
    }
    if (parsed.en_passant != SQUARE_NONE && !en_passant_is_possible(&parsed, parsed.en_passant)) {
        parsed.en_passant = SQUARE_NONE;
    }
    position_refresh(&parsed);
    status = check_checks(&parsed);
    if (status_is_ok(&status)) {
        memcpy(position, &parsed, sizeof parsed);
    }
    return status;
}

static char *write_board(const Position *position, char *out)
{
    for (int rank = RANK_COUNT - 1; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < FILE_COUNT; file++) {
            const Piece piece = position->board[square_make(file, rank)];
            if (piece == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty > 0) {
                *out++ = (char)('0' + empty);
                empty = 0;
            }
            *out++ = piece_letters[piece_color(piece)][piece_type(piece)];
        }
        if (empty > 0) {
            *out++ = (char)('0' + empty);
        }
        if (rank > 0) {
            *out++ = '/';
        }
    }
    return out;
}

static char *write_castling(const Position *position, char *out)
{
    if (position->castling == 0) {
        *out++ = '-';
    }
    for (int index = 0; index < CASTLING_COUNT; index++) {
        if ((position->castling & (1U << index)) == 0) {
            continue;
        }
        const int file = square_file(position->castling_rook[index]);
        const char shredder = (char)((index / 2 == WHITE ? 'A' : 'a') + file);
        *out++ = position->chess960 ? shredder : castling_letters[index];
    }
    return out;
}

static char *write_en_passant(const Position *position, char *out)
{
    if (position->en_passant == SQUARE_NONE) {
        *out++ = '-';
        return out;
    }
    *out++ = (char)('a' + square_file(position->en_passant));
    *out++ = (char)('1' + square_rank(position->en_passant));
    return out;
}

void fen_write(const Position *position, char text[FEN_BYTES_MAX])
{
    char *out = write_board(position, text);
    *out++ = ' ';
    *out++ = position->side == WHITE ? 'w' : 'b';
    *out++ = ' ';
    out = write_castling(position, out);
    *out++ = ' ';
    out = write_en_passant(position, out);
    const size_t room = (size_t)(text + FEN_BYTES_MAX - out);
    (void)snprintf(out, room, " %d %d", position->rule50, position->full_move);
}

Position fen_start_position(void)
{
    Position position;
    const Status status = fen_parse(FEN_START, (int)strlen(FEN_START), false, &position);
    CHECK(status_is_ok(&status));
    return position;
}
