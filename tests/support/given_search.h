/*
 * Given search: a search thread with a table of its own, and what every outcome must satisfy.
 */
#ifndef ROOKERY_TESTS_SUPPORT_GIVEN_SEARCH_H
#define ROOKERY_TESTS_SUPPORT_GIVEN_SEARCH_H

#include "tests/support/given.h"
#include "worker/search/serial.h"

typedef struct {
    Tt *tt;
    Search *search;
    SearchControl control; /* stop is not set */
    History game;          /* empty */
    Root root;             /* of the last given_search_run */
} GivenSearch;

/* Makes a thread with an empty table. */
void given_search_new(GivenSearch *given, int megabytes);

void given_search_destroy(GivenSearch *given);

/* Forgets all that was learned, in the table too. */
void given_search_forget(GivenSearch *given);

/* A serial search without a host; returns the best line, or NULL without a legal move. */
const Line *given_search_run(GivenSearch *given, const Position *position,
                             const RootLimits *limits);

/*
 * Whether a line's moves are legal and its score is bounded; an exact mate score must come with the
 * whole line to the mate, and no score but one move. Says on stderr what is wrong.
 */
bool given_search_line_is_sound(const Position *position, const Line *line);

#endif
