/*
 * The search: mates and draws by their value, control from outside, equal answers for equal jobs,
 * and never an illegal move or an impossible score.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "chess/fen.h"
#include "tests/support/data_file.h"
#include "tests/support/given_search.h"
#include "worker/eval/eval.h"

enum { TABLE_MB = 4 };

/* ---- values known beforehand ---- */

typedef struct {
    const char *fen;
    int mate_moves; /* negative: the side to move is mated */
} MateCase;

static const MateCase mates[] = {
    {"6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1},      {"7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2},
    {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3}, {"8/8/8/8/4N1K1/8/1R6/4k3 w - - 0 1", 4},
    {"6k1/R7/8/8/8/8/8/1R5K b - - 0 1", -1},
};

static void test_short_mates_are_found_with_their_lines(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    for (size_t i = 0; i < sizeof mates / sizeof mates[0]; i++) {
        const Position position = given_position(mates[i].fen);
        const Line *line = given_search_run(
            &given, &position, &(RootLimits){.mate_moves = abs(mates[i].mate_moves), .depth = 30});
        assert_true(score_is_mate(line->score));
        assert_int_equal(score_mate_moves(line->score), mates[i].mate_moves);
        assert_int_equal(line->bound, BOUND_EXACT);
        assert_true(given_search_line_is_sound(&position, line));
        given_search_forget(&given);
    }
    given_search_destroy(&given);
}

/* "FEN bm #N;" */
static bool read_mate(const char *row, Position *position, int *moves)
{
    const char *mark = strstr(row, "bm #");
    if (mark == NULL) {
        return false;
    }
    *moves = atoi(mark + strlen("bm #"));
    const Status status = fen_parse(row, (int)(mark - row), false, position);
    return status_is_ok(&status);
}

static void test_public_mates_are_true(void **state)
{
    (void)state;
    FILE *file = data_file_open(ROOKERY_TEST_DATA, "suites/mates.epd");
    if (file == NULL) {
        skip();
    }
    enum { NODES = 40000, MATE_MOVES_MAX = 3, SURE_MOVES_MAX = 1 };
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    char row[512];
    int count = 0;
    int solved = 0;
    while (fgets(row, sizeof row, file) != NULL) {
        Position position;
        int moves;
        if (!read_mate(row, &position, &moves) || abs(moves) > MATE_MOVES_MAX) {
            continue;
        }
        const RootLimits limits = {.nodes = NODES, .mate_moves = abs(moves)};
        const Line *line = given_search_run(&given, &position, &limits);
        assert_true(given_search_line_is_sound(&position, line));
        const bool is_mate = score_is_mate(line->score) && line->bound == BOUND_EXACT;
        const int claimed = is_mate ? score_mate_moves(line->score) : 0;
        /* The suite's figures are minimal: nobody mates faster or defends worse. */
        assert_true(!is_mate || (claimed > 0) == (moves > 0));
        assert_true(!is_mate || abs(claimed) >= abs(moves));
        assert_true(abs(moves) > SURE_MOVES_MAX || claimed == moves);
        count++;
        solved += claimed == moves;
        tt_age(given.tt);
    }
    (void)fclose(file);
    assert_true(count > 40);
    assert_true(solved >= count / 2);
    given_search_destroy(&given);
}

static void assert_score(const char *fen, int depth, int score_min, int score_max)
{
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position position = given_position(fen);
    const Line *line = given_search_run(&given, &position, &(RootLimits){.depth = depth});
    assert_true(given_search_line_is_sound(&position, line));
    assert_in_range(line->score + SCORE_INFINITE, score_min + SCORE_INFINITE,
                    score_max + SCORE_INFINITE);
    given_search_destroy(&given);
}

static void test_drawn_positions_score_nothing(void **state)
{
    (void)state;
    /* Pawn ending without a win; bare kings. */
    assert_score("8/8/8/8/8/pk6/8/1K6 w - - 0 1", 12, -20, 20);
    assert_score("8/8/8/3k4/8/8/3n4/3K4 w - - 0 1", 3, 0, 0);
    /* Every move that keeps the extra rook makes the hundredth half move. */
    assert_score("8/8/3k4/8/8/8/4R3/3K4 w - - 99 80", 6, 0, 0);
    /* Mate comes before the 50-move rule. */
    assert_score("6k1/5ppp/8/8/8/8/8/R6K w - - 99 80", 4, score_mate_in(1), score_mate_in(1));
}

