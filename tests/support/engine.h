/*
 * Engine: a `rookery` process spoken to in UCI, and judged while it speaks.
 *
 * Whatever is sent is understood as a GUI would: `position`, `go`, `isready`, UCI_Chess960. Every
 * line that is read must then be whole and in its place: PVs legal and not empty; one bestmove for
 * each go, in order, legal in the position of its go, behind a line of rank 1 that begins with it,
 * an exact one if the go asked for a depth; one readyok for each isready. A line that is not fails
 * the test.
 */
#ifndef ROOKERY_TESTS_ENGINE_H
#define ROOKERY_TESTS_ENGINE_H

#include "chess/notation.h"
#include "support/process.h"

enum { ENGINE_SEARCHES_MAX = 8, ENGINE_TEXT_BYTES_MAX = 1 << 18 };

/* A go without an answer. */
typedef struct {
    Position position;
    bool is_to_depth; /* it ends with a complete iteration, unless it is stopped */
} EngineSearch;

typedef struct {
    Process process;
    Position position;                          /* of the next go */
    bool is_chess960;                           /* how the next position is read */
    EngineSearch searches[ENGINE_SEARCHES_MAX]; /* oldest first */
    int search_count;
    int owed_ready;                         /* isready without an answer */
    bool has_other_output;                  /* d, cluster, perft: lines of any form may come */
    int64_t asked_us;                       /* when `go`, `stop` or `ponderhit` was sent last */
    int64_t answered_us;                    /* when the last bestmove came */
    char best_move[UCI_MOVE_BYTES_MAX + 8]; /* of the last bestmove; "(none)" too */
    char shown_move[UCI_MOVE_BYTES_MAX];    /* first of the newest line of rank 1; "" without one */
    bool shown_is_exact;                    /* that line was no bound */
    char text[ENGINE_TEXT_BYTES_MAX]; /* what was read since engine_clear, as far as it fits */
    int length;
} Engine;

/* Starts `path` with the words behind it, which a NULL ends; at the start position. */
void engine_start(Engine *engine, const char *path, const char *const words[]);

/* Sends lines, parted by newlines. */
__attribute__((format(printf, 2, 3))) void engine_send(Engine *engine, const char *format, ...);

/* The next line, judged; NULL if none comes within `ms` or the output has ended. */
const char *engine_read(Engine *engine, int64_t ms);

/* Reads all that comes within `ms`. */
void engine_listen(Engine *engine, int64_t ms);

/* Reads until a line begins with `start`; fails if none does in good time. */
const char *engine_await(Engine *engine, const char *start);

/*
 * Sends isready and reads until all its answers are there. A slow build asks again while the
 * cluster needs longer than isready waits.
 */
void engine_ready(Engine *engine);

/* Reads until no search is without an answer. Returns the milliseconds since the last command. */
int64_t engine_best_move(Engine *engine);

/* engine_send and engine_best_move. */
int64_t engine_play(Engine *engine, const char *lines);

/* Empties `text`. */
void engine_clear(Engine *engine);

/* Whether, and how often, `part` stands in `text`. */
bool engine_said(const Engine *engine, const char *part);
int engine_count(const Engine *engine, const char *part);

/* The number behind the last `name` in `text`, such as "nodes"; fails if there is none. */
uint64_t engine_last_number(const Engine *engine, const char *name);

/* Sends quit; expects the exit code 0, nothing owed and nobody left. */
void engine_quit(Engine *engine);

#endif
