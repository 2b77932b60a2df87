#include "tests/support/given_search.h"

#include <stdio.h>

#include "base/check.h"
#include "chess/fen.h"

void given_search_new(GivenSearch *given, int megabytes)
{
    const Status status = tt_new(megabytes, &given->tt);
    CHECK(status_is_ok(&status));
    given->search = search_new(given->tt);
    CHECK(given->search != NULL);
    atomic_init(&given->control.stop, false);
    atomic_init(&given->control.alpha, 0);
    atomic_init(&given->control.wanted, 0);
    atomic_init(&given->control.news, false);
    history_clear(&given->game);
}

void given_search_destroy(GivenSearch *given)
{
    search_destroy(&given->search);
    tt_destroy(&given->tt);
}

void given_search_forget(GivenSearch *given)
{
    search_clear(given->search);
    tt_clear(given->tt);
}

const Line *given_search_run(GivenSearch *given, const Position *position, const RootLimits *limits)
{
    const SerialHost host = {.context = NULL};
    serial_search(given->search, position, &given->game, limits, &given->control, &host,
                  &given->root);
    return root_line(&given->root, 0);
}

static const char *fault_of(const Position *position, const Line *line)
{
    Position end;
    if (!given_line_is_legal(position, line, &end)) {
        return "illegal move in the line";
    }
    if (line->score == SCORE_NONE) {
        return line->length == 1 ? NULL : "a line without a score";
    }
    const int magnitude = line->score < 0 ? -line->score : line->score;
    if (magnitude > SCORE_MATE || (magnitude > SCORE_EVAL_MAX && magnitude < SCORE_WIN_MIN)) {
        return "impossible score";
    }
    if (line->bound != BOUND_EXACT || magnitude < SCORE_WIN_MIN) {
        return NULL;
    }
    const int plies = SCORE_MATE - magnitude;
    if (line->length != plies) {
        return "mate score without the whole line";
    }
    return given_is_mate(&end) ? NULL : "the line does not end in mate";
}

bool given_search_line_is_sound(const Position *position, const Line *line)
{
    const char *fault = fault_of(position, line);
    if (fault != NULL) {
        char fen[FEN_BYTES_MAX];
        fen_write(position, fen);
        (void)fprintf(stderr, "%s: %s, score %d, length %d, depth %d\n", fen, fault, line->score,
                      line->length, line->depth);
    }
    return fault == NULL;
}