static void test_a_perpetual_is_found(void **state)
{
    (void)state;
    /* White is lost but for checks on e8 and h5. */
    assert_score("6k1/6p1/8/7Q/8/8/1r4PK/q7 w - - 0 1", 10, -20, 20);
}

/* A move for the position, drawn by chance, under its key: as a stranger's TABLE may bring it. */
static void store_any_move(GivenSearch *given, const Position *position, Prng *prng)
{
    const TtEntry entry = {.move = (Move)prng_next(prng),
                           .score = SCORE_NONE,
                           .eval = SCORE_NONE,
                           .depth = TT_DEPTH_OFFSET};
    tt_store(given->tt, position->key, &entry);
}

static void store_any_moves_below(GivenSearch *given, const Position *position, int plies,
                                  Prng *prng)
{
    MoveList list;
    store_any_move(given, position, prng);
    if (plies == 0) {
        return;
    }
    movegen_all(position, &list);
    for (int i = 0; i < list.count; i++) {
        Position after;
        position_make(position, list.moves[i], &after);
        store_any_moves_below(given, &after, plies - 1, prng);
    }
}

/* Tables are filled by other machines too: what they say is tested before it is played. */
static void test_illegal_moves_of_the_table_are_not_played(void **state)
{
    (void)state;
    enum { PLIES = 2, DEPTH = 3, ROUNDS = 10 };
    static const char *const fens[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    };
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    Prng prng;
    prng_init(&prng, 7);
    for (int i = 0; i < ROUNDS * 3; i++) {
        const Position position = given_position(fens[i % 3]);
        store_any_moves_below(&given, &position, PLIES, &prng);
        const Line *line = given_search_run(&given, &position, &(RootLimits){.depth = DEPTH});
        assert_true(given_search_line_is_sound(&position, line));
        given_search_forget(&given);
    }
    given_search_destroy(&given);
}

/* ---- control ---- */

typedef struct {
    SearchControl *control;
    uint64_t stop_at;  /* sets the stop flag from so many nodes on */
    uint64_t raise_at; /* raises alpha to `raise_to` likewise; 0 never */
    int raise_to;
    uint64_t polls;
    uint64_t last;    /* nodes at the last poll */
    uint64_t gap_max; /* between two polls */
    int improvements;
    int last_score;
} Listener;

static void on_poll(void *context, uint64_t nodes)
{
    Listener *listener = context;
    listener->polls++;
    if (nodes - listener->last > listener->gap_max) {
        listener->gap_max = nodes - listener->last;
    }
    listener->last = nodes;
    if (listener->stop_at != 0 && nodes >= listener->stop_at) {
        atomic_store(&listener->control->stop, true);
    }
    if (listener->raise_at != 0 && nodes >= listener->raise_at) {
        atomic_store(&listener->control->alpha, listener->raise_to);
    }
}

static void on_improved(void *context, const Line *line)
{
    Listener *listener = context;
    assert_true(listener->improvements == 0 || line->score > listener->last_score);
    listener->improvements++;
    listener->last_score = line->score;
}

/* All moves of `position` in generation order, as one share. */
typedef struct {
    MoveList list;
    uint8_t numbers[MOVES_MAX];
} Share;

static SearchJob share_job(const Position *position, const History *game, Share *share, int depth)
{
    movegen_all(position, &share->list);
    for (int i = 0; i < share->list.count; i++) {
        share->numbers[i] = (uint8_t)(i + 1);
    }
    return (SearchJob){.root = position,
                       .game = game,
                       .depth = depth,
                       .alpha = -SCORE_INFINITE,
                       .beta = SCORE_INFINITE,
                       .kind = NODE_PV,
                       .is_eldest = true,
                       .move_count = share->list.count,
                       .moves = share->list.moves,
                       .numbers = share->numbers};
}

