#include "uci_bridge/core/uci_parse.h"

#include <stddef.h>

#include "chess/notation.h"
#include "chess/perft.h"
#include "root/root.h"

enum { MOVES_TO_GO_MAX = 1000, MATE_MOVES_MAX = PLY_MAX / 2 };

/* A year: SEARCH carries no longer times (CODEC_DURATION_US_MAX). */
static const int64_t clock_ms_max = INT64_C(365) * 24 * 3600 * 1000;

UciCommand uci_parse_command(UciText line, UciText *rest)
{
    static const struct {
        const char *word;
        UciCommand command;
    } commands[] = {
        {"uci", UCI_COMMAND_UCI},
        {"isready", UCI_COMMAND_IS_READY},
        {"ucinewgame", UCI_COMMAND_NEW_GAME},
        {"position", UCI_COMMAND_POSITION},
        {"go", UCI_COMMAND_GO},
        {"stop", UCI_COMMAND_STOP},
        {"ponderhit", UCI_COMMAND_PONDER_HIT},
        {"setoption", UCI_COMMAND_SET_OPTION},
        {"quit", UCI_COMMAND_QUIT},
        {"d", UCI_COMMAND_BOARD},
        {"eval", UCI_COMMAND_EVAL},
        {"bench", UCI_COMMAND_BENCH},
        {"cluster", UCI_COMMAND_CLUSTER},
        {"help", UCI_COMMAND_HELP},
        {"debug", UCI_COMMAND_NONE}, /* known, so that what follows them is not read as a command */
        {"register", UCI_COMMAND_NONE},
    };
    UciText word;
    *rest = line;
    while (uci_text_next(rest, &word)) {
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
            if (uci_text_is(word, commands[i].word)) {
                return commands[i].command;
            }
        }
    }
    return UCI_COMMAND_NONE;
}

/* The text from the start of `from` to the start of `to`, which lies within it. */
static UciText text_between(UciText from, UciText to)
{
    return uci_text_trim((UciText){.bytes = from.bytes, .length = (int)(to.bytes - from.bytes)});
}

UciPosition uci_parse_position(UciText rest)
{
    UciPosition result = {.is_valid = false};
    UciText word;
    (void)uci_text_next(&rest, &word);
    const bool is_fen = uci_text_is(word, "fen");
    result.is_valid = is_fen || uci_text_is(word, "startpos");
    result.moves = (UciText){.bytes = rest.bytes, .length = 0};
    const UciText all = rest;
    UciText before = uci_text_trim(rest); /* "moves" */
    while (uci_text_next(&rest, &word)) {
        if (uci_text_is(word, "moves")) {
            result.moves = rest;
            before = text_between(all, word);
            break;
        }
    }
    *(is_fen ? &result.fen : &result.extra) = before;
    return result;
}

void uci_parse_set_option(UciText rest, UciText *name, UciText *value)
{
    UciText word;
    if (uci_text_is(uci_text_peek(rest), "name")) {
        (void)uci_text_next(&rest, &word);
    }
    *name = uci_text_trim(rest);
    *value = (UciText){.bytes = rest.bytes, .length = 0};
    const UciText all = rest;
    while (uci_text_next(&rest, &word)) {
        if (uci_text_is(word, "value")) {
            *name = text_between(all, word);
            *value = uci_text_trim(rest);
            return;
        }
    }
}

/* How the limits of a `go` are read. */
typedef struct {
    UciText rest;      /* what has not been read */
    UciText name;      /* of the limit that is read */
    UciText unread;    /* the first limit without a number; empty if there is none */
    bool names_limits; /* of any kind */
    GoLimits *limits;
} GoReader;

/*
 * Takes the number that must follow a limit's name. Whoever computes in seconds may write
 * milliseconds with a fraction: it is cut off. False and nothing taken if there is no number.
 */
