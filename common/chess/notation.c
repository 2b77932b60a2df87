/*
 * Notation of single moves: UCI coordinates and SAN. Source: see notation.h.
 *
 * Reading never builds a move from text: it picks one from the list of legal moves, so whatever
 * it returns is legal.
 */
#include "chess/notation.h"

#include <string.h>

#include "chess/movegen.h"

enum { KING_FILE_KING_SIDE = 6, KING_FILE_QUEEN_SIDE = 2, ANY = -1 };

static const char piece_letters[] = "PNBRQK";
static const char promotion_letters[] = "pnbrq";

/* What a SAN text says about its move; ANY where it says nothing. */
typedef struct {
    PieceType type;      /* of the piece that moves */
    PieceType promotion; /* NO_PIECE_TYPE if none */
    Square to;
    int from_file; /* 0 to 7 or ANY */
    int from_rank; /* 0 to 7 or ANY */
} SanMove;

static bool is_file(char c)
{
    return c >= 'a' && c <= 'h';
}

static bool is_rank(char c)
{
    return c >= '1' && c <= '8';
}

static char *write_square(Square square, char *out)
{
    *out++ = (char)('a' + square_file(square));
    *out++ = (char)('1' + square_rank(square));
    return out;
}

/* Where the king of a castling move ends. */
static Square castling_king_target(Move move)
{
    const bool is_king_side = move_to(move) > move_from(move);
    return square_make(is_king_side ? KING_FILE_KING_SIDE : KING_FILE_QUEEN_SIDE,
                       square_rank(move_from(move)));
}

void notation_write_uci(const Position *position, Move move, char text[UCI_MOVE_BYTES_MAX])
{
    if (move == MOVE_NONE) {
        strcpy(text, "0000");
        return;
    }
    const bool is_king_step = move_flag(move) == MOVE_CASTLING && !position->chess960;
    char *out = write_square(move_from(move), text);
    out = write_square(is_king_step ? castling_king_target(move) : move_to(move), out);
    if (move_flag(move) == MOVE_PROMOTION) {
        *out++ = promotion_letters[move_promotion(move)];
    }
    *out = '\0';
}

/* Whether the UCI text names exactly this move: castling as king takes rook. */
static bool uci_names(Move move, Square from, Square to, PieceType promotion)
{
    const bool is_promotion = move_flag(move) == MOVE_PROMOTION;
    return move_from(move) == from && move_to(move) == to &&
           promotion == (is_promotion ? move_promotion(move) : NO_PIECE_TYPE);
}

/* The promotion piece of a letter of either case, or NO_PIECE_TYPE. */
static PieceType promotion_from_letter(char letter)
{
    const char lower = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
    const char *const found = lower == '\0' ? NULL : strchr(promotion_letters + KNIGHT, lower);
    return found == NULL ? NO_PIECE_TYPE : (PieceType)(found - promotion_letters);
}

Move notation_parse_uci(const Position *position, const char *text, int length)
{
    if (length < 4 || length > 5 || !is_file(text[0]) || !is_rank(text[1]) || !is_file(text[2]) ||
        !is_rank(text[3])) {
        return MOVE_NONE;
    }
    const Square from = square_make(text[0] - 'a', text[1] - '1');
    const Square to = square_make(text[2] - 'a', text[3] - '1');
    const PieceType promotion = length == 5 ? promotion_from_letter(text[4]) : NO_PIECE_TYPE;
    if (from == to || (length == 5 && promotion == NO_PIECE_TYPE)) {
        return MOVE_NONE;
    }

    MoveList list;
    Move king_step = MOVE_NONE;
    movegen_all(position, &list);
    for (int i = 0; i < list.count; i++) {
        const Move move = list.moves[i];
        if (uci_names(move, from, to, promotion)) {
            return move;
        }
        if (move_flag(move) == MOVE_CASTLING && length == 4 && move_from(move) == from &&
            castling_king_target(move) == to) {
            king_step = move;
        }
    }
    return king_step;
}

/* Writes the file, the rank or both of `move`'s origin, as far as another move needs it. */
static char *write_disambiguation(const Position *position, Move move, char *out)
{
    const PieceType type = position_type_on(position, move_from(move));
    const Square from = move_from(move);
    bool is_ambiguous = false;
    bool shares_file = false;
    bool shares_rank = false;
    MoveList list;

    movegen_all(position, &list);
    for (int i = 0; i < list.count; i++) {
        const Square other = move_from(list.moves[i]);
        if (move_flag(list.moves[i]) == MOVE_CASTLING || other == from ||
            move_to(list.moves[i]) != move_to(move) || position_type_on(position, other) != type) {
            continue;
        }
        is_ambiguous = true;
        shares_file |= square_file(other) == square_file(from);
        shares_rank |= square_rank(other) == square_rank(from);
    }
    if (is_ambiguous && (!shares_file || shares_rank)) {
        *out++ = (char)('a' + square_file(from));
    }
    if (shares_file) {
        *out++ = (char)('1' + square_rank(from));
    }
    return out;
}

static char *write_piece_move(const Position *position, Move move, char *out)
{
    const PieceType type = position_type_on(position, move_from(move));
    const bool is_capture = move_is_capture(position, move);

    if (type != PAWN) {
        *out++ = piece_letters[type];
        out = write_disambiguation(position, move, out);
    } else if (is_capture) {
        *out++ = (char)('a' + square_file(move_from(move)));
    }
    if (is_capture) {
        *out++ = 'x';
    }
    out = write_square(move_to(move), out);
    if (move_flag(move) == MOVE_PROMOTION) {
        *out++ = '=';
        *out++ = piece_letters[move_promotion(move)];
    }
    return out;
}