static SearchResult run(GivenSearch *given, const SearchJob *job, Listener *listener)
{
    SearchResult result;
    listener->control = &given->control;
    const SearchHost host = {.context = listener, .poll = on_poll, .improved = on_improved};
    search_run(given->search, job, &given->control, &host, &result);
    return result;
}

static void test_the_host_is_polled_at_its_measure(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position start = fen_start_position();
    Share share;
    Listener listener = {0};
    const SearchJob job = share_job(&start, &given.game, &share, 11);
    const SearchResult result = run(&given, &job, &listener);
    assert_false(result.stopped);
    assert_true(result.nodes > 20 * SEARCH_POLL_NODES);
    assert_true(listener.gap_max <= SEARCH_POLL_NODES);
    assert_in_range(listener.polls, result.nodes / SEARCH_POLL_NODES,
                    result.nodes / SEARCH_POLL_NODES + 2);
    assert_int_equal(result.cost_count, share.list.count);
    uint64_t costs = 0;
    for (int i = 0; i < result.cost_count; i++) {
        costs += result.costs[i].nodes;
    }
    assert_int_equal(costs, result.nodes);
    assert_int_equal(listener.last_score, result.score);
    given_search_destroy(&given);
}

/* Nodes to depth 8 on an empty table, with what the search has learned of moves by now. */
static uint64_t nodes_on_empty_table(GivenSearch *given, Search *search)
{
    const Position start = fen_start_position();
    const RootLimits limits = {.depth = 8};
    Search *own = given->search;
    tt_clear(given->tt);
    given->search = search;
    (void)given_search_run(given, &start, &limits);
    given->search = own;
    return given->root.nodes;
}

/* A search beside another knows at once what that one has learned, and clears its own alone. */
static void test_searches_may_share_what_they_learn(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const uint64_t fresh = nodes_on_empty_table(&given, given.search);
    const uint64_t taught = nodes_on_empty_table(&given, given.search);
    assert_int_not_equal(fresh, taught);

    search_clear(given.search);
    Search *beside = search_new_beside(given.search);
    assert_non_null(beside);
    assert_int_equal(nodes_on_empty_table(&given, given.search), fresh);
    search_clear(beside);
    assert_int_equal(nodes_on_empty_table(&given, beside), taught);
    search_clear(given.search);
    assert_int_equal(nodes_on_empty_table(&given, beside), fresh);
    search_destroy(&beside);
    given_search_destroy(&given);
}

/* What the table keeps is the evaluation itself, else a correction would be corrected again. */
static void test_the_table_keeps_evaluations_uncorrected(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position position =
        given_position("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10");
    (void)given_search_run(&given, &position, &(RootLimits){.depth = 12});
    EvalCache *cache = eval_cache_new();
    MoveList replies;
    int seen = 0;
    movegen_all(&position, &replies);
    for (int i = 0; i < replies.count; i++) {
        Position after;
        TtEntry entry;
        position_make(&position, replies.moves[i], &after);
        if (tt_probe(given.tt, after.key, &entry) && entry.eval != SCORE_NONE) {
            assert_int_equal(entry.eval, eval_position(&after, cache));
            seen++;
        }
    }
    assert_in_range(seen, 10, MOVES_MAX);
    eval_cache_destroy(&cache);
    given_search_destroy(&given);
}

static void test_the_stop_flag_stops(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position start = fen_start_position();
    Share share;
    Listener listener = {.stop_at = 5000};
    const SearchJob job = share_job(&start, &given.game, &share, 30);
    SearchResult result = run(&given, &job, &listener);
    assert_true(result.stopped);
    assert_in_range(result.nodes, 5000, 5000 + 2 * SEARCH_POLL_NODES);

    /* It stays set until its owner clears it. */
    result = run(&given, &job, &listener);
    assert_true(result.stopped);
    assert_in_range(result.nodes, 0, SEARCH_POLL_NODES);
    given_search_destroy(&given);
}

