/*
 * PGN: games read and written. Source: PGN standard, sections 7, 8 and 18.
 *
 * The reader cuts the text into tokens and never looks back. After an error it skips, token by
 * token, behind the game's termination marker or up to the next tag section, so that one broken
 * game costs no other.
 */
#include "chess/pgn.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "chess/fen.h"
#include "chess/notation.h"

enum {
    COLUMNS_MAX = 79,      /* of an export line: under 80 */
    TOKEN_BYTES_MAX = 255, /* what is longer names no move, so its rest may be ignored */
    TOKEN_SHOWN_MAX = 32,  /* bytes of a token that an error message shows */
};

typedef enum {
    TOKEN_END,      /* of the text */
    TOKEN_TAG,      /* '[' outside comments; not consumed */
    TOKEN_WORD,     /* a move, a move number, a termination marker, or letters that are none */
    TOKEN_MARK,     /* what a reader may ignore: "." "!?" "+-" "$5", a comment, a variation */
    TOKEN_UNCLOSED, /* a comment or variation that the text, or the next game, cuts off */
    TOKEN_STRAY,    /* a byte that no token starts with */
} TokenKind;

typedef struct {
    TokenKind kind;
    const char *text; /* borrowed; not NUL-terminated */
    int length;       /* bytes */
    int line;         /* where it starts */
} Token;

static const char *const result_texts[] = {"*", "1-0", "0-1", "1/2-1/2"};

static const char *const roster_names[] = {
    "Event", "Site", "Date", "Round", "White", "Black", "Result",
};
enum { ROSTER_COUNT = sizeof roster_names / sizeof roster_names[0] };

/* ---- Reading: characters ------------------------------------------------------------------- */

static bool at_end(const PgnReader *reader)
{
    return reader->offset >= reader->length;
}

/* The next byte; NUL at the end. */
static char peek(const PgnReader *reader)
{
    return at_end(reader) ? '\0' : reader->text[reader->offset];
}

static void advance(PgnReader *reader)
{
    if (peek(reader) == '\n') {
        reader->line++;
    }
    reader->offset++;
}