void notation_write_san(const Position *position, Move move, char text[SAN_MOVE_BYTES_MAX])
{
    char *out = text;
    if (move_flag(move) == MOVE_CASTLING) {
        const bool is_king_side = move_to(move) > move_from(move);
        strcpy(text, is_king_side ? "O-O" : "O-O-O");
        out += strlen(text);
    } else {
        out = write_piece_move(position, move, out);
    }

    Position after;
    position_make(position, move, &after);
    if (position_in_check(&after)) {
        *out++ = movegen_any(&after) ? '+' : '#';
    }
    *out = '\0';
}

/* The length without marks of check and judgement ("Nf3+-", "e4=") at the end. */
static int strip_marks(const char *text, int length)
{
    static const char marks[] = "+#!?-=/";
    while (length > 0 && memchr(marks, text[length - 1], sizeof marks - 1) != NULL) {
        length--;
    }
    return length;
}

/* The length without marks and "e.p.", before or behind which they may stand. */
static int strip_ending(const char *text, int length)
{
    static const char en_passant[] = "e.p.";
    const int extra = (int)sizeof en_passant - 1;
    length = strip_marks(text, length);
    return length > extra && memcmp(text + length - extra, en_passant, (size_t)extra) == 0
               ? strip_marks(text, length - extra)
               : length;
}

/* Whether the text is "O-O" or "O-O-O", also with zeros or small letters. */
static bool is_castling_text(const char *text, int length)
{
    if (length != 3 && length != 5) {
        return false;
    }
    for (int i = 0; i < length; i++) {
        const bool fits = i % 2 == 1 ? text[i] == '-' : memchr("O0o", text[i], 3) != NULL;
        if (!fits) {
            return false;
        }
    }
    return true;
}

static Move find_castling(const MoveList *list, bool is_king_side)
{
    for (int i = 0; i < list->count; i++) {
        const Move move = list->moves[i];
        if (move_flag(move) == MOVE_CASTLING && (move_to(move) > move_from(move)) == is_king_side) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* Takes "=Q", "Q", "(Q)" or "/Q" off the end of the text; returns what is left of its length. */
static int split_promotion(const char *text, int length, PieceType *promotion)
{
    *promotion = NO_PIECE_TYPE;
    if (length > 0 && text[length - 1] == ')') {
        length--;
    }
    if (length < 3) {
        return length;
    }
    *promotion = promotion_from_letter(text[length - 1]);
    if (*promotion == NO_PIECE_TYPE) {
        return length;
    }
    length--;
    return memchr("=(/", text[length - 1], 3) != NULL ? length - 1 : length;
}

/* Takes what stands before the target square apart: origin file and rank, and marks to ignore. */
static bool parse_origin(const char *text, int length, SanMove *san)
{
    for (int i = 0; i < length; i++) {
        if (is_file(text[i]) && san->from_file == ANY && san->from_rank == ANY) {
            san->from_file = text[i] - 'a';
        } else if (is_rank(text[i]) && san->from_rank == ANY) {
            san->from_rank = text[i] - '1';
        } else if (i + 1 != length || memchr("x:-", text[i], 3) == NULL) {
            return false;
        }
    }
    return true;
}

/* Takes the text of a move other than castling apart; false if it is no SAN at all. */
static bool parse_san(const char *text, int length, SanMove *san)
{
    *san = (SanMove){.type = PAWN, .from_file = ANY, .from_rank = ANY};
    length = split_promotion(text, length, &san->promotion);

    const char *const letter = length > 0 ? memchr(piece_letters, text[0], PIECE_TYPE_COUNT) : NULL;
    if (letter != NULL) {
        san->type = (PieceType)(letter - piece_letters);
        text++;
        length--;
    }
    if (length < 2 || !is_file(text[length - 2]) || !is_rank(text[length - 1])) {
        return false;
    }
    san->to = square_make(text[length - 2] - 'a', text[length - 1] - '1');
    return parse_origin(text, length - 2, san);
}

static bool san_names(const SanMove *san, const Position *position, Move move)
{
    const Square from = move_from(move);
    return move_flag(move) != MOVE_CASTLING && uci_names(move, from, san->to, san->promotion) &&
           position_type_on(position, from) == san->type &&
           (san->from_file == ANY || san->from_file == square_file(from)) &&
           (san->from_rank == ANY || san->from_rank == square_rank(from));
}

/* The only move of the list that the SAN names, or MOVE_NONE when none or several are. */
static Move find_only(const MoveList *list, const Position *position, const SanMove *san)
{
    Move found = MOVE_NONE;
    for (int i = 0; i < list->count; i++) {
        if (!san_names(san, position, list->moves[i])) {
            continue;
        }
        if (found != MOVE_NONE) {
            return MOVE_NONE;
        }
        found = list->moves[i];
    }
    return found;
}

Move notation_parse_san(const Position *position, const char *text, int length)
{
    MoveList list;
    SanMove san;

    length = strip_ending(text, length);
    movegen_all(position, &list);
    if (is_castling_text(text, length)) {
        return find_castling(&list, length == 3);
    }
    const Move move = parse_san(text, length, &san) ? find_only(&list, position, &san) : MOVE_NONE;
    /* Some programs write bare coordinates, "g1f3", where SAN is due. */
    return move != MOVE_NONE ? move : notation_parse_uci(position, text, length);
}