static void test_a_node_budget_is_kept_to_the_node(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position start = fen_start_position();
    Share share;
    SearchJob job = share_job(&start, &given.game, &share, 30);
    static const uint64_t budgets[] = {1, 2, 127, 128, 129, 1000, 12345};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        Listener listener = {0};
        job.node_budget = budgets[i];
        const SearchResult result = run(&given, &job, &listener);
        assert_true(result.stopped);
        assert_int_equal(result.nodes, budgets[i]);
    }
    given_search_destroy(&given);
}

/* Else whoever gave the moves away would take them for worse than they were found to be. */
static void test_what_is_done_of_a_stopped_job_has_a_score(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position start = fen_start_position();
    Share share;
    Listener listener = {0};
    SearchJob job = share_job(&start, &given.game, &share, 9);
    const SearchResult whole = run(&given, &job, &listener);
    job.node_budget = whole.nodes * 9 / 10;
    tt_clear(given.tt);
    search_clear(given.search);
    listener = (Listener){0};
    const SearchResult half = run(&given, &job, &listener);
    assert_true(half.stopped);
    assert_in_range(half.cost_count, 1, share.list.count - 1);
    assert_int_equal(half.score, listener.last_score);
    given_search_destroy(&given);
}

static void test_a_live_bound_ends_what_it_makes_needless(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position start = fen_start_position();
    Share share;
    SearchJob job = share_job(&start, &given.game, &share, 9);
    Listener quiet = {0};
    const SearchResult whole = run(&given, &job, &quiet);

    given_search_forget(&given);
    job.is_eldest = false;
    Listener raising = {.raise_at = 1, .raise_to = whole.score + 400};
    SearchResult result = run(&given, &job, &raising);
    assert_false(result.stopped);
    assert_int_equal(result.cost_count, share.list.count);
    assert_true(result.nodes < whole.nodes);
    assert_int_equal(raising.improvements, 0); /* nothing beats what others have */

    given_search_forget(&given);
    job.beta = whole.score + 50;
    Listener closing = {.raise_at = 1, .raise_to = job.beta};
    result = run(&given, &job, &closing);
    assert_false(result.stopped);
    assert_int_equal(result.cost_count, 0); /* nothing is left of the window: it ends at once */
    assert_true(result.nodes < whole.nodes / 4);
    given_search_destroy(&given);
}

/*
 * Alpha rises while a move is in its null window, and the move, of which only that it beats the old
 * alpha is known then, beats the new one too: as second move it is not reduced, as thirtieth it is.
 */
static void test_a_move_is_not_lost_to_a_bound_that_rises_meanwhile(void **state)
{
    (void)state;
    enum { DEPTH = 9, ALPHA = -50 };
    const int mate = score_mate_in(5); /* by Rf6-a6 alone */
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position position = given_position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    const uint8_t numbers[] = {2, 30};
    for (size_t i = 0; i < sizeof numbers; i++) {
        Share share;
        SearchJob job = share_job(&position, &given.game, &share, DEPTH);
        job.is_eldest = false;
        job.alpha = ALPHA;
        job.move_count = 1;
        share.list.moves[0] = given_move(&position, "f6a6");
        share.numbers[0] = numbers[i];
        Listener raising = {.raise_at = 1, .raise_to = mate - 1};
        const SearchResult result = run(&given, &job, &raising);
        assert_int_equal(result.score, mate);
        assert_int_equal(raising.improvements, 1);
        assert_int_equal(raising.last_score, mate);
        assert_true(result.line.length > 0);
        given_search_forget(&given);
    }
    given_search_destroy(&given);
}

/* ---- the eldest and its brothers in one job ---- */

static const char opening[] = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";

/* The same moves as a job of the first and a job of the others; the nodes of both. */
static uint64_t run_in_two(GivenSearch *given, const SearchJob *all, Listener *listener)
{
    SearchJob job = *all;
    job.move_count = 1;
    const SearchResult eldest = run(given, &job, listener);
    job = *all;
    job.is_eldest = false;
    job.alpha = eldest.score;
    job.moves++;
    job.numbers++;
    job.move_count--;
    const SearchResult brothers = run(given, &job, listener);
    assert_int_equal(eldest.cost_count + brothers.cost_count, all->move_count);
    return eldest.nodes + brothers.nodes;
}