static bool is_line_start(const PgnReader *reader)
{
    return reader->offset == 0 || reader->text[reader->offset - 1] == '\n';
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alphanumeric(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* The byte so far behind the next one; NUL beyond the end. */
static char peek_behind(const PgnReader *reader, long distance)
{
    return distance < reader->length - reader->offset ? reader->text[reader->offset + distance]
                                                      : '\0';
}

/* Skips `text` if it comes next, and says whether it did. */
static bool skip_text(PgnReader *reader, const char *text)
{
    const long length = (long)strlen(text);
    if (length > reader->length - reader->offset ||
        memcmp(reader->text + reader->offset, text, (size_t)length) != 0) {
        return false;
    }
    reader->offset += length; /* there is no line end in it */
    return true;
}

/* Whether a tag starts here, `[Name "`, alone on its line: comments hold `[%clk 0:01]` too. */
static bool at_tag_line(const PgnReader *reader)
{
    if (peek(reader) != '[' || !is_line_start(reader)) {
        return false;
    }
    long i = 1;
    while (is_alphanumeric(peek_behind(reader, i)) || peek_behind(reader, i) == '_') {
        i++;
    }
    return i > 1 && peek_behind(reader, i) == ' ' && peek_behind(reader, i + 1) == '"';
}

static void skip_line(PgnReader *reader)
{
    while (!at_end(reader) && peek(reader) != '\n') {
        advance(reader);
    }
}

/* Skips white space and the lines that '%' in their first column escapes. */
static void skip_space(PgnReader *reader)
{
    while (!at_end(reader)) {
        if (peek(reader) == '%' && is_line_start(reader)) {
            skip_line(reader);
        } else if (is_space(peek(reader))) {
            advance(reader);
        } else {
            return;
        }
    }
}

/* ---- Reading: tokens ------------------------------------------------------------------------ */

/* Skips a comment in braces; false when a tag or the end comes first. */
static bool skip_comment(PgnReader *reader)
{
    while (!at_end(reader) && peek(reader) != '}' && !at_tag_line(reader)) {
        advance(reader);
    }
    const bool is_closed = peek(reader) == '}';
    if (is_closed) {
        advance(reader);
    }
    return is_closed;
}

/* Skips a variation with all that are nested in it; false when a tag or the end comes first. */
static bool skip_variation(PgnReader *reader)
{
    int depth = 0;
    while (!at_end(reader)) {
        const char c = peek(reader);
        if (c == '[' && is_line_start(reader)) {
            return false;
        }
        if (c == '{') {
            if (!skip_comment(reader)) {
                return false;
            }
            continue;
        }
        if (c == ';' || (c == '%' && is_line_start(reader))) {
            skip_line(reader);
            continue;
        }
        advance(reader);
        depth += c == '(' ? 1 : 0;
        depth -= c == ')' ? 1 : 0;
        if (depth == 0) {
            return true;
        }
    }
    return false;
}

/* Skips letters, digits and the bytes of `others`. */
static void skip_run(PgnReader *reader, const char *others)
{
    while (is_alphanumeric(peek(reader)) || is_one_of(peek(reader), others)) {
        advance(reader);
    }
}

/* Consumes a run of annotation marks such as "!?" or "+-". */
static TokenKind scan_marks(PgnReader *reader)
{
    const long start = reader->offset;
    while (is_one_of(peek(reader), "!?+-=#/")) {
        advance(reader);
    }
    /* "--" passes the move, which no legal game does: it must not be ignored. */
    const bool is_pass = reader->offset - start == 2 && memcmp(reader->text + start, "--", 2) == 0;
    return is_pass ? TOKEN_STRAY : TOKEN_MARK;
}

/* Consumes a word, with the "e.p." of "exd6e.p." and the "(Q)" of "a8(Q)", or "e.p." by itself. */
static TokenKind scan_word(PgnReader *reader)
{
    static const char marks[] = "+#=:-/!?";
    static const char *const promotions[] = {"(Q)", "(R)", "(B)", "(N)"};
    if (skip_text(reader, "e.p.")) {
        return TOKEN_MARK;
    }
    skip_run(reader, marks);
    const char last = reader->text[reader->offset - 1];
    bool goes_on = last == 'e' && skip_text(reader, ".p.");
    for (size_t i = 0; i < sizeof promotions / sizeof promotions[0]; i++) {
        goes_on = goes_on || (is_digit(last) && skip_text(reader, promotions[i]));
    }
    if (goes_on) {
        skip_run(reader, marks);
    }
    return TOKEN_WORD;
}

/* Consumes the token that starts at the reader's next byte and says what it is. */
static TokenKind scan(PgnReader *reader)
{
    const char c = peek(reader);
    if (c == '{') {
        return skip_comment(reader) ? TOKEN_MARK : TOKEN_UNCLOSED;
    }
    if (c == '(') {
        return skip_variation(reader) ? TOKEN_MARK : TOKEN_UNCLOSED;
    }
    if (c == ';') {
        skip_line(reader);
        return TOKEN_MARK;
    }
    if (is_alphanumeric(c)) {
        return scan_word(reader);
    }
    if (is_one_of(c, "!?+-=#/")) {
        return scan_marks(reader);
    }
    advance(reader);
    if (c == '$') {
        skip_run(reader, "");
    }
    if (c == '*') {
        return TOKEN_WORD;
    }
    return c == '$' || c == '.' ? TOKEN_MARK : TOKEN_STRAY;
}

/* The next token, consumed unless it is a tag. */
static Token next_token(PgnReader *reader)
{
    skip_space(reader);
    Token token = {.kind = TOKEN_END, .text = reader->text, .line = reader->line};
    if (at_end(reader)) {
        return token;
    }
    const long start = reader->offset;
    token.text = reader->text + start;
    if (peek(reader) == '[') {
        token.kind = TOKEN_TAG;
        return token;
    }
    token.kind = scan(reader);
    const long length = reader->offset - start;
    token.length = (int)(length < TOKEN_BYTES_MAX ? length : TOKEN_BYTES_MAX);
    return token;
}

static bool token_is(const Token *token, const char *text)
{
    return token->length == (int)strlen(text) &&
           memcmp(token->text, text, (size_t)token->length) == 0;
}

/* Whether the token ends a game, and how. */
static bool token_is_result(const Token *token, PgnResult *result)
{
    if (token->kind != TOKEN_WORD) {
        return false;
    }
    for (int i = PGN_UNFINISHED; i <= PGN_DRAW; i++) {
        if (token_is(token, result_texts[i])) {
            *result = (PgnResult)i;
            return true;
        }
    }
    if (token_is(token, "1/2")) {
        *result = PGN_DRAW;
        return true;
    }
    return false;
}

static bool token_is_number(const Token *token)
{
    for (int i = 0; i < token->length; i++) {
        if (!is_digit(token->text[i])) {
            return false;
        }
    }
    return true;
}

/* A refusal that quotes the token. Control and non-ASCII bytes are shown as '?'. */
static Status refuse(const Token *token, const char *reason)
{
    char shown[TOKEN_SHOWN_MAX + 1];
    int length = token->length < TOKEN_SHOWN_MAX ? token->length : TOKEN_SHOWN_MAX;
    for (int i = 0; i < length; i++) {
        const char c = token->text[i];
        shown[i] = c >= 0x20 && c < 0x7F ? c : '?';
    }
    shown[length] = '\0';
    return status_error(STATUS_INVALID, "PGN line %d: '%s': %s", token->line, shown, reason);
}

/* ---- Reading: tags -------------------------------------------------------------------------- */

static void append_char(char *text, int capacity, int *length, char c)
{
    if (*length + 1 < capacity) {
        text[(*length)++] = c;
        text[*length] = '\0';
    }
}

/*
 * Whether the value goes on behind a quote that ought to have been escaped, as in [Event "The "Big"
 * Open"]: no bracket follows it, and the line has another quote that one does follow.
 */
static bool value_goes_on(const PgnReader *reader)
{
    PgnReader ahead = *reader;
    skip_space(&ahead);
    if (peek(&ahead) == ']') {
        return false;
    }
    for (long i = 0; i < PGN_TAG_VALUE_BYTES_MAX; i++) {
        const char c = peek_behind(reader, i);
        if (c == '\0' || c == '\n') {
            return false;
        }
        if (c == '"') {
            long behind = i + 1;
            while (peek_behind(reader, behind) == ' ' || peek_behind(reader, behind) == '\t') {
                behind++;
            }
            if (peek_behind(reader, behind) == ']') {
                return true;
            }
        }
    }
    return false;
}

/* Reads the quoted value; false when the line ends within it. */
static bool read_value(PgnReader *reader, PgnTag *tag)
{
    int length = 0;
    advance(reader);
    while (!at_end(reader) && peek(reader) != '\n') {
        char c = peek(reader);
        advance(reader);
        if (c == '"' && !value_goes_on(reader)) {
            return true;
        }
        if (c == '\\' && (peek(reader) == '"' || peek(reader) == '\\')) {
            c = peek(reader);
            advance(reader);
        }
        append_char(tag->value, PGN_TAG_VALUE_BYTES_MAX, &length, c);
    }
    return false;
}

/* Reads one `[Name "value"]`; the reader stands on the bracket. */
static Status read_tag(PgnReader *reader, PgnTag *tag)
{
    int length = 0;
    const int line = reader->line;
    *tag = (PgnTag){.name = "", .value = ""};

    advance(reader);
    skip_space(reader);
    while (is_alphanumeric(peek(reader)) || peek(reader) == '_') {
        append_char(tag->name, PGN_TAG_NAME_BYTES_MAX, &length, peek(reader));
        advance(reader);
    }
    if (length == 0) {
        return status_error(STATUS_INVALID, "PGN line %d: expected a tag name after '['", line);
    }
    skip_space(reader);
    if (peek(reader) != '"' || !read_value(reader, tag)) {
        return status_error(STATUS_INVALID,
                            "PGN line %d: tag %s: expected a value in double quotes", line,
                            tag->name);
    }
    skip_space(reader);
    if (peek(reader) != ']') {
        return status_error(STATUS_INVALID, "PGN line %d: tag %s: expected ']' after the value",
                            line, tag->name);
    }
    advance(reader);
    return status_ok();
}

const char *pgn_tag(const PgnGame *game, const char *name)
{
    for (int i = 0; i < game->tag_count; i++) {
        if (strcmp(game->tags[i].name, name) == 0) {
            return game->tags[i].value;
        }
    }
    return NULL;
}

/* Whether a Variant tag's value means Chess960: "Chess960", "fischerandom", "Fischer Random". */
static bool is_chess960_name(const char *value)
{
    return strstr(value, "960") != NULL || strncasecmp(value, "fischer", 7) == 0;
}

/* Sets the start position from the tags; `line` is where the moves begin. */
static Status set_start(PgnGame *game, int line)
{
    const char *const fen = pgn_tag(game, "FEN");
    const char *const variant = pgn_tag(game, "Variant");
    const bool chess960 = variant != NULL && is_chess960_name(variant);

    const char *const text = fen != NULL ? fen : FEN_START;
    const Status status = fen_parse(text, (int)strlen(text), chess960, &game->start);
    if (!status_is_ok(&status)) {
        return status_error(STATUS_INVALID, "PGN game before line %d: tag FEN: %s", line,
                            status.message);
    }
    return status;
}

/* ---- Reading: games ------------------------------------------------------------------------- */

void pgn_reader_init(PgnReader *reader, const char *text, long length)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    const bool has_mark = length >= 3 && memcmp(text, byte_order_mark, 3) == 0;
    const long skipped = has_mark ? 3 : 0;
    *reader = (PgnReader){.text = text + skipped, .length = length - skipped, .line = 1};
}

/* Brings the reader behind a broken game; `in_moves` says whether its tags are over. */
static void skip_game(PgnReader *reader, bool in_moves)
{
    for (;;) {
        const Token token = next_token(reader);
        PgnResult result;
        if (token.kind == TOKEN_END || token_is_result(&token, &result)) {
            return;
        }
        if (token.kind == TOKEN_TAG) {
            if (in_moves) {
                return;
            }
            skip_line(reader);
        } else if (token.kind != TOKEN_MARK) {
            in_moves = true;
        }
    }
}

/* Reads the tags, if any, up to the first token of the moves. */
static Status read_tags(PgnReader *reader, PgnGame *game, bool *found)
{
    for (;;) {
        PgnReader ahead = *reader;
        const Token token = next_token(&ahead);
        if (token.kind == TOKEN_MARK) {
            *reader = ahead;
            continue;
        }
        *found |= token.kind != TOKEN_END;
        if (token.kind != TOKEN_TAG) {
            return status_ok();
        }
        skip_space(reader);
        PgnTag tag;
        const Status status = read_tag(reader, &tag);
        if (!status_is_ok(&status)) {
            skip_line(reader);
            return status;
        }
        if (game->tag_count < PGN_TAGS_MAX) {
            game->tags[game->tag_count++] = tag;
        }
    }
}

/* Plays the move that the token names on `*position`. */
static Status read_move(const Token *token, PgnGame *game, Position *position)
{
    const Move move = notation_parse_san(position, token->text, token->length);
    if (move == MOVE_NONE) {
        return refuse(token, "expected a legal, unambiguous move or a result");
    }
    if (game->move_count == PGN_MOVES_MAX) {
        return refuse(token, "the game has too many moves");
    }
    const Position before = *position;
    position_make(&before, move, position);
    game->moves[game->move_count++] = move;
    return status_ok();
}

/* Reads the moves up to and with the termination marker. */
static Status read_moves(PgnReader *reader, PgnGame *game)
{
    Position position = game->start;
    for (;;) {
        const Token token = next_token(reader);
        if (token.kind == TOKEN_END || token.kind == TOKEN_TAG ||
            token_is_result(&token, &game->result)) {
            return status_ok();
        }
        if (token.kind == TOKEN_UNCLOSED) {
            return refuse(&token, "a comment or variation that is never closed");
        }
        if (token.kind == TOKEN_STRAY) {
            return refuse(&token, "expected a move, a comment or a result");
        }
        if (token.kind == TOKEN_WORD && !token_is_number(&token)) {
            const Status status = read_move(&token, game, &position);
            if (!status_is_ok(&status)) {
                return status;
            }
        }
    }
}

Status pgn_next(PgnReader *reader, PgnGame *game, bool *found)
{
    game->tag_count = 0;
    game->move_count = 0;
    game->result = PGN_UNFINISHED;
    *found = false;

    Status status = read_tags(reader, game, found);
    const bool in_moves = status_is_ok(&status);
    if (in_moves && *found) {
        status = set_start(game, reader->line);
    }
    if (status_is_ok(&status) && *found) {
        status = read_moves(reader, game);
    }
    if (!status_is_ok(&status)) {
        skip_game(reader, in_moves);
    }
    return status;
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* Text under construction; what does not fit is counted only. */
typedef struct {
    char *text;   /* the caller's */
    int capacity; /* bytes, the NUL too */
    int length;   /* bytes needed so far, without the NUL */
    int column;   /* characters in the current line */
} Writer;

static void put_char(Writer *writer, char c)
{
    if (writer->length + 1 < writer->capacity) {
        writer->text[writer->length] = c;
    }
    writer->length++;
    writer->column = c == '\n' ? 0 : writer->column + 1;
}

static void put_text(Writer *writer, const char *text)
{
    for (; *text != '\0'; text++) {
        put_char(writer, *text);
    }
}

/* Writes a word of movetext, on a new line if it does not fit into this one. */
static void put_word(Writer *writer, const char *word, int length)
{
    if (writer->column > 0) {
        put_char(writer, writer->column + 1 + length > COLUMNS_MAX ? '\n' : ' ');
    }
    for (int i = 0; i < length; i++) {
        put_char(writer, word[i]);
    }
}

static void put_tag(Writer *writer, const char *name, const char *value)
{
    put_char(writer, '[');
    put_text(writer, name);
    put_text(writer, " \"");
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\') {
            put_char(writer, '\\');
        }
        put_char(writer, *value == '\n' ? ' ' : *value);
    }
    put_text(writer, "\"]\n");
}

