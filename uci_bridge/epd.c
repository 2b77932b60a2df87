#include "uci_bridge/epd.h"

#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/score.h"

enum { OPERAND_BYTES_MAX = 512, POINTS_MAX = 1000000 };

/* The operations that say what moves are worth; they are understood together. */
typedef struct {
    char c0[OPERAND_BYTES_MAX];
    char c7[OPERAND_BYTES_MAX];
    char c8[OPERAND_BYTES_MAX];
    char c9[OPERAND_BYTES_MAX];
} PointTexts;

/* ---- pieces of text ---- */

/* Cuts the next word, ended by one of `separators`, from *text; NULL at the end. */
static char *take_word(char **text, const char *separators)
{
    char *word = *text + strspn(*text, separators);
    const size_t length = strcspn(word, separators);
    if (length == 0) {
        return NULL;
    }
    *text = word[length] == '\0' ? word + length : word + length + 1;
    word[length] = '\0';
    return word;
}

static bool is_number(const char *text, int length)
{
    return length > 0 && (int)strspn(text, "0123456789") >= length;
}

/* The length of the FEN that the line begins with: four fields, or six if two numbers follow. */
static int fen_length(const char *text)
{
    int at = 0;
    int length = 0;
    for (int field = 0; field < 6; field++) {
        at += (int)strspn(text + at, " \t");
        const int field_length = (int)strcspn(text + at, " \t\r;");
        if (field_length == 0 || (field >= 4 && !is_number(text + at, field_length))) {
            break;
        }
        at += field_length;
        length = at;
    }
    return length;
}

/*
 * Reads "opcode operand;" at *text. The operand loses its quotes; a ';' inside them is its own.
 * False at the end of the line.
 */
static bool take_operation(const char **text, char opcode[OPERAND_BYTES_MAX],
                           char operand[OPERAND_BYTES_MAX])
{
    const char *at = *text + strspn(*text, " \t\r;");
    size_t length = strcspn(at, " \t\r;");
    if (length == 0) {
        return false;
    }
    snprintf(opcode, OPERAND_BYTES_MAX, "%.*s", (int)length, at);
    at += length;
    at += strspn(at, " \t\r");
    int used = 0;
    bool is_quoted = false;
    for (; *at != '\0' && (is_quoted || *at != ';'); at++) {
        if (*at == '"') {
            is_quoted = !is_quoted;
        } else if (*at != '\r' && used < OPERAND_BYTES_MAX - 1) {
            operand[used++] = *at;
        }
    }
    operand[used] = '\0';
    *text = at;
    return true;
}

/* ---- moves ---- */

static Status read_move(const Position *position, const char *text, Move *move)
{
    const int length = (int)strlen(text);
    *move = notation_parse_san(position, text, length);
    if (*move == MOVE_NONE) {
        *move = notation_parse_uci(position, text, length);
    }
    return *move != MOVE_NONE ? status_ok()
                              : status_error(STATUS_INVALID, "'%.20s' is no legal move here", text);
}

static Status read_moves(const Position *position, char *text, Move moves[EPD_MOVES_MAX],
                         int *count)
{
    Status status = status_ok();
    for (char *word = take_word(&text, " ,"); word != NULL && status_is_ok(&status);
         word = take_word(&text, " ,")) {
        if (*count == EPD_MOVES_MAX) {
            return status_error(STATUS_INVALID, "more than %d moves", EPD_MOVES_MAX);
        }
        status = read_move(position, word, &moves[*count]);
        *count += status_is_ok(&status);
    }
    return status;
}

static Status read_best(Epd *epd, char *operand)
{
    int64_t mate = 0;
    if (operand[0] != '#') {
        return read_moves(&epd->position, operand, epd->best, &epd->best_count);
    }
    const Status status = arguments_number("mate", operand + 1, -PLY_MAX, PLY_MAX, &mate);
    epd->mate = (int)mate;
    return status;
}

/* ---- points ---- */

static Status add_points(Epd *epd, const char *move_text, const char *points_text)
{
    if (epd->points_count == EPD_MOVES_MAX) {
        return status_error(STATUS_INVALID, "points for more than %d moves", EPD_MOVES_MAX);
    }
    int64_t points = 0;
    EpdPoints *entry = &epd->points[epd->points_count];
    Status status = read_move(&epd->position, move_text, &entry->move);
    if (status_is_ok(&status)) {
        status = arguments_number("points", points_text, 0, POINTS_MAX, &points);
    }
    if (status_is_ok(&status)) {
        entry->points = (int)points;
        epd->points_max = entry->points > epd->points_max ? entry->points : epd->points_max;
        epd->points_count++;
    }
    return status;
}