/*
 * The next iteration after a search to `depth`, all moves as one job with an open window, the best
 * first. The same again for the same arguments.
 */
static SearchJob next_iteration(GivenSearch *given, const Position *position, int depth,
                                Share *share)
{
    const RootLimits limits = {.depth = depth, .multi_pv = 1};
    given_search_forget(given);
    (void)given_search_run(given, position, &limits);
    const SearchJob job = share_job(position, &given->game, share, depth + 1);
    for (int i = 0; i < share->list.count; i++) {
        share->list.moves[i] = given->root.moves[i].move;
    }
    return job;
}

/* Deep enough for singular moves, so that the eldest leaves killers behind that nobody may use. */
static void test_one_job_of_all_moves_is_two_jobs_in_a_row(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position position = given_position(opening);
    Share share;
    for (int depth = 6; depth <= 10; depth++) {
        Listener apart = {0};
        SearchJob job = next_iteration(&given, &position, depth, &share);
        const uint64_t nodes = run_in_two(&given, &job, &apart);
        Listener whole = {0};
        job = next_iteration(&given, &position, depth, &share);
        const SearchResult result = run(&given, &job, &whole);
        assert_int_equal(result.nodes, nodes);
        assert_int_equal(result.cost_count, job.move_count);
        assert_int_equal(whole.improvements, apart.improvements);
        assert_int_equal(whole.last_score, apart.last_score);
    }
    given_search_destroy(&given);
}

static void test_brothers_wait_for_an_eldest_inside_the_window(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position position = given_position(opening);
    Share share;
    SearchJob job = share_job(&position, &given.game, &share, 6);
    job.move_count = 1;
    Listener listener = {0};
    const int score = run(&given, &job, &listener).score;
    assert_false(score_is_mate(score));

    job.move_count = share.list.count;
    job.alpha = score + 300; /* fails low */
    Listener low = {0};
    SearchResult result = run(&given, &job, &low);
    assert_false(result.stopped);
    assert_int_equal(result.cost_count, 1);
    assert_true(result.score <= job.alpha);
    assert_int_equal(low.improvements, 0);

    job.alpha = score - 400; /* fails high */
    job.beta = score - 300;
    Listener high = {0};
    result = run(&given, &job, &high);
    assert_int_equal(result.cost_count, 1);
    assert_true(result.score >= job.beta);
    assert_int_equal(high.improvements, 1);
    given_search_destroy(&given);
}

/* ---- equal answers ---- */

static void test_a_node_budget_gives_the_same_twice(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    Prng prng;
    prng_init(&prng, 7);
    for (int i = 0; i < 20; i++) {
        const Position position = given_random_position(&prng, 80);
        const RootLimits limits = {.nodes = 1000 + prng_below(&prng, 20000)};
        given_search_forget(&given);
        const Line first = *given_search_run(&given, &position, &limits);
        const uint64_t nodes = given.root.nodes;
        const int depth = given.root.depth_done;
        given_search_forget(&given);
        const Line second = *given_search_run(&given, &position, &limits);
        assert_int_equal(given.root.nodes, nodes);
        assert_int_equal(given.root.depth_done, depth);
        assert_int_equal(second.score, first.score);
        assert_int_equal(second.length, first.length);
        assert_memory_equal(second.moves, first.moves, (size_t)first.length * sizeof(Move));
    }
    given_search_destroy(&given);
}

/* The start of random positions by a random path of legal moves. */
static Position random_path(Prng *prng, const Position *root, int length, Move *path)
{
    Position position = *root;
    for (int i = 0; i < length; i++) {
        MoveList list;
        movegen_all(&position, &list);
        path[i] = list.moves[prng_below(prng, (uint64_t)list.count)];
        Position after;
        position_make(&position, path[i], &after);
        if (!movegen_any(&after)) {
            return random_path(prng, root, length, path);
        }
        position = after;
    }
    return position;
}