static bool is_roster_name(const char *name)
{
    for (int i = 0; i < ROSTER_COUNT; i++) {
        if (strcmp(roster_names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the tag speaks of the start position, which writes its own tags. */
static bool is_start_tag(const PgnGame *game, const PgnTag *tag)
{
    if (strcmp(tag->name, "Variant") == 0) {
        return game->start.chess960 || is_chess960_name(tag->value);
    }
    return strcmp(tag->name, "FEN") == 0 || strcmp(tag->name, "SetUp") == 0;
}

static const char *roster_value(const PgnGame *game, const char *name)
{
    if (strcmp(name, "Result") == 0) {
        return result_texts[game->result];
    }
    const char *const value = pgn_tag(game, name);
    if (value != NULL) {
        return value;
    }
    return strcmp(name, "Date") == 0 ? "????.??.??" : "?";
}

static void put_tags(Writer *writer, const PgnGame *game)
{
    char fen[FEN_BYTES_MAX];
    fen_write(&game->start, fen);

    for (int i = 0; i < ROSTER_COUNT; i++) {
        put_tag(writer, roster_names[i], roster_value(game, roster_names[i]));
    }
    if (game->start.chess960) {
        put_tag(writer, "Variant", "Chess960");
    }
    if (strcmp(fen, FEN_START) != 0) {
        put_tag(writer, "SetUp", "1");
        put_tag(writer, "FEN", fen);
    }
    for (int i = 0; i < game->tag_count; i++) {
        const PgnTag *const tag = &game->tags[i];
        if (!is_roster_name(tag->name) && !is_start_tag(game, tag)) {
            put_tag(writer, tag->name, tag->value);
        }
    }
    put_char(writer, '\n');
}

/* Writes the comment's words in braces; braces within it would end it early and become
   round, words of more than a line are cut. */
static void put_comment(Writer *writer, const char *comment)
{
    bool is_first = true;
    while (is_space(*comment)) {
        comment++;
    }
    do {
        char word[COLUMNS_MAX];
        int length = 0;
        if (is_first) {
            word[length++] = '{';
            is_first = false;
        }
        while (*comment != '\0' && !is_space(*comment) && length < COLUMNS_MAX - 1) {
            const char c = *comment++;
            word[length++] = c == '{' ? '(' : (char)(c == '}' ? ')' : c);
        }
        while (is_space(*comment)) {
            comment++;
        }
        if (*comment == '\0') {
            word[length++] = '}';
        }
        put_word(writer, word, length);
    } while (*comment != '\0');
}

static void put_move_number(Writer *writer, const Position *position)
{
    char number[16];
    const bool is_white = position_side(position) == WHITE;
    const int length =
        snprintf(number, sizeof number, is_white ? "%d." : "%d...", position->full_move);
    put_word(writer, number, length);
}

static void put_moves(Writer *writer, const PgnGame *game, const char *const *comments)
{
    Position position = game->start;
    bool needs_number = true;

    for (int i = 0; i < game->move_count; i++) {
        char san[SAN_MOVE_BYTES_MAX];
        if (needs_number || position_side(&position) == WHITE) {
            put_move_number(writer, &position);
        }
        notation_write_san(&position, game->moves[i], san);
        put_word(writer, san, (int)strlen(san));
        needs_number = comments != NULL && comments[i] != NULL;
        if (needs_number) {
            put_comment(writer, comments[i]);
        }
        const Position before = position;
        position_make(&before, game->moves[i], &position);
    }
    const char *const result = result_texts[game->result];
    put_word(writer, result, (int)strlen(result));
    put_text(writer, "\n\n");
}

int pgn_write(const PgnGame *game, const char *const *comments, char *text, int capacity)
{
    Writer writer = {.text = text, .capacity = capacity};
    put_tags(&writer, game);
    put_moves(&writer, game, comments);
    if (capacity > 0) {
        text[writer.length < capacity ? writer.length : capacity - 1] = '\0';
    }
    return writer.length;
}