/* Points and moves in two lists of equal length. */
static Status read_point_lists(Epd *epd, char *moves, char *points)
{
    Status status = status_ok();
    while (status_is_ok(&status)) {
        const char *move = take_word(&moves, " ,");
        const char *worth = take_word(&points, " ,");
        if (move == NULL && worth == NULL) {
            break;
        }
        if (move == NULL || worth == NULL) {
            return status_error(STATUS_INVALID, "points and their moves do not pair up");
        }
        status = add_points(epd, move, worth);
    }
    return status;
}

/* Whether the comment is points, "f5=10, e8=Q=4": each word ends in '=' and a number. */
static bool is_point_pairs(const char *text)
{
    static const char separators[] = " ,";
    for (text += strspn(text, separators); *text != '\0'; text += strspn(text, separators)) {
        const char *const end = text + strcspn(text, separators);
        const char *number = end;
        while (number > text && number[-1] >= '0' && number[-1] <= '9') {
            number--;
        }
        if (number == end || number == text || number[-1] != '=') {
            return false;
        }
        text = end;
    }
    return true;
}

/* The last '=' of a word is before the points. */
static Status read_point_pairs(Epd *epd, char *text)
{
    Status status = status_ok();
    for (char *word = take_word(&text, " ,"); word != NULL && status_is_ok(&status);
         word = take_word(&text, " ,")) {
        char *equals = strrchr(word, '=');
        *equals = '\0';
        status = add_points(epd, word, equals + 1);
    }
    return status;
}

static Status read_points(Epd *epd, PointTexts *texts)
{
    if (texts->c8[0] != '\0' && texts->c9[0] != '\0') {
        return read_point_lists(epd, texts->c9, texts->c8);
    }
    if (texts->c8[0] != '\0' && texts->c7[0] != '\0') {
        return read_point_lists(epd, texts->c7, texts->c8);
    }
    return is_point_pairs(texts->c0) ? read_point_pairs(epd, texts->c0) : status_ok();
}

int epd_points(const Epd *epd, Move move)
{
    for (int i = 0; i < epd->points_count; i++) {
        if (epd->points[i].move == move) {
            return epd->points[i].points;
        }
    }
    return 0;
}

/* ---- what is right ---- */

bool epd_is_test(const Epd *epd)
{
    return epd->best_count + epd->avoid_count + epd->points_count > 0 || epd->mate != 0;
}

bool epd_move_is_right(const Epd *epd, Move move)
{
    if (epd->best_count == 0 && epd->avoid_count == 0) {
        return epd_points(epd, move) == epd->points_max;
    }
    return (epd->best_count == 0 || move_is_among(move, epd->best, epd->best_count)) &&
           !move_is_among(move, epd->avoid, epd->avoid_count);
}

/* ---- the line ---- */

/* Where the operand of c0, c7, c8 or c9 is kept; NULL for other opcodes. */
static char *text_of(PointTexts *texts, const char *opcode)
{
    return strcmp(opcode, "c0") == 0   ? texts->c0
           : strcmp(opcode, "c7") == 0 ? texts->c7
           : strcmp(opcode, "c8") == 0 ? texts->c8
           : strcmp(opcode, "c9") == 0 ? texts->c9
                                       : NULL;
}

static Status read_operation(Epd *epd, PointTexts *texts, const char *opcode, char *operand)
{
    if (strcmp(opcode, "bm") == 0) {
        return read_best(epd, operand);
    }
    if (strcmp(opcode, "am") == 0) {
        return read_moves(&epd->position, operand, epd->avoid, &epd->avoid_count);
    }
    char *text = text_of(texts, opcode);
    if (text != NULL) {
        memcpy(text, operand, strlen(operand) + 1);
    } else if (strcmp(opcode, "id") == 0) {
        snprintf(epd->id, sizeof epd->id, "%.*s", EPD_ID_BYTES_MAX - 1, operand);
    }
    return status_ok();
}

static Status read_operations(Epd *epd, const char *text)
{
    PointTexts texts = {.c0 = ""};
    char opcode[OPERAND_BYTES_MAX];
    char operand[OPERAND_BYTES_MAX];
    Status status = status_ok();
    while (status_is_ok(&status) && take_operation(&text, opcode, operand)) {
        status = read_operation(epd, &texts, opcode, operand);
    }
    if (status_is_ok(&status)) {
        status = read_points(epd, &texts);
    }
    return status;
}

Status epd_parse(const char *text, const char *file, int line, bool chess960, Epd *epd)
{
    *epd = (Epd){.mate = 0};
    snprintf(epd->id, sizeof epd->id, "line %d", line);
    const int length = fen_length(text);
    Status status = fen_parse(text, length, chess960, &epd->position);
    if (status_is_ok(&status)) {
        status = read_operations(epd, text + length);
    }
    if (!status_is_ok(&status)) {
        return status_error(status.code, "%s:%d: %.180s", file, line, status.message);
    }
    return status;
}