static void test_a_mate_below_a_path_counts_from_the_root(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    /* Rook lift and back to the mate in one; the line starts at the job's node. */
    const Position root = given_position("6k1/5ppp/8/8/8/8/7K/R7 w - - 0 1");
    const Move path[] = {given_move(&root, "h2h1"), move_make(62, 61), move_make(7, 14),
                         move_make(61, 62)};
    Position node = root;
    for (int i = 0; i < 4; i++) {
        assert_true(movegen_is_legal(&node, path[i]));
        Position after;
        position_make(&node, path[i], &after);
        node = after;
    }
    Share share;
    SearchJob job = share_job(&node, &given.game, &share, 4);
    job.root = &root;
    job.path = path;
    job.path_length = 4;
    Listener listener = {0};
    SearchResult result = run(&given, &job, &listener);
    assert_int_equal(result.score, score_mate_in(5));
    assert_int_equal(result.line.length, 1);

    job.move_count = 0;
    listener = (Listener){0};
    result = run(&given, &job, &listener);
    assert_int_equal(result.score, score_mate_in(5));
    assert_int_equal(result.line.length, 1);
    assert_int_equal(result.line.moves[0], given_move(&node, "a1a8"));
    given_search_destroy(&given);
}

static void test_a_path_knows_its_repetitions(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    /* After the knights have gone out and back once, Ng8 would repeat a position of the tree. */
    const Position root = fen_start_position();
    static const char *const moves[] = {"e2e4", "e7e5", "g1f3", "g8f6", "f3g1"};
    Move path[5];
    Position node = root;
    for (int i = 0; i < 5; i++) {
        path[i] = given_move(&node, moves[i]);
        Position after;
        position_make(&node, path[i], &after);
        node = after;
    }
    const Move back = given_move(&node, "f6g8");
    const uint8_t number = 1;
    const SearchJob job = {.root = &root,
                           .game = &given.game,
                           .path = path,
                           .path_length = 5,
                           .depth = 4,
                           .alpha = -SCORE_INFINITE,
                           .beta = SCORE_INFINITE,
                           .is_eldest = true,
                           .move_count = 1,
                           .moves = &back,
                           .numbers = &number};
    Listener listener = {0};
    const SearchResult result = run(&given, &job, &listener);
    assert_int_equal(result.score, SCORE_DRAW);
    assert_int_equal(result.line.length, 1);
    given_search_destroy(&given);
}

/* One move as a job of its own, at a node by path and at the same node as a root. */
static void test_a_share_by_path_equals_the_same_share_at_the_root(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    Prng prng;
    prng_init(&prng, 11);
    for (int i = 0; i < 200; i++) {
        enum { PATH_LENGTH = 2 };
        Move path[PATH_LENGTH];
        const Position root = given_random_position(&prng, 60);
        const Position node = random_path(&prng, &root, PATH_LENGTH, path);
        Share share;
        SearchJob job = share_job(&node, &given.game, &share, 1);
        job.move_count = 1;
        Listener listener = {0};
        given_search_forget(&given);
        const SearchResult at_root = run(&given, &job, &listener);
        job.root = &root;
        job.path = path;
        job.path_length = PATH_LENGTH;
        listener = (Listener){0};
        given_search_forget(&given);
        const SearchResult by_path = run(&given, &job, &listener);
        const int offset = score_is_win(at_root.score)    ? -PATH_LENGTH
                           : score_is_loss(at_root.score) ? PATH_LENGTH
                                                          : 0;
        assert_int_equal(by_path.score, at_root.score + offset);
    }
    given_search_destroy(&given);
}

/* ---- what the table proves ---- */

/* A null window search of `opening` to a depth of 8 with this one entry in the table. */
static SearchResult search_beside(TtEntry entry, int alpha)
{
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position position = given_position(opening);
    entry.eval = SCORE_NONE;
    tt_store(given.tt, position.key, &entry);
    Share share;
    SearchJob job = share_job(&position, &given.game, &share, 8);
    job.move_count = 0;
    job.kind = NODE_CUT;
    job.alpha = alpha;
    job.beta = alpha + 1;
    Listener listener = {0};
    const SearchResult result = run(&given, &job, &listener);
    given_search_destroy(&given);
    return result;
}

