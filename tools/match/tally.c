#include "tools/match/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "chess/fen.h"
#include "chess/pgn.h"
#include "os/files.h"

enum {
    ROUND_BYTES_MAX = 16,
    FILE_BYTES_MAX = 1 << 29, /* of a PGN: more than 100000 games */
};

/* A game whose partner has not been seen yet. */
typedef struct {
    char round[ROUND_BYTES_MAX]; /* without what follows a dot: the game's number within it */
    char start[FEN_BYTES_MAX];
    char opponent[TALLY_NAME_BYTES_MAX];
    bool is_white;   /* the engine's colour */
    int half_points; /* of the engine */
} LoneGame;

typedef struct {
    PgnGame game;    /* the last one read */
    LoneGame *alone; /* growing array, in file order */
    int alone_count;
    int alone_room;
    Tally *tally;
} Counter;

static const char *tag_or(const PgnGame *game, const char *name, const char *otherwise)
{
    const char *value = pgn_tag(game, name);
    return value != NULL ? value : otherwise;
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (strcasecmp(text, *words) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- Faults ---- */

/* Whose fault an irregular end is: the loser's, else that of the side to move. */
static bool is_white_at_fault(const PgnGame *game)
{
    switch (game->result) {
    case PGN_WHITE_WINS:
        return false;
    case PGN_BLACK_WINS:
        return true;
    case PGN_DRAW:
    case PGN_UNFINISHED:
        break;
    }
    const bool white_starts = position_side(&game->start) == WHITE;
    return white_starts == (game->move_count % 2 == 0);
}

static void count_faults(const PgnGame *game, bool is_white, Tally *tally)
{
    static const char *const time_words[] = {"time forfeit", NULL};
    static const char *const illegal_words[] = {"illegal move", "rules infraction", NULL};
    static const char *const lost_words[] = {"abandoned", "stalled connection", NULL};
    const char *termination = tag_or(game, "Termination", "");
    Faults *faults = is_white_at_fault(game) == is_white ? &tally->by_engine : &tally->by_opponent;
    faults->time_losses += is_one_of(termination, time_words);
    faults->illegal_moves += is_one_of(termination, illegal_words);
    faults->disconnects += is_one_of(termination, lost_words);
}

/* ---- Results and pairs ---- */

static void set_name(char name[TALLY_NAME_BYTES_MAX], const char *text)
{
    (void)snprintf(name, TALLY_NAME_BYTES_MAX, "%s", text);
}

static const char *opponent_of(const PgnGame *game, bool is_white)
{
    return tag_or(game, is_white ? "Black" : "White", "?");
}

static LoneGame describe(const PgnGame *game, bool is_white, int half_points)
{
    LoneGame lone = {.is_white = is_white, .half_points = half_points};
    const char *round = tag_or(game, "Round", "?");
    set_name(lone.opponent, opponent_of(game, is_white));
    (void)snprintf(lone.round, sizeof lone.round, "%.*s", (int)strcspn(round, "."), round);
    fen_write(&game->start, lone.start);
    return lone;
}

/* The index of the earliest lone game that makes a pair with this one; -1 if there is none. */
static int find_partner(const Counter *counter, const LoneGame *game)
{
    for (int i = 0; i < counter->alone_count; i++) {
        const LoneGame *other = &counter->alone[i];
        if (other->is_white != game->is_white && strcmp(other->round, game->round) == 0 &&
            strcmp(other->start, game->start) == 0 &&
            strcmp(other->opponent, game->opponent) == 0) {
            return i;
        }
    }
    return -1;
}

static Status keep_alone(Counter *counter, const LoneGame *game)
{
    if (counter->alone_count == counter->alone_room) {
        const int room = counter->alone_room > 0 ? 2 * counter->alone_room : 64;
        LoneGame *grown = realloc(counter->alone, (size_t)room * sizeof *grown);
        if (grown == NULL) {
            return status_error(STATUS_NO_MEMORY, "not enough memory for the games");
        }
        counter->alone = grown;
        counter->alone_room = room;
    }
    counter->alone[counter->alone_count++] = *game;
    return status_ok();
}

static Status join_pair(Counter *counter, const LoneGame *game)
{
    const int partner = find_partner(counter, game);
    if (partner < 0) {
        return keep_alone(counter, game);
    }
    counter->tally->pairs.counts[counter->alone[partner].half_points + game->half_points]++;
    counter->alone_count--;
    memmove(&counter->alone[partner], &counter->alone[partner + 1],
            (size_t)(counter->alone_count - partner) * sizeof *counter->alone);
    return status_ok();
}

/* Half points of the side: 2, 1 or 0. */
static int half_points_of(PgnResult result, bool is_white)
{
    if (result == PGN_DRAW) {
        return 1;
    }
    return (result == PGN_WHITE_WINS) == is_white ? 2 : 0;
}

static Status count_result(Counter *counter, bool is_white)
{
    Tally *tally = counter->tally;
    if (counter->game.result == PGN_UNFINISHED) {
        tally->unfinished++;
        return status_ok();
    }
    const int half_points = half_points_of(counter->game.result, is_white);
    tally->games++;
    tally->wins += half_points == 2;
    tally->draws += half_points == 1;
    tally->losses += half_points == 0;
    tally->singles.counts[2 * half_points]++;
    const LoneGame game = describe(&counter->game, is_white, half_points);
    return join_pair(counter, &game);
}

/* ---- Games ---- */

/* Counts the counter's game if the engine plays in it. */
static Status count_game(Counter *counter)
{
    Tally *tally = counter->tally;
    const char *white = tag_or(&counter->game, "White", "?");
    if (tally->engine[0] == '\0') {
        set_name(tally->engine, white);
    }
    const bool is_white = strcmp(white, tally->engine) == 0;
    if (!is_white && strcmp(tag_or(&counter->game, "Black", "?"), tally->engine) != 0) {
        return status_ok();
    }
    const char *opponent = opponent_of(&counter->game, is_white);
    if (tally->opponent[0] == '\0') {
        set_name(tally->opponent, opponent);
    } else if (strcmp(tally->opponent, opponent) != 0) {
        set_name(tally->opponent, "all others");
    }
    count_faults(&counter->game, is_white, tally);
    return count_result(counter, is_white);
}

static Status count_games(PgnReader *reader, Counter *counter)
{
    Status status = status_ok();
    bool found = true;
    while (found && status_is_ok(&status)) {
        const Status read = pgn_next(reader, &counter->game, &found);
        if (!status_is_ok(&read)) {
            counter->tally->unreadable++;
            found = true;
        } else if (found) {
            status = count_game(counter);
        }
    }
    return status;
}

Status tally_read(const char *text, long length, const char *engine, Tally *tally)
{
    *tally = (Tally){.pairs.games = 2, .singles.games = 1};
    set_name(tally->engine, engine != NULL ? engine : "");
    Counter *counter = calloc(1, sizeof *counter);
    if (counter == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a game");
    }
    counter->tally = tally;
    PgnReader reader;
    pgn_reader_init(&reader, text, length);
    Status status = count_games(&reader, counter);
    tally->alone = counter->alone_count;
    free(counter->alone);
    free(counter);
    if (status_is_ok(&status) && tally->opponent[0] == '\0') {
        status =
            status_error(STATUS_NOT_FOUND, "no game of %s", engine != NULL ? engine : "anyone");
    }
    return status;
}

Status tally_read_file(const char *path, const char *engine, Tally *tally)
{
    char *text = NULL;
    int length = 0;
    Status status = files_read(path, FILE_BYTES_MAX, &text, &length);
    if (status_is_ok(&status)) {
        status = tally_read(text, length, engine, tally);
    }
    if (status.code == STATUS_NOT_FOUND && text != NULL) {
        status = status_error(STATUS_NOT_FOUND, "%.150s: no game of %.60s", path,
                              engine != NULL ? engine : "anyone");
    }
    free(text);
    return status;
}

const Samples *tally_samples(const Tally *tally)
{
    return tally->games > tally->alone ? &tally->pairs : &tally->singles;
}
