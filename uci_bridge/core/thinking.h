/*
 * Thinking: one `go`, from its arrival to its one `bestmove`.
 *
 *            begin                      BESTMOVE, own answer, deadline
 *     IDLE ---------> SEARCHING ----------------------------------------> IDLE
 *                      |  |  ^                                             ^
 *       BESTMOVE in    |  |  | child back, or lost: the SEARCH is          |
 *       infinite or    |  |  '- sent again, under a new SearchId           |
 *       ponder         |  |                                                |
 *                      v  '- stop --> STOPPING --- BESTMOVE, or 40 ms -----|
 *                    HELD ------------ stop, ponderhit --------------------'
 *
 *     begin      thinking_begin      BESTMOVE, INFO, child back   thinking_on_message, _on_opened
 *     stop       thinking_stop       own answer                   thinking_on_own_search
 *     ponderhit  thinking_ponderhit  deadline, 40 ms              thinking_tick
 *
 * Three sources know a move, each better than the next: the child's lines, the bridge's own search,
 * the first legal move. From the first moment on there is one to play. The own search looks at the
 * position for a moment at every `go`; while nothing at all comes from the child, or its master has
 * lost all workers, it goes on in slices, and answers by itself when its time is over or its limits
 * are reached. A SEARCH that is sent again tells of a depth only once it has reached what is known.
 *
 * `UCI_LimitStrength` holds for a `go` that plays, that is one with a clock or movetime, pondering
 * or not: it gets fewer nodes and moves (strength.h) and one line. Analysis (infinite, depth, nodes
 * or mate alone) is as strong as ever.
 *
 * Invariants: one `bestmove` for each thinking_begin, legal in that position and within
 * `searchmoves`; none of an infinite or pondering search before stop or ponderhit; messages that do
 * not carry the current SearchId change nothing.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_THINKING_H
#define ROOKERY_UCI_BRIDGE_CORE_THINKING_H

#include "timeman/timeman.h"
#include "uci_bridge/core/engine_session.h"
#include "uci_bridge/core/info_report.h"
#include "uci_bridge/core/uci_game.h"

typedef enum { THINKING_IDLE, THINKING_SEARCHING, THINKING_STOPPING, THINKING_HELD } ThinkingState;

/* What is to be played. */
typedef struct {
    Move move;               /* MOVE_NONE in mate and stalemate */
    Move ponder;             /* MOVE_NONE if unknown */
    const MessageInfo *info; /* the line that speaks for it, of the report or the own search; or
                                NULL */
} ThinkingAnswer;

typedef struct {
    ThinkingState state;
    UciGame game;    /* as it was at the go */
    GoLimits limits; /* likewise, less what UCI_LimitStrength takes */
    int move_count;  /* moves that may be chosen from */
    Move fallback;   /* the first of them; MOVE_NONE in mate and stalemate */
    InfoReport report;
    Duration move_overhead;
    TimeBudget budget;
    Instant started_at; /* the go: what `time` counts from */
    Instant clock_at;   /* the go, or the ponderhit: what the budget counts from */
    bool is_pondering;
    Instant stop_at;     /* STOPPING: when to wait no longer */
    ThinkingAnswer held; /* HELD */

    SearchId id;   /* of the last SEARCH sent, of this go or an earlier one; growing */
    bool is_sent;  /* that SEARCH is of this go and has not been answered */
    bool has_news; /* an INFO has come for it */
    int deaths;    /* of children that had this search, since a line that was deeper than known */
    int depth_min; /* its shallower lines say less than is known from a SEARCH that was lost */

    bool has_own;         /* the own search has found a line */
    bool own_is_printed;  /* and that was printed, with no line of the child behind it */
    int own_depth;        /* complete iterations of its deepest slice */
    MessageInfo own;      /* that line */
    uint64_t own_nodes;   /* of all its slices */
    uint64_t slice_nodes; /* the size of the next one */
    Instant own_at;       /* when it may take over, and when its next slice is due */
    bool own_is_told;     /* the GUI has been told that it searches */
} Thinking;

/* What the core's files need beside a Thinking in each call. */
typedef struct {
    EngineSession *engine;
    bool has_no_workers; /* the session's master has said that it has none */
    bool has_given_up;   /* a cluster was waited for in vain already */
    BridgeActions *actions;
    Instant now;
} ThinkingContext;

void thinking_init(Thinking *thinking);

static inline bool thinking_is_idle(const Thinking *thinking)
{
    return thinking->state == THINKING_IDLE;
}

/* Begins a search of the game's position. Must be idle. */
void thinking_begin(Thinking *thinking, const UciGame *game, const GoLimits *limits,
                    const UciOptions *options, const ThinkingContext *context);

/* `stop`: answer soon. Ignored when idle or stopping already. */
void thinking_stop(Thinking *thinking, const ThinkingContext *context);

/* Answer now, with the best move known. Ignored when idle. */
void thinking_finish_now(Thinking *thinking, const ThinkingContext *context);

/* `ponderhit`: the clock starts. Ignored unless pondering. */
void thinking_ponderhit(Thinking *thinking, const ThinkingContext *context);

/* INFO, BESTMOVE. */
void thinking_on_message(Thinking *thinking, const Message *message,
                         const ThinkingContext *context);

/* The child holds a new session: an unfinished search is sent to it. */
void thinking_on_opened(Thinking *thinking, const ThinkingContext *context);

/* The child died. */
void thinking_on_died(Thinking *thinking, const ThinkingContext *context);

/* The own search has answered. */
void thinking_on_own_search(Thinking *thinking, const BridgeOwnResult *result,
                            const ThinkingContext *context);

/* Does what is due; `may_search`: a slice of the own search may be asked for. */
void thinking_tick(Thinking *thinking, bool may_search, const ThinkingContext *context);

/* When thinking_tick has something to do next; false if never. `has_no_workers` as in a context. */
bool thinking_deadline(const Thinking *thinking, const EngineSession *engine, bool has_no_workers,
                       Instant *deadline);

#endif
