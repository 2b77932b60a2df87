/*
 * PGN: games read and written (PGN standard, import and export format).
 *
 * Reading is a pull parser over text in memory: pgn_next delivers one game at a time and skips
 * comments, variations, NAGs, escapes and move numbers. It never allocates.
 */
#ifndef ROOKERY_CHESS_PGN_H
#define ROOKERY_CHESS_PGN_H

#include "base/status.h"
#include "chess/position.h"

enum {
    PGN_TAGS_MAX = 32,
    PGN_TAG_NAME_BYTES_MAX = 32,
    PGN_TAG_VALUE_BYTES_MAX = 256,
    PGN_MOVES_MAX = 2048, /* half moves; longer games are refused */
};

typedef enum { PGN_UNFINISHED, PGN_WHITE_WINS, PGN_BLACK_WINS, PGN_DRAW } PgnResult;

typedef struct {
    char name[PGN_TAG_NAME_BYTES_MAX];
    char value[PGN_TAG_VALUE_BYTES_MAX]; /* unescaped; cut when longer */
} PgnTag;

typedef struct {
    PgnTag tags[PGN_TAGS_MAX]; /* in file order; surplus tags are dropped */
    int tag_count;
    Position start; /* from the FEN tag (Variant Chess960 respected), else the usual start */
    Move moves[PGN_MOVES_MAX];
    int move_count;
    PgnResult result; /* of the termination marker */
} PgnGame;

typedef struct {
    const char *text; /* borrowed; need not be NUL-terminated */
    long length;      /* bytes */
    long offset;      /* of the next unread byte */
    int line;         /* of that byte, from 1 */
} PgnReader;

void pgn_reader_init(PgnReader *reader, const char *text, long length);

/*
 * Reads the next game. OK with *found = false at the end of the text. A game that cannot be read
 * gives STATUS_INVALID with line and token, and the reader stands behind that game.
 */
__attribute__((warn_unused_result)) Status pgn_next(PgnReader *reader, PgnGame *game, bool *found);

/* The value of a tag, or NULL. */
const char *pgn_tag(const PgnGame *game, const char *name);

/*
 * Writes the game in export format (seven-tag roster first, lines under 80 columns) to `text`;
 * returns the bytes needed without the NUL, as snprintf does: the text was cut if that is not
 * less than `capacity`. `comments`, if not NULL, holds move_count texts, each written in braces
 * behind its move; NULL entries are none.
 */
int pgn_write(const PgnGame *game, const char *const *comments, char *text, int capacity);

#endif