/* A forced mate ends a node however shallow it was found; "at most a mate" does not. */
static void test_a_mate_of_the_table_holds_at_any_depth(void **state)
{
    (void)state;
    enum { SHALLOW = TT_DEPTH_OFFSET + 2, ALPHA = 200, MATE = SCORE_MATE - 9 };
    const TtEntry proofs[] = {{.score = MATE, .depth = SHALLOW, .bound = BOUND_LOWER},
                              {.score = -MATE, .depth = SHALLOW, .bound = BOUND_UPPER}};
    const TtEntry guesses[] = {{.score = MATE, .depth = SHALLOW, .bound = BOUND_UPPER},
                               {.score = -MATE, .depth = SHALLOW, .bound = BOUND_LOWER}};
    for (int i = 0; i < 2; i++) {
        const SearchResult result = search_beside(proofs[i], ALPHA);
        assert_int_equal(result.score, proofs[i].score);
        assert_in_range(result.nodes, 0, 1);
        assert_true(search_beside(guesses[i], ALPHA).nodes > 10);
    }
}

/*
 * The score of a rook's ending after so many half moves without progress, searched to `depth` with
 * a null window above `alpha`, while the table has this of it and of each position a move on.
 */
static int score_beside(const TtEntry *entry, int rule50, int depth, int alpha)
{
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    char fen[FEN_BYTES_MAX];
    (void)snprintf(fen, sizeof fen, "8/8/3k4/8/8/8/4R3/3K4 w - - %d 80", rule50);
    const Position position = given_position(fen);
    MoveList list;
    movegen_all(&position, &list);
    tt_store(given.tt, position.key, entry);
    for (int i = 0; i < list.count; i++) {
        tt_store(given.tt, position_key_after(&position, list.moves[i]), entry);
    }
    const SearchJob job = {.root = &position,
                           .game = &given.game,
                           .depth = depth,
                           .alpha = alpha,
                           .beta = alpha + 1,
                           .kind = NODE_CUT};
    Listener listener = {0};
    const SearchResult result = run(&given, &job, &listener);
    given_search_destroy(&given);
    return result.score;
}

/* What was found with all of the 50 moves left says nothing when few are. */
static void test_the_table_says_no_score_near_the_50_move_rule(void **state)
{
    (void)state;
    enum { DEEP = 20 + TT_DEPTH_OFFSET, SCORE = 2000, NEAR = 95, FAR = 20 };
    const TtEntry nothing = {.score = SCORE_NONE, .eval = SCORE_NONE, .depth = DEEP};
    const TtEntry entries[] = {
        {.score = SCORE, .eval = SCORE_NONE, .depth = DEEP, .bound = BOUND_LOWER},
        {.score = -SCORE, .eval = SCORE_NONE, .depth = DEEP, .bound = BOUND_UPPER},
        {.score = SCORE_NONE, .eval = SCORE, .depth = DEEP},
        {.score = SCORE_NONE, .eval = -SCORE, .depth = DEEP},
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        int believed = 0;
        for (int depth = 1; depth <= 3; depth++) {
            for (int alpha = -1000; alpha <= 1000; alpha += 100) {
                assert_int_equal(score_beside(&entries[i], NEAR, depth, alpha),
                                 score_beside(&nothing, NEAR, depth, alpha));
                believed += score_beside(&entries[i], FAR, depth, alpha) !=
                            score_beside(&nothing, FAR, depth, alpha);
            }
        }
        assert_true(believed > 0);
    }
}

/* ---- soundness everywhere ---- */

static void check_whole_node(GivenSearch *given, Prng *prng)
{
    enum { PATH_MAX = 6 };
    Move path[PATH_MAX];
    const int length = (int)prng_below(prng, PATH_MAX + 1);
    const Position root = given_random_position(prng, 150);
    const Position node = random_path(prng, &root, length, path);
    const int alpha = (int)prng_below(prng, 600) - 300;
    const bool open = prng_below(prng, 2) == 0;
    const SearchJob job = {.root = &root,
                           .game = &given->game,
                           .path = path,
                           .path_length = length,
                           .depth = 1 + (int)prng_below(prng, 7),
                           .alpha = open ? -SCORE_INFINITE : alpha,
                           .beta = open ? SCORE_INFINITE : alpha + 1,
                           .kind = open ? NODE_PV : (NodeKind)(1 + prng_below(prng, 2)),
                           .node_budget = 20000};
    Listener listener = {0};
    const SearchResult result = run(given, &job, &listener);
    if (result.stopped) {
        return;
    }
    assert_in_range(result.score + SCORE_MATE, 0, 2 * SCORE_MATE);
    Position end;
    assert_true(given_line_is_legal(&node, &result.line, &end));
    if (open) {
        assert_true(result.line.length > 0 || result.score == SCORE_DRAW);
    }
}