static bool take_number(GoReader *reader, int64_t least, int64_t most, int64_t *number)
{
    UciText word = uci_text_peek(reader->rest);
    reader->names_limits = true;
    if (!uci_text_number(uci_text_without_fraction(word), number)) {
        reader->unread = reader->unread.length > 0 ? reader->unread : reader->name;
        return false;
    }
    (void)uci_text_next(&reader->rest, &word);
    *number = *number < least ? least : *number > most ? most : *number;
    return true;
}

static int take_int(GoReader *reader, int least, int most)
{
    int64_t number = 0;
    return take_number(reader, least, most, &number) ? (int)number : 0;
}

static void take_clock(GoReader *reader, Color color)
{
    int64_t ms = 0;
    if (take_number(reader, -clock_ms_max, clock_ms_max, &ms)) {
        reader->limits->has_clock[color] = true;
        reader->limits->clock[color] = duration_ms(ms);
    }
}

static void take_increment(GoReader *reader, Color color)
{
    int64_t ms = 0;
    if (take_number(reader, 0, clock_ms_max, &ms)) {
        reader->limits->increment[color] = duration_ms(ms);
    }
}

static void take_move_time(GoReader *reader)
{
    int64_t ms = 0;
    if (take_number(reader, 0, clock_ms_max, &ms)) {
        reader->limits->has_move_time = true;
        reader->limits->move_time = duration_ms(ms);
    }
}

static void add_search_move(const Position *position, UciText word, GoLimits *limits)
{
    const Move move = notation_parse_uci(position, word.bytes, word.length);
    if (move != MOVE_NONE &&
        !move_is_among(move, limits->search_moves, limits->search_move_count)) {
        limits->search_moves[limits->search_move_count++] = move;
    }
}

/* Whether anything ends the search by itself, or it is wanted without an end. */
static bool has_end(const GoLimits *limits)
{
    return limits->infinite || limits->has_clock[WHITE] || limits->has_clock[BLACK] ||
           limits->has_move_time || limits->depth > 0 || limits->nodes > 0 ||
           limits->mate_moves > 0;
}

int uci_parse_go(UciText rest, const Position *position, GoLimits *limits, UciText *unread)
{
    *limits = (GoLimits){.moves_to_go = 0};
    GoReader reader = {.rest = rest, .limits = limits};
    int perft_depth = 0;
    int64_t number = 0;
    while (uci_text_next(&reader.rest, &reader.name)) {
        const UciText word = reader.name;
        if (uci_text_is(word, "wtime")) {
            take_clock(&reader, WHITE);
        } else if (uci_text_is(word, "btime")) {
            take_clock(&reader, BLACK);
        } else if (uci_text_is(word, "winc")) {
            take_increment(&reader, WHITE);
        } else if (uci_text_is(word, "binc")) {
            take_increment(&reader, BLACK);
        } else if (uci_text_is(word, "movestogo")) {
            limits->moves_to_go = take_int(&reader, 0, MOVES_TO_GO_MAX);
        } else if (uci_text_is(word, "movetime")) {
            take_move_time(&reader);
        } else if (uci_text_is(word, "depth")) {
            limits->depth = take_int(&reader, 1, ROOT_DEPTH_MAX);
        } else if (uci_text_is(word, "mate")) {
            limits->mate_moves = take_int(&reader, 0, MATE_MOVES_MAX);
        } else if (uci_text_is(word, "nodes")) {
            limits->nodes = take_number(&reader, 1, INT64_MAX, &number) ? (uint64_t)number : 0;
        } else if (uci_text_is(word, "perft")) {
            perft_depth = take_number(&reader, 1, PERFT_DEPTH_MAX, &number) ? (int)number
                                                                            : UCI_PERFT_NO_DEPTH;
        } else if (uci_text_is(word, "infinite")) {
            limits->infinite = true;
        } else if (uci_text_is(word, "ponder")) {
            limits->ponder = true;
        } else {
            /* A move of `searchmoves`, or nothing we know. */
            add_search_move(position, word, limits);
        }
    }
    limits->has_move_time = limits->has_move_time || (reader.names_limits && !has_end(limits));
    *unread = reader.unread;
    return perft_depth;
}
