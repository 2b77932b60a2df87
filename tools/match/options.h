/*
 * Options: the command lines of rookery-match.
 */
#ifndef ROOKERY_TOOLS_MATCH_OPTIONS_H
#define ROOKERY_TOOLS_MATCH_OPTIONS_H

#include "base/status.h"

#include <stdint.h>

enum {
    OPTIONS_LIST_MAX = 32,       /* of an option that may be repeated */
    OPTIONS_NAME_BYTES_MAX = 64, /* of an engine's name */
    OPTIONS_FILES_MAX = 2,       /* of a summary */
};

/* The values of an option that may be repeated; borrowed from the command line. */
typedef struct {
    const char *words[OPTIONS_LIST_MAX];
    int count;
} WordList;

/* How strong and how long one side may think. */
typedef struct {
    const char *tc;  /* time control as the runners write it, "1+0.01"; NULL if none */
    int64_t nodes;   /* a move; 0 if not limited */
    int64_t depth;   /* likewise */
    int64_t hash_mb; /* 0 only while the command line is being read */
    int64_t threads; /* likewise */
} Limits;

typedef struct {
    const char *program;               /* as given; the runner gets its absolute path */
    char name[OPTIONS_NAME_BYTES_MAX]; /* in the PGN */
    Limits limits;
    WordList arguments;   /* of the program */
    WordList uci_options; /* NAME=VALUE each */
} Contestant;

/* A sequential test of elo1 against elo0. */
typedef struct {
    bool is_wanted;
    double elo0;
    double elo1; /* above elo0 */
} Sprt;

typedef struct {
    Contestant engine;
    Contestant opponent;
    const char *runner; /* program; NULL: whichever is on PATH */
    const char *book;   /* .epd or .pgn; NULL: all games from the start */
    const char *pgn;    /* where the games go; NULL: nowhere */
    const char *variant;
    int64_t games; /* even; the most if there is a test */
    int64_t concurrency;
    int64_t seed;
    Sprt sprt;
} MatchOptions;

typedef struct {
    const char *files[OPTIONS_FILES_MAX];
    const char *engine; /* whose results; NULL: White of the first game */
    Sprt sprt;
} SummaryOptions;

/* The text of --help. */
const char *options_help(void);

/* Reads `count` words; the options borrow them. Errors: STATUS_INVALID. */
Status options_read_match(char *const *words, int count, MatchOptions *options);

/* The same for a command about `file_count` files, at most OPTIONS_FILES_MAX, which come first. */
Status options_read_summary(char *const *words, int count, int file_count, SummaryOptions *options);

#endif