static void test_any_node_can_be_a_job(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, 1);
    Prng prng;
    prng_init(&prng, 3);
    for (int i = 0; i < 600; i++) {
        check_whole_node(&given, &prng);
    }
    given_search_destroy(&given);
}

static void test_every_line_is_sound_whatever_the_table_holds(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, 1); /* small and never cleared: crowded with other positions */
    Prng prng;
    prng_init(&prng, 5);
    for (int i = 0; i < 250; i++) {
        const Position position = given_random_position(&prng, 200);
        const RootLimits limits = {.nodes = 4000, .multi_pv = 1 + (int)prng_below(&prng, 3)};
        (void)given_search_run(&given, &position, &limits);
        for (int j = 0; root_line(&given.root, j) != NULL; j++) {
            const Line *line = root_line(&given.root, j);
            if (line->score != SCORE_NONE) {
                assert_true(given_search_line_is_sound(&position, line));
            }
        }
        tt_age(given.tt);
    }
    given_search_destroy(&given);
}

/* A search straight after another, over the same table, of the position two plies on. */
static void test_a_game_played_against_itself_is_sound(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, 1);
    Position position = fen_start_position();
    for (int ply = 0; ply < 150 && movegen_any(&position); ply++) {
        const Line *line = given_search_run(&given, &position, &(RootLimits){.nodes = 6000});
        assert_true(given_search_line_is_sound(&position, line));
        Position after;
        position_make(&position, line->moves[0], &after);
        history_push_game(&given.game, &position, &after);
        position = after;
        tt_age(given.tt);
    }
    given_search_destroy(&given);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_mates_are_found_with_their_lines),
        cmocka_unit_test(test_public_mates_are_true),
        cmocka_unit_test(test_drawn_positions_score_nothing),
        cmocka_unit_test(test_a_perpetual_is_found),
        cmocka_unit_test(test_illegal_moves_of_the_table_are_not_played),
        cmocka_unit_test(test_the_host_is_polled_at_its_measure),
        cmocka_unit_test(test_searches_may_share_what_they_learn),
        cmocka_unit_test(test_the_table_keeps_evaluations_uncorrected),
        cmocka_unit_test(test_the_stop_flag_stops),
        cmocka_unit_test(test_a_node_budget_is_kept_to_the_node),
        cmocka_unit_test(test_what_is_done_of_a_stopped_job_has_a_score),
        cmocka_unit_test(test_a_live_bound_ends_what_it_makes_needless),
        cmocka_unit_test(test_a_move_is_not_lost_to_a_bound_that_rises_meanwhile),
        cmocka_unit_test(test_one_job_of_all_moves_is_two_jobs_in_a_row),
        cmocka_unit_test(test_brothers_wait_for_an_eldest_inside_the_window),
        cmocka_unit_test(test_a_node_budget_gives_the_same_twice),
        cmocka_unit_test(test_a_mate_below_a_path_counts_from_the_root),
        cmocka_unit_test(test_a_path_knows_its_repetitions),
        cmocka_unit_test(test_a_share_by_path_equals_the_same_share_at_the_root),
        cmocka_unit_test(test_a_mate_of_the_table_holds_at_any_depth),
        cmocka_unit_test(test_the_table_says_no_score_near_the_50_move_rule),
        cmocka_unit_test(test_any_node_can_be_a_job),
        cmocka_unit_test(test_every_line_is_sound_whatever_the_table_holds),
        cmocka_unit_test(test_a_game_played_against_itself_is_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
